#include "model/packed/fields.h"

#include <string.h>

/// An enumeration, whose range is checked with all else.
#define ENUM(field)                                                     \
    do {                                                                \
        int value = tact_pack_reads(pack) ? 0 : (int)(field);           \
        tact_pack_int(pack, &value);                                    \
        if (tact_pack_reads(pack)) {                                    \
            memcpy(&(field), &value, sizeof value);                     \
        }                                                               \
        _Static_assert(sizeof(field) == sizeof(int), "an enumeration"); \
    } while (0)

// Who adds a field packs it here, and raises the version in packed.c.
#ifdef __x86_64__
#define SIZE(type, size) \
    _Static_assert(sizeof(type) == (size), "a field of " #type " is not packed")
SIZE(TactModel, 456);
SIZE(TactModelOptions, 168);
SIZE(TactBody, 240);
SIZE(TactJoint, 280);
SIZE(TactDof, 40);
SIZE(TactGeom, 304);
SIZE(TactSite, 144);
SIZE(TactHeightField, 56);
SIZE(TactTendon, 184);
SIZE(TactTendonPart, 24);
SIZE(TactActuator, 568);
SIZE(TactMuscle, 72);
SIZE(TactMotor, 200);
SIZE(TactEquality, 192);
SIZE(TactPair, 72);
SIZE(TactSensor, 64);
SIZE(TactKeyframe, 48);
SIZE(TactCustom, 40);
#undef SIZE
#endif

void tact_pack_options(TactPack *pack, TactModelOptions *options)
{
    bool *const off[] = {&options->contact_off,   &options->gravity_off,
                         &options->limit_off,     &options->equality_off,
                         &options->friction_off,  &options->parent_filter_off,
                         &options->actuation_off, &options->clamp_off};
    tact_pack_number(pack, &options->timestep);
    tact_pack_vec3(pack, &options->gravity);
    ENUM(options->integrator);
    for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
        tact_pack_bool(pack, off[k]);
    }
    tact_pack_vec3(pack, &options->wind);
    tact_pack_number(pack, &options->density);
    tact_pack_number(pack, &options->viscosity);
    tact_pack_vec3(pack, &options->magnetic);
    tact_pack_bool(pack, &options->contact_override);
    tact_pack_number(pack, &options->override_margin);
    tact_pack_numbers(pack, options->override_friction, 5);
}

void tact_pack_body(TactPack *pack, TactBody *body)
{
    int *const numbers[] = {&body->parent,      &body->root,        &body->carrier,
                            &body->first_joint, &body->joint_count, &body->first_dof,
                            &body->dof_count,   &body->first_geom,  &body->geom_count,
                            &body->first_site,  &body->site_count,  &body->mocap};
    tact_pack_text(pack, &body->name);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        tact_pack_int(pack, numbers[k]);
    }
    tact_pack_pose(pack, &body->pose);
    tact_pack_number(pack, &body->inertia.mass);
    tact_pack_vec3(pack, &body->inertia.com);
    tact_pack_numbers(pack, &body->inertia.rotary.m[0][0], 9);
    tact_pack_number(pack, &body->gravity_compensation);
    tact_pack_number(pack, &body->subtree_mass);
}

void tact_pack_joint(TactPack *pack, TactJoint *joint)
{
    double *const numbers[] = {&joint->reference,        &joint->margin,  &joint->stiffness,
                               &joint->spring_reference, &joint->damping, &joint->armature,
                               &joint->friction};
    tact_pack_text(pack, &joint->name);
    ENUM(joint->type);
    tact_pack_int(pack, &joint->body);
    tact_pack_vec3(pack, &joint->position);
    tact_pack_vec3(pack, &joint->axis);
    tact_pack_int(pack, &joint->q);
    tact_pack_int(pack, &joint->dof);
    tact_pack_bool(pack, &joint->limited);
    tact_pack_numbers(pack, joint->range, 2);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        tact_pack_number(pack, numbers[k]);
    }
    tact_pack_bool(pack, &joint->force_limited);
    tact_pack_numbers(pack, joint->force_range, 2);
    tact_pack_int(pack, &joint->group);
    tact_pack_bool(pack, &joint->carries_gravity);
    tact_pack_numbers(pack, joint->spring_damper, 2);
    tact_pack_numbers(pack, joint->spring_more, 2);
    tact_pack_numbers(pack, joint->damper_more, 2);
    tact_pack_numbers(pack, joint->bend, 3);
    tact_pack_vec3(pack, &joint->bend_rest);
}

void tact_pack_dof(TactPack *pack, TactDof *dof)
{
    tact_pack_int(pack, &dof->joint);
    tact_pack_int(pack, &dof->body);
    tact_pack_int(pack, &dof->parent);
    tact_pack_number(pack, &dof->damping);
    tact_pack_number(pack, &dof->armature);
    tact_pack_number(pack, &dof->friction);
}

