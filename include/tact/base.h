// Shared by all parts of tact: status, messages, memory, log, time, random numbers.
#ifndef TACT_BASE_H
#define TACT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TACT_API __attribute__((visibility("default")))

// The compiler warns where a returned status is not used. gcc supports this for functions only,
// clang for the type as well.
#define TACT_NODISCARD __attribute__((warn_unused_result))
#ifdef __clang__
#define TACT_NODISCARD_TYPE TACT_NODISCARD
#else
#define TACT_NODISCARD_TYPE
#endif

#define TACT_VERSION_MAJOR 0
#define TACT_VERSION_MINOR 1
#define TACT_VERSION_PATCH 0

/// Version and the optional parts that were built in, e.g. "0.1.0 (lapack: openblas)".
TACT_API const char *tact_version(void);

// ---------------------------------------------------------------------------------------------
// Status: whether the call itself was right. The mathematical result is an outcome, in a report.

typedef enum TACT_NODISCARD_TYPE TactStatus {
    TACT_OK = 0,
    TACT_BAD_ARGUMENT, // the call is wrong: NULL, a size out of range, a config without default
    TACT_BAD_INPUT,    // the data are wrong: NaN, lo > hi, a malformed file
    TACT_UNSUPPORTED,  // the data are fine, but this method or build cannot take them
    TACT_NO_MEMORY,
    TACT_IO_ERROR, // a file cannot be opened, read or written
} TactStatus;

/// Every public enum has such a pair: the name of a value, e.g. "bad input", and the value of a
/// name. An unknown name is TACT_BAD_ARGUMENT, with all names in the message; the name of an
/// unknown value is "unknown".
TACT_API const char               *tact_status_name(TactStatus value);
TACT_API TACT_NODISCARD TactStatus tact_status_find(const char *name, TactStatus *value);

/// Describes the last error of this thread: what was wrong, and where (file, line, element, index).
/// Valid until the next failing call of the same thread; "" if no call has failed.
TACT_API const char *tact_status_message(void);

/// Marks a call whose failure is ignored on purpose.
static inline void tact_status_ignore(TactStatus status)
{
    (void)status;
}

// ---------------------------------------------------------------------------------------------
// Memory: all of the library's own memory comes from here.

typedef struct TactAllocator {
    void *(*allocate)(void *context, size_t size); // NULL when there is no memory
    void (*release)(void *context, void *block);   // block may be NULL
    void *context;
} TactAllocator;

/// Replaces malloc and free. Call it before anything else is created; NULL restores the default.
TACT_API void tact_allocator_set(const TactAllocator *allocator);

// ---------------------------------------------------------------------------------------------
// Log: the library prints nothing; it passes messages to a function of the caller.

typedef enum TactLogLevel {
    TACT_LOG_LEVEL_DEBUG,
    TACT_LOG_LEVEL_INFO,
    TACT_LOG_LEVEL_WARNING
} TactLogLevel;

TACT_API const char               *tact_log_level_name(TactLogLevel value);
TACT_API TACT_NODISCARD TactStatus tact_log_level_find(const char *name, TactLogLevel *value);

typedef void TactLogFunction(void *context, TactLogLevel level, const char *text);

/// Sets the function that receives messages of this level and above. NULL: none (the default).
TACT_API void tact_log_set(TactLogFunction *function, void *context, TactLogLevel level);

// ---------------------------------------------------------------------------------------------
// Long solves, seen from outside: from another thread, or from a handler of signals

/// From now on all solves end as max_time would end them, in all threads, those under way and those
/// that begin: with outcome limit and the best answer so far. Safe in a handler of signals.
TACT_API void tact_interrupt_raise(void);
/// Solves are solved again.
TACT_API void tact_interrupt_clear(void);
TACT_API bool tact_interrupt_is_raised(void);

/// How far the solves of this process are.
typedef struct TactWork {
    double operations; // of the solve under way that has told last, about
    double error;      // of its best answer so far; infinity: it has none
} TactWork;

TACT_API TactWork tact_work_get(void);

// ---------------------------------------------------------------------------------------------
// Time and random numbers

/// Monotonic time in seconds from an arbitrary origin.
TACT_API double tact_time_now(void);

/// xoshiro256**: the same numbers on every machine for the same seed.
typedef struct TactRandom {
    uint64_t state[4];
} TactRandom;

TACT_API TactRandom tact_random_seed(uint64_t seed);
TACT_API uint64_t   tact_random_next(TactRandom *random);
/// Uniform in [lo, hi).
TACT_API double tact_random_uniform(TactRandom *random, double lo, double hi);
/// Normal with mean 0 and variance 1.
TACT_API double tact_random_normal(TactRandom *random);

#ifdef __cplusplus
}
#endif
#endif
