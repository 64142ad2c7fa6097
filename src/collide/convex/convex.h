// Room "convex": convex shapes, their support points, distance and penetration.
//
// Convex shapes as narrow phase sees them: a core, known by its furthest points, with a ball rolled
// around it.
//
//     sphere     a point            radius
//     capsule    a segment          radius
//     others     themselves         0
//
// Where cores are apart, their distance and normal are exact for the rounded shapes too.
#ifndef TACT_COLLIDE_CONVEX_CONVEX_H
#define TACT_COLLIDE_CONVEX_CONVEX_H

#include <tact/collide.h>

typedef struct TactConvex {
    const TactShape *shape;
    TactTransform    pose;
    TactMat3         R;        // of the pose
    TactVec3         middle;   // a point inside
    double           radius;   // of the ball around the core
    double           size;     // of the shape, m: for tolerances
    int              triangle; // of a mesh: which one this is
} TactConvex;

TactConvex tact_convex_make(const TactShape *shape, const TactTransform *pose);

/// One triangle of a mesh.
TactConvex tact_convex_make_triangle(const TactConvex *mesh, int triangle);

/// The point of the core that is furthest along a direction of the world, of any length.
TactVec3 tact_convex_support(const TactConvex *convex, TactVec3 direction);

static inline TactVec3 tact_convex_turn(const TactConvex *convex, TactVec3 local)
{
    return tact_mat3_apply(convex->R, local);
}

static inline TactVec3 tact_convex_turn_back(const TactConvex *convex, TactVec3 world)
{
    return tact_mat3_apply_transpose(convex->R, world);
}

static inline TactVec3 tact_convex_place(const TactConvex *convex, TactVec3 local)
{
    return tact_vec3_add(convex->pose.position, tact_mat3_apply(convex->R, local));
}

/// Is the core curved? Then no simplex of its furthest points meets it for certain.
static inline bool tact_convex_is_curved(const TactConvex *convex)
{
    return convex->shape->type == TACT_SHAPE_CYLINDER ||
           convex->shape->type == TACT_SHAPE_ELLIPSOID;
}

// ---------------------------------------------------------------------------------------------
// Directions between shapes that do not touch (apart.c)

/// How far cores are apart along a unit direction from a to b; negative: they overlap there.
double tact_convex_gap_along(const TactConvex *a, const TactConvex *b, TactVec3 n);

/// A unit direction from a to b along which cores are further apart than that. False: there is
/// none, or none was found.
bool tact_convex_find_axis(const TactConvex *a, const TactConvex *b, double enough, TactVec3 *n);

// ---------------------------------------------------------------------------------------------
// The part of a surface that faces a direction

enum { TACT_MOST_CORNERS = 64 };

/// A convex polygon, a segment or a point of a shape's surface, world frame. Corner i has a feature
/// number of its own, and so has the side from it to the next.
typedef struct TactFace {
    int      count;
    TactVec3 corners[TACT_MOST_CORNERS];
    uint32_t corner_ids[TACT_MOST_CORNERS];
    uint32_t side_ids[TACT_MOST_CORNERS];
    TactVec3 normal; // of a polygon: outwards
    double   slack;  // m: by how much the surface may stand out further than any corner
    uint32_t id;     // of a face of a mesh, else 0
    unsigned hidden_corners, hidden_sides; // bits: those inside of a flat face of a mesh
} TactFace;

/// The face of the surface (radius included) that faces a direction of length 1 best.
void tact_convex_face(const TactConvex *convex, TactVec3 direction, TactFace *face);

#include "collide/convex/gjk.h"
#include "collide/convex/hull.h"

#endif
