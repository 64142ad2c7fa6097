#include "prove/search/rows.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

// The operations of two.h and four.h on four lanes. Macros, since vectors are not passed to
// functions.

#define LANES_SUM(s, rest, a, b)                                     \
    do {                                                             \
        TactLanes a_ = (a), b_ = (b), s_ = a_ + b_, part_ = s_ - a_; \
        (rest) = (a_ - (s_ - part_)) + (b_ - part_);                 \
        (s) = s_;                                                    \
    } while (0)

#define LANES_PRODUCT(p, rest, a, b)                                            \
    do {                                                                        \
        TactLanes a_ = (a), b_ = (b), p_ = a_ * b_;                             \
        TactLanes ta_ = 134217729 * a_, ah_ = ta_ - (ta_ - a_), al_ = a_ - ah_; \
        TactLanes tb_ = 134217729 * b_, bh_ = tb_ - (tb_ - b_), bl_ = b_ - bh_; \
        (rest) = ((ah_ * bh_ - p_) + ah_ * bl_ + al_ * bh_) + al_ * bl_;        \
        (p) = p_;                                                               \
    } while (0)

TACT_LANES_INLINE void lanes_add_two(TactLanes *hi, TactLanes *lo, const TactLanes *x)
{
    TactLanes s, rest, t, low;
    LANES_SUM(s, rest, *hi, x[0]);
    LANES_SUM(t, low, *lo, x[1]);
    TactLanes add = rest + t, one = s + add, more = (add - (one - s)) + low;
    *hi = one + more;
    *lo = more - (*hi - one);
}

TACT_LANES_INLINE void lanes_multiply_two(const TactLanes *a, const TactLanes *b, TactLanes *out)
{
    TactLanes p, rest;
    LANES_PRODUCT(p, rest, a[0], b[0]);
    rest += a[0] * b[1] + a[1] * b[0];
    out[0] = p + rest;
    out[1] = rest - (out[0] - p);
}

TACT_LANES_INLINE void lanes_sum_four(TactLanes *t, int n, TactLanes *out)
{
    for (int pass = 0; pass < 3; pass++) {
        for (int i = n - 2; i >= pass; i--) {
            LANES_SUM(t[i], t[i + 1], t[i], t[i + 1]);
        }
    }
    out[0] = t[0];
    out[1] = t[1];
    out[2] = t[2];
    out[3] = t[3] + t[4];
}

TACT_LANES_INLINE void lanes_multiply_four(const TactLanes *a, const TactLanes *b, TactLanes *out)
{
    TactLanes t[12], rest[6];
    LANES_PRODUCT(t[0], rest[0], a[0], b[0]);
    LANES_PRODUCT(t[1], rest[1], a[0], b[1]);
    LANES_PRODUCT(t[2], rest[2], a[1], b[0]);
    t[3] = rest[0];
    LANES_PRODUCT(t[4], rest[3], a[0], b[2]);
    LANES_PRODUCT(t[5], rest[4], a[1], b[1]);
    LANES_PRODUCT(t[6], rest[5], a[2], b[0]);
    t[7] = rest[1];
    t[8] = rest[2];
    t[9] = a[0] * b[3] + a[1] * b[2];
    t[10] = a[2] * b[1] + a[3] * b[0];
    t[11] = rest[3] + rest[4] + rest[5];
    lanes_sum_four(t, 12, out);
}

TACT_LANES_INLINE void lanes_add_four(TactLanes *y, const TactLanes *x)
{
    TactLanes t[8];
    for (int k = 0; k < 4; k++) {
        LANES_SUM(t[2 * k], t[2 * k + 1], y[k], x[k]);
    }
    lanes_sum_four(t, 8, y);
}

TACT_LANES_INLINE void lanes_load(TactRow row, int i, int parts, TactLanes *x)
{
    for (int k = 0; k < parts; k++) {
        x[k] = *tact_lanes_at(row.part[k] + i);
    }
}

TACT_LANES_INLINE void lanes_store(TactRow row, int i, int parts, const TactLanes *x)
{
    for (int k = 0; k < parts; k++) {
        *(TactLanes *)(row.part[k] + i) = x[k];
    }
}

/// Numbers that are left over after the lanes.
static void add_tail(int i, int n, TactRow y, TactFour factor, TactRow x)
{
    for (; i < n; i++) {
        TactFour product = tact_four_multiply(factor, tact_row_get(x, i));
        tact_row_set(y, i, tact_four_add(tact_row_get(y, i), product));
    }
}

