#include <tact/base.h>

#include "prove/rational/program.h"

#ifdef TACT_HAVE_GMP

#include "base/memory.h"
#include "base/status.h"
#include "prove/room.h"

TactStatus tact_program_create(int rows, int columns, TactProgram *program)
{
    size_t count = (size_t)rows * ((size_t)columns + 1);
    void  *a = NULL, *basic = NULL, *column = NULL, *dead = NULL;
    *program = (TactProgram){.rows = rows, .columns = columns};
    TACT_TRY(tact_allocate(count + 1, sizeof(mpq_t), &a));
    program->a = a;
    for (size_t k = 0; k < count; k++) {
        mpq_init(program->a[k]);
    }
    TACT_TRY(tact_allocate((size_t)rows + 1, sizeof(int), &basic));
    program->basic = basic;
    TACT_TRY(tact_allocate((size_t)columns + 1, sizeof(int), &column));
    program->column = column;
    TACT_TRY(tact_allocate((size_t)rows + 1, 1, &dead));
    program->dead = dead;
    for (int i = 0; i < rows; i++) {
        program->basic[i] = -1;
    }
    for (int k = 0; k < columns; k++) {
        program->column[k] = -1;
    }
    return TACT_OK;
}

void tact_program_destroy(TactProgram *program)
{
    size_t count = (size_t)program->rows * ((size_t)program->columns + 1);
    for (size_t k = 0; k < count && program->a; k++) {
        mpq_clear(program->a[k]);
    }
    tact_release(program->a);
    tact_release(program->basic);
    tact_release(program->column);
    tact_release(program->dead);
    *program = (TactProgram){0};
}

void tact_program_set_side(TactProgram *program, int row)
{
    program->basic[row] = row;
}

/// The column that improves a row, and in which direction it moves: a free one first, then sides in
/// their order (Bland's rule). -1: none.
static int find_entering(const TactProgram *program, int row, int sign, int *direction)
{
    int found = -1;
    for (int k = 0; k < program->columns; k++) {
        int slope = sign * mpq_sgn(*tact_program_at(program, row, k + 1));
        int side = program->column[k];
        if (slope == 0 || (side >= 0 && slope < 0)) {
            continue;
        }
        if (found < 0 || side < program->column[found]) {
            found = k;
            *direction = slope;
        }
    }
    return found;
}

/// The side that stops a column that moves, the first in their order of those that stop it first;
/// -1: none does.
static int find_leaving(const TactProgram *program, int column, int direction)
{
    mpq_t least, ratio;
    int   found = -1;
    mpq_inits(least, ratio, NULL);
    for (int i = 0; i < program->rows; i++) {
        mpq_t *slope = tact_program_at(program, i, column + 1);
        if (program->basic[i] < 0 || direction * mpq_sgn(*slope) >= 0) {
            continue;
        }
        mpq_div(ratio, *tact_program_at(program, i, 0), *slope);
        mpq_abs(ratio, ratio);
        int order = found < 0 ? -1 : mpq_cmp(ratio, least);
        if (order < 0 || (order == 0 && program->basic[i] < program->basic[found])) {
            mpq_set(least, ratio);
            found = i;
        }
    }
    mpq_clears(least, ratio, NULL);
    return found;
}

/// The column becomes basic in the row: t_s = (x_r - a_r0 - sum a_rk t_k) / a_rs.
static void exchange_side(TactProgram *program, int row, int column)
{
    mpq_t factor, product;
    mpq_inits(factor, product, NULL);
    mpq_inv(factor, *tact_program_at(program, row, column + 1));
    for (int k = 0; k <= program->columns; k++) {
        mpq_t *own = tact_program_at(program, row, k);
        if (k == column + 1) {
            mpq_set(*own, factor);
        } else if (mpq_sgn(*own) != 0) {
            mpq_mul(*own, *own, factor);
            mpq_neg(*own, *own);
        }
    }
    for (int i = 0; i < program->rows; i++) {
        mpq_t *entry = tact_program_at(program, i, column + 1);
        if (i == row || program->dead[i] || mpq_sgn(*entry) == 0) {
            continue;
        }
        mpq_set(factor, *entry);
        mpq_set_ui(*entry, 0, 1);
        for (int k = 0; k <= program->columns; k++) {
            mpq_t *from = tact_program_at(program, row, k), *to = tact_program_at(program, i, k);
            if (mpq_sgn(*from) != 0) {
                mpq_mul(product, factor, *from);
                mpq_add(*to, *to, product);
            }
        }
    }
    mpq_clears(factor, product, NULL);
    int side = program->column[column];
    program->column[column] = program->basic[row];
    program->basic[row] = side;
    program->dead[row] = side < 0;
    program->pivots++;
}

TactProgramEnd tact_program_run(TactProgram *program, int row, int sign)
{
    for (;;) {
        int direction = 0, column = find_entering(program, row, sign, &direction);
        if (column < 0) {
            return TACT_PROGRAM_FOUND;
        }
        int leaving = find_leaving(program, column, direction);
        if (leaving < 0) {
            return TACT_PROGRAM_UNBOUNDED;
        }
        if (tact_room_is_over() || (program->end > 0 && tact_time_now() > program->end)) {
            return TACT_PROGRAM_LATE;
        }
        exchange_side(program, leaving, column);
    }
}

#endif
