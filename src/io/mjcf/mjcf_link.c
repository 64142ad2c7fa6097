// What ties bodies, joints and geoms together: contact pairs, tendons, equalities.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

// ---------------------------------------------------------------------------------------------
// Contact

static TactStatus add_mjcf_pair(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    const TactMjcfClass *class;
    TactPair pair = tact_pair_default();
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    TactMjcfPair source = class->pair;
    TACT_TRY(tact_mjcf_read_pair(mjcf, node, &source));
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_PAIR, round, &pair.name));
    TACT_TRY(tact_mjcf_find(mjcf, node, "geom1", TACT_OBJECT_GEOM, round, &pair.a));
    TACT_TRY(tact_mjcf_find(mjcf, node, "geom2", TACT_OBJECT_GEOM, round, &pair.b));
    if (source.condim == 6 && source.friction[3] != source.friction[4]) {
        TACT_TRY(tact_mjcf_note(mjcf, node, "friction", TACT_VERDICT_APPROXIMATED,
                                "rolling is resisted the same about all axes: the larger one"));
    }
    pair.condim = source.condim;
    pair.torsional = source.friction[2];
    pair.rolling = fmax(source.friction[3], source.friction[4]);
    pair.mu[0] = source.friction[0];
    pair.mu[1] = source.friction[1];
    pair.margin = source.margin;
    pair.gap = source.gap;
    TACT_TRY(tact_mjcf_fit_gap(mjcf, node, &pair.margin, &pair.gap));
    return tact_model_builder_add_pair(mjcf->reader->builder, &pair, tact_xml_source(node), NULL);
}

static TactStatus add_contact(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    if (tact_xml_is(node, "pair")) {
        return mjcf->no_pairs ? TACT_OK : add_mjcf_pair(mjcf, node, round);
    }
    TactExclude exclude;
    TACT_TRY(tact_mjcf_find(mjcf, node, "body1", TACT_OBJECT_BODY, round, &exclude.a));
    TACT_TRY(tact_mjcf_find(mjcf, node, "body2", TACT_OBJECT_BODY, round, &exclude.b));
    return tact_model_builder_add_exclude(mjcf->reader->builder, exclude, tact_xml_source(node));
}

TactStatus tact_mjcf_contacts(TactMjcf *mjcf)
{
    return tact_mjcf_each(mjcf, "contact", add_contact);
}

// ---------------------------------------------------------------------------------------------
// Tendons

static TactStatus read_terms(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                             TactTendon *tendon)
{
    int count = 0;
    for (const TactXmlNode *term = node->first; term; term = term->next) {
        count++;
    }
    if (count == 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "has no joint");
    }
    int    *joints = tact_xml_pool_take(&mjcf->xml->pool, (size_t)count, sizeof *joints);
    double *coefficients =
        tact_xml_pool_take(&mjcf->xml->pool, (size_t)count, sizeof *coefficients);
    if (!joints || !coefficients) {
        return TACT_NO_MEMORY;
    }
    tendon->count = count;
    tendon->joints = joints;
    tendon->coefficients = coefficients;
    for (const TactXmlNode *term = node->first; term; term = term->next) {
        TACT_TRY(tact_mjcf_find(mjcf, term, "joint", TACT_OBJECT_JOINT, round, joints++));
        if (!tact_xml_get(term, "coef")) {
            return tact_xml_fail(term, NULL, TACT_BAD_INPUT, "needs the attribute 'coef'");
        }
        TACT_TRY(tact_xml_real(mjcf->xml, term, "coef", coefficients++));
    }
    return TACT_OK;
}

/// A geom to go around, and the side on which.
static TactStatus read_wrap(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                            TactTendonPart *part)
{
    TACT_TRY(tact_mjcf_find(mjcf, node, "geom", TACT_OBJECT_GEOM, round, &part->object));
    TactGeomType type = tact_model_builder_view_geom(mjcf->reader->builder, part->object)->type;
    if (type != TACT_GEOM_SPHERE && type != TACT_GEOM_CYLINDER) {
        return tact_xml_fail(node, "geom", TACT_BAD_INPUT, "is a %s, no sphere or cylinder",
                             tact_geom_type_name(type));
    }
    part->type = type == TACT_GEOM_SPHERE ? TACT_TENDON_PART_SPHERE : TACT_TENDON_PART_CYLINDER;
    return tact_xml_get(node, "sidesite")
               ? tact_mjcf_find(mjcf, node, "sidesite", TACT_OBJECT_SITE, round, &part->side)
               : TACT_OK;
}

