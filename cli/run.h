// `tact run`: its options and what it found out.
#ifndef TACT_CLI_RUN_H
#define TACT_CLI_RUN_H

#include <tact/load.h>
#include <tact/sim.h>

#include "options.h"

typedef struct TactRunOptions {
    const char     *file;
    TactOptionTexts packages;
    double          time;              // s
    double          dt;                // s; 0: the model's
    const char     *method, *keyframe; // NULL: not given
    int             cone, integrator;  // < 0: not given
    bool            strict, json, help;
} TactRunOptions;

/// Sums over the steps of a run.
typedef struct TactRunResult {
    const TactModel *model;
    TactSim         *sim;
    double           dt;
    long             steps;
    long             contacts; // of all steps
    int              contacts_max;
    long             solves, certified;
    double           error_max, penetration_max, loop_error_max;
    double           solve_time, step_time; // s
    double          *solve_times;           // of every step, s                             (steps)
    int              rung_count;
    TactSimRung      rungs[TACT_CONTACT_MAX_RUNGS];
    uint64_t         hash;
} TactRunResult;

/// False if the words are wrong: said on standard error already.
bool tact_run_parse(int argc, char **argv, TactRunOptions *options);
void tact_run_help(void);

void tact_run_print(const TactRunOptions *options, const TactRunResult *result);
int  tact_run_print_json(const TactRunOptions *options, const TactRunResult *result);

#endif
