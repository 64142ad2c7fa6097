// The dictionary x_B = (q' + T x_N) / D is kept in integers. A pivot p = |T_sr| gives
//
//     T_ij <- (p T_ij -+ T_ir T_sj) / D,    D <- p,
//
// where the division leaves no remainder, as in Bareiss' elimination: every entry is a minor of
// the first dictionary. Nothing is rounded, and no common divisor is ever needed.
#include "oracle/exact_lemke.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct Dictionary {
    int    n;
    int    columns; // n + 2: x_N (z at first), then z0, then q'
    mpz_t *T;       // (n x columns)
    mpz_t  D;
    int   *basic;    // variable of a row: w_i is i, z_i is n + i, z0 is 2 n   (n)
    int   *nonbasic; // variable of a column                                   (n + 1)
    mpz_t  left, right, part;
} Dictionary;

static mpz_t *at(const Dictionary *dictionary, int i, int j)
{
    return &dictionary->T[(size_t)i * (size_t)dictionary->columns + (size_t)j];
}

/// x = integer * 2^exponent, the integer odd or 0
static void split(double x, mpz_t integer, long *exponent)
{
    int    power;
    double mantissa = frexp(x, &power);
    mpz_set_d(integer, ldexp(mantissa, 53));
    *exponent = power - 53;
    if (mpz_sgn(integer) != 0) {
        mp_bitcnt_t zeros = mpz_scan1(integer, 0);
        mpz_tdiv_q_2exp(integer, integer, zeros);
        *exponent += (long)zeros;
    }
}

/// Row i of (M, 1, q) times the power of two that makes it integer; w_i is scaled along.
static void set_row(Dictionary *dictionary, const TactLcpProblem *problem, int i)
{
    int  n = dictionary->n;
    long least = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < dictionary->columns; j++) {
            double x = j < n    ? problem->M[(size_t)i * (size_t)n + (size_t)j]
                       : j == n ? 1
                                : problem->q[i];
            long   exponent;
            mpz_t *entry = at(dictionary, i, j);
            split(x, *entry, &exponent);
            if (mpz_sgn(*entry) == 0) {
                continue;
            }
            if (pass == 0) {
                least = exponent < least ? exponent : least;
            } else {
                mpz_mul_2exp(*entry, *entry, (mp_bitcnt_t)(exponent - least));
            }
        }
    }
}

static void create(Dictionary *dictionary, const TactLcpProblem *problem)
{
    int n = problem->n;
    *dictionary = (Dictionary){.n = n, .columns = n + 2};
    size_t size = (size_t)n * (size_t)dictionary->columns;
    dictionary->T = calloc(size, sizeof *dictionary->T);
    dictionary->basic = calloc((size_t)n, sizeof(int));
    dictionary->nonbasic = calloc((size_t)n + 1, sizeof(int));
    if (!dictionary->T || !dictionary->basic || !dictionary->nonbasic) {
        abort();
    }
    for (size_t k = 0; k < size; k++) {
        mpz_init(dictionary->T[k]);
    }
    mpz_init_set_ui(dictionary->D, 1);
    mpz_inits(dictionary->left, dictionary->right, dictionary->part, NULL);
    for (int i = 0; i < n; i++) {
        dictionary->basic[i] = i;
        dictionary->nonbasic[i] = n + i;
        set_row(dictionary, problem, i);
    }
    dictionary->nonbasic[n] = 2 * n;
}

static void destroy(Dictionary *dictionary)
{
    for (size_t k = 0; k < (size_t)dictionary->n * (size_t)dictionary->columns; k++) {
        mpz_clear(dictionary->T[k]);
    }
    mpz_clears(dictionary->D, dictionary->left, dictionary->right, dictionary->part, NULL);
    free(dictionary->T);
    free(dictionary->basic);
    free(dictionary->nonbasic);
}

static void pivot(Dictionary *dictionary, int s, int r)
{
    // T_sr < 0 in a ratio test, > 0 when z0 first enters; D stays positive either way.
    bool negative = mpz_sgn(*at(dictionary, s, r)) < 0;
    mpz_abs(dictionary->part, *at(dictionary, s, r));
    for (int i = 0; i < dictionary->n; i++) {
        mpz_t *factor = at(dictionary, i, r);
        for (int j = 0; i != s && j < dictionary->columns; j++) {
            mpz_t *entry = at(dictionary, i, j);
            if (j == r) {
                continue;
            }
            mpz_mul(*entry, *entry, dictionary->part);
            if (negative) {
                mpz_addmul(*entry, *factor, *at(dictionary, s, j));
            } else {
                mpz_submul(*entry, *factor, *at(dictionary, s, j));
            }
            mpz_divexact(*entry, *entry, dictionary->D);
        }
        if (i != s && negative) {
            mpz_neg(*factor, *factor);
        }
    }
    for (int j = 0; j < dictionary->columns && !negative; j++) {
        mpz_neg(*at(dictionary, s, j), *at(dictionary, s, j));
    }
    mpz_set(*at(dictionary, s, r), dictionary->D);
    if (negative) {
        mpz_neg(*at(dictionary, s, r), *at(dictionary, s, r));
    }
    mpz_set(dictionary->D, dictionary->part);
    int variable = dictionary->basic[s];
    dictionary->basic[s] = dictionary->nonbasic[r];
    dictionary->nonbasic[r] = variable;
}

