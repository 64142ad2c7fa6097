// Dynamics of mechanisms: kinematics, Jacobians, mass matrix, inverse and forward dynamics.
//
// A TactDynamics is the workspace of one model for one state at a time. Positions are set first,
// then velocities; results are computed from them:
//
//     tact_dynamics_set_position(dynamics, q);      poses, axes
//     tact_dynamics_set_velocity(dynamics, v);      velocities, velocity products
//     tact_dynamics_compute_mass(dynamics);         M, and its factor L'DL
//
// M(q) dv/dt + bias(q, v) = tau + J' f, with bias the Coriolis, centrifugal and gravity forces.
// Create allocates; nothing else does. q, v and generalized forces are laid out as in model.h.
#ifndef TACT_DYNAMICS_H
#define TACT_DYNAMICS_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/math.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TactDynamics TactDynamics;

/// The model must outlive the workspace.
TACT_API TACT_NODISCARD TactStatus tact_dynamics_create(const TactModel *model,
                                                        TactDynamics   **dynamics);
TACT_API void                      tact_dynamics_destroy(TactDynamics *dynamics);

// ---------------------------------------------------------------------------------------------
// Maximal coordinates

/// The same mechanism with six degrees of freedom for every body that moves, and joints as
/// bilateral rows between bodies, which drift (sim.h: zeta). All that joints do stays with them,
/// under their names: they move rotors, bodies without geoms and with a millionth of the mass, to
/// which the bodies are welded. Keyframes, sensors and actuators are those of the model.
/// TACT_UNSUPPORTED, with its name, for a sensor that needs the tree of bodies.
TACT_API TACT_NODISCARD TactStatus tact_model_create_maximal(const TactModel *model,
                                                             TactModel      **maximal);

// ---------------------------------------------------------------------------------------------
// The state

/// Poses of all bodies and axes of all joints. Quaternions in q are normalised on the way; one of
/// length zero, and NaN or infinite numbers, are TACT_BAD_INPUT with the joint's name.       (nq)
TACT_API TACT_NODISCARD TactStatus tact_dynamics_set_position(TactDynamics *dynamics,
                                                              const double *q);

/// Velocities of all bodies, at the position that was set.                                  (nv)
TACT_API TACT_NODISCARD TactStatus tact_dynamics_set_velocity(TactDynamics *dynamics,
                                                              const double *v);

/// next: q moved by v for the time h along the exponential map; may be q.               (nq) (nv)
/// (nq)
TACT_API void tact_dynamics_integrate(const TactModel *model, const double *q, const double *v,
                                      double h, double *next);

/// The inverse: the v that moves q to next in unit time.                             (nq) (nq) (nv)
TACT_API void tact_dynamics_differentiate(const TactModel *model, const double *q,
                                          const double *next, double *v);

/// World poses of all bodies, the world included; lent until the position is set anew. (bodies)
TACT_API const TactTransform *tact_dynamics_view_poses(const TactDynamics *dynamics);

/// World frame: velocity of the body at this point, and its angular velocity.
TACT_API TactTwist tact_dynamics_compute_velocity(const TactDynamics *dynamics, int body,
                                                  TactVec3 point);

/// Rows v_x v_y v_z w_x w_y w_z of the velocity of that point of the body: J v.    (6 x nv)
TACT_API void tact_dynamics_compute_jacobian(const TactDynamics *dynamics, int body, TactVec3 point,
                                             double *J);

/// The same, but only the columns that can be nonzero: one for each dof on the path from the body
/// to the root, root first. Their dofs are written to dofs, their number is returned.
///   J  6 rows, `ld` apart                              dofs  (longest way in the tree)
TACT_API int tact_dynamics_compute_jacobian_sparse(const TactDynamics *dynamics, int body,
                                                   TactVec3 point, double *J, int ld, int *dofs);

/// Centre of mass of a body and all its descendants, world frame.
TACT_API TactVec3 tact_dynamics_compute_com(const TactDynamics *dynamics, int body);

