// Friction problems of Siconos: both forms, all storages, two and three dimensions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/contact_compare.h"
#include "io/siconos_samples.h"

static TactStatus read_string(const char *text, TactContactFile **file)
{
    return tact_contact_read_memory("p.dat", text, strlen(text), file);
}

static TactContactFile *read_good(const char *text)
{
    TactContactFile *file = NULL;
    tact_scratch_listen();
    if (read_string(text, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static void expect_bad(const char *text, TactStatus expected, const char *words)
{
    TactContactFile *file = NULL;
    TactStatus       status = read_string(text, &file);
    if (status != expected) {
        fail_msg("status %s instead of %s for: %s", tact_status_name(status),
                 tact_status_name(expected), text);
    }
    assert_null(file);
    tact_scratch_said(words);
}

// One contact: W = [4 -1 0; -1 5 3; 0 3 6], q = -1 2 -3, mu = 0.3. W column by column.
static const double W[9] = {4, -1, 0, -1, 5, 3, 0, 3, 6};
static const double q[3] = {-1, 2, -3};

#define VECTORS "-1 2 -3\n0.3\n"

static const char *const storages[] = {
    "3\n1\n0\n3\n3\n3\t3\n4 -1 0\n-1 5 3\n0 3 6\n" VECTORS,
    "3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n0\n0\n4\n-1\n0\n-1\n5\n3\n0\n3\n6\n" VECTORS,
    "3\n1\n2\n3\n3\n1\n" CSPARSE "triplet: 3-by-3, nzmax: 9 nnz: 7\n"
    "0 0 : 4\n1 0 : -1\n0 1 : -1\n1 1 : 5\n2 1 : 3\n1 2 : 3\n2 2 : 6\n" VECTORS,
    "3\n1\n2\n3\n3\n2\n" CSPARSE "3-by-3, nzmax: 7 nnz: 7, 1-norm: 9\n"
    "col 0 : locations 0 to 1\n0 : 4\n1 : -1\ncol 1 : locations 2 to 4\n0 : -1\n1 : 5\n2 : 3\n"
    "col 2 : locations 5 to 6\n1 : 3\n2 : 6\n" VECTORS,
    "3\n1\n2\n3\n3\n4\n" CSPARSE "triplet: 3-by-3, nzmax: 9 nnz: 5\n"
    "0 0 : 4\n1 0 : -1\n1 1 : 5\n2 1 : 3\n2 2 : 6\n" VECTORS,
};

static void every_storage_gives_the_same_problem(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        TactContactFile *file = read_good(storages[k]);
        assert_int_equal(file->dimension, 3);
        assert_int_equal(file->problem.contact_count, 1);
        same_reals(file->problem.W, W, 9);
        same_reals(file->problem.u_free, q, 3);
        assert_true(file->problem.contacts[0].mu == 0.3);
        assert_true(file->problem.step == 1);
        assert_int_equal(tact_scratch_warnings(), 0);
        tact_contact_file_destroy(file);
    }
}

static void in_the_plane_tangent_2_is_zero(void **state)
{
    (void)state;
    TactContactFile    *file = read_good("2\n2\n0\n4\n4\n4\t4\n"
                                            "4 1 2 0\n1 5 0 1\n2 0 6 1\n0 1 1 7\n"
                                            "-1 2 -3 4\n0.3 0.4\n");
    static const double expected[36] = {
        4, 1, 0, 2, 0, 0, //
        1, 5, 0, 0, 1, 0, //
        0, 0, 0, 0, 0, 0, //
        2, 0, 0, 6, 1, 0, //
        0, 1, 0, 1, 7, 0, //
        0, 0, 0, 0, 0, 0,
    };
    assert_int_equal(file->dimension, 2);
    same_reals(file->problem.W, expected, 36);
    same_reals(file->problem.u_free, (double[]){-1, 2, 0, -3, 4, 0}, 6);
    assert_int_equal(file->problem.contacts[1].directions, 4); // the pyramid is then the cone
    assert_true(file->problem.contacts[1].mu == 0.4);
    tact_contact_file_destroy(file);
}

// M = diag(2, 4), one contact in the plane, u = H' v + w with H = [1 0; 0 1]: the file's q is f.
#define GLOBAL "2\n1\n0\n2\n2\n2\t2\n2 0\n0 4\n0\n2\n2\n2\t2\n1 0\n0 1\n-2 8\n0.5 -0.25\n0.3\n"

static void a_global_problem_becomes_a_mechanism(void **state)
{
    (void)state;
    TactContactFile          *file = read_good(GLOBAL "0\n");
    const TactContactProblem *problem = &file->problem;
    assert_string_equal(file->format, "Siconos global friction, dense");
    assert_int_equal(problem->nv, 2);
    same_reals(problem->M, (double[]){2, 0, 0, 4}, 4);
    same_reals(problem->v, (double[]){0, 0}, 2);
    same_reals(problem->tau, (double[]){-2, 8}, 2);
    same_reals(problem->contacts[0].J, (double[]){1, 0, 0, 1, 0, 0}, 6);
    assert_true(problem->contacts[0].bias == 0.5);
    assert_true(problem->contacts[0].surface[0] == -0.25);
    assert_int_equal(problem->parent[1], -1); // a diagonal M is a forest of roots
    assert_int_equal(tact_scratch_warnings(), 0);
    tact_contact_file_destroy(file);
}

/// M v = H r + f, u = H' v + w by hand: r_n = 1, v_n = -0.5 keeps u_n = 0; v_t = 2 + r_t / 4 slides
/// with u_t = 1.75 + r_t / 4 and r_t = -0.3.
static void the_answer_of_a_global_problem_is_r(void **state)
{
    (void)state;
    TactContactFile    *file = read_good(GLOBAL);
    TactContactCapacity capacity = tact_contact_get_capacity(&file->problem);
    TactContactSolver  *solver;
    for (int m = 0; m < TACT_METHOD_COUNT; m++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)m);
        if (!info || !(info->takes & TACT_CONTACT_TAKES_PYRAMID)) {
            continue;
        }
        double            r[3], v[2];
        TactContactConfig config = tact_contact_config_default((TactContactMethod)m);
        TactContactReport report;
        TactContactAnswer answer = {.impulse = r, .velocity = v};
        config.cone = TACT_CONE_PYRAMID;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &file->problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        assert_true(fabs(r[0] - 1) < 1e-12 && fabs(r[1] + 0.3) < 1e-12 && r[2] == 0);
        assert_true(fabs(v[0] + 0.5) < 1e-12 && fabs(v[1] - (2 - 0.3 / 4)) < 1e-12);
        tact_contact_solver_destroy(solver);
    }
    tact_contact_file_destroy(file);
}

