// A mesh or height field with a convex solid, triangle by triangle (collide/mesh: mesh_pair.c,
// mesh_corner.c), by one lane. A triangle takes part with its own normal, or with one that the
// surface allows at the edge or corner where it touches.
#ifndef TACT_GPU_TOUCH_MESH_H
#define TACT_GPU_TOUCH_MESH_H

#include "gpu/touch/touch_convex.h"

enum { TACT_STEP_MESH_DEEPEST = 48 }; // of its tree

// As in collide/tolerance.h, collide/convex/face.c.
#define TACT_STEP_SAME_NORMAL (1 - 1e-6)
#define TACT_STEP_SAME_POINT 1e-8
#define TACT_STEP_LEVEL 1e-4
#define TACT_STEP_EDGEWISE 0.25

enum { TACT_STEP_REFUSED, TACT_STEP_ALLOWED, TACT_STEP_ELSEWHERE };

/// A mesh at its place, and what has been found of a geom with it.
typedef struct TactStepMeshVisit {
    const TactStepMeshes   *all;
    const TactStepMesh     *mesh;
    TactStepSolid           solid; // of the mesh, then of one of its triangles
    const TactStepTriangle *triangle;
    double                  margin;
    int                     refused; // a triangle overlaps along a normal that is not allowed
    int                     any;     // second visit: the surface is not asked
    TactVec3                closest_point, closest_normal;
    double                  closest_depth; // of the deepest that may have to be added
    int                     closest_name;
} TactStepMeshVisit;

TACT_LANE TactVec3 tact_step_mesh_vertex(const TactStepMeshVisit *visit, int i)
{
    return visit->all->vertices[visit->mesh->first_vertex + i];
}

/// Does the way to a vertex rise along n, of the frame of the mesh?
TACT_LANE int tact_step_mesh_slope(const TactStepMeshVisit *visit, TactVec3 n, int from, int to)
{
    TactVec3 way =
        tact_vec3_subtract(tact_step_mesh_vertex(visit, to), tact_step_mesh_vertex(visit, from));
    double rise = tact_vec3_dot(n, way);
    return rise * rise <= TACT_STEP_LEVEL * TACT_STEP_LEVEL * tact_vec3_dot(way, way)
               ? TACT_STEP_ELSEWHERE
           : rise > 0 ? TACT_STEP_REFUSED
                      : TACT_STEP_ALLOWED;
}

/// What a direction is at the corner or edge of a triangle that is furthest along it
/// (tact_mesh_tree_judge()).
TACT_LANE int tact_step_mesh_judge(const TactStepMeshVisit *visit, TactVec3 n)
{
    const TactStepTriangle *t = visit->triangle;
    int                     top = 0, count = 0, low = 0;
    double                  most = -INFINITY;
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        double here = tact_vec3_dot(n, tact_step_mesh_vertex(visit, t->vertex[i]));
        top = here > most ? i : top;
        most = tact_step_larger(most, here);
    }
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        int level = i == top || tact_step_mesh_slope(visit, n, t->vertex[top], t->vertex[i]) !=
                                    TACT_STEP_ALLOWED;
        count += level;
        low = level ? low : i;
    }
    int facing = tact_vec3_dot(n, t->normal) > 0 ? TACT_STEP_ALLOWED : TACT_STEP_REFUSED;
    int edge = (low + 1) % 3; // opposite to the vertex that is lower
    if (count == 3 || (count == 2 && !(t->joined >> edge & 1))) {
        return facing;
    }
    if (count == 2) {
        int own = tact_step_mesh_slope(visit, t->normal, t->vertex[top], t->across[edge]);
        return own == TACT_STEP_REFUSED
                   ? own
                   : tact_step_mesh_slope(visit, n, t->vertex[top], t->across[edge]);
    }
    const int *first = visit->all->ring_first + visit->mesh->first_ring_of + t->vertex[top];
    int        worst = TACT_STEP_ALLOWED;
    TACT_ROLLED
    for (int k = first[0]; k < first[1]; k++) {
        int here = tact_step_mesh_slope(visit, n, t->vertex[top],
                                        visit->all->ring[visit->mesh->first_ring + k]);
        if (here == TACT_STEP_REFUSED) {
            return here;
        }
        worst = here == TACT_STEP_ELSEWHERE ? here : worst;
    }
    return tact_vec3_dot(n, t->normal) < 0 ? TACT_STEP_ELSEWHERE : worst;
}

