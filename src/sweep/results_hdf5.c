// The results as an HDF5 file: one dataset a column, of as many numbers as there are trials; the
// outcomes by their numbers, and a group of their words.
#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/sweep.h"

#ifdef TACT_HAVE_HDF5
#include "io/output.h"
#include "io/siconos/siconos.h"

/// A name of a dataset cannot have a slash: it is a colon there.
static TactStatus name_dataset(const char *group, const char *name, char path[TACT_SWEEP_NAME + 64])
{
    int used = snprintf(path, TACT_SWEEP_NAME + 64, "/%s%s", group, name);
    for (char *c = path + 1 + (group[0] ? snprintf(NULL, 0, "%s", group) : 0); *c; c++) {
        *c = *c == '/' ? ':' : *c;
    }
    return used > 0 && used < TACT_SWEEP_NAME + 64
               ? TACT_OK
               : tact_fail(TACT_BAD_INPUT, "the name of column '%s' is too long", name);
}

static TactStatus put_columns(const TactSweep *sweep, const TactSweepResults *results,
                              const TactHdf5 *hdf5)
{
    size_t  rows = (size_t)results->count, columns = (size_t)results->column_count;
    double *column = NULL;
    char    path[TACT_SWEEP_NAME + 64];
    TACT_TRY(tact_allocate(rows + 1, sizeof *column, (void **)&column));
    TactStatus status = TACT_OK;
    for (size_t i = 0; i < columns && status == TACT_OK; i++) {
        for (size_t k = 0; k < rows; k++) {
            column[k] = results->values[k * columns + i];
        }
        status = name_dataset("", sweep->plan.columns[i], path);
        if (status == TACT_OK) {
            status = tact_hdf5_put_reals(hdf5, path, column, rows);
        }
    }
    tact_release(column);
    TACT_TRY(status);
    TACT_TRY(tact_hdf5_put_group(hdf5, "/outcomes"));
    for (int i = 0; i < sweep->plan.outcome_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        TACT_TRY(name_dataset("outcomes/", number, path));
        TACT_TRY(tact_hdf5_put_string(hdf5, path, sweep->plan.outcomes[i]));
    }
    return TACT_OK;
}

static TactStatus write_bytes(const char *path, const void *bytes, size_t size)
{
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    bool       whole = fwrite(bytes, 1, size, output.stream) == size;
    TactStatus closed = tact_output_close(&output);
    return closed != TACT_OK || whole ? closed
                                      : tact_fail(TACT_IO_ERROR, "%s: cannot be written", path);
}

TactStatus tact_sweep_results_write_hdf5(const TactSweep *sweep, const TactSweepResults *results,
                                         const char *path)
{
    TACT_NEED(sweep && results && path, "tact_sweep_results_write_hdf5");
    TactHdf5 hdf5;
    void    *bytes = NULL;
    size_t   size = 0;
    TACT_TRY(tact_hdf5_create(&hdf5, path));
    TactStatus status = put_columns(sweep, results, &hdf5);
    if (status == TACT_OK) {
        status = tact_hdf5_image(&hdf5, &bytes, &size);
    }
    tact_hdf5_close(&hdf5);
    if (status == TACT_OK) {
        status = write_bytes(path, bytes, size);
    }
    tact_release(bytes);
    return status;
}

#else

TactStatus tact_sweep_results_write_hdf5(const TactSweep *sweep, const TactSweepResults *results,
                                         const char *path)
{
    TACT_NEED(sweep && results && path, "tact_sweep_results_write_hdf5");
    return tact_fail(TACT_UNSUPPORTED, "%s: this build of tact has no HDF5", path);
}
#endif
