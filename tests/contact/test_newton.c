// The Newton polish: from near and from far, each way to solve, each kind of item.
#include "contact/newton/newton.h"

#include "contact/law.h"
#include "contact/scenes.h"

typedef struct Bench {
    TactSystem system;
    TactNewton newton;
    TactArena  arena;
    double    *p;
    int        steps;
} Bench;

static void lay_out(Bench *bench, const TactContactCapacity *capacity)
{
    tact_system_layout(&bench->system, capacity, &bench->arena);
    tact_newton_layout(&bench->newton, capacity, &bench->arena);
    bench->p = tact_arena_take(&bench->arena, 3 * (size_t)(capacity->contacts + capacity->rows),
                               sizeof(double));
}

static void set_up(Bench *bench, const TactContactProblem *problem)
{
    int dof = problem->W ? 3 * problem->contact_count : tact_contact_get_dof(problem);
    TactContactCapacity capacity = {.contacts = problem->contact_count,
                                    .rows = problem->row_count,
                                    .dof = dof,
                                    .support = dof,
                                    .dense = true};
    *bench = (Bench){0};
    lay_out(bench, &capacity);
    assert_int_equal(tact_arena_create(&bench->arena), TACT_OK);
    lay_out(bench, &capacity);
    assert_int_equal(tact_system_build(&bench->system, problem, true), TACT_OK);
    tact_newton_begin(&bench->newton, &bench->system, problem, TACT_CONE_CIRCLE);
}

static void tear_down(Bench *bench)
{
    tact_arena_destroy(&bench->arena);
}

static void sweep(Bench *bench, int sweeps)
{
    tact_coupling_set(&bench->newton.coupling, bench->p);
    for (int k = 0; k < sweeps; k++) {
        for (int i = 0; i < bench->system.item_count; i++) {
            tact_coupling_visit(&bench->newton.coupling, i, bench->p);
        }
    }
}

/// The law on W and b as the coupling has them.
static double bench_law_error(const Bench *bench)
{
    const TactSystem *system = &bench->system;
    int               n = 3 * system->item_count;
    double           *W = calloc((size_t)(n * n), sizeof *W);
    double           *mu = calloc((size_t)system->item_count, sizeof *mu);
    assert_true(W && mu);
    for (int i = 0; i < system->item_count; i++) {
        mu[i] = system->items[i].mu;
        for (int j = 0; j < system->item_count; j++) {
            double block[9];
            tact_coupling_block(&bench->newton.coupling, i, j, block);
            for (int e = 0; e < 9; e++) {
                W[(3 * i + e / 3) * n + 3 * j + e % 3] = block[e];
            }
        }
    }
    double error = law_error(system->item_count, W, system->b, mu, bench->p);
    free(W);
    free(mu);
    return error;
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

static void both_ways_to_solve_polish_a_stack(void **state)
{
    (void)state;
    for (int solve = 0; solve < 2; solve++) {
        for (int rho = 1; rho <= 10; rho += 3) {
            Scene scene;
            Bench bench;
            make_stack(&scene, 3, 1);
            set_up(&bench, &scene.problem);
            sweep(&bench, 10);
            assert_true(bench_law_error(&bench) > 1e-6);
            assert_true(tact_newton_run(&bench.newton, (TactNewtonSolve)solve, rho, 40, 1e-11,
                                        bench.p, &bench.steps));
            assert_true(bench_law_error(&bench) <= 1e-10);
            assert_true(bench.steps >= 1 && bench.steps <= 20);
            tear_down(&bench);
        }
    }
}

static int steps_to(Bench *bench, const double start[3], double tol)
{
    double p[3] = {start[0], start[1], start[2]};
    int    steps = 0;
    assert_true(tact_newton_run(&bench->newton, TACT_NEWTON_PROXIMAL, 1, 40, tol, p, &steps));
    return steps;
}

static void convergence_is_quadratic_at_the_end(void **state)
{
    (void)state;
    // One sliding contact off the centre, its friction turned by 0.3 rad from the exact answer.
    // From an error below 1e-3 two steps must do for 1e-12.
    Scene scene;
    Bench bench;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1);
    scene.bodies[0].velocity[0] = 1;
    scene.bodies[0].omega[2] = 2;
    scene.bodies[0].force[1] = 40;
    scene_add_contact(&scene, -1, 0, 0.3, 0.2, 0, 0.3);
    set_up(&bench, &scene.problem);
    sweep(&bench, 1); // one contact: solved by one visit
    const double *p = bench.p;
    double start[3] = {p[0], p[1] * cos(0.3) - p[2] * sin(0.3), p[1] * sin(0.3) + p[2] * cos(0.3)};
    assert_true(hypot(p[1], p[2]) > 0.29 * p[0]);
    assert_true(steps_to(&bench, start, 1e-3) >= 1);
    assert_true(steps_to(&bench, start, 1e-12) <= steps_to(&bench, start, 1e-3) + 2);
    tear_down(&bench);
}

