// Velocities, and the accelerations that they give by themselves.
//
// Over the joints of a link, in order,
//
//     v = v_parent + sum_i S_i qd_i,        c = sum_i dS_i/dt qd_i                          (1)
//
// where an axis that is fixed in a frame moving with u changes by dS/dt = u x S: u is the velocity
// before a hinge or a slide, and that of the turned frame for the three axes of a ball or of the
// rotation of a free joint. The three translations of a free joint stay along the world's axes.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/status.h"
#include "dynamics/workspace.h"

static TactStatus check_velocity(const TactModel *model, const double *v)
{
    for (int i = 0; i < model->nv; i++) {
        if (!isfinite(v[i])) {
            char label[64];
            return tact_fail(
                TACT_BAD_INPUT, "velocity: %s: v[%d] is %g",
                tact_model_label(model, TACT_OBJECT_JOINT, model->dofs[i].joint, label), i, v[i]);
        }
    }
    return TACT_OK;
}

/// One joint of (1).
__attribute__((always_inline)) static inline void add_joint_velocity(const TactDynamics *d,
                                                                     const TactJoint    *joint,
                                                                     TactTwist          *velocity,
                                                                     TactTwist          *product)
{
    const TactTwist *S = d->axis + joint->dof;
    const double    *qd = d->v + joint->dof;
    TactTwist        before = *velocity;
    TactTwist        motion = {{0, 0, 0}, {0, 0, 0}};

    switch (joint->type) {
    case TACT_JOINT_HINGE:
    case TACT_JOINT_SLIDE: motion = tact_twist_scale(qd[0], S[0]); break;
    case TACT_JOINT_BALL:
        for (int k = 0; k < 3; k++) {
            motion = tact_twist_add_scaled(motion, qd[k], S[k]);
        }
        break;
    case TACT_JOINT_FREE:
        before.linear = tact_vec3_add(before.linear, (TactVec3){qd[0], qd[1], qd[2]});
        for (int k = 3; k < 6; k++) {
            motion = tact_twist_add_scaled(motion, qd[k], S[k]);
        }
        break;
    }
    // u x S qd with u = before + S qd, of which S qd itself adds nothing
    *product = tact_twist_add(*product, tact_twist_times(before, motion));
    *velocity = tact_twist_add(before, motion);
}

/// (1) of all links, from the root.
TACT_CLONES static void move_links(TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        TactTwist       velocity = tact_twist_shift(d->velocity[link->parent], d->arm[l]);
        TactTwist       product = {{0, 0, 0}, {0, 0, 0}};
        for (int j = 0; j < link->joint_count; j++) {
            add_joint_velocity(d, &d->model->joints[link->first_joint + j], &velocity, &product);
        }
        d->velocity[l] = velocity;
        d->product[l] = product;
    }
}

TactStatus tact_dynamics_set_velocity(TactDynamics *d, const double *v)
{
    const TactModel *model = d->model;
    if (d->moved == d->placed && memcmp(d->v, v, (size_t)model->nv * sizeof *v) == 0) {
        return TACT_OK; // it has that already
    }
    TACT_TRY(check_velocity(model, v));
    memmove(d->v, v, (size_t)model->nv * sizeof *v);
    d->moved = d->placed;
    move_links(d);
    return TACT_OK;
}

void tact_dynamics_swap_velocity(TactDynamics *d)
{
    double    *v = d->v;
    TactTwist *velocity = d->velocity, *product = d->product;
    uint64_t   moved = d->moved;
    d->moved = d->aside->moved;
    d->aside->moved = moved;
    d->v = d->aside->v;
    d->velocity = d->aside->velocity;
    d->product = d->aside->product;
    d->aside->v = v;
    d->aside->velocity = velocity;
    d->aside->product = product;
}

TactTwist tact_dynamics_compute_velocity(const TactDynamics *d, int body, TactVec3 point)
{
    int link = d->link_of[body];
    return tact_twist_shift(d->velocity[link], tact_vec3_subtract(point, d->com[link]));
}

TactWrench tact_dynamics_compute_momentum(const TactDynamics *d, TactVec3 point)
{
    TactWrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int l = 1; l < d->link_count; l++) {
        TactWrench momentum = {
            tact_vec3_scale(d->links[l].inertia.mass, d->velocity[l].linear),
            tact_sym3_apply(d->rotary[l], d->velocity[l].angular),
        };
        sum =
            tact_wrench_add(sum, tact_wrench_shift(momentum, tact_vec3_subtract(d->com[l], point)));
    }
    return sum;
}

double tact_dynamics_compute_kinetic_energy(const TactDynamics *d)
{
    double twice = 0;
    for (int l = 1; l < d->link_count; l++) {
        TactTwist v = d->velocity[l];
        twice += d->links[l].inertia.mass * tact_vec3_dot(v.linear, v.linear) +
                 tact_vec3_dot(v.angular, tact_sym3_apply(d->rotary[l], v.angular));
    }
    for (int i = 0; i < d->model->nv; i++) {
        twice += d->model->dofs[i].armature * d->v[i] * d->v[i];
    }
    return 0.5 * twice + (d->tendon_inertia ? tact_dynamics_tendon_kinetic(d, 0, d->model->nv) : 0);
}
