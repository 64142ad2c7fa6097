// Sensors of the present state (sim/readout/sensors.c), each by one lane.
#ifndef TACT_GPU_SENSE_STATE_H
#define TACT_GPU_SENSE_STATE_H

#include "gpu/step/step_sense_room.h"
#include "gpu/touch/touch.h"
#include "gpu/volume.h"

/// Position, orientation, axes and velocities of a frame, in another one.
TACT_LANE void tact_sense_frame(const TactStepRoom *room, const TactStepSensor *s, double *x)
{
    TactTransform frame = tact_sense_pose(room, &s->frame);
    TactTransform from = tact_sense_pose(room, &s->seen_from);
    TactVec3      apart = tact_vec3_subtract(frame.position, from.position), axis = {0, 0, 0};
    TactTwist     v = tact_sense_velocity(room, s->frame.link, frame.position);
    TactTwist     carried = tact_sense_velocity(room, s->seen_from.link, from.position);
    TactVec3      moved = tact_vec3_add(carried.linear, tact_vec3_cross(carried.angular, apart));
    TactQuat      turn = tact_quat_multiply(tact_quat_conjugate(from.rotation), frame.rotation);
    switch (s->type) {
    case TACT_SENSOR_FRAME_POSITION:
        tact_step_write(tact_quat_rotate_back(from.rotation, apart), x);
        return;
    case TACT_SENSOR_FRAME_ORIENTATION:
        x[0] = turn.w;
        x[1] = turn.x;
        x[2] = turn.y;
        x[3] = turn.z;
        return;
    case TACT_SENSOR_FRAME_VELOCITY:
        tact_step_write(tact_quat_rotate_back(from.rotation, tact_vec3_subtract(v.linear, moved)),
                        x);
        return;
    case TACT_SENSOR_FRAME_ANGULAR_VELOCITY:
        tact_step_write(
            tact_quat_rotate_back(from.rotation, tact_vec3_subtract(v.angular, carried.angular)),
            x);
        return;
    case TACT_SENSOR_FRAME_X_AXIS: axis.x = 1; break;
    case TACT_SENSOR_FRAME_Y_AXIS: axis.y = 1; break;
    default: axis.z = 1; break;
    }
    axis = tact_quat_rotate(frame.rotation, axis);
    tact_step_write(tact_quat_rotate_back(from.rotation, axis), x);
}

/// Centre, velocity or spin about the centre of a body with everything that it carries.
TACT_LANE void tact_sense_subtree(const TactStepModel *model, const TactStepRoom *room,
                                  const TactStepSensor *s, double *x)
{
    TactVec3 centre = {0, 0, 0}, velocity = {0, 0, 0}, spin = {0, 0, 0};
    double   mass = 0;
    TACT_ROLLED
    for (int k = s->first_part; k < s->first_part + s->part_count; k++) {
        const TactStepPart *part = &model->sensing.parts[k];
        double              m = part->inertia.mass;
        TactVec3            com = tact_transform_point(room->pose[part->link], part->inertia.com);
        TactVec3            v = tact_sense_velocity(room, part->link, com).linear;
        mass += m;
        centre = tact_vec3_add_scaled(centre, m, com);
        velocity = tact_vec3_add_scaled(velocity, m, v);
    }
    centre =
        mass > 0 ? tact_vec3_scale(1 / mass, centre) : tact_sense_pose(room, &s->frame).position;
    velocity = mass > 0 ? tact_vec3_scale(1 / mass, velocity) : velocity;
    TACT_ROLLED
    for (int k = s->first_part; k < s->first_part + s->part_count; k++) {
        const TactStepPart *part = &model->sensing.parts[k];
        TactVec3            com = tact_transform_point(room->pose[part->link], part->inertia.com);
        TactTwist           v = tact_sense_velocity(room, part->link, com);
        TactMat3            R = tact_step_quat_to_mat3(room->pose[part->link].rotation);
        TactSym3            I = tact_sym3_rotate(&R, &part->inertia.rotary);
        TactVec3 p = tact_vec3_scale(part->inertia.mass, tact_vec3_subtract(v.linear, velocity));
        spin = tact_vec3_add(spin, tact_sym3_apply(I, v.angular));
        spin = tact_vec3_add(spin, tact_vec3_cross(tact_vec3_subtract(com, centre), p));
    }
    tact_step_write(s->type == TACT_SENSOR_SUBTREE_COM        ? centre
                    : s->type == TACT_SENSOR_SUBTREE_VELOCITY ? velocity
                                                              : spin,
                    x);
}

TACT_LANE double tact_sense_kinetic(const TactStepModel *model, const TactStepRoom *room)
{
    double twice = 0;
    TACT_ROLLED
    for (int l = 1; l < model->link_count; l++) {
        TactTwist u = room->velocity[l];
        twice += model->links[l].mass * tact_vec3_dot(u.linear, u.linear) +
                 tact_vec3_dot(u.angular, tact_sym3_apply(room->rotary[l], u.angular));
    }
    TACT_ROLLED
    for (int i = 0; i < model->nv; i++) {
        twice += model->dofs[i].armature * room->v[i] * room->v[i];
    }
    return 0.5 * twice;
}

