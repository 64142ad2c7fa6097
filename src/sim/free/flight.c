// Flight of free bodies: how position and velocity go on over a step after all impulses.
//
// A free body takes its impulses, of gravity, applied forces and contacts, at the beginning of the
// step, which gives its centre of mass the velocity v and the body the spin w (body axes). From
// there on nothing acts: the centre moves by h v, and with m = I w the body turns by
//
//     Q = exp(h (w + w+) / 2),     R+ = R Q,     I w+ = Q' m .                                (1)
//
// Whatever the rotation Q, R I w stays the same: angular momentum is kept to rounding. And as Q is
// a rotation about w + w+, (w + w+)'(Q' m - m) = 0: so is the energy w' I w / 2. (1) is solved by
// Newton's method, with
//
//     d(I w+ - Q' m) / d w+  =  I - h/2 [Q' m]x ,                                             (2)
//
// which leaves out terms of second order in h w; a fast spin is made in several turns of equal
// time.
#include <math.h>

#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 20 };

static const double TURN = 0.2;      // rad in one go, at the most
static const double SETTLED = 4e-16; // change of w+, of w

/// Is a body held by a loop? Loops are closed along q + h v, which is not how a free body flies.
static bool is_tied(const TactSim *sim, int tree)
{
    const TactModel *model = sim->model;
    for (int k = 0; k < sim->free.mocaps.count; k++) {
        if (sim->free.mocaps.bodies[k].tree == tree) {
            return true; // it goes where it is told
        }
    }
    for (int i = 0; i < model->equality_count; i++) {
        const TactEquality *loop = &model->equalities[i];
        bool bodies = loop->type == TACT_EQUALITY_CONNECT || loop->type == TACT_EQUALITY_WELD;
        if (bodies && (sim->islands.tree_of_body[loop->a] == tree ||
                       sim->islands.tree_of_body[loop->b] == tree ||
                       (loop->via && sim->islands.tree_of_body[loop->via] == tree))) {
            return true;
        }
    }
    for (int i = 0; i < model->tendon_count; i++) { // so are ways through space
        for (int k = 0; k < model->tendons[i].part_count; k++) {
            const TactTendonPart *part = &model->tendons[i].parts[k];
            int                   body = part->object < 0                      ? 0
                                         : part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                                               : model->geoms[part->object].body;
            if (sim->islands.tree_of_body[body] == tree) {
                return true;
            }
        }
    }
    return false;
}

void tact_sim_flyers_layout(TactSim *sim, const TactModel *model, TactArena *arena)
{
    size_t bodies = (size_t)model->body_count;
    sim->flight.flyers = tact_arena_take(arena, bodies, sizeof *sim->flight.flyers);
    sim->flight.flies = tact_arena_take(arena, bodies, sizeof *sim->flight.flies);
}

void tact_sim_find_flyers(TactSim *sim)
{
    const TactDynamics *d = sim->dynamics;
    sim->flight.count = 0;
    for (int l = 1; l < d->link_count && sim->config.integrator == TACT_INTEGRATOR_EULER; l++) {
        const TactLink *link = &d->links[l];
        int             tree = sim->islands.tree_of_body[link->body];
        bool            alone = link->joint_count == 1 && tree >= 0 &&
                     sim->islands.first_dof[tree + 1] - sim->islands.first_dof[tree] == 6;
        if (!alone || sim->model->joints[link->first_joint].type != TACT_JOINT_FREE ||
            is_tied(sim, tree)) {
            continue;
        }
        TactFlyer *f = &sim->flight.flyers[sim->flight.count++];
        sim->flight.flies[tree] = true;
        *f = (TactFlyer){.tree = tree,
                         .dof = link->first_dof,
                         .q = sim->model->joints[link->first_joint].q,
                         .com = link->inertia.com,
                         .I = link->inertia.rotary};
    }
}

