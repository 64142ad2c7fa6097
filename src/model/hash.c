// Hash of a compiled model: every number and name in a fixed order, and no padding or pointer.
// A test looks for every field of the public structs here (tests/tools/test_hash_fields.sh).
// Recordings write some of them, in the order of their format (io/record/record_model.c).
#include <string.h>

#include "model/bend.h"
#include "model/build/build.h"

typedef uint64_t Hash;

/// Mixes 64 bits in: multiply by an odd number (a bijection), then bring high bits down.
static void add_bits(Hash *hash, uint64_t bits)
{
    uint64_t x = (*hash ^ bits) * 0x9e3779b97f4a7c15u;
    *hash = (x ^ (x >> 29)) + 0x632be59bd9b4e019u;
}

static void add_int(Hash *hash, int64_t x)
{
    add_bits(hash, (uint64_t)x);
}

static void add_number(Hash *hash, double x)
{
    double   plain = x + 0.0; // -0 becomes 0
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    add_bits(hash, bits);
}

static void add_numbers(Hash *hash, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_number(hash, x[i]);
    }
}

static void add_text(Hash *hash, const char *text)
{
    size_t length = strlen(text);
    add_int(hash, (int64_t)length);
    for (size_t i = 0; i < length; i++) {
        add_bits(hash, (unsigned char)text[i]);
    }
}

static void add_vec3(Hash *hash, TactVec3 x)
{
    add_number(hash, x.x);
    add_number(hash, x.y);
    add_number(hash, x.z);
}

static void add_pose(Hash *hash, TactTransform pose)
{
    add_number(hash, pose.rotation.w);
    add_number(hash, pose.rotation.x);
    add_number(hash, pose.rotation.y);
    add_number(hash, pose.rotation.z);
    add_vec3(hash, pose.position);
}

// ---------------------------------------------------------------------------------------------
// The tree

static void hash_body(Hash *hash, const TactBody *body)
{
    add_text(hash, body->name);
    add_int(hash, body->parent);
    add_pose(hash, body->pose);
    add_number(hash, body->inertia.mass);
    add_vec3(hash, body->inertia.com);
    add_numbers(hash, &body->inertia.rotary.m[0][0], 9);
    add_number(hash, body->gravity_compensation);
    const int links[] = {body->root,       body->carrier,   body->first_joint, body->joint_count,
                         body->first_dof,  body->dof_count, body->first_geom,  body->geom_count,
                         body->first_site, body->site_count};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        add_int(hash, links[i]);
    }
    add_number(hash, body->subtree_mass);
    if (body->mocap >= 0) {
        add_int(hash, body->mocap);
    }
}

/// Terms of springs and dampers beyond the first, where there are any.
static void add_more(Hash *hash, const double terms[2])
{
    for (int k = 0; k < 2; k++) {
        if (terms[k] != 0) {
            add_int(hash, k);
            add_number(hash, terms[k]);
        }
    }
}

static void hash_joint(Hash *hash, const TactJoint *joint)
{
    add_text(hash, joint->name);
    add_int(hash, (int)joint->type);
    add_int(hash, joint->body);
    add_vec3(hash, joint->position);
    add_vec3(hash, joint->axis);
    add_int(hash, joint->q);
    add_int(hash, joint->dof);
    add_number(hash, joint->reference);
    add_int(hash, joint->limited);
    add_numbers(hash, joint->range, 2);
    add_number(hash, joint->margin);
    add_number(hash, joint->stiffness);
    add_number(hash, joint->spring_reference);
    add_number(hash, joint->damping);
    add_number(hash, joint->armature);
    add_number(hash, joint->friction);
    add_int(hash, joint->force_limited);
    add_numbers(hash, joint->force_range, 2);
    add_int(hash, joint->group);
    if (joint->spring_damper[0] != 0 || joint->spring_damper[1] != 0) {
        add_numbers(hash, joint->spring_damper, 2);
    }
    add_more(hash, joint->spring_more);
    add_more(hash, joint->damper_more);
    if (joint->carries_gravity) {
        add_int(hash, joint->carries_gravity);
    }
    if (tact_joint_bends(joint) || joint->bend_rest.x != 0 || joint->bend_rest.y != 0 ||
        joint->bend_rest.z != 0) {
        add_numbers(hash, joint->bend, 3);
        add_vec3(hash, joint->bend_rest);
    }
}

static void add_dof(Hash *hash, const TactDof *dof)
{
    add_int(hash, dof->joint);
    add_int(hash, dof->body);
    add_int(hash, dof->parent);
    add_number(hash, dof->damping);
    add_number(hash, dof->armature);
    add_number(hash, dof->friction);
}

