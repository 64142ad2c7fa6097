// FCLIB files: local and global, all storages, and what real files do wrong.
#include <math.h>
#include <string.h>

#include "io/scratch.h"

#ifdef TACT_HAVE_HDF5
#include "io/fclib_maker.h"

// ---------------------------------------------------------------------------------------------
// Local

static void every_storage_gives_the_same_local_problem(void **state)
{
    (void)state;
    for (int storage = 0; storage < STORAGES; storage++) {
        Maker maker = make("local.hdf5");
        put_local(&maker, (Storage)storage, 3, 6);
        TactContactFile *file = read_good(finish(&maker));
        assert_string_equal(file->format, "FCLIB, local");
        assert_int_equal(file->problem.contact_count, 2);
        same_reals(file->problem.W, sample_W, 36);
        same_reals(file->problem.u_free, sample_q, 6);
        assert_true(file->problem.contacts[0].mu == 0.25 && file->problem.contacts[1].mu == 0.75);
        assert_int_equal(tact_scratch_warnings(), 0);
        tact_contact_file_destroy(file);
    }
}

static void in_the_plane_tangent_2_is_zero(void **state)
{
    (void)state;
    static const double W[16] = {4, 1, 2, 0, 1, 5, 0, 1, 2, 0, 6, 1, 0, 1, 1, 7};
    Maker               maker = make("plane.hdf5");
    put_int(&maker, "fclib_local/spacedim", 2);
    put_matrix(&maker, "fclib_local/W", TRIPLET, W, 4, 4);
    put_reals(&maker, "fclib_local/vectors/q", 4, sample_q);
    put_reals(&maker, "fclib_local/vectors/mu", 2, sample_mu);
    TactContactFile *file = read_good(finish(&maker));
    assert_int_equal(file->dimension, 2);
    same_reals(file->problem.u_free, (double[]){-1, 2, 0, -3, 4, 0}, 6);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            bool   there = i % 3 < 2 && j % 3 < 2;
            double expected = there ? W[(2 * (i / 3) + i % 3) * 4 + 2 * (j / 3) + j % 3] : 0;
            assert_true(file->problem.W[6 * i + j] == expected);
        }
    }
    tact_contact_file_destroy(file);
}

/// With R = diag(2, 4) and V of two columns: W - V R^-1 V', q - V R^-1 s, in numbers that are
/// exact.
static void multipliers_of_a_local_problem_are_eliminated(void **state)
{
    (void)state;
    static const double V[12] = {1, 0, 0, 2, 0, 0, 1, 2, 0, 0, 0, 0};
    static const double R[4] = {2, 0, 0, 4};
    static const double s[2] = {2, -4};
    double              W[36], q[6];
    for (int i = 0; i < 6; i++) {
        q[i] = sample_q[i] - V[2 * i] * 2 / 2 + V[2 * i + 1] * 4 / 4;
        for (int j = 0; j < 6; j++) {
            W[6 * i + j] =
                sample_W[6 * i + j] - V[2 * i] * V[2 * j] / 2 - V[2 * i + 1] * V[2 * j + 1] / 4;
        }
    }
    Maker maker = make("bilateral.hdf5");
    put_local(&maker, ROWS, 3, 6);
    put_matrix(&maker, "fclib_local/V", ROWS, V, 6, 2);
    put_matrix(&maker, "fclib_local/R", TRIPLET, R, 2, 2);
    put_reals(&maker, "fclib_local/vectors/s", 2, s);
    TactContactFile *file = read_good(finish(&maker));
    for (int i = 0; i < 36; i++) {
        assert_true(fabs(file->problem.W[i] - W[i]) < 1e-15);
    }
    same_reals(file->problem.u_free, q, 6);
    tact_contact_file_destroy(file);
}

