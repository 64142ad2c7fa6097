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
// It is a sequence of linearisations as in sequential quadratic programming. Where it does not end
// within MOST_ROUNDS, the step is divided (step.c).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/workspace.h"
#include "sim/sim.h"

enum {
    MOST_ROUNDS = 10,
    RELAXED = 3, // from this round on
};

static const double CREEP = 0.008;  // m/s: an overlap that grows slower is left alone
static const double WORST = 0.04;   // m/s: the same when rounds have not helped
static const double GROWTH = 5e-4;  // m/s: of deeper overlaps, and every round as much more
static const double SUNK = 0.06;    // m/s: the same that no step has made
static const double HOVER = 0.02;   // m/s: the same of a gap that is pushed
static const double NOTHING = 1e-9; // of the largest force: no push
static const double FAST = 0.3;     // rad, or radii, in a step: the way is looked at too
static const double LOOK = 0.05;    // rad or radii from look to look
static const double TOO_FAR = 0.5;  // rad: a turn that no linearisation follows
static const double ASIDE = 0.04;   // of a radius: by which points may be beside the line
static const double FAR_IN = 0.25;  // of the way of a step: overlap that says little of the touch

double tact_sim_overlap_left(const TactSim *sim)
{
    return sim->config.slop + CREEP * sim->config.timestep;
}

double tact_sim_overlap_made(const TactSim *sim)
{
    return sim->config.slop + SUNK * sim->config.timestep;
}

double tact_sim_gap_left(const TactSim *sim)
{
    return sim->config.slop + HOVER * sim->config.timestep;
}

// ---------------------------------------------------------------------------------------------
// Pairs of the step, in the order of their shapes

static TactStatus reserve(TactSimComplete *c, int count)
{
    if (count <= c->capacity) {
        return TACT_OK;
    }
    TactHeldPair *larger = NULL;
    size_t        room = 2 * (size_t)count;
    TACT_TRY(tact_allocate(room, sizeof *larger, (void **)&larger));
    if (c->count > 0) {
        memcpy(larger, c->pairs, (size_t)c->count * sizeof *larger);
    }
    tact_release(c->pairs);
    c->pairs = larger;
    c->capacity = (int)room;
    return TACT_OK;
}

TactStatus tact_sim_complete_begin(TactSim *sim)
{
    TactSimComplete *complete = &sim->complete;
    complete->count = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        TactHeldPair *last = complete->count > 0 ? &complete->pairs[complete->count - 1] : NULL;
        if (!last || last->geom[0] != c->geom[0] || last->geom[1] != c->geom[1]) {
            TACT_TRY(reserve(complete, complete->count + 1));
            last = &complete->pairs[complete->count++];
            *last = (TactHeldPair){
                .geom = {c->geom[0], c->geom[1]}, .depth = c->depth, .first = k, .lifts = true};
        }
        last->depth = tact_larger(last->depth, c->depth);
        last->count++;
    }
    return TACT_OK;
}

static int compare(const TactHeldPair *p, int geom_a, int geom_b)
{
    return p->geom[0] != geom_a ? (p->geom[0] > geom_a) - (p->geom[0] < geom_a)
                                : (p->geom[1] > geom_b) - (p->geom[1] < geom_b);
}

/// Puts a pair without contacts in, before `place`.
static TactStatus insert(TactSimComplete *c, int place, int geom_a, int geom_b)
{
    TACT_TRY(reserve(c, c->count + 1));
    memmove(c->pairs + place + 1, c->pairs + place, (size_t)(c->count - place) * sizeof *c->pairs);
    c->pairs[place] = (TactHeldPair){.geom = {geom_a, geom_b}, .depth = -INFINITY, .lifts = true};
    c->count++;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Where the step ends

/// The workspace goes to the end of the step, and the shapes with it. Their reach is that of the
/// step to come, which finds the same touches then.
static TactStatus look_at_end(TactSim *sim, TactWorldTouches *found)
{
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->q_next));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->v_end));
    tact_sim_place_shapes(sim, sim->end_pose, sim->end_reach);
    return tact_sim_collide(sim, sim->end_pose, sim->end_reach, found);
}

static TactStatus go_back(TactSim *sim)
{
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    return tact_dynamics_set_velocity(sim->dynamics, sim->state.v);
}

/// How far points of a shape get at the most, in radii of the shape: it turns by no more.
static double speed_of(const TactSim *sim, int shape)
{
    return sim->end_reach[shape] > 0 ? sim->end_reach[shape] / sim->shape_radius[shape] : 0;
}

