// A line through the motions, y + t dy: how steep it is where.
//
// Along it the velocities of all items are u + t du, du = C'dy, and what a step wants to know,
//
//     dy'g = dy'(y - y0) + t dy'dy - sum_i du_i'P(z_i - t d_i) (6)
//
// (z of (1), d its change), needs neither C nor the motion: a look costs some thirty operations an
// item, four items at a time.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/proximal/dilatancy.h"
#include "contact/proximal/proximal_internal.h"

enum { LANES = TACT_PROXIMAL_LANES };

static int block_count(int items)
{
    return (items + LANES - 1) / LANES;
}

void tact_proximal_line_layout(TactProximalLine *line, int items, TactArena *arena)
{
    line->fours = tact_arena_take(arena, (size_t)block_count(items), sizeof *line->fours);
    line->others = tact_arena_take(arena, (size_t)items, sizeof(int));
}

/// One item whose du is known. What is not a circle stands aside, with nothing in its lane: mu is
/// negative there.
TACT_PROXIMAL_INLINE void put_item(const TactProximal *proximal, int i, const double du[3])
{
    TactProximalFour       *four = &proximal->line.fours[i / LANES];
    const TactItem         *of = &proximal->coupling->system->items[i];
    const TactProximalItem *item = &proximal->items[i];
    int                     lane = i % LANES;
    double                  stiffness = 1 / item->k, softer = 1;
    if (of->compliance != 0) {
        softer = item->k / (item->k + of->compliance);
    }
    for (int c = 0; c < 3; c++) {
        double part = c == 0 ? softer : 1;
        four->z[c][lane] = part * (item->centre[c] - stiffness * item->u[c]);
        four->d[c][lane] = part * (stiffness * du[c]);
        four->du[c][lane] = du[c];
    }
    bool moment = of->kind == TACT_ITEM_MOMENT;
    four->normal[lane] = moment ? 0 : 1;
    if ((of->kind == TACT_ITEM_CONTACT || moment) && proximal->coupling->cones[i].count == 0) {
        four->mu[lane] = proximal->coupling->cones[i].mu;
    } else {
        four->mu[lane] = of->kind == TACT_ITEM_UNILATERAL ? 0 : -1;
    }
}

/// What of an item is needed where slipping lifts.
TACT_PROXIMAL_INLINE void put_lift(const TactProximal *proximal, int i)
{
    TactProximalFour       *four = &proximal->line.fours[i / LANES];
    const TactProximalItem *item = &proximal->items[i];
    int                     lane = i % LANES;
    double d = proximal->dilatancy, mu = proximal->coupling->cones[i].mu, stiffness = 1 / item->k;
    bool   lifts = tact_proximal_lifts(proximal, i);
    four->ut[0][lane] = item->u[1];
    four->ut[1][lane] = item->u[2];
    four->lift[lane] = lifts ? mu * stiffness * (1 - d) : -1;
    four->lifted[lane] = lifts ? mu * stiffness * (d * item->slip) : 0;
}

/// The items of some groups.
TACT_CLONES static void put_groups(void *context, int first, int end, int thread)
{
    const TactProximal *proximal = context;
    const TactSystem   *system = proximal->coupling->system;
    double              few[TACT_MANY_SUPPORT];
    double             *own = proximal->is_many ? few : proximal->f;
    (void)thread;
    for (int g = first; g < end; g++) {
        const TactItemGroup *group = &system->groups[g];
        tact_proximal_gather(proximal->dy, system->support + group->support, group->size, own);
        for (int i = group->first; i < group->first + group->count; i++) {
            double du[3];
            tact_proximal_pull(system->columns + system->column[i], group->size, own, du);
            put_item(proximal, i, du);
            if (proximal->dilatancy > 0) {
                put_lift(proximal, i);
            }
        }
    }
}

/// Items that stand aside.
static void list_others(TactProximalLine *line, int items)
{
    line->other_count = 0;
    for (int i = 0; i < items; i++) {
        if (line->fours[i / LANES].mu[i % LANES] < 0) {
            line->others[line->other_count++] = i;
        }
    }
}

/// Calls work for so many, on threads where there are some.
static void share_line(TactProximal *proximal, int count, TactManyWork *work)
{
    if (proximal->is_many) {
        tact_many_share(proximal->many, count, work, proximal);
    } else {
        work(proximal, 0, count, 0);
    }
}

void tact_proximal_line_begin(TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    TactProximalLine *line = &proximal->line;
    line->count = block_count(system->item_count);
    line->start = line->bend = line->slope = 0;
    for (int j = 0; j < system->dof; j++) {
        line->slope += proximal->dy[j] * proximal->g[j];
        line->start += proximal->dy[j] * (proximal->y[j] - system->y0[j]);
        line->bend += proximal->dy[j] * proximal->dy[j];
    }
    if (line->count > 0) { // lanes beyond the last item
        memset(&line->fours[line->count - 1], 0, sizeof *line->fours);
    }
    share_line(proximal, system->group_count, put_groups);
    list_others(line, system->item_count);
}

