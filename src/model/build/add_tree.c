// Adding what the tree of bodies consists of: each thing is checked by itself and copied.
#include "base/status.h"
#include "model/bend.h"
#include "model/build/builder.h"

// ---------------------------------------------------------------------------------------------
// Bodies

/// Finite, no negative mass, symmetric. Whether it is enough is known when the model is compiled.
static TactStatus check_stated_inertia(const TactPlace *place, TactInertia *inertia)
{
    TACT_TRY(tact_check_not_negative(place, "mass", inertia->mass));
    TACT_TRY(tact_check_vec3(place, "centre of mass", inertia->com));
    double(*m)[3] = inertia->rotary.m;
    TACT_TRY(tact_check_finite(place, "inertia", &m[0][0], 9));
    double scale = fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2]);
    for (int i = 0; i < 3; i++) {
        if (m[i][i] < 0) {
            return tact_place_fail(place, TACT_BAD_INPUT,
                                   "moment %d of its inertia is %g, negative", i + 1, m[i][i]);
        }
        for (int j = 0; j < i; j++) {
            if (fabs(m[i][j] - m[j][i]) > 1e-12 * scale) {
                return tact_place_fail(place, TACT_BAD_INPUT,
                                       "its inertia is not symmetric: %g and %g", m[i][j], m[j][i]);
            }
            m[i][j] = m[j][i];
        }
    }
    return TACT_OK;
}

TactStatus tact_model_builder_add_body(TactModelBuilder *builder, const TactBodyDesc *body,
                                       TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, body));
    TactPlace    place = tact_builder_place(builder, TACT_OBJECT_BODY, body->name, source);
    TactBodyItem item = {.desc = *body};
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, body->parent, place.index));
    TACT_TRY(tact_check_pose(&place, "pose", &item.desc.pose));
    TACT_TRY(tact_check_finite(&place, "gravity compensation", &body->gravity_compensation, 1));
    if (body->has_inertia) {
        TACT_TRY(check_stated_inertia(&place, &item.desc.inertia));
    } else {
        item.desc.inertia = (TactInertia){.com = body->inertia.com};
        TACT_TRY(tact_check_vec3(&place, "centre of mass", item.desc.inertia.com));
    }
    if (!body->mocap) {
        return tact_builder_push(builder, &place, &item, index);
    }
    if (body->parent != 0) {
        return tact_place_fail(&place, TACT_BAD_INPUT,
                               "a mocap body has to be a child of the world");
    }
    int       own = 0;
    TactJoint joint = tact_joint_default(TACT_JOINT_FREE);
    TACT_TRY(tact_builder_push(builder, &place, &item, &own));
    joint.body = own;
    if (index) {
        *index = own;
    }
    return tact_model_builder_add_joint(builder, &joint, source, NULL);
}

// ---------------------------------------------------------------------------------------------
// Joints

static TactStatus check_joint_numbers(const TactPlace *place, const TactJoint *joint)
{
    TACT_TRY(tact_check_vec3(place, "position", joint->position));
    TACT_TRY(tact_check_finite(place, "reference", &joint->reference, 1));
    TACT_TRY(tact_check_range(place, "range", joint->range, joint->limited));
    TACT_TRY(tact_check_finite(place, "margin", &joint->margin, 1));
    TACT_TRY(tact_check_finite(place, "stiffness", &joint->stiffness, 1));
    TACT_TRY(tact_check_finite(place, "terms of its spring", joint->spring_more, 2));
    TACT_TRY(tact_check_finite(place, "terms of its damper", joint->damper_more, 2));
    TACT_TRY(tact_check_finite(place, "spring reference", &joint->spring_reference, 1));
    TACT_TRY(tact_check_finite(place, "damping", &joint->damping, 1));
    TACT_TRY(tact_check_not_negative(place, "armature", joint->armature));
    TACT_TRY(tact_check_not_negative(place, "dry friction", joint->friction));
    for (int i = 0; i < 3; i++) {
        TACT_TRY(tact_check_not_negative(place, "stiffness of its bend", joint->bend[i]));
    }
    TACT_TRY(tact_check_vec3(place, "rest of its bend", joint->bend_rest));
    TACT_TRY(tact_check_not_negative(place, "time constant", joint->spring_damper[0]));
    TACT_TRY(tact_check_not_negative(place, "damping ratio", joint->spring_damper[1]));
    return tact_check_range(place, "force range", joint->force_range, joint->force_limited);
}

