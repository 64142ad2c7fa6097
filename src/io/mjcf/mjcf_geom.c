// Geoms and sites, from their descriptions to the builder.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mjcf/mjcf.h"

static const TactGeomType types[] = {
    [TACT_MJCF_PLANE] = TACT_GEOM_PLANE,
    [TACT_MJCF_HFIELD] = TACT_GEOM_HEIGHTFIELD,
    [TACT_MJCF_SPHERE] = TACT_GEOM_SPHERE,
    [TACT_MJCF_CAPSULE] = TACT_GEOM_CAPSULE,
    [TACT_MJCF_ELLIPSOID] = TACT_GEOM_ELLIPSOID,
    [TACT_MJCF_CYLINDER] = TACT_GEOM_CYLINDER,
    [TACT_MJCF_BOX] = TACT_GEOM_BOX,
    [TACT_MJCF_MESH] = TACT_GEOM_CONVEX,
    [TACT_MJCF_SDF] = TACT_GEOM_CONVEX,
};

/// NULL, with a message, if there is none.
static const TactMjcfAsset *find_asset(const TactMjcfAsset *list, const TactXmlNode *node,
                                       const char *attribute, const char *name)
{
    while (list && strcmp(list->name, name) != 0) {
        list = list->next;
    }
    if (!list) {
        tact_status_ignore(tact_xml_fail(node, attribute, TACT_BAD_INPUT, "there is no %s '%s'",
                                         attribute, name)); // NULL says that it failed
    }
    return list;
}

/// The colour of the material, unless the geom or site has its own.
static TactStatus colour(const TactMjcf *mjcf, const TactXmlNode *node, const char *material,
                         bool own, const double given[4], double rgba[4])
{
    memcpy(rgba, given, 4 * sizeof *rgba);
    if (material) {
        const TactMjcfAsset *asset = find_asset(mjcf->materials, node, "material", material);
        if (!asset) {
            return TACT_BAD_INPUT;
        }
        if (!own) {
            memcpy(rgba, asset->rgba, sizeof asset->rgba);
        }
    }
    return TACT_OK;
}

/// Does a pair name this geom, so that it touches whatever its bits say?
static bool is_in_pair(const TactMjcf *mjcf, const char *name)
{
    if (!name || !name[0]) {
        return false;
    }
    for (TactXmlNode *section = tact_xml_child(mjcf->root, "contact"); section;
         section = tact_xml_next(section, "contact")) {
        for (TactXmlNode *pair = tact_xml_child(section, "pair"); pair;
             pair = tact_xml_next(pair, "pair")) {
            const char *a = tact_xml_get(pair, "geom1");
            const char *b = tact_xml_get(pair, "geom2");
            if ((a && strncmp(name, a, strlen(a)) == 0) ||
                (b && strncmp(name, b, strlen(b)) == 0)) {
                return true; // or has it as the beginning of a replicated name
            }
        }
    }
    return false;
}

/// A shape in place of a mesh; the pose is then that of the shape.
static TactStatus fit(const TactXmlNode *node, const TactMjcfGeom *source,
                      const TactMjcfAsset *asset, bool bounds, TactGeomDesc *desc)
{
    TactTransform offset;
    TactStatus    status = tact_mjcf_fit(asset, source, bounds, desc->geom.size, &offset);
    if (status != TACT_OK) {
        char reason[256];
        snprintf(reason, sizeof reason, "%s", tact_status_message());
        return tact_xml_fail(node, "mesh", status, "'%s': %s", asset->name, reason);
    }
    desc->geom.type = types[source->shape];
    desc->geom.pose = tact_transform_multiply(desc->geom.pose, offset);
    return TACT_OK;
}

static TactStatus set_mesh(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfGeom *source,
                           const char *name, TactGeomDesc *desc)
{
    if (!source->mesh) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "a geom of type mesh needs a mesh");
    }
    const TactMjcfAsset *asset = find_asset(mjcf->meshes, node, "mesh", source->mesh);
    if (!asset) {
        return TACT_BAD_INPUT;
    }
    if (source->shape != TACT_MJCF_MESH && source->shape != TACT_MJCF_SDF) {
        return fit(node, source, asset, tact_mjcf_compiler(mjcf, node)->fit_boxes, desc);
    }
    desc->geom.mesh = asset->mesh;
    desc->mesh_inertia = asset->inertia;
    bool touches = source->contype != 0 || source->conaffinity != 0 || is_in_pair(mjcf, name);
    // What touches nothing needs no hull.
    desc->geom.type = asset->triangles || !touches ? TACT_GEOM_MESH : TACT_GEOM_CONVEX;
    memset(desc->geom.size, 0, sizeof desc->geom.size);
    if (source->shape == TACT_MJCF_SDF) {
        return tact_mjcf_note(mjcf, node, "type", TACT_VERDICT_APPROXIMATED,
                              "there are no distance fields: the hull of the mesh is taken");
    }
    return TACT_OK;
}

