// Numbers of 106 bits as sums of two doubles, for oracles: written for the tests alone.
#ifndef TESTS_ORACLE_DOUBLE_DOUBLE_H
#define TESTS_ORACLE_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct Dd {
    double hi, lo; // |lo| <= ulp(hi) / 2
} Dd;

static inline Dd dd_of(double x)
{
    return (Dd){x, 0};
}

/// hi + lo, made a Dd; |hi| >= |lo|
static inline Dd dd_tidy(double hi, double lo)
{
    double sum = hi + lo;
    return (Dd){sum, lo - (sum - hi)};
}

static inline Dd dd_add(Dd x, Dd y)
{
    double sum = x.hi + y.hi, part = sum - x.hi;
    double rest = (x.hi - (sum - part)) + (y.hi - part); // exact [Knuth]
    double low = x.lo + y.lo, piece = low - x.lo;
    double tail = (x.lo - (low - piece)) + (y.lo - piece);
    Dd     first = dd_tidy(sum, rest + low);
    return dd_tidy(first.hi, first.lo + tail);
}

static inline Dd dd_negate(Dd x)
{
    return (Dd){-x.hi, -x.lo};
}

static inline Dd dd_subtract(Dd x, Dd y)
{
    return dd_add(x, dd_negate(y));
}

static inline Dd dd_multiply(Dd x, Dd y)
{
    double product = x.hi * y.hi;
    double rest = fma(x.hi, y.hi, -product) + (x.hi * y.lo + x.lo * y.hi);
    return dd_tidy(product, rest);
}

static inline Dd dd_divide(Dd x, Dd y)
{
    double first = x.hi / y.hi;
    Dd     left = dd_subtract(x, dd_multiply(dd_of(first), y));
    double second = left.hi / y.hi;
    left = dd_subtract(left, dd_multiply(dd_of(second), y));
    return dd_add(dd_tidy(first, second), dd_of(left.hi / y.hi));
}

/// sum += x y
static inline void dd_gather(Dd *sum, Dd x, Dd y)
{
    *sum = dd_add(*sum, dd_multiply(x, y));
}

static inline double dd_value(Dd x)
{
    return x.hi + x.lo;
}

#endif
