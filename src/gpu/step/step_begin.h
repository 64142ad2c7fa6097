// The beginning of a step of one world, by one thread: free motion, contacts and limits, and the
// contact problem that they make.
#ifndef TACT_GPU_STEP_BEGIN_H
#define TACT_GPU_STEP_BEGIN_H

#include "gpu/step/step_free.h"
#include "gpu/step/step_touch.h"
#include "gpu/step/step_worlds.h"

// As in sim/island/joint_rows.c: a limit this near is a row whatever the speeds are.
#define TACT_STEP_NEAR_LIMIT 1e-3

/// Where rows of a problem go. Contacts with friction come first and have three.
typedef struct TactStepRows {
    const TactStepModel *model;
    const TactStepTree  *tree;
    double              *J, *mu, *bias;
    TactStepHeld        *held;
    int                  count, used, rough; // contacts and limits, their rows, those with friction
    int                  room, room_rows;    // both may become more than there is room for
} TactStepRows;

TACT_HD TactStepRows tact_step_rows(const TactStepModel *model, const TactStepWorlds *worlds,
                                    const TactMechanismProblems *problems, const TactStepTree *tree,
                                    int i)
{
    size_t       at = (size_t)i, room = (size_t)problems->contacts;
    TactStepRows rows = {model,
                         tree,
                         (double *)problems->J + at * (size_t)problems->rows * (size_t)model->nv,
                         (double *)problems->mu + at * room,
                         (double *)problems->bias + at * room,
                         worlds->held + at * room,
                         0,
                         0,
                         0,
                         problems->contacts,
                         problems->rows};
    return rows;
}

/// A new contact or limit with J = 0; NULL: there is no room.
TACT_HD double *tact_step_add_row(TactStepRows *rows, const TactStepHeld *contact, double mu,
                                  int width)
{
    int     k = rows->count++, nv = rows->model->nv;
    double *J = rows->J + (size_t)rows->used * (size_t)nv, depth = contact->depth;
    rows->used += width;
    rows->rough += width > 1;
    if (k >= rows->room || rows->used > rows->room_rows) {
        return NULL;
    }
    for (int i = 0; i < width * nv; i++) {
        J[i] = 0;
    }
    rows->held[k] = *contact;
    rows->mu[k] = mu;
    rows->bias[k] = depth < 0 ? -depth / rows->model->h : -contact->lift;
    return J;
}

