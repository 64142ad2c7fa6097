// Contacts take energy and give none: the step of a mechanism that meets something, put right.
//
// Velocity products of a mechanism are taken at the mean of the velocities before and after the
// step. Where a contact changes these in a jump, the mean is not that of a smooth motion, and the
// energy of the step is off by first order of h times the angular speeds, upwards as often as
// downwards. So after the contacts of a step are complete, islands with mechanisms that nothing
// drives are looked at once more,
//
//     T(q+, v+) + V(q+)  <=  T(q, v) + V(q) ,                                                 (1)
//
// and where it does not hold, the mechanisms are damped over the step by the force
//
//     h f = -(1 - s) (M + h D) (v+ - v_c) ,    s^2 = 1 - gain / T(v+ - v_c) ,                 (2)
//
// v_c the velocity of the centre of mass of all links together, so that the momentum of the whole
// stays what it is. Where that has little effect, the step is divided (step.c). f is a passive
// force of the step like that of a damper: contacts are solved with it, and the certificate of the
// step sees it. Free bodies need none of this (flight.c).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "model/surface.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 6 };

static const double ROUNDING = 1e-12;   // of the energies that (1) is a difference of
static const double SURELY = 1.05;      // times the gain is taken
static const double LEAST_EFFECT = 0.2; // of damping: with less the step is too long for it

// ---------------------------------------------------------------------------------------------
// Who is passive

/// Has a joint a spring, or a damper that gives energy?
static bool is_sprung(const TactModel *model, int joint)
{
    const TactJoint *j = &model->joints[joint];
    return tact_joint_has_spring(j) || j->damping < 0 || j->damper_more[0] < 0 ||
           j->damper_more[1] < 0;
}

/// The body that an actuator pushes, or one that is as good; 0: the world.
static int driven_body(const TactModel *model, const TactActuator *a)
{
    switch (a->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: return model->joints[a->target].body;
    case TACT_TRANSMISSION_TENDON:
        return model->tendons[a->target].count > 0
                   ? model->joints[model->tendons[a->target].joints[0]].body
                   : 0;
    case TACT_TRANSMISSION_SITE:
    case TACT_TRANSMISSION_SITE_TO_SITE:
    case TACT_TRANSMISSION_SLIDER_CRANK: return model->sites[a->target].body;
    case TACT_TRANSMISSION_INPUT: return 0; // what it is an input of does it
    default: return a->target;
    }
}

static void exclude(TactSim *sim, int body)
{
    int tree = sim->islands.tree_of_body[body];
    if (tree >= 0) {
        sim->energy.passive[tree] = false;
    }
}

/// Trees that store or get energy by something else than motion and weight.
static void exclude_driven(TactSim *sim)
{
    const TactModel *model = sim->model;
    for (int j = 0; j < model->joint_count; j++) {
        if (is_sprung(model, j)) {
            exclude(sim, model->joints[j].body);
        }
    }
    for (int i = 0; i < model->actuator_count; i++) {
        exclude(sim, driven_body(model, &model->actuators[i]));
        if (model->actuators[i].reference >= 0) {
            exclude(sim, model->sites[model->actuators[i].reference].body);
        }
    }
    for (int i = 0; i < model->tendon_count; i++) {
        for (int k = 0; k < model->tendons[i].part_count; k++) {
            const TactTendonPart *part = &model->tendons[i].parts[k];
            if (part->object >= 0) {
                exclude(sim, part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                                 : model->geoms[part->object].body);
            }
        }
        for (int k = 0; k < model->tendons[i].count; k++) {
            exclude(sim, model->joints[model->tendons[i].joints[k]].body);
        }
    }
    for (int b = 1; b < model->body_count; b++) {
        if (model->bodies[b].gravity_compensation != 0 || model->bodies[b].mocap >= 0) {
            exclude(sim, b);
        }
    }
}

/// Loops have rows that are bent along the step (midpoint.c), and give and take energy.
static void exclude_tied(TactSim *sim)
{
    const TactModel *model = sim->model;
    for (int i = 0; i < model->equality_count; i++) {
        const TactEquality *e = &model->equalities[i];
        bool bodies = e->type == TACT_EQUALITY_CONNECT || e->type == TACT_EQUALITY_WELD;
        for (int k = 0; k < 2; k++) {
            int object = k == 0 ? e->a : e->b;
            if (bodies) {
                exclude(sim, object);
            } else if (e->type == TACT_EQUALITY_JOINT && object >= 0) {
                exclude(sim, model->joints[object].body);
            }
        }
        if (e->via) {
            exclude(sim, e->via);
        }
    }
}

