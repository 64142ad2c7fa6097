// Sleeping: islands that have rested for a while are neither moved, nor collided, nor solved, until
// something disturbs them.
//
// A tree rests while its velocities stay below the bound, and its coordinates within what that
// bound would move them in the time asked for. An island falls asleep when all its trees have
// rested that long, and wakes as a whole: when something awake comes near, or is tied to it by a
// row, or when its state, control or forces are changed from outside. Until then its coordinates
// keep their bits and its velocities are 0. All of it depends on the states alone.
#include <math.h>
#include <string.h>

#include "sim/sim.h"

void tact_sim_sleep_layout(TactSimSleep *sleep, const TactModel *model, TactArena *arena)
{
    size_t bodies = (size_t)model->body_count, nv = (size_t)model->nv;
    sleep->asleep = tact_arena_take(arena, bodies, sizeof *sleep->asleep);
    sleep->group = tact_arena_take(arena, bodies, sizeof *sleep->group);
    sleep->still = tact_arena_take(arena, bodies, sizeof *sleep->still);
    sleep->ready = tact_arena_take(arena, bodies, sizeof *sleep->ready);
    sleep->shape_rests =
        tact_arena_take(arena, (size_t)model->geom_count, sizeof *sleep->shape_rests);
    sleep->q = tact_arena_take(arena, (size_t)model->nq, sizeof(double));
    sleep->ctrl = tact_arena_take(arena, (size_t)model->actuator_count, sizeof(double));
    sleep->applied = tact_arena_take(arena, nv, sizeof(double));
    sleep->external = tact_arena_take(arena, bodies, sizeof *sleep->external);
}

void tact_sim_note_forces(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactSimSleep    *sleep = &sim->sleep;
    size_t           number = sizeof(double);
    memcpy(sleep->ctrl, sim->state.ctrl, (size_t)model->actuator_count * number);
    memcpy(sleep->applied, sim->state.applied, (size_t)model->nv * number);
    memcpy(sleep->external, sim->state.external,
           (size_t)model->body_count * sizeof *sleep->external);
}

void tact_sim_sleep_reset(TactSim *sim)
{
    TactSimSleep *sleep = &sim->sleep;
    sleep->count = sim->sleep.rest.calm = 0;
    for (int t = 0; t < sim->islands.tree_count; t++) {
        sleep->asleep[t] = false;
        sleep->group[t] = t;
        sleep->still[t] = 0;
    }
    memcpy(sleep->q, sim->state.q, (size_t)sim->model->nq * sizeof *sleep->q);
    tact_sim_note_forces(sim);
}

// ---------------------------------------------------------------------------------------------

/// Where the coordinates of a tree stand in q: from first to end.
static void find_q(const TactSim *sim, int tree, int *first, int *end)
{
    const TactModel *model = sim->model;
    const int       *first_dof = sim->islands.first_dof;
    int              from = first_dof[tree], to = first_dof[tree + 1];
    *first = from < model->nv ? model->joints[model->dofs[from].joint].q : model->nq;
    *end = to < model->nv ? model->joints[model->dofs[to].joint].q : model->nq;
}

void tact_sim_wake(TactSim *sim, int tree)
{
    TactSimSleep *sleep = &sim->sleep;
    if (tree < 0 || !sleep->asleep[tree]) {
        return;
    }
    int group = sleep->group[tree];
    sim->sleep.rest.calm = 0;
    for (int t = 0; t < sim->islands.tree_count; t++) {
        if (sleep->asleep[t] && sleep->group[t] == group) {
            sleep->asleep[t] = false;
            sleep->still[t] = 0;
            sleep->count--;
        }
    }
}

static int tree_of_joint(const TactSim *sim, int joint)
{
    return sim->islands.tree_of_body[sim->model->joints[joint].body];
}

