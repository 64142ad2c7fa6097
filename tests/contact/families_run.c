#include "families_run.h"

#include <math.h>

#include "base/clones.h" // TACT_SANITIZED
#include "oracle/contact_law.h"
#include "unique.h"

// The dense LCP of more unknowns than this is left to one seed in eight, and out under a sanitizer.
enum { LARGE_LCP = 330, RARELY = 8 };
#ifdef TACT_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/// So are these: seconds a solve.
static const struct {
    const char *run, *family;
} SLOW[] = {
    {"box pgs-sm", "ratio-1-1-1e6"},
    {"box pgs-sm", "ratio-1-1e6"},
    {"structural circle", "pile-10-64"},
    {"structural pyramid", "pile-10-64"},
};

// Near a jam a velocity is off by many times the certified error, so velocities that shall agree to
// 1e-9 come from better answers than the default asks for.
static const double FRICTIONLESS_TOL = 1e-12;

static const char *const ladder_names[] = {"ladder pyramid", "ladder circle"};

const char *families_only_runs = "";

int families_first;

int families_directions(const TactCaseFamily *family, int seed)
{
    static const int directions[] = {8, 4, 8, 16, 6, 12};
    return family->flags & TACT_CASE_SMALL ? 4 : directions[seed % 6];
}

/// One problem and all that is known of it.
typedef struct Instance {
    const TactCaseFamily *family;
    int                   index, seed;
    TactContactCase       made;
    TactOracleContact     oracle;
    bool                  unique[2];                        // with the pyramid, with the box
    double                only[2][3 * UNIQUE_MAX_CONTACTS]; // impulses, if unique
    double               *reference;                        // velocity of the ladder          (dof)
    bool                  has_reference;
} Instance;

static bool is_skipped(const Run *run, const Instance *instance)
{
    int contacts = instance->made.problem.contact_count + instance->made.problem.row_count;
    int unknowns = (2 + families_directions(instance->family, instance->seed)) * contacts;
    if (strncmp(run->name, families_only_runs, strlen(families_only_runs)) != 0) {
        return true;
    }
    bool slow = run->config.method == TACT_METHOD_LCP && unknowns > LARGE_LCP;
    for (size_t i = 0; i < sizeof SLOW / sizeof *SLOW; i++) {
        slow = slow || (strcmp(run->name, SLOW[i].run) == 0 &&
                        strcmp(instance->family->name, SLOW[i].family) == 0);
    }
    return slow && (SANITIZED || instance->seed % RARELY != 0);
}

static int ladder_of(const Run *run)
{
    return strcmp(run->name, ladder_names[0]) == 0   ? 0
           : strcmp(run->name, ladder_names[1]) == 0 ? 1
                                                     : -1;
}

static void count_rungs(const TactContactReport *report, double seconds, int ladder, Count *count)
{
    for (int r = 0; r < report->rung_count && ladder >= 0; r++) {
        const TactContactRung *rung = &report->rungs[r];
        for (int i = 0; i < MAX_RUNG_NAMES; i++) {
            RungTally *tally = &count->rung[i];
            if (tally->name[0] == '\0') {
                snprintf(tally->name, sizeof tally->name, "%s", rung->name);
            }
            if (strncmp(tally->name, rung->name, sizeof tally->name - 1) == 0) {
                tally->tried[ladder]++;
                if (rung->outcome == TACT_OUTCOME_SOLVED) {
                    tally->solved[ladder]++;
                    tally->seconds[ladder] += seconds;
                    tally->longest[ladder] = fmax(tally->longest[ladder], seconds);
                }
                break;
            }
        }
    }
}

/// The only impulses of a problem with a cone; NULL: there are others, or it is not known. Without
/// friction all cones are one.
static const double *only_answer(const Instance *instance, TactContactCone cone)
{
    bool smooth = instance->family->flags & TACT_CASE_FRICTIONLESS;
    int  k = cone == TACT_CONE_BOX && !smooth ? 1 : 0;
    bool known = cone != TACT_CONE_CIRCLE || smooth;
    return known && instance->unique[k] ? instance->only[k] : NULL;
}

static void compare_unique(const Instance *instance, const double *only, const double *impulse,
                           Tally *tally)
{
    double apart = 0, size = 0;
    for (int i = 0; i < 3 * instance->made.problem.contact_count; i++) {
        apart = fmax(apart, fabs(impulse[i] - only[i]));
        size = fmax(size, fabs(only[i]));
    }
    double miss = size > 0 ? apart / size : apart;
    tally->unique++;
    tally->missed += miss > 1e-6;
    if (miss > tally->miss) {
        tally->miss = miss;
        tally->miss_seed = instance->seed;
    }
}