/// The second constraint is twice the first: R = c c', V = a c', s = 3 c with c = (1, 2).
static void a_redundant_multiplier_is_left_out(void **state)
{
    (void)state;
    static const double V[12] = {1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0};
    static const double R[4] = {1, 2, 2, 4};
    Maker               maker = make("redundant.hdf5");
    put_local(&maker, ROWS, 3, 6);
    put_matrix(&maker, "fclib_local/V", ROWS, V, 6, 2);
    put_matrix(&maker, "fclib_local/R", ROWS, R, 2, 2);
    put_reals(&maker, "fclib_local/vectors/s", 2, (double[]){3, 6});
    TactContactFile *file = read_good(finish(&maker));
    assert_true(file->problem.W[0] == 3 && file->problem.W[3] == -0.5);
    assert_true(file->problem.W[3 * 6 + 3] == 6);
    same_reals(file->problem.u_free, (double[]){-4, 2, -3, 1, -5, 6}, 6);
    tact_contact_file_destroy(file);

    maker = make("binding.hdf5"); // the same, but the second constraint says something else
    put_local(&maker, ROWS, 3, 6);
    put_matrix(&maker, "fclib_local/V", ROWS, V, 6, 2);
    put_matrix(&maker, "fclib_local/R", ROWS, R, 2, 2);
    put_reals(&maker, "fclib_local/vectors/s", 2, (double[]){3, 7});
    expect_bad(finish(&maker), TACT_UNSUPPORTED, "R is singular and constraint 0");
}

// ---------------------------------------------------------------------------------------------
// Global

static void a_global_problem_becomes_a_mechanism(void **state)
{
    (void)state;
    for (int storage = 0; storage < STORAGES; storage++) {
        Maker maker = make("global.hdf5");
        put_global(&maker, (Storage)storage);
        TactContactFile          *file = read_good(finish(&maker));
        const TactContactProblem *problem = &file->problem;
        assert_string_equal(file->format, "FCLIB, global");
        assert_true(problem->step == 1);
        same_reals(problem->M, sample_M, 9);
        same_reals(problem->tau, sample_f, 3);
        for (int c = 0; c < 2; c++) {
            const TactContact *contact = &problem->contacts[c];
            for (int k = 0; k < 9; k++) {
                assert_true(contact->J[k] == sample_H[(k % 3) * 6 + 3 * c + k / 3]);
            }
            assert_true(contact->bias == sample_w[3 * c]);
            same_reals(contact->surface, sample_w + 3 * c + 1, 2);
        }
        // fclib.h calls p rows and i columns; real files have it the other way round.
        assert_true(tact_scratch_heard("read with p as rows") == (storage == SWAPPED));
        tact_contact_file_destroy(file);
    }
}

static void columns_of_G_are_bilateral_rows(void **state)
{
    (void)state;
    Maker maker = make("joint.hdf5");
    put_global(&maker, TRIPLET);
    put_matrix(&maker, "fclib_global/G", TRIPLET, (double[]){1, 0, 0, 0, 0, 2}, 3, 2);
    put_reals(&maker, "fclib_global/vectors/b", 2, (double[]){0.5, -1});
    TactContactFile      *file = read_good(finish(&maker));
    const TactContactRow *row = file->problem.rows;
    assert_int_equal(file->problem.row_count, 2);
    assert_int_equal(row[1].kind, TACT_ROW_BILATERAL);
    same_reals(row[0].J, (double[]){1, 0, 0}, 3);
    same_reals(row[1].J, (double[]){0, 0, 2}, 3);
    assert_true(row[0].target == -0.5 && row[1].target == 1);
    tact_contact_file_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Bad files

static void what_is_missing_or_too_short_is_named(void **state)
{
    (void)state;
    Maker maker = make("bad.hdf5");
    put_int(&maker, "other/n", 1);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "without the group fclib_local or fclib_global");

    maker = make("bad.hdf5");
    put_int(&maker, "fclib_global_rolling/spacedim", 5);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_global_rolling/M");

    maker = make("bad.hdf5");
    put_int(&maker, "fclib_local/spacedim", 4);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/spacedim: is 4");

    maker = make("bad.hdf5");
    put_int(&maker, "fclib_local/spacedim", 3);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/W/m: is missing");

    maker = make("bad.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    put_reals(&maker, "fclib_local/vectors/q", 5, sample_q);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/vectors/q: has 5 numbers, not 6");

    maker = make("bad.hdf5");
    put_local(&maker, ROWS, 2, 4);
    H5Ldelete(maker.file, "fclib_local/spacedim", H5P_DEFAULT);
    put_int(&maker, "fclib_local/spacedim", 3);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "4 rows are no contacts of 3 components");

    maker = make("bad.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    put(&maker, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, NULL, 6);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "q: was created, but never written");

    maker = make("bad.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/mu", H5P_DEFAULT);
    put_reals(&maker, "fclib_local/vectors/mu", 2, (double[]){0.5, NAN});
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/vectors/mu: number 1 is nan");

    maker = make("bad.hdf5");
    put_global(&maker, ROWS);
    H5Ldelete(maker.file, "fclib_global/M", H5P_DEFAULT);
    put_matrix(&maker, "fclib_global/M", ROWS, sample_W, 4, 4);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_global/H: is 3 x 6, which does not fit");
}

