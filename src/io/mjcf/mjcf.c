// MJCF: the whole file; keyframes and free words.
#include "io/mjcf/mjcf.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

// ---------------------------------------------------------------------------------------------
// Keyframes

/// Controls of the actuators that the model has, out of those of all that the file has.
static TactStatus select_controls(const TactMjcf *mjcf, const TactXmlNode *node, double *ctrl,
                                  int *count)
{
    int all = 0;
    int kept = 0;
    for (const TactMjcfKept *entry = mjcf->kept; entry; entry = entry->next) {
        all += entry->type == TACT_OBJECT_ACTUATOR;
    }
    if (*count != all) {
        return tact_xml_fail(node, "ctrl", TACT_BAD_INPUT, "needs %d numbers and has %d", all,
                             *count);
    }
    int place = 0;
    for (const TactMjcfKept *entry = mjcf->kept; entry; entry = entry->next) {
        if (entry->type == TACT_OBJECT_ACTUATOR) {
            if (entry->kept) {
                ctrl[kept++] = ctrl[place];
            }
            place++;
        }
    }
    *count = kept;
    return TACT_OK;
}

/// mpos and mquat of a keyframe, which stand for all mocap bodies or are absent.
static TactStatus place_mocaps(TactMjcf *mjcf, const TactXmlNode *node, int keyframe)
{
    double *p = NULL, *r = NULL;
    int     positions, turns, count;
    TACT_TRY(tact_xml_list(mjcf->xml, node, "mpos", &p, &positions));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "mquat", &r, &turns));
    if (positions == 0 && turns == 0) {
        return TACT_OK;
    }
    count = mjcf->mocap_count;
    if (positions != 0 && positions != 3 * count) {
        return tact_xml_fail(node, "mpos", TACT_BAD_INPUT, "needs %d numbers and has %d", 3 * count,
                             positions);
    }
    if (turns != 0 && turns != 4 * count) {
        return tact_xml_fail(node, "mquat", TACT_BAD_INPUT, "needs %d numbers and has %d",
                             4 * count, turns);
    }
    TactTransform *poses = tact_xml_pool_take(&mjcf->xml->pool, (size_t)count + 1, sizeof *poses);
    if (!poses) {
        return TACT_NO_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        poses[i] = mjcf->mocaps[i];
        if (positions > 0) {
            poses[i].position = (TactVec3){p[3 * i], p[3 * i + 1], p[3 * i + 2]};
        }
        if (turns > 0) {
            TactQuat turn = {r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]};
            bool     none = turn.w == 0 && turn.x == 0 && turn.y == 0 && turn.z == 0;
            poses[i].rotation = none ? tact_quat_identity() : tact_quat_normalise(turn);
        }
    }
    return tact_model_builder_set_mocap(mjcf->reader->builder, keyframe, poses, count);
}

static TactStatus add_keyframe(TactMjcf *mjcf, const TactXmlNode *node)
{
    TactKeyframe key = {.name = tact_xml_get(node, "name")};
    double      *q = NULL;
    double      *v = NULL;
    double      *ctrl = NULL;
    int          lengths[3];
    key.name = key.name ? key.name : "";
    TACT_TRY(tact_xml_real(mjcf->xml, node, "time", &key.time));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "qpos", &q, &lengths[0]));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "qvel", &v, &lengths[1]));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "ctrl", &ctrl, &lengths[2]));
    TACT_TRY(tact_mjcf_complete_key(mjcf, node, "qpos", &q, &lengths[0]));
    TACT_TRY(tact_mjcf_complete_key(mjcf, node, "qvel", &v, &lengths[1]));
    if (lengths[2] > 0) {
        TACT_TRY(select_controls(mjcf, node, ctrl, &lengths[2]));
    }
    key.q = lengths[0] > 0 ? q : NULL;
    key.v = lengths[1] > 0 ? v : NULL;
    key.ctrl = lengths[2] > 0 ? ctrl : NULL;
    int index;
    TACT_TRY(tact_model_builder_add_keyframe(mjcf->reader->builder, &key, lengths,
                                             tact_xml_source(node), &index));
    double *act = NULL;
    int     count;
    TACT_TRY(tact_xml_list(mjcf->xml, node, "act", &act, &count));
    if (count > 0) {
        TACT_TRY(tact_model_builder_set_activations(mjcf->reader->builder, index, act, count));
    }
    return place_mocaps(mjcf, node, index);
}

