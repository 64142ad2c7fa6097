// xoshiro256** by Blackman and Vigna, seeded by splitmix64.
#include <math.h>
#include <tact/base.h>

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

TactRandom tact_random_seed(uint64_t seed)
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

uint64_t tact_random_next(TactRandom *random)
{
    uint64_t *s = random->state;
    uint64_t  result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t  t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double tact_random_uniform(TactRandom *random, double lo, double hi)
{
    double unit = (double)(tact_random_next(random) >> 11) * 0x1p-53;
    double x = lo + (hi - lo) * unit;
    return x < hi ? x : nextafter(hi, lo); // 1 + (1 - 2^-53) rounds to 2
}

double tact_random_normal(TactRandom *random)
{
    // Marsaglia's polar method; the second number is not kept, so that state is all there is.
    double x, y, r2;
    do {
        x = tact_random_uniform(random, -1, 1);
        y = tact_random_uniform(random, -1, 1);
        r2 = x * x + y * y;
    } while (r2 >= 1 || r2 == 0);
    return x * sqrt(-2 * log(r2) / r2);
}