/// The triangle itself, or of one that is seen from its side the edge that is further along the
/// direction, or of such an edge that is upright its upper end (triangle_face() of face.c).
TACT_LANE void tact_step_triangle_face(const TactStepMeshVisit *visit, TactVec3 direction,
                                       TactStepFace *face)
{
    const TactStepTriangle *t = visit->triangle;
    TactVec3                d = tact_mat3_apply_transpose(visit->solid.R, direction);
    int begin = 0, count = 3, edge = fabs(tact_vec3_dot(t->normal, d)) < TACT_STEP_EDGEWISE;
    face->count = 0;
    face->slack = 0;
    face->hidden_corners = face->hidden_sides = 0;
    face->normal = tact_mat3_apply(visit->solid.R, t->normal);
    TACT_ROLLED
    for (int i = 1; i < 3 && edge; i++) { // the edge begins after the lowest
        double least = tact_vec3_dot(tact_step_mesh_vertex(visit, t->vertex[(begin + 2) % 3]), d);
        double here = tact_vec3_dot(tact_step_mesh_vertex(visit, t->vertex[i]), d);
        begin = here < least ? (i + 1) % 3 : begin;
    }
    if (edge) {
        TactVec3 p = tact_step_mesh_vertex(visit, t->vertex[begin]);
        TactVec3 q = tact_step_mesh_vertex(visit, t->vertex[(begin + 1) % 3]);
        TactVec3 way = tact_vec3_subtract(q, p), across = tact_vec3_cross(way, d);
        int      upright = tact_vec3_dot(across, across) <
                      TACT_STEP_LEVEL * TACT_STEP_LEVEL * tact_vec3_dot(way, way);
        count = upright ? 1 : 2;
        begin = upright && tact_vec3_dot(way, d) > 0 ? (begin + 1) % 3 : begin;
    }
    TACT_ROLLED
    for (int k = 0; k < count; k++) {
        int i = (begin + k) % 3, v = t->vertex[i];
        tact_step_add_corner(face, visit->solid.corner[i], v % 32768, t->side[i] % 32768);
        face->hidden_corners |= visit->all->corners[visit->mesh->first_vertex + v] ? 0u : 1u << k;
        face->hidden_sides |= t->flat >> i & 1 ? 1u << k : 0u;
    }
}

/// Adds nearest points, which have a name of their own.
TACT_LANE void tact_step_add_nearest(TactStepTouches *to, TactVec3 point, TactVec3 normal,
                                     double depth, int name)
{
    tact_step_add_touch(to, point, normal, depth, name);
    if (to->count <= TACT_STEP_MAX_TOUCHES) {
        to->items[to->count - 1].pad = 1;
    }
}

/// A corner of a triangle at a face of a box, beyond doubt (mesh_corner.c): TACT_STEP_FAR,
/// TACT_STEP_NEAR, or TACT_STEP_UNKNOWN: another method has to be asked.
TACT_LANE int tact_step_corner_find(const TactStepSolid *a, const TactStepSolid *box, double margin,
                                    TactStepClosest *closest)
{
    const double *s = box->geom->size;
    double        p[3][3], least = INFINITY, slack = TACT_STEP_SAME_DEPTH * (a->size + box->size);
    int           axis = 0, up = 1, nearest = 0;
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        TactVec3 from = tact_vec3_subtract(a->corner[i], box->pose.position);
        tact_step_write(tact_mat3_apply_transpose(box->R, from), p[i]);
    }
    TACT_ROLLED
    for (int k = 0; k < 6; k++) { // the upper face of an axis, then the lower one
        int    j = k / 2;
        double sign = k % 2 ? -1 : 1, x = sign * p[0][j], y = sign * p[1][j], z = sign * p[2][j];
        double low = y < x ? y : x, deep = s[j] - (z < low ? z : low);
        axis = deep < least ? j : axis;
        up = deep < least ? k % 2 == 0 : up;
        least = deep < least ? deep : least;
    }
    if (least < -margin - slack) {
        return TACT_STEP_FAR;
    }
    double sigma = up ? 1 : -1;
    nearest = sigma * p[1][axis] < sigma * p[0][axis] ? 1 : 0;
    nearest = sigma * p[2][axis] < sigma * p[nearest][axis] ? 2 : nearest;
    int inside = least >= -margin && s[axis] - least > slack;
    TACT_ROLLED
    for (int j = 0; j < 3; j++) {
        double room = s[j] - fabs(p[nearest][j]);
        inside = inside && (j == axis || room > (least > 0 ? least : 0) + slack);
    }
    if (!inside) {
        return TACT_STEP_UNKNOWN;
    }
    TactVec3 column = {box->R.m[0][axis], box->R.m[1][axis], box->R.m[2][axis]};
    closest->normal = tact_vec3_scale(-sigma, column);
    closest->depth = least;
    closest->on_a = a->corner[nearest];
    closest->on_b = tact_vec3_add_scaled(closest->on_a, -least, closest->normal);
    return TACT_STEP_NEAR;
}

