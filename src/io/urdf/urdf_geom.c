// Collision and visual shapes of links.
//
// A mesh collides by its convex hull, with a note if that is more than it is; as the triangles that
// it is if the caller wants that, or if it is flat and has no hull. Authors who give several convex
// parts of a link, as several <collision> elements, get the hull of each.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

enum { COLLISION_GROUP = 0, VISUAL_GROUP = 1 };

// ---------------------------------------------------------------------------------------------
// Looks

/// Materials with a colour and a name count in the whole file, wherever they are.
TactStatus tact_urdf_find_materials(TactUrdf *urdf)
{
    for (const TactXmlNode *node = urdf->robot; node;
         node = tact_xml_following(urdf->robot, node)) {
        if (!tact_xml_is(node, "material") || !tact_xml_get(node, "name") ||
            !tact_xml_child(node, "color")) {
            continue;
        }
        TactUrdfMaterial *material = tact_xml_pool_take(&urdf->xml->pool, 1, sizeof *material);
        if (!material) {
            return TACT_NO_MEMORY;
        }
        *material = (TactUrdfMaterial){tact_xml_get(node, "name"), node, NULL};
        *(urdf->last_material ? &urdf->last_material->next : &urdf->materials) = material;
        urdf->last_material = material;
    }
    return TACT_OK;
}