static void a_branching_mass_matrix_gets_its_tree(void **state)
{
    (void)state;
    // Dofs 1 and 2 hang on dof 0, dof 3 on dof 1, dof 4 is alone.
    TactContactFile *file = read_good("3\n1\n0\n5\n5\n5\t5\n"
                                      "9 1 1 1 0\n1 8 0 2 0\n1 0 7 0 0\n1 2 0 6 0\n0 0 0 0 5\n"
                                      "0\n5\n3\n5\t3\n1 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n"
                                      "0 0 0 0 0\n0 0 0\n0.5\n");
    const int       *parent = file->problem.parent;
    assert_non_null(parent);
    assert_int_equal(parent[0], -1);
    assert_int_equal(parent[1], 0);
    assert_int_equal(parent[2], 0);
    assert_int_equal(parent[3], 1);
    assert_int_equal(parent[4], -1);
    tact_contact_file_destroy(file);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    expect_bad("3\n2\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n0.3\n", TACT_BAD_INPUT,
               "the matrix has 3 rows, but 2 contacts in 3 dimensions have 6");
    expect_bad("3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 1\n", TACT_BAD_INPUT, "q");
    expect_bad("3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n", TACT_BAD_INPUT,
               "the file ends where");
    expect_bad("3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n-0.3\n", TACT_BAD_INPUT,
               "p.dat: contact 0: mu is -0.3");
    expect_bad("3\n1\n0\n3\n3\n3 3\n1 0 0\n5 1 0\n0 0 1\n1 1 1\n0.3\n", TACT_BAD_INPUT,
               "W is not symmetric");
    expect_bad("3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 nan 1\n0.3\n", TACT_BAD_INPUT,
               "p.dat:10: number 2 of the 3 of q is not a number");
    expect_bad("3\n600000000\n0\n1800000000\n1800000000\n", TACT_UNSUPPORTED, "are too many");
    expect_bad("3\n1000\n0\n3000\n3000\n3000 3000\n1 1 1", TACT_BAD_INPUT, "more than the");
    expect_bad("5\n2\n0\n10\n10\n10 10\n1 1 1", TACT_BAD_INPUT, "p.dat");
}