/// What a type has no use for becomes 0, so that equal joints are equal in every number.
static TactStatus check_joint_type(const TactPlace *place, TactJoint *joint)
{
    for (int i = 0; i < 3 && joint->type != TACT_JOINT_BALL; i++) {
        joint->bend[i] = 0;
    }
    if (!tact_joint_bends(joint)) {
        joint->bend_rest = (TactVec3){0, 0, 0};
    }
    bool has_axis = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
    if (has_axis) {
        TACT_TRY(tact_check_vec3(place, "axis", joint->axis));
        joint->axis = tact_check_unit_vec3(joint->axis);
        if (tact_vec3_dot(joint->axis, joint->axis) == 0) {
            return tact_place_fail(place, TACT_BAD_INPUT, "its axis is zero");
        }
        return TACT_OK;
    }
    joint->axis = (TactVec3){0, 0, 0};
    joint->reference = 0;
    joint->spring_reference = 0;
    joint->force_limited = false;
    joint->force_range[0] = joint->force_range[1] = 0;
    if (joint->type == TACT_JOINT_FREE) {
        joint->position = (TactVec3){0, 0, 0};
        joint->limited = false;
        joint->range[0] = joint->range[1] = 0;
        joint->margin = 0;
    } else if (joint->limited && joint->range[0] != 0) {
        return tact_place_fail(place, TACT_BAD_INPUT,
                               "the range of a ball joint begins at 0, not at %g", joint->range[0]);
    }
    return TACT_OK;
}

TactStatus tact_model_builder_add_joint(TactModelBuilder *builder, const TactJoint *joint,
                                        TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, joint));
    TactPlace     place = tact_builder_place(builder, TACT_OBJECT_JOINT, joint->name, source);
    TactJointItem item = {.joint = *joint};
    if ((int)joint->type < 0 || joint->type > TACT_JOINT_SLIDE) {
        return tact_place_fail(&place, TACT_BAD_ARGUMENT, "there is no joint type %d",
                               (int)joint->type);
    }
    int bodies = tact_builder_count(builder, TACT_OBJECT_BODY);
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, joint->body, bodies));
    if (joint->body == 0) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "the world cannot have joints");
    }
    const TactBodyItem *body = tact_builder_at(builder, TACT_OBJECT_BODY, joint->body);
    if (joint->type == TACT_JOINT_FREE && body->desc.parent != 0) {
        const TactItem *parent = tact_builder_at(builder, TACT_OBJECT_BODY, body->desc.parent);
        return tact_place_fail(&place, TACT_BAD_INPUT,
                               "a free joint must be on a child of the world; '%s' is below '%s'",
                               body->head.name, parent->name);
    }
    TACT_TRY(check_joint_numbers(&place, joint));
    TACT_TRY(check_joint_type(&place, &item.joint));
    item.joint.q = item.joint.dof = 0;
    TACT_TRY(tact_builder_push(builder, &place, &item, index));
    TactJointItem *kept = tact_builder_at(builder, TACT_OBJECT_JOINT, place.index);
    kept->joint.name = kept->head.name;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Geoms and sites

/// How many sizes a type of geom has. Those of a plane may be 0.
static int count_sizes(TactGeomType type)
{
    switch (type) {
    case TACT_GEOM_SPHERE: return 1;
    case TACT_GEOM_PLANE:
    case TACT_GEOM_CAPSULE:
    case TACT_GEOM_CYLINDER: return 2;
    case TACT_GEOM_BOX:
    case TACT_GEOM_ELLIPSOID: return 3;
    default: return 0;
    }
}

