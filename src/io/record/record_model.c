// What a recording says of its run and its model.
#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "io/record/record_parts.h"

// ---------------------------------------------------------------------------------------------
// Writing

void tact_record_put_run(TactByteBuffer *b, const TactRecordRun *run)
{
    tact_put_text(b, run->program);
    tact_put_text(b, run->scene);
    tact_put_text(b, run->method);
    tact_put_text(b, run->cone);
    tact_put_f64(b, run->timestep);
    tact_put_int(b, run->word_count);
    for (int i = 0; i < run->word_count; i++) {
        tact_put_text(b, run->words[i]);
    }
}

static TactStatus put_bodies(TactByteBuffer *b, const TactModel *model)
{
    TactTransform *poses = NULL;
    TACT_TRY(tact_allocate((size_t)model->body_count, sizeof *poses, (void **)&poses));
    tact_model_compute_poses(model, model->q_reference, poses);
    tact_put_int(b, model->body_count);
    for (int i = 0; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        tact_put_text(b, body->name);
        tact_put_int(b, body->parent);
        tact_put_int(b, model->bodies[body->carrier].joint_count > 0);
        tact_put_transform(b, poses[i]);
    }
    tact_release(poses);
    return TACT_OK;
}

static void put_joints(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->joint_count);
    for (int i = 0; i < model->joint_count; i++) {
        const TactJoint *joint = &model->joints[i];
        tact_put_text(b, joint->name);
        tact_put_int(b, (int)joint->type);
        tact_put_int(b, joint->body);
        tact_put_int(b, joint->q);
        tact_put_int(b, joint->dof);
        tact_put_int(b, joint->limited);
        tact_put_vec3(b, joint->position);
        tact_put_vec3(b, joint->axis);
        tact_put_f64s(b, joint->range, 2);
    }
}

static void put_geoms(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->geom_count);
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        tact_put_text(b, geom->name);
        tact_put_int(b, (int)geom->type);
        tact_put_int(b, geom->body);
        tact_put_int(b, geom->mesh);
        tact_put_int(b, geom->group);
        tact_put_int(b, geom->visual);
        tact_put_transform(b, geom->pose);
        tact_put_f64s(b, geom->size, 3);
        tact_put_f64s(b, geom->rgba, 4);
    }
}

static void put_sites(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->site_count);
    for (int i = 0; i < model->site_count; i++) {
        const TactSite *site = &model->sites[i];
        tact_put_text(b, site->name);
        tact_put_int(b, (int)site->type);
        tact_put_int(b, site->body);
        tact_put_int(b, site->group);
        tact_put_transform(b, site->pose);
        tact_put_f64s(b, site->size, 3);
        tact_put_f64s(b, site->rgba, 4);
    }
}

static void put_meshes(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->mesh_count);
    for (int i = 0; i < model->mesh_count; i++) {
        const TactMesh *mesh = model->meshes[i].mesh;
        tact_put_text(b, model->meshes[i].name);
        tact_put_int(b, mesh->vertex_count);
        tact_put_int(b, mesh->triangle_count);
        for (int k = 0; k < mesh->vertex_count; k++) {
            tact_put_vec3_f32(b, mesh->vertices[k]);
        }
        for (int k = 0; k < 3 * mesh->triangle_count; k++) {
            tact_put_int(b, mesh->triangles[k / 3].vertex[k % 3]);
        }
    }
}

static void put_fields(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->heightfield_count);
    for (int i = 0; i < model->heightfield_count; i++) {
        const TactHeightField *field = &model->heightfields[i];
        tact_put_text(b, field->name);
        tact_put_int(b, field->rows);
        tact_put_int(b, field->columns);
        tact_put_f64s(b, field->half, 2);
        tact_put_f64(b, field->top);
        tact_put_f64(b, field->base);
        for (int k = 0; k < field->rows * field->columns; k++) {
            tact_put_f32(b, field->height[k]);
        }
    }
}