TACT_CLONES static int add_two(int n, TactRow y, const double *factor, TactRow x)
{
    TactLanes f[2];
    int       i = 0;
    for (int k = 0; k < 2; k++) {
        f[k] = (TactLanes){factor[k], factor[k], factor[k], factor[k]};
    }
    for (; i + 4 <= n; i += 4) {
        TactLanes a[2], b[2], product[2];
        lanes_load(x, i, 2, a);
        lanes_load(y, i, 2, b);
        lanes_multiply_two(f, a, product);
        lanes_add_two(&b[0], &b[1], product);
        lanes_store(y, i, 2, b);
    }
    return i;
}

TACT_CLONES static int add_four(int n, TactRow y, const double *factor, TactRow x)
{
    TactLanes f[4];
    int       i = 0;
    for (int k = 0; k < 4; k++) {
        f[k] = (TactLanes){factor[k], factor[k], factor[k], factor[k]};
    }
    for (; i + 4 <= n; i += 4) {
        TactLanes a[4], b[4], product[4];
        lanes_load(x, i, 4, a);
        lanes_load(y, i, 4, b);
        lanes_multiply_four(f, a, product);
        lanes_add_four(b, product);
        lanes_store(y, i, 4, b);
    }
    return i;
}

void tact_row_add(int n, TactRow y, TactFour factor, TactRow x)
{
    int i = y.part[2] ? add_four(n, y, factor.x, x) : add_two(n, y, factor.x, x);
    add_tail(i, n, y, factor, x);
}

/// Sums of four lanes, in out.
TACT_CLONES static int dot_two(int n, TactRow x, TactRow y, double out[2][4])
{
    TactLanes sum[2] = {{0}, {0}};
    int       i = 0;
    for (; i + 4 <= n; i += 4) {
        TactLanes a[2], b[2], product[2];
        lanes_load(x, i, 2, a);
        lanes_load(y, i, 2, b);
        lanes_multiply_two(a, b, product);
        lanes_add_two(&sum[0], &sum[1], product);
    }
    for (int lane = 0; lane < 4; lane++) {
        out[0][lane] = sum[0][lane];
        out[1][lane] = sum[1][lane];
    }
    return i;
}

TACT_CLONES static int dot_four(int n, TactRow x, TactRow y, double out[4][4])
{
    TactLanes sum[4] = {{0}, {0}, {0}, {0}};
    int       i = 0;
    for (; i + 4 <= n; i += 4) {
        TactLanes a[4], b[4], product[4];
        lanes_load(x, i, 4, a);
        lanes_load(y, i, 4, b);
        lanes_multiply_four(a, b, product);
        lanes_add_four(sum, product);
    }
    for (int k = 0; k < 4; k++) {
        for (int lane = 0; lane < 4; lane++) {
            out[k][lane] = sum[k][lane];
        }
    }
    return i;
}

TactFour tact_row_dot(int n, TactRow x, TactRow y)
{
    double   lanes[4][4] = {{0}};
    TactFour sum = {{0, 0, 0, 0}};
    int      i = x.part[2] ? dot_four(n, x, y, lanes) : dot_two(n, x, y, lanes);
    for (int lane = 0; lane < 4; lane++) {
        sum = tact_four_add(
            sum, (TactFour){{lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]}});
    }
    for (; i < n; i++) {
        sum = tact_four_add(sum, tact_four_multiply(tact_row_get(x, i), tact_row_get(y, i)));
    }
    return sum;
}

void tact_row_clear(int n, TactRow row)
{
    for (int k = 0; k < 4 && row.part[k]; k++) {
        memset(row.part[k], 0, (size_t)n * sizeof(double));
    }
}

bool tact_row_invert(int n, TactRow A)
{
    int ld = 2 * n;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            double now = fabs(tact_row_get(A, best * ld + k).x[0]);
            best = fabs(tact_row_get(A, i * ld + k).x[0]) > now ? i : best;
        }
        TactRow own = tact_row_at(A, (size_t)k * (size_t)ld);
        TactRow other = tact_row_at(A, (size_t)best * (size_t)ld);
        if (other.part[0][k] == 0) {
            return false;
        }
        for (int j = 0; j < ld && best != k; j++) {
            TactFour x = tact_row_get(own, j);
            tact_row_set(own, j, tact_row_get(other, j));
            tact_row_set(other, j, x);
        }
        TactFour over = tact_four_divide(tact_four_of(1), tact_row_get(own, k));
        for (int j = 0; j < ld; j++) {
            tact_row_set(own, j, tact_four_multiply(over, tact_row_get(own, j)));
        }
        for (int i = 0; i < n; i++) {
            TactRow  row = tact_row_at(A, (size_t)i * (size_t)ld);
            TactFour factor = tact_four_minus(tact_row_get(row, k));
            if (i != k && tact_four_sign(factor) != 0) {
                tact_row_add(ld, row, factor, own);
            }
        }
    }
    return true;
}
