// Making the workspace: links out of bodies, and the pattern of the mass matrix.
#include "dynamics/workspace.h"

#include "base/status.h"
#include "linalg/lapack.h"

/// All of a TactDynamics in one allocation; the arrays are in its arena.
typedef struct TactWhole {
    TactDynamics      dynamics; // first: a TactDynamics is released as the whole
    TactPositionAside before;
    TactVelocityAside aside;
    TactMassMatrix    mass;
    TactRecursion     recursion;
    TactRungeKutta    rk4;
} TactWhole;

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

static void lay_out_links(TactDynamics *d, const TactModel *model, TactArena *arena)
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
    d->acceleration = tact_arena_take(arena, links, sizeof *d->acceleration);
    d->tendon_reference = tact_arena_take(arena, (size_t)model->tendon_count, sizeof(double));
    d->tendon_J = tact_arena_take(arena, nv, sizeof(double));
    d->tendon_bias = tact_arena_take(arena, nv, sizeof(double));
    d->tendon_rest = tact_arena_take(arena, 2 * (size_t)model->tendon_count, sizeof(double));
}

static void lay_out_before(TactPositionAside *b, const TactModel *model, size_t links,
                           TactArena *arena)
{
    b->pose = tact_arena_take(arena, (size_t)model->body_count, sizeof *b->pose);
    b->com = tact_arena_take(arena, links, sizeof *b->com);
    b->arm = tact_arena_take(arena, links, sizeof *b->arm);
    b->rotary = tact_arena_take(arena, links, sizeof *b->rotary);
    b->axis = tact_arena_take(arena, (size_t)model->nv, sizeof *b->axis);
    b->q = tact_arena_take(arena, (size_t)model->nq, sizeof *b->q);
}

static void lay_out_aside(TactVelocityAside *a, size_t nv, size_t links, TactArena *arena)
{
    a->v = tact_arena_take(arena, nv, sizeof *a->v);
    a->velocity = tact_arena_take(arena, links, sizeof *a->velocity);
    a->product = tact_arena_take(arena, links, sizeof *a->product);
}

static void lay_out_mass(TactMassMatrix *m, size_t nv, size_t entries, TactArena *arena)
{
    m->row = tact_arena_take(arena, nv + 1, sizeof *m->row);
    m->column = tact_arena_take(arena, entries, sizeof *m->column);
    m->run = tact_arena_take(arena, nv, sizeof *m->run);
    m->chain = tact_arena_take(arena, nv, sizeof *m->chain);
    m->M = tact_arena_take(arena, entries, sizeof *m->M);
    m->factor_row = tact_arena_take(arena, nv + 1, sizeof *m->factor_row);
    m->L = tact_arena_take(arena, entries + 4 * nv, sizeof *m->L);
}

static void lay_out_recursion(TactRecursion *r, size_t links, const TactModel *model,
                              TactArena *arena)
{
    size_t nv = (size_t)model->nv, bodies = (size_t)model->body_count;
    r->force = tact_arena_take(arena, links, sizeof *r->force);
    r->articulated = tact_arena_take(arena, links, sizeof *r->articulated);
    r->U = tact_arena_take(arena, nv, sizeof *r->U);
    r->D_inverse = tact_arena_take(arena, nv, sizeof *r->D_inverse);
    r->u = tact_arena_take(arena, nv, sizeof *r->u);
    r->composite_mass = tact_arena_take(arena, links, sizeof *r->composite_mass);
    r->composite_com = tact_arena_take(arena, links, sizeof *r->composite_com);
    r->composite = tact_arena_take(arena, links, sizeof *r->composite);
    r->boxes = tact_arena_take(arena, bodies, sizeof *r->boxes);
    r->ellipsoids = tact_arena_take(arena, (size_t)model->geom_count, sizeof *r->ellipsoids);
    r->drag.C = tact_arena_take(arena, links, sizeof *r->drag.C);
    r->drag.C_before = tact_arena_take(arena, links, sizeof *r->drag.C_before);
    r->drag.composite = tact_arena_take(arena, links, sizeof *r->drag.composite);
    r->drag.motion = tact_arena_take(arena, links, sizeof *r->drag.motion);
}

