// One part of a step: from a state to the state a time h later, or the word that h is too long.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

// Semi-implicit Euler: (M + h D) (v_free - v) = h (tau - bias), q moves with the new velocity; the
// bias is that of the mean velocity.
static TactStatus free_motion_euler(TactSim *sim)
{
    tact_sim_find_drag(sim);
    TACT_TRY(tact_sim_actuate(sim));
    TACT_TRY(tact_sim_settle_fluid(sim));
    return tact_sim_centre_products(sim);
}

static TactStatus stage_forces(void *context, TactDynamics *dynamics, double *tau)
{
    TactSim *sim = context;
    TACT_TRY(tact_sim_actuate_explicitly(sim));
    memcpy(tau, sim->free.tau, (size_t)dynamics->model->nv * sizeof *tau);
    return TACT_OK;
}

// Runge-Kutta over the step [Yamane-Nakamura, V]; the contact problem is that of its beginning.
static TactStatus free_motion_rk4(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactDynamics    *d = sim->dynamics;
    memcpy(sim->answer.q_end, sim->state.q, (size_t)model->nq * sizeof *sim->answer.q_end);
    memcpy(sim->free.v, sim->state.v, (size_t)model->nv * sizeof *sim->free.v);
    TactSmooth smooth = {
        .force = stage_forces,
        .context = sim,
        .external = sim->free.external,
        .loops = sim->free.loops,
        .loop_rate = 0.1 / sim->h,
    };
    tact_sim_pause_drag(sim);
    memcpy(sim->last.v_middle, sim->state.v, (size_t)model->nv * sizeof *sim->state.v);
    TACT_TRY(tact_dynamics_step_rk4(d, sim->h, &smooth, sim->answer.q_end, sim->free.v));
    TACT_TRY(tact_dynamics_set_position(d, sim->state.q));
    TACT_TRY(tact_dynamics_set_velocity(d, sim->state.v));
    tact_sim_find_drag(sim);
    TACT_TRY(tact_sim_actuate_explicitly(sim)); // the forces of the beginning, to be asked for
    tact_dynamics_compute_mass(d, NULL);
    for (int i = 0; i < model->nv; i++) {
        sim->answer.v[i] = sim->free.v[i] - sim->state.v[i];
    }
    tact_dynamics_multiply_mass(d, sim->answer.v, sim->free.impulse);
    tact_sim_drag_free_motion(sim);
    return TACT_OK;
}

/// Runge-Kutta has kept loops closed already, to its own order: their rows have to keep the
/// velocity that it found, and only answer to contacts. Asked to hold at the beginning of the step,
/// they would take its order away, and add energy.
static void follow_free_motion(TactSim *sim)
{
    for (int r = 0; r < sim->rows.count && sim->free.loops; r++) {
        TactContactRow      *row = &sim->rows.rows[r];
        const TactRowSource *source = &sim->rows.sources[r];
        if (source->type == TACT_OBJECT_EQUALITY && row->kind == TACT_ROW_BILATERAL) {
            TactEqualityType type = sim->model->equalities[source->index].type;
            if (type == TACT_EQUALITY_CONNECT || type == TACT_EQUALITY_WELD) {
                row->target = 0;
                for (int i = 0; i < sim->model->nv; i++) {
                    row->target += row->J[i] * sim->free.v[i];
                }
            }
        }
    }
}

/// Motion that has left the numbers is an error that names its joint, and never becomes the state.
static TactStatus check_motion(const TactSim *sim)
{
    for (int i = 0; i < sim->model->nv; i++) {
        if (!isfinite(sim->answer.v[i])) {
            char label[64];
            int  joint = sim->model->dofs[i].joint;
            TACT_TRY(tact_sim_check_mass(sim));
            return tact_fail(TACT_BAD_INPUT, "step: %s: its velocity has become %g",
                             tact_model_label(sim->model, TACT_OBJECT_JOINT, joint, label),
                             sim->answer.v[i]);
        }
    }
    return TACT_OK;
}

