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

#include "lcp/lemke.h"

static const double SMALL_PIVOT = 1e-5;

enum { LEX_ROWS = 64 }; // tied rows kept at once; among more than these the largest pivots stay

/// b_i: of a basic variable, spread over all n columns.
static void lex_row(TactPivot *pivot, int variable, double *b)
{
    int n = pivot->n;
    memset(b, 0, (size_t)n * sizeof(double));
    if (variable > n) {
        int i = variable - n - 1;
        tact_pivot_row_product(pivot, i);
        b[i] = 1;
        for (int r = 0; r < pivot->k; r++) {
            b[pivot->row[r]] = -pivot->product[r];
        }
    } else {
        int c = pivot->col_place[variable];
        for (int r = 0; r < pivot->k; r++) {
            b[pivot->row[r]] = -pivot->inverse[(size_t)r * pivot->ld + (size_t)c];
        }
    }
}

typedef struct Ratios {
    double         sign; // +1 while z0 enters, -1 after
    TactLemkePhase phase;
    double         pivot_tol;
    double         lex_tol;
    double         limit; // largest ratio that counts as the least
} Ratios;

/// (value + slack) / (sign * rate), infinity where the variable does not block.
static double ratio_of(const Ratios *ratios, double value, double rate, double slack)
{
    rate *= ratios->sign;
    if (!(rate > ratios->pivot_tol)) {
        return HUGE_VAL;
    }
    return ((ratios->phase == TACT_LEMKE_DRIVE ? fmax(value, 0) : value) + slack) / rate;
}

