// Draws that depend on a seed and a number alone: splitmix64.
#ifndef TACT_BENCH_GPU_DRAW_H
#define TACT_BENCH_GPU_DRAW_H

#include <math.h>
#include <stdint.h>

typedef struct TactDraw {
    uint64_t state;
} TactDraw;

static inline uint64_t tact_draw_bits(TactDraw *draw)
{
    uint64_t x = draw->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline double tact_draw_between(TactDraw *draw, double low, double high)
{
    return low + (high - low) * ((double)(tact_draw_bits(draw) >> 11) * 0x1p-53);
}

static inline TactDraw tact_draw_of(uint64_t seed, uint64_t number)
{
    TactDraw draw = {seed * 0x2545f4914f6cdd1du + number * 0x9e3779b97f4a7c15u};
    draw.state = tact_draw_bits(&draw);
    return draw;
}

static inline void tact_draw_unit(TactDraw *draw, double out[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            out[k] = tact_draw_between(draw, -1, 1);
            square += out[k] * out[k];
        }
    } while (square > 1 || square < 1e-3);
    for (int k = 0; k < 3; k++) {
        out[k] /= sqrt(square);
    }
}

#endif
