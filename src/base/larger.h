// The larger of two numbers without the call that fmax() is.
#ifndef TACT_BASE_LARGER_H
#define TACT_BASE_LARGER_H

/// a where b is NaN; NaN where a is.
static inline double tact_larger(double a, double b)
{
    return b > a ? b : a;
}

#endif
