// A dense tableau, basic = q' + M' non-basic, as the paper prints it.
#include "bench/yamane/papers_tableau.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_ERROR = 1e-3; // e_max of the paper

enum { PIVOTS_PER_UNKNOWN = 50 }; // then it goes nowhere: a cycle that rounding hides

/// Variables: w_0 .. w_(n-1), then z_0 .. z_(n-1), then the auxiliary z0.
typedef struct Tableau {
    int       n;
    double   *T;         // M', then q' in the last column              (n x (n + 2))
    int      *basic;     // variable of a row                           (n)
    int      *nonbasic;  // variable of a column                        (n + 1)
    int      *column_of; // of a variable; -1: basic                    (2 n + 1)
    double   *scale;     // z = scale z', w = w' / scale                (n)
    int      *tied;      // rows                                        (n)
    double   *value;     // of the tied rows                            (n)
    bool     *wanted;    // basic variables                             (2 n + 1)
    uint64_t *seen;      // hashes of bases                             (most)
    int       seen_count, most;
} Tableau;

static void tableau_destroy(Tableau *t)
{
    free(t->T);
    free(t->basic);
    free(t->nonbasic);
    free(t->column_of);
    free(t->scale);
    free(t->tied);
    free(t->value);
    free(t->wanted);
    free(t->seen);
}

static bool tableau_create(int n, Tableau *t)
{
    size_t rows = (size_t)n;
    *t = (Tableau){.n = n, .most = PIVOTS_PER_UNKNOWN * n};
    t->T = calloc(rows * (rows + 2), sizeof *t->T);
    t->basic = calloc(rows, sizeof *t->basic);
    t->nonbasic = calloc(rows + 1, sizeof *t->nonbasic);
    t->column_of = calloc(2 * rows + 1, sizeof *t->column_of);
    t->scale = calloc(rows, sizeof *t->scale);
    t->tied = calloc(rows, sizeof *t->tied);
    t->value = calloc(rows, sizeof *t->value);
    t->wanted = calloc(2 * rows + 1, sizeof *t->wanted);
    t->seen = calloc((size_t)t->most + 1, sizeof *t->seen);
    return t->T && t->basic && t->nonbasic && t->column_of && t->scale && t->tied && t->value &&
           t->wanted && t->seen;
}

static double *row_of(const Tableau *t, int i)
{
    return t->T + (size_t)i * (size_t)(t->n + 2);
}

static double value_of(const Tableau *t, int i)
{
    return row_of(t, i)[t->n + 1];
}

static double power_of_two(double x)
{
    return x > 0 ? exp2(floor(log2(x))) : 1;
}

/// The first `n` unknowns of the LCP: all of it, or its normals.
static void load(Tableau *t, const TactFrameLcp *lcp, bool equilibrated)
{
    int n = t->n;
    for (int i = 0; i < n; i++) {
        double d = lcp->M[(size_t)i * (size_t)lcp->n + (size_t)i];
        // Of a lambda: the inverse of its directions' scale, so that E stays near 1.
        int phi = lcp->contacts + (i - (lcp->contacts * (lcp->directions + 1))) * lcp->directions;
        t->scale[i] = !equilibrated ? 1 : d > 0 ? 1 / power_of_two(sqrt(d)) : 1 / t->scale[phi];
    }
    for (int i = 0; i < n; i++) {
        double *row = row_of(t, i);
        for (int j = 0; j < n; j++) {
            row[j] = t->scale[i] * lcp->M[(size_t)i * (size_t)lcp->n + (size_t)j] * t->scale[j];
        }
        row[n] = 0;
        row[n + 1] = t->scale[i] * lcp->q[i];
        t->basic[i] = i;
        t->nonbasic[i] = n + i;
        t->column_of[i] = -1;
        t->column_of[n + i] = i;
    }
    t->nonbasic[n] = 2 * n;
    t->column_of[2 * n] = n;
    t->seen_count = 0;
}

/// Exchanges the basic variable of row r and the non-basic one of column s.
static void exchange(Tableau *t, int r, int s)
{
    int     n = t->n;
    double *pivot_row = row_of(t, r);
    double  pivot = pivot_row[s];
    for (int j = 0; j < n + 2; j++) {
        pivot_row[j] = j == s ? 1 / pivot : -pivot_row[j] / pivot;
    }
    for (int i = 0; i < n; i++) {
        double *row = row_of(t, i);
        double  factor = row[s];
        if (i == r || factor == 0) {
            continue;
        }
        for (int j = 0; j < n + 2; j++) {
            row[j] = j == s ? factor * pivot_row[s] : row[j] + factor * pivot_row[j];
        }
    }
    int leaving = t->basic[r], entering = t->nonbasic[s];
    t->basic[r] = entering;
    t->nonbasic[s] = leaving;
    t->column_of[entering] = -1;
    t->column_of[leaving] = s;
}

