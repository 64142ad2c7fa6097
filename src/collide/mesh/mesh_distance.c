// Distance of meshes from anything: the nearest triangles, found by branch and bound over the tree
// of their bounds.
//
// Apart, the answer is exact: the distance of two triangles, or of a triangle and a convex shape,
// and nothing whose bounds are further away was looked at. Surfaces that cross have no one depth:
// the answer is that of the deepest point of contact. A shape inside of a closed mesh is as deep as
// it must move, towards the nearest point of the surface, to be beyond the plane there.
#include "collide/mesh/mesh_distance.h"
#include "collide/mesh/mesh.h"

#include <math.h>

#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/pair/pair.h"
#include "collide/tolerance.h"

typedef struct Search {
    TactConvex  a, b; // a: the mesh; b: convex, or the other mesh
    TactMat3    R;    // of b in the frame of a, of two meshes
    TactVec3    t;
    TactVec3    lower, upper; // of a convex b in the frame of a
    TactNearest nearest;      // of cores, so far
    int         triangle;     // of a
} Search;

static double gap_of(TactVec3 la, TactVec3 ua, TactVec3 lb, TactVec3 ub)
{
    TactVec3 d = {fmax(0, fmax(la.x - ub.x, lb.x - ua.x)), fmax(0, fmax(la.y - ub.y, lb.y - ua.y)),
                  fmax(0, fmax(la.z - ub.z, lb.z - ua.z))};
    return tact_vec3_norm(d);
}

/// Distance of triangle i of a from b, if it is less than what is known.
static void try_triangle(Search *s, int i, const TactConvex *b)
{
    TactConvex  a = tact_convex_make_triangle(&s->a, i);
    TactSimplex simplex;
    TactVec3    on_a, on_b;
    double      distance = tact_gjk(&a, b, s->nearest.distance, &simplex, &on_a, &on_b);
    if (distance < s->nearest.distance) {
        s->nearest = (TactNearest){.distance = distance, .on_a = on_a, .on_b = on_b};
        s->triangle = i;
    }
}

// ---------------------------------------------------------------------------------------------
// Convex shape

static void search_convex(Search *s, int index)
{
    const TactMeshTree *tree = s->a.shape->mesh;
    const TactMeshNode *node = &tree->nodes[index];
    for (int i = 0; i < node->count; i++) {
        try_triangle(s, tree->order[node->first + i], &s->b);
    }
    if (node->count > 0) {
        return;
    }
    double gap[2];
    for (int k = 0; k < 2; k++) {
        const TactMeshNode *part = &tree->nodes[node->first + k];
        gap[k] = gap_of(part->lower, part->upper, s->lower, s->upper);
    }
    for (int k = 0; k < 2; k++) { // the nearer part first
        int which = gap[0] <= gap[1] ? k : 1 - k;
        if (gap[which] < s->nearest.distance) {
            search_convex(s, node->first + which);
        }
    }
}

static void find_nearest_convex(Search *s)
{
    TactTransform seen = tact_transform_multiply(tact_transform_invert(s->a.pose), s->b.pose);
    tact_shape_compute_bounds(s->b.shape, &seen, &s->lower, &s->upper);
    // of the core: bounds are of what is around it
    TactVec3 rim = {s->b.radius, s->b.radius, s->b.radius};
    s->lower = tact_vec3_add(s->lower, rim);
    s->upper = tact_vec3_subtract(s->upper, rim);
    s->nearest.distance = INFINITY;
    search_convex(s, 0);
}

// ---------------------------------------------------------------------------------------------
// Mesh

/// Distance of the bounds of two nodes, those of b turned into the frame of a.
static double node_gap(const Search *s, const TactMeshNode *p, const TactMeshNode *q)
{
    TactVec3 half = tact_vec3_scale(0.5, tact_vec3_subtract(q->upper, q->lower));
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(q->upper, q->lower));
    double   h[3];
    middle = tact_vec3_add(s->t, tact_mat3_apply(s->R, middle));
    for (int i = 0; i < 3; i++) {
        h[i] =
            fabs(s->R.m[i][0]) * half.x + fabs(s->R.m[i][1]) * half.y + fabs(s->R.m[i][2]) * half.z;
    }
    TactVec3 rim = {h[0], h[1], h[2]};
    return gap_of(p->lower, p->upper, tact_vec3_subtract(middle, rim), tact_vec3_add(middle, rim));
}

static double node_size(const TactMeshNode *node)
{
    TactVec3 d = tact_vec3_subtract(node->upper, node->lower);
    return tact_vec3_dot(d, d);
}

