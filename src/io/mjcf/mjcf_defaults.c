// Classes of defaults.
#include <string.h>

#include "base/status.h"
#include "io/composite/composite.h"
#include "io/mjcf/mjcf.h"

/// What holds where no class says anything: the defaults of the format.
static void set_main(TactMjcfClass *class)
{
    TactGeomDesc     geom = tact_geom_default(TACT_GEOM_SPHERE);
    TactSite         site = tact_site_default();
    TactActuatorDesc actuator = tact_actuator_default();
    TactTendon       tendon = tact_tendon_default();
    class->geom = (TactMjcfGeom){
        .pose = tact_mjcf_pose_identity(),
        .shape = TACT_MJCF_SPHERE,
        .contype = geom.geom.contact_type,
        .conaffinity = geom.geom.contact_affinity,
        .condim = geom.geom.condim,
        .friction = {geom.geom.mu, geom.geom.torsional, geom.geom.rolling},
        .mass = -1,
        .density = geom.density,
        .fitscale = 1,
    };
    memcpy(class->geom.fluid, geom.geom.fluid, sizeof class->geom.fluid);
    memcpy(class->geom.rgba, geom.geom.rgba, sizeof class->geom.rgba);
    class->site = (TactMjcfSite){.pose = tact_mjcf_pose_identity(), .shape = TACT_MJCF_SPHERE};
    memcpy(class->site.size, site.size, sizeof class->site.size);
    memcpy(class->site.rgba, site.rgba, sizeof class->site.rgba);
    class->camera = (TactMjcfCamera){.pose = tact_mjcf_pose_identity()};
    class->joint = (TactMjcfJoint){
        .type = TACT_JOINT_HINGE,
        .axis = {0, 0, 1},
        .limited = TACT_MJCF_AUTO,
        .force_limited = TACT_MJCF_AUTO,
    };
    class->mesh = (TactMjcfMesh){.scale = {1, 1, 1}, .inertia = TACT_MESH_INERTIA_LEGACY};
    for (int i = 0; i < 4; i++) {
        class->material_rgba[i] = 1;
    }
    class->pair = (TactMjcfPair){.condim = 3, .friction = {1, 1, 0.005, 0.0001, 0.0001}};
    class->equality_active = true;
    class->equality_solref[0] = 0.02;
    class->equality_solref[1] = 1;
    class->tendon = (TactMjcfTendon){
        .limited = TACT_MJCF_AUTO,
        .force_limited = TACT_MJCF_AUTO,
        .spring_length = {tendon.spring_range[0], tendon.spring_range[1]},
    };
    class->actuator = (TactMjcfActuator){
        .ctrl_limited = TACT_MJCF_AUTO,
        .force_limited = TACT_MJCF_AUTO,
        .gain_law = TACT_MJCF_LAW_CONSTANT,
        .bias_law = TACT_MJCF_LAW_NONE,
        .gain = {1},
        .activation = {1},
        .act_limited = TACT_MJCF_AUTO,
    };
    memcpy(class->actuator.gear, actuator.actuator.gear, sizeof class->actuator.gear);
}

static TactMjcfClass *find_class(const TactMjcf *mjcf, const char *name)
{
    TactMjcfClass *class = mjcf->classes;
    while (class && strcmp(class->name, name) != 0) {
        class = class->next;
    }
    return class;
}

static TactMjcfClass *add_class(TactMjcf *mjcf, const char *name, const TactMjcfClass *parent)
{
    TactMjcfClass *class = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *class);
    if (!class) {
        return NULL;
    }
    if (parent) {
        *class = *parent;
    } else {
        set_main(class);
    }
    class->name = name;
    class->next = NULL;
    if (mjcf->last_class) {
        mjcf->last_class->next = class;
    } else {
        mjcf->classes = class;
    }
    mjcf->last_class = class;
    return class;
}

/// One element of a class.
static TactStatus read_element(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfClass *class)
{
    if (tact_xml_is(node, "geom")) {
        return tact_mjcf_read_geom(mjcf, node, &class->geom);
    }
    if (tact_xml_is(node, "site")) {
        return tact_mjcf_read_site(mjcf, node, &class->site);
    }
    if (tact_xml_is(node, "joint")) {
        return tact_mjcf_read_joint(mjcf, node, &class->joint);
    }
    if (tact_xml_is(node, "mesh")) {
        return tact_mjcf_read_mesh(mjcf, node, &class->mesh);
    }
    if (tact_xml_is(node, "material")) {
        return tact_xml_reals(mjcf->xml, node, "rgba", 4, 4, class->material_rgba, NULL);
    }
    if (tact_xml_is(node, "pair")) {
        return tact_mjcf_read_pair(mjcf, node, &class->pair);
    }
    if (tact_xml_is(node, "equality")) {
        TACT_TRY(tact_xml_reals(mjcf->xml, node, "solref", 1, 2, class->equality_solref, NULL));
        return tact_xml_bool(node, "active", &class->equality_active);
    }
    if (tact_xml_is(node, "tendon")) {
        return tact_mjcf_read_tendon(mjcf, node, &class->tendon);
    }
    if (tact_mjcf_is_actuator(node)) {
        return tact_mjcf_read_actuator(mjcf, node, &class->actuator);
    }
    if (tact_xml_is(node, "camera")) {
        return tact_mjcf_read_camera(mjcf, node, &class->camera);
    }
    return TACT_OK; // light
}

