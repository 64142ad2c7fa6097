#include "proof_run.h"

#include <math.h>
#include <tact/io.h>

#include "bench/problems/contact_families.h"
#include "nasty.h"

const char *const proof_sources[PROOF_SOURCES] = {
    "planted", "free", "none", "families", "small planted", "small free", "small none"};
enum { FAMILIES = 3, SMALL = 4 };

// Checked exactly: what comes so close to a bound, and one in so many, of small problems.
static const double NEAR = 0.01;
enum { EVERY = 50, EVERY_SMALL = 1000 };

// An outer iteration of the box is a whole solve.
enum { SWEEPS = 2000, SWEEPS_SMALL = 300, BOX_SWEEPS = 20, MOST_CONTACTS = 32 };

// Operations of a named method on a small problem: what takes more is not solved by it.
static const double WORK_SMALL = 1e6;

typedef struct Instance {
    long                number;
    TactContactProblem *problem;
    int                 source;
    bool                answerable[TACT_CONE_BOX + 1]; // by cone
    Nasty               nasty;
    TactContactCase     made;
} Instance;

// ---------------------------------------------------------------------------------------------
// Problems

/// A planted answer is one if the oracle says so; a free problem has one for the pyramid; those of
/// the families have one but for rounding, and are counted apart.
static void find_truth(Instance *instance, ProofCount *out)
{
    static const TactContactCone cones[] = {TACT_CONE_PYRAMID, TACT_CONE_CIRCLE};
    Nasty                       *nasty = &instance->nasty;
    ContactAnswer       answer = {nasty->impulse, nasty->row_impulse, nasty->velocity, NULL};
    static ContactFacts facts;
    bool                planted = nasty->truth == NASTY_PLANTED;
    instance->source = (int)nasty->truth + (instance->number >= PROOF_SMALL ? SMALL : 0);
    instance->answerable[TACT_CONE_PYRAMID] = nasty->truth == NASTY_FREE;
    bool known = planted && contact_facts_exact(instance->problem, &answer, &facts);
    for (int k = 0; k < 2 && planted; k++) {
        bool right =
            known && contact_proof(instance->problem, cones[k], &answer, &facts, 1e-8).worst <= 1;
        instance->answerable[cones[k]] = right;
        out->refused_plants += !right;
    }
    out->planted += planted;
}

static void begin(long number, Instance *instance, ProofCount *out)
{
    memset(instance, 0, sizeof *instance);
    instance->number = number;
    if (number >= PROOF_SMALL || number % 4 != 3) {
        (number >= PROOF_SMALL ? nasty_make_small : nasty_make)((uint64_t)number, &instance->nasty);
        instance->problem = &instance->nasty.problem;
        find_truth(instance, out);
        return;
    }
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    long                  at = number / 4;
    if (tact_case_generate(&families[at % count], (uint64_t)(at / count), 8, &instance->made) !=
        TACT_OK) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    instance->problem = &instance->made.problem;
    instance->source = FAMILIES;
    instance->answerable[TACT_CONE_PYRAMID] = instance->answerable[TACT_CONE_CIRCLE] = true;
}

static void end(Instance *instance)
{
    if (instance->source == FAMILIES) {
        tact_case_destroy(&instance->made);
    }
}

// ---------------------------------------------------------------------------------------------
// Answers

static void save(const Instance *instance, const char *folder, const char *run, const char *what)
{
    printf("%s: number %ld (%s), %s\n", what, instance->number, proof_sources[instance->source],
           run);
    if (folder) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s-%ld.json", folder, what, instance->number);
        if (tact_contact_write(instance->problem, path) != TACT_OK) {
            fprintf(stderr, "%s\n", tact_status_message());
        }
    }
}