static TactStatus check_positions(const TactSim *sim)
{
    const TactModel *model = sim->model;
    double           off = 0; // stays 0 while all are finite
    for (int i = 0; i < model->nq; i++) {
        off += 0.0 * sim->answer.q_end[i];
    }
    if (off == 0) {
        return TACT_OK;
    }
    for (int j = 0; j < model->joint_count; j++) {
        int end = j + 1 < model->joint_count ? model->joints[j + 1].q : model->nq;
        for (int i = model->joints[j].q; i < end; i++) {
            if (!isfinite(sim->answer.q_end[i])) {
                char label[64];
                return tact_fail(TACT_BAD_INPUT, "step: %s: its position has become %g",
                                 tact_model_label(model, TACT_OBJECT_JOINT, j, label),
                                 sim->answer.q_end[i]);
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_sim_make_islands(TactSim *sim)
{
    double zeta = sim->config.zeta >= 0 ? sim->config.zeta : 0;
    tact_rows_fill(&sim->rows, sim->dynamics, sim->free.v, sim->h, zeta);
    follow_free_motion(sim);
    return tact_sim_islands_find(sim);
}

/// What is known before the islands are solved (actuation.c has written the forces).
static void remember_start(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactSimLast     *last = &sim->last;
    last->time = sim->state.time;
    memcpy(last->q, sim->state.q, (size_t)model->nq * sizeof *last->q);
    memcpy(last->v, sim->state.v, (size_t)model->nv * sizeof *last->v);
    memcpy(last->external, sim->state.external, (size_t)model->body_count * sizeof *last->external);
    last->row_count = sim->rows.count;
    for (int r = 0; r < sim->rows.count; r++) {
        last->row_sources[r] = sim->rows.sources[r];
        last->row_impulse[r] = 0;
        last->row_target[r] = sim->rows.rows[r].target;
    }
}

/// Contacts and islands of the step, without those that sleep on.
static TactStatus find_islands(TactSim *sim, TactSimReport *report)
{
    do {
        TACT_TRY(tact_sim_find_contacts(sim, report));
        TACT_TRY(tact_sim_make_islands(sim));
    } while (tact_sim_wake_touched(sim));
    if (tact_sim_fall_asleep(sim)) { // contacts of sleepers are gone
        tact_sim_complete_begin(sim);
        TACT_TRY(tact_sim_complete_add(sim, 0));
        return tact_sim_make_islands(sim);
    }
    return TACT_OK;
}

/// Rows of islands whose answer stands keep the targets that they were solved with.
static void keep_row_targets(TactSim *sim, bool back)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->row_count && island->keep; k++) {
            int     r = sim->islands.rows[island->first_row + k];
            double *target = &sim->rows.rows[r].target;
            if (back) {
                *target = sim->last.row_target[r] = sim->answer.kept_target[r];
            } else {
                sim->answer.kept_target[r] = sim->last.row_target[r];
            }
        }
    }
}

TactStatus tact_sim_solve_motion(TactSim *sim)
{
    for (int i = 0; i < sim->islands.count; i++) {
        sim->islands.islands[i].repeats = false;
    }
    keep_row_targets(sim, false);
    tact_sim_choose_bounces(sim);
    TACT_TRY(tact_sim_solve_islands(sim, TACT_SOLVE_MOTION, sim->answer.v));
    TACT_TRY(check_motion(sim));
    if (sim->config.integrator == TACT_INTEGRATOR_EULER) {
        TACT_TRY(tact_sim_centre_loops(sim));
        TACT_TRY(check_motion(sim));
    }
    keep_row_targets(sim, true);
    return TACT_OK;
}

/// Velocities after the step, and where they lead.
static TactStatus find_motion(TactSim *sim, bool divisible, bool *resolved)
{
    bool holds = true;
    if (sim->config.integrator == TACT_INTEGRATOR_EULER) {
        TACT_TRY(tact_sim_predict_loops(sim));
    }
    sim->complete.drafts = sim->config.stiffness == 0; // nothing is completed with springs
    TactStatus status = tact_sim_solve_motion(sim);
    sim->complete.drafts = false;
    TACT_TRY(status);
    tact_sim_finish_positions(sim);
    TACT_TRY(check_positions(sim));
    TACT_TRY(tact_sim_complete(sim, resolved));
    if (*resolved || !divisible) {
        TACT_TRY(tact_sim_dissipate(sim, resolved));
    }
    TACT_TRY(tact_sim_check_balance(sim, &holds));
    sim->energy.unbalanced = !holds;
    if (sim->config.integrator == TACT_INTEGRATOR_EULER) {
        tact_sim_keep_loop_gain(sim);
    }
    *resolved = *resolved && holds && !sim->free.ran_away;
    return TACT_OK;
}

TactStatus tact_sim_advance(TactSim *sim, TactSimReport *report, bool divisible, bool *resolved)
{
    const TactModel *model = sim->model;
    TactDynamics    *d = sim->dynamics;

    // The state, and the motion without contacts and rows.
    *resolved = true;
    sim->energy.unbalanced = false;
    sim->energy.damped = 0;
    tact_sim_prescribe(sim);
    TACT_TRY(tact_sim_lead_mocaps(sim));
    TACT_TRY(tact_dynamics_set_position(d, sim->state.q));
    TACT_TRY(tact_dynamics_set_velocity(d, sim->state.v));
    tact_sim_note_energies(sim);
    TACT_TRY(sim->config.integrator == TACT_INTEGRATOR_RK4 ? free_motion_rk4(sim)
                                                           : free_motion_euler(sim));
    tact_sim_damp_free_motion(sim);
    memcpy(sim->answer.v, sim->free.v, (size_t)model->nv * sizeof *sim->answer.v);
    if (sim->free.ran_away && divisible) {
        *resolved = false;
        return TACT_OK;
    }

    // Contacts, rows and islands; what they make of the motion.
    TACT_TRY(find_islands(sim, report));
    remember_start(sim);
    report->rows = sim->rows.count;
    report->redundant_rows = sim->islands.idle_rows;
    TACT_TRY(find_motion(sim, divisible, resolved));
    report->damping = sim->energy.damped;
    tact_sim_tell_islands(sim, TACT_SOLVE_MOTION, report);
    if (!*resolved && divisible) {
        return TACT_OK;
    }

    // Positions put right where they were not before.
    tact_sim_place_prescribed(sim);
    tact_sim_place_mocaps(sim);
    TACT_TRY(check_positions(sim));
    TACT_TRY(tact_sim_correct(sim, report));
    TACT_TRY(check_positions(sim));
    tact_sim_freeze_sleepers(sim);
    return TACT_OK;
}