/// Descends in the larger of two nodes.
static void search_mesh(Search *s, int in_a, int in_b)
{
    const TactMeshTree *tree_a = s->a.shape->mesh, *tree_b = s->b.shape->mesh;
    const TactMeshNode *p = &tree_a->nodes[in_a], *q = &tree_b->nodes[in_b];
    if (p->count > 0 && q->count > 0) {
        for (int k = 0; k < q->count; k++) {
            TactConvex b = tact_convex_make_triangle(&s->b, tree_b->order[q->first + k]);
            for (int i = 0; i < p->count; i++) {
                try_triangle(s, tree_a->order[p->first + i], &b);
            }
        }
        return;
    }
    bool   split_a = q->count > 0 || (p->count == 0 && node_size(p) >= node_size(q));
    double gap[2];
    for (int k = 0; k < 2; k++) {
        gap[k] = split_a ? node_gap(s, &tree_a->nodes[p->first + k], q)
                         : node_gap(s, p, &tree_b->nodes[q->first + k]);
    }
    for (int k = 0; k < 2; k++) {
        int which = gap[0] <= gap[1] ? k : 1 - k;
        if (gap[which] < s->nearest.distance) {
            search_mesh(s, split_a ? p->first + which : in_a, split_a ? in_b : q->first + which);
        }
    }
}

static void find_nearest_mesh(Search *s)
{
    TactTransform seen = tact_transform_multiply(tact_transform_invert(s->a.pose), s->b.pose);
    s->R = tact_quat_to_mat3(seen.rotation);
    s->t = seen.position;
    s->nearest.distance = INFINITY;
    search_mesh(s, 0, 0);
}

// ---------------------------------------------------------------------------------------------
// Inside

bool tact_mesh_tree_holds(const TactMeshTree *tree, TactVec3 x)
{
    const TactMesh     *mesh = tree->mesh;
    const TactMeshNode *all = &tree->nodes[0];
    double              angle = 0;
    if (!mesh->findings.watertight || !mesh->findings.oriented ||
        gap_of(all->lower, all->upper, x, x) > 0) {
        return false;
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        // tan(solid angle / 2) of a triangle [van Oosterom and Strackee 1983]
        TactVec3 v[3];
        double   length[3];
        for (int k = 0; k < 3; k++) {
            v[k] = tact_vec3_subtract(mesh->vertices[mesh->triangles[i].vertex[k]], x);
            length[k] = tact_vec3_norm(v[k]);
        }
        double above = tact_vec3_dot(v[0], tact_vec3_cross(v[1], v[2]));
        double below = length[0] * length[1] * length[2] + tact_vec3_dot(v[0], v[1]) * length[2] +
                       tact_vec3_dot(v[1], v[2]) * length[0] +
                       tact_vec3_dot(v[2], v[0]) * length[1];
        angle += atan2(above, below);
    }
    return angle > 3.14159265358979323846; // 2 pi inside, 0 outside
}

/// How far a shape reaches along a direction of the world.
static double reach_along(const TactConvex *c, TactVec3 n)
{
    if (c->shape->type != TACT_SHAPE_MESH) {
        return tact_vec3_dot(n, tact_convex_support(c, n)) + c->radius;
    }
    const TactMesh *mesh = c->shape->mesh->mesh;
    TactVec3        d = tact_convex_turn_back(c, n);
    double          most = -INFINITY;
    for (int i = 0; i < mesh->vertex_count; i++) {
        most = fmax(most, tact_vec3_dot(d, mesh->vertices[i]));
    }
    return most + tact_vec3_dot(n, c->pose.position);
}

/// b is moved along n until it is beyond the plane through a point of a.
static void set_depth(const TactConvex *b, TactVec3 on_a, TactVec3 n, TactDistance *out)
{
    out->normal = n;
    out->distance = -tact_vec3_dot(n, on_a) - reach_along(b, tact_vec3_negate(n));
    out->on_a = on_a;
    out->on_b = tact_vec3_add_scaled(on_a, out->distance, n);
}

static TactVec3 own_normal(const Search *s)
{
    return tact_convex_turn(&s->a, s->a.shape->mesh->normals[s->triangle]);
}

/// Surfaces that cross: the deepest point of contact, or the plane of a triangle that is crossed.
static TactStatus set_deepest(const Search *s, TactDistance *out)
{
    TactTouchList list = {0};
    TactStatus    status = tact_collide(s->a.shape, &s->a.pose, s->b.shape, &s->b.pose, 0, &list);
    int           best = 0;
    for (int i = 1; i < list.count; i++) {
        best = list.touches[i].depth > list.touches[best].depth ? i : best;
    }
    if (status == TACT_OK && list.count > 0) {
        TactTouch t = list.touches[best];
        *out = (TactDistance){-t.depth, tact_vec3_add_scaled(t.point, 0.5 * t.depth, t.normal),
                              tact_vec3_add_scaled(t.point, -0.5 * t.depth, t.normal), t.normal};
    } else if (status == TACT_OK) {
        TactConvex crossed = tact_convex_make_triangle(&s->a, s->triangle);
        set_depth(&s->b, crossed.middle, own_normal(s), out);
    }
    tact_touch_list_destroy(&list);
    return status;
}