/// Notes the basis. false: it was there before.
static bool note(Tableau *t)
{
    uint64_t hash = 0;
    for (int i = 0; i < t->n; i++) { // a sum of mixed numbers: no order
        uint64_t x = (uint64_t)t->basic[i] + 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        hash += x ^ (x >> 31);
    }
    for (int k = 0; k < t->seen_count; k++) {
        if (t->seen[k] == hash) {
            return false;
        }
    }
    t->seen[t->seen_count++] = hash;
    return true;
}

/// The tableau of the start: M, active normals in the basis, z0 with a covering vector of ones.
static void set_start(Tableau *t, const TactFrameLcp *lcp, bool equilibrated, const bool *active)
{
    load(t, lcp, equilibrated);
    for (int i = 0; i < lcp->contacts && active; i++) {
        if (active[i]) { // a_i for w_i
            exchange(t, i, i);
        }
    }
    for (int i = 0; i < t->n; i++) {
        row_of(t, i)[t->n] = 1;
    }
}

/// The best pivot that brings the tableau nearer to a basis; false: it is there.
static bool find_exchange(const Tableau *t, const bool *wanted, int *r, int *s)
{
    double largest = 0;
    for (int i = 0; i < t->n; i++) {
        for (int j = 0; j <= t->n && !wanted[t->basic[i]]; j++) {
            if (wanted[t->nonbasic[j]] && fabs(row_of(t, i)[j]) > largest) {
                largest = fabs(row_of(t, i)[j]);
                *r = i;
                *s = j;
            }
        }
    }
    return largest > 0;
}

/// The same basis, from M: what rounding has done on the way is forgotten. false: it is singular.
static bool renew(Tableau *t, const TactFrameLcp *lcp, bool equilibrated, const bool *active)
{
    int   r = 0, s = 0, seen = t->seen_count;
    bool *wanted = t->wanted;
    memset(wanted, 0, (size_t)(2 * t->n + 1) * sizeof *wanted);
    for (int i = 0; i < t->n; i++) {
        wanted[t->basic[i]] = true;
    }
    set_start(t, lcp, equilibrated, active);
    t->seen_count = seen;
    while (find_exchange(t, wanted, &r, &s)) {
        exchange(t, r, s);
    }
    bool there = true;
    for (int i = 0; i < t->n; i++) {
        there = there && wanted[t->basic[i]];
    }
    return there;
}

// ---------------------------------------------------------------------------------------------
// The ratio test

/// Keeps of the tied rows those within the threshold of the least ratio; best: the least one.
/// numerator of row i: value[i].
static int keep_least(const Tableau *t, int s, double threshold, const double *value, int count,
                      int *best)
{
    double least = HUGE_VAL;
    int    kept = 0;
    for (int k = 0; k < count; k++) {
        double ratio = value[k] / -row_of(t, t->tied[k])[s];
        if (ratio < least) {
            least = ratio;
            *best = t->tied[k];
        }
    }
    for (int k = 0; k < count; k++) {
        if (value[k] / -row_of(t, t->tied[k])[s] <= least + threshold) {
            t->tied[kept++] = t->tied[k];
        }
    }
    return kept;
}

static int row_of_z0(const Tableau *t, int count)
{
    for (int k = 0; k < count; k++) {
        if (t->basic[t->tied[k]] == 2 * t->n) {
            return t->tied[k];
        }
    }
    return -1;
}

/// Entries of B^-1 in column j, of the tied rows: minus those of M' at a non-basic w_j.
static void read_column(const Tableau *t, int j, int count, double *value)
{
    int s = t->column_of[j];
    for (int k = 0; k < count; k++) {
        int i = t->tied[k];
        value[k] = s >= 0 ? -row_of(t, i)[s] : t->basic[i] == j ? 1 : 0;
    }
}

/// Row that leaves for column s, -1: nothing blocks.
static int choose(Tableau *t, const TactTableauRule *rule, int s)
{
    double *value = t->value;
    int     count = 0, best = -1;
    double  largest = 0;
    for (int i = 0; i < t->n; i++) {
        largest = fmax(largest, fabs(row_of(t, i)[s]));
    }
    for (int i = 0; i < t->n; i++) {
        if (row_of(t, i)[s] < -rule->least_pivot * largest) {
            value[count] = value_of(t, i);
            t->tied[count++] = i;
        }
    }
    double threshold = rule->lexicographic ? rule->threshold : 0;
    count = keep_least(t, s, threshold, value, count, &best);
    int z0 = row_of_z0(t, count);
    if (z0 >= 0 && (rule->lexicographic || rule->z0_first)) {
        return z0;
    }
    for (int j = 0; j < t->n && count > 1 && rule->lexicographic; j++) {
        read_column(t, j, count, value);
        count = keep_least(t, s, threshold, value, count, &best);
    }
    if (count > 1 && rule->lexicographic) {
        return best;
    }
    return count > 0 ? t->tied[0] : -1; // rows are in order: the least index
}

