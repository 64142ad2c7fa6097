// A scene at rest is a fixed point: the same bits in every step, and no pivot. Its steps are told
// again without being computed, with the bits that they would have, until something changes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

typedef struct Still {
    TactModel *model;
    TactSim   *sim;
} Still;

/// compute_still: of the config.
static Still open_with(const char *name, bool compute_still)
{
    char                path[256];
    Still               still = {0};
    TactModelLoadConfig load = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/scenes/%s", TACT_SOURCE_DIR, name);
    TactStatus status = tact_model_load(path, &load, &still.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(still.model);
    assert_false(config.compute_still);
    config.compute_still = compute_still;
    assert_int_equal(tact_sim_create(still.model, &config, &still.sim), TACT_OK);
    return still;
}

static Still open_scene(const char *name)
{
    return open_with(name, false);
}

static void close_scene(Still *still)
{
    tact_sim_destroy(still->sim);
    tact_model_destroy(still->model);
}

static TactSimReport step(Still *still, int steps)
{
    TactSimReport report;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(tact_sim_step(still->sim, &report), TACT_OK);
    }
    return report;
}

static void *save(const TactSim *sim, size_t *size)
{
    *size = tact_sim_snapshot_get_size(sim);
    void *bytes = calloc(1, *size);
    assert_non_null(bytes);
    assert_int_equal(tact_sim_snapshot_save(sim, bytes, *size), TACT_OK);
    return bytes;
}

/// A step of which everything is computed: nobody remembers the one before after a restoration.
static TactSimReport step_wholly(Still *still)
{
    size_t size;
    void  *bytes = save(still->sim, &size);
    assert_int_equal(tact_sim_snapshot_restore(still->sim, bytes, size), TACT_OK);
    free(bytes);
    return step(still, 1);
}

static void are_the_same_steps(const TactSimReport *a, const TactSimReport *b)
{
    assert_true(a->hash == b->hash && a->error == b->error && a->pivots == b->pivots);
    assert_true(a->contacts == b->contacts && a->rows == b->rows && a->parts == b->parts);
    assert_true(a->islands == b->islands && a->certified == b->certified);
    assert_true(a->solves == b->solves && a->rung_count == b->rung_count);
    assert_true(a->penetration == b->penetration && a->correction == b->correction);
    for (int k = 0; k < a->rung_count; k++) {
        assert_string_equal(a->rungs[k].name, b->rungs[k].name);
        assert_int_equal(a->rungs[k].count, b->rungs[k].count);
    }
}

/// All that a snapshot has: the state, and what solvers remember.
static void are_the_same_worlds(const Still *a, const Still *b)
{
    size_t size, other;
    void  *mine = save(a->sim, &size), *theirs = save(b->sim, &other);
    assert_int_equal(size, other);
    assert_memory_equal(mine, theirs, size);
    free(mine);
    free(theirs);
    int                   count, others;
    const TactSimContact *p = tact_sim_view_contacts(a->sim, &count);
    const TactSimContact *q = tact_sim_view_contacts(b->sim, &others);
    assert_int_equal(count, others);
    for (int i = 0; i < count; i++) {
        assert_memory_equal(p[i].force, q[i].force, sizeof p[i].force);
        assert_memory_equal(p[i].velocity, q[i].velocity, sizeof p[i].velocity);
    }
}

static double cpu_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void goes_on_as_it_would_be_computed(const char *name)
{
    Still  quick = open_scene(name), whole = open_scene(name);
    double times[2] = {0};
    step(&quick, 30);
    step(&whole, 30);
    for (int k = 0; k < 60; k++) {
        double        t0 = cpu_time();
        TactSimReport a = step(&quick, 1);
        double        t1 = cpu_time();
        TactSimReport b = step_wholly(&whole);
        times[0] += t1 - t0;
        times[1] += cpu_time() - t1;
        are_the_same_steps(&a, &b);
        are_the_same_worlds(&quick, &whole);
    }
    printf("%s, 60 steps at rest: %.1f us each, %.1f us computed and restored\n", name,
           1e6 * times[0] / 60, 1e6 * times[1] / 60);
    close_scene(&quick);
    close_scene(&whole);
}

static void steps_at_rest_are_those_that_would_be_computed(void **state)
{
    (void)state;
    goes_on_as_it_would_be_computed("stack.xml");
    goes_on_as_it_would_be_computed("slope.xml");
}

/// What may end the rest of a world between two steps.
static void push_a_body(Still *still)
{
    tact_sim_view_state(still->sim)->external[1].force.x = 3;
}

static void apply_a_force(Still *still)
{
    tact_sim_view_state(still->sim)->applied[0] = 3;
}

static void set_a_velocity(Still *still)
{
    tact_sim_view_state(still->sim)->v[0] = 0.5;
}

static void set_a_coordinate(Still *still)
{
    tact_sim_view_state(still->sim)->q[2] += 1e-3;
}

static void shorten_the_step(Still *still)
{
    TactSimConfig config = *tact_sim_view_config(still->sim);
    config.timestep *= 0.5;
    assert_int_equal(tact_sim_set_config(still->sim, &config), TACT_OK);
}

