// Which pairs of a step are right: looked at where it ends (complete.c).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "sim/sim.h"

static const double CREEP = 0.008;  // m/s: an overlap that grows slower is left alone
static const double WORST = 0.04;   // m/s: the same when rounds have not helped
static const double GROWTH = 3e-4;  // m/s: of deeper overlaps, and every round as much more
static const double SUNK = 0.06;    // m/s: the same that no step has made
static const double HOVER = 0.02;   // m/s: the same of a gap that is pushed
static const double NOTHING = 1e-9; // of the largest force: no push
static const double ROUNDED = 1e-9; // relative: as deep as before but for rounding
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

static TactStatus reserve_pairs(TactSimComplete *c, int count)
{
    if (count <= c->capacity) {
        return TACT_OK;
    }
    TactHeldPair *larger = NULL;
    size_t        room = 2 * (size_t)count;
    TACT_TRY(tact_allocate(room, sizeof *larger, (void **)&larger));
    if (c->pairs) {
        memcpy(larger, c->pairs, (size_t)c->count * sizeof *larger);
    }
    tact_release(c->pairs);
    c->pairs = larger;
    c->capacity = (int)room;
    return TACT_OK;
}

void tact_sim_complete_begin(TactSim *sim)
{
    sim->complete.count = 0;
    sim->complete.has_start = false;
}

TactStatus tact_sim_complete_add(TactSim *sim, int first)
{
    TactSimComplete *complete = &sim->complete;
    for (int k = first; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        TactHeldPair *last = complete->count > 0 ? &complete->pairs[complete->count - 1] : NULL;
        if (!last || last->geom[0] != c->geom[0] || last->geom[1] != c->geom[1]) {
            TACT_TRY(reserve_pairs(complete, complete->count + 1));
            last = &complete->pairs[complete->count++];
            *last = (TactHeldPair){
                .geom = {c->geom[0], c->geom[1]}, .depth = c->depth, .first = k, .lifts = true};
        }
        last->depth = tact_larger(last->depth, c->depth);
        last->start_first = last->first;
        last->start_count = ++last->count;
    }
    return TACT_OK;
}

static int compare_geoms(const TactHeldPair *p, int geom_a, int geom_b)
{
    return p->geom[0] != geom_a ? (p->geom[0] > geom_a) - (p->geom[0] < geom_a)
                                : (p->geom[1] > geom_b) - (p->geom[1] < geom_b);
}

/// Puts a pair without contacts in, before `place`.
static TactStatus insert(TactSimComplete *c, int place, int geom_a, int geom_b)
{
    TACT_TRY(reserve_pairs(c, c->count + 1));
    memmove(c->pairs + place + 1, c->pairs + place, (size_t)(c->count - place) * sizeof *c->pairs);
    c->pairs[place] = (TactHeldPair){.geom = {geom_a, geom_b}, .depth = -INFINITY, .lifts = true};
    c->count++;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Which pairs are not right

/// How far points of a shape get at the most, in radii of the shape: it turns by no more.
static double speed_of(const TactSim *sim, int shape)
{
    return sim->shapes.end_reach[shape] > 0
               ? sim->shapes.end_reach[shape] / sim->shapes.radius[shape]
               : 0;
}

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

/// Does a contact of the pair push without a touch? None does where all points of the end touch.
static bool hovers(const Judge *j, const TactHeldPair *pair, const TactWorldPair *end,
                   double deepest)
{
    double farthest = deepest;
    for (int k = 0; end && k < end->count; k++) {
        farthest = fmin(farthest, j->touches[end->first + k].depth);
    }
    if (farthest >= -j->gap) {
        return false;
    }
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
    bool bounces =
        sim->bounce.restitution[pair->geom[0]] > 0 || sim->bounce.restitution[pair->geom[1]] > 0;
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
    bool      deep = deepest > allowed * (1 + ROUNDED);
    double    speed = tact_larger(speed_of(sim, shape[0]), speed_of(sim, shape[1]));
    double    way = sim->shapes.end_reach[shape[0]] + sim->shapes.end_reach[shape[1]];
    TactPaths paths;
    pair->end_first = end ? end->first : 0;
    pair->end_count = end ? end->count : 0;
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
    for (int i = 0; i < sim->islands.count; i++) {
        most = tact_larger(most, sim->islands.islands[i].solved.push);
    }
    return most;
}

/// Marks the pairs that are not right, and puts those in that have no contacts yet. wrong: how many
/// there are; hopeless: how many of them nothing but a shorter step can help.
TactStatus tact_sim_judge_pairs(TactSim *sim, const TactWorldTouches *found, int round, int *wrong,
                                int *hopeless)
{
    TactSimComplete *c = &sim->complete;
    double           worse = 1 + 0.5 * round; // every round settles for less
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
            int a = sim->shapes.made.geom_of_shape[end->a],
                b = sim->shapes.made.geom_of_shape[end->b];
            order = i < c->count ? compare_geoms(&c->pairs[i], a, b) : 1;
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
        int           shape[2] = {sim->shapes.made.shape_of_geom[pair->geom[0]],
                                  sim->shapes.made.shape_of_geom[pair->geom[1]]};
        judge_pair(&j, pair, shape, order == 0 ? end : NULL);
        *wrong += pair->wrong;
        *hopeless += pair->hopeless;
        at += order == 0;
    }
    return TACT_OK;
}
