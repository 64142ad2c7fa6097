// Many worlds of one model on threads: rollouts from arrays, and worlds that are stepped together.
//
//     TactWorkers *workers = NULL;
//     tact_workers_create(4, &workers);
//     TactRollout rollout = {.worlds = 1000, .steps = 500, .q = q, .ctrl = ctrl, .q_out = q_out};
//     tact_rollout_run(workers, model, &config, &rollout);
//
// Results do not depend on the number of threads: they are bitwise reproducible.
#ifndef TACT_BATCH_H
#define TACT_BATCH_H

#include <tact/base.h>
#include <tact/model.h>
#include <tact/parameter.h>
#include <tact/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Workers: threads that wait for work

typedef struct TactWorkers TactWorkers;

/// threads: 1 .. 256, including the caller's; 0: one for each processor that this process may use.
TACT_API TACT_NODISCARD TactStatus tact_workers_create(int threads, TactWorkers **workers);
TACT_API void                      tact_workers_destroy(TactWorkers *workers);
TACT_API int                       tact_workers_get_threads(const TactWorkers *workers);

/// One piece of work. worker: 0 .. threads - 1, never two at a time; 0 is the caller's thread.
typedef TactStatus TactWorkersTask(void *context, int worker, int task);

/// Runs tasks 0 .. count - 1 once each, every one on the next thread that is free. After a failure
/// no more tasks are started, and the failure with the lowest task number is returned with its
/// message, which does not depend on the number of threads. workers NULL: the caller's thread
/// alone. Must not be called from a task of the same workers, nor from two threads at once.
TACT_API TACT_NODISCARD TactStatus tact_workers_run(TactWorkers *workers, int count,
                                                    TactWorkersTask *task, void *context);

// ---------------------------------------------------------------------------------------------
// Rollouts: a number of steps from a given state, with given controls, in each of many worlds

/// Summary of one world.
typedef struct TactRolloutWorld {
    int      solves;      // contact problems
    int      certified;   // of these
    int      contacts;    // largest number in a step
    double   error;       // worst certified error
    double   penetration; // deepest contact, m
    uint64_t hash;        // of q and v after the last step
} TactRolloutWorld;

/// Called on the caller's thread before each of its steps. A status other than TACT_OK ends the
/// rollout and is returned.
typedef TactStatus TactRolloutWatch(void *context);

typedef struct TactRollout {
    int worlds, steps;
    int every; // steps from one output to the next; 0: 1. frames = steps / every
    int hold;  // steps for which a control is held; 0: 1. controls = steps/hold, rounded up
    // Inputs; NULL: the model's reference, at rest, no control
    const double *q;    //                                                  (worlds x nq)
    const double *v;    //                                                  (worlds x nv)
    const double *ctrl; //                                      (worlds x controls x actuators)
    // Parameters of each world (parameter.h), one after another
    int                parameter_count;
    const char *const *paths;  //                                           (parameter_count)
    const double      *values; //                                           (worlds x numbers)
    // Outputs; NULL: not wanted
    double           *q_out;       //                                       (worlds x frames x nq)
    double           *v_out;       //                                       (worlds x frames x nv)
    double           *sensors_out; //                              (worlds x frames x sensor_size)
    TactRolloutWorld *worlds_out;  //                                       (worlds)
    TactRolloutWatch *watch;       // NULL: none
    void             *context;     // of it
} TactRollout;

/// Allocates one simulation for each thread, and frees them. TACT_BAD_INPUT with the world and step
/// at fault.
TACT_API TACT_NODISCARD TactStatus tact_rollout_run(TactWorkers *workers, const TactModel *model,
                                                    const TactSimConfig *config,
                                                    const TactRollout   *rollout);

// ---------------------------------------------------------------------------------------------
// Worlds that persist between calls, e.g. for reinforcement learning

typedef struct TactBatch TactBatch;

/// The model must outlive it.
TACT_API TACT_NODISCARD TactStatus tact_batch_create(const TactModel     *model,
                                                     const TactSimConfig *config, int worlds,
                                                     TactBatch **batch);
TACT_API void                      tact_batch_destroy(TactBatch *batch);
TACT_API int                       tact_batch_get_count(const TactBatch *batch);

/// One world, which can be read, set and reset like any simulation; NULL if the index is wrong.
TACT_API TactSim *tact_batch_view_world(TactBatch *batch, int world);

/// Inputs and outputs of a step of all worlds; NULL: not given, not wanted.
typedef struct TactBatchStep {
    int                  steps;   // of each world; 0: only the outputs
    const unsigned char *skip;    // not 0: this world is not stepped                 (worlds)
    const double        *ctrl;    //                                       (worlds x actuators)
    double              *q;       // out                                          (worlds x nq)
    double              *v;       // out                                          (worlds x nv)
    double              *sensors; // out                                 (worlds x sensor_size)
    TactSimReport       *reports; // out: of the last step                          (worlds)
} TactBatchStep;

TACT_API TACT_NODISCARD TactStatus tact_batch_step(TactBatch *batch, TactWorkers *workers,
                                                   const TactBatchStep *step);

#ifdef __cplusplus
}
#endif
#endif
