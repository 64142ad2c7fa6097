// Memory that only grows, for what a builder keeps until it is destroyed: names and arrays.
#ifndef TACT_MODEL_BUILD_POOL_H
#define TACT_MODEL_BUILD_POOL_H

#include <tact/base.h>

typedef struct TactPool {
    struct TactPoolChunk *chunk; // the one that is being filled, linked to those before it
    size_t                used;  // bytes of it
    size_t                size;
} TactPool;

/// count elements of the given size, copied; NULL stays NULL.
TactStatus tact_pool_copy(TactPool *pool, const void *array, size_t count, size_t size,
                          void **copy);

/// A copy of a text; NULL becomes "".
TactStatus tact_pool_text(TactPool *pool, const char *text, const char **copy);
void       tact_pool_destroy(TactPool *pool);

#endif
