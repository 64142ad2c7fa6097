// FCLIB files made by HDF5's own functions, as FCLIB makes them: numbers are arrays of one.
#ifndef TACT_TESTS_IO_FCLIB_MAKER_H
#define TACT_TESTS_IO_FCLIB_MAKER_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/contact_compare.h"

typedef struct Maker {
    const char *path;
    hid_t       file;
    hid_t       links; // groups on the way are made
} Maker;

static inline Maker make(const char *name)
{
    Maker maker = {.path = tact_scratch_path(name)};
    maker.file = H5Fcreate(maker.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    maker.links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(maker.file >= 0 && H5Pset_create_intermediate_group(maker.links, 1) >= 0);
    return maker;
}

static inline const char *finish(Maker *maker)
{
    H5Pclose(maker->links);
    assert_true(H5Fclose(maker->file) >= 0);
    return maker->path;
}

/// values NULL: created, but never written.
static inline void put(const Maker *maker, const char *path, hid_t type, const void *values,
                       size_t count)
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

static inline void put_int(const Maker *maker, const char *path, int value)
{
    put(maker, path, H5T_NATIVE_INT, &value, 1);
}

static inline void put_reals(const Maker *maker, const char *path, size_t count,
                             const double *values)
{
    put(maker, path, H5T_NATIVE_DOUBLE, values, count);
}

typedef enum Storage { TRIPLET, COLUMNS, ROWS, SWAPPED, STORAGES } Storage;

/// A dense matrix in one of the sparse storages; nzmax says more than there is.
static inline void put_matrix(const Maker *maker, const char *group, Storage storage,
                              const double *A, int m, int n)
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

static inline TactContactFile *read_good(const char *path)
{
    TactContactFile *file = NULL;
    tact_scratch_listen();
    if (tact_contact_read(path, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static inline void expect_bad(const char *path, TactStatus expected, const char *words)
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

static inline void put_local(const Maker *maker, Storage storage, int dimension, int size)
{
    put_int(maker, "fclib_local/spacedim", dimension);
    put_matrix(maker, "fclib_local/W", storage, sample_W, size, size);
    put_reals(maker, "fclib_local/vectors/q", (size_t)size, sample_q);
    put_reals(maker, "fclib_local/vectors/mu", (size_t)(size / dimension), sample_mu);
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

static inline void put_global(const Maker *maker, Storage storage)
{
    put_int(maker, "fclib_global/spacedim", 3);
    put_matrix(maker, "fclib_global/M", storage == SWAPPED ? TRIPLET : storage, sample_M, 3, 3);
    put_matrix(maker, "fclib_global/H", storage, sample_H, 3, 6);
    put_reals(maker, "fclib_global/vectors/f", 3, sample_f);
    put_reals(maker, "fclib_global/vectors/w", 6, sample_w);
    put_reals(maker, "fclib_global/vectors/mu", 2, sample_mu);
}

#endif
