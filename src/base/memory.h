// The library's memory: single blocks, and arenas from which a workspace takes its arrays.
#ifndef TACT_BASE_MEMORY_H
#define TACT_BASE_MEMORY_H

#include <stddef.h>
#include <tact/base.h>

/// One zeroed block of count * size bytes through the allocator hook; release with tact_release().
/// TACT_NO_MEMORY if there is none or if the product overflows.
TactStatus tact_allocate(size_t count, size_t size, void **block);
void       tact_release(void *block);

/// One block cut into 64-byte aligned arrays. A workspace describes its arrays once, in a function
/// that takes them from an arena, and runs it twice: over a measuring arena (block NULL, nothing
/// is lent), then over a real one of the measured size.
typedef struct TactArena {
    unsigned char *block; // NULL while measuring
    void          *base;  // what the allocator gave
    size_t         used;  // bytes; SIZE_MAX once it overflowed
} TactArena;

/// Turns a measuring arena into a real, zeroed one of the size that it measured.
TactStatus tact_arena_create(TactArena *arena);
void       tact_arena_destroy(TactArena *arena);

/// Writes to every page of the first bytes of an arena, and changes nothing in it: the system hands
/// out a page when it is first written, which takes 1 to 2 us.
void tact_arena_touch(const TactArena *arena, size_t bytes);

/// The next array of count elements of the given size; NULL while measuring.
void *tact_arena_take(TactArena *arena, size_t count, size_t size);

#endif
