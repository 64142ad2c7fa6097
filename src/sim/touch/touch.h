// Room "touch": the contacts of a step. Shapes of the geoms and where they touch; the set of
// contacts completed until it is that of the whole step; which of them bounce.
#ifndef TACT_SIM_TOUCH_TOUCH_H
#define TACT_SIM_TOUCH_TOUCH_H

#include <tact/collide.h>
#include <tact/sim.h>

#include "base/memory.h"
#include "collide/sweep.h"
#include "verify/shapes.h"

typedef struct TactSimIsland     TactSimIsland;
typedef struct TactSimSolved     TactSimSolved;
typedef struct TactProblemArrays TactProblemArrays;

/// Touches of the shapes at the poses that were asked about last.
typedef struct TactSimCollided {
    bool             known;
    bool             same;  // poses and reach that were placed last are these
    TactTransform   *pose;  //                                                          (geoms)
    double          *reach; //                                                          (geoms)
    bool            *rests; //                                                          (geoms)
    TactWorldTouches found; // lent by the world

    // The state of these poses: of the same one they are not computed again.
    uint64_t placed; // the position of the workspace
    double   h;
    TactVec3 gravity;
    double  *v; //                                                                      (nv)
} TactSimCollided;

/// Shapes of the geoms that may touch (contacts.c).
typedef struct TactSimShapes {
    TactWorld      *world;
    TactModelShapes made;            // which geom is which shape
    TactVec3       *middle;          // in its frame                                    (geoms)
    double         *radius;          // around it                                       (geoms)
    TactTransform  *pose;            // at the beginning of the step                    (geoms)
    double         *reach;           // how far it may come in the step                 (geoms)
    TactTransform  *end_pose;        // at its end                                      (geoms)
    double         *end_reach;       // from there on                                   (geoms)
    TactTransform  *query_body_pose; // at the present state, for questions             (bodies)
    TactTransform  *query_pose;      // of shapes                                       (geoms)
    TactSimCollided collided;
    bool            surfaces_move; // one of them does, in its body
    bool            only_slide;    // contacts do not resist spinning and rolling
    double          ticks;         // spent on finding contacts in this step (base/ticks.h)
} TactSimShapes;

/// Two geoms that have contacts in the step, or should have.
typedef struct TactHeldPair {
    int    geom[2];
    double depth;        // of the deepest contact at the beginning; -INFINITY: there was none
    int    first, count; // contacts
    int    start_first, start_count; // those that the step began with
    int    end_first, end_count;     // touches where it ends
    bool   wrong;                    // these are not what they should be
    bool   passed;                   // they touch on the way, and need not at the end
    bool   hopeless;                 // and nothing but a shorter step can help
    bool   lifts;                    // they may push apart without making energy
    double time; // of the step at which it touches: where its contacts are linearised
} TactHeldPair;

/// The contact set while it is completed (complete.c).
typedef struct TactSimComplete {
    int             count, capacity;
    TactHeldPair   *pairs; // in the order of their geoms                               (capacity)
    int             contact_count, contact_capacity;
    TactSimContact *contacts; // of the next round                            (contact_capacity)
    int             start_capacity;
    bool            has_start;  // is `start` that of this step?
    TactSimContact *start;      // that the step began with, once a pair is wrong (start_capacity)
    bool            drafts;     // answers need not hold yet: rounds follow,
    bool            resumes;    //   or those that do not are gone on with
    bool            relaxed;    // the end of the step is not where its touches were found
    bool           *tree_wrong; // has a pair that is                                    (trees)
    double         *v_before;   // about which pairs were linearised                     (nv)
    TactSimSolved  *solved;     // of the islands before, by their first tree            (trees)
    TactTouchList   ahead;      // of a fast pair, where it will touch
} TactSimComplete;

typedef struct TactSimBounce {
    double *restitution; // of geoms                                                    (geoms)
    bool    any;         // is one of them not 0?
} TactSimBounce;

