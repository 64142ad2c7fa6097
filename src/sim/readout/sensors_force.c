// Sensors of forces and accelerations, at the beginning of the last step.
#include <string.h>

#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "sim/readout/readout.h"

bool tact_sim_senses_forces(TactSensorType type)
{
    switch (type) {
    case TACT_SENSOR_ACTUATOR_FORCE:
    case TACT_SENSOR_JOINT_ACTUATOR_FORCE:
    case TACT_SENSOR_FRAME_ACCELERATION:
    case TACT_SENSOR_FRAME_ANGULAR_ACCELERATION:
    case TACT_SENSOR_ACCELEROMETER:
    case TACT_SENSOR_FORCE:
    case TACT_SENSOR_TORQUE:
    case TACT_SENSOR_TOUCH:
    case TACT_SENSOR_JOINT_LIMIT_POSITION:
    case TACT_SENSOR_JOINT_LIMIT_VELOCITY:
    case TACT_SENSOR_JOINT_LIMIT_FORCE:
    case TACT_SENSOR_TENDON_LIMIT_POSITION:
    case TACT_SENSOR_TENDON_LIMIT_VELOCITY:
    case TACT_SENSOR_TENDON_LIMIT_FORCE:
    case TACT_SENSOR_TENDON_ACTUATOR_FORCE:
    case TACT_SENSOR_CONTACT_POINTS:
    case TACT_SENSOR_CONTACT: return true;
    default: return false;
    }
}

/// Acceleration of a frame's origin: a + dw x r + w x (w x r), gravity as if upwards.
static TactTwist frame_acceleration(const TactSim *sim, TactSensorFrame frame)
{
    TactTwist a = sim->readout->felt[frame.body];
    TactVec3  r = tact_vec3_subtract(frame.pose.position, sim->dynamics->pose[frame.body].position);
    TactVec3  w =
        tact_dynamics_compute_velocity(sim->dynamics, frame.body, frame.pose.position).angular;
    a.linear = tact_vec3_add(a.linear, tact_vec3_cross(a.angular, r));
    a.linear = tact_vec3_add(a.linear, tact_vec3_cross(w, tact_vec3_cross(w, r)));
    return a;
}

/// What the parent does to the body of a site, about the site and in its axes.
static TactWrench site_wrench(const TactSim *sim, TactSensorFrame frame)
{
    TactVec3   origin = sim->dynamics->pose[frame.body].position;
    TactVec3   r = tact_vec3_subtract(origin, frame.pose.position);
    TactWrench w = tact_wrench_shift(sim->readout->joint[frame.body], r);
    w.force = tact_quat_rotate_back(frame.pose.rotation, w.force);
    w.torque = tact_quat_rotate_back(frame.pose.rotation, w.torque);
    return w;
}

/// The volume of a site; what is no solid shape is a ball.
static TactShape site_volume(const TactSite *site)
{
    static const TactShapeType shapes[] = {
        [TACT_GEOM_PLANE] = TACT_SHAPE_SPHERE,
        [TACT_GEOM_SPHERE] = TACT_SHAPE_SPHERE,
        [TACT_GEOM_CAPSULE] = TACT_SHAPE_CAPSULE,
        [TACT_GEOM_CYLINDER] = TACT_SHAPE_CYLINDER,
        [TACT_GEOM_BOX] = TACT_SHAPE_BOX,
        [TACT_GEOM_ELLIPSOID] = TACT_SHAPE_ELLIPSOID,
        [TACT_GEOM_CONVEX] = TACT_SHAPE_SPHERE,
        [TACT_GEOM_MESH] = TACT_SHAPE_SPHERE,
        [TACT_GEOM_HEIGHTFIELD] = TACT_SHAPE_SPHERE,
    };
    return (TactShape){.type = shapes[site->type],
                       .size = {site->size[0], site->size[1], site->size[2]}};
}

bool tact_sim_is_in_site(const TactSim *sim, int site, TactVec3 point)
{
    TactSensorFrame frame = tact_sim_sensor_frame(sim, TACT_OBJECT_SITE, site);
    TactShape       volume = site_volume(&sim->model->sites[site]);
    TactRayHit      hit = tact_shape_cast_ray(&volume, &frame.pose, point, (TactVec3){0, 0, 1});
    return hit.hit && hit.t == 0; // a ray that begins inside
}

