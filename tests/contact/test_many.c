// Many bodies on threads: the same bits for any number of them, the law in every answer.
#include "contact/many/many.h"

#include <stdio.h>
#include <string.h>
#include <tact/load.h>
#include <tact/tact.h>
#include <time.h>

#include "base/clones.h" // TACT_SANITIZED
#include "contact/bricks.h"
#include "contact/law.h"
#include "contact/solver.h"
#include "io/scratch.h"

// Bodies that are pushed, and how hard.
// Sanitizers make a factor thirty times as long: there a budget ends each solve, in the same place.
#ifdef TACT_SANITIZED
static const double MOST_WORK = 3e9;
enum { SANITIZED = 1 };
#else
static const double MOST_WORK = 0;
enum { SANITIZED = 0 };
#endif

enum { MENDED = 12 };
static const double PUSH = 2;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// The answer by so many threads; 0: by a solver that has never heard of them.
static double *solve_on(const TactContactProblem *problem, int count, TactContactReport *report)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver;
    TactThreads        *threads = NULL;
    double             *p = calloc(3 * (size_t)problem->contact_count, sizeof *p);
    config.cone = TACT_CONE_CIRCLE;
    config.max_work = MOST_WORK;
    assert_int_equal(tact_contact_solver_create_sparing(&capacity, &config, &solver), TACT_OK);
    if (count > 0) {
        assert_int_equal(tact_threads_create(count, "test", &threads), TACT_OK);
        tact_contact_solver_lend(solver, threads);
    }
    TactContactAnswer answer = {.impulse = p};
    double            wall = tact_time_now(), own = processor_seconds();
    assert_int_equal(tact_contact_solve(solver, problem, &answer, report), TACT_OK);
    print_message("%d contacts, %d threads: %.3f s, processor of the caller %.3f s, %d factors\n",
                  problem->contact_count, count, tact_time_now() - wall, processor_seconds() - own,
                  report->turns);
    tact_contact_solver_destroy(solver);
    tact_threads_destroy(threads);
    return p;
}

static void compare_threads(const TactContactProblem *problem)
{
    TactContactReport report;
    double           *alone = solve_on(problem, 0, &report);
    assert_true(SANITIZED || report.outcome == TACT_OUTCOME_SOLVED);
    for (int count = 2; count <= 4; count += 2) {
        double *together = solve_on(problem, count, &report);
        assert_true(SANITIZED || report.outcome == TACT_OUTCOME_SOLVED);
        assert_memory_equal(alone, together, 3 * (size_t)problem->contact_count * sizeof *alone);
        free(together);
    }
    free(alone);
}

static void bricks_have_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    Bricks bricks;
    make_bricks(&bricks, 1, 8, 7);
    assert_true(bricks.problem.body_count >= TACT_MANY_NODES);
    compare_threads(&bricks.problem);
    free_bricks(&bricks);
}

static void a_falling_pile_has_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    const char *shared = tact_scratch_shared();
    char        path[1024];
    const char *wish = getenv("TACT_LONG"); // threads that wait for a busy machine take minutes
    if (!shared || !wish || *wish != '1') {
        skip();
    }
    snprintf(path, sizeof path, "%s/piles/fall-1000-0120.json", shared);
    TactContactFile *file;
    if (tact_contact_read(path, &file) != TACT_OK) {
        skip();
    }
    assert_true(file->problem.body_count >= TACT_MANY_NODES);
    compare_threads(&file->problem);
    tact_contact_file_destroy(file);
}

/// The bodies of a problem in the opposite order.
static void turn_round(Bricks *bricks)
{
    int count = bricks->problem.body_count;
    for (int i = 0; i < count / 2; i++) {
        TactContactBody body = bricks->bodies[i];
        bricks->bodies[i] = bricks->bodies[count - 1 - i];
        bricks->bodies[count - 1 - i] = body;
    }
    for (int k = 0; k < bricks->problem.contact_count; k++) {
        TactContact *contact = &bricks->contacts[k];
        contact->a = contact->a < 0 ? -1 : count - 1 - contact->a;
        contact->b = contact->b < 0 ? -1 : count - 1 - contact->b;
    }
}

/// A solver that has worked on as many contacts of as many bodies, but of others, has the bits of a
/// new one: nothing of the pattern before is left. Some factors are enough.
static void another_pattern_of_the_same_size_is_found_anew(void **state)
{
    (void)state;
    Bricks            bricks;
    TactContactReport report;
    TactContactConfig config = tact_contact_config_default(TACT_METHOD_LADDER);
    make_bricks(&bricks, 1, 8, 7);
    TactContactCapacity capacity = tact_contact_get_capacity(&bricks.problem);
    TactContactSolver  *used, *fresh;
    size_t              size = 3 * (size_t)bricks.problem.contact_count * sizeof(double);
    double             *p = calloc(1, size), *q = calloc(1, size);
    TactContactAnswer   answer = {.impulse = p}, expected = {.impulse = q};
    config.cone = TACT_CONE_CIRCLE;
    config.max_work = 3e9;
    assert_int_equal(tact_contact_solver_create_sparing(&capacity, &config, &used), TACT_OK);
    for (int round = 0; round < 2; round++) { // there and back
        tact_contact_solver_forget(used);
        assert_int_equal(tact_contact_solve(used, &bricks.problem, &answer, &report), TACT_OK);
        assert_true(report.turns > 5);
        assert_int_equal(tact_contact_solver_create_sparing(&capacity, &config, &fresh), TACT_OK);
        assert_int_equal(tact_contact_solve(fresh, &bricks.problem, &expected, &report), TACT_OK);
        assert_memory_equal(p, q, size);
        tact_contact_solver_destroy(fresh);
        turn_round(&bricks);
    }
    tact_contact_solver_destroy(used);
    free(p);
    free(q);
    free_bricks(&bricks);
}

