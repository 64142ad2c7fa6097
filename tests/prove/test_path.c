// Paths from an answer to an exact solution, and the numbers they are followed in.
#include <gmp.h>
#include <tact/prove.h>

#include "contact/scenes.h"
#include "prove/exact_law.h"
#include "prove/search/rows.h"

enum { BITS = 600 };

static void set_four(mpf_t out, TactFour a)
{
    mpf_t part;
    mpf_init2(part, BITS);
    mpf_set_ui(out, 0);
    for (int i = 0; i < 4; i++) {
        mpf_set_d(part, a.x[i]);
        mpf_add(out, out, part);
    }
    mpf_clear(part);
}

static TactFour random_four(TactRandom *random)
{
    double t[4], size = ldexp(1, (int)tact_random_uniform(random, -30, 30));
    for (int i = 0; i < 4; i++) {
        t[i] = size * ldexp(tact_random_uniform(random, -1, 1), -53 * i);
    }
    return tact_four_sum(t, 4);
}

static void numbers_of_four_doubles_agree_with_600_bits(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    mpf_t      a, b, c, d;
    mpf_init2(a, BITS), mpf_init2(b, BITS), mpf_init2(c, BITS), mpf_init2(d, BITS);
    for (int trial = 0; trial < 30000; trial++) {
        TactFour x = random_four(&random), y = random_four(&random);
        if (trial % 3 == 0) { // nearly the opposite
            y = tact_four_minus(x);
            y.x[trial % 4] *= 1 + 1e-10 * tact_random_uniform(&random, -1, 1);
        }
        set_four(a, x);
        set_four(b, y);
        for (int k = 0; k < 3; k++) {
            TactFour z = k == 0   ? tact_four_add(x, y)
                         : k == 1 ? tact_four_multiply(x, y)
                                  : tact_four_divide(x, y);
            set_four(c, z);
            if (k == 0) {
                mpf_add(d, a, b);
            } else if (k == 1) {
                mpf_mul(d, a, b);
            } else {
                mpf_div(d, a, b);
            }
            double size = k == 0 ? fmax(fabs(x.x[0]), fabs(y.x[0])) : fabs(mpf_get_d(d));
            mpf_sub(c, c, d);
            assert_true(fabs(mpf_get_d(c)) <= ldexp(size, -200));
        }
    }
    mpf_clears(a, b, c, d, NULL);
}

static void rows_do_what_their_numbers_do(void **state)
{
    (void)state;
    enum { N = 23 };
    TactRandom random = tact_random_seed(4);
    for (int parts = 2; parts <= 4; parts += 2) {
        double   memory[3][4 * N];
        TactRow  x = tact_row_in(memory[0], N, parts), y = tact_row_in(memory[1], N, parts);
        TactRow  z = tact_row_in(memory[2], N, parts);
        TactFour sum = tact_four_of(0), factor = random_four(&random);
        double   size = 0, tol = parts == 2 ? 0x1p-98 : 0x1p-196;
        if (parts == 2) {
            factor.x[2] = factor.x[3] = 0;
        }
        for (int i = 0; i < N; i++) {
            tact_row_set(x, i, random_four(&random));
            tact_row_set(y, i, random_four(&random));
            tact_row_set(z, i, tact_row_get(y, i));
            TactFour product = tact_four_multiply(tact_row_get(x, i), tact_row_get(y, i));
            sum = tact_four_add(sum, product);
            size += fabs(product.x[0]);
        }
        TactFour dot = tact_row_dot(N, x, y);
        assert_true(fabs(tact_four_add(dot, tact_four_minus(sum)).x[0]) <= tol * size);
        tact_row_add(N, z, factor, x);
        for (int i = 0; i < N; i++) {
            TactFour product = tact_four_multiply(factor, tact_row_get(x, i));
            TactFour wanted = tact_four_add(tact_row_get(y, i), product);
            TactFour rest = tact_four_add(tact_row_get(z, i), tact_four_minus(wanted));
            double   of = fabs(product.x[0]) + fabs(tact_row_get(y, i).x[0]);
            assert_true(fabs(rest.x[0]) <= tol * of);
        }
    }
}