/// x with (I - [m]x s) x = b, by Cramer's rule.
static TactVec3 solve_shifted(const TactMat3 *I, TactVec3 m, double s, TactVec3 b)
{
    TactVec3 row[3] = {
        {I->m[0][0], I->m[0][1] + s * m.z, I->m[0][2] - s * m.y},
        {I->m[1][0] - s * m.z, I->m[1][1], I->m[1][2] + s * m.x},
        {I->m[2][0] + s * m.y, I->m[2][1] - s * m.x, I->m[2][2]},
    };
    TactVec3 c[3] = {tact_vec3_cross(row[1], row[2]), tact_vec3_cross(row[2], row[0]),
                     tact_vec3_cross(row[0], row[1])};
    double   inverse = 1 / tact_vec3_dot(row[0], c[0]);
    TactVec3 x = tact_vec3_scale(b.x, c[0]);
    x = tact_vec3_add_scaled(x, b.y, c[1]);
    x = tact_vec3_add_scaled(x, b.z, c[2]);
    return tact_vec3_scale(inverse, x);
}

/// One turn by (1): R and w become those after the time h.
static void turn_body(const TactMat3 *I, double h, TactQuat *R, TactVec3 *w)
{
    TactVec3 m = tact_mat3_apply(*I, *w), next = *w, none = {0, 0, 0};
    TactQuat Q = tact_quat_identity();
    double   size = tact_vec3_norm(*w), before = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        Q = tact_quat_exp(tact_vec3_scale(0.5 * h, tact_vec3_add(*w, next)));
        TactVec3 m_next = tact_quat_rotate_back(Q, m);
        TactVec3 off = tact_vec3_subtract(m_next, tact_mat3_apply(*I, next));
        TactVec3 step = solve_shifted(I, m_next, 0.5 * h, off);
        double   change = tact_vec3_norm(step);
        next = tact_vec3_add(next, step);
        if (!(change > SETTLED * size) || !(change < before)) {
            break;
        }
        before = change;
    }
    // w+ from the rotation that is made: momentum is kept whatever Newton's method left
    *w = solve_shifted(I, none, 0, tact_quat_rotate_back(Q, m));
    *R = tact_quat_normalise(tact_quat_multiply(*R, Q));
}

static void fly(TactSim *sim, const TactFlyer *f)
{
    const double *q = sim->state.q + f->q, *v = sim->answer.v + f->dof;
    double       *q_next = sim->answer.q_end + f->q, *v_end = sim->answer.v_end + f->dof;
    TactVec3      w = tact_vec3_at(v + 3), c = f->com;
    double        angle = sim->h * tact_vec3_norm(w);
    if (angle == 0) {
        return; // q + h v already
    }
    TactQuat R = tact_quat_normalise((TactQuat){q[3], q[4], q[5], q[6]});
    TactVec3 arm = tact_quat_rotate(R, c);
    TactVec3 speed = tact_vec3_add(tact_vec3_at(v), tact_quat_rotate(R, tact_vec3_cross(w, c)));
    TactVec3 centre = tact_vec3_add_scaled(tact_vec3_add(tact_vec3_at(q), arm), sim->h, speed);
    int      turns = 1 + (int)fmin(angle / TURN, 1e4);
    for (int k = 0; k < turns; k++) {
        turn_body(&f->I, sim->h / turns, &R, &w);
    }
    q_next[3] = R.w;
    tact_vec3_put((TactVec3){R.x, R.y, R.z}, q_next + 4);
    tact_vec3_put(w, v_end + 3);
    if (c.x != 0 || c.y != 0 || c.z != 0) { // else the origin is the centre, and moves by h v
        tact_vec3_put(tact_vec3_subtract(centre, tact_quat_rotate(R, c)), q_next);
        tact_vec3_put(tact_vec3_subtract(speed, tact_quat_rotate(R, tact_vec3_cross(w, c))), v_end);
    }
}

void tact_sim_fly(TactSim *sim)
{
    for (int i = 0; i < sim->model->nv; i++) {
        sim->answer.v_end[i] = sim->answer.v[i];
    }
    for (int k = 0; k < sim->flight.count; k++) {
        fly(sim, &sim->flight.flyers[k]);
    }
}

void tact_sim_still_flyers(const TactSim *sim, double *v)
{
    for (int k = 0; k < sim->flight.count; k++) {
        tact_vec3_put((TactVec3){0, 0, 0}, v + sim->flight.flyers[k].dof + 3);
    }
}
