// What becomes of every element and attribute of a URDF.
//
// One table says what is honoured in general; what depends on values was noted while it was read
// and replaces that. Elements that are not in the table are ignored, with all that is in them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

typedef struct Rule {
    const char *parent;
    const char *element;
    const char *attributes; // that are honoured, between blanks; NULL: the whole element is not
    const char *text;       // why not
    bool        physics;    // that would bear on the motion
    bool        many;       // may be there more than once; of others the first one counts
} Rule;

static const char rigid[] = "contact is rigid";
static const char bounce[] = "nothing bounces unless asked to (tact run --restitution)";
static const char controller[] = "a matter of controllers";
static const char looks[] = "looks only";
static const char unknown[] = "not known";
static const char rates[] = " velocity acceleration deceleration jerk "; // of a <limit>
static const char frame[] = "a frame alone, where no body is";
static const char users[] = "data of its users";
static const char planners[] = "for planners: it is <collision> that touches";
static const char torsional[] = "it is <collision><surface><friction><torsional> that says so";

static const Rule rules[] = {
    {"", "robot", " name version ", "", false, false},
    {"robot", "link", " name ", "", false, true},
    {"robot", "joint", " name type dont_collapse ", "", false, true}, // all links are kept
    {"robot", "material", " name ", "", false, true},
    {"robot", "gazebo", " reference ", "", false, true},
    {"robot", "transmission", NULL, "no actuator is made of it", false, true},
    {"robot", "ros2_control", NULL, "no actuator is made of it", false, true},
    {"robot", "sensor", NULL, "no sensor is made of it", false, true},
    {"robot", "fixed_frame", NULL, frame, false, true},
    {"robot", "frame", NULL, frame, false, true},
    {"robot", "bullet", NULL, users, false, true},
    {"robot", "mujoco", NULL, "only where meshes are is taken of it", true, true},
    {"link", "inertial", " ", "", false, false},
    {"link", "visual", " name ", "", false, true},
    {"link", "collision", " name concave ", "", false, true},
    {"link", "self_collision_checking", NULL, planners, false, true},
    {"link", "collision_checking", NULL, planners, false, true},
    {"link", "verbose", NULL, "says nothing of the robot", false, true},
    {"link", "bullet", NULL, users, false, true},
    {"link", "contact", " ", "", false, false},
    {"contact", "lateral_friction", " value ", "", false, false},
    {"contact", "rolling_friction", " value ", "", false, false},
    {"contact", "spinning_friction", " value ", "", false, false},
    {"contact", "restitution", NULL, bounce, true, false},
    {"contact", "inertia_scaling", NULL, "inertias are as the file has them", true, false},
    {"contact", "friction_anchor", NULL, "friction holds without", false, false},
    {"contact", "stiffness", NULL, rigid, true, false},
    {"contact", "damping", NULL, rigid, true, false},
    {"contact", "contact_cfm", NULL, rigid, true, false},
    {"contact", "contact_erp", NULL, rigid, true, false},
    {"inertial", "origin", " xyz rpy ", "", false, false},
    {"inertial", "mass", " value ", "", false, false},
    {"inertial", "inertia", " ixx iyy izz ixy ixz iyz iyx izx izy ", "", false, false},
    {"visual", "origin", " xyz rpy ", "", false, false},
    {"visual", "geometry", " ", "", false, false},
    {"visual", "material", " name ", "", false, false},
    {"material", "color", " rgba ", "", false, false},
    {"material", "texture", NULL, looks, false, false},
    {"collision", "origin", " xyz rpy ", "", false, false},
    {"collision", "geometry", " ", "", false, false},
    {"collision", "material", NULL, looks, false, false},
    {"collision", "sdf", NULL, "the mesh touches by its triangles", false, false},
    {"collision", "verbose", NULL, "says nothing of the robot", false, false},
    {"geometry", "box", " size ", "", false, false},
    {"geometry", "sphere", " radius ", "", false, false},
    {"geometry", "cylinder", " radius length ", "", false, false},
    {"geometry", "capsule", " radius length ", "", false, false},
    {"geometry", "plane", " normal ", "", false, false},
    {"geometry", "mesh", " filename scale ", "", false, false},
    {"joint", "origin", " xyz rpy ", "", false, false},
    {"joint", "parent", " link ", "", false, false},
    {"joint", "child", " link ", "", false, false},
    {"joint", "axis", " xyz ", "", false, false},
    {"joint", "limit", " lower upper effort ", "", false, false},
    {"joint", "dynamics", " damping friction ", "", false, false},
    {"joint", "mimic", " joint multiplier offset ", "", false, false},
    {"joint", "safety_controller", NULL, controller, false, false},
    {"joint", "calibration", NULL, controller, false, false},
    {"joint", "hardwareInterface", NULL, controller, false, true},
    {"gazebo", "mu1", " value ", "", false, false},
    {"gazebo", "mu2", " value ", "", false, false},
    {"gazebo", "turnGravityOff", " value ", "", false, false},
    {"gazebo", "gravity", " value ", "", false, false},
    {"gazebo", "preserveFixedJoint", " ", "", false, false},       // all links are kept
    {"gazebo", "disableFixedJointLumping", " ", "", false, false}, // all links are kept
    {"gazebo", "material", NULL, looks, false, true},
    {"gazebo", "visual", NULL, looks, false, true},
    {"gazebo", "sensor", NULL, "no sensor is made of it", false, true},
    {"gazebo", "provideFeedback", NULL, controller, false, true},
    {"gazebo", "mu", NULL, "it is mu1 and mu2 that say friction", true, true},
    {"gazebo", "fdir1", NULL, "friction is the same in all directions", true, true},
    {"gazebo", "slip1", NULL, "friction is Coulomb's", true, true},
    {"gazebo", "slip2", NULL, "friction is Coulomb's", true, true},
    {"gazebo", "torsional_friction", NULL, torsional, true, true},
    {"gazebo", "rolling_friction", NULL, "Gazebo's links do not resist rolling", true, true},
    {"gazebo", "collision", " name ", "", false, true},
    {"collision", "surface", " ", "", false, false},
    {"surface", "friction", " ", "", false, false},
    {"friction", "torsional", " ", "", false, false},
    {"friction", "ode", NULL, "it is mu1 and mu2 that say friction", true, false},
    {"friction", "bullet", NULL, "it is mu1 and mu2 that say friction", true, false},
    {"torsional", "coefficient", " ", "", false, false},
    {"torsional", "patch_radius", " ", "", false, false},
    {"torsional", "use_patch_radius", " ", "", false, false},
    {"torsional", "surface_radius", NULL, "it is patch_radius that counts", true, false},
    {"torsional", "ode", NULL, "friction is Coulomb's", true, false},
    {"surface", "contact", NULL, rigid, true, false},
    {"surface", "bounce", NULL, bounce, true, false},
    {"gazebo", "restitution_coefficient", NULL, bounce, true, true},
    {"gazebo", "bounce", NULL, bounce, true, true},
    {"gazebo", "soft_cfm", NULL, rigid, true, true},
    {"gazebo", "soft_erp", NULL, rigid, true, true},
    {"gazebo", "stopCfm", NULL, "limits are rigid", true, true},
    {"gazebo", "stopErp", NULL, "limits are rigid", true, true},
    {"gazebo", "fudgeFactor", NULL, "a matter of Gazebo's solver", false, true},
    {"gazebo", "implicitSpringDamper", NULL, "damping of joints is implicit", false, true},
    {"gazebo", "cfmDamping", NULL, "damping of joints is implicit", false, true},
    {"gazebo", "dampingFactor", NULL, "damping is that of joints", true, true},
    {"gazebo", "springStiffness", NULL, "a joint of a URDF has no spring", true, true},
    {"gazebo", "springReference", NULL, "a joint of a URDF has no spring", true, true},
    {"gazebo", "static", NULL, "tact run holds the root link anyway", false, true},
    {"gazebo", "laserRetro", NULL, looks, false, true},
    {"gazebo", "kp", NULL, rigid, true, true},
    {"gazebo", "kd", NULL, rigid, true, true},
    {"gazebo", "minDepth", NULL, rigid, true, true},
    {"gazebo", "maxVel", NULL, rigid, true, true},
    {"gazebo", "maxContacts", NULL, "all contacts count", true, true},
    {"gazebo", "selfCollide", NULL, "links collide unless joined by a joint", true, true},
    {"gazebo", "self_collide", NULL, "links collide unless joined by a joint", true, true},
    {"gazebo", "light", NULL, looks, false, true},
    {"gazebo", "plugin", NULL, "plugins are not run", true, true},
};

