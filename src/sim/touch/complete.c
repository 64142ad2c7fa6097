// The contacts of a step, completed: what touches at its end, or on the way there, is a contact.
//
// Contacts are linearised before the motion is known. After a solve the shapes are looked at where
// the step ends. A pair is not right if it
//
//   overlaps there by more than it did at the beginning, and more than is left alone;
//   pushes, and is apart there: a force without a touch;
//   moves fast, and is found to overlap on the way.
//
// The contacts of such a pair are made anew where it touches (linearise.c), and
// the islands of these pairs are solved again, from the same basis, until all pairs are right.
// The first solve of a step need not hold where a heap jams: most of these are solved again with
// other contacts. It is left as a draft then, and gone on with if they are the contacts after all.
// It is a sequence of linearisations as in sequential quadratic programming. Where it does not end
// within MOST_ROUNDS, the step is divided (step.c).
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 10 };
/// Of the sum of magnitudes: a gain that is no rounding.
static const double GAIN = 1e-13;

// ---------------------------------------------------------------------------------------------
// Where the step ends

/// The workspace goes to the end of the step, and the shapes with it. Their reach is that of the
/// step to come, which finds the same touches then.
static TactStatus look_at_end(TactSim *sim, TactWorldTouches *found)
{
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->answer.q_end));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->answer.v_end));
    tact_sim_place_shapes(sim, sim->shapes.end_pose, sim->shapes.end_reach);
    return tact_sim_collide(sim, sim->shapes.end_pose, sim->shapes.end_reach, found);
}

static TactStatus go_back(TactSim *sim)
{
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    return tact_dynamics_set_velocity(sim->dynamics, sim->state.v);
}

// ---------------------------------------------------------------------------------------------
// Rounds

static void mark_tree(TactSim *sim, int geom)
{
    int tree = sim->islands.tree_of_body[sim->model->geoms[geom].body];
    if (tree >= 0) {
        sim->complete.tree_wrong[tree] = true;
    }
}

/// Rounds that swing to and fro meet in the middle: where the trees of wrong pairs are linearised
/// about is the mean of their last two velocities. The workspace may be anywhere.
static TactStatus relax(TactSim *sim, int round)
{
    TactSimComplete *complete = &sim->complete;
    bool             relaxed = false;
    for (int t = 0; t < sim->islands.tree_count; t++) {
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            if (complete->tree_wrong[t] && round >= TACT_SIM_RELAXED) {
                sim->answer.v[i] = 0.5 * (sim->answer.v[i] + complete->v_before[i]);
                relaxed = true;
            }
            complete->v_before[i] = sim->answer.v[i];
        }
    }
    complete->relaxed = relaxed;
    if (relaxed) {
        tact_sim_finish_positions(sim);
        TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->answer.q_end));
        TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->answer.v_end));
        tact_sim_place_shapes(sim, sim->shapes.end_pose, sim->shapes.end_reach);
    }
    return TACT_OK;
}

/// The contacts that the step began with.
static TactStatus keep_start(TactSim *sim)
{
    TactSimComplete *complete = &sim->complete;
    if (complete->has_start) {
        return TACT_OK;
    }
    complete->has_start = true;
    TACT_TRY(tact_sim_reserve_contacts(&complete->start, &complete->start_capacity, 0,
                                       sim->contact_count));
    if (sim->contact_count > 0) {
        memcpy(complete->start, sim->contacts, (size_t)sim->contact_count * sizeof *sim->contacts);
    }
    return TACT_OK;
}

/// The trees of pairs that are not right.
static void mark_trees(TactSim *sim)
{
    TactSimComplete *complete = &sim->complete;
    memset(complete->tree_wrong, 0, (size_t)sim->islands.tree_count * sizeof(bool));
    for (int i = 0; i < complete->count; i++) {
        if (complete->pairs[i].wrong) {
            mark_tree(sim, complete->pairs[i].geom[0]);
            mark_tree(sim, complete->pairs[i].geom[1]);
        }
    }
}

