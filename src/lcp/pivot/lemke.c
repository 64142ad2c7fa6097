// `lemke`: Lemke's algorithm with a covering vector, least index on ties.
#include "lcp/pivot/lemke.h"

#include <limits.h>
#include <math.h>

#include "base/budget.h"

// A basic value above this counts as not negative, equilibrated (values are of order 1).
static const double FEASIBLE = -1e-13;

int tact_lemke_max_pivots(const TactLcpConfig *config, int n)
{
    if (config->max_pivots > 0) {
        return config->max_pivots;
    }
    return n < (INT_MAX - 100) / 50 ? 50 * n + 100 : INT_MAX;
}

void tact_lemke_layout(TactLcpSolver *solver, TactArena *arena, int tied_rows)
{
    size_t     n = (size_t)solver->max_n;
    TactLemke *lemke = tact_arena_take(arena, 1, sizeof *lemke);
    TactLemke  sized = {0};
    tact_pivot_layout(&sized.pivot, solver->max_n, arena);
    size_t most = (size_t)tact_lemke_max_pivots(&solver->config, solver->max_n) + 2;
    tact_visited_layout(&sized.visited, most, arena);
    sized.tied_row = tact_arena_take(arena, (size_t)tied_rows * (n + 1), sizeof(double));
    if (arena->block) {
        *lemke = sized;
        solver->work = lemke;
    }
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
static TactVisit exchange_lemke(TactLemke *lemke, int driving, int leaving, double step)
{
    tact_pivot_exchange(&lemke->pivot, driving, leaving, step);
    lemke->hash ^= tact_visited_key(driving) ^ tact_visited_key(leaving);
    return tact_visited_add(&lemke->visited, lemke->hash);
}

static int choose_leaving(TactLemke *lemke, const TactLemkeRule *rule, const TactRatios *ratios)
{
    TactPivot *pivot = &lemke->pivot;
    if (tact_ratio_of_z0(pivot) <= ratios->bound) {
        return pivot->n;
    }
    int count = tact_ratios_list(pivot, ratios->bound);
    return count > 1 ? rule->choose(lemke, rule, count) : pivot->list[0];
}

/// Follows the almost complementary path from the entry of z0 until z0 leaves.
static TactLcpOutcome follow_path(TactLemke *lemke, const TactLcpConfig *config,
                                  TactLcpReport *report, const TactLemkeRule *rule)
{
    TactPivot     *pivot = &lemke->pivot;
    int            max_pivots = tact_lemke_max_pivots(config, pivot->n);
    int            driving = pivot->n; // z0
    TactRatioPhase phase = TACT_RATIO_ENTER;
    for (;;) {
        report->index = tact_pivot_index(pivot, driving);
        if (!tact_pivot_column(pivot, driving)) {
            return TACT_LCP_OUTCOME_SINGULAR;
        }
        TactRatios ratios = tact_ratios_compute(pivot, config, phase, rule->threshold);
        if (!(ratios.least < HUGE_VAL)) {
            return TACT_LCP_OUTCOME_RAY;
        }
        if (report->pivots >= max_pivots ||
            tact_budget_spend((double)pivot->n * (double)(pivot->n + 10))) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        int       leaving = choose_leaving(lemke, rule, &ratios);
        double    step = tact_ratio_step(&ratios, tact_ratio_of(pivot, leaving));
        TactVisit visit = exchange_lemke(lemke, driving, leaving, step);
        report->pivots++;
        if (leaving == pivot->n) {
            report->index = -1;
            return TACT_LCP_OUTCOME_SOLVED;
        }
        if (visit == TACT_VISIT_AGAIN) {
            return TACT_LCP_OUTCOME_CYCLE;
        }
        driving = tact_pivot_complement(pivot, leaving);
        phase = TACT_RATIO_DRIVE;
    }
}

/// Solves from the complementary basis that the kernel stands at.
static TactLcpOutcome solve_from_basis(TactLemke *lemke, const TactLcpConfig *config,
                                       TactLcpReport *report, const TactLemkeRule *rule)
{
    TactPivot     *pivot = &lemke->pivot;
    TactLcpOutcome outcome = TACT_LCP_OUTCOME_SOLVED;
    if (!tact_lemke_is_feasible(pivot)) {
        tact_pivot_cover(pivot, config->cover, NULL);
        lemke->hash = 0;
        outcome = follow_path(lemke, config, report, rule);
        tact_visited_clear(&lemke->visited);
    }
    if (outcome == TACT_LCP_OUTCOME_SOLVED && !tact_pivot_finish(pivot)) {
        outcome = TACT_LCP_OUTCOME_SINGULAR;
    }
    return outcome;
}

TactLcpOutcome tact_lemke_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                              TactLcpReport *report, const TactLemkeRule *rule)
{
    TactLemke           *lemke = solver->work;
    TactPivot           *pivot = &lemke->pivot;
    const TactLcpConfig *config = &solver->config;
    tact_pivot_load(pivot, problem);

    // What the method guarantees, it guarantees from the basis without any z.
    TactLcpOutcome outcome = TACT_LCP_OUTCOME_SINGULAR;
    if (solver->start_basis && tact_pivot_set_basis(pivot, solver->start_basis)) {
        outcome = solve_from_basis(lemke, config, report, rule);
    }
    if (outcome != TACT_LCP_OUTCOME_SOLVED && outcome != TACT_LCP_OUTCOME_LIMIT) {
        report->index = tact_pivot_set_start(pivot);
        outcome = report->index < 0 ? solve_from_basis(lemke, config, report, rule)
                                    : TACT_LCP_OUTCOME_SINGULAR;
    }
    tact_pivot_write(pivot, problem, z, solver->basis);
    report->refactors = pivot->refactors;
    return outcome;
}

// ---------------------------------------------------------------------------------------------
// The rule of `lemke`: a tie is an equality of floating-point numbers, as in [Yamane, V-A].

static int choose_least_index(TactLemke *lemke, const TactLemkeRule *rule, int count)
{
    (void)rule;
    const TactPivot *pivot = &lemke->pivot;
    int              best = pivot->list[0];
    for (int t = 1; t < count; t++) {
        if (tact_pivot_index(pivot, pivot->list[t]) < tact_pivot_index(pivot, best)) {
            best = pivot->list[t];
        }
    }
    return best;
}

static void lemke_layout(TactLcpSolver *solver, TactArena *arena)
{
    tact_lemke_layout(solver, arena, 0);
}

static TactLcpOutcome lemke_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                TactLcpReport *report)
{
    TactLemkeRule rule = {.threshold = 0, .choose = choose_least_index};
    return tact_lemke_run(solver, problem, z, report, &rule);
}

const TactLcpMethodEntry tact_lcp_lemke = {
    .info =
        {
            .name = "lemke",
            .source = "Lloyd 2004, 4; Yamane and Nakamura, II-A",
            .guarantee = "copositive-plus M with a feasible problem, if no tie occurs",
            .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
        },
    .layout = lemke_layout,
    .run = lemke_run,
};
