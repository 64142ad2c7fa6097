// The parts of a problem as a reader finds them, and the file they become.
#ifndef TACT_IO_FILE_H
#define TACT_IO_FILE_H

#include <tact/io.h>

#include "io/problem/problem.h"

/// What a reader has found; zeroed at first. Arrays are from tact_allocate(); NULL: none.
typedef struct TactLcpParts {
    const char *format;
    TactMatrix  M;
    double     *q;     // (n)
    double     *lo;    // (n)
    double     *hi;    // (n)
    int        *order; // (n)
} TactLcpParts;

void tact_lcp_parts_destroy(TactLcpParts *parts);

/// Makes a checked problem of the parts, which are taken over or destroyed, whatever is returned.
TactStatus tact_lcp_file_create(const char *name, TactLcpParts *parts, TactLcpFile **file);

#endif
