// Masses and inertias of bodies: as stated or from geoms, repaired as the config says, and checked
// as MuJoCo checks them.
#include <string.h>

#include "base/status.h"
#include "model/build/compile.h"
#include "model/principal.h"
#include "model/shape.h"

// Smallest mass (kg) and principal moment (kg m^2) of what moves: MuJoCo's mjMINVAL.
static const double smallest = 1e-15;

// Rounding of a principal moment, against the sum of the three.
static const double rounding = 1e-12;

// ---------------------------------------------------------------------------------------------
// From geoms

/// Passes a failure of the mesh on, with the geom that asked.
static TactStatus blame_geom(const TactCompile *compile, int geom, TactStatus status)
{
    char text[300];
    strncpy(text, tact_status_message(), sizeof text - 1);
    text[sizeof text - 1] = '\0';
    TactPlace place =
        tact_builder_place_of(compile->builder, TACT_OBJECT_GEOM, compile->geom_item[geom]);
    return tact_place_fail(&place, status, "its mesh: %s", text);
}

static TactStatus mesh_inertia(const TactCompile *compile, int geom, const TactGeomDesc *desc,
                               TactInertia *inertia)
{
    const TactMeshItem *item = tact_builder_at(compile->builder, TACT_OBJECT_MESH, desc->geom.mesh);
    TactMeshProperties  properties;
    double              density = desc->mass >= 0 ? 1 : desc->density;
    TactStatus          status =
        tact_mesh_compute_properties(item->mesh, desc->mesh_inertia, density, &properties);
    if (status != TACT_OK) {
        return blame_geom(compile, geom, status);
    }
    if (desc->mass >= 0) {
        tact_mesh_properties_set_mass(&properties, desc->mass);
    }
    *inertia = properties.inertia;
    return TACT_OK;
}

/// A height field weighs as the box of half its height and base about its origin, as in MuJoCo.
static void box_of_heightfield(const TactCompile *compile, int field, double size[3])
{
    const TactHeightFieldItem *item =
        tact_builder_at(compile->builder, TACT_OBJECT_HEIGHTFIELD, field);
    size[0] = item->field.half[0];
    size[1] = item->field.half[1];
    size[2] = item->field.top / 4 + item->field.base / 2;
}

/// In the geom's own frame.
static TactStatus geom_inertia(const TactCompile *compile, int geom, TactInertia *inertia)
{
    const TactGeomItem *item =
        tact_builder_at(compile->builder, TACT_OBJECT_GEOM, compile->geom_item[geom]);
    const TactGeomDesc *desc = &item->desc;
    if (desc->geom.type == TACT_GEOM_CONVEX || desc->geom.type == TACT_GEOM_MESH) {
        return mesh_inertia(compile, geom, desc, inertia);
    }
    TactGeomType type = desc->geom.type;
    double       size[3] = {desc->geom.size[0], desc->geom.size[1], desc->geom.size[2]};
    if (type == TACT_GEOM_HEIGHTFIELD) {
        box_of_heightfield(compile, desc->geom.mesh, size);
        type = TACT_GEOM_BOX;
    }
    TactShapeMass shape = desc->shell ? tact_shape_shell(type, size) : tact_shape_solid(type, size);
    double        mass = desc->mass >= 0 ? desc->mass : desc->density * shape.measure;
    if (shape.measure == 0) {
        mass = 0;
    }
    *inertia = (TactInertia){
        .mass = mass,
        .rotary = tact_mat3_scale(mass, tact_mat3_diagonal(shape.moments)),
    };
    return TACT_OK;
}

static bool counts(const TactCompile *compile, const TactGeom *geom)
{
    const int *groups = compile->builder->config.inertia_groups;
    return geom->group >= groups[0] && geom->group <= groups[1];
}

