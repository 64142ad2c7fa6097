// Problems with rolling friction as Siconos and FCLIB have them ($TACT_SHARED/problems/rolling),
// and tact's own JSON with all coefficients: read, written, read again, solved.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/io.h>

#include "io/scratch.h"

enum { MOST = 64 };

static double solve(const TactContactProblem *problem, TactContactMethod method,
                    TactContactCone cone, double *p, double *m)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    TactContactAnswer   answer = {.impulse = p, .moment = m};
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    tact_contact_solver_destroy(solver);
    return report.outcome == TACT_OUTCOME_SOLVED ? report.certificate.error : HUGE_VAL;
}

static void published_rolling_problems_are_solved(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int         contacts;
    } files[] = {{"RFC3D_sphere_1.dat", 1},
                 {"RFC3D_sphere_2.dat", 1},
                 {"rfc3d_sphere_from_grfc3d.dat", 2},
                 {"rockfall_14_25792.dat", 14},
                 {"Chute-ndof-768-nc-4-3.hdf5", 4}};
    const char *shared = tact_scratch_shared();
    if (!shared) {
        skip();
    }
    for (int k = 0; k < 5; k++) {
        char             path[1000];
        double           p[3 * MOST], m[3 * MOST];
        TactContactFile *file = NULL;
        snprintf(path, sizeof path, "%s/rolling/%s", shared, files[k].name);
        TactStatus status = tact_contact_read(path, &file);
        if (status == TACT_UNSUPPORTED || status == TACT_IO_ERROR) { // no HDF5, or no such file
            print_message("skipped: %s\n", tact_status_message());
            continue;
        }
        if (status != TACT_OK) {
            fail_msg("%s", tact_status_message());
        }
        assert_int_equal(file->problem.contact_count, files[k].contacts);
        double ladder = solve(&file->problem, TACT_METHOD_LADDER, TACT_CONE_CIRCLE, p, m);
        double nsgs = solve(&file->problem, TACT_METHOD_NSGS, TACT_CONE_CIRCLE, p, m);
        print_message("%s: error %.1e by ladder, %.1e by nsgs\n", files[k].name, ladder, nsgs);
        assert_true(ladder <= 1e-8);
        assert_true(nsgs <= 1e-8);
        tact_contact_file_destroy(file);
    }
}

/// The first of them worked out by hand: W couples tangent 1 with rolling about tangent 2, and the
/// sphere, q = (-8.92357, 0.190446, 0, 0, -1), neither slips nor rolls: W p = -q is in its cone.
static void a_siconos_sphere_sticks(void **state)
{
    (void)state;
    const char      *text = "5\n1\n0\n5\n5\n5 5\n"
                            "1 0 0 0 0\n0 1.01 0 0 -0.1\n0 0 1.01 0.1 0\n0 0 0.1 1 0\n0 -0.1 0 0 1\n"
                            "-9 0.19 0 0 -1\n0.6\n0.5\n";
    TactContactFile *file = NULL;
    double           p[3], m[3];
    assert_int_equal(tact_contact_read_memory("sphere.dat", text, strlen(text), &file), TACT_OK);
    assert_true(file->problem.contacts[0].mu == 0.6 && file->problem.contacts[0].mu_roll == 0.5);
    assert_true(solve(&file->problem, TACT_METHOD_LADDER, TACT_CONE_CIRCLE, p, m) <= 1e-8);
    // (1.01 p_1 - 0.1 m_2, -0.1 p_1 + m_2) = (-0.19, 1): p_1 = -0.09, m_2 = 0.991
    assert_true(fabs(p[0] - 9) < 1e-9 && fabs(p[1] + 0.09) < 1e-9 && fabs(m[2] - 0.991) < 1e-9);
    assert_true(m[0] == 0 && fabs(m[1]) < 1e-12);
    tact_contact_file_destroy(file);
}

static const char *const bodies =
    "{\"format\": \"tact-contact/1\", \"step\": 0.01, \"bodies\": [{\"mass\": 1, \"inertia\": "
    "[1,1,1,0,0,0], \"position\": [0,0,1], \"force\": [0,0,-9.81], \"omega\": [0,0,1]}], "
    "\"contacts\": [{\"a\": -1, \"b\": 0, \"point\": [0,0,0], \"normal\": [0,0,1], \"mu\": 0.5, "
    "\"mu2\": 0.25, \"mu_spin\": 0.01, \"mu_roll\": 0.02, \"friction_law\": \"ellipsoid\"}]}";

static void json_keeps_every_coefficient(void **state)
{
    (void)state;
    TactContactFile *file = NULL, *again = NULL;
    char             path[] = "/tmp/tact-rolling-XXXXXX.json";
    TactStatus       status = tact_contact_read_memory("a.json", bodies, strlen(bodies), &file);
    if (status == TACT_UNSUPPORTED) { // a build without jansson
        skip();
    }
    assert_int_equal(status, TACT_OK);
    int descriptor = mkstemps(path, 5);
    assert_true(descriptor >= 0);
    assert_int_equal(tact_contact_write(&file->problem, path), TACT_OK);
    assert_int_equal(tact_contact_read(path, &again), TACT_OK);
    for (int k = 0; k < 2; k++) {
        const TactContact *c = &(k ? again : file)->problem.contacts[0];
        assert_true(c->mu == 0.5 && c->mu2 == 0.25 && c->mu_spin == 0.01 && c->mu_roll == 0.02);
        assert_int_equal(c->friction_law, TACT_FRICTION_LAW_ELLIPSOID);
    }
    remove(path);
    tact_contact_file_destroy(file);
    tact_contact_file_destroy(again);
}

/// What is wrong is named.
static void wrong_coefficients_are_refused_with_their_place(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\"mu2\": 0.25", "\"mu2\": 0"},
        {"\"mu_spin\": 0.01", "\"mu_spin\": -1"},
        {"\"friction_law\": \"ellipsoid\"", "\"friction_law\": \"round\""},
    };
    static const char *const named[] = {"mu2", "mu_spin", "friction_law"};
    for (int k = 0; k < 3; k++) {
        char             text[1000];
        const char      *at = strstr(bodies, wrong[k][0]);
        TactContactFile *file = NULL;
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bodies), bodies, wrong[k][1],
                 at + strlen(wrong[k][0]));
        TactStatus status = tact_contact_read_memory("a.json", text, strlen(text), &file);
        if (status == TACT_UNSUPPORTED) {
            skip();
        }
        assert_int_equal(status, TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), named[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_rolling_problems_are_solved),
        cmocka_unit_test(a_siconos_sphere_sticks),
        cmocka_unit_test(json_keeps_every_coefficient),
        cmocka_unit_test(wrong_coefficients_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
