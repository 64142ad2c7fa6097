#include "contact/pile/fours.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"

enum { FOUR = TACT_PILE_FOUR, SIZE = TACT_PILE_FOUR_SIZE };

void tact_pile_fours_layout(TactPileFours *fours, size_t items, TactArena *arena)
{
    size_t whole = (items + FOUR - 1) / FOUR * FOUR;
    fours->z = tact_arena_take(arena, 3 * whole, sizeof(double));
    fours->d = tact_arena_take(arena, 3 * whole, sizeof(double));
    fours->mu = tact_arena_take(arena, whole, sizeof(double));
    fours->stiffness = tact_arena_take(arena, whole, sizeof(double));
    fours->state = tact_arena_take(arena, whole, sizeof(double));
}

void tact_pile_fours_begin(TactPileFours *fours, int count)
{
    fours->count = count;
    for (int i = count; i % FOUR != 0; i++) {
        tact_pile_four_set(fours->z, i, (double[3]){0});
        tact_pile_four_set(fours->d, i, (double[3]){0});
        fours->mu[i] = fours->stiffness[i] = 0;
        fours->state[i] = TACT_PILE_OPEN;
    }
}

/// Four items.
typedef struct Four {
    TactLanes z[3], d[3], mu;
    TactMask  open, slides;
} Four;

TACT_WIDE void load_four(const TactPileFours *fours, int f, Four *four)
{
    TactLanes state = TACT_LANES_AT(fours->state + FOUR * f);
    for (int c = 0; c < 3; c++) {
        four->z[c] = TACT_LANES_AT(fours->z + SIZE * f + FOUR * c);
        four->d[c] = TACT_LANES_AT(fours->d + SIZE * f + FOUR * c);
    }
    four->mu = TACT_LANES_AT(fours->mu + FOUR * f);
    four->open = state == TACT_PILE_OPEN;
    four->slides = state == TACT_PILE_SLIDES;
}

#define HUGE_LANES TACT_LANES_ALL(HUGE_VAL)
#define NO_LANES TACT_LANES_ALL(0.0)

/// The least t >= 0 at which w + v t becomes more than 0; what is above already and falls is on its
/// way back.
TACT_WIDE void rise_line(const TactLanes *w, const TactLanes *v, TactLanes *out)
{
    TactLanes zero = NO_LANES, at = -*w / *v;
    at = TACT_LANES_SELECT(*w > 0, zero, at);
    *out = TACT_LANES_SELECT(*v > 0, at, HUGE_LANES);
}

/// The same of a + 2 b t + c t^2.
TACT_WIDE void rise_square(const TactLanes *a, const TactLanes *b, const TactLanes *c,
                           TactLanes *out)
{
    TactLanes square = *b * *b - *a * *c, root, zero = NO_LANES;
    TactMask  real = square >= 0;
    square = TACT_LANES_SELECT(real, square, zero);
    tact_wide_root(&square, &root);
    TactLanes soon = -*a / (*b + root), late = (root - *b) / *c;
    late = TACT_LANES_SELECT((*c > 0) & real, late, HUGE_LANES);
    soon = TACT_LANES_SELECT(real, soon, HUGE_LANES);
    TactLanes at = TACT_LANES_SELECT(*b > 0, soon, late);
    TactLanes above = TACT_LANES_SELECT(*b > 0, zero, HUGE_LANES);
    *out = TACT_LANES_SELECT(*a > 0, above, at);
}