/// The way of a tendon through space.
static TactStatus read_parts(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                             TactTendon *tendon)
{
    int count = 0;
    for (const TactXmlNode *part = node->first; part; part = part->next) {
        count++;
    }
    TactTendonPart *parts = tact_xml_pool_take(&mjcf->xml->pool, (size_t)count + 1, sizeof *parts);
    if (!parts) {
        return TACT_NO_MEMORY;
    }
    tendon->part_count = count;
    tendon->parts = parts;
    for (const TactXmlNode *part = node->first; part; part = part->next, parts++) {
        *parts = (TactTendonPart){TACT_TENDON_PART_PULLEY, -1, -1, 1};
        if (tact_xml_is(part, "site")) {
            parts->type = TACT_TENDON_PART_SITE;
            TACT_TRY(tact_mjcf_find(mjcf, part, "site", TACT_OBJECT_SITE, round, &parts->object));
        } else if (tact_xml_is(part, "geom")) {
            TACT_TRY(read_wrap(mjcf, part, round, parts));
        } else {
            TACT_TRY(tact_xml_real(mjcf->xml, part, "divisor", &parts->divisor));
        }
    }
    return count > 0 ? TACT_OK : tact_xml_fail(node, NULL, TACT_BAD_INPUT, "goes through nothing");
}

static TactStatus add_tendon(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    const TactMjcfClass *class;
    TactTendon tendon = tact_tendon_default();
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_TENDON, round, &tendon.name));
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    TactMjcfTendon source = class->tendon;
    TACT_TRY(tact_mjcf_read_tendon(mjcf, node, &source));
    TACT_TRY(tact_xml_is(node, "fixed") ? read_terms(mjcf, node, round, &tendon)
                                        : read_parts(mjcf, node, round, &tendon));
    TACT_TRY(
        tact_mjcf_is_limited(mjcf, node, "limited", source.limited, source.range, &tendon.limited));
    TACT_TRY(tact_mjcf_is_limited(mjcf, node, "actuatorfrclimited", source.force_limited,
                                  source.force_range, &tendon.force_limited));
    memcpy(tendon.range, source.range, sizeof tendon.range);
    memcpy(tendon.force_range, source.force_range, sizeof tendon.force_range);
    memcpy(tendon.spring_range, source.spring_length, sizeof tendon.spring_range);
    tendon.margin = source.margin;
    TACT_TRY(tact_mjcf_note_giving(mjcf, node, source.stiffness, source.damping));
    tendon.stiffness = mjcf->springs_off ? 0 : source.stiffness;
    tendon.damping = mjcf->dampers_off ? 0 : source.damping;
    tendon.friction = source.friction;
    tendon.armature = source.armature;
    for (int i = 0; i < 2; i++) {
        tendon.spring_more[i] = mjcf->springs_off ? 0 : source.spring_more[i];
        tendon.damper_more[i] = mjcf->dampers_off ? 0 : source.damper_more[i];
    }
    return tact_model_builder_add_tendon(mjcf->reader->builder, &tendon, tact_xml_source(node),
                                         NULL);
}

TactStatus tact_mjcf_tendons(TactMjcf *mjcf)
{
    return tact_mjcf_each(mjcf, "tendon", add_tendon);
}

// ---------------------------------------------------------------------------------------------
// Equalities

/// Bodies by name (body2 may be absent: the world), or those of two sites.
static TactStatus read_ends(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                            TactEquality *equality, const TactMjcfPlace *sites[2])
{
    bool by_site = tact_xml_get(node, "site1") || tact_xml_get(node, "site2");
    bool by_body = tact_xml_get(node, "body1") || tact_xml_get(node, "body2") ||
                   tact_xml_get(node, "anchor") || tact_xml_get(node, "relpose");
    sites[0] = NULL;
    sites[1] = NULL;
    if (by_site == by_body) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "needs either body1 (and body2), or site1 and site2");
    }
    if (by_site) {
        int a;
        int b;
        TACT_TRY(tact_mjcf_find(mjcf, node, "site1", TACT_OBJECT_SITE, round, &a));
        TACT_TRY(tact_mjcf_find(mjcf, node, "site2", TACT_OBJECT_SITE, round, &b));
        sites[0] = &mjcf->sites[a];
        sites[1] = &mjcf->sites[b];
        equality->a = sites[0]->body;
        equality->b = sites[1]->body;
        return TACT_OK;
    }
    TACT_TRY(tact_mjcf_find(mjcf, node, "body1", TACT_OBJECT_BODY, round, &equality->a));
    equality->b = 0;
    return tact_xml_get(node, "body2")
               ? tact_mjcf_find(mjcf, node, "body2", TACT_OBJECT_BODY, round, &equality->b)
               : TACT_OK;
}

static TactStatus read_connect(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                               TactEquality *equality)
{
    const TactMjcfPlace *sites[2];
    double               anchor[3] = {0};
    TACT_TRY(read_ends(mjcf, node, round, equality, sites));
    if (!sites[0] && !tact_xml_get(node, "anchor")) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute 'anchor'");
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "anchor", 3, 3, anchor, NULL));
    equality->anchor_a = (TactVec3){anchor[0], anchor[1], anchor[2]};
    if (sites[0]) {
        equality->anchor_a = sites[0]->pose.position;
        equality->anchor_b = sites[1]->pose.position;
        equality->relative = tact_transform_identity(); // both anchors as they are
    }
    return TACT_OK;
}

