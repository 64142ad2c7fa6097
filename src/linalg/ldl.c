#include "linalg/ldl.h"

#include <string.h>

#include "base/clones.h"
#include "linalg/lanes.h"
#include "linalg/triangular.h"
#include "linalg/vector.h"

void tact_ldl_layout(TactLdl *ldl, int capacity, TactArena *arena)
{
    size_t n = (size_t)capacity;
    size_t ld = (n + 3) / 4 * 4;
    ldl->capacity = capacity;
    ldl->ld = (int)ld;
    ldl->n = 0;
    ldl->U = tact_arena_take(arena, n * ld, sizeof *ldl->U);
    ldl->d = tact_arena_take(arena, n, sizeof *ldl->d);
    ldl->inv = tact_arena_take(arena, n, sizeof *ldl->inv);
    ldl->work = tact_arena_take(arena, 2 * n, sizeof *ldl->work);
}

static inline void set_pivot(TactLdl *ldl, int j, double pivot)
{
    ldl->d[j] = pivot;
    ldl->inv[j] = 1 / pivot;
}

static inline double *row_of(const TactLdl *ldl, int j)
{
    return ldl->U + (size_t)j * (size_t)ldl->ld;
}

// ---------------------------------------------------------------------------------------------
// Factor: row j of D U is A_j - sum_c d_c U_cj U_c over the rows c < j, in the columns from j on.

TACT_LANES_INLINE void eliminate(const TactLdl *ldl, int n, int j)
{
    size_t        ld = (size_t)ldl->ld;
    const double *d = ldl->d;
    double       *row = row_of(ldl, j) + j;
    int           c = 0;
    for (; c + 4 <= j; c += 4) {
        const double *U = row_of(ldl, c) + j;
        double        minus[4] = {-U[0] * d[c], -U[ld] * d[c + 1], -U[2 * ld] * d[c + 2],
                                  -U[3 * ld] * d[c + 3]};
        tact_lanes_axpy4(n - j, minus, U, ld, row);
    }
    for (; c < j; c++) {
        const double *U = row_of(ldl, c) + j;
        tact_lanes_axpy(n - j, -U[0] * d[c], U, row);
    }
}

/// Swaps index j with the last one, in the rows that are done.
static void leave_out(TactLdl *ldl, int n, int j, int *index)
{
    int last = n - 1;
    int t = index[j];
    index[j] = index[last];
    index[last] = t;
    for (int c = 0; c < j; c++) {
        double *row = row_of(ldl, c);
        double  u = row[j];
        row[j] = row[last];
        row[last] = u;
    }
}

TACT_CLONES static void factor(TactLdl *ldl, int n, const double *A, size_t ld, int *index,
                               double tol)
{
    int j = 0;
    while (j < n) {
        double       *row = row_of(ldl, j);
        const double *A_row = A + (size_t)index[j] * ld;
        for (int i = j; i < n; i++) {
            row[i] = A_row[index[i]];
        }
        double smallest = tol * row[j];
        eliminate(ldl, n, j);
        if (row[j] > 0 && row[j] > smallest) {
            set_pivot(ldl, j, row[j]);
            tact_lanes_scale(n - 1 - j, ldl->inv[j], row + j + 1);
            j++;
        } else {
            leave_out(ldl, n, j, index);
            n--;
        }
    }
    ldl->n = n;
}

void tact_ldl_factor(TactLdl *ldl, int n, const double *A, int ld, int *index, double tol)
{
    factor(ldl, n, A, (size_t)ld, index, tol);
}

// ---------------------------------------------------------------------------------------------
// Solve

void tact_ldl_forward(const TactLdl *ldl, const double *a, double *y)
{
    if (y != a && ldl->n > 0) {
        memcpy(y, a, (size_t)ldl->n * sizeof *y);
    }
    tact_unit_upper_solve_transposed(ldl->n, ldl->U, ldl->ld, y);
}

TACT_CLONES static void multiply(int n, const double *a, const double *b, double *out)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        *(TactLanes *)(out + i) = *tact_lanes_at(a + i) * *tact_lanes_at(b + i);
    }
    for (; i < n; i++) {
        out[i] = a[i] * b[i];
    }
}

void tact_ldl_backward(const TactLdl *ldl, const double *y, double *x)
{
    multiply(ldl->n, y, ldl->inv, x);
    tact_unit_upper_solve(ldl->n, ldl->U, ldl->ld, x);
}

void tact_ldl_solve(const TactLdl *ldl, const double *b, double *x)
{
    tact_ldl_forward(ldl, b, x);
    tact_ldl_backward(ldl, x, x);
}

double tact_ldl_pivot(const TactLdl *ldl, const double *y, double diagonal)
{
    multiply(ldl->n, y, ldl->inv, ldl->work);
    return diagonal - tact_vec_dot(ldl->n, y, ldl->work);
}

// ---------------------------------------------------------------------------------------------
// Grow and shrink

void tact_ldl_append(TactLdl *ldl, const double *y, double pivot)
{
    int n = ldl->n;
    for (int j = 0; j < n; j++) {
        row_of(ldl, j)[n] = y[j] * ldl->inv[j];
    }
    set_pivot(ldl, n, pivot);
    ldl->n = n + 1;
}

