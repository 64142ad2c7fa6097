// FCLIB files: one group, fclib_local or fclib_global, with matrices, vectors and their sizes.
//
// A matrix is a group: m, n, nz, nzmax (one integer each) and the arrays p, i, x of CSparse.
//   nz >= 0   triplets: i are rows, p are columns (fclib.h says the opposite of what files have)
//   nz = -1   compressed columns: p (n + 1) starts, i rows
//   nz = -2   compressed rows: p (m + 1) starts, i columns
// nzmax may exceed what is there: the arrays themselves say how long they are.
#include "io/siconos/fclib.h"

#include "base/status.h"

#ifdef TACT_HAVE_HDF5
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "io/problem/problem.h"
#include "io/siconos/hdf5.h"

enum { COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2 };

// ---------------------------------------------------------------------------------------------
// Matrices

typedef struct Arrays {
    const TactHdf5 *hdf5;
    const char     *group;
    int             m, n, nz;
    int            *p, *i;
    double         *x;
    size_t          p_count, i_count, x_count;
} Arrays;

__attribute__((format(printf, 2, 3))) static TactStatus fail(const Arrays *arrays,
                                                             const char   *format, ...)
{
    char    what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return tact_fail(TACT_BAD_INPUT, "%s: %s: %s", arrays->hdf5->name, arrays->group, what);
}

static const char *member(char path[80], const char *group, const char *name)
{
    snprintf(path, 80, "%s/%s", group, name);
    return path;
}

static TactStatus read_arrays(Arrays *arrays)
{
    const TactHdf5 *hdf5 = arrays->hdf5;
    const char     *group = arrays->group;
    char            path[80];
    TACT_TRY(tact_hdf5_int(hdf5, member(path, group, "m"), 0, INT_MAX - 1, &arrays->m));
    TACT_TRY(tact_hdf5_int(hdf5, member(path, group, "n"), 0, INT_MAX - 1, &arrays->n));
    TACT_TRY(tact_hdf5_int(hdf5, member(path, group, "nz"), COMPRESSED_ROWS, INT_MAX, &arrays->nz));
    TACT_TRY(tact_hdf5_ints(hdf5, member(path, group, "p"), &arrays->p, &arrays->p_count));
    TACT_TRY(tact_hdf5_ints(hdf5, member(path, group, "i"), &arrays->i, &arrays->i_count));
    return tact_hdf5_reals(hdf5, member(path, group, "x"), &arrays->x, &arrays->x_count);
}

static void release_arrays(Arrays *arrays)
{
    tact_release(arrays->p);
    tact_release(arrays->i);
    tact_release(arrays->x);
}

/// Are all of the first count indices in 0 ... limit - 1?
static bool in_range(const int *index, size_t count, int limit)
{
    for (size_t k = 0; k < count; k++) {
        if (index[k] < 0 || index[k] >= limit) {
            return false;
        }
    }
    return true;
}

static TactStatus take_triplets(const Arrays *arrays, TactMatrix *matrix)
{
    size_t     count = (size_t)arrays->nz;
    const int *row = arrays->i;
    const int *column = arrays->p;
    if (count > arrays->p_count || count > arrays->i_count || count > arrays->x_count) {
        return fail(arrays, "nz is %zu, but there are %zu, %zu and %zu of p, i and x", count,
                    arrays->p_count, arrays->i_count, arrays->x_count);
    }
    if (!in_range(row, count, arrays->m) || !in_range(column, count, arrays->n)) {
        row = arrays->p;
        column = arrays->i;
        if (!in_range(row, count, arrays->m) || !in_range(column, count, arrays->n)) {
            return fail(arrays, "an index is outside of a %d x %d matrix", arrays->m, arrays->n);
        }
        tact_log(TACT_LOG_LEVEL_WARNING,
                 "%s: %s: read with p as rows and i as columns, since the usual "
                 "order does not fit a %d x %d matrix",
                 arrays->hdf5->name, arrays->group, arrays->m, arrays->n);
    }
    TACT_TRY(tact_matrix_create_list(matrix, arrays->m, arrays->n, count));
    for (size_t k = 0; k < count; k++) {
        matrix->entry[matrix->count++] = (TactEntry){row[k], column[k], arrays->x[k]};
    }
    return TACT_OK;
}

