// Vertices of a hull in groups that lie near each other, each with its box.
//
// The furthest vertex along d is in none of the groups whose box ends before it: c'd + h'|d| with
// the middle c and the half-lengths h. So of many groups few are looked at, and the answer is that
// of looking at all vertices, rounding included.
#include <math.h>
#include <stdlib.h>

#include "model/mesh/mesh_hull.h"

enum { GROUP = TACT_HULL_GROUP };

typedef struct Ranked {
    double along;
    int    vertex;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
    const Ranked *p = a, *q = b;
    int           order = (p->along > q->along) - (p->along < q->along);
    return order ? order : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static double along_axis(TactVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void find_box(const TactVec3 *vertices, const Ranked *ranked, int count, TactVec3 *lower,
                     TactVec3 *upper)
{
    *lower = *upper = vertices[ranked[0].vertex];
    for (int i = 1; i < count; i++) {
        TactVec3 v = vertices[ranked[i].vertex];
        *lower = (TactVec3){fmin(lower->x, v.x), fmin(lower->y, v.y), fmin(lower->z, v.z)};
        *upper = (TactVec3){fmax(upper->x, v.x), fmax(upper->y, v.y), fmax(upper->z, v.z)};
    }
}

/// Halves along the longest side of the box, at a whole number of groups, until one is left.
static void split(const TactVec3 *vertices, Ranked *ranked, int count)
{
    TactVec3 lower, upper;
    if (count <= GROUP) {
        return;
    }
    find_box(vertices, ranked, count, &lower, &upper);
    TactVec3 d = tact_vec3_subtract(upper, lower);
    int      axis = d.x >= d.y ? 0 : 1;
    axis = along_axis(d, axis) >= d.z ? axis : 2;
    for (int i = 0; i < count; i++) {
        ranked[i].along = along_axis(vertices[ranked[i].vertex], axis);
    }
    qsort(ranked, (size_t)count, sizeof *ranked, compare_ranked);
    int half = (count / GROUP + 1) / 2 * GROUP;
    split(vertices, ranked, half);
    split(vertices, ranked + half, count - half);
}

int tact_hull_group_count(int vertex_count)
{
    return (vertex_count + GROUP - 1) / GROUP;
}

TactStatus tact_hull_make_groups(const TactVec3 *vertices, int vertex_count,
                                 const TactHullGroupArrays *arrays)
{
    Ranked *ranked = NULL;
    TACT_TRY(tact_allocate((size_t)vertex_count, sizeof *ranked, (void **)&ranked));
    for (int i = 0; i < vertex_count; i++) {
        ranked[i].vertex = i;
    }
    split(vertices, ranked, vertex_count);
    int groups = tact_hull_group_count(vertex_count), room = TACT_HULL_GROUP_ROOM(groups);
    for (int p = 0; p < GROUP * groups; p++) {
        int      i = ranked[p < vertex_count ? p : vertex_count - 1].vertex;
        TactVec3 v = vertices[i];
        arrays->vertex[p] = i;
        arrays->x[p] = v.x;
        arrays->y[p] = v.y;
        arrays->z[p] = v.z;
    }
    for (int g = 0; g < groups; g++) {
        int      count = vertex_count - GROUP * g < GROUP ? vertex_count - GROUP * g : GROUP;
        TactVec3 lower, upper;
        find_box(vertices, ranked + GROUP * g, count, &lower, &upper);
        for (int k = 0; k < 3; k++) {
            double low = along_axis(lower, k), high = along_axis(upper, k);
            arrays->box[k * room + g] = 0.5 * (low + high);
            arrays->box[(3 + k) * room + g] = 0.5 * (high - low);
        }
    }
    tact_release(ranked);
    return TACT_OK;
}
