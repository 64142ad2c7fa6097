// Sensors as steps on a GPU read them: frames in links, and masses of what bodies carry, those that
// are fixed to each other in one.
#include <string.h>

#include "dynamics/links.h"
#include "gpu/step/step_compile.h"
#include "sim/readout/readout.h"

bool tact_step_has_sensor(const TactSim *sim, const TactSensor *sensor)
{
    int lacks = 0;
    switch (sensor->type) {
    case TACT_SENSOR_RANGEFINDER: tact_step_fill_seen(sim, NULL, NULL, &lacks); return lacks == 0;
    case TACT_SENSOR_DISTANCE:
    case TACT_SENSOR_NORMAL:
    case TACT_SENSOR_FROM_TO: return false;
    case TACT_SENSOR_ACTUATOR_POSITION:
    case TACT_SENSOR_ACTUATOR_VELOCITY:
    case TACT_SENSOR_ACTUATOR_FORCE:
    case TACT_SENSOR_TENDON_ACTUATOR_FORCE: return !sim->model->options.actuation_off;
    default: return true;
    }
}

// ---------------------------------------------------------------------------------------------
// What rays meet

static bool has_rangefinder(const TactModel *model)
{
    for (int k = 0; k < model->sensor_count; k++) {
        if (model->sensors[k].type == TACT_SENSOR_RANGEFINDER) {
            return true;
        }
    }
    return false;
}

/// A geom that touches something and has the same hull or mesh; -1: none.
static int find_like(const TactSim *sim, const TactShape *shape)
{
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactShape *made = &sim->shapes.made.shapes[k];
        if (made->type == shape->type && made->hull == shape->hull && made->mesh == shape->mesh) {
            return k;
        }
    }
    return -1;
}