static TactStatus check_starts(const Arrays *arrays, int major, size_t *count)
{
    size_t starts = (size_t)major + 1;
    if (arrays->p_count < starts) {
        return fail(arrays, "p has %zu elements, not %zu", arrays->p_count, starts);
    }
    for (size_t k = 0; k < starts; k++) {
        int before = k > 0 ? arrays->p[k - 1] : 0;
        if (arrays->p[k] < before || (k == 0 && arrays->p[k] != 0)) {
            return fail(arrays, "p[%zu] is %d after %d: starts must ascend from 0", k, arrays->p[k],
                        before);
        }
    }
    *count = (size_t)arrays->p[major];
    if (*count > arrays->i_count || *count > arrays->x_count) {
        return fail(arrays, "p ends at %zu, but there are %zu and %zu of i and x", *count,
                    arrays->i_count, arrays->x_count);
    }
    return TACT_OK;
}

static TactStatus take_compressed(const Arrays *arrays, TactMatrix *matrix)
{
    bool   by_row = arrays->nz == COMPRESSED_ROWS;
    int    major = by_row ? arrays->m : arrays->n;
    int    minor = by_row ? arrays->n : arrays->m;
    size_t count = 0;
    TACT_TRY(check_starts(arrays, major, &count));
    if (!in_range(arrays->i, count, minor)) {
        return fail(arrays, "an index is outside of a %d x %d matrix", arrays->m, arrays->n);
    }
    TACT_TRY(tact_matrix_create_list(matrix, arrays->m, arrays->n, count));
    for (int j = 0; j < major; j++) {
        for (int k = arrays->p[j]; k < arrays->p[j + 1]; k++) {
            int i = arrays->i[k];
            matrix->entry[matrix->count++] =
                (TactEntry){by_row ? j : i, by_row ? i : j, arrays->x[k]};
        }
    }
    return TACT_OK;
}

/// rows, columns: what the sizes must be; -1: any.
static TactStatus read_matrix(const TactHdf5 *hdf5, const char *group, int rows, int columns,
                              TactMatrix *matrix)
{
    Arrays     arrays = {.hdf5 = hdf5, .group = group};
    TactStatus status = read_arrays(&arrays);
    if (status == TACT_OK &&
        ((rows >= 0 && arrays.m != rows) || (columns >= 0 && arrays.n != columns))) {
        status = fail(&arrays, "is %d x %d, which does not fit the rest of the problem", arrays.m,
                      arrays.n);
    }
    if (status == TACT_OK) {
        status = arrays.nz >= 0 ? take_triplets(&arrays, matrix) : take_compressed(&arrays, matrix);
    }
    release_arrays(&arrays);
    return status;
}

static TactStatus read_hdf5_vector(const TactHdf5 *hdf5, const char *path, int count,
                                   double **vector)
{
    size_t there;
    TACT_TRY(tact_hdf5_reals(hdf5, path, vector, &there));
    if (there != (size_t)count) {
        return tact_fail(TACT_BAD_INPUT, "%s: %s: has %zu numbers, not %d", hdf5->name, path, there,
                         count);
    }
    return TACT_OK;
}

static TactStatus check_square(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix)
{
    return matrix->rows == matrix->columns
               ? TACT_OK
               : tact_fail(TACT_BAD_INPUT, "%s: %s: is %d x %d, not square", hdf5->name, group,
                           matrix->rows, matrix->columns);
}

// ---------------------------------------------------------------------------------------------
// Problems

static TactStatus read_local(const TactHdf5 *hdf5, TactFrictionMatrices *friction,
                             TactContactParts *parts)
{
    int nc = 0;
    TACT_TRY(tact_hdf5_int(hdf5, "fclib_local/spacedim", 2, 3, &friction->dimension));
    TACT_TRY(read_matrix(hdf5, "fclib_local/W", -1, -1, &friction->W));
    TACT_TRY(check_square(hdf5, "fclib_local/W", &friction->W));
    TACT_TRY(tact_friction_count(friction, friction->W.rows, &nc));
    TACT_TRY(read_hdf5_vector(hdf5, "fclib_local/vectors/q", friction->W.rows, &friction->q));
    TACT_TRY(read_hdf5_vector(hdf5, "fclib_local/vectors/mu", nc, &friction->mu));
    if (tact_hdf5_has(hdf5, "fclib_local/V") || tact_hdf5_has(hdf5, "fclib_local/R")) {
        TACT_TRY(read_matrix(hdf5, "fclib_local/R", -1, -1, &friction->R));
        TACT_TRY(check_square(hdf5, "fclib_local/R", &friction->R));
        TACT_TRY(
            read_matrix(hdf5, "fclib_local/V", friction->W.rows, friction->R.rows, &friction->V));
        TACT_TRY(read_hdf5_vector(hdf5, "fclib_local/vectors/s", friction->R.rows, &friction->s));
    }
    parts->format = "FCLIB, local";
    return tact_friction_local(friction, parts);
}

