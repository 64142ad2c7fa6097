// Keyframes of models that are attached to others.
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

static const int q_size[] = {7, 4, 1, 1}; // by TactJointType
static const int v_size[] = {6, 3, 1, 1};

TactStatus tact_mjcf_place_joint(TactMjcf *mjcf, const TactXmlNode *node, const TactJoint *joint,
                                 TactTransform pose)
{
    TactMjcfPlaced *placed;
    if (!mjcf->attachments.keys) {
        return TACT_OK; // nobody asks
    }
    placed = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *placed);
    if (!placed) {
        return TACT_NO_MEMORY;
    }
    *placed = (TactMjcfPlaced){.node = node, .body = joint->body, .type = joint->type};
    if (joint->type == TACT_JOINT_FREE) {
        memcpy(placed->q, &pose.position, sizeof pose.position);
        memcpy(placed->q + 3, &pose.rotation, sizeof pose.rotation);
    } else if (joint->type == TACT_JOINT_BALL) {
        placed->q[0] = 1;
    } else {
        placed->q[0] = joint->reference;
    }
    // Bodies have their numbers in the order of the compiled model; most joints come last.
    TactMjcfPlaced **place = mjcf->last_placed && mjcf->last_placed->body <= placed->body
                                 ? &mjcf->last_placed->next
                                 : &mjcf->placed;
    while (*place && (*place)->body <= placed->body) {
        place = &(*place)->next;
    }
    placed->next = *place;
    *place = placed;
    mjcf->last_placed = placed->next ? mjcf->last_placed : placed;
    return TACT_OK;
}

TactStatus tact_mjcf_complete_key(TactMjcf *mjcf, const TactXmlNode *node, const char *word,
                                  double **numbers, int *count)
{
    const int *sizes = strcmp(word, "qpos") == 0 ? q_size : v_size;
    int        all = -sizes[TACT_JOINT_FREE] * mjcf->mocap_count; // keyframes leave them out
    for (int i = 0; i < tact_model_builder_count(mjcf->reader->builder, TACT_OBJECT_JOINT); i++) {
        all += sizes[tact_model_builder_view_joint(mjcf->reader->builder, i)->type];
    }
    if (*count == 0 || *count >= all) {
        return TACT_OK;
    }
    double *longer = tact_xml_pool_take(&mjcf->xml->pool, (size_t)all, sizeof *longer); // zeros
    if (!longer) {
        return TACT_NO_MEMORY;
    }
    memcpy(longer, *numbers, (size_t)*count * sizeof *longer);
    *numbers = longer;
    *count = all;
    return tact_mjcf_note(mjcf, node, word, TACT_VERDICT_APPROXIMATED,
                          "it has fewer numbers than the model: the others are 0, as in MuJoCo");
}

/// Where the numbers of a joint begin in those of the keyframe's own file; -1: it is another's.
static int find_own(const TactMjcf *mjcf, const TactAttachedKey *key, const TactXmlNode *node,
                    const int sizes[4])
{
    int at = 0;
    for (int i = 0; i < key->joint_count; i++) {
        if (key->joints[i] == node) {
            return at;
        }
        const TactMjcfPlaced *other = mjcf->placed;
        while (other && other->node != key->joints[i]) {
            other = other->next;
        }
        // Joints that were not taken over count as well; their type stands in the file.
        TactMjcfJoint joint = {.type = TACT_JOINT_HINGE};
        if (!other && !tact_xml_is(key->joints[i], "freejoint")) {
            tact_status_ignore(tact_mjcf_read_joint(mjcf, key->joints[i], &joint));
        } else if (!other) {
            joint.type = TACT_JOINT_FREE;
        }
        at += sizes[other ? other->type : joint.type];
    }
    return -1;
}

