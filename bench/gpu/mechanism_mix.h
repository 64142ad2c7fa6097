// Contact problems of mechanisms, many of them, each drawn by its number: a biped, a robot with
// four legs and one on its hands and feet, all of them flat on the ground, and two cubes on each
// other.
#ifndef TACT_BENCH_GPU_MECHANISM_MIX_H
#define TACT_BENCH_GPU_MECHANISM_MIX_H

#include <stdint.h>

typedef enum TactMechanismKind {
    TACT_MECHANISM_CUBES,  // two, of 12 degrees of freedom: 4 or 8 points at either face
    TACT_MECHANISM_BIPED,  // 27 degrees of freedom, two feet of 4 points
    TACT_MECHANISM_WALKER, // 30 degrees of freedom, four feet of 4 points
    TACT_MECHANISM_HANDS, // 54 degrees of freedom, two feet and two hands of 4 points, with fingers
    TACT_MECHANISM_KINDS,
} TactMechanismKind;

const char *tact_mechanism_mix_name(TactMechanismKind kind);
int         tact_mechanism_mix_dof(TactMechanismKind kind);

/// Arrays of the caller: see TactMechanismProblems.
typedef struct TactMechanismArrays {
    int     count, contacts;
    double *M, *velocity, *force, *J, *mu;
} TactMechanismArrays;

/// Draws the problems first .. end - 1 of a seed; contacts: 8 or 16 (a biped: 8, a walker and one
/// on its hands: 16). Half of them are exact, half have points moved by 1e-4. change > 0: the step
/// after that; velocities change by this part of their size, and the points of a foot or face,
/// together, by a hundredth of it in metres.
void tact_mechanism_mix_draw(TactMechanismKind kind, uint64_t seed, int first, int end,
                             double change, const TactMechanismArrays *arrays);

#endif
