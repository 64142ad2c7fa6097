// A simulation's dynamics as the layers above read them: links, and where they are and how they
// move at the state that is set. Everything here is read only outside of src/dynamics.
//
// A link is a body that moves together with all bodies fixed to it. Recursions run over links only;
// link 0 is the world with what is fixed to it. Vectors are in world axes; those of a link are at
// its centre of mass (spatial.h). What the algorithms keep for themselves is behind the pointers at
// the end (workspace.h).
#ifndef TACT_DYNAMICS_LINKS_H
#define TACT_DYNAMICS_LINKS_H

#include <tact/dynamics.h>

#include "base/memory.h"
#include "dynamics/spatial.h"
#include "model/bend.h"

typedef struct TactLink {
    int           body;    // the body that has the joints
    int           parent;  // link
    TactTransform fixed;   // of the body in the body of the parent link, joints at their reference
    TactInertia   inertia; // of the body and everything fixed to it, in the body's frame
    int           first_joint;
    int           joint_count;
    int           first_dof;
    int           dof_count;
} TactLink;

struct TactDynamics {
    const TactModel *model;
    TactArena        arena;

    int            link_count;
    TactLink      *links;   //                                                       (links)
    int           *link_of; // link that a body belongs to                           (bodies)
    TactTransform *in_link; // pose of a body in the body of its link                (bodies)

    // set_position
    TactTransform *pose;   // of bodies                                                (bodies)
    TactVec3      *com;    // of links                                                 (links)
    TactVec3      *arm;    // from the centre of mass of the parent link to its own    (links)
    TactSym3      *rotary; // about the centre of mass                                (links)
    TactTwist     *axis;   // S: motion of the link's centre of mass for a unit of v   (nv)
    double        *q;      //                                                          (nq)
    uint64_t       placed; // number of the position, each with its own; 0: none
    bool           whole;  // false: only poses and q are there (tact_dynamics_set_poses)

    // set_velocity
    double    *v;        //                                                           (nv)
    TactTwist *velocity; //                                                           (links)
    TactTwist *product;  // c: acceleration that velocities give over the joints      (links)
    uint64_t   moved;    // `placed` of the position that the velocities are at

    // inverse and forward dynamics
    TactTwist *acceleration; //                                                       (links)

    // tendons
    double *tendon_reference; // lengths with every joint at its reference           (tendons)
    double *tendon_J;         // scratch                                                (nv)
    double *tendon_bias;      // scratch of forward dynamics with inertia of tendons    (nv)
    bool    tendon_inertia;   // has a tendon armature?
    double *tendon_rest;      // between these a spring does nothing              (2 tendons)

    // behind workspace.h
    struct TactPositionAside *before;    // the position before this one
    struct TactVelocityAside *aside;     // velocities put aside
    struct TactMassMatrix    *mass;      // M and its factor
    struct TactRecursion     *recursion; // scratch of the recursions
    struct TactRungeKutta    *rk4;       // stages of step_rk4
};

/// L D L' = M of a dof: L without its unit diagonal, with 1 / D there. From `run` on the dofs of
/// the row (tact_dynamics_view_mass_row) are one after the other.
typedef struct TactFactorRow {
    const double *L;   // (count of the mass row)
    int           run; // position in the row
} TactFactorRow;

/// A row of the factor of M; after compute_mass (mass.c).
TactFactorRow tact_dynamics_view_factor_row(const TactDynamics *dynamics, int dof);

/// From now on of a model that differs in its parameters alone (parameter.h). The state has to be
/// set again (workspace.c).
void tact_dynamics_set_model(TactDynamics *dynamics, const TactModel *model);

/// As tact_dynamics_set_position(), but only for who reads poses, and sets a position before
/// anything else is asked (position.c). (nq)
TactStatus tact_dynamics_set_poses(TactDynamics *dynamics, const double *q);

/// Puts the velocities aside and takes those that were (velocity.c).
void tact_dynamics_swap_velocity(TactDynamics *dynamics);

/// Is there a spring or a damper of any term?
static inline bool tact_joint_has_spring(const TactJoint *joint)
{
    return joint->stiffness != 0 || joint->spring_more[0] != 0 || joint->spring_more[1] != 0 ||
           tact_joint_bends(joint);
}

static inline bool tact_tendon_has_spring(const TactTendon *tendon)
{
    return tendon->stiffness != 0 || tendon->spring_more[0] != 0 || tendon->spring_more[1] != 0;
}

static inline bool tact_tendon_has_damper(const TactTendon *tendon)
{
    return tendon->damping != 0 || tendon->damper_more[0] != 0 || tendon->damper_more[1] != 0;
}

/// Stiffness of a ball that bends about the axes of its dofs, N m/rad: the diagonal of R' K R with
/// the rotation R of the child in its parent (passive.c).
void tact_dynamics_bend_slopes(const TactDynamics *d, int index, double k[3]);

