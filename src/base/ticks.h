// Ticks of the processor, for a step and its parts: reading them takes 10 ns, the clock 25, and a
// step of a small robot takes 1400. What a tick is in seconds the clock tells, which is read now
// and then (TactTickRate).
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

/// Seconds of a tick, by the clock over spans of 1, 2, 4, ... and then 1024 readings.
typedef struct TactTickRate {
    double   seconds; // of a tick
    double   clock;   // where the span began, s,
    uint64_t tick;    //   and in ticks
    int      span;    // readings; 0: none has begun
    int      left;    // of them
} TactTickRate;

/// Before the first span, which ends with the first reading.
static inline void tact_tick_rate_begin(TactTickRate *rate)
{
    if (rate->span == 0) {
        *rate = (TactTickRate){.clock = tact_time_now(), .tick = tact_ticks_now(), .span = 1};
    }
}

/// A reading. A processor whose counter went back keeps the rate that it had.
static inline double tact_tick_rate_read(TactTickRate *rate)
{
    if (rate->left-- > 0) {
        return rate->seconds;
    }
    double   clock = tact_time_now();
    uint64_t tick = tact_ticks_now();
    if (tick > rate->tick) {
        rate->seconds = (clock - rate->clock) / (double)(tick - rate->tick);
    }
    rate->clock = clock;
    rate->tick = tick;
    rate->span = rate->span < 1024 ? 2 * rate->span : rate->span;
    rate->left = rate->span - 1;
    return rate->seconds;
}

/// From `start` to now. A processor whose counter went back tells nothing.
static inline double tact_ticks_since(uint64_t start)
{
    uint64_t now = tact_ticks_now();
    return now > start ? (double)(now - start) : 0;
}

#endif