/// The k-th entry of row i of (q', coefficients of eps_0, eps_1, ...), for q + (eps, eps^2, ...).
/// where[k]: column of w_k, or -1 - row
static void lexicographic_entry(const Dictionary *dictionary, const int *where, int i, int k,
                                mpz_t value)
{
    if (k == 0) {
        mpz_set(value, *at(dictionary, i, dictionary->n + 1));
    } else if (where[k - 1] >= 0) {
        mpz_neg(value, *at(dictionary, i, where[k - 1]));
    } else if (-1 - where[k - 1] == i) {
        mpz_set(value, dictionary->D);
    } else {
        mpz_set_ui(value, 0);
    }
}

/// Sign of row a's ratio minus row b's, up to the entries k < count.
static int compare_rows(Dictionary *dictionary, const int *where, int r, int a, int b, int count)
{
    for (int k = 0; k < count; k++) {
        lexicographic_entry(dictionary, where, a, k, dictionary->left);
        lexicographic_entry(dictionary, where, b, k, dictionary->right);
        mpz_abs(dictionary->part, *at(dictionary, b, r));
        mpz_mul(dictionary->left, dictionary->left, dictionary->part);
        mpz_abs(dictionary->part, *at(dictionary, a, r));
        mpz_mul(dictionary->right, dictionary->right, dictionary->part);
        int sign = mpz_cmp(dictionary->left, dictionary->right);
        if (sign != 0) {
            return sign;
        }
    }
    return 0;
}

/// The row that blocks column r; -1: none. At the first pivot every row is a candidate.
static int blocking_row(Dictionary *dictionary, int r, bool first)
{
    int *where = calloc((size_t)dictionary->n, sizeof *where);
    if (!where) {
        abort();
    }
    int n = dictionary->n, best = -1, z0 = -1;
    for (int i = 0; i < n; i++) {
        if (dictionary->basic[i] < n) {
            where[dictionary->basic[i]] = -1 - i;
        }
        if (dictionary->nonbasic[i] < n) {
            where[dictionary->nonbasic[i]] = i;
        }
    }
    if (dictionary->nonbasic[n] < n) {
        where[dictionary->nonbasic[n]] = n;
    }
    for (int i = 0; i < n; i++) {
        if (!first && mpz_sgn(*at(dictionary, i, r)) >= 0) {
            continue;
        }
        z0 = dictionary->basic[i] == 2 * n ? i : z0;
        if (best < 0 || compare_rows(dictionary, where, r, i, best, n + 1) < 0) {
            best = i;
        }
    }
    if (z0 >= 0 && compare_rows(dictionary, where, r, z0, best, 1) <= 0) {
        best = z0;
    }
    free(where);
    return best;
}

static void read_solution(const Dictionary *dictionary, double *z)
{
    int   n = dictionary->n;
    mpq_t value;
    mpq_init(value);
    for (int i = 0; i < n; i++) {
        z[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (dictionary->basic[i] >= n && dictionary->basic[i] < 2 * n) {
            mpz_set(mpq_numref(value), *at(dictionary, i, n + 1));
            mpz_set(mpq_denref(value), dictionary->D);
            mpq_canonicalize(value);
            z[dictionary->basic[i] - n] = mpq_get_d(value);
        }
    }
    mpq_clear(value);
}

TactOracleOutcome tact_oracle_lemke(const TactLcpProblem *problem, int max_pivots, double *z,
                                    int *pivots)
{
    int               n = problem->n, count = 0;
    TactOracleOutcome outcome = TACT_ORACLE_LIMIT;
    Dictionary        dictionary;
    create(&dictionary, problem);

    bool feasible = true;
    for (int i = 0; i < n; i++) {
        feasible = feasible && mpz_sgn(*at(&dictionary, i, n + 1)) >= 0;
    }
    int  entering = n;
    bool first = true;
    while (!feasible && count < max_pivots) {
        int row = blocking_row(&dictionary, entering, first);
        if (row < 0) {
            outcome = TACT_ORACLE_RAY;
            break;
        }
        int leaving = dictionary.basic[row];
        pivot(&dictionary, row, entering);
        first = false;
        count++;
        if (leaving == 2 * n) {
            feasible = true;
            break;
        }
        int complement = leaving < n ? leaving + n : leaving - n;
        for (entering = 0; dictionary.nonbasic[entering] != complement;) {
            entering++;
        }
    }
    if (feasible) {
        outcome = TACT_ORACLE_SOLVED;
        read_solution(&dictionary, z);
    }
    if (pivots) {
        *pivots = count;
    }
    destroy(&dictionary);
    return outcome;
}