/// Energy of the spring of a joint, and of a tendon, at the position that is set (passive.c), J.
double tact_dynamics_joint_energy(const TactDynamics *d, int index);
double tact_dynamics_tendon_energy(const TactDynamics *d, int index);

/// What the fluid sees of the bodies of a model, before it is added (fluid.c).
void tact_dynamics_find_boxes(TactDynamics *d);
/// Is there a fluid? And does it do anything but drag, on an ellipsoid?
bool tact_dynamics_has_fluid(const TactModel *model);
bool tact_dynamics_has_lift(const TactModel *model);
/// Adds what the fluid around does to all bodies, at the velocity that is set; and of this only
/// what does no work in a fluid at rest.                                            (nv) (nv)
void tact_dynamics_add_fluid(const TactDynamics *d, double *tau);
void tact_dynamics_add_lift(const TactDynamics *d, double *tau);
/// Keeps the coefficients of the drag at the velocity that is set, beside those kept before; and
/// exchanges the two (fluid_drag.c).
void tact_dynamics_find_drag(TactDynamics *d);
void tact_dynamics_swap_drag(TactDynamics *d);
/// As tact_dynamics_compute_mass(), with h C for the drag J'C (J v - W) that is kept.  (nv)
void tact_dynamics_compute_mass_in_fluid(TactDynamics *d, const double *added, double h);
/// tau -= J'C (J x - W) for the velocities x; without wind W = 0.                     (nv) (nv)
void tact_dynamics_push_drag(const TactDynamics *d, const double *x, bool wind, double *tau);
/// tact_dynamics_compute_passive() without the fluid (passive.c).                          (nv)
void tact_dynamics_compute_dry(TactDynamics *d, double *tau);
/// Generalized forces of gravity compensation alone (passive.c).                           (nv)
void tact_dynamics_compute_carried(const TactDynamics *d, double *tau);
/// Adds those of one body.                                                                 (nv)
void tact_dynamics_add_carried_body(const TactDynamics *d, int body, double *tau);
/// Adds the forces of dampers that give energy, those of negative numbers.                  (nv)
void tact_dynamics_add_giving(const TactDynamics *d, double *tau);
/// Does the compensation of a body's weight act on all dofs that move it? Then it has a potential.
bool tact_dynamics_is_carried(const TactDynamics *d, int body);
/// Length of a tendon at the position that is set; J, if not NULL, gets factor times its slope
/// (tendon.c).                                                                            (nv)
double tact_dynamics_tendon_length(const TactDynamics *d, int tendon, double factor, double *J);
/// The same as a rate at the velocity that is set.
double tact_dynamics_tendon_rate(const TactDynamics *d, int tendon);
/// Lengths that are known at references only. Moves the workspace.
TactStatus tact_dynamics_rest_tendons(TactDynamics *d);
/// Has a tendon of the model armature? (tendon_inertia.c)
bool tact_dynamics_has_tendon_inertia(const TactModel *model);
/// Adds the inertia of tendons to M, without its factor.
void tact_dynamics_add_tendon_mass(TactDynamics *d);
/// Adds what it takes to tau, at the accelerations of the links of the last inverse dynamics; those
/// of the dofs may be NULL: none.                                                     (nv) (nv)
void tact_dynamics_add_tendon_force(const TactDynamics *d, const double *acceleration, double *tau);
/// The kinetic energy of tendons in these dofs, which are whole trees, J.
double tact_dynamics_tendon_kinetic(const TactDynamics *d, int first, int end);
/// Is M with it positive at the reference? Moves the workspace.
TactStatus tact_dynamics_check_tendon_inertia(TactDynamics *d);
/// J += factor times the rate of a point of a body along a direction.                      (nv)
void tact_dynamics_add_point(const TactDynamics *d, int body, TactVec3 point, TactVec3 direction,
                             double factor, double *J);

/// M as if a mass stood at a point of a body, and its factor anew; after compute_mass (mass.c).
void tact_dynamics_add_point_mass(TactDynamics *dynamics, int body, TactVec3 point, double mass);

/// I (a) + v x* I v for a link, at its centre of mass: m a_com and the change of its spin.
static inline TactWrench tact_link_inertial_force(const TactDynamics *dynamics, int link,
                                                  TactTwist a)
{
    double     m = dynamics->links[link].inertia.mass;
    TactSym3   I = dynamics->rotary[link];
    TactTwist  v = dynamics->velocity[link];
    TactWrench f = {
        tact_vec3_scale(m, tact_vec3_add(a.linear, tact_vec3_cross(v.angular, v.linear))),
        tact_vec3_add(tact_sym3_apply(I, a.angular),
                      tact_vec3_cross(v.angular, tact_sym3_apply(I, v.angular))),
    };
    return f;
}

#endif