static TactStatus check_size(const TactPlace *place, TactGeomType type, double size[3])
{
    int count = count_sizes(type);
    TACT_TRY(tact_check_finite(place, "size", size, count));
    for (int i = 0; i < count; i++) {
        if (size[i] < 0 || (size[i] == 0 && type != TACT_GEOM_PLANE)) {
            return tact_place_fail(place, TACT_BAD_INPUT, "size %d of a %s is %g", i + 1,
                                   tact_geom_type_name(type), size[i]);
        }
    }
    for (int i = count; i < 3; i++) {
        size[i] = 0;
    }
    return TACT_OK;
}

static TactStatus check_mesh_index(const TactModelBuilder *builder, const TactPlace *place,
                                   TactGeom *geom)
{
    switch (geom->type) {
    case TACT_GEOM_CONVEX:
    case TACT_GEOM_MESH:
        return tact_check_index(place, TACT_OBJECT_MESH, geom->mesh,
                                tact_builder_count(builder, TACT_OBJECT_MESH));
    case TACT_GEOM_HEIGHTFIELD:
        return tact_check_index(place, TACT_OBJECT_HEIGHTFIELD, geom->mesh,
                                tact_builder_count(builder, TACT_OBJECT_HEIGHTFIELD));
    default: geom->mesh = -1; return TACT_OK;
    }
}

static TactStatus check_contact_numbers(const TactPlace *place, int condim, double margin,
                                        double gap)
{
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its condim is %d, not 1, 3, 4 or 6", condim);
    }
    TACT_TRY(tact_check_finite(place, "margin", &margin, 1));
    return tact_check_not_negative(place, "gap", gap);
}

static TactStatus check_geom(const TactPlace *place, TactGeomDesc *desc)
{
    TactGeom *geom = &desc->geom;
    TACT_TRY(tact_check_pose(place, "pose", &geom->pose));
    TACT_TRY(check_size(place, geom->type, geom->size));
    TACT_TRY(check_contact_numbers(place, geom->condim, geom->margin, geom->gap));
    TACT_TRY(tact_check_not_negative(place, "friction", geom->mu));
    TACT_TRY(tact_check_not_negative(place, "torsional friction", geom->torsional));
    TACT_TRY(tact_check_not_negative(place, "rolling friction", geom->rolling));
    TACT_TRY(tact_check_finite(place, "rgba", geom->rgba, 4));
    TACT_TRY(tact_check_finite(place, "surface velocity", geom->surface_velocity, 6));
    TACT_TRY(tact_check_finite(place, "fluid coefficients", geom->fluid, 5));
    TACT_TRY(tact_check_not_negative(place, "density", desc->density));
    TACT_TRY(tact_check_finite(place, "mass", &desc->mass, 1));
    if ((int)desc->mesh_inertia < 0 || desc->mesh_inertia > TACT_MESH_INERTIA_CLOSED) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no mesh inertia %d",
                               (int)desc->mesh_inertia);
    }
    geom->mass = 0;
    geom->visual = false;
    return TACT_OK;
}

static TactStatus check_geom_type(const TactPlace *place, TactGeomType type)
{
    if ((int)type < 0 || type >= TACT_GEOM_TYPE_COUNT) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no geom type %d", (int)type);
    }
    return TACT_OK;
}

TactStatus tact_model_builder_add_geom(TactModelBuilder *builder, const TactGeomDesc *geom,
                                       TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, geom));
    TactPlace    place = tact_builder_place(builder, TACT_OBJECT_GEOM, geom->geom.name, source);
    TactGeomItem item = {.desc = *geom};
    int          bodies = tact_builder_count(builder, TACT_OBJECT_BODY);
    TACT_TRY(check_geom_type(&place, geom->geom.type));
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, geom->geom.body, bodies));
    TACT_TRY(check_mesh_index(builder, &place, &item.desc.geom));
    TACT_TRY(check_geom(&place, &item.desc));
    return tact_builder_push(builder, &place, &item, index);
}

