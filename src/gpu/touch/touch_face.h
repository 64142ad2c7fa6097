// Furthest points of boxes, capsules, cylinders, ellipsoids and hulls, and what of a surface faces
// a direction (collide/convex: convex.c, face.c), for one lane. In kernels with TACT_STEP_MORE.
#ifndef TACT_GPU_TOUCH_FACE_H
#define TACT_GPU_TOUCH_FACE_H

#include "gpu/step_model.h"

enum {
    TACT_STEP_MOST_CORNERS = 20, // of a face: the ring of a cap has 17
    TACT_STEP_RING = 16,
};

// As in collide/convex/face.c.
#define TACT_STEP_SHOWS_END 0.8
#define TACT_STEP_SHOWS_CAP 0.7
#define TACT_STEP_TILTED 2e-3

/// A polygon, a segment or a point. Corners are in the world, then as they are seen along a normal.
typedef struct TactStepFace {
    int      count;
    TactVec3 corners[TACT_STEP_MOST_CORNERS];
    short    ids[TACT_STEP_MOST_CORNERS];
    short    sides[TACT_STEP_MOST_CORNERS]; // from a corner to the next
    TactVec3 normal;
    double   slack;          // by how much the surface may stand out further than any corner
    double   g_x, g_y, high; // z = g_x x + g_y y + high of its plane or line
    unsigned hidden_corners, hidden_sides; // bits: inside of a flat face of a mesh
    double   turn;                         // 1: counter-clockwise seen from the tip of the normal
} TactStepFace;

/// A geom at its place.
typedef struct TactStepSolid {
    const TactStepModel *model;
    const TactStepGeom  *geom;
    TactTransform        pose;
    TactMat3             R;
    int                  type;
    TactVec3             middle;    // a point inside
    double               round;     // radius of the ball around its core
    double               size;      // for tolerances
    TactVec3             corner[3]; // of a triangle
} TactStepSolid;

TACT_LANE void tact_step_solid(const TactStepModel *model, const TactStepGeom *geom,
                               const TactTransform *pose, TactStepSolid *solid)
{
    const double *s = geom->size, *half = geom->half;
    double        most = tact_step_larger(s[0], tact_step_larger(s[1], s[2]));
    int           round = geom->type == TACT_STEP_SPHERE || geom->type == TACT_STEP_CAPSULE;
    solid->model = model;
    solid->geom = geom;
    solid->pose = *pose;
    solid->type = geom->type;
    solid->middle = pose->position;
    solid->R = tact_step_quat_to_mat3(pose->rotation);
    solid->round = round ? s[0] : 0;
    solid->size = geom->type == TACT_STEP_HULL
                      ? sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
                  : geom->type == TACT_STEP_SPHERE  ? s[0]
                  : geom->type == TACT_STEP_CAPSULE ? s[0] + s[1]
                                                    : most;
}

/// A point, in the place of a solid.
TACT_LANE void tact_step_point_solid(TactVec3 at, TactStepSolid *solid)
{
    solid->type = TACT_STEP_SPHERE;
    solid->pose.position = at;
    solid->middle = at;
    solid->round = 0;
    solid->size = 0;
}

TACT_LANE TactVec3 tact_step_solid_place(const TactStepSolid *solid, TactVec3 local)
{
    return tact_vec3_add(solid->pose.position, tact_mat3_apply(solid->R, local));
}

TACT_LANE int tact_step_is_flat_sided(const TactStepGeom *geom)
{
    return geom->type == TACT_STEP_BOX || geom->type == TACT_STEP_HULL ||
           geom->type == TACT_STEP_CYLINDER;
}

/// The corner of a hull that is furthest along a direction of its frame.
TACT_LANE int tact_step_hull_furthest(const TactStepModel *model, const TactStepHull *hull,
                                      TactVec3 d, double *most)
{
    const TactVec3 *corners = model->solids.hulls.corners + hull->first_corner;
    int             best = 0;
    *most = -INFINITY;
    TACT_ROLLED
    for (int i = 0; i < hull->corners; i++) {
        double along = tact_vec3_dot(corners[i], d);
        best = along > *most ? i : best;
        *most = along > *most ? along : *most;
    }
    return best;
}

