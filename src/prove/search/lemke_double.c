#include "prove/search/lemke_double.h"

#include <math.h>
#include <tact/base.h>

/// a + b without error, the rest in *rest [Knuth].
static inline double sum_of(double a, double b, double *rest)
{
    double s = a + b, part = s - a;
    *rest = (a - (s - part)) + (b - part);
    return s;
}

/// a b without error [Dekker, Veltkamp]. No fused operation: the same bits everywhere.
static inline double product_of(double a, double b, double *rest)
{
    double p = a * b, ta = 134217729 * a, tb = 134217729 * b;
    double ah = ta - (ta - a), bh = tb - (tb - b), al = a - ah, bl = b - bh;
    *rest = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return p;
}

typedef struct Two {
    double hi, lo;
} Two;

static inline Two two_normal(double hi, double lo)
{
    double s = hi + lo;
    return (Two){s, lo - (s - hi)};
}

static inline Two two_multiply(Two a, Two b)
{
    double rest, p = product_of(a.hi, b.hi, &rest);
    return two_normal(p, rest + (a.hi * b.lo + a.lo * b.hi));
}

static inline Two two_add(Two a, Two b)
{
    double rest, low, s = sum_of(a.hi, b.hi, &rest), t = sum_of(a.lo, b.lo, &low);
    Two    first = two_normal(s, rest + t);
    return two_normal(first.hi, first.lo + low);
}

/// a / b by two steps of Newton.
static inline Two two_divide(Two a, Two b)
{
    double first = a.hi / b.hi;
    Two    part = two_multiply(b, (Two){-first, 0});
    Two    left = two_add(a, part);
    double second = left.hi / b.hi;
    left = two_add(left, two_multiply(b, (Two){-second, 0}));
    return two_add(two_normal(first, second), (Two){left.hi / b.hi, 0});
}

typedef struct Tableau {
    int     n, columns;
    double *hi, *lo;
    int    *basic, *carried;
} Tableau;

static inline Two get(const Tableau *t, int row, int column)
{
    size_t k = (size_t)row * (size_t)t->columns + (size_t)column;
    return (Two){t->hi[k], t->lo[k]};
}

static inline void set(const Tableau *t, int row, int column, Two x)
{
    size_t k = (size_t)row * (size_t)t->columns + (size_t)column;
    t->hi[k] = x.hi;
    t->lo[k] = x.lo;
}

/// other += factor own
static void add_row(int count, double *restrict hi, double *restrict lo, Two factor,
                    const double *restrict own_hi, const double *restrict own_lo)
{
    for (int j = 0; j < count; j++) {
        Two x = two_add((Two){hi[j], lo[j]}, two_multiply(factor, (Two){own_hi[j], own_lo[j]}));
        hi[j] = x.hi;
        lo[j] = x.lo;
    }
}

static void exchange(Tableau *t, int row, int column)
{
    Two    pivot = get(t, row, column), inverse = two_divide((Two){1, 0}, pivot);
    size_t width = (size_t)t->columns, own = (size_t)row * width;
    for (int j = 0; j < t->columns; j++) {
        Two x = two_multiply(get(t, row, j), inverse);
        set(t, row, j, (Two){-x.hi, -x.lo});
    }
    set(t, row, column, inverse);
    for (int i = 0; i < t->n; i++) {
        Two factor = get(t, i, column);
        if (i != row && (factor.hi != 0 || factor.lo != 0)) {
            size_t at = (size_t)i * width;
            set(t, i, column, (Two){0, 0});
            add_row(t->columns, t->hi + at, t->lo + at, factor, t->hi + own, t->lo + own);
        }
    }
    int basic = t->basic[row];
    t->basic[row] = t->carried[column];
    t->carried[column] = basic;
}

/// The row that blocks a column that grows; -1: none. Entries below 1e-26 are what rounding leaves.
static int find_block(const Tableau *t, int column)
{
    int    best = -1;
    Two    least = {0, 0};
    double size = 0;
    for (int i = 0; i < t->n; i++) {
        size = fmax(size, fabs(get(t, i, column).hi));
    }
    for (int i = 0; i < t->n; i++) {
        Two rate = get(t, i, column);
        if (!(rate.hi < -1e-26 * size)) {
            continue;
        }
        Two ratio = two_divide(get(t, i, t->columns - 1), (Two){-rate.hi, -rate.lo});
        if (best < 0 || ratio.hi < least.hi || (ratio.hi == least.hi && ratio.lo < least.lo)) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

static int column_of(const Tableau *t, int which)
{
    for (int j = 0; j < t->columns - 1; j++) {
        if (t->carried[j] == which) {
            return j;
        }
    }
    return -1;
}

bool tact_lemke_double(int n, double *hi, double *lo, int *basic, int *carried, double limit)
{
    Tableau t = {n, n + 2, hi, lo, basic, carried};
    double  start = tact_time_now(), least = 0;
    int     worst = -1;
    for (int j = 0; j <= n; j++) {
        carried[j] = n + j;
    }
    for (int i = 0; i < n; i++) {
        double ratio = get(&t, i, n + 1).hi / get(&t, i, n).hi;
        basic[i] = i;
        if (ratio < least) {
            least = ratio;
            worst = i;
        }
    }
    if (worst < 0) {
        return true;
    }
    exchange(&t, worst, n);
    int driving = worst + n;
    for (int count = 0; count < 20 * n + 100; count++) {
        int column = column_of(&t, driving), row = column >= 0 ? find_block(&t, column) : -1;
        if (row < 0 || (limit > 0 && tact_time_now() - start > limit)) {
            return false;
        }
        int left = basic[row];
        exchange(&t, row, column);
        if (left == 2 * n) {
            return true;
        }
        driving = left < n ? left + n : left - n;
    }
    return false;
}
