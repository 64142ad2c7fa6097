// Masses and inertias of a URDF.
//
// A link without <inertial> has no mass. That is all right for a link that is fixed to others; what
// moves needs mass and inertia, its own or that of links fixed to it. Where a file gives none, the
// link gets as much as lets the equations of motion be solved and the motion of others untouched.
#include <math.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"
#include "model/principal.h"

static const double smallest = 1e-15;    // kg, kg m^2: less is none
static const double least_mass = 1e-6;   // kg
static const double least_rotary = 1e-9; // kg m^2

static TactStatus read_inertial(const TactUrdf *urdf, const TactUrdfLink *link,
                                TactInertia *inertia, bool *has)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};

    const TactXmlNode *node = tact_xml_child(link->node, "inertial");
    *inertia = (TactInertia){0};
    *has = node != NULL;
    if (!node) {
        return TACT_OK;
    }
    const TactXmlNode *mass = tact_xml_child(node, "mass");
    const TactXmlNode *matrix = tact_xml_child(node, "inertia");
    TactTransform      pose;
    double             I[6] = {0};
    if (!mass || !matrix) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "the inertial of link '%.80s' has no <%s>",
                             link->name, mass ? "inertia" : "mass");
    }
    TACT_TRY(tact_urdf_need_real(urdf, mass, "value", &inertia->mass));
    if (inertia->mass < 0) {
        return tact_xml_fail(mass, "value", TACT_BAD_INPUT, "the mass of link '%.80s' is negative",
                             link->name);
    }
    for (int k = 0; k < 6; k++) {
        TACT_TRY(k < 3 ? tact_urdf_need_real(urdf, matrix, names[k], &I[k])
                       : tact_xml_real(urdf->xml, matrix, names[k], &I[k]));
    }
    inertia->rotary = (TactMat3){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    TACT_TRY(tact_urdf_origin(urdf, node, &pose));
    *inertia = tact_inertia_transform(pose, *inertia);
    return TACT_OK;
}

/// No body has moments of which one exceeds the sum of the others: as MJCF's balanceinertia does,
/// they become their mean. False: nothing was to be done.
static bool balance(TactInertia *inertia)
{
    double   moments[3];
    TactMat3 axes;
    tact_principal_axes(inertia->rotary, moments, &axes);
    double sum = moments[0] + moments[1] + moments[2];
    double most = fmax(moments[0], fmax(moments[1], moments[2]));
    double least = fmin(moments[0], fmin(moments[1], moments[2]));
    if (!(least >= 0) || !(2 * most > sum * (1 + 1e-6))) { // as much as files round
        return false;
    }
    inertia->rotary = tact_mat3_scale(sum / 3, tact_mat3_identity());
    return true;
}

TactStatus tact_urdf_inertial(const TactUrdf *urdf, const TactUrdfLink *link, TactInertia *inertia,
                              bool *has)
{
    TACT_TRY(read_inertial(urdf, link, inertia, has));
    if (!urdf->config->strict) {
        balance(inertia);
    }
    return TACT_OK;
}

/// Some files give the products of inertia twice.
static TactStatus note_mirrored(TactUrdf *urdf, const TactUrdfLink *link)
{
    static const char *const names[3] = {"ixy", "ixz", "iyz"};
    static const char *const mirrored[3] = {"iyx", "izx", "izy"};

    const TactXmlNode *inertial = tact_xml_child(link->node, "inertial");
    const TactXmlNode *matrix = inertial ? tact_xml_child(inertial, "inertia") : NULL;
    for (int k = 0; k < 3 && matrix; k++) {
        double one = 0, other = 0;
        TACT_TRY(tact_xml_real(urdf->xml, matrix, names[k], &one));
        other = one;
        TACT_TRY(tact_xml_real(urdf->xml, matrix, mirrored[k], &other));
        if (other != one) {
            TACT_TRY(tact_urdf_note(urdf, matrix, mirrored[k], TACT_VERDICT_IGNORED, true,
                                    "it is not what stands across the diagonal, which counts"));
        }
    }
    return TACT_OK;
}

