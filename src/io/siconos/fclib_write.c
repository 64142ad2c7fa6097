// Writing FCLIB: a problem given by W as fclib_local, any other as fclib_global, or as
// fclib_global_rolling if one of its contacts resists rolling; contact_matrix_make.c makes the
// matrices. FCLIB has the circular cone and no step: directions of pyramids, ids and h are not
// kept.
#include "base/status.h"
#include "io/problem/problem.h"

#ifdef TACT_HAVE_HDF5
#include <stdio.h>

#include "base/memory.h"
#include "io/output.h"
#include "io/siconos/hdf5.h"

// ---------------------------------------------------------------------------------------------
// Matrices and vectors

static const char *join_path(char path[80], const char *group, const char *name)
{
    snprintf(path, 80, "%s/%s", group, name);
    return path;
}

static TactStatus put_sizes(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix,
                            int nz, int entries)
{
    char path[80];
    TACT_TRY(tact_hdf5_put_group(hdf5, group));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "nzmax"), &entries, 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "m"), &matrix->rows, 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "n"), &matrix->columns, 1));
    return tact_hdf5_put_ints(hdf5, join_path(path, group, "nz"), &nz, 1);
}

static TactStatus put_csr(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix,
                          const TactLcpCsr *csr)
{
    char path[80];
    int  entries = csr->row_start[matrix->rows];
    TACT_TRY(put_sizes(hdf5, group, matrix, -2, entries));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "p"), csr->row_start,
                                (size_t)matrix->rows + 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "i"), csr->column, (size_t)entries));
    return tact_hdf5_put_reals(hdf5, join_path(path, group, "x"), csr->value, (size_t)entries);
}

/// In compressed rows, nz = -2.
static TactStatus put_matrix(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix)
{
    TactLcpCsr csr = {0};
    size_t     repeated;
    TACT_TRY(tact_matrix_to_csr(matrix, &csr, &repeated));
    TactStatus status = put_csr(hdf5, group, matrix, &csr);
    tact_release((void *)csr.row_start);
    tact_release((void *)csr.column);
    tact_release((void *)csr.value);
    return status;
}

static TactStatus put_head(const TactHdf5 *hdf5, const char *group, int dimension)
{
    char path[80];
    TACT_TRY(tact_hdf5_put_group(hdf5, group));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "spacedim"), &dimension, 1));
    TACT_TRY(tact_hdf5_put_group(hdf5, join_path(path, group, "info")));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/title"), "written by tact"));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/description"), ""));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/math_info"), ""));
    return tact_hdf5_put_group(hdf5, join_path(path, group, "vectors"));
}

static TactStatus put_vector(const TactHdf5 *hdf5, const char *group, const char *name,
                             const double *values, int count)
{
    char path[80];
    return tact_hdf5_put_reals(hdf5, join_path(path, group, name), values, (size_t)count);
}

// ---------------------------------------------------------------------------------------------
// The two forms

static TactStatus put_local(const TactHdf5 *hdf5, const TactFrictionMatrices *friction)
{
    const char *group = "fclib_local";
    int         n = friction->W.rows;
    TACT_TRY(put_head(hdf5, group, friction->dimension));
    TACT_TRY(put_matrix(hdf5, "fclib_local/W", &friction->W));
    TACT_TRY(put_vector(hdf5, group, "vectors/q", friction->q, n));
    return put_vector(hdf5, group, "vectors/mu", friction->mu, n / friction->dimension);
}

static TactStatus put_global(const TactHdf5 *hdf5, const TactFrictionMatrices *friction)
{
    const char *group = friction->mu_roll ? "fclib_global_rolling" : "fclib_global";
    int         contacts = friction->H.columns / friction->dimension;
    char        path[80];
    TACT_TRY(put_head(hdf5, group, friction->dimension));
    TACT_TRY(put_matrix(hdf5, join_path(path, group, "M"), &friction->M));
    TACT_TRY(put_vector(hdf5, group, "vectors/f", friction->f, friction->M.rows));
    TACT_TRY(put_matrix(hdf5, join_path(path, group, "H"), &friction->H));
    TACT_TRY(put_vector(hdf5, group, "vectors/w", friction->w, friction->H.columns));
    TACT_TRY(put_vector(hdf5, group, "vectors/mu", friction->mu, contacts));
    if (friction->mu_roll) {
        TACT_TRY(put_vector(hdf5, group, "vectors/mu_r", friction->mu_roll, contacts));
    }
    if (friction->G.columns == 0) {
        return TACT_OK;
    }
    TACT_TRY(put_matrix(hdf5, join_path(path, group, "G"), &friction->G));
    return put_vector(hdf5, group, "vectors/b", friction->b, friction->G.columns);
}

// ---------------------------------------------------------------------------------------------
// The file

static TactStatus make_image(const TactContactProblem   *problem,
                             const TactFrictionMatrices *friction, const char *path, void **image,
                             size_t *size)
{
    TactHdf5 hdf5;
    if (tact_contact_has_W(problem) && friction->mu_roll) {
        return tact_fail(TACT_UNSUPPORTED, "FCLIB has no rolling friction in its local form; write "
                                           ".dat or .json");
    }
    TACT_TRY(tact_hdf5_create(&hdf5, path));
    TactStatus status =
        tact_contact_has_W(problem) ? put_local(&hdf5, friction) : put_global(&hdf5, friction);
    if (status == TACT_OK) {
        status = tact_hdf5_image(&hdf5, image, size);
    }
    tact_hdf5_close(&hdf5);
    return status;
}

TactStatus tact_contact_write_fclib(const TactContactProblem *problem, const char *path)
{
    TactFrictionMatrices friction;
    void                *image = NULL;
    size_t               size = 0;
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(tact_friction_make(problem, "FCLIB", &friction));
    TactStatus status = make_image(problem, &friction, path, &image, &size);
    tact_friction_destroy(&friction);
    TACT_TRY(status);
    TactOutput output;
    status = tact_output_open(&output, path);
    if (status == TACT_OK) {
        fwrite(image, 1, size, output.stream);
        status = tact_output_close(&output);
    }
    tact_release(image);
    return status;
}

#else

TactStatus tact_contact_write_fclib(const TactContactProblem *problem, const char *path)
{
    (void)problem;
    return tact_fail(TACT_UNSUPPORTED, "%s: this tact was built without HDF5", path ? path : "");
}

#endif