enum { RULES = sizeof rules / sizeof rules[0] };

// ---------------------------------------------------------------------------------------------
// What was noted while reading

TactStatus tact_urdf_note(TactUrdf *urdf, const TactXmlNode *node, const char *attribute,
                          TactVerdict verdict, bool physics, const char *text)
{
    TactUrdfNote *note = tact_xml_pool_take(&urdf->xml->pool, 1, sizeof *note);
    if (!note) {
        return TACT_NO_MEMORY;
    }
    *note = (TactUrdfNote){.node = node,
                           .attribute = attribute,
                           .verdict = verdict,
                           .physics = physics,
                           .text = text,
                           .next = urdf->specials};
    urdf->specials = note;
    urdf->special_count++;
    return TACT_OK;
}

/// By the place of the node in memory, then by attribute.
static int compare_notes(const void *a, const void *b)
{
    const TactUrdfNote *first = a;
    const TactUrdfNote *second = b;
    uintptr_t           left = (uintptr_t)first->node;
    uintptr_t           right = (uintptr_t)second->node;
    return left != right ? (left > right) - (left < right)
                         : strcmp(first->attribute, second->attribute);
}

typedef struct Specials {
    TactUrdfNote *notes; // sorted
    size_t        count;
} Specials;

static TactStatus sort_specials(const TactUrdf *urdf, Specials *specials)
{
    size_t count = (size_t)urdf->special_count;
    size_t i = 0;
    specials->count = count;
    specials->notes = tact_xml_pool_take(&urdf->xml->pool, count + 1, sizeof *specials->notes);
    if (!specials->notes) {
        return TACT_NO_MEMORY;
    }
    for (const TactUrdfNote *note = urdf->specials; note; note = note->next) {
        specials->notes[i++] = *note;
    }
    qsort(specials->notes, count, sizeof *specials->notes, compare_notes);
    return TACT_OK;
}

