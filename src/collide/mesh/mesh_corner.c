// A corner of a triangle at a face of a box: what GJK and EPA find too, at a tenth of the cost.
//
// In the frame of the box, with half-lengths s, let P be the corner of the triangle that reaches
// furthest against a face, sigma e_k its normal. The overlap of both along n = -sigma e_k is
//
//     d = s_k - sigma P_k,    and along any n of length 1 no less than that of P alone.
//
// d < 0:   nothing of the triangle is nearer to the plane of the face than P, so -d is the distance
//          if the foot of P is inside the face.
// d >= 0:  the overlap of a point with a box is its distance from the nearest face, so d is the
//          least of all if that is this face.
#include "collide/mesh/mesh_corner.h"

#include <math.h>

#include "collide/mesh/mesh_tree.h"
#include "collide/tolerance.h"

typedef struct Corner {
    double   p[3];  // in the frame of the box
    TactVec3 world; //
} Corner;

static void place_corners(const TactConvex *triangle, const TactConvex *box, Corner corners[3])
{
    const TactMesh *mesh = triangle->shape->mesh->mesh;
    const int      *v = mesh->triangles[triangle->triangle].vertex;
    for (int i = 0; i < 3; i++) {
        TactVec3 world = tact_convex_place(triangle, mesh->vertices[v[i]]);
        TactVec3 p = tact_convex_turn_back(box, tact_vec3_subtract(world, box->pose.position));
        corners[i] = (Corner){{p.x, p.y, p.z}, world};
    }
}

/// The face along which the triangle reaches least into the box, or is furthest off it.
static double find_face_least(const Corner corners[3], const double *s, int *axis, double *sigma)
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double low = fmin(fmin(corners[0].p[k], corners[1].p[k]), corners[2].p[k]);
        double high = fmax(fmax(corners[0].p[k], corners[1].p[k]), corners[2].p[k]);
        if (s[k] - low < least) {
            least = s[k] - low;
            *axis = k;
            *sigma = 1;
        }
        if (s[k] + high < least) {
            least = s[k] + high;
            *axis = k;
            *sigma = -1;
        }
    }
    return least;
}

/// Is the face the nearest one to a corner, and its foot inside it, both beyond doubt?
static bool is_above_face(const Corner *corner, const double *s, int axis, double depth,
                          double slack)
{
    bool inside = s[axis] - depth > slack; // the opposite face is further away
    for (int j = 0; j < 3; j++) {
        inside = inside && (j == axis || s[j] - fabs(corner->p[j]) > fmax(depth, 0) + slack);
    }
    return inside;
}

static TactVec3 column(TactMat3 R, int k, double sign)
{
    TactVec3 axis = {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
    return tact_mat3_apply(R, axis);
}

TactCornerFound tact_corner_find(const TactConvex *triangle, const TactConvex *box, double margin,
                                 TactVec3 *normal, double *depth, TactVec3 *on_a, TactVec3 *on_b)
{
    Corner        corners[3];
    const double *s = box->shape->size;
    double        sigma = 1, slack = TACT_SAME_DEPTH * (triangle->size + box->size);
    int           axis = 0, nearest = 0;
    place_corners(triangle, box, corners);
    double d = find_face_least(corners, s, &axis, &sigma);
    if (d < -margin - slack) {
        return TACT_CORNER_BESIDE;
    }
    for (int i = 1; i < 3; i++) {
        nearest = sigma * corners[i].p[axis] < sigma * corners[nearest].p[axis] ? i : nearest;
    }
    if (!(d >= -margin) || !is_above_face(&corners[nearest], s, axis, d, slack)) {
        return TACT_CORNER_UNSURE;
    }
    *normal = column(box->R, axis, -sigma);
    *depth = d;
    *on_a = corners[nearest].world;
    *on_b = tact_vec3_add_scaled(*on_a, -d, *normal);
    return TACT_CORNER_TOUCHES;
}