void tact_sim_find_passive(TactSim *sim)
{
    const TactDynamics *d = sim->dynamics;
    if (sim->config.integrator != TACT_INTEGRATOR_EULER || sim->config.stiffness > 0) {
        return;
    }
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        int             tree = sim->islands.tree_of_body[link->body];
        if (tree >= 0 && link->parent == 0) { // free of the world, in one joint
            sim->energy.passive[tree] =
                link->joint_count == 1 &&
                sim->model->joints[link->first_joint].type == TACT_JOINT_FREE;
        }
    }
    exclude_driven(sim);
    exclude_tied(sim);
    bool wind = tact_dynamics_has_fluid(sim->model) && tact_vec3_norm(sim->model->options.wind) > 0;
    bool moved = tact_surfaces_move(sim->model) || wind;
    for (int b = 1; b < sim->model->body_count && moved; b++) {
        exclude(sim, b); // belts drive whatever touches them, and wind everything
    }
    for (int t = 0; t < sim->islands.tree_count; t++) {
        sim->energy.has_passive =
            sim->energy.has_passive || (sim->energy.passive[t] && !sim->flight.flies[t]);
    }
}

// ---------------------------------------------------------------------------------------------
// Energies

/// Kinetic energy and that of weight of each tree at the state in the workspace.
static void find_energies(const TactSim *sim, double *energy)
{
    const TactDynamics *d = sim->dynamics;
    TactVec3            g = sim->model->options.gravity;
    memset(energy, 0, (size_t)sim->islands.tree_count * sizeof *energy);
    tact_sim_add_kinetic(sim, energy);
    for (int l = 1; l < d->link_count && !sim->model->options.gravity_off; l++) {
        int tree = sim->islands.tree_of_body[d->links[l].body];
        energy[tree] -= d->links[l].inertia.mass * tact_vec3_dot(g, d->com[l]);
    }
}

void tact_sim_note_energies(TactSim *sim)
{
    if (sim->energy.has_passive) {
        find_energies(sim, sim->energy.before);
    }
}

/// Mass and momentum of a tree at the state in the workspace.
static double find_momentum(const TactSim *sim, int tree, TactVec3 *momentum)
{
    const TactDynamics *d = sim->dynamics;
    double              mass = 0;
    *momentum = (TactVec3){0, 0, 0};
    for (int l = 1; l < d->link_count; l++) {
        if (sim->islands.tree_of_body[d->links[l].body] == tree) {
            mass += d->links[l].inertia.mass;
            *momentum =
                tact_vec3_add_scaled(*momentum, d->links[l].inertia.mass, d->velocity[l].linear);
        }
    }
    return mass;
}

// ---------------------------------------------------------------------------------------------
// Trees that move together

/// The trees of an island, or one that nothing touches.
typedef struct Group {
    const int     *trees;
    int            count;
    TactSimIsland *island; // NULL: none
} Group;

/// Groups are islands first, then all trees.
static int group_count(const TactSim *sim)
{
    return sim->islands.count + sim->islands.tree_count;
}

/// false: a tree of an island.
static bool get_group(const TactSim *sim, int index, int *tree, Group *group)
{
    const TactSimIslands *islands = &sim->islands;
    if (index < islands->count) {
        TactSimIsland *island = &islands->islands[index];
        *group = (Group){islands->trees + island->first_tree, island->tree_count, island};
        return true;
    }
    *tree = index - islands->count;
    *group = (Group){tree, 1, NULL};
    return islands->island_of[*tree] < 0;
}

/// Do contacts and rows of an island take energy only?
static bool only_takes(const TactSim *sim, const TactSimIsland *island)
{
    bool takes = true;
    for (int k = 0; k < island->contact_count && takes; k++) {
        takes = !(sim->contacts[sim->islands.contacts[island->first_contact + k]].bounce > 0);
    }
    for (int k = 0; k < island->row_count && takes; k++) {
        const TactRowSource *s = &sim->rows.sources[sim->islands.rows[island->first_row + k]];
        takes = !(s->type == TACT_OBJECT_JOINT && s->part == 3); // prescribed motion
    }
    return takes;
}