/// Numbers of all joints: those of the keyframe, and the reference or 0 of the others.
static TactStatus spread(TactMjcf *mjcf, const TactAttachedKey *key, const char *word,
                         const int sizes[4], double **all, int *count)
{
    double *own = NULL;
    int     own_count, at = 0;
    *count = 0;
    *all = NULL;
    TACT_TRY(tact_xml_list(mjcf->xml, key->node, word, &own, &own_count));
    if (own_count == 0) {
        return TACT_OK;
    }
    for (const TactMjcfPlaced *joint = mjcf->placed; joint; joint = joint->next) {
        *count += sizes[joint->type];
    }
    *all = tact_xml_pool_take(&mjcf->xml->pool, (size_t)*count + 1, sizeof **all);
    if (!*all) {
        return TACT_NO_MEMORY;
    }
    for (const TactMjcfPlaced *joint = mjcf->placed; joint; joint = joint->next) {
        size_t size = (size_t)sizes[joint->type];
        int    from = find_own(mjcf, key, joint->node, sizes);
        if (from >= 0 && from + (int)size > own_count) {
            return tact_xml_fail(key->node, word, TACT_BAD_INPUT, "has only %d numbers", own_count);
        }
        if (from >= 0) {
            memcpy(*all + at, own + from, size * sizeof **all);
        } else if (sizes == q_size) {
            memcpy(*all + at, joint->q, size * sizeof **all);
        }
        at += (int)size;
    }
    return TACT_OK;
}

/// Controls of all actuators of the model.
static TactStatus spread_controls(TactMjcf *mjcf, const TactAttachedKey *key, double **all,
                                  int *count)
{
    double *own = NULL;
    int     own_count;
    *count = 0;
    *all = NULL;
    TACT_TRY(tact_xml_list(mjcf->xml, key->node, "ctrl", &own, &own_count));
    if (own_count == 0) {
        return TACT_OK;
    }
    if (own_count != key->actuator_count) {
        return tact_xml_fail(key->node, "ctrl", TACT_BAD_INPUT, "needs %d numbers and has %d",
                             key->actuator_count, own_count);
    }
    int room = tact_model_builder_count(mjcf->reader->builder, TACT_OBJECT_ACTUATOR);
    *all = tact_xml_pool_take(&mjcf->xml->pool, (size_t)room + 1, sizeof **all);
    if (!*all) {
        return TACT_NO_MEMORY;
    }
    for (const TactMjcfKept *entry = mjcf->kept; entry; entry = entry->next) {
        for (int i = 0; i < own_count && entry->type == TACT_OBJECT_ACTUATOR && entry->kept; i++) {
            if (key->actuators[i] == entry->node) {
                (*all)[*count] = own[i];
            }
        }
        *count += entry->type == TACT_OBJECT_ACTUATOR && entry->kept;
    }
    return TACT_OK;
}

TactStatus tact_mjcf_attached_keys(TactMjcf *mjcf)
{
    static const char *const left_out[] = {"act", "mpos", "mquat"};

    for (const TactAttachedKey *key = mjcf->attachments.keys; key; key = key->next) {
        TactKeyframe frame = {.name = key->name};
        double      *q, *v, *ctrl;
        int          lengths[3];
        TACT_TRY(tact_xml_real(mjcf->xml, key->node, "time", &frame.time));
        TACT_TRY(spread(mjcf, key, "qpos", q_size, &q, &lengths[0]));
        TACT_TRY(spread(mjcf, key, "qvel", v_size, &v, &lengths[1]));
        TACT_TRY(spread_controls(mjcf, key, &ctrl, &lengths[2]));
        frame.q = q;
        frame.v = v;
        frame.ctrl = ctrl;
        TACT_TRY(tact_model_builder_add_keyframe(mjcf->reader->builder, &frame, lengths,
                                                 tact_xml_source(key->node), NULL));
        for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
            if (tact_xml_get(key->node, left_out[i])) {
                TACT_TRY(tact_mjcf_note(mjcf, key->node, left_out[i], TACT_VERDICT_IGNORED,
                                        "of a keyframe of a model that is attached"));
            }
        }
    }
    return TACT_OK;
}
