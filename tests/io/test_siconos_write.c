// Siconos's text files that are written: read back to the bit, and those of the sample problems
// ($TACT_SHARED/problems) written again. python/tests/test_siconos.py lets Siconos read them.
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/contact_compare.h"
#include "io/siconos_samples.h"

// ---------------------------------------------------------------------------------------------
// LCPs

/// Numbers that printing could spoil.
static const double hard[] = {0.1, 1.0 / 3, DBL_MIN, DBL_TRUE_MIN, 1e300, -1e-300, DBL_MAX, 1e22};

static void same_lcp(TactLcpFile *one, TactLcpFile *two)
{
    TactLcpProblem x, y;
    assert_int_equal(tact_lcp_file_get_problem(one, TACT_LCP_STORAGE_DENSE, &x), TACT_OK);
    assert_int_equal(tact_lcp_file_get_problem(two, TACT_LCP_STORAGE_DENSE, &y), TACT_OK);
    assert_int_equal(x.n, y.n);
    assert_int_equal(one->kind, two->kind);
    for (int i = 0; i < x.n * x.n; i++) {
        assert_true(x.M[i] == y.M[i]);
    }
    same_reals(x.q, y.q, (size_t)x.n);
    for (int i = 0; i < x.n; i++) {
        assert_true((x.lo ? x.lo[i] : 0) == (y.lo ? y.lo[i] : 0));
        assert_true((x.hi ? x.hi[i] : HUGE_VAL) == (y.hi ? y.hi[i] : HUGE_VAL));
    }
}