/// Sum of normal forces on the body of a site at points from which the normal, away from the body,
/// meets the site's volume; always so inside of it.
static double touch(const TactSim *sim, const TactSensor *s, TactSensorFrame frame)
{
    TactShape volume = site_volume(&sim->model->sites[s->object]);
    double    sum = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        if ((c->body[0] != frame.body && c->body[1] != frame.body) || !(c->force[0] > 0)) {
            continue;
        }
        TactVec3 away = c->body[1] == frame.body ? tact_vec3_negate(c->normal) : c->normal;
        if (tact_shape_cast_ray(&volume, &frame.pose, c->point, away).hit) {
            sum += c->force[0];
        }
    }
    return sum;
}

/// Of a body, a geom, the body of a site, or of all: how many contacts press, their force, and
/// their torque about the centre of mass, world frame; as many of these as the sensor has room for.
static void sense_contacts(const TactSim *sim, const TactSensor *s, double *x)
{
    double     all[7] = {0};
    TactWrench sum = {{0, 0, 0}, {0, 0, 0}};
    int        body = tact_sim_sensor_frame(sim, s->object_type, s->object).body;
    bool of_geom = s->object_type == TACT_OBJECT_GEOM, any = s->object_type == TACT_OBJECT_NONE;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        for (int side = 0; side < 2 && c->force[0] > 0; side++) {
            if (any ? side == 1 : of_geom ? c->geom[side] == s->object : c->body[side] == body) {
                TactWrench w = {tact_vec3_scale(side ? 1 : -1, tact_sim_contact_get_force(c)),
                                tact_vec3_scale(side ? 1 : -1, tact_sim_contact_get_moment(c))};
                TactVec3   r = tact_vec3_subtract(c->point, tact_sim_body_com(sim, c->body[side]));
                sum = tact_wrench_add(sum, tact_wrench_shift(w, r));
                all[0]++;
            }
        }
    }
    tact_vec3_put(sum.force, all + 1);
    tact_vec3_put(sum.torque, all + 4);
    for (int k = 0; k < s->size && k < 7; k++) {
        x[k] = all[k];
    }
}

void tact_sim_sense_forces(TactSim *sim, const TactSensor *sensor, double *values)
{
    const TactSimReadout *r = sim->readout;
    if (sensor->type == TACT_SENSOR_ACTUATOR_FORCE) {
        values[0] = r->actuator_force[sensor->object];
        return;
    }
    if (sensor->type == TACT_SENSOR_JOINT_ACTUATOR_FORCE) {
        // what carries weight is a force of the actuators, where the joint says so
        const TactJoint *joint = &sim->model->joints[sensor->object];
        values[0] =
            r->actuators[joint->dof] + (joint->carries_gravity ? sim->free.carried[joint->dof] : 0);
        return;
    }
    if (sensor->type == TACT_SENSOR_CONTACT) {
        sense_contacts(sim, sensor, values);
        return;
    }
    if (sensor->type == TACT_SENSOR_CONTACT_POINTS) {
        tact_sim_sense_points(sim, sensor, values);
        return;
    }
    if (sensor->type >= TACT_SENSOR_JOINT_LIMIT_POSITION &&
        sensor->type <= TACT_SENSOR_TENDON_LIMIT_FORCE) {
        tact_sim_sense_limit(sim, sensor, values);
        return;
    }
    if (sensor->type == TACT_SENSOR_TENDON_ACTUATOR_FORCE) {
        for (int i = 0; i < sim->model->actuator_count; i++) {
            const TactActuator *a = &sim->model->actuators[i];
            bool on = a->transmission == TACT_TRANSMISSION_TENDON && a->target == sensor->object;
            values[0] += on ? r->actuator_force[i] : 0;
        }
        return;
    }
    TactSensorFrame frame = tact_sim_sensor_frame(sim, sensor->object_type, sensor->object);
    switch (sensor->type) {
    case TACT_SENSOR_FRAME_ACCELERATION:
        tact_vec3_put(frame_acceleration(sim, frame).linear, values);
        break;
    case TACT_SENSOR_FRAME_ANGULAR_ACCELERATION:
        tact_vec3_put(frame_acceleration(sim, frame).angular, values);
        break;
    case TACT_SENSOR_ACCELEROMETER:
        tact_vec3_put(
            tact_quat_rotate_back(frame.pose.rotation, frame_acceleration(sim, frame).linear),
            values);
        break;
    case TACT_SENSOR_FORCE: tact_vec3_put(site_wrench(sim, frame).force, values); break;
    case TACT_SENSOR_TORQUE: tact_vec3_put(site_wrench(sim, frame).torque, values); break;
    default: values[0] = touch(sim, sensor, frame); break;
    }
}