static TactStatus set_shape(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfGeom *source,
                            const char *name, TactGeomDesc *desc)
{
    memcpy(desc->geom.size, source->size, sizeof desc->geom.size);
    desc->geom.type = types[source->shape];
    if (source->mesh || source->shape == TACT_MJCF_MESH || source->shape == TACT_MJCF_SDF) {
        return set_mesh(mjcf, node, source, name, desc);
    }
    if (source->shape == TACT_MJCF_HFIELD) {
        if (!source->hfield) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                                 "a geom of type hfield needs an hfield");
        }
        desc->geom.mesh =
            tact_model_builder_find(mjcf->reader->builder, TACT_OBJECT_HEIGHTFIELD, source->hfield);
        if (desc->geom.mesh < 0) {
            return tact_xml_fail(node, "hfield", TACT_BAD_INPUT, "there is no hfield '%s'",
                                 source->hfield);
        }
        memset(desc->geom.size, 0, sizeof desc->geom.size);
    }
    return TACT_OK;
}

TactStatus tact_mjcf_add_geom(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                              TactTransform frame, int body, const char *name)
{
    TactMjcfGeom source = class->geom;
    TACT_TRY(tact_mjcf_read_geom(mjcf, node, &source));
    if (mjcf->only_pairs) {
        source.contype = source.conaffinity = 0;
    }
    TactGeomDesc  desc = tact_geom_default(TACT_GEOM_SPHERE);
    TactTransform pose;
    TACT_TRY(tact_mjcf_place(mjcf, node, &source.pose, source.shape, source.size, &pose));
    desc.geom.name = name;
    desc.geom.body = body;
    desc.geom.pose = tact_transform_multiply(frame, pose);
    TACT_TRY(set_shape(mjcf, node, &source, name, &desc));
    desc.geom.contact_type = source.contype;
    desc.geom.contact_affinity = source.conaffinity;
    desc.geom.condim = source.condim;
    desc.geom.priority = source.priority;
    desc.geom.mu = source.friction[0];
    desc.geom.torsional = source.friction[1];
    desc.geom.rolling = source.friction[2];
    desc.geom.margin = source.margin;
    desc.geom.gap = source.gap;
    TACT_TRY(tact_mjcf_fit_gap(mjcf, node, &desc.geom.margin, &desc.geom.gap));
    desc.geom.group = source.group;
    memcpy(desc.geom.surface_velocity, source.surface_velocity, sizeof source.surface_velocity);
    desc.geom.fluid_ellipsoid = source.fluid_shape == 1;
    bool solid = desc.geom.type < TACT_GEOM_CONVEX && desc.geom.type != TACT_GEOM_PLANE;
    if (desc.geom.fluid_ellipsoid && !solid) {
        desc.geom.fluid_ellipsoid = false;
        TACT_TRY(tact_mjcf_note(mjcf, node, "fluidshape", TACT_VERDICT_APPROXIMATED,
                                "a mesh has no ellipsoid: the fluid acts on the inertia box of the "
                                "body"));
    }
    memcpy(desc.geom.fluid, source.fluid, sizeof source.fluid);
    desc.mass = source.mass;
    desc.density = source.density;
    desc.shell = source.shell;
    TACT_TRY(colour(mjcf, node, source.material, source.has_rgba, source.rgba, desc.geom.rgba));
    return tact_model_builder_add_geom(mjcf->reader->builder, &desc, tact_xml_source(node), NULL);
}