static TactStatus read_weld(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                            TactEquality *equality)
{
    const TactMjcfPlace *sites[2];
    double               anchor[3] = {0};
    double               pose[7] = {0}; // a zero quaternion: that of the reference
    TACT_TRY(read_ends(mjcf, node, round, equality, sites));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "anchor", 3, 3, anchor, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "relpose", 7, 7, pose, NULL));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "torquescale", &equality->torque_scale));
    equality->anchor_b = (TactVec3){anchor[0], anchor[1], anchor[2]};
    equality->relative =
        (TactTransform){{pose[3], pose[4], pose[5], pose[6]}, {pose[0], pose[1], pose[2]}};
    if (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0) {
        // relpose says where the anchor lies in a, and how b is turned.
        equality->relative.rotation = tact_quat_normalise(equality->relative.rotation);
        equality->relative.position =
            tact_vec3_subtract(equality->relative.position,
                               tact_quat_rotate(equality->relative.rotation, equality->anchor_b));
    }
    if (sites[0]) { // b is where the two sites are one
        equality->relative =
            tact_transform_multiply(sites[0]->pose, tact_transform_invert(sites[1]->pose));
        equality->anchor_b = sites[1]->pose.position;
    }
    return TACT_OK;
}

/// a and b by name, the second of which may be absent.
static TactStatus read_coupling(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                                TactObject type, TactEquality *equality)
{
    const char *first = type == TACT_OBJECT_JOINT ? "joint1" : "tendon1";
    const char *second = type == TACT_OBJECT_JOINT ? "joint2" : "tendon2";
    TACT_TRY(tact_mjcf_find(mjcf, node, first, type, round, &equality->a));
    equality->b = -1;
    if (tact_xml_get(node, second)) {
        TACT_TRY(tact_mjcf_find(mjcf, node, second, type, round, &equality->b));
    }
    return tact_xml_reals(mjcf->xml, node, "polycoef", 0, 5, equality->polynomial, NULL);
}

/// Is one of the ends a mocap body?
static bool is_drawn(const TactMjcf *mjcf, const TactEquality *equality)
{
    for (int i = 0; i < mjcf->mocap_count; i++) {
        if (mjcf->mocap_bodies[i] == equality->a || mjcf->mocap_bodies[i] == equality->b) {
            return true;
        }
    }
    return false;
}

static TactStatus add_equality(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    static const char *const words[] = {"connect", "weld", "joint", "tendon", NULL};

    int type = 0;
    while (words[type] && !tact_xml_is(node, words[type])) {
        type++;
    }
    if (!words[type]) {
        return TACT_OK; // noted
    }
    const TactMjcfClass *class;
    TactEquality equality = tact_equality_default((TactEqualityType)type);
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    equality.active = class->equality_active;
    TACT_TRY(tact_xml_bool(node, "active", &equality.active));
    double solref[2] = {class->equality_solref[0], class->equality_solref[1]};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "solref", 1, 2, solref, NULL));
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_EQUALITY, round, &equality.name));
    if (type == TACT_EQUALITY_TENDON &&
        (tact_mjcf_is_left_out(mjcf, TACT_OBJECT_TENDON, tact_xml_get(node, "tendon1"), round) ||
         tact_mjcf_is_left_out(mjcf, TACT_OBJECT_TENDON, tact_xml_get(node, "tendon2"), round))) {
        return tact_mjcf_note(mjcf, node, "", TACT_VERDICT_IGNORED,
                              "the constraint is left out: the model has no such tendon");
    }
    switch ((TactEqualityType)type) {
    case TACT_EQUALITY_CONNECT: TACT_TRY(read_connect(mjcf, node, round, &equality)); break;
    case TACT_EQUALITY_WELD: TACT_TRY(read_weld(mjcf, node, round, &equality)); break;
    case TACT_EQUALITY_JOINT:
        TACT_TRY(read_coupling(mjcf, node, round, TACT_OBJECT_JOINT, &equality));
        break;
    case TACT_EQUALITY_TENDON:
        TACT_TRY(read_coupling(mjcf, node, round, TACT_OBJECT_TENDON, &equality));
        break;
    }
    if (type <= TACT_EQUALITY_WELD && is_drawn(mjcf, &equality)) {
        // as a time constant, or as stiffness and damping of a unit mass
        equality.time_constant = solref[0] > 0   ? solref[0]
                                 : solref[0] < 0 ? solref[1] / solref[0]
                                                 : 0;
    }
    return tact_model_builder_add_equality(mjcf->reader->builder, &equality, tact_xml_source(node),
                                           NULL);
}

TactStatus tact_mjcf_equalities(TactMjcf *mjcf)
{
    return tact_mjcf_each(mjcf, "equality", add_equality);
}
