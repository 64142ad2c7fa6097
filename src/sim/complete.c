// The contacts of a step, completed: what touches at its end, or on the way there, is a contact.
//
// Contacts are linearised before the motion is known. After a solve the shapes are looked at where
// the step ends. A pair is not right if it
//
//   overlaps there by more than it did at the beginning, and more than is left alone;
//   pushes, and is apart there: a force without a touch;
//   moves fast, and is found to overlap on the way.
//
// The contacts of such a pair are made anew at the pose where it touches: the first touch of
// shapes that were apart, else the end of the step. At the fraction t of the step let a point of
// the pair have the normal n and the gap g_t, with the velocity v of the last solve. As a contact
// of the beginning it may close the gap g_0 that is its own to first order about that pose,
//
//     u_n+ >= -g_0 / h,     g_0 = g_t - t h n'J v ,                                           (1)
//
// with J about the mean of the arms that the point has now and then: for a body that turns by an
// angle w h, h w x (r_0 + r_t) / 2 is where the point goes, to third order. One point stands for
// both bodies, so that angular momentum is kept. g_0 < 0 counts as 0: contacts give no energy.
//
// Then the islands of these pairs are solved again, from the same basis, until all pairs are right.
// It is a sequence of linearisations as in sequential quadratic programming. Where it does not end
// within MOST_ROUNDS, the step is divided (step.c).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/workspace.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 8 };

static const double CREEP = 0.008;  // m/s: an overlap that grows slower is left alone
static const double HOVER = 0.02;   // m/s: the same of a gap that is pushed
static const double NOTHING = 1e-9; // of the largest force: no push
static const double FAST = 0.3;     // rad, or radii, in a step: the way is looked at too
static const double LOOK = 0.05;    // rad or radii from look to look
static const double TOO_FAR = 0.5;  // rad: a turn that no linearisation follows
static const double FAR_IN = 0.25;  // of the way of a step: overlap that says little of the touch
static const double LEAST_TURN = 1e-4; // rad in a step
static const double ALIKE = 0.8;       // cosine between normals of points that may be the same

double tact_sim_overlap_left(const TactSim *sim)
{
    return sim->config.slop + CREEP * sim->h;
}