static void put_actuators(TactByteBuffer *b, const TactModel *model)
{
    tact_put_int(b, model->actuator_count);
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator *actuator = &model->actuators[i];
        tact_put_text(b, actuator->name);
        tact_put_int(b, actuator->ctrl_limited);
        tact_put_f64s(b, actuator->ctrl_range, 2);
    }
}

static void put_sensors(TactByteBuffer *b, const TactModel *model, bool sensors)
{
    tact_put_int(b, sensors ? model->sensor_count : 0);
    for (int i = 0; i < model->sensor_count && sensors; i++) {
        const TactSensor *sensor = &model->sensors[i];
        tact_put_text(b, sensor->name);
        tact_put_int(b, (int)sensor->type);
        tact_put_int(b, sensor->address);
        tact_put_int(b, sensor->size);
    }
}

TactStatus tact_record_put_model(TactByteBuffer *b, const TactModel *model, bool sensors)
{
    tact_put_text(b, model->name);
    tact_put_u64(b, model->hash);
    tact_put_vec3(b, model->options.gravity);
    tact_put_int(b, model->nq);
    tact_put_int(b, model->nv);
    tact_put_int(b, sensors ? model->sensor_size : 0);
    TACT_TRY(put_bodies(b, model));
    put_joints(b, model);
    put_geoms(b, model);
    put_sites(b, model);
    put_meshes(b, model);
    put_fields(b, model);
    put_actuators(b, model);
    put_sensors(b, model, sensors);
    return b->status;
}

// ---------------------------------------------------------------------------------------------
// Reading: over a measuring arena nothing is kept, but everything is checked

static const char *get_text(TactByteReader *r, TactArena *arena)
{
    int                  length = tact_get_count(r, 1);
    const unsigned char *bytes = tact_get_bytes(r, 1, (size_t)length);
    char                *text = tact_arena_take(arena, (size_t)length + 1, 1);
    if (text && bytes && length > 0) {
        memcpy(text, bytes, (size_t)length);
    }
    return text ? text : "";
}

static bool get_flag(TactByteReader *r)
{
    return tact_get_int(r, 0, 1) == 1;
}

void tact_record_get_run(TactByteReader *r, TactArena *arena, TactRecordRun *run)
{
    run->program = get_text(r, arena);
    run->scene = get_text(r, arena);
    run->method = get_text(r, arena);
    run->cone = get_text(r, arena);
    run->timestep = tact_get_f64(r);
    run->word_count = tact_get_count(r, 4);
    const char **words = tact_arena_take(arena, (size_t)run->word_count, sizeof *words);
    for (int i = 0; i < run->word_count; i++) {
        const char *word = get_text(r, arena);
        if (words) {
            words[i] = word;
        }
    }
    run->words = words;
}

static void get_bodies(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->body_count = tact_get_count(r, 68);
    TactRecordBody *bodies = tact_arena_take(arena, (size_t)model->body_count, sizeof *bodies);
    r->bad = r->bad || model->body_count == 0;
    for (int i = 0; i < model->body_count && !r->bad; i++) {
        TactRecordBody body = {.name = get_text(r, arena)};
        body.parent = tact_get_int(r, i == 0 ? -1 : 0, i - 1);
        body.moves = get_flag(r);
        body.pose = tact_get_transform(r);
        if (bodies) {
            bodies[i] = body;
        }
    }
    model->bodies = bodies;
}

