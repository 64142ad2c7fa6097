// Energy: it changes by the work of the forces, and only driving forces add any. Equations (12) to
// (17) of docs/theory/step-certificate.md.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "model/surface.h"
#include "verify/verifier.h"

static const double SQRT3 = 1.7320508075688772;

#define PLACE(field) offsetof(TactTreeEnergy, field)

/// Where positions were corrected, mechanisms have the energies of the end of their path, before
/// the correction: what that gives or takes is no work of forces.
static void take_ends(TactVerifier *v, const TactStep *step)
{
    for (int t = 0; t < v->tree_count && step->correction > 0; t++) {
        TactTreeEnergy *e = &v->energy[t];
        if (!v->trees[t].flies) {
            e->kinetic_after = e->end;
            e->gravity_after = e->end_gravity;
            e->stored_after = e->end_stored;
        }
    }
}

/// All energies but those of the path, which are there. `after` is at the end of the step.
static TactStatus find_energies(TactVerifier *v, const TactStep *step)
{
    for (int t = 0; t < v->tree_count; t++) {
        const TactTreeEnergy *e = &v->energy[t];
        v->energy[t] = (TactTreeEnergy){.middle = e->middle,
                                        .middle_stored = e->middle_stored,
                                        .end = e->end,
                                        .end_gravity = e->end_gravity,
                                        .end_stored = e->end_stored};
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, step->v));
    tact_verify_add_kinetic(v, v->before, PLACE(kinetic));
    tact_verify_add_kinetic(v, v->after, PLACE(kinetic_after));
    tact_verify_add_potential(v, v->before, PLACE(gravity), PLACE(stored));
    tact_verify_add_potential(v, v->after, PLACE(gravity_after), PLACE(stored_after));
    take_ends(v, step);
    for (int i = 0; i < v->model->nv; i++) {
        v->work[i] = v->v_start[i] - step->v[i];
    }
    TACT_TRY(tact_dynamics_set_velocity(v->before, v->work));
    tact_verify_add_kinetic(v, v->before, PLACE(lost));
    if (v->mechanisms) {
        TACT_TRY(tact_dynamics_set_velocity(v->before, step->v_after));
        tact_verify_add_kinetic(v, v->before, PLACE(start));
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
    double terms;    // the same of terms that may cancel, weight and inertia among them
    double products; // of the difference of Coriolis terms to those of the end
    double inertial; // size of the work of the bias
    double turn;     // rad of all rotations of the tree together
    double pull;     // sum of the sizes of forces: what a unit of correction changes
} Work;

static Work find_work(const TactVerifier *v, const TactStep *step, int t)
{
    const TactVerifyTree *tree = &v->trees[t];
    double                weight = v->before->links[tree->link].inertia.mass *
                    tact_vec3_norm(tact_verify_gravity(v->model)); // of a free body
    Work w = {0};
    for (int i = tree->first_dof; i < tree->end_dof; i++) {
        double way = step->h * v->v_start[i];
        double force = step->forces[i] + v->contact[i];
        w.all += way * force;
        w.driven += way * step->driving[i];
        w.size +=
            fabs(way) * (fabs(step->forces[i]) + fabs(step->driving[i]) + fabs(v->contact[i]));
        w.terms += fabs(way) * v->term_size[i];
        w.pull += fabs(step->forces[i]);
        w.terms += fabs(way) * (!tree->flies              ? fabs(v->bias[i])
                                : i < tree->first_dof + 3 ? weight
                                                          : 0);
        if (!tree->flies) {
            w.products += way * (v->bias_after[i] - v->bias[i]);
            w.inertial += fabs(way * v->bias[i]);
            w.turn +=
                v->model->joints[v->model->dofs[i].joint].type == TACT_JOINT_SLIDE ? 0 : fabs(way);
        }
    }
    return w;
}

/// What the correction of positions may change of a free body. Mechanisms are judged before it.
static double correction_bound(const TactVerifier *v, const TactStep *step, int t, const Work *w)
{
    const TactVerifyTree *tree = &v->trees[t];
    double                shift = SQRT3 * step->correction;
    if (!tree->flies) {
        return 0;
    }
    const TactInertia *inertia = &v->before->links[tree->link].inertia;
    double             weight = inertia->mass * tact_vec3_norm(tact_verify_gravity(v->model));
    double             L = tact_vec3_norm(v->motion[t].L_after);
    return shift *
           (weight * (1 + tact_vec3_norm(inertia->com)) + w->pull + 2 * tree->stiffness * L * L);
}

/// (14): the error of the integrator, of second order in the step, from how the energy bends along
/// the path.
static double integrator_bound(const TactVerifier *v, int t, const Work *w)
{
    const TactTreeEnergy *e = &v->energy[t];
    if (v->trees[t].flies) {
        return 0;
    }
    double start = e->start + e->gravity, end = e->kinetic_after + e->gravity_after;
    double bend = 2 * fabs(start - 2 * e->middle + end) +
                  2 * fabs(e->stored - 2 * e->middle_stored + e->stored_after);
    double third = w->turn * w->turn * (w->turn * e->kinetic_after + w->inertial);
    return 2 * (bend + fabs(w->products)) + third;
}

static void judge_tree(TactVerifier *v, const TactStep *step, int t, TactStepFinding *finding)
{
    TactTreeEnergy *e = &v->energy[t];
    Work            w = find_work(v, step, t);
    double          fall = e->gravity_after - e->gravity, stored = e->stored_after - e->stored;
    e->play =
        e->kinetic + e->kinetic_after + e->lost + w.size + w.inertial + fabs(fall) + fabs(stored);
    e->path = integrator_bound(v, t, &w);
    e->bound = v->config.tol * e->play + TACT_VERIFY_ROUNDING * (e->size + w.terms) +
               correction_bound(v, step, t, &w);
    double bound = e->bound + fmin(e->path, v->config.energy_share * e->play);
    double gain = e->kinetic_after - e->kinetic + fall;
    e->change = gain + stored - w.driven;
    tact_finding_take(finding, TACT_STEP_CHECK_BALANCE, fabs(gain - w.all + e->lost), bound,
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
    int first = tendon->part_count > 0 ? tact_verify_way_body(v, model, tendon) : 0;
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
    tact_verify_add_kinetic(v, v->before, PLACE(free));
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
            sum->path += e->path;
            sum->play += e->play;
            sum->kinetic += e->kinetic;
            sum->kinetic_after += e->kinetic_after;
            sum->free += e->free;
        }
    }
    for (int t = 0; t < v->tree_count; t++) {
        const TactTreeEnergy *sum = &v->energy[t];
        if (v->group[t] == t && !v->asleep[t]) {
            double bound = sum->bound + fmin(sum->path, v->config.energy_share * sum->play);
            double rise = sum->kinetic_after - tact_larger(sum->kinetic, sum->free);
            tact_finding_take(finding, TACT_STEP_CHECK_RISE, sum->bounces ? rise : sum->change,
                              bound, TACT_OBJECT_BODY, v->trees[t].root, -1);
        }
    }
}

TactStatus tact_verify_energy(TactVerifier *v, const TactStep *step, TactStepFinding *finding)
{
    TACT_TRY(find_energies(v, step));
    group_bodies(v, step);
    for (int t = 0; t < v->tree_count; t++) {
        if (v->asleep[t]) {
            v->energy[t].change = v->energy[t].bound = v->energy[t].path = v->energy[t].play = 0;
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
