// FCLIB files: local and global, all storages, what real files do wrong, and writing them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/contact_compare.h"

#ifdef TACT_HAVE_HDF5
#include <hdf5.h>

// ---------------------------------------------------------------------------------------------
// A file made by HDF5's own functions, as FCLIB makes them: numbers are arrays of one

typedef struct Maker {
    const char *path;
    hid_t       file;
    hid_t       links; // groups on the way are made
} Maker;

static Maker make(const char *name)
{
    Maker maker = {.path = tact_scratch_path(name)};
    maker.file = H5Fcreate(maker.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    maker.links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(maker.file >= 0 && H5Pset_create_intermediate_group(maker.links, 1) >= 0);
    return maker;
}

static const char *finish(Maker *maker)
{
    H5Pclose(maker->links);
    assert_true(H5Fclose(maker->file) >= 0);
    return maker->path;
}

/// values NULL: created, but never written.
static void put(const Maker *maker, const char *path, hid_t type, const void *values, size_t count)
{
    hid_t space = H5Screate_simple(1, &(hsize_t){count}, NULL);
    hid_t set = H5Dcreate2(maker->file, path, type, space, maker->links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (values) {
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    H5Dclose(set);
    H5Sclose(space);
}

static void put_int(const Maker *maker, const char *path, int value)
{
    put(maker, path, H5T_NATIVE_INT, &value, 1);
}

static void put_reals(const Maker *maker, const char *path, size_t count, const double *values)
{
    put(maker, path, H5T_NATIVE_DOUBLE, values, count);
}

typedef enum Storage { TRIPLET, COLUMNS, ROWS, SWAPPED, STORAGES } Storage;

/// A dense matrix in one of the sparse storages; nzmax says more than there is.
static void put_matrix(const Maker *maker, const char *group, Storage storage, const double *A,
                       int m, int n)
{
    char   path[80];
    int    p[200] = {0}, i[200], count = 0;
    double x[200];
    bool   by_column = storage == COLUMNS;
    for (int major = 0; major < (by_column ? n : m); major++) {
        for (int minor = 0; minor < (by_column ? m : n); minor++) {
            int    row = by_column ? minor : major, column = by_column ? major : minor;
            double value = A[row * n + column];
            if (value != 0) {
                assert_true(count < 199);
                x[count] = value;
                i[count] = storage == TRIPLET ? row : storage == SWAPPED ? column : minor;
                if (storage == TRIPLET || storage == SWAPPED) {
                    p[count] = storage == TRIPLET ? column : row;
                }
                count++;
            }
        }
        if (by_column || storage == ROWS) {
            p[major + 1] = count;
        }
    }
    static const int starts[] = {[COLUMNS] = -1, [ROWS] = -2};
    bool             triplet = storage == TRIPLET || storage == SWAPPED;
    size_t           p_count = (size_t)(triplet ? count : (by_column ? n : m) + 1);
    snprintf(path, sizeof path, "%s/nzmax", group);
    put_int(maker, path, count + 7);
    snprintf(path, sizeof path, "%s/m", group);
    put_int(maker, path, m);
    snprintf(path, sizeof path, "%s/n", group);
    put_int(maker, path, n);
    snprintf(path, sizeof path, "%s/nz", group);
    put_int(maker, path, triplet ? count : starts[storage]);
    snprintf(path, sizeof path, "%s/p", group);
    put(maker, path, H5T_NATIVE_INT, p, p_count);
    snprintf(path, sizeof path, "%s/i", group);
    put(maker, path, H5T_NATIVE_INT, i, (size_t)count);
    snprintf(path, sizeof path, "%s/x", group);
    put_reals(maker, path, (size_t)count, x);
}

static TactContactFile *read_good(const char *path)
{
    TactContactFile *file = NULL;
    tact_scratch_listen();
    if (tact_contact_read(path, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static void expect_bad(const char *path, TactStatus expected, const char *words)
{
    TactContactFile *file = NULL;
    TactStatus       status = tact_contact_read(path, &file);
    if (status != expected) {
        fail_msg("status %s instead of %s: %s", tact_status_name(status),
                 tact_status_name(expected), status == TACT_OK ? "" : tact_status_message());
    }
    assert_null(file);
    tact_scratch_said(path);
    tact_scratch_said(words);
}

// ---------------------------------------------------------------------------------------------
// Local

static const double sample_W[36] = {
    4,   1, 0, 0.5, 0, 0, //
    1,   5, 2, 0,   0, 0, //
    0,   2, 6, 0,   0, 1, //
    0.5, 0, 0, 7,   1, 0, //
    0,   0, 0, 1,   8, 0, //
    0,   0, 1, 0,   0, 9,
};
static const double sample_q[6] = {-1, 2, -3, 4, -5, 6};
static const double sample_mu[2] = {0.25, 0.75};

static void put_local(const Maker *maker, Storage storage, int dimension, int size)
{
    put_int(maker, "fclib_local/spacedim", dimension);
    put_matrix(maker, "fclib_local/W", storage, sample_W, size, size);
    put_reals(maker, "fclib_local/vectors/q", (size_t)size, sample_q);
    put_reals(maker, "fclib_local/vectors/mu", (size_t)(size / dimension), sample_mu);
}

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

// Two contacts of a body of three degrees of freedom with a joint; more columns than rows, so that
// swapped indices show.
static const double sample_M[9] = {2, 0, 0.5, 0, 3, 0, 0.5, 0, 4};
static const double sample_H[18] = {
    1, 0, 0,    -1, 0, 0.5, //
    0, 1, 0.25, 0,  1, 0,   //
    0, 2, 1,    0,  0, 1,
};
static const double sample_f[3] = {-1, 2, 3};
static const double sample_w[6] = {0.5, 0, -0.25, 0, 0, 1};

static void put_global(const Maker *maker, Storage storage)
{
    put_int(maker, "fclib_global/spacedim", 3);
    put_matrix(maker, "fclib_global/M", storage == SWAPPED ? TRIPLET : storage, sample_M, 3, 3);
    put_matrix(maker, "fclib_global/H", storage, sample_H, 3, 6);
    put_reals(maker, "fclib_global/vectors/f", 3, sample_f);
    put_reals(maker, "fclib_global/vectors/w", 6, sample_w);
    put_reals(maker, "fclib_global/vectors/mu", 2, sample_mu);
}

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
    assert_int_equal(row[1].kind, TACT_CONTACT_BILATERAL);
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
    expect_bad(finish(&maker), TACT_UNSUPPORTED, "rolling friction");

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
// Writing

static void a_local_problem_is_read_back_to_the_bit(void **state)
{
    (void)state;
    Maker maker = make("first.hdf5");
    put_local(&maker, ROWS, 3, 6);
    TactContactFile *file = read_good(finish(&maker));
    const char      *path = tact_scratch_path("again.hdf5");
    assert_int_equal(tact_contact_write(&file->problem, path), TACT_OK);
    TactContactFile *again = read_good(path);
    assert_string_equal(again->format, "FCLIB, local");
    assert_string_equal(again->title, "written by tact");
    same_problem(&file->problem, &again->problem);
    tact_contact_file_destroy(file);
    tact_contact_file_destroy(again);
}

static void a_global_problem_is_read_back_to_the_bit(void **state)
{
    (void)state;
    Maker maker = make("first.hdf5");
    put_global(&maker, TRIPLET);
    put_matrix(&maker, "fclib_global/G", TRIPLET, (double[]){1, 0, 0, 0, 0, 2}, 3, 2);
    put_reals(&maker, "fclib_global/vectors/b", 2, (double[]){0.5, -1});
    TactContactFile *file = read_good(finish(&maker));
    const char      *path = tact_scratch_path("again.h5");
    assert_int_equal(tact_contact_write(&file->problem, path), TACT_OK);
    TactContactFile *again = read_good(path);
    same_problem(&file->problem, &again->problem);
    tact_contact_file_destroy(file);
    tact_contact_file_destroy(again);
}

/// Two bodies on a belt, one on the other, moving and turning.
static TactContactProblem bodies_problem(TactContactBody bodies[2], TactContact contacts[2])
{
    bodies[0] = (TactContactBody){.mass = 2,
                                  .inertia = {1, 2, 3, 0.1, 0.2, 0.3},
                                  .position = {0, 0, 1},
                                  .velocity = {0.5, 0, -1},
                                  .omega = {0.1, 0.7, -0.3},
                                  .force = {0, 1, -20},
                                  .torque = {0.1, 0, 0}};
    bodies[1] = (TactContactBody){
        .mass = 1, .inertia = {1, 1, 1}, .position = {0, 0.1, 3}, .force = {0, 0, -10}};
    contacts[0] = (TactContact){.a = -1,
                                .point = {0.1, 0, 0},
                                .normal = {0, 0, 1},
                                .mu = 0.5,
                                .restitution = 0.5,
                                .surface = {0.25, 0}};
    contacts[1] = (TactContact){
        .a = 0, .b = 1, .point = {0, 0.1, 2}, .normal = {0, 0.6, 0.8}, .mu = 0.3, .bias = -0.01};
    return (TactContactProblem){
        .step = 0.01, .bodies = bodies, .body_count = 2, .contacts = contacts, .contact_count = 2};
}

static void solve(const TactContactProblem *problem, double *impulse, double *velocity)
{
    TactContactCapacity capacity = tact_contact_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_CONTACT_NSGS);
    TactContactSolver  *solver;
    TactContactReport   report;
    config.cone = TACT_CONTACT_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_CONTACT_SOLVED);
    tact_contact_solver_destroy(solver);
}

static void bodies_become_a_global_problem_with_the_same_answer(void **state)
{
    (void)state;
    TactContactBody    bodies[2];
    TactContact        contacts[2];
    TactContactProblem problem = bodies_problem(bodies, contacts);
    const char        *path = tact_scratch_path("bodies.hdf5");
    assert_int_equal(tact_contact_write(&problem, path), TACT_OK);
    TactContactFile       *file = read_good(path);
    double                 impulse[6], velocity[12];
    TactContactCertificate certificate;
    assert_int_equal(file->problem.nv, 12);
    solve(&problem, impulse, velocity);
    assert_true(impulse[0] > 0 && impulse[3] > 0);
    assert_int_equal(tact_contact_certify(&file->problem, TACT_CONTACT_CIRCLE, impulse, NULL,
                                          velocity, &certificate),
                     TACT_OK);
    assert_true(certificate.error < 1e-9);
    tact_contact_file_destroy(file);
}

static void what_fclib_has_no_place_for_is_refused(void **state)
{
    (void)state;
    TactContactBody    bodies[2];
    TactContact        contacts[2];
    TactContactRow     row = {.kind = TACT_CONTACT_MOTOR, .a = 0, .b = 1, .force_max = 1};
    TactContactProblem problem = bodies_problem(bodies, contacts);
    const char        *path = tact_scratch_path("no.hdf5");
    int                before = tact_scratch_count();
    problem.rows = &row;
    problem.row_count = 1;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("row 0: FCLIB has no joint limits and no motors");
    problem.row_count = 0;
    contacts[1].compliance = 0.5;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("contact 1: FCLIB has no compliance");
    contacts[1].compliance = contacts[0].restitution = 0;
    problem.level = TACT_CONTACT_ACCELERATION;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    assert_int_equal(tact_scratch_count(), before);
    problem.level = TACT_CONTACT_VELOCITY;
    assert_int_equal(tact_contact_write(&problem, "/nowhere/p.hdf5"), TACT_IO_ERROR);
    tact_scratch_said("/nowhere/p.hdf5: cannot be written");
}

/// A local problem keeps what its contacts add: in q and in W.
static void bias_surface_and_compliance_go_into_q_and_W(void **state)
{
    (void)state;
    TactContact        contact = {.mu = 1, .bias = 0.5, .surface = {0.25, 2}, .compliance = 8};
    TactContactProblem problem = {
        .step = 1,
        .W = (double[]){1, 0, 0, 0, 2, 0, 0, 0, 3},
        .u_free = (double[]){-1, 1, 2},
        .contacts = &contact,
        .contact_count = 1,
    };
    const char *path = tact_scratch_path("soft.hdf5");
    assert_int_equal(tact_contact_write(&problem, path), TACT_OK);
    TactContactFile *file = read_good(path);
    same_reals(file->problem.W, (double[]){9, 0, 0, 0, 2, 0, 0, 0, 3}, 9);
    same_reals(file->problem.u_free, (double[]){-0.5, 1.25, 4}, 3);
    tact_contact_file_destroy(file);
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
        cmocka_unit_test(a_local_problem_is_read_back_to_the_bit),
        cmocka_unit_test(a_global_problem_is_read_back_to_the_bit),
        cmocka_unit_test(bodies_become_a_global_problem_with_the_same_answer),
        cmocka_unit_test(what_fclib_has_no_place_for_is_refused),
        cmocka_unit_test(bias_surface_and_compliance_go_into_q_and_W),
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
