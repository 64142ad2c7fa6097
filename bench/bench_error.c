#include "bench/bench_error.h"

#include <math.h>

/// sum + rest += a b: the rounding errors of the product and of the sum go to the rest.
static void add_product(long double *sum, long double *rest, double a, double b)
{
    double      product = a * b;
    double      lost = fma(a, b, -product);
    long double before = *sum, after = before + (long double)product;
    long double other = after - before;
    *rest += (before - (after - other)) + ((long double)product - other) + (long double)lost;
    *sum = after;
}

static void bounds_of(const TactLcpProblem *problem, const double *z, int i, double *lo, double *hi)
{
    *lo = problem->lo ? problem->lo[i] : 0;
    *hi = problem->hi ? problem->hi[i] : HUGE_VAL;
    if (problem->f_index && problem->f_index[i] >= 0) {
        double normal = z[problem->f_index[i]];
        *hi = normal > 0 ? *hi * normal : 0;
        *lo = -*hi;
    }
}

static double nearest_to_zero(const TactLcpProblem *problem, int j)
{
    double lo = problem->lo ? problem->lo[j] : 0, hi = problem->hi ? problem->hi[j] : HUGE_VAL;
    if (problem->f_index && problem->f_index[j] >= 0) {
        return 0;
    }
    return lo > 0 ? lo : hi < 0 ? hi : 0;
}

/// w_i at z, or at the point of the box nearest to 0 if z is NULL
static long double row_at(const TactLcpProblem *problem, const double *z, int i)
{
    long double   sum = (long double)problem->q[i], rest = 0;
    const double *row = problem->M + (size_t)i * (size_t)problem->n;
    for (int j = 0; j < problem->n; j++) {
        add_product(&sum, &rest, row[j], z ? z[j] : nearest_to_zero(problem, j));
    }
    return sum + rest;
}

static long double weight_of(const TactLcpProblem *problem, int j)
{
    double weight = 1;
    for (int i = 0; i < problem->n; i++) {
        double entry = fabs(problem->M[(size_t)i * (size_t)problem->n + (size_t)j]);
        weight = entry > weight ? entry : weight;
    }
    return (long double)weight;
}

double tact_bench_error(const TactLcpProblem *problem, const double *z)
{
    long double error = 0, scale = 0;
    for (int i = 0; i < problem->n; i++) {
        if (!isfinite(z[i])) {
            return HUGE_VAL;
        }
    }
    for (int i = 0; i < problem->n; i++) {
        double lo, hi;
        bounds_of(problem, z, i, &lo, &hi);
        long double w = row_at(problem, z, i), c = weight_of(problem, i);
        long double below = c * ((long double)z[i] - (long double)lo);
        long double above = c * ((long double)z[i] - (long double)hi);
        long double part = fabsl(w > below ? below : w < above ? above : w);
        error = part > error ? part : error;
        long double start = fabsl(row_at(problem, NULL, i));
        scale = start > scale ? start : scale;
    }
    return (double)(error / (scale > 0 ? scale : 1));
}
