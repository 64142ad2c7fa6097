// The value of a variable in a trial, from the seed, its name and the number of the trial alone.
#include <math.h>
#include <tact/base.h>

#include "base/status.h"
#include "sweep/sweep.h"

static uint64_t mix(uint64_t x)
{
    // The finish of splitmix64 (Steele, Lea and Flood 2014), as tact_random_seed() has it.
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t tact_sweep_hash(uint64_t seed, uint64_t key, uint64_t number)
{
    uint64_t step = 0x9e3779b97f4a7c15u;
    return mix(mix(mix(seed + step) ^ (key + step)) ^ (number * step + step));
}

uint64_t tact_sweep_key(const char *name)
{
    uint64_t key = 0xcbf29ce484222325u; // FNV-1a
    for (const char *c = name; *c; c++) {
        key = (key ^ (unsigned char)*c) * 0x100000001b3u;
    }
    return key;
}

/// The middle of one of 2^53 intervals: never 0 and never 1.
static double unit_of(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

// ---------------------------------------------------------------------------------------------
// Latin hypercube: a permutation of the trials for each variable, of which any element can be had
// without the others: a Feistel network over the next even number of bits, walked until the number
// is one of those wanted.

static uint32_t permute(uint32_t number, uint32_t count, uint64_t seed, uint64_t key)
{
    enum { ROUNDS = 6 };
    int half = 1;
    while (half < 16 && (uint64_t)1 << (2 * half) < count) {
        half++;
    }
    uint32_t mask = ((uint32_t)1 << half) - 1;
    do {
        uint32_t left = number >> half, right = number & mask;
        for (int i = 0; i < ROUNDS; i++) {
            uint64_t bits = tact_sweep_hash(seed, key + (uint64_t)i + 1, right);
            uint32_t next = left ^ ((uint32_t)(bits >> 32) & mask);
            left = right;
            right = next;
        }
        number = left << half | right;
    } while (number >= count);
    return number;
}

double tact_sweep_unit(const TactSweep *sweep, const TactVariable *variable, int trial)
{
    uint64_t bits = tact_sweep_hash(sweep->seed, variable->key, (uint64_t)trial);
    if (sweep->sampling == TACT_SAMPLING_SOBOL) {
        uint64_t key = tact_sweep_hash(sweep->seed, variable->key, 0);
        return tact_sobol_point(variable->dimension, (uint32_t)trial, key);
    }
    if (sweep->sampling == TACT_SAMPLING_LATIN) {
        uint32_t count = (uint32_t)sweep->plan.trials;
        uint32_t stratum = permute((uint32_t)trial, count, sweep->seed, variable->key);
        double   unit = ((double)stratum + unit_of(bits)) / (double)count;
        return fmin(unit, 1 - 0x1p-53); // (N - 1 + 1 - 2^-54) / N rounds to 1
    }
    return unit_of(bits);
}

// ---------------------------------------------------------------------------------------------
// Distributions

/// The probability below x, to full relative accuracy in the lower tail.
static double normal_below(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

double tact_sweep_normal_quantile(double p)
{
    // Newton on log F(x) = log p, which is concave: from the left of the root it never oversteps.
    // F(x) <= exp(-x^2/2) for x <= 0 gives such a start.
    static const double ROOT_2_PI = 2.5066282746310002;
    if (p > 0.5) {
        return -tact_sweep_normal_quantile(1 - p); // exact: p has a last bit above 2^-54
    }
    double x = -sqrt(-2 * log(p));
    for (int i = 0; i < 40; i++) {
        double below = normal_below(x);
        double step = log(p / below) * below * ROOT_2_PI * exp(0.5 * x * x);
        x += step;
        if (!(fabs(step) > 1e-15 * fabs(x))) {
            break;
        }
    }
    return fmin(x, 0);
}

/// Normal, of what lies within the bounds: its distribution function runs between theirs.
static double draw_normal(const TactVariable *v, double unit)
{
    double a = (v->within[0] - v->lo) / v->hi, b = (v->within[1] - v->lo) / v->hi;
    bool   mirrored = a > 0; // so that the tail that is far away keeps its digits
    double from = normal_below(mirrored ? -b : a), to = normal_below(mirrored ? -a : b);
    double p = from + (to - from) * (mirrored ? 1 - unit : unit);
    double x = p > 0 && p < 1 ? tact_sweep_normal_quantile(p) : mirrored ? -a : a;
    x = v->lo + v->hi * (mirrored ? -x : x);
    return fmin(fmax(x, v->within[0]), v->within[1]);
}

double tact_sweep_draw_value(const TactSweep *sweep, const TactVariable *v, int trial)
{
    if (v->kind == TACT_VARY_LIST) {
        return v->values[trial / v->stride % v->value_count];
    }
    double unit = tact_sweep_unit(sweep, v, trial);
    if (v->kind == TACT_VARY_CHOICE) {
        int which = (int)(unit * v->value_count);
        return v->values[which < v->value_count ? which : v->value_count - 1];
    }
    if (v->kind == TACT_VARY_NORMAL) {
        return draw_normal(v, unit);
    }
    if (v->logarithmic) {
        double x = v->lo * exp(unit * log(v->hi / v->lo));
        return fmin(fmax(x, v->lo), v->hi);
    }
    return fmin(v->lo + unit * (v->hi - v->lo), v->hi);
}

TactStatus tact_sweep_draw(const TactSweep *sweep, int trial, double *values)
{
    TACT_NEED(sweep && values, "tact_sweep_draw");
    if (trial < 0 || trial >= sweep->plan.trials) {
        return tact_fail(TACT_BAD_ARGUMENT, "sweep: there is no trial %d: they are 0 to %d", trial,
                         sweep->plan.trials - 1);
    }
    for (int i = 0; i < sweep->found.variable_count; i++) {
        values[i] = tact_sweep_draw_value(sweep, &sweep->found.variables[i], trial);
    }
    return TACT_OK;
}
