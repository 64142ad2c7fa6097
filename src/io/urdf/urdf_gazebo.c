// What simulators add to URDF: friction and gravity of links, by <gazebo reference="LINK"> and, for
// Bullet, by <contact> in a link. Where both say friction, the former counts.
//
// Bullet's rolling_friction and spinning_friction are lengths: moment over normal force. Gazebo has
// a coefficient on a patch of radius a under Hertz's pressure: |m_n| <= 3 pi / 16 a mu f_n.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

/// "true", "yes" and "1", or "false", "no" and "0", in capitals too, as the text or, as of old, as
/// the attribute "value".
static TactStatus read_flag(const TactXmlNode *node, bool *flag)
{
    static const char *const words[] = {"true", "yes", "1", "false", "no", "0"};
    const char              *value = tact_xml_get(node, "value");
    char                     word[8] = "";
    sscanf(value ? value : node->text, "%7s", word);
    for (int i = 0; i < 6; i++) {
        if (strcasecmp(word, words[i]) == 0) {
            *flag = i < 3;
            return TACT_OK;
        }
    }
    return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "it is true or false");
}

static TactStatus read_mu(const TactUrdf *urdf, const TactXmlNode *node, double *mu)
{
    TACT_TRY(tact_xml_get(node, "value") ? tact_urdf_need_real(urdf, node, "value", mu)
                                         : tact_urdf_text_real(urdf, node, mu));
    return *mu < 0 ? tact_xml_fail(node, NULL, TACT_BAD_INPUT, "friction must not be negative")
                   : TACT_OK;
}

/// Contact has one coefficient: of two that differ the larger one, as everywhere in tact.
static TactStatus read_friction(TactUrdf *urdf, const TactXmlNode *gazebo, TactUrdfLink *link)
{
    const TactXmlNode *node[2] = {tact_xml_child(gazebo, "mu1"), tact_xml_child(gazebo, "mu2")};
    double             mu[2] = {-1, -1};
    for (int k = 0; k < 2; k++) {
        if (node[k]) {
            TACT_TRY(read_mu(urdf, node[k], &mu[k]));
        }
    }
    double larger = fmax(mu[0], mu[1]);
    link->mu = larger >= 0 ? larger : link->mu;
    for (int k = 0; k < 2; k++) {
        if (node[k] && mu[k] < larger) {
            TACT_TRY(tact_urdf_note(urdf, node[k], "", TACT_VERDICT_APPROXIMATED, true,
                                    "friction is the same in all directions: the larger of mu1 "
                                    "and mu2 counts"));
        }
    }
    return TACT_OK;
}

static const double HERTZ = 0.58904862254808623; // 3 pi / 16

/// A number as the text of a child; without the child it stays.
static TactStatus read_child(const TactUrdf *urdf, const TactXmlNode *parent, const char *name,
                             double *value)
{
    const TactXmlNode *node = tact_xml_child(parent, name);
    if (!node) {
        return TACT_OK;
    }
    TACT_TRY(tact_urdf_text_real(urdf, node, value));
    return *value < 0 ? tact_xml_fail(node, NULL, TACT_BAD_INPUT, "it must not be negative")
                      : TACT_OK;
}

/// collision / surface / friction / torsional, as SDF has it.
static TactStatus read_torsion(TactUrdf *urdf, const TactXmlNode *gazebo, TactUrdfLink *link)
{
    static const char *const way[] = {"collision", "surface", "friction", "torsional"};
    const TactXmlNode       *node = gazebo;
    for (int k = 0; k < 4 && node; k++) {
        node = tact_xml_child(node, way[k]);
    }
    if (!node) {
        return TACT_OK;
    }
    double             coefficient = 1, radius = 0;
    bool               given = true;
    const TactXmlNode *use = tact_xml_child(node, "use_patch_radius");
    TACT_TRY(read_child(urdf, node, "coefficient", &coefficient));
    TACT_TRY(read_child(urdf, node, "patch_radius", &radius));
    if (use) {
        TACT_TRY(read_flag(use, &given));
    }
    if (!given) {
        return tact_urdf_note(urdf, node, "", TACT_VERDICT_IGNORED, true,
                              "the patch of a rigid contact has no depth: patch_radius is needed");
    }
    link->mu_spin = HERTZ * radius * coefficient;
    return TACT_OK;
}

