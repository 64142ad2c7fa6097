#include "view/live/hand.h"

#include <math.h>

// A pull is a spring that would swing the pulled mass at this angular frequency (5 Hz), a little
// overdamped. The simulator takes it implicitly; a turn is a torque of the same spring, and softer
// where a step is so long that it would not be stable.
static const double PULL_OMEGA = 31.4;
static const double PULL_DAMPING = 1.2;
static const double TURN_PER_STEP = 0.2;

TactStatus tact_view_hand_apply(const TactViewHand *hand, const TactModel *model, TactSim *sim)
{
    if (!hand->holds || hand->turns) {
        return tact_sim_set_drag(sim, NULL);
    }
    double      mass = model->bodies[hand->body].subtree_mass;
    TactSimDrag drag = {
        .body = hand->body,
        .point = hand->point,
        .target = hand->target,
        .stiffness = mass * PULL_OMEGA * PULL_OMEGA,
        .damping = 2 * PULL_DAMPING * mass * PULL_OMEGA,
    };
    return tact_sim_set_drag(sim, &drag);
}

void tact_view_hand_release(TactViewHand *hand, TactSim *sim)
{
    if (hand->holds) {
        tact_sim_view_state(sim)->external[hand->body] = (TactWrench){0};
    }
    *hand = (TactViewHand){0};
    tact_status_ignore(tact_sim_set_drag(sim, NULL)); // letting go cannot fail
}

/// The moment of a spring from the grip to the target, and of a damper of the grip's own speed.
void tact_view_hand_turn(TactViewHand *hand, const TactModel *model, TactSim *sim, double timestep,
                         TactTransform *poses)
{
    TactSimState *state = tact_sim_view_state(sim);
    if (!hand->holds || !hand->turns) {
        return;
    }
    tact_model_compute_poses(model, state->q, poses);
    const TactBody *body = &model->bodies[hand->body];
    TactTransform   pose = poses[hand->body];
    double          mass = body->subtree_mass;
    double          omega = fmin(PULL_OMEGA, TURN_PER_STEP / timestep);
    TactVec3        grip = tact_transform_point(pose, hand->point);
    TactVec3        centre = tact_transform_point(pose, body->inertia.com);
    TactVec3        moved = tact_vec3_subtract(grip, hand->gripped ? hand->grip : grip);
    TactVec3 force = tact_vec3_scale(mass * omega * omega, tact_vec3_subtract(hand->target, grip));
    force = tact_vec3_add_scaled(force, -2 * PULL_DAMPING * mass * omega / timestep, moved);
    hand->grip = grip;
    hand->gripped = true;
    state->external[hand->body].torque = tact_vec3_cross(tact_vec3_subtract(grip, centre), force);
}