static void get_joints(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    static const int q_size[] = {7, 4, 1, 1}, v_size[] = {6, 3, 1, 1};
    model->joint_count = tact_get_count(r, 88);
    TactRecordJoint *joints = tact_arena_take(arena, (size_t)model->joint_count, sizeof *joints);
    for (int i = 0; i < model->joint_count && !r->bad; i++) {
        TactRecordJoint joint = {.name = get_text(r, arena)};
        joint.type = (TactJointType)tact_get_int(r, 0, TACT_JOINT_SLIDE);
        joint.body = tact_get_int(r, 0, model->body_count - 1);
        joint.q = tact_get_int(r, 0, model->nq - q_size[joint.type]);
        joint.dof = tact_get_int(r, 0, model->nv - v_size[joint.type]);
        joint.limited = get_flag(r);
        joint.position = tact_get_vec3(r);
        joint.axis = tact_get_vec3(r);
        tact_get_f64s(r, joint.range, 2);
        if (joints) {
            joints[i] = joint;
        }
    }
    model->joints = joints;
}

static void get_geoms(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->geom_count = tact_get_count(r, 136);
    TactRecordGeom *geoms = tact_arena_take(arena, (size_t)model->geom_count, sizeof *geoms);
    for (int i = 0; i < model->geom_count && !r->bad; i++) {
        TactRecordGeom geom = {.name = get_text(r, arena)};
        geom.type = (TactGeomType)tact_get_int(r, 0, TACT_GEOM_TYPE_COUNT - 1);
        geom.body = tact_get_int(r, 0, model->body_count - 1);
        geom.mesh = tact_get_int(r, -1, INT_MAX);
        geom.group = tact_get_int(r, INT_MIN, INT_MAX);
        geom.visual = get_flag(r);
        geom.pose = tact_get_transform(r);
        tact_get_f64s(r, geom.size, 3);
        tact_get_f64s(r, geom.rgba, 4);
        if (geoms) {
            geoms[i] = geom;
        }
    }
    model->geoms = geoms;
}

static void get_sites(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->site_count = tact_get_count(r, 128);
    TactRecordSite *sites = tact_arena_take(arena, (size_t)model->site_count, sizeof *sites);
    for (int i = 0; i < model->site_count && !r->bad; i++) {
        TactRecordSite site = {.name = get_text(r, arena)};
        site.type = (TactGeomType)tact_get_int(r, 0, TACT_GEOM_TYPE_COUNT - 1);
        site.body = tact_get_int(r, 0, model->body_count - 1);
        site.group = tact_get_int(r, INT_MIN, INT_MAX);
        site.pose = tact_get_transform(r);
        tact_get_f64s(r, site.size, 3);
        tact_get_f64s(r, site.rgba, 4);
        if (sites) {
            sites[i] = site;
        }
    }
    model->sites = sites;
}

/// count single-precision numbers.
static const float *get_floats(TactByteReader *r, TactArena *arena, size_t count)
{
    if (count > (r->size - r->next) / 4) {
        r->bad = true;
        return NULL;
    }
    float *x = tact_arena_take(arena, count, sizeof *x);
    for (size_t i = 0; i < count; i++) {
        double number = tact_get_f32(r);
        if (x) {
            x[i] = (float)number;
        }
    }
    return x;
}

static const uint32_t *get_triangles(TactByteReader *r, TactArena *arena,
                                     const TactRecordMesh *mesh)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    if (count > (r->size - r->next) / 4) {
        r->bad = true;
        return NULL;
    }
    uint32_t *x = tact_arena_take(arena, count, sizeof *x);
    for (size_t i = 0; i < count && !r->bad; i++) {
        uint32_t vertex = (uint32_t)tact_get_int(r, 0, mesh->vertex_count - 1);
        if (x) {
            x[i] = vertex;
        }
    }
    return x;
}

static void get_meshes(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->mesh_count = tact_get_count(r, 12);
    TactRecordMesh *meshes = tact_arena_take(arena, (size_t)model->mesh_count, sizeof *meshes);
    for (int i = 0; i < model->mesh_count && !r->bad; i++) {
        TactRecordMesh mesh = {.name = get_text(r, arena)};
        mesh.vertex_count = tact_get_int(r, 0, INT_MAX);
        mesh.triangle_count = tact_get_int(r, 0, INT_MAX);
        mesh.vertices = get_floats(r, arena, 3 * (size_t)mesh.vertex_count);
        mesh.triangles = get_triangles(r, arena, &mesh);
        if (meshes) {
            meshes[i] = mesh;
        }
    }
    model->meshes = meshes;
}

