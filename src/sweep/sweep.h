// Sweeps inside: what a sweep file says, found in the model.
#ifndef TACT_SWEEP_SWEEP_H
#define TACT_SWEEP_SWEEP_H

#include <stdbool.h>
#include <tact/parameter.h>
#include <tact/sweep.h>

enum {
    TACT_SWEEP_MOST_VARIED = 48,        // variables; dimensions of the Sobol sequence
    TACT_SWEEP_MOST_PATHS = 64,         // of one variable
    TACT_SWEEP_MOST_COLUMNS = 512,      //
    TACT_SWEEP_MOST_STEPS = 1000000000, // of a trial
    TACT_SWEEP_NAME = 120,              // bytes of a name, its zero included
    TACT_SWEEP_PATH = 320,
};

// ---------------------------------------------------------------------------------------------
// Where a value goes

typedef enum TactTargetKind {
    TACT_TARGET_PARAMETER, // a number of a parameter of the model
    TACT_TARGET_Q,         // a number of q
    TACT_TARGET_V,         // a number of v
    TACT_TARGET_CTRL,      // the control of an actuator
    TACT_TARGET_TURN,      // a rotation of a free or ball joint, rad about an axis of the world
    TACT_TARGET_CONFIG,    // friction_scale or timestep of the simulation
} TactTargetKind;

typedef struct TactTarget {
    TactTargetKind kind;
    int            index;  // parameter; place in q, v or ctrl; which number of the config
    int            number; // of a parameter; axis of a turn
} TactTarget;

/// A parameter of the model that varies, whole: its numbers may come from several variables.
typedef struct TactSweepParameter {
    char   path[TACT_SWEEP_PATH];
    int    count;
    double base[TACT_PARAMETER_MOST]; // as the model has it
} TactSweepParameter;

// ---------------------------------------------------------------------------------------------
// What a value is

typedef enum TactVaryKind {
    TACT_VARY_LIST,    // the grid runs through the values
    TACT_VARY_CHOICE,  // one of the values, each with the same probability
    TACT_VARY_UNIFORM, // between lo and hi
    TACT_VARY_NORMAL,  // mean lo, standard deviation hi
} TactVaryKind;

typedef enum TactVaryApply {
    TACT_APPLY_SET,   // the value itself
    TACT_APPLY_ADD,   // what the scene has, plus the value
    TACT_APPLY_TIMES, // what the scene has, times the value
} TactVaryApply;

typedef struct TactVariable {
    char          name[TACT_SWEEP_NAME];
    uint64_t      key; // of the name: draws of a variable do not depend on the others
    TactVaryKind  kind;
    TactVaryApply apply;
    bool          logarithmic; // of uniform: its logarithm is
    double        lo, hi;      //
    double        within[2];   // of normal: what lies outside is not drawn
    double       *values;      // of list and choice                               (value_count)
    int           value_count;
    int           stride;    // of list: trials from one value to the next
    int           dimension; // of the sample, among all that are drawn; -1: of the grid
    TactTarget   *targets;   //                                                    (target_count)
    int           target_count;
} TactVariable;

typedef enum TactSampling {
    TACT_SAMPLING_RANDOM, // independent draws
    TACT_SAMPLING_LATIN,  // Latin hypercube: each variable has one value in each of N strata
    TACT_SAMPLING_SOBOL,  // Sobol's sequence, scrambled
} TactSampling;

// ---------------------------------------------------------------------------------------------
// What is looked at

typedef enum TactQuantityKind {
    TACT_QUANTITY_TOTAL,    // a sum or an extreme over the steps so far (which: TactTotal)
    TACT_QUANTITY_POSITION, // of a body's origin, world frame; number 0 .. 2
    TACT_QUANTITY_ROTATION, // its quaternion; 0 .. 3
    TACT_QUANTITY_VELOCITY, // of its origin; 0 .. 2
    TACT_QUANTITY_OMEGA,    // 0 .. 2
    TACT_QUANTITY_Q,        // a number of q
    TACT_QUANTITY_V,        // a number of v
    TACT_QUANTITY_SENSOR,   // a number of all sensors
    TACT_QUANTITY_MOVED,    // how far a body's origin has moved in the frame of another, m
    TACT_QUANTITY_TURNED,   // how far it has turned, rad
} TactQuantityKind;

typedef enum TactTotal {
    TACT_TOTAL_TIME,
    TACT_TOTAL_DT,
    TACT_TOTAL_STEPS,
    TACT_TOTAL_DOF,
    TACT_TOTAL_CONTACTS_MEAN,
    TACT_TOTAL_CONTACTS_MAX,
    TACT_TOTAL_SOLVES,
    TACT_TOTAL_CERTIFIED,
    TACT_TOTAL_UNVERIFIED,
    TACT_TOTAL_OUT_OF_BUDGET,
    TACT_TOTAL_RESIDUAL_MAX,
    TACT_TOTAL_PENETRATION_MAX,
    TACT_TOTAL_LOOP_ERROR_MAX,
    TACT_TOTAL_CORRECTION_MAX,
    TACT_TOTAL_DAMPING_ENERGY,
    TACT_TOTAL_DIVIDED_STEPS,
    TACT_TOTAL_UNRESOLVED_STEPS,
} TactTotal;

