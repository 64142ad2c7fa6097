// The plugins of MuJoCo that tact knows by name. Their settings are <config key value/> elements of
// the plugin itself, or of an instance of it in <extension> that it names.
#include "io/plugin/plugin.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static const double PI = 3.14159265358979323846;

/// The <instance> that a plugin names, in the file that it is from; NULL: it names none, or there
/// is none of that name.
static const TactXmlNode *find_instance(const TactMjcf *mjcf, const TactXmlNode *node)
{
    const char *wanted = tact_xml_get(node, "instance");
    for (const TactXmlNode *top = tact_xml_child(mjcf->root, "extension"); top && wanted;
         top = tact_xml_next(top, "extension")) {
        for (const TactXmlNode *at = top->first; at; at = tact_xml_following(top, at)) {
            const char *name = tact_xml_is(at, "instance") ? tact_xml_get(at, "name") : NULL;
            if (name && at->model == node->model && strcmp(name, wanted) == 0) {
                return at;
            }
        }
    }
    return NULL;
}

const char *tact_mjcf_plugin_name(const TactMjcf *mjcf, const TactXmlNode *node)
{
    const char        *name = tact_xml_get(node, "plugin");
    const TactXmlNode *instance = name ? NULL : find_instance(mjcf, node);
    name = instance ? tact_xml_get(instance->parent, "plugin") : name;
    return name ? name : "";
}

bool tact_mjcf_is_known_plugin(const TactMjcf *mjcf, const TactXmlNode *node)
{
    const char *name = tact_mjcf_plugin_name(mjcf, node);
    bool        cable = strcmp(name, TACT_MJCF_CABLE) == 0, pid = strcmp(name, TACT_MJCF_PID) == 0;
    if (tact_xml_is(node->parent, "extension")) {
        return cable || pid;
    }
    if (tact_xml_is(node->parent, "actuator")) {
        return pid;
    }
    return cable && (tact_xml_is(node->parent, "composite") || tact_xml_is(node->parent, "body"));
}

/// The value of a setting; NULL: not given.
static const TactXmlNode *find_setting(const TactMjcf *mjcf, const TactXmlNode *node,
                                       const char *key)
{
    const TactXmlNode *instance = find_instance(mjcf, node);
    const TactXmlNode *from = instance ? instance : node;
    for (const TactXmlNode *at = tact_xml_child(from, "config"); at;
         at = tact_xml_next(at, "config")) {
        const char *word = tact_xml_get(at, "key");
        if (word && strcmp(word, key) == 0 && tact_xml_get(at, "value")) {
            return at;
        }
    }
    return NULL;
}

TactStatus tact_mjcf_plugin_real(const TactMjcf *mjcf, const TactXmlNode *node, const char *key,
                                 double *value, bool *given)
{
    const TactXmlNode *at = find_setting(mjcf, node, key);
    *given = at != NULL;
    return at ? tact_xml_reals(mjcf->xml, at, "value", 1, 1, value, NULL) : TACT_OK;
}