/// The class of a default element, whose parents are there already.
static TactStatus open_class(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfClass **class)
{
    const char *name = tact_xml_get(node, "class");
    *class = NULL;
    if (node->parent == mjcf->root && node->model > 0) {
        *class = mjcf->compilers[node->model].main;
        return TACT_OK;
    }
    if (node->parent == mjcf->root) {
        if (name && name[0] && strcmp(name, "main") != 0 && mjcf->classes->name[0] &&
            strcmp(mjcf->classes->name, name) != 0) {
            return tact_xml_fail(node, "class", TACT_BAD_INPUT,
                                 "the outermost class is '%s' already", mjcf->classes->name);
        }
        if (name && name[0]) {
            mjcf->classes->name = name;
        }
        *class = mjcf->classes;
        return TACT_OK;
    }
    TACT_TRY(tact_xml_need(node, "class", &name));
    if (find_class(mjcf, name) || strcmp(name, "main") == 0) {
        return tact_xml_fail(node, "class", TACT_BAD_INPUT, "there is a class '%s' already", name);
    }
    const char    *above = tact_xml_get(node->parent, "class");
    TactMjcfClass *parent = node->parent->parent == mjcf->root || !above
                                ? mjcf->compilers[node->model].main
                                : find_class(mjcf, above);
    *class = parent ? add_class(mjcf, name, parent) : NULL;
    return *class ? TACT_OK : TACT_NO_MEMORY;
}

TactStatus tact_mjcf_defaults(TactMjcf *mjcf)
{
    for (int k = 0; k < mjcf->attachments.count; k++) { // what is attached has its own main class
        TactMjcfCompiler *compiler = &mjcf->compilers[k];
        compiler->main = add_class(mjcf, mjcf->attachments.models[k].main, NULL);
        if (!compiler->main) {
            return TACT_NO_MEMORY;
        }
        compiler->main->mesh.inertia =
            compiler->exact_meshes ? TACT_MESH_INERTIA_EXACT : TACT_MESH_INERTIA_LEGACY;
    }
    mjcf->plain = add_class(mjcf, TACT_COMPOSITE_CLASS, NULL);
    if (!mjcf->plain) {
        return TACT_NO_MEMORY;
    }
    for (TactXmlNode *top = tact_xml_child(mjcf->root, "default"); top;
         top = tact_xml_next(top, "default")) {
        // In document order a class comes before those inside it; its elements are all read before
        // them, wherever they stand.
        for (TactXmlNode *node = top; node;) {
            if (!tact_xml_is(node, "default")) {
                node = tact_xml_following_beside(top, node);
                continue;
            }
            TactMjcfClass *class;
            TACT_TRY(open_class(mjcf, node, &class));
            for (TactXmlNode *child = node->first; child; child = child->next) {
                if (!tact_xml_is(child, "default")) {
                    TACT_TRY(read_element(mjcf, child, class));
                }
            }
            node = tact_xml_following(top, node);
        }
    }
    return TACT_OK;
}

/// The class of what composites are made of, with or without the prefix of a file that is attached.
static bool is_of_composite(const char *name)
{
    size_t length = strlen(name), own = strlen(TACT_COMPOSITE_CLASS);
    return length >= own && strcmp(name + length - own, TACT_COMPOSITE_CLASS) == 0;
}

TactStatus tact_mjcf_class(const TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                           const TactMjcfClass *otherwise, const TactMjcfClass **class)
{
    const char *name = tact_xml_get(node, attribute);
    *class = otherwise;
    if (!name) {
        return TACT_OK;
    }
    if (is_of_composite(name)) {
        *class = mjcf->plain;
        return TACT_OK;
    }
    *class =
        strcmp(name, "main") == 0 ? tact_mjcf_compiler(mjcf, node)->main : find_class(mjcf, name);
    return *class ? TACT_OK
                  : tact_xml_fail(node, attribute, TACT_BAD_INPUT, "there is no class '%s'", name);
}
