// The sensor that asks for contacts of one thing with another, as MuJoCo's does: found, force, ...
//
// A contact whose first geom belongs to the second thing is turned round: normal and first tangent
// change their signs, and the force is that on the other body. Tangents are MuJoCo's.
#include <math.h>

#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "sim/readout/readout.h"

/// One contact as the sensor tells it, or the sum of all.
typedef struct Told {
    int      found;
    double   force[3], moment[3], distance;
    TactVec3 point, normal, tangent;
} Told;

static bool carries(const TactModel *model, int root, int body)
{
    while (body > root) {
        body = model->bodies[body].parent;
    }
    return body == root;
}

/// Does one side of a contact belong to a thing? Of a site its point does; nothing is anything.
static bool belongs(const TactSim *sim, TactObject type, int object, const TactSimContact *c,
                    int side)
{
    switch (type) {
    case TACT_OBJECT_GEOM: return c->geom[side] == object;
    case TACT_OBJECT_BODY: return c->body[side] == object;
    case TACT_OBJECT_XBODY: return carries(sim->model, object, c->body[side]);
    case TACT_OBJECT_SITE: return tact_sim_is_in_site(sim, object, c->point);
    default: return true;
    }
}

/// Is a contact asked for? turned: its second geom is of the first thing.
static bool matches(const TactSim *sim, const TactSensor *s, const TactSimContact *c, bool *turned)
{
    if (!(c->force[0] > 0 || c->depth >= -sim->config.slop)) {
        return false; // it lies ahead
    }
    for (int first = 0; first < 2; first++) {
        if (belongs(sim, s->object_type, s->object, c, first) &&
            belongs(sim, s->reference_type, s->reference, c, 1 - first)) {
            *turned = first == 1;
            return true;
        }
    }
    return false;
}

static Told tell_contact(const TactSimContact *c, bool turned)
{
    TactVec3 n = c->normal;
    TactVec3 axis = fabs(n.y) < 0.5 ? (TactVec3){0, 1, 0} : (TactVec3){0, 0, 1};
    TactVec3 t = tact_vec3_normalise(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
    TactVec3 f = tact_sim_contact_get_force(c), m = tact_sim_contact_get_moment(c);
    if (turned) {
        n = tact_vec3_negate(n);
        t = tact_vec3_negate(t);
        f = tact_vec3_negate(f);
        m = tact_vec3_negate(m);
    }
    TactVec3 axes[3] = {n, t, tact_vec3_cross(n, t)};
    Told     told = {.distance = -c->depth, .point = c->point, .normal = n, .tangent = t};
    for (int k = 0; k < 3; k++) {
        told.force[k] = tact_vec3_dot(axes[k], f);
        told.moment[k] = tact_vec3_dot(axes[k], m);
    }
    return told;
}

static double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Comes one before another, which was found earlier?
static bool is_before(TactContactReduce reduce, const Told *a, const Told *b)
{
    return reduce == TACT_REDUCE_NEAREST   ? a->distance < b->distance
           : reduce == TACT_REDUCE_LARGEST ? size_of(a->force) > size_of(b->force)
                                           : false;
}

/// The sum of all, in the axes of the world, about the mean of their points, by force.
static Told sum_up(const TactSim *sim, const TactSensor *s)
{
    Told   sum = {.normal = {1, 0, 0}, .tangent = {0, 1, 0}};
    double all = 0;
    for (int pass = 0; pass < 2; pass++) { // forces and the point, then moments about it
        for (int k = 0; k < sim->contact_count; k++) {
            const TactSimContact *c = &sim->contacts[k];
            bool                  turned;
            if (!matches(sim, s, c, &turned)) {
                continue;
            }
            TactVec3 f = tact_vec3_scale(turned ? -1 : 1, tact_sim_contact_get_force(c));
            TactVec3 m = tact_vec3_scale(turned ? -1 : 1, tact_sim_contact_get_moment(c));
            double   size = tact_vec3_norm(f);
            if (pass == 0) {
                sum.found++;
                all += size;
                sum.point = tact_vec3_add_scaled(sum.point, size, c->point);
                sum.force[0] += f.x;
                sum.force[1] += f.y;
                sum.force[2] += f.z;
                continue;
            }
            TactVec3 arm = tact_vec3_subtract(c->point, sum.point);
            m = tact_vec3_add(m, tact_vec3_cross(arm, f));
            sum.moment[0] += m.x;
            sum.moment[1] += m.y;
            sum.moment[2] += m.z;
        }
        sum.point = pass == 0 && all > 0 ? tact_vec3_scale(1 / all, sum.point) : sum.point;
    }
    return sum;
}

static double *put_told(const Told *told, unsigned data, double *x)
{
    if (data & TACT_CONTACT_DATA_FOUND) {
        *x++ = told->found;
    }
    for (int k = 0; k < 3 && (data & TACT_CONTACT_DATA_FORCE); k++) {
        *x++ = told->force[k];
    }
    for (int k = 0; k < 3 && (data & TACT_CONTACT_DATA_TORQUE); k++) {
        *x++ = told->moment[k];
    }
    if (data & TACT_CONTACT_DATA_DISTANCE) {
        *x++ = told->distance;
    }
    const TactVec3 vectors[3] = {told->point, told->normal, told->tangent};
    for (int k = 0; k < 3; k++) {
        if (data & ((unsigned)TACT_CONTACT_DATA_POSITION << (unsigned)k)) {
            tact_vec3_put(vectors[k], x);
            x += 3;
        }
    }
    return x;
}

/// The contact that comes next after the one told last, in the order asked for; -1: there is none.
static int find_next(const TactSim *sim, const TactSensor *s, int last, const Told *before,
                     Told *next)
{
    int best = -1;
    for (int k = 0; k < sim->contact_count; k++) {
        bool turned;
        if (!matches(sim, s, &sim->contacts[k], &turned)) {
            continue;
        }
        Told told = tell_contact(&sim->contacts[k], turned);
        bool done = last >= 0 && (is_before(s->contact.reduce, &told, before) ||
                                  (!is_before(s->contact.reduce, before, &told) && k <= last));
        if (!done && (best < 0 || is_before(s->contact.reduce, &told, next))) {
            *next = told;
            best = k;
        }
    }
    return best;
}

void tact_sim_sense_points(const TactSim *sim, const TactSensor *s, double *x)
{
    Told told = {0}, next = {0};
    int  count = 0, last = -1;
    if (s->contact.reduce == TACT_REDUCE_NET_FORCE) {
        told = sum_up(sim, s);
        if (told.found > 0) {
            put_told(&told, s->contact.data, x);
        }
        return;
    }
    for (int k = 0; k < sim->contact_count; k++) {
        bool turned;
        count += matches(sim, s, &sim->contacts[k], &turned);
    }
    for (int place = 0; place < s->contact.places; place++) {
        last = find_next(sim, s, last, &told, &next);
        if (last < 0) {
            return;
        }
        told = next;
        told.found = count;
        x = put_told(&told, s->contact.data, x);
    }
}