/// Do a triangle and a solid come within margin of each other, and where?
TACT_LANE int tact_step_triangle_closest(const TactStepSolid *a, const TactStepSolid *b,
                                         double margin, TactStepClosest *closest)
{
    int found = TACT_STEP_UNKNOWN;
    if (b->type == TACT_STEP_BOX) {
        found = tact_step_corner_find(a, b, margin, closest);
    }
    return found == TACT_STEP_UNKNOWN ? tact_step_find_closest(a, b, margin, closest) : found;
}

/// Points of one triangle. 0: left to the processor.
TACT_LANE int tact_step_mesh_touch(TactStepMeshVisit *visit, const TactStepSolid *b,
                                   TactStepTouches *to)
{
    const TactStepTriangle *t = visit->triangle;
    const TactStepSolid    *a = &visit->solid;
    TactStepClosest         closest;
    TactVec3                own = tact_mat3_apply(a->R, t->normal);
    int                     found = tact_step_triangle_closest(a, b, visit->margin, &closest);
    int                     name = TACT_STEP_CROSSING + (t->index * 13 + 7) % TACT_STEP_CROSSINGS;
    if (found != TACT_STEP_NEAR) {
        return found == TACT_STEP_FAR;
    }
    TactVec3 n = closest.normal, middle = tact_step_midway(&closest);
    double   depth = closest.depth, facing = tact_vec3_dot(n, own);
    if (depth < 0 && depth > visit->closest_depth) {
        visit->closest_point = middle;
        visit->closest_normal = n;
        visit->closest_depth = depth;
        visit->closest_name = name;
    }
    int flat = facing > TACT_STEP_SAME_NORMAL;
    if (!flat) {
        int kind = tact_step_mesh_judge(visit, tact_mat3_apply_transpose(a->R, n));
        if (kind == TACT_STEP_ELSEWHERE) {
            return 1;
        }
        int deep = kind == TACT_STEP_REFUSED && depth > 0;
        visit->refused = visit->refused || deep;
        if (visit->any && deep && facing > 0) {
            tact_step_add_nearest(to, middle, n, depth, name);
            return 1;
        }
        flat = kind == TACT_STEP_REFUSED;
        double along = flat ? tact_step_overlap(a, b, own) : 0;
        if (flat && ((deep && along > 2 * depth) || (facing < 0.1 && along > visit->margin))) {
            return 1;
        }
    }
    n = flat ? own : n;
    TactVec3 behind = tact_vec3_subtract(b->middle, tact_step_furthest(a, n));
    if (visit->any || tact_vec3_dot(n, behind) <= 0) {
        return 1;
    }
    TactStepFace face_a, face_b;
    int          before = to->count;
    double       length, slack;
    tact_step_triangle_face(visit, n, &face_a);
    if (!tact_step_face(b, tact_vec3_negate(n), &face_b)) {
        return 0;
    }
    if (!flat && face_a.count == 1 && face_b.count == 1) {
        tact_step_add_nearest(to, middle, n, depth, name);
        return 1;
    }
    double deepest = tact_step_add_region(&face_a, &face_b, n, flat ? face_a.corners[0] : middle,
                                          visit->margin, &length, to);
    slack = face_a.slack + face_b.slack + TACT_STEP_SAME_DEPTH * length;
    if (!flat && (to->count == before || deepest < depth - slack)) {
        tact_step_add_nearest(to, middle, n, depth, name);
    }
    TACT_ROLLED
    for (int k = before; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) { // names of this face
        unsigned mixed = ((unsigned)to->items[k].name ^ (unsigned)t->group << 16) * 0x9e3779b1u;
        mixed = (mixed ^ mixed >> 15) * 0x85ebca77u;
        to->items[k].name = to->items[k].pad ? name : (int)((mixed ^ mixed >> 13) % 65000u);
    }
    if (to->count == before && depth > visit->closest_depth && facing > TACT_STEP_SAME_NORMAL) {
        visit->closest_point = middle;
        visit->closest_normal = closest.normal;
        visit->closest_depth = depth;
        visit->closest_name = name;
    }
    return 1;
}