/// min_i (q'_i + Delta) / -m'_i: up to this step no value falls below -Delta.
static double least_ratio(const TactPivot *pivot, const Ratios *ratios)
{
    double least = HUGE_VAL;
    for (int c = 0; c < pivot->k; c++) {
        if (!pivot->is_free[pivot->col[c]]) {
            least = fmin(least, ratio_of(ratios, pivot->z[c], pivot->dz[c], ratios->lex_tol));
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        least = fmin(least, ratio_of(ratios, pivot->w[i], pivot->dw[i], ratios->lex_tol));
    }
    return least;
}

/// Lists the variables whose ratio is at most ratios->limit, z0 alone if it is among them.
/// Returns how many.
static int list_ties(TactLemke *lemke, const Ratios *ratios)
{
    const TactPivot *pivot = &lemke->pivot;
    int              count = 0;
    for (int c = 0; c < pivot->k; c++) {
        double ratio = ratio_of(ratios, pivot->z[c], pivot->dz[c], 0);
        if (!pivot->is_free[pivot->col[c]] && ratio <= ratios->limit) {
            lemke->tied[count++] = pivot->col[c];
            if (pivot->col[c] == pivot->n) { // z0 leaves at once
                lemke->tied[0] = pivot->n;
                return 1;
            }
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        if (ratio_of(ratios, pivot->w[i], pivot->dw[i], 0) <= ratios->limit) {
            lemke->tied[count++] = pivot->n + 1 + i;
        }
    }
    return count;
}

/// Drops ties whose pivot is SMALL_PIVOT times the largest or less, and all but the LEX_ROWS
/// largest; the others keep their order.
static int drop_small_pivots(TactLemke *lemke, int count)
{
    const TactPivot *pivot = &lemke->pivot;
    double           largest = 0;
    for (int t = 0; t < count; t++) {
        largest = fmax(largest, fabs(tact_pivot_rate(pivot, lemke->tied[t])));
    }
    int kept = 0;
    for (int t = 0; t < count; t++) {
        if (fabs(tact_pivot_rate(pivot, lemke->tied[t])) > SMALL_PIVOT * largest) {
            lemke->tied[kept++] = lemke->tied[t];
        }
    }
    while (kept > lemke->lex_rows) {
        int smallest = 0;
        for (int t = 1; t < kept; t++) {
            if (fabs(tact_pivot_rate(pivot, lemke->tied[t])) <
                fabs(tact_pivot_rate(pivot, lemke->tied[smallest]))) {
                smallest = t;
            }
        }
        memmove(lemke->tied + smallest, lemke->tied + smallest + 1,
                (size_t)(kept - smallest - 1) * sizeof(int));
        kept--;
    }
    return kept;
}

/// One lexicographic test: keeps those of the rows `alive` whose entry over rate is the least, by
/// the same threshold. best: the row of the least.
static int test_column(const TactLemke *lemke, size_t j, double lex_tol, const double *rate,
                       int *alive, int count, int *best)
{
    size_t n = (size_t)lemke->pivot.n;
    double least = HUGE_VAL;
    double limit = HUGE_VAL;
    for (int a = 0; a < count; a++) {
        double entry = lemke->tied_row[(size_t)alive[a] * n + j];
        double slack = lex_tol * fmax(1, fabs(entry));
        limit = fmin(limit, (entry + slack) / rate[alive[a]]);
        if (entry / rate[alive[a]] < least) {
            least = entry / rate[alive[a]];
            *best = alive[a];
        }
    }
    int kept = 0;
    for (int a = 0; a < count; a++) {
        if (lemke->tied_row[(size_t)alive[a] * n + j] / rate[alive[a]] <= limit) {
            alive[kept++] = alive[a];
        }
    }
    return kept;
}

/// Column by column of B^-1 until one tied variable is left; the last test's least value decides
/// among those that stay tied to the end. The rows of free variables are equations and have no
/// part in the perturbation: without their columns b is the unit matrix at the start.
static int resolve_ties(TactLemke *lemke, const Ratios *ratios, int count)
{
    TactPivot *pivot = &lemke->pivot;
    int        alive[LEX_ROWS];
    double     rate[LEX_ROWS];
    count = drop_small_pivots(lemke, count);
    for (int t = 0; t < count; t++) {
        alive[t] = t;
        rate[t] = ratios->sign * tact_pivot_rate(pivot, lemke->tied[t]);
        if (count > 1) {
            lex_row(pivot, lemke->tied[t], lemke->tied_row + (size_t)t * (size_t)pivot->n);
        }
    }
    int best = 0;
    for (size_t j = 0; j < (size_t)pivot->n && count > 1; j++) {
        if (!pivot->is_free[j]) {
            count = test_column(lemke, j, ratios->lex_tol, rate, alive, count, &best);
        }
    }
    return lemke->tied[count == 1 ? alive[0] : best];
}

static int lexicographic_test(TactLemke *lemke, const TactLcpConfig *config, TactLemkePhase phase,
                              double *step)
{
    const TactPivot *pivot = &lemke->pivot;
    Ratios           ratios = {
                  .sign = phase == TACT_LEMKE_ENTER ? 1 : -1,
                  .phase = phase,
                  .pivot_tol = tact_lemke_smallest_rate(pivot, config, phase),
                  .lex_tol = config->lex_tol,
    };
    ratios.limit = least_ratio(pivot, &ratios);
    if (ratios.limit == HUGE_VAL) {
        return -1;
    }
    int    count = list_ties(lemke, &ratios);
    int    leaving = count == 1 ? lemke->tied[0] : resolve_ties(lemke, &ratios, count);
    double ratio =
        ratio_of(&ratios, tact_pivot_value(pivot, leaving), tact_pivot_rate(pivot, leaving), 0);
    *step = phase == TACT_LEMKE_ENTER ? -ratio : ratio;
    return leaving;
}

static void layout(TactLcpSolver *solver, TactArena *arena)
{
    tact_lemke_layout(solver, arena, LEX_ROWS);
}

static TactLcpOutcome run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                          TactLcpReport *report)
{
    return tact_lemke_run(solver, problem, z, report, lexicographic_test);
}

const TactLcpMethodEntry tact_lcp_lemke_lex = {
    .info =
        {
            .name = "lemke-lex",
            .source = "Cottle, Pang, Stone 4.9; Yamane and Nakamura, V-A",
            .guarantee = "copositive-plus M with a feasible problem, contact problems among them",
            .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
        },
    .layout = layout,
    .run = run,
};