void tact_pack_geom(TactPack *pack, TactGeom *geom)
{
    int *const integers[] = {
        &geom->body,   &geom->mesh,     &geom->contact_type, &geom->contact_affinity,
        &geom->condim, &geom->priority, &geom->group};
    double *const numbers[] = {&geom->mu,     &geom->torsional, &geom->rolling,
                               &geom->margin, &geom->gap,       &geom->mass};
    tact_pack_text(pack, &geom->name);
    ENUM(geom->type);
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        tact_pack_int(pack, integers[k]);
    }
    tact_pack_pose(pack, &geom->pose);
    tact_pack_numbers(pack, geom->size, 3);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        tact_pack_number(pack, numbers[k]);
    }
    tact_pack_numbers(pack, geom->rgba, 4);
    tact_pack_bool(pack, &geom->visual);
    tact_pack_numbers(pack, geom->surface_velocity, 6);
    tact_pack_bool(pack, &geom->fluid_ellipsoid);
    tact_pack_numbers(pack, geom->fluid, 5);
}

void tact_pack_site(TactPack *pack, TactSite *site)
{
    tact_pack_text(pack, &site->name);
    tact_pack_int(pack, &site->body);
    tact_pack_pose(pack, &site->pose);
    ENUM(site->type);
    tact_pack_numbers(pack, site->size, 3);
    tact_pack_numbers(pack, site->rgba, 4);
    tact_pack_int(pack, &site->group);
}

void tact_pack_heightfield(TactPack *pack, TactHeightField *field)
{
    tact_pack_text(pack, &field->name);
    tact_pack_count(pack, &field->rows);
    tact_pack_count(pack, &field->columns);
    tact_pack_numbers(pack, field->half, 2);
    tact_pack_number(pack, &field->top);
    tact_pack_number(pack, &field->base);
    tact_pack_array(pack, &field->height, (size_t)field->rows * (size_t)field->columns);
}

static void pack_part(TactPack *pack, TactTendonPart *part)
{
    ENUM(part->type);
    tact_pack_int(pack, &part->object);
    tact_pack_int(pack, &part->side);
    tact_pack_number(pack, &part->divisor);
}

void tact_pack_tendon(TactPack *pack, TactTendon *tendon)
{
    tact_pack_text(pack, &tendon->name);
    tact_pack_count(pack, &tendon->count);
    if (tact_pack_reads(pack)) {
        tendon->joints = tact_pack_take(pack, tendon->count, sizeof *tendon->joints);
    }
    for (int k = 0; k < tendon->count && !pack->wrong; k++) {
        int room;
        tact_pack_int(pack, tact_pack_thing(pack, tendon->joints, (size_t)k, sizeof(int), &room));
    }
    tact_pack_array(pack, &tendon->coefficients, (size_t)tendon->count);
    tact_pack_bool(pack, &tendon->limited);
    tact_pack_numbers(pack, tendon->range, 2);
    tact_pack_number(pack, &tendon->margin);
    tact_pack_number(pack, &tendon->stiffness);
    tact_pack_number(pack, &tendon->damping);
    tact_pack_number(pack, &tendon->friction);
    tact_pack_numbers(pack, tendon->spring_range, 2);
    tact_pack_bool(pack, &tendon->force_limited);
    tact_pack_numbers(pack, tendon->force_range, 2);
    tact_pack_number(pack, &tendon->armature);
    tact_pack_numbers(pack, tendon->spring_more, 2);
    tact_pack_numbers(pack, tendon->damper_more, 2);
    tact_pack_count(pack, &tendon->part_count);
    if (tact_pack_reads(pack)) {
        tendon->parts = tact_pack_take(pack, tendon->part_count, sizeof *tendon->parts);
    }
    for (int k = 0; k < tendon->part_count && !pack->wrong; k++) {
        TactTendonPart room;
        pack_part(pack, tact_pack_thing(pack, tendon->parts, (size_t)k, sizeof room, &room));
    }
}

static void pack_muscle(TactPack *pack, TactMuscle *muscle)
{
    double *const numbers[] = {&muscle->force, &muscle->scale, &muscle->lmin, &muscle->lmax,
                               &muscle->vmax,  &muscle->fpmax, &muscle->fvmax};
    tact_pack_numbers(pack, muscle->range, 2);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        tact_pack_number(pack, numbers[k]);
    }
}

