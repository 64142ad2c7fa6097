// The fluid around bodies: drag on the box that has a body's mass and inertia.
//
// In principal axes at the centre of mass, with the sides
//
//     b_i = sqrt(6 (I_j + I_k - I_i) / m)                                                       (1)
//
// of that box, velocities v and w against the fluid, density rho and viscosity mu:
//
//     f_i = -rho b_j b_k |v_i| v_i / 2 - 3 pi d mu v_i                                          (2)
//     t_i = -rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64 - pi d^3 mu w_i ,     d = (b_1 + b_2 + b_3) / 3
//
// as in MuJoCo, whose model this is. Of a body with equal moments the box may be turned: it is
// along the axes of its only geom, or along its own, where these are principal ones. Where geoms of
// the body say so, the fluid acts on these instead (fluid_ellipsoid.c).
#include <math.h>

#include "base/clones.h"
#include "dynamics/workspace.h"
#include "math/wide_pose.h"
#include "model/principal.h"

static const double PI = 3.14159265358979323846;

/// Moments about the axes of a frame, if it is a principal one.
static bool are_principal(TactMat3 I, TactMat3 R, double moments[3])
{
    TactMat3 own = tact_mat3_multiply(tact_mat3_transpose(R), tact_mat3_multiply(I, R));
    double   size = own.m[0][0] + own.m[1][1] + own.m[2][2];
    for (int i = 0; i < 3; i++) {
        moments[i] = own.m[i][i];
    }
    return fabs(own.m[0][1]) + fabs(own.m[0][2]) + fabs(own.m[1][2]) <= 1e-12 * size;
}

/// The only geom of a body that has mass, where its centre is that of the body; NULL: there is
/// none.
static const TactGeom *only_geom(const TactModel *model, const TactBody *body)
{
    const TactGeom *only = NULL;
    int             count = 0;
    for (int i = body->first_geom; i < body->first_geom + body->geom_count; i++) {
        if (model->geoms[i].mass > 0) {
            only = &model->geoms[i];
            count++;
        }
    }
    bool at_centre =
        count == 1 && tact_vec3_norm(tact_vec3_subtract(only->pose.position, body->inertia.com)) <=
                          1e-12 * (1 + tact_vec3_norm(body->inertia.com));
    return at_centre ? only : NULL;
}

/// Principal axes of a body, columns in its frame, and moments.
static void find_axes(const TactModel *model, const TactBody *body, double moments[3],
                      TactMat3 *axes)
{
    const TactGeom *geom = only_geom(model, body);
    TactMat3        I = body->inertia.rotary;
    *axes = tact_quat_to_mat3(geom ? geom->pose.rotation : tact_quat_identity());
    if (are_principal(I, *axes, moments)) {
        return;
    }
    *axes = tact_quat_to_mat3(tact_quat_identity());
    if (!are_principal(I, *axes, moments)) {
        tact_principal_axes(I, moments, axes);
    }
}

static bool has_fluid(const TactModel *model)
{
    return model->options.density != 0 || model->options.viscosity != 0;
}

/// Is it a body that the fluid pushes?
static bool has_box(const TactDynamics *d, int index)
{
    const TactBody *body = &d->model->bodies[index];
    return d->link_of[index] > 0 && body->inertia.mass > 1e-15 && body->mocap < 0;
}

void tact_dynamics_find_boxes(TactDynamics *d)
{
    for (int k = 1; k < d->model->body_count && has_fluid(d->model); k++) {
        const TactBody *body = &d->model->bodies[k];
        TactFluidBox   *box = &d->recursion->boxes[k];
        double          moments[3];
        if (!has_box(d, k)) {
            continue;
        }
        find_axes(d->model, body, moments, &box->axes);
        for (int i = 0; i < 3; i++) {
            double sum = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
            box->sides[i] = sqrt(fmax(1e-15, sum) / body->inertia.mass * 6);
        }
    }
}

/// (2) in principal axes.
static inline void find_drag(const TactModelOptions *options, const double b[3],
                             const double linear[3], const double angular[3], double f[3],
                             double t[3])
{
    double size = (b[0] + b[1] + b[2]) / 3, rho = options->density, mu = options->viscosity;
    for (int i = 0; i < 3; i++) {
        double u = linear[i], w = angular[i];
        f[i] = -(3 * PI * size * mu * u);
        t[i] = -(PI * size * size * size * mu * w);
        if (rho != 0) {
            double y = b[(i + 1) % 3], z = b[(i + 2) % 3];
            f[i] += -0.5 * rho * y * z * fabs(u) * u;
            t[i] += -rho * b[i] * (y * y * y * y + z * z * z * z) * fabs(w) * w / 64;
        }
    }
}

/// The sum of products with column k.
TACT_WIDE double along(const TactLanes *column, const TactLanes *v)
{
    TactLanes part = *column * *v;
    return part[1] + part[2] + part[3];
}

/// (2) for one body.
TACT_CLONES static void push_body(const TactDynamics *d, int index, double *tau)
{
    const TactModelOptions *options = &d->model->options;
    const TactFluidBox     *box = &d->recursion->boxes[index];
    int                     own = d->link_of[index];
    TactTransform           pose = d->pose[index];
    TactVec3  centre = tact_transform_point(pose, d->model->bodies[index].inertia.com);
    TactTwist v = tact_twist_shift(d->velocity[own], tact_vec3_subtract(centre, d->com[own]));
    TactVec3  against = tact_vec3_subtract(v.linear, options->wind);
    TactLanes q = TACT_LANES_AT(&d->pose[index].rotation.w), turn[3], R[3], force, torque;
    TactLanes u = TACT_WIDE_VEC3(against), w = TACT_WIDE_VEC3(v.angular);
    double    linear[3], angular[3], f[3], t[3];
    tact_wide_columns(&q, turn);
    for (int k = 0; k < 3; k++) {
        R[k] =
            turn[0] * box->axes.m[0][k] + turn[1] * box->axes.m[1][k] + turn[2] * box->axes.m[2][k];
        linear[k] = along(&R[k], &u);
        angular[k] = along(&R[k], &w);
    }
    find_drag(options, box->sides, linear, angular, f, t);
    force = R[0] * f[0] + R[1] * f[1] + R[2] * f[2];
    torque = R[0] * t[0] + R[1] * t[1] + R[2] * t[2];
    TactWrench push = {{force[1], force[2], force[3]}, {torque[1], torque[2], torque[3]}};
    for (int l = own; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(centre, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            TactTwist motion = tact_twist_shift(d->axis[i], r);
            tau[i] += tact_vec3_dot(push.force, motion.linear) +
                      tact_vec3_dot(push.torque, motion.angular);
        }
    }
}

void tact_dynamics_add_fluid(const TactDynamics *d, double *tau)
{
    for (int b = 1; b < d->model->body_count && has_fluid(d->model); b++) {
        bool ellipsoids = false; // instead of the box, if there are some
        for (int i = 0; i < d->model->bodies[b].geom_count && d->link_of[b] > 0; i++) {
            const TactGeom *geom = &d->model->geoms[d->model->bodies[b].first_geom + i];
            if (geom->fluid_ellipsoid && d->model->bodies[b].mocap < 0) {
                ellipsoids = true;
                tact_dynamics_add_fluid_geom(d, geom, tau);
            }
        }
        if (!ellipsoids && has_box(d, b)) {
            push_body(d, b, tau);
        }
    }
}
