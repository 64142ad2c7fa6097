// Shapes that are fitted to meshes: of the size of the box that has the inertia of the mesh.
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

TactStatus tact_mjcf_fit(const TactMjcfAsset *asset, TactMjcfShape shape, double scale,
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
    for (int i = 0; i < 3; i++) {
        size[i] *= scale;
    }
    return TACT_OK;
}
