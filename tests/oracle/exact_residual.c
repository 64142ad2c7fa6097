// Every double is an integer times 2^-1074, so every product of two is one times 2^-2148. A row's
// sum is kept as one integer with the least exponent that occurred.
#include "oracle/exact_residual.h"

#include <gmp.h>
#include <math.h>

// A number is sum * 2^exponent.
typedef struct Sum {
    mpz_t sum;
    long  exponent;
    mpz_t term;
} Sum;

static void sum_create(Sum *sum)
{
    mpz_inits(sum->sum, sum->term, NULL);
    sum->exponent = 0;
}

static void sum_destroy(Sum *sum)
{
    mpz_clears(sum->sum, sum->term, NULL);
}

static void sum_clear(Sum *sum)
{
    mpz_set_ui(sum->sum, 0);
    sum->exponent = 0;
}

/// sum += a b
static void sum_add(Sum *sum, double a, double b)
{
    if (a == 0 || b == 0) {
        return;
    }
    int     ea, eb;
    int64_t ia = (int64_t)ldexp(frexp(a, &ea), 53);
    int64_t ib = (int64_t)ldexp(frexp(b, &eb), 53);
    long    exponent = (long)ea + (long)eb - 106;
    mpz_set_si(sum->term, (long)ia);
    mpz_mul_si(sum->term, sum->term, (long)ib);
    if (exponent < sum->exponent) {
        mpz_mul_2exp(sum->sum, sum->sum, (mp_bitcnt_t)(sum->exponent - exponent));
        sum->exponent = exponent;
    } else {
        mpz_mul_2exp(sum->term, sum->term, (mp_bitcnt_t)(exponent - sum->exponent));
    }
    mpz_add(sum->sum, sum->sum, sum->term);
}

static double sum_get(const Sum *sum)
{
    signed long exponent;
    double      mantissa = mpz_get_d_2exp(&exponent, sum->sum);
    long        power = exponent + sum->exponent;
    return power > 2000 ? copysign(HUGE_VAL, mantissa)
                        : ldexp(mantissa, (int)(power < -2000 ? -2000 : power));
}

static void bounds(const TactLcpProblem *problem, const double *z, int i, double *lo, double *hi)
{
    *lo = problem->lo ? problem->lo[i] : 0;
    *hi = problem->hi ? problem->hi[i] : HUGE_VAL;
    if (problem->f_index && problem->f_index[i] >= 0) {
        double normal = fmax(z[problem->f_index[i]], 0);
        *hi *= normal;
        *lo = -*hi;
    }
}

/// |c z - mid(c lo, c z - w, c hi)| = |mid(c (z - hi), w, c (z - lo))|; z - hi and z - lo are
/// rounded, which for z inside the box is an error of one unit in the last place of the smaller.
static double natural_map(double c, double z, double w, double lo, double hi)
{
    double below = c * (z - lo), above = c * (z - hi);
    return fabs(w > below ? below : w < above ? above : w);
}

static double column_weight(const TactLcpProblem *problem, int j)
{
    size_t n = (size_t)problem->n;
    double weight = 1;
    for (size_t i = 0; i < n; i++) {
        weight = fmax(weight, fabs(problem->M[i * n + (size_t)j]));
    }
    return weight;
}

static double scale_of(const TactLcpProblem *problem, Sum *sum)
{
    double scale = 0;
    for (int i = 0; i < problem->n; i++) {
        sum_clear(sum);
        sum_add(sum, problem->q[i], 1);
        for (int j = 0; (problem->lo || problem->hi) && j < problem->n; j++) {
            if (problem->f_index && problem->f_index[j] >= 0) {
                continue;
            }
            double lo = problem->lo ? problem->lo[j] : 0;
            double hi = problem->hi ? problem->hi[j] : HUGE_VAL;
            double nearest = lo > 0 ? lo : hi < 0 ? hi : 0;
            sum_add(sum, problem->M[(size_t)i * (size_t)problem->n + (size_t)j], nearest);
        }
        scale = fmax(scale, fabs(sum_get(sum)));
    }
    return scale > 0 ? scale : 1;
}

TactOracleResidual tact_oracle_residual(const TactLcpProblem *problem, const double *z)
{
    TactOracleResidual residual = {0};
    Sum                sum;
    sum_create(&sum);
    residual.scale = scale_of(problem, &sum);
    for (int i = 0; i < problem->n; i++) {
        if (!isfinite(z[i])) {
            residual.natural = residual.weighed = residual.outside = HUGE_VAL;
        }
    }
    for (int i = 0; i < problem->n && isfinite(residual.natural); i++) {
        sum_clear(&sum);
        sum_add(&sum, problem->q[i], 1);
        for (int j = 0; j < problem->n; j++) {
            sum_add(&sum, problem->M[(size_t)i * (size_t)problem->n + (size_t)j], z[j]);
        }
        double w = sum_get(&sum), lo, hi;
        bounds(problem, z, i, &lo, &hi);
        double natural = natural_map(1, z[i], w, lo, hi);
        double weighed = natural_map(column_weight(problem, i), z[i], w, lo, hi);
        residual.natural = fmax(residual.natural, natural);
        residual.weighed = fmax(residual.weighed, fmax(natural, weighed));
        residual.outside = fmax(residual.outside, fmax(lo - z[i], z[i] - hi));
    }
    sum_destroy(&sum);
    return residual;
}

bool tact_oracle_accepts(const TactOracleResidual *residual, double tolerance)
{
    const double rounding = 1 + 1e-12;
    return residual->weighed <= tolerance * residual->scale * rounding && residual->outside <= 0;
}