static void a_start_at_the_answer_needs_no_step(void **state)
{
    (void)state;
    Scene scene;
    Bench bench;
    make_stack(&scene, 3, 1);
    set_up(&bench, &scene.problem);
    sweep(&bench, 10);
    assert_true(tact_newton_polish(&bench.newton, 1e-10, bench.p, &bench.steps));
    bench.steps = 0;
    assert_true(tact_newton_polish(&bench.newton, 1e-10, bench.p, &bench.steps));
    assert_int_equal(bench.steps, 0);
    tear_down(&bench);
}

static void a_polish_that_fails_leaves_p_as_it_was(void **state)
{
    (void)state;
    Scene scene;
    Bench bench;
    make_stack(&scene, 4, 10);
    set_up(&bench, &scene.problem);
    sweep(&bench, 3);
    double before[3 * SCENE_CONTACTS];
    memcpy(before, bench.p, sizeof before);
    assert_false(
        tact_newton_run(&bench.newton, TACT_NEWTON_PROXIMAL, 1, 2, 1e-14, bench.p, &bench.steps));
    assert_int_equal(bench.steps, 2);
    assert_memory_equal(before, bench.p, sizeof before);
    tear_down(&bench);
}

static void the_path_needs_no_start(void **state)
{
    (void)state;
    // From p = 0, where sweeps alone would take thousands: masses 1 to 1000 upwards.
    const double ratio[] = {1, 10, 1e3, 1e-2};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        Bench bench;
        make_stack(&scene, 4, ratio[k]);
        set_up(&bench, &scene.problem);
        assert_true(tact_newton_path(&bench.newton, 1e-10, bench.p, &bench.steps));
        assert_true(bench_law_error(&bench) <= 1e-9);
        tear_down(&bench);
    }
}

