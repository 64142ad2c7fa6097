// Sensors.
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

typedef struct Kind {
    const char    *name;
    TactSensorType type;
    const char    *attribute; // that names the object; NULL: objtype and objname, or none at all
    TactObject     object;
} Kind;

static const Kind kinds[] = {
    {"touch", TACT_SENSOR_TOUCH, "site", TACT_OBJECT_SITE},
    {"accelerometer", TACT_SENSOR_ACCELEROMETER, "site", TACT_OBJECT_SITE},
    {"velocimeter", TACT_SENSOR_VELOCIMETER, "site", TACT_OBJECT_SITE},
    {"gyro", TACT_SENSOR_GYRO, "site", TACT_OBJECT_SITE},
    {"force", TACT_SENSOR_FORCE, "site", TACT_OBJECT_SITE},
    {"torque", TACT_SENSOR_TORQUE, "site", TACT_OBJECT_SITE},
    {"magnetometer", TACT_SENSOR_MAGNETOMETER, "site", TACT_OBJECT_SITE},
    {"rangefinder", TACT_SENSOR_RANGEFINDER, "site", TACT_OBJECT_SITE},
    {"jointpos", TACT_SENSOR_JOINT_POSITION, "joint", TACT_OBJECT_JOINT},
    {"jointvel", TACT_SENSOR_JOINT_VELOCITY, "joint", TACT_OBJECT_JOINT},
    {"ballquat", TACT_SENSOR_BALL_ORIENTATION, "joint", TACT_OBJECT_JOINT},
    {"ballangvel", TACT_SENSOR_BALL_VELOCITY, "joint", TACT_OBJECT_JOINT},
    {"jointactuatorfrc", TACT_SENSOR_JOINT_ACTUATOR_FORCE, "joint", TACT_OBJECT_JOINT},
    {"tendonpos", TACT_SENSOR_TENDON_POSITION, "tendon", TACT_OBJECT_TENDON},
    {"tendonvel", TACT_SENSOR_TENDON_VELOCITY, "tendon", TACT_OBJECT_TENDON},
    {"actuatorpos", TACT_SENSOR_ACTUATOR_POSITION, "actuator", TACT_OBJECT_ACTUATOR},
    {"actuatorvel", TACT_SENSOR_ACTUATOR_VELOCITY, "actuator", TACT_OBJECT_ACTUATOR},
    {"actuatorfrc", TACT_SENSOR_ACTUATOR_FORCE, "actuator", TACT_OBJECT_ACTUATOR},
    {"subtreecom", TACT_SENSOR_SUBTREE_COM, "body", TACT_OBJECT_BODY},
    {"subtreelinvel", TACT_SENSOR_SUBTREE_VELOCITY, "body", TACT_OBJECT_BODY},
    {"subtreeangmom", TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM, "body", TACT_OBJECT_BODY},
    {"framepos", TACT_SENSOR_FRAME_POSITION, NULL, TACT_OBJECT_XBODY},
    {"framequat", TACT_SENSOR_FRAME_ORIENTATION, NULL, TACT_OBJECT_XBODY},
    {"framexaxis", TACT_SENSOR_FRAME_X_AXIS, NULL, TACT_OBJECT_XBODY},
    {"frameyaxis", TACT_SENSOR_FRAME_Y_AXIS, NULL, TACT_OBJECT_XBODY},
    {"framezaxis", TACT_SENSOR_FRAME_Z_AXIS, NULL, TACT_OBJECT_XBODY},
    {"framelinvel", TACT_SENSOR_FRAME_VELOCITY, NULL, TACT_OBJECT_XBODY},
    {"frameangvel", TACT_SENSOR_FRAME_ANGULAR_VELOCITY, NULL, TACT_OBJECT_XBODY},
    {"framelinacc", TACT_SENSOR_FRAME_ACCELERATION, NULL, TACT_OBJECT_XBODY},
    {"frameangacc", TACT_SENSOR_FRAME_ANGULAR_ACCELERATION, NULL, TACT_OBJECT_XBODY},
    {"clock", TACT_SENSOR_CLOCK, NULL, TACT_OBJECT_NONE},
    {"e_potential", TACT_SENSOR_POTENTIAL_ENERGY, NULL, TACT_OBJECT_NONE},
    {"e_kinetic", TACT_SENSOR_KINETIC_ENERGY, NULL, TACT_OBJECT_NONE},
    {"distance", TACT_SENSOR_DISTANCE, NULL, TACT_OBJECT_GEOM},
    {"normal", TACT_SENSOR_NORMAL, NULL, TACT_OBJECT_GEOM},
    {"fromto", TACT_SENSOR_FROM_TO, NULL, TACT_OBJECT_GEOM},
    {"jointlimitpos", TACT_SENSOR_JOINT_LIMIT_POSITION, "joint", TACT_OBJECT_JOINT},
    {"jointlimitvel", TACT_SENSOR_JOINT_LIMIT_VELOCITY, "joint", TACT_OBJECT_JOINT},
    {"jointlimitfrc", TACT_SENSOR_JOINT_LIMIT_FORCE, "joint", TACT_OBJECT_JOINT},
    {"tendonlimitpos", TACT_SENSOR_TENDON_LIMIT_POSITION, "tendon", TACT_OBJECT_TENDON},
    {"tendonlimitvel", TACT_SENSOR_TENDON_LIMIT_VELOCITY, "tendon", TACT_OBJECT_TENDON},
    {"tendonlimitfrc", TACT_SENSOR_TENDON_LIMIT_FORCE, "tendon", TACT_OBJECT_TENDON},
    {"tendonactuatorfrc", TACT_SENSOR_TENDON_ACTUATOR_FORCE, "tendon", TACT_OBJECT_TENDON},
    {"insidesite", TACT_SENSOR_INSIDE_SITE, NULL, TACT_OBJECT_XBODY},
    {"contact", TACT_SENSOR_CONTACT_POINTS, NULL, TACT_OBJECT_NONE},
    {"user", TACT_SENSOR_USER, NULL, TACT_OBJECT_NONE},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static TactStatus leave_out(TactMjcf *mjcf, const TactXmlNode *node, const char *attribute)
{
    return tact_model_reader_note(mjcf->reader, node, attribute, TACT_VERDICT_IGNORED, false,
                                  "the sensor is left out: the model does not have its object");
}

/// An object by type and name; a camera is a site. kept is false if it follows something.
static TactStatus find_frame(TactMjcf *mjcf, const TactXmlNode *node, const char *type_attribute,
                             const char *name_attribute, TactMjcfRound round, TactObject *type,
                             int *index, bool *kept)
{
    static const char *const words[] = {"body", "xbody", "geom", "site", "camera", NULL};
    static const TactObject  types[] = {TACT_OBJECT_BODY, TACT_OBJECT_XBODY, TACT_OBJECT_GEOM,
                                        TACT_OBJECT_SITE};
    enum { CAMERA = 4 };

    const char *text;
    int         word = 0;
    TACT_TRY(tact_xml_need(node, type_attribute, &text));
    TACT_TRY(tact_xml_choice(node, type_attribute, words, &word));
    if (word == CAMERA) {
        *type = TACT_OBJECT_SITE;
        TACT_TRY(tact_mjcf_find_camera(mjcf, node, name_attribute, round, index));
        *kept = *index >= 0;
        return *kept ? TACT_OK : leave_out(mjcf, node, type_attribute);
    }
    *type = types[word];
    TactObject found_as = *type == TACT_OBJECT_XBODY ? TACT_OBJECT_BODY : *type;
    return tact_mjcf_find(mjcf, node, name_attribute, found_as, round, index);
}

/// MuJoCo's frame of a body has the principal axes of its inertia.
static TactStatus note_axes(TactMjcf *mjcf, const TactXmlNode *node, const TactSensor *sensor)
{
    bool turned =
        sensor->type == TACT_SENSOR_FRAME_ORIENTATION || sensor->type == TACT_SENSOR_FRAME_X_AXIS ||
        sensor->type == TACT_SENSOR_FRAME_Y_AXIS || sensor->type == TACT_SENSOR_FRAME_Z_AXIS;
    bool object = turned && sensor->object_type == TACT_OBJECT_BODY && sensor->object > 0;
    bool reference = sensor->reference_type == TACT_OBJECT_BODY && sensor->reference > 0;
    return object || reference
               ? tact_mjcf_note(mjcf, node, object ? "objtype" : "reftype",
                                TACT_VERDICT_APPROXIMATED,
                                "axes are those of the body (xbody), not of its inertia")
               : TACT_OK;
}

static TactStatus set_frames(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                             TactSensor *sensor, bool *kept)
{
    TACT_TRY(find_frame(mjcf, node, "objtype", "objname", round, &sensor->object_type,
                        &sensor->object, kept));
    if (*kept && (tact_xml_get(node, "reftype") || tact_xml_get(node, "refname"))) {
        TACT_TRY(find_frame(mjcf, node, "reftype", "refname", round, &sensor->reference_type,
                            &sensor->reference, kept));
    }
    return *kept ? note_axes(mjcf, node, sensor) : TACT_OK;
}

/// One of two ends: a geom or a body.
static TactStatus find_end(TactMjcf *mjcf, const TactXmlNode *node, const char *geom,
                           const char *body, TactMjcfRound round, TactObject *type, int *index)
{
    bool by_geom = tact_xml_get(node, geom) != NULL;
    if (by_geom == (tact_xml_get(node, body) != NULL)) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs either %s or %s", geom, body);
    }
    *type = by_geom ? TACT_OBJECT_GEOM : TACT_OBJECT_BODY;
    return tact_mjcf_find(mjcf, node, by_geom ? geom : body, *type, round, index);
}

