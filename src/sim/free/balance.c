// The energy balance of fast motion.
//
// A tree that turns by a large part of a radian in a step, say a light body spinning on a heavy one
// after a blow, has velocity products of which the step sees nothing but noise. What that noise
// adds to the kinetic energy would double from step to step until numbers end. So where something
// turns that fast, the islands of the step have to keep the balance
//
//     T(q+, v+)  <=  sigma (T(q, v) + max(0, h (v + v+)' (tau - g(q)) / 2))                   (1)
//
// (contacts and rows take energy, and give none; tau has springs, actuators and what is applied).
// A step that does not is divided (step.c). Where it is divided no further, the motion is damped:
// the part is made again with a free motion that is shorter by the share that (1) asks for, a force
// as any other to the contact problem. Free bodies keep their energy by flight.c.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static const double FAST = 0.1;         // rad or m in a step: (1) may be exceeded by a little
static const double FAST_UNEVEN = 0.01; //   where a link carries much more than it weighs
static const double TOO_FAST = 0.5;     // rad or m in a step: it may not
static const double FLUCTUATION = 1.05; // of an energy that is known at half steps only
static const double LITTLE = 1.02;      //   where a link carries much: it would add up
static const double UNEVEN = 1000;      // what a link carries over its own mass

void tact_sim_watch_layout(TactSimWatch *watch, const TactModel *model, TactArena *arena)
{
    size_t trees = (size_t)model->body_count;
    watch->passive = tact_arena_take(arena, trees, sizeof *watch->passive);
    watch->damping = tact_arena_take(arena, trees, sizeof(double));
    watch->allowed = tact_arena_take(arena, trees, sizeof(double));
    watch->kinetic = tact_arena_take(arena, trees, sizeof(double));
    watch->before = tact_arena_take(arena, trees, sizeof(double));
    watch->after = tact_arena_take(arena, trees, sizeof(double));
    watch->q_lifted = tact_arena_take(arena, (size_t)model->nq, sizeof(double));
}

double tact_sim_fast(const TactModel *model, const TactDynamics *d, double *carried)
{
    for (int i = 0; i < model->body_count; i++) {
        carried[i] = 0;
    }
    double most = 0;
    for (int l = d->link_count - 1; l > 0; l--) { // links after those that carry them
        double own = d->links[l].inertia.mass;
        most = own > 0 ? tact_larger(most, carried[l] / own) : most;
        carried[d->links[l].parent] += carried[l] + own;
    }
    return most > UNEVEN ? FAST_UNEVEN : FAST;
}

/// How far the fastest joint of a tree that does not fly goes in the step; the three translations
/// of a free joint are straight.
static double largest_turn(const TactSim *sim)
{
    double most = 0;
    for (int j = 0; j < sim->model->joint_count; j++) {
        const TactJoint *joint = &sim->model->joints[j];
        if (sim->flight.flies[sim->islands.tree_of_body[joint->body]]) {
            continue;
        }
        int end = j + 1 < sim->model->joint_count ? sim->model->joints[j + 1].dof : sim->model->nv;
        for (int i = joint->dof + (joint->type == TACT_JOINT_FREE ? 3 : 0); i < end; i++) {
            most = tact_larger(most, tact_larger(fabs(sim->last.v[i]), fabs(sim->answer.v[i])));
        }
    }
    return sim->h * most;
}

void tact_sim_add_kinetic(const TactSim *sim, double *energy)
{
    const TactDynamics *d = sim->dynamics;
    for (int l = 1; l < d->link_count; l++) {
        TactTwist v = d->velocity[l];
        double    twice = d->links[l].inertia.mass * tact_vec3_dot(v.linear, v.linear) +
                       tact_vec3_dot(v.angular, tact_sym3_apply(d->rotary[l], v.angular));
        energy[sim->islands.tree_of_body[d->links[l].body]] += 0.5 * twice;
    }
    for (int t = 0; t < sim->islands.tree_count; t++) {
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            energy[t] += 0.5 * sim->model->dofs[i].armature * d->v[i] * d->v[i];
        }
        if (d->tendon_inertia) {
            energy[t] += tact_dynamics_tendon_kinetic(d, sim->islands.first_dof[t],
                                                      sim->islands.first_dof[t + 1]);
        }
    }
}