static void what_follows_is_told_unless_it_is_a_flag(void **state)
{
    (void)state;
    char text[300];
    snprintf(text, sizeof text, "%s1\n", storages[0]);
    tact_contact_file_destroy(read_good(text));
    assert_int_equal(tact_scratch_warnings(), 0);
    snprintf(text, sizeof text, "%s0\n0.5 0.5\n", storages[0]);
    tact_contact_file_destroy(read_good(text));
    assert_true(tact_scratch_heard("p.dat:13: what follows the problem is ignored, from '0.5'"));
}

static void lcps_and_contact_problems_are_told_apart(void **state)
{
    (void)state;
    const struct {
        const char *text;
        bool        contact;
    } files[] = {
        {sample_dense, false},
        {sample_block, false},
        {sample_csc, false},
        {sample_csr_row, false},
        {mixed_both, false},
        {storages[0], true},
        {storages[1], true},
        {storages[2], true},
        {GLOBAL, true},
        {"2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n", false},
        // One contact in the plane, and an LCP of two unknowns: both begin with 2 1 2 2.
        {"2\n1\n2\n2\n2\n1\n" CSPARSE "triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n1 1 : 2\n"
         "-1 2\n0.5\n",
         true},
        {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n2\n1\n1\n2\n-5 -6\n", false},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char      *path = tact_scratch_write("which.dat", files[i].text);
        TactLcpFile     *lcp = NULL;
        TactContactFile *contact = NULL;
        if (tact_problem_read(path, &lcp, &contact) != TACT_OK) {
            fail_msg("file %zu: %s", i, tact_status_message());
        }
        assert_true((contact != NULL) == files[i].contact);
        assert_true((lcp != NULL) != files[i].contact);
        tact_lcp_file_destroy(lcp);
        tact_contact_file_destroy(contact);
    }
}

static void all_sample_problems_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int         contacts;
        int         dimension;
    } samples[] = {
        {"BoxesStack1-i100000-32.hdf5.dat", 52, 3},
        {"Capsules-i100-1090.dat", 276, 3},
        {"Capsules-i122-1617.dat", 296, 3},
        {"Confeti-ex03-Fc3D-SBM.dat", 54, 3},
        {"FC3D_Example1.dat", 3, 3},
        {"FrictionContactProblem00237.dat", 376, 2},
        {"KaplasTower-i1061-4.hdf5.dat", 570, 3},
        {"OneObject-i1028-138.hdf5.dat", 23, 3},
        {"Rover1039.dat", 4, 3},
        {"Rover1040.dat", 5, 3},
        {"Rover1041.dat", 5, 3},
    };
    const char *shared = tact_scratch_shared();
    for (size_t i = 0; shared && i < sizeof samples / sizeof *samples; i++) {
        char             path[700];
        TactContactFile *file = NULL;
        snprintf(path, sizeof path, "%s/friction/%s", shared, samples[i].name);
        tact_scratch_listen();
        if (tact_contact_read(path, &file) != TACT_OK) {
            fail_msg("%s", tact_status_message());
        }
        assert_int_equal(file->problem.contact_count, samples[i].contacts);
        assert_int_equal(file->dimension, samples[i].dimension);
        assert_int_equal(tact_scratch_warnings(), 0);
        tact_contact_file_destroy(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_same_problem),
        cmocka_unit_test(in_the_plane_tangent_2_is_zero),
        cmocka_unit_test(a_global_problem_becomes_a_mechanism),
        cmocka_unit_test(the_answer_of_a_global_problem_is_r),
        cmocka_unit_test(a_branching_mass_matrix_gets_its_tree),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(what_follows_is_told_unless_it_is_a_flag),
        cmocka_unit_test(lcps_and_contact_problems_are_told_apart),
        cmocka_unit_test(all_sample_problems_are_read),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