static void set_apart(const Search *s, TactDistance *out)
{
    TactVec3 apart = tact_vec3_subtract(s->nearest.on_b, s->nearest.on_a);
    out->normal = tact_vec3_scale(1 / tact_vec3_norm(apart), apart);
    out->distance = s->nearest.distance - s->b.radius;
    out->on_a = s->nearest.on_a;
    out->on_b = tact_vec3_add_scaled(s->nearest.on_b, -s->b.radius, out->normal);
}

TactStatus tact_mesh_convex_distance(const TactShapePair *pair, TactDistance *out)
{
    Search s = {.a = tact_convex_make(pair->a, pair->pose_a),
                .b = tact_convex_make(pair->b, pair->pose_b)};
    find_nearest_convex(&s);
    TactVec3 middle = tact_transform_point_back(s.a.pose, s.b.middle);
    if (tact_mesh_tree_holds(pair->a->mesh, middle)) {
        TactShape point = {.type = TACT_SHAPE_SPHERE};
        Search    from = s;
        from.b = tact_convex_make(&point, pair->pose_b);
        find_nearest_convex(&from);
        TactVec3 out_of = tact_vec3_subtract(from.nearest.on_a, from.nearest.on_b);
        double   length = tact_vec3_norm(out_of);
        bool     clear = length > TACT_SAME_DEPTH * s.a.size;
        set_depth(&s.b, from.nearest.on_a,
                  clear ? tact_vec3_scale(1 / length, out_of) : own_normal(&from), out);
    } else if (s.nearest.distance > TACT_NO_LENGTH * (s.a.size + s.b.size)) {
        set_apart(&s, out);
    } else {
        return set_deepest(&s, out);
    }
    return TACT_OK;
}

static TactVec3 first_vertex(const TactConvex *mesh)
{
    const TactMesh *m = mesh->shape->mesh->mesh;
    return tact_convex_place(mesh, m->vertices[m->triangles[0].vertex[0]]);
}

TactStatus tact_mesh_mesh_distance(const TactShapePair *pair, TactDistance *out)
{
    Search s = {.a = tact_convex_make(pair->a, pair->pose_a),
                .b = tact_convex_make(pair->b, pair->pose_b)};
    find_nearest_mesh(&s);
    if (!(s.nearest.distance > TACT_NO_LENGTH * (s.a.size + s.b.size))) {
        return set_deepest(&s, out);
    }
    set_apart(&s, out);
    TactVec3 back = tact_vec3_negate(out->normal);
    if (tact_mesh_tree_holds(pair->a->mesh,
                             tact_transform_point_back(s.a.pose, first_vertex(&s.b)))) {
        set_depth(&s.b, out->on_a, back, out);
    } else if (tact_mesh_tree_holds(pair->b->mesh,
                                    tact_transform_point_back(s.b.pose, first_vertex(&s.a)))) {
        // the same with a and b exchanged
        set_depth(&s.a, out->on_b, out->normal, out);
        TactVec3 on_a = out->on_b;
        out->on_b = out->on_a;
        out->on_a = on_a;
        out->normal = tact_vec3_negate(out->normal);
    }
    return TACT_OK;
}

void tact_plane_mesh_distance(const TactShapePair *pair, TactDistance *out)
{
    const TactMesh *mesh = pair->b->mesh->mesh;
    TactVec3        n = tact_quat_rotate(pair->pose_a->rotation, (TactVec3){0, 0, 1});
    TactVec3        d = tact_quat_rotate_back(pair->pose_b->rotation, n);
    int             lowest = 0;
    for (int i = 1; i < mesh->vertex_count; i++) {
        if (tact_vec3_dot(d, mesh->vertices[i]) < tact_vec3_dot(d, mesh->vertices[lowest])) {
            lowest = i;
        }
    }
    out->normal = n;
    out->on_b = tact_transform_point(*pair->pose_b, mesh->vertices[lowest]);
    out->distance = tact_vec3_dot(n, tact_vec3_subtract(out->on_b, pair->pose_a->position));
    out->on_a = tact_vec3_add_scaled(out->on_b, -out->distance, n);
}