static double gap_left(const TactSim *sim)
{
    return sim->config.slop + HOVER * sim->h;
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

bool tact_sim_is_fixed(const TactSim *sim, int shape)
{
    return sim->islands.tree_of_body[sim->model->geoms[sim->geom_of_shape[shape]].body] < 0;
}

/// From where a shape is at the beginning to where it is at the end, at a constant rate.
static TactSweep find_path(const TactSim *sim, int shape, const TactShape *its)
{
    TactTransform from = sim->shape_pose[shape], to = sim->end_pose[shape];
    TactSweep     path = {.shape = its, .from = from};
    if (tact_sim_is_fixed(sim, shape)) {
        return path;
    }
    path.middle = sim->shape_middle[shape];
    path.radius = sim->shape_radius[shape];
    path.move = tact_vec3_subtract(tact_transform_point(to, path.middle),
                                   tact_transform_point(from, path.middle));
    path.turn = tact_quat_log(tact_quat_multiply(to.rotation, tact_quat_conjugate(from.rotation)));
    return path;
}

typedef struct Paths {
    TactShape shapes[2];
    TactSweep ways[2];
} Paths;

static void find_paths(const TactSim *sim, const int shape[2], Paths *paths)
{
    for (int k = 0; k < 2; k++) {
        const TactGeom *geom = &sim->model->geoms[sim->geom_of_shape[shape[k]]];
        paths->shapes[k] = tact_sim_make_shape(sim, geom);
        paths->ways[k] = find_path(sim, shape[k], &paths->shapes[k]);
    }
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
    double left = gap_left(j->sim);
    for (int k = pair->first; k < pair->first + pair->count; k++) {
        const TactSimContact *c = &j->sim->contacts[k];
        if (c->force[0] > j->push && !(c->bounce > 0) && end_depth(j, end, c, deepest) < -left) {
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

/// Do surfaces that bounce meet only because of other impacts of the step? These come first.
static bool is_hit_late(const TactSim *sim, const TactHeldPair *pair)
{
    bool bounces = sim->restitution[pair->geom[0]] > 0 || sim->restitution[pair->geom[1]] > 0;
    for (int k = pair->first; k < pair->first + pair->count; k++) {
        bounces = bounces && !(sim->contacts[k].bounce > 0);
    }
    return bounces;
}

/// What is wrong with a pair, if anything: it is marked, with the time at which it touches.
static void judge_pair(const Judge *j, TactHeldPair *pair, const int shape[2],
                       const TactWorldPair *end)
{
    TactSim *sim = j->sim;
    double   deepest = deepest_of(j, end), left = tact_sim_overlap_left(sim);
    double   allowed = tact_larger(pair->depth, left);
    bool     deep = deepest > allowed * (1 + 1e-9);
    double   speed = tact_larger(speed_of(sim, shape[0]), speed_of(sim, shape[1]));
    Paths    paths;
    pair->wrong = deep || hovers(j, pair, end, deepest);
    pair->hopeless = deep && is_hit_late(sim, pair);
    pair->time = 1;
    if (!deep && !(speed > FAST)) {
        return;
    }
    double time = 1;
    find_paths(sim, shape, &paths);
    double way = sim->end_reach[shape[0]] + sim->end_reach[shape[1]];
    if (deep && deepest > FAR_IN * way && pair->depth < -left) {
        pair->time = tact_sweeps_meet(&paths.ways[0], &paths.ways[1], 0, &time) ? time : 1;
    } else if (!deep && !pair->wrong) {
        // points of a body that turns by w h are r (w h)^2 / 8 beside the line on the way
        double aside = 0, most = 0;
        for (int k = 0; k < 2; k++) {
            double turn = tact_vec3_norm(paths.ways[k].turn);
            aside += paths.ways[k].radius * turn * turn / 8;
            most = tact_larger(most, turn);
        }
        bool spins = most > TOO_FAR;
        time = tact_sweeps_hold(&paths.ways[0], &paths.ways[1], allowed + (spins ? 0 : 1.5 * aside),
                                0.1 * left, LOOK / speed);
        pair->wrong = time < 1;
        pair->time = time;
        pair->hopeless = pair->wrong && spins;
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
static TactStatus judge(TactSim *sim, const TactWorldTouches *found, int *wrong, int *hopeless)
{
    TactSimComplete *c = &sim->complete;
    Judge            j = {sim, found->touches->touches, NOTHING * largest_push(sim)};
    int              at = 0;
    *wrong = *hopeless = 0;
    for (int i = 0; i < c->count || at < found->pair_count;) {
        const TactWorldPair *end = next_pair(found, at);
        int                  order = -1;
        if (end) {
            int a = sim->geom_of_shape[end->a], b = sim->geom_of_shape[end->b];
            order = i < c->count ? compare(&c->pairs[i], a, b) : 1;
            if (order > 0) { // not a pair of the step so far
                at++;
                if (deepest_of(&j, end) > tact_sim_overlap_left(sim)) {
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
// Contacts made anew

/// Where a point that a shape has at a pose of its path is now.
static TactVec3 bring_back(const TactSweep *way, const TactTransform *at, TactVec3 point)
{
    return tact_transform_point(way->from, tact_transform_point_back(*at, point));
}

/// The mean of the arms that a point has now and at a pose, from the centre of mass of its link as
/// it is now.
static TactVec3 mean_point(const TactSim *sim, int body, const TactSweep *way,
                           const TactTransform *at, TactVec3 point)
{
    TactVec3 centre = sim->dynamics->com[sim->dynamics->link_of[body]];
    TactVec3 then =
        tact_transform_point(*at, tact_transform_point_back(way->from, centre)); // of the centre
    TactVec3 now = bring_back(way, at, point);
    TactVec3 arm = tact_vec3_add(tact_vec3_subtract(now, centre), tact_vec3_subtract(point, then));
    return tact_vec3_add_scaled(centre, 0.5, arm);
}

/// The point of both bodies.
static TactVec3 common_point(const TactSim *sim, const TactHeldPair *pair, const Paths *paths,
                             const TactTransform at[2], TactVec3 point)
{
    TactVec3 sum = {0, 0, 0};
    int      moving = 0;
    for (int k = 0; k < 2; k++) {
        int body = sim->model->geoms[pair->geom[k]].body;
        if (sim->islands.tree_of_body[body] >= 0) {
            sum = tact_vec3_add(sum, mean_point(sim, body, &paths->ways[k], &at[k], point));
            moving++;
        }
    }
    return tact_vec3_scale(1.0 / moving, sum);
}

/// The same point at the beginning, or the one with the normal most like it. NULL: there is none.
static const TactTouch *find_before(const TactSim *sim, const TactTouch *touch)
{
    const TactTouch *best = NULL;
    double           most = ALIKE;
    for (int i = 0; i < sim->before.count; i++) {
        const TactTouch *t = &sim->before.touches[i];
        double           alike = tact_vec3_dot(t->normal, touch->normal);
        alike = alike > ALIKE && t->feature == touch->feature ? 2 : alike;
        best = alike > most ? t : best;
        most = tact_larger(most, alike);
    }
    return best;
}

static TactVec3 spin_of(const TactSim *sim, int body)
{
    const TactDynamics *d = sim->dynamics;
    TactVec3            spin = {0, 0, 0};
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            spin = tact_vec3_add_scaled(spin, sim->v_next[i], d->axis[i].angular);
        }
    }
    return spin;
}

/// Shifts the point of a contact across its normal so that t h n'J v is what its surfaces came
/// nearer along n in that time: one point cannot have the mean arms of two bodies that both turn.
static void match_motion(const TactSim *sim, TactSimContact *c, double moved, double time)
{
    double   rate = tact_sim_contact_rate(sim, c, c->normal, sim->v_next);
    TactVec3 spin = tact_vec3_subtract(spin_of(sim, c->body[1]), spin_of(sim, c->body[0]));
    TactVec3 along = tact_vec3_cross(c->normal, spin); // n'(w x s) = s'(n x w)
    double   size = tact_vec3_dot(along, along), off = moved / (time * sim->h) - rate;
    if (size * sim->h * sim->h > LEAST_TURN * LEAST_TURN) {
        double most = 2 * sim->h * fabs(rate) + 1e-3, shift = off / sqrt(size);
        shift = shift > most ? most : shift < -most ? -most : shift;
        c->point = tact_vec3_add_scaled(c->point, shift / sqrt(size), along);
    }
}

/// Contacts of a pair by (1), to the end of the list.
static TactStatus linearise(TactSim *sim, TactHeldPair *pair)
{
    int   shape[2] = {sim->shape_of_geom[pair->geom[0]], sim->shape_of_geom[pair->geom[1]]};
    Paths paths;
    find_paths(sim, shape, &paths);
    TactTransform at[2] = {sim->end_pose[shape[0]], sim->end_pose[shape[1]]};
    double        margin = sim->end_reach[shape[0]] + sim->end_reach[shape[1]];
    for (int k = 0; k < 2; k++) {
        at[k] = pair->time < 1 ? tact_sweep_at(&paths.ways[k], pair->time) : at[k];
        margin += sim->model->geoms[pair->geom[k]].margin;
    }
    tact_touch_list_clear(&sim->ahead);
    TACT_TRY(tact_collide(&paths.shapes[0], &at[0], &paths.shapes[1], &at[1],
                          margin + gap_left(sim), &sim->ahead));
    tact_touch_list_clear(&sim->before);
    if (pair->time == 1) {
        TACT_TRY(tact_collide(&paths.shapes[0], &paths.ways[0].from, &paths.shapes[1],
                              &paths.ways[1].from,
                              margin + sim->reach[shape[0]] + sim->reach[shape[1]], &sim->before));
    }
    pair->first = sim->complete.contact_count;
    pair->count = sim->ahead.count;
    TACT_TRY(tact_sim_reserve_contacts(&sim->complete.contacts, &sim->complete.contact_capacity,
                                       pair->first, pair->first + pair->count));
    for (int i = 0; i < sim->ahead.count; i++) {
        TactTouch        touch = sim->ahead.touches[i];
        TactSimContact  *c = &sim->complete.contacts[sim->complete.contact_count++];
        TactVec3         apart = tact_vec3_subtract(bring_back(&paths.ways[1], &at[1], touch.point),
                                                    bring_back(&paths.ways[0], &at[0], touch.point));
        const TactTouch *before = find_before(sim, &touch);
        touch.point = common_point(sim, pair, &paths, at, touch.point);
        if (before) {
            touch.normal = tact_vec3_normalise(tact_vec3_add(touch.normal, before->normal));
        }
        tact_sim_make_contact(sim, pair->geom[0], pair->geom[1], &touch, c);
        // how deep it was at the beginning: never deeper than the pair
        double was = touch.depth - tact_vec3_dot(apart, c->normal);
        was = before && before->feature == touch.feature      ? before->depth
              : was < pair->depth || pair->depth == -INFINITY ? was
                                                              : pair->depth;
        match_motion(sim, c, was - touch.depth, pair->time);
        c->depth += pair->time * sim->h * tact_sim_contact_rate(sim, c, c->normal, sim->v_next);
        double wanted = tact_larger(was, 0.5 * tact_sim_overlap_left(sim));
        if (c->depth > wanted && pair->lifts) {
            c->lift = (c->depth - wanted) / sim->h;
        }
    }
    return TACT_OK;
}

static void mark_tree(TactSim *sim, int geom)
{
    int tree = sim->islands.tree_of_body[sim->model->geoms[geom].body];
    if (tree >= 0) {
        sim->complete.tree_wrong[tree] = true;
    }
}

/// The list of contacts anew: those of pairs that are right, and others for those that are not.
static TactStatus renew_contacts(TactSim *sim)
{
    TactSimComplete *complete = &sim->complete;
    complete->contact_count = 0;
    memset(complete->tree_wrong, 0, (size_t)sim->islands.tree_count * sizeof(bool));
    for (int i = 0; i < complete->count; i++) {
        TactHeldPair *pair = &complete->pairs[i];
        if (pair->wrong) {
            TACT_TRY(linearise(sim, pair));
            mark_tree(sim, pair->geom[0]);
            mark_tree(sim, pair->geom[1]);
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
    memset(sim->complete.tree_wrong, 0, (size_t)sim->islands.tree_count * sizeof(bool));
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
        TACT_TRY(judge(sim, &found, &wrong, &hopeless));
        if (wrong == 0) {
            return TACT_OK;
        }
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
}

void tact_sim_complete_destroy(TactSimComplete *c)
{
    tact_release(c->pairs);
    tact_release(c->contacts);
}
