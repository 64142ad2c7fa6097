// Inside of the grasping experiment: all methods on the contact problems that a scene made.
#ifndef TACT_BENCH_PAPERS_PAPERS_GRASP_H
#define TACT_BENCH_PAPERS_PAPERS_GRASP_H

#include <tact/sim.h>

/// Of a problem; more are an error.
enum { TACT_GRASP_MOST_CONTACTS = 96 };

typedef enum TactGraspMethod {
    TACT_GRASP_LEMKE,
    TACT_GRASP_PGS,
    TACT_GRASP_PGS_SM,
    TACT_GRASP_PGS_ONCE,    // friction bounded by the normals of the last step, solved once: what
    TACT_GRASP_PGS_SM_ONCE, //   the paper times
    TACT_GRASP_REDUCED,
    TACT_GRASP_REDUCED_WARM,
    TACT_GRASP_LADDER,
    TACT_GRASP_METHODS
} TactGraspMethod;

/// Of the problems of a hand.
typedef struct TactGraspTimes {
    double min, max, mean; // s
    int    certified;      // of the problems
    double error;          // worst certified one
} TactGraspTimes;

typedef struct TactGraspTrial TactGraspTrial;

TactStatus tact_grasp_trial_create(TactGraspTrial **trial);
void       tact_grasp_trial_destroy(TactGraspTrial *trial);

/// Steps the scene from its first keyframe for so many seconds and solves every problem with
/// contacts by all methods, `passes` times over: the steps are the same in every pass, and of each
/// problem and method the best time counts. Warm methods come from the problem of the step before.
TactStatus tact_grasp_trial_run(TactGraspTrial *trial, TactSim *sim, double seconds, int passes);

/// Of all runs so far: problems, those of so many contacts, and how long a method took for them
/// (contacts 0: for all).
int            tact_grasp_trial_problems(const TactGraspTrial *trial);
int            tact_grasp_trial_count(const TactGraspTrial *trial, int contacts);
TactGraspTimes tact_grasp_trial_times(const TactGraspTrial *trial, TactGraspMethod method,
                                      int contacts);

const char *tact_grasp_method_name(TactGraspMethod method);
const char *tact_grasp_method_cone(TactGraspMethod method);

#endif
