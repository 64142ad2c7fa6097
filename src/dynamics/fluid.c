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
//
// Either is a part of the fluid: a drag -c_i v_i, -e_i w_i with coefficients c, e that depend on
// the velocity, and a lift, which does no work on a body in a fluid at rest.
#include "dynamics/fluid.h"

#include <math.h>

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

bool tact_dynamics_has_fluid(const TactModel *model)
{
    return model->options.density != 0 || model->options.viscosity != 0;
}

/// Is it a body that the fluid pushes?
static bool has_box(const TactDynamics *d, int index)
{
    const TactBody *body = &d->model->bodies[index];
    return d->link_of[index] > 0 && body->inertia.mass > 1e-15 && body->mocap < 0;
}

static void find_box(const TactModel *model, const TactBody *body, TactFluidBox *box)
{
    double moments[3];
    find_axes(model, body, moments, &box->axes);
    for (int i = 0; i < 3; i++) {
        double sum = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
        box->sides[i] = sqrt(fmax(1e-15, sum) / body->inertia.mass * 6);
    }
}

void tact_dynamics_find_boxes(TactDynamics *d)
{
    const TactModel *model = d->model;
    for (int k = 1; k < model->body_count && tact_dynamics_has_fluid(model); k++) {
        if (has_box(d, k)) {
            find_box(model, &model->bodies[k], &d->recursion->boxes[k]);
        }
    }
    for (int k = 0; k < model->geom_count && tact_dynamics_has_fluid(model); k++) {
        if (model->geoms[k].fluid_ellipsoid) {
            tact_fluid_measure(&model->geoms[k], &d->recursion->ellipsoids[k]);
        }
    }
}

bool tact_dynamics_has_lift(const TactModel *model)
{
    bool any = false;
    for (int k = 0; k < model->geom_count && tact_dynamics_has_fluid(model); k++) {
        any = any || model->geoms[k].fluid_ellipsoid;
    }
    return any;
}

/// (2) in principal axes: the coefficients.
static void find_coefficients(const TactModelOptions *options, const double b[3],
                              TactFluidPart *part)
{
    double size = (b[0] + b[1] + b[2]) / 3, rho = options->density, mu = options->viscosity;
    for (int i = 0; i < 3; i++) {
        double y = b[(i + 1) % 3], z = b[(i + 2) % 3];
        part->linear[i] = 3 * PI * size * mu;
        part->angular[i] = PI * size * size * size * mu;
        if (rho != 0) {
            part->linear[i] += 0.5 * rho * y * z * fabs(part->v[i]);
            part->angular[i] +=
                rho * b[i] * (y * y * y * y + z * z * z * z) * fabs(part->w[i]) / 64;
        }
    }
}

void tact_fluid_place(const TactDynamics *d, TactFluidPart *part, const TactMat3 *axes)
{
    TactTwist v = tact_twist_shift(d->velocity[part->link],
                                   tact_vec3_subtract(part->centre, d->com[part->link]));
    TactVec3  against = tact_vec3_subtract(v.linear, d->model->options.wind);
    TactMat3  turn = tact_quat_to_mat3(d->pose[part->body].rotation);
    for (int k = 0; k < 3; k++) {
        TactVec3 column = {axes->m[0][k], axes->m[1][k], axes->m[2][k]};
        part->axis[k] = tact_mat3_apply(turn, column);
        part->v[k] = tact_vec3_dot(part->axis[k], against);
        part->w[k] = tact_vec3_dot(part->axis[k], v.angular);
    }
}

static void find_box_part(const TactDynamics *d, int body, TactFluidPart *part)
{
    const TactFluidBox *box = &d->recursion->boxes[body];
    part->body = body;
    part->link = d->link_of[body];
    part->centre = tact_transform_point(d->pose[body], d->model->bodies[body].inertia.com);
    tact_fluid_place(d, part, &box->axes);
    find_coefficients(&d->model->options, box->sides, part);
    part->lift = (TactWrench){{0, 0, 0}, {0, 0, 0}};
}

bool tact_fluid_next(const TactDynamics *d, TactFluidPart *part)
{
    const TactModel *model = d->model;
    for (; part->next_body < model->body_count; part->next_body++, part->next_geom = 0) {
        int             b = part->next_body;
        const TactBody *body = &model->bodies[b];
        for (; part->next_geom < body->geom_count && d->link_of[b] > 0; part->next_geom++) {
            int geom = body->first_geom + part->next_geom;
            if (model->geoms[geom].fluid_ellipsoid && body->mocap < 0) {
                part->next_geom++;
                part->on_geoms = true; // instead of on the box
                tact_fluid_find_geom(d, geom, part);
                return true;
            }
        }
        bool box = !part->on_geoms && has_box(d, b);
        part->on_geoms = false;
        if (box) {
            find_box_part(d, b, part);
            part->next_body++;
            part->next_geom = 0;
            return true;
        }
    }
    return false;
}

/// tau += J' w of a wrench at the centre of a part.
static void push(const TactDynamics *d, const TactFluidPart *part, TactWrench w, double *tau)
{
    for (int l = part->link; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(part->centre, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            TactTwist motion = tact_twist_shift(d->axis[i], r);
            tau[i] +=
                tact_vec3_dot(w.force, motion.linear) + tact_vec3_dot(w.torque, motion.angular);
        }
    }
}

void tact_dynamics_add_fluid(const TactDynamics *d, double *tau)
{
    if (!tact_dynamics_has_fluid(d->model)) {
        return;
    }
    TactFluidPart part = tact_fluid_first();
    while (tact_fluid_next(d, &part)) {
        TactWrench w = part.lift;
        for (int i = 0; i < 3; i++) {
            w.force = tact_vec3_add_scaled(w.force, -part.linear[i] * part.v[i], part.axis[i]);
            w.torque = tact_vec3_add_scaled(w.torque, -part.angular[i] * part.w[i], part.axis[i]);
        }
        push(d, &part, w, tau);
    }
}

void tact_dynamics_add_lift(const TactDynamics *d, double *tau)
{
    TactFluidPart part = tact_fluid_first();
    while (tact_dynamics_has_lift(d->model) && tact_fluid_next(d, &part)) {
        push(d, &part, part.lift, tau);
    }
}