static const TactUrdfNote *find_special(const Specials *specials, const TactXmlNode *node,
                                        const char *attribute)
{
    TactUrdfNote wanted = {.node = node, .attribute = attribute};
    return bsearch(&wanted, specials->notes, specials->count, sizeof wanted, compare_notes);
}

// ---------------------------------------------------------------------------------------------
// All notes

static const Rule *find_rule(const TactXmlNode *node)
{
    const char *parent = node->parent ? node->parent->name : "";
    for (int i = 0; i < RULES; i++) {
        if (strcmp(rules[i].element, node->name) == 0 && strcmp(rules[i].parent, parent) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

/// Is there a sibling of that name before it, or, of shapes, any sibling?
static bool is_second(const TactXmlNode *node)
{
    const TactXmlNode *first = node->parent ? node->parent->first : node;
    if (node->parent && tact_xml_is(node->parent, "geometry")) {
        return first != node;
    }
    while (first != node && strcmp(first->name, node->name) != 0) {
        first = first->next;
    }
    return first != node;
}

/// Is it in a <visual> or a <material>?
static bool is_look(const TactXmlNode *node)
{
    while (node && !tact_xml_is(node, "visual") && !tact_xml_is(node, "material")) {
        node = node->parent;
    }
    return node != NULL;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word)) {
        if (at > words && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

static TactStatus note(const TactUrdf *urdf, const TactXmlNode *node, const char *attribute,
                       TactVerdict verdict, bool physics, const char *text)
{
    return tact_model_reader_note(urdf->reader, node, attribute, verdict, physics, text);
}

static bool says_zero(const TactXml *xml, const TactXmlNode *node, const char *attribute)
{
    enum { MOST = 8 };
    double      values[MOST];
    int         count = 0;
    const char *text = tact_xml_get(node, attribute);
    if (!text ||
        tact_xml_parse_reals(xml, node, attribute, text, 1, MOST, values, &count) != TACT_OK) {
        return !text;
    }
    for (int i = 0; i < count; i++) {
        if (values[i] != 0) {
            return false;
        }
    }
    return true;
}

/// Its value attribute, or its text; NULL: it is not there.
static const char *friction_text(const TactXmlNode *node)
{
    const char *value = node ? tact_xml_get(node, "value") : NULL;
    return value ? value : node ? node->text : NULL;
}

static TactStatus note_attribute(const TactUrdf *urdf, const Specials *specials, const Rule *rule,
                                 const TactXmlNode *node, const char *attribute)
{
    const TactUrdfNote *special = find_special(specials, node, attribute);
    if (special) {
        return note(urdf, node, attribute, special->verdict, special->physics, special->text);
    }
    if (has_word(rule->attributes, attribute)) {
        return note(urdf, node, attribute, TACT_VERDICT_HONOURED, true, "");
    }
    if (strncmp(attribute, "xmlns", 5) == 0) {
        return TACT_OK;
    }
    if (tact_xml_is(node, "origin") && strcmp(attribute, "quat_xyzw") == 0) {
        return tact_urdf_has_quat(urdf, node)
                   ? note(urdf, node, attribute, TACT_VERDICT_HONOURED, true, "")
                   : note(urdf, node, attribute, TACT_VERDICT_IGNORED, true,
                          "it is known from version 1.1 on: <robot version=\"1.1\">");
    }
    if (tact_xml_is(node, "limit") && has_word(rates, attribute)) {
        return note(urdf, node, attribute, TACT_VERDICT_IGNORED, true,
                    strcmp(attribute, "velocity") == 0 ? "no force enforces a speed limit"
                                                       : "no force enforces it");
    }
    bool zero = tact_xml_is(node, "axis") && strcmp(attribute, "rpy") == 0 &&
                says_zero(urdf->xml, node, attribute); // a frame of its own, which is none
    return note(urdf, node, attribute, TACT_VERDICT_IGNORED, !zero, unknown);
}

/// Does an element that is ignored say nothing that would bear on the motion? A direction of
/// friction that is the same in all directions; properties of joints, of an older format, that are
/// zero.
static bool says_nothing(const TactXml *xml, const TactXmlNode *node)
{
    if (tact_xml_is(node, "joint_properties")) {
        bool zero = true;
        for (int i = 0; i < node->attribute_count; i++) {
            zero = zero && says_zero(xml, node, node->attributes[i].name);
        }
        return zero && !node->first;
    }
    if (tact_xml_is(node, "fdir1") && node->parent) {
        const char *mu1 = friction_text(tact_xml_child(node->parent, "mu1"));
        const char *mu2 = friction_text(tact_xml_child(node->parent, "mu2"));
        return mu1 && mu2 && strcmp(mu1, mu2) == 0;
    }
    return false;
}

/// inside: are the children of the node to be noted too?
static TactStatus note_node(const TactUrdf *urdf, const Specials *specials, const TactXmlNode *node,
                            bool *inside)
{
    const Rule         *rule = find_rule(node);
    const TactUrdfNote *special = find_special(specials, node, "");
    *inside = rule && rule->attributes;
    if (!rule && special) {
        return note(urdf, node, "", special->verdict, special->physics, special->text);
    }
    if (!rule) {
        bool physics = !is_look(node) && !says_nothing(urdf->xml, node);
        return note(urdf, node, "", TACT_VERDICT_IGNORED, physics, unknown);
    }
    if (!*inside) {
        bool physics = rule->physics && !says_nothing(urdf->xml, node);
        return note(urdf, node, "", TACT_VERDICT_IGNORED, physics, rule->text);
    }
    if (!rule->many && is_second(node)) {
        *inside = false;
        return note(urdf, node, "", TACT_VERDICT_IGNORED, !is_look(node),
                    "only the first one counts");
    }
    if (special) {
        TACT_TRY(note(urdf, node, "", special->verdict, special->physics, special->text));
    } else if (node->attribute_count == 0) {
        TACT_TRY(note(urdf, node, "", TACT_VERDICT_HONOURED, true, ""));
    }
    for (int i = 0; i < node->attribute_count; i++) {
        TACT_TRY(note_attribute(urdf, specials, rule, node, node->attributes[i].name));
    }
    return TACT_OK;
}

TactStatus tact_urdf_note_all(const TactUrdf *urdf)
{
    Specials           specials;
    const TactXmlNode *node = urdf->robot;
    TACT_TRY(sort_specials(urdf, &specials));
    while (node) {
        bool inside;
        TACT_TRY(note_node(urdf, &specials, node, &inside));
        node = inside ? tact_xml_following(urdf->robot, node)
                      : tact_xml_following_beside(urdf->robot, node);
    }
    return TACT_OK;
}