/// Sums the geoms of a body; *found says whether any counts.
static TactStatus add_geoms(TactCompile *compile, TactBody *body, bool *found)
{
    *found = false;
    TactInertia sum = {0};
    for (int k = 0; k < body->geom_count; k++) {
        int       i = body->first_geom + k;
        TactGeom *geom = &compile->arrays.geoms[i];
        if (!counts(compile, geom)) {
            continue;
        }
        TactInertia inertia;
        TACT_TRY(geom_inertia(compile, i, &inertia));
        geom->mass = inertia.mass;
        inertia = tact_inertia_transform(geom->pose, inertia);
        sum = *found ? tact_inertia_add(sum, inertia) : inertia;
        *found = true;
    }
    *found = *found && !(sum.mass <= 0); // else its centre is that of its description, as in MuJoCo
    if (*found) {
        body->inertia = sum;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Repairs and checks

static double least(const double x[3])
{
    return fmin(x[0], fmin(x[1], x[2]));
}

static double greatest(const double x[3])
{
    return fmax(x[0], fmax(x[1], x[2]));
}

static bool is_finite(const TactInertia *inertia)
{
    double sum = inertia->mass + inertia->com.x + inertia->com.y + inertia->com.z;
    for (int i = 0; i < 3; i++) {
        sum += inertia->rotary.m[i][0] + inertia->rotary.m[i][1] + inertia->rotary.m[i][2];
    }
    return isfinite(sum);
}

static TactStatus check_finite(const TactCompile *compile, int b)
{
    if (is_finite(&compile->arrays.bodies[b].inertia)) {
        return TACT_OK;
    }
    TactPlace place =
        tact_builder_place_of(compile->builder, TACT_OBJECT_BODY, compile->body_item[b]);
    return tact_place_fail(&place, TACT_BAD_INPUT, "its mass or inertia is not finite");
}

static TactStatus repair_body(const TactCompile *compile, int b)
{
    const TactModelConfig *config = &compile->builder->config;
    TactInertia           *inertia = &compile->arrays.bodies[b].inertia;
    TactPlace              place =
        tact_builder_place_of(compile->builder, TACT_OBJECT_BODY, compile->body_item[b]);
    TACT_TRY(check_finite(compile, b));
    double   moments[3];
    TactMat3 axes;
    tact_principal_axes(inertia->rotary, moments, &axes);
    double sum = fabs(moments[0]) + fabs(moments[1]) + fabs(moments[2]);
    inertia->mass = fmax(inertia->mass, config->mass_min);
    if (config->inertia_min > 0 && least(moments) < config->inertia_min) {
        for (int i = 0; i < 3; i++) {
            moments[i] = fmax(moments[i], config->inertia_min);
        }
        inertia->rotary = tact_principal_compose(moments, axes);
    }
    if (least(moments) < -rounding * sum) {
        return tact_place_fail(&place, TACT_BAD_INPUT,
                               "its inertia is not positive: a principal moment is %g kg m^2",
                               least(moments));
    }
    double trace = moments[0] + moments[1] + moments[2];
    if (2 * greatest(moments) > trace + rounding * sum) {
        if (!config->balance_inertia) {
            return tact_place_fail(
                &place, TACT_BAD_INPUT,
                "its principal moments %g, %g, %g kg m^2 break the triangle inequality: "
                "the largest exceeds the sum of the others",
                moments[0], moments[1], moments[2]);
        }
        inertia->rotary = tact_mat3_scale(trace / 3, tact_mat3_identity());
    }
    return TACT_OK;
}

static TactStatus scale_to_total(const TactCompile *compile)
{
    double total = compile->builder->config.total_mass;
    if (total <= 0) {
        return TACT_OK;
    }
    double sum = 0;
    for (int i = 1; i < (int)compile->sizes.bodies; i++) {
        sum += compile->arrays.bodies[i].inertia.mass;
    }
    if (!(sum >= smallest)) {
        return tact_fail(TACT_BAD_INPUT, "a total mass of %g kg is asked for, but no body has mass",
                         total);
    }
    double scale = total / sum;
    for (int i = 1; i < (int)compile->sizes.bodies; i++) {
        TactInertia *inertia = &compile->arrays.bodies[i].inertia;
        inertia->mass *= scale;
        inertia->rotary = tact_mat3_scale(scale, inertia->rotary);
    }
    for (int i = 0; i < (int)compile->sizes.geoms; i++) {
        compile->arrays.geoms[i].mass *= scale;
    }
    return TACT_OK;
}

/// What a moving body and those fixed to it have together must be enough to move.
static TactStatus check_moving(const TactCompile *compile)
{
    TactInertia *fixed = compile->composite; // of a carrier and what is fixed to it
    int          count = (int)compile->sizes.bodies;
    for (int i = 0; i < count; i++) {
        fixed[i] = compile->arrays.bodies[i].inertia;
    }
    for (int i = count - 1; i > 0; i--) {
        const TactBody *body = &compile->arrays.bodies[i];
        if (body->joint_count == 0) {
            fixed[body->parent] =
                tact_inertia_add(fixed[body->parent], tact_inertia_transform(body->pose, fixed[i]));
            continue;
        }
        TactPlace place =
            tact_builder_place_of(compile->builder, TACT_OBJECT_BODY, compile->body_item[i]);
        if (!is_finite(&fixed[i])) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "its mass or inertia, with what is fixed to it, is not finite");
        }
        if (!(fixed[i].mass >= smallest)) {
            return tact_place_fail(&place, TACT_BAD_INPUT, "it moves, but its mass is %g kg",
                                   fixed[i].mass);
        }
        double   moments[3];
        TactMat3 axes;
        tact_principal_axes(fixed[i].rotary, moments, &axes);
        if (!(least(moments) >= smallest)) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "it moves, but a principal moment of its inertia is %g kg m^2",
                                   least(moments));
        }
    }
    return TACT_OK;
}

