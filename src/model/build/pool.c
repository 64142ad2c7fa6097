#include "model/build/pool.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct TactPoolChunk {
    struct TactPoolChunk *before;
    double                data[]; // aligned for numbers and pointers
} TactPoolChunk;

enum { CHUNK_BYTES = 16384 };

static TactStatus take_block(TactPool *pool, size_t bytes, void **block)
{
    if (bytes > SIZE_MAX / 2) {
        return tact_fail(TACT_NO_MEMORY, "%zu bytes exceed the address space", bytes);
    }
    bytes = (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    if (!pool->chunk || bytes > pool->size - pool->used) {
        size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        void  *memory;
        TACT_TRY(tact_allocate(1, sizeof(TactPoolChunk) + size, &memory));
        TactPoolChunk *chunk = memory;
        chunk->before = pool->chunk;
        *pool = (TactPool){chunk, 0, size};
    }
    *block = (char *)pool->chunk->data + pool->used;
    pool->used += bytes;
    return TACT_OK;
}

TactStatus tact_pool_copy(TactPool *pool, const void *array, size_t count, size_t size, void **copy)
{
    *copy = NULL;
    if (!array) {
        return TACT_OK;
    }
    if (size != 0 && count > SIZE_MAX / size) {
        return tact_fail(TACT_NO_MEMORY, "%zu elements exceed the address space", count);
    }
    TACT_TRY(take_block(pool, count * size, copy));
    if (count > 0) {
        memcpy(*copy, array, count * size);
    }
    return TACT_OK;
}

TactStatus tact_pool_text(TactPool *pool, const char *text, const char **copy)
{
    *copy = "";
    if (!text || !*text) {
        return TACT_OK;
    }
    void *block;
    TACT_TRY(tact_pool_copy(pool, text, strlen(text) + 1, 1, &block));
    *copy = block;
    return TACT_OK;
}

void tact_pool_destroy(TactPool *pool)
{
    for (TactPoolChunk *chunk = pool->chunk; chunk;) {
        TactPoolChunk *before = chunk->before;
        tact_release(chunk);
        chunk = before;
    }
    *pool = (TactPool){0};
}
