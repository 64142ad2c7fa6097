// Contacts of a step: shapes of the geoms, where they touch, and the rows of every contact point.
//
// A gap is closed no further than it is wide (the bias of contact.h), and the margin around a geom
// is how far its surface can come in the step ahead, so that nothing passes through anything.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/workspace.h"
#include "sim/sim.h"

static const TactShapeType shape_of_geom[TACT_GEOM_TYPE_COUNT] = {
    [TACT_GEOM_PLANE] = TACT_SHAPE_PLANE,      [TACT_GEOM_SPHERE] = TACT_SHAPE_SPHERE,
    [TACT_GEOM_CAPSULE] = TACT_SHAPE_CAPSULE,  [TACT_GEOM_CYLINDER] = TACT_SHAPE_CYLINDER,
    [TACT_GEOM_BOX] = TACT_SHAPE_BOX,          [TACT_GEOM_ELLIPSOID] = TACT_SHAPE_ELLIPSOID,
    [TACT_GEOM_CONVEX] = TACT_SHAPE_HULL,      [TACT_GEOM_MESH] = TACT_SHAPE_MESH,
    [TACT_GEOM_HEIGHTFIELD] = TACT_SHAPE_MESH,
};

/// Trees of the meshes and height fields that touch anything.
static TactStatus make_trees(TactSim *sim)
{
    const TactModel *model = sim->model;
    size_t           meshes = (size_t)model->mesh_count, fields = (size_t)model->heightfield_count;
    TACT_TRY(tact_allocate(meshes, sizeof(void *), (void **)&sim->mesh_trees));
    TACT_TRY(tact_allocate(fields, sizeof(void *), (void **)&sim->field_trees));
    TACT_TRY(tact_allocate(fields, sizeof(void *), (void **)&sim->field_meshes));
    for (int i = 0; i < model->geom_count && !model->options.contact_off; i++) {
        const TactGeom *geom = &model->geoms[i];
        int             k = geom->mesh;
        if (geom->visual) {
            continue;
        }
        if (geom->type == TACT_GEOM_MESH && !sim->mesh_trees[k]) {
            TACT_TRY(tact_mesh_tree_create(model->meshes[k].mesh, &sim->mesh_trees[k]));
        } else if (geom->type == TACT_GEOM_HEIGHTFIELD && !sim->field_trees[k]) {
            TACT_TRY(tact_heightfield_to_mesh(&model->heightfields[k], &sim->field_meshes[k]));
            TACT_TRY(tact_mesh_tree_create(sim->field_meshes[k], &sim->field_trees[k]));
        }
    }
    return TACT_OK;
}

static void destroy_trees(TactSim *sim)
{
    for (int i = 0; i < sim->model->mesh_count && sim->mesh_trees; i++) {
        tact_mesh_tree_destroy(sim->mesh_trees[i]);
    }
    for (int i = 0; i < sim->model->heightfield_count && sim->field_trees; i++) {
        tact_mesh_tree_destroy(sim->field_trees[i]);
    }
    for (int i = 0; i < sim->model->heightfield_count && sim->field_meshes; i++) {
        tact_mesh_destroy(sim->field_meshes[i]);
    }
    tact_release(sim->mesh_trees);
    tact_release(sim->field_trees);
    tact_release(sim->field_meshes);
}

TactShape tact_sim_make_shape(const TactSim *sim, const TactGeom *geom)
{
    TactShape shape = {.type = shape_of_geom[geom->type],
                       .size = {geom->size[0], geom->size[1], geom->size[2]}};
    if (geom->type == TACT_GEOM_CONVEX) {
        shape.hull = sim->model->meshes[geom->mesh].hull;
    } else if (geom->type == TACT_GEOM_MESH) {
        shape.mesh = sim->mesh_trees[geom->mesh];
    } else if (geom->type == TACT_GEOM_HEIGHTFIELD) {
        shape.mesh = sim->field_trees[geom->mesh];
    }
    return shape;
}

static bool may_touch(void *context, int i, int j)
{
    const TactSim *sim = context;
    return tact_model_may_touch(sim->model, sim->geom_of_shape[i], sim->geom_of_shape[j], NULL);
}

/// Middle of a geom in its own frame, and how far its points are from there.
static void find_extent(TactSim *sim, int shape)
{
    TactVec3      lower, upper;
    TactTransform here = tact_transform_identity();
    TactShape     made = tact_sim_make_shape(sim, &sim->model->geoms[sim->geom_of_shape[shape]]);
    tact_shape_bounds(&made, &here, &lower, &upper);
    sim->shape_middle[shape] = tact_vec3_scale(0.5, tact_vec3_add(lower, upper));
    sim->shape_radius[shape] = 0.5 * tact_vec3_norm(tact_vec3_subtract(upper, lower));
}

