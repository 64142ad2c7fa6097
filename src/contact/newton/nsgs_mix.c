#include "contact/newton/nsgs_mix.h"

#include <math.h>
#include <string.h>

#include "linalg/cholesky.h"
#include "linalg/vector.h"

// A change of f that is a combination of the others to this share adds nothing.
static const double DEPENDENT = 1e-13;
// How many times larger |f|^2 may become in a sweep.
static const double WORSE = 4;
// Sweeps that are not mixed after a restart: they pass the kink that made it necessary.
enum { PLAIN = 20 };

void tact_mix_layout(TactMix *mix, int capacity, TactArena *arena)
{
    size_t  n = (size_t)capacity;
    TactMix lent = {
        .root = tact_arena_take(arena, n, sizeof(double)),
        .f = tact_arena_take(arena, n, sizeof(double)),
        .g = tact_arena_take(arena, n, sizeof(double)),
        .dF = tact_arena_take(arena, TACT_MIX_MOST * n, sizeof(double)),
        .dG = tact_arena_take(arena, TACT_MIX_MOST * n, sizeof(double)),
    };
    if (arena->block) {
        *mix = lent;
    }
}

void tact_mix_restart(TactMix *mix)
{
    mix->count = 0;
    mix->next = 0;
    mix->length = 0;
}

void tact_mix_begin(TactMix *mix, int n, const double *weight)
{
    mix->n = n;
    for (int i = 0; i < n; i++) {
        mix->root[i] = sqrt(weight[i / 3]);
    }
    mix->plain = 0;
    tact_mix_restart(mix);
}

/// The newest change of f and g takes the place of the oldest.
static void remember_sweep(TactMix *mix, const double *x, const double *g)
{
    int     n = mix->n;
    size_t  row = (size_t)mix->next * (size_t)n;
    double *dF = mix->dF + row;
    double *dG = mix->dG + row;
    for (int i = 0; i < n; i++) {
        double f = mix->root[i] * (g[i] - x[i]);
        dF[i] = f - mix->f[i];
        dG[i] = g[i] - mix->g[i];
        mix->f[i] = f;
        mix->g[i] = g[i];
    }
    if (mix->length == 0) {
        mix->length = 1;
        return;
    }
    mix->count = mix->count < TACT_MIX_MOST ? mix->count + 1 : TACT_MIX_MOST;
    for (int k = 0; k < mix->count; k++) {
        double dot = tact_vec_dot(n, mix->dF + (size_t)k * (size_t)n, dF);
        mix->gram[k * TACT_MIX_MOST + mix->next] = dot;
        mix->gram[mix->next * TACT_MIX_MOST + k] = dot;
    }
    mix->next = (mix->next + 1) % TACT_MIX_MOST;
}

bool tact_mix_step(TactMix *mix, const double *x, double *g)
{
    int    n = mix->n;
    int    count;
    double last = mix->last;
    bool   had = mix->length > 0;
    remember_sweep(mix, x, g);
    mix->last = tact_vec_dot(n, mix->f, mix->f);
    if (had && !(mix->last <= WORSE * last)) {
        tact_mix_restart(mix);
        mix->plain = PLAIN;
        return false;
    }
    count = mix->count;
    if (mix->plain > 0 || count == 0) {
        mix->plain -= mix->plain > 0;
        return true;
    }
    double A[TACT_MIX_MOST * TACT_MIX_MOST];
    double gamma[TACT_MIX_MOST];
    memcpy(A, mix->gram, sizeof A);
    for (int k = 0; k < count; k++) {
        gamma[k] = tact_vec_dot(n, mix->dF + (size_t)k * (size_t)n, mix->f);
    }
    tact_cholesky_factor_small(count, A, TACT_MIX_MOST, DEPENDENT);
    tact_cholesky_solve(count, A, TACT_MIX_MOST, gamma, gamma);
    for (int k = 0; k < count; k++) {
        tact_vec_axpy(n, -gamma[k], mix->dG + (size_t)k * (size_t)n, g);
    }
    return true;
}
