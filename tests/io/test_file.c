// The file in memory: dense and sparse, memory that runs out, and the sample problems.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "io/siconos_samples.h"

// ---------------------------------------------------------------------------------------------
// Dense and sparse

static void a_problem_can_be_had_in_both_storages(void **state)
{
    (void)state;
    const char *const text[] = {sample_dense, sample_block};
    for (int k = 0; k < 2; k++) {
        TactLcpFile   *file = NULL;
        TactLcpProblem dense;
        TactLcpProblem sparse;
        assert_int_equal(tact_lcp_read_memory("p", text[k], strlen(text[k]), &file), TACT_OK);
        assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_SPARSE, &sparse),
                         TACT_OK);
        assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &dense), TACT_OK);
        assert_null(dense.M_csr);
        assert_null(sparse.M);
        assert_int_equal(tact_lcp_check(&dense), TACT_OK);
        assert_int_equal(tact_lcp_check(&sparse), TACT_OK);
        assert_memory_equal(dense.M, sample_M, sizeof sample_M);
        assert_memory_equal(sparse.M_csr->row_start, ((int[]){0, 2, 5, 7}), 4 * sizeof(int));
        assert_memory_equal(sparse.M_csr->column, ((int[]){0, 1, 0, 1, 2, 1, 2}), 7 * sizeof(int));
        assert_memory_equal(sparse.M_csr->value, ((double[]){4, -1, 2, 5, 3, 8, 6}),
                            7 * sizeof(double));
        TactLcpProblem again;
        assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_SPARSE, &again), TACT_OK);
        assert_ptr_equal(again.M_csr, sparse.M_csr);
        assert_false(tact_lcp_file_is_sparse(file));
        tact_lcp_file_destroy(file);
    }
    tact_lcp_file_destroy(NULL);
    assert_int_equal(tact_lcp_file_get_problem(NULL, TACT_LCP_STORAGE_DENSE, NULL),
                     TACT_BAD_ARGUMENT);
}

/// A diagonal matrix of n rows, its first row full, as a triplet file.
static TactLcpFile *make_arrow(int n)
{
    size_t room = 64 * (size_t)n + 400;
    char  *text = malloc(room);
    assert_non_null(text);
    int used =
        snprintf(text, room, "%d\n2\n%d\n%d\n1\n" CSPARSE "triplet: %d-by-%d, nzmax: 1 nnz: %d\n",
                 n, n, n, n, n, 2 * n - 1);
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, room - (size_t)used, "%d %d : 2\n", i, i);
        if (i > 0) {
            used += snprintf(text + used, room - (size_t)used, "0 %d : 1\n", i);
        }
    }
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, room - (size_t)used, "-1 ");
    }
    TactLcpFile *file = NULL;
    assert_int_equal(tact_lcp_read_memory("arrow", text, (size_t)used, &file), TACT_OK);
    free(text);
    return file;
}

static void a_large_matrix_with_few_entries_is_sparse(void **state)
{
    (void)state;
    const int n[] = {199, 200, TACT_IO_MAX_DENSE, TACT_IO_MAX_DENSE + 1};
    for (int k = 0; k < 4; k++) {
        TactLcpFile   *file = make_arrow(n[k]);
        TactLcpProblem problem;
        assert_int_equal(file->nonzeros, 2 * n[k] - 1);
        assert_int_equal(tact_lcp_file_is_sparse(file), n[k] >= 200);
        if (n[k] > TACT_IO_MAX_DENSE) {
            assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem),
                             TACT_UNSUPPORTED);
            tact_scratch_said("too large for a dense matrix");
        }
        tact_lcp_file_destroy(file);
    }
}

// ---------------------------------------------------------------------------------------------
// Memory

typedef struct Meter {
    int left;  // allocations until there is no more memory
    int alive; // blocks not released
} Meter;

static void *meter_allocate(void *context, size_t size)
{
    Meter *meter = context;
    if (meter->left-- <= 0) {
        return NULL;
    }
    meter->alive++;
    return malloc(size);
}