// ---------------------------------------------------------------------------------------------
// Contacts

/// One of the two things whose contacts are asked for; anything, if none is named.
static TactStatus find_side(TactMjcf *mjcf, const TactXmlNode *node, bool first,
                            TactMjcfRound round, TactObject *type, int *index)
{
    const struct {
        const char *word;
        TactObject  found_as, type;
    } ends[] = {
        {first ? "geom1" : "geom2", TACT_OBJECT_GEOM, TACT_OBJECT_GEOM},
        {first ? "body1" : "body2", TACT_OBJECT_BODY, TACT_OBJECT_BODY},
        {first ? "subtree1" : "subtree2", TACT_OBJECT_BODY, TACT_OBJECT_XBODY},
        {first ? "site" : "", TACT_OBJECT_SITE, TACT_OBJECT_SITE},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (!tact_xml_get(node, ends[i].word)) {
            continue;
        }
        if (*type != TACT_OBJECT_NONE) {
            return tact_xml_fail(node, ends[i].word, TACT_BAD_INPUT, "there is another one too");
        }
        *type = ends[i].type;
        TACT_TRY(tact_mjcf_find(mjcf, node, ends[i].word, ends[i].found_as, round, index));
    }
    return TACT_OK;
}

/// Words of data, in their order, to bits and numbers.
static TactStatus read_data(const TactXmlNode *node, TactSensor *sensor)
{
    static const struct {
        const char *word;
        int         size;
    } data[] = {{"found", 1}, {"force", 3},  {"torque", 3}, {"dist", 1},
                {"pos", 3},   {"normal", 3}, {"tangent", 3}};
    enum { WORDS = sizeof data / sizeof data[0] };
    const char *list = tact_xml_get(node, "data");
    int         next = 0, size = 0;
    list = list ? list : "found";
    while (*(list += strspn(list, " \t\r\n"))) {
        size_t length = strcspn(list, " \t\r\n");
        while (next < WORDS && !(strlen(data[next].word) == length &&
                                 strncmp(data[next].word, list, length) == 0)) {
            next++;
        }
        if (next == WORDS) {
            return tact_xml_fail(node, "data", TACT_BAD_INPUT,
                                 "'%.*s' is not one of found, force, torque, dist, pos, normal, "
                                 "tangent, or not in this order",
                                 (int)length, list);
        }
        sensor->contact.data |= 1U << (unsigned)next;
        size += data[next++].size;
        list += length;
    }
    sensor->size = size * sensor->contact.places;
    return TACT_OK;
}