static void keep_seed(Tally *tally, int seed)
{
    if (tally->kept < MAX_KEPT) {
        tally->seed[tally->kept++] = seed;
    }
}

static void judge(Instance *instance, const Run *run, const TactContactAnswer *answer,
                  const TactContactReport *report, Tally *tally)
{
    TactOracleVerdict verdict =
        tact_oracle_contact_check(&instance->oracle, run->config.cone, answer->impulse,
                                  answer->row_impulse, answer->velocity);
    const double *only = only_answer(instance, run->config.cone);
    tally->outcome[report->outcome]++;
    tally->only += only != NULL;
    if (report->outcome != TACT_OUTCOME_SOLVED) {
        keep_seed(tally, instance->seed);
        return;
    }
    bool accepted = verdict.law <= CONTRADICTED && verdict.motion <= CONTRADICTED &&
                    verdict.strict <= CONTRADICTED_STRICTLY;
    if (!accepted) {
        tally->wrong++;
        keep_seed(tally, instance->seed);
    }
    tally->law = fmax(tally->law, verdict.law);
    tally->strict = fmax(tally->strict, verdict.strict);
    tally->motion = fmax(tally->motion, verdict.motion);
    tally->error = fmax(tally->error, report->certificate.error);
    if (only) {
        compare_unique(instance, only, answer->impulse, tally);
    }
}

/// The same problem once more: the last basis should do, without a pivot.
static void solve_again(TactContactSolver *solver, const Instance *instance,
                        const TactContactAnswer *answer, Tally *tally)
{
    TactContactReport report;
    tally->again++;
    if (tact_contact_solve(solver, &instance->made.problem, answer, &report) == TACT_OK) {
        tally->warm += report.outcome == TACT_OUTCOME_SOLVED && report.pivots == 0 &&
                       strcmp(report.rungs[0].name, "last-basis") == 0 && report.rung_count == 1;
    }
}

static void solve_one(RunSolver *own, const Run *run, RunAnswer *memory, Instance *instance,
                      Count *count, Tally *tally)
{
    const TactContactProblem *problem = &instance->made.problem;
    TactContactSolver        *solver = runs_solver(own, run, problem);
    TactContactAnswer         answer = runs_answer(memory, problem);
    TactContactReport         report;
    if (!solver) {
        fprintf(stderr, "%s: %s\n", run->name, tact_status_message());
        exit(1);
    }
    tact_contact_solver_forget(solver);
    double     start = tact_time_now();
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    double     seconds = tact_time_now() - start;
    if (status == TACT_UNSUPPORTED) {
        return;
    }
    tally->problems++;
    if (status != TACT_OK) {
        tally->broken++;
        keep_seed(tally, instance->seed);
        return;
    }
    tally->seconds += seconds;
    tally->longest = fmax(tally->longest, seconds);
    tally->pivots += report.pivots;
    count_rungs(&report, seconds, ladder_of(run), count);
    judge(instance, run, &answer, &report, tally);
    if (ladder_of(run) >= 0 && report.outcome == TACT_OUTCOME_SOLVED) {
        solve_again(solver, instance, &answer, tally);
    }
}

/// Frictionless velocities are unique: all methods against the first that solves it, the ladder.
static void compare_velocity(RunSolver *own, const Run *run, RunAnswer *memory, Instance *instance,
                             Tally *tally)
{
    const TactContactProblem *problem = &instance->made.problem;
    Run                       better = *run;
    better.config.tol = FRICTIONLESS_TOL;
    TactContactSolver *solver = runs_solver(own, &better, problem);
    TactContactAnswer  answer = runs_answer(memory, problem);
    TactContactReport  report;
    tact_contact_solver_forget(solver);
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    if (status == TACT_UNSUPPORTED) {
        return;
    }
    tally->smooth += instance->has_reference;
    if (status != TACT_OK || report.outcome != TACT_OUTCOME_SOLVED) {
        return;
    }
    if (!instance->has_reference) {
        memcpy(instance->reference, answer.velocity, (size_t)instance->oracle.nv * sizeof(double));
        instance->has_reference = true;
        return;
    }
    double apart =
        tact_oracle_contact_distance(&instance->oracle, answer.velocity, instance->reference);
    tally->compared++;
    if (apart > tally->apart) {
        tally->apart = apart;
        tally->apart_seed = instance->seed;
    }
}

