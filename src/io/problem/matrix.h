// A matrix on its way from a file into a problem: dense, or as a list of entries.
#ifndef TACT_IO_PROBLEM_MATRIX_H
#define TACT_IO_PROBLEM_MATRIX_H

#include <stddef.h>
#include <tact/base.h>
#include <tact/lcp.h>

typedef struct TactEntry {
    int    row;
    int    column;
    double value;
} TactEntry;

typedef struct TactMatrix {
    int        rows;
    int        columns;
    double    *dense; // row-major; NULL: it is a list                     (rows x columns)
    TactEntry *entry; // in any order; those at the same place add up      (count)
    size_t     count;
} TactMatrix;

/// Zeroed memory for a dense matrix, or for a list of at most count entries.
TactStatus tact_matrix_create_dense(TactMatrix *matrix, int rows, int columns);
TactStatus tact_matrix_create_list(TactMatrix *matrix, int rows, int columns, size_t count);
void       tact_matrix_destroy(TactMatrix *matrix);

/// A symmetric (sign 1) or skew-symmetric (sign -1) matrix given by one triangle: adds the other.
/// TACT_BAD_INPUT, with *fault the number of the entry, if it has entries in both triangles, or
/// (sign -1) on the diagonal.
TactStatus tact_matrix_mirror(TactMatrix *matrix, double sign, size_t *fault);

/// Turns a list into a dense matrix.
TactStatus tact_matrix_to_dense(TactMatrix *matrix);

/// The entries in compressed sparse rows: columns in ascending order, equal places added up, zeros
/// left out. The three arrays are released by the caller. *repeated counts equal places.
TactStatus tact_matrix_to_csr(const TactMatrix *matrix, TactLcpCsr *csr, size_t *repeated);

/// Rows and columns in another order: new number i was number order[i].
TactStatus tact_matrix_permute(TactMatrix *matrix, const int *order);

#endif