static void get_fields(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->field_count = tact_get_count(r, 44);
    TactRecordField *fields = tact_arena_take(arena, (size_t)model->field_count, sizeof *fields);
    for (int i = 0; i < model->field_count && !r->bad; i++) {
        TactRecordField field = {.name = get_text(r, arena)};
        field.rows = tact_get_int(r, 0, INT_MAX);
        field.columns = tact_get_int(r, 0, INT_MAX);
        tact_get_f64s(r, field.half, 2);
        field.top = tact_get_f64(r);
        field.base = tact_get_f64(r);
        field.height = get_floats(r, arena, (size_t)field.rows * (size_t)field.columns);
        if (fields) {
            fields[i] = field;
        }
    }
    model->fields = fields;
}

static void get_actuators(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->actuator_count = tact_get_count(r, 24);
    TactRecordActuator *actuators =
        tact_arena_take(arena, (size_t)model->actuator_count, sizeof *actuators);
    for (int i = 0; i < model->actuator_count && !r->bad; i++) {
        TactRecordActuator actuator = {.name = get_text(r, arena)};
        actuator.limited = get_flag(r);
        tact_get_f64s(r, actuator.range, 2);
        if (actuators) {
            actuators[i] = actuator;
        }
    }
    model->actuators = actuators;
}

static void get_sensors(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->sensor_count = tact_get_count(r, 16);
    TactRecordSensor *sensors =
        tact_arena_take(arena, (size_t)model->sensor_count, sizeof *sensors);
    for (int i = 0; i < model->sensor_count && !r->bad; i++) {
        TactRecordSensor sensor = {.name = get_text(r, arena)};
        sensor.type = (TactSensorType)tact_get_int(r, 0, TACT_SENSOR_TYPE_COUNT - 1);
        sensor.address = tact_get_int(r, 0, model->sensor_size);
        sensor.size = tact_get_int(r, 0, model->sensor_size - sensor.address);
        if (sensors) {
            sensors[i] = sensor;
        }
    }
    model->sensors = sensors;
}

/// A geom names a mesh, or a height field, that is there, if its shape needs one.
static void check_geoms(TactByteReader *r, const TactRecordModel *model)
{
    for (int i = 0; i < model->geom_count && model->geoms && !r->bad; i++) {
        const TactRecordGeom *geom = &model->geoms[i];
        bool                  mesh = geom->type == TACT_GEOM_MESH || geom->type == TACT_GEOM_CONVEX;
        if ((mesh && (geom->mesh < 0 || geom->mesh >= model->mesh_count)) ||
            (geom->type == TACT_GEOM_HEIGHTFIELD &&
             (geom->mesh < 0 || geom->mesh >= model->field_count))) {
            r->bad = true;
        }
    }
}

void tact_record_get_model(TactByteReader *r, TactArena *arena, TactRecordModel *model)
{
    model->name = get_text(r, arena);
    model->hash = tact_get_u64(r);
    model->gravity = tact_get_vec3(r);
    // what a frame may hold at the most: numbers of 8 bytes
    model->nq = tact_get_int(r, 0, INT_MAX / 64);
    model->nv = tact_get_int(r, 0, INT_MAX / 64);
    model->sensor_size = tact_get_int(r, 0, INT_MAX / 64);
    get_bodies(r, arena, model);
    get_joints(r, arena, model);
    get_geoms(r, arena, model);
    get_sites(r, arena, model);
    get_meshes(r, arena, model);
    get_fields(r, arena, model);
    get_actuators(r, arena, model);
    get_sensors(r, arena, model);
    check_geoms(r, model);
}