/// False: 'solved' is wrong.
static bool check(const Instance *instance, const Run *run, const TactContactAnswer *answer,
                  ProofTally *tally)
{
    static ContactFacts facts;
    ContactAnswer   given = {answer->impulse, answer->row_impulse, answer->velocity, answer->low};
    TactContactCone cone = run->config.cone;
    bool            low = contact_answer_has_low(instance->problem, &given);
    if (!low && !contact_facts(instance->problem, &given, &facts)) {
        return false;
    }
    ContactProof proof = {.worst = HUGE_VAL};
    if (!low) {
        proof = contact_proof(instance->problem, cone, &given, &facts, run->config.tol);
    }
    int every = instance->source >= SMALL ? EVERY_SMALL : EVERY;
    tally->low += low;
    if (proof.worst > NEAR || (instance->number + tally->solved) % every == 0) {
        if (!contact_facts_exact(instance->problem, &given, &facts)) {
            return false;
        }
        proof = contact_proof(instance->problem, cone, &given, &facts, run->config.tol);
        tally->exact++;
    }
    tally->ratio = proof.worst > tally->ratio ? proof.worst : tally->ratio;
    if (proof.worst > 1) {
        printf("%s %.3g times its bound: ", contact_proof_parts[proof.part], proof.worst);
    }
    return proof.worst <= 1 && instance->nasty.truth != NASTY_NONE;
}

static void solve(const Instance *instance, const Run *run, RunSolver *own, RunAnswer *memory,
                  const char *folder, ProofTally *tally)
{
    TactContactSolver *solver = runs_solver(own, run, instance->problem);
    TactContactAnswer  answer = runs_answer(memory, instance->problem);
    TactContactReport  report;
    if (!solver) {
        fprintf(stderr, "%s: %s\n", run->name, tact_status_message());
        exit(1);
    }
    tact_contact_solver_forget(solver);
    double     start = tact_time_now();
    TactStatus status = tact_contact_solve(solver, instance->problem, &answer, &report);
    tally->seconds += tact_time_now() - start;
    if (status == TACT_UNSUPPORTED) {
        return;
    }
    bool solved = status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
    bool answerable = instance->answerable[run->config.cone];
    tally->answers++;
    tally->answerable += answerable;
    tally->solved += solved;
    tally->missed += answerable && !solved;
    if (status != TACT_OK) {
        fprintf(stderr, "number %ld: %s\n", instance->number, tact_status_message());
    }
    if (solved && !check(instance, run, &answer, tally)) {
        tally->wrong++;
        save(instance, folder, run->name, "wrong");
    } else if (answerable && !solved && run->config.method == TACT_METHOD_LADDER) {
        save(instance, folder, run->name, "missed");
    }
}

void proof_run(long first, long count, const char *folder, ProofCount *out)
{
    static Instance instance;
    Run             runs[MAX_RUNS];
    int             run_count = runs_list(runs);
    RunSolver       solvers[MAX_RUNS] = {0};
    RunAnswer       memory = {0};
    memset(out, 0, sizeof *out);
    for (int r = 0; r < run_count; r++) {
        TactContactMethod method = runs[r].config.method;
        bool              named = method != TACT_METHOD_LADDER, small = first >= PROOF_SMALL;
        int               sweeps = named && small ? SWEEPS_SMALL : SWEEPS;
        runs[r].config.max_sweeps = method == TACT_METHOD_BOX ? BOX_SWEEPS : sweeps;
        runs[r].config.max_work = named && small ? WORK_SMALL : 0;
    }
    for (long number = first; number < first + count; number++) {
        begin(number, &instance, out);
        if (instance.problem->contact_count <= MOST_CONTACTS) {
            out->problems++;
            for (int r = 0; r < run_count; r++) {
                solve(&instance, &runs[r], &solvers[r], &memory, folder,
                      &out->tally[instance.source][r]);
            }
        }
        end(&instance);
    }
    for (int r = 0; r < run_count; r++) {
        tact_contact_solver_destroy(solvers[r].solver);
    }
    free(memory.block);
}

// ---------------------------------------------------------------------------------------------
// Figures

long proof_next(const char *path, bool small)
{
    FILE *file = fopen(path, "r");
    char  line[512];
    long  next = small ? PROOF_SMALL : 1, first, count;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%ld,%ld,", &first, &count) == 2 && (first >= PROOF_SMALL) == small &&
            first + count > next) {
            next = first + count;
        }
    }
    if (file) {
        fclose(file);
    }
    return next;
}

