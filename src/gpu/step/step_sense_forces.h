// Sensors of forces and accelerations of the last step (sim/readout: sensors_force.c,
// sensors_limit.c, joint_forces.c), each by one lane. Links are at its beginning.
#ifndef TACT_GPU_SENSE_FORCES_H
#define TACT_GPU_SENSE_FORCES_H

#include "gpu/step/step_sense_points.h"
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
