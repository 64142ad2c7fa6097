#include <math.h>
#include <tact/base.h>

#include "base/random_core.h"

TactRandom tact_random_seed(uint64_t seed)
{
    return tact_random_core_seed(seed);
}

uint64_t tact_random_next(TactRandom *random)
{
    return tact_random_core_next(random);
}

double tact_random_uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_core_uniform(random, lo, hi);
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
