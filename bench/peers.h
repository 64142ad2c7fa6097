// Other people's solvers, as `tact bench` sees them: a module that is loaded when it is there.
#ifndef TACT_BENCH_PEERS_H
#define TACT_BENCH_PEERS_H

#include <stdbool.h>
#include <tact/collide.h>
#include <tact/lcp.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TactPeerClaim {
    TACT_PEER_SOLVED, // it says that it solved the problem, or says nothing
    TACT_PEER_FAILED, // it says that it did not
} TactPeerClaim;

typedef struct TactPeer {
    const char *name;    // "siconos-lexicolemke"
    const char *version; // of the library it is compiled against
    const char *timed;   // what else the time contains
    unsigned    takes;   // bits TACT_LCP_TAKES_*
    int         is_lcp;  // 0: only a yardstick, z is not a solution of the LCP

    /// Solves one dense problem. Copies and set-up stay outside of *seconds as far as the peer's
    /// interface lets them; max_pivots bounds the work of peers that take a bound.
    TactPeerClaim (*solve)(const TactLcpProblem *problem, int max_pivots, double *z,
                           double *seconds);
} TactPeer;

/// How a peer is given W.
typedef enum TactFrictionStorage {
    TACT_FRICTION_DENSE,
    TACT_FRICTION_BLOCKS, // the blocks of two contacts that are not 0
} TactFrictionStorage;

/// Contacts with the circular cone: u = W p + b, order n 1 2 a contact; with rolling friction n 1 2
/// and the moments about 1 and 2.
typedef struct TactFrictionProblem {
    int                 contacts;
    int                 dimension; // 3; 2: all of tangent 2 is 0, and left out for the peer
    TactFrictionStorage storage;
    const double       *W; // (3 contacts x 3 contacts, with rolling friction 5 of each);
                           //   NULL: by blocks that are not 0, row after row of blocks
    const size_t *start;   // first block of a contact's row                  (contacts + 1)
    const int    *column;  // contact of a block's columns, ascending
    const double *value;   // 3 x 3, row-major
    const double *b;       // (3 contacts)
    const double *mu;      // (contacts)
    const double *mu_roll; // NULL: none                                 (contacts)
} TactFrictionProblem;

typedef struct TactFrictionRun {
    double seconds;
    int    iterations;
} TactFrictionRun;

typedef struct TactFrictionPeer {
    const char *name;    // "siconos-admm"
    const char *version; // of the library it is compiled against
    const char *timed;   // what else the time contains

    /// Solves to a tolerance in the peer's own measure; p starts from 0.
    TactPeerClaim (*solve)(const TactFrictionProblem *problem, double tolerance, double *p,
                           TactFrictionRun *run);
} TactFrictionPeer;

/// What engines of articulated dynamics are timed on, one after the other from q and v.
typedef enum TactDynamicsPart {
    TACT_PART_POSITION,     // poses of all bodies, axes of all joints
    TACT_PART_VELOCITY,     // velocities of all bodies
    TACT_PART_INVERSE,      // forces from accelerations; position and velocity are known
    TACT_PART_MASS,         // mass matrix and its factor; position is known
    TACT_PART_ACCELERATION, // accelerations from forces; position and velocity are known
    TACT_PART_FORWARD,      // the same, position and velocity included
    TACT_PART_ASSEMBLY_1,   // as acceleration, by divide and conquer, on one thread
    TACT_PART_ASSEMBLY_2,   // on two
    TACT_PART_COUNT
} TactDynamicsPart;

/// A model, the file it was read from, and a state. Lent for the life of an engine.
typedef struct TactDynamicsCase {
    const TactModel *model;
    const char      *path;
    const double    *q; //                                                            (nq)
    const double    *v; //                                                            (nv)
    const double    *a; // accelerations whose forces are asked for                   (nv)
} TactDynamicsCase;

/// Written by an engine in tact's coordinates, without forces of springs, dampers and actuators.
typedef struct TactDynamicsValues {
    int     armature; // 0: without
    double *tau;      // of a                                                         (nv)
    double *M;        //                                                              (nv x nv)
    double *qacc;     // without forces on joints                                     (nv)
} TactDynamicsValues;

typedef struct TactDynamicsPeer {
    const char *name;
    const char *version;  // of the library it is compiled against
    const char *timed;    // what its times are of
    int         armature; // 0: it knows none

    void *(*create)(const TactDynamicsCase *state); // NULL: it cannot take the model
    void (*destroy)(void *engine);
    /// Mean seconds of a repeat, HUGE_VAL if it has no such part.
    double (*time)(void *engine, TactDynamicsPart part, int repeats);
    void (*get)(void *engine, TactDynamicsValues *values);
} TactDynamicsPeer;