static TactLcpFile *read_lcp(const char *path)
{
    TactLcpFile *file = NULL;
    tact_scratch_listen();
    if (tact_lcp_read(path, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    assert_int_equal(tact_scratch_warnings(), 0);
    return file;
}

static TactLcpFile *write_lcp(const TactLcpProblem *problem)
{
    const char *path = tact_scratch_path("lcp.dat");
    if (tact_lcp_write_dat(problem, path) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return read_lcp(path);
}

static void lcps_of_every_storage_are_read_back(void **state)
{
    (void)state;
    const char *const text[] = {sample_dense, sample_block, sample_triplet, sample_csc, mixed_both};
    for (int k = 0; k < 5; k++) {
        TactLcpFile *file = NULL;
        assert_int_equal(tact_lcp_read_memory("p", text[k], strlen(text[k]), &file), TACT_OK);
        TactLcpFile *again = write_lcp(&file->problem);
        same_lcp(file, again);
        assert_true((file->problem.M_csr != NULL) == (again->problem.M_csr != NULL));
        tact_lcp_file_destroy(file);
        tact_lcp_file_destroy(again);
    }
}

static void every_bit_of_a_number_survives(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n++) { // 1 to 3 are the sizes that look like other kinds of files
        double         M[16], q[4];
        TactLcpProblem problem = {.n = n, .M = M, .q = q};
        for (int i = 0; i < 16; i++) {
            M[i] = hard[i % 8];
            q[i % 4] = -hard[(i + 3) % 8];
        }
        TactLcpFile *file = write_lcp(&problem);
        assert_int_equal(file->problem.n, n);
        same_reals(file->problem.M, M, (size_t)(n * n));
        same_reals(file->problem.q, q, (size_t)n);
        tact_lcp_file_destroy(file);
    }
}

/// Each choice of free variables of four; the reader puts them first and says which they were.
static void free_variables_keep_their_places(void **state)
{
    (void)state;
    for (unsigned mask = 1; mask < 16; mask++) {
        double         M[16], q[4], lo[4];
        TactLcpProblem problem = {.n = 4, .M = M, .q = q, .lo = lo};
        for (int i = 0; i < 16; i++) {
            M[i] = i + 0.1;
        }
        for (int i = 0; i < 4; i++) {
            q[i] = -i;
            lo[i] = mask >> i & 1 ? -HUGE_VAL : 0;
        }
        TactLcpFile *file = write_lcp(&problem);
        assert_int_equal(file->kind, TACT_LCP_KIND_MLCP);
        for (int i = 0; i < 4; i++) {
            int at = file->order ? file->order[i] : i;
            assert_true(file->problem.q[i] == q[at] && file->problem.lo[i] == lo[at]);
            for (int j = 0; j < 4; j++) {
                int column = file->order ? file->order[j] : j;
                assert_true(file->problem.M[4 * i + j] == M[4 * at + column]);
            }
        }
        tact_lcp_file_destroy(file);
    }
}

static void bounds_that_siconos_does_not_have_are_refused(void **state)
{
    (void)state;
    double         lo[2] = {0, -1}, hi[2] = {HUGE_VAL, HUGE_VAL};
    const int      f_index[2] = {-1, 0};
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 0, 0, 2}, .q = (double[]){1, 1}};
    const char    *path = tact_scratch_path("no.dat");
    int            before = tact_scratch_count();
    problem.lo = lo;
    problem.hi = hi;
    assert_int_equal(tact_lcp_write_dat(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("variable 1: its bounds are -1 and inf");
    lo[1] = 0;
    hi[0] = 3;
    assert_int_equal(tact_lcp_write_dat(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("variable 0: its bounds are 0 and 3");
    hi[0] = HUGE_VAL;
    lo[1] = -0.5;
    hi[1] = 0.5;
    problem.f_index = f_index;
    assert_int_equal(tact_lcp_write_dat(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("friction indices");
    assert_int_equal(tact_lcp_write_dat(&problem, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_scratch_count(), before);
}

// ---------------------------------------------------------------------------------------------
// Contact problems

static TactContactFile *read_contact(const char *path)
{
    TactContactFile *file = NULL;
    if (tact_contact_read(path, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static TactContactFile *write_contact(const TactContactProblem *problem)
{
    const char *path = tact_scratch_path("contact.dat");
    tact_scratch_listen();
    if (tact_contact_write(problem, path) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    TactContactFile *file = read_contact(path);
    assert_int_equal(tact_scratch_warnings(), 0);
    return file;
}

static void contacts_in_a_plane_stay_there(void **state)
{
    (void)state;
    // Sparse and with two degrees of freedom: the head of an LCP with n = 2 looks much alike.
    for (int contacts = 1; contacts <= 3; contacts++) {
        double      J[18] = {1, 0.1, 0, 1.0 / 3, 0, 0, 1, 0.2, 0, 1, 0, 0, 1, 0.3, 0, 1, 0, 0};
        TactContact contact[3];
        for (int i = 0; i < 3; i++) {
            contact[i] = (TactContact){.a = -1, .b = -1, .J = J + 6 * i, .mu = 0.1 * i};
            contact[i].directions = 4;
        }
        TactContactProblem problem = {.step = 1,
                                      .nv = 2,
                                      .M = (double[]){2, 0.1, 0.1, 3},
                                      .v = (double[]){0, 0},
                                      .tau = (double[]){-1, 0.7},
                                      .contacts = contact,
                                      .contact_count = contacts};
        TactContactFile   *file = write_contact(&problem);
        assert_string_equal(file->format, "Siconos global friction, sparse");
        assert_int_equal(file->dimension, 2);
        same_contacts(&problem, &file->problem);
        same_reals(file->problem.M, problem.M, 4);
        same_reals(file->problem.tau, problem.tau, 2);
        tact_contact_file_destroy(file);
    }
}

/// Every second contact resists rolling; what the others have in the places of moments is zero.
static void rolling_contacts_given_by_a_matrix_are_read_back(void **state)
{
    (void)state;
    double      W[15 * 15], q[15];
    TactContact contact[3] = {{.mu = 0.5, .mu_roll = 0.01}, {.mu = 0.3}, {.mu = 0.2, .mu_roll = 2}};
    for (int i = 0; i < 15; i++) {
        for (int j = 0; j < 15; j++) {
            bool spin = i == 3 || j == 3 || i == 12 || j == 12; // which Siconos does not have
            W[15 * i + j] = spin && i != j ? 0 : i == j && spin ? 1 : 1.0 / (1 + i + j);
        }
        q[i] = i == 3 || i == 12 ? 0 : 0.1 * i - 0.3;
    }
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = q, .contacts = contact, .contact_count = 3};
    TactContactFile *file = write_contact(&problem);
    assert_string_equal(file->format, "Siconos rolling friction, sparse block");
    for (int i = 0; i < 15; i++) {
        bool spin_row = i == 3 || i == 12;
        for (int j = 0; j < 15; j++) {
            double wanted = spin_row && i == j ? 0 : W[15 * i + j];
            assert_true(file->problem.W[15 * i + j] == wanted);
        }
        assert_true(file->problem.u_free[i] == q[i]);
    }
    for (int i = 0; i < 3; i++) {
        assert_true(file->problem.contacts[i].mu == contact[i].mu);
        assert_true(file->problem.contacts[i].mu_roll == contact[i].mu_roll);
    }
    tact_contact_file_destroy(file);
    assert_int_equal(tact_contact_write(&problem, tact_scratch_path("no.hdf5")), TACT_UNSUPPORTED);
}

static void solve_circle(const TactContactProblem *problem, double *p, double *m, double *v)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactSolver  *solver;
    TactContactReport   report;
    TactContactAnswer   answer = {.impulse = p, .moment = m, .velocity = v};
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

/// A ball that rolls on another one, which rests on the floor: m = (0, mu_roll p_n against w).
static void bodies_that_roll_become_a_global_problem_with_the_same_answer(void **state)
{
    (void)state;
    const char *const names[] = {"roll.dat", "roll.hdf5"};
    TactContactBody   bodies[2] = {{.mass = 2,
                                    .inertia = {0.008, 0.008, 0.008},
                                    .position = {0, 0, 0.1},
                                    .force = {0, 0, -19.62}},
                                   {.mass = 1,
                                    .inertia = {0.004, 0.004, 0.004},
                                    .position = {0, 0, 0.3},
                                    .omega = {1, -2, 0},
                                    .force = {0, 0, -9.81}}};
    TactContact       contact[2] = {
              {.a = -1, .b = 0, .normal = {0, 0, 1}, .mu = 0.5},
              {.a = 0, .b = 1, .point = {0, 0, 0.2}, .normal = {0, 0, 1}, .mu = 0.4, .mu_roll = 0.002}};
    TactContactProblem problem = {
        .step = 0.01, .bodies = bodies, .body_count = 2, .contacts = contact, .contact_count = 2};
    double p[6], m[6], v[12];
    solve_circle(&problem, p, m, v);
    assert_true(hypot(m[4], m[5]) > 1e-5); // it does resist
    for (int k = 0; k < 2; k++) {
        const char *path = tact_scratch_path(names[k]);
        TactStatus  status = tact_contact_write(&problem, path);
        if (k == 1 && status == TACT_UNSUPPORTED) { // a build without HDF5
            continue;
        }
        assert_int_equal(status, TACT_OK);
        TactContactFile *file = read_contact(path);
        double           again[6], moment[6], velocity[12];
        assert_int_equal(file->problem.nv, 12);
        assert_true(file->problem.contacts[1].mu_roll == 0.002);
        solve_circle(&file->problem, again, moment, velocity);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(again[i] - p[i]) < 1e-9 && fabs(moment[i] - m[i]) < 1e-9);
        }
        for (int i = 0; i < 12; i++) {
            assert_true(fabs(velocity[i] - v[i]) < 1e-8);
        }
        tact_contact_file_destroy(file);
    }
}

static void what_siconos_has_no_place_for_is_refused(void **state)
{
    (void)state;
    TactContactBody    body = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 0, 1}};
    TactContactRow     row = {.kind = TACT_ROW_BILATERAL, .a = -1, .b = 0, .J_b = {1}};
    TactContact        contact = {.a = -1, .b = 0, .normal = {0, 0, 1}, .mu = 0.5, .mu_spin = 0.1};
    TactContactProblem problem = {
        .step = 0.01, .bodies = &body, .body_count = 1, .contacts = &contact, .contact_count = 1};
    const char *path = tact_scratch_path("no.dat");
    int         before = tact_scratch_count();
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("contact 0: a Siconos file has no mu_spin");
    contact.mu_spin = 0;
    contact.mu_roll = 0.1;
    contact.friction_law = TACT_FRICTION_LAW_ELLIPSOID;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    contact.mu_roll = 0;
    contact.mu2 = 0.25;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    contact.mu2 = 0;
    problem.rows = &row;
    problem.row_count = 1;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("no rows of joints");
    problem.row_count = 0;
    problem.level = TACT_LEVEL_ACCELERATION;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    assert_int_equal(tact_contact_write_dat(&problem, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_scratch_count(), before);
}

// ---------------------------------------------------------------------------------------------
// The sample problems

enum { LARGEST = 2000 }; // rows of W: more take a second each to print and read

static void again_contact(const char *path, int *count)
{
    TactContactFile *file = NULL;
    TactStatus       status = tact_contact_read(path, &file);
    if (status != TACT_OK) { // one of the samples is bad on purpose, or needs HDF5
        return;
    }
    if (3 * file->problem.contact_count <= LARGEST && file->problem.row_count == 0) {
        TactContactFile *again = write_contact(&file->problem);
        same_problem(&file->problem, &again->problem);
        assert_int_equal(file->dimension, again->dimension);
        tact_contact_file_destroy(again);
        ++*count;
    }
    tact_contact_file_destroy(file);
}

static void again_lcp(const char *path, int *count)
{
    TactLcpFile *file = NULL;
    if (tact_lcp_read(path, &file) != TACT_OK) {
        return;
    }
    TactLcpFile *again = write_lcp(&file->problem);
    same_lcp(file, again);
    tact_lcp_file_destroy(again);
    tact_lcp_file_destroy(file);
    ++*count;
}

static void published_problems_are_read_back(void **state)
{
    (void)state;
    static const char *const folders[] = {"friction", "rolling", "lcp", "mlcp"};
    const char              *shared = tact_scratch_shared();
    if (!shared) {
        skip();
    }
    for (int k = 0; k < 4; k++) {
        char folder[900];
        int  count = 0;
        snprintf(folder, sizeof folder, "%s/%s", shared, folders[k]);
        DIR *list = opendir(folder);
        for (struct dirent *entry; list && (entry = readdir(list));) {
            char path[1200];
            if (entry->d_name[0] != '.') {
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
                (k < 2 ? again_contact : again_lcp)(path, &count);
            }
        }
        if (list) {
            closedir(list);
        }
        print_message("%s: %d files written and read back\n", folders[k], count);
        assert_true(!list || count > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lcps_of_every_storage_are_read_back),
        cmocka_unit_test(every_bit_of_a_number_survives),
        cmocka_unit_test(free_variables_keep_their_places),
        cmocka_unit_test(bounds_that_siconos_does_not_have_are_refused),
        cmocka_unit_test(contacts_in_a_plane_stay_there),
        cmocka_unit_test(rolling_contacts_given_by_a_matrix_are_read_back),
        cmocka_unit_test(bodies_that_roll_become_a_global_problem_with_the_same_answer),
        cmocka_unit_test(what_siconos_has_no_place_for_is_refused),
        cmocka_unit_test(published_problems_are_read_back),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
