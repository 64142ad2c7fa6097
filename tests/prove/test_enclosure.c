// Enclosures of interval proofs hold the solution that Newton's method finds in 400 bits, from
// equations that are written here: two sliding contacts given by W.
//
//     u = W p + u_free,    u_n = 0,    |u_t| p_t + mu p_n u_t = 0
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <tact/prove.h>

#include "oracle/bits_solve.h"

enum { N = 6, BITS = 400 };

static void evaluate(const TactContactProblem *problem, mpf_t p[N], mpf_t F[N])
{
    mpf_t u[N], x, speed;
    mpf_init2(x, BITS);
    mpf_init2(speed, BITS);
    for (int i = 0; i < N; i++) {
        mpf_init2(u[i], BITS);
        mpf_set_d(u[i], problem->u_free[i]);
        for (int j = 0; j < N; j++) {
            mpf_set_d(x, problem->W[N * i + j]);
            mpf_mul(x, x, p[j]);
            mpf_add(u[i], u[i], x);
        }
    }
    for (int c = 0; c < N; c += 3) {
        mpf_set(F[c], u[c]);
        mpf_mul(speed, u[c + 1], u[c + 1]);
        mpf_mul(x, u[c + 2], u[c + 2]);
        mpf_add(speed, speed, x);
        mpf_sqrt(speed, speed);
        for (int k = 1; k < 3; k++) {
            mpf_mul(F[c + k], speed, p[c + k]);
            mpf_set_d(x, problem->contacts[c / 3].mu);
            mpf_mul(x, x, p[c]);
            mpf_mul(x, x, u[c + k]);
            mpf_add(F[c + k], F[c + k], x);
        }
    }
    for (int i = 0; i < N; i++) {
        mpf_clear(u[i]);
    }
    mpf_clear(x);
    mpf_clear(speed);
}

/// Newton's method with differences over 2^-150. Returns the last residual.
static double iterate(const TactContactProblem *problem, mpf_t p[N])
{
    mpf_t  a[N][N], F[N], G[N], h;
    double residual = 0;
    mpf_init2(h, BITS);
    mpf_set_ui(h, 1);
    mpf_div_2exp(h, h, 150);
    for (int i = 0; i < N; i++) {
        mpf_init2(F[i], BITS);
        mpf_init2(G[i], BITS);
        for (int j = 0; j < N; j++) {
            mpf_init2(a[i][j], BITS);
        }
    }
    for (int step = 0; step < 12; step++) {
        evaluate(problem, p, F);
        for (int j = 0; j < N; j++) {
            mpf_add(p[j], p[j], h);
            evaluate(problem, p, G);
            mpf_sub(p[j], p[j], h);
            for (int i = 0; i < N; i++) {
                mpf_sub(a[i][j], G[i], F[i]);
                mpf_div(a[i][j], a[i][j], h);
            }
        }
        residual = 0;
        for (int i = 0; i < N; i++) {
            residual = fmax(residual, fabs(mpf_get_d(F[i])));
        }
        bits_solve(N, BITS, a[0], F);
        for (int i = 0; i < N; i++) {
            mpf_sub(p[i], p[i], F[i]);
        }
    }
    for (int i = 0; i < N; i++) {
        mpf_clear(F[i]);
        mpf_clear(G[i]);
        for (int j = 0; j < N; j++) {
            mpf_clear(a[i][j]);
        }
    }
    mpf_clear(h);
    return residual;
}

static void draw(TactRandom *random, double W[N * N], double u_free[N])
{
    double A[N * N];
    for (int k = 0; k < N * N; k++) {
        A[k] = 0.3 * tact_random_normal(random);
    }
    for (int i = 0; i < N; i++) {
        u_free[i] =
            i % 3 == 0 ? -tact_random_uniform(random, 0.5, 1.5) : tact_random_normal(random);
        for (int j = 0; j < N; j++) {
            W[N * i + j] = i == j;
            for (int k = 0; k < N; k++) {
                W[N * i + j] += A[N * i + k] * A[N * j + k];
            }
        }
    }
}

/// Both contacts push and slide.
static bool slides(const TactContactProblem *problem, const double p[N])
{
    TactContactAnswer    answer = {.impulse = (double *)p};
    TactContactDiagnosis diagnosis[2];
    assert_int_equal(tact_contact_diagnose(problem, &answer, diagnosis), TACT_OK);
    return diagnosis[0].state == TACT_STATE_SLIDE && diagnosis[1].state == TACT_STATE_SLIDE;
}

static void enclosures_hold_the_solution_in_400_bits(void **state)
{
    (void)state;
    TactRandom         random = tact_random_seed(7);
    TactContact        contacts[2] = {{.mu = 0.2}, {.mu = 0.3}};
    double             W[N * N], u_free[N], p[N];
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 2, .contacts = contacts};
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&problem);
    TactContactSolver  *solver = NULL;
    TactContactAnswer   answer = {.impulse = p};
    int                 checked = 0;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    for (int trial = 0; trial < 60; trial++) {
        TactContactReport report;
        mpf_t             exact[N], bound;
        TactProof        *proof = NULL;
        draw(&random, W, u_free);
        assert_int_equal(tact_contact_solve(solver, &problem, &answer, &report), TACT_OK);
        if (report.outcome != TACT_OUTCOME_SOLVED || !slides(&problem, p)) {
            continue;
        }
        assert_int_equal(tact_prove_contact(&problem, TACT_CONE_CIRCLE, &answer, NULL, &proof),
                         TACT_OK);
        assert_true(tact_proof_view_report(proof)->proved && tact_proof_view_report(proof)->unique);
        mpf_init2(bound, BITS);
        for (int i = 0; i < N; i++) {
            mpf_init2(exact[i], BITS);
            mpf_set_d(exact[i], p[i]);
        }
        assert_true(iterate(&problem, exact) < 1e-60);
        for (int i = 0; i < N; i++) {
            double lo, hi;
            assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_IMPULSE, i, &lo, &hi));
            mpf_set_d(bound, lo);
            assert_true(mpf_cmp(bound, exact[i]) <= 0);
            mpf_set_d(bound, hi);
            assert_true(mpf_cmp(bound, exact[i]) >= 0);
            assert_true(hi - lo < 1e-12);
            mpf_clear(exact[i]);
        }
        mpf_clear(bound);
        tact_proof_destroy(proof);
        checked++;
    }
    tact_contact_solver_destroy(solver);
    print_message("%d enclosures checked\n", checked);
    assert_true(checked >= 20);
}