// ---------------------------------------------------------------------------------------------
// Which pairs are not right

typedef struct Judge {
    TactSim         *sim;
    const TactTouch *touches; // of the end
    double           push;    // a smaller force is none
    double           left;    // overlap that is left alone, m
    double           grow;    // by which it may, where it is deeper, m
    double           gap;     // at which a contact may push, m
} Judge;

/// The depth of a contact at the end: of the point of the same name, or the deepest.
static double end_depth(const Judge *j, const TactWorldPair *end, const TactSimContact *c,
                        double deepest)
{
    for (int k = 0; end && k < end->count; k++) {
        const TactTouch *touch = &j->touches[end->first + k];
        if (tact_sim_contact_id(c->geom[0], c->geom[1], touch->feature) == c->id) {
            return touch->depth;
        }
    }
    return deepest;
}

/// Does a contact of the pair push without a touch?
static bool hovers(const Judge *j, const TactHeldPair *pair, const TactWorldPair *end,
                   double deepest)
{
    for (int k = pair->first; k < pair->first + pair->count; k++) {
        const TactSimContact *c = &j->sim->contacts[k];
        if (c->force[0] > j->push && !(c->bounce > 0) && end_depth(j, end, c, deepest) < -j->gap) {
            return true;
        }
    }
    return false;
}

/// The deepest point of a pair at the end; -INFINITY: none is near.
static double deepest_of(const Judge *j, const TactWorldPair *end)
{
    double deepest = -INFINITY;
    for (int k = 0; end && k < end->count; k++) {
        deepest = tact_larger(deepest, j->touches[end->first + k].depth);
    }
    return deepest;
}

static const TactWorldPair *next_pair(const TactWorldTouches *found, int at)
{
    return at < found->pair_count ? &found->pairs[at] : NULL;
}

/// Does a pair that was linearised on the way touch there?
static bool touches_on_way(const Judge *j, const TactHeldPair *pair, const int shape[2])
{
    TactPaths paths;
    double    time;
    if (!pair->passed) {
        return false;
    }
    tact_sim_find_paths(j->sim, shape, &paths);
    return tact_sweeps_meet(&paths.ways[0], &paths.ways[1], j->gap, &time);
}

/// Do surfaces that bounce meet only because of other impacts of the step? These come first.
static bool is_hit_late(const TactSim *sim, const TactHeldPair *pair)
{
    bool bounces = sim->restitution[pair->geom[0]] > 0 || sim->restitution[pair->geom[1]] > 0;
    for (int k = pair->first; k < pair->first + pair->count; k++) {
        bounces = bounces && !(sim->contacts[k].bounce > 0);
    }
    return bounces;
}

/// Until when a pair that ends well goes without overlapping on the way. Points of a body that
/// turns by w h are r (w h)^2 / 8 beside the straight line in the middle of it: so little is none.
/// What turns far and was apart may have come through something thin.
static void judge_way(const TactSim *sim, TactHeldPair *pair, const TactPaths *paths,
                      double allowed, double speed)
{
    double left = tact_sim_overlap_left(sim), aside = 0, turn = 0;
    for (int k = 0; k < 2; k++) {
        double own = tact_vec3_norm(paths->ways[k].turn);
        aside += paths->ways[k].radius * fmin(own * own / 8, ASIDE);
        turn = tact_larger(turn, own);
    }
    bool spins = turn > TOO_FAR;
    aside = spins && pair->depth < -left ? 0 : 1.5 * aside;
    pair->time = tact_sweeps_hold(&paths->ways[0], &paths->ways[1], allowed + aside, 0.1 * left,
                                  LOOK / speed);
    pair->wrong = pair->passed = pair->time < 1;
    pair->hopeless = pair->wrong && spins;
}

/// What is wrong with a pair, if anything: it is marked, with the time at which it touches.
static void judge_pair(const Judge *j, TactHeldPair *pair, const int shape[2],
                       const TactWorldPair *end)
{
    TactSim  *sim = j->sim;
    double    deepest = deepest_of(j, end), left = j->left;
    double    allowed = tact_larger(pair->depth + j->grow, left);
    bool      deep = deepest > allowed * (1 + 1e-9);
    double    speed = tact_larger(speed_of(sim, shape[0]), speed_of(sim, shape[1]));
    double    way = sim->end_reach[shape[0]] + sim->end_reach[shape[1]];
    TactPaths paths;
    pair->wrong = deep || (hovers(j, pair, end, deepest) && !touches_on_way(j, pair, shape));
    pair->hopeless = deep && is_hit_late(sim, pair);
    pair->time = 1;
    if (!deep && (pair->wrong || !(speed > FAST))) {
        return;
    }
    tact_sim_find_paths(sim, shape, &paths);
    if (!deep) {
        judge_way(sim, pair, &paths, allowed, speed);
    } else if (deepest > FAR_IN * way && pair->depth < -left) {
        double time;
        pair->time = tact_sweeps_meet(&paths.ways[0], &paths.ways[1], 0, &time) ? time : 1;
    }
}

