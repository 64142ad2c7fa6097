// What simulators add to URDF: friction and gravity of links, by <gazebo reference="LINK"> and, for
// Bullet, by <contact> in a link. Where both say friction, the former counts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

/// "true" and "1", or "false" and "0", without the blanks around them.
static TactStatus read_flag(const TactXmlNode *node, bool *flag)
{
    char word[8] = "";
    sscanf(node->text, "%7s", word);
    *flag = strcmp(word, "true") == 0 || strcmp(word, "1") == 0;
    if (!*flag && strcmp(word, "false") != 0 && strcmp(word, "0") != 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "it is true or false");
    }
    return TACT_OK;
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

static TactStatus read_link(TactUrdf *urdf, const TactXmlNode *gazebo, TactUrdfLink *link)
{
    const TactXmlNode *off = tact_xml_child(gazebo, "turnGravityOff");
    const TactXmlNode *gravity = tact_xml_child(gazebo, "gravity");
    bool               on;
    TACT_TRY(read_friction(urdf, gazebo, link));
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
    static const char *const names[] = {"mu1", "mu2", "turnGravityOff", "gravity"};
    for (int k = 0; k < 4; k++) {
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

static TactStatus read_gazebo_contact(const TactUrdf *urdf, TactUrdfLink *link)
{
    const TactXmlNode *contact = tact_xml_child(link->node, "contact");
    const TactXmlNode *friction = contact ? tact_xml_child(contact, "lateral_friction") : NULL;
    if (!friction) {
        return TACT_OK;
    }
    TACT_TRY(tact_urdf_need_real(urdf, friction, "value", &link->mu));
    return link->mu < 0
               ? tact_xml_fail(friction, "value", TACT_BAD_INPUT, "friction must not be negative")
               : TACT_OK;
}

TactStatus tact_urdf_extensions(TactUrdf *urdf)
{
    for (int i = 0; i < urdf->link_count; i++) {
        TACT_TRY(read_gazebo_contact(urdf, &urdf->links[i]));
    }
    return read_gazebo(urdf);
}