static void replace(const Maker *maker, const char *path, const int *values, size_t count)
{
    assert_true(H5Ldelete(maker->file, path, H5P_DEFAULT) >= 0);
    put(maker, path, H5T_NATIVE_INT, values, count);
}

static void indices_outside_of_a_matrix_are_refused(void **state)
{
    (void)state;
    int p[18], i[18] = {0};
    for (int k = 0; k < 18; k++) {
        p[k] = k;
    }
    Maker maker = make("index.hdf5");
    put_local(&maker, ROWS, 3, 6);
    replace(&maker, "fclib_local/W/p", p, 5);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/W: p has 5 elements, not 7");

    maker = make("index.hdf5");
    put_local(&maker, ROWS, 3, 6);
    p[2] = 0;
    replace(&maker, "fclib_local/W/p", p, 7);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "p[2] is 0 after 1");
    p[2] = 2;

    maker = make("index.hdf5");
    put_local(&maker, ROWS, 3, 6);
    p[6] = 1000;
    replace(&maker, "fclib_local/W/p", p, 7);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "p ends at 1000");
    p[6] = 6;

    maker = make("index.hdf5");
    put_local(&maker, ROWS, 3, 6);
    i[3] = 6;
    replace(&maker, "fclib_local/W/p", p, 7);
    replace(&maker, "fclib_local/W/i", i, 18);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "an index is outside of a 6 x 6 matrix");

    maker = make("index.hdf5");
    put_local(&maker, TRIPLET, 3, 6);
    i[3] = -1;
    replace(&maker, "fclib_local/W/i", i, 18);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "an index is outside of a 6 x 6 matrix");

    maker = make("index.hdf5");
    put_local(&maker, TRIPLET, 3, 6);
    replace(&maker, "fclib_local/W/nz", (int[]){1000}, 1);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/W: nz is 1000, but there are");
}

