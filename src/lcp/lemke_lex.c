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
    double         limit; // largest ratio that still counts as the least
} Ratios;

/// value / (sign * rate), infinity where the variable does not block.
static double ratio_of(const Ratios *ratios, double tol, double value, double rate)
{
    rate *= ratios->sign;
    if (!(rate > tol)) {
        return HUGE_VAL;
    }
    return (ratios->phase == TACT_LEMKE_DRIVE ? fmax(value, 0) : value) / rate;
}

static double least_ratio(const TactPivot *pivot, const Ratios *ratios, double tol)
{
    double least = HUGE_VAL;
    for (int c = 0; c < pivot->k; c++) {
        if (!pivot->is_free[pivot->col[c]]) {
            least = fmin(least, ratio_of(ratios, tol, pivot->z[c], pivot->dz[c]));
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        least = fmin(least, ratio_of(ratios, tol, pivot->w[i], pivot->dw[i]));
    }
    return least;
}

/// Lists the variables whose ratio is at most ratios->limit. Returns how many.
static int list_ties(TactLemke *lemke, const Ratios *ratios, double tol)
{
    const TactPivot *pivot = &lemke->pivot;
    int              count = 0;
    for (int c = 0; c < pivot->k; c++) {
        if (!pivot->is_free[pivot->col[c]] &&
            ratio_of(ratios, tol, pivot->z[c], pivot->dz[c]) <= ratios->limit) {
            lemke->tied[count++] = pivot->col[c];
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        if (ratio_of(ratios, tol, pivot->w[i], pivot->dw[i]) <= ratios->limit) {
            lemke->tied[count++] = pivot->n + 1 + i;
        }
    }
    return count;
}

/// Keeps the LEX_ROWS ties with the largest pivots, in their order.
static int drop_small_pivots(TactLemke *lemke, int count)
{
    const TactPivot *pivot = &lemke->pivot;
    while (count > lemke->lex_rows) {
        int smallest = 0;
        for (int t = 1; t < count; t++) {
            if (fabs(tact_pivot_rate(pivot, lemke->tied[t])) <
                fabs(tact_pivot_rate(pivot, lemke->tied[smallest]))) {
                smallest = t;
            }
        }
        memmove(lemke->tied + smallest, lemke->tied + smallest + 1,
                (size_t)(count - smallest - 1) * sizeof(int));
        count--;
    }
    return count;
}

/// Column by column of B^-1 until one tied variable is left; the last test's least value decides
/// among those that stay tied to the end.
static int resolve_ties(TactLemke *lemke, double sign, double lex_tol, int count)
{
    TactPivot *pivot = &lemke->pivot;
    size_t     n = (size_t)pivot->n;
    count = drop_small_pivots(lemke, count);
    for (int t = 0; t < count; t++) {
        double *row = lemke->tied_row + (size_t)t * n;
        double  rate = sign * tact_pivot_rate(pivot, lemke->tied[t]);
        lex_row(pivot, lemke->tied[t], row);
        for (size_t j = 0; j < n; j++) {
            row[j] /= rate;
        }
    }
    int alive[LEX_ROWS];
    for (int t = 0; t < count; t++) {
        alive[t] = t;
    }
    int best = 0;
    for (size_t j = 0; j < n && count > 1; j++) {
        double least = HUGE_VAL;
        for (int a = 0; a < count; a++) {
            double value = lemke->tied_row[(size_t)alive[a] * n + j];
            if (value < least) {
                least = value;
                best = alive[a];
            }
        }
        double limit = least + lex_tol * fmax(1, fabs(least));
        int    kept = 0;
        for (int a = 0; a < count; a++) {
            if (lemke->tied_row[(size_t)alive[a] * n + j] <= limit) {
                alive[kept++] = alive[a];
            }
        }
        count = kept;
    }
    return lemke->tied[count == 1 ? alive[0] : best];
}

static int lexicographic_test(TactLemke *lemke, const TactLcpConfig *config, TactLemkePhase phase,
                              double *step)
{
    const TactPivot *pivot = &lemke->pivot;
    Ratios           ratios = {.sign = phase == TACT_LEMKE_ENTER ? 1 : -1, .phase = phase};
    double           tol = config->pivot_tol;
    double           least = least_ratio(pivot, &ratios, tol);
    if (least == HUGE_VAL) {
        return -1;
    }
    ratios.limit = least + config->lex_tol * fmax(1, fabs(least));
    int count = list_ties(lemke, &ratios, tol);
    int leaving = lemke->tied[0];
    for (int t = 0; t < count; t++) {
        if (lemke->tied[t] == pivot->n) { // z0 leaves at once
            leaving = pivot->n;
            count = 1;
        }
    }
    if (count > 1) {
        leaving = resolve_ties(lemke, ratios.sign, config->lex_tol, count);
    }
    double ratio =
        ratio_of(&ratios, tol, tact_pivot_value(pivot, leaving), tact_pivot_rate(pivot, leaving));
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
