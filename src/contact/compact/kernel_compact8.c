// The path of one body with vectors of eight lanes, where the machine has them. (Vectors of 64
// bytes without such registers are slower than those of 32.)
#include "base/clones.h"
#include "contact/compact/kernel_compact_active.h"

#if TACT_EIGHT_LANES

TACT_EIGHT_LANES_BEGIN
#include <immintrin.h>

#define TACT_WIDTH 8
typedef double   TactVec __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t  TactInts __attribute__((vector_size(64), aligned(8), may_alias));
typedef __mmask8 TactMaskOf;

#define VEC_LANES ((TactInts){0, 1, 2, 3, 4, 5, 6, 7})
#define VEC_NUMBERS tact_compact_numbers
#define VEC_ALL(x) ((TactVec)_mm512_set1_pd(x))
#define VEC_SELECT(mask, a, b) ((TactVec)_mm512_mask_blend_pd(mask, b, a))
#define VEC_ABS(a) ((TactVec)_mm512_abs_pd(a))
#define VEC_GREATER(a, b) _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ)
#define VEC_NOT_GREATER(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
#define VEC_SAME(a, b) _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ)
#define VEC_EQUAL(pointer, b) _mm512_cmp_pd_mask(VEC_AT(pointer), b, _CMP_EQ_OQ)
#define VEC_BOTH(a, b) ((TactMaskOf)((a) & (b)))
#define VEC_MAX(a, b) ((TactVec)_mm512_max_pd(a, b))
#define VEC_MIN(a, b) ((TactVec)_mm512_min_pd(a, b))
#define VEC_LARGEST(a) _mm512_reduce_max_pd(a)
#define VEC_LEAST(a) _mm512_reduce_min_pd(a)
#define VEC_QUAD(rows, y, n, out) quad(rows, y, n, out)

/// Four rows' products with y, ld apart, eight lanes each, of which the upper four are added to the
/// lower ones.
__attribute__((always_inline)) static inline void quad(const double *rows, const double *y, int n,
                                                       TactLanes out[4])
{
    __m512d sum[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(),
                      _mm512_setzero_pd()};
    for (int p = 0; p < n; p += 8) {
        __m512d by = _mm512_loadu_pd(y + p);
        for (int q = 0; q < 4; q++) {
            sum[q] += _mm512_loadu_pd(rows + q * TACT_COMPACT_POSITIONS + p) * by;
        }
    }
    for (int q = 0; q < 4; q++) {
        out[q] = (TactLanes)(_mm512_castpd512_pd256(sum[q]) + _mm512_extractf64x4_pd(sum[q], 1));
    }
}

#include "contact/compact/kernel_compact_keep.h"
#include "contact/compact/kernel_compact_path.h"

bool tact_compact_follow8(TactCompact *compact, const TactCompactInput *input)
{
    return follow_compact(compact, input);
}

bool tact_compact_keep8(TactCompact *compact, double accurate)
{
    return keep_compact(compact, accurate);
}

TACT_EIGHT_LANES_END

#else

bool tact_compact_follow8(TactCompact *compact, const TactCompactInput *input)
{
    return tact_compact_follow4(compact, input);
}

bool tact_compact_keep8(TactCompact *compact, double accurate)
{
    return tact_compact_keep4(compact, accurate);
}

#endif
