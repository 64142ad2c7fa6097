// Writing Matrix Market: %.17g, which a double survives to the bit.
#include <math.h>
#include <string.h>
#include <tact/io.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/output.h"

// ---------------------------------------------------------------------------------------------
// Arrays

TactStatus tact_mtx_write(const char *path, int rows, int columns, const double *values)
{
    if (!path || rows < 0 || columns < 0 || (!values && rows > 0 && columns > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "path or values is NULL, or a size is negative");
    }
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    fprintf(output.stream, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows && !ferror(output.stream); i++) {
            fprintf(output.stream, "%.17g\n", values[(size_t)i * (size_t)columns + (size_t)j]);
        }
    }
    return tact_output_close(&output);
}

static TactStatus write_csr(const char *path, int n, const TactLcpCsr *M)
{
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    fprintf(output.stream, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n,
            n > 0 ? M->row_start[n] : 0);
    for (int i = 0; i < n && !ferror(output.stream); i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            fprintf(output.stream, "%d %d %.17g\n", i + 1, M->column[k] + 1, M->value[k]);
        }
    }
    return tact_output_close(&output);
}

// ---------------------------------------------------------------------------------------------
// A problem

/// prefix + "_" + name + ".mtx", or NULL if there is no memory.
static TactStatus make_path(const char *prefix, const char *name, char **path)
{
    size_t room = strlen(prefix) + strlen(name) + 8;
    void  *block;
    TACT_TRY(tact_allocate(room, 1, &block));
    *path = block;
    snprintf(*path, room, "%s_%s.mtx", prefix, name);
    return TACT_OK;
}

static TactStatus write_vector(const char *prefix, const char *name, int n, const double *values)
{
    char *path;
    TACT_TRY(make_path(prefix, name, &path));
    TactStatus status = tact_mtx_write(path, n, 1, values);
    tact_release(path);
    return status;
}

/// A bound that the problem leaves out is written all the same: M q lo hi belong together.
static TactStatus write_bound(const char *prefix, const char *name, int n, const double *values,
                              double missing)
{
    if (values) {
        return write_vector(prefix, name, n, values);
    }
    void *block;
    TACT_TRY(tact_allocate((size_t)n, sizeof(double), &block));
    double *bound = block;
    for (int i = 0; i < n; i++) {
        bound[i] = missing;
    }
    TactStatus status = write_vector(prefix, name, n, bound);
    tact_release(bound);
    return status;
}

TactStatus tact_lcp_write_mtx(const TactLcpProblem *problem, const char *prefix)
{
    if (!prefix) {
        return tact_fail(TACT_BAD_ARGUMENT, "prefix is NULL");
    }
    TACT_TRY(tact_lcp_check(problem));
    if (problem->f_index) {
        return tact_fail(TACT_UNSUPPORTED,
                         "Matrix Market files have no place for friction indices");
    }
    char *path;
    TACT_TRY(make_path(prefix, "M", &path));
    TactStatus status = problem->M_csr ? write_csr(path, problem->n, problem->M_csr)
                                       : tact_mtx_write(path, problem->n, problem->n, problem->M);
    tact_release(path);
    TACT_TRY(status);
    TACT_TRY(write_vector(prefix, "q", problem->n, problem->q));
    if (problem->lo || problem->hi) {
        TACT_TRY(write_bound(prefix, "lo", problem->n, problem->lo, 0));
        TACT_TRY(write_bound(prefix, "hi", problem->n, problem->hi, HUGE_VAL));
    }
    return TACT_OK;
}