/// J += sign (n, t1, t2)' (velocity of the point of a link), for the dofs that move it.
TACT_HD void tact_step_add_link(const TactStepRows *rows, int link, TactVec3 point,
                                const TactVec3 axes[3], int width, double sign, double *J)
{
    const TactStepModel *model = rows->model;
    for (int l = link; l > 0; l = model->links[l].parent) {
        TactVec3 r = tact_vec3_subtract(point, rows->tree->com[l]);
        int      first = model->links[l].first_dof, end = first + model->links[l].dof_count;
        for (int i = first; i < end; i++) {
            TactVec3 moved = tact_twist_shift(rows->tree->axis[i], r).linear;
            for (int k = 0; k < width; k++) {
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

TACT_HD int tact_step_pair_of(const TactStepHeld *contact)
{
    return contact->name > 0 ? (contact->name - 1) / 16 : -1;
}

TACT_HD void tact_step_add_contact(TactStepRows *rows, const TactStepHeld *contact)
{
    const TactStepPair *pair = &rows->model->pairs[tact_step_pair_of(contact)];
    int                 width = pair->rough ? 3 : 1;
    double             *J = tact_step_add_row(rows, contact, pair->mu, width);
    if (J) {
        TactVec3 axes[3];
        tact_step_axes(contact->normal, axes);
        tact_step_add_link(rows, rows->model->geoms[pair->b].link, contact->point, axes, width, 1,
                           J);
        tact_step_add_link(rows, rows->model->geoms[pair->a].link, contact->point, axes, width, -1,
                           J);
    }
}

/// Pairs that are looked at, so that lanes of a warp come to the next one of theirs together.
typedef struct TactStepNear {
    int            count;
    unsigned short pairs[TACT_STEP_MOST_NEAR];
} TactStepNear;

TACT_HD void tact_step_add_near(TactStepNear *near, int pair)
{
    if (near->count < TACT_STEP_MOST_NEAR) {
        near->pairs[near->count] = (unsigned short)pair;
    }
    near->count++;
}

/// All contacts within reach; bits of why a world is left.
TACT_HD int tact_step_add_contacts(TactStepRows *rows)
{
    const TactStepModel *model = rows->model;
    TactTransform        poses[TACT_STEP_MAX_GEOMS];
    TactVec3             middle[TACT_STEP_MAX_GEOMS];
    double               reach[TACT_STEP_MAX_GEOMS];
    TactStepTouches      found;
    TactStepNear         near;
    int                  left = 0;
    tact_step_place_geoms(model, rows->tree, poses, middle, reach);
    near.count = 0;
    for (int p = 0; p < model->pair_count; p++) {
        const TactStepPair *pair = &model->pairs[p];
        if (tact_step_is_near(model, pair, poses, middle, reach[pair->a] + reach[pair->b])) {
            tact_step_add_near(&near, p);
        }
    }
    left |= near.count > TACT_STEP_MOST_NEAR ? TACT_STEP_LEFT_FULL : 0;
    for (int k = 0; k < near.count && k < TACT_STEP_MOST_NEAR; k++) {
        const TactStepPair *pair = &model->pairs[near.pairs[k]];
        if (!tact_step_collide(model, near.pairs[k], poses, reach[pair->a] + reach[pair->b],
                               &found)) {
            left |= TACT_STEP_LEFT_CROSSED;
            continue;
        }
        for (int c = 0; c < found.count; c++) {
            tact_step_add_contact(rows, &found.items[c]);
        }
    }
    return left;
}

/// A limit so far away.
TACT_HD double *tact_step_add_limit(TactStepRows *rows, int name, double distance)
{
    TactStepHeld limit = {{0, 0, 0}, {0, 0, 0}, -distance, 0, name, 0};
    return tact_step_add_row(rows, &limit, 0, 1);
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
            double *J = tact_step_add_limit(rows, -1 - k, distance);
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
            double *J = tact_step_add_limit(rows, -1 - 2 * model->joint_count - k, distance);
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
            if (worlds->kept_names[at + (size_t)j] == rows->held[k].name) {
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
    double       *tau = worlds->tau + at * nv, added[TACT_STEP_MAX_DOF];
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

/// From the state of world i to its contact problem; worlds->left says why it has none.
TACT_HD void tact_step_begin(const TactStepModel *model, const TactStepWorlds *worlds,
                             const TactMechanismProblems *problems, unsigned *basis, int i)
{
    TactStepTree  tree;
    size_t        nv = (size_t)model->nv, at = (size_t)i, room = (size_t)problems->contacts;
    const double *q = worlds->q + at * (size_t)model->nq, *v = worlds->v + at * nv;
    double       *velocity = (double *)problems->velocity + at * nv;
    TactStepRows  rows = tact_step_rows(model, worlds, problems, &tree, i);
    tact_step_place(model, q, &tree);
    tact_step_set_velocity(model, v, &tree);
    int left = tact_step_add_contacts(&rows), contacts = rows.count;
    left |= tact_step_begin_motion(model, worlds, i, &tree,
                                   (double *)problems->M + at * (nv * (nv + 1) / 2),
                                   (double *)problems->force + at * nv);
    tact_step_add_limits(&rows, q, v, worlds->gain + at * nv);
    left |= rows.count > rows.room || rows.used > rows.room_rows ? TACT_STEP_LEFT_FULL : 0;
    for (int k = 0; k < model->nv; k++) {
        velocity[k] = v[k];
    }
    tact_step_recall(worlds, i, &rows, basis + at * room);
    for (int k = 0; k < contacts && k < rows.room; k++) {
        worlds->start[at * room + (size_t)k] = rows.held[k];
    }
    worlds->start_count[i] = contacts;
    worlds->round[i] = 0;
    worlds->left[i] = left;
    ((int *)problems->active)[i] = left ? 0 : rows.count;
    ((int *)problems->rough)[i] = left ? 0 : rows.rough;
}

#endif