/// The end of the pieces of four items.
TACT_WIDE void find_ends(const Four *four, TactLanes *out)
{
    const TactLanes *z = four->z, *d = four->d;
    TactLanes        mu2 = four->mu * four->mu;
    TactLanes        w = TACT_LANES_SELECT(four->open, z[0], -z[0]);
    TactLanes        v = TACT_LANES_SELECT(four->open, d[0], -d[0]);
    TactLanes        a = z[1] * z[1] + z[2] * z[2] - mu2 * z[0] * z[0];
    TactLanes        b = z[1] * d[1] + z[2] * d[2] - mu2 * z[0] * d[0];
    TactLanes        c = d[1] * d[1] + d[2] * d[2] - mu2 * d[0] * d[0];
    TactLanes        opens, other;
    a = TACT_LANES_SELECT(four->slides, -a, a);
    b = TACT_LANES_SELECT(four->slides, -b, b);
    c = TACT_LANES_SELECT(four->slides, -c, c);
    rise_line(&w, &v, &opens);
    rise_square(&a, &b, &c, &other);
    other = TACT_LANES_SELECT(four->open, HUGE_LANES, other);
    *out = TACT_LANES_SELECT(other < opens, other, opens);
}

/// What d does to the impulses of four items, and how fast slips turn, times their length squared.
TACT_WIDE void find_changes(const Four *four, TactLanes *change, TactLanes *rate,
                            TactLanes *length2)
{
    const TactLanes *z = four->z, *d = four->d;
    TactLanes        normal = TACT_LANES_ABS(d[0]), zero = NO_LANES;
    TactLanes        t1 = TACT_LANES_ABS(d[1]), t2 = TACT_LANES_ABS(d[2]);
    TactLanes        turn = z[1] * d[2] - z[2] * d[1], load = four->mu * TACT_LANES_ABS(z[0]);
    *rate = TACT_LANES_ABS(turn);
    *length2 = z[1] * z[1] + z[2] * z[2];
    TactLanes across = load * *rate / *length2;
    across = TACT_LANES_SELECT(*length2 > 0, across, zero);
    TactLanes sliding = four->mu * normal + across;
    TactLanes sticking = TACT_LANES_SELECT(t1 > t2, t1, t2);
    TactLanes tangent = TACT_LANES_SELECT(four->slides, sliding, sticking);
    TactLanes most = TACT_LANES_SELECT(tangent > normal, tangent, normal);
    *change = TACT_LANES_SELECT(four->open, zero, most);
}

/// How far the bounds let four items go.
TACT_WIDE void find_bounds(const Four *four, const TactPileBounds *bounds, TactLanes *out)
{
    TactLanes change, rate, length2, angle, load = four->mu * TACT_LANES_ABS(four->z[0]);
    find_changes(four, &change, &rate, &length2);
    TactLanes square = 2 * bounds->turn / (load + bounds->least);
    tact_wide_root(&square, &angle);
    TactLanes reach = bounds->reach / change, turn = angle * length2 / rate;
    reach = TACT_LANES_SELECT(change > 0, reach, HUGE_LANES);
    turn = TACT_LANES_SELECT(four->slides & (rate > 0), turn, HUGE_LANES);
    *out = TACT_LANES_SELECT(turn < reach, turn, reach);
}

static int fours_of(const TactPileFours *fours)
{
    return (fours->count + FOUR - 1) / FOUR;
}

TACT_CLONES int tact_pile_fours_stop(const TactPileFours *fours, const TactPileBounds *bounds,
                                     double *step, bool *bounded)
{
    int item = -1;
    *bounded = false;
    for (int f = 0; f < fours_of(fours); f++) {
        Four      four;
        TactLanes end, bound, limit = TACT_LANES_ALL(*step);
        load_four(fours, f, &four);
        find_ends(&four, &end);
        find_bounds(&four, bounds, &bound);
        if (!TACT_MASK_ANY((end < limit) | (bound < limit))) {
            continue;
        }
        for (int l = 0; l < FOUR && FOUR * f + l < fours->count; l++) {
            int i = FOUR * f + l;
            if (end[l] < *step && !(i == bounds->newest && end[l] < bounds->again)) {
                *step = end[l];
                item = i;
                *bounded = false;
            }
            if (bound[l] < *step) {
                *step = bound[l];
                item = i;
                *bounded = true;
            }
        }
    }
    return item;
}

TACT_CLONES void tact_pile_fours_take(const TactPileFours *fours, double part)
{
    for (int e = 0; e < SIZE * fours_of(fours); e++) {
        fours->z[e] += part * fours->d[e];
    }
}
