// The contact problem of an island: mass matrix, velocities and forces of its dofs, contacts, rows.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/workspace.h"
#include "sim/sim.h"

static void layout(TactProblemArrays *a, size_t n, size_t contacts, size_t rows, TactArena *arena)
{
    a->M = tact_arena_take(arena, n * n, sizeof *a->M);
    a->parent = tact_arena_take(arena, n, sizeof *a->parent);
    a->dofs = tact_arena_take(arena, n, sizeof *a->dofs);
    a->v = tact_arena_take(arena, n, sizeof *a->v);
    a->tau = tact_arena_take(arena, n, sizeof *a->tau);
    a->velocity = tact_arena_take(arena, n, sizeof *a->velocity);
    a->contacts = tact_arena_take(arena, contacts, sizeof *a->contacts);
    a->J = tact_arena_take(arena, 3 * contacts * n, sizeof *a->J);
    a->rows = tact_arena_take(arena, rows, sizeof *a->rows);
    a->row_J = tact_arena_take(arena, rows * n, sizeof *a->row_J);
    a->impulse = tact_arena_take(arena, 3 * contacts, sizeof *a->impulse);
    a->u = tact_arena_take(arena, 3 * contacts, sizeof *a->u);
    a->row_impulse = tact_arena_take(arena, rows, sizeof *a->row_impulse);
}

/// Arrays for an island; a new block only if the old one is too small.
static TactStatus prepare_arrays(TactProblemArrays *a, const TactSimIsland *island)
{
    TactArena measured = {0};
    size_t    n = (size_t)island->dof_count, contacts = (size_t)island->contact_count;
    size_t    rows = (size_t)island->row_count;
    layout(a, n, contacts, rows, &measured);
    if (!a->arena.block || measured.used > a->size) {
        tact_arena_destroy(&a->arena);
        TactArena larger = {0};
        layout(a, n + n / 4, contacts + contacts / 2, rows + rows / 2, &larger);
        a->size = larger.used;
        a->arena = larger;
        TACT_TRY(tact_arena_create(&a->arena));
    }
    a->arena.used = 0;
    layout(a, n, contacts, rows, &a->arena);
    return TACT_OK;
}

/// Mass matrix, velocities and forces of the island's dofs; local indices in the order of dofs.
static void fill_dofs(TactSim *sim, const TactSimIsland *island, TactSolveKind kind)
{
    TactProblemArrays    *a = &sim->arrays;
    const TactSimIslands *islands = &sim->islands;
    size_t                n = (size_t)island->dof_count;
    int                   local = 0;
    memset(a->M, 0, n * n * sizeof *a->M);
    for (int k = 0; k < island->tree_count; k++) {
        int tree = islands->trees[island->first_tree + k];
        int start = islands->first_dof[tree], shift = local - start;
        for (int i = start; i < islands->first_dof[tree + 1]; i++, local++) {
            TactMassRow row = tact_dynamics_view_mass_row(sim->dynamics, i);
            for (int p = 0; p < row.count; p++) {
                size_t j = (size_t)(row.dofs[p] + shift);
                a->M[(size_t)local * n + j] = a->M[j * n + (size_t)local] = row.M[p];
            }
            int parent = sim->model->dofs[i].parent;
            a->parent[local] = parent < 0 ? -1 : parent + shift;
            a->dofs[local] = i;
            a->v[local] = kind == TACT_SOLVE_MOTION ? sim->state.v[i] : 0;
            a->tau[local] = kind == TACT_SOLVE_MOTION ? sim->impulse[i] / sim->h : 0;
        }
    }
}

static void copy_row(const TactProblemArrays *a, int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[a->dofs[i]];
    }
}

/// Contacts: in a correction without friction, and to come apart by the share of their depth.
static void fill_contacts(TactSim *sim, const TactSimIsland *island, TactSolveKind kind)
{
    TactProblemArrays *a = &sim->arrays;
    size_t             nv = (size_t)sim->model->nv, n = (size_t)island->dof_count;
    for (int k = 0; k < island->contact_count; k++) {
        int                   index = sim->islands.contacts[island->first_contact + k];
        const TactSimContact *c = &sim->contacts[index];
        double               *J = a->J + 3 * (size_t)k * n;
        for (size_t r = 0; r < 3; r++) {
            copy_row(a, (int)n, sim->contact_J + (3 * (size_t)index + r) * nv, J + r * n);
        }
        TactContact *contact = &a->contacts[k];
        *contact =
            (TactContact){.J = J, .mu = c->mu, .directions = sim->config.directions, .id = c->id};
        if (kind == TACT_SOLVE_MOTION) {
            contact->bias = c->depth < 0 ? -c->depth / sim->h : 0;
        } else {
            double excess = c->depth - sim->h * c->velocity[0] - sim->config.slop;
            contact->mu = 0;
            contact->bias = excess > 0 ? -sim->config.correction * excess : -excess;
        }
    }
}

