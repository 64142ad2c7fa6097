// nsgs against closed forms and against the law itself.
#include "contact/newton/nsgs.h"

#include "bench/problems/contact_families.h"
#include "contact/law.h"
#include "contact/scenes.h"

/// A method without a solver: what it does itself.
typedef struct Bench {
    TactMethod         method;
    TactSystem         system;
    double            *p;
    bool               warm;
    TactArena          arena;
    TactContactReport  report;
    TactContactOutcome outcome;
} Bench;

static void lay_out(Bench *bench)
{
    const TactContactCapacity *capacity = &bench->method.capacity;
    tact_system_layout(&bench->system, capacity, &bench->arena);
    bench->p = tact_arena_take(&bench->arena, 3 * (size_t)(capacity->contacts + capacity->rows),
                               sizeof(double));
    tact_method_layout(&bench->method, &bench->arena);
}

static void set_up(Bench *bench, const TactContactProblem *problem)
{
    int               dof = problem->W ? 3 * problem->contact_count : tact_contact_get_dof(problem);
    TactContactConfig config = {.cone = TACT_CONE_CIRCLE, .tol = 1e-9, .max_sweeps = 10000};
    TactContactCapacity capacity = {.contacts = problem->contact_count,
                                    .rows = problem->row_count,
                                    .dof = dof,
                                    .support = dof,
                                    .dense = true};
    *bench = (Bench){.method = tact_method(&tact_contact_nsgs, &config, &capacity)};
    assert_int_equal(tact_contact_check(problem), TACT_OK);
    lay_out(bench);
    assert_int_equal(tact_arena_create(&bench->arena), TACT_OK);
    lay_out(bench);
    assert_int_equal(tact_method_create(&bench->method), TACT_OK);
    assert_int_equal(tact_system_build(&bench->system, problem, true), TACT_OK);
}

static void solve(Bench *bench, const TactContactProblem *problem)
{
    TactAttempt attempt = {
        .problem = problem,
        .system = &bench->system,
        .warm = bench->warm,
        .p = bench->p,
        .report = &bench->report,
    };
    bench->report = (TactContactReport){0};
    bench->outcome = tact_method_run(&bench->method, &attempt);
}

static void tear_down(Bench *bench)
{
    tact_method_destroy(&bench->method);
    tact_arena_destroy(&bench->arena);
}

// ---------------------------------------------------------------------------------------------
// Problems given by W

enum { MOST = 24 };

typedef struct Delassus {
    double             W[9 * MOST * MOST], b[3 * MOST], mu[MOST];
    TactContact        contacts[MOST];
    TactContactProblem problem;
} Delassus;

static void random_problem(TactRandom *random, int contacts, int rank, Delassus *out)
{
    int     n = 3 * contacts;
    double *x = calloc((size_t)n, sizeof *x);
    assert_non_null(x);
    random_delassus(random, contacts, rank, 1, out->W);
    for (int i = 0; i < contacts; i++) {
        out->mu[i] = tact_random_next(random) % 4 ? tact_random_uniform(random, 0, 1) : 0;
        out->contacts[i] = (TactContact){.mu = out->mu[i]};
    }
    for (int i = 0; i < n; i++) {
        x[i] = tact_random_normal(random);
    }
    for (int i = 0; i < n; i++) { // in the range of W: velocities of real bodies
        out->b[i] = 0;
        for (int j = 0; j < n; j++) {
            out->b[i] += out->W[i * n + j] * x[j];
        }
    }
    out->problem = (TactContactProblem){.step = 1,
                                        .W = out->W,
                                        .u_free = out->b,
                                        .contact_count = contacts,
                                        .contacts = out->contacts};
    free(x);
}

static void random_problems_obey_the_law(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    for (int trial = 0; trial < 200; trial++) {
        static Delassus delassus;
        int             contacts = 1 + trial % MOST;
        random_problem(&random, contacts, 3 * contacts, &delassus);
        Bench bench;
        set_up(&bench, &delassus.problem);
        solve(&bench, &delassus.problem);
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_true(law_error(contacts, delassus.W, delassus.b, delassus.mu, bench.p) <= 1e-8);
        tear_down(&bench);
    }
}

static void redundant_contacts_obey_the_law(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(22);
    for (int trial = 0; trial < 100; trial++) {
        static Delassus delassus;
        int             contacts = 3 + trial % (MOST - 2);
        random_problem(&random, contacts, 6, &delassus);
        Bench bench;
        set_up(&bench, &delassus.problem);
        solve(&bench, &delassus.problem);
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_true(law_error(contacts, delassus.W, delassus.b, delassus.mu, bench.p) <= 1e-8);
        tear_down(&bench);
    }
}