static void begin(Instance *instance)
{
    TactStatus status =
        tact_case_generate(instance->family, (uint64_t)instance->seed,
                           families_directions(instance->family, instance->seed), &instance->made);
    instance->reference =
        calloc((size_t)tact_contact_get_dof(&instance->made.problem) + 1, sizeof(double));
    if (status != TACT_OK || !instance->reference ||
        !tact_oracle_contact_begin(&instance->oracle, &instance->made.problem)) {
        fprintf(stderr, "%s, seed %d cannot be made\n", instance->family->name, instance->seed);
        exit(1);
    }
    if (instance->family->flags & TACT_CASE_SMALL) {
        static const TactContactCone cones[] = {TACT_CONE_PYRAMID, TACT_CONE_BOX};
        for (int k = 0; k < 2; k++) {
            instance->unique[k] = unique_find(&instance->made.problem, cones[k], instance->only[k]);
        }
    }
}

static void end(Instance *instance)
{
    tact_oracle_contact_end(&instance->oracle);
    tact_case_destroy(&instance->made);
    free(instance->reference);
}

void families_run(const TactCaseFamily *family, int index, int seeds, Share share, Count *count)
{
    Run       runs[MAX_RUNS];
    int       run_count = runs_list(runs);
    RunSolver solvers[MAX_RUNS] = {0}, better[MAX_RUNS] = {0};
    bool      smooth = family->flags & TACT_CASE_FRICTIONLESS;
    RunAnswer memory = {0};
    for (int seed = share.first; seed < seeds; seed += share.stride) {
        Instance instance = {.family = family, .index = index, .seed = families_first + seed};
        begin(&instance);
        for (int r = 0; r < run_count; r++) {
            Tally *tally = &count->tally[index][r];
            if (is_skipped(&runs[r], &instance)) {
                continue;
            }
            solve_one(&solvers[r], &runs[r], &memory, &instance, count, tally);
            if (smooth) {
                compare_velocity(&better[r], &runs[r], &memory, &instance, tally);
            }
        }
        end(&instance);
        count->done++;
    }
    for (int r = 0; r < run_count; r++) {
        tact_contact_solver_destroy(solvers[r].solver);
        tact_contact_solver_destroy(better[r].solver);
    }
    free(memory.block);
}

// ---------------------------------------------------------------------------------------------

static void raise_to(double value, int seed, double *sum, int *sum_seed)
{
    if (value > *sum) {
        *sum = value;
        *sum_seed = seed;
    }
}

static void add_tally(const Tally *part, Tally *sum)
{
    sum->problems += part->problems;
    for (int k = 0; k < OUTCOMES; k++) {
        sum->outcome[k] += part->outcome[k];
    }
    sum->wrong += part->wrong;
    sum->broken += part->broken;
    sum->law = fmax(sum->law, part->law);
    sum->strict = fmax(sum->strict, part->strict);
    sum->motion = fmax(sum->motion, part->motion);
    sum->error = fmax(sum->error, part->error);
    sum->seconds += part->seconds;
    sum->longest = fmax(sum->longest, part->longest);
    sum->pivots += part->pivots;
    for (int k = 0; k < part->kept; k++) {
        keep_seed(sum, part->seed[k]);
    }
    sum->smooth += part->smooth;
    sum->compared += part->compared;
    raise_to(part->apart, part->apart_seed, &sum->apart, &sum->apart_seed);
    sum->only += part->only;
    sum->unique += part->unique;
    sum->missed += part->missed;
    raise_to(part->miss, part->miss_seed, &sum->miss, &sum->miss_seed);
    sum->warm += part->warm;
    sum->again += part->again;
}

static void add_rung(const RungTally *part, Count *sum)
{
    for (int i = 0; i < MAX_RUNG_NAMES && part->name[0] != '\0'; i++) {
        RungTally *rung = &sum->rung[i];
        if (rung->name[0] == '\0') {
            memcpy(rung->name, part->name, sizeof rung->name);
        }
        if (strcmp(rung->name, part->name) == 0) {
            for (int k = 0; k < 2; k++) {
                rung->tried[k] += part->tried[k];
                rung->solved[k] += part->solved[k];
                rung->seconds[k] += part->seconds[k];
                rung->longest[k] = fmax(rung->longest[k], part->longest[k]);
            }
            break;
        }
    }
}

void families_add(const Count *part, Count *sum)
{
    for (int f = 0; f < MAX_FAMILIES; f++) {
        for (int r = 0; r < MAX_RUNS; r++) {
            add_tally(&part->tally[f][r], &sum->tally[f][r]);
        }
    }
    for (int i = 0; i < MAX_RUNG_NAMES; i++) {
        add_rung(&part->rung[i], sum);
    }
    sum->done += part->done;
}
