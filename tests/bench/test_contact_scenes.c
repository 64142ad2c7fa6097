// Contact problems of the benchmarks: valid, the same each time, and the same in all their forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/lloyd/lloyd.h"
#include "bench/problems/contact_families.h"
#include "bench/problems/contact_lcp.h"

static void every_family_makes_valid_problems(void **state)
{
    (void)state;
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    for (int f = 0; f < count; f++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            TactContactCase made;
            assert_int_equal(tact_case_generate(&families[f], seed, 8, &made), TACT_OK);
            if (tact_contact_check(&made.problem) != TACT_OK) {
                print_error("%s, seed %d: %s\n", families[f].name, (int)seed,
                            tact_status_message());
            }
            assert_int_equal(tact_contact_check(&made.problem), TACT_OK);
            assert_true(made.problem.contact_count > 0);
            tact_case_destroy(&made);
        }
    }
}

static void a_family_and_a_seed_make_the_same_problem_again(void **state)
{
    (void)state;
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    for (int f = 0; f < count; f++) {
        TactContactCase a, b;
        assert_ptr_equal(tact_case_family_find(families[f].name), &families[f]);
        assert_int_equal(tact_case_generate(&families[f], 3, 8, &a), TACT_OK);
        assert_int_equal(tact_case_generate(&families[f], 3, 8, &b), TACT_OK);
        assert_int_equal(a.problem.contact_count, b.problem.contact_count);
        for (int i = 0; i < a.problem.contact_count; i++) {
            assert_memory_equal(a.contacts[i].point, b.contacts[i].point, 3 * sizeof(double));
            assert_memory_equal(a.contacts[i].normal, b.contacts[i].normal, 3 * sizeof(double));
            assert_true(a.contacts[i].mu == b.contacts[i].mu);
        }
        size_t nv = (size_t)a.problem.nv, bodies = (size_t)a.problem.body_count;
        if (bodies > 0) {
            assert_memory_equal(a.bodies, b.bodies, bodies * sizeof *a.bodies);
        }
        if (nv > 0) {
            assert_memory_equal(a.M, b.M, nv * nv * sizeof(double));
        }
        tact_case_destroy(&a);
        tact_case_destroy(&b);
    }
}

/// An answer of one form is an answer of the other: LCP and Delassus matrix of the benchmark are
/// computed apart from the library's.
static void the_lcp_of_a_problem_has_the_answers_of_the_problem(void **state)
{
    (void)state;
    static const char *const names[] = {"peg-8",     "stack-3-12",     "turned-5", "wedge-8",
                                        "grasp-3-4", "bounce-stack-3", "few-4",    "bias-block-8"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        TactContactCase        made, delassus;
        TactFamilyProblem      lcp;
        TactContactCertificate certificate;
        // An odd seed: turned about, so that frames and inertias are nowhere along the axes.
        assert_int_equal(tact_case_generate(tact_case_family_find(names[f]), 7, 6, &made), TACT_OK);
        assert_int_equal(tact_case_lcp(&made.problem, &lcp), TACT_OK);
        assert_int_equal(tact_case_to_delassus(&made, &delassus), TACT_OK);
        int            contacts = made.problem.contact_count;
        TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
        TactLcpSolver *solver;
        TactLcpReport  report;
        double        *z = calloc((size_t)lcp.problem.n, sizeof *z);
        double        *p = calloc(3 * (size_t)contacts, sizeof *p);
        assert_int_equal(lcp.problem.n, 8 * contacts);
        assert_int_equal(tact_lcp_solver_create(lcp.problem.n, &config, &solver), TACT_OK);
        assert_int_equal(tact_lcp_solve(solver, &lcp.problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < contacts; i++) {
            p[3 * i] = z[i];
            for (int j = 0; j < 6; j++) {
                double angle = 2 * 3.14159265358979323846 * j / 6;
                p[3 * i + 1] += z[contacts + 6 * i + j] * cos(angle);
                p[3 * i + 2] += z[contacts + 6 * i + j] * sin(angle);
            }
            delassus.contacts[i].bias = 0; // in u_free already
        }
        assert_int_equal(
            tact_contact_certify(&delassus.problem, TACT_CONE_PYRAMID, p, NULL, NULL, &certificate),
            TACT_OK);
        assert_true(certificate.error < 1e-9);

        // And what the library finds for the bodies, in the Delassus form.
        TactContactConfig   contact_config = tact_contact_config_default(TACT_METHOD_LADDER);
        TactContactCapacity capacity = tact_contact_get_capacity(&made.problem);
        TactContactSolver  *contact_solver;
        TactContactReport   contact_report;
        TactContactAnswer   answer = {.impulse = p};
        assert_int_equal(tact_contact_solver_create(&capacity, &contact_config, &contact_solver),
                         TACT_OK);
        assert_int_equal(
            tact_contact_solve(contact_solver, &made.problem, &answer, &contact_report), TACT_OK);
        assert_int_equal(contact_report.outcome, TACT_OUTCOME_SOLVED);
        assert_int_equal(
            tact_contact_certify(&delassus.problem, TACT_CONE_PYRAMID, p, NULL, NULL, &certificate),
            TACT_OK);
        assert_true(certificate.error < 1e-9);
        tact_contact_solver_destroy(contact_solver);
        tact_lcp_solver_destroy(solver);
        tact_family_problem_destroy(&lcp);
        tact_case_destroy(&made);
        tact_case_destroy(&delassus);
        free(z);
        free(p);
    }
}

static double free_energy(const TactContactCase *made)
{
    double sum = 0;
    for (int k = 0; k < made->problem.body_count; k++) {
        const TactContactBody *body = &made->bodies[k];
        const double          *I = body->inertia, *w = body->omega, *v = body->velocity;
        sum += body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        sum += I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2];
        sum += 2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
    }
    return sum;
}