static TactStatus remember_site(TactMjcf *mjcf, int index, TactMjcfPlace place)
{
    if (index >= mjcf->site_room) {
        if (index > INT_MAX / 4) {
            return tact_fail(TACT_NO_MEMORY, "too many sites");
        }
        int   room = index < 32 ? 64 : 2 * index;
        void *block;
        TACT_TRY(tact_allocate((size_t)room, sizeof place, &block));
        if (mjcf->sites) {
            memcpy(block, mjcf->sites, (size_t)mjcf->site_room * sizeof place);
        }
        tact_release(mjcf->sites);
        mjcf->sites = block;
        mjcf->site_room = room;
    }
    mjcf->sites[index] = place;
    return TACT_OK;
}

TactStatus tact_mjcf_add_site(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                              TactTransform frame, int body, const char *name)
{
    TactMjcfSite source = class->site;
    TACT_TRY(tact_mjcf_read_site(mjcf, node, &source));
    TactSite      site = tact_site_default();
    TactTransform pose;
    TACT_TRY(tact_mjcf_place(mjcf, node, &source.pose, source.shape, source.size, &pose));
    site.name = name;
    site.body = body;
    site.pose = tact_transform_multiply(frame, pose);
    site.type = types[source.shape];
    if (source.shape == TACT_MJCF_MESH || source.shape == TACT_MJCF_SDF ||
        source.shape == TACT_MJCF_HFIELD) {
        site.type = TACT_GEOM_SPHERE; // drawing only
    }
    memcpy(site.size, source.size, sizeof site.size);
    site.group = source.group;
    TACT_TRY(colour(mjcf, node, source.material, source.has_rgba, source.rgba, site.rgba));
    int index;
    TACT_TRY(
        tact_model_builder_add_site(mjcf->reader->builder, &site, tact_xml_source(node), &index));
    return remember_site(mjcf, index, (TactMjcfPlace){body, site.pose});
}

// ---------------------------------------------------------------------------------------------
// Cameras

// They are replicated as things of a type of their own.
static const TactObject CAMERA = TACT_OBJECT_COUNT;

static TactMjcfEye *find_eye(const TactMjcf *mjcf, const char *name)
{
    TactMjcfEye *eye = mjcf->eyes;
    while (eye && strcmp(eye->name, name) != 0) {
        eye = eye->next;
    }
    return eye;
}

TactStatus tact_mjcf_add_camera(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                                TactTransform frame, int body, TactMjcfRound round)
{
    TactMjcfCamera camera = class->camera;
    TactTransform  pose;
    TactMjcfEye   *eye = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *eye);
    if (!eye) {
        return TACT_NO_MEMORY;
    }
    *eye = (TactMjcfEye){.next = mjcf->eyes, .site = -1, .node = node};
    TACT_TRY(tact_mjcf_read_camera(mjcf, node, &camera));
    TACT_TRY(tact_mjcf_transform(mjcf, node, &camera.pose, &pose));
    TACT_TRY(tact_mjcf_name(mjcf, node, CAMERA, round, &eye->name));
    if (eye->name[0] && find_eye(mjcf, eye->name)) {
        return tact_xml_fail(node, "name", TACT_BAD_INPUT, "there is a camera '%s' already",
                             eye->name);
    }
    eye->place = (TactMjcfPlace){body, tact_transform_multiply(frame, pose)};
    eye->follows = camera.mode != 0;
    mjcf->eyes = eye;
    return TACT_OK;
}

TactStatus tact_mjcf_find_camera(TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                                 TactMjcfRound round, int *site)
{
    enum { HIDDEN = 5 }; // a group of sites that are not shown

    const char *name;
    TACT_TRY(tact_xml_need(node, attribute, &name));
    const char *whole = round.suffix[0] ? tact_mjcf_suffixed(mjcf, name, round.suffix) : name;
    if (!whole) {
        return TACT_NO_MEMORY;
    }
    TactMjcfEye *eye = find_eye(mjcf, whole);
    eye = eye ? eye : find_eye(mjcf, name);
    if (!eye) {
        return tact_xml_fail(node, attribute, TACT_BAD_INPUT, "there is no camera '%s'", name);
    }
    if (!eye->follows && eye->site < 0) {
        TactSite made = tact_site_default();
        made.name = tact_attach_join(mjcf->xml, "camera:", eye->name);
        made.body = eye->place.body;
        made.pose = eye->place.pose;
        made.group = HIDDEN;
        if (!made.name) {
            return TACT_NO_MEMORY;
        }
        TACT_TRY(tact_model_builder_add_site(mjcf->reader->builder, &made,
                                             tact_xml_source(eye->node), &eye->site));
    }
    *site = eye->site;
    return TACT_OK;
}