TactStatus tact_sim_contacts_create(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactWorldShape  *shapes = NULL;
    TACT_TRY(make_trees(sim));
    TACT_TRY(tact_allocate((size_t)model->geom_count, sizeof *shapes, (void **)&shapes));
    int count = 0;
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        if (geom->visual || model->options.contact_off) {
            continue;
        }
        shapes[count] = (TactWorldShape){
            .shape = tact_sim_make_shape(sim, geom),
            .margin = geom->margin,
            .fixed = sim->islands.tree_of_body[geom->body] < 0,
        };
        sim->geom_of_shape[count] = i;
        find_extent(sim, count++);
    }
    sim->shape_count = count;
    TactStatus status = tact_world_create(shapes, count, may_touch, sim, &sim->world);
    tact_release(shapes);
    if (status == TACT_OK) {
        tact_world_set_resting(sim->world, sim->sleep.shape_rests);
    }
    return status;
}

void tact_sim_contacts_destroy(TactSim *sim)
{
    tact_world_destroy(sim->world);
    destroy_trees(sim);
    tact_release(sim->contacts);
}

/// How far any point of a geom can come in the step ahead at its present velocity, and with what
/// gravity adds to it.
static double find_reach(const TactSim *sim, int shape, int body)
{
    const TactDynamics *d = sim->dynamics;
    if (d->link_of[body] == 0) {
        return 0;
    }
    TactVec3  middle = tact_transform_point(sim->shape_pose[shape], sim->shape_middle[shape]);
    TactTwist now = tact_dynamics_velocity(d, body, middle);
    return sim->h *
           (tact_vec3_norm(now.linear) + sim->shape_radius[shape] * tact_vec3_norm(now.angular) +
            sim->h * tact_vec3_norm(sim->model->options.gravity));
}

static TactStatus reserve(TactSim *sim, int count)
{
    if (count <= sim->contact_capacity) {
        return TACT_OK;
    }
    size_t room = 2 * (size_t)count;
    tact_release(sim->contacts);
    sim->contacts = NULL;
    sim->contact_capacity = 0;
    TACT_TRY(tact_allocate(room, sizeof *sim->contacts, (void **)&sim->contacts));
    sim->contact_capacity = (int)room;
    return TACT_OK;
}

/// A number that two geoms and their features share in every step.
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Of the pair that names the two geoms, or of the geoms themselves.
static double find_friction(const TactModel *model, int geom_a, int geom_b)
{
    int index = -1;
    tact_model_may_touch(model, geom_a, geom_b, &index);
    if (index < 0) {
        return tact_model_friction(model, geom_a, geom_b);
    }
    const TactPair *pair = &model->pairs[index];
    return pair->condim == 1 ? 0 : fmax(pair->mu[0], pair->mu[1]);
}

/// Tangent 1 along the x axis of the world, or along y where that is too close to the normal. The
/// axis farthest from the normal would change with the rounding of normals along an axis, and what
/// the solver remembers along tangents would mean something else in every step.
static void find_tangents(TactSimContact *c)
{
    TactVec3 n = c->normal;
    TactVec3 axis = fabs(n.x) < 0.75 ? (TactVec3){1, 0, 0} : (TactVec3){0, 1, 0};
    c->tangent[0] = tact_vec3_normalise(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
    c->tangent[1] = tact_vec3_cross(n, c->tangent[0]);
}

static void add_contact(TactSim *sim, int geom_a, int geom_b, const TactTouch *touch)
{
    const TactModel *model = sim->model;
    TactSimContact  *c = &sim->contacts[sim->contact_count++];
    *c = (TactSimContact){
        .geom = {geom_a, geom_b},
        .body = {model->geoms[geom_a].body, model->geoms[geom_b].body},
        .id = mix(mix((uint64_t)geom_a, (uint64_t)geom_b), touch->feature) | 1,
        .point = touch->point,
        .normal = touch->normal,
        .depth = touch->depth,
        .mu = sim->config.friction_scale * find_friction(model, geom_a, geom_b),
        .restitution = fmax(sim->restitution[geom_a], sim->restitution[geom_b]),
    };
    find_tangents(c);
}

TactStatus tact_sim_find_contacts(TactSim *sim, TactSimReport *report)
{
    const TactModel *model = sim->model;
    TactWorldTouches found;
    for (int i = 0; i < sim->shape_count; i++) {
        const TactGeom *geom = &model->geoms[sim->geom_of_shape[i]];
        sim->shape_pose[i] = tact_transform_multiply(sim->dynamics->pose[geom->body], geom->pose);
        sim->reach[i] = find_reach(sim, i, geom->body);
        sim->sleep.shape_rests[i] = tact_sim_body_sleeps(sim, geom->body);
    }
    TACT_TRY(tact_world_collide(sim->world, sim->shape_pose, sim->reach, &found));
    sim->contact_count = 0;
    TACT_TRY(reserve(sim, found.touches->count));
    for (int p = 0; p < found.pair_count; p++) {
        const TactWorldPair *pair = &found.pairs[p];
        for (int k = pair->first; k < pair->first + pair->count; k++) {
            const TactTouch *touch = &found.touches->touches[k];
            add_contact(sim, sim->geom_of_shape[pair->a], sim->geom_of_shape[pair->b], touch);
            report->penetration = fmax(report->penetration, touch->depth);
        }
    }
    report->contacts = sim->contact_count;
    return TACT_OK;
}
