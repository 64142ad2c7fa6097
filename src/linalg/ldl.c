#include "linalg/ldl.h"

#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// Every row of U is followed by so many zeros, and so are the vectors that are solved for: the
// loops then need no remainder.
enum { PAD = 8 };

void tact_ldl_layout(TactLdl *ldl, int capacity, TactArena *arena)
{
    size_t n = (size_t)capacity;
    size_t ld = (n + 7) / 8 * 8 + PAD;
    ldl->capacity = capacity;
    ldl->ld = (int)ld;
    ldl->n = 0;
    ldl->U = tact_arena_take(arena, n * ld, sizeof *ldl->U);
    ldl->d = tact_arena_take(arena, n, sizeof *ldl->d);
    ldl->inv = tact_arena_take(arena, n, sizeof *ldl->inv);
    ldl->work = tact_arena_take(arena, 2 * ld, sizeof *ldl->work);
}

static inline void set_pivot(TactLdl *ldl, int j, double pivot)
{
    ldl->d[j] = pivot;
    ldl->inv[j] = 1 / pivot;
}

static inline double *second_work(const TactLdl *ldl)
{
    return ldl->work + ldl->ld;
}

static inline double *factor_row(const TactLdl *ldl, int j)
{
    return ldl->U + (size_t)j * (size_t)ldl->ld;
}

// ---------------------------------------------------------------------------------------------
// Factor: row j of D U is A_j - sum_c d_c U_cj U_c over the rows c < j, in the columns from j on.

TACT_LANES_INLINE void eliminate_row(const TactLdl *ldl, int n, int j)
{
    size_t        ld = (size_t)ldl->ld;
    const double *d = ldl->d;
    double       *row = factor_row(ldl, j) + j;
    int           c = 0;
    for (; c + 4 <= j; c += 4) {
        const double *U = factor_row(ldl, c) + j;
        double        minus[4] = {-U[0] * d[c], -U[ld] * d[c + 1], -U[2 * ld] * d[c + 2],
                                  -U[3 * ld] * d[c + 3]};
        tact_lanes_axpy4(n - j, minus, U, ld, row);
    }
    for (; c < j; c++) {
        const double *U = factor_row(ldl, c) + j;
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
        double *row = factor_row(ldl, c);
        double  u = row[j];
        row[j] = row[last];
        row[last] = u;
    }
}

TACT_CLONES static void factor_rows(TactLdl *ldl, int n, const double *A, size_t ld, int *index,
                                    double tol)
{
    int j = 0;
    while (j < n) {
        double       *row = factor_row(ldl, j);
        const double *A_row = A + (size_t)index[j] * ld;
        for (int i = j; i < n; i++) {
            row[i] = A_row[index[i]];
        }
        double smallest = tol * row[j];
        eliminate_row(ldl, n, j);
        if (row[j] > 0 && row[j] > smallest) {
            set_pivot(ldl, j, row[j]);
            tact_lanes_scale(n - 1 - j, ldl->inv[j], row + j + 1);
            j++;
        } else {
            leave_out(ldl, n, j, index);
            n--;
        }
    }
    for (j = 0; j < n; j++) {
        memset(factor_row(ldl, j) + n, 0, PAD * sizeof(double));
    }
    ldl->n = n;
}

void tact_ldl_factor(TactLdl *ldl, int n, const double *A, int ld, int *index, double tol)
{
    factor_rows(ldl, n, A, (size_t)ld, index, tol);
}

// ---------------------------------------------------------------------------------------------
// Solve

// Both go four rows at a time: the triangle of four on the diagonal by hand, the rest of the four
// rows as one product. One row at a time would wait for the sum of the last one.

/// y := L^-1 y, y with its padding
TACT_CLONES static void forward(int n, const double *U, size_t ld, double *y)
{
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        const double *u0 = U + (size_t)j * (ld + 1), *u1 = u0 + ld, *u2 = u1 + ld;
        double       *x = y + j;
        x[1] -= u0[1] * x[0];
        x[2] = (x[2] - u0[2] * x[0]) - u1[2] * x[1];
        x[3] = ((x[3] - u0[3] * x[0]) - u1[3] * x[1]) - u2[3] * x[2];
        double minus[4] = {-x[0], -x[1], -x[2], -x[3]};
        tact_lanes_axpy4((n - j - 1) / 4 * 4, minus, u0 + 4, ld, x + 4);
    }
    for (; j < n; j++) {
        const double *u = U + (size_t)j * (ld + 1);
        tact_lanes_axpy(n - 1 - j, -y[j], u + 1, y + j + 1);
    }
}

