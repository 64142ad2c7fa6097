// Energy: it changes by the work of the forces, and only driving forces add any. Equations (12) to
// (16) of docs/theory/step-certificate.md.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "model/surface.h"
#include "verify/verifier.h"

static const double SQRT3 = 1.7320508075688772;

/// A body on the way of a tendon that moves; 0: none does.
static int way_body(const TactVerifier *v, const TactModel *model, const TactTendon *tendon)
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

/// Adds the kinetic energy of every tree, armature included, to the number at this place in its
/// TactTreeEnergy.
static void add_kinetic(TactVerifier *v, const TactDynamics *d, size_t place)
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

/// The same with potentials: of gravity, and of springs and compensated weight.
static void add_potential(TactVerifier *v, const TactDynamics *d, size_t gravity, size_t stored)
{
    const TactModel *model = v->model;
    TactVec3         g = tact_verify_gravity(model);
    for (int b = 1; b < model->body_count; b++) {
        if (v->tree_of_body[b] < 0) {
            continue;
        }
        TactTreeEnergy *e = &v->energy[v->tree_of_body[b]];
        TactVec3        com = tact_transform_point(d->pose[b], model->bodies[b].inertia.com);
        double          weight = -model->bodies[b].inertia.mass * tact_vec3_dot(g, com);
        *(double *)((char *)e + gravity) += weight;
        *(double *)((char *)e + stored) -= model->bodies[b].gravity_compensation * weight;
        e->size += fabs(weight);
    }
    for (int j = 0; j < model->joint_count; j++) {
        if (model->joints[j].stiffness != 0) {
            TactTreeEnergy *e = &v->energy[v->tree_of_body[model->joints[j].body]];
            double          spring = tact_dynamics_joint_energy(d, j);
            *(double *)((char *)e + stored) += spring;
            e->size += spring;
        }
    }
    for (int k = 0; k < model->tendon_count; k++) {
        const TactTendon *tendon = &model->tendons[k];
        if (tendon->stiffness != 0 && tendon->count + tendon->part_count > 0) {
            int body = tendon->count > 0 ? model->joints[tendon->joints[0]].body
                                         : way_body(v, model, tendon);
            if (v->tree_of_body[body] < 0) {
                continue;
            }
            TactTreeEnergy *e = &v->energy[v->tree_of_body[body]];
            double          spring = tact_dynamics_tendon_energy(d, k);
            *(double *)((char *)e + stored) += spring;
            e->size += spring;
        }
    }
}

#define PLACE(field) offsetof(TactTreeEnergy, field)

TactStatus tact_verify_find_middle(TactVerifier *v, const TactStep *step)
{
    memset(v->energy, 0, (size_t)v->tree_count * sizeof *v->energy);
    tact_dynamics_integrate(v->model, step->q, step->v_after, 0.5 * step->h, v->q_work);
    TACT_TRY(tact_dynamics_set_position(v->after, v->q_work));
    TACT_TRY(tact_dynamics_set_velocity(v->after, step->v_after));
    add_kinetic(v, v->after, PLACE(middle));
    add_potential(v, v->after, PLACE(middle), PLACE(middle_stored));
    return TACT_OK;
}

/// All energies but that of the middle, which is there. `after` is at the end of the step.
static TactStatus find_energies(TactVerifier *v, const TactStep *step)
{
    for (int t = 0; t < v->tree_count; t++) {
        v->energy[t] = (TactTreeEnergy){.middle = v->energy[t].middle,
                                        .middle_stored = v->energy[t].middle_stored};
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, step->v));
    add_kinetic(v, v->before, PLACE(kinetic));
    add_kinetic(v, v->after, PLACE(kinetic_after));
    add_potential(v, v->before, PLACE(gravity), PLACE(stored));
    add_potential(v, v->after, PLACE(gravity_after), PLACE(stored_after));
    for (int i = 0; i < v->model->nv; i++) {
        v->work[i] = v->v_start[i] - step->v[i];
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, v->work));
    add_kinetic(v, v->before, PLACE(lost));
    if (v->mechanisms) {
        TACT_TRY(tact_dynamics_set_velocity(v->before, step->v_after));
        add_kinetic(v, v->before, PLACE(start));
        tact_dynamics_compute_inverse(v->before, NULL, NULL, v->bias_after);
    }
    return TACT_OK;
}

/// Work on a tree in the step, and what it is made of. Velocities are those after the impulses,
/// along which positions move.
typedef struct Work {
    double all;      // of forces and contacts
    double driven;   // of driving forces
    double size;     // of all of it
    double terms;    // the same of terms that may cancel
    double products; // of the difference of Coriolis terms to those of the end
    double inertial; // size of the work of the bias
    double turn;     // rad of all rotations of the tree together
    double pull;     // sum of the sizes of bias and forces: what a unit of correction changes
} Work;