/// Wakes what an actuator moves.
static void wake_driven(TactSim *sim, const TactActuator *actuator)
{
    const TactModel *model = sim->model;
    if (actuator->transmission == TACT_TRANSMISSION_INPUT) {
        actuator = &model->actuators[actuator->target];
    }
    int target = actuator->target;
    switch (actuator->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: tact_sim_wake(sim, tree_of_joint(sim, target)); break;
    case TACT_TRANSMISSION_TENDON:
        for (int k = 0; k < model->tendons[target].part_count; k++) {
            const TactTendonPart *part = &model->tendons[target].parts[k];
            int                   body = part->object < 0                      ? 0
                                         : part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                                               : model->geoms[part->object].body;
            tact_sim_wake(sim, sim->islands.tree_of_body[body]);
        }
        for (int k = 0; k < model->tendons[target].count; k++) {
            tact_sim_wake(sim, tree_of_joint(sim, model->tendons[target].joints[k]));
        }
        break;
    case TACT_TRANSMISSION_SITE_TO_SITE:
    case TACT_TRANSMISSION_SLIDER_CRANK:
        tact_sim_wake(sim, sim->islands.tree_of_body[model->sites[actuator->reference].body]);
        tact_sim_wake(sim, sim->islands.tree_of_body[model->sites[target].body]);
        break;
    case TACT_TRANSMISSION_SITE:
        tact_sim_wake(sim, sim->islands.tree_of_body[model->sites[target].body]);
        break;
    case TACT_TRANSMISSION_ADHESION:
    case TACT_TRANSMISSION_BODY_FORCE: tact_sim_wake(sim, sim->islands.tree_of_body[target]); break;
    case TACT_TRANSMISSION_INPUT: break;
    }
}

