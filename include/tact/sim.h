// Simulation: a model, its state, and steps of time.
//
// One step of length h, on the level of velocities:
//
//     (M + h D) (v+ - v) = h (tau - bias) + J' p,      q+ = q moved by h v+
//
// with D implicit springs, dampers and actuators on joints, or with all smooth forces over the step
// by Runge-Kutta of order 4; contacts, loops, couplings, limits and dry friction of the joints in
// one contact problem for every island of bodies that touch, solved and certified by contact.h.
// What is left of loop errors and of penetration is taken out of the positions alone, so that it
// adds no energy.
//
// A contact between a and b has its normal from a to b; forces are those on b, minus them act on a.
#ifndef TACT_SIM_H
#define TACT_SIM_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/contact.h>
#include <tact/dynamics.h>
#include <tact/math.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TactSimConfig {
    double            timestep;   // h, s
    TactIntegrator    integrator; // of the motion between contacts
    TactContactMethod method;     //
    TactContactCone   cone;       // circle unless asked otherwise
    double            tol;        // largest certified error called solved
    int               directions; // of pyramids; 0: 8
    double            slop;       // penetration that is left alone, m
    double            correction; // share of what exceeds it that is taken out in a step, 0 .. 1
    double            loop_tol;   // loop errors are taken out down to this, m or rad (Euler)
    uint32_t          cookie;     // set by tact_sim_config_default(); do not write
} TactSimConfig;

/// With the model's integrator and step.
TACT_API TactSimConfig tact_sim_config_default(const TactModel *model);

typedef struct TactSim TactSim;

/// Starts at the model's reference, at rest. The model must outlive it.
TACT_API TactStatus tact_sim_create(const TactModel *model, const TactSimConfig *config,
                                    TactSim **sim);
TACT_API void       tact_sim_destroy(TactSim *sim);

/// What may be written between steps; lent for the life of the simulation.
typedef struct TactSimState {
    double     *q;        //                                                          (nq)
    double     *v;        //                                                          (nv)
    double     *ctrl;     // of actuators                                             (actuators)
    double     *applied;  // generalized forces, N or N m                             (nv)
    TactWrench *external; // on bodies: world frame, about their centres of mass      (bodies)
    double      time;     // s
} TactSimState;

TACT_API TactSimState *tact_sim_view_state(TactSim *sim);

/// The state of a keyframe, or the reference if keyframe is -1; forgets the last step.
TACT_API TactStatus tact_sim_reset(TactSim *sim, int keyframe);

/// A contact of the last step.
typedef struct TactSimContact {
    int              geom[2];       // a, b
    int              body[2];       //
    uint64_t         id;            // the same from step to step while the features are
    TactVec3         point;         // between the two surfaces, world frame
    TactVec3         normal;        // from a to b
    TactVec3         tangent[2];    //
    double           depth;         // > 0: overlap, < 0: gap, m, at the start of the step
    double           mu;            //
    double           force[3];      // on b along normal and tangents, N
    double           velocity[3];   // of b against a after the step, m/s
    TactContactState state;         //
    double           friction_used; // |f_t| / (mu f_n)
} TactSimContact;

TACT_API const TactSimContact *tact_sim_view_contacts(const TactSim *sim, int *count);

/// How many islands a rung of the ladder, or the method itself, answered last.
typedef struct TactSimRung {
    const char *name;
    int         count;
} TactSimRung;

typedef struct TactSimReport {
    int         contacts;       // points of the step
    int         rows;           // loops, limits, dry friction
    int         islands;        // contact problems solved
    int         certified;      // of these
    double      error;          // worst certified error
    double      penetration;    // deepest contact at the start of the step, m
    double      loop_error;     // worst loop or coupling after the step, m or rad
    int         redundant_rows; // bilateral rows that others imply
    int         pivots;         //
    double      solve_time;     // s, of contact problems
    uint64_t    hash;           // of q and v after the step
    int         rung_count;
    TactSimRung rungs[TACT_CONTACT_MAX_RUNGS]; //
} TactSimReport;

/// One step. TACT_BAD_INPUT with the joint's or actuator's name if the state or control is not
/// finite. A problem that cannot be certified is told in the report: the step goes on with the
/// answer of smallest error.
TACT_API TactStatus tact_sim_step(TactSim *sim, TactSimReport *report);

#ifdef __cplusplus
}
#endif
#endif