static void meter_release(void *context, void *block)
{
    Meter *meter = context;
    meter->alive -= block != NULL;
    free(block);
}

static TactStatus read_and_convert(const char *text)
{
    TactLcpFile   *file = NULL;
    TactLcpProblem problem;
    TactStatus     status = tact_lcp_read_memory("p", text, strlen(text), &file);
    if (status == TACT_OK) {
        status = tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem);
    }
    if (status == TACT_OK) {
        status = tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_SPARSE, &problem);
    }
    tact_lcp_file_destroy(file);
    return status;
}

static void memory_that_runs_out_anywhere_is_reported_and_given_back(void **state)
{
    (void)state;
    const char *const text[] = {sample_dense, sample_block, sample_csc,   mixed_both,
                                mixed_first,  mixed_moved,  mixed_second, sample_triplet};
    for (int k = 0; k < 8; k++) {
        TactStatus status = TACT_NO_MEMORY;
        int        steps = 0;
        for (; status == TACT_NO_MEMORY; steps++) {
            Meter         meter = {.left = steps};
            TactAllocator allocator = {meter_allocate, meter_release, &meter};
            tact_allocator_set(&allocator);
            status = read_and_convert(text[k]);
            tact_allocator_set(NULL);
            assert_int_equal(meter.alive, 0);
        }
        assert_int_equal(status, TACT_OK);
        assert_true(steps > 5);
    }
}

// ---------------------------------------------------------------------------------------------
// Sample problems

static int count_read(const char *folder, TactLcpKind kind)
{
    char   pattern[700];
    glob_t found = {0};
    int    count = 0;
    snprintf(pattern, sizeof pattern, "%s/%s/*.dat", folder,
             kind == TACT_LCP_KIND_LCP ? "lcp" : "mlcp");
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            TactLcpFile *file = NULL;
            if (tact_lcp_read(found.gl_pathv[i], &file) != TACT_OK) {
                fail_msg("%s", tact_status_message());
            }
            assert_int_equal(file->kind, kind);
            tact_lcp_file_destroy(file);
            count++;
        }
    }
    globfree(&found);
    return count;
}

static void all_sample_problems_are_read(void **state)
{
    (void)state;
    const char *folder = tact_scratch_shared();
    if (folder) {
        tact_scratch_listen();
        assert_true(count_read(folder, TACT_LCP_KIND_LCP) >= 12);
        assert_true(count_read(folder, TACT_LCP_KIND_MLCP) >= 9);
        assert_false(tact_scratch_heard("different problems"));
        assert_true(tact_scratch_heard("Rectangular_mlcp.dat:20: storage1 has 3 rows"));
    }
}

/// Behind its problem the file m3n2 has u_1, v and w; its first equation then gives u_0. All are
/// whole numbers, so that nothing is rounded.
static void a_sample_has_the_solution_that_its_file_tells(void **state)
{
    (void)state;
    const char *folder = tact_scratch_shared();
    if (!folder) {
        return;
    }
    char path[700];
    snprintf(path, sizeof path, "%s/mlcp/m3n2_mlcp.dat", folder);
    TactLcpFile *file = NULL;
    assert_int_equal(tact_lcp_read(path, &file), TACT_OK);
    const double          z[] = {1, -1, 0, 4, 0};
    const double          w[] = {0, 0, 3, 0, 1};
    const TactLcpProblem *problem = &file->problem;
    assert_int_equal(problem->n, 5);
    for (int i = 0; i < 5; i++) {
        double sum = problem->q[i];
        for (int j = 0; j < 5; j++) {
            sum += problem->M[5 * i + j] * z[j];
        }
        assert_true(sum == w[i]);
    }
    tact_lcp_file_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_can_be_had_in_both_storages),
        cmocka_unit_test(a_large_matrix_with_few_entries_is_sparse),
        cmocka_unit_test(memory_that_runs_out_anywhere_is_reported_and_given_back),
        cmocka_unit_test(all_sample_problems_are_read),
        cmocka_unit_test(a_sample_has_the_solution_that_its_file_tells),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
