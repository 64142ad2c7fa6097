// One body with n contacts, many problems: a mix of rocks, blocks and pegs, each drawn by its
// number.
#ifndef TACT_BENCH_GPU_BODY_MIX_H
#define TACT_BENCH_GPU_BODY_MIX_H

#include <stdint.h>

typedef enum TactMixKind {
    TACT_MIX_ROCK,       // random points and normals
    TACT_MIX_BLOCK,      // on a plane, exactly: ties everywhere
    TACT_MIX_PEG,        // in a hole, exactly
    TACT_MIX_BLOCK_NEAR, // points and normals moved by 1e-4
    TACT_MIX_PEG_NEAR,
    TACT_MIX_PEG_JITTER, // moved by 1e-2
    TACT_MIX_KINDS,
    TACT_MIX_ALL = TACT_MIX_KINDS, // a sixth of each
} TactMixKind;

const char *tact_mix_name(TactMixKind kind);

/// Arrays of the caller, entry k of problem i at [k * stride + i]: see gpu/body.h.
typedef struct TactMixArrays {
    int     count, stride, contacts;
    double *mass, *inertia, *centre, *velocity, *force, *point, *normal, *mu;
} TactMixArrays;

/// Draws the problems first .. first + count - 1 of a seed.
void tact_mix_draw(TactMixKind kind, uint64_t seed, int first, const TactMixArrays *arrays);

/// The next step of the same bodies: velocities change by part of their size, points by a hundredth
/// of that part of the body's size.
void tact_mix_disturb(double part, uint64_t seed, const TactMixArrays *arrays);

#endif
