// Where a step ends.
//
// Semi-implicit Euler: q moved by h v+. Runge-Kutta has found where q goes without contacts, and
// what contacts change of the velocity is added to that, tree by tree:
//
//   as a force that lasts over the step, which moves by h (v+ - v_free) / 2: with it a body that
//   rests or slides stays on its surface, to second order;
//   as a blow, after which the surface is where h v+ leads.
//
// The first, where it leaves the surface by less than a tenth of the slop; and then the second.
#include <math.h>

#include "dynamics/links.h"
#include "sim/sim.h"

static const double SLOP_SHARE = 0.1;

/// How far from h v+ along a direction the first way ends, from rates along it.
static bool is_near(const TactSim *sim, double before, double after)
{
    return 0.5 * sim->h * fabs(before - after) <= SLOP_SHARE * sim->config.slop;
}

static double row_rate(const TactSim *sim, int row, const double *v)
{
    double rate = 0;
    for (int i = 0; i < sim->model->nv; i++) {
        rate += sim->rows.rows[row].J[i] * v[i];
    }
    return rate;
}

/// Do all contacts and limits of the island that push do so from before the step?
static bool lasts(const TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        if (c->force[0] > 0 &&
            !is_near(sim, tact_sim_contact_rate(sim, c, c->normal, sim->last.v), c->velocity[0])) {
            return false;
        }
    }
    for (int k = 0; k < island->row_count; k++) {
        int row = sim->islands.rows[island->first_row + k];
        if (sim->rows.rows[row].kind == TACT_ROW_UNILATERAL && sim->last.row_impulse[row] > 0 &&
            !is_near(sim, row_rate(sim, row, sim->last.v), row_rate(sim, row, sim->answer.v))) {
            return false;
        }
    }
    return true;
}

/// correction: what is added to the mean velocity of the free motion.
static void correct_island(TactSim *sim, const TactSimIsland *island, const double *mean)
{
    bool force = lasts(sim, island);
    for (int k = 0; k < island->tree_count; k++) {
        int tree = sim->islands.trees[island->first_tree + k];
        for (int i = sim->islands.first_dof[tree]; i < sim->islands.first_dof[tree + 1]; i++) {
            double change = sim->answer.v[i] - sim->free.v[i];
            bool   blow = !force && change != 0;
            sim->positions.shift[i] = blow ? sim->answer.v[i] - mean[i] / sim->h : 0.5 * change;
        }
    }
}

void tact_sim_finish_positions(TactSim *sim)
{
    const TactModel *model = sim->model;
    if (sim->config.integrator == TACT_INTEGRATOR_EULER) {
        tact_dynamics_integrate(model, sim->state.q, sim->answer.v, sim->h, sim->answer.q_end);
        tact_sim_fly(sim);
        return;
    }
    tact_sim_fly(sim);
    double *mean = sim->scratch.b;
    tact_dynamics_differentiate(model, sim->state.q, sim->answer.q_end, mean);
    for (int i = 0; i < model->nv; i++) {
        sim->positions.shift[i] = 0;
    }
    for (int k = 0; k < sim->islands.count; k++) {
        correct_island(sim, &sim->islands.islands[k], mean);
    }
    bool changed = false;
    for (int i = 0; i < model->nv; i++) {
        changed = changed || sim->positions.shift[i] != 0;
    }
    if (changed) {
        tact_dynamics_integrate(model, sim->answer.q_end, sim->positions.shift, sim->h,
                                sim->answer.q_end);
    }
}
