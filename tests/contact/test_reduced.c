// reduced and structural: certified, small, warm.
#include "contact/pivot/reduced.h"

#include "kernels.h"
#include "pegs.h"
// clang-format off
#include "contact/pivot/kernel_internal.h"
// clang-format on

static const TactContactMethod METHODS[] = {TACT_METHOD_REDUCED, TACT_METHOD_STRUCTURAL};

static void both_solve_every_shape(void **state)
{
    (void)state;
    static Shape shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        for (int kind = 0; kind < SHAPE_COUNT; kind++) {
            for (uint64_t seed = 1; seed <= 4; seed++) {
                Solving solving;
                shape_make(&shape, kind, seed);
                solving_begin(&solving, &shape.problem, &config);
                assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
                assert_true(solving.report.certificate.error <= config.tol);
                assert_int_equal(solving.report.rung_count, 1);
                solving_end(&solving);
            }
        }
    }
}

// Friction does not enter: kinetic energy is then strictly convex and v+ is unique.
static void both_move_bodies_alike_without_friction(void **state)
{
    (void)state;
    static Shape shape;
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        Solving solving[2];
        shape_make(&shape, kind, 7);
        for (int i = 0; i < shape.problem.contact_count; i++) {
            shape.contacts[i].mu = 0;
        }
        for (int m = 0; m < 2; m++) {
            TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
            solving_begin(&solving[m], &shape.problem, &config);
            assert_int_equal(solving_run(&solving[m], &shape.problem), TACT_OUTCOME_SOLVED);
        }
        double size = 0; // of the motion before: the bodies may come to rest
        for (int k = 0; k < shape.problem.body_count; k++) {
            for (int j = 0; j < 3; j++) {
                size = fmax(size, fabs(shape.bodies[k].velocity[j]));
                size = fmax(size, fabs(shape.bodies[k].omega[j]));
            }
        }
        for (int j = 0; j < 6 * shape.problem.body_count; j++) {
            assert_true(fabs(solving[0].velocity[j] - solving[1].velocity[j]) <= 1e-9 * size);
        }
        solving_end(&solving[0]);
        solving_end(&solving[1]);
    }
}

static void the_reduced_system_of_structural_has_at_most_dof_plus_one_rows(void **state)
{
    (void)state;
    static Shape shape;
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        OwnedSystem       system;
        OwnedKernel       owned;
        TactContactReport report = {0};
        double            p[3 * TACT_SCENE_MAX_CONTACTS];
        shape_make(&shape, kind, 3);
        system_create(&system, &shape.problem);
        kernel_create(&owned, &system.system, true);
        assert_int_equal(tact_reduced_solve(&owned.kernel, &system.system, NULL, 0, p, &report),
                         TACT_OUTCOME_SOLVED);
        assert_true(owned.elimination.most >= 1);
        assert_true(owned.elimination.most <= system.system.dof + 1);
        assert_true(report.pivots > 0);
        kernel_destroy(&owned);
        system_destroy(&system);
    }
}

static void only_contacts_that_were_active_have_friction(void **state)
{
    (void)state;
    static Shape      shape;
    OwnedSystem       system;
    OwnedKernel       owned;
    TactContactReport report = {0};
    double            p[3 * TACT_SCENE_MAX_CONTACTS];
    shape_make(&shape, SHAPE_FACE, 1); // 40 contacts, of which few can carry
    system_create(&system, &shape.problem);
    kernel_create(&owned, &system.system, false);
    assert_int_equal(tact_reduced_solve(&owned.kernel, &system.system, NULL, 0, p, &report),
                     TACT_OUTCOME_SOLVED);
    const TactCompact *compact = owned.kernel.compact; // it is one body
    assert_true(compact->friction.count >= 1);
    assert_true(compact->friction.count <= 20);
    for (int i = 0; i < system.system.item_count; i++) {
        if (p[3 * i] > 0) {
            assert_true(compact->contacts.active[i] >= 0);
        }
    }
    kernel_destroy(&owned);
    system_destroy(&system);
}

static void an_unchanged_problem_takes_no_pivots_and_the_same_impulses(void **state)
{
    (void)state;
    static Shape shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        for (int kind = 0; kind < SHAPE_COUNT; kind++) {
            Solving solving;
            double  cold[3 * TACT_SCENE_MAX_CONTACTS], size = 0;
            shape_make(&shape, kind, 5);
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            memcpy(cold, solving.impulse, sizeof cold);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_int_equal(solving.report.pivots, 0);
            for (int i = 0; i < 3 * shape.problem.contact_count; i++) {
                size = fmax(size, fabs(cold[i]));
            }
            for (int i = 0; i < 3 * shape.problem.contact_count; i++) {
                assert_true(fabs(solving.impulse[i] - cold[i]) <= 1e-10 * size);
            }
            tact_contact_solver_forget(solving.solver);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_memory_equal(solving.impulse, cold,
                                3 * (size_t)shape.problem.contact_count * sizeof(double));
            solving_end(&solving);
        }
    }
}