static void pyramids_are_certified_too(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(24);
    for (int trial = 0; trial < 200; trial++) {
        static Delassus delassus;
        int             contacts = 1 + trial % MOST;
        random_problem(&random, contacts, trial % 2 ? 3 * contacts : 6, &delassus);
        for (int i = 0; i < contacts; i++) {
            delassus.contacts[i].directions = 4 + 2 * (i % 3);
            delassus.contacts[i].turn = 0.1 * i;
        }
        Bench                  bench;
        TactContactCertificate c;
        set_up(&bench, &delassus.problem);
        bench.method.config.cone = TACT_CONE_PYRAMID;
        solve(&bench, &delassus.problem);
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_int_equal(
            tact_contact_certify(&delassus.problem, TACT_CONE_PYRAMID, bench.p, NULL, NULL, &c),
            TACT_OK);
        assert_true(c.error <= 1e-8);
        tear_down(&bench);
    }
}

static void a_matrix_that_is_not_quite_symmetric_is_solved_as_it_is(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(23);
    for (int trial = 0; trial < 50; trial++) {
        static Delassus delassus;
        int             contacts = 2 + trial % 10, n = 3 * contacts;
        random_problem(&random, contacts, n, &delassus);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                double size = sqrt(delassus.W[i * n + i] * delassus.W[j * n + j]);
                delassus.W[i * n + j] += 2e-3 * size * tact_random_uniform(&random, -1, 1);
            }
        }
        Bench bench;
        set_up(&bench, &delassus.problem);
        solve(&bench, &delassus.problem);
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_true(law_error(contacts, delassus.W, delassus.b, delassus.mu, bench.p) <= 1e-8);
        tear_down(&bench);
    }
}

static void contacts_that_do_not_touch_each_other_need_one_sweep(void **state)
{
    (void)state;
    // W = I: b = (-1, 3, 4), mu = 0.5 slides: p = (1, -0.3, -0.4); (-2, 0.6, 0.8) sticks: p = -b;
    // (1, 1, 1) parts.
    static Delassus delassus;
    const double    b[9] = {-1, 3, 4, -2, 0.6, 0.8, 1, 1, 1};
    const double    p[9] = {1, -0.3, -0.4, 2, -0.6, -0.8, 0, 0, 0};
    memset(&delassus, 0, sizeof delassus);
    for (int i = 0; i < 9; i++) {
        delassus.W[i * 9 + i] = 1;
        delassus.b[i] = b[i];
        delassus.contacts[i / 3].mu = 0.5;
    }
    delassus.problem = (TactContactProblem){.step = 1,
                                            .W = delassus.W,
                                            .u_free = delassus.b,
                                            .contact_count = 3,
                                            .contacts = delassus.contacts};
    Bench bench;
    set_up(&bench, &delassus.problem);
    solve(&bench, &delassus.problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    assert_int_equal(bench.report.iterations, 1);
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(bench.p[i] - p[i]) <= 1e-15);
    }
    tear_down(&bench);
}

// ---------------------------------------------------------------------------------------------
// Bodies and mechanisms

/// Impulse of a contact: items are sorted, contacts are not.
static const double *impulse_of(const Bench *bench, int contact)
{
    const TactSystem *system = &bench->system;
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind == TACT_ITEM_CONTACT && system->items[i].source == contact) {
            return bench->p + 3 * i;
        }
    }
    fail_msg("there is no contact %d", contact);
    return NULL;
}

/// Sum of the impulses of all contacts in the world frame, normals being z.
static void total_impulse(const Bench *bench, const TactContactProblem *problem, double total[3])
{
    total[0] = total[1] = total[2] = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        double        frame[3][3];
        const double *p = impulse_of(bench, i);
        tact_contact_compute_frame(&problem->contacts[i], frame);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                total[k] += p[c] * frame[c][k];
            }
        }
    }
}

static void a_block_on_a_plane_is_carried(void **state)
{
    (void)state;
    // h m g = 0.01 * 2 * 9.81 upwards, no friction needed
    Scene scene;
    Bench bench;
    scene_block_on_plane(&scene);
    set_up(&bench, &scene.problem);
    solve(&bench, &scene.problem);
    double total[3];
    total_impulse(&bench, &scene.problem, total);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    assert_true(fabs(total[2] - 0.01 * 2 * GRAVITY) <= 1e-10);
    assert_true(fabs(total[0]) <= 1e-10 && fabs(total[1]) <= 1e-10);
    tear_down(&bench);
}