static Work find_work(const TactVerifier *v, const TactStep *step, int t)
{
    const TactVerifyTree *tree = &v->trees[t];
    Work                  w = {0};
    for (int i = tree->first_dof; i < tree->end_dof; i++) {
        double way = step->h * v->v_start[i];
        double force = step->forces[i] + v->contact[i];
        w.all += way * force;
        w.driven += way * step->driving[i];
        w.size +=
            fabs(way) * (fabs(step->forces[i]) + fabs(step->driving[i]) + fabs(v->contact[i]));
        w.terms += fabs(way) * v->term_size[i];
        w.pull += fabs(step->forces[i]);
        if (!tree->flies) {
            w.products += way * (v->bias_after[i] - v->bias[i]);
            w.inertial += fabs(way * v->bias[i]);
            w.pull += fabs(v->bias[i]);
            w.turn +=
                v->model->joints[v->model->dofs[i].joint].type == TACT_JOINT_SLIDE ? 0 : fabs(way);
        }
    }
    return w;
}

/// What the correction of positions may change.
static double correction_bound(const TactVerifier *v, const TactStep *step, int t, const Work *w)
{
    const TactVerifyTree *tree = &v->trees[t];
    double                shift = SQRT3 * step->correction;
    if (!tree->flies) {
        return shift * (w->pull + 2 * v->energy[t].kinetic_after);
    }
    const TactInertia *inertia = &v->before->links[tree->link].inertia;
    double             weight = inertia->mass * tact_vec3_norm(tact_verify_gravity(v->model));
    double             L = tact_vec3_norm(v->motion[t].L_after);
    return shift *
           (weight * (1 + tact_vec3_norm(inertia->com)) + w->pull + 2 * tree->stiffness * L * L);
}

/// (14): the error of the integrator, of second order in the step, from how the energy bends along
/// the path; and never more than a share of the energy in play.
static double integrator_bound(const TactVerifier *v, int t, const Work *w, double play)
{
    const TactTreeEnergy *e = &v->energy[t];
    if (v->trees[t].flies) {
        return 0;
    }
    double start = e->start + e->gravity, end = e->kinetic_after + e->gravity_after;
    double bend = 2 * fabs(start - 2 * e->middle + end) +
                  2 * fabs(e->stored - 2 * e->middle_stored + e->stored_after);
    double third = w->turn * w->turn * (w->turn * e->kinetic_after + w->inertial);
    return fmin(2 * (bend + fabs(w->products)) + third, v->config.energy_share * play);
}

static void judge_tree(TactVerifier *v, const TactStep *step, int t, TactStepFinding *finding)
{
    TactTreeEnergy *e = &v->energy[t];
    Work            w = find_work(v, step, t);
    double          fall = e->gravity_after - e->gravity, stored = e->stored_after - e->stored;
    double          play =
        e->kinetic + e->kinetic_after + e->lost + w.size + w.inertial + fabs(fall) + fabs(stored);
    e->bound = v->config.tol * play + TACT_VERIFY_ROUNDING * (e->size + w.terms) +
               integrator_bound(v, t, &w, play) + correction_bound(v, step, t, &w);
    double gain = e->kinetic_after - e->kinetic + fall;
    e->change = gain + stored - w.driven;
    tact_finding_take(finding, TACT_STEP_CHECK_BALANCE, fabs(gain - w.all + e->lost), e->bound,
                      TACT_OBJECT_BODY, v->trees[t].root, -1); // (13)
}

static int find_group(TactVerifier *v, int t)
{
    while (v->group[t] != t) {
        t = v->group[t] = v->group[v->group[t]];
    }
    return t;
}

static void join_bodies(TactVerifier *v, int body_a, int body_b)
{
    int a = v->tree_of_body[body_a], b = v->tree_of_body[body_b];
    if (a >= 0 && b >= 0) {
        a = find_group(v, a);
        b = find_group(v, b);
        v->group[a > b ? a : b] = a > b ? b : a;
    }
}

/// All trees on the way of a tendon through space.
static void join_way(TactVerifier *v, const TactModel *model, const TactTendon *tendon)
{
    int first = tendon->part_count > 0 ? way_body(v, model, tendon) : 0;
    for (int i = 0; i < tendon->part_count; i++) {
        const TactTendonPart *part = &tendon->parts[i];
        if (part->object >= 0) {
            join_bodies(v, first,
                        part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                            : model->geoms[part->object].body);
        }
    }
}

