#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { ALIGNMENT = 64, PAGE = 4096 };

static void *default_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void default_release(void *context, void *block)
{
    (void)context;
    free(block);
}

static const TactAllocator default_allocator = {default_allocate, default_release, NULL};
static TactAllocator       allocator = {default_allocate, default_release, NULL};

void tact_allocator_set(const TactAllocator *replacement)
{
    allocator = replacement ? *replacement : default_allocator;
}

TactStatus tact_allocate(size_t count, size_t size, void **block)
{
    *block = NULL;
    if (size != 0 && count > SIZE_MAX / size) {
        return tact_fail(TACT_NO_MEMORY, "%zu elements of %zu bytes exceed the address space",
                         count, size);
    }
    size_t bytes = count * size > 0 ? count * size : 1;
    // calloc() leaves pages alone that the system hands out as zeros, until somebody needs them.
    bool  own = allocator.allocate == default_allocate;
    void *memory = own ? calloc(1, bytes) : allocator.allocate(allocator.context, bytes);
    if (!memory) {
        return tact_fail(TACT_NO_MEMORY, "no memory for %zu bytes", bytes);
    }
    if (!own) {
        memset(memory, 0, bytes);
    }
    *block = memory;
    return TACT_OK;
}

void tact_release(void *block)
{
    allocator.release(allocator.context, block);
}

void *tact_arena_take(TactArena *arena, size_t count, size_t size)
{
    size_t room = SIZE_MAX - ALIGNMENT;
    if (arena->used > room || (size != 0 && count > (room - arena->used) / size)) {
        arena->used = SIZE_MAX;
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void  *array = arena->block ? arena->block + arena->used : NULL;
    arena->used += bytes;
    return array;
}

TactStatus tact_arena_create(TactArena *arena)
{
    if (arena->used > SIZE_MAX - ALIGNMENT) {
        return tact_fail(TACT_NO_MEMORY, "the workspace exceeds the address space");
    }
    TACT_TRY(tact_allocate(arena->used + ALIGNMENT, 1, &arena->base));
    uintptr_t address = (uintptr_t)arena->base;
    size_t    shift = (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
    arena->block = (unsigned char *)arena->base + shift;
    arena->used = 0;
    return TACT_OK;
}

void tact_arena_touch(const TactArena *arena, size_t bytes)
{
    volatile unsigned char *block = arena->block;
    for (size_t i = 0; block && i < bytes; i += PAGE) {
        block[i] = block[i];
    }
}

void tact_arena_destroy(TactArena *arena)
{
    if (arena->base) {
        tact_release(arena->base);
    }
    *arena = (TactArena){0};
}