/// What engines of collision are timed on.
typedef enum TactCollidePart {
    TACT_COLLIDE_PAIRS, // contact points of two bodies that are known to be a pair
    TACT_COLLIDE_BROAD, // pairs of bodies of a world whose bounds overlap
    TACT_COLLIDE_WORLD, // those pairs and their contact points
    TACT_COLLIDE_PART_COUNT
} TactCollidePart;

/// Bodies of one shape, and frame after frame where they are. Lent for the life of an engine.
typedef struct TactCollideCase {
    TactShape       shape;
    const TactMesh *mesh; // of a shape that is one
    int             bodies;
    int             frames;     // of two bodies they have nothing to do with each other, of more
                                //   they are steps of a motion, the last followed by the first
    const TactTransform *poses; //                                           (frames x bodies)
} TactCollideCase;

/// What an engine found in all frames.
typedef struct TactCollideFound {
    long pairs;    // asked for: the frames; of a world, whose bounds overlap
    long touching; // those with contact points; not known of TACT_COLLIDE_BROAD: 0
    long contacts; // points
} TactCollideFound;

typedef struct TactCollidePeer {
    const char *name;
    const char *version; // of the library it is compiled against
    const char *timed;   // what its times are of

    void *(*create)(const TactCollideCase *bodies); // NULL: it cannot take the shape
    void (*destroy)(void *engine);
    /// Seconds of one pass over all frames, HUGE_VAL if it has no such part.
    double (*time)(void *engine, TactCollidePart part, TactCollideFound *found);
} TactCollidePeer;

/// A scene to be stepped. Lent for the life of an engine.
typedef struct TactSimCase {
    const TactModel *model;
    const char      *path;   // the file it was read from
    const char      *flat;   // the same model in plain words: bodies, joints, geoms, motors
    double           step;   // h, s
    const double    *q;      // at the start                                            (nq)
    const double    *v;      // at the start; NULL: at rest                              (nv)
    const TactTwist *twists; // the same of bodies, world frame; linear: of the centre of mass;
                             //   NULL: at rest                                       (bodies)
    bool sleeps;             // bodies that rest are left out where the engine can do that
    bool hard;               // contacts as hard and solves as thorough as the engine can sensibly
                             //   be set; false: as it comes
    const TactTransform *poses; // at the start, world frame                              (bodies)
    const double        *ctrl; // of actuators                                           (actuators)
    /// Coefficient between two geoms; negative: they never touch.
    double (*friction)(const TactModel *model, int a, int b);
} TactSimCase;

typedef struct TactSimPeer {
    const char *name;
    const char *version; // of the library it is compiled against
    const char *timed;   // what a step is

    void *(*create)(const TactSimCase *scene); // NULL, with a word on stderr: cannot take it
    void (*destroy)(void *engine);
    bool (*step)(void *engine);                            // false: it has given up
    void (*get_poses)(void *engine, TactTransform *poses); // of all bodies, world frame (bodies)
    int (*count_contacts)(void *engine);                   // points of the last step
    /// The state, by the one or the other; both NULL: it cannot start with a velocity.
    /// Coordinates in tact's order, for engines that have them.                       (nq) (nv)
    void (*get_coordinates)(void *engine, double *q, double *v);
    /// World frame; linear: velocity of the centre of mass.                    (bodies) (bodies)
    void (*get_motion)(void *engine, TactTransform *poses, TactTwist *twists);
    const char *hard; // how it is set where TactSimCase.hard; NULL: it is not asked there
} TactSimPeer;

/// Each list ends with an entry whose name is NULL.
typedef struct TactPeers {
    const TactPeer         *lcp;
    const TactFrictionPeer *friction;
    const TactDynamicsPeer *dynamics;
    const TactCollidePeer  *collide;
    const TactSimPeer      *sim;
} TactPeers;

/// The module's only symbol. Its number changes with what stands above, so that a module of an
/// older build is refused and not called.
typedef TactPeers TactPeersFunction(void);
#define TACT_PEERS_SYMBOL "tact_peers_4"

TACT_API TactPeers tact_peers_4(void);

/// Loads the module; path NULL: beside the program. False, with a word on stderr, if it is not
/// there.
bool tact_bench_load_peers(const char *path, TactPeers *peers);
/// Is the module beside the program there?
bool tact_bench_has_peers(void);

#ifdef __cplusplus
}
#endif
#endif
