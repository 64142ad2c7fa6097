// Faces of convex shapes: what of a surface faces a direction.
//
// Corners have numbers that stay with the body, so that a contact keeps its name while the same
// features touch. Round shapes show a line (capsule and cylinder on their side), a ring of points
// (the cap of a cylinder) or a point.
#include <math.h>

#include "collide/convex/convex.h"
#include "collide/convex/hull.h"
#include "collide/mesh/mesh.h"
#include "collide/tolerance.h"

static void add_corner(TactFace *face, TactVec3 corner, uint32_t corner_id, uint32_t side_id)
{
    face->corners[face->count] = corner;
    face->corner_ids[face->count] = corner_id;
    face->side_ids[face->count++] = side_id;
}

// ---------------------------------------------------------------------------------------------
// Box: corners are numbered by the signs of their coordinates, sides by their two corners

static void box_face(const TactConvex *convex, TactVec3 d, TactFace *face)
{
    static const int order[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double    *s = convex->shape->size;
    const double     along[3] = {d.x, d.y, d.z};
    int              k = fabs(d.x) >= fabs(d.y) ? 0 : 1;
    k = fabs(along[k]) >= fabs(d.z) ? k : 2;
    int      sign = along[k] >= 0 ? 1 : -1, u = (k + 1) % 3, v = (k + 2) % 3;
    uint32_t ids[4];
    for (int i = 0; i < 4; i++) {
        int    turn = sign > 0 ? i : 3 - i; // counter-clockwise seen from outside
        double x[3];
        x[k] = sign * s[k];
        x[u] = order[turn][0] * s[u];
        x[v] = order[turn][1] * s[v];
        ids[i] = (uint32_t)((x[0] > 0) | (x[1] > 0) << 1 | (x[2] > 0) << 2);
        add_corner(face, tact_convex_place(convex, (TactVec3){x[0], x[1], x[2]}), ids[i], 0);
    }
    for (int i = 0; i < 4; i++) {
        uint32_t a = ids[i], b = ids[(i + 1) % 4];
        face->side_ids[i] = 8 + (a < b ? 8 * a + b : 8 * b + a);
    }
    double n[3] = {0, 0, 0};
    n[k] = sign;
    face->normal = tact_convex_turn(convex, (TactVec3){n[0], n[1], n[2]});
}

// ---------------------------------------------------------------------------------------------
// Hull

/// Of the faces around the vertices that are furthest along d, the one that faces d best. (The one
/// that faces d best of all need not have the furthest vertex.) From the furthest vertex, edges
/// lead to all that are as far.
static int best_face(const TactHull *hull, TactVec3 d, double tol)
{
    int    as_far[TACT_MOST_CORNERS], count = 1, best = 0;
    double most, best_along = -INFINITY;
    as_far[0] = tact_hull_furthest(hull, d, &most);
    for (int i = 0; i < count; i++) {
        int start = hull->vertex_edge[as_far[i]], e = start;
        do {
            int    face = hull->edges[e].face, twin = hull->edges[e].twin;
            int    to = hull->edges[twin].origin, known = 0;
            double along = tact_vec3_dot(hull->faces[face].normal, d);
            if (along > best_along || (along == best_along && face < best)) {
                best_along = along;
                best = face;
            }
            if (tact_vec3_dot(hull->vertices[to], d) >= most - tol) {
                while (known < count && as_far[known] != to) {
                    known++;
                }
                if (known == count && count < TACT_MOST_CORNERS) {
                    as_far[count++] = to;
                }
            }
            e = tact_hull_next(hull, twin);
        } while (e != start);
    }
    return best;
}

static void hull_face(const TactConvex *convex, TactVec3 d, TactFace *face)
{
    const TactHull     *hull = convex->shape->hull;
    int                 best = best_face(hull, d, TACT_SAME_DEPTH * convex->size);
    const TactHullFace *polygon = &hull->faces[best];
    // A polygon with more corners than there is room for is thinned out evenly.
    int count = polygon->count < TACT_MOST_CORNERS ? polygon->count : TACT_MOST_CORNERS;
    for (int i = 0; i < count; i++) {
        int e = polygon->first + (int)((long)i * polygon->count / count);
        int twin = hull->edges[e].twin;
        add_corner(face, tact_convex_place(convex, hull->vertices[hull->edges[e].origin]),
                   (uint32_t)hull->edges[e].origin,
                   (uint32_t)(hull->vertex_count + (e < twin ? e : twin)));
    }
    face->normal = tact_convex_turn(convex, polygon->normal);
}

// ---------------------------------------------------------------------------------------------
// Round shapes

static void point_face(const TactConvex *convex, TactVec3 direction, TactFace *face)
{
    TactVec3 core = tact_convex_support(convex, direction);
    add_corner(face, tact_vec3_add_scaled(core, convex->radius, direction), 1, 1);
    face->normal = direction;
}

/// A line along the axis at the given distance, facing d; only if it is not seen from its end.
static void line_face(const TactConvex *convex, TactVec3 d, double radius, TactFace *face)
{
    double   half = convex->shape->size[1];
    double   across = hypot(d.x, d.y);
    TactVec3 out = {across > 0 ? radius * d.x / across : radius,
                    across > 0 ? radius * d.y / across : 0, 0};
    for (int end = 0; end < 2; end++) {
        TactVec3 corner = out;
        corner.z = end ? half : -half;
        add_corner(face, tact_convex_place(convex, corner), 1 + (uint32_t)end, 3);
    }
    face->normal = tact_convex_turn(convex, tact_vec3_scale(1 / radius, out));
}

/// Is a direction so steep that a capsule shows one of its ends?
static const double STEEP = 0.8;
/// A cap that is tilted further than this shows its lowest point too. One that lies flat does not:
/// the point would run around the rim with every small motion. It may stand out further than the
/// ring of 16 by radius * tilt * (1 - cos(pi / 16)), less than 4e-5 of the radius.
static const double TILTED = 2e-3;

enum { RING = 16 };

static void capsule_face(const TactConvex *convex, TactVec3 d, TactVec3 direction, TactFace *face)
{
    if (fabs(d.z) > STEEP) {
        point_face(convex, direction, face);
        face->corner_ids[0] = d.z > 0 ? 2 : 1;
    } else {
        // the two ends of the line, each pushed out along the direction: exact for both
        double half = convex->shape->size[1];
        for (int end = 0; end < 2; end++) {
            TactVec3 core = tact_convex_place(convex, (TactVec3){0, 0, end ? half : -half});
            add_corner(face, tact_vec3_add_scaled(core, convex->radius, direction),
                       1 + (uint32_t)end, 3);
        }
        face->normal = direction;
    }
}

/// Cosine and sine of 2 pi i / 16.
static const double ring[RING][2] = {
    {1, 0},
    {0.92387953251128674, 0.38268343236508978},
    {0.70710678118654757, 0.70710678118654746},
    {0.38268343236508984, 0.92387953251128674},
    {6.123233995736766e-17, 1},
    {-0.38268343236508973, 0.92387953251128674},
    {-0.70710678118654746, 0.70710678118654757},
    {-0.92387953251128674, 0.38268343236508989},
    {-1, 1.2246467991473532e-16},
    {-0.92387953251128685, -0.38268343236508967},
    {-0.70710678118654768, -0.70710678118654746},
    {-0.38268343236509034, -0.92387953251128652},
    {-1.8369701987210297e-16, -1},
    {0.38268343236509, -0.92387953251128663},
    {0.70710678118654735, -0.70710678118654768},
    {0.92387953251128652, -0.38268343236509039},
};

/// The ring of a cap, counter-clockwise seen from outside, with the point that is furthest along d.
static void cap_face(const TactConvex *convex, TactVec3 d, TactFace *face)
{
    const double r = convex->shape->size[0], half = convex->shape->size[1];
    const double pi = 3.14159265358979323846;
    double       side = d.z > 0 ? 1 : -1, tilt = hypot(d.x, d.y);
    double       lowest = side * atan2(d.y, d.x);
    bool         add = tilt > TILTED;
    face->slack = add ? 0 : r * tilt * (1 - cos(pi / RING));
    if (lowest < 0) {
        lowest += 2 * pi;
    }
    for (int i = 0; i < RING; i++) {
        double   angle = 2 * pi * i / RING, next = 2 * pi * (i + 1) / RING;
        uint32_t id = 16 + 2 * (uint32_t)i + (side > 0);
        TactVec3 corner = {r * ring[i][0], side * (r * ring[i][1]), side * half};
        add_corner(face, tact_convex_place(convex, corner), id, id + 64);
        if (add && lowest > angle && lowest < next) {
            TactVec3 extra = {r * d.x / tilt, r * d.y / tilt, side * half};
            add_corner(face, tact_convex_place(convex, extra), 8 + (side > 0), 12 + (side > 0));
        }
    }
    face->normal = tact_convex_turn(convex, (TactVec3){0, 0, side});
}

/// Is the way from p to q along d, or against it?
static bool is_upright(TactVec3 p, TactVec3 q, TactVec3 d)
{
    TactVec3 way = tact_vec3_subtract(q, p), across = tact_vec3_cross(way, d);
    return tact_vec3_dot(across, across) < TACT_LEVEL * TACT_LEVEL * tact_vec3_dot(way, way);
}

/// The triangle itself, or of one that is seen from its side the edge that is further along d, or
/// of such an edge that is upright its upper end; corners and sides that are none of the solid are
/// hidden.
static void triangle_face(const TactConvex *convex, TactVec3 d, TactFace *face)
{
    const double edgewise = 0.25; // cosine: what is off by 1e-9 is off by four times that along d
    const TactMeshTree *tree = convex->shape->mesh;
    const int          *v = tree->mesh->triangles[convex->triangle].vertex;
    bool                edge = fabs(tact_vec3_dot(tree->normals[convex->triangle], d)) < edgewise;
    int                 begin = 0;
    for (int i = 1; i < 3 && edge; i++) { // the edge begins after the lowest
        const TactVec3 *vertices = tree->mesh->vertices;
        double          least = tact_vec3_dot(vertices[v[(begin + 2) % 3]], d);
        begin = tact_vec3_dot(vertices[v[i]], d) < least ? (i + 1) % 3 : begin;
    }
    int count = edge ? 2 : 3;
    if (edge) {
        TactVec3 p = tree->mesh->vertices[v[begin]], q = tree->mesh->vertices[v[(begin + 1) % 3]];
        count = is_upright(p, q, d) ? 1 : 2;
        begin = count == 1 && tact_vec3_dot(q, d) > tact_vec3_dot(p, d) ? (begin + 1) % 3 : begin;
    }
    for (int k = 0; k < count; k++) {
        int                 i = (begin + k) % 3;
        const TactMeshSide *side = &tree->sides[3 * convex->triangle + i];
        add_corner(face, tact_convex_place(convex, tree->mesh->vertices[v[i]]), (uint32_t)v[i],
                   side->id);
        face->hidden_corners |= tree->corner[v[i]] ? 0 : 1u << k;
        face->hidden_sides |= side->flat ? 1u << k : 0;
    }
    face->normal = tact_convex_turn(convex, tree->normals[convex->triangle]);
    face->id = 1 + (uint32_t)tree->group[convex->triangle];
}

void tact_convex_face(const TactConvex *convex, TactVec3 direction, TactFace *face)
{
    TactVec3 d = tact_convex_turn_back(convex, direction);
    face->count = 0;
    face->slack = 0;
    face->id = 0;
    face->hidden_corners = face->hidden_sides = 0;
    switch (convex->shape->type) {
    case TACT_SHAPE_BOX: box_face(convex, d, face); break;
    case TACT_SHAPE_HULL: hull_face(convex, d, face); break;
    case TACT_SHAPE_MESH: triangle_face(convex, d, face); break;
    case TACT_SHAPE_CAPSULE: capsule_face(convex, d, direction, face); break;
    case TACT_SHAPE_CYLINDER:
        if (fabs(d.z) > 0.7) {
            cap_face(convex, d, face);
        } else {
            line_face(convex, d, convex->shape->size[0], face);
        }
        break;
    default: point_face(convex, direction, face); break;
    }
}
