// Threads that wait for work, do it together with their caller, and wait again.
#ifndef TACT_BASE_THREADS_H
#define TACT_BASE_THREADS_H

#include <tact/base.h>

typedef struct TactThreads TactThreads;

/// The share of one thread; number 0 is the caller.
typedef void TactThreadsWork(void *context, int number);

/// count: threads with the caller, at least 1. who: for the message, if one cannot be started.
TactStatus tact_threads_create(int count, const char *who, TactThreads **threads);
void       tact_threads_destroy(TactThreads *threads); // NULL is fine

/// Threads with the caller.
int tact_threads_get_count(const TactThreads *threads);

/// Looks that a thread may take at what another one does before it leaves the rest to that one:
/// some 40 us, with a rest after each. 0 where threads have to share processors.
int tact_threads_get_patience(const TactThreads *threads);

/// A moment's rest of a thread that waits, for the processor.
static inline void tact_threads_rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Calls work(context, number) on every thread at once, and returns when all of them have.
void tact_threads_run(TactThreads *threads, TactThreadsWork *work, void *context);

/// The same where more such work follows soon: threads look for it longer before they sleep.
void tact_threads_run_one_of_many(TactThreads *threads, TactThreadsWork *work, void *context);

#endif
