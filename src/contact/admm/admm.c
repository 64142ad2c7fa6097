#include "contact/admm/admm.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

// Iterations between two errors: first, and then this part more.
enum { FIRST_JUDGED = 2 };
static const double LATER = 0.05;

void tact_admm_layout(TactAdmm *admm, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t   items = capacity->blocks > 0 ? (size_t)capacity->contacts : 0;
    TactAdmm lent = {
        .x = tact_arena_take(arena, 3 * items, sizeof(double)),
        .z = tact_arena_take(arena, 3 * items, sizeof(double)),
        .xi = tact_arena_take(arena, 3 * items, sizeof(double)),
        .u = tact_arena_take(arena, 3 * items, sizeof(double)),
        .scale = tact_arena_take(arena, items, sizeof(double)),
        .slack = tact_arena_take(arena, items, sizeof(double)),
        .best = tact_arena_take(arena, 3 * items, sizeof(double)),
    };
    if (arena->block) {
        *admm = lent;
    }
}

static double slack_of(const TactAdmm *admm, int i, const double u_t[2])
{
    const TactCoupling *coupling = &admm->newton->coupling;
    return coupling->system->items[i].mu * tact_pyramid_support(&coupling->cones[i], u_t);
}

/// xi and slacks from the velocities of z.
static void set_duals(TactAdmm *admm)
{
    const TactCoupling *coupling = &admm->newton->coupling;
    tact_coupling_move(&admm->newton->coupling, admm->z, admm->u);
    for (int i = 0; i < coupling->system->item_count; i++) {
        double  k = admm->rho * coupling->weight[i];
        double *u = admm->u + 3 * i, *xi = admm->xi + 3 * i;
        admm->slack[i] = slack_of(admm, i, u + 1);
        // -k xi lies in the dual cone: what of u does not is left out.
        double y[3] = {-(u[0] + admm->slack[i]) / k, -u[1] / k, -u[2] / k}, in[3];
        tact_pyramid_project(&coupling->cones[i], y, in, NULL);
        for (int c = 0; c < 3; c++) {
            xi[c] = y[c] - in[c];
        }
    }
}

void tact_admm_begin(TactAdmm *admm, TactNewton *newton, double rho, const double *p)
{
    size_t n = 3 * (size_t)newton->coupling.system->item_count;
    admm->newton = newton;
    admm->rho = rho;
    admm->best_error = HUGE_VAL;
    admm->work = 0.1 * newton->work; // of the solves, which are a small part of a factor
    memcpy(admm->z, p, n * sizeof(double));
    memcpy(admm->best, p, n * sizeof(double));
    set_duals(admm);
}

// ---------------------------------------------------------------------------------------------
// The factor of W + K

static void write_block(const void *context, size_t k, int i, int j, double *block)
{
    const TactAdmm     *admm = context;
    const TactCoupling *coupling = &admm->newton->coupling;
    if (i == j) {
        for (int e = 0; e < 9; e++) {
            block[e / 3 * TACT_FRONT_ROWS + e % 3] = coupling->own[i].W[e];
        }
        for (int c = 0; c < 3; c++) {
            block[c * (TACT_FRONT_ROWS + 1)] += admm->rho * coupling->weight[i];
        }
        return;
    }
    const double *W = coupling->blocks[k - (size_t)i - (j > i)].W;
    for (int e = 0; e < 9; e++) {
        block[e / 3 * TACT_FRONT_ROWS + e % 3] = W[4 * (e % 3) + e / 3];
    }
}

static bool factor_springs(TactAdmm *admm)
{
    TactNewton *newton = admm->newton;
    for (int i = 0; i < newton->coupling.system->item_count; i++) {
        newton->sizes[i] = 3;
    }
    TactFrontValues values = {write_block, admm, newton->sizes};
    return !tact_budget_spend(newton->work) && tact_newton_factor_sparse(newton, &values);
}

// ---------------------------------------------------------------------------------------------
// Iterations

static void iterate(TactAdmm *admm)
{
    const TactCoupling *coupling = &admm->newton->coupling;
    const TactSystem   *system = coupling->system;
    for (int i = 0; i < 3 * system->item_count; i++) {
        double k = admm->rho * coupling->weight[i / 3];
        double s = i % 3 == 0 ? admm->slack[i / 3] : 0;
        admm->x[i] = k * (admm->z[i] - admm->xi[i]) - (system->b[i] + s);
    }
    tact_fronts_solve(admm->newton->fronts, admm->x, admm->newton->threads);
    for (int i = 0; i < system->item_count; i++) {
        double  k = admm->rho * coupling->weight[i];
        double *x = admm->x + 3 * i, *z = admm->z + 3 * i, *xi = admm->xi + 3 * i;
        double  y[3], next[3];
        for (int c = 0; c < 3; c++) {
            y[c] = x[c] + xi[c];
        }
        tact_pyramid_project(&coupling->cones[i], y, next, NULL);
        for (int c = 0; c < 3; c++) {
            xi[c] = y[c] - next[c];
            z[c] = next[c];
        }
        double u_t[2] = {-k * xi[1], -k * xi[2]};
        admm->slack[i] = slack_of(admm, i, u_t);
    }
}

/// Error of z over what may be left of it; keeps z if it is the best.
static double judge_cones(TactAdmm *admm, double tol)
{
    TactCoupling *coupling = &admm->newton->coupling;
    tact_coupling_move(coupling, admm->z, admm->u);
    tact_coupling_scales(coupling, admm->z, admm->scale);
    double error = tact_coupling_error(coupling, admm->z, admm->u, admm->scale, NULL) /
                   tact_coupling_tolerance(coupling, admm->scale, tol);
    if (error < admm->best_error) {
        admm->best_error = error;
        memcpy(admm->best, admm->z, 3 * (size_t)coupling->system->item_count * sizeof(double));
    }
    return error;
}

bool tact_admm_run(TactAdmm *admm, int most, double tol, double *p, int *iterations)
{
    size_t n = 3 * (size_t)admm->newton->coupling.system->item_count;
    bool   solved = false;
    int    judged = 0;
    if (!factor_springs(admm)) {
        return false;
    }
    for (int k = 1; k <= most && !solved && !tact_budget_spend(admm->work); k++) {
        iterate(admm);
        (*iterations)++;
        if (k == most || k - judged >= FIRST_JUDGED + (int)(LATER * k)) {
            judged = k;
            solved = judge_cones(admm, tol) <= 1;
        }
    }
    memcpy(p, admm->best, n * sizeof(double));
    return solved;
}