/// All triangles whose bounds meet a window. 0: left to the processor.
TACT_LANE int tact_step_mesh_visit(TactStepMeshVisit *visit, const TactStepSolid *b, TactVec3 lower,
                                   TactVec3 upper, TactStepTouches *to)
{
    int stack[TACT_STEP_MESH_DEEPEST], depth = 1, done = 1;
    stack[0] = 0;
    while (depth > 0 && done) {
        const TactStepNode *node = &visit->all->nodes[visit->mesh->first_node + stack[--depth]];
        if (lower.x > node->upper.x || upper.x < node->lower.x || lower.y > node->upper.y ||
            upper.y < node->lower.y || lower.z > node->upper.z || upper.z < node->lower.z) {
            continue;
        }
        TACT_ROLLED
        for (int i = 0; i < node->count && done; i++) {
            visit->triangle = &visit->all->triangles[visit->mesh->first_triangle + node->first + i];
            TactVec3 sum = {0, 0, 0};
            double   most = 0;
            TACT_ROLLED
            for (int k = 0; k < 3; k++) {
                TactVec3 p = tact_step_mesh_vertex(visit, visit->triangle->vertex[k]);
                TactVec3 q = tact_step_mesh_vertex(visit, visit->triangle->vertex[(k + 1) % 3]);
                visit->solid.corner[k] = tact_step_solid_place(&visit->solid, p);
                sum = tact_vec3_add(sum, p);
                most = tact_step_larger(most, tact_vec3_norm(tact_vec3_subtract(q, p)));
            }
            visit->solid.size = most;
            visit->solid.middle =
                tact_step_solid_place(&visit->solid, tact_vec3_scale(1.0 / 3, sum));
            done = tact_step_mesh_touch(visit, b, to);
        }
        if (node->count == 0) {
            done = done && depth + 2 <= TACT_STEP_MESH_DEEPEST;
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    return done;
}

/// Keeps one of several points at one place with one normal.
TACT_LANE void tact_step_remove_doubles(TactStepTouches *to, double tol)
{
    int kept = 0;
    TACT_ROLLED
    for (int i = 0; i < to->count; i++) {
        TactStepHeld touch = to->items[i];
        int          known = 0;
        TACT_ROLLED
        for (int k = 0; k < kept && !known; k++) {
            TactVec3 apart = tact_vec3_subtract(to->items[k].point, touch.point);
            known = tact_vec3_dot(to->items[k].normal, touch.normal) > TACT_STEP_SAME_NORMAL &&
                    tact_vec3_dot(apart, apart) <= tol * tol;
            if (known && touch.depth > to->items[k].depth) {
                touch.name = to->items[k].name;
                touch.pad = to->items[k].pad;
                to->items[k] = touch;
            }
        }
        if (!known) {
            to->items[kept++] = touch;
        }
    }
    to->count = kept;
}

TACT_LANE int tact_step_has_depth(const TactStepTouches *to, double depth)
{
    int some = 0;
    TACT_ROLLED
    for (int i = 0; i < to->count; i++) {
        some = some || to->items[i].depth >= depth;
    }
    return some;
}

/// A mesh a and a solid b. 0: left to the processor.
TACT_LANE int tact_step_mesh_solid(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                   TactStepTouches *to)
{
    TactStepMeshVisit visit;
    visit.all = &a->model->solids.meshes;
    visit.mesh = &visit.all->meshes[a->geom->hull];
    visit.solid = *a;
    visit.solid.type = TACT_STEP_TRIANGLE;
    visit.margin = margin;
    visit.refused = visit.any = 0;
    visit.closest_depth = -INFINITY;
    visit.closest_name = 0;
    visit.closest_point = visit.closest_normal = a->middle;
    // The box of b in the frame of the mesh.
    TactVec3 middle = tact_step_solid_place(b, b->geom->middle);
    TactVec3 at = tact_mat3_apply_transpose(a->R, tact_vec3_subtract(middle, a->pose.position));
    double   half[3];
    TACT_ROLLED
    for (int k = 0; k < 3; k++) {
        half[k] = margin + 1e-12;
        TACT_ROLLED
        for (int j = 0; j < 3; j++) {
            TactVec3 of_a = {a->R.m[0][k], a->R.m[1][k], a->R.m[2][k]};
            TactVec3 of_b = {b->R.m[0][j], b->R.m[1][j], b->R.m[2][j]};
            half[k] += b->geom->half[j] * fabs(tact_vec3_dot(of_a, of_b));
        }
    }
    TactVec3 rim = {half[0], half[1], half[2]};
    TactVec3 lower = tact_vec3_subtract(at, rim), upper = tact_vec3_add(at, rim);
    TACT_ROLLED
    for (int pass = 0; pass < 2; pass++) {
        visit.any = pass;
        if (!tact_step_mesh_visit(&visit, b, lower, upper, to) ||
            to->count > TACT_STEP_MAX_TOUCHES) {
            return 0;
        }
        if (!visit.refused || tact_step_has_depth(to, 0)) {
            break;
        }
    }
    double size = visit.mesh->size + b->size, depth = visit.closest_depth;
    tact_step_remove_doubles(to, TACT_STEP_SAME_POINT * size);
    if (depth >= -margin && !tact_step_has_depth(to, depth - TACT_STEP_SAME_DEPTH * size)) {
        TactStepFace face;
        if (!tact_step_face(b, tact_vec3_negate(visit.closest_normal), &face)) {
            return 0;
        }
        if (!tact_step_has_depth(to, depth - face.slack - TACT_STEP_SAME_DEPTH * size)) {
            tact_step_add_touch(to, visit.closest_point, visit.closest_normal, depth,
                                visit.closest_name);
        }
    }
    return 1;
}

#endif