static void fill_rows(TactSim *sim, const TactSimIsland *island)
{
    TactProblemArrays *a = &sim->arrays;
    size_t             n = (size_t)island->dof_count;
    for (int k = 0; k < island->row_count; k++) {
        const TactContactRow *row = &sim->rows.rows[sim->islands.rows[island->first_row + k]];
        double               *J = a->row_J + (size_t)k * n;
        copy_row(a, (int)n, row->J, J);
        a->rows[k] = *row;
        a->rows[k].J = J;
    }
}

/// A solver that is large enough; one that was grown has forgotten its last answer.
static TactStatus prepare_solver(TactSim *sim, TactSimSolver *slot,
                                 const TactContactProblem *problem, TactSolveKind kind)
{
    TactContactCapacity  need = tact_contact_capacity(problem);
    TactContactCapacity *have = &slot->capacity;
    if (slot->solver && need.contacts <= have->contacts && need.rows <= have->rows &&
        need.dof <= have->dof && need.support <= have->support && need.dense <= have->dense &&
        need.directions <= have->directions) {
        return TACT_OK;
    }
    tact_contact_solver_destroy(slot->solver);
    slot->solver = NULL;
    TactContactConfig config = tact_contact_config_default(sim->config.method);
    config.cone = kind == TACT_SOLVE_MOTION ? sim->config.cone : TACT_CONTACT_PYRAMID;
    config.tol = sim->config.tol;
    need.contacts += need.contacts / 2;
    need.rows += need.rows / 2;
    TACT_TRY(tact_contact_solver_create(&need, &config, &slot->solver));
    *have = need;
    return TACT_OK;
}

/// What the contacts of an island did.
static void tell_contacts(TactSim *sim, const TactSimIsland *island)
{
    const TactProblemArrays *a = &sim->arrays;
    for (int k = 0; k < island->contact_count; k++) {
        TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        const double   *p = a->impulse + 3 * (size_t)k, *u = a->u + 3 * (size_t)k;
        for (int r = 0; r < 3; r++) {
            c->force[r] = p[r] / sim->h;
            c->velocity[r] = u[r];
        }
        double pull = hypot(p[1], p[2]), most = c->mu * p[0];
        c->friction_used = most > 0 ? pull / most : 0;
        c->state = !(p[0] > 0)                ? TACT_CONTACT_OPEN
                   : hypot(u[1], u[2]) > 1e-9 ? TACT_CONTACT_SLIDE
                                              : TACT_CONTACT_STICK;
    }
}

static void add_report(TactSimReport *report, const TactContactReport *solved)
{
    report->islands++;
    report->certified += solved->outcome == TACT_CONTACT_SOLVED;
    report->error = fmax(report->error, solved->certificate.error);
    report->redundant_rows += solved->redundant_rows;
    report->pivots += solved->pivots;
}

TactStatus tact_sim_solve_island(TactSim *sim, int index, TactSolveKind kind, double *v,
                                 TactSimReport *report)
{
    const TactSimIsland *island = &sim->islands.islands[index];
    TactProblemArrays   *a = &sim->arrays;
    TACT_TRY(prepare_arrays(a, island));
    fill_dofs(sim, island, kind);
    fill_contacts(sim, island, kind);
    fill_rows(sim, island);

    TactContactProblem problem = {
        .step = kind == TACT_SOLVE_MOTION ? sim->h : 1,
        .nv = island->dof_count,
        .M = a->M,
        .parent = a->parent,
        .v = a->v,
        .tau = a->tau,
        .contact_count = island->contact_count,
        .contacts = a->contacts,
        .row_count = island->row_count,
        .rows = a->rows,
    };
    TactContactAnswer answer = {a->impulse, a->row_impulse, a->velocity, a->u};
    TactContactReport solved;
    int               tree = sim->islands.trees[island->first_tree];
    TactSimSolver *slot = kind == TACT_SOLVE_MOTION ? &sim->solvers[tree] : &sim->correctors[tree];
    TACT_TRY(prepare_solver(sim, slot, &problem, kind));
    double start = tact_time_now();
    TACT_TRY(tact_contact_solve(slot->solver, &problem, &answer, &solved));
    report->solve_time += tact_time_now() - start;

    for (int i = 0; i < island->dof_count; i++) {
        v[a->dofs[i]] = a->velocity[i];
    }
    if (kind == TACT_SOLVE_MOTION) {
        tell_contacts(sim, island);
        add_report(report, &solved);
    }
    return TACT_OK;
}
