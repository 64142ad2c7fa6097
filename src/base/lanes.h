// Four doubles at a time, in the language's own vector types: two SSE registers, one of AVX or
// half of one of AVX-512, as TACT_CLONES decides; the same bits everywhere. Loops over whole
// vectors that are written with them are in linalg/lane_loops.h.
//
// Lanes are not passed to functions by value: how would depend on the instruction set.
//
// With TACT_LANES_ONE defined there is one lane, a plain double: what is written with these macros
// is then scalar code, for C and C++ (CUDA).
#ifndef TACT_BASE_LANES_H
#define TACT_BASE_LANES_H

#include <math.h>
#include <stdint.h>

#ifdef TACT_LANES_ONE

typedef double TactLanes;
typedef int    TactMask; // 1 or 0

#define TACT_LANES_ALL(x) (x)
#define TACT_LANES_SELECT(mask, a, b) ((mask) ? (a) : (b))
#define TACT_LANES_ABS(a) fabs(a)
#define TACT_MASK_NOT(mask) (!(mask))
#define TACT_MASK_ANY(mask) (mask)

#ifdef __CUDACC__
#define TACT_WIDE __host__ __device__ __forceinline__ static
#else
#define TACT_WIDE __attribute__((always_inline)) static inline
#endif

TACT_WIDE void tact_wide_root(const TactLanes *x, TactLanes *out)
{
    *out = sqrt(*x);
}

#else

#define TACT_WIDE __attribute__((always_inline)) static inline

/// Four doubles, at any address that holds doubles; and what comparing them gives: all bits of a
/// lane, or none.
typedef double  TactLanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t TactMask __attribute__((vector_size(32), aligned(8), may_alias));

#define TACT_LANES_AT(pointer) (*(const TactLanes *)(pointer))
#define TACT_LANES_PUT(pointer) (*(TactLanes *)(pointer))
#define TACT_LANES_ALL(x) ((TactLanes){(x), (x), (x), (x)})

/// a where the mask is set, b elsewhere
#define TACT_LANES_SELECT(mask, a, b) \
    ((TactLanes)(((TactMask)(a) & (mask)) | ((TactMask)(b) & ~(mask))))

#define TACT_LANES_ABS(a) ((TactLanes)((TactMask)(a)&INT64_MAX))

#define TACT_MASK_NOT(mask) (~(mask))
#define TACT_MASK_ANY(mask) ((mask)[0] | (mask)[1] | (mask)[2] | (mask)[3])

TACT_WIDE void tact_wide_root(const TactLanes *x, TactLanes *out)
{
    *out = (TactLanes){sqrt((*x)[0]), sqrt((*x)[1]), sqrt((*x)[2]), sqrt((*x)[3])};
}

/// Entry k of four vectors, in out[k]: columns to rows.
__attribute__((always_inline)) static inline void tact_lanes_transpose(const TactLanes in[4],
                                                                       TactLanes       out[4])
{
    TactLanes a = __builtin_shufflevector(in[0], in[1], 0, 4, 2, 6);
    TactLanes b = __builtin_shufflevector(in[0], in[1], 1, 5, 3, 7);
    TactLanes c = __builtin_shufflevector(in[2], in[3], 0, 4, 2, 6);
    TactLanes d = __builtin_shufflevector(in[2], in[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#endif
#endif