typedef struct TactQuantity {
    TactQuantityKind kind;
    int              index;   // total; body; place in q, v or the sensors
    int              number;  // of a vector
    int              against; // body; 0: the world
    double           since;   // s: MOVED and TURNED count from here
} TactQuantity;

typedef enum TactMeasureOf {
    TACT_MEASURE_LAST,
    TACT_MEASURE_FIRST,
    TACT_MEASURE_MIN,
    TACT_MEASURE_MAX,
    TACT_MEASURE_MEAN,
    TACT_MEASURE_RMS,
    TACT_MEASURE_AT, // at a moment
} TactMeasureOf;

/// A column.
typedef struct TactMeasure {
    TactQuantity  quantity;
    TactMeasureOf of;
    double        after; // s: what comes before does not count; of AT: the moment
} TactMeasure;

/// A condition that ends a trial.
typedef struct TactStop {
    TactQuantity quantity;
    bool         below;   // else: above
    double       value;   //
    double       after;   // s
    bool         at_end;  // only looked at when the time is up
    int          outcome; // of the plan
} TactStop;

/// The control of an actuator over time: straight lines from moment to moment.
typedef struct TactSchedule {
    int     actuator, count;
    double *time, *value; //                                                           (count)
} TactSchedule;

// ---------------------------------------------------------------------------------------------

typedef struct TactSweepFound {
    int                 parameter_count;
    TactSweepParameter *parameters;
    int                 variable_count;
    TactVariable       *variables;
    int                 dimensions; // of the sample
    int                 measure_count;
    TactMeasure        *measures;
    int                 stop_count;
    TactStop           *stops;
    int                 schedule_count;
    TactSchedule       *schedules;
} TactSweepFound;

struct TactSweep {
    TactSweepPlan  plan;
    TactModel     *model;
    TactSimConfig  config;
    int            keyframe; // -1: the reference
    uint64_t       seed;
    TactSampling   sampling;
    TactSweepFound found;
    bool           needs_poses, needs_twists, needs_sensors; // in every step
    char           scene[4096];
    char         **columns;  //                                            (plan.column_count)
    char         **outcomes; //                                            (plan.outcome_count)
};

// ---------------------------------------------------------------------------------------------
// draw.c, sobol.c

/// 64 bits of a seed, a name and a number: the same on every machine.
uint64_t tact_sweep_hash(uint64_t seed, uint64_t key, uint64_t number);
/// Of a name.
uint64_t tact_sweep_key(const char *name);
/// Uniform in (0, 1), of the sample.
double tact_sweep_unit(const TactSweep *sweep, const TactVariable *variable, int trial);
/// The value at which the normal distribution has reached the probability p in (0, 1).
double tact_sweep_normal_quantile(double p);
double tact_sweep_draw_value(const TactSweep *sweep, const TactVariable *variable, int trial);

/// Point number `index` of dimension `dimension` of Sobol's sequence, scrambled by the key
/// [Owen95]: uniform in (0, 1).
double tact_sobol_point(int dimension, uint32_t index, uint64_t key);
/// The same before it is scrambled, as a fraction of 2^32.
uint32_t tact_sobol_bits(int dimension, uint32_t index);

// ---------------------------------------------------------------------------------------------
// target.c

/// Finds what a path means: parameter.h's, and qpos/JOINT[/K], qvel/JOINT[/K], ctrl/ACTUATOR,
/// turn/JOINT/AXIS, sim/friction_scale, sim/timestep. Its message says what is wrong with the path.
TactStatus tact_target_find(TactSweep *sweep, const char *path, TactTarget *target);
/// Resets the simulation and sets the start of a trial; values: of what varies.  (varied_count)
TactStatus tact_target_apply(const TactSweep *sweep, TactSim *sim, const double *values);

// quantity.c

/// Finds what a JSON pointer into the report of `tact run --json` means.
TactStatus tact_quantity_find_pointer(const TactModel *model, const char *pointer,
                                      TactQuantity *quantity);
/// The same of a sensor: which of its numbers.
TactStatus tact_quantity_find_sensor(const TactModel *model, const char *name, int number,
                                     TactQuantity *quantity);
/// Says what of the state it needs to be looked at.
void tact_quantity_note(TactSweep *sweep, const TactQuantity *quantity);

// row.c

/// The shortest decimal number that is read as x again; "" for NaN.              text: (32)
int tact_sweep_print_number(double x, char text[32]);
/// The line of a trial; its size, or 0 if it does not fit.
size_t tact_sweep_print_row(const TactSweep *sweep, const TactSweepRow *row, char *text,
                            size_t size);
/// The line of names.
size_t tact_sweep_print_header(const TactSweep *sweep, char *text, size_t size);
/// Reads a line without its end. False if it is none of this sweep.               (column_count)
bool tact_sweep_read_row(const TactSweep *sweep, const char *line, size_t size, double *values);

#endif