static TactStatus note_balance(TactUrdf *urdf, const TactUrdfLink *link)
{
    TactInertia inertia;
    bool        has;
    TACT_TRY(read_inertial(urdf, link, &inertia, &has));
    if (!has || urdf->config->strict || !balance(&inertia)) {
        return TACT_OK;
    }
    const TactXmlNode *node = tact_xml_child(tact_xml_child(link->node, "inertial"), "inertia");
    return tact_urdf_note(urdf, node, "", TACT_VERDICT_APPROXIMATED, true,
                          "one moment exceeds the sum of the others, which no body has: all become "
                          "their mean");
}

// ---------------------------------------------------------------------------------------------
// What moves, and what it weighs

static void decide_moves(TactUrdf *urdf)
{
    for (int i = urdf->root; i >= 0; i = tact_urdf_next_link(urdf, i)) {
        TactUrdfLink *link = &urdf->links[i];
        if (link->joint < 0) {
            link->moves = urdf->config->urdf_free;
            link->still = !link->moves;
            continue;
        }
        const TactUrdfJoint *joint = &urdf->joints[link->joint];
        link->moves = joint->type != TACT_URDF_FIXED;
        link->still = !link->moves && urdf->links[joint->parent].still;
    }
}

/// Children before parents, each to the link that it is fixed to.
static TactStatus add_up(TactUrdf *urdf, const int *order)
{
    for (int k = urdf->link_count - 1; k > 0; k--) {
        const TactUrdfLink *link = &urdf->links[order[k]];
        if (link->joint < 0) {
            continue;
        }
        const TactUrdfJoint *joint = &urdf->joints[link->joint];
        TactUrdfLink        *parent = &urdf->links[joint->parent];
        TactTransform        pose;
        if (!link->moves) {
            TACT_TRY(tact_urdf_origin(urdf, joint->node, &pose));
            parent->composite =
                tact_inertia_add(parent->composite, tact_inertia_transform(pose, link->composite));
        }
    }
    return TACT_OK;
}

TactStatus tact_urdf_weigh(TactUrdf *urdf)
{
    int *order = tact_xml_pool_take(&urdf->xml->pool, (size_t)urdf->link_count, sizeof *order);
    int  count = 0;
    if (!order) {
        return TACT_NO_MEMORY;
    }
    decide_moves(urdf);
    for (int i = urdf->root; i >= 0; i = tact_urdf_next_link(urdf, i)) {
        bool has;
        order[count++] = i;
        TACT_TRY(tact_urdf_inertial(urdf, &urdf->links[i], &urdf->links[i].composite, &has));
    }
    return add_up(urdf, order);
}

/// What a model asks of a body that moves: mass, and inertia about every axis.
static bool is_enough(const TactInertia *inertia)
{
    double   moments[3];
    TactMat3 axes;
    tact_principal_axes(inertia->rotary, moments, &axes);
    return fmin(moments[0], fmin(moments[1], moments[2])) >= smallest;
}

TactStatus tact_urdf_body_inertia(TactUrdf *urdf, const TactUrdfLink *link, TactInertia *inertia,
                                  bool *has)
{
    TACT_TRY(tact_urdf_inertial(urdf, link, inertia, has));
    TACT_TRY(note_mirrored(urdf, link));
    TACT_TRY(note_balance(urdf, link));
    bool heavy = link->composite.mass >= smallest;
    if (!link->moves || (heavy && is_enough(&link->composite))) {
        return TACT_OK;
    }
    const TactXmlNode *node = tact_xml_child(link->node, "inertial");
    if (!heavy) {
        inertia->mass = least_mass;
    }
    for (int k = 0; k < 3; k++) {
        inertia->rotary.m[k][k] += least_rotary;
    }
    *has = true;
    return tact_urdf_note(urdf, node ? node : link->node, "", TACT_VERDICT_APPROXIMATED, true,
                          heavy ? "moves without inertia: it gets 1e-9 kg m^2 about every axis"
                                : "moves without mass: it gets 1e-6 kg and 1e-9 kg m^2");
}
