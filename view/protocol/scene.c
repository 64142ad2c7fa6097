#include "view/protocol/scene.h"

#include "cli/json/json.h"
#include <math.h>
#include <tact/contact.h>
#include <tact/mesh.h>

static json_t *pack_vector(TactVec3 v)
{
    return tact_json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t *numbers(const double *x, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++) {
        tact_json_append(list, isfinite(x[i]) ? json_real(x[i]) : json_null());
    }
    return list;
}

/// A name as it is, or one made of what it is: never NULL, never invalid UTF-8.
static json_t *text(const char *name)
{
    json_t *string = json_string(name);
    return string ? string : json_string("?");
}

static json_t *list_bodies(const TactModel *model)
{
    json_t *list = json_array();
    for (int i = 0; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        tact_json_append(list, tact_json_pack("{s:o, s:i, s:f}", "name", text(body->name), "parent",
                                              body->parent, "mass", body->inertia.mass));
    }
    return list;
}

/// Height fields stand behind the meshes.
static int drawn_mesh(const TactModel *model, const TactGeom *geom)
{
    return geom->type == TACT_GEOM_HEIGHTFIELD ? model->mesh_count + geom->mesh : geom->mesh;
}

static json_t *list_geoms(const TactModel *model)
{
    json_t *list = json_array();
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        TactQuat        q = geom->pose.rotation;
        tact_json_append(
            list, tact_json_pack("{s:o, s:i, s:s, s:o, s:o, s:[f, f, f, f], s:o, s:i, s:b, s:f}",
                                 "name", text(geom->name), "body", geom->body, "type",
                                 tact_geom_type_name(geom->type), "size", numbers(geom->size, 3),
                                 "pos", pack_vector(geom->pose.position), "quat", q.w, q.x, q.y,
                                 q.z, "rgba", numbers(geom->rgba, 4), "mesh",
                                 drawn_mesh(model, geom), "visual", geom->visual, "mu", geom->mu));
    }
    return list;
}

static json_t *list_actuators(const TactModel *model)
{
    json_t *list = json_array();
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator *actuator = &model->actuators[i];
        json_t *range = actuator->ctrl_limited ? numbers(actuator->ctrl_range, 2) : json_null();
        tact_json_append(
            list, tact_json_pack("{s:o, s:o}", "name", text(actuator->name), "range", range));
    }
    return list;
}

static json_t *list_sensors(const TactModel *model)
{
    json_t *list = json_array();
    for (int i = 0; i < model->sensor_count; i++) {
        const TactSensor *sensor = &model->sensors[i];
        char              label[64];
        const char       *name = tact_model_label(model, TACT_OBJECT_SENSOR, i, label);
        tact_json_append(list, tact_json_pack("{s:o, s:i, s:i}", "name", text(name), "address",
                                              sensor->address, "size", sensor->size));
    }
    return list;
}

static json_t *list_keyframes(const TactModel *model)
{
    json_t *list = json_array();
    for (int i = 0; i < model->keyframe_count; i++) {
        char label[64];
        tact_json_append(list, text(tact_model_label(model, TACT_OBJECT_KEYFRAME, i, label)));
    }
    return list;
}

static json_t *list_methods(void)
{
    json_t *list = json_array();
    for (int i = 0;; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        if (!info) {
            return list;
        }
        tact_json_append(list, json_string(info->name));
    }
}

// ---------------------------------------------------------------------------------------------
// Meshes: vertices in single precision, triangles

typedef struct MeshSize {
    size_t vertices, triangles;
} MeshSize;

static MeshSize size_of(const TactModel *model, int i)
{
    if (i < model->mesh_count) {
        const TactMesh *mesh = model->meshes[i].mesh;
        return (MeshSize){(size_t)mesh->vertex_count, (size_t)mesh->triangle_count};
    }
    const TactHeightField *field = &model->heightfields[i - model->mesh_count];
    return (MeshSize){(size_t)field->rows * (size_t)field->columns,
                      2 * (size_t)(field->rows - 1) * (size_t)(field->columns - 1)};
}

static void write_mesh(const TactMesh *mesh, float *vertex, uint32_t *triangle)
{
    for (int v = 0; v < mesh->vertex_count; v++) {
        *vertex++ = (float)mesh->vertices[v].x;
        *vertex++ = (float)mesh->vertices[v].y;
        *vertex++ = (float)mesh->vertices[v].z;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            *triangle++ = (uint32_t)mesh->triangles[t].vertex[k];
        }
    }
}

static void write_field(const TactHeightField *field, float *vertex, uint32_t *triangle)
{
    for (int r = 0; r < field->rows; r++) {
        for (int c = 0; c < field->columns; c++) {
            size_t at = (size_t)r * (size_t)field->columns + (size_t)c;
            *vertex++ = (float)(field->half[0] * (2.0 * c / (field->columns - 1) - 1));
            *vertex++ = (float)(field->half[1] * (2.0 * r / (field->rows - 1) - 1));
            *vertex++ = (float)(field->top * field->height[at]);
        }
    }
    for (int r = 0; r + 1 < field->rows; r++) {
        for (int c = 0; c + 1 < field->columns; c++) {
            uint32_t low = (uint32_t)(r * field->columns + c);
            uint32_t high = low + (uint32_t)field->columns;
            uint32_t corners[] = {low, low + 1, high + 1, low, high + 1, high};
            for (int k = 0; k < 6; k++) {
                *triangle++ = corners[k];
            }
        }
    }
}

/// Where each mesh stands among the numbers: first byte and count, twice. Returns their size.
static size_t list_meshes(const TactModel *model, json_t *list)
{
    size_t at = 0;
    for (int i = 0; i < model->mesh_count + model->heightfield_count; i++) {
        MeshSize size = size_of(model, i);
        size_t   triangles_at = at + 12 * size.vertices;
        tact_json_append(list, tact_json_pack("{s:[I, I], s:[I, I]}", "vertices", (json_int_t)at,
                                              (json_int_t)(3 * size.vertices), "triangles",
                                              (json_int_t)triangles_at,
                                              (json_int_t)(3 * size.triangles)));
        at = triangles_at + 12 * size.triangles;
    }
    return at;
}

static void write_meshes(const TactModel *model, void *place)
{
    unsigned char *at = place;
    for (int i = 0; i < model->mesh_count + model->heightfield_count; i++) {
        MeshSize  size = size_of(model, i);
        float    *vertex = (float *)(void *)at;
        uint32_t *triangle = (uint32_t *)(void *)(at + 12 * size.vertices);
        if (i < model->mesh_count) {
            write_mesh(model->meshes[i].mesh, vertex, triangle);
        } else {
            write_field(&model->heightfields[i - model->mesh_count], vertex, triangle);
        }
        at += 12 * (size.vertices + size.triangles);
    }
}

TactViewMessage *tact_view_scene_message(const TactModel *model, const char *file, double timestep,
                                         const char *method, const char *cone)
{
    json_t *meshes = json_array();
    size_t  size = list_meshes(model, meshes);
    json_t *header = tact_json_pack(
        "{s:s, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:o}", "type", "scene",
        "name", text(model->name), "file", text(file), "timestep", timestep, "bodies",
        list_bodies(model), "geoms", list_geoms(model), "meshes", meshes, "actuators",
        list_actuators(model), "sensors", list_sensors(model), "keyframes", list_keyframes(model),
        "method", method, "cone", cone, "methods", list_methods());
    void            *place;
    TactViewMessage *message = tact_view_message_json(header, size, &place);
    if (message) {
        write_meshes(model, place);
    }
    return message;
}
