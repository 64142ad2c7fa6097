// Attributes of the elements of bodies, written over the description of their class.
#include "base/status.h"
#include "io/mjcf/mjcf.h"

static const char *const shapes[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                     "cylinder", "box",    "mesh",   "sdf",     NULL};

static TactStatus read_shape(const TactXmlNode *node, TactMjcfShape *shape)
{
    int word = (int)*shape;
    TACT_TRY(tact_xml_choice(node, "type", shapes, &word));
    *shape = (TactMjcfShape)word;
    return TACT_OK;
}

static TactStatus read_rgba(const TactMjcf *mjcf, const TactXmlNode *node, double rgba[4],
                            bool *given)
{
    int count;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "rgba", 4, 4, rgba, &count));
    *given = *given || count > 0;
    return TACT_OK;
}

/// A name that may be absent, but not empty.
static TactStatus read_name(const TactXmlNode *node, const char *attribute, const char **name)
{
    const char *given = tact_xml_get(node, attribute);
    if (given && !given[0]) {
        return tact_xml_fail(node, attribute, TACT_BAD_INPUT, "is empty");
    }
    *name = given ? given : *name;
    return TACT_OK;
}

static TactStatus read_attribute_vector(const TactMjcf *mjcf, const TactXmlNode *node,
                                        const char *attribute, TactVec3 *vector)
{
    double v[3] = {vector->x, vector->y, vector->z};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, attribute, 3, 3, v, NULL));
    *vector = (TactVec3){v[0], v[1], v[2]};
    return TACT_OK;
}

typedef struct Real {
    const char *name;
    double     *value;
} Real;

static TactStatus read_real_list(const TactMjcf *mjcf, const TactXmlNode *node, const Real *list,
                                 int count)
{
    for (int i = 0; i < count; i++) {
        TACT_TRY(tact_xml_real(mjcf->xml, node, list[i].name, list[i].value));
    }
    return TACT_OK;
}

#define READ_REALS(mjcf, node, ...)                       \
    read_real_list((mjcf), (node), (Real[]){__VA_ARGS__}, \
                   (int)(sizeof((Real[]){__VA_ARGS__}) / sizeof(Real)))

// ---------------------------------------------------------------------------------------------
// Limits

TactStatus tact_mjcf_read_limited(const TactXmlNode *node, const char *attribute,
                                  TactMjcfLimited *limited)
{
    static const char *const words[] = {"false", "true", "auto", NULL};

    int word = (int)*limited;
    TACT_TRY(tact_xml_choice(node, attribute, words, &word));
    *limited = (TactMjcfLimited)word;
    return TACT_OK;
}

TactStatus tact_mjcf_is_limited(const TactMjcf *mjcf, const TactXmlNode *node,
                                const char *attribute, TactMjcfLimited limited,
                                const double range[2], bool *is)
{
    bool has_range = range[0] != 0 || range[1] != 0;
    if (limited == TACT_MJCF_AUTO && has_range && !tact_mjcf_compiler(mjcf, node)->auto_limits) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "there is a range, but neither '%s' nor the compiler's autolimits say "
                             "whether it holds",
                             attribute);
    }
    if (range[0] <= -TACT_XML_ENDLESS && range[1] >= TACT_XML_ENDLESS) {
        *is = false;
        return TACT_OK;
    }
    *is = limited == TACT_MJCF_TRUE || (limited == TACT_MJCF_AUTO && range[0] < range[1]);
    if (*is && !(range[0] < range[1])) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "is limited (%s), but its range from %g to %g is empty", attribute,
                             range[0], range[1]);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_mjcf_read_geom(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfGeom *geom)
{
    enum { BITS = 0x7fffffff };
    TACT_TRY(tact_mjcf_read_pose(mjcf, node, &geom->pose));
    TACT_TRY(read_shape(node, &geom->shape));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "size", 0, 3, geom->size, NULL));
    TACT_TRY(tact_xml_int(node, "contype", -BITS - 1, BITS, &geom->contype)); // -1: all bits
    TACT_TRY(tact_xml_int(node, "conaffinity", -BITS - 1, BITS, &geom->conaffinity));
    TACT_TRY(tact_xml_int(node, "condim", 1, 6, &geom->condim));
    if (geom->condim == 2 || geom->condim == 5) {
        return tact_xml_fail(node, "condim", TACT_BAD_INPUT, "is not one of 1, 3, 4, 6");
    }
    TACT_TRY(tact_xml_int(node, "group", 0, BITS, &geom->group));
    TACT_TRY(tact_xml_int(node, "priority", -BITS, BITS, &geom->priority));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "friction", 0, 3, geom->friction, NULL));
    TACT_TRY(READ_REALS(mjcf, node, {"margin", &geom->margin}, {"gap", &geom->gap},
                        {"mass", &geom->mass}, {"density", &geom->density},
                        {"fitscale", &geom->fitscale}));
    if (tact_xml_get(node, "mass") && geom->mass < 0) {
        return tact_xml_fail(node, "mass", TACT_BAD_INPUT, "is negative");
    }
    if (geom->density < 0) {
        return tact_xml_fail(node, "density", TACT_BAD_INPUT, "is negative");
    }
    TACT_TRY(tact_xml_bool(node, "shellinertia", &geom->shell));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "surfacevel", 3, 6, geom->surface_velocity, NULL));
    static const char *const fluids[] = {"none", "ellipsoid", NULL};
    TACT_TRY(tact_xml_choice(node, "fluidshape", fluids, &geom->fluid_shape));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "fluidcoef", 1, 5, geom->fluid, NULL));
    TACT_TRY(read_name(node, "mesh", &geom->mesh));
    TACT_TRY(read_name(node, "hfield", &geom->hfield));
    TACT_TRY(read_name(node, "material", &geom->material));
    return read_rgba(mjcf, node, geom->rgba, &geom->has_rgba);
}

