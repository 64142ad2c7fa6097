// Matrix Market: one array a file.
#ifndef TACT_IO_PROBLEM_MTX_H
#define TACT_IO_PROBLEM_MTX_H

#include "io/problem/matrix.h"
#include "io/text.h"

/// Reads one array: dense if the file says array, a list if it says coordinate.
TactStatus tact_mtx_parse(TactText *text, TactInfinity infinity, TactMatrix *matrix);

#endif