static TactStatus sum_subtrees(TactCompile *compile)
{
    int count = (int)compile->sizes.bodies;
    for (int i = 0; i < count; i++) {
        compile->arrays.bodies[i].subtree_mass = compile->arrays.bodies[i].inertia.mass;
    }
    for (int i = count - 1; i > 0; i--) {
        compile->arrays.bodies[compile->arrays.bodies[i].parent].subtree_mass +=
            compile->arrays.bodies[i].subtree_mass;
    }
    compile->store->model.mass = compile->arrays.bodies[0].subtree_mass;
    if (!isfinite(compile->store->model.mass)) {
        return tact_fail(TACT_BAD_INPUT, "the mass of all bodies together is not finite");
    }
    return TACT_OK;
}

/// A mocap body without a mass: it goes where it is told whatever it weighs.
static const TactInertia weightless = {.mass = 1,
                                       .rotary = {{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}}};

/// Has every body a mass and an inertia by the bounds alone?
static bool is_bounded(const TactModelConfig *config)
{
    return config->mass_min >= smallest && config->inertia_min >= smallest;
}

TactStatus tact_compile_mass(TactCompile *compile)
{
    const TactModelConfig *config = &compile->builder->config;
    TactInertiaRule        rule = config->inertia_rule;
    for (int i = 1; i < (int)compile->sizes.bodies; i++) {
        TactBody           *body = &compile->arrays.bodies[i];
        const TactBodyItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_BODY, compile->body_item[i]);
        bool wanted = rule == TACT_INERTIA_RULE_FROM_GEOMS ||
                      (rule == TACT_INERTIA_RULE_AUTO && !item->desc.has_inertia);
        bool found = false;
        if (wanted) {
            TACT_TRY(add_geoms(compile, body, &found));
        }
        if (!found) {
            body->inertia = item->desc.inertia;
        }
        if (body->mocap >= 0 && !(body->inertia.mass >= smallest) && !is_bounded(config)) {
            body->inertia = weightless;
        }
        TACT_TRY(repair_body(compile, i));
    }
    TACT_TRY(scale_to_total(compile));
    for (int i = 1; i < (int)compile->sizes.bodies; i++) {
        TACT_TRY(check_finite(compile, i)); // also after repairs
    }
    TACT_TRY(check_moving(compile));
    return sum_subtrees(compile);
}