bool proof_write(const char *path, long first, long count, const ProofCount *counted)
{
    Run   runs[MAX_RUNS];
    int   run_count = runs_list(runs);
    FILE *file = fopen(path, "a");
    if (!file) {
        return false;
    }
    if (ftell(file) == 0) {
        fprintf(file, "first,count,source,run,answers,answerable,solved,missed,wrong,exact,ratio,"
                      "seconds,low\n");
    }
    for (int s = 0; s < PROOF_SOURCES; s++) {
        for (int r = 0; r < run_count; r++) {
            const ProofTally *tally = &counted->tally[s][r];
            if (tally->answers > 0) {
                fprintf(file, "%ld,%ld,%s,%s,%ld,%ld,%ld,%ld,%ld,%ld,%.3g,%.3g,%ld\n", first, count,
                        proof_sources[s], runs[r].name, tally->answers, tally->answerable,
                        tally->solved, tally->missed, tally->wrong, tally->exact, tally->ratio,
                        tally->seconds, tally->low);
            }
        }
    }
    return fclose(file) == 0;
}

static void add(const ProofTally *part, ProofTally *sum)
{
    sum->answers += part->answers;
    sum->answerable += part->answerable;
    sum->solved += part->solved;
    sum->missed += part->missed;
    sum->wrong += part->wrong;
    sum->exact += part->exact;
    sum->low += part->low;
    sum->ratio = part->ratio > sum->ratio ? part->ratio : sum->ratio;
    sum->seconds += part->seconds;
}

bool proof_read(const char *path, ProofCount *sum)
{
    Run   runs[MAX_RUNS];
    int   run_count = runs_list(runs);
    FILE *file = fopen(path, "r");
    char  line[512], source[32], run[32];
    memset(sum, 0, sizeof *sum);
    while (file && fgets(line, sizeof line, file)) {
        ProofTally part;
        long       first, count;
        if (sscanf(line, "%ld,%ld,%31[^,],%31[^,],%ld,%ld,%ld,%ld,%ld,%ld,%lf,%lf,%ld", &first,
                   &count, source, run, &part.answers, &part.answerable, &part.solved, &part.missed,
                   &part.wrong, &part.exact, &part.ratio, &part.seconds, &part.low) != 13) {
            continue;
        }
        for (int s = 0; s < PROOF_SOURCES; s++) {
            for (int r = 0; r < run_count; r++) {
                if (strcmp(source, proof_sources[s]) == 0 && strcmp(run, runs[r].name) == 0) {
                    add(&part, &sum->tally[s][r]);
                    sum->problems += r == 0 ? part.answers : 0; // the ladder takes all of them
                }
            }
        }
    }
    return file && fclose(file) == 0;
}

ProofTally proof_sum(const ProofCount *counted)
{
    ProofTally sum = {0};
    for (int s = 0; s < PROOF_SOURCES; s++) {
        for (int r = 0; r < MAX_RUNS; r++) {
            add(&counted->tally[s][r], &sum);
        }
    }
    return sum;
}

void proof_print(const ProofCount *counted)
{
    Run runs[MAX_RUNS];
    int run_count = runs_list(runs);
    printf("%ld problems\n", counted->problems);
    if (counted->planted > 0) {
        printf("of %ld planted answers the oracle refuses %ld (pyramid and circle)\n",
               counted->planted, counted->refused_plants);
    }
    printf("%-13s %-19s %8s %10s %8s %5s %7s %6s %7s %9s %8s\n", "source", "run", "answers",
           "answerable", "solved", "low", "missed", "wrong", "exact", "ratio", "s");
    for (int s = 0; s < PROOF_SOURCES; s++) {
        for (int r = 0; r < run_count; r++) {
            const ProofTally *tally = &counted->tally[s][r];
            if (tally->answers > 0) {
                printf("%-13s %-19s %8ld %10ld %8ld %5ld %7ld %6ld %7ld %9.2g %8.2f\n",
                       proof_sources[s], runs[r].name, tally->answers, tally->answerable,
                       tally->solved, tally->low, tally->missed, tally->wrong, tally->exact,
                       tally->ratio, tally->seconds);
            }
        }
    }
}
