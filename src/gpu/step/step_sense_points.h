// The sensor that asks for contacts of one thing with another (sim/readout/sensors_contact.c): a
// lane reads all contacts of the last step. Tangents are MuJoCo's.
#ifndef TACT_GPU_STEP_STEP_SENSE_POINTS_H
#define TACT_GPU_STEP_STEP_SENSE_POINTS_H

#include "gpu/step/step_batch.h"
#include "gpu/step/step_sense_room.h"
#include "gpu/volume.h"

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

#endif
