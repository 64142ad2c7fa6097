// Eleven axes can part two triangles: their normals and nine cross products of edges. Along the
// same directions what is behind them may have to move.
#include "collide/mesh/mesh_axes.h"

#include <math.h>

#include "base/clones.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

typedef TactMeshTriangle Triangle;
typedef TactEdges        Edges;

// ---------------------------------------------------------------------------------------------
// Edges

ALWAYS_INLINE void set_edges(const Triangle *t, Edges *out)
{
    // The fourth lane is an edge without length. (A lane of zeros makes gcc write a move that
    // Valgrind 3.19 does not know.)
    const TactVec3 *v = t->v;
    out->x = (TactLanes){v[0].x, v[1].x, v[2].x, v[2].x};
    out->y = (TactLanes){v[0].y, v[1].y, v[2].y, v[2].y};
    out->z = (TactLanes){v[0].z, v[1].z, v[2].z, v[2].z};
    out->dx = __builtin_shufflevector(out->x, out->x, 1, 2, 0, 3) - out->x;
    out->dy = __builtin_shufflevector(out->y, out->y, 1, 2, 0, 3) - out->y;
    out->dz = __builtin_shufflevector(out->z, out->z, 1, 2, 0, 3) - out->z;
    out->third_x = __builtin_shufflevector(out->x, out->x, 2, 0, 1, 3);
    out->third_y = __builtin_shufflevector(out->y, out->y, 2, 0, 1, 3);
    out->third_z = __builtin_shufflevector(out->z, out->z, 2, 0, 1, 3);
    out->square = out->dx * out->dx + out->dy * out->dy + out->dz * out->dz;
}

TACT_CLONES void tact_edges_set(const Triangle *t, Edges *out)
{
    set_edges(t, out);
}

/// Cross products of an edge of a with all of b.
typedef struct Crosses {
    TactLanes x, y, z, square; // against the direction if down
    TactLanes overlap;         // times the length
    TactMask  up, valid;       // not parallel, and both edges foremost
} Crosses;

/// Square of the sine between edges that have no cross product to speak of.
static const double PARALLEL_SQUARE = 1e-24;

ALWAYS_INLINE void cross_edges(const Triangle *a, int i, const Edges *f, Crosses *out)
{
    TactVec3  p = a->v[i], q = a->v[i > 0 ? i - 1 : 2];
    TactVec3  e = tact_vec3_subtract(a->v[i < 2 ? i + 1 : 0], p);
    TactLanes x = e.y * f->dz - e.z * f->dy, y = e.z * f->dx - e.x * f->dz;
    TactLanes z = e.x * f->dy - e.y * f->dx, square = x * x + y * y + z * z;
    TactLanes edge_a = p.x * x + p.y * y + p.z * z, third_a = q.x * x + q.y * y + q.z * z;
    TactLanes edge_b = f->x * x + f->y * y + f->z * z;
    TactLanes third_b = f->third_x * x + f->third_y * y + f->third_z * z;
    TactMask  up = (third_a <= edge_a) & (third_b >= edge_b);
    TactMask  down = (third_a >= edge_a) & (third_b <= edge_b);
    out->x = TACT_LANES_SELECT(up, x, -x);
    out->y = TACT_LANES_SELECT(up, y, -y);
    out->z = TACT_LANES_SELECT(up, z, -z);
    out->square = square;
    out->overlap = TACT_LANES_SELECT(up, edge_a - edge_b, edge_b - edge_a);
    out->up = up;
    out->valid = (up | down) & (square > PARALLEL_SQUARE * tact_vec3_dot(e, e) * f->square);
}

/// Directions of edge i of a with those of b, as far as they count.
ALWAYS_INLINE void write_edges(const Crosses *c, int i, const TactMask *counts, TactDirections *out)
{
    for (int j = 0; j < 3; j++) {
        int k = TACT_AXES_FACES + 3 * i + j;
        out->overlap[k] = INFINITY;
        if ((*counts)[j]) {
            double length = sqrt(c->square[j]);
            out->overlap[k] = c->overlap[j] / length;
            out->normal[k] = (TactVec3){c->x[j] / length, c->y[j] / length, c->z[j] / length};
        }
    }
}

