// Shapes that are fitted to meshes: of the size of the box that has the inertia of the mesh, or
// of the box around it in its principal axes.
#include <math.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"
#include "model/principal.h"

/// Principal axes as the columns of a rotation, largest moment first.
static void sort_axes(double moments[3], TactMat3 *R)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 2; i++) {
            if (moments[i] >= moments[i + 1]) {
                continue;
            }
            double moment = moments[i];
            moments[i] = moments[i + 1];
            moments[i + 1] = moment;
            for (int row = 0; row < 3; row++) { // a rotation stays one: swap and turn round
                double left = R->m[row][i];
                R->m[row][i] = R->m[row][i + 1];
                R->m[row][i + 1] = -left;
            }
        }
    }
}

/// Half-lengths of the box around the mesh in a frame; the frame is moved to its middle.
static void find_bounds(const TactMesh *mesh, TactTransform *frame, double half[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int v = 0; v < mesh->vertex_count; v++) {
        TactVec3     x = tact_quat_rotate_back(frame->rotation,
                                               tact_vec3_subtract(mesh->vertices[v], frame->position));
        const double at[3] = {x.x, x.y, x.z};
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], at[i]);
            high[i] = fmax(high[i], at[i]);
        }
    }
    TactVec3 middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]),
                       0.5 * (low[2] + high[2])};
    frame->position = tact_transform_point(*frame, middle);
    for (int i = 0; i < 3; i++) {
        half[i] = 0.5 * (high[i] - low[i]);
    }
}

/// Sizes by the bounding box (fitaabb): as round shapes have them that the box would hold if it
/// were square across, or a cube.
static TactStatus fit_bounds(const TactMjcfAsset *asset, TactMjcfShape shape, double size[3],
                             TactTransform *offset)
{
    double half[3];
    find_bounds(asset->shape, offset, half);
    double across = fmax(half[0], half[1]);
    switch (shape) {
    case TACT_MJCF_SPHERE: size[0] = fmax(across, half[2]); break;
    case TACT_MJCF_CAPSULE:
        size[0] = across;
        size[1] = fmax(0, half[2] - across);
        break;
    case TACT_MJCF_CYLINDER:
        size[0] = across;
        size[1] = half[2];
        break;
    case TACT_MJCF_BOX:
    case TACT_MJCF_ELLIPSOID:
        for (int i = 0; i < 3; i++) {
            size[i] = half[i];
        }
        break;
    default: return tact_fail(TACT_BAD_INPUT, "a shape of this type cannot be fitted to a mesh");
    }
    return TACT_OK;
}

/// Sizes by the box that has the inertia of the mesh, of half-lengths box.
static TactStatus fit_inertia(const double box[3], TactMjcfShape shape, double size[3])
{
    double radius = (box[0] + box[1]) / 2;
    switch (shape) {
    case TACT_MJCF_SPHERE: size[0] = (box[0] + box[1] + box[2]) / 3; break;
    case TACT_MJCF_CAPSULE:
        size[0] = radius;
        size[1] = fmax(0, box[2] - radius / 2);
        break;
    case TACT_MJCF_CYLINDER:
        size[0] = radius;
        size[1] = box[2];
        break;
    case TACT_MJCF_BOX:
    case TACT_MJCF_ELLIPSOID:
        for (int i = 0; i < 3; i++) {
            size[i] = box[i];
        }
        break;
    default: return tact_fail(TACT_BAD_INPUT, "a shape of this type cannot be fitted to a mesh");
    }
    return TACT_OK;
}

TactStatus tact_mjcf_fit(const TactMjcfAsset *asset, const TactMjcfGeom *geom, bool bounds,
                         double size[3], TactTransform *offset)
{
    TactMeshProperties mesh;
    double             moments[3];
    double             box[3]; // half-lengths
    TactMat3           R;
    TACT_TRY(tact_mesh_compute_properties(asset->shape, asset->inertia, 1, &mesh));
    tact_principal_axes(mesh.inertia.rotary, moments, &R);
    sort_axes(moments, &R);
    for (int i = 0; i < 3; i++) {
        // A box of sides 2 a, 2 b, 2 c has I_x = m (b^2 + c^2) / 3, and so on.
        double others = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
        box[i] = sqrt(fmax(0, 1.5 * others / mesh.inertia.mass));
    }
    offset->position = mesh.inertia.com;
    offset->rotation = tact_quat_from_mat3(R);
    TACT_TRY(bounds ? fit_bounds(asset, geom->shape, size, offset)
                    : fit_inertia(box, geom->shape, size));
    for (int i = 0; i < 3; i++) {
        size[i] *= geom->fitscale;
    }
    return TACT_OK;
}
