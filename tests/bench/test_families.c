// The generated problems are what they say they are.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/bench_error.h"
#include "bench/problems/families.h"
#include "bench/problems/scenes.h"
#include "oracle/exact_residual.h"

static TactFamilyProblem make(const char *name, uint64_t seed)
{
    TactFamilyProblem made;
    const TactFamily *family = tact_family_find(name);
    assert_non_null(family);
    assert_int_equal(tact_family_generate(family, seed, &made), TACT_OK);
    return made;
}

static double entry(const TactFamilyProblem *made, int i, int j)
{
    return made->M[(size_t)i * (size_t)made->problem.n + (size_t)j];
}

static void every_problem_passes_the_check_and_has_a_name_of_its_own(void **state)
{
    (void)state;
    int               count;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        assert_ptr_equal(tact_family_find(families[f].name), &families[f]);
        for (uint64_t seed = 0; seed < 3; seed++) {
            TactFamilyProblem made = make(families[f].name, seed);
            assert_int_equal(tact_lcp_check(&made.problem), TACT_OK);
            tact_family_problem_destroy(&made);
        }
    }
}

static void a_problem_depends_on_family_and_seed_alone(void **state)
{
    (void)state;
    int               count;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        TactFamilyProblem a = make(families[f].name, 1), b = make(families[f].name, 1);
        size_t            n = (size_t)a.problem.n;
        assert_memory_equal(a.M, b.M, n * n * sizeof *a.M);
        assert_memory_equal(a.q, b.q, n * sizeof *a.q);
        tact_family_problem_destroy(&a);
        tact_family_problem_destroy(&b);
    }
    TactFamilyProblem a = make("peg-8", 1), b = make("peg-8", 2);
    assert_memory_not_equal(a.q, b.q, (size_t)a.problem.n * sizeof *a.q);
    tact_family_problem_destroy(&a);
    tact_family_problem_destroy(&b);
}

/// [Lloyd04, eq. 8]: (N'N, N'D, 0; D'N, D'D, E; mu, -E', 0) and q = (N'k, D'k, 0).
static void friction_problems_have_the_blocks_of_the_paper(void **state)
{
    (void)state;
    TactFamilyProblem made = make("corner-12", 4);
    int               m = made.contacts, phi = m, lambda = 9 * m;
    assert_int_equal(made.problem.n, 10 * m);
    for (int i = 0; i < m; i++) {
        double mu = entry(&made, lambda + i, i);
        assert_true(mu >= 0.2 && mu <= 0.3);
        assert_true(made.q[lambda + i] == 0);
        for (int j = 0; j < m; j++) {
            assert_true(entry(&made, i, lambda + j) == 0);
            assert_true(entry(&made, lambda + i, lambda + j) == 0);
            assert_true(i == j || entry(&made, lambda + i, j) == 0);
            for (int a = 0; a < 8; a++) {
                assert_true(entry(&made, phi + 8 * i + a, lambda + j) == (i == j ? 1 : 0));
                assert_true(entry(&made, lambda + j, phi + 8 * i + a) == (i == j ? -1 : 0));
            }
        }
    }
    for (int i = 0; i < lambda; i++) {
        for (int j = 0; j < lambda; j++) {
            assert_true(entry(&made, i, j) == entry(&made, j, i));
        }
    }
    tact_family_problem_destroy(&made);
}

static void opposite_directions_are_opposite_to_the_last_bit(void **state)
{
    (void)state;
    TactFamilyProblem made = make("peg-jittered-8", 4);
    int               m = made.contacts;
    for (int i = 0; i < m; i++) {
        for (int a = 0; a < 4; a++) {
            int row = m + 8 * i + a;
            assert_true(made.q[row] == -made.q[row + 4]);
            for (int j = 0; j < 9 * m; j++) {
                assert_true(entry(&made, row, j) == -entry(&made, row + 4, j));
            }
        }
    }
    tact_family_problem_destroy(&made);
}