/// Of gravity and springs.
TACT_LANE double tact_sense_potential(const TactStepModel *model, const TactStepRoom *room)
{
    double energy = 0;
    TACT_ROLLED
    for (int l = 1; l < model->link_count; l++) {
        energy -= model->links[l].mass * tact_vec3_dot(model->gravity, room->com[l]);
    }
    TACT_ROLLED
    for (int i = 0; i < model->nv; i++) {
        const TactStepDof *dof = &model->dofs[i];
        double             off = dof->stiffness > 0 ? room->q[dof->q] - dof->rest : 0;
        energy += 0.5 * dof->stiffness * off * off;
    }
    TACT_ROLLED
    for (int t = 0; t < model->tendon_count; t++) {
        const TactStepTendon *tendon = &model->tendons[t];
        double                length = tact_step_tendon(model, tendon, room->q, 1);
        double                over = length - tendon->spring[1], under = length - tendon->spring[0];
        double                stretch = over > 0 ? over : under < 0 ? under : 0;
        energy += 0.5 * tendon->stiffness * stretch * stretch;
    }
    return energy;
}

/// Length or rate of a joint's or tendon's actuator.
TACT_LANE double tact_sense_length(const TactStepModel *model, const TactStepRoom *room, int number,
                                   int rate)
{
    const TactStepActuator *a = &model->actuators[number];
    double                  along;
    if (a->tendon >= 0) {
        along =
            tact_step_tendon(model, &model->tendons[a->tendon], rate ? room->v : room->q, !rate);
    } else {
        along = rate ? room->v[a->dof] : room->q[model->dofs[a->dof].q];
    }
    return a->gear * along;
}

/// Distance along the z axis of a frame to what is not on its body; -1: there is nothing.
TACT_LANE_CALL double tact_sense_range(const TactStepModel *model, const TactStepRoom *room,
                                       const TactTransform *frame, int body)
{
    TactVec3 ray = tact_step_quat_z(frame->rotation);
    double   nearest = TACT_RAY_FAR;
    TACT_ROLLED
    for (int k = 0; k < model->sensing.seen_count; k++) {
        const TactStepSeen *seen = &model->sensing.seen[k];
        TactTransform pose = tact_transform_multiply(room->pose[seen->geom.link], seen->geom.pose);
        if (seen->body != body) {
            double t = tact_ray_meet(model, &seen->geom, &pose, frame->position, ray);
            nearest = t < nearest ? t : nearest;
        }
    }
    return nearest < TACT_RAY_FAR ? nearest : -1;
}

TACT_LANE_CALL void tact_sense_state(const TactSenseWorld *world, const TactStepSensor *s,
                                     double *x)
{
    const TactStepModel *model = world->one.model;
    const TactStepRoom  *room = &world->room->step;
    TactTransform        pose = tact_sense_pose(room, &s->frame);
    TactTwist            v = tact_sense_velocity(room, s->frame.link, pose.position);
    TactQuat             turn;
    switch (s->type) {
    case TACT_SENSOR_JOINT_POSITION: x[0] = room->q[model->joints[s->object].q]; break;
    case TACT_SENSOR_JOINT_VELOCITY: x[0] = room->v[model->joints[s->object].dof]; break;
    case TACT_SENSOR_BALL_ORIENTATION:
        turn = tact_step_read_quat(room->q + model->joints[s->object].q);
        x[0] = turn.w;
        x[1] = turn.x;
        x[2] = turn.y;
        x[3] = turn.z;
        break;
    case TACT_SENSOR_BALL_VELOCITY:
        tact_step_write(tact_step_read(room->v + model->joints[s->object].dof), x);
        break;
    case TACT_SENSOR_TENDON_POSITION:
        x[0] = tact_step_tendon(model, &model->tendons[s->object], room->q, 1);
        break;
    case TACT_SENSOR_TENDON_VELOCITY:
        x[0] = tact_step_tendon(model, &model->tendons[s->object], room->v, 0);
        break;
    case TACT_SENSOR_ACTUATOR_POSITION: x[0] = tact_sense_length(model, room, s->object, 0); break;
    case TACT_SENSOR_ACTUATOR_VELOCITY: x[0] = tact_sense_length(model, room, s->object, 1); break;
    case TACT_SENSOR_VELOCIMETER:
        tact_step_write(tact_quat_rotate_back(pose.rotation, v.linear), x);
        break;
    case TACT_SENSOR_GYRO:
        tact_step_write(tact_quat_rotate_back(pose.rotation, v.angular), x);
        break;
    case TACT_SENSOR_MAGNETOMETER:
        tact_step_write(tact_quat_rotate_back(pose.rotation, model->sensing.magnetic), x);
        break;
    case TACT_SENSOR_RANGEFINDER: x[0] = tact_sense_range(model, room, &pose, s->first_body); break;
    case TACT_SENSOR_SUBTREE_COM:
    case TACT_SENSOR_SUBTREE_VELOCITY:
    case TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM: tact_sense_subtree(model, room, s, x); break;
    case TACT_SENSOR_CLOCK: x[0] = world->time; break;
    case TACT_SENSOR_KINETIC_ENERGY: x[0] = tact_sense_kinetic(model, room); break;
    case TACT_SENSOR_POTENTIAL_ENERGY: x[0] = tact_sense_potential(model, room); break;
    case TACT_SENSOR_INSIDE_SITE: {
        TactTransform volume = tact_sense_pose(room, &s->seen_from);
        TactVec3      up = {0, 0, 1};
        x[0] = tact_volume_is_met(s->volume, s->volume_size,
                                  tact_transform_point_back(volume, pose.position), up, 1);
        break;
    }
    case TACT_SENSOR_USER: break; // for the caller to fill in
    default: tact_sense_frame(room, s, x); break;
    }
}

#endif