/// The point of the core that is furthest along a direction of the world.
TACT_LANE_CALL TactVec3 tact_step_furthest(const TactStepSolid *solid, TactVec3 direction)
{
    const double *s = solid->geom->size;
    TactVec3      d = tact_mat3_apply_transpose(solid->R, direction), p = {0, 0, 0};
    int           type = solid->type;
    if (type == TACT_STEP_TRIANGLE) {
        double x = tact_vec3_dot(solid->corner[0], direction);
        double y = tact_vec3_dot(solid->corner[1], direction);
        double z = tact_vec3_dot(solid->corner[2], direction);
        int    best = y > x ? 1 : 0;
        return solid->corner[z > (best ? y : x) ? 2 : best];
    }
    if (type == TACT_STEP_HULL) {
        const TactStepHull *hull = &solid->model->solids.hulls.hulls[solid->geom->hull];
        double              most;
        int                 best = tact_step_hull_furthest(solid->model, hull, d, &most);
        p = solid->model->solids.hulls.corners[hull->first_corner + best];
    } else if (type == TACT_STEP_BOX) {
        p.x = copysign(s[0], d.x);
        p.y = copysign(s[1], d.y);
        p.z = copysign(s[2], d.z);
    } else if (type == TACT_STEP_CYLINDER) {
        double across = sqrt(d.x * d.x + d.y * d.y);
        p.x = across > 0 ? s[0] * d.x / across : s[0];
        p.y = across > 0 ? s[0] * d.y / across : 0;
        p.z = copysign(s[1], d.z);
    } else if (type == TACT_STEP_CAPSULE) {
        p.z = copysign(s[1], d.z);
    } else if (type == TACT_STEP_ELLIPSOID) {
        TactVec3 scaled = {s[0] * d.x, s[1] * d.y, s[2] * d.z};
        double   length = tact_vec3_norm(scaled);
        p.x = length > 0 ? s[0] * scaled.x / length : s[0];
        p.y = length > 0 ? s[1] * scaled.y / length : 0;
        p.z = length > 0 ? s[2] * scaled.z / length : 0;
    }
    return tact_step_solid_place(solid, p);
}

TACT_LANE void tact_step_add_corner(TactStepFace *face, TactVec3 corner, int id, int side)
{
    if (face->count < TACT_STEP_MOST_CORNERS) {
        face->corners[face->count] = corner;
        face->ids[face->count] = (short)id;
        face->sides[face->count] = (short)side;
    }
    face->count++;
}

TACT_LANE void tact_step_box_face(const TactStepSolid *solid, TactVec3 d, TactStepFace *face)
{
    const double *s = solid->geom->size;
    double        along[3] = {d.x, d.y, d.z}, n[3] = {0, 0, 0};
    int           k = fabs(d.x) >= fabs(d.y) ? 0 : 1;
    k = fabs(k == 0 ? d.x : d.y) >= fabs(d.z) ? k : 2;
    int sign = along[k] >= 0 ? 1 : -1, u = (k + 1) % 3, v = (k + 2) % 3;
    TACT_ROLLED
    for (int i = 0; i < 4; i++) {
        int    turn = sign > 0 ? i : 3 - i; // counter-clockwise seen from outside
        double x[3];
        x[k] = sign * s[k];
        x[u] = turn == 0 || turn == 3 ? s[u] : -s[u];
        x[v] = turn < 2 ? s[v] : -s[v];
        int id = (x[0] > 0) | (x[1] > 0) << 1 | (x[2] > 0) << 2;
        tact_step_add_corner(face, tact_step_solid_place(solid, tact_step_read(x)), id, 0);
    }
    TACT_ROLLED
    for (int i = 0; i < 4; i++) {
        int a = face->ids[i], b = face->ids[(i + 1) % 4];
        face->sides[i] = (short)(8 + (a < b ? 8 * a + b : 8 * b + a));
    }
    n[k] = sign;
    face->normal = tact_mat3_apply(solid->R, tact_step_read(n));
}

/// Of the faces around the corners that are furthest along d, the one that faces d best.
TACT_LANE int tact_step_best_face(const TactStepModel *model, const TactStepHull *hull, TactVec3 d,
                                  double tol)
{
    const TactVec3     *corners = model->solids.hulls.corners + hull->first_corner;
    const TactStepEdge *edges = model->solids.hulls.edges + hull->first_edge;
    const TactStepSide *faces = model->solids.hulls.sides + hull->first_side;
    double              most, best_along = -INFINITY;
    int                 best = 0;
    tact_step_hull_furthest(model, hull, d, &most);
    TACT_ROLLED
    for (int i = 0; i < hull->corners; i++) {
        if (!(tact_vec3_dot(corners[i], d) >= most - tol)) {
            continue;
        }
        int start = model->solids.hulls.starts[hull->first_corner + i], e = start;
        do {
            int    face = edges[e].side;
            double along = tact_vec3_dot(faces[face].normal, d);
            int    better = along > best_along || (along == best_along && face < best);
            best = better ? face : best;
            best_along = better ? along : best_along;
            int twin = edges[e].twin, last = faces[edges[twin].side].first;
            last += faces[edges[twin].side].count - 1;
            e = twin < last ? twin + 1 : faces[edges[twin].side].first;
        } while (e != start);
    }
    return best;
}