/// A solve made again with other velocities of some bodies starts from the impulses that are right
/// elsewhere, also where that takes more factors than few bodies are given.
static void many_bodies_are_mended_with_patience(void **state)
{
    (void)state;
    if (SANITIZED) {
        skip(); // minutes, of what other tests run through
    }
    Bricks             bricks;
    TactContactReport  report;
    TactContactConfig  config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactSolver *solver;
    make_bricks(&bricks, 2, 8, 7);
    for (int k = 0; k < bricks.problem.contact_count; k++) {
        bricks.contacts[k].id = (uint64_t)k + 1;
    }
    TactContactCapacity capacity = tact_contact_get_capacity(&bricks.problem);
    double             *p = calloc(3 * (size_t)bricks.problem.contact_count, sizeof *p);
    TactContactAnswer   answer = {.impulse = p};
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &bricks.problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    for (int m = 0; m < MENDED; m++) {
        for (int c = 0; c < 3; c++) {
            bricks.bodies[m].velocity[c] *= -PUSH;
        }
    }
    assert_int_equal(tact_contact_solve(solver, &bricks.problem, &answer, &report), TACT_OK);
    print_message("%s after %d factors\n", report.rungs[0].name, report.turns);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    assert_int_equal(report.rung_count, 1);
    assert_string_equal(report.rungs[0].name, "warm-start");
    assert_true(report.turns > 60);
    tact_contact_solver_destroy(solver);
    free(p);
    free_bricks(&bricks);
}

/// 6 x 6 x 6 boxes in layers, each layer a little aside of the one below: more than four points
/// carry most of them, and gaps of rounding contradict each other there.
static TactModel *load_layers(void)
{
    enum { EDGE = 6 };
    char      *text = malloc(200 * EDGE * EDGE * EDGE + 400);
    int        length = sprintf(text, "<mujoco><option timestep=\"0.005\"/><worldbody>"
                                             "<geom type=\"plane\" size=\"10 10 0.1\" "
                                             "friction=\"0.5\"/>");
    TactModel *model = NULL;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        int    x = i % EDGE, y = i / EDGE % EDGE, z = i / EDGE / EDGE;
        double shift = z % 2 ? 0.02 : 0;
        length += sprintf(text + length,
                          "<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"box\" "
                          "size=\"0.05 0.05 0.05\" mass=\"1\" friction=\"0.5\"/></body>",
                          0.11 * x + shift, 0.11 * y + shift, 0.05 + 0.1 * z);
    }
    length += sprintf(text + length, "</worldbody></mujoco>");
    TactModelLoadConfig config = tact_model_load_config_default();
    assert_int_equal(
        tact_model_load_memory("layers.xml", text, (size_t)length, &config, &model, NULL), TACT_OK);
    free(text);
    return model;
}

/// Sweeps on a small problem: operations that are told from then on are theirs.
static double spend_little(void)
{
    Bricks             bricks;
    TactContactReport  report;
    TactContactConfig  config = tact_contact_config_default(TACT_METHOD_NSGS);
    TactContactSolver *solver = NULL;
    make_bricks(&bricks, 5, 2, 1);
    TactContactCapacity capacity = tact_contact_get_capacity(&bricks.problem);
    double             *p = calloc(3 * (size_t)bricks.problem.contact_count, sizeof *p);
    TactContactAnswer   answer = {.impulse = p};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &bricks.problem, &answer, &report), TACT_OK);
    tact_contact_solver_destroy(solver);
    free(p);
    free_bricks(&bricks);
    return tact_work_get().operations;
}

/// After a few steps the last impulses are taken as they are: no operation of a factor is spent,
/// and the state stays the same to the last bit.
static void what_rests_is_not_polished_again(void **state)
{
    (void)state;
    TactModel    *model = load_layers();
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    TactSimReport report;
    uint64_t      hash = 0;
    double        spent = 0;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    for (int k = 0; k < 60; k++) {
        if (k == 50) {
            hash = report.hash;
            spent = spend_little();
        }
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
    }
    assert_true(spent > 0);
    assert_true(tact_work_get().operations == spent);
    assert_true(report.hash == hash);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_is_not_polished_again),
        cmocka_unit_test(bricks_have_the_same_bits_on_any_threads),
        cmocka_unit_test(another_pattern_of_the_same_size_is_found_anew),
        cmocka_unit_test(many_bodies_are_mended_with_patience),
        cmocka_unit_test(a_falling_pile_has_the_same_bits_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