static void add_geom(Hash *hash, const TactGeom *geom)
{
    add_text(hash, geom->name);
    add_int(hash, (int)geom->type);
    add_int(hash, geom->body);
    add_pose(hash, geom->pose);
    add_numbers(hash, geom->size, 3);
    add_int(hash, geom->mesh);
    add_int(hash, geom->contact_type);
    add_int(hash, geom->contact_affinity);
    add_int(hash, geom->condim);
    add_int(hash, geom->priority);
    add_number(hash, geom->mu);
    add_number(hash, geom->torsional);
    add_number(hash, geom->rolling);
    add_number(hash, geom->margin);
    add_number(hash, geom->gap);
    add_number(hash, geom->mass);
    add_numbers(hash, geom->rgba, 4);
    add_int(hash, geom->group);
    add_int(hash, geom->visual);
    const double *s = geom->surface_velocity; // nothing where there is none, as before it existed
    if (s[0] != 0 || s[1] != 0 || s[2] != 0 || s[3] != 0 || s[4] != 0 || s[5] != 0) {
        add_numbers(hash, s, 6);
    }
    static const double usual[] = {0.5, 0.25, 1.5, 1, 1};
    bool                changed = geom->fluid_ellipsoid;
    for (int k = 0; k < 5; k++) {
        changed = changed || geom->fluid[k] != usual[k];
    }
    if (changed) {
        add_int(hash, geom->fluid_ellipsoid);
        add_numbers(hash, geom->fluid, 5);
    }
}

static void add_site(Hash *hash, const TactSite *site)
{
    add_text(hash, site->name);
    add_int(hash, site->body);
    add_pose(hash, site->pose);
    add_int(hash, (int)site->type);
    add_numbers(hash, site->size, 3);
    add_numbers(hash, site->rgba, 4);
    add_int(hash, site->group);
}

/// Vertices and triangles; the hull follows from them.
static void add_mesh(Hash *hash, const TactModelMesh *mesh)
{
    add_text(hash, mesh->name);
    add_int(hash, mesh->mesh->vertex_count);
    for (int i = 0; i < mesh->mesh->vertex_count; i++) {
        add_vec3(hash, mesh->mesh->vertices[i]);
    }
    add_int(hash, mesh->mesh->triangle_count);
    for (int i = 0; i < mesh->mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            add_int(hash, mesh->mesh->triangles[i].vertex[k]);
        }
    }
    add_int(hash, mesh->hull != NULL);
}

static void add_heightfield(Hash *hash, const TactHeightField *field)
{
    add_text(hash, field->name);
    add_int(hash, field->rows);
    add_int(hash, field->columns);
    add_numbers(hash, field->half, 2);
    add_number(hash, field->top);
    add_number(hash, field->base);
    add_numbers(hash, field->height, (size_t)field->rows * (size_t)field->columns);
}

// ---------------------------------------------------------------------------------------------
// What refers to the tree

static void add_tendon(Hash *hash, const TactTendon *tendon)
{
    add_text(hash, tendon->name);
    add_int(hash, tendon->count);
    for (int i = 0; i < tendon->count; i++) {
        add_int(hash, tendon->joints[i]);
        add_number(hash, tendon->coefficients[i]);
    }
    add_int(hash, tendon->limited);
    add_numbers(hash, tendon->range, 2);
    add_number(hash, tendon->margin);
    add_number(hash, tendon->stiffness);
    add_number(hash, tendon->damping);
    add_number(hash, tendon->friction);
    add_numbers(hash, tendon->spring_range, 2);
    add_int(hash, tendon->force_limited);
    add_numbers(hash, tendon->force_range, 2);
    for (int i = 0; i < tendon->part_count; i++) {
        add_int(hash, (int)tendon->parts[i].type);
        add_int(hash, tendon->parts[i].object);
        add_int(hash, tendon->parts[i].side);
        add_number(hash, tendon->parts[i].divisor);
    }
    if (tendon->armature != 0) {
        add_number(hash, tendon->armature);
    }
    add_more(hash, tendon->spring_more);
    add_more(hash, tendon->damper_more);
}

/// No activation, no curves, no second site.
static bool is_plain(const TactActuator *actuator)
{
    return actuator->reference == -1 && actuator->crank_length == 0 &&
           actuator->activation == TACT_ACTIVATION_NONE && actuator->act == -1 &&
           actuator->act_size == 0 && !actuator->act_limited && !actuator->act_early &&
           !actuator->is_muscle && !actuator->is_motor && !actuator->is_turn &&
           actuator->samples == 0 && actuator->delay == 0 &&
           actuator->delay_interpolation == TACT_DELAY_INTERPOLATION_HOLD &&
           actuator->inputs == 1 && actuator->length_range[0] == 0 &&
           actuator->length_range[1] == 0 && actuator->act_range[0] == 0 &&
           actuator->act_range[1] == 0 && actuator->activation_parameters[0] == 0;
}