/// Total momentum: linear, and angular about a point; world frame.
TACT_API TactWrench tact_dynamics_compute_momentum(const TactDynamics *dynamics, TactVec3 point);

/// Kinetic energy, armature included, and potential energy of gravity and springs, J.
TACT_API double tact_dynamics_compute_kinetic_energy(const TactDynamics *dynamics);
TACT_API double tact_dynamics_compute_potential_energy(const TactDynamics *dynamics);

// ---------------------------------------------------------------------------------------------
// Inverse and forward dynamics. Needs position and velocity.

/// Forces on bodies: world frame, moment about the centre of mass of the body. NULL: none. (bodies)
/// tau = M acceleration + bias - J' external. acceleration NULL: none.  (nv) (nv)   [RNEA]
TACT_API void tact_dynamics_compute_inverse(TactDynamics *dynamics, const double *acceleration,
                                            const TactWrench *external, double *tau);

/// acceleration = M^-1 (tau - bias + J' external), in time linear in the number of bodies. [ABA]
/// added is added to the diagonal of M, e.g. h times the damping of the joints for implicit
/// damping. tau, external, added NULL: none.                          (nv) (bodies) (nv) (nv)
TACT_API void tact_dynamics_compute_forward(TactDynamics *dynamics, const double *tau,
                                            const TactWrench *external, const double *added,
                                            double *acceleration);

/// Springs, dampers and gravity compensation of the model.                              (nv)
TACT_API void tact_dynamics_compute_passive(TactDynamics *dynamics, double *tau);

// ---------------------------------------------------------------------------------------------
// The mass matrix. Needs the position only.

/// M with armature and with `added` on its diagonal (NULL: nothing), and its factor M = L'DL, both
/// only for pairs of dofs on one path to the root.                                (nv)   [CRBA]
TACT_API void tact_dynamics_compute_mass(TactDynamics *dynamics, const double *added);

/// M as a full matrix.                                                                (nv x nv)
TACT_API void tact_dynamics_get_mass(const TactDynamics *dynamics, double *M);

/// Row i of M up to its diagonal, for the dofs on the path from the root to dof i.
typedef struct TactMassRow {
    int           count; // entries; the last one is the diagonal
    const int    *dofs;  //                                                            (count)
    const double *M;     //                                                            (count)
} TactMassRow;

TACT_API TactMassRow tact_dynamics_view_mass_row(const TactDynamics *dynamics, int dof);

/// x becomes M^-1 x.                                                                  (nv)
TACT_API void tact_dynamics_solve_mass(const TactDynamics *dynamics, double *x);

/// y = M x.                                                                           (nv)
TACT_API void tact_dynamics_multiply_mass(const TactDynamics *dynamics, const double *x, double *y);

// ---------------------------------------------------------------------------------------------
// Divide and conquer: inverse articulated-body inertias [Yamane-Nakamura, 10-16].
//
// Links are assembled pairwise over a balanced binary tree. The result of an assembly is how its
// handles accelerate under forces on them,
//
//     a_i = sum_j Phi_ij f_j + b_i,
//
// which is all that contacts and loops need of the mechanism. Serial work is linear in the number
// of links, depth is logarithmic along chains; results do not depend on the number of threads.

typedef struct TactAssembly TactAssembly;

/// A body, and its point at which forces act and the acceleration is given.
typedef struct TactHandle {
    int      body;
    TactVec3 point; // world frame
} TactHandle;

/// Reads the workspace, which must outlive it. threads: 1 .. 64, including the caller's.
TACT_API TACT_NODISCARD TactStatus tact_assembly_create(const TactDynamics *dynamics, int threads,
                                                        TactAssembly **assembly);
TACT_API void                      tact_assembly_destroy(TactAssembly *assembly);

/// Sets the handles. Allocates if they need more memory than before.                  (count)
TACT_API TACT_NODISCARD TactStatus tact_assembly_set_handles(TactAssembly     *assembly,
                                                             const TactHandle *handles, int count);