static void reordered_contacts_keep_their_basis(void **state)
{
    (void)state;
    static Shape      shape;
    Solving           solving;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_PYRAMID);
    shape_make(&shape, SHAPE_PEG, 2);
    int n = shape.problem.contact_count;
    solving_begin(&solving, &shape.problem, &config);
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    double cold[3 * TACT_SCENE_MAX_CONTACTS];
    memcpy(cold, solving.impulse, sizeof cold);
    for (int i = 0; i < n / 2; i++) {
        TactContact swap = shape.contacts[i];
        shape.contacts[i] = shape.contacts[n - 1 - i];
        shape.contacts[n - 1 - i] = swap;
    }
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    assert_int_equal(solving.report.pivots, 0);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(solving.impulse[3 * i + c] - cold[3 * (n - 1 - i) + c]) < 1e-10);
        }
    }
    solving_end(&solving);
}

static void contacts_that_go_and_come_leave_the_answer_right(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_PYRAMID);
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        Solving solving;
        shape_make(&shape, kind, 9);
        int n = shape.problem.contact_count;
        solving_begin(&solving, &shape.problem, &config);
        assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
        int open = -1, loaded = -1;
        for (int i = 0; i < n; i++) {
            open = solving.impulse[3 * i] == 0 ? i : open;
            loaded = solving.impulse[3 * i] > 0 ? i : loaded;
        }
        if (open >= 0) { // one that carries nothing: nothing changes
            TactContact gone = shape.contacts[open];
            shape.contacts[open] = shape.contacts[n - 1];
            shape.problem.contact_count--;
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_int_equal(solving.report.pivots, 0);
            shape.contacts[n - 1] = gone; // and it comes back
            shape.contacts[n - 1].id = 1000;
            shape.problem.contact_count++;
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_int_equal(solving.report.pivots, 0);
        }
        assert_true(loaded >= 0);
        shape.contacts[loaded] = shape.contacts[n - 1];
        shape.problem.contact_count--;
        assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
        solving_end(&solving);
    }
}

static void friction_that_is_lost_between_steps_is_no_trap(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_PYRAMID);
    Solving           solving;
    shape_make(&shape, SHAPE_BLOCK, 4);
    solving_begin(&solving, &shape.problem, &config);
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    for (int i = 0; i < shape.problem.contact_count; i++) {
        shape.contacts[i].directions = 4;
    }
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    for (int i = 0; i < shape.problem.contact_count; i++) {
        shape.contacts[i].mu = 0;
    }
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    solving_end(&solving);
}

static void any_number_of_directions_and_any_turn_is_solved(void **state)
{
    (void)state;
    static Shape shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        for (int d = 4; d <= 64; d += d < 16 ? 2 : 16) {
            Solving solving;
            shape_make(&shape, d % 4 ? SHAPE_PEG : SHAPE_CORNER, (uint64_t)d);
            for (int i = 0; i < shape.problem.contact_count; i++) {
                shape.contacts[i].directions = i == 3 ? 4 : d;
                shape.contacts[i].turn = 0.37 * i;
            }
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            solving_end(&solving);
        }
    }
}

static void friction_from_none_to_huge_is_solved(void **state)
{
    (void)state;
    static const double mu[] = {0, 1e-12, 1e-3, 2, 50, 1e4};
    static Shape        shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        for (size_t k = 0; k < sizeof mu / sizeof *mu; k++) {
            Solving solving;
            shape_make(&shape, SHAPE_BLOCK, 6);
            for (int i = 0; i < shape.problem.contact_count; i++) {
                shape.contacts[i].mu = mu[k];
            }
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            solving_end(&solving);
        }
    }
}

static void joints_limits_and_motors_are_solved(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        Scene             scene;
        Solving           solving;
        scene_arm(&scene);
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_int_equal(solving.report.redundant_rows, 1);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        solving_end(&solving);
    }
}

static void a_problem_without_anything_to_do_has_the_answer_zero(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        Scene             scene;
        Solving           solving;
        scene_block_on_plane(&scene); // at rest and without gravity: all offsets are 0
        scene.bodies[0].force[2] = 0;
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        for (int i = 0; i < 12; i++) {
            assert_true(solving.impulse[i] == 0);
        }
        scene.problem.contact_count = 0;
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_int_equal(solving.report.pivots, 0);
        scene.problem.body_count = 0;
        solving_end(&solving);
    }
}