static double largest_push(const TactSim *sim)
{
    double most = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        most = tact_larger(most, sim->contacts[k].force[0]);
    }
    return most;
}

/// Marks the pairs that are not right, and puts those in that have no contacts yet. wrong: how many
/// there are; hopeless: how many of them nothing but a shorter step can help.
static TactStatus judge(TactSim *sim, const TactWorldTouches *found, int round, int *wrong,
                        int *hopeless)
{
    TactSimComplete *c = &sim->complete;
    double           worse = 1 + tact_larger(0, round - RELAXED); // every round settles for less
    Judge            j = {
                   .sim = sim,
                   .touches = found->touches->touches,
                   .push = NOTHING * largest_push(sim),
                   .left = sim->config.slop + fmin(worse * CREEP, WORST) * sim->config.timestep,
                   .grow = (worse - 1) * GROWTH * sim->config.timestep,
                   .gap = sim->config.slop + fmin(worse * HOVER, WORST) * sim->config.timestep,
    };
    int at = 0;
    *wrong = *hopeless = 0;
    for (int i = 0; i < c->count || at < found->pair_count;) {
        const TactWorldPair *end = next_pair(found, at);
        int                  order = -1;
        if (end) {
            int a = sim->geom_of_shape[end->a], b = sim->geom_of_shape[end->b];
            order = i < c->count ? compare(&c->pairs[i], a, b) : 1;
            if (order > 0) { // not a pair of the step so far
                at++;
                if (deepest_of(&j, end) > j.left) {
                    TACT_TRY(insert(c, i, a, b));
                    judge_pair(&j, &c->pairs[i], (int[2]){end->a, end->b}, end);
                    *wrong += c->pairs[i].wrong;
                    *hopeless += c->pairs[i++].hopeless;
                }
                continue;
            }
        }
        TactHeldPair *pair = &c->pairs[i++];
        int shape[2] = {sim->shape_of_geom[pair->geom[0]], sim->shape_of_geom[pair->geom[1]]};
        judge_pair(&j, pair, shape, order == 0 ? end : NULL);
        *wrong += pair->wrong;
        *hopeless += pair->hopeless;
        at += order == 0;
    }
    return TACT_OK;
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
            if (complete->tree_wrong[t] && round >= RELAXED) {
                sim->v_next[i] = 0.5 * (sim->v_next[i] + complete->v_before[i]);
                relaxed = true;
            }
            complete->v_before[i] = sim->v_next[i];
        }
    }
    if (relaxed) {
        tact_sim_finish_positions(sim);
        TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->q_next));
        TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->v_end));
        tact_sim_place_shapes(sim, sim->end_pose, sim->end_reach);
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
        island->keep = !wrong;
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
            double kinetic = 0.5 * momentum[i] * (sim->v_next[i] + sim->last.v[i]);
            double work = sim->impulse[i] * sim->v_next[i];
            gain += kinetic - work;
            size += fabs(kinetic) + fabs(work);
        }
    }
    return gain > 1e-13 * size;
}

/// Takes back lifts that give energy; returns whether there are any.
static bool take_lifts_back(TactSim *sim)
{
    bool    any = false, lifts = false;
    double *change = sim->correction, *momentum = sim->bias;
    for (int k = 0; k < sim->contact_count; k++) {
        lifts = lifts || sim->contacts[k].lift > 0;
    }
    for (int i = 0; i < sim->model->nv && lifts; i++) {
        change[i] = sim->v_next[i] - sim->last.v[i];
    }
    if (lifts) {
        tact_dynamics_multiply_mass(sim->dynamics, change, momentum);
    }
    for (int i = 0; i < sim->islands.count && lifts; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        bool           own = false, gains = gains_energy(sim, island, momentum);
        for (int k = 0; k < island->contact_count && gains; k++) {
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
            memcpy(sim->v_next + first, sim->v_free + first,
                   (size_t)(end - first) * sizeof *sim->v_next);
        }
    }
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
        TACT_TRY(judge(sim, &found, round, &wrong, &hopeless));
        if (wrong == 0) {
            return TACT_OK;
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
}
