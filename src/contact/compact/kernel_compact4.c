// The path of one body with vectors of four lanes.
#include "base/clones.h"
#include "contact/compact/kernel_compact_active.h"

#define TACT_WIDTH 4
typedef TactLanes TactVec;
typedef TactMask  TactMaskOf, TactInts;

#define VEC_LANES ((TactInts){0, 1, 2, 3})
#define VEC_NUMBERS tact_compact_numbers
#define VEC_ALL(x) TACT_LANES_ALL(x)
#define VEC_SELECT(mask, a, b) TACT_LANES_SELECT(mask, a, b)
#define VEC_ABS(a) TACT_LANES_ABS(a)
#define VEC_GREATER(a, b) ((a) > (b))
#define VEC_NOT_GREATER(a, b) ((a) <= (b))
#define VEC_SAME(a, b) ((a) == (b))
#define VEC_EQUAL(pointer, b) (VEC_AT(pointer) == (b))
#define VEC_BOTH(a, b) ((a) & (b))
#define VEC_MAX(a, b) TACT_LANES_SELECT((a) > (b), a, b)
#define VEC_MIN(a, b) TACT_LANES_SELECT((a) < (b), a, b)
#define VEC_LARGEST(a) largest_lane(&(a))
#define VEC_LEAST(a) least_lane(&(a))
#define VEC_QUAD(rows, y, n, out) quad(rows, y, n, out)

__attribute__((always_inline)) static inline double largest_lane(const TactLanes *x)
{
    double a = (*x)[0] > (*x)[1] ? (*x)[0] : (*x)[1];
    double b = (*x)[2] > (*x)[3] ? (*x)[2] : (*x)[3];
    return a > b ? a : b;
}

__attribute__((always_inline)) static inline double least_lane(const TactLanes *x)
{
    double a = (*x)[0] < (*x)[1] ? (*x)[0] : (*x)[1];
    double b = (*x)[2] < (*x)[3] ? (*x)[2] : (*x)[3];
    return a < b ? a : b;
}

/// Four rows' products with y, ld apart, eight lanes each, of which the upper four are added to the
/// lower ones.
__attribute__((always_inline)) static inline void quad(const double *rows, const double *y, int n,
                                                       TactLanes out[4])
{
    for (int q = 0; q < 4; q++) {
        const double *x = rows + q * TACT_COMPACT_POSITIONS;
        TactLanes     a = TACT_LANES_ALL(0.0), b = a;
        for (int p = 0; p < n; p += 8) {
            a += TACT_LANES_AT(x + p) * TACT_LANES_AT(y + p);
            b += TACT_LANES_AT(x + p + 4) * TACT_LANES_AT(y + p + 4);
        }
        out[q] = a + b;
    }
}

#include "contact/compact/kernel_compact_keep.h"
#include "contact/compact/kernel_compact_path.h"

TACT_CLONES bool tact_compact_follow4(TactCompact *compact, const TactCompactInput *input)
{
    return follow_compact(compact, input);
}

TACT_CLONES bool tact_compact_keep4(TactCompact *compact, double accurate)
{
    return keep_compact(compact, accurate);
}