TactStatus tact_mjcf_check_plugin(const TactMjcf *mjcf, const TactXmlNode *node, const char *known)
{
    const TactXmlNode *instance = find_instance(mjcf, node);
    if (tact_xml_get(node, "instance") && !instance && !tact_xml_child(node, "config")) {
        return tact_xml_fail(node, "instance", TACT_BAD_INPUT, "there is no such instance");
    }
    for (const TactXmlNode *at = tact_xml_child(instance ? instance : node, "config"); at;
         at = tact_xml_next(at, "config")) {
        const char *key;
        TACT_TRY(tact_xml_need(at, "key", &key));
        if (!strstr(known, key)) {
            return tact_xml_fail(at, "key", TACT_BAD_INPUT, "'%.40s' is none of:%s", key, known);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Cables: mujoco.elasticity.cable

/// The element of a cable in a body; NULL: it has none.
static const TactXmlNode *cable_of(const TactMjcf *mjcf, const TactXmlNode *body)
{
    for (const TactXmlNode *at = tact_xml_child(body, "plugin"); at;
         at = tact_xml_next(at, "plugin")) {
        if (strcmp(tact_mjcf_plugin_name(mjcf, at), TACT_MJCF_CABLE) == 0) {
            return at;
        }
    }
    return NULL;
}

static const TactXmlNode *body_around(const TactXmlNode *node)
{
    while (node && !tact_xml_is(node, "body")) {
        node = node->parent;
    }
    return node;
}

/// Bodies of one instance are pieces of one cable.
static bool are_one(const TactXmlNode *a, const TactXmlNode *b)
{
    const char *one = tact_xml_get(a, "instance"), *other = tact_xml_get(b, "instance");
    return one && other && strcmp(one, other) == 0;
}

/// Twist and bend of the cross-section of the first geom: J, I_y, I_z, of a circle of radius r
///     pi r^4 / 2, pi r^4 / 4, pi r^4 / 4
/// and of a rectangle with the half-lengths h along y and w along z, a the larger, b the smaller,
///     a b^3 (16/3 - 3.36 b/a (1 - b^4 / (12 a^4))), 4 h w^3 / 3, 4 w h^3 / 3.
static TactStatus find_section(const TactMjcf *mjcf, const TactXmlNode *body,
                               const TactMjcfClass *outer, double section[3])
{
    const TactXmlNode *node = body->first;
    while (node && !tact_xml_is(node, "geom")) {
        node = tact_xml_is(node, "frame") ? tact_xml_following(body, node)
                                          : tact_xml_following_beside(body, node);
    }
    section[0] = section[1] = section[2] = 0;
    if (!node) {
        return TACT_OK;
    }
    const TactMjcfClass *class;
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", outer, &class));
    TactMjcfGeom geom = class->geom;
    TACT_TRY(tact_mjcf_read_geom(mjcf, node, &geom));
    if (geom.shape == TACT_MJCF_CAPSULE || geom.shape == TACT_MJCF_CYLINDER) {
        double square = geom.size[0] * geom.size[0];
        section[0] = PI / 2 * square * square;
        section[1] = section[2] = PI / 4 * square * square;
    } else if (geom.shape == TACT_MJCF_BOX) {
        double h = geom.size[1], w = geom.size[2], a = fmax(h, w), b = fmin(h, w), ratio = b / a;
        section[0] =
            a * b * b * b * (16.0 / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
        section[1] = 4.0 / 3 * h * w * w * w;
        section[2] = 4.0 / 3 * w * h * h * h;
    }
    return TACT_OK;
}

TactStatus tact_mjcf_bend_joint(TactMjcf *mjcf, const TactXmlNode        *element,
                                const TactMjcfClass *class, TactTransform pose, TactJoint *joint)
{
    const TactXmlNode *body = body_around(element);
    const TactXmlNode *cable = body ? cable_of(mjcf, body) : NULL;
    const TactXmlNode *before = cable ? body_around(body->parent) : NULL;
    const TactXmlNode *other = before ? cable_of(mjcf, before) : NULL;
    double             moduli[2] = {0}, section[3], length = tact_vec3_norm(pose.position);
    bool               given;
    if (!cable) {
        return TACT_OK;
    }
    TACT_TRY(tact_mjcf_check_plugin(mjcf, cable, " twist bend flat vmax"));
    TACT_TRY(tact_mjcf_plugin_real(mjcf, cable, "twist", &moduli[0], &given));
    TACT_TRY(tact_mjcf_plugin_real(mjcf, cable, "bend", &moduli[1], &given));
    if (!other || !are_one(cable, other) || mjcf->springs_off) {
        return TACT_OK; // its first piece
    }
    if (joint->type != TACT_JOINT_BALL || !(length > 0)) {
        return tact_mjcf_note(mjcf, cable, "", TACT_VERDICT_IGNORED,
                              "pieces of a cable bend at a ball joint, away from the one before");
    }
    TACT_TRY(find_section(mjcf, body, class, section));
    const TactXmlNode *flat = find_setting(mjcf, cable, "flat");
    if (!flat || strcmp(tact_xml_get(flat, "value"), "true") != 0) {
        joint->bend_rest = tact_quat_log(pose.rotation);
    }
    joint->bend[0] = moduli[0] * section[0] / length;
    joint->bend[1] = moduli[1] * section[1] / length;
    joint->bend[2] = moduli[1] * section[2] / length;
    return TACT_OK;
}
