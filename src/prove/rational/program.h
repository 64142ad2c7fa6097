// Linear programs in exact rationals: the least and the most of linear functions over a polyhedron
// of which a point is known.
//
//     row_i(y) = a_i0 + sum_k a_ik y_k,    y free,    row_i >= 0 for all rows that are sides
//
// y = 0 is such a point. The simplex method in the dictionary of these rows: a free y
// enters once and never leaves, sides leave and enter by Bland's rule, so that it ends. Functions
// are rows like any other, and one program goes on where the last one ended.
#ifndef TACT_PROVE_RATIONAL_PROGRAM_H
#define TACT_PROVE_RATIONAL_PROGRAM_H

#ifdef TACT_HAVE_GMP

#include <gmp.h>
#include <stdbool.h>
#include <tact/base.h>

typedef struct TactProgram {
    int            rows, columns;
    mpq_t         *a;      // a_i0, a_i1, ...                            (rows x (columns + 1))
    int           *basic;  // side that a row stands for; -1: none       (rows)
    int           *column; // side that a column stands for, which is 0; -1: a free y  (columns)
    unsigned char *dead;   // the row stands for a free y, which nobody asks for       (rows)
    int            pivots;
    double         end; // tact_time_now() after which it gives up; 0: never
} TactProgram;

typedef enum TactProgramEnd {
    TACT_PROGRAM_FOUND,
    TACT_PROGRAM_UNBOUNDED,
    TACT_PROGRAM_LATE,
} TactProgramEnd;

/// All entries 0, no row a side.
TactStatus tact_program_create(int rows, int columns, TactProgram *program);
void       tact_program_destroy(TactProgram *program);

static inline mpq_t *tact_program_at(const TactProgram *program, int row, int column)
{
    return &program->a[(size_t)row * ((size_t)program->columns + 1) + (size_t)column];
}

/// The row must not be negative. Its constant is not.
void tact_program_set_side(TactProgram *program, int row);

/// The most (sign 1) or the least (sign -1) of a row that is no side, in its constant.
TactProgramEnd tact_program_run(TactProgram *program, int row, int sign);

#endif
#endif
