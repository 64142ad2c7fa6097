#include "verify/shapes.h"

#include "base/memory.h"
#include "base/status.h"

static const TactShapeType shape_of_type[] = {
    [TACT_GEOM_PLANE] = TACT_SHAPE_PLANE,      [TACT_GEOM_SPHERE] = TACT_SHAPE_SPHERE,
    [TACT_GEOM_CAPSULE] = TACT_SHAPE_CAPSULE,  [TACT_GEOM_CYLINDER] = TACT_SHAPE_CYLINDER,
    [TACT_GEOM_BOX] = TACT_SHAPE_BOX,          [TACT_GEOM_ELLIPSOID] = TACT_SHAPE_ELLIPSOID,
    [TACT_GEOM_CONVEX] = TACT_SHAPE_HULL,      [TACT_GEOM_MESH] = TACT_SHAPE_MESH,
    [TACT_GEOM_HEIGHTFIELD] = TACT_SHAPE_MESH,
};

static TactStatus make_tree(TactModelShapes *s, const TactGeom *geom)
{
    int k = geom->mesh;
    if (geom->type == TACT_GEOM_MESH && !s->mesh_trees[k]) {
        return tact_mesh_tree_create(s->model->meshes[k].mesh, &s->mesh_trees[k]);
    }
    if (geom->type == TACT_GEOM_HEIGHTFIELD && !s->field_trees[k]) {
        TACT_TRY(tact_heightfield_to_mesh(&s->model->heightfields[k], &s->field_meshes[k]));
        return tact_mesh_tree_create(s->field_meshes[k], &s->field_trees[k]);
    }
    return TACT_OK;
}

TactShape tact_model_shape(const TactModelShapes *s, const TactGeom *geom)
{
    TactShape shape = {.type = shape_of_type[geom->type],
                       .size = {geom->size[0], geom->size[1], geom->size[2]}};
    if (geom->type == TACT_GEOM_CONVEX) {
        shape.hull = s->model->meshes[geom->mesh].hull;
    } else if (geom->type == TACT_GEOM_MESH) {
        shape.mesh = s->mesh_trees[geom->mesh];
    } else if (geom->type == TACT_GEOM_HEIGHTFIELD) {
        shape.mesh = s->field_trees[geom->mesh];
    }
    return shape;
}

TactStatus tact_model_shapes_create(const TactModel *model, TactModelShapes *s)
{
    size_t geoms = (size_t)model->geom_count, fields = (size_t)model->heightfield_count;
    *s = (TactModelShapes){.model = model};
    TACT_TRY(tact_allocate(geoms, sizeof *s->shapes, (void **)&s->shapes));
    TACT_TRY(tact_allocate(geoms, sizeof(int), (void **)&s->geom_of_shape));
    TACT_TRY(tact_allocate(geoms, sizeof(int), (void **)&s->shape_of_geom));
    TACT_TRY(tact_allocate((size_t)model->mesh_count, sizeof(void *), (void **)&s->mesh_trees));
    TACT_TRY(tact_allocate(fields, sizeof(void *), (void **)&s->field_trees));
    TACT_TRY(tact_allocate(fields, sizeof(void *), (void **)&s->field_meshes));
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        s->shape_of_geom[i] = -1;
        if (geom->visual || model->options.contact_off) {
            continue;
        }
        TACT_TRY(make_tree(s, geom));
        s->shapes[s->count] = tact_model_shape(s, geom);
        s->geom_of_shape[s->count] = i;
        s->shape_of_geom[i] = s->count++;
    }
    return TACT_OK;
}

void tact_model_shapes_destroy(TactModelShapes *s)
{
    for (int i = 0; s->model && i < s->model->mesh_count && s->mesh_trees; i++) {
        tact_mesh_tree_destroy(s->mesh_trees[i]);
    }
    for (int i = 0; s->model && i < s->model->heightfield_count; i++) {
        if (s->field_trees) {
            tact_mesh_tree_destroy(s->field_trees[i]);
        }
        if (s->field_meshes) {
            tact_mesh_destroy(s->field_meshes[i]);
        }
    }
    tact_release(s->mesh_trees);
    tact_release(s->field_trees);
    tact_release(s->field_meshes);
    tact_release(s->shapes);
    tact_release(s->geom_of_shape);
    tact_release(s->shape_of_geom);
    *s = (TactModelShapes){0};
}
