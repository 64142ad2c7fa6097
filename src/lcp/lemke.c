// `lemke`: Lemke's algorithm with a covering vector, least index on ties.
#include "lcp/lemke.h"

#include <limits.h>
#include <math.h>

// A basic value above this counts as not negative, equilibrated (values are of order 1).
static const double FEASIBLE = -1e-13;

int tact_lemke_max_pivots(const TactLcpConfig *config, int n)
{
    if (config->max_pivots > 0) {
        return config->max_pivots;
    }
    return n < (INT_MAX - 100) / 50 ? 50 * n + 100 : INT_MAX;
}

void tact_lemke_layout(TactLcpSolver *solver, TactArena *arena, int lex_rows)
{
    size_t     n = (size_t)solver->max_n;
    TactLemke *lemke = tact_arena_take(arena, 1, sizeof *lemke);
    TactLemke  sized = {0};
    tact_pivot_layout(&sized.pivot, solver->max_n, arena);
    size_t most = (size_t)tact_lemke_max_pivots(&solver->config, solver->max_n) + 2;
    tact_visited_layout(&sized.visited, most, arena);
    sized.tied = tact_arena_take(arena, n + 1, sizeof(int));
    sized.tied_row = tact_arena_take(arena, (size_t)lex_rows * n, sizeof(double));
    sized.lex_rows = lex_rows;
    if (arena->block) {
        *lemke = sized;
        solver->work = lemke;
    }
}

double tact_lemke_smallest_rate(const TactPivot *pivot, const TactLcpConfig *config,
                                TactLemkePhase phase)
{
    return phase == TACT_LEMKE_ENTER ? 0 : config->pivot_tol * pivot->column_size;
}

bool tact_lemke_is_feasible(const TactPivot *pivot)
{
    double least = pivot->k == 0 ? 0 : FEASIBLE;
    for (int i = 0; i < pivot->n; i++) {
        if (pivot->w[i] < least) {
            return false;
        }
    }
    for (int c = 0; c < pivot->k; c++) {
        if (pivot->z[c] < least && !pivot->is_free[pivot->col[c]]) {
            return false;
        }
    }
    return true;
}

/// Exchanges the two and notes the new basis.
static TactVisit exchange(TactLemke *lemke, int driving, int leaving, double step)
{
    tact_pivot_exchange(&lemke->pivot, driving, leaving, step);
    lemke->hash ^= tact_visited_key(driving) ^ tact_visited_key(leaving);
    return tact_visited_add(&lemke->visited, lemke->hash);
}

/// Follows the almost complementary path from the entry of z0 until z0 leaves.
static TactLcpOutcome follow_path(TactLemke *lemke, const TactLcpConfig *config,
                                  TactLcpReport *report, TactLemkeRatioTest *ratio_test)
{
    TactPivot     *pivot = &lemke->pivot;
    int            max_pivots = tact_lemke_max_pivots(config, pivot->n);
    int            driving = pivot->n; // z0
    TactLemkePhase phase = TACT_LEMKE_ENTER;
    for (;;) {
        report->index = tact_pivot_index(pivot, driving);
        if (!tact_pivot_column(pivot, driving)) {
            return TACT_LCP_SINGULAR;
        }
        double step;
        int    leaving = ratio_test(lemke, config, phase, &step);
        if (leaving < 0) {
            return TACT_LCP_RAY;
        }
        if (report->pivots >= max_pivots) {
            return TACT_LCP_LIMIT;
        }
        TactVisit visit = exchange(lemke, driving, leaving, step);
        report->pivots++;
        if (leaving == pivot->n) {
            report->index = -1;
            return TACT_LCP_SOLVED;
        }
        if (visit == TACT_VISIT_AGAIN) {
            return TACT_LCP_CYCLE;
        }
        driving = tact_pivot_complement(pivot, leaving);
        phase = TACT_LEMKE_DRIVE;
    }
}

