#include "oracle/exact_lp.h"

#include <stdlib.h>

static mpq_t *numbers(size_t count)
{
    mpq_t *x = malloc((count + 1) * sizeof *x);
    for (size_t k = 0; k < count && x; k++) {
        mpq_init(x[k]);
    }
    return x;
}

static void release(mpq_t *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        mpq_clear(x[k]);
    }
    free(x);
}

void exact_lp_create(ExactLp *lp, int rows, int columns)
{
    lp->rows = rows;
    lp->columns = columns;
    lp->A = numbers((size_t)rows * (size_t)columns);
    lp->b = numbers((size_t)rows);
    lp->c = numbers((size_t)columns);
}

void exact_lp_destroy(ExactLp *lp)
{
    release(lp->A, (size_t)lp->rows * (size_t)lp->columns);
    release(lp->b, (size_t)lp->rows);
    release(lp->c, (size_t)lp->columns);
}

/// A tableau with an artificial variable a row, costs of both phases below, the right side last.
typedef struct Tableau {
    int    rows, columns; // columns without the right side
    int    own;           // columns that are not artificial
    mpq_t *t;             // ((rows + 2) x (columns + 1))
    int   *basic;
} Tableau;

static mpq_t *cell(const Tableau *tableau, int i, int j)
{
    return &tableau->t[i * (tableau->columns + 1) + j];
}

static void begin(const ExactLp *lp, Tableau *tableau)
{
    tableau->rows = lp->rows;
    tableau->own = lp->columns;
    tableau->columns = lp->columns + lp->rows;
    tableau->t = numbers((size_t)(lp->rows + 2) * (size_t)(tableau->columns + 1));
    tableau->basic = malloc(((size_t)lp->rows + 1) * sizeof(int));
    for (int i = 0; i < lp->rows; i++) {
        bool turn = mpq_sgn(lp->b[i]) < 0;
        for (int j = 0; j <= lp->columns; j++) {
            bool   right = j == lp->columns;
            mpq_t *to = cell(tableau, i, right ? tableau->columns : j);
            mpq_set(*to, right ? lp->b[i] : *exact_lp_at(lp, i, j));
            if (turn) {
                mpq_neg(*to, *to);
            }
            // The cost of phase one: the sum of what is artificial.
            mpq_t *cost = cell(tableau, lp->rows, right ? tableau->columns : j);
            mpq_sub(*cost, *cost, *to);
        }
        mpq_set_ui(*cell(tableau, i, lp->columns + i), 1, 1);
        tableau->basic[i] = lp->columns + i;
    }
    for (int j = 0; j < lp->columns; j++) {
        mpq_set(*cell(tableau, lp->rows + 1, j), lp->c[j]);
    }
}

static void exchange(Tableau *tableau, int row, int column)
{
    mpq_t factor, product;
    mpq_inits(factor, product, NULL);
    mpq_set(factor, *cell(tableau, row, column));
    for (int j = 0; j <= tableau->columns; j++) {
        mpq_div(*cell(tableau, row, j), *cell(tableau, row, j), factor);
    }
    for (int i = 0; i < tableau->rows + 2; i++) {
        mpq_set(factor, *cell(tableau, i, column));
        for (int j = 0; j <= tableau->columns && i != row && mpq_sgn(factor) != 0; j++) {
            mpq_mul(product, factor, *cell(tableau, row, j));
            mpq_sub(*cell(tableau, i, j), *cell(tableau, i, j), product);
        }
    }
    tableau->basic[row] = column;
    mpq_clears(factor, product, NULL);
}

/// By Bland's rule on a row of costs; false: unbounded.
static bool improve(Tableau *tableau, int cost)
{
    mpq_t ratio, least;
    bool  bounded = true, more = true;
    mpq_inits(ratio, least, NULL);
    while (more && bounded) {
        int column = 0, row = -1;
        while (column < tableau->own && mpq_sgn(*cell(tableau, cost, column)) >= 0) {
            column++;
        }
        more = column < tableau->own;
        for (int i = 0; i < tableau->rows && more; i++) {
            // What is artificial and 0 leaves as soon as it can.
            bool idle = tableau->basic[i] >= tableau->own && cost > tableau->rows &&
                        mpq_sgn(*cell(tableau, i, column)) != 0;
            if (!idle && mpq_sgn(*cell(tableau, i, column)) <= 0) {
                continue;
            }
            mpq_div(ratio, *cell(tableau, i, tableau->columns), *cell(tableau, i, column));
            int order = row < 0 ? -1 : mpq_cmp(ratio, least);
            if (order < 0 || (order == 0 && tableau->basic[i] < tableau->basic[row])) {
                mpq_set(least, ratio);
                row = i;
            }
        }
        bounded = !more || row >= 0;
        if (more && bounded) {
            exchange(tableau, row, column);
        }
    }
    mpq_clears(ratio, least, NULL);
    return bounded;
}

ExactLpEnd exact_lp_solve(const ExactLp *lp, mpq_t least)
{
    Tableau    tableau;
    ExactLpEnd end = EXACT_LP_FOUND;
    begin(lp, &tableau);
    improve(&tableau, lp->rows);
    if (mpq_sgn(*cell(&tableau, lp->rows, tableau.columns)) != 0) {
        end = EXACT_LP_INFEASIBLE;
    } else if (!improve(&tableau, lp->rows + 1)) {
        end = EXACT_LP_UNBOUNDED;
    } else {
        mpq_neg(least, *cell(&tableau, lp->rows + 1, tableau.columns));
    }
    release(tableau.t, (size_t)(lp->rows + 2) * (size_t)(tableau.columns + 1));
    free(tableau.basic);
    return end;
}
