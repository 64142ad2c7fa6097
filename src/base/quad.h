// Numbers of four times the precision of a float: 113 bits, the IEEE format binary128, by the
// compiler's own arithmetic. The same bits everywhere, some fifty times slower than a double.
#ifndef TACT_BASE_QUAD_H
#define TACT_BASE_QUAD_H

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG >= 113
typedef long double TactQuad;
#else
__extension__ typedef __float128 TactQuad;
#endif

/// Operations on doubles that one on quads stands for in a budget (base/budget.h).
static const double TACT_QUAD_WORK = 30;

static inline TactQuad tact_quad_abs(TactQuad x)
{
    return x < 0 ? -x : x;
}

static inline TactQuad tact_quad_larger(TactQuad x, TactQuad y)
{
    return x > y ? x : y;
}

/// Square root: two steps of Heron's from the root of a double, each of which doubles its digits.
static inline TactQuad tact_quad_root(TactQuad x)
{
    TactQuad y = sqrt((double)x);
    if (!(y > 0)) {
        return 0;
    }
    y = (y + x / y) / 2;
    return (y + x / y) / 2;
}

#endif
