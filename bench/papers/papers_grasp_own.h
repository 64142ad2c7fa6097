// Inside of the grasping experiment: the same task once more for every solver, and in both
// coordinates, each a run of its own [Arechavaleta, V-B].
#ifndef TACT_BENCH_PAPERS_PAPERS_GRASP_OWN_H
#define TACT_BENCH_PAPERS_PAPERS_GRASP_OWN_H

#include "bench/papers/papers_grasp_scene.h"

/// The first hand holds what it grasps, the second one loses it.
TactStatus tact_grasp_own_runs(TactPapers *papers, const TactGraspHand hands[2]);

#endif
