// Contacts of a pair made anew, at the pose where it touches.
//
// That pose is the first touch of shapes that were far apart, else the end of the step. At the
// fraction t of the step let a point of the pair have the normal n_t and the depth d_t, with the
// velocity v of the last solve, and let it have had the depth d_0 at the beginning. As a contact of
// the beginning it may come nearer by -d_0,
//
//     u_n+ >= d_0 / h,                                                                        (1)
//
// and u_n = n'J v is to say where it gets: with the same v, t h n'J v = d_0 - d_t. For that
//
//   the arms of J are the mean of those that the point has now and then: for a body that turns by
//   an angle w h, h w x (r_0 + r_t) / 2 is where the point goes, to third order. One point stands
//   for both bodies, so that angular momentum is kept;
//   n lies between the normals of now and then, n_0 and n_t, as far as it takes: the mean where
//   surfaces are smooth, else by how long each of two faces was touched;
//   and what is left is made up for by a shift of the point across n.
//
// Where that is not enough, d_0 is taken to be d_t + t h n'J v. If that is an overlap that was not
// there, it has to come apart with the speed `lift`, unless that would give energy (complete.c).
#include <math.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static const double LEAST_TURN = 1e-4; // rad in a step: less moves no point
static const double SHIFT = 1e-3;      // m: by which a point is shifted, and twice its own way
static const double ALIKE = 0.8;       // cosine between normals of points that may be the same

bool tact_sim_is_fixed(const TactSim *sim, int shape)
{
    return sim->islands
               .tree_of_body[sim->model->geoms[sim->shapes.made.geom_of_shape[shape]].body] < 0;
}

/// From where a shape is at the beginning to where it is at the end, at a constant rate.
static TactSweep find_path(const TactSim *sim, int shape, const TactShape *its)
{
    TactTransform from = sim->shapes.pose[shape], to = sim->shapes.end_pose[shape];
    TactSweep     path = {.shape = its, .from = from};
    if (tact_sim_is_fixed(sim, shape)) {
        return path;
    }
    path.middle = sim->shapes.middle[shape];
    path.radius = sim->shapes.radius[shape];
    path.move = tact_vec3_subtract(tact_transform_point(to, path.middle),
                                   tact_transform_point(from, path.middle));
    path.turn = tact_quat_log(tact_quat_multiply(to.rotation, tact_quat_conjugate(from.rotation)));
    return path;
}

void tact_sim_find_paths(const TactSim *sim, const int shape[2], TactPaths *paths)
{
    tact_model_shapes_pair(&sim->shapes.made, shape, paths->shapes);
    for (int k = 0; k < 2; k++) {
        paths->ways[k] = find_path(sim, shape[k], &paths->shapes[k]);
    }
}

/// A pair at the pose where it touches.
typedef struct Meeting {
    const TactHeldPair *pair;
    TactPaths           paths;
    TactTransform       at[2];
} Meeting;

/// Where a point that a shape has at the pose is now.
static TactVec3 bring_back(const Meeting *m, int k, TactVec3 point)
{
    return tact_transform_point(m->paths.ways[k].from, tact_transform_point_back(m->at[k], point));
}

/// The mean of the arms that a point has now and at the pose, from the centre of mass of its link
/// as it is now.
static TactVec3 mean_point(const TactSim *sim, const Meeting *m, int k, int body, TactVec3 point)
{
    TactVec3 centre = sim->dynamics->com[sim->dynamics->link_of[body]];
    TactVec3 then =
        tact_transform_point(m->at[k], tact_transform_point_back(m->paths.ways[k].from, centre));
    TactVec3 now = bring_back(m, k, point);
    TactVec3 arm = tact_vec3_add(tact_vec3_subtract(now, centre), tact_vec3_subtract(point, then));
    return tact_vec3_add_scaled(centre, 0.5, arm);
}

/// The point of both bodies.
static TactVec3 common_point(const TactSim *sim, const Meeting *m, TactVec3 point)
{
    TactVec3 sum = {0, 0, 0};
    int      moving = 0;
    for (int k = 0; k < 2; k++) {
        int body = sim->model->geoms[m->pair->geom[k]].body;
        if (sim->islands.tree_of_body[body] >= 0) {
            sum = tact_vec3_add(sum, mean_point(sim, m, k, body, point));
            moving++;
        }
    }
    return tact_vec3_scale(1.0 / moving, sum);
}

/// The same point at the beginning, or the one with the normal most like it. NULL: there is none.
static const TactSimContact *find_before(const TactSim *sim, const Meeting *m,
                                         const TactTouch *touch, uint64_t id)
{
    const TactSimContact *best = NULL, *start = sim->complete.start + m->pair->start_first;
    double                most = ALIKE;
    for (int i = 0; i < m->pair->start_count && m->pair->time == 1; i++) {
        double alike = tact_vec3_dot(start[i].normal, touch->normal);
        alike = alike > ALIKE && start[i].id == id ? 2 : alike;
        best = alike > most ? &start[i] : best;
        most = tact_larger(most, alike);
    }
    return best;
}

/// How deep a point was at the beginning: never deeper than the pair.
static double depth_before(const Meeting *m, const TactTouch *touch, const TactSimContact *before,
                           uint64_t id)
{
    if (before && before->id == id) {
        return before->depth;
    }
    TactVec3 apart =
        tact_vec3_subtract(bring_back(m, 1, touch->point), bring_back(m, 0, touch->point));
    double was = touch->depth - tact_vec3_dot(apart, touch->normal);
    return m->pair->depth == -INFINITY || was < m->pair->depth ? was : m->pair->depth;
}