TactStatus tact_model_builder_add_site(TactModelBuilder *builder, const TactSite *site,
                                       TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, site));
    TactPlace    place = tact_builder_place(builder, TACT_OBJECT_SITE, site->name, source);
    TactSiteItem item = {.site = *site};
    int          bodies = tact_builder_count(builder, TACT_OBJECT_BODY);
    TACT_TRY(check_geom_type(&place, site->type));
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, site->body, bodies));
    TACT_TRY(tact_check_pose(&place, "pose", &item.site.pose));
    TACT_TRY(tact_check_finite(&place, "size", site->size, 3));
    TACT_TRY(check_size(&place, site->type, item.site.size));
    TACT_TRY(tact_check_finite(&place, "rgba", site->rgba, 4));
    return tact_builder_push(builder, &place, &item, index);
}

TactStatus tact_model_builder_add_pair(TactModelBuilder *builder, const TactPair *pair,
                                       TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, pair));
    TactPlace    place = tact_builder_place(builder, TACT_OBJECT_PAIR, pair->name, source);
    TactPairItem item = {.pair = *pair};
    int          geoms = tact_builder_count(builder, TACT_OBJECT_GEOM);
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_GEOM, pair->a, geoms));
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_GEOM, pair->b, geoms));
    if (pair->a == pair->b) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "a geom cannot touch itself");
    }
    TACT_TRY(check_contact_numbers(&place, pair->condim, pair->margin, pair->gap));
    TACT_TRY(tact_check_not_negative(&place, "friction", pair->mu[0]));
    TACT_TRY(tact_check_not_negative(&place, "friction", pair->mu[1]));
    return tact_builder_push(builder, &place, &item, index);
}

TactStatus tact_model_builder_add_exclude(TactModelBuilder *builder, TactExclude exclude,
                                          TactSource source)
{
    TACT_TRY(tact_builder_check(builder, &exclude));
    TactPlace       place = tact_builder_place(builder, TACT_ITEM_EXCLUDE, NULL, source);
    TactExcludeItem item = {.exclude = exclude};
    int             bodies = tact_builder_count(builder, TACT_OBJECT_BODY);
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, exclude.a, bodies));
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_BODY, exclude.b, bodies));
    return tact_builder_push(builder, &place, &item, NULL);
}

// ---------------------------------------------------------------------------------------------
// Meshes and height fields

TactStatus tact_model_builder_add_mesh(TactModelBuilder *builder, const char *name, TactMesh *mesh,
                                       TactSource source, int *index)
{
    TactStatus status = tact_builder_check(builder, mesh);
    if (status == TACT_OK) {
        TactPlace    place = tact_builder_place(builder, TACT_OBJECT_MESH, name, source);
        TactMeshItem item = {.mesh = mesh};
        status = tact_builder_push(builder, &place, &item, index);
    }
    if (status != TACT_OK) {
        tact_mesh_destroy(mesh);
    }
    return status;
}

TactStatus tact_model_builder_add_heightfield(TactModelBuilder      *builder,
                                              const TactHeightField *field, TactSource source,
                                              int *index)
{
    TACT_TRY(tact_builder_check(builder, field));
    TactPlace place = tact_builder_place(builder, TACT_OBJECT_HEIGHTFIELD, field->name, source);
    TactHeightFieldItem item = {.field = *field};
    if (field->rows < 2 || field->columns < 2 || !field->height) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "it has %d rows and %d columns%s",
                               field->rows, field->columns,
                               field->height ? "" : ", but no heights");
    }
    TACT_TRY(tact_check_positive(&place, "half-length along x", field->half[0]));
    TACT_TRY(tact_check_positive(&place, "half-length along y", field->half[1]));
    TACT_TRY(tact_check_not_negative(&place, "top", field->top));
    TACT_TRY(tact_check_not_negative(&place, "base", field->base));
    size_t count = (size_t)field->rows * (size_t)field->columns;
    for (size_t i = 0; i < count; i++) {
        if (!(field->height[i] >= 0 && field->height[i] <= 1)) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "the height at row %zu, column %zu is %g, not within 0 and 1",
                                   i / (size_t)field->columns, i % (size_t)field->columns,
                                   field->height[i]);
        }
    }
    void *copy;
    TACT_TRY(tact_pool_copy(&builder->pool, field->height, count, sizeof(double), &copy));
    item.field.height = copy;
    return tact_builder_push(builder, &place, &item, index);
}
