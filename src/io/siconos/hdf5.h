// HDF5 files in memory, with messages that name file and dataset. Only in a build with HDF5.
#ifndef TACT_IO_SICONOS_HDF5_H
#define TACT_IO_SICONOS_HDF5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <tact/base.h>

typedef struct TactHdf5 {
    const char *name;   // of the file, for messages
    size_t      size;   // of the file, bytes
    hid_t       file;   //
    hid_t       access; // nothing outside this file is opened
    H5E_auto2_t report; // who prints HDF5's errors otherwise
    void       *report_context;
} TactHdf5;

/// Opens a file that is in memory, to be read. What fails leaves nothing to close. Until it is
/// closed HDF5 prints no errors and no other thread gets past here: not every HDF5 bears threads.
TactStatus tact_hdf5_open(TactHdf5 *hdf5, const char *name, const void *bytes, size_t size);
/// A new file in memory, to be written.
TactStatus tact_hdf5_create(TactHdf5 *hdf5, const char *name);
void       tact_hdf5_close(TactHdf5 *hdf5);
/// The bytes of a file that was created; the block is from tact_allocate().
TactStatus tact_hdf5_image(const TactHdf5 *hdf5, void **block, size_t *size);

/// Fails with the file, the dataset and what HDF5 says.
TactStatus tact_hdf5_fail(const TactHdf5 *hdf5, const char *path, const char *what);

/// Is there a group or dataset of this path?
bool tact_hdf5_has(const TactHdf5 *hdf5, const char *path);

/// Whole datasets. Numbers are finite; a dataset that was created but never written is an error,
/// and so is one that is larger than the file. Blocks are from tact_allocate().
TactStatus tact_hdf5_int(const TactHdf5 *hdf5, const char *path, int lo, int hi, int *value);
TactStatus tact_hdf5_ints(const TactHdf5 *hdf5, const char *path, int **values, size_t *count);
TactStatus tact_hdf5_reals(const TactHdf5 *hdf5, const char *path, double **values, size_t *count);
TactStatus tact_hdf5_string(const TactHdf5 *hdf5, const char *path, char **string);

TactStatus tact_hdf5_put_group(const TactHdf5 *hdf5, const char *path);
TactStatus tact_hdf5_put_ints(const TactHdf5 *hdf5, const char *path, const int *values,
                              size_t count);
TactStatus tact_hdf5_put_reals(const TactHdf5 *hdf5, const char *path, const double *values,
                               size_t count);
TactStatus tact_hdf5_put_string(const TactHdf5 *hdf5, const char *path, const char *string);

#endif