/// The normal between n_0 and n_t along which the point comes as near as it does.
static TactVec3 weigh_normals(const TactSim *sim, const TactSimContact *c, TactVec3 before,
                              double rate)
{
    double   now = tact_sim_contact_rate(sim, c, before, sim->answer.v);
    double   then = tact_sim_contact_rate(sim, c, c->normal, sim->answer.v);
    double   share = then != now ? (rate - now) / (then - now) : 0.5;
    TactVec3 step = tact_vec3_subtract(c->normal, before);
    share = share > 0 && share < 1 ? share : 0.5;
    return tact_vec3_normalise(tact_vec3_add_scaled(before, share, step));
}

static TactVec3 spin_of(const TactSim *sim, int body)
{
    const TactDynamics *d = sim->dynamics;
    TactVec3            spin = {0, 0, 0};
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            spin = tact_vec3_add_scaled(spin, sim->answer.v[i], d->axis[i].angular);
        }
    }
    return spin;
}

/// Shifts the point of a contact across its normal so that it comes nearer at the rate given: one
/// point cannot have the mean arms of two bodies that both turn.
static void shift_point(const TactSim *sim, TactSimContact *c, double wanted)
{
    double   rate = tact_sim_contact_rate(sim, c, c->normal, sim->answer.v);
    TactVec3 spin = tact_vec3_subtract(spin_of(sim, c->body[1]), spin_of(sim, c->body[0]));
    TactVec3 along = tact_vec3_cross(c->normal, spin); // n'(w x s) = s'(n x w)
    double   size = tact_vec3_norm(along), most = 2 * sim->h * fabs(rate) + SHIFT;
    if (size * sim->h > LEAST_TURN) {
        double shift = (wanted - rate) / size;
        shift = shift > most ? most : shift < -most ? -most : shift;
        c->point = tact_vec3_add_scaled(c->point, shift / size, along);
    }
}

/// A contact by (1) of a touch at the pose.
static void make_contact(const TactSim *sim, const Meeting *m, const TactTouch *touch,
                         TactSimContact *c)
{
    uint64_t  id = tact_sim_contact_id(m->pair->geom[0], m->pair->geom[1], touch->feature);
    TactTouch made = *touch;
    const TactSimContact *before = find_before(sim, m, touch, id);
    double                was = depth_before(m, touch, before, id), time = m->pair->time * sim->h;
    double                rate = (was - touch->depth) / time;
    made.point = common_point(sim, m, touch->point);
    tact_sim_make_contact(sim, m->pair->geom[0], m->pair->geom[1], &made, c);
    if (before) {
        made.normal = weigh_normals(sim, c, before->normal, rate);
        tact_sim_make_contact(sim, m->pair->geom[0], m->pair->geom[1], &made, c);
    }
    shift_point(sim, c, rate);
    c->depth += time * tact_sim_contact_rate(sim, c, c->normal, sim->answer.v);
    double wanted = tact_larger(was, 0.5 * tact_sim_overlap_left(sim));
    c->lift = c->depth > wanted && m->pair->lifts ? (c->depth - wanted) / sim->h : 0;
}

/// Poses of the pair where it touches, and its touches there: those found at the end of the step,
/// if that is the pose.
static TactStatus touch(TactSim *sim, Meeting *m, const TactTouch **touches, int *count)
{
    const TactHeldPair *pair = m->pair;
    int                 shape[2] = {sim->shapes.made.shape_of_geom[pair->geom[0]],
                                    sim->shapes.made.shape_of_geom[pair->geom[1]]};
    double              margin = tact_sim_gap_left(sim);
    tact_sim_find_paths(sim, shape, &m->paths);
    for (int k = 0; k < 2; k++) {
        m->at[k] = pair->time < 1 ? tact_sweep_at(&m->paths.ways[k], pair->time)
                                  : sim->shapes.end_pose[shape[k]];
        margin += sim->shapes.end_reach[shape[k]];
    }
    if (pair->time == 1 && !sim->complete.relaxed) {
        *touches = sim->shapes.collided.found.touches->touches + pair->end_first;
        *count = pair->end_count;
        return TACT_OK;
    }
    tact_touch_list_clear(&sim->complete.ahead);
    TACT_TRY(tact_collide(&m->paths.shapes[0], &m->at[0], &m->paths.shapes[1], &m->at[1], margin,
                          &sim->complete.ahead));
    *touches = sim->complete.ahead.touches;
    *count = sim->complete.ahead.count;
    return TACT_OK;
}

TactStatus tact_sim_linearise(TactSim *sim, TactHeldPair *pair)
{
    TactSimComplete *complete = &sim->complete;
    Meeting          m = {.pair = pair};
    const TactTouch *touches;
    int              count;
    TACT_TRY(touch(sim, &m, &touches, &count));
    pair->first = complete->contact_count;
    pair->count = count;
    TACT_TRY(tact_sim_reserve_contacts(&complete->contacts, &complete->contact_capacity,
                                       pair->first, pair->first + pair->count));
    for (int i = 0; i < count; i++) {
        make_contact(sim, &m, &touches[i], &complete->contacts[complete->contact_count++]);
    }
    return TACT_OK;
}
