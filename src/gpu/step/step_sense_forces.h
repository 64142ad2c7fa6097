// Sensors of forces and accelerations of the last step (sim/readout: sensors_force.c,
// sensors_limit.c, sensors_contact.c, joint_forces.c), each by one lane. Links are at its
// beginning.
#ifndef TACT_GPU_SENSE_FORCES_H
#define TACT_GPU_SENSE_FORCES_H

#include "gpu/step/step_batch.h"
#include "gpu/step/step_sense_room.h"
#include "gpu/volume.h"

/// The force of an actuator at the end of the step, where it is implicit.
TACT_LANE double tact_sense_actuator(const TactSenseWorld *world, int number)
{
    const TactStepModel    *model = world->one.model;
    const TactStepRoom     *room = &world->room->step;
    const TactStepActuator *a = &model->actuators[number];
    double                  implicit,
        force = tact_step_run_actuator(model, a, world->ctrl[number], room->q, room->v, &implicit);
    return implicit > 0
               ? force - implicit / (model->h * a->gear) * (room->solved[a->dof] - room->v[a->dof])
               : force;
}

TACT_LANE double tact_sense_joint_drive(const TactSenseWorld *world, int joint)
{
    const TactStepRoom *room = &world->room->step;
    int                 dof = world->one.model->joints[joint].dof;
    double              added;
    double force = tact_step_drive(world->one.model, world->ctrl, room->q, room->v, dof, &added);
    return force - added * (room->solved[dof] - room->v[dof]) / world->one.model->h;
}

TACT_LANE double tact_sense_tendon_drive(const TactSenseWorld *world, int tendon)
{
    double sum = 0;
    TACT_ROLLED
    for (int k = 0; k < world->one.model->actuator_count; k++) {
        sum += world->one.model->actuators[k].tendon == tendon ? tact_sense_actuator(world, k) : 0;
    }
    return sum;
}

/// Of a limit that pushes, or is reached.
TACT_LANE double tact_sense_limit(const TactSenseWorld *world, const TactStepSensor *s)
{
    const TactStepOne   *one = &world->one;
    const TactStepModel *model = one->model;
    int                  tendon = s->type >= TACT_SENSOR_TENDON_LIMIT_POSITION;
    int                  what = (int)s->type - (tendon ? (int)TACT_SENSOR_TENDON_LIMIT_POSITION
                                                       : (int)TACT_SENSOR_JOINT_LIMIT_POSITION);
    int                  name = 2 * (s->object + (tendon ? model->joint_count : 0));
    double               sum = 0;
    TACT_ROLLED
    for (int k = 0; k < one->count; k++) {
        int    side = -1 - one->held[k].name - name, row = tact_rows_first(one->rough, k);
        double p = one->impulse[row], distance = -one->held[k].depth, rate = 0;
        if (one->held[k].name >= 0 || side < 0 || side > 1 || !(p > 0 || distance < 0)) {
            continue;
        }
        TACT_ROLLED
        for (int i = 0; i < model->nv; i++) {
            rate += one->J[row * model->nv + i] * world->room->step.v[i];
        }
        sum += what == 0 ? distance : what == 1 ? rate : p / model->h;
    }
    return sum;
}

/// Sum of normal forces on the body of a site at points from which the normal, away from the body,
/// meets the site's volume.
TACT_LANE double tact_sense_touch(const TactSenseWorld *world, const TactStepSensor *s)
{
    const TactStepModel *model = world->one.model;
    TactTransform        pose = tact_sense_pose(&world->room->step, &s->frame);
    double               sum = 0;
    TACT_ROLLED
    for (int k = 0; k < world->one.count; k++) {
        const TactSenseContact *c = &world->room->contacts[k];
        if (!(c->push > 0)) {
            continue;
        }
        int own = model->sensing.owners[c->geom[1]].body == s->first_body;
        if (!own && model->sensing.owners[c->geom[0]].body != s->first_body) {
            continue;
        }
        TactVec3 away = tact_quat_rotate_back(pose.rotation, c->normal);
        sum +=
            tact_volume_is_met(s->volume, s->volume_size, tact_transform_point_back(pose, c->point),
                               own ? tact_vec3_negate(away) : away, 0)
                ? c->push
                : 0;
    }
    return sum;
}