TACT_LANE void tact_step_hull_face(const TactStepSolid *solid, TactVec3 d, TactStepFace *face)
{
    const TactStepModel *model = solid->model;
    const TactStepHull  *hull = &model->solids.hulls.hulls[solid->geom->hull];
    const TactStepEdge  *edges = model->solids.hulls.edges + hull->first_edge;
    int                  best = tact_step_best_face(model, hull, d, 1e-9 * solid->size);
    const TactStepSide  *side = &model->solids.hulls.sides[hull->first_side + best];
    TACT_ROLLED
    for (int e = side->first; e < side->first + side->count; e++) {
        TactVec3 corner = model->solids.hulls.corners[hull->first_corner + edges[e].origin];
        int      twin = edges[e].twin;
        tact_step_add_corner(face, tact_step_solid_place(solid, corner), edges[e].origin,
                             hull->corners + (e < twin ? e : twin));
    }
    face->normal = tact_mat3_apply(solid->R, side->normal);
}

/// The ring of a cap, counter-clockwise seen from outside, with the point that is furthest along d.
TACT_LANE void tact_step_cap_face(const TactStepSolid *solid, TactVec3 d, TactStepFace *face)
{
    const double pi = 3.14159265358979323846, r = solid->geom->size[0];
    double       high = d.z > 0 ? 1 : -1, tilt = sqrt(d.x * d.x + d.y * d.y);
    double       lowest = high * atan2(d.y, d.x), half = high * solid->geom->size[1];
    int          add = tilt > TACT_STEP_TILTED, up = high > 0;
    TactVec3     n = {0, 0, high};
    lowest = lowest < 0 ? lowest + 2 * pi : lowest;
    face->slack = add ? 0 : r * tilt * (1 - cos(pi / TACT_STEP_RING));
    TACT_ROLLED
    for (int i = 0; i < TACT_STEP_RING; i++) {
        double   angle = 2 * pi * i / TACT_STEP_RING, next = 2 * pi * (i + 1) / TACT_STEP_RING;
        int      id = 16 + 2 * i + up;
        TactVec3 corner = {r * cos(high * angle), r * sin(high * angle), half};
        tact_step_add_corner(face, tact_step_solid_place(solid, corner), id, id + 64);
        if (add && lowest > angle && lowest < next) {
            TactVec3 extra = {r * d.x / tilt, r * d.y / tilt, half};
            tact_step_add_corner(face, tact_step_solid_place(solid, extra), 8 + up, 12 + up);
        }
    }
    face->normal = tact_mat3_apply(solid->R, n);
}

/// Ends of the line along a cylinder or capsule, or the end that it shows.
TACT_LANE void tact_step_line_face(const TactStepSolid *solid, TactVec3 d, TactVec3 direction,
                                   TactStepFace *face)
{
    int      capsule = solid->geom->type == TACT_STEP_CAPSULE;
    double   half = solid->geom->size[1], r = solid->geom->size[0];
    double   across = sqrt(d.x * d.x + d.y * d.y);
    TactVec3 out = {across > 0 ? d.x / across : 1, across > 0 ? d.y / across : 0, 0};
    face->normal = capsule ? direction : tact_mat3_apply(solid->R, out);
    TACT_ROLLED
    for (int end = 0; end < 2; end++) {
        TactVec3 core = {0, 0, end ? half : -half};
        if (capsule && fabs(d.z) > TACT_STEP_SHOWS_END && end != (d.z > 0)) {
            continue;
        }
        TactVec3 corner = tact_step_solid_place(solid, core);
        tact_step_add_corner(face, tact_vec3_add_scaled(corner, r, face->normal), 1 + end, 3);
    }
}

/// The face of the surface that faces a direction of length 1 best; 0: it has too many corners.
TACT_LANE_CALL int tact_step_face(const TactStepSolid *solid, TactVec3 direction,
                                  TactStepFace *face)
{
    TactVec3 d = tact_mat3_apply_transpose(solid->R, direction);
    int      type = solid->geom->type;
    face->count = 0;
    face->slack = 0;
    face->hidden_corners = face->hidden_sides = 0;
    face->normal = direction;
    if (type == TACT_STEP_BOX) {
        tact_step_box_face(solid, d, face);
    } else if (type == TACT_STEP_HULL) {
        tact_step_hull_face(solid, d, face);
    } else if (type == TACT_STEP_CYLINDER && fabs(d.z) > TACT_STEP_SHOWS_CAP) {
        tact_step_cap_face(solid, d, face);
    } else if (type == TACT_STEP_CYLINDER || type == TACT_STEP_CAPSULE) {
        tact_step_line_face(solid, d, direction, face);
    } else {
        TactVec3 point = tact_step_furthest(solid, direction);
        point = tact_vec3_add_scaled(point, solid->round, direction);
        tact_step_add_corner(face, point, 1, 1);
    }
    return face->count <= TACT_STEP_MOST_CORNERS;
}

#endif
