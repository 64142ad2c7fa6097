// Ticks of the processor, for parts of a step: reading them takes 10 ns, the clock 30, and a step
// of a small robot takes 2000. What a tick is in seconds is told by whoever reads both around a
// whole.
#ifndef TACT_BASE_TICKS_H
#define TACT_BASE_TICKS_H

#include <stdint.h>
#include <tact/base.h>

static inline uint64_t tact_ticks_now(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)(1e9 * tact_time_now());
#endif
}

/// From `start` to now. A processor whose counter went back tells nothing.
static inline double tact_ticks_since(uint64_t start)
{
    uint64_t now = tact_ticks_now();
    return now > start ? (double)(now - start) : 0;
}

#endif
