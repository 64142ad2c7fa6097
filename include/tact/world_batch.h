// Whole worlds in batches, on a processor's threads or on a GPU: P worlds of one model, whose state
// stays on the device. Every step is that of tact_sim_step(): contacts solved exactly and
// certified; what a GPU does not make of it is handed to the processor, world by world, and
// counted.
//
//     TactSimConfig sim = tact_sim_config_default(model);
//     sim.cone = TACT_CONE_PYRAMID; // or the circle, which a GPU finds from it
//     TactWorldBatchConfig config = tact_world_batch_config_default(TACT_DEVICE_CUDA);
//     config.worlds = 65536;
//     tact_world_batch_create(model, &sim, &config, &batch);
//     tact_world_batch_send(batch, &(TactWorldStates){.q = q, .ctrl = ctrl});
//     tact_world_batch_step(batch, 100, &report);
//     tact_world_batch_fetch(batch, &(TactWorldStates){.q = q, .v = v});
//
// What a model asks for that the GPU does not have is refused with a list when the batch is made.
// The same bits in every run, and for any number of worlds, on the same device; not the same on
// both: where a contact problem has several answers they may choose different ones.
#ifndef TACT_WORLD_BATCH_H
#define TACT_WORLD_BATCH_H

#include <tact/contact_batch.h>
#include <tact/model.h>
#include <tact/parameter.h>
#include <tact/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TactWorldBatchConfig {
    TactDevice device;
    int        worlds;       // >= 1
    int        threads;      // of the processor; 0: all
    bool       sliding_only; // contacts do not resist spinning and rolling, whatever the model says
    bool       other_shapes; // a GPU takes pairs whose points it does not find as well: steps in
                             // which they, or the boxes around them, come near are the processor's
    bool     sensors;        // the model's sensors are read after the last step of every call
    uint32_t cookie;         // set by tact_world_batch_config_default(); do not write
} TactWorldBatchConfig;

TACT_API TactWorldBatchConfig tact_world_batch_config_default(TactDevice device);

typedef struct TactWorldBatch TactWorldBatch;

/// The model must outlive it. All worlds are at the model's reference, at rest. TACT_UNSUPPORTED
/// without such a device, or with the list of what the model and the config ask for and the device
/// lacks; TACT_NO_MEMORY without room on it.
TACT_API TACT_NODISCARD TactStatus tact_world_batch_create(const TactModel            *model,
                                                           const TactSimConfig        *sim,
                                                           const TactWorldBatchConfig *config,
                                                           TactWorldBatch            **batch);
TACT_API void                      tact_world_batch_destroy(TactWorldBatch *batch);

/// Arrays of all worlds, one after another: of the host, or the device's own. NULL: not wanted.
typedef struct TactWorldStates {
    double *q;       //                                                                (worlds x nq)
    double *v;       //                                                                (worlds x nv)
    double *ctrl;    //                                                         (worlds x actuators)
    double *sensors; // where the config asks for them; never sent        (worlds x sensor_size)
} TactWorldStates;

/// Copies from the host's arrays to the device, and back.
TACT_API TACT_NODISCARD TactStatus tact_world_batch_send(TactWorldBatch        *batch,
                                                         const TactWorldStates *states);
TACT_API TACT_NODISCARD TactStatus tact_world_batch_fetch(const TactWorldBatch  *batch,
                                                          const TactWorldStates *states);

/// The device's own arrays, to be read and written there between steps.
TACT_API void tact_world_batch_view(TactWorldBatch *batch, TactWorldStates *states);

/// Chosen worlds (not 0 in which; NULL: all) at the model's reference, at rest; ctrl stays.
TACT_API TACT_NODISCARD TactStatus tact_world_batch_reset(TactWorldBatch      *batch,
                                                          const unsigned char *which);

/// Sets a parameter of the model (parameter.h: "body/trunk/mass", "geom/foot/friction",
/// "actuator/knee/kp") in every world, from the next step on: values are one world's after
/// another's. Up to 64 paths on a GPU, where every world has a model of its own afterwards. A world
/// that is reset keeps its own. What tact_sim_set() refuses is refused; some worlds may have the
/// new values then.                                                              (worlds x count)
TACT_API TACT_NODISCARD TactStatus tact_world_batch_set(TactWorldBatch *batch, const char *path,
                                                        const double *values, int count);

/// Puts a simulation of the same model, made with the same config, into the state of a world: q, v,
/// ctrl and the parameters that differ. A step of it is that of the world on the processor: what
/// the world touches there (tact_sim_view_contacts()), a recording, a check of what the device made
/// of it. It begins without a memory of the last step.
TACT_API TACT_NODISCARD TactStatus tact_world_batch_copy(const TactWorldBatch *batch, int world,
                                                         TactSim *sim);

/// Why steps were handed over; one step may have several reasons.
typedef struct TactWorldBatchReasons {
    long long full;       // more contacts and limits than a world has room for
    long long crossed;    // geoms in each other, axis through axis
    long long runaway;    // velocity products were not found
    long long unsolved;   // no answer was certified
    long long fast;       // geoms passed each other so fast that the way mattered
    long long unbalanced; // fast joints gained energy
    long long deeper;     // rounds did not complete the contacts
    long long sunk;       // positions had to be put right
    long long shape;      // two geoms came near whose points the GPU does not find
} TactWorldBatchReasons;

typedef struct TactWorldBatchReport {
    long long             steps;       // worlds x steps
    long long             solves;      // contact problems
    long long             first;       // of these: certified at the first try
    long long             retried;     // certified by another covering vector
    long long             handed_over; // steps that the processor made
    TactWorldBatchReasons reasons;     // of these
    long long             uncertified; // steps whose contacts the processor did not certify either
    double                error;       // the worst that was certified
    double                seconds;     // of all
    double                seconds_begin, seconds_contact, seconds_end; // of a GPU
    double                seconds_handed;                              // of the processor
} TactWorldBatchReport;

/// Steps of all worlds. report may be NULL. Sensors, where the config asks for them, are those of
/// tact_sim_compute_sensors() after the last of the steps. With 0 steps they are read anew from the
/// states as they are, for states that were written since; sensors of forces and accelerations then
/// stay those of the last step. After a reset they are those of the new state. On a GPU contacts
/// have the forces that the method found (TACT_SHARE_VERTEX).
TACT_API TACT_NODISCARD TactStatus tact_world_batch_step(TactWorldBatch *batch, int steps,
                                                         TactWorldBatchReport *report);

#ifdef __cplusplus
}
#endif
#endif