static TactStatus set_contact(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                              TactSensor *sensor)
{
    enum { MOST = 10000 };
    static const char *const words[] = {"none", "mindist", "maxforce", "netforce", NULL};

    int reduce = 0;
    sensor->contact.places = 1;
    TACT_TRY(tact_xml_int(node, "num", 1, MOST, &sensor->contact.places));
    TACT_TRY(tact_xml_choice(node, "reduce", words, &reduce));
    sensor->contact.reduce = (TactContactReduce)reduce;
    if (sensor->contact.reduce == TACT_REDUCE_NET_FORCE) {
        sensor->contact.places = 1;
    }
    TACT_TRY(find_side(mjcf, node, true, round, &sensor->object_type, &sensor->object));
    TACT_TRY(find_side(mjcf, node, false, round, &sensor->reference_type, &sensor->reference));
    return read_data(node, sensor);
}

static TactStatus set_object(TactMjcf *mjcf, const TactXmlNode *node, const Kind *kind,
                             TactMjcfRound round, TactSensor *sensor, bool *kept)
{
    if (kind->type == TACT_SENSOR_CONTACT_POINTS) {
        return set_contact(mjcf, node, round, sensor);
    }
    if (kind->type == TACT_SENSOR_USER) {
        sensor->size = 1;
        return tact_xml_int(node, "dim", 1, 1000000, &sensor->size);
    }
    if (kind->object == TACT_OBJECT_NONE) {
        return TACT_OK;
    }
    if (kind->type == TACT_SENSOR_INSIDE_SITE) {
        sensor->reference_type = TACT_OBJECT_SITE;
        TACT_TRY(tact_mjcf_find(mjcf, node, "site", TACT_OBJECT_SITE, round, &sensor->reference));
        return find_frame(mjcf, node, "objtype", "objname", round, &sensor->object_type,
                          &sensor->object, kept);
    }
    if (kind->object == TACT_OBJECT_GEOM) {
        TACT_TRY(
            find_end(mjcf, node, "geom1", "body1", round, &sensor->object_type, &sensor->object));
        return find_end(mjcf, node, "geom2", "body2", round, &sensor->reference_type,
                        &sensor->reference);
    }
    if (!kind->attribute) {
        return set_frames(mjcf, node, round, sensor, kept);
    }
    const char *name = tact_xml_get(node, kind->attribute);
    if (tact_mjcf_is_left_out(mjcf, kind->object, name, round) ||
        (!name && tact_xml_get(node, "camera"))) {
        *kept = false;
        return leave_out(mjcf, node, "");
    }
    sensor->object_type = kind->object;
    return tact_mjcf_find(mjcf, node, kind->attribute, kind->object, round, &sensor->object);
}

static TactStatus add_sensor(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    const Kind *kind = NULL;
    for (int i = 0; i < KINDS && !kind; i++) {
        kind = tact_xml_is(node, kinds[i].name) ? &kinds[i] : NULL;
    }
    if (!kind) {
        return TACT_OK; // noted
    }
    TactSensor sensor = {
        .type = kind->type,
        .object_type = TACT_OBJECT_NONE,
        .object = -1,
        .reference_type = TACT_OBJECT_NONE,
        .reference = -1,
    };
    bool kept = true;
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_SENSOR, round, &sensor.name));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "cutoff", &sensor.cutoff));
    TACT_TRY(set_object(mjcf, node, kind, round, &sensor, &kept));
    return kept ? tact_model_builder_add_sensor(mjcf->reader->builder, &sensor,
                                                tact_xml_source(node), NULL)
                : TACT_OK;
}

TactStatus tact_mjcf_sensors(TactMjcf *mjcf)
{
    return tact_mjcf_each(mjcf, "sensor", add_sensor);
}