static void add_actuator(Hash *hash, const TactActuator *actuator)
{
    add_text(hash, actuator->name);
    add_int(hash, (int)actuator->transmission);
    add_int(hash, actuator->target);
    add_numbers(hash, actuator->gear, 6);
    add_numbers(hash, actuator->gain, 3);
    add_numbers(hash, actuator->bias, 3);
    add_int(hash, actuator->ctrl_limited);
    add_numbers(hash, actuator->ctrl_range, 2);
    add_int(hash, actuator->force_limited);
    add_numbers(hash, actuator->force_range, 2);
    add_int(hash, actuator->group);
    if (is_plain(actuator)) {
        return; // as before there was more
    }
    add_int(hash, actuator->reference);
    add_number(hash, actuator->crank_length);
    add_int(hash, (int)actuator->activation);
    add_numbers(hash, actuator->activation_parameters, 3);
    add_int(hash, actuator->act);
    add_int(hash, actuator->act_limited);
    add_numbers(hash, actuator->act_range, 2);
    add_int(hash, actuator->act_early);
    if (actuator->samples != 0 || actuator->delay != 0 ||
        actuator->delay_interpolation != TACT_DELAY_INTERPOLATION_HOLD) {
        add_number(hash, actuator->delay);
        add_int(hash, actuator->samples);
        add_int(hash, (int)actuator->delay_interpolation);
    }
    add_int(hash, actuator->is_muscle);
    const TactMuscle *m = &actuator->muscle;
    const double      numbers[] = {m->range[0], m->range[1], m->force, m->scale, m->lmin,
                                   m->lmax,     m->vmax,     m->fpmax, m->fvmax};
    add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
    add_numbers(hash, actuator->length_range, 2);
    if (actuator->act_size != (actuator->activation != TACT_ACTIVATION_NONE)) {
        add_int(hash, actuator->act_size); // where it does not follow
    }
    if (actuator->inputs != 1 || actuator->is_turn) {
        add_int(hash, actuator->inputs);
        add_int(hash, actuator->is_turn);
    }
    if (actuator->is_motor || actuator->transmission == TACT_TRANSMISSION_INPUT) {
        const TactMotor *motor = &actuator->motor;
        const double law[] = {motor->constant, motor->resistance, motor->time, motor->current_rate};
        add_numbers(hash, law, 4);
        add_numbers(hash, motor->cogging, 3);
        add_numbers(hash, motor->heat, 5);
        add_numbers(hash, motor->bristle, 5);
        add_int(hash, (int)motor->input);
        add_numbers(hash, motor->controller, 6);
        if (motor->ahead) {
            add_int(hash, motor->ahead);
        }
    }
}

static void add_equality(Hash *hash, const TactEquality *equality)
{
    add_text(hash, equality->name);
    add_int(hash, (int)equality->type);
    add_int(hash, equality->a);
    add_int(hash, equality->b);
    add_int(hash, equality->active);
    add_vec3(hash, equality->anchor_a);
    add_vec3(hash, equality->anchor_b);
    add_pose(hash, equality->relative);
    add_number(hash, equality->torque_scale);
    add_numbers(hash, equality->polynomial, 5);
    if (equality->time_constant != 0) {
        add_number(hash, equality->time_constant);
    }
    if (equality->via != 0) {
        add_int(hash, equality->via);
    }
}

static void hash_pair(Hash *hash, const TactPair *pair)
{
    add_text(hash, pair->name);
    add_int(hash, pair->a);
    add_int(hash, pair->b);
    add_int(hash, pair->condim);
    add_numbers(hash, pair->mu, 2);
    if (pair->condim > 3) {
        add_number(hash, pair->torsional);
        add_number(hash, pair->rolling);
    }
    add_number(hash, pair->margin);
    add_number(hash, pair->gap);
}

static void add_sensor(Hash *hash, const TactSensor *sensor)
{
    add_text(hash, sensor->name);
    add_int(hash, (int)sensor->type);
    add_int(hash, (int)sensor->object_type);
    add_int(hash, sensor->object);
    add_int(hash, (int)sensor->reference_type);
    add_int(hash, sensor->reference);
    add_number(hash, sensor->cutoff);
    add_int(hash, sensor->address);
    add_int(hash, sensor->size);
    if (sensor->contact.data != 0 || (int)sensor->contact.reduce != 0 ||
        sensor->contact.places != 0) {
        add_int(hash, (int)sensor->contact.data);
        add_int(hash, (int)sensor->contact.reduce);
        add_int(hash, sensor->contact.places);
    }
}

