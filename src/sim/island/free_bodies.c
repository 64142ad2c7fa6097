// Islands of free rigid bodies: the form of contact.h that takes them one by one, so that no matrix
// grows with their number.
//
// The state has the velocity of the body frame's origin and the angular velocity in that frame;
// contact.h wants the velocity of the centre of mass and the angular velocity in the world. The
// free motion of the step is handed over as the force and torque that make it.
#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "sim/sim.h"

/// Link of a tree that is one free body, with nothing on the diagonal of its mass; 0: it is not.
static int free_link(const TactSim *sim, int tree)
{
    const TactDynamics *d = sim->dynamics;
    int                 first = sim->islands.first_dof[tree];
    int                 link = d->link_of[sim->model->dofs[first].body];
    const TactLink     *l = &d->links[link];
    if (l->joint_count != 1 || sim->model->joints[l->first_joint].type != TACT_JOINT_FREE ||
        sim->islands.first_dof[tree + 1] - first != 6 || d->tendon_inertia ||
        tact_sim_has_fluid(sim)) { // whose drag stands in M
        return 0;
    }
    if (sim->drag.on && sim->drag.mass > 0 && d->link_of[sim->drag.asked.body] == link) {
        return 0;
    }
    bool implicit = sim->config.integrator == TACT_INTEGRATOR_EULER;
    for (int i = first; i < first + 6; i++) {
        if (sim->model->dofs[i].armature != 0 || (implicit && sim->free.added[i] != 0)) {
            return 0;
        }
    }
    return link;
}

bool tact_sim_island_is_free(const TactSim *sim, const TactSimIsland *island)
{
    if (island->row_count > 0) {
        return false;
    }
    for (int k = 0; k < island->tree_count; k++) {
        if (free_link(sim, sim->islands.trees[island->first_tree + k]) == 0) {
            return false;
        }
    }
    return true;
}

/// Motion of the centre of mass, world axes, for generalized velocities of a free joint.
static TactTwist to_world(const TactDynamics *d, int link, const double *v)
{
    int       first = d->links[link].first_dof;
    TactTwist motion = {tact_vec3_at(v), {0, 0, 0}};
    for (int k = 3; k < 6; k++) {
        motion = tact_twist_add_scaled(motion, v[k], d->axis[first + k]);
    }
    return motion;
}

static void from_world(const TactDynamics *d, int link, TactTwist motion, double *v)
{
    TactTransform pose = d->pose[d->links[link].body];
    TactVec3      back = tact_vec3_subtract(pose.position, d->com[link]);
    tact_vec3_put(tact_twist_shift(motion, back).linear, v);
    tact_vec3_put(tact_quat_rotate_back(pose.rotation, motion.angular), v + 3);
}

void tact_sim_fill_bodies(const TactSim *sim, const TactSimIsland *island, TactSolveKind kind,
                          TactProblemArrays *arrays)
{
    const TactDynamics *d = sim->dynamics;
    for (int k = 0; k < island->tree_count; k++) {
        int              tree = sim->islands.trees[island->first_tree + k];
        int              first = sim->islands.first_dof[tree], link = free_link(sim, tree);
        double           mass = d->links[link].inertia.mass;
        TactSym3         I = d->rotary[link];
        TactContactBody *body = &arrays->bodies[k];
        *body = (TactContactBody){.mass = mass, .inertia = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}};
        tact_vec3_put(d->com[link], body->position);
        sim->islands.body_place[tree] = k;
        if (kind == TACT_SOLVE_MOTION) {
            TactTwist before = to_world(d, link, sim->last.v + first);
            TactTwist after = to_world(d, link, sim->free.v + first);
            TactVec3  push = tact_vec3_subtract(after.linear, before.linear);
            TactVec3  spin = tact_vec3_subtract(after.angular, before.angular);
            // the solver takes -w x I w off: it is in the free motion already
            TactVec3 torque = tact_vec3_add_scaled(
                tact_vec3_cross(before.angular, tact_sym3_apply(I, before.angular)), 1 / sim->h,
                tact_sym3_apply(I, spin));
            tact_vec3_put(before.linear, body->velocity);
            tact_vec3_put(before.angular, body->omega);
            tact_vec3_put(tact_vec3_scale(mass / sim->h, push), body->force);
            tact_vec3_put(torque, body->torque);
        }
    }
}

void tact_sim_read_bodies(const TactSim *sim, const TactProblemArrays *arrays,
                          const TactSimIsland *island, double *v)
{
    for (int k = 0; k < island->tree_count; k++) {
        int           tree = sim->islands.trees[island->first_tree + k];
        const double *answer = arrays->velocity + 6 * (size_t)k;
        TactTwist     motion = {tact_vec3_at(answer), tact_vec3_at(answer + 3)};
        from_world(sim->dynamics, free_link(sim, tree), motion, v + sim->islands.first_dof[tree]);
    }
}

void tact_sim_write_bodies(const TactSim *sim, const TactSimIsland *island, const double *v,
                           double *velocity)
{
    for (int k = 0; k < island->tree_count; k++) {
        int       tree = sim->islands.trees[island->first_tree + k];
        int       link = free_link(sim, tree);
        TactTwist motion = to_world(sim->dynamics, link, v + sim->islands.first_dof[tree]);
        tact_vec3_put(motion.linear, velocity + 6 * (size_t)k);
        tact_vec3_put(motion.angular, velocity + 6 * (size_t)k + 3);
    }
}