/// The list of contacts anew: those of pairs that are right, and others for those that are not.
static TactStatus renew_contacts(TactSim *sim)
{
    TactSimComplete *complete = &sim->complete;
    complete->contact_count = 0;
    for (int i = 0; i < complete->count; i++) {
        TactHeldPair *pair = &complete->pairs[i];
        if (pair->wrong) {
            TACT_TRY(tact_sim_linearise(sim, pair));
            continue;
        }
        int first = complete->contact_count;
        TACT_TRY(tact_sim_reserve_contacts(&complete->contacts, &complete->contact_capacity, first,
                                           first + pair->count));
        if (pair->count > 0) {
            memcpy(complete->contacts + first, sim->contacts + pair->first,
                   (size_t)pair->count * sizeof *sim->contacts);
        }
        pair->first = first;
        complete->contact_count += pair->count;
    }
    TactSimContact *other = sim->contacts;
    int             capacity = sim->contact_capacity;
    sim->contacts = complete->contacts;
    sim->contact_count = complete->contact_count;
    sim->contact_capacity = complete->contact_capacity;
    complete->contacts = other;
    complete->contact_capacity = capacity;
    return TACT_OK;
}

/// Islands of the new contacts; those of which nothing has changed stay as they were solved.
static TactStatus renew_islands(TactSim *sim)
{
    TactSimIslands  *islands = &sim->islands;
    TactSimComplete *complete = &sim->complete;
    memset(complete->solved, 0, (size_t)islands->tree_count * sizeof *complete->solved);
    for (int i = 0; i < islands->count; i++) {
        int tree = islands->trees[islands->islands[i].first_tree];
        complete->solved[tree] = islands->islands[i].solved;
    }
    TACT_TRY(tact_sim_islands_find(sim));
    for (int i = 0; i < islands->count; i++) {
        TactSimIsland *island = &islands->islands[i];
        bool           wrong = false;
        for (int k = 0; k < island->tree_count; k++) {
            wrong = wrong || complete->tree_wrong[islands->trees[island->first_tree + k]];
        }
        island->solved = complete->solved[islands->trees[island->first_tree]];
        island->keep = !wrong && !island->solved.draft;
    }
    return TACT_OK;
}

/// Does an island gain energy over the step, kinetic and of the forces of the step along its
/// motion?
static bool gains_energy(const TactSim *sim, const TactSimIsland *island, const double *momentum)
{
    double gain = 0, size = 0;
    for (int k = 0; k < island->tree_count; k++) {
        int t = sim->islands.trees[island->first_tree + k];
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            double kinetic = 0.5 * momentum[i] * (sim->answer.v[i] + sim->last.v[i]);
            double work = sim->free.impulse[i] * sim->answer.v[i];
            gain += kinetic - work;
            size += fabs(kinetic) + fabs(work);
        }
    }
    return gain > GAIN * size;
}

/// Did an island run out of its budget? Without its lifts it would take as much again, and seldom
/// have an answer (one of two such steps of 1000 boxes): a step is bounded by one budget.
static bool is_hopeless(const TactSimIsland *island)
{
    return !island->solved.certified && island->solved.out_of_budget > 0;
}

/// Takes back lifts that give energy, or that other contacts do not allow: a thigh between two
/// others cannot leave both. Returns whether there are any.
static bool take_lifts_back(TactSim *sim)
{
    bool    any = false, lifts = false;
    double *change = sim->scratch.a, *momentum = sim->scratch.b;
    for (int k = 0; k < sim->contact_count; k++) {
        lifts = lifts || sim->contacts[k].lift > 0;
    }
    for (int i = 0; i < sim->model->nv && lifts; i++) {
        change[i] = sim->answer.v[i] - sim->last.v[i];
    }
    if (lifts) {
        tact_dynamics_multiply_mass(sim->dynamics, change, momentum);
    }
    for (int i = 0; i < sim->islands.count && lifts; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        bool           own = false;
        bool           back = !is_hopeless(island) &&
                    (!island->solved.certified || gains_energy(sim, island, momentum));
        for (int k = 0; k < island->contact_count && back; k++) {
            TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
            own = own || c->lift > 0;
            c->lift = 0;
        }
        island->keep = !own;
        any = any || own;
    }
    for (int i = 0; i < sim->complete.count && any; i++) {
        sim->complete.pairs[i].lifts = false;
    }
    return any;
}

