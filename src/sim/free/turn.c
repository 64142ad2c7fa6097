// Servos for a whole turn. With the rotation R of a ball, or of a site in the frame of another, its
// rate w about the child's own axes and the turn T that the controls ask for,
//
//     t = k_p log(R' T) - k_v w ,    |t| no more than what is allowed,
//
// about the axes of the child. T is exp(u) or a quaternion. On a ball the torque is that of the end
// of the step, with the slopes -k_p and -k_v of small angles; between sites that of its beginning.
#include <math.h>

#include "dynamics/links.h"
#include "sim/sim.h"

static TactQuat find_target(const TactActuator *a, const double u[4])
{
    if (a->inputs < 4) {
        return tact_quat_exp((TactVec3){u[0], u[1], u[2]});
    }
    bool none = u[0] == 0 && u[1] == 0 && u[2] == 0 && u[3] == 0;
    return none ? tact_quat_identity() : tact_quat_normalise((TactQuat){u[0], u[1], u[2], u[3]});
}

/// t, and whether it is as long as it may be.
static TactVec3 find_torque(const TactActuator *a, TactQuat R, TactVec3 rate, const double u[4],
                            bool *limited)
{
    TactVec3 off = tact_quat_log(tact_quat_multiply(tact_quat_conjugate(R), find_target(a, u)));
    TactVec3 torque = tact_vec3_add_scaled(tact_vec3_scale(a->gain[0], off), a->bias[2], rate);
    double   size = tact_vec3_norm(torque);
    *limited = a->force_limited && size > a->force_range[1];
    return *limited ? tact_vec3_scale(a->force_range[1] / size, torque) : torque;
}

/// tau of a torque between two bodies, in the world's axes.
static void turn_bodies(TactSim *sim, int body, int other, TactVec3 torque)
{
    const TactDynamics *d = sim->dynamics;
    for (int k = 0; k < 2; k++) {
        for (int l = d->link_of[k ? other : body]; l > 0; l = d->links[l].parent) {
            const TactLink *link = &d->links[l];
            for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
                sim->last.actuation[i] += (k ? -1 : 1) * tact_vec3_dot(torque, d->axis[i].angular);
            }
        }
    }
}

static TactVec3 turn_ball(TactSim *sim, const TactActuator *a, const double u[4], double h)
{
    const TactJoint *joint = &sim->model->joints[a->target];
    const double    *q = sim->dynamics->q + joint->q, *v = sim->dynamics->v + joint->dof;
    TactQuat         R = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
    bool             limited;
    TactVec3         t = find_torque(a, R, (TactVec3){v[0], v[1], v[2]}, u, &limited);
    double           torque[3] = {t.x, t.y, t.z};
    double           slope = limited ? 0 : h * a->gain[0]; // k_p h: torque at the end of the step
    for (int k = 0; k < 3; k++) {
        sim->last.actuation[joint->dof + k] += torque[k] - slope * v[k];
        sim->last.actuation_added[joint->dof + k] += h * (slope - (limited ? 0 : a->bias[2]));
    }
    return t;
}

static TactVec3 turn_site(TactSim *sim, const TactActuator *a, const double u[4])
{
    const TactDynamics *d = sim->dynamics;
    const TactSite     *site = &sim->model->sites[a->target];
    const TactSite     *from = &sim->model->sites[a->reference];
    TactQuat            own = tact_quat_multiply(d->pose[site->body].rotation, site->pose.rotation);
    TactQuat  other = tact_quat_multiply(d->pose[from->body].rotation, from->pose.rotation);
    TactTwist v = tact_dynamics_compute_velocity(d, site->body, d->pose[site->body].position);
    TactTwist w = tact_dynamics_compute_velocity(d, from->body, d->pose[from->body].position);
    bool      limited;
    TactVec3  rate = tact_quat_rotate_back(own, tact_vec3_subtract(v.angular, w.angular));
    TactQuat  R = tact_quat_multiply(tact_quat_conjugate(other), own);
    TactVec3  t = find_torque(a, R, rate, u, &limited);
    turn_bodies(sim, site->body, from->body, tact_quat_rotate(own, t));
    return t;
}

void tact_sim_turn(TactSim *sim, int index, const double u[4], double h)
{
    const TactActuator *a = &sim->model->actuators[index];
    TactVec3            t =
        a->transmission == TACT_TRANSMISSION_JOINT ? turn_ball(sim, a, u, h) : turn_site(sim, a, u);
    const double torque[4] = {t.x, t.y, t.z, 0};
    for (int k = 0; k < a->inputs; k++) {
        sim->last.actuator_force[index + k] = torque[k];
        sim->last.actuator_rate[index + k] = 0;
        sim->last.actuator_slope[index + k] = 0;
    }
}
