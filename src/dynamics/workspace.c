// Making the workspace: links out of bodies, and the pattern of the mass matrix.
#include "dynamics/workspace.h"

#include "base/status.h"
#include "linalg/lapack.h"

static int count_links(const TactModel *model)
{
    int count = 1;
    for (int i = 1; i < model->body_count; i++) {
        count += model->bodies[i].joint_count > 0;
    }
    return count;
}

/// Entries of M up to the diagonal: the length of every dof's way to the root.
static size_t count_entries(const TactModel *model, int *row)
{
    size_t total = 0;
    for (int i = 0; i < model->nv; i++) {
        int parent = model->dofs[i].parent;
        int length = 1 + (parent < 0 ? 0 : row ? row[parent + 1] - row[parent] : 0);
        if (row) {
            row[i + 1] = row[i] + length;
        } else {
            for (int p = parent; p >= 0; p = model->dofs[p].parent) {
                length++;
            }
        }
        total += (size_t)length;
    }
    return total;
}

static void layout(TactDynamics *d, const TactModel *model, size_t entries, TactArena *arena)
{
    size_t links = (size_t)d->link_count, bodies = (size_t)model->body_count;
    size_t nv = (size_t)model->nv, nq = (size_t)model->nq;

    d->links = tact_arena_take(arena, links, sizeof *d->links);
    d->link_of = tact_arena_take(arena, bodies, sizeof *d->link_of);
    d->in_link = tact_arena_take(arena, bodies, sizeof *d->in_link);
    d->pose = tact_arena_take(arena, bodies, sizeof *d->pose);
    d->com = tact_arena_take(arena, links, sizeof *d->com);
    d->arm = tact_arena_take(arena, links, sizeof *d->arm);
    d->rotary = tact_arena_take(arena, links, sizeof *d->rotary);
    d->axis = tact_arena_take(arena, nv, sizeof *d->axis);
    d->q = tact_arena_take(arena, nq, sizeof *d->q);
    d->v = tact_arena_take(arena, nv, sizeof *d->v);
    d->velocity = tact_arena_take(arena, links, sizeof *d->velocity);
    d->product = tact_arena_take(arena, links, sizeof *d->product);
    d->other_v = tact_arena_take(arena, nv, sizeof *d->other_v);
    d->other_velocity = tact_arena_take(arena, links, sizeof *d->other_velocity);
    d->other_product = tact_arena_take(arena, links, sizeof *d->other_product);
    d->row = tact_arena_take(arena, nv + 1, sizeof *d->row);
    d->column = tact_arena_take(arena, entries, sizeof *d->column);
    d->run = tact_arena_take(arena, nv, sizeof *d->run);
    d->chain = tact_arena_take(arena, nv, sizeof *d->chain);
    d->M = tact_arena_take(arena, entries, sizeof *d->M);
    d->factor_row = tact_arena_take(arena, nv + 1, sizeof *d->factor_row);
    d->L = tact_arena_take(arena, entries + 4 * nv, sizeof *d->L);
    d->start_q = tact_arena_take(arena, nq, sizeof *d->start_q);
    d->stage_q = tact_arena_take(arena, nq, sizeof *d->stage_q);
    d->stage_tau = tact_arena_take(arena, nv, sizeof *d->stage_tau);
    d->stage_position = tact_arena_take(arena, nv, sizeof *d->stage_position);
    d->stage_velocity = tact_arena_take(arena, nv, sizeof *d->stage_velocity);
    for (int k = 0; k < 4; k++) {
        d->slope[k] = tact_arena_take(arena, nv, sizeof *d->slope[k]);
        d->slope_v[k] = tact_arena_take(arena, nv, sizeof *d->slope_v[k]);
    }
    d->force = tact_arena_take(arena, links, sizeof *d->force);
    d->acceleration = tact_arena_take(arena, links, sizeof *d->acceleration);
    d->articulated = tact_arena_take(arena, links, sizeof *d->articulated);
    d->U = tact_arena_take(arena, nv, sizeof *d->U);
    d->D_inverse = tact_arena_take(arena, nv, sizeof *d->D_inverse);
    d->u = tact_arena_take(arena, nv, sizeof *d->u);
    d->composite_mass = tact_arena_take(arena, links, sizeof *d->composite_mass);
    d->composite_com = tact_arena_take(arena, links, sizeof *d->composite_com);
    d->composite = tact_arena_take(arena, links, sizeof *d->composite);
}