static void group_bodies(TactVerifier *v, const TactStep *step)
{
    const TactModel *model = v->model;
    for (int t = 0; t < v->tree_count; t++) {
        v->group[t] = t;
    }
    for (int k = 0; k < step->contact_count; k++) {
        const int *geom = step->contacts[k].geom;
        join_bodies(v, model->geoms[geom[0]].body, model->geoms[geom[1]].body);
    }
    for (int k = 0; k < model->tendon_count; k++) {
        const int *joints = model->tendons[k].joints;
        join_way(v, model, &model->tendons[k]);
        for (int i = 1; i < model->tendons[k].count; i++) {
            join_bodies(v, model->joints[joints[0]].body, model->joints[joints[i]].body);
        }
    }
}

/// Marks the groups in which something bounces; false: there is none.
static bool find_bounces(TactVerifier *v, const TactStep *step)
{
    bool any = false;
    for (int k = 0; k < step->contact_count; k++) {
        for (int side = 0; side < 2 && step->contacts[k].bounce > 0; side++) {
            int tree = v->tree_of_body[v->model->geoms[step->contacts[k].geom[side]].body];
            if (tree >= 0) {
                v->energy[find_group(v, tree)].bounces = true;
                any = true;
            }
        }
    }
    return any;
}

/// Kinetic energies after a step of the same forces without contacts. Free bodies have no
/// gyroscopic forces: their spin is carried on by the flight.
static TactStatus find_free_motion(TactVerifier *v, const TactStep *step)
{
    size_t size = (size_t)v->model->nv * sizeof(double);
    memcpy(v->work, step->v_products, size);
    for (int t = 0; t < v->tree_count; t++) {
        if (v->trees[t].flies) {
            memset(v->work + v->trees[t].first_dof + 3, 0, 3 * sizeof(double));
        }
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, v->work));
    tact_dynamics_compute_forward(v->before, step->forces, NULL, NULL, v->equation);
    for (int i = 0; i < v->model->nv; i++) {
        v->work[i] = step->v[i] + step->h * v->equation[i];
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, v->work));
    add_kinetic(v, v->before, PLACE(free));
    return TACT_OK;
}

/// What surfaces that move in their bodies give: f'(v_b - v_a) = f'u - f's, with s of b's surface
/// against a's, is no more than -f's where friction dissipates.
static void take_surfaces(TactVerifier *v, const TactStep *step)
{
    for (int k = 0; k < step->contact_count; k++) {
        const TactStepContact *c = &step->contacts[k];
        TactVec3               s[2];
        int                    tree = -1;
        for (int side = 0; side < 2; side++) {
            const TactGeom *geom = &v->model->geoms[c->geom[side]];
            TactTransform   pose = tact_transform_multiply(v->before->pose[geom->body], geom->pose);
            s[side] = tact_surface_velocity(geom, pose, c->point);
            tree = v->tree_of_body[geom->body] >= 0 ? v->tree_of_body[geom->body] : tree;
        }
        double power = -tact_vec3_dot(c->force, tact_vec3_subtract(s[1], s[0]));
        if (tree >= 0 && power != 0) {
            v->energy[tree].change -= step->h * power;
        }
    }
}

/// (15), and (16) where something bounces. The first tree of a group has its sums.
static void judge_groups(TactVerifier *v, TactStepFinding *finding)
{
    for (int t = v->tree_count - 1; t >= 0; t--) {
        int                   g = find_group(v, t);
        TactTreeEnergy       *sum = &v->energy[g];
        const TactTreeEnergy *e = &v->energy[t];
        if (g != t && !v->asleep[t]) {
            sum->change += e->change;
            sum->bound += e->bound;
            sum->kinetic += e->kinetic;
            sum->kinetic_after += e->kinetic_after;
            sum->free += e->free;
        }
    }
    for (int t = 0; t < v->tree_count; t++) {
        const TactTreeEnergy *sum = &v->energy[t];
        if (v->group[t] == t && !v->asleep[t]) {
            double rise = sum->kinetic_after - tact_larger(sum->kinetic, sum->free);
            tact_finding_take(finding, TACT_STEP_CHECK_RISE, sum->bounces ? rise : sum->change,
                              sum->bound, TACT_OBJECT_BODY, v->trees[t].root, -1);
        }
    }
}

TactStatus tact_verify_energy(TactVerifier *v, const TactStep *step, TactStepFinding *finding)
{
    TACT_TRY(find_energies(v, step));
    group_bodies(v, step);
    for (int t = 0; t < v->tree_count; t++) {
        if (v->asleep[t]) {
            v->energy[t].change = v->energy[t].bound = 0;
            continue;
        }
        judge_tree(v, step, t, finding);
    }
    if (find_bounces(v, step)) {
        TACT_TRY(find_free_motion(v, step));
    }
    take_surfaces(v, step);
    judge_groups(v, finding);
    return TACT_OK;
}
