#include "verify/shapes.h"

#include "base/larger.h"
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

/// Do skins of pairs differ from the sum of those of two shapes?
static bool has_own_skins(const TactModel *model)
{
    if (model->options.contact_override) {
        return true;
    }
    for (int i = 0; i < model->pair_count; i++) {
        const TactPair *pair = &model->pairs[i];
        if (tact_model_compute_standoff(model, pair->a, pair->b, i) !=
            tact_model_compute_standoff(model, pair->a, pair->b, -1)) {
            return true;
        }
    }
    return false;
}

double tact_model_shapes_skin(const TactModelShapes *s, int shape_a, int shape_b)
{
    int a = s->geom_of_shape[shape_a], b = s->geom_of_shape[shape_b], pair = -1;
    if (!s->own_skins) {
        return s->shapes[shape_a].skin + s->shapes[shape_b].skin;
    }
    tact_model_may_touch(s->model, a, b, &pair);
    return tact_model_compute_standoff(s->model, a, b, pair);
}

double tact_model_shapes_margin(const TactModelShapes *s, int shape)
{
    const TactModel *model = s->model;
    double           more =
        model->options.contact_override ? tact_larger(0, model->options.override_margin) : 0;
    for (int i = 0; i < model->pair_count && s->own_skins; i++) {
        const TactPair *pair = &model->pairs[i];
        int             geom = s->geom_of_shape[shape];
        double          all = tact_model_compute_standoff(model, pair->a, pair->b, i);
        if (pair->a == geom || pair->b == geom) {
            more = all > more ? all : more;
        }
    }
    return more;
}

void tact_model_shapes_pair(const TactModelShapes *s, const int index[2], TactShape pair[2])
{
    pair[0] = s->shapes[index[0]];
    pair[1] = s->shapes[index[1]];
    pair[0].skin = tact_model_shapes_skin(s, index[0], index[1]);
    pair[1].skin = 0;
}

TactStatus tact_model_shapes_create(const TactModel *model, TactModelShapes *s)
{
    size_t geoms = (size_t)model->geom_count, fields = (size_t)model->heightfield_count;
    *s = (TactModelShapes){.model = model, .own_skins = has_own_skins(model)};
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
        s->shapes[s->count].skin = geom->margin;
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
