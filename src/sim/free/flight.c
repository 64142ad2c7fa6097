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
// time. (1) and (2) themselves are in math/turn.h, for a GPU as well.
#include "dynamics/links.h"
#include "math/turn.h"
#include "math/vec3_array.h"
#include "sim/sim.h"

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

/// Inertia of the joint itself is not the body's: momentum of the two together is not kept so.
static bool has_armature(const TactModel *model, const TactLink *link)
{
    for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
        if (model->dofs[i].armature != 0) {
            return true;
        }
    }
    return false;
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
            has_armature(sim->model, link) || is_tied(sim, tree)) {
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

void tact_sim_fly(TactSim *sim)
{
    for (int i = 0; i < sim->model->nv; i++) {
        sim->answer.v_end[i] = sim->answer.v[i];
    }
    for (int k = 0; k < sim->flight.count; k++) {
        const TactFlyer *f = &sim->flight.flyers[k];
        tact_turn_fly(f->com, &f->I, sim->h, sim->state.q + f->q, sim->answer.v + f->dof,
                      sim->answer.q_end + f->q, sim->answer.v_end + f->dof);
    }
}

void tact_sim_still_flyers(const TactSim *sim, double *v)
{
    for (int k = 0; k < sim->flight.count; k++) {
        tact_vec3_put((TactVec3){0, 0, 0}, v + sim->flight.flyers[k].dof + 3);
    }
}
