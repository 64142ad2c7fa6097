// The beginning of a step of one world, by one thread: free motion, contacts and limits, and the
// contact problem that they make.
#ifndef TACT_GPU_STEP_BEGIN_H
#define TACT_GPU_STEP_BEGIN_H

#include "gpu/step/step_free.h"
#include "gpu/step/step_touch.h"
#include "gpu/step/step_worlds.h"

// As in sim/island/joint_rows.c: a limit this near is a row whatever the speeds are.
#define TACT_STEP_NEAR_LIMIT 1e-3

/// Where rows of a problem go.
typedef struct TactStepRows {
    const TactStepModel *model;
    const TactStepTree  *tree;
    double              *J, *mu, *bias;
    int                 *names;
    double              *depth;
    int                  count, room; // may become more than there is room for
} TactStepRows;

/// A new contact or limit with J = 0; NULL: there is no room.
TACT_HD double *tact_step_add_row(TactStepRows *rows, int name, double depth, double mu)
{
    int k = rows->count++, nv = rows->model->nv;
    if (k >= rows->room) {
        return NULL;
    }
    double *J = rows->J + (size_t)k * 3 * (size_t)nv;
    for (int i = 0; i < 3 * nv; i++) {
        J[i] = 0;
    }
    rows->names[k] = name;
    rows->depth[k] = depth;
    rows->mu[k] = mu;
    rows->bias[k] = depth < 0 ? -depth / rows->model->h : 0;
    return J;
}

/// J += sign (n, t1, t2)' (velocity of the point of a link), for the dofs that move it.
TACT_HD void tact_step_add_link(const TactStepRows *rows, int link, TactVec3 point,
                                const TactVec3 axes[3], double sign, double *J)
{
    const TactStepModel *model = rows->model;
    for (int l = link; l > 0; l = model->links[l].parent) {
        TactVec3 r = tact_vec3_subtract(point, rows->tree->com[l]);
        int      first = model->links[l].first_dof, end = first + model->links[l].dof_count;
        for (int i = first; i < end; i++) {
            TactVec3 moved = tact_twist_shift(rows->tree->axis[i], r).linear;
            for (int k = 0; k < 3; k++) {
                J[k * model->nv + i] += sign * tact_vec3_dot(axes[k], moved);
            }
        }
    }
}

