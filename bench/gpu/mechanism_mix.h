// Contact problems of mechanisms, many of them, each drawn by its number: a biped and a four-legged
// robot on flat feet, and two cubes on each other.
#ifndef TACT_BENCH_GPU_MECHANISM_MIX_H
#define TACT_BENCH_GPU_MECHANISM_MIX_H

#include <stdint.h>

typedef enum TactMechanismKind {
    TACT_MECHANISM_CUBES,  // two, of 12 degrees of freedom: 4 or 8 points at either face
    TACT_MECHANISM_BIPED,  // 27 degrees of freedom, two feet of 4 points
    TACT_MECHANISM_WALKER, // 30 degrees of freedom, four feet of 4 points
    TACT_MECHANISM_KINDS,
} TactMechanismKind;

const char *tact_mechanism_mix_name(TactMechanismKind kind);
int         tact_mechanism_mix_dof(TactMechanismKind kind);

/// Arrays of the caller, entry k of problem i at [k * stride + i]: see TactMechanismProblems.
typedef struct TactMechanismArrays {
    int     count, stride, contacts;
    double *M, *velocity, *force, *J, *mu;
} TactMechanismArrays;

/// Draws the problems first .. first + count - 1 of a seed; contacts: 8 or 16 (a biped: 8, a
/// walker: 16). Half of them exact, half with points moved by 1e-4.
void tact_mechanism_mix_draw(TactMechanismKind kind, uint64_t seed, int first,
                             const TactMechanismArrays *arrays);

/// The next step of the same mechanisms: velocities change by part of their size, Jacobians by a
/// hundredth of that part.
void tact_mechanism_mix_disturb(TactMechanismKind kind, double part, uint64_t seed,
                                const TactMechanismArrays *arrays);

#endif