static void lay_out_rk4(TactRungeKutta *r, size_t nv, size_t nq, TactArena *arena)
{
    r->start_q = tact_arena_take(arena, nq, sizeof *r->start_q);
    r->stage_q = tact_arena_take(arena, nq, sizeof *r->stage_q);
    r->stage_tau = tact_arena_take(arena, nv, sizeof *r->stage_tau);
    r->stage_position = tact_arena_take(arena, nv, sizeof *r->stage_position);
    r->stage_velocity = tact_arena_take(arena, nv, sizeof *r->stage_velocity);
    for (int k = 0; k < 4; k++) {
        r->slope[k] = tact_arena_take(arena, nv, sizeof *r->slope[k]);
        r->slope_v[k] = tact_arena_take(arena, nv, sizeof *r->slope_v[k]);
    }
}

static void lay_out(TactWhole *whole, const TactModel *model, size_t entries)
{
    TactDynamics *d = &whole->dynamics;
    size_t        links = (size_t)d->link_count, nv = (size_t)model->nv, nq = (size_t)model->nq;

    lay_out_links(d, model, &d->arena);
    lay_out_before(&whole->before, model, links, &d->arena);
    lay_out_aside(&whole->aside, nv, links, &d->arena);
    lay_out_mass(&whole->mass, nv, entries, &d->arena);
    lay_out_recursion(&whole->recursion, links, model, &d->arena);
    lay_out_rk4(&whole->rk4, nv, nq, &d->arena);
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
    dynamics->tendon_inertia = tact_dynamics_has_tendon_inertia(model);
    dynamics->links[0].inertia = (TactInertia){0};
    join_inertias(dynamics, model);
    tact_dynamics_find_boxes(dynamics);
    dynamics->placed = dynamics->before->placed = 0;
    dynamics->moved = dynamics->aside->moved = 0;
}

static void make_pattern(TactDynamics *d, const TactModel *model)
{
    count_entries(model, d->mass->row);
    for (int i = 0; i < model->nv; i++) {
        int place = d->mass->row[i + 1];
        for (int p = i; p >= 0; p = model->dofs[p].parent) {
            d->mass->column[--place] = p;
        }
    }
    for (int i = 0; i < model->nv; i++) {
        int p = d->mass->row[i + 1] - 1;
        while (p > d->mass->row[i] && d->mass->column[p - 1] == d->mass->column[p] - 1) {
            p--;
        }
        d->mass->run[i] = p;
        int length = d->mass->row[i + 1] - d->mass->row[i];
        d->mass->factor_row[i + 1] = d->mass->factor_row[i] + (length + 3) / 4 * 4;
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
            d->mass->chain[first + k] = count;
        }
    }
}

TactStatus tact_dynamics_create(const TactModel *model, TactDynamics **dynamics)
{
    if (!model || !dynamics) {
        return tact_fail(TACT_BAD_ARGUMENT, "dynamics: model or result is NULL");
    }
    *dynamics = NULL;

    TactWhole *whole = NULL;
    TACT_TRY(tact_allocate(1, sizeof *whole, (void **)&whole));
    TactDynamics *d = &whole->dynamics;
    d->before = &whole->before;
    d->aside = &whole->aside;
    d->mass = &whole->mass;
    d->recursion = &whole->recursion;
    d->rk4 = &whole->rk4;
    if (model->nv >= TACT_LAPACK_CHOLESKY_FROM) {
        tact_lapack_prepare();
    }
    d->model = model;
    d->tendon_inertia = tact_dynamics_has_tendon_inertia(model);
    d->link_count = count_links(model);
    size_t entries = count_entries(model, NULL);
    lay_out(whole, model, entries);
    TactStatus status = tact_arena_create(&d->arena);
    if (status != TACT_OK) {
        tact_release(whole);
        return status;
    }
    lay_out(whole, model, entries);
    make_links(d, model);
    join_inertias(d, model);
    tact_dynamics_find_boxes(d);
    make_pattern(d, model);
    make_chains(d, model);
    *dynamics = d;

    status = tact_dynamics_rest_tendons(d);
    if (status == TACT_OK) {
        status = tact_dynamics_check_tendon_inertia(d);
    }
    if (status == TACT_OK) {
        status = tact_dynamics_set_position(d, model->q_reference);
    }
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