TACT_CLONES bool tact_axes_try_edges(const Triangle *a, const Edges *edges, double margin,
                                     TactDirections *out)
{
    Crosses crosses[3];
    for (int i = 0; i < 3; i++) {
        Crosses *c = &crosses[i];
        cross_edges(a, i, edges, c);
        TactMask apart =
            c->valid & (c->overlap < 0) & (c->overlap * c->overlap > margin * margin * c->square);
        if ((apart[0] | apart[1] | apart[2]) != 0) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        write_edges(&crosses[i], i, &crosses[i].valid, out);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Ways out

/// What is off an edge by no more, of its length, is over it.
static const double OVER = 1e-9;

/// Is a corner of one triangle behind the face of another, and right over it?
ALWAYS_INLINE bool has_corner_over(const Edges *corners, const Triangle *face)
{
    TactVec3  n = face->normal, v = face->v[0];
    TactLanes x = corners->x, y = corners->y, z = corners->z;
    TactMask  over = n.x * (x - v.x) + n.y * (y - v.y) + n.z * (z - v.z) < 0;
    for (int i = 0; i < 3; i++) {
        v = face->v[i];
        TactVec3  e = tact_vec3_subtract(face->v[i < 2 ? i + 1 : 0], v);
        TactVec3  in = tact_vec3_cross(n, e);
        TactLanes left = in.x * (x - v.x) + in.y * (y - v.y) + in.z * (z - v.z);
        over &= left >= -OVER * tact_vec3_dot(e, e);
    }
    return (over[0] | over[1] | over[2]) != 0;
}

/// Do the nearest points of the lines of edge i of a and of those of b lie inside of both?
ALWAYS_INLINE void cross_inside(const Triangle *a, int i, const Edges *f, const Crosses *c,
                                TactMask *inside)
{
    TactVec3  p = a->v[i], e = tact_vec3_subtract(a->v[i < 2 ? i + 1 : 0], p);
    TactLanes x = f->x - p.x, y = f->y - p.y, z = f->z - p.z;
    TactLanes s = (y * f->dz - z * f->dy) * c->x + (z * f->dx - x * f->dz) * c->y +
                  (x * f->dy - y * f->dx) * c->z;
    TactLanes r =
        (y * e.z - z * e.y) * c->x + (z * e.x - x * e.z) * c->y + (x * e.y - y * e.x) * c->z;
    s = TACT_LANES_SELECT(c->up, s, -s);
    r = TACT_LANES_SELECT(c->up, r, -r);
    *inside = (s > 0) & (s < c->square) & (r > 0) & (r < c->square);
}

TACT_CLONES bool tact_axes_find_ways(const Triangle *a, const Triangle *b, const Edges *edges_b,
                                     TactDirections *out)
{
    Edges edges_a;
    set_edges(a, &edges_a);
    bool over_a = has_corner_over(edges_b, a), over_b = has_corner_over(&edges_a, b);
    bool some = over_a || over_b;
    out->overlap[0] = over_a ? out->overlap[0] : INFINITY;
    out->overlap[1] = over_b ? out->overlap[1] : INFINITY;
    TactMask ridges = {b->ridges, b->ridges, b->ridges, b->ridges};
    ridges = (ridges & (TactMask){1, 2, 4, 0}) != 0;
    for (int i = 0; i < 3; i++) {
        Crosses  c = {0};
        TactMask inside = {0, 0, 0, 0};
        if (a->ridges >> i & 1) {
            cross_edges(a, i, edges_b, &c);
            cross_inside(a, i, edges_b, &c, &inside);
            inside &= ridges & c.valid & (c.overlap > 0);
            some = some || (inside[0] | inside[1] | inside[2]) != 0;
        }
        write_edges(&c, i, &inside, out);
    }
    return some;
}