/// A peg of 16 contacts has 8 a rim: N_i'N_j takes few values, each many times.
static void the_peg_has_exact_ties(void **state)
{
    (void)state;
    TactFamilyProblem made = make("peg-16", 4);
    double            seen[256];
    int               values = 0;
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
            int k = 0;
            while (k < values && seen[k] != entry(&made, i, j)) {
                k++;
            }
            if (k == values) {
                seen[values++] = entry(&made, i, j);
            }
        }
    }
    // Same rim or the other, and the cosine between them: five angles up to the sign of rounding.
    assert_true(values <= 2 * 5 + 8);
    tact_family_problem_destroy(&made);
}

/// One box of mass 1 at rest under its weight alone: its four corners carry m g h together, and by
/// symmetry a fourth each: theta = 9.81 * 0.01 / 4 solves with phi = lambda = 0.
static void a_block_at_rest_is_carried_by_its_corners(void **state)
{
    (void)state;
    TactRandom        random = tact_random_seed(1);
    TactScene         scene;
    TactFamilyProblem made = {0};
    double            z[40] = {0};
    tact_scene_block(&scene, &random, 4);
    scene.body[0].momentum[2] = -9.81 * 0.01;
    assert_int_equal(tact_scene_friction(&scene, &made), TACT_OK);
    for (int i = 0; i < 4; i++) {
        z[i] = 9.81 * 0.01 / 4;
    }
    assert_true(tact_bench_error(&made.problem, z) <= 1e-15);
    tact_family_problem_destroy(&made);
}

/// A block pushed along x by three times its weight slides: phi = mu theta in direction -x (the
/// fourth of eight), and lambda is the speed that is left, h (3 - mu) g.
static void a_block_pushed_hard_slides(void **state)
{
    (void)state;
    TactRandom        random = tact_random_seed(1);
    TactScene         scene;
    TactFamilyProblem made = {0};
    double            z[40] = {0};
    tact_scene_block(&scene, &random, 4);
    double weight = 9.81 * 0.01, mu = scene.contact[0].mu, height = scene.body[0].position[2];
    scene.body[0].momentum[0] = 3 * weight;
    scene.body[0].momentum[2] = -weight;
    scene.body[0].momentum[4] = -mu * weight * height; // balances the moment of friction
    assert_int_equal(tact_scene_friction(&scene, &made), TACT_OK);
    for (int i = 0; i < 4; i++) {
        z[i] = weight / 4;
        z[4 + 8 * i + 4] = mu * weight / 4;
        z[36 + i] = (3 - mu) * weight;
    }
    assert_true(tact_bench_error(&made.problem, z) <= 1e-14);
    tact_family_problem_destroy(&made);
}

static void the_check_of_the_benchmark_agrees_with_exact_arithmetic(void **state)
{
    (void)state;
    int               count;
    const TactFamily *families = tact_families(&count);
    TactRandom        random = tact_random_seed(3);
    for (int f = 0; f < count; f++) {
        TactFamilyProblem made = make(families[f].name, 9);
        double            z[512];
        for (int i = 0; i < made.problem.n; i++) {
            double x = tact_random_normal(&random);
            double lo = made.lo ? made.lo[i] : 0, hi = made.hi ? made.hi[i] : HUGE_VAL;
            z[i] = x < lo ? lo : x > hi ? hi : x;
        }
        TactOracleResidual exact = tact_oracle_residual(&made.problem, z);
        double             error = tact_bench_error(&made.problem, z);
        assert_true(fabs(error - exact.weighed / exact.scale) <= 1e-12 * error);
        z[0] = (double)NAN;
        assert_true(isinf(tact_bench_error(&made.problem, z)));
        tact_family_problem_destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_passes_the_check_and_has_a_name_of_its_own),
        cmocka_unit_test(a_problem_depends_on_family_and_seed_alone),
        cmocka_unit_test(friction_problems_have_the_blocks_of_the_paper),
        cmocka_unit_test(opposite_directions_are_opposite_to_the_last_bit),
        cmocka_unit_test(the_peg_has_exact_ties),
        cmocka_unit_test(a_block_at_rest_is_carried_by_its_corners),
        cmocka_unit_test(a_block_pushed_hard_slides),
        cmocka_unit_test(the_check_of_the_benchmark_agrees_with_exact_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
