#include "lcp/pivot/ratio.h"

#include <math.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

// What counts as blocking.
typedef struct Test {
    double sign;     // of the rates
    double floor;    // lower values count as this: 0, or -infinity while z0 enters
    double smallest; // signed rates of no more than this do not block
    double slack;
} Test;

static double smaller(double a, double b)
{
    return b < a ? b : a;
}

static double least_lane(const TactLanes *x)
{
    return smaller(smaller((*x)[0], (*x)[1]), smaller((*x)[2], (*x)[3]));
}

/// One ratio; lowers ratios->least and ratios->bound.
static double test_one(const Test *test, double value, double rate, TactRatios *ratios)
{
    double blocking = test->sign * rate;
    if (!(blocking > test->smallest)) {
        return HUGE_VAL;
    }
    double floored = value > test->floor ? value : test->floor;
    ratios->least = smaller(ratios->least, floored / blocking);
    ratios->bound = smaller(ratios->bound, (floored + test->slack) / blocking);
    return floored / blocking;
}

/// The same of four at a time. A minimum is the same in any order.
TACT_CLONES static void test_all(int count, const Test *test, const double *value,
                                 const double *rate, double *restrict ratio, TactRatios *ratios)
{
    TactLanes zero = {0};
    TactLanes infinite = zero + HUGE_VAL;
    TactLanes floor = zero + test->floor;
    TactLanes least = infinite, bound = infinite;
    int       i = 0;
    for (; i + 4 <= count; i += 4) {
        TactLanes blocking = test->sign * *tact_lanes_at(rate + i);
        TactLanes v = *tact_lanes_at(value + i);
        TactMask  blocks = blocking > zero + test->smallest;
        TactLanes above = TACT_LANES_SELECT(v > floor, v, floor);
        TactLanes below = TACT_LANES_SELECT(blocks, blocking, zero + 1);
        above = TACT_LANES_SELECT(blocks, above, infinite);
        TactLanes exact = above / below;
        TactLanes slack = (above + test->slack) / below;
        *(TactLanes *)(ratio + i) = exact;
        least = TACT_LANES_SELECT(exact < least, exact, least);
        bound = TACT_LANES_SELECT(slack < bound, slack, bound);
    }
    ratios->least = smaller(ratios->least, least_lane(&least));
    ratios->bound = smaller(ratios->bound, least_lane(&bound));
    for (; i < count; i++) {
        ratio[i] = test_one(test, value[i], rate[i], ratios);
    }
}

TactRatios tact_ratios_compute(TactPivot *pivot, const TactLcpConfig *config, TactRatioPhase phase,
                               double slack)
{
    bool       enter = phase == TACT_RATIO_ENTER;
    Test       test = {.sign = enter ? 1 : -1,
                       .floor = enter ? -HUGE_VAL : 0,
                       .smallest = enter ? 0 : config->pivot_tol * pivot->column_size,
                       .slack = slack};
    TactRatios ratios = {.sign = test.sign, .least = HUGE_VAL, .bound = HUGE_VAL};
    test_all(pivot->n, &test, pivot->w, pivot->dw, pivot->ratio + pivot->n + 1, &ratios);
    for (int c = 0; c < pivot->k; c++) {
        bool free = pivot->is_free[pivot->col[c]];
        pivot->ratio[c] = free ? HUGE_VAL : test_one(&test, pivot->z[c], pivot->dz[c], &ratios);
    }
    return ratios;
}

int tact_ratios_list(TactPivot *pivot, double limit)
{
    const double *ratio = pivot->ratio;
    int           count = 0;
    for (int c = 0; c < pivot->k; c++) {
        if (ratio[c] <= limit) {
            pivot->list[count++] = pivot->col[c];
        }
    }
    for (int variable = pivot->n + 1; variable <= 2 * pivot->n; variable++) {
        if (ratio[variable] <= limit) {
            pivot->list[count++] = variable;
        }
    }
    return count;
}

TACT_CLONES static double lowest_w_after(int n, const double *w, const double *dw, double step)
{
    TactLanes lanes = {0};
    int       i = 0;
    for (; i + 4 <= n; i += 4) {
        TactLanes after = *tact_lanes_at(w + i) + step * *tact_lanes_at(dw + i);
        lanes = TACT_LANES_SELECT(after < lanes, after, lanes);
    }
    double lowest = least_lane(&lanes);
    for (; i < n; i++) {
        lowest = smaller(lowest, w[i] + step * dw[i]);
    }
    return lowest;
}

double tact_ratio_lowest_after(const TactPivot *pivot, double step)
{
    double lowest = lowest_w_after(pivot->n, pivot->w, pivot->dw, step);
    for (int c = 0; c < pivot->k; c++) {
        if (!pivot->is_free[pivot->col[c]]) {
            lowest = smaller(lowest, pivot->z[c] + step * pivot->dz[c]);
        }
    }
    return lowest;
}
