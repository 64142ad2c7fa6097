#define _GNU_SOURCE // dl_iterate_phdr
// A heap that runs dry: preloaded into the program, it lets one allocation fail, or all from one
// on.
//
//     TACT_STARVE_AT=N       the N-th allocation after main() has begun returns NULL; 0: none
//     TACT_STARVE_ON=1       and so does every later one
//     TACT_STARVE_OWN=1      only what the program's own code asks for counts, not what libraries
//     do TACT_STARVE_REPORT=F   at exit F gets: allocations asked for, blocks that are still held
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 1 << 21, EARLY = 4096 };

static atomic_bool counting;
static atomic_long asked;
static long        fail_at;
static bool        fail_on;
static uintptr_t   own_begin, own_end; // the program's code; 0: all code counts

// Does the sanitizer ask where this thread's stack lies? It ends the program where it gets no
// answer, which says nothing about the program.
static _Thread_local bool in_sanitizer __attribute__((tls_model("initial-exec")));

// ---------------------------------------------------------------------------------------------
// Blocks that are held: a table of addresses with open addressing. 1: was there once.

static uintptr_t   held[SLOTS];
static atomic_flag lock = ATOMIC_FLAG_INIT;
static long        held_count;

static void enter(void)
{
    while (atomic_flag_test_and_set(&lock)) {
    }
}

static size_t slot_of(uintptr_t block)
{
    return (size_t)((block >> 4) * 0x9E3779B97F4A7C15u >> 40) % SLOTS;
}

static void *keep(void *block)
{
    if (!block || !atomic_load(&counting)) {
        return block;
    }
    enter();
    size_t at = slot_of((uintptr_t)block);
    while (held[at] > 1) {
        at = (at + 1) % SLOTS;
    }
    held[at] = (uintptr_t)block;
    held_count++;
    atomic_flag_clear(&lock);
    return block;
}

static void forget(const void *block)
{
    if (!block || !atomic_load(&counting)) {
        return;
    }
    enter();
    size_t at = slot_of((uintptr_t)block);
    while (held[at] != 0 && held[at] != (uintptr_t)block) {
        at = (at + 1) % SLOTS;
    }
    if (held[at] != 0) {
        held[at] = 1;
        held_count--;
    }
    atomic_flag_clear(&lock);
}

// ---------------------------------------------------------------------------------------------
// The heap

static bool is_refused(const void *caller)
{
    bool own = own_end == 0 || ((uintptr_t)caller >= own_begin && (uintptr_t)caller < own_end);
    if (!atomic_load(&counting) || !own || in_sanitizer) {
        return false;
    }
    long number = atomic_fetch_add(&asked, 1) + 1;
    bool refused = fail_at > 0 && (fail_on ? number >= fail_at : number == fail_at);
    if (refused) {
        errno = ENOMEM;
    }
    return refused;
}

static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        abort();
    }
    return function;
}

// dlsym() itself may ask for memory before the real calloc is known.
static _Alignas(16) char early[EARLY];
static size_t early_used;

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + EARLY;
}

void *malloc(size_t size)
{
    static void *(*function)(size_t);
    if (!function) {
        *(void **)&function = next("malloc");
    }
    return is_refused(__builtin_return_address(0)) ? NULL : keep(function(size));
}

void *calloc(size_t count, size_t size)
{
    static void *(*function)(size_t, size_t);
    static bool looking;
    if (!function) {
        if (looking) {
            void *block = early + early_used;
            early_used += (count * size + 15) / 16 * 16;
            return early_used <= EARLY ? block : NULL;
        }
        looking = true;
        *(void **)&function = next("calloc");
    }
    return is_refused(__builtin_return_address(0)) ? NULL : keep(function(count, size));
}

void *realloc(void *block, size_t size)
{
    static void *(*function)(void *, size_t);
    if (!function) {
        *(void **)&function = next("realloc");
    }
    if (is_refused(__builtin_return_address(0))) {
        return NULL;
    }
    forget(block); // before another thread can get the address
    void *grown = function(block, size);
    if (!grown && size > 0) {
        keep(block);
    }
    return keep(grown);
}

void free(void *block)
{
    static void (*function)(void *);
    static bool looking;
    if (!function) {
        if (looking) {
            return; // dlsym() itself gives back what it has to say
        }
        looking = true;
        *(void **)&function = next("free");
    }
    forget(block);
    if (!is_early(block)) {
        function(block);
    }
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static void *(*function)(size_t, size_t);
    if (!function) {
        *(void **)&function = next("aligned_alloc");
    }
    return is_refused(__builtin_return_address(0)) ? NULL : keep(function(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    static int (*function)(void **, size_t, size_t);
    if (!function) {
        *(void **)&function = next("posix_memalign");
    }
    if (is_refused(__builtin_return_address(0))) {
        return ENOMEM;
    }
    int status = function(block, alignment, size);
    if (status == 0) {
        keep(*block);
    }
    return status;
}

/// Called by the sanitizer alone, at the start of a thread, and it asks for memory.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    static int (*function)(pthread_t, pthread_attr_t *);
    if (!function) {
        *(void **)&function = next("pthread_getattr_np");
    }
    in_sanitizer = true;
    int status = function(thread, attributes);
    in_sanitizer = false;
    return status;
}

// ---------------------------------------------------------------------------------------------
// From main() to the end

static int (*real_main)(int, char **, char **);

/// The first object is the program itself.
static int find_own(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size, (void)context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
            own_begin = (uintptr_t)(object->dlpi_addr + part->p_vaddr);
            own_end = own_begin + part->p_memsz;
        }
    }
    return 1;
}

static int counted_main(int argc, char **argv, char **environment)
{
    const char *at = getenv("TACT_STARVE_AT"), *on = getenv("TACT_STARVE_ON");
    fail_at = at ? strtol(at, NULL, 10) : 0;
    fail_on = on && on[0] == '1';
    const char *own = getenv("TACT_STARVE_OWN");
    if (own && own[0] == '1') {
        dl_iterate_phdr(find_own, NULL);
    }
    atomic_store(&counting, true);
    int status = real_main(argc, argv, environment);
    atomic_store(&counting, false);

    char        line[64];
    const char *report = getenv("TACT_STARVE_REPORT");
    int         file = report ? open(report, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    int length = snprintf(line, sizeof line, "%ld %ld\n", atomic_load(&asked), (long)held_count);
    if (file >= 0) {
        if (write(file, line, (size_t)length) != length) {
            status = 99;
        }
        close(file);
    }
    return status;
}

int __libc_start_main(int (*function)(int, char **, char **), int argc, char **argv,
                      void (*begin)(void), void (*end)(void), void (*unload)(void), void *stack);

int __libc_start_main(int (*function)(int, char **, char **), int argc, char **argv,
                      void (*begin)(void), void (*end)(void), void (*unload)(void), void *stack)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *);
    *(void **)&real = next("__libc_start_main");
    real_main = function;
    return real(counted_main, argc, argv, begin, end, unload, stack);
}
