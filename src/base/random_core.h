// xoshiro256** by Blackman and Vigna, seeded by splitmix64, where functions of the library cannot
// be called: the module of CUDA begins paths with the numbers that the processor draws. C and C++.
#ifndef TACT_BASE_RANDOM_CORE_H
#define TACT_BASE_RANDOM_CORE_H

#include <math.h>
#include <tact/base.h>

static inline TactRandom tact_random_core_seed(uint64_t seed)
{
    TactRandom random;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t x = seed;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        random.state[i] = x ^ (x >> 31);
    }
    return random;
}

static inline uint64_t tact_random_core_turn(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t tact_random_core_next(TactRandom *random)
{
    uint64_t *s = random->state;
    uint64_t  result = tact_random_core_turn(s[1] * 5, 7) * 9;
    uint64_t  t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = tact_random_core_turn(s[3], 45);
    return result;
}

static inline double tact_random_core_uniform(TactRandom *random, double lo, double hi)
{
    double unit = (double)(tact_random_core_next(random) >> 11) * 0x1p-53;
    double x = lo + (hi - lo) * unit;
    return x < hi ? x : nextafter(hi, lo); // 1 + (1 - 2^-53) rounds to 2
}

#endif
