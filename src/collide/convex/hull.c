// Furthest vertices of hulls: group by group, four vertices at a time.
#include "collide/convex/hull.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "collide/tolerance.h"
#include "math/hull_groups.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

enum { GROUP = TACT_HULL_GROUP, FEW = 4 }; // up to so many groups are all looked at

/// The best vertex so far in each lane.
typedef struct Best {
    TactLanes along;
    TactMask  at; // position in the groups
} Best;

/// Sixteen vertices, each four with a best of their own: no comparison waits for the one before.
ALWAYS_INLINE void look_at_group(const TactHullGroups *groups, int group, TactVec3 d, Best best[4])
{
    TactMask at = {0, 1, 2, 3};
    at += GROUP * (int64_t)group;
    for (int i = 0; i < 4; i++) {
        int       k = GROUP * group + 4 * i;
        TactLanes along = d.x * TACT_LANES_AT(groups->x + k) + d.y * TACT_LANES_AT(groups->y + k) +
                          d.z * TACT_LANES_AT(groups->z + k);
        TactMask more = along > best[i].along;
        best[i].along = TACT_LANES_SELECT(more, along, best[i].along);
        best[i].at = (at & more) | (best[i].at & ~more);
        at += 4;
    }
}

ALWAYS_INLINE void start(Best best[4])
{
    for (int i = 0; i < 4; i++) {
        best[i].along = TACT_LANES_ALL(-INFINITY);
        best[i].at = (TactMask){0};
    }
}

/// The better lanes of two, of equal ones those of p.
ALWAYS_INLINE void merge(const Best *p, const Best *q, Best *better)
{
    TactMask more = q->along > p->along;
    better->along = TACT_LANES_SELECT(more, q->along, p->along);
    better->at = (q->at & more) | (p->at & ~more);
}

/// Of lanes that are as good the one whose position comes first; without branches, which could not
/// be foreseen.
ALWAYS_INLINE int choose_lane(const Best *best, double *along)
{
    const int64_t none = INT64_MAX;
    TactLanes     other = __builtin_shufflevector(best->along, best->along, 1, 0, 3, 2);
    TactLanes     most = TACT_LANES_SELECT(best->along > other, best->along, other);
    other = __builtin_shufflevector(most, most, 2, 3, 0, 1);
    most = TACT_LANES_SELECT(most > other, most, other);
    TactMask is_most = best->along == most;
    TactMask at = (best->at & is_most) | (none & ~is_most);
    TactMask next = __builtin_shufflevector(at, at, 1, 0, 3, 2), less = at < next;
    at = (at & less) | (next & ~less);
    *along = most[0];
    return (int)(at[0] < at[2] ? at[0] : at[2]);
}

ALWAYS_INLINE int choose(const Best best[4], double *along)
{
    Best one, two, all;
    merge(&best[0], &best[1], &one);
    merge(&best[2], &best[3], &two);
    merge(&one, &two, &all);
    return choose_lane(&all, along);
}

/// How far the boxes of four groups reach; past the last they are points at the origin.
ALWAYS_INLINE void find_reach(const TactHullGroups *groups, int first, TactVec3 d, TactLanes *reach)
{
    int           room = TACT_HULL_GROUP_ROOM(groups->count);
    const double *box = groups->box + first;
    *reach = d.x * TACT_LANES_AT(box) + d.y * TACT_LANES_AT(box + room) +
             d.z * TACT_LANES_AT(box + 2 * room) + fabs(d.x) * TACT_LANES_AT(box + 3 * room) +
             fabs(d.y) * TACT_LANES_AT(box + 4 * room) + fabs(d.z) * TACT_LANES_AT(box + 5 * room);
}

/// The group whose box reaches furthest.
ALWAYS_INLINE int first_group(const TactHullGroups *groups, TactVec3 d)
{
    Best     best = {TACT_LANES_ALL(-INFINITY), {0}};
    TactMask at = {0, 1, 2, 3};
    double   along;
    for (int g = 0; g < groups->count; g += 4) {
        TactLanes reach;
        find_reach(groups, g, d, &reach);
        TactMask more = (reach > best.along) & (at < (int64_t)groups->count);
        best.along = TACT_LANES_SELECT(more, reach, best.along);
        best.at = (at & more) | (best.at & ~more);
        at += 4;
    }
    return choose_lane(&best, &along);
}

/// What rounding can take off the reach of a group: twelve terms, each no more than the size.
ALWAYS_INLINE double find_slack(const TactHullGroups *groups, TactVec3 d)
{
    TactVec3 low = groups->lower, high = groups->upper;
    return 2 * TACT_LAST_BITS *
           (fabs(d.x) * (fabs(low.x) + fabs(high.x)) + fabs(d.y) * (fabs(low.y) + fabs(high.y)) +
            fabs(d.z) * (fabs(low.z) + fabs(high.z)));
}

TACT_CLONES static int find_furthest(const TactHullGroups *groups, TactVec3 d, double *along)
{
    Best best[4];
    start(best);
    if (groups->count <= FEW) {
        for (int g = 0; g < groups->count; g++) {
            look_at_group(groups, g, d, best);
        }
        return choose(best, along);
    }
    int    first = first_group(groups, d), at;
    double slack = find_slack(groups, d);
    look_at_group(groups, first, d, best);
    at = choose(best, along);
    for (int g = 0; g < groups->count; g += 4) {
        TactLanes reach;
        find_reach(groups, g, d, &reach);
        for (int k = 0; k < 4 && g + k < groups->count; k++) {
            if (reach[k] >= *along - slack && g + k != first) {
                look_at_group(groups, g + k, d, best);
                at = choose(best, along);
            }
        }
    }
    return at;
}

int tact_hull_furthest(const TactHull *hull, TactVec3 d, double *along)
{
    return hull->groups->vertex[find_furthest(hull->groups, d, along)];
}