// ---------------------------------------------------------------------------------------------
// Steps 0 to 2

static int complement(const Tableau *t, int variable)
{
    return variable < t->n ? variable + t->n : variable - t->n;
}

/// Steps 0 to 2 [Yamane, II-A; step 1 corrected: Y1] from the start with these normals.
static TactTableauOutcome follow(Tableau *t, const TactFrameLcp *lcp, const TactTableauRule *rule,
                                 const bool *active, double *pivots)
{
    int n = t->n, row = 0;
    set_start(t, lcp, rule->equilibrated, active);
    for (int i = 0; i < n; i++) {
        row = value_of(t, i) < value_of(t, row) ? i : row;
    }
    if (value_of(t, row) >= 0) {
        return TACT_TABLEAU_SOLVED;
    }
    int column = n; // z0
    for (int k = 0; k < t->most; k++) {
        int leaving = t->basic[row];
        exchange(t, row, column);
        *pivots += 1;
        if (rule->renewed && !renew(t, lcp, rule->equilibrated, active)) {
            return TACT_TABLEAU_ERROR;
        }
        if (leaving == 2 * n) {
            return TACT_TABLEAU_SOLVED;
        }
        if (!note(t)) {
            return TACT_TABLEAU_CYCLE;
        }
        column = t->column_of[complement(t, leaving)];
        row = choose(t, rule, column);
        if (row < 0) {
            return TACT_TABLEAU_NO_SOLUTION;
        }
    }
    return TACT_TABLEAU_CYCLE;
}

/// Values in the units of the LCP, and their error by the paper's rule.
static TactTableauOutcome judge(const Tableau *t, const TactFrameLcp *lcp, double *z)
{
    int    n = t->n;
    double sum = 0, least = 0;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = 0; i < n; i++) {
        if (t->basic[i] >= n && t->basic[i] < 2 * n) {
            int j = t->basic[i] - n;
            z[j] = t->scale[j] * value_of(t, i);
            least = fmin(least, z[j]);
        }
    }
    for (int i = 0; i < n; i++) {
        double w = lcp->q[i];
        for (int j = 0; j < n; j++) {
            w += lcp->M[(size_t)i * (size_t)lcp->n + (size_t)j] * z[j];
        }
        sum += t->column_of[i] >= 0 ? w * w : 0;               // non-basic: 0
        least = t->column_of[i] >= 0 ? least : fmin(least, w); // basic
    }
    return sqrt(sum) <= MOST_ERROR && least >= -MOST_ERROR ? TACT_TABLEAU_SOLVED
                                                           : TACT_TABLEAU_ERROR;
}

/// The first step: normals that are active without friction. false: it fails.
static bool find_active(const TactFrameLcp *lcp, const TactTableauRule *rule, double *z,
                        bool *active, double *pivots)
{
    Tableau normals;
    bool    solved = tableau_create(lcp->contacts, &normals) &&
                  follow(&normals, lcp, rule, NULL, pivots) == TACT_TABLEAU_SOLVED &&
                  judge(&normals, lcp, z) == TACT_TABLEAU_SOLVED;
    for (int i = 0; i < lcp->contacts && solved; i++) {
        active[i] = normals.column_of[lcp->contacts + i] < 0;
    }
    tableau_destroy(&normals);
    return solved;
}

TactStatus tact_tableau_solve(const TactFrameLcp *lcp, const TactTableauRule *rule, double *z,
                              double *pivots, bool *close, TactTableauOutcome *outcome)
{
    Tableau tableau;
    bool   *active = calloc((size_t)lcp->contacts + 1, sizeof *active);
    bool    made = tableau_create(lcp->n, &tableau) && active;
    if (made) {
        bool two_steps = !rule->cold && find_active(lcp, rule, z, active, pivots);
        *outcome = follow(&tableau, lcp, rule, two_steps ? active : NULL, pivots);
        TactTableauOutcome judged = judge(&tableau, lcp, z);
        *close = judged == TACT_TABLEAU_SOLVED;
        *outcome = *outcome == TACT_TABLEAU_SOLVED ? judged : *outcome;
    }
    tableau_destroy(&tableau);
    free(active);
    return made ? TACT_OK : TACT_NO_MEMORY;
}