typedef struct TactAssemblyInput {
    const double     *tau;        // generalized forces; NULL: none                       (nv)
    const TactWrench *external;   // as in tact_dynamics_compute_forward(); NULL: none (bodies)
    const bool       *prescribed; // dofs whose acceleration is given and whose force is computed;
                                  //   NULL: none                                         (nv)
    const double *acceleration;   // of these                                             (nv)
} TactAssemblyInput;

/// Assembles for the state that is set in the workspace.
TACT_API void tact_assembly_compute(TactAssembly *assembly, const TactAssemblyInput *input);

/// Phi_ij: linear and angular acceleration of handle i for a unit of force and torque on handle j,
/// row-major.                                                                          (6 x 6)
TACT_API void tact_assembly_get_inverse_inertia(const TactAssembly *assembly, int i, int j,
                                                double Phi[36]);

/// b_i: acceleration of the point of handle i, and angular, without forces on handles.
TACT_API TactTwist tact_assembly_get_bias(const TactAssembly *assembly, int i);

/// Disassembles: accelerations of all dofs under these forces on the handles, about their points.
/// force NULL: none. tau, if not NULL, receives the forces of prescribed dofs.
TACT_API void tact_assembly_finish(TactAssembly *assembly, const TactWrench *force,
                                   double *acceleration, double *tau);

/// A contact between two bodies: unit axes normal, tangent 1, tangent 2; velocities are those of b
/// against a, forces those on b.
typedef struct TactAssemblyContact {
    int      a, b;
    TactVec3 point;   // world frame
    TactVec3 axes[3]; //
} TactAssemblyContact;

/// The contact problem by inverse articulated-body inertias [Yamane-Nakamura, 16, 25]: relative
/// accelerations are W f + a_free, in the order normal, tangent 1, tangent 2 a contact. Assembles
/// for the input; handles are replaced by those of the contacts. Work grows with the links and with
/// the square of the contacts. Allocates if there are more contacts than before.
///   W  (3 count x 3 count)    a_free  (3 count)
TACT_API TACT_NODISCARD TactStatus tact_assembly_compute_delassus(
    TactAssembly *assembly, const TactAssemblyInput *input, const TactAssemblyContact *contacts,
    int count, double *W, double *a_free);

/// Accelerations with the loops of the model closed (its active connects and welds): at each loop
/// the relative acceleration is -2 rate v - rate^2 x with its velocity v and its error x, m or rad,
/// by forces computed from the assembly. Handles are replaced by those of the loops. Redundant
/// loops share their forces; the number of redundant rows is written to redundant, if that is not
/// NULL.                                                       (nv)
TACT_API TACT_NODISCARD TactStatus tact_assembly_close_loops(TactAssembly            *assembly,
                                                             const TactAssemblyInput *input,
                                                             double rate, double *acceleration,
                                                             int *redundant);

// ---------------------------------------------------------------------------------------------
// Motion without contacts

/// Generalized forces at the state that is set in the workspace, written to tau (all of it). (nv)
typedef TactStatus TactForceFunction(void *context, TactDynamics *dynamics, double *tau);

typedef struct TactSmooth {
    TactForceFunction *force; // NULL: none
    void              *context;
    const TactWrench  *external;  // as in tact_dynamics_compute_forward(); NULL: none (bodies)
    TactAssembly      *loops;     // of the same workspace: loops stay closed; NULL: open
    double             loop_rate; // rate at which their errors decay, 1/s
} TactSmooth;

/// One step of length h of the motion without contacts: Runge-Kutta of order 4, rotations along the
/// exponential map (Munthe-Kaas). smooth NULL: only the bias acts. Afterwards the workspace is at
/// the last stage, not at the new state.                                             (nq) (nv)
TACT_API TACT_NODISCARD TactStatus tact_dynamics_step_rk4(TactDynamics *dynamics, double h,
                                                          const TactSmooth *smooth, double *q,
                                                          double *v);

#ifdef __cplusplus
}
#endif
#endif