/// A first contact whose slip at an angle and its size s make two solutions one: with
/// e = (cos, sin), f = (-sin, cos), friction -mu p_n e and p_n = -b_n / (w_n - mu w_t'e), the angle
/// is a root of f'u_t, whose derivative
///
///     f'(w_t - mu W_t e) dp_n - mu p_n f'W_t f - s,      dp_n = p_n mu w_t'f / (w_n - mu w_t'e)
///
/// is 0 there. `off` changes s, relative to that. The second contact stands alone. False: not this
/// W.
static bool draw_fold(TactRandom *random, double mu, double off, double W[N * N], double u_free[N],
                      double p[N])
{
    double angle = tact_random_uniform(random, 0, 6.28);
    double e[2] = {cos(angle), sin(angle)}, f[2] = {-sin(angle), cos(angle)};
    double we = W[1] * e[0] + W[2] * e[1], wf = W[1] * f[0] + W[2] * f[1];
    double stiff = W[0] - mu * we, Te[2], fTf;
    for (int k = 0; k < 2; k++) {
        Te[k] = W[N * (1 + k) + 1] * e[0] + W[N * (1 + k) + 2] * e[1];
    }
    fTf = f[0] * (W[N + 1] * f[0] + W[N + 2] * f[1]) +
          f[1] * (W[2 * N + 1] * f[0] + W[2 * N + 2] * f[1]);
    double across = f[0] * (W[N] - mu * Te[0]) + f[1] * (W[2 * N] - mu * Te[1]);
    double slip = (1 + off) * (across * mu * wf / stiff - mu * fTf);
    if (!(stiff > 0.05 && slip > 0.01)) {
        return false;
    }
    p[0] = 1;
    p[1] = -mu * e[0];
    p[2] = -mu * e[1];
    u_free[0] = 0;
    u_free[1] = slip * e[0];
    u_free[2] = slip * e[1];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            u_free[i] -= W[N * i + j] * p[j];
        }
    }
    for (int i = 3; i < N; i++) { // 1 N s, sliding along x
        for (int j = 0; j < N; j++) {
            W[N * i + j] = W[N * j + i] = i == j;
        }
    }
    p[3] = 1;
    p[4] = -0.25;
    p[5] = 0;
    u_free[3] = -1;
    u_free[4] = 2;
    u_free[5] = 0;
    return true;
}

/// Near where two solutions meet, and beyond it there is none: a box that is called a proof holds
/// one, whichever it is.
static void where_solutions_meet_and_vanish_nothing_false_is_proved(void **state)
{
    (void)state;
    TactRandom         random = tact_random_seed(8);
    TactContact        contacts[2] = {{.mu = 1.5}, {.mu = 0.25}};
    double             W[N * N], u_free[N], p[N];
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 2, .contacts = contacts};
    TactContactAnswer answer = {.impulse = p};
    int               proved = 0, drawn = 0;
    while (drawn < 3000) {
        mpf_t      exact[N];
        TactProof *proof = NULL;
        double     off = drawn % 2 ? 0 : pow(10, -16 * (drawn % 60) / 60.0);
        for (int k = 0; k < N; k++) {
            mpf_init2(exact[k], BITS);
        }
        do {
            draw(&random, W, u_free);
            for (int k = 1; k < 3; k++) { // a strong coupling of normal and friction
                W[k] = W[N * k] = 0.9 * W[k] / fabs(W[k]) * sqrt(W[0] * W[N * k + k] / 2);
            }
        } while (!draw_fold(&random, contacts[0].mu, off, W, u_free, p));
        drawn++;
        assert_int_equal(tact_prove_contact(&problem, TACT_CONE_CIRCLE, &answer, NULL, &proof),
                         TACT_OK);
        if (tact_proof_view_report(proof)->proved) {
            double lo[N], hi[N];
            proved++;
            for (int k = 0; k < N; k++) {
                assert_true(
                    tact_proof_get_bounds(proof, TACT_PROOF_PART_IMPULSE, k, &lo[k], &hi[k]));
                mpf_set_d(exact[k], 0.5 * lo[k] + 0.5 * hi[k]);
            }
            assert_true(iterate(&problem, exact) < 1e-60);
            for (int k = 0; k < N; k++) {
                assert_true(mpf_cmp_d(exact[k], lo[k]) >= 0 && mpf_cmp_d(exact[k], hi[k]) <= 0);
            }
        }
        for (int k = 0; k < N; k++) {
            mpf_clear(exact[k]);
        }
        tact_proof_destroy(proof);
    }
    print_message("near where solutions meet %d of %d are proved\n", proved, drawn);
    assert_true(proved > 300 && proved < drawn - 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosures_hold_the_solution_in_400_bits),
        cmocka_unit_test(where_solutions_meet_and_vanish_nothing_false_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