/// How many contacts press, their force, and their torque about the centre of mass of the body.
TACT_LANE void tact_sense_contacts(const TactSenseWorld *world, const TactStepSensor *s, double *x)
{
    const TactStepModel *model = world->one.model;
    TactWrench           sum = {{0, 0, 0}, {0, 0, 0}};
    double               count = 0, all[7];
    TACT_ROLLED
    for (int k = 0; k < 2 * world->one.count; k++) {
        const TactSenseContact *c = &world->room->contacts[k / 2];
        int                     side = k % 2;
        if (!(c->push > 0)) {
            continue;
        }
        const TactStepOwner *owner = &model->sensing.owners[c->geom[side]];
        int                  asked = s->object == -1 ? side == 1
                                     : s->object < 0 ? owner->body == s->first_body
                                                     : owner->geom == s->object;
        if (asked) {
            int        link = model->geoms[c->geom[side]].link;
            TactVec3   com = tact_transform_point(world->room->step.pose[link], owner->com);
            TactWrench w = {c->force, c->moment};
            w = tact_wrench_shift(w, tact_vec3_subtract(c->point, com));
            sum = tact_wrench_add_scaled(sum, side ? 1 : -1, w);
            count++;
        }
    }
    all[0] = count;
    tact_step_write(sum.force, all + 1);
    tact_step_write(sum.torque, all + 4);
    for (int k = 0; k < s->size && k < 7; k++) {
        x[k] = all[k];
    }
}

TACT_LANE int tact_sense_is_of(const TactStepSensor *s, int body)
{
    return body >= s->first_body && body < s->end_body;
}

/// What a connect or weld does to b, at a point: rows 0 .. 2 are forces along the axes of a.
TACT_LANE TactWrench tact_sense_loop(const TactSenseWorld *world, const TactStepLoop *loop,
                                     TactVec3 *point)
{
    const TactStepOne *one = &world->one;
    TactTransform      a = tact_step_loop_end(&world->room->step, loop, 0);
    TactTransform      b = tact_step_loop_end(&world->room->step, loop, 1);
    int    row = one->count + 2 * one->rough + one->model->motor_count + world->room->moments;
    double on[6];
    row += loop->first_row;
    TACT_ROLLED
    for (int r = 0; r < 6; r++) {
        on[r] = loop->parts >> r & 1 ? one->impulse[row++] / one->model->h : 0;
    }
    *point = tact_transform_point(b, loop->anchor[1]);
    TactWrench w = {tact_quat_rotate(a.rotation, tact_step_read(on)),
                    tact_quat_rotate(a.rotation, tact_step_read(on + 3))};
    return w;
}