/// The column j of L and its pivot, changed by alpha v v' [Gill, Golub, Murray, Saunders 1974, C1]:
///
///     d~ = d + alpha v_j^2,  beta = alpha v_j / d~,  alpha~ = alpha d / d~,
///     v_r -= v_j l_rj,  l~_rj = l_rj + beta v_r    for r > j
///
/// The count entries of l are read at `from` and written at `to`, which may be the same place.
TACT_LANES_INLINE void update_column(int count, double v_j, double beta, const double *from,
                                     double *v, double *to)
{
    int r = 0;
    for (; r + 4 <= count; r += 4) {
        TactLanes l = *tact_lanes_at(from + r);
        TactLanes new_v = *tact_lanes_at(v + r) - v_j * l;
        *(TactLanes *)(v + r) = new_v;
        *(TactLanes *)(to + r) = l + beta * new_v;
    }
    for (; r < count; r++) {
        double l = from[r];
        v[r] -= v_j * l;
        to[r] = l + beta * v[r];
    }
}

// Rows after `place` move up and to the left by one, and get alpha v v' added:
// L22 D22 L22' + d_p l_p l_p' is what is left of A there when row p goes.
TACT_CLONES static void shrink(TactLdl *ldl, int place, double alpha, double *v)
{
    int n = ldl->n;
    for (int j = place; j + 1 < n; j++) {
        double v_j = v[j - place];
        double d = ldl->d[j + 1];
        double new_d = d + alpha * v_j * v_j;
        set_pivot(ldl, j, new_d);
        double beta = alpha * v_j * ldl->inv[j];
        alpha = alpha * (d * ldl->inv[j]);
        update_column(n - 2 - j, v_j, beta, row_of(ldl, j + 1) + j + 2, v + j + 1 - place,
                      row_of(ldl, j) + j + 1);
    }
}

void tact_ldl_remove(TactLdl *ldl, int place)
{
    int     n = ldl->n;
    int     after = n - 1 - place;
    double *v = ldl->work;
    if (after > 0) {
        memcpy(v, row_of(ldl, place) + place + 1, (size_t)after * sizeof *v);
        for (int j = 0; j < place; j++) {
            double *row = row_of(ldl, j) + place;
            memmove(row, row + 1, (size_t)after * sizeof *row);
        }
        shrink(ldl, place, ldl->d[place], v);
    }
    ldl->n = n - 1;
}

// Rows from `place` on have moved down and to the right by one, and get alpha v v' added.
TACT_CLONES static void grow(TactLdl *ldl, int place, double alpha, double *v)
{
    int n = ldl->n; // the new row included
    for (int j = place + 1; j < n; j++) {
        double  v_j = v[j - place - 1];
        double  d = ldl->d[j];
        double  new_d = d + alpha * v_j * v_j;
        double *row = row_of(ldl, j) + j + 1;
        set_pivot(ldl, j, new_d);
        double beta = alpha * v_j * ldl->inv[j];
        alpha = alpha * (d * ldl->inv[j]);
        update_column(n - 1 - j, v_j, beta, row, v + j - place, row);
    }
}

bool tact_ldl_insert(TactLdl *ldl, int place, const double *a, double diagonal, double tol)
{
    int     n = ldl->n;
    int     after = n - place;
    double *y = ldl->work + ldl->capacity;
    tact_ldl_forward(ldl, a, y);
    double last_pivot = tact_ldl_pivot(ldl, y, diagonal);
    if (!(last_pivot > 0 && last_pivot > tol * diagonal)) {
        return false;
    }
    // y_j for j < place is row `place` of L D; the rest, with only these eliminated, its column.
    double  pivot = diagonal;
    double *v = ldl->work;
    for (int i = place; i < n; i++) {
        v[i - place] = a[i];
    }
    for (int j = 0; j < place; j++) {
        double *row = row_of(ldl, j) + place;
        tact_vec_axpy(after, -y[j], row, v);
        pivot -= y[j] * (y[j] * ldl->inv[j]);
        memmove(row + 1, row, (size_t)after * sizeof *row);
        row[0] = y[j] * ldl->inv[j];
    }
    for (int j = n - 1; j >= place; j--) {
        memmove(row_of(ldl, j + 1) + j + 2, row_of(ldl, j) + j + 1,
                (size_t)(n - 1 - j) * sizeof *v);
        set_pivot(ldl, j + 1, ldl->d[j]);
    }
    tact_vec_scale(after, 1 / pivot, v);
    memcpy(row_of(ldl, place) + place + 1, v, (size_t)after * sizeof *v);
    set_pivot(ldl, place, pivot);
    ldl->n = n + 1;
    grow(ldl, place, -pivot, v);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Drift

double tact_ldl_drift(const TactLdl *ldl, const double *A, int ld, const int *index)
{
    int     n = ldl->n;
    double *product = ldl->work; // L D L' v
    for (int j = 0; j < n; j++) {
        const double *row = row_of(ldl, j);
        double        sum = j % 2 ? -1 : 1;
        for (int i = j + 1; i < n; i++) {
            sum += i % 2 ? -row[i] : row[i];
        }
        product[j] = sum * ldl->d[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        tact_vec_axpy(n - 1 - j, product[j], row_of(ldl, j) + j + 1, product + j + 1);
    }
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const double *A_row = A + (size_t)index[i] * (size_t)ld;
        double        sum = 0;
        double        size = 0;
        for (int j = 0; j < n; j++) {
            sum += j % 2 ? -A_row[index[j]] : A_row[index[j]];
            size += fabs(A_row[index[j]]);
        }
        double error = fabs(sum - product[i]) / size;
        worst = error > worst ? error : worst;
    }
    return worst;
}
