// Every allocating function of the C library, replaced and counted. For one file of a program, and
// not under a sanitizer, which has replaced the heap already (base/clones.h: TACT_SANITIZED).
#ifndef TESTS_HEAP_COUNT_H
#define TESTS_HEAP_COUNT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// volatile: a compiler knows malloc() and free(), and that they touch no variable of ours.
static volatile bool heap_counting;
static volatile long heap_calls;

static inline void *heap_real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        abort();
    }
    return function;
}

// dlsym() itself may call calloc once, before the real one is known.
static char   early[4096];
static size_t early_used;

static void *early_take(size_t size)
{
    void *block = early + early_used;
    early_used += (size + 15) / 16 * 16;
    return early_used <= sizeof early ? block : NULL;
}

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

void *malloc(size_t size)
{
    static void *(*function)(size_t);
    if (!function) {
        *(void **)&function = heap_real("malloc");
    }
    heap_calls += heap_counting;
    return function(size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*function)(size_t, size_t);
    static bool looking;
    if (!function) {
        if (looking) {
            return early_take(count * size);
        }
        looking = true;
        *(void **)&function = heap_real("calloc");
        looking = false;
    }
    heap_calls += heap_counting;
    return function(count, size);
}

void *realloc(void *block, size_t size)
{
    static void *(*function)(void *, size_t);
    if (!function) {
        *(void **)&function = heap_real("realloc");
    }
    heap_calls += heap_counting;
    return function(block, size);
}

void free(void *block)
{
    static void (*function)(void *);
    if (!function) {
        *(void **)&function = heap_real("free");
    }
    heap_calls += heap_counting;
    if (!is_early(block)) {
        function(block);
    }
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static void *(*function)(size_t, size_t);
    if (!function) {
        *(void **)&function = heap_real("aligned_alloc");
    }
    heap_calls += heap_counting;
    return function(alignment, size);
}

void *memalign(size_t alignment, size_t size);

void *memalign(size_t alignment, size_t size)
{
    static void *(*function)(size_t, size_t);
    if (!function) {
        *(void **)&function = heap_real("memalign");
    }
    heap_calls += heap_counting;
    return function(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    static int (*function)(void **, size_t, size_t);
    if (!function) {
        *(void **)&function = heap_real("posix_memalign");
    }
    heap_calls += heap_counting;
    return function(block, alignment, size);
}

#endif