static bool same_vector(TactVec3 a, TactVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_wrench(const TactWrench *a, const TactWrench *b)
{
    return same_vector(a->force, b->force) && same_vector(a->torque, b->torque);
}

/// Wakes what is driven or pushed otherwise than in the last step.
static void wake_forced(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactSimSleep    *sleep = &sim->sleep;
    for (int i = 0; i < model->actuator_count; i++) {
        if (sleep->ctrl[i] != sim->state.ctrl[i] || tact_sim_is_activating(sim, i) ||
            tact_sim_is_delaying(sim, i)) {
            wake_driven(sim, &model->actuators[i]);
        }
    }
    for (int i = 0; i < model->nv; i++) {
        if (sleep->applied[i] != sim->state.applied[i]) {
            tact_sim_wake(sim, sim->islands.tree_of_body[model->dofs[i].body]);
        }
    }
    for (int i = 1; i < model->body_count; i++) {
        if (!same_wrench(&sleep->external[i], &sim->state.external[i])) {
            tact_sim_wake(sim, sim->islands.tree_of_body[i]);
        }
    }
}

static bool is_within(const double *x, const double *from, int first, int end, double bound)
{
    for (int i = first; i < end; i++) {
        if (!(fabs(x[i] - (from ? from[i] : 0)) <= bound)) {
            return false;
        }
    }
    return true;
}

/// Counts the steps for which a tree has rested, or begins anew.
static void watch(TactSim *sim, int tree)
{
    TactSimSleep *sleep = &sim->sleep;
    const int    *dof = sim->islands.first_dof;
    double        speed = sim->config.sleep_speed, way = speed * sim->config.sleep_time;
    int           first, end;
    find_q(sim, tree, &first, &end);
    bool slow = is_within(sim->state.v, NULL, dof[tree], dof[tree + 1], speed);
    if (slow && is_within(sim->state.q, sleep->q, first, end, way)) {
        sleep->still[tree]++;
    } else {
        sleep->still[tree] = 0;
        memcpy(sleep->q + first, sim->state.q + first, (size_t)(end - first) * sizeof *sleep->q);
    }
}

void tact_sim_sleep_begin(TactSim *sim)
{
    TactSimSleep *sleep = &sim->sleep;
    const int    *dof = sim->islands.first_dof;
    if (!(sim->config.sleep_time > 0)) {
        return;
    }
    if (sleep->count > 0) {
        wake_forced(sim);
    }
    tact_sim_note_forces(sim);
    for (int t = 0; t < sim->islands.tree_count; t++) {
        int first, end;
        find_q(sim, t, &first, &end);
        if (!sleep->asleep[t]) {
            watch(sim, t);
        } else if (!is_within(sim->state.q, sleep->q, first, end, 0) ||
                   !is_within(sim->state.v, NULL, dof[t], dof[t + 1], 0)) {
            tact_sim_wake(sim, t);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static bool sleeps(const TactSim *sim, int tree)
{
    return tree >= 0 && sim->sleep.asleep[tree];
}

bool tact_sim_is_asleep(const TactSim *sim, int body)
{
    return sim && body >= 0 && body < sim->model->body_count && tact_sim_body_sleeps(sim, body);
}

bool tact_sim_body_sleeps(const TactSim *sim, int body)
{
    return sim->sleep.count > 0 && sleeps(sim, sim->islands.tree_of_body[body]);
}

/// Which trees a row moves: one that is asleep, and one that is awake; -1: none.
static void find_ends(const TactSim *sim, const TactContactRow *row, int *asleep, int *awake)
{
    *asleep = *awake = -1;
    for (int i = 0; i < sim->model->nv; i++) {
        if (row->J[i] != 0) {
            int tree = sim->islands.tree_of_body[sim->model->dofs[i].body];
            *(sleeps(sim, tree) ? asleep : awake) = tree;
        }
    }
}

bool tact_sim_row_sleeps(const TactSim *sim, int row)
{
    int asleep, awake;
    if (sim->sleep.count == 0) {
        return false;
    }
    find_ends(sim, &sim->rows.rows[row], &asleep, &awake);
    return asleep >= 0;
}

bool tact_sim_wake_touched(TactSim *sim)
{
    int before = sim->sleep.count;
    if (before == 0) {
        return false;
    }
    for (int i = 0; i < sim->contact_count; i++) { // pairs that both sleep are not there
        tact_sim_wake(sim, sim->islands.tree_of_body[sim->contacts[i].body[0]]);
        tact_sim_wake(sim, sim->islands.tree_of_body[sim->contacts[i].body[1]]);
    }
    for (int r = 0; r < sim->rows.count; r++) {
        int asleep, awake;
        find_ends(sim, &sim->rows.rows[r], &asleep, &awake);
        if (awake >= 0) {
            tact_sim_wake(sim, asleep);
        }
    }
    return sim->sleep.count < before;
}

/// Contacts of what has fallen asleep are not solved any more.
static void drop_contacts(TactSim *sim)
{
    int kept = 0;
    for (int i = 0; i < sim->contact_count; i++) {
        const TactSimContact *c = &sim->contacts[i];
        if (!tact_sim_body_sleeps(sim, c->body[0]) && !tact_sim_body_sleeps(sim, c->body[1])) {
            sim->contacts[kept++] = *c; // islands fall asleep as a whole
        }
    }
    sim->contact_count = kept;
}

/// The tree whose group a tree would sleep in: the first of its island, or itself.
static int leader(const TactSimIslands *islands, int tree)
{
    int island = islands->island_of[tree];
    return island < 0 ? tree : islands->trees[islands->islands[island].first_tree];
}

bool tact_sim_fall_asleep(TactSim *sim)
{
    TactSimSleep         *sleep = &sim->sleep;
    const TactSimIslands *islands = &sim->islands;
    int                   before = sleep->count;
    if (!(sim->config.sleep_time > 0)) {
        return false;
    }
    double needed = sim->config.sleep_time / sim->config.timestep;
    for (int t = 0; t < islands->tree_count; t++) { // groups that would sleep are marked
        sleep->group[t] = sleep->asleep[t] ? sleep->group[t] : leader(islands, t);
        sleep->ready[t] = true;
    }
    for (int t = 0; t < islands->tree_count; t++) {
        if (!sleep->asleep[t] && !(sleep->still[t] >= needed)) {
            sleep->ready[sleep->group[t]] = false;
        }
    }
    for (int t = 0; t < islands->tree_count; t++) {
        int first, end;
        find_q(sim, t, &first, &end);
        if (!sleep->asleep[t] && sleep->ready[sleep->group[t]] && end > first) {
            sleep->asleep[t] = true;
            sleep->count++;
            memcpy(sleep->q + first, sim->state.q + first, (size_t)(end - first) * sizeof(double));
        }
    }
    if (sleep->count > before) {
        drop_contacts(sim);
    }
    return sleep->count > before;
}

void tact_sim_freeze_sleepers(TactSim *sim)
{
    for (int t = 0; t < sim->islands.tree_count && sim->sleep.count > 0; t++) {
        if (sim->sleep.asleep[t]) {
            int first, end, dof = sim->islands.first_dof[t];
            find_q(sim, t, &first, &end);
            memcpy(sim->answer.q_end + first, sim->state.q + first,
                   (size_t)(end - first) * sizeof(double));
            size_t size = (size_t)(sim->islands.first_dof[t + 1] - dof) * sizeof(double);
            memset(sim->answer.v + dof, 0, size);
            memset(sim->answer.v_end + dof, 0, size);
        }
    }
}
