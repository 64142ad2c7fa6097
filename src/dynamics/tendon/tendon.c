// Tendons: sums of joint positions, or ways through space.
//
// A way goes straight from site to site, and between two sites around a sphere or an endless
// cylinder where it would go through it (wrap.c). Its length is that of the shortest such way, so
// that points where it leaves a geom may be taken as points of that geom's body when it changes:
//
//     dL/dt = sum over straight pieces of u'(v_end - v_start) / divisor ,   u from start to end.
#include <string.h>

#include "base/status.h"
#include "dynamics/tendon/wrap.h"
#include "dynamics/workspace.h"

void tact_dynamics_add_point(const TactDynamics *d, int body, TactVec3 point, TactVec3 direction,
                             double factor, double *J)
{
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(point, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            J[i] += factor * tact_vec3_dot(direction, tact_twist_shift(d->axis[i], r).linear);
        }
    }
}

/// A point of a body, world frame.
typedef struct Place {
    int      body;
    TactVec3 at;
} Place;

static Place site_place(const TactDynamics *d, int site)
{
    const TactSite *s = &d->model->sites[site];
    return (Place){s->body, tact_transform_point(d->pose[s->body], s->pose.position)};
}

/// A straight piece; returns its length.
static double go_straight(const TactDynamics *d, Place from, Place to, double factor, double *J)
{
    TactVec3 way = tact_vec3_subtract(to.at, from.at);
    double   length = tact_vec3_norm(way);
    if (J && length > 0 && d->link_of[from.body] != d->link_of[to.body]) {
        TactVec3 u = tact_vec3_scale(1 / length, way);
        tact_dynamics_add_point(d, to.body, to.at, u, factor, J);
        tact_dynamics_add_point(d, from.body, from.at, u, -factor, J);
    }
    return length;
}

/// From site to site around a geom, if it stands in the way; returns the length.
static double go_around(const TactDynamics *d, const TactTendonPart *part, Place from, Place to,
                        double factor, double *J)
{
    const TactGeom *geom = &d->model->geoms[part->object];
    TactTransform   pose = tact_transform_multiply(d->pose[geom->body], geom->pose);
    TactWrap        wrap = {.cylinder = part->type == TACT_TENDON_PART_CYLINDER,
                            .radius = geom->size[0],
                            .from = tact_transform_point_back(pose, from.at),
                            .to = tact_transform_point_back(pose, to.at)};
    if (part->side >= 0) {
        wrap.has_side = true;
        wrap.side = tact_transform_point_back(pose, site_place(d, part->side).at);
    }
    if (!tact_wrap_find(&wrap)) {
        return go_straight(d, from, to, factor, J);
    }
    Place on = {geom->body, tact_transform_point(pose, wrap.on)};
    Place off = {geom->body, tact_transform_point(pose, wrap.off)};
    return go_straight(d, from, on, factor, J) + wrap.length + go_straight(d, off, to, factor, J);
}

/// The length of a way through space.
static double find_way(const TactDynamics *d, const TactTendon *tendon, double factor, double *J)
{
    double length = 0, divisor = 1;
    for (int i = 0; i + 1 < tendon->part_count; i++) {
        const TactTendonPart *part = &tendon->parts[i], *next = part + 1;
        if (part->type == TACT_TENDON_PART_PULLEY) {
            divisor = part->divisor;
        }
        if (part->type != TACT_TENDON_PART_SITE || next->type == TACT_TENDON_PART_PULLEY) {
            continue;
        }
        Place from = site_place(d, part->object);
        if (next->type == TACT_TENDON_PART_SITE) {
            length +=
                go_straight(d, from, site_place(d, next->object), factor / divisor, J) / divisor;
        } else {
            Place to = site_place(d, next[1].object);
            length += go_around(d, next, from, to, factor / divisor, J) / divisor;
        }
    }
    return length;
}

double tact_dynamics_tendon_length(const TactDynamics *d, int tendon, double factor, double *J)
{
    const TactTendon *t = &d->model->tendons[tendon];
    double            length = 0;
    if (t->part_count > 0) {
        return find_way(d, t, factor, J);
    }
    for (int i = 0; i < t->count; i++) {
        const TactJoint *joint = &d->model->joints[t->joints[i]];
        length += t->coefficients[i] * d->q[joint->q];
        if (J) {
            J[joint->dof] += factor * t->coefficients[i];
        }
    }
    return length;
}

double tact_dynamics_tendon_rate(const TactDynamics *d, int tendon)
{
    const TactTendon *t = &d->model->tendons[tendon];
    double            rate = 0;
    if (t->part_count > 0) {
        double *J = d->tendon_J;
        memset(J, 0, (size_t)d->model->nv * sizeof *J);
        find_way(d, t, 1, J);
        for (int i = 0; i < d->model->nv; i++) {
            rate += J[i] * d->v[i];
        }
        return rate;
    }
    for (int i = 0; i < t->count; i++) {
        rate += t->coefficients[i] * d->v[d->model->joints[t->joints[i]].dof];
    }
    return rate;
}

TactStatus tact_dynamics_rest_tendons(TactDynamics *d)
{
    const TactModel *model = d->model;
    for (int pass = 0; pass < 2 && model->tendon_count > 0; pass++) {
        TACT_TRY(tact_dynamics_set_position(d, pass == 0 ? model->q_reference : model->q_spring));
        for (int t = 0; t < model->tendon_count; t++) {
            const TactTendon *tendon = &model->tendons[t];
            double            length = tact_dynamics_tendon_length(d, t, 0, NULL);
            bool              own = tendon->part_count > 0 && tendon->spring_range[0] == -1 &&
                       tendon->spring_range[1] == -1;
            if (pass == 0) {
                d->tendon_reference[t] = length;
            } else {
                d->tendon_rest[2 * t] = own ? length : tendon->spring_range[0];
                d->tendon_rest[2 * t + 1] = own ? length : tendon->spring_range[1];
            }
        }
    }
    return TACT_OK;
}