/// Trees that lost all their contacts move freely.
static void free_trees(TactSim *sim)
{
    for (int t = 0; t < sim->islands.tree_count; t++) {
        if (sim->complete.tree_wrong[t] && sim->islands.island_of[t] < 0) {
            int first = sim->islands.first_dof[t], end = sim->islands.first_dof[t + 1];
            memcpy(sim->answer.v + first, sim->free.v + first,
                   (size_t)(end - first) * sizeof *sim->answer.v);
        }
    }
}

/// Did a solve run out of its budget? Its answer is taken as it is: rounds and parts would ask for
/// as much again.
static bool is_out_of_budget(const TactSim *sim)
{
    for (int i = 0; i < sim->islands.count; i++) {
        if (sim->islands.islands[i].solved.out_of_budget > 0) {
            return true;
        }
    }
    return false;
}

/// Was an answer left as a draft? The others are kept then.
static bool keep_all_but_drafts(TactSim *sim)
{
    bool any = false;
    for (int i = 0; i < sim->islands.count; i++) {
        any = any || sim->islands.islands[i].solved.draft;
    }
    for (int i = 0; i < sim->islands.count && any; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        island->keep = !island->solved.draft;
    }
    return any;
}

/// Goes on with the drafts: their contacts are all there.
static TactStatus finish_drafts(TactSim *sim)
{
    TACT_TRY(go_back(sim));
    sim->complete.resumes = true;
    TactStatus status = tact_sim_solve_motion(sim);
    sim->complete.resumes = false;
    TACT_TRY(status);
    tact_sim_finish_positions(sim);
    return TACT_OK;
}

TactStatus tact_sim_complete(TactSim *sim, bool *resolved)
{
    *resolved = true;
    if (sim->config.stiffness > 0) { // overlap is what carries
        return TACT_OK;
    }
    for (int round = 0;; round++) {
        TactWorldTouches found;
        int              wrong = 0, hopeless = 0;
        TACT_TRY(look_at_end(sim, &found));
        TACT_TRY(tact_sim_judge_pairs(sim, &found, round, &wrong, &hopeless));
        bool ends = wrong == 0 || is_out_of_budget(sim);
        if ((ends || hopeless > 0) && keep_all_but_drafts(sim)) {
            TACT_TRY(finish_drafts(sim));
            continue;
        }
        if (ends) {
            return TACT_OK;
        }
        if (round == 0) {
            TACT_TRY(keep_start(sim));
        }
        mark_trees(sim);
        TACT_TRY(relax(sim, round));
        TACT_TRY(go_back(sim));
        if (round == MOST_ROUNDS || hopeless > 0) {
            *resolved = false;
            return TACT_OK;
        }
        TACT_TRY(renew_contacts(sim));
        TACT_TRY(renew_islands(sim));
        free_trees(sim);
        TACT_TRY(tact_sim_solve_motion(sim));
        if (take_lifts_back(sim)) {
            TACT_TRY(tact_sim_solve_motion(sim));
        }
        tact_sim_finish_positions(sim);
    }
}

void tact_sim_complete_layout(TactSimComplete *c, const TactModel *model, TactArena *arena)
{
    size_t trees = (size_t)model->body_count;
    c->tree_wrong = tact_arena_take(arena, trees, sizeof *c->tree_wrong);
    c->solved = tact_arena_take(arena, trees, sizeof *c->solved);
    c->v_before = tact_arena_take(arena, (size_t)model->nv, sizeof *c->v_before);
}

void tact_sim_complete_destroy(TactSimComplete *c)
{
    tact_release(c->pairs);
    tact_release(c->contacts);
    tact_release(c->start);
}
