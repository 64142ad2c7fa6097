// `lemke-lex`: Lemke's algorithm with the lexicographic ratio test [Cottle, Pang, Stone 1992, 4.9].
//
// q is thought of as q + (e, e^2, e^3, ...) for a vanishing e > 0. A basic variable is then
//
//     y_i = q'_i + sum_j b_ij e^j,    b = B^-1,
//
// and no two ratios are equal. Rows of B^-1 [Lloyd04, eq. 14, corrected: L4], with w_j = q_j + ...:
// b_ij = -(K^-1)_ij for a basic z, -(M_(i,col) K^-1)_j for a basic w_i, at the non-basic w_j; and 1
// at j = i for a basic w_i. Ratios closer than the threshold Delta are ties, resolved by the next
// column; z0 leaves at once when tied [Yamane, V-A].
#include <math.h>
#include <string.h>

#include "lcp/pivot/lemke.h"
#include "linalg/vector.h"

static const double SMALL_PIVOT = 1e-5;

enum { LEX_ROWS = 64 }; // tied rows kept at once; among more than these the largest pivots stay

/// A tied basic variable.
typedef struct Tied {
    int           variable;
    int           col;  // its place, if it is a z; -1: a w
    double        rate; // its size
    const double *row;  // M_(i,col), if it is w_i                      (k)
} Tied;

static double rate_of(const TactPivot *pivot, int variable)
{
    return fabs(tact_pivot_rate(pivot, variable));
}

/// Drops ties whose pivot is SMALL_PIVOT times the largest or less, and all but the LEX_ROWS
/// largest; the others keep their order.
static int drop_small_pivots(TactPivot *pivot, int count)
{
    int   *list = pivot->list;
    double largest = 0;
    for (int t = 0; t < count; t++) {
        largest = fmax(largest, rate_of(pivot, list[t]));
    }
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (rate_of(pivot, list[t]) > SMALL_PIVOT * largest) {
            list[kept++] = list[t];
        }
    }
    while (kept > LEX_ROWS) {
        int smallest = 0;
        for (int t = 1; t < kept; t++) {
            if (rate_of(pivot, list[t]) < rate_of(pivot, list[smallest])) {
                smallest = t;
            }
        }
        memmove(list + smallest, list + smallest + 1, (size_t)(kept - smallest - 1) * sizeof(int));
        kept--;
    }
    return kept;
}

/// What entries of B^-1 of the listed variables need.
static void prepare_tied(TactLemke *lemke, int count, Tied *tied)
{
    const TactPivot *pivot = &lemke->pivot;
    for (int t = 0; t < count; t++) {
        int     variable = pivot->list[t];
        double *row = lemke->tied_row + (size_t)t * (size_t)(pivot->n + 1);
        tied[t] = (Tied){.variable = variable, .rate = rate_of(pivot, variable), .row = row};
        tied[t].col = variable > pivot->n ? -1 : pivot->col_place[variable];
        if (variable > pivot->n) {
            tact_pivot_gather_row(pivot, variable - pivot->n - 1, row);
        }
    }
}

/// b_tj at a non-basic w_j, whose place is r.
static double entry_at(const TactPivot *pivot, const Tied *tied, int r)
{
    const double *inverse = tact_pivot_inverse_row(pivot, r);
    return tied->col >= 0 ? -inverse[tied->col] : -tact_vec_dot(pivot->k, inverse, tied->row);
}

/// One lexicographic test, at a non-basic w_j: keeps those whose entry over rate is the least, by
/// the same threshold. best: the least. Returns how many.
static int test_column(const TactPivot *pivot, int r, double lex_tol, Tied *tied, int count,
                       int *best)
{
    double ratio[LEX_ROWS];
    double least = HUGE_VAL;
    double limit = HUGE_VAL;
    for (int t = 0; t < count; t++) {
        double entry = entry_at(pivot, &tied[t], r);
        double slack = lex_tol * fmax(1, fabs(entry));
        ratio[t] = entry / tied[t].rate;
        limit = fmin(limit, (entry + slack) / tied[t].rate);
        if (ratio[t] < least) {
            least = ratio[t];
            *best = tied[t].variable;
        }
    }
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (ratio[t] <= limit) {
            tied[kept++] = tied[t];
        }
    }
    return kept;
}

/// The same at a basic w_j, whose column of B^-1 has a 1 in its own row and 0 elsewhere: if w_j is
/// among the tied ones its entry is the only one above 0.
static int drop_variable(Tied *tied, int count, int variable)
{
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (tied[t].variable != variable) {
            tied[kept++] = tied[t];
        }
    }
    return kept;
}

/// Column by column of B^-1 until one tied variable is left; the last test's least value decides
/// among those that stay tied to the end. The rows of free variables are equations and have no
/// part in the perturbation: without their columns b is the unit matrix at the start.
static int choose_lexicographically(TactLemke *lemke, const TactLemkeRule *rule, int count)
{
    TactPivot *pivot = &lemke->pivot;
    Tied       tied[LEX_ROWS];
    count = drop_small_pivots(pivot, count);
    prepare_tied(lemke, count, tied);
    int best = pivot->list[0];
    for (int j = 0; j < pivot->n && count > 1; j++) {
        if (pivot->is_free[j]) {
            continue;
        }
        if (pivot->row_place[j] >= 0) {
            count = test_column(pivot, pivot->row_place[j], rule->threshold, tied, count, &best);
        } else {
            count = drop_variable(tied, count, pivot->n + 1 + j);
        }
    }
    return count > 1 ? best : tied[0].variable;
}

static void lemke_lex_layout(TactLcpSolver *solver, TactArena *arena)
{
    tact_lemke_layout(solver, arena, LEX_ROWS);
}

static TactLcpOutcome lemke_lex_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                    TactLcpReport *report)
{
    TactLemkeRule rule = {.threshold = solver->config.lex_tol, .choose = choose_lexicographically};
    return tact_lemke_run(solver, problem, z, report, &rule);
}

/// The threshold is one for all rows: where one q_i is far larger than others, it hides these.
static TactLcpOutcome run_finer(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                TactLcpReport *report)
{
    TactLemkeRule rule = {.threshold = 0, .choose = choose_lexicographically};
    return tact_lemke_run(solver, problem, z, report, &rule);
}

const TactLcpMethodEntry tact_lcp_lemke_lex = {
    .info =
        {
            .name = "lemke-lex",
            .source = "Cottle, Pang, Stone 4.9; Yamane and Nakamura, V-A",
            .guarantee = "copositive-plus M with a feasible problem, contact problems among them",
            .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
        },
    .layout = lemke_lex_layout,
    .run = lemke_lex_run,
    .run_finer = run_finer,
};