/// group/name, in a buffer that the next call overwrites.
static const char *join_path(char path[80], const char *group, const char *name)
{
    snprintf(path, 80, "%s/%s", group, name);
    return path;
}

/// group: fclib_global, or fclib_global_rolling with five components a contact and mu_r.
static TactStatus read_global(const TactHdf5 *hdf5, const char *group,
                              TactFrictionMatrices *friction, TactContactParts *parts)
{
    int  nc = 0;
    bool rolls = strcmp(group, "fclib_global_rolling") == 0;
    char at[80];
    TACT_TRY(tact_hdf5_int(hdf5, join_path(at, group, "spacedim"), 2, 5, &friction->dimension));
    friction->dimension = rolls ? 5 : friction->dimension;
    if (!rolls && friction->dimension > 3) {
        return tact_fail(TACT_BAD_INPUT, "%s: %s: the dimension is %d, not 2 or 3", hdf5->name,
                         group, friction->dimension);
    }
    TACT_TRY(read_matrix(hdf5, join_path(at, group, "M"), -1, -1, &friction->M));
    TACT_TRY(check_square(hdf5, join_path(at, group, "M"), &friction->M));
    TACT_TRY(read_matrix(hdf5, join_path(at, group, "H"), friction->M.rows, -1, &friction->H));
    TACT_TRY(tact_friction_count(friction, friction->H.columns, &nc));
    TACT_TRY(
        read_hdf5_vector(hdf5, join_path(at, group, "vectors/f"), friction->M.rows, &friction->f));
    TACT_TRY(read_hdf5_vector(hdf5, join_path(at, group, "vectors/w"), friction->H.columns,
                              &friction->w));
    TACT_TRY(read_hdf5_vector(hdf5, join_path(at, group, "vectors/mu"), nc, &friction->mu));
    if (rolls) {
        TACT_TRY(
            read_hdf5_vector(hdf5, join_path(at, group, "vectors/mu_r"), nc, &friction->mu_roll));
    }
    if (tact_hdf5_has(hdf5, join_path(at, group, "G"))) {
        TACT_TRY(read_matrix(hdf5, join_path(at, group, "G"), friction->M.rows, -1, &friction->G));
        TACT_TRY(read_hdf5_vector(hdf5, join_path(at, group, "vectors/b"), friction->G.columns,
                                  &friction->b));
    }
    parts->format = rolls ? "FCLIB, global, rolling friction" : "FCLIB, global";
    return tact_friction_global(friction, parts);
}

/// The title is for people: a file without one, or with a strange one, is as good.
static void read_title(const TactHdf5 *hdf5, const char *path, TactContactParts *parts)
{
    if (tact_hdf5_has(hdf5, path) && tact_hdf5_string(hdf5, path, &parts->title) != TACT_OK) {
        parts->title = NULL;
    }
}

static TactStatus read_file(const TactHdf5 *hdf5, TactContactParts *parts)
{
    TactFrictionMatrices friction = {.name = hdf5->name};
    TactStatus           status;
    if (tact_hdf5_has(hdf5, "fclib_local")) {
        read_title(hdf5, "fclib_local/info/title", parts);
        status = read_local(hdf5, &friction, parts);
    } else if (tact_hdf5_has(hdf5, "fclib_global")) {
        read_title(hdf5, "fclib_global/info/title", parts);
        status = read_global(hdf5, "fclib_global", &friction, parts);
    } else if (tact_hdf5_has(hdf5, "fclib_global_rolling")) {
        read_title(hdf5, "fclib_global_rolling/info/title", parts);
        status = read_global(hdf5, "fclib_global_rolling", &friction, parts);
    } else {
        status =
            tact_fail(TACT_BAD_INPUT,
                      "%s: an HDF5 file without the group fclib_local or fclib_global", hdf5->name);
    }
    tact_friction_destroy(&friction);
    return status;
}

TactStatus tact_fclib_read(TactText *text, TactContactParts *parts)
{
    TactHdf5 hdf5;
    size_t   size = (size_t)(text->end - text->memory);
    TACT_TRY(tact_hdf5_open(&hdf5, text->name, text->memory, size));
    TactStatus status = read_file(&hdf5, parts);
    if (status == TACT_OK && errno == ENOMEM) { // what HDF5 did not find may be there
        status = tact_hdf5_fail(&hdf5, "/", "cannot be read");
    }
    tact_hdf5_close(&hdf5);
    return status;
}

#else

TactStatus tact_fclib_read(TactText *text, TactContactParts *parts)
{
    (void)parts;
    return tact_text_fail(text, TACT_UNSUPPORTED,
                          "an HDF5 file, and this tact was built without HDF5");
}

#endif