int tact_step_fill_seen(const TactSim *sim, const TactStepGeom *geoms, TactStepSeen *seen,
                        int *lacks)
{
    const TactDynamics *d = sim->dynamics;
    int                 count = 0;
    for (int k = 0; k < sim->model->geom_count && has_rangefinder(sim->model); k++) {
        const TactGeom *from = &sim->model->geoms[k];
        TactShape       shape = tact_sim_make_shape(sim, from);
        // As sim/readout/sensors.c: meshes that only look like something are not seen.
        if (from->rgba[3] == 0 || (from->type >= TACT_GEOM_CONVEX && !shape.hull && !shape.mesh)) {
            continue;
        }
        int  type = tact_step_find_shape_type(&shape);
        bool whole = type < TACT_STEP_HULL; // as its size says
        int  like = whole ? -1 : find_like(sim, &shape);
        if (lacks) {
            *lacks += type == TACT_STEP_OTHER || (!whole && like < 0);
        }
        if (seen) {
            TactStepSeen to = {
                from->body,
                {.type = type,
                 .link = d->link_of[from->body],
                 .hull = like >= 0 ? geoms[like].hull : 0,
                 .pose = tact_transform_multiply(d->in_link[from->body], from->pose)}};
            memcpy(to.geom.size, from->size, sizeof from->size);
            seen[count] = to;
        }
        count++;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------

/// Bodies stand depth first: a body with all that it carries ends before this one.
static int find_end(const TactModel *model, int root)
{
    int end = root + 1;
    while (end < model->body_count && model->bodies[end].parent >= root) {
        end++;
    }
    return end;
}

static TactStepPlace find_place(const TactSim *sim, TactObject type, int index, int *body)
{
    const TactModel *model = sim->model;
    TactTransform    local = tact_transform_identity();
    *body = 0;
    switch (type) {
    case TACT_OBJECT_SITE:
        *body = model->sites[index].body;
        local = model->sites[index].pose;
        break;
    case TACT_OBJECT_GEOM:
        *body = model->geoms[index].body;
        local = model->geoms[index].pose;
        break;
    case TACT_OBJECT_BODY:
        *body = index;
        local.position = model->bodies[index].inertia.com;
        break;
    case TACT_OBJECT_XBODY: *body = index; break;
    default: return (TactStepPlace){0, local};
    }
    return (TactStepPlace){sim->dynamics->link_of[*body],
                           tact_transform_multiply(sim->dynamics->in_link[*body], local)};
}

/// The volume of a site; what is no solid shape is a ball.
static int find_volume(const TactSite *site)
{
    return site->type == TACT_GEOM_CAPSULE     ? TACT_SENSE_CAPSULE
           : site->type == TACT_GEOM_CYLINDER  ? TACT_SENSE_CYLINDER
           : site->type == TACT_GEOM_BOX       ? TACT_SENSE_BOX
           : site->type == TACT_GEOM_ELLIPSOID ? TACT_SENSE_ELLIPSOID
                                               : TACT_SENSE_BALL;
}

static void put_volume(const TactSite *site, TactStepSensor *to)
{
    to->volume = find_volume(site);
    memcpy(to->volume_size, site->size, sizeof to->volume_size);
}

/// Masses of bodies, link by link; returns how many there are. parts NULL: only that.
static int fill_parts(const TactSim *sim, int first, int end, TactStepPart *parts)
{
    const TactDynamics *d = sim->dynamics;
    int                 count = 0;
    for (int l = 0; l < d->link_count; l++) {
        TactStepPart part = {.link = l};
        for (int b = first; b < end; b++) {
            if (d->link_of[b] == l && sim->model->bodies[b].inertia.mass > 0) {
                TactInertia own =
                    tact_inertia_transform(d->in_link[b], sim->model->bodies[b].inertia);
                part.inertia = part.inertia.mass > 0 ? tact_inertia_add(part.inertia, own) : own;
            }
        }
        if (part.inertia.mass > 0) {
            if (parts) {
                parts[count] = part;
            }
            count++;
        }
    }
    return count;
}

static bool is_subtree(TactSensorType type)
{
    return type == TACT_SENSOR_SUBTREE_COM || type == TACT_SENSOR_SUBTREE_VELOCITY ||
           type == TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM;
}

static int find_pass(TactSensorType type)
{
    bool felt = type == TACT_SENSOR_FRAME_ACCELERATION ||
                type == TACT_SENSOR_FRAME_ANGULAR_ACCELERATION || type == TACT_SENSOR_ACCELEROMETER;
    return felt                           ? TACT_SENSE_FELT
           : tact_sim_senses_forces(type) ? TACT_SENSE_FORCES
                                          : TACT_SENSE_STATE;
}

/// Directions and rotations are not cut off (sim/readout/sensors.c).
static double find_cutoff(const TactSensor *sensor)
{
    bool turn =
        sensor->type == TACT_SENSOR_BALL_ORIENTATION ||
        (sensor->type >= TACT_SENSOR_FRAME_ORIENTATION && sensor->type <= TACT_SENSOR_FRAME_Z_AXIS);
    return turn || !(sensor->cutoff > 0) ? 0 : sensor->cutoff;
}

/// One of two things whose contacts are asked for.
static TactStepThing make_thing(const TactModel *model, TactObject type, int object)
{
    TactStepThing thing = {.type = type, .first = object, .end = object + 1};
    if (type == TACT_OBJECT_XBODY) {
        thing.end = find_end(model, object);
    } else if (type == TACT_OBJECT_SITE) {
        thing.volume = find_volume(&model->sites[object]);
        memcpy(thing.volume_size, model->sites[object].size, sizeof thing.volume_size);
    }
    return thing;
}

/// One of them; used: masses so far, parts: all of them, or NULL.
static TactStepSensor make_sensor(const TactSim *sim, const TactSensor *from, TactStepPart *parts,
                                  int used)
{
    const TactModel *model = sim->model;
    int              body = 0, other = 0;
    TactObject     type = is_subtree(from->type) ? TACT_OBJECT_BODY : from->object_type; // its com
    TactStepSensor to = {
        .type = from->type,
        .pass = find_pass(from->type),
        .address = from->address,
        .size = from->size,
        .object = from->object_type == TACT_OBJECT_NONE ? -1 : from->object,
        .frame = find_place(sim, type, from->object, &body),
        .seen_from = find_place(sim, from->reference_type, from->reference, &other),
        .first_part = used,
        .cutoff = find_cutoff(from),
    };
    bool carried = is_subtree(from->type) || from->type == TACT_SENSOR_FORCE ||
                   from->type == TACT_SENSOR_TORQUE;
    to.first_body = body;
    to.end_body = carried ? find_end(model, body) : body + 1;
    if (carried) {
        to.part_count = fill_parts(sim, body, to.end_body, parts ? parts + used : NULL);
    }
    if (from->type == TACT_SENSOR_TOUCH) {
        put_volume(&model->sites[from->object], &to);
    } else if (from->type == TACT_SENSOR_INSIDE_SITE) {
        put_volume(&model->sites[from->reference], &to);
        to.seen_from = find_place(sim, TACT_OBJECT_SITE, from->reference, &other);
    } else if (from->type == TACT_SENSOR_CONTACT_POINTS) {
        to.ask = (TactStepAsk){from->contact,
                               {make_thing(model, from->object_type, from->object),
                                make_thing(model, from->reference_type, from->reference)}};
    } else if (from->type == TACT_SENSOR_CONTACT && from->object_type != TACT_OBJECT_GEOM &&
               from->object_type != TACT_OBJECT_NONE) {
        to.object = -2; // bodies
    }
    return to;
}

int tact_step_fill_sensors(const TactSim *sim, TactStepSensor *sensors, TactStepPart *parts)
{
    int used = 0;
    for (int k = 0; k < sim->model->sensor_count; k++) {
        TactStepSensor made = make_sensor(sim, &sim->model->sensors[k], parts, used);
        if (sensors) {
            sensors[k] = made;
        }
        used += made.part_count;
    }
    return used;
}

void tact_step_fill_owners(const TactSim *sim, TactStepOwner *owners)
{
    const TactDynamics *d = sim->dynamics;
    for (int k = 0; k < sim->shapes.made.count; k++) {
        int geom = sim->shapes.made.geom_of_shape[k], body = sim->model->geoms[geom].body;
        owners[k] = (TactStepOwner){
            body, geom,
            tact_transform_point(d->in_link[body], sim->model->bodies[body].inertia.com)};
    }
}
