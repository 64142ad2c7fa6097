// Inertia of tendons: a tendon with the armature m has the kinetic energy m Ldot^2 / 2, so that
// with its slope J
//
//     M gets m J'J ,     the bias gets m J' (dJ/dt v) .                                      (1)
//
// M keeps only pairs of dofs one of which stands on the way from the other to the root (mass.c). Of
// J'J the pairs beyond it are left out, as MuJoCo does: a tendon between two branches is felt by
// each of them alone. Along one branch nothing is left out.
//
// For a straight piece from a to b, with its unit vector u and the relative velocity w of its ends,
//
//     d/dt (u'w) = u'(acceleration of b - of a) + (w'w - (u'w)^2) / |b - a| .               (2)
//
// Arcs around geoms have no such form here; the builder refuses armature on them, as MuJoCo does.
#include <string.h>

#include "base/status.h"
#include "dynamics/workspace.h"

bool tact_dynamics_has_tendon_inertia(const TactModel *model)
{
    for (int t = 0; t < model->tendon_count; t++) {
        if (model->tendons[t].armature > 0) {
            return true;
        }
    }
    return false;
}

/// The slope of a tendon; lent until the next one is asked for.                           (nv)
static const double *find_slope(const TactDynamics *d, int tendon)
{
    double *J = d->tendon_J;
    memset(J, 0, (size_t)d->model->nv * sizeof *J);
    tact_dynamics_tendon_length(d, tendon, 1, J);
    return J;
}

void tact_dynamics_add_tendon_mass(TactDynamics *d)
{
    for (int t = 0; t < d->model->tendon_count; t++) {
        double m = d->model->tendons[t].armature;
        if (!(m > 0)) {
            continue;
        }
        const double *J = find_slope(d, t);
        for (int i = 0; i < d->model->nv; i++) {
            for (int p = d->mass->row[i]; J[i] != 0 && p < d->mass->row[i + 1]; p++) {
                d->mass->M[p] += m * J[i] * J[d->mass->column[p]];
            }
        }
    }
}

/// Velocity and acceleration of a site, as the last recursion over the links left them.
static void find_motion(const TactDynamics *d, int site, TactVec3 *at, TactVec3 *velocity,
                        TactVec3 *acceleration)
{
    const TactSite *s = &d->model->sites[site];
    int             l = d->link_of[s->body];
    *at = tact_transform_point(d->pose[s->body], s->pose.position);
    TactVec3  r = tact_vec3_subtract(*at, d->com[l]);
    TactTwist v = tact_twist_shift(d->velocity[l], r);
    *velocity = v.linear;
    *acceleration = tact_vec3_add(tact_twist_shift(d->acceleration[l], r).linear,
                                  tact_vec3_cross(v.angular, v.linear));
}

/// (2); the acceleration of the world, by which gravity is written, is that of both ends.
static double bend_rate(const TactDynamics *d, int from, int to)
{
    TactVec3 a, b, va, vb, aa, ab;
    if (d->link_of[d->model->sites[from].body] == d->link_of[d->model->sites[to].body]) {
        return 0;
    }
    find_motion(d, from, &a, &va, &aa);
    find_motion(d, to, &b, &vb, &ab);
    TactVec3 way = tact_vec3_subtract(b, a), w = tact_vec3_subtract(vb, va);
    double   length = tact_vec3_norm(way);
    if (!(length > 0)) {
        return 0;
    }
    TactVec3 u = tact_vec3_scale(1 / length, way);
    double   along = tact_vec3_dot(u, w);
    return tact_vec3_dot(u, tact_vec3_subtract(ab, aa)) +
           (tact_vec3_dot(w, w) - along * along) / length;
}

/// The second derivative of the length of a way through sites, at the accelerations of the links.
static double way_acceleration(const TactDynamics *d, const TactTendon *tendon)
{
    double sum = 0, divisor = 1;
    for (int i = 0; i + 1 < tendon->part_count; i++) {
        const TactTendonPart *part = &tendon->parts[i], *next = part + 1;
        if (part->type == TACT_TENDON_PART_PULLEY) {
            divisor = part->divisor;
        } else if (next->type == TACT_TENDON_PART_SITE) {
            sum += bend_rate(d, part->object, next->object) / divisor;
        }
    }
    return sum;
}

void tact_dynamics_add_tendon_force(const TactDynamics *d, const double *acceleration, double *tau)
{
    const TactMassMatrix *mass = d->mass;
    for (int t = 0; t < d->model->tendon_count; t++) {
        const TactTendon *tendon = &d->model->tendons[t];
        double            m = tendon->armature;
        if (!(m > 0)) {
            continue;
        }
        const double *J = find_slope(d, t);
        double        product = way_acceleration(d, tendon); // dJ/dt v, and J qdd
        for (int i = 0; i < d->model->nv && acceleration && tendon->part_count > 0; i++) {
            product -= J[i] * acceleration[i];
        }
        for (int i = 0; i < d->model->nv; i++) {
            if (J[i] == 0) {
                continue;
            }
            tau[i] += m * J[i] * product;
            for (int p = mass->row[i]; acceleration && p < mass->row[i + 1]; p++) {
                int    j = mass->column[p];
                double both = m * J[i] * J[j];
                tau[i] += both * acceleration[j];
                tau[j] += j == i ? 0 : both * acceleration[i];
            }
        }
    }
}

double tact_dynamics_tendon_kinetic(const TactDynamics *d, int first, int end)
{
    const TactMassMatrix *mass = d->mass;
    double                twice = 0;
    for (int t = 0; t < d->model->tendon_count; t++) {
        double m = d->model->tendons[t].armature;
        if (!(m > 0)) {
            continue;
        }
        const double *J = find_slope(d, t);
        for (int i = first; i < end; i++) {
            double sum = 0;
            for (int p = mass->row[i]; J[i] != 0 && p < mass->row[i + 1]; p++) {
                int j = mass->column[p];
                sum += (j == i ? 1 : 2) * J[j] * d->v[j];
            }
            twice += m * J[i] * d->v[i] * sum;
        }
    }
    return 0.5 * twice;
}

TactStatus tact_dynamics_check_tendon_inertia(TactDynamics *d)
{
    if (!d->tendon_inertia) {
        return TACT_OK;
    }
    TACT_TRY(tact_dynamics_set_position(d, d->model->q_reference));
    tact_dynamics_compute_mass(d, NULL);
    for (int i = 0; i < d->model->nv; i++) {
        TactFactorRow row = tact_dynamics_view_factor_row(d, i);
        if (!(row.L[d->mass->row[i + 1] - d->mass->row[i] - 1] > 0)) {
            char label[TACT_LABEL_SIZE];
            return tact_fail(
                TACT_UNSUPPORTED,
                "dynamics: %s: the armature of a tendon between branches outweighs its inertia",
                tact_model_label(d->model, TACT_OBJECT_JOINT, d->model->dofs[i].joint, label));
        }
    }
    return TACT_OK;
}