static TactStatus read_link(TactUrdf *urdf, const TactXmlNode *gazebo, TactUrdfLink *link)
{
    const TactXmlNode *off = tact_xml_child(gazebo, "turnGravityOff");
    const TactXmlNode *gravity = tact_xml_child(gazebo, "gravity");
    bool               on = true;
    TACT_TRY(read_friction(urdf, gazebo, link));
    TACT_TRY(read_torsion(urdf, gazebo, link));
    if (off) {
        TACT_TRY(read_flag(off, &link->no_gravity));
    }
    if (gravity) {
        TACT_TRY(read_flag(gravity, &on));
        link->no_gravity = !on;
    }
    return TACT_OK;
}

/// What is honoured of a link means nothing elsewhere.
static TactStatus note_others(TactUrdf *urdf, const TactXmlNode *gazebo)
{
    static const char *const names[] = {"mu1", "mu2", "turnGravityOff", "gravity", "collision"};
    for (int k = 0; k < 5; k++) {
        const TactXmlNode *node = tact_xml_child(gazebo, names[k]);
        if (node) {
            TACT_TRY(
                tact_urdf_note(urdf, node, "", TACT_VERDICT_IGNORED, true, "no link is named"));
        }
    }
    return TACT_OK;
}

static TactStatus read_gazebo(TactUrdf *urdf)
{
    for (const TactXmlNode *node = tact_xml_child(urdf->robot, "gazebo"); node;
         node = tact_xml_next(node, "gazebo")) {
        const char *name = tact_xml_get(node, "reference");
        int         link = name ? tact_urdf_find_link(urdf, name) : -1;
        if (link >= 0) {
            TACT_TRY(read_link(urdf, node, &urdf->links[link]));
            continue;
        }
        TACT_TRY(note_others(urdf, node));
        if (name && tact_urdf_find_joint(urdf, name) < 0) {
            TACT_TRY(tact_urdf_note(urdf, node, "reference", TACT_VERDICT_IGNORED, true,
                                    "there is no link or joint of that name"));
        }
    }
    return TACT_OK;
}

/// Bullet's words.
static TactStatus read_contact(const TactUrdf *urdf, TactUrdfLink *link)
{
    static const char *const names[] = {"lateral_friction", "spinning_friction",
                                        "rolling_friction"};
    double                  *values[] = {&link->mu, &link->mu_spin, &link->mu_roll};
    const TactXmlNode       *contact = tact_xml_child(link->node, "contact");
    for (int k = 0; k < 3 && contact; k++) {
        const TactXmlNode *node = tact_xml_child(contact, names[k]);
        if (!node) {
            continue;
        }
        TACT_TRY(tact_urdf_need_real(urdf, node, "value", values[k]));
        if (*values[k] < 0) {
            return tact_xml_fail(node, "value", TACT_BAD_INPUT, "friction must not be negative");
        }
    }
    return TACT_OK;
}

TactStatus tact_urdf_extensions(TactUrdf *urdf)
{
    for (int i = 0; i < urdf->link_count; i++) {
        TACT_TRY(read_contact(urdf, &urdf->links[i]));
    }
    TACT_TRY(read_gazebo(urdf));
    for (int i = 0; i < urdf->link_count; i++) {
        const TactUrdfLink *link = &urdf->links[i];
        urdf->has_moments = urdf->has_moments || link->mu_spin > 0 || link->mu_roll > 0;
    }
    return TACT_OK;
}