static void other_kinds_of_datasets_are_refused(void **state)
{
    (void)state;
    Maker maker = make("kind.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/W/i", H5P_DEFAULT);
    put_reals(&maker, "fclib_local/W/i", 6, sample_q);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/W/i: is not of integers");

    maker = make("kind.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    hid_t group = H5Gcreate2(maker.file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT, //
                             H5P_DEFAULT);
    H5Gclose(group);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/vectors/q: cannot be opened");

    // Numbers as 32-bit floats and 64-bit integers are numbers too.
    static const float q[6] = {-1, 2, -3, 4, -5, 6};
    maker = make("kind.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    H5Ldelete(maker.file, "fclib_local/spacedim", H5P_DEFAULT);
    put(&maker, "fclib_local/vectors/q", H5T_NATIVE_FLOAT, q, 6);
    put(&maker, "fclib_local/spacedim", H5T_NATIVE_INT64, &(int64_t){3}, 1);
    TactContactFile *file = read_good(finish(&maker));
    same_reals(file->problem.u_free, sample_q, 6);
    tact_contact_file_destroy(file);
}

static void nothing_is_read_from_another_file(void **state)
{
    (void)state;
    Maker other = make("other.hdf5");
    put_local(&other, ROWS, 3, 6);
    finish(&other);
    Maker maker = make("link.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    assert_true(H5Lcreate_external(other.path, "fclib_local/vectors/q", maker.file,
                                   "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "fclib_local/vectors/q: cannot be opened");

    maker = make("raw.hdf5");
    put_local(&maker, ROWS, 3, 6);
    H5Ldelete(maker.file, "fclib_local/vectors/q", H5P_DEFAULT);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(1, &(hsize_t){6}, NULL);
    assert_true(H5Pset_external(layout, other.path, 0, 48) >= 0);
    hid_t set = H5Dcreate2(maker.file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space,
                           H5P_DEFAULT, layout, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(layout);
    expect_bad(finish(&maker), TACT_BAD_INPUT, "q: has its numbers in another file");
}

static void a_damaged_file_is_refused_without_a_word_on_the_terminal(void **state)
{
    (void)state;
    Maker maker = make("cut.hdf5");
    put_local(&maker, ROWS, 3, 6);
    const char *path = finish(&maker);
    FILE       *stream = fopen(path, "rb");
    char        bytes[20000];
    size_t      size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    H5E_auto2_t before, after;
    void       *context;
    H5Eget_auto2(H5E_DEFAULT, &before, &context);
    for (size_t cut = 8; cut < size; cut += 40) {
        TactContactFile *file = NULL;
        assert_int_not_equal(tact_contact_read_memory("cut", bytes, cut, &file), TACT_OK);
        assert_null(file);
        tact_scratch_said("cut:");
    }
    H5Eget_auto2(H5E_DEFAULT, &after, &context);
    assert_true(before == after); // a program that uses HDF5 itself is not disturbed
}

// ---------------------------------------------------------------------------------------------
// Samples

static void sample_problems_are_read_and_written_back(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int         contacts;
        int         nv;
        const char *title;
    } samples[] = {
        {"Box_Stacks-i0122-82-5.hdf5", 82, 450, "Box_stacks"},
        {"Capsules-i125-1213.hdf5", 286, 0, "Capsules"},
        {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 60, 0, "LMGC dump in hdf5"},
    };
    const char *shared = tact_scratch_shared();
    for (size_t i = 0; shared && i < 3; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s/friction/%s", shared, samples[i].name);
        TactContactFile *file = read_good(path);
        assert_int_equal(file->problem.contact_count, samples[i].contacts);
        assert_int_equal(file->problem.nv, samples[i].nv);
        assert_string_equal(file->title, samples[i].title);
        assert_int_equal(tact_scratch_warnings(), 0);
        const char *copy = tact_scratch_path("copy.hdf5");
        assert_int_equal(tact_contact_write(&file->problem, copy), TACT_OK);
        TactContactFile *again = read_good(copy);
        same_problem(&file->problem, &again->problem);
        tact_contact_file_destroy(file);
        tact_contact_file_destroy(again);
    }
}

/// H of the sample has 450 rows and 246 columns, and its normal rows have unit length.
static void the_sample_with_H_is_not_transposed(void **state)
{
    (void)state;
    const char *shared = tact_scratch_shared();
    if (!shared) {
        return;
    }
    char path[700];
    snprintf(path, sizeof path, "%s/friction/Box_Stacks-i0122-82-5.hdf5", shared);
    TactContactFile *file = read_good(path);
    for (int c = 0; c < file->problem.contact_count; c++) {
        const double *normal = file->problem.contacts[c].J;
        double        squares[75] = {0}; // of the linear part on every body
        double        most = 0;
        for (int k = 0; k < 450; k++) {
            squares[k / 6] += k % 6 < 3 ? normal[k] * normal[k] : 0;
        }
        for (int b = 0; b < 75; b++) {
            most = fmax(most, squares[b]);
        }
        assert_true(fabs(most - 1) < 1e-9);
    }
    tact_contact_file_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_same_local_problem),
        cmocka_unit_test(in_the_plane_tangent_2_is_zero),
        cmocka_unit_test(multipliers_of_a_local_problem_are_eliminated),
        cmocka_unit_test(a_redundant_multiplier_is_left_out),
        cmocka_unit_test(a_global_problem_becomes_a_mechanism),
        cmocka_unit_test(columns_of_G_are_bilateral_rows),
        cmocka_unit_test(what_is_missing_or_too_short_is_named),
        cmocka_unit_test(indices_outside_of_a_matrix_are_refused),
        cmocka_unit_test(other_kinds_of_datasets_are_refused),
        cmocka_unit_test(nothing_is_read_from_another_file),
        cmocka_unit_test(a_damaged_file_is_refused_without_a_word_on_the_terminal),
        cmocka_unit_test(sample_problems_are_read_and_written_back),
        cmocka_unit_test(the_sample_with_H_is_not_transposed),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}

#else

static void without_hdf5_a_file_is_refused_in_words(void **state)
{
    (void)state;
    TactContactFile *file = NULL;
    assert_int_equal(tact_contact_read_memory("p.hdf5", "\x89HDF\r\n\x1a\n\0", 9, &file),
                     TACT_UNSUPPORTED);
    tact_scratch_said("this tact was built without HDF5");
    TactContactProblem empty = {.step = 1};
    assert_int_equal(tact_contact_write(&empty, "p.hdf5"), TACT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_hdf5_a_file_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}

#endif