/// Tangents as sim/touch/contacts.c has them.
TACT_HD void tact_step_axes(TactVec3 n, TactVec3 axes[3])
{
    TactVec3 x = {1, 0, 0}, y = {0, 1, 0}, axis = fabs(n.x) < 0.75 ? x : y;
    axes[0] = n;
    axes[1] = tact_step_unit(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
    axes[2] = tact_vec3_cross(n, axes[1]);
}

TACT_HD void tact_step_add_contact(TactStepRows *rows, const TactStepPair *pair,
                                   const TactStepTouch *touch)
{
    double *J = tact_step_add_row(rows, touch->name, touch->depth, pair->mu);
    if (J) {
        TactVec3 axes[3];
        tact_step_axes(touch->normal, axes);
        tact_step_add_link(rows, rows->model->geoms[pair->b].link, touch->point, axes, 1, J);
        tact_step_add_link(rows, rows->model->geoms[pair->a].link, touch->point, axes, -1, J);
    }
}

/// All contacts within reach; bits of why a world is left.
TACT_HD int tact_step_add_contacts(TactStepRows *rows)
{
    const TactStepModel *model = rows->model;
    TactTransform        poses[TACT_STEP_MAX_GEOMS];
    TactVec3             middle[TACT_STEP_MAX_GEOMS];
    double               reach[TACT_STEP_MAX_GEOMS];
    TactStepTouches      found;
    int                  left = 0;
    tact_step_place_geoms(model, rows->tree, poses, middle, reach);
    for (int p = 0; p < model->pair_count; p++) {
        const TactStepPair *pair = &model->pairs[p];
        double              margin = reach[pair->a] + reach[pair->b];
        if (!tact_step_is_near(model, pair, poses, middle, margin)) {
            continue;
        }
        if (!tact_step_collide(model, p, poses, margin, &found)) {
            left |= TACT_STEP_LEFT_CROSSED;
            continue;
        }
        for (int k = 0; k < found.count; k++) {
            tact_step_add_contact(rows, pair, &found.items[k]);
        }
    }
    return left;
}

/// Limits within reach: of joints, then of tendons.
TACT_HD void tact_step_add_limits(TactStepRows *rows, const double *q, const double *v,
                                  const double *gain)
{
    const TactStepModel *model = rows->model;
    double               speed[TACT_STEP_MAX_DOF];
    for (int i = 0; i < model->nv; i++) {
        speed[i] = tact_step_larger(fabs(v[i]), fabs(v[i] + gain[i]));
    }
    for (int k = 0; k < 2 * model->joint_count; k++) {
        const TactStepJoint *joint = &model->joints[k / 2];
        double               sign = k % 2 ? -1 : 1;
        double               distance = sign * (q[joint->q] - joint->limit[k % 2]);
        if (joint->limited &&
            (distance <= TACT_STEP_NEAR_LIMIT || distance <= 2 * model->h * speed[joint->dof])) {
            double *J = tact_step_add_row(rows, -1 - k, -distance, 0);
            if (J) {
                J[joint->dof] = sign;
            }
        }
    }
    for (int k = 0; k < 2 * model->tendon_count; k++) {
        const TactStepTendon *tendon = &model->tendons[k / 2];
        double sign = k % 2 ? -1 : 1, reach = 0, length = tact_step_tendon(model, tendon, q, 1);
        double distance = sign * (length - tendon->limit[k % 2]);
        for (int t = tendon->first; t < tendon->first + tendon->count; t++) {
            reach += 2 * model->h * fabs(model->terms[t].coefficient) * speed[model->terms[t].dof];
        }
        if (tendon->limited && (distance <= TACT_STEP_NEAR_LIMIT || distance <= reach)) {
            double *J = tact_step_add_row(rows, -1 - 2 * model->joint_count - k, -distance, 0);
            for (int t = tendon->first; J && t < tendon->first + tendon->count; t++) {
                J[model->terms[t].dof] += sign * model->terms[t].coefficient;
            }
        }
    }
}

/// The basis of the last step, contact by contact of the same name.
TACT_HD void tact_step_recall(const TactStepWorlds *worlds, int i, const TactStepRows *rows,
                              unsigned *basis)
{
    size_t at = (size_t)i * (size_t)worlds->contacts;
    int    kept = worlds->kept[i];
    for (int k = 0; k < rows->count && k < rows->room; k++) {
        basis[k] = 0;
        for (int j = 0; j < kept; j++) {
            if (worlds->kept_names[at + (size_t)j] == rows->names[k]) {
                basis[k] = worlds->kept_basis[at + (size_t)j];
            }
        }
    }
}

/// Mass matrix, forces of the step, and the free motion; bits of why a world is left.
TACT_HD int tact_step_begin_motion(const TactStepModel *model, const TactStepWorlds *worlds, int i,
                                   TactStepTree *tree, double *M, double *force)
{
    size_t        nv = (size_t)model->nv, at = (size_t)i;
    const double *q = worlds->q + at * (size_t)model->nq, *v = worlds->v + at * nv;
    double       *gain = worlds->gain + at * nv;
    double        tau[TACT_STEP_MAX_DOF], added[TACT_STEP_MAX_DOF];
    double        L[TACT_STEP_MAX_DOF * (TACT_STEP_MAX_DOF + 1) / 2];
    tact_step_forces(model, worlds->ctrl + at * (size_t)model->actuator_count, q, v, tau, added);
    tact_step_mass(model, tree, added, L);
    for (int k = 0; k < tact_step_entry(model->nv, 0); k++) {
        M[k] = L[k];
    }
    int good = tact_step_factor(model, L);
    good = good && tact_step_free(model, v, tau, L, tree, gain, force);
    for (int k = 0; k < model->nv; k++) {
        good = good && fabs(gain[k]) < 1e300;
        force[k] /= model->h;
    }
    return good ? 0 : TACT_STEP_LEFT_RUNAWAY;
}

/// From the state of world i to its contact problem. active: contacts of it.
TACT_HD void tact_step_begin(const TactStepModel *model, const TactStepWorlds *worlds,
                             const TactMechanismProblems *problems, int *active, unsigned *basis,
                             int i)
{
    TactStepTree  tree;
    size_t        nv = (size_t)model->nv, at = (size_t)i, room = (size_t)problems->contacts;
    const double *q = worlds->q + at * (size_t)model->nq, *v = worlds->v + at * nv;
    double       *velocity = (double *)problems->velocity + at * nv;
    TactStepRows  rows = {model,
                          &tree,
                          (double *)problems->J + at * 3 * room * nv,
                          (double *)problems->mu + at * room,
                          (double *)problems->bias + at * room,
                          worlds->names + at * room,
                          worlds->depth + at * room,
                          0,
                          problems->contacts};
    tact_step_place(model, q, &tree);
    tact_step_set_velocity(model, v, &tree);
    int left = tact_step_add_contacts(&rows);
    left |= tact_step_begin_motion(model, worlds, i, &tree,
                                   (double *)problems->M + at * (nv * (nv + 1) / 2),
                                   (double *)problems->force + at * nv);
    tact_step_add_limits(&rows, q, v, worlds->gain + at * nv);
    left |= rows.count > rows.room ? TACT_STEP_LEFT_FULL : 0;
    for (int k = 0; k < model->nv; k++) {
        velocity[k] = v[k];
    }
    tact_step_recall(worlds, i, &rows, basis + at * room);
    worlds->found[i] = rows.count;
    worlds->left[i] = left;
    active[i] = left ? 0 : rows.count;
}

#endif
