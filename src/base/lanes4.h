// Four doubles at a time, in the language's own vector types: two SSE registers, one of AVX or
// half of one of AVX-512, as TACT_CLONES decides; the same bits everywhere.
#ifndef TACT_BASE_LANES4_H
#define TACT_BASE_LANES4_H

#include <stdint.h>

typedef double  TactLanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t TactMask __attribute__((vector_size(32), aligned(8), may_alias));

#define TACT_LANES_AT(pointer) (*(const TactLanes *)(pointer))
#define TACT_LANES_PUT(pointer) (*(TactLanes *)(pointer))
#define TACT_LANES_ALL(x) ((TactLanes){(x), (x), (x), (x)})

/// a where the mask is set, b elsewhere
#define TACT_LANES_SELECT(mask, a, b) \
    ((TactLanes)(((TactMask)(a) & (mask)) | ((TactMask)(b) & ~(mask))))

#define TACT_LANES_ABS(a) ((TactLanes)((TactMask)(a)&INT64_MAX))

#endif
