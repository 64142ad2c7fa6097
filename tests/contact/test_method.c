// A method as an object: made, run on a built system and destroyed without a solver, with the bits
// of the solver; two of one kind, with configs of their own, side by side.
#include "contact/method.h"
#include "contact/pivot/memory.h"
#include "pegs.h"
#include "runs.h"

/// A method with the system that it works on.
typedef struct Own {
    TactMethod        method;
    TactSystem        system;
    TactContactMemory memory;
    TactCertifier     certifier;
    TactDefect        defect;
    double           *p;
    TactArena         arena;
} Own;

static void lay_out(Own *own)
{
    const TactContactCapacity *capacity = &own->method.capacity;
    tact_memory_layout(&own->memory, capacity, &own->arena);
    tact_system_layout(&own->system, capacity, &own->arena);
    tact_certifier_layout(&own->certifier, capacity, &own->arena);
    tact_defect_layout(&own->defect, capacity, &own->arena);
    own->p = tact_arena_take(&own->arena, 3 * (size_t)(capacity->contacts + capacity->rows),
                             sizeof(double));
    tact_method_layout(&own->method, &own->arena);
}

static void own_begin(Own *own, const TactContactProblem *problem, const TactContactConfig *config)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    *own =
        (Own){.method = tact_method(tact_contact_method_entry(config->method), config, &capacity)};
    lay_out(own);
    assert_null(own->method.work); // while the arena measures, nothing is made
    tact_method_destroy(&own->method);
    assert_int_equal(tact_arena_create(&own->arena), TACT_OK);
    lay_out(own);
    assert_int_equal(tact_method_create(&own->method), TACT_OK);
    bool columns = !own->method.entry->reads_W;
    assert_int_equal(tact_system_build(&own->system, problem, !columns), TACT_OK);
}

/// Answers go to where the solver of `solving` has put its own; p of both is then compared.
static TactContactOutcome own_run(Own *own, const TactContactProblem *problem, Solving *solving,
                                  TactContactReport *report)
{
    TactAttempt attempt = {
        .problem = problem,
        .system = &own->system,
        .memory = &own->memory,
        .warm = tact_memory_recall(&own->memory, &own->system, own->p) > 0,
        .p = own->p,
        .report = report,
        .certifier = &own->certifier,
        .defect = &own->defect,
        .answer = {.impulse = solving->impulse, .velocity = solving->velocity},
        .cone = own->method.config.cone,
        .tol = own->method.config.tol,
    };
    *report = (TactContactReport){0};
    TactContactOutcome ended = tact_method_run(&own->method, &attempt);
    assert_int_equal(attempt.status, TACT_OK);
    if (!own->method.entry->certifies) {
        tact_attempt_judge(&attempt, ended);
    }
    return report->outcome;
}

static void own_end(Own *own)
{
    tact_method_destroy(&own->method);
    tact_arena_destroy(&own->arena);
}

static void every_method_runs_without_a_solver_and_gives_its_bits(void **state)
{
    (void)state;
    static Shape shape;
    Run          runs[MAX_RUNS];
    int          count = runs_list(runs);
    for (int k = 0; k < count; k++) {
        TactContactConfig config = runs[k].config;
        Solving           solving;
        Own               own;
        TactContactReport report;
        double            wanted[3 * 64];
        shape_make(&shape, SHAPE_PEG, 2);
        assert_true(shape.problem.contact_count <= 64);
        solving_begin(&solving, &shape.problem, &config);
        TactContactOutcome outcome = solving_run(&solving, &shape.problem);
        size_t             size = 3 * (size_t)shape.problem.contact_count * sizeof(double);
        memcpy(wanted, solving.impulse, size);
        own_begin(&own, &shape.problem, &config);
        assert_int_equal(own_run(&own, &shape.problem, &solving, &report), outcome);
        assert_memory_equal(solving.impulse, wanted, size);
        assert_int_equal(report.pivots, solving.report.pivots);
        own_end(&own);
        solving_end(&solving);
    }
}

static void two_of_one_kind_have_configs_of_their_own(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_METHOD_NSGS, TACT_CONE_CIRCLE), one = config;
    Solving           solving;
    Own               whole, short_;
    TactContactReport report;
    one.max_sweeps = 1;
    shape_make(&shape, SHAPE_PEG, 2);
    solving_begin(&solving, &shape.problem, &config);
    own_begin(&whole, &shape.problem, &config);
    own_begin(&short_, &shape.problem, &one);
    assert_int_not_equal(own_run(&short_, &shape.problem, &solving, &report), TACT_OUTCOME_SOLVED);
    assert_int_equal(report.iterations, 1);
    assert_int_equal(own_run(&whole, &shape.problem, &solving, &report), TACT_OUTCOME_SOLVED);
    assert_true(report.iterations > 1);
    own_end(&short_);
    own_end(&whole);
    solving_end(&solving);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_runs_without_a_solver_and_gives_its_bits),
        cmocka_unit_test(two_of_one_kind_have_configs_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