/// sums[r] = the four lanes of s_r added, in a fixed order
#define ADD_LANES(sums, s0, s1, s2, s3)                                  \
    do {                                                                 \
        TactLanes e01_ = __builtin_shufflevector(s0, s1, 0, 4, 2, 6);    \
        TactLanes o01_ = __builtin_shufflevector(s0, s1, 1, 5, 3, 7);    \
        TactLanes e23_ = __builtin_shufflevector(s2, s3, 0, 4, 2, 6);    \
        TactLanes o23_ = __builtin_shufflevector(s2, s3, 1, 5, 3, 7);    \
        TactLanes l0_ = __builtin_shufflevector(e01_, e23_, 0, 1, 4, 5); \
        TactLanes l2_ = __builtin_shufflevector(e01_, e23_, 2, 3, 6, 7); \
        TactLanes l1_ = __builtin_shufflevector(o01_, o23_, 0, 1, 4, 5); \
        TactLanes l3_ = __builtin_shufflevector(o01_, o23_, 2, 3, 6, 7); \
        (sums) = (l0_ + l2_) + (l1_ + l3_);                              \
    } while (0)

/// x := L'^-1 x, x with its padding
TACT_CLONES static void backward(int n, const double *U, size_t ld, double *x)
{
    int j = n - 1;
    for (; (j + 1) % 4 != 0; j--) {
        const double *u = U + (size_t)j * (ld + 1);
        for (int i = 1; j + i < n; i++) {
            x[j] -= u[i] * x[j + i];
        }
    }
    TactLanes last = *tact_lanes_at(x + j + 1); // the four before, not yet read back from memory
    for (j -= 3; j >= 0; j -= 4) {
        const double *u0 = U + (size_t)j * (ld + 1), *u1 = u0 + ld, *u2 = u1 + ld, *u3 = u2 + ld;
        TactLanes     a0 = *tact_lanes_at(u0 + 4) * last, a1 = *tact_lanes_at(u1 + 4) * last;
        TactLanes     a2 = *tact_lanes_at(u2 + 4) * last, a3 = *tact_lanes_at(u3 + 4) * last;
        TactLanes     b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
        for (int i = 8; j + i < n; i += 8) {
            TactLanes x0 = *tact_lanes_at(x + j + i), x1 = *tact_lanes_at(x + j + i + 4);
            a0 += *tact_lanes_at(u0 + i) * x0;
            b0 += *tact_lanes_at(u0 + i + 4) * x1;
            a1 += *tact_lanes_at(u1 + i) * x0;
            b1 += *tact_lanes_at(u1 + i + 4) * x1;
            a2 += *tact_lanes_at(u2 + i) * x0;
            b2 += *tact_lanes_at(u2 + i + 4) * x1;
            a3 += *tact_lanes_at(u3 + i) * x0;
            b3 += *tact_lanes_at(u3 + i + 4) * x1;
        }
        a0 += b0;
        a1 += b1;
        a2 += b2;
        a3 += b3;
        TactLanes sum;
        ADD_LANES(sum, a0, a1, a2, a3);
        sum = *tact_lanes_at(x + j) - sum;
        double x3 = sum[3];
        double x2 = sum[2] - u2[3] * x3;
        double x1 = (sum[1] - u1[3] * x3) - u1[2] * x2;
        double x0 = ((sum[0] - u0[3] * x3) - u0[2] * x2) - u0[1] * x1;
        last = (TactLanes){x0, x1, x2, x3};
        *(TactLanes *)(x + j) = last;
    }
}

void tact_ldl_forward(const TactLdl *ldl, const double *a, double *y)
{
    size_t  bytes = (size_t)ldl->n * sizeof *y;
    double *x = ldl->work;
    if (ldl->n > 0) {
        memcpy(x, a, bytes);
        memset(x + ldl->n, 0, PAD * sizeof *x);
        forward(ldl->n, ldl->U, (size_t)ldl->ld, x);
        memcpy(y, x, bytes);
    }
}