static void add_keyframe(Hash *hash, const TactKeyframe *key, const TactModel *model)
{
    add_text(hash, key->name);
    add_number(hash, key->time);
    add_numbers(hash, key->q, (size_t)model->nq);
    add_numbers(hash, key->v, (size_t)model->nv);
    add_numbers(hash, key->ctrl, (size_t)model->actuator_count);
    add_numbers(hash, key->act, (size_t)model->act_count);
}

static void add_custom(Hash *hash, const TactCustom *custom)
{
    add_text(hash, custom->name);
    add_text(hash, custom->text);
    add_int(hash, custom->count);
    add_numbers(hash, custom->data, (size_t)custom->count);
}

static void add_options(Hash *hash, const TactModelOptions *options)
{
    add_number(hash, options->timestep);
    add_vec3(hash, options->gravity);
    add_int(hash, (int)options->integrator);
    const bool off[] = {options->contact_off,  options->gravity_off,  options->limit_off,
                        options->equality_off, options->friction_off, options->parent_filter_off,
                        options->actuation_off};
    if (options->clamp_off) {
        add_int(hash, options->clamp_off);
    }
    if (options->density != 0 || options->viscosity != 0 || options->wind.x != 0 ||
        options->wind.y != 0 || options->wind.z != 0) {
        add_vec3(hash, options->wind);
        add_number(hash, options->density);
        add_number(hash, options->viscosity);
    }
    TactVec3 field = options->magnetic;
    if (field.x != 0 || field.y != -0.5 || field.z != 0) {
        add_vec3(hash, field);
    }
    const double *f = options->override_friction;
    if (options->contact_override || options->override_margin != 0 || f[0] != 0 || f[1] != 0 ||
        f[2] != 0 || f[3] != 0 || f[4] != 0) {
        add_int(hash, options->contact_override);
        add_number(hash, options->override_margin);
        add_numbers(hash, options->override_friction, 5);
    }
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        add_int(hash, off[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// All of it

static void add_tree(Hash *hash, const TactModel *model)
{
    for (int i = 0; i < model->body_count; i++) {
        hash_body(hash, &model->bodies[i]);
    }
    for (int i = 0; i < model->joint_count; i++) {
        hash_joint(hash, &model->joints[i]);
    }
    for (int i = 0; i < model->nv; i++) {
        add_dof(hash, &model->dofs[i]);
    }
    add_numbers(hash, model->q_reference, (size_t)model->nq);
    add_numbers(hash, model->q_spring, (size_t)model->nq);
    for (int i = 0; i < model->geom_count; i++) {
        add_geom(hash, &model->geoms[i]);
    }
    for (int i = 0; i < model->site_count; i++) {
        add_site(hash, &model->sites[i]);
    }
    for (int i = 0; i < model->mesh_count; i++) {
        add_mesh(hash, &model->meshes[i]);
    }
    for (int i = 0; i < model->heightfield_count; i++) {
        add_heightfield(hash, &model->heightfields[i]);
    }
}

static void add_links(Hash *hash, const TactModel *model)
{
    for (int i = 0; i < model->tendon_count; i++) {
        add_tendon(hash, &model->tendons[i]);
    }
    for (int i = 0; i < model->actuator_count; i++) {
        add_actuator(hash, &model->actuators[i]);
    }
    for (int i = 0; i < model->equality_count; i++) {
        add_equality(hash, &model->equalities[i]);
    }
    for (int i = 0; i < model->exclude_count; i++) {
        add_int(hash, model->excludes[i].a);
        add_int(hash, model->excludes[i].b);
    }
    for (int i = 0; i < model->pair_count; i++) {
        hash_pair(hash, &model->pairs[i]);
    }
    for (int i = 0; i < model->sensor_count; i++) {
        add_sensor(hash, &model->sensors[i]);
    }
    for (int i = 0; i < model->keyframe_count; i++) {
        add_keyframe(hash, &model->keyframes[i], model);
    }
    for (int i = 0; i < model->custom_count; i++) {
        add_custom(hash, &model->customs[i]);
    }
}

uint64_t tact_model_hash(const TactModel *model)
{
    Hash hash = 0x746163746d6f6465u;
    add_text(&hash, model->name);
    add_options(&hash, &model->options);
    const int counts[] = {model->nq,
                          model->nv,
                          model->body_count,
                          model->joint_count,
                          model->geom_count,
                          model->site_count,
                          model->mesh_count,
                          model->heightfield_count,
                          model->tendon_count,
                          model->actuator_count,
                          model->equality_count,
                          model->exclude_count,
                          model->pair_count,
                          model->sensor_count,
                          model->sensor_size,
                          model->keyframe_count,
                          model->custom_count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        add_int(&hash, counts[i]);
    }
    add_number(&hash, model->mass);
    add_tree(&hash, model);
    add_links(&hash, model);
    return hash;
}
