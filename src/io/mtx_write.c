// Writing Matrix Market: %.17g, which a double survives to the bit.
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/io.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

// ---------------------------------------------------------------------------------------------
// A file that is complete or not there

typedef struct Output {
    const char *path;   // as the caller said
    char       *target; // the same without symbolic links; NULL: written in place
    char       *draft;  // written first, renamed at the end; NULL: written in place
    FILE       *stream;
    locale_t    locale; // the caller's
} Output;

static TactStatus fail(const Output *output, int error)
{
    return tact_fail(TACT_IO_ERROR, "%s: cannot be written: %s", output->path, strerror(error));
}

static void forget(Output *output)
{
    free(output->target);
    tact_release(output->draft);
    output->target = NULL;
    output->draft = NULL;
}

/// A new file next to the target, with the rights that the target would have.
static TactStatus open_draft(Output *output)
{
    static atomic_uint count;

    const char *target = output->target ? output->target : output->path;
    size_t      room = strlen(target) + 48;
    void       *block;
    TACT_TRY(tact_allocate(room, 1, &block));
    output->draft = block;
    snprintf(output->draft, room, "%s.%ld-%u.part", target, (long)getpid(),
             atomic_fetch_add(&count, 1));
    int descriptor = open(output->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail(output, errno);
    }
    output->stream = fdopen(descriptor, "w");
    if (!output->stream) {
        int error = errno;
        close(descriptor);
        unlink(output->draft);
        return fail(output, error);
    }
    return TACT_OK;
}

static TactStatus open_output(Output *output, const char *path)
{
    *output = (Output){.path = path};
    struct stat about;
    bool        there = stat(path, &about) == 0;
    TactStatus  status = TACT_OK;
    if (there && !S_ISREG(about.st_mode)) { // a pipe or a device is not replaced by a file
        output->stream = fopen(path, "w");
        status = output->stream ? TACT_OK : fail(output, errno);
    } else {
        output->target = there ? realpath(path, NULL) : NULL;
        status = open_draft(output);
    }
    if (status != TACT_OK) {
        forget(output);
        return status;
    }
    output->locale = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); // decimal points
    return TACT_OK;
}

static TactStatus close_output(Output *output)
{
    int error = 0;
    freelocale(uselocale(output->locale));
    errno = 0;
    if (fflush(output->stream) != 0 || ferror(output->stream)) {
        error = errno ? errno : EIO;
    }
    if (fclose(output->stream) != 0 && !error) {
        error = errno;
    }
    const char *target = output->target ? output->target : output->path;
    if (!error && output->draft && rename(output->draft, target) != 0) {
        error = errno;
    }
    if (error && output->draft) {
        unlink(output->draft);
    }
    TactStatus status = error ? fail(output, error) : TACT_OK;
    forget(output);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Arrays

TactStatus tact_mtx_write(const char *path, int rows, int columns, const double *values)
{
    if (!path || rows < 0 || columns < 0 || (!values && rows > 0 && columns > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "path or values is NULL, or a size is negative");
    }
    Output output;
    TACT_TRY(open_output(&output, path));
    fprintf(output.stream, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows && !ferror(output.stream); i++) {
            fprintf(output.stream, "%.17g\n", values[(size_t)i * (size_t)columns + (size_t)j]);
        }
    }
    return close_output(&output);
}

static TactStatus write_csr(const char *path, int n, const TactLcpCsr *M)
{
    Output output;
    TACT_TRY(open_output(&output, path));
    fprintf(output.stream, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n,
            n > 0 ? M->row_start[n] : 0);
    for (int i = 0; i < n && !ferror(output.stream); i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            fprintf(output.stream, "%d %d %.17g\n", i + 1, M->column[k] + 1, M->value[k]);
        }
    }
    return close_output(&output);
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