TACT_CLONES static void multiply_entries(int n, const double *a, const double *b, double *out)
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
    double *work = ldl->work;
    if (ldl->n > 0) {
        multiply_entries(ldl->n, y, ldl->inv, work);
        memset(work + ldl->n, 0, PAD * sizeof *work);
        backward(ldl->n, ldl->U, (size_t)ldl->ld, work);
        memcpy(x, work, (size_t)ldl->n * sizeof *x);
    }
}

void tact_ldl_solve(const TactLdl *ldl, const double *b, double *x)
{
    tact_ldl_forward(ldl, b, x);
    tact_ldl_backward(ldl, x, x);
}

double tact_ldl_pivot(const TactLdl *ldl, const double *y, double diagonal)
{
    multiply_entries(ldl->n, y, ldl->inv, ldl->work);
    return diagonal - tact_vec_dot(ldl->n, y, ldl->work);
}

// ---------------------------------------------------------------------------------------------
// Grow and shrink

void tact_ldl_append(TactLdl *ldl, const double *y, double pivot)
{
    int n = ldl->n;
    for (int j = 0; j < n; j++) {
        double *row = factor_row(ldl, j) + n;
        row[0] = y[j] * ldl->inv[j];
        row[PAD] = 0;
    }
    memset(factor_row(ldl, n) + n + 1, 0, PAD * sizeof *y);
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
        update_column(n - 2 - j, v_j, beta, factor_row(ldl, j + 1) + j + 2, v + j + 1 - place,
                      factor_row(ldl, j) + j + 1);
        factor_row(ldl, j)[n - 1] = 0;
    }
}

void tact_ldl_remove(TactLdl *ldl, int place)
{
    int     n = ldl->n;
    int     after = n - 1 - place;
    double *v = ldl->work;
    if (n > 1) {
        memcpy(v, factor_row(ldl, place) + place + 1, (size_t)after * sizeof *v);
        for (int j = 0; j < place; j++) {
            double *row = factor_row(ldl, j) + place; // a zero comes in at the end
            memmove(row, row + 1, (size_t)(after + 1) * sizeof *row);
        }
        shrink(ldl, place, ldl->d[place], v);
    }
    ldl->n = n - 1;
}

// Rows from `place` on have moved down and to the right by one, and get alpha v v' added.
TACT_CLONES static void grow_factor(TactLdl *ldl, int place, double alpha, double *v)
{
    int n = ldl->n; // the new row included
    for (int j = place + 1; j < n; j++) {
        double  v_j = v[j - place - 1];
        double  d = ldl->d[j];
        double  new_d = d + alpha * v_j * v_j;
        double *row = factor_row(ldl, j) + j + 1;
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
    double *y = second_work(ldl);
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
        double *row = factor_row(ldl, j) + place;
        tact_vec_axpy(after, -y[j], row, v);
        pivot -= y[j] * (y[j] * ldl->inv[j]);
        memmove(row + 1, row, (size_t)after * sizeof *row);
        row[0] = y[j] * ldl->inv[j];
    }
    for (int j = n - 1; j >= place; j--) {
        memmove(factor_row(ldl, j + 1) + j + 2, factor_row(ldl, j) + j + 1,
                (size_t)(n - 1 - j) * sizeof *v);
        set_pivot(ldl, j + 1, ldl->d[j]);
    }
    tact_vec_scale(after, 1 / pivot, v);
    memcpy(factor_row(ldl, place) + place + 1, v, (size_t)after * sizeof *v);
    set_pivot(ldl, place, pivot);
    for (int j = 0; j <= n; j++) {
        memset(factor_row(ldl, j) + n + 1, 0, PAD * sizeof *v);
    }
    ldl->n = n + 1;
    grow_factor(ldl, place, -pivot, v);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Drift

double tact_ldl_drift(const TactLdl *ldl, const double *A, int ld, const int *index)
{
    int     n = ldl->n;
    double *product = ldl->work; // L D L' v
    for (int j = 0; j < n; j++) {
        const double *row = factor_row(ldl, j);
        double        sum = j % 2 ? -1 : 1;
        for (int i = j + 1; i < n; i++) {
            sum += i % 2 ? -row[i] : row[i];
        }
        product[j] = sum * ldl->d[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        tact_vec_axpy(n - 1 - j, product[j], factor_row(ldl, j) + j + 1, product + j + 1);
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