static void rows_motors_and_frictionless_contacts_take_part(void **state)
{
    (void)state;
    // Three carriages of 1, 2, 4 kg on rails, v = 1: a limit that lets none approach (J = -1),
    // a motor that stops with at most 1 N s, and one that stops with as much as it needs. And a
    // wall without friction behind the second, which leaves it: no impulse.
    double         M[9] = {1, 0, 0, 0, 2, 0, 0, 0, 4}, v[3] = {1, 1, 1}, tau[3] = {0};
    double         J[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double         wall[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
    TactContact    contact = {.J = wall};
    TactContactRow rows[3] = {
        {.kind = TACT_ROW_UNILATERAL, .J = J[0]},
        {.kind = TACT_ROW_MOTOR, .J = J[1], .force_max = 100},
        {.kind = TACT_ROW_MOTOR, .J = J[2], .force_max = 1000},
    };
    TactContactProblem problem = {.step = 0.01,
                                  .nv = 3,
                                  .M = M,
                                  .v = v,
                                  .tau = tau,
                                  .contact_count = 1,
                                  .contacts = &contact,
                                  .row_count = 3,
                                  .rows = rows};
    for (int way = 0; way < 3; way++) {
        Bench bench;
        set_up(&bench, &problem);
        for (int i = 0; i < 12; i++) {
            bench.p[i] = 0; // nothing known
        }
        bool solved = way < 2 ? tact_newton_run(&bench.newton, (TactNewtonSolve)way, 1, 40, 1e-12,
                                                bench.p, &bench.steps)
                              : tact_newton_path(&bench.newton, 1e-12, bench.p, &bench.steps);
        assert_true(solved);
        for (int i = 0; i < 4; i++) {
            const TactItem *item = &bench.system.items[i];
            double          expected = item->kind == TACT_ITEM_CONTACT ? 0
                                       : item->source == 0             ? 1
                                       : item->source == 1             ? -1
                                                                       : -4;
            double          p = bench.p[3 * i + (item->kind == TACT_ITEM_MOTOR)];
            assert_true(fabs(p - expected) <= 1e-11);
        }
        tear_down(&bench);
    }
}

static void compliance_is_part_of_the_equations(void **state)
{
    (void)state;
    // One contact through the centre: W_nn = 1 / m, b_n = -h g, p_n = h g / (1 / m + c)
    for (int solve = 0; solve < 2; solve++) {
        Scene scene;
        Bench bench;
        scene_clear(&scene);
        scene_add_cube(&scene, 2, 1, 0, 0, 1);
        scene_add_contact(&scene, -1, 0, 0, 0, 0, 0.5)->compliance = 0.25;
        set_up(&bench, &scene.problem);
        assert_true(tact_newton_run(&bench.newton, (TactNewtonSolve)solve, 1, 40, 1e-12, bench.p,
                                    &bench.steps));
        assert_true(fabs(bench.p[0] - 0.01 * GRAVITY / 0.75) <= 1e-12);
        tear_down(&bench);
    }
}

static void a_problem_given_by_W_is_polished_as_it_is(void **state)
{
    (void)state;
    enum { CONTACTS = 10 };
    TactRandom random = tact_random_seed(31);
    for (int trial = 0; trial < 40; trial++) {
        static double W[9 * CONTACTS * CONTACTS];
        double        b[3 * CONTACTS], mu[CONTACTS];
        TactContact   contacts[CONTACTS];
        int           n = 3 * CONTACTS;
        random_delassus(&random, CONTACTS, n, 1, W);
        for (int i = 0; i < n; i++) {
            b[i] = tact_random_normal(&random);
            W[i * n + (i + 5) % n] += 1e-4 * W[i * n + i]; // not symmetric
        }
        for (int i = 0; i < CONTACTS; i++) {
            mu[i] = tact_random_uniform(&random, 0, 0.6);
            contacts[i] = (TactContact){.mu = mu[i]};
        }
        TactContactProblem problem = {
            .step = 1, .W = W, .u_free = b, .contact_count = CONTACTS, .contacts = contacts};
        Bench bench;
        set_up(&bench, &problem);
        sweep(&bench, 30);
        assert_true(tact_newton_polish(&bench.newton, 1e-11, bench.p, &bench.steps));
        assert_true(law_error(CONTACTS, W, b, mu, bench.p) <= 1e-9);
        tear_down(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_to_solve_polish_a_stack),
        cmocka_unit_test(convergence_is_quadratic_at_the_end),
        cmocka_unit_test(a_start_at_the_answer_needs_no_step),
        cmocka_unit_test(a_polish_that_fails_leaves_p_as_it_was),
        cmocka_unit_test(the_path_needs_no_start),
        cmocka_unit_test(rows_motors_and_frictionless_contacts_take_part),
        cmocka_unit_test(compliance_is_part_of_the_equations),
        cmocka_unit_test(a_problem_given_by_W_is_polished_as_it_is),
    };
    return cmocka_run_group_tests_name("contact/newton", tests, NULL, NULL);
}
