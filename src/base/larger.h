// The larger of two numbers without the call that fmax() is.
#ifndef TACT_BASE_LARGER_H
#define TACT_BASE_LARGER_H

/// a where b is NaN; NaN where a is.
static inline double tact_larger(double a, double b)
{
    return b > a ? b : a;
}

static inline int tact_larger_int(int a, int b)
{
    return a > b ? a : b;
}

#endif