TactStatus tact_mjcf_keyframes(TactMjcf *mjcf)
{
    for (TactXmlNode *section = tact_xml_child(mjcf->root, "keyframe"); section;
         section = tact_xml_next(section, "keyframe")) {
        for (TactXmlNode *node = section->first; node; node = node->next) {
            TACT_TRY(add_keyframe(mjcf, node));
        }
    }
    return tact_mjcf_attached_keys(mjcf);
}

// ---------------------------------------------------------------------------------------------
// Free words

/// Numbers, followed by zeros up to the size.
static TactStatus read_numeric(TactMjcf *mjcf, const TactXmlNode *node, TactCustom *custom)
{
    enum { MOST = 500000 };
    double *data = NULL;
    int     size = 0;
    int     count;
    TACT_TRY(tact_xml_int(node, "size", 1, MOST, &size));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "data", &data, &count));
    if (size == 0) {
        size = count > 0 ? count : 1;
    }
    if (count > size) {
        return tact_xml_fail(node, "data", TACT_BAD_INPUT, "has %d numbers, more than its size",
                             count);
    }
    double *all = tact_xml_pool_take(&mjcf->xml->pool, (size_t)size, sizeof *all);
    if (!all) {
        return TACT_NO_MEMORY;
    }
    if (count > 0) {
        memcpy(all, data, (size_t)count * sizeof *all);
    }
    custom->count = size;
    custom->data = all;
    return TACT_OK;
}

/// A text; the file that tact_motion names is seen from the folder of the file that names it.
static TactStatus read_text(TactMjcf *mjcf, const TactXmlNode *node, TactCustom *custom)
{
    TACT_TRY(tact_xml_need(node, "data", &custom->text));
    if (strcmp(custom->name, "tact_motion") == 0) {
        const char *folder = tact_xml_folder(mjcf->xml, node->file);
        custom->path = folder ? tact_xml_join(mjcf->xml, folder, custom->text) : NULL;
        return custom->path ? TACT_OK : TACT_NO_MEMORY;
    }
    return TACT_OK;
}

TactStatus tact_mjcf_customs(TactMjcf *mjcf)
{
    for (TactXmlNode *section = tact_xml_child(mjcf->root, "custom"); section;
         section = tact_xml_next(section, "custom")) {
        for (TactXmlNode *node = section->first; node; node = node->next) {
            TactCustom custom = {.text = ""};
            if (tact_xml_is(node, "tuple")) {
                continue;
            }
            TACT_TRY(tact_xml_need(node, "name", &custom.name));
            if (tact_xml_is(node, "numeric")) {
                TACT_TRY(read_numeric(mjcf, node, &custom));
            } else {
                TACT_TRY(read_text(mjcf, node, &custom));
            }
            TACT_TRY(tact_model_builder_add_custom(mjcf->reader->builder, &custom,
                                                   tact_xml_source(node)));
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus read(TactMjcf *mjcf)
{
    TACT_TRY(tact_mjcf_include(mjcf));
    TACT_TRY(tact_mjcf_check(mjcf));
    TACT_TRY(tact_mjcf_options(mjcf));
    TACT_TRY(tact_mjcf_defaults(mjcf));
    TACT_TRY(tact_mjcf_assets(mjcf));
    TACT_TRY(tact_mjcf_bodies(mjcf));
    TACT_TRY(tact_mjcf_contacts(mjcf));
    TACT_TRY(tact_mjcf_tendons(mjcf));
    TACT_TRY(tact_mjcf_equalities(mjcf));
    TACT_TRY(tact_mjcf_actuators(mjcf));
    TACT_TRY(tact_mjcf_sensors(mjcf));
    TACT_TRY(tact_mjcf_keyframes(mjcf));
    return tact_mjcf_customs(mjcf);
}

TactStatus tact_mjcf_read(TactModelReader *reader)
{
    TactMjcf   mjcf = {.reader = reader, .xml = &reader->xml, .root = reader->root};
    TactStatus status = read(&mjcf);
    tact_release(mjcf.sites);
    return status;
}
