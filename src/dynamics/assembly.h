// Divide and conquer inside: the plan of assembly, and what every assembly keeps.
#ifndef TACT_DYNAMICS_ASSEMBLY_H
#define TACT_DYNAMICS_ASSEMBLY_H

#include <pthread.h>

#include "dynamics/workspace.h"

/// One step of the plan. Node 0 .. links - 1 are the links themselves (0, the world, is not used);
/// the others join node `upper`, which has the link `attach`, and node `lower` by the joint of link
/// `joint` (in lower) to attach (in upper). upper -1: the joint is to the world.
typedef struct TactAssemblyNode {
    int upper, lower;
    int attach, joint;
    int parent; // node that this one goes into; -1: a whole tree
    int level;  // nodes of one level do not depend on each other
    int top;    // link whose joint leads out of it; -1: none
    int bottom; // link to which others are still to be joined; -1: none

    // Handles that it shows: links that are its top, its bottom, or wanted from outside.
    int         count;        // h
    int        *links;        //                                                       (h)
    int        *source;       // place of handle k in upper, or h_upper + place in lower (h)
    int         attach_place; // of attach in upper
    int         joint_place;  // of joint in lower
    double     *Phi;          // blocks of 6 x 6                                       (h x h)
    TactTwist  *b;            //                                                       (h)
    TactWrench *force;        // on its handles, while disassembling                   (h)

    // The joint. With V = Phi_upper + Phi_lower at it and S its free axes,
    //     K = D^-1 S' V^-1,  D = S' V^-1 S + armature,      W = V^-1 - V^-1 S K,
    // forces F_k on the handles of upper and lower give the joint the force and the acceleration
    //     f = f_0 - W g,   qdd = qdd_0 + K g,               g = sum_k G_k F_k
    double  W[36];
    double  K[36];    // a row for each dof of the joint; zero for prescribed ones
    double  f_0[6];   //
    double  qdd_0[6]; // prescribed ones as given
    double *G;        // blocks of 6 x 6, those of upper negative              (h_upper + h_lower)
} TactAssemblyNode;

struct TactAssembly {
    const TactDynamics *dynamics;
    TactArena           arena;   // the plan
    TactArena           storage; // what depends on handles
    size_t              storage_size;

    int               node_count;
    TactAssemblyNode *nodes;       //                                                  (2 links)
    int              *order;       // joining nodes, level by level                    (links)
    int              *level_start; //                                                  (links + 2)
    int              *plan_work;   //                                                  (3 links)
    int               level_count;

    int         handle_count;
    int         handle_capacity;
    TactHandle *handles; //                                                            (capacity)
    int        *root;    // node of the whole tree that a handle's link is in, -1: the world
    int        *place;   // of the handle's link in it                                 (capacity)
    bool       *wanted;  // is a link a handle                                         (links)

    // Contacts and loops: handles of both sides, and the matrix of their relative accelerations.
    TactArena   pairs;
    int         pair_capacity;
    TactHandle *pair_handles; //                                                  (2 capacity)
    TactWrench *pair_force;   //                                                  (2 capacity)
    double     *pair_W;       //                                        (6 capacity x 6 capacity)
    double     *pair_rhs;     //                                                  (6 capacity)
    double     *pair_work;    //                                                  (6 capacity)

    TactAssemblyInput input;
    double           *acceleration; // being written                                    (nv)
    double           *tau_out;      // NULL: not asked for                              (nv)

    struct TactAssemblyThreads *threads; // NULL: serial
};

/// Joins and levels for all links: leaves are raked into what carries them, and of chains every
/// other joint is closed, until each tree is one node.
void tact_assembly_plan(TactAssembly *assembly);

/// One node: assembling, and disassembling.
void tact_assembly_join(TactAssembly *assembly, TactAssemblyNode *node);
void tact_assembly_part(TactAssembly *assembly, TactAssemblyNode *node);

/// Room for pairs of handles (assembly_pairs.c).
TactStatus tact_assembly_reserve_pairs(TactAssembly *assembly, int count);

/// Relative acceleration of pair i for a unit of force on b and minus it on a of pair j: Phi_bb -
/// Phi_ba - Phi_ab + Phi_aa. Handles 2i and 2i + 1 are a and b of pair i.          (6 x 6)
void tact_assembly_pair_inertia(const TactAssembly *assembly, int i, int j, double Phi[36]);

typedef void TactAssemblyWork(TactAssembly *assembly, TactAssemblyNode *node);

TactStatus tact_assembly_threads_create(TactAssembly *assembly, int threads);
void       tact_assembly_threads_destroy(TactAssembly *assembly);

/// Runs work on all nodes of a level, each by one thread.
void tact_assembly_run_level(TactAssembly *assembly, TactAssemblyWork *work, int level);

#endif