static void what_changes_ends_the_rest(void **state)
{
    (void)state;
    void (*const changes[])(Still *) = {push_a_body, apply_a_force, set_a_velocity,
                                        set_a_coordinate, shorten_the_step};
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        Still         quick = open_scene("stack.xml"), whole = open_scene("stack.xml");
        TactSimReport before = step(&quick, 40);
        step(&whole, 40);
        changes[c](&quick);
        changes[c](&whole);
        for (int k = 0; k < 5; k++) {
            TactSimReport a = step(&quick, 1), b = step_wholly(&whole);
            are_the_same_steps(&a, &b);
            // a force within friction leaves it where it is, and is answered by other forces
            assert_true(c == 0 || c == 1 || c == 4 || a.hash != before.hash);
        }
        are_the_same_worlds(&quick, &whole);
        close_scene(&quick);
        close_scene(&whole);
    }
}

/// From the start on, the same bits; and every step is computed only where that is asked for.
static void is_the_same_computed(const char *name)
{
    enum { STEPS = 90 };
    Still  quick = open_scene(name), whole = open_with(name, true);
    int    repeated = 0;
    double collide_time = 0;
    for (int k = 0; k < STEPS; k++) {
        TactSimReport a = step(&quick, 1), b = step(&whole, 1);
        are_the_same_steps(&a, &b);
        are_the_same_worlds(&quick, &whole);
        assert_false(b.repeated);
        assert_true(!a.repeated || a.collide_time == 0);
        assert_true(a.repeated || repeated == 0); // nothing disturbs it
        repeated += a.repeated;
        collide_time += k < STEPS / 2 ? 0 : b.collide_time;
    }
    assert_true(collide_time > 0); // contacts were looked for
    printf("%s: %d of %d steps repeated\n", name, repeated, STEPS);
    assert_in_range(repeated, STEPS / 2, STEPS - 3); // three steps alike tell that it stands still
    close_scene(&quick);
    close_scene(&whole);
}

static void all_steps_are_computed_where_that_is_asked_for(void **state)
{
    (void)state;
    is_the_same_computed("stack.xml");
    is_the_same_computed("slope.xml");
}

static void set_compute_still(Still *still, bool value)
{
    TactSimConfig config = *tact_sim_view_config(still->sim);
    config.compute_still = value;
    assert_int_equal(tact_sim_set_config(still->sim, &config), TACT_OK);
}

static void it_may_be_asked_for_between_steps(void **state)
{
    (void)state;
    Still         still = open_scene("stack.xml");
    TactSimReport before = step(&still, 40);
    assert_true(before.repeated);
    set_compute_still(&still, true);
    for (int k = 0; k < 10; k++) {
        TactSimReport report = step(&still, 1);
        assert_false(report.repeated);
        are_the_same_steps(&report, &before);
    }
    set_compute_still(&still, false);
    assert_false(step(&still, 1).repeated);
    assert_true(step(&still, 10).repeated);
    close_scene(&still);
}

static void sleepers_are_left_out_all_the_same(void **state)
{
    (void)state;
    Still         still = open_scene("stack.xml");
    TactSimConfig config = *tact_sim_view_config(still.sim);
    config.compute_still = true;
    config.sleep_time = 20 * config.timestep;
    tact_sim_destroy(still.sim);
    assert_int_equal(tact_sim_create(still.model, &config, &still.sim), TACT_OK);
    TactSimReport report = step(&still, 1);
    assert_true(report.asleep == 0 && !report.repeated);
    report = step(&still, 100);
    assert_int_equal(report.asleep, 10); // cubes
    assert_true(report.repeated);
    close_scene(&still);
}

static void stays_as_it_is(const char *name, int settle, int steps)
{
    Still         still = open_scene(name);
    TactSimReport first = step(&still, settle);
    for (int k = 0; k < steps; k++) {
        TactSimReport report = step_wholly(&still);
        assert_true(report.hash == first.hash);
        assert_int_equal(report.pivots, 0);
        assert_int_equal(report.certified, report.islands);
    }
    close_scene(&still);
}

static void a_stack_of_ten_cubes_does_not_move_by_a_bit(void **state)
{
    (void)state;
    stays_as_it_is("stack.xml", 20, 300);
}

static void a_block_on_a_slope_does_not_move_by_a_bit(void **state)
{
    (void)state;
    stays_as_it_is("slope.xml", 20, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_cubes_does_not_move_by_a_bit),
        cmocka_unit_test(a_block_on_a_slope_does_not_move_by_a_bit),
        cmocka_unit_test(steps_at_rest_are_those_that_would_be_computed),
        cmocka_unit_test(what_changes_ends_the_rest),
        cmocka_unit_test(all_steps_are_computed_where_that_is_asked_for),
        cmocka_unit_test(it_may_be_asked_for_between_steps),
        cmocka_unit_test(sleepers_are_left_out_all_the_same),
    };
    return cmocka_run_group_tests_name("sim/still", tests, NULL, NULL);
}