void tact_sim_shapes_layout(TactSimShapes *shapes, const TactModel *model, TactArena *arena);
/// The shape of a geom that is not a visual mesh (contacts.c).
TactShape tact_sim_make_shape(const TactSim *sim, const TactGeom *geom);
/// The way of a shape in the step ahead, at its present velocity and with what gravity adds to it.
TactSweep tact_sim_find_way(const TactSim *sim, int shape, const TactShape *its);
/// Shapes of the geoms, once; and where they touch now (contacts.c).
TactStatus tact_sim_contacts_create(TactSim *sim);
void       tact_sim_contacts_destroy(TactSim *sim);
TactStatus tact_sim_find_contacts(TactSim *sim, TactSimReport *report);
/// Poses of the shapes at the state in the workspace, and how far they may come in a step. (geoms)
void tact_sim_place_shapes(TactSim *sim, TactTransform *pose, double *reach);
/// All touches there; the same question again costs nothing.
TactStatus tact_sim_collide(TactSim *sim, const TactTransform *pose, const double *reach,
                            TactWorldTouches *found);
/// A contact of two geoms; the number that it has in every step; room for more.
void       tact_sim_make_contact(const TactSim *sim, int geom_a, int geom_b, const TactTouch *touch,
                                 TactSimContact *contact);
uint64_t   tact_sim_contact_id(int geom_a, int geom_b, uint64_t feature);
TactStatus tact_sim_reserve_contacts(TactSimContact **contacts, int *capacity, int count,
                                     int needed);

/// The contact set completed after the first solve (complete.c): begin and add note which pairs
/// there are, add those of the contacts from `first` on; then the step is solved until all that
/// touches at its end is a contact and all that pushes touches. resolved: false if that did not
/// end. The workspace is left at the end of the step if it did, and else at its beginning.
void tact_sim_complete_layout(TactSimComplete *complete, const TactModel *model, TactArena *arena);
void tact_sim_complete_destroy(TactSimComplete *complete);
void tact_sim_complete_begin(TactSim *sim);
TactStatus tact_sim_complete_add(TactSim *sim, int first);
TactStatus tact_sim_complete(TactSim *sim, bool *resolved);
/// Marks the pairs that are not right where the step ends, and puts those in that have no contacts
/// yet. wrong: how many there are; hopeless: how many of them nothing but a shorter step can help.
/// Rounds after the first TACT_SIM_RELAXED settle for less and less (judge_pairs.c).
enum { TACT_SIM_RELAXED = 3 };
TactStatus tact_sim_judge_pairs(TactSim *sim, const TactWorldTouches *found, int round, int *wrong,
                                int *hopeless);
/// Does a shape belong to what cannot move?
bool tact_sim_is_fixed(const TactSim *sim, int shape);
/// Overlap at the end of a step that is left alone, and gap at which a contact may push, m.
double tact_sim_overlap_left(const TactSim *sim);
/// The deepest that steps make themselves, m.
double tact_sim_overlap_made(const TactSim *sim);
double tact_sim_gap_left(const TactSim *sim);

/// Contacts that stick, looked for where the workspace is, if the model has actuators that need
/// them; the force of one of these on a body, as a row added to J (adhesion.c).
TactStatus tact_sim_find_adhesion(TactSim *sim);
void       tact_sim_add_adhesion(const TactSim *sim, int body, double force, double *J);

/// Two shapes on their paths from the beginning of the step to its end (linearise.c).
typedef struct TactPaths {
    TactShape shapes[2];
    TactSweep ways[2];
} TactPaths;

void tact_sim_find_paths(const TactSim *sim, const int shape[2], TactPaths *paths);
/// Contacts of a pair, where it touches, to the end of the list of the next round.
TactStatus tact_sim_linearise(TactSim *sim, TactHeldPair *pair);

/// Which contacts are hit in the step, and how fast they come apart by Newton's law (impact.c).
void tact_sim_choose_bounces(TactSim *sim);
/// Gap, bounce and compliance of a contact.
void tact_sim_set_contact_law(const TactSim *sim, const TactSimContact *c, TactContact *contact);

/// The widest gap, over the length of the step, that counts as closed in this island: in a heap one
/// that is smaller than positions are known; else 0.
double tact_sim_closed_gap(const TactSim *sim, const TactSimIsland *island);
/// Is a contact of the island hit?
bool tact_sim_island_bounces(const TactSim *sim, const TactSimIsland *island);
/// What contacts of such an island are asked for by sequential impacts (impact_sequence.c).
void tact_sim_sequence_impacts(TactSim *sim, TactProblemArrays *arrays,
                               const TactSimIsland *island);
/// Velocity of a body's point along an axis with velocities v.
double tact_sim_point_rate(const TactSim *sim, int body, TactVec3 point, TactVec3 axis,
                           const double *v);
/// How fast a contact opens along an axis with velocities v.
double tact_sim_contact_rate(const TactSim *sim, const TactSimContact *c, TactVec3 axis,
                             const double *v);

#endif