TactStatus tact_mjcf_read_site(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfSite *site)
{
    TACT_TRY(tact_mjcf_read_pose(mjcf, node, &site->pose));
    TACT_TRY(read_shape(node, &site->shape));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "size", 0, 3, site->size, NULL));
    TACT_TRY(tact_xml_int(node, "group", 0, 0x7fffffff, &site->group));
    TACT_TRY(read_name(node, "material", &site->material));
    return read_rgba(mjcf, node, site->rgba, &site->has_rgba);
}

TactStatus tact_mjcf_read_camera(const TactMjcf *mjcf, const TactXmlNode *node,
                                 TactMjcfCamera *camera)
{
    static const char *const modes[] = {"fixed",      "track",         "trackcom",
                                        "targetbody", "targetbodycom", NULL};
    TACT_TRY(tact_mjcf_read_pose(mjcf, node, &camera->pose));
    return tact_xml_choice(node, "mode", modes, &camera->mode);
}

/// The first term of a spring or damper, and those of the second and third power.
static TactStatus read_terms(const TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                             double *first, double more[2])
{
    double terms[3] = {*first, more[0], more[1]};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, name, 1, 3, terms, NULL));
    *first = terms[0];
    more[0] = terms[1];
    more[1] = terms[2];
    return TACT_OK;
}

TactStatus tact_mjcf_read_joint(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfJoint *joint)
{
    TACT_TRY(tact_xml_bool(node, "actuatorgravcomp", &joint->carries_gravity));
    static const char *const types[] = {"free", "ball", "hinge", "slide", NULL};

    int type = (int)joint->type;
    TACT_TRY(tact_xml_choice(node, "type", types, &type));
    joint->type = (TactJointType)type;
    TACT_TRY(read_attribute_vector(mjcf, node, "pos", &joint->position));
    TACT_TRY(read_attribute_vector(mjcf, node, "axis", &joint->axis));
    TACT_TRY(tact_mjcf_read_limited(node, "limited", &joint->limited));
    TACT_TRY(tact_mjcf_read_limited(node, "actuatorfrclimited", &joint->force_limited));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "range", joint->range));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "actuatorfrcrange", joint->force_range));
    TACT_TRY(tact_xml_int(node, "group", 0, 0x7fffffff, &joint->group));
    int springs;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "springdamper", 2, 2, joint->spring_damper, &springs));
    bool none = joint->spring_damper[0] == 0 && joint->spring_damper[1] == 0;
    if (springs > 0 && !none && !(joint->spring_damper[0] > 0 && joint->spring_damper[1] > 0)) {
        return tact_xml_fail(node, "springdamper", TACT_BAD_INPUT,
                             "both numbers have to be positive");
    }
    TACT_TRY(read_terms(mjcf, node, "stiffness", &joint->stiffness, joint->spring_more));
    TACT_TRY(read_terms(mjcf, node, "damping", &joint->damping, joint->damper_more));
    return READ_REALS(mjcf, node, {"margin", &joint->margin}, {"ref", &joint->reference},
                      {"springref", &joint->spring_reference}, {"armature", &joint->armature},
                      {"frictionloss", &joint->friction});
}

TactStatus tact_mjcf_read_mesh(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfMesh *mesh)
{
    static const char *const words[] = {"legacy", "exact", "convex", "shell", NULL};

    TACT_TRY(tact_xml_reals(mjcf->xml, node, "scale", 3, 3, mesh->scale, NULL));
    int word = (int)mesh->inertia;
    TACT_TRY(tact_xml_choice(node, "inertia", words, &word));
    mesh->inertia = (TactMeshInertia)word;
    return TACT_OK;
}

TactStatus tact_mjcf_read_pair(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfPair *pair)
{
    TACT_TRY(tact_xml_int(node, "condim", 1, 6, &pair->condim));
    if (pair->condim == 2 || pair->condim == 5) {
        return tact_xml_fail(node, "condim", TACT_BAD_INPUT, "is not one of 1, 3, 4, 6");
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "friction", 0, 5, pair->friction, NULL));
    return READ_REALS(mjcf, node, {"margin", &pair->margin}, {"gap", &pair->gap});
}

TactStatus tact_mjcf_read_tendon(const TactMjcf *mjcf, const TactXmlNode *node,
                                 TactMjcfTendon *tendon)
{
    int count;
    TACT_TRY(tact_mjcf_read_limited(node, "limited", &tendon->limited));
    TACT_TRY(tact_mjcf_read_limited(node, "actuatorfrclimited", &tendon->force_limited));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "range", tendon->range));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "actuatorfrcrange", tendon->force_range));
    TACT_TRY(tact_xml_ends(mjcf->xml, node, "springlength", 1, 2, tendon->spring_length, &count));
    if (count == 1) {
        tendon->spring_length[1] = tendon->spring_length[0];
    }
    TACT_TRY(read_terms(mjcf, node, "stiffness", &tendon->stiffness, tendon->spring_more));
    TACT_TRY(read_terms(mjcf, node, "damping", &tendon->damping, tendon->damper_more));
    return READ_REALS(mjcf, node, {"margin", &tendon->margin}, {"frictionloss", &tendon->friction},
                      {"armature", &tendon->armature});
}
