// Random mechanisms and states for tests of dynamics.
#ifndef TACT_TESTS_DYNAMICS_TREES_H
#define TACT_TESTS_DYNAMICS_TREES_H

#include <tact/dynamics.h>

/// A tree of bodies with every type of joint: several joints on a body, bodies fixed to others,
/// several trees, armature, damping, springs. Same seed, same model.
TactModel *random_tree(uint64_t seed, int bodies);

/// A chain of links hanging from the world: hinges about x and y in turn, or balls.
TactModel *chain_model(int links, TactJointType type, double length, double mass);

/// A valid position near nothing in particular, and a velocity of size about 1.
void random_state(const TactModel *model, TactRandom *random, double *q, double *v);

/// max_i |a_i - b_i| / (1 + max_i |b_i|)
double relative_distance(const double *a, const double *b, int n);

#endif