// W = 0: nothing moves, and with u_free >= 0 nothing has to.
static void columns_of_zero_are_no_trap(void **state)
{
    (void)state;
    double             W[36] = {0}, u_free[6] = {0, 0, 0, 0.5, 0.1, 0.2};
    TactContact        contacts[2] = {{.mu = 0.5}, {.mu = 0.5}};
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 2, .contacts = contacts};
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        Solving           solving;
        solving_begin(&solving, &problem, &config);
        assert_int_equal(solving_run(&solving, &problem), TACT_OUTCOME_SOLVED);
        // In a plane: no tangent 2. Tangent 1 slides with 0.1 and friction stops it.
        for (int c = 0; c < 6; c++) {
            W[c * 6 + c] = c % 3 == 2 ? 0 : 1;
            u_free[c] = c % 3 == 2 ? 0 : c % 3 == 1 ? 0.1 : -1;
        }
        assert_int_equal(solving_run(&solving, &problem), TACT_OUTCOME_SOLVED);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(solving.impulse[3 * i] - 1) < 1e-12);
            assert_true(fabs(solving.impulse[3 * i + 1] + 0.1) < 1e-12);
            assert_true(fabs(solving.impulse[3 * i + 2]) < 1e-12);
        }
        solving_end(&solving);
        memset(W, 0, sizeof W);
        const double still[6] = {0, 0, 0, 0.5, 0.1, 0.2};
        memcpy(u_free, still, sizeof u_free);
    }
}

/// A body in front that nothing touches: the same problem with all bodies one further.
static void bodies_that_nothing_touches_do_not_change_a_bit(void **state)
{
    (void)state;
    static Shape shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        for (int kind = 0; kind < SHAPE_COUNT; kind++) {
            Solving alone, among;
            shape_make(&shape, kind, 8);
            solving_begin(&alone, &shape.problem, &config);
            assert_int_equal(solving_run(&alone, &shape.problem), TACT_OUTCOME_SOLVED);
            int bodies = shape.problem.body_count++;
            memmove(shape.bodies + 1, shape.bodies, (size_t)bodies * sizeof *shape.bodies);
            for (int i = 0; i < shape.problem.contact_count; i++) {
                shape.contacts[i].a += shape.contacts[i].a >= 0;
                shape.contacts[i].b += shape.contacts[i].b >= 0;
            }
            solving_begin(&among, &shape.problem, &config);
            assert_int_equal(solving_run(&among, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_memory_equal(among.impulse, alone.impulse, sizeof alone.impulse);
            solving_end(&alone);
            solving_end(&among);
        }
    }
}

static void too_few_pivots_are_reported_as_the_limit(void **state)
{
    (void)state;
    static Shape shape;
    for (int m = 0; m < 2; m++) {
        TactContactConfig config = solving_config(METHODS[m], TACT_CONE_PYRAMID);
        Solving           solving;
        config.max_pivots = 1;
        shape_make(&shape, SHAPE_PEG, 1);
        solving_begin(&solving, &shape.problem, &config);
        assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_LIMIT);
        assert_int_equal(solving.report.ended, TACT_OUTCOME_LIMIT);
        solving_end(&solving);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_solve_every_shape),
        cmocka_unit_test(both_move_bodies_alike_without_friction),
        cmocka_unit_test(the_reduced_system_of_structural_has_at_most_dof_plus_one_rows),
        cmocka_unit_test(only_contacts_that_were_active_have_friction),
        cmocka_unit_test(an_unchanged_problem_takes_no_pivots_and_the_same_impulses),
        cmocka_unit_test(reordered_contacts_keep_their_basis),
        cmocka_unit_test(contacts_that_go_and_come_leave_the_answer_right),
        cmocka_unit_test(friction_that_is_lost_between_steps_is_no_trap),
        cmocka_unit_test(any_number_of_directions_and_any_turn_is_solved),
        cmocka_unit_test(friction_from_none_to_huge_is_solved),
        cmocka_unit_test(joints_limits_and_motors_are_solved),
        cmocka_unit_test(a_problem_without_anything_to_do_has_the_answer_zero),
        cmocka_unit_test(columns_of_zero_are_no_trap),
        cmocka_unit_test(bodies_that_nothing_touches_do_not_change_a_bit),
        cmocka_unit_test(too_few_pivots_are_reported_as_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
