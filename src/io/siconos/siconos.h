// Siconos's text files, as its fscanf and fprintf have them.
#ifndef TACT_IO_SICONOS_SICONOS_H
#define TACT_IO_SICONOS_SICONOS_H

#include "io/file.h"
#include "io/problem/problem.h"
#include "io/text.h"

/// A MATRIX: storage (0 dense, 1 sparse block, 2 sparse), rows, columns, body.
TactStatus tact_siconos_matrix(TactText *text, TactMatrix *matrix, int *storage);

/// Storage 2 after the sizes, which are in the matrix: origin and the print of a CSparse matrix.
TactStatus tact_siconos_sparse(TactText *text, TactMatrix *matrix);

/// A whole file: LCP, MLCP, or a friction problem.
TactStatus tact_siconos_lcp(TactText *text, TactLcpParts *parts);
TactStatus tact_siconos_mlcp(TactText *text, TactLcpParts *parts);
TactStatus tact_siconos_friction(TactText *text, TactContactParts *parts);

/// A remark may follow the problem; numbers there are more doubtful.
void tact_siconos_tell_the_rest(TactText *text);

#include "io/siconos/fclib.h"
#ifdef TACT_HAVE_HDF5
#include "io/siconos/hdf5.h"
#endif

#endif