/// What (1) allows each tree, without sigma.
static TactStatus allow_energies(TactSim *sim, double *energy)
{
    TactDynamics *d = sim->dynamics;
    double       *weight = sim->scratch.a;
    memset(weight, 0, (size_t)sim->model->nv * sizeof *weight);
    TACT_TRY(tact_dynamics_set_position(d, sim->last.q));
    TACT_TRY(tact_dynamics_set_velocity(d, weight));
    tact_dynamics_compute_inverse(d, NULL, sim->last.external, weight);
    TACT_TRY(tact_dynamics_set_velocity(d, sim->last.v));
    memset(energy, 0, (size_t)sim->islands.tree_count * sizeof *energy);
    tact_sim_add_kinetic(sim, energy);
    for (int t = 0; t < sim->islands.tree_count; t++) {
        double work = 0;
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            double middle = 0.5 * (sim->last.v[i] + sim->answer.v[i]);
            work += sim->h * middle * (sim->free.tau[i] - weight[i]);
        }
        energy[t] += tact_larger(0, work);
    }
    return TACT_OK;
}

/// Prescribed motion gives as much energy as it takes.
static bool is_driven(const TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->row_count; k++) {
        const TactRowSource *source = &sim->rows.sources[sim->islands.rows[island->first_row + k]];
        if (source->type == TACT_OBJECT_JOINT && source->part >= 3) {
            return true;
        }
    }
    return false;
}

/// By what the velocities of these trees would have to be multiplied; 1: they keep the balance.
static double share_of(const int *trees, int count, const double *allowed, const double *has,
                       double factor)
{
    double most = 0, sum = 0;
    for (int k = 0; k < count; k++) {
        most += allowed[trees[k]];
        sum += has[trees[k]];
    }
    return sum > factor * most ? sqrt(most / sum) : 1;
}

static void damp(TactSim *sim, const int *trees, int count, double share)
{
    for (int k = 0; k < count; k++) {
        sim->energy.damping[trees[k]] *= share;
    }
}

void tact_sim_damp_free_motion(TactSim *sim)
{
    double *change = sim->scratch.a;
    bool    damped = false;
    for (int t = 0; t < sim->islands.tree_count; t++) {
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            sim->free.v[i] *= sim->energy.damping[t];
            change[i] = sim->free.v[i] - sim->state.v[i];
        }
        damped = damped || sim->energy.damping[t] < 1;
    }
    if (damped) {
        tact_dynamics_multiply_mass(sim->dynamics, change, sim->free.impulse);
    }
}

void tact_sim_clear_damping(TactSim *sim)
{
    for (int t = 0; t < sim->islands.tree_count; t++) {
        sim->energy.damping[t] = 1;
    }
}

TactStatus tact_sim_check_balance(TactSim *sim, bool *holds)
{
    TactSimIslands *islands = &sim->islands;
    double         *allowed = sim->energy.allowed, *has = sim->energy.kinetic;
    double          turn = largest_turn(sim);
    *holds = true;
    if (turn <= sim->energy.fast ||
        sim->config.stiffness > 0) { // contacts that are springs give energy too
        return TACT_OK;
    }
    double factor = turn > TOO_FAST ? 1 : sim->energy.fast < FAST ? LITTLE : FLUCTUATION;
    TACT_TRY(allow_energies(sim, allowed));
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->answer.q_end));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->answer.v_end));
    memset(has, 0, (size_t)islands->tree_count * sizeof *has);
    tact_sim_add_kinetic(sim, has);
    for (int t = 0; t < islands->tree_count; t++) {
        if (islands->island_of[t] < 0 && !sim->flight.flies[t]) {
            double share = share_of(&t, 1, allowed, has, factor);
            damp(sim, &t, 1, share);
            *holds = *holds && share == 1;
        }
    }
    for (int i = 0; i < islands->count; i++) {
        const TactSimIsland *island = &islands->islands[i];
        const int           *trees = islands->trees + island->first_tree;
        if (!is_driven(sim, island)) {
            double share = share_of(trees, island->tree_count, allowed, has, factor);
            damp(sim, trees, island->tree_count, share);
            *holds = *holds && share == 1;
        }
    }
    return TACT_OK;
}
