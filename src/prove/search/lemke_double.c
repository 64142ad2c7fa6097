#include "prove/search/lemke_double.h"

#include <math.h>
#include <tact/base.h>

#include "prove/search/two.h"

typedef struct Tableau {
    int     n, columns;
    double *hi, *lo;
    int    *basic, *carried;
} Tableau;

static inline TactTwo get(const Tableau *t, int row, int column)
{
    size_t k = (size_t)row * (size_t)t->columns + (size_t)column;
    return (TactTwo){t->hi[k], t->lo[k]};
}

static inline void set(const Tableau *t, int row, int column, TactTwo x)
{
    size_t k = (size_t)row * (size_t)t->columns + (size_t)column;
    t->hi[k] = x.hi;
    t->lo[k] = x.lo;
}

/// other += factor own
static void add_row(int count, double *restrict hi, double *restrict lo, TactTwo factor,
                    const double *restrict own_hi, const double *restrict own_lo)
{
    for (int j = 0; j < count; j++) {
        TactTwo x = tact_two_add((TactTwo){hi[j], lo[j]},
                                 tact_two_multiply(factor, (TactTwo){own_hi[j], own_lo[j]}));
        hi[j] = x.hi;
        lo[j] = x.lo;
    }
}

static void exchange(Tableau *t, int row, int column)
{
    TactTwo pivot = get(t, row, column), inverse = tact_two_divide((TactTwo){1, 0}, pivot);
    size_t  width = (size_t)t->columns, own = (size_t)row * width;
    for (int j = 0; j < t->columns; j++) {
        TactTwo x = tact_two_multiply(get(t, row, j), inverse);
        set(t, row, j, (TactTwo){-x.hi, -x.lo});
    }
    set(t, row, column, inverse);
    for (int i = 0; i < t->n; i++) {
        TactTwo factor = get(t, i, column);
        if (i != row && (factor.hi != 0 || factor.lo != 0)) {
            size_t at = (size_t)i * width;
            set(t, i, column, (TactTwo){0, 0});
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
    int     best = -1;
    TactTwo least = {0, 0};
    double  size = 0;
    for (int i = 0; i < t->n; i++) {
        size = fmax(size, fabs(get(t, i, column).hi));
    }
    for (int i = 0; i < t->n; i++) {
        TactTwo rate = get(t, i, column);
        if (!(rate.hi < -1e-26 * size)) {
            continue;
        }
        TactTwo ratio = tact_two_divide(get(t, i, t->columns - 1), (TactTwo){-rate.hi, -rate.lo});
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