static void a_pushed_block_slides_by_what_friction_leaves(void **state)
{
    (void)state;
    // A push of f along (3, 4) / 5 through the lower face: friction is mu m g against it once f is
    // larger, whatever the direction; below, it is f.
    const double push[] = {3, 9.80, 9.82, 30};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        Bench bench;
        scene_block_on_plane(&scene); // mu = 0.5, m = 2: mu m g = 9.81
        scene.bodies[0].force[0] = push[k] * 0.6;
        scene.bodies[0].force[1] = push[k] * 0.8;
        scene.bodies[0].torque[0] = push[k] * 0.8; // moves the line of force down by 1 m
        scene.bodies[0].torque[1] = -push[k] * 0.6;
        set_up(&bench, &scene.problem);
        solve(&bench, &scene.problem);
        double total[3], friction = 0.01 * fmin(push[k], GRAVITY);
        total_impulse(&bench, &scene.problem, total);
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_true(fabs(total[0] + 0.6 * friction) <= 1e-9);
        assert_true(fabs(total[1] + 0.8 * friction) <= 1e-9);
        tear_down(&bench);
    }
}

static void compliance_adds_to_the_diagonal(void **state)
{
    (void)state;
    // One contact through the centre: W_nn = 1 / m, b_n = -h g, p_n = h g / (1 / m + c)
    Scene scene;
    Bench bench;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1);
    scene_add_contact(&scene, -1, 0, 0, 0, 0, 0.5)->compliance = 0.25;
    set_up(&bench, &scene.problem);
    solve(&bench, &scene.problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    assert_true(fabs(bench.p[0] - 0.01 * GRAVITY / 0.75) <= 1e-14);
    tear_down(&bench);
}

