// The judge inside: two workspaces of dynamics, one at the beginning of the step and one at its
// end, and a file for every law.
#ifndef TACT_VERIFY_VERIFIER_H
#define TACT_VERIFY_VERIFIER_H

#include <tact/collide.h>
#include <tact/dynamics.h>
#include <tact/verify.h>

#include "base/memory.h"
#include "verify/shapes.h"

/// A child of the world with everything that it carries.
typedef struct TactVerifyTree {
    int      root; // body
    int      link; // of dynamics, that of the root's joints
    int      first_dof, end_dof;
    bool     flies;     // one free body without armature that no loop ties
    int      q;         // first coordinate of its free joint
    TactMat3 I_inverse; // of it, body axes
    double   stiffness; // |I_inverse|
} TactVerifyTree;

/// Motion of a free body, about its centre of mass. World axes, but for w.
typedef struct TactFreeMotion {
    TactQuat R, R_after;
    TactVec3 com, com_after;
    TactVec3 v, v_after; // of the centre of mass
    TactVec3 L, L_after; // angular momentum
    TactVec3 w, w_after; // body axes
    TactVec3 w_start;    // after the impulses: R I w_start = R' I w', body axes
} TactFreeMotion;

/// Energies of a tree, J.
typedef struct TactTreeEnergy {
    double kinetic, kinetic_after;
    double gravity, gravity_after; // potential
    double stored, stored_after;   // springs, and weight that is compensated
    double size;                   // of the terms of the potentials, with what rounds them
    double lost;                   // (v_start - v)' M (v_start - v) / 2
    double free;                   // kinetic, after the step without contacts
    bool   bounces;                // in its group something bounces
    double start;                  // kinetic, at the beginning with the velocity after the step
    double middle;                 // kinetic and gravity, with it in the middle of its path
    double middle_stored;          //
    double end, end_gravity;       // at the end of its path, before corrections
    double end_stored;             //
    double change, bound;          //
    double path, play;             // error of the integrator, and the energy in play
} TactTreeEnergy;

typedef struct TactPairDepth {
    int    a, b;  // shapes, a < b
    double depth; // of the deepest point, m; < 0: gap
} TactPairDepth;

/// In the order of (a, b).
typedef struct TactPairList {
    int            count, capacity;
    TactPairDepth *pairs;
} TactPairList;

struct TactVerifier {
    const TactModel *model;
    TactVerifyConfig config;
    TactArena        arena;
    TactDynamics    *before, *after;

    int             tree_count;
    TactVerifyTree *trees;        //                                                   (trees)
    int            *tree_of_body; // -1: it does not move                              (bodies)
    bool            mechanisms;   // is there a tree that is not a free body?
    bool           *asleep;       //                                                   (trees)
    int            *group;        // trees that exchange energy: union-find            (trees)
    TactFreeMotion *motion;       // of free bodies                                    (trees)
    TactTreeEnergy *energy;       //                                                   (trees)

    double *contact;    // J'f of contacts                                           (nv)
    double *term_size;  // sum of the sizes of the terms of forces and contacts      (nv)
    double *v_start;    // velocity after all impulses, at q                         (nv)
    double *bias;       // at q with v_products                                      (nv)
    double *bias_after; // at q with v_after                                         (nv)
    double *equation;   // M acceleration + bias                                     (nv)
    double *carried;    // M v' / h + bias: the difference to M v / h is rounded (nv)
    double *work;       //                                                           (nv)
    double *q_work;     //                                                           (nq)

    TactModelShapes shapes;
    TactWorld      *world;
    TactTransform  *poses; // of shapes                                                (geoms)
    double         *reach; //                                                          (geoms)
    TactPairList    touch_before, touch_after;
    bool            touched;   // is touch_after that of q_touched?
    double         *q_touched; //                                                      (nq)
};

/// Takes a residual into the finding, and keeps the worst. For joints and bodies b is -1.
void tact_finding_take(TactStepFinding *finding, TactStepCheck check, double residual, double bound,
                       TactObject type, int a, int b);

/// Motion of free bodies, velocity after impulses, generalized contact forces (motion.c). Needs
/// the positions of both workspaces.
void tact_verify_find_motion(TactVerifier *v, const TactStep *step);

TactStatus tact_verify_momentum(TactVerifier *v, const TactStep *step, TactStepFinding *finding);
void       tact_verify_position(TactVerifier *v, const TactStep *step, TactStepFinding *finding);
TactStatus tact_verify_contact(TactVerifier *v, const TactStep *step, TactStepFinding *finding);
TactStatus tact_verify_energy(TactVerifier *v, const TactStep *step, TactStepFinding *finding);

/// Energies in the middle of the path of mechanisms, and at its end where positions were corrected;
/// moves the workspace `after` (energies.c).
TactStatus tact_verify_find_path(TactVerifier *v, const TactStep *step);

/// Adds the kinetic energy of every tree, armature included, to the number at this place in its
/// TactTreeEnergy.
void tact_verify_add_kinetic(TactVerifier *v, const TactDynamics *d, size_t place);
/// The same with potentials: of gravity, and of springs and carried weight.
void tact_verify_add_potential(TactVerifier *v, const TactDynamics *d, size_t gravity,
                               size_t stored);
/// A body on the way of a tendon that moves; 0: none does.
int tact_verify_way_body(const TactVerifier *v, const TactModel *model, const TactTendon *tendon);

/// World of the shapes, once (contact.c).
TactStatus tact_verify_contact_create(TactVerifier *v);

/// Share of terms that may cancel, and leave rounding. Bounds are relative to their sum: large
/// forces that cancel are no excuse for a miss.
static const double TACT_VERIFY_ROUNDING = 1e-14;

static inline TactVec3 tact_verify_gravity(const TactModel *model)
{
    return model->options.gravity_off ? (TactVec3){0, 0, 0} : model->options.gravity;
}

#endif