// ---------------------------------------------------------------------------------------------

typedef struct Tower {
    Scene             scene;
    double            p[3 * SCENE_CONTACTS], rows[SCENE_ROWS], v[6 * SCENE_BODIES];
    TactContactAnswer answer;
} Tower;

/// Cubes one on the other, each turned a little: four corners of a face, which lie in a plane but
/// for rounding.
static void make_tower(Tower *tower, int cubes, double turn, double push)
{
    scene_clear(&tower->scene);
    for (int k = 0; k < cubes; k++) {
        TactContactBody *body =
            scene_add_cube(&tower->scene, 1.3 + 0.7 * k, 0.31, 0.01 * k, 0.02, 0.31 + 0.62 * k);
        body->velocity[0] = push * k;
        for (int c = 0; c < 4; c++) {
            double angle = turn * (k + 1) + 1.5707963 * c;
            double z = 0.62 * k + 1e-17 * ((c * 7 + k * 3) % 5);
            scene_add_contact(&tower->scene, k - 1, k, 0.01 * k + 0.4 * cos(angle),
                              0.02 + 0.4 * sin(angle), z, 0.5);
        }
    }
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&tower->scene.problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    tower->answer =
        (TactContactAnswer){.impulse = tower->p, .row_impulse = tower->rows, .velocity = tower->v};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &tower->scene.problem, &tower->answer, &report),
                     TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

/// The exact solution, judged by the law as the tests know it.
static bool obeys(const TactContactProblem *problem, const TactProof *proof)
{
    LawAnswer *exact = test_malloc(sizeof *exact);
    size_t     size = 400000;
    char      *text = test_malloc(size);
    law_init(exact);
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        size_t length = tact_proof_get_exact(proof, TACT_PROOF_PART_IMPULSE, i, text, size);
        assert_true(length > 0 && length < size);
        assert_int_equal(mpq_set_str(exact->p[i / 3][i % 3], text, 10), 0);
    }
    for (int i = 0; i < 6 * problem->body_count; i++) {
        size_t length = tact_proof_get_exact(proof, TACT_PROOF_PART_VELOCITY, i, text, size);
        assert_true(length > 0 && length < size);
        assert_int_equal(mpq_set_str(exact->v[i], text, 10), 0);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        tact_contact_compute_frame(&problem->contacts[i], exact->frame[i]);
    }
    bool holds = law_holds(problem, exact);
    law_clear(exact);
    test_free(exact);
    test_free(text);
    return holds;
}

static void towers_that_are_redundant_but_for_rounding_are_proved(void **state)
{
    (void)state;
    static Tower tower;
    int          changed = 0;
    for (int trial = 0; trial < 6; trial++) {
        TactProofConfig config = tact_proof_config_default();
        TactProof      *proof = NULL;
        config.rounds = 1; // the states of the answer, and then a path
        config.limit = 300;
        make_tower(&tower, 2 + trial % 2, 0.1 + 0.13 * trial, trial < 3 ? 0 : 0.02);
        const TactContactProblem *problem = &tower.scene.problem;
        assert_int_equal(
            tact_prove_contact(problem, TACT_CONE_PYRAMID, &tower.answer, &config, &proof),
            TACT_OK);
        const TactProofReport *report = tact_proof_view_report(proof);
        assert_true(report->proved);
        assert_true(report->radius < 1e-9);
        assert_true(obeys(problem, proof));
        changed += report->changed;
        tact_proof_destroy(proof);
    }
    assert_true(changed > 0); // some of them were not in the states of the answer
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_four_doubles_agree_with_600_bits),
        cmocka_unit_test(rows_do_what_their_numbers_do),
        cmocka_unit_test(towers_that_are_redundant_but_for_rounding_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
