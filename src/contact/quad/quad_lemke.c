#include "contact/quad/quad_lemke.h"

#include <tact/base.h>

#include "base/budget.h"

// The part of the offset that tells ties apart; entries that are rounding, and free unknowns whose
// own entry shrinks to less are implied by others: problems are given in doubles.
static const double DISTURBANCE = 1e-20, NO_PIVOT = 1e-25, REDUNDANT = 1e-13;

// z0 wins ties.
static const double LEAVE_TIE = 1e-15;

void tact_quad_lemke_layout(TactQuadLemke *lemke, int n, TactArena *arena)
{
    size_t        rows = (size_t)n, columns = rows + 1;
    TactQuadLemke lent = {
        .stride = n + 1,
        .T = tact_arena_take(arena, rows * columns, sizeof(TactQuad)),
        .q = tact_arena_take(arena, rows, sizeof(TactQuad)),
        .disturbed = tact_arena_take(arena, rows, sizeof(TactQuad)),
        .basic = tact_arena_take(arena, rows, sizeof(int)),
        .nonbasic = tact_arena_take(arena, columns, sizeof(int)),
        .free = tact_arena_take(arena, rows, sizeof(bool)),
        .z = tact_arena_take(arena, rows, sizeof(TactQuad)),
    };
    if (arena->block) {
        *lemke = lent;
    }
}

static TactQuad *tableau_row(const TactQuadLemke *lemke, int row)
{
    return lemke->T + (size_t)row * (size_t)lemke->stride;
}

/// The basic variable of a row and the nonbasic one of a column change places.
static void exchange_quad(TactQuadLemke *lemke, int row, int column)
{
    TactQuad *own = tableau_row(lemke, row);
    TactQuad  pivot = own[column];
    for (int j = 0; j < lemke->columns; j++) {
        own[j] = j == column ? 1 / pivot : -own[j] / pivot;
    }
    TactQuad value = -lemke->q[row] / pivot, disturbed = -lemke->disturbed[row] / pivot;
    for (int i = 0; i < lemke->n; i++) {
        TactQuad *other = tableau_row(lemke, i);
        TactQuad  factor = other[column];
        if (i == row || factor == 0) {
            continue;
        }
        for (int j = 0; j < lemke->columns; j++) {
            if (own[j] != 0) {
                other[j] = j == column ? factor * own[j] : other[j] + factor * own[j];
            }
        }
        lemke->q[i] += factor * value;
        lemke->disturbed[i] += factor * disturbed;
    }
    lemke->q[row] = value;
    lemke->disturbed[row] = disturbed;
    int kept = lemke->basic[row];
    lemke->basic[row] = lemke->nonbasic[column];
    lemke->nonbasic[column] = kept;
    lemke->pivots++;
}

/// A column whose variable stays 0.
static void drop(TactQuadLemke *lemke, int column)
{
    int last = lemke->columns - 1;
    for (int i = 0; i < lemke->n; i++) {
        tableau_row(lemke, i)[column] = tableau_row(lemke, i)[last];
    }
    lemke->nonbasic[column] = lemke->nonbasic[last];
    lemke->columns = last;
}

static int tableau_column(const TactQuadLemke *lemke, int variable)
{
    for (int j = 0; j < lemke->columns; j++) {
        if (lemke->nonbasic[j] == variable) {
            return j;
        }
    }
    return -1;
}

/// One exchange more; true: the budget does not allow it.
static bool is_too_much(const TactQuadLemke *lemke)
{
    return tact_budget_spend(2 * TACT_QUAD_WORK * lemke->n * (lemke->columns + 2.0));
}

/// Free unknowns become basic, those of the largest diagonal first, and their rows hold.
static void take_free(TactQuadLemke *lemke)
{
    for (;;) {
        TactQuad largest = 0;
        int      row = -1;
        for (int i = 0; i < lemke->n; i++) {
            TactQuad own = lemke->free[i] && lemke->basic[i] == -1 - i
                               ? tact_quad_abs(tableau_row(lemke, i)[tableau_column(lemke, i)])
                               : 0;
            if (own > largest) {
                largest = own;
                row = i;
            }
        }
        if (row < 0 || !(largest > REDUNDANT) || is_too_much(lemke)) {
            break;
        }
        int column = tableau_column(lemke, row);
        exchange_quad(lemke, row, column);
        drop(lemke, column);
    }
    for (int i = 0; i < lemke->n; i++) {
        if (lemke->free[i] && lemke->basic[i] == -1 - i) {
            drop(lemke, tableau_column(lemke, i)); // others imply it
        }
    }
}

/// The row that blocks a growing nonbasic variable, z_0 where it is among them; -1: none.
static int find_blocking(const TactQuadLemke *lemke, int column)
{
    TactQuad least = -1;
    int      found = -1;
    for (int i = 0; i < lemke->n; i++) {
        TactQuad entry = tableau_row(lemke, i)[column];
        if (lemke->free[i] || !(entry < -NO_PIVOT)) {
            continue;
        }
        TactQuad ratio = lemke->disturbed[i] / -entry;
        bool     last = lemke->basic[i] == lemke->n && ratio <= least * (1 + LEAVE_TIE);
        if (found < 0 || ratio < least || last) {
            least = ratio;
            found = i;
        }
    }
    return found;
}

static bool follow_quad(TactQuadLemke *lemke, int max_pivots)
{
    int      lowest = -1, column = tableau_column(lemke, lemke->n);
    TactQuad least = 0;
    for (int i = 0; i < lemke->n; i++) {
        TactQuad ratio = lemke->free[i] ? 0 : lemke->disturbed[i] / tableau_row(lemke, i)[column];
        if (ratio < least) {
            least = ratio;
            lowest = i;
        }
    }
    if (lowest < 0) {
        return true;
    }
    int left = lemke->basic[lowest];
    exchange_quad(lemke, lowest, column);
    while (lemke->pivots < max_pivots && !is_too_much(lemke)) {
        column = tableau_column(lemke, -1 - left); // the complement of what left
        int row = column < 0 ? -1 : find_blocking(lemke, column);
        if (row < 0) {
            return false;
        }
        left = lemke->basic[row];
        exchange_quad(lemke, row, column);
        if (left == lemke->n) {
            return true;
        }
    }
    return false;
}

bool tact_quad_lemke_solve(TactQuadLemke *lemke, int path, int max_pivots)
{
    TactRandom random = tact_random_seed(11 + (uint64_t)path);
    TactQuad   largest = 0;
    int        n = lemke->n;
    for (int i = 0; i < n; i++) {
        largest = tact_quad_larger(largest, tact_quad_abs(lemke->q[i]));
        lemke->basic[i] = -1 - i;
        lemke->nonbasic[i] = i;
        double cover = path == 0 ? 1 : pow(10, tact_random_uniform(&random, -2, 0));
        tableau_row(lemke, i)[n] = lemke->free[i] ? 0 : cover;
    }
    lemke->nonbasic[n] = n;
    lemke->columns = n + 1;
    lemke->pivots = 0;
    for (int i = 0; i < n; i++) {
        TactQuad part = DISTURBANCE * tact_random_uniform(&random, 0.5, 1);
        lemke->disturbed[i] = lemke->q[i] + part * largest;
    }
    take_free(lemke);
    bool solved = follow_quad(lemke, max_pivots);
    for (int i = 0; i < n; i++) {
        lemke->z[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (lemke->basic[i] >= 0 && lemke->basic[i] < n) {
            lemke->z[lemke->basic[i]] = lemke->q[i];
        }
    }
    return solved;
}
