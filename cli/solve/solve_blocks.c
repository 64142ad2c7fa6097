// A sparse LCP in blocks: unknowns that no entry of M couples are LCPs of their own, and a small
// one needs no large matrix.
#include <stdlib.h>
#include <string.h>

#include "cli/solve/solve.h"

enum { MOST_OF_A_BLOCK = 2000 };

typedef struct Blocks {
    int            n;
    int           *first; // of the chain of a block, or the block's own root     (n)
    int           *order; // unknowns, block after block                          (n)
    int           *place; // of an unknown in its block                           (n)
    int            count; //
    int           *start; // of a block in order                                  (count + 1)
    int            most;  // unknowns of the largest
    double        *dense; // M q lo hi z of a block               (most^2 + 4 most)
    TactLcpProblem problem;
} Blocks;

static int root_of(Blocks *blocks, int i)
{
    while (blocks->first[i] != i) {
        blocks->first[i] = blocks->first[blocks->first[i]];
        i = blocks->first[i];
    }
    return i;
}

static void join(Blocks *blocks, int i, int j)
{
    int a = root_of(blocks, i), b = root_of(blocks, j);
    blocks->first[a > b ? a : b] = a > b ? b : a;
}

/// Which unknowns belong together, and the order by blocks.
static void find_blocks(Blocks *blocks)
{
    const TactLcpCsr *M = blocks->problem.M_csr;
    for (int i = 0; i < blocks->n; i++) {
        blocks->first[i] = i;
    }
    for (int i = 0; i < blocks->n; i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            join(blocks, i, M->column[k]);
        }
    }
    // Counted by root, then placed.
    int *size = blocks->start;
    memset(size, 0, ((size_t)blocks->n + 1) * sizeof *size);
    for (int i = 0; i < blocks->n; i++) {
        int root = root_of(blocks, i);
        blocks->place[i] = size[root]++;
        blocks->most = size[root] > blocks->most ? size[root] : blocks->most;
    }
    int at = 0;
    for (int i = 0; i < blocks->n; i++) {
        if (blocks->first[i] == i) {
            int count = size[i];
            blocks->start[i] = at;
            at += count;
        }
    }
    for (int i = 0; i < blocks->n; i++) {
        blocks->order[blocks->start[root_of(blocks, i)] + blocks->place[i]] = i;
    }
    // Roots come in ascending order, so their starts do.
    for (int i = 0; i < blocks->n; i++) {
        if (blocks->first[i] == i) {
            blocks->start[blocks->count++] = blocks->start[i];
        }
    }
    blocks->start[blocks->count] = blocks->n;
}

/// Block k as a dense LCP.
static TactLcpProblem fill_block(const Blocks *blocks, int k)
{
    const TactLcpProblem *whole = &blocks->problem;
    const TactLcpCsr     *M = whole->M_csr;
    const int            *members = blocks->order + blocks->start[k];
    int                   n = blocks->start[k + 1] - blocks->start[k];
    size_t                most = (size_t)blocks->most;
    double               *q = blocks->dense + most * most, *lo = q + most, *hi = lo + most;
    memset(blocks->dense, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        int row = members[i];
        for (int e = M->row_start[row]; e < M->row_start[row + 1]; e++) {
            blocks->dense[(size_t)i * (size_t)n + (size_t)blocks->place[M->column[e]]] =
                M->value[e];
        }
        q[i] = whole->q[row];
        lo[i] = whole->lo ? whole->lo[row] : 0;
        hi[i] = whole->hi ? whole->hi[row] : 0;
    }
    return (TactLcpProblem){.n = n,
                            .M = blocks->dense,
                            .q = q,
                            .lo = whole->lo ? lo : NULL,
                            .hi = whole->hi ? hi : NULL};
}

static TactStatus solve_all(const Blocks *blocks, TactLcpSolver *solver, TactSolveResult *result)
{
    size_t         most = (size_t)blocks->most;
    double        *z = blocks->dense + most * most + 3 * most;
    TactLcpReport *report = &result->report;
    *report = (TactLcpReport){.outcome = TACT_LCP_OUTCOME_SOLVED,
                              .ended = TACT_LCP_OUTCOME_SOLVED,
                              .index = -1,
                              .reproducible = true};
    for (int k = 0; k < blocks->count; k++) {
        TactLcpProblem problem = fill_block(blocks, k);
        TactLcpReport  part;
        TactStatus     status = tact_lcp_solve(solver, &problem, z, &part);
        if (status != TACT_OK) {
            return status;
        }
        for (int i = 0; i < problem.n; i++) {
            result->z[blocks->order[blocks->start[k] + i]] = z[i];
        }
        report->pivots += part.pivots;
        report->iterations += part.iterations;
        report->refactors += part.refactors;
        report->work += part.work;
        report->reproducible = report->reproducible && part.reproducible;
        if (report->outcome == TACT_LCP_OUTCOME_SOLVED && part.outcome != TACT_LCP_OUTCOME_SOLVED) {
            report->outcome = part.outcome;
            report->ended = part.ended;
            report->index = blocks->order[blocks->start[k]];
        }
    }
    return tact_lcp_certify(&blocks->problem, result->z, &report->certificate);
}

static TactStatus run(const TactLcpConfig *config, Blocks *blocks, TactSolveResult *result)
{
    TactLcpSolver *solver = NULL;
    size_t         most = (size_t)blocks->most;
    blocks->dense = malloc((most * most + 4 * most + 1) * sizeof(double));
    if (!blocks->dense) {
        return TACT_NO_MEMORY;
    }
    double     start = tact_time_now();
    TactStatus status = tact_lcp_solver_create(blocks->most, config, &solver);
    if (status == TACT_OK) {
        status = solve_all(blocks, solver, result);
    }
    tact_lcp_solver_destroy(solver);
    result->time = tact_time_now() - start;
    result->solves = 1;
    result->blocks = blocks->count;
    // Judged as a whole: what holds of every block holds of all, and is recomputed.
    TactLcpReport *report = &result->report;
    if (status == TACT_OK && report->outcome == TACT_LCP_OUTCOME_SOLVED &&
        !(report->certificate.relative <= config->residual_tol)) {
        report->outcome = TACT_LCP_OUTCOME_UNVERIFIED;
    }
    result->solved = status == TACT_OK && report->outcome == TACT_LCP_OUTCOME_SOLVED;
    return status;
}

bool tact_solve_in_blocks(const TactLcpConfig *config, TactLcpFile *file, TactSolveResult *result,
                          TactStatus *status)
{
    Blocks blocks = {0};
    *status = tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_SPARSE, &blocks.problem);
    if (*status != TACT_OK || !blocks.problem.M_csr || blocks.problem.f_index) {
        return false;
    }
    blocks.n = blocks.problem.n;
    int *ints = malloc((4 * (size_t)blocks.n + 1) * sizeof *ints);
    if (!ints) {
        *status = TACT_NO_MEMORY;
        return false;
    }
    blocks.first = ints;
    blocks.order = ints + blocks.n;
    blocks.place = ints + 2 * (size_t)blocks.n;
    blocks.start = ints + 3 * (size_t)blocks.n;
    find_blocks(&blocks);
    bool small = blocks.count > 1 && blocks.most <= MOST_OF_A_BLOCK;
    if (small) {
        *status = run(config, &blocks, result);
    }
    free(blocks.dense);
    free(ints);
    return small && *status == TACT_OK;
}