/// <color> of a material, or of the first one of its name.
static TactStatus read_colour(const TactUrdf *urdf, const TactXmlNode *material, double rgba[4])
{
    const TactXmlNode *colour = tact_xml_child(material, "color");
    const char        *name = tact_xml_get(material, "name");
    for (const TactUrdfMaterial *at = urdf->materials; at && name && !colour; at = at->next) {
        colour = strcmp(at->name, name) == 0 ? tact_xml_child(at->node, "color") : NULL;
    }
    return colour ? tact_xml_reals(urdf->xml, colour, "rgba", 4, 4, rgba, NULL) : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Shapes

static TactStatus need_positive(const TactUrdf *urdf, const TactXmlNode *node, const char *name,
                                double *value)
{
    TACT_TRY(tact_urdf_need_real(urdf, node, name, value));
    if (!(*value > 0)) {
        return tact_xml_fail(node, name, TACT_BAD_INPUT, "it must be positive");
    }
    return TACT_OK;
}

static TactStatus read_box(const TactUrdf *urdf, const TactXmlNode *node, TactGeom *geom)
{
    const char *text;
    double      size[3] = {0};
    TACT_TRY(tact_xml_need(node, "size", &text));
    TACT_TRY(tact_xml_reals(urdf->xml, node, "size", 3, 3, size, NULL));
    for (int k = 0; k < 3; k++) {
        geom->size[k] = size[k] / 2;
        if (!(size[k] > 0)) {
            return tact_xml_fail(node, "size", TACT_BAD_INPUT, "it must be positive");
        }
    }
    geom->type = TACT_GEOM_BOX;
    return TACT_OK;
}

/// A sphere of radius 0, as Drake's robots have them where they touch the ground.
static TactStatus take_point(TactUrdf *urdf, const TactXmlNode *node, TactGeom *geom)
{
    geom->size[0] = 1e-6; // m: models have no shapes without size
    return tact_urdf_note(urdf, node, "radius", TACT_VERDICT_APPROXIMATED, true,
                          "a point: taken as a sphere of 1e-6 m");
}

static TactStatus read_round(TactUrdf *urdf, const TactXmlNode *node, TactGeomType type,
                             TactGeom *geom)
{
    double length = 0;
    geom->type = type;
    TACT_TRY(tact_urdf_need_real(urdf, node, "radius", &geom->size[0]));
    if (geom->size[0] == 0 && type == TACT_GEOM_SPHERE &&
        tact_xml_is(node->parent->parent, "collision")) {
        return take_point(urdf, node, geom);
    }
    TACT_TRY(need_positive(urdf, node, "radius", &geom->size[0]));
    if (type != TACT_GEOM_SPHERE) {
        TACT_TRY(need_positive(urdf, node, "length", &length));
    }
    geom->size[1] = length / 2;
    return TACT_OK;
}

/// Bullet's plane without end, through the origin.
static TactStatus read_plane(const TactUrdf *urdf, const TactXmlNode *node, TactGeom *geom,
                             TactVec3 *normal)
{
    double n[3] = {0, 0, 1};
    TACT_TRY(tact_xml_reals(urdf->xml, node, "normal", 3, 3, n, NULL));
    *normal = tact_vec3_normalise((TactVec3){n[0], n[1], n[2]});
    if (normal->x == 0 && normal->y == 0 && normal->z == 0) {
        return tact_xml_fail(node, "normal", TACT_BAD_INPUT, "it must not be zero");
    }
    geom->type = TACT_GEOM_PLANE;
    geom->size[0] = geom->size[1] = 0;
    return TACT_OK;
}

/// The rotation that takes z to a direction by the shortest way.
static TactQuat turn_z_to(TactVec3 n)
{
    static const TactVec3 x = {1, 0, 0};

    TactVec3 across = {-n.y, n.x, 0}; // z cross n
    double   sine = hypot(n.x, n.y);
    return tact_quat_from_axis_angle(sine > 0 ? tact_vec3_scale(1 / sine, across) : x,
                                     atan2(sine, n.z));
}

/// Other engines have the convex hull of a collision mesh as well, and authors know that.
static TactStatus note_hull(TactUrdf *urdf, const TactXmlNode *node, const TactUrdfMesh *mesh)
{
    char text[200];
    char more[60] = "";
    if (mesh->swollen > 1) {
        snprintf(more, sizeof more, ", %.2g times its volume", mesh->swollen);
    }
    snprintf(text, sizeof text, "it touches by its convex hull%s (--exact-meshes: as it is)", more);
    char *kept = tact_xml_pool_copy(&urdf->xml->pool, text, strlen(text));
    return kept ? tact_urdf_note(urdf, node, "filename", TACT_VERDICT_APPROXIMATED, true, kept)
                : TACT_NO_MEMORY;
}

/// Bullet's <collision concave="yes"> and Isaac's <sdf/> in a collision: the triangles of a terrain
/// or of a socket, and not their hull.
static bool is_concave(const TactXmlNode *part)
{
    const char *text = tact_xml_is(part, "collision") ? tact_xml_get(part, "concave") : NULL;
    if (tact_xml_is(part, "collision") && tact_xml_child(part, "sdf")) {
        return true;
    }
    return text && strcmp(text, "no") != 0 && strcmp(text, "false") != 0 && strcmp(text, "0") != 0;
}

/// there: false if this build cannot read the file of a mesh.
static TactStatus read_mesh(TactUrdf *urdf, const TactXmlNode *node, TactGeom *geom, bool *there)
{
    const TactUrdfMesh *mesh;
    TACT_TRY(tact_urdf_mesh(urdf, node, &mesh));
    bool exact = urdf->config->urdf_exact_meshes || !mesh->hull || is_concave(node->parent->parent);
    geom->type = mesh->convex || !exact ? TACT_GEOM_CONVEX : TACT_GEOM_MESH;
    geom->mesh = mesh->index;
    *there = mesh->index >= 0;
    return mesh->judged && !mesh->convex && !exact ? note_hull(urdf, node, mesh) : TACT_OK;
}

/// The first shape in <geometry>, and its z in the frame of that.
static TactStatus read_shape(TactUrdf *urdf, const TactXmlNode *part, TactGeom *geom, TactVec3 *z,
                             bool *there)
{
    const TactXmlNode *geometry = tact_xml_child(part, "geometry");
    const TactXmlNode *shape = geometry ? geometry->first : NULL;
    *there = true;
    *z = (TactVec3){0, 0, 1};
    if (!shape) {
        return tact_xml_fail(geometry ? geometry : part, NULL, TACT_BAD_INPUT,
                             "there is no shape in <%s>", geometry ? "geometry" : part->name);
    }
    if (tact_xml_is(shape, "box")) {
        return read_box(urdf, shape, geom);
    }
    if (tact_xml_is(shape, "sphere")) {
        return read_round(urdf, shape, TACT_GEOM_SPHERE, geom);
    }
    if (tact_xml_is(shape, "cylinder")) {
        return read_round(urdf, shape, TACT_GEOM_CYLINDER, geom);
    }
    if (tact_xml_is(shape, "capsule")) {
        return read_round(urdf, shape, TACT_GEOM_CAPSULE, geom);
    }
    if (tact_xml_is(shape, "plane")) {
        return read_plane(urdf, shape, geom, z);
    }
    if (tact_xml_is(shape, "mesh")) {
        return read_mesh(urdf, shape, geom, there);
    }
    return tact_xml_fail(shape, NULL, TACT_BAD_INPUT,
                         "a shape is box, sphere, cylinder, capsule, plane or mesh");
}

// ---------------------------------------------------------------------------------------------

/// Names of shapes need not be unique in a URDF: the first one of a name gets it.
static const char *free_name(const TactUrdf *urdf, const TactXmlNode *part)
{
    const char *name = tact_xml_get(part, "name");
    return name && tact_model_builder_find(urdf->builder, TACT_OBJECT_GEOM, name) < 0 ? name : "";
}

/// A picture never refuses a robot: what is wrong with it is noted, and nothing is drawn.
static TactStatus lose_picture(TactUrdf *urdf, const TactXmlNode *visual)
{
    const TactXmlNode *geometry = tact_xml_child(visual, "geometry");
    const TactXmlNode *shape = geometry && geometry->first ? geometry->first : visual;
    const char        *why = tact_status_message();
    const char        *place = strstr(why, ": "); // file:line, which the note has itself
    char               text[400];
    snprintf(text, sizeof text, "nothing is drawn: %.360s", place ? place + 2 : why);
    char *kept = tact_xml_pool_copy(&urdf->xml->pool, text, strlen(text));
    return kept ? tact_urdf_note(urdf, shape, "", TACT_VERDICT_IGNORED, false, kept)
                : TACT_NO_MEMORY;
}

static TactStatus add_geom(TactUrdf *urdf, const TactUrdfLink *link, const TactXmlNode *part)
{
    bool               visual = tact_xml_is(part, "visual");
    const TactXmlNode *material = tact_xml_child(part, "material");
    TactGeomDesc       desc = tact_geom_default(TACT_GEOM_SPHERE);
    bool               there = true;
    TactVec3           z;
    TactStatus         status = read_shape(urdf, part, &desc.geom, &z, &there);
    if (status == TACT_OK && there) {
        status = tact_urdf_origin(urdf, part, &desc.geom.pose);
    }
    if (desc.geom.type == TACT_GEOM_PLANE) {
        desc.geom.pose.rotation = tact_quat_multiply(desc.geom.pose.rotation, turn_z_to(z));
    }
    if (status == TACT_OK && visual && material) {
        status = read_colour(urdf, material, desc.geom.rgba);
    }
    if (status != TACT_OK && status != TACT_NO_MEMORY && visual) {
        return lose_picture(urdf, part);
    }
    TACT_TRY(status);
    if (!there) {
        return TACT_OK;
    }
    desc.geom.name = free_name(urdf, part);
    desc.geom.body = link->body;
    desc.geom.group = visual ? VISUAL_GROUP : COLLISION_GROUP;
    if (visual) {
        desc.geom.contact_type = 0;
        desc.geom.contact_affinity = 0;
    }
    if (link->mu >= 0) {
        desc.geom.mu = link->mu;
    }
    if (urdf->has_moments) { // then the defaults of MJCF are those of no link
        desc.geom.torsional = link->mu_spin > 0 ? link->mu_spin : 0;
        desc.geom.rolling = link->mu_roll > 0 ? link->mu_roll : 0;
        desc.geom.condim = desc.geom.rolling > 0     ? 6
                           : desc.geom.torsional > 0 ? 4
                                                     : desc.geom.condim;
    }
    return tact_model_builder_add_geom(urdf->builder, &desc, tact_xml_source(part), NULL);
}

TactStatus tact_urdf_add_geoms(TactUrdf *urdf, const TactUrdfLink *link)
{
    for (const TactXmlNode *part = link->node->first; part; part = part->next) {
        if (tact_xml_is(part, "collision") || tact_xml_is(part, "visual")) {
            TACT_TRY(add_geom(urdf, link, part));
        }
    }
    return TACT_OK;
}
