// Interval arithmetic with outward rounding, without touching the rounding mode: every result of an
// operation is moved outward by more than half of its last bit.
//
// For x = fl(a o b), |x - (a o b)| <= 2^-53 |x| + 2^-1074. widen() subtracts and adds 2^-52 |x| +
// 2^-1074, which survives its own rounding. Infinity and NaN fail every test that is asked of them.
#ifndef TACT_PROVE_CIRCLE_INTERVAL_H
#define TACT_PROVE_CIRCLE_INTERVAL_H

#include <math.h>
#include <stdbool.h>

typedef struct TactInterval {
    double lo, hi;
} TactInterval;

static inline double tact_round_down(double x)
{
    return x - (0x1p-52 * fabs(x) + 0x1p-1074);
}

static inline double tact_round_up(double x)
{
    return x + (0x1p-52 * fabs(x) + 0x1p-1074);
}

static inline TactInterval tact_interval(double x)
{
    return (TactInterval){x, x};
}

static inline TactInterval tact_interval_around(double x, double radius)
{
    return radius == 0 ? (TactInterval){x, x}
                       : (TactInterval){tact_round_down(x - radius), tact_round_up(x + radius)};
}

static inline bool tact_interval_is_zero(TactInterval a)
{
    return a.lo == 0 && a.hi == 0;
}

static inline TactInterval tact_interval_add(TactInterval a, TactInterval b)
{
    // What is added to nothing stays as it is.
    if (tact_interval_is_zero(a)) {
        return b;
    }
    return tact_interval_is_zero(b)
               ? a
               : (TactInterval){tact_round_down(a.lo + b.lo), tact_round_up(a.hi + b.hi)};
}

static inline TactInterval tact_interval_negate(TactInterval a)
{
    return (TactInterval){-a.hi, -a.lo};
}

static inline TactInterval tact_interval_subtract(TactInterval a, TactInterval b)
{
    return tact_interval_add(a, tact_interval_negate(b));
}

static inline TactInterval tact_interval_multiply(TactInterval a, TactInterval b)
{
    if (tact_interval_is_zero(a) || tact_interval_is_zero(b)) {
        return (TactInterval){0, 0};
    }
    double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    return (TactInterval){tact_round_down(fmin(fmin(p, q), fmin(r, s))),
                          tact_round_up(fmax(fmax(p, q), fmax(r, s)))};
}

/// a / b for b > 0; everything otherwise.
static inline TactInterval tact_interval_divide(TactInterval a, TactInterval b)
{
    if (!(b.lo > 0)) {
        return (TactInterval){-INFINITY, INFINITY};
    }
    double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
    return (TactInterval){tact_round_down(fmin(fmin(p, q), fmin(r, s))),
                          tact_round_up(fmax(fmax(p, q), fmax(r, s)))};
}

static inline TactInterval tact_interval_square(TactInterval a)
{
    double small = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, large = fmax(-a.lo, a.hi);
    return (TactInterval){fmax(tact_round_down(small * small), 0), tact_round_up(large * large)};
}

/// Square root of what is not negative.
static inline TactInterval tact_interval_root(TactInterval a)
{
    return (TactInterval){fmax(tact_round_down(sqrt(fmax(a.lo, 0))), 0), tact_round_up(sqrt(a.hi))};
}

static inline double tact_interval_middle(TactInterval a)
{
    return 0.5 * a.lo + 0.5 * a.hi;
}

/// Largest distance from the middle, as it is computed.
static inline double tact_interval_radius(TactInterval a)
{
    double middle = tact_interval_middle(a);
    return a.lo == a.hi ? 0 : tact_round_up(fmax(middle - a.lo, a.hi - middle));
}

/// Largest |x| in it.
static inline double tact_interval_size(TactInterval a)
{
    return fmax(-a.lo, a.hi);
}

#endif