/// A link for every body with joints; what is fixed to it adds its inertia.
static void make_links(TactDynamics *d, const TactModel *model)
{
    int count = 0;
    for (int i = 0; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        if (i == 0 || body->joint_count > 0) {
            int above = i == 0 ? -1 : d->link_of[body->parent];
            d->links[count] = (TactLink){
                .body = i,
                .parent = above,
                .fixed = i == 0 ? tact_transform_identity()
                                : tact_transform_multiply(d->in_link[body->parent], body->pose),
                .first_joint = body->first_joint,
                .joint_count = body->joint_count,
                .first_dof = body->first_dof,
                .dof_count = body->dof_count,
            };
            d->link_of[i] = count++;
            d->in_link[i] = tact_transform_identity();
        } else {
            d->link_of[i] = d->link_of[body->parent];
            d->in_link[i] = tact_transform_multiply(d->in_link[body->parent], body->pose);
        }
    }
}

static void join_inertias(TactDynamics *d, const TactModel *model)
{
    for (int i = 1; i < model->body_count; i++) {
        TactInertia *sum = &d->links[d->link_of[i]].inertia;
        TactInertia  part = tact_inertia_transform(d->in_link[i], model->bodies[i].inertia);
        *sum = model->bodies[i].joint_count > 0 ? model->bodies[i].inertia
                                                : tact_inertia_add(*sum, part);
    }
}

void tact_dynamics_set_model(TactDynamics *dynamics, const TactModel *model)
{
    dynamics->model = model;
    dynamics->links[0].inertia = (TactInertia){0};
    join_inertias(dynamics, model);
    dynamics->placed = dynamics->moved = dynamics->other_moved = 0;
}

static void make_pattern(TactDynamics *d, const TactModel *model)
{
    count_entries(model, d->row);
    for (int i = 0; i < model->nv; i++) {
        int place = d->row[i + 1];
        for (int p = i; p >= 0; p = model->dofs[p].parent) {
            d->column[--place] = p;
        }
    }
    for (int i = 0; i < model->nv; i++) {
        int p = d->row[i + 1] - 1;
        while (p > d->row[i] && d->column[p - 1] == d->column[p] - 1) {
            p--;
        }
        d->run[i] = p;
        int length = d->row[i + 1] - d->row[i];
        d->factor_row[i + 1] = d->factor_row[i] + (length + 3) / 4 * 4;
    }
}

static void make_chains(TactDynamics *d, const TactModel *model)
{
    for (int first = 0, count; first < model->nv; first += count) {
        count = 1;
        while (count < TACT_DYNAMICS_TOGETHER && first + count < model->nv &&
               model->dofs[first + count].parent == first + count - 1) {
            count++;
        }
        for (int k = 0; k < count; k++) {
            d->chain[first + k] = count;
        }
    }
}

TactStatus tact_dynamics_create(const TactModel *model, TactDynamics **dynamics)
{
    if (!model || !dynamics) {
        return tact_fail(TACT_BAD_ARGUMENT, "dynamics: model or result is NULL");
    }
    *dynamics = NULL;

    TactDynamics *d = NULL;
    TACT_TRY(tact_allocate(1, sizeof *d, (void **)&d));
    if (model->nv >= TACT_LAPACK_CHOLESKY_FROM) {
        tact_lapack_prepare();
    }
    d->model = model;
    d->link_count = count_links(model);
    size_t entries = count_entries(model, NULL);
    layout(d, model, entries, &d->arena);
    TactStatus status = tact_arena_create(&d->arena);
    if (status != TACT_OK) {
        tact_release(d);
        return status;
    }
    layout(d, model, entries, &d->arena);
    make_links(d, model);
    join_inertias(d, model);
    make_pattern(d, model);
    make_chains(d, model);
    *dynamics = d;

    status = tact_dynamics_set_position(d, model->q_reference);
    if (status == TACT_OK) {
        status = tact_dynamics_set_velocity(d, d->v); // zero
    }
    if (status != TACT_OK) {
        tact_dynamics_destroy(d);
        *dynamics = NULL;
    }
    return status;
}

void tact_dynamics_destroy(TactDynamics *dynamics)
{
    if (dynamics) {
        tact_arena_destroy(&dynamics->arena);
        tact_release(dynamics);
    }
}