/// Solves from the complementary basis that the kernel stands at.
static TactLcpOutcome solve_from_basis(TactLemke *lemke, const TactLcpConfig *config,
                                       TactLcpReport *report, TactLemkeRatioTest *ratio_test)
{
    TactPivot     *pivot = &lemke->pivot;
    TactLcpOutcome outcome = TACT_LCP_SOLVED;
    if (!tact_lemke_is_feasible(pivot)) {
        tact_pivot_cover(pivot, config->cover, NULL);
        lemke->hash = 0;
        outcome = follow_path(lemke, config, report, ratio_test);
        tact_visited_clear(&lemke->visited);
    }
    if (outcome == TACT_LCP_SOLVED && !tact_pivot_finish(pivot)) {
        outcome = TACT_LCP_SINGULAR;
    }
    return outcome;
}

TactLcpOutcome tact_lemke_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                              TactLcpReport *report, TactLemkeRatioTest *ratio_test)
{
    TactLemke           *lemke = solver->work;
    TactPivot           *pivot = &lemke->pivot;
    const TactLcpConfig *config = &solver->config;
    tact_pivot_load(pivot, problem);

    // What the method guarantees, it guarantees from the basis without any z.
    TactLcpOutcome outcome = TACT_LCP_SINGULAR;
    if (solver->start_basis && tact_pivot_set_basis(pivot, solver->start_basis)) {
        outcome = solve_from_basis(lemke, config, report, ratio_test);
    }
    if (outcome != TACT_LCP_SOLVED && outcome != TACT_LCP_LIMIT) {
        report->index = tact_pivot_set_start(pivot);
        outcome = report->index < 0 ? solve_from_basis(lemke, config, report, ratio_test)
                                    : TACT_LCP_SINGULAR;
    }
    tact_pivot_write(pivot, problem, z, solver->basis);
    report->refactors = pivot->refactors;
    return outcome;
}

// ---------------------------------------------------------------------------------------------
// The ratio test of `lemke`

typedef struct Best {
    int    variable;
    double ratio;
} Best;

/// Least ratio; z0 wins a tie, then the least index (a tie is an equality of floating-point
/// numbers, as in [Yamane, V-A]).
static void consider(const TactPivot *pivot, int variable, double ratio, Best *best)
{
    if (best->variable >= 0 && ratio == best->ratio) {
        if (best->variable == pivot->n ||
            (variable != pivot->n &&
             tact_pivot_index(pivot, variable) > tact_pivot_index(pivot, best->variable))) {
            return;
        }
    } else if (best->variable >= 0 && !(ratio < best->ratio)) {
        return;
    }
    *best = (Best){variable, ratio};
}

static int least_index_test(TactLemke *lemke, const TactLcpConfig *config, TactLemkePhase phase,
                            double *step)
{
    const TactPivot *pivot = &lemke->pivot;
    double           sign = phase == TACT_LEMKE_ENTER ? 1 : -1;
    double           tol = tact_lemke_smallest_rate(pivot, config, phase);
    Best             best = {-1, 0};
    for (int c = 0; c < pivot->k; c++) {
        double rate = sign * pivot->dz[c];
        if (rate > tol && !pivot->is_free[pivot->col[c]]) {
            double value = phase == TACT_LEMKE_DRIVE ? fmax(pivot->z[c], 0) : pivot->z[c];
            consider(pivot, pivot->col[c], value / rate, &best);
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        double rate = sign * pivot->dw[i];
        if (rate > tol) {
            double value = phase == TACT_LEMKE_DRIVE ? fmax(pivot->w[i], 0) : pivot->w[i];
            consider(pivot, pivot->n + 1 + i, value / rate, &best);
        }
    }
    *step = phase == TACT_LEMKE_ENTER ? -best.ratio : best.ratio;
    return best.variable;
}

static void layout(TactLcpSolver *solver, TactArena *arena)
{
    tact_lemke_layout(solver, arena, 0);
}

static TactLcpOutcome run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                          TactLcpReport *report)
{
    return tact_lemke_run(solver, problem, z, report, least_index_test);
}

const TactLcpMethodEntry tact_lcp_lemke = {
    .info =
        {
            .name = "lemke",
            .source = "Lloyd 2004, 4; Yamane and Nakamura, II-A",
            .guarantee = "copositive-plus M with a feasible problem, if no tie occurs",
            .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
        },
    .layout = layout,
    .run = run,
};
