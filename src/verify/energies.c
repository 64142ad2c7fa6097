// Energies of the trees at a state: kinetic, of gravity, of springs and carried weight, and the
// sizes of the terms that cancel in their changes.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "verify/verifier.h"

#define PLACE(field) offsetof(TactTreeEnergy, field)

int tact_verify_way_body(const TactVerifier *v, const TactModel *model, const TactTendon *tendon)
{
    for (int i = 0; i < tendon->part_count; i++) {
        const TactTendonPart *part = &tendon->parts[i];
        int                   body = part->object < 0                      ? 0
                                     : part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                                           : model->geoms[part->object].body;
        if (v->tree_of_body[body] >= 0) {
            return body;
        }
    }
    return 0;
}

void tact_verify_add_kinetic(TactVerifier *v, const TactDynamics *d, size_t place)
{
    for (int l = 1; l < d->link_count; l++) {
        TactTwist u = d->velocity[l];
        double   *sum = (double *)((char *)&v->energy[v->tree_of_body[d->links[l].body]] + place);
        *sum += 0.5 * (d->links[l].inertia.mass * tact_vec3_dot(u.linear, u.linear) +
                       tact_vec3_dot(u.angular, tact_sym3_apply(d->rotary[l], u.angular)));
    }
    for (int t = 0; t < v->tree_count && v->mechanisms; t++) {
        double *sum = (double *)((char *)&v->energy[t] + place);
        for (int i = v->trees[t].first_dof; i < v->trees[t].end_dof; i++) {
            *sum += 0.5 * v->model->dofs[i].armature * d->v[i] * d->v[i];
        }
        if (d->tendon_inertia) {
            *sum += tact_dynamics_tendon_kinetic(d, v->trees[t].first_dof, v->trees[t].end_dof);
        }
    }
}

/// Largest coordinate of the scene: how far its centres of mass are from the origin, with the radii
/// of their masses about them.
static double find_extent(const TactDynamics *d)
{
    double extent = 0;
    for (int l = 1; l < d->link_count; l++) {
        const TactInertia *own = &d->links[l].inertia;
        double             trace = own->rotary.m[0][0] + own->rotary.m[1][1] + own->rotary.m[2][2];
        double             radius = own->mass > 0 ? sqrt(0.5 * trace / own->mass) : 0;
        extent = tact_larger(extent, tact_vec3_norm(d->com[l]) + radius);
    }
    return extent;
}

/// A spring of this stiffness with the energy S, whose coordinate is a difference of numbers of
/// this size: what rounding of them is relative to, (17).
static double spring_size(double S, double stiffness, double coordinate)
{
    double own = sqrt(0.5 * fabs(stiffness)) * coordinate;
    return fabs(S) + 2 * sqrt(fabs(S)) * own + TACT_VERIFY_ROUNDING * own * own;
}

/// The largest of the coordinates of a joint and of the reference of its spring.
static double joint_coordinate(const TactDynamics *d, int index)
{
    const TactModel *model = d->model;
    const TactJoint *joint = &model->joints[index];
    int              end = index + 1 < model->joint_count ? joint[1].q : model->nq;
    double           most = 0;
    for (int i = joint->q; i < end; i++) {
        most = tact_larger(most, fabs(d->q[i]) + fabs(model->q_spring[i]));
    }
    return most;
}

static void add_springs(TactVerifier *v, const TactDynamics *d, size_t stored)
{
    const TactModel *model = v->model;
    for (int j = 0; j < model->joint_count; j++) {
        if (tact_joint_has_spring(&model->joints[j])) {
            TactTreeEnergy *e = &v->energy[v->tree_of_body[model->joints[j].body]];
            double          spring = tact_dynamics_joint_energy(d, j);
            *(double *)((char *)e + stored) += spring;
            e->size += spring_size(spring, model->joints[j].stiffness, joint_coordinate(d, j));
        }
    }
    for (int k = 0; k < model->tendon_count; k++) {
        const TactTendon *tendon = &model->tendons[k];
        if (tact_tendon_has_spring(tendon) && tendon->count + tendon->part_count > 0) {
            int body = tendon->count > 0 ? model->joints[tendon->joints[0]].body
                                         : tact_verify_way_body(v, model, tendon);
            if (v->tree_of_body[body] < 0) {
                continue;
            }
            TactTreeEnergy *e = &v->energy[v->tree_of_body[body]];
            double          spring = tact_dynamics_tendon_energy(d, k);
            *(double *)((char *)e + stored) += spring;
            e->size += spring_size(spring, tendon->stiffness,
                                   fabs(d->tendon_rest[2 * k]) + fabs(d->tendon_rest[2 * k + 1]));
        }
    }
}

void tact_verify_add_potential(TactVerifier *v, const TactDynamics *d, size_t gravity,
                               size_t stored)
{
    const TactModel *model = v->model;
    TactVec3         g = tact_verify_gravity(model);
    double           highest = tact_vec3_norm(g) * find_extent(d);
    for (int b = 1; b < model->body_count; b++) {
        if (v->tree_of_body[b] < 0) {
            continue;
        }
        TactTreeEnergy *e = &v->energy[v->tree_of_body[b]];
        TactVec3        com = tact_transform_point(d->pose[b], model->bodies[b].inertia.com);
        double          mass = model->bodies[b].inertia.mass;
        double          weight = -mass * tact_vec3_dot(g, com);
        double          carried = model->bodies[b].gravity_compensation;
        *(double *)((char *)e + gravity) += weight;
        if (carried != 0 && tact_dynamics_is_carried(d, b)) {
            *(double *)((char *)e + stored) -= carried * weight;
        }
        e->size += (1 + fabs(carried)) * mass * highest; // (17)
    }
    add_springs(v, d, stored);
}

TactStatus tact_verify_find_path(TactVerifier *v, const TactStep *step)
{
    memset(v->energy, 0, (size_t)v->tree_count * sizeof *v->energy);
    tact_dynamics_integrate(v->model, step->q, step->v_after, 0.5 * step->h, v->q_work);
    TACT_TRY(tact_dynamics_set_position(v->after, v->q_work));
    TACT_TRY(tact_dynamics_set_velocity(v->after, step->v_after));
    tact_verify_add_kinetic(v, v->after, PLACE(middle));
    tact_verify_add_potential(v, v->after, PLACE(middle), PLACE(middle_stored));
    if (step->correction > 0) {
        tact_dynamics_integrate(v->model, step->q, step->v_after, step->h, v->q_work);
        TACT_TRY(tact_dynamics_set_position(v->after, v->q_work));
        TACT_TRY(tact_dynamics_set_velocity(v->after, step->v_after));
        tact_verify_add_kinetic(v, v->after, PLACE(end));
        tact_verify_add_potential(v, v->after, PLACE(end_gravity), PLACE(end_stored));
    }
    return TACT_OK;
}