static void pack_motor(TactPack *pack, TactMotor *motor)
{
    tact_pack_number(pack, &motor->constant);
    tact_pack_number(pack, &motor->resistance);
    tact_pack_number(pack, &motor->time);
    tact_pack_number(pack, &motor->current_rate);
    tact_pack_numbers(pack, motor->cogging, 3);
    tact_pack_numbers(pack, motor->heat, 5);
    tact_pack_numbers(pack, motor->bristle, 5);
    ENUM(motor->input);
    tact_pack_numbers(pack, motor->controller, 6);
    tact_pack_bool(pack, &motor->ahead);
}

void tact_pack_actuator(TactPack *pack, TactActuator *actuator)
{
    tact_pack_text(pack, &actuator->name);
    ENUM(actuator->transmission);
    tact_pack_int(pack, &actuator->target);
    tact_pack_numbers(pack, actuator->gear, 6);
    tact_pack_numbers(pack, actuator->gain, 3);
    tact_pack_numbers(pack, actuator->bias, 3);
    tact_pack_bool(pack, &actuator->ctrl_limited);
    tact_pack_numbers(pack, actuator->ctrl_range, 2);
    tact_pack_bool(pack, &actuator->force_limited);
    tact_pack_numbers(pack, actuator->force_range, 2);
    tact_pack_int(pack, &actuator->group);
    tact_pack_int(pack, &actuator->reference);
    tact_pack_number(pack, &actuator->crank_length);
    ENUM(actuator->activation);
    tact_pack_numbers(pack, actuator->activation_parameters, 3);
    tact_pack_int(pack, &actuator->act);
    tact_pack_bool(pack, &actuator->act_limited);
    tact_pack_numbers(pack, actuator->act_range, 2);
    tact_pack_bool(pack, &actuator->act_early);
    tact_pack_bool(pack, &actuator->is_muscle);
    pack_muscle(pack, &actuator->muscle);
    tact_pack_numbers(pack, actuator->length_range, 2);
    tact_pack_bool(pack, &actuator->is_motor);
    pack_motor(pack, &actuator->motor);
    tact_pack_int(pack, &actuator->act_size);
    tact_pack_int(pack, &actuator->inputs);
    tact_pack_bool(pack, &actuator->is_turn);
    tact_pack_number(pack, &actuator->delay);
    tact_pack_int(pack, &actuator->samples);
    ENUM(actuator->delay_interpolation);
}

void tact_pack_equality(TactPack *pack, TactEquality *equality)
{
    tact_pack_text(pack, &equality->name);
    ENUM(equality->type);
    tact_pack_int(pack, &equality->a);
    tact_pack_int(pack, &equality->b);
    tact_pack_bool(pack, &equality->active);
    tact_pack_vec3(pack, &equality->anchor_a);
    tact_pack_vec3(pack, &equality->anchor_b);
    tact_pack_pose(pack, &equality->relative);
    tact_pack_number(pack, &equality->torque_scale);
    tact_pack_numbers(pack, equality->polynomial, 5);
    tact_pack_number(pack, &equality->time_constant);
    tact_pack_int(pack, &equality->via);
}

void tact_pack_exclude(TactPack *pack, TactExclude *exclude)
{
    tact_pack_int(pack, &exclude->a);
    tact_pack_int(pack, &exclude->b);
}

void tact_pack_pair(TactPack *pack, TactPair *pair)
{
    tact_pack_text(pack, &pair->name);
    tact_pack_int(pack, &pair->a);
    tact_pack_int(pack, &pair->b);
    tact_pack_int(pack, &pair->condim);
    tact_pack_numbers(pack, pair->mu, 2);
    tact_pack_number(pack, &pair->torsional);
    tact_pack_number(pack, &pair->rolling);
    tact_pack_number(pack, &pair->margin);
    tact_pack_number(pack, &pair->gap);
}

void tact_pack_sensor(TactPack *pack, TactSensor *sensor)
{
    int data = tact_pack_reads(pack) ? 0 : (int)sensor->contact.data;
    tact_pack_text(pack, &sensor->name);
    ENUM(sensor->type);
    ENUM(sensor->object_type);
    tact_pack_int(pack, &sensor->object);
    ENUM(sensor->reference_type);
    tact_pack_int(pack, &sensor->reference);
    tact_pack_number(pack, &sensor->cutoff);
    tact_pack_int(pack, &sensor->address);
    tact_pack_int(pack, &sensor->size);
    tact_pack_int(pack, &data);
    ENUM(sensor->contact.reduce);
    tact_pack_int(pack, &sensor->contact.places);
    if (tact_pack_reads(pack)) {
        sensor->contact.data = (unsigned)data;
    }
}

void tact_pack_custom(TactPack *pack, TactCustom *custom)
{
    tact_pack_text(pack, &custom->name);
    tact_pack_text(pack, &custom->text);
    tact_pack_text(pack, &custom->path);
    tact_pack_count(pack, &custom->count);
    tact_pack_array(pack, &custom->data, (size_t)custom->count);
}
