// Memory for the first contacts, made when the simulation is.
//
// Solvers grow with what they are asked to solve (problem.c). Made by the first contact, that of a
// humanoid took 0.3 ms of its step, ten times what a step takes: not for the arithmetic, but since
// the system hands out memory page by page when it is first written, 1 to 2 us each. A world of few
// trees has its solvers from the start, of the size that the first contact would ask for, and
// written. A heap does not: most of its trees never begin an island. Nor do worlds of a batch, each
// of which would have a megabyte: only what is used of a solver is written there.
#include "base/larger.h"
#include "base/status.h"
#include "contact/solver.h"
#include "sim/sim.h"

enum {
    MOST_TREES = 4,
    MOST_DOF = 64,
    CONTACTS = 8,        // and as many rows, of the arrays of a problem
    MOST_BYTES = 300000, // of a solver of corrections, which few worlds need
};

/// Is every tree one free body?
static bool is_all_free(const TactModel *model, const TactSimIslands *islands)
{
    int free = 0;
    for (int j = 0; j < model->joint_count; j++) {
        free += model->joints[j].type == TACT_JOINT_FREE;
    }
    return free == islands->tree_count && model->nv == 6 * free;
}

/// Rows that are there in every step: dry friction, and what ties.
static int count_rows(const TactModel *model)
{
    static const int rows[] = {[TACT_EQUALITY_CONNECT] = 3,
                               [TACT_EQUALITY_WELD] = 6,
                               [TACT_EQUALITY_JOINT] = 1,
                               [TACT_EQUALITY_TENDON] = 1};
    int              count = 0;
    for (int i = 0; i < model->nv; i++) {
        count += model->dofs[i].friction > 0;
    }
    for (int i = 0; i < model->tendon_count; i++) {
        count += model->tendons[i].friction > 0;
    }
    for (int i = 0; i < model->equality_count; i++) {
        count += model->equalities[i].active ? rows[model->equalities[i].type] : 0;
    }
    return count;
}

static TactStatus reserve_solver(const TactSim *sim, TactSolveKind kind,
                                 const TactContactCapacity *need, TactSimSolver *slot)
{
    TactStatus status = tact_sim_grow_solver(sim, kind, need, slot);
    if (status != TACT_OK) { // what the method does not have is told by the first contact
        return status == TACT_UNSUPPORTED ? TACT_OK : status;
    }
    size_t bytes = slot->solver->arena.used;
    if (kind == TACT_SOLVE_MOTION || bytes <= MOST_BYTES) {
        tact_arena_touch(&slot->solver->arena, bytes);
    }
    return TACT_OK;
}

TactStatus tact_sim_reserve(TactSim *sim)
{
    const TactModel      *model = sim->model;
    const TactSimIslands *islands = &sim->islands;
    bool                  touches = model->geom_count > 1 || sim->rows.capacity > 0;
    if (!touches || model->nv == 0 || model->nv > MOST_DOF || islands->tree_count > MOST_TREES) {
        return TACT_OK;
    }
    bool                free = is_all_free(model, islands);
    TactContactCapacity need = {
        .rows = count_rows(model),
        .dof = model->nv,
        .support = free ? 12 : model->nv,
        .dense = !free,
        .directions = tact_larger_int(sim->config.directions, 8),
    };
    for (int t = 0; t < islands->tree_count; t++) {
        if (islands->first_dof[t + 1] > islands->first_dof[t]) {
            TACT_TRY(reserve_solver(sim, TACT_SOLVE_MOTION, &need, &sim->solve.solvers[t]));
            TACT_TRY(reserve_solver(sim, TACT_SOLVE_CORRECTION, &need, &sim->solve.correctors[t]));
        }
    }
    TactProblemSize size = {
        .dof = (size_t)model->nv,
        .n = free ? 0 : (size_t)model->nv,
        .bodies = (size_t)islands->tree_count,
        .contacts = CONTACTS,
        .rows = CONTACTS + (size_t)need.rows,
        .sides = 3,
    };
    TACT_TRY(tact_sim_reserve_arrays(&sim->solve.arrays, size));
    tact_arena_touch(&sim->solve.arrays.arena, sim->solve.arrays.size);
    return TACT_OK;
}