static void turning_the_world_changes_no_energy_and_no_product(void **state)
{
    (void)state;
    TactContactCase made;
    TactRandom      random = tact_random_seed(4);
    assert_int_equal(tact_case_generate(tact_case_family_find("stack-2-8"), 2, 8, &made), TACT_OK);
    double W[2][24 * 24], b[2][24], before = free_energy(&made);
    assert_int_equal(tact_case_delassus(&made.problem, W[0], b[0]), TACT_OK);
    tact_case_turn(&made, &random);
    assert_int_equal(tact_case_delassus(&made.problem, W[1], b[1]), TACT_OK);
    assert_true(fabs(free_energy(&made) - before) < 1e-12 * before);
    for (int i = 0; i < 8; i++) { // normals do not depend on the choice of tangents
        assert_true(fabs(b[0][3 * i] - b[1][3 * i]) < 1e-12);
        for (int j = 0; j < 8; j++) {
            assert_true(fabs(W[0][24 * 3 * i + 3 * j] - W[1][24 * 3 * i + 3 * j]) < 1e-11);
        }
    }
    tact_case_destroy(&made);
}

static void points_of_lloyds_experiments_have_the_contacts_they_say(void **state)
{
    (void)state;
    static const TactLloydPoint points[] = {
        {TACT_LLOYD_PEG, 28, 1, 8, 0},     {TACT_LLOYD_PEG_JITTERED, 128, 1, 16, 0},
        {TACT_LLOYD_SINGLE, 1, 1, 8, 0},   {TACT_LLOYD_SINGLE, 16, 1, 8, 0},
        {TACT_LLOYD_STACK, 32, 5, 8, 0},   {TACT_LLOYD_STACK, 4, 1, 4, 0},
        {TACT_LLOYD_STACK, 156, 20, 8, 0}, {TACT_LLOYD_PEG, 16, 1, 8, 1e-4},
    };
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        TactContactCase made;
        assert_int_equal(tact_lloyd_generate(&points[k], 1, &made), TACT_OK);
        assert_int_equal(tact_contact_check(&made.problem), TACT_OK);
        assert_int_equal(made.problem.contact_count, points[k].contacts);
        assert_int_equal(made.problem.body_count, points[k].bodies);
        for (int i = 0; i < made.problem.contact_count; i++) {
            assert_int_equal(made.contacts[i].directions, points[k].directions);
            assert_true(made.contacts[i].mu >= 0.2 && made.contacts[i].mu <= 0.3);
        }
        tact_case_destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_makes_valid_problems),
        cmocka_unit_test(a_family_and_a_seed_make_the_same_problem_again),
        cmocka_unit_test(the_lcp_of_a_problem_has_the_answers_of_the_problem),
        cmocka_unit_test(turning_the_world_changes_no_energy_and_no_product),
        cmocka_unit_test(points_of_lloyds_experiments_have_the_contacts_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
