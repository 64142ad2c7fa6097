// The beginning of a step of one world, by the lanes of a warp: free motion, contacts and limits,
// and the contact problem that they make.
#ifndef TACT_GPU_STEP_BEGIN_H
#define TACT_GPU_STEP_BEGIN_H

#include "gpu/step/step_rows.h"

/// The basis of the last step, contact by contact of the same name.
TACT_LANE void tact_step_recall(const TactStepWorlds *worlds, int i, const TactStepRows *rows,
                                unsigned *basis)
{
    size_t at = (size_t)i * (size_t)worlds->contacts;
    int    kept = worlds->kept[i];
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < rows->count; k += TACT_WARP) {
        int      name = rows->held[k].name;
        unsigned own = 0;
        TACT_ROLLED
        for (int j = 0; j < kept; j++) {
            own = worlds->kept_names[at + (size_t)j] == name ? worlds->kept_basis[at + (size_t)j]
                                                             : own;
        }
        basis[k] = own;
    }
#if TACT_STEP_MORE
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < 2 * rows->count && rows->turns; k += TACT_WARP) {
        int      name = rows->held[k / 2].name;
        unsigned own = 0;
        TACT_ROLLED
        for (int j = 0; j < kept; j++) {
            own = worlds->kept_names[at + (size_t)j] == name
                      ? worlds->kept_turns[2 * (at + (size_t)j) + (size_t)(k % 2)]
                      : own;
        }
        worlds->more.turn_basis[2 * at + (size_t)k] = own;
    }
#endif
}

/// Mass matrix and forces of the step; M goes to the problem.
TACT_LANE void tact_step_begin_mass(const TactStepModel *model, const TactStepWorlds *worlds,
                                    const TactMechanismProblems *problems, int i,
                                    TactStepRoom *room)
{
    size_t  nv = (size_t)model->nv, at = (size_t)i;
    double *M = (double *)problems->M + at * (nv * (nv + 1) / 2);
    tact_step_forces(model, worlds->ctrl + at * (size_t)model->actuator_count, room);
    tact_step_mass(model, room);
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < tact_step_entry(model->nv, 0); k += TACT_WARP) {
        M[k] = room->L[k];
    }
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        room->gain[k] = worlds->gain[at * nv + (size_t)k];
    }
    tact_lane_meet();
}

/// The free motion, to the problem; good: M has a factor. Bits of why a world is left.
TACT_LANE int tact_step_begin_motion(const TactStepModel *model, const TactStepWorlds *worlds,
                                     const TactMechanismProblems *problems, int i, int good,
                                     TactStepRoom *room)
{
    size_t  nv = (size_t)model->nv, at = (size_t)i;
    double *velocity = (double *)problems->velocity + at * nv;
    double *force = (double *)problems->force + at * nv;
    good = good && tact_step_free(model, room);
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        good = good && fabs(room->gain[k]) < 1e300;
        worlds->gain[at * nv + (size_t)k] = room->gain[k];
        worlds->tau[at * nv + (size_t)k] = room->tau[k];
        velocity[k] = room->v[k];
        force[k] = room->impulse[k] / model->h;
    }
    tact_lane_meet();
    return tact_lane_any(!good) ? TACT_STEP_LEFT_RUNAWAY : 0;
}

/// The state of a world, and where all is then.
TACT_LANE void tact_step_enter(const TactStepModel *model, const TactStepWorlds *worlds, int i,
                               TactStepRoom *room)
{
    size_t at = (size_t)i;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nq; k += TACT_WARP) {
        room->q[k] = worlds->q[at * (size_t)model->nq + (size_t)k];
    }
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        room->v[k] = worlds->v[at * (size_t)model->nv + (size_t)k];
    }
    tact_lane_meet();
}

/// The contact problem, once all that is held is known.
TACT_LANE void tact_step_begin_problem(const TactStepModel *model, const TactStepWorlds *worlds,
                                       const TactMechanismProblems *problems, unsigned *basis,
                                       int i, int contacts, int left, const TactStepRows *rows,
                                       TactStepRoom *room)
{
    size_t at = (size_t)i, place = (size_t)problems->contacts;
    if (!left) {
        tact_step_put_rows(model, room, rows);
        tact_step_recall(worlds, i, rows, basis + at * place);
        TACT_ROLLED
        for (int k = tact_warp_lane(); k < contacts; k += TACT_WARP) {
            worlds->start[at * place + (size_t)k] = rows->held[k];
        }
#if TACT_STEP_MORE
        size_t loops = at * (size_t)model->loop_rows;
        tact_step_begin_loops(model, room, worlds->loop_start + loops,
                              (double *)worlds->more.target + loops);
#endif
    }
    if (tact_warp_lane() == 0) {
        worlds->start_count[i] = contacts;
        worlds->round[i] = 0;
        worlds->left[i] = left;
        ((int *)problems->active)[i] = left ? 0 : rows->count;
        ((int *)problems->rough)[i] = left ? 0 : rows->rough;
    }
}

/// From the state of world i to its contact problem; worlds->left says why it has none. i < 0:
/// there is no world for this warp, which only keeps step with the others of its block.
TACT_LANE void tact_step_begin(const TactStepModel *model, const TactStepWorlds *worlds,
                               const TactMechanismProblems *problems, unsigned *basis, int i,
                               TactStepRoom *room)
{
    int          on = i >= 0, left = 0, contacts = 0, good = 0;
    TactStepRows rows = tact_step_rows(model, worlds, problems, on ? i : 0);
    if (on) {
        tact_step_enter(model, worlds, i, room);
        tact_step_place(model, room->q, room);
    }
    tact_block_meet();
    if (on) {
        tact_step_set_velocity(model, room->v, room);
        tact_step_place_geoms(model, room);
    }
    tact_block_meet();
    if (on) {
        left = tact_step_add_contacts(model, room, &rows);
        contacts = rows.count;
        tact_lane_meet(); // places are not wanted any more
    }
    tact_block_meet();
    if (on) {
        tact_step_begin_mass(model, worlds, problems, i, room);
    }
    tact_block_meet();
    if (on) {
        good = tact_step_factor(model, room->L);
    }
    tact_block_meet();
    if (on) {
        left |= tact_step_begin_motion(model, worlds, problems, i, good, room);
    }
    tact_block_meet();
    if (on) {
        tact_step_add_limits(model, room, &rows);
        tact_lane_meet();
#if TACT_STEP_MORE
        int before;
        rows.moments = tact_step_count_moments(
            model, rows.held, rows.count < rows.room ? rows.count : rows.room, &before);
#endif
        left |= tact_step_rows_full(&rows) ? TACT_STEP_LEFT_FULL : 0;
        tact_step_begin_problem(model, worlds, problems, basis, i, contacts, left, &rows, room);
    }
}

#endif
