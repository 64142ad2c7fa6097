#include "prove/room.h"

#ifdef TACT_HAVE_GMP

#include <gmp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

// What a proof may still ask for until it looks. Memory that is never touched costs nothing.
enum { RESERVE = 16 << 20, ALIGN = 16 };

static _Thread_local struct {
    unsigned char *reserve;
    size_t         used;
    int            depth;
    bool           over;
} room;

// GMP's own functions; not in its header, and not in every build of it.
extern void *__gmp_default_allocate(size_t size) __attribute__((weak)); // NOLINT

static void *(*plain_allocate)(size_t);
static void *(*plain_resize)(void *, size_t, size_t);
static void (*plain_free)(void *, size_t);

static bool is_reserved(const void *block)
{
    const unsigned char *at = block;
    return room.reserve && at >= room.reserve && at < room.reserve + RESERVE;
}

/// NULL: the reserve is used up, too.
static void *take_reserve(size_t size)
{
    size_t whole = (size + ALIGN - 1) / ALIGN * ALIGN;
    room.over = true;
    if (whole < size || whole > RESERVE - room.used) {
        return NULL;
    }
    void *block = room.reserve + room.used;
    room.used += whole;
    return block;
}

static void *allocate(size_t size)
{
    void *block = room.depth > 0 ? malloc(size) : NULL;
    if (!block && room.depth > 0) {
        block = take_reserve(size);
    }
    return block ? block : plain_allocate(size);
}

static void *resize(void *block, size_t before, size_t size)
{
    if (room.depth == 0) {
        return plain_resize(block, before, size);
    }
    void *grown = is_reserved(block) ? NULL : realloc(block, size);
    if (grown) {
        return grown;
    }
    grown = take_reserve(size);
    if (!grown) {
        return plain_resize(block, before, size);
    }
    memcpy(grown, block, before < size ? before : size);
    if (!is_reserved(block)) {
        free(block);
    }
    return grown;
}

static void give_back(void *block, size_t size)
{
    if (!is_reserved(block)) {
        plain_free(block, size);
    }
}

static void install(void)
{
    mp_get_memory_functions(&plain_allocate, &plain_resize, &plain_free);
    if (&__gmp_default_allocate && plain_allocate == __gmp_default_allocate) {
        mp_set_memory_functions(allocate, resize, give_back);
    }
}

TactStatus tact_room_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    if (room.depth == 0) {
        room.reserve = malloc(RESERVE); // not tact_allocate(), which would write all of it
        room.used = 0;
        room.over = false;
        if (!room.reserve) {
            return tact_fail(TACT_NO_MEMORY, "no memory for a proof");
        }
    }
    room.depth++;
    return TACT_OK;
}

bool tact_room_is_over(void)
{
    return room.over;
}

TactStatus tact_room_end(TactStatus status)
{
    if (--room.depth > 0) {
        return status;
    }
    free(room.reserve);
    room.reserve = NULL;
    return room.over ? tact_fail(TACT_NO_MEMORY, "no memory for a proof") : status;
}

#else

TactStatus tact_room_begin(void)
{
    return TACT_OK;
}

bool tact_room_is_over(void)
{
    return false;
}

TactStatus tact_room_end(TactStatus status)
{
    return status;
}

#endif