static void rows_and_motors_have_their_closed_form(void **state)
{
    (void)state;
    // Three carriages of 1, 2, 4 kg on rails, v = 1: a limit that lets none approach (J = -1),
    // a motor that stops with at most 1 N s, and one that stops with as much as it needs.
    double         M[9] = {1, 0, 0, 0, 2, 0, 0, 0, 4}, v[3] = {1, 1, 1}, tau[3] = {0};
    double         J[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    TactContactRow rows[3] = {
        {.kind = TACT_ROW_UNILATERAL, .J = J[0]},
        {.kind = TACT_ROW_MOTOR, .J = J[1], .force_max = 100},
        {.kind = TACT_ROW_MOTOR, .J = J[2], .force_max = 1000},
    };
    TactContactProblem problem = {
        .step = 0.01, .nv = 3, .M = M, .v = v, .tau = tau, .row_count = 3, .rows = rows};
    Bench bench;
    set_up(&bench, &problem);
    solve(&bench, &problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    for (int i = 0; i < 3; i++) {
        const TactItem *item = &bench.system.items[i];
        const double   *p = bench.p + 3 * i;
        double          expected = item->source == 0 ? 1 : item->source == 1 ? -1 : -4;
        assert_true(fabs(p[item->kind == TACT_ITEM_MOTOR ? 1 : 0] - expected) <= 1e-14);
    }
    tear_down(&bench);
}

/// Cubes of side 2 on each other, pushed about.
static void make_stack(Scene *scene, int bodies, double mass_ratio)
{
    scene_clear(scene);
    double mass = 1;
    for (int k = 0; k < bodies; k++, mass *= mass_ratio) {
        TactContactBody *body = scene_add_cube(scene, mass, 1, 0, 0, 1 + 2 * k);
        body->force[0] = mass * (k % 2 ? 1.3 : -0.7);
        body->force[1] = mass * (k % 3 ? 0.4 : 1.1);
        for (int c = 0; c < 4; c++) {
            scene_add_contact(scene, k - 1, k, c % 2 ? 1 : -1, c / 2 ? 1 : -1, 2 * k, 0.3);
        }
    }
}

static void stacks_obey_the_law_at_any_mass_ratio(void **state)
{
    (void)state;
    const double ratio[] = {1, 10, 1000, 1e-2};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        Bench bench;
        make_stack(&scene, 4, ratio[k]);
        set_up(&bench, &scene.problem);
        solve(&bench, &scene.problem);
        const TactSystem *system = &bench.system;
        int               n = 3 * system->item_count;
        double           *W = calloc((size_t)(n * n), sizeof *W);
        double            mu[SCENE_CONTACTS];
        assert_non_null(W);
        for (int i = 0; i < system->item_count; i++) {
            mu[i] = system->items[i].mu;
            for (int j = 0; j < system->item_count; j++) {
                double block[3][3];
                tact_system_block(system, i, j, block);
                for (int e = 0; e < 9; e++) {
                    W[(3 * i + e / 3) * n + 3 * j + e % 3] = block[e / 3][e % 3];
                }
            }
        }
        assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
        assert_true(law_error(system->item_count, W, system->b, mu, bench.p) <= 1e-8);
        free(W);
        tear_down(&bench);
    }
}

static void a_start_at_the_answer_needs_no_sweep(void **state)
{
    (void)state;
    Scene scene;
    Bench bench;
    make_stack(&scene, 3, 1);
    set_up(&bench, &scene.problem);
    solve(&bench, &scene.problem);
    assert_true(bench.report.iterations > 0);
    bench.warm = true;
    solve(&bench, &scene.problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    assert_int_equal(bench.report.iterations, 0);
    assert_int_equal(bench.report.turns, 0);
    tear_down(&bench);
}

static void the_limit_of_sweeps_is_kept_and_said(void **state)
{
    (void)state;
    Scene scene;
    Bench bench;
    make_stack(&scene, 4, 1);
    set_up(&bench, &scene.problem);
    bench.method.config.max_sweeps = 2;
    solve(&bench, &scene.problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_LIMIT);
    assert_int_equal(bench.report.iterations, 2);
    tear_down(&bench);
}

static void no_contact_at_all_is_solved(void **state)
{
    (void)state;
    Scene scene;
    Bench bench;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1);
    set_up(&bench, &scene.problem);
    solve(&bench, &scene.problem);
    assert_int_equal(bench.outcome, TACT_OUTCOME_SOLVED);
    tear_down(&bench);
}

/// An arm that its contacts all but lock: a motion of 1e-4 costs them 1e-9. Without friction it is
/// unique, and the one that `reduced` finds.
static void a_motion_that_contacts_hardly_see_is_found(void **state)
{
    (void)state;
    const TactContactMethod methods[] = {TACT_METHOD_REDUCED, TACT_METHOD_NSGS};
    TactContactCase         made;
    double                  v[2][12] = {{0}}, p[3 * 6];
    assert_int_equal(tact_case_generate(tact_case_family_find("smooth-tree"), 686, 8, &made),
                     TACT_OK);
    assert_int_equal(tact_contact_get_dof(&made.problem), 12);
    assert_int_equal(made.problem.contact_count, 6);
    for (int m = 0; m < 2; m++) {
        TactContactCapacity capacity = tact_contact_get_capacity(&made.problem);
        TactContactConfig   config = tact_contact_config_default(methods[m]);
        config.cone = TACT_CONE_CIRCLE;
        TactContactAnswer  answer = {.impulse = p, .velocity = v[m]};
        TactContactSolver *solver;
        TactContactReport  report;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &made.problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        tact_contact_solver_destroy(solver);
    }
    for (int i = 0; i < 12; i++) {
        assert_true(fabs(v[1][i] - v[0][i]) <= 1e-9);
    }
    tact_case_destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_obey_the_law),
        cmocka_unit_test(redundant_contacts_obey_the_law),
        cmocka_unit_test(pyramids_are_certified_too),
        cmocka_unit_test(a_matrix_that_is_not_quite_symmetric_is_solved_as_it_is),
        cmocka_unit_test(contacts_that_do_not_touch_each_other_need_one_sweep),
        cmocka_unit_test(a_block_on_a_plane_is_carried),
        cmocka_unit_test(a_pushed_block_slides_by_what_friction_leaves),
        cmocka_unit_test(compliance_adds_to_the_diagonal),
        cmocka_unit_test(rows_and_motors_have_their_closed_form),
        cmocka_unit_test(stacks_obey_the_law_at_any_mass_ratio),
        cmocka_unit_test(a_start_at_the_answer_needs_no_sweep),
        cmocka_unit_test(the_limit_of_sweeps_is_kept_and_said),
        cmocka_unit_test(no_contact_at_all_is_solved),
        cmocka_unit_test(a_motion_that_contacts_hardly_see_is_found),
    };
    return cmocka_run_group_tests_name("contact/nsgs", tests, NULL, NULL);
}