/// z_n of the nearest point of the cone, of those of four that lift; z_t is as it was.
TACT_PROXIMAL_INLINE void lift_four(const TactProximalFour *four, double t, TactLanes z[3])
{
    TactLanes u1 = TACT_LANES_AT(four->ut[0]) + t * TACT_LANES_AT(four->du[1]);
    TactLanes u2 = TACT_LANES_AT(four->ut[1]) + t * TACT_LANES_AT(four->du[2]);
    TactLanes square = u1 * u1 + u2 * u2, slip, length, mu = TACT_LANES_AT(four->mu);
    TactLanes lift = TACT_LANES_AT(four->lift), none = TACT_LANES_ALL(0.0);
    TactMask  lifts = lift >= none;
    tact_wide_root(&square, &slip);
    z[0] -= TACT_LANES_SELECT(lifts, lift * slip + TACT_LANES_AT(four->lifted), none);
    square = z[1] * z[1] + z[2] * z[2];
    tact_wide_root(&square, &length);
    TactLanes nearest = (z[0] + mu * length) / (1 + mu * mu);
    z[0] = TACT_LANES_SELECT(lifts & (length > mu * z[0]), nearest, z[0]);
}

/// P(z - t d) of four circles, z_n first.
TACT_PROXIMAL_INLINE void four_impulses(const TactProximalFour *four, double t, bool lifts,
                                        TactLanes p[3])
{
    TactLanes z[3], length, square, none = TACT_LANES_ALL(0.0), one = TACT_LANES_ALL(1.0);
    TactLanes mu = TACT_LANES_AT(four->mu);
    for (int c = 0; c < 3; c++) {
        z[c] = TACT_LANES_AT(four->z[c]) - t * TACT_LANES_AT(four->d[c]);
    }
    if (lifts) {
        lift_four(four, t, z);
    }
    p[0] = TACT_LANES_SELECT((z[0] > 0) & (mu >= 0), z[0], none);
    TactLanes radius = mu * p[0];
    square = z[1] * z[1] + z[2] * z[2];
    tact_wide_root(&square, &length);
    TactLanes part = TACT_LANES_SELECT(length <= radius, one, radius / length);
    p[0] *= TACT_LANES_AT(four->normal);
    p[1] = part * z[1];
    p[2] = part * z[2];
}

/// The last sum of (6), of circles.
TACT_CLONES static double sum_circles(const TactProximalLine *line, double t, bool lifts)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    for (int k = 0; k < line->count; k++) {
        const TactProximalFour *four = &line->fours[k];
        TactLanes               p[3];
        four_impulses(four, t, lifts, p);
        TactLanes across = p[1] * TACT_LANES_AT(four->du[1]) + p[2] * TACT_LANES_AT(four->du[2]);
        sum += p[0] * TACT_LANES_AT(four->du[0]) + across;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Impulses of some fours of circles, item by item; others get 0.
TACT_CLONES static void put_circles(void *context, int first, int end, int thread)
{
    const TactProximal *proximal = context;
    int                 items = proximal->coupling->system->item_count;
    (void)thread;
    for (int k = first; k < end; k++) {
        TactLanes four[3];
        four_impulses(&proximal->line.fours[k], proximal->line.t, proximal->dilatancy > 0, four);
        for (int lane = 0; lane < LANES && LANES * k + lane < items; lane++) {
            for (int c = 0; c < 3; c++) {
                proximal->p[3 * (LANES * k + lane) + c] = four[c][lane];
            }
        }
    }
}

void tact_proximal_line_impulses(TactProximal *proximal, double t)
{
    TactProximalLine *line = &proximal->line;
    line->t = t;
    share_line(proximal, line->count, put_circles);
    for (int k = 0; k < line->other_count; k++) {
        int                     i = line->others[k], lane = i % LANES;
        const TactProximalFour *four = &line->fours[i / LANES];
        double                  z[3], by[9];
        for (int c = 0; c < 3; c++) {
            z[c] = four->z[c][lane] - t * four->d[c][lane];
        }
        tact_proximal_law(proximal, i, z, proximal->p + 3 * i, by);
    }
}

/// u of some items.
static void take_some(void *context, int first, int end, int thread)
{
    const TactProximal     *proximal = context;
    const TactProximalLine *line = &proximal->line;
    (void)thread;
    for (int i = first; i < end; i++) {
        const TactProximalFour *four = &line->fours[i / LANES];
        for (int c = 0; c < 3; c++) {
            proximal->items[i].u[c] += line->t * four->du[c][i % LANES];
        }
    }
}

void tact_proximal_line_take(TactProximal *proximal)
{
    share_line(proximal, proximal->coupling->system->item_count, take_some);
}

double tact_proximal_line_slope(const TactProximal *proximal, double t)
{
    const TactProximalLine *line = &proximal->line;
    double                  sum = sum_circles(line, t, proximal->dilatancy > 0);
    for (int k = 0; k < line->other_count; k++) {
        int                     i = line->others[k], lane = i % LANES;
        const TactProximalFour *four = &line->fours[i / LANES];
        double                  z[3], x[3], by[9];
        for (int c = 0; c < 3; c++) {
            z[c] = four->z[c][lane] - t * four->d[c][lane];
        }
        tact_proximal_law(proximal, i, z, x, by);
        for (int c = 0; c < 3; c++) {
            sum += four->du[c][lane] * x[c];
        }
    }
    return line->start + t * line->bend - sum;
}
