// FCLIB: friction problems in HDF5 files, fclib_local and fclib_global [users of Siconos and
// others].
#ifndef TACT_IO_SICONOS_FCLIB_H
#define TACT_IO_SICONOS_FCLIB_H

#include "io/problem/problem.h"
#include "io/text.h"

/// The whole file, from memory. TACT_UNSUPPORTED in a build without HDF5.
TactStatus tact_fclib_read(TactText *text, TactContactParts *parts);

#endif
