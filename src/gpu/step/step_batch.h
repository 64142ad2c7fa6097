// Steps of a batch of worlds on a device: arrays, lists and counts. C and C++ alike.
#ifndef TACT_GPU_STEP_BATCH_H
#define TACT_GPU_STEP_BATCH_H

#include "gpu/module.h"
#include "gpu/step/step_worlds.h"

enum {
    TACT_STEP_SMALL_POINTS = 16, // problems that the smaller kernel solves
    TACT_STEP_SMALL_ROWS = 24,
    TACT_STEP_MOST_ROWS = 48,
    TACT_STEP_SMALL_EXTRA = 32, // rows of motors and loops, of models of up to 32 dofs
    TACT_STEP_MOST_EXTRA = 48,  // the same of others
    TACT_STEP_BINS = 3,         // problems without contacts, small, large
    TACT_STEP_TRIES = 3,        // covering vectors
    TACT_STEP_MOST_SOLVES = 12, // of a world in a step
    TACT_STEP_LISTS = 2 * TACT_STEP_BINS + 2 * 2 + 1,
    TACT_STEP_COUNTERS = 512,
};

/// Bytes before the block of a world's own model: the model itself.
enum { TACT_STEP_HEAD = (sizeof(TactStepModel) + 15) / 16 * 16 };

/// Sensors, where they are asked for.
typedef struct TactStepSenses {
    double       *values;   // NULL: none are                                   (sensor_size)
    double       *q_before; // where the last step began                                 (nq)
    const double *time;     // s                                                          (1)
    const int    *stepped;  // since the world was made or reset                          (1)
} TactStepSenses;

/// All arrays are the device's.
struct TactStepBatch {
    TactStepModel         model;
    const void           *models;     // each world's own, a head and its block; NULL: all have that
    size_t                model_size; // from one to the next
    TactStepWorlds        worlds;
    TactMechanismProblems problems;
    TactBodyAnswers       answers;
    TactStepSenses        senses;
    int                   directions;
    double                tol;   // of the certificate
    void                 *queue; // of the module
    int                  *work;  // counters and lists (TACT_STEP_COUNTERS + TACT_STEP_LISTS count)
};

/// How the worlds of a step ended. Those that are left are at work + list.
struct TactStepCounts {
    int    solves, first, retried; // contact problems: all, certified at the first try, by another
    int    left, list;
    int    reasons[TACT_STEP_LEFT_REASONS];
    int    worlds[TACT_STEP_MOST_SOLVES]; // that a round began with
    float  error;                         // worst of those that are certified
    double seconds;                       // of the device
    double parts[4];                      // of these: begin, contact, end, the rest
};

/// Numbers of counters.
enum {
    TACT_STEP_COUNT_LEFT,
    TACT_STEP_COUNT_ERROR, // bits of a float
    TACT_STEP_COUNT_REASONS,
    TACT_STEP_COUNT_LISTS = 16, // of round r, bin b: + TACT_STEP_BINS r + b
    TACT_STEP_COUNT_TRIES = 64, // of round r, bin b, try t: taken, failed
};

TACT_HD int tact_step_list_counter(int round, int bin)
{
    return TACT_STEP_COUNT_LISTS + TACT_STEP_BINS * round + bin;
}

TACT_HD int tact_step_try_counter(int round, int bin, int number)
{
    return TACT_STEP_COUNT_TRIES + 2 * ((round * 2 + bin - 1) * TACT_STEP_TRIES + number);
}

/// Lists of worlds: of round r and bin b, of what a try has left, of what is left to the processor.
TACT_HD int tact_step_list(int count, int round, int bin)
{
    return TACT_STEP_COUNTERS + ((round % 2) * TACT_STEP_BINS + bin) * count;
}

TACT_HD int tact_step_fail_list(int count, int bin, int number)
{
    return TACT_STEP_COUNTERS + (2 * TACT_STEP_BINS + 2 * (bin - 1) + number % 2) * count;
}

TACT_HD int tact_step_left_list(int count)
{
    return TACT_STEP_COUNTERS + (TACT_STEP_LISTS - 1) * count;
}

/// The model of a world, where each has its own.
TACT_HD const TactStepModel *tact_step_model_of(const TactStepBatch *batch, int i)
{
    return (const TactStepModel *)((const char *)batch->models + (size_t)i * batch->model_size);
}

/// Does a model need the solvers with motors, loops and moments, or the circle?
TACT_HD int tact_step_has_more(const TactStepBatch *batch)
{
    return batch->worlds.more.motors + batch->worlds.more.loops > 0 || batch->worlds.more.circle ||
           batch->worlds.more.turns;
}

/// Does it need the larger kernels of steps: for that, or for its pairs?
TACT_HD int tact_step_is_larger(const TactStepBatch *batch)
{
    return tact_step_has_more(batch) || batch->model.traits.more_pairs > 0;
}

/// Which kernel solves a problem of such a model: one for all.
TACT_HD int tact_step_bin_more(const TactStepBatch *batch, int i)
{
    int rows = batch->problems.active[i] + batch->worlds.more.motors + batch->worlds.more.loops;
    return rows == 0 ? 0 : 2;
}

/// Which kernel solves a problem.
TACT_HD int tact_step_bin(const TactMechanismProblems *problems, int i)
{
    int points = problems->active[i], rows = points + 2 * problems->rough[i];
    return points == 0                                                        ? 0
           : points <= TACT_STEP_SMALL_POINTS && rows <= TACT_STEP_SMALL_ROWS ? 1
                                                                              : 2;
}

#endif