/// What the parent does to the body of a site, about the site and in its axes: (1) of
/// joint_forces.c, of the body with all that it carries.
TACT_LANE TactWrench tact_sense_wrench(const TactSenseWorld *world, const TactStepSensor *s)
{
    const TactStepModel *model = world->one.model;
    const TactStepRoom  *room = &world->room->step;
    TactTransform        pose = tact_sense_pose(room, &s->frame);
    TactVec3             at = pose.position;
    TactWrench           sum = {{0, 0, 0}, {0, 0, 0}};
    TACT_ROLLED
    for (int k = s->first_part; k < s->first_part + s->part_count; k++) {
        const TactStepPart *part = &model->sensing.parts[k];
        TactTransform       own = room->pose[part->link];
        TactVec3            com = tact_transform_point(own, part->inertia.com);
        TactTwist           a = tact_sense_acceleration(room, part->link, com);
        TactVec3            w = room->velocity[part->link].angular;
        TactMat3            R = tact_step_quat_to_mat3(own.rotation);
        TactSym3            I = tact_sym3_rotate(&R, &part->inertia.rotary);
        TactVec3            spin = tact_vec3_cross(w, tact_sym3_apply(I, w));
        TactWrench          f = {tact_vec3_scale(part->inertia.mass, a.linear),
                                 tact_vec3_add(tact_sym3_apply(I, a.angular), spin)};
        sum = tact_wrench_add(sum, tact_wrench_shift(f, tact_vec3_subtract(com, at)));
    }
    TACT_ROLLED
    for (int k = 0; k < 2 * world->one.count; k++) {
        const TactSenseContact *c = &world->room->contacts[k / 2];
        if (c->push != 0 && tact_sense_is_of(s, model->sensing.owners[c->geom[k % 2]].body)) {
            TactWrench w = {c->force, c->moment};
            w = tact_wrench_shift(w, tact_vec3_subtract(c->point, at));
            sum = tact_wrench_add_scaled(sum, k % 2 ? -1 : 1, w);
        }
    }
    TACT_ROLLED
    for (int k = 0; k < 2 * model->loop_count; k++) {
        const TactStepLoop *loop = &model->loops[k / 2];
        TactVec3            point;
        if (loop->type < TACT_STEP_JOINTS && tact_sense_is_of(s, loop->body[k % 2])) {
            TactWrench w = tact_sense_loop(world, loop, &point);
            w = tact_wrench_shift(w, tact_vec3_subtract(point, at));
            sum = tact_wrench_add_scaled(sum, k % 2 ? -1 : 1, w);
        }
    }
    sum.force = tact_quat_rotate_back(pose.rotation, sum.force);
    sum.torque = tact_quat_rotate_back(pose.rotation, sum.torque);
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Contacts of one thing with another (sim/readout/sensors_contact.c). Tangents are MuJoCo's.

/// One contact as the sensor tells it, or the sum of all.
typedef struct TactSenseTold {
    int      found;
    double   force[3], moment[3], distance;
    TactVec3 point, normal, tangent;
} TactSenseTold;

/// Does one side of a contact belong to a thing? Of a site its point does; nothing is anything.
TACT_LANE int tact_sense_belongs(const TactSenseWorld *world, const TactStepSensor *s, int which,
                                 int k, int side)
{
    const TactSenseContact *c = &world->room->contacts[k];
    const TactStepThing    *thing = &s->ask.of[which];
    const TactStepOwner    *owner = &world->one.model->sensing.owners[c->geom[side]];
    if (thing->type == TACT_OBJECT_SITE) {
        const TactStepPlace *place = which ? &s->seen_from : &s->frame;
        TactVec3             up = {0, 0, 1};
        TactTransform        pose = tact_sense_pose(&world->room->step, place);
        TactVec3             local = tact_transform_point_back(pose, c->point);
        return tact_volume_is_met(thing->volume, thing->volume_size, local, up, 1);
    }
    return thing->type == TACT_OBJECT_NONE ? 1
           : thing->type == TACT_OBJECT_GEOM
               ? owner->geom == thing->first
               : owner->body >= thing->first && owner->body < thing->end;
}

/// Is a contact asked for? 1: as it is, -1: its second geom is of the first thing, 0: no.
TACT_LANE int tact_sense_matches(const TactSenseWorld *world, const TactStepSensor *s, int k)
{
    const TactStepHeld *held = &world->one.held[k];
    double              slop = world->one.model->rules.slop;
    if (tact_step_pair_of(held) < 0 ||
        !(world->room->contacts[k].push > 0 || held->depth >= -slop)) {
        return 0; // a limit, or it lies ahead
    }
    return tact_sense_belongs(world, s, 0, k, 0) && tact_sense_belongs(world, s, 1, k, 1)   ? 1
           : tact_sense_belongs(world, s, 0, k, 1) && tact_sense_belongs(world, s, 1, k, 0) ? -1
                                                                                            : 0;
}

TACT_LANE TactSenseTold tact_sense_tell(const TactSenseWorld *world, int k, double sign)
{
    const TactSenseContact *c = &world->room->contacts[k];
    TactVec3                x = {0, 1, 0}, y = {0, 0, 1}, n = c->normal;
    TactVec3                axis = fabs(n.y) < 0.5 ? x : y;
    TactVec3      t = tact_step_unit(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
    TactVec3      f = tact_vec3_scale(sign, c->force), m = tact_vec3_scale(sign, c->moment);
    TactSenseTold told;
    told.found = 0;
    told.distance = -world->one.held[k].depth;
    told.point = c->point;
    told.normal = tact_vec3_scale(sign, n);
    told.tangent = tact_vec3_scale(sign, t);
    TactVec3 axes[3] = {told.normal, told.tangent, tact_vec3_cross(n, t)};
    for (int i = 0; i < 3; i++) {
        told.force[i] = tact_vec3_dot(axes[i], f);
        told.moment[i] = tact_vec3_dot(axes[i], m);
    }
    return told;
}

/// By what contacts are put in order, the least first; the same: by their geoms.
TACT_LANE double tact_sense_order(const TactSenseTold *told, TactContactReduce reduce)
{
    const double *f = told->force;
    return reduce == TACT_REDUCE_NEAREST   ? told->distance
           : reduce == TACT_REDUCE_LARGEST ? -sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
                                           : 0;
}

TACT_LANE int tact_sense_rank(const TactSenseWorld *world, int k)
{
    return tact_step_pair_of(&world->one.held[k]) * TACT_STEP_MAX_CONTACTS + k;
}

/// The sum of all, in the axes of the world, about the mean of their points, by force.
TACT_LANE TactSenseTold tact_sense_sum(const TactSenseWorld *world, const TactStepSensor *s)
{
    TactVec3      x = {1, 0, 0}, y = {0, 1, 0}, point = {0, 0, 0}, force = point, moment = point;
    double        all = 0;
    TactSenseTold sum;
    sum.found = 0;
    TACT_ROLLED
    for (int i = 0; i < 2 * world->one.count; i++) { // forces and the point, then moments about it
        int                     k = i % world->one.count, pass = i / world->one.count;
        int                     sign = tact_sense_matches(world, s, k);
        const TactSenseContact *c = &world->room->contacts[k];
        if (i == world->one.count && all > 0) {
            point = tact_vec3_scale(1 / all, point);
        }
        if (sign != 0 && pass == 0) {
            double size = tact_vec3_norm(c->force);
            sum.found++;
            all += size;
            point = tact_vec3_add_scaled(point, size, c->point);
            force = tact_vec3_add_scaled(force, sign, c->force);
        } else if (sign != 0) {
            TactVec3 arm = tact_vec3_cross(tact_vec3_subtract(c->point, point), c->force);
            moment = tact_vec3_add_scaled(moment, sign, tact_vec3_add(c->moment, arm));
        }
    }
    tact_step_write(force, sum.force);
    tact_step_write(moment, sum.moment);
    sum.distance = 0;
    sum.point = point;
    sum.normal = x;
    sum.tangent = y;
    return sum;
}

TACT_LANE double *tact_sense_put(const TactSenseTold *told, unsigned data, double *x)
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
    for (int k = 0; k < 3; k++) {
        if (data & ((unsigned)TACT_CONTACT_DATA_POSITION << (unsigned)k)) {
            tact_step_write(k == 0 ? told->point : k == 1 ? told->normal : told->tangent, x);
            x += 3;
        }
    }
    return x;
}

TACT_LANE_CALL void tact_sense_points(const TactSenseWorld *world, const TactStepSensor *s,
                                      double *x)
{
    TactSenseTold told;
    double        last = -INFINITY;
    int           count = 0, rank = -1;
    if (s->ask.contact.reduce == TACT_REDUCE_NET_FORCE) {
        told = tact_sense_sum(world, s);
        if (told.found > 0) {
            tact_sense_put(&told, s->ask.contact.data, x);
        }
        return;
    }
    TACT_ROLLED
    for (int k = 0; k < world->one.count; k++) {
        count += tact_sense_matches(world, s, k) != 0;
    }
    TACT_ROLLED
    for (int place = 0; place < s->ask.contact.places && place < count; place++) {
        double best = INFINITY;
        int    next = -1, next_rank = 0;
        TACT_ROLLED
        for (int k = 0; k < world->one.count; k++) { // the next one after the last
            int sign = tact_sense_matches(world, s, k), here = tact_sense_rank(world, k);
            if (sign == 0) {
                continue;
            }
            told = tact_sense_tell(world, k, sign);
            double order = tact_sense_order(&told, s->ask.contact.reduce);
            int    after = order > last || (order == last && here > rank);
            if (after && (next < 0 || order < best || (order == best && here < next_rank))) {
                next = k;
                best = order;
                next_rank = here;
            }
        }
        if (next < 0) {
            return; // not a number
        }
        told = tact_sense_tell(world, next, tact_sense_matches(world, s, next));
        told.found = count;
        x = tact_sense_put(&told, s->ask.contact.data, x);
        last = best;
        rank = next_rank;
    }
}

// ---------------------------------------------------------------------------------------------
// All of them

TACT_LANE_CALL void tact_sense_forces(const TactSenseWorld *world, const TactStepSensor *s,
                                      double *x)
{
    const TactStepRoom *room = &world->room->step;
    TactTransform       pose = tact_sense_pose(room, &s->frame);
    switch (s->type) {
    case TACT_SENSOR_ACTUATOR_FORCE: x[0] = tact_sense_actuator(world, s->object); break;
    case TACT_SENSOR_JOINT_ACTUATOR_FORCE: x[0] = tact_sense_joint_drive(world, s->object); break;
    case TACT_SENSOR_TENDON_ACTUATOR_FORCE: x[0] = tact_sense_tendon_drive(world, s->object); break;
    case TACT_SENSOR_TOUCH: x[0] = tact_sense_touch(world, s); break;
    case TACT_SENSOR_CONTACT: tact_sense_contacts(world, s, x); break;
    case TACT_SENSOR_CONTACT_POINTS: tact_sense_points(world, s, x); break;
    case TACT_SENSOR_FORCE: tact_step_write(tact_sense_wrench(world, s).force, x); break;
    case TACT_SENSOR_TORQUE: tact_step_write(tact_sense_wrench(world, s).torque, x); break;
    case TACT_SENSOR_FRAME_ACCELERATION:
        tact_step_write(tact_sense_acceleration(room, s->frame.link, pose.position).linear, x);
        break;
    case TACT_SENSOR_FRAME_ANGULAR_ACCELERATION:
        tact_step_write(tact_sense_acceleration(room, s->frame.link, pose.position).angular, x);
        break;
    case TACT_SENSOR_ACCELEROMETER:
        tact_step_write(
            tact_quat_rotate_back(
                pose.rotation, tact_sense_acceleration(room, s->frame.link, pose.position).linear),
            x);
        break;
    default: x[0] = tact_sense_limit(world, s); break;
    }
}

#endif