/// Trees that nothing drives, with a mechanism among them. One that nothing touches is left alone
/// without gravity: there its energy wavers about the same value for ever, and (1) would drain it.
static bool is_passive(const TactSim *sim, const Group *group)
{
    const TactModel *model = sim->model;
    bool             jointed = false, passive = !sim->free.external && !sim->drag.on;
    for (int k = 0; k < group->count && passive; k++) {
        int t = group->trees[k];
        passive = sim->energy.passive[t];
        jointed = jointed || !sim->flight.flies[t];
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            passive = passive && sim->state.applied[i] == 0;
        }
    }
    bool falls = !model->options.gravity_off && tact_vec3_norm(model->options.gravity) > 0;
    return passive && jointed && (group->island ? only_takes(sim, group->island) : falls);
}

/// By what a group does not hold (1).
static double find_gain(const TactSim *sim, const Group *group)
{
    double gain = 0, size = 0;
    for (int k = 0; k < group->count; k++) {
        int t = group->trees[k];
        gain += sim->energy.after[t] - sim->energy.before[t];
        size += fabs(sim->energy.after[t]) + fabs(sim->energy.before[t]);
    }
    return gain > ROUNDING * size ? gain : 0;
}

/// What all groups gain that should not. The workspace is at the end of the step.
static double find_gains(TactSim *sim)
{
    double sum = 0;
    find_energies(sim, sim->energy.after);
    for (int g = 0; g < group_count(sim); g++) {
        Group group;
        int   tree;
        if (get_group(sim, g, &tree, &group)) {
            double gain = find_gain(sim, &group);
            sum += gain > 0 && is_passive(sim, &group) ? gain : 0;
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Damping

/// Kinetic energy of the mechanisms of a group about their centres of mass, at the state in the
/// workspace.
static double inner_energy(const TactSim *sim, const Group *group, double *kinetic)
{
    double sum = 0;
    memset(kinetic, 0, (size_t)sim->islands.tree_count * sizeof *kinetic);
    tact_sim_add_kinetic(sim, kinetic);
    for (int k = 0; k < group->count; k++) {
        if (!sim->flight.flies[group->trees[k]]) {
            TactVec3 p;
            double   mass = find_momentum(sim, group->trees[k], &p);
            sum += kinetic[group->trees[k]] - 0.5 * tact_vec3_dot(p, p) / mass;
        }
    }
    return sum;
}

/// change = -(1 - s) (v+ - v_c) on the dofs of a tree; the workspace has q and v+.
static void brake(const TactSim *sim, int tree, double s, double *change)
{
    TactVec3 p;
    double   mass = find_momentum(sim, tree, &p);
    int      first = sim->islands.first_dof[tree];
    for (int i = first; i < sim->islands.first_dof[tree + 1]; i++) {
        change[i] = -(1 - s) * sim->answer.v[i];
    }
    change[first] += (1 - s) * p.x / mass;
    change[first + 1] += (1 - s) * p.y / mass;
    change[first + 2] += (1 - s) * p.z / mass;
}

/// Brakes the groups that gain, by as many times their gain; the answers of all other islands
/// stand.
static void brake_groups(TactSim *sim, double times, double *change)
{
    memset(change, 0, (size_t)sim->model->nv * sizeof *change);
    for (int g = 0; g < group_count(sim); g++) {
        Group  group;
        int    tree;
        double gain = 0;
        if (get_group(sim, g, &tree, &group) && is_passive(sim, &group)) {
            gain = times * find_gain(sim, &group);
        }
        if (group.island) {
            group.island->keep = !(gain > 0);
        }
        double inner = gain > 0 ? inner_energy(sim, &group, sim->energy.kinetic) : 0;
        double s = inner > gain ? sqrt(1 - gain / inner) : 0;
        for (int k = 0; k < group.count && gain > 0; k++) {
            if (!sim->flight.flies[group.trees[k]]) {
                brake(sim, group.trees[k], s, change);
            }
        }
    }
}

/// Adds the force of (2) to the free motion, and to the motion of what nothing touches.
static void add_damping(TactSim *sim, const double *change)
{
    double *momentum = sim->scratch.b;
    tact_dynamics_multiply_mass(sim->dynamics, change, momentum);
    for (int i = 0; i < sim->model->nv; i++) {
        sim->free.tau[i] += momentum[i] / sim->h;
        sim->last.passive[i] += momentum[i] / sim->h;
        sim->free.impulse[i] += momentum[i];
        sim->free.v[i] += change[i];
        sim->energy.damped -= momentum[i] * (sim->answer.v[i] + 0.5 * change[i]);
    }
    for (int t = 0; t < sim->islands.tree_count; t++) {
        for (int i = sim->islands.first_dof[t];
             i < sim->islands.first_dof[t + 1] && sim->islands.island_of[t] < 0; i++) {
            sim->answer.v[i] += change[i];
        }
    }
}

TactStatus tact_sim_dissipate(TactSim *sim, bool *resolved)
{
    TactDynamics *d = sim->dynamics;
    double        before = 0, times = SURELY;
    for (int round = 0; sim->energy.has_passive && round < MOST_ROUNDS; round++) {
        TACT_TRY(tact_dynamics_set_position(d, sim->answer.q_end));
        TACT_TRY(tact_dynamics_set_velocity(d, sim->answer.v_end));
        double gain = find_gains(sim);
        if (!(gain > 0)) {
            return TACT_OK;
        }
        if (round > 0) { // what the damping so far has done tells how much it takes
            double effect = (before - gain) / (times * before);
            if (!(effect > LEAST_EFFECT)) {
                *resolved = false;
                return TACT_OK;
            }
            times = SURELY / fmin(effect, 1);
        }
        before = gain;
        TACT_TRY(tact_dynamics_set_position(d, sim->state.q));
        TACT_TRY(tact_dynamics_set_velocity(d, sim->answer.v));
        brake_groups(sim, times, sim->scratch.a);
        TACT_TRY(tact_dynamics_set_velocity(d, sim->state.v));
        add_damping(sim, sim->scratch.a);
        TACT_TRY(tact_sim_solve_motion(sim));
        tact_sim_finish_positions(sim);
        TACT_TRY(tact_sim_complete(sim, resolved));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Lifts

static bool is_passive_group(const TactSim *sim, const Group *group)
{
    bool passive = true;
    for (int k = 0; k < group->count; k++) {
        passive = passive && sim->energy.passive[group->trees[k]];
    }
    return passive;
}

/// What a group may be lifted of a lift that takes it from `after` to `lifted`.
static double paid_share(const Group *group, const double *before, const double *after,
                         const double *lifted)
{
    double paid = 0, price = 0;
    for (int k = 0; k < group->count; k++) {
        int t = group->trees[k];
        paid += before[t] - after[t];
        price += lifted[t] - after[t];
    }
    return price <= paid || price <= 0 ? 1 : fmax(0, paid / price);
}

static TactStatus energies_at(TactSim *sim, const double *q, const double *v, double *energy)
{
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, q));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, v));
    find_energies(sim, energy);
    return TACT_OK;
}

TactStatus tact_sim_pay_lifts(TactSim *sim)
{
    if (!sim->positions.sunk || sim->positions.placed) {
        return TACT_OK;
    }
    tact_dynamics_integrate(sim->model, sim->answer.q_end, sim->positions.shift, 1,
                            sim->energy.q_lifted);
    TACT_TRY(energies_at(sim, sim->last.q, sim->last.v, sim->energy.before));
    TACT_TRY(energies_at(sim, sim->energy.q_lifted, sim->answer.v_end, sim->energy.kinetic));
    TACT_TRY(energies_at(sim, sim->answer.q_end, sim->answer.v_end, sim->energy.after));
    for (int g = 0; g < group_count(sim); g++) {
        Group group;
        int   tree;
        if (!get_group(sim, g, &tree, &group) || !is_passive_group(sim, &group)) {
            continue;
        }
        double share =
            paid_share(&group, sim->energy.before, sim->energy.after, sim->energy.kinetic);
        for (int k = 0; k < group.count; k++) {
            int t = group.trees[k];
            for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
                sim->positions.shift[i] *= share;
            }
        }
    }
    return TACT_OK;
}
