// Names that elements use, and elements that stand for each round of a replicate.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mjcf/mjcf.h"

const char *tact_mjcf_suffixed(const TactMjcf *mjcf, const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t more = strlen(suffix);
    char  *whole = tact_xml_pool_take(&mjcf->xml->pool, length + more + 1, 1);
    if (whole) {
        snprintf(whole, length + more + 1, "%s%s", name, suffix);
    }
    return whole;
}

static const char *kind(TactObject type)
{
    static const char *const names[TACT_OBJECT_COUNT] = {
        [TACT_OBJECT_BODY] = "body",         [TACT_OBJECT_XBODY] = "body",
        [TACT_OBJECT_JOINT] = "joint",       [TACT_OBJECT_GEOM] = "geom",
        [TACT_OBJECT_SITE] = "site",         [TACT_OBJECT_TENDON] = "fixed tendon",
        [TACT_OBJECT_ACTUATOR] = "actuator",
    };
    return names[type] ? names[type] : "thing";
}

static int find_name(const TactMjcf *mjcf, TactObject type, const char *name)
{
    if (type == TACT_OBJECT_BODY && strcmp(name, "world") == 0) {
        return 0;
    }
    return tact_model_builder_find(mjcf->reader->builder, type, name);
}

TactStatus tact_mjcf_find(const TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                          TactObject type, TactMjcfRound round, int *index)
{
    const char *name;
    TACT_TRY(tact_xml_need(node, attribute, &name));
    *index = -1;
    if (round.suffix[0]) {
        const char *whole = tact_mjcf_suffixed(mjcf, name, round.suffix);
        if (!whole) {
            return TACT_NO_MEMORY;
        }
        *index = find_name(mjcf, type, whole);
    }
    if (*index < 0) {
        *index = find_name(mjcf, type, name);
    }
    return *index >= 0 ? TACT_OK
                       : tact_xml_fail(node, attribute, TACT_BAD_INPUT, "there is no %s '%s'",
                                       kind(type), name);
}

// ---------------------------------------------------------------------------------------------
// What is in the model and what is not

TactStatus tact_mjcf_keep(TactMjcf *mjcf, TactObject type, const TactXmlNode *node,
                          const char *name, bool kept)
{
    TactMjcfKept *entry = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *entry);
    if (!entry) {
        return TACT_NO_MEMORY;
    }
    *entry = (TactMjcfKept){.type = type, .name = name ? name : "", .kept = kept, .node = node};
    if (mjcf->last_kept) {
        mjcf->last_kept->next = entry;
    } else {
        mjcf->kept = entry;
    }
    mjcf->last_kept = entry;
    return TACT_OK;
}

bool tact_mjcf_is_left_out(const TactMjcf *mjcf, TactObject type, const char *name,
                           TactMjcfRound round)
{
    if (!name) {
        return false;
    }
    size_t length = strlen(name);
    for (const TactMjcfKept *entry = mjcf->kept; entry; entry = entry->next) {
        if (entry->type == type && !entry->kept &&
            (strcmp(entry->name, name) == 0 ||
             (round.suffix[0] && strncmp(entry->name, name, length) == 0 &&
              strcmp(entry->name + length, round.suffix) == 0))) {
            return true;
        }
    }
    return false;
}

TactStatus tact_mjcf_note(TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                          TactVerdict verdict, const char *text)
{
    return tact_model_reader_note(mjcf->reader, node, attribute, verdict, true, text);
}

TactStatus tact_mjcf_note_giving(TactMjcf *mjcf, const TactXmlNode *node, double stiffness,
                                 double damping)
{
    if (stiffness < 0) {
        TACT_TRY(tact_mjcf_note(mjcf, node, "stiffness", TACT_VERDICT_APPROXIMATED,
                                "is negative, pushes away from its rest: taken at the beginning of "
                                "the step"));
    }
    return damping < 0 ? tact_mjcf_note(mjcf, node, "damping", TACT_VERDICT_APPROXIMATED,
                                        "is negative, gives energy instead of taking it: taken at "
                                        "the beginning of the step")
                       : TACT_OK;
}

TactStatus tact_mjcf_fit_gap(TactMjcf *mjcf, const TactXmlNode *node, double *margin, double *gap)
{
    if (!(*gap < 0)) {
        return TACT_OK;
    }
    *margin += *gap;
    *gap = 0;
    return tact_mjcf_note(mjcf, node, "gap", TACT_VERDICT_APPROXIMATED,
                          "is negative: contacts begin where margin and gap are used up together");
}

// ---------------------------------------------------------------------------------------------
// Rounds of replicates

/// Attributes with names of things of the tree.
static const struct {
    const char *attribute;
    TactObject  type;
} references[] = {
    {"joint", TACT_OBJECT_JOINT},    {"jointinparent", TACT_OBJECT_JOINT},
    {"joint1", TACT_OBJECT_JOINT},   {"joint2", TACT_OBJECT_JOINT},
    {"body", TACT_OBJECT_BODY},      {"body1", TACT_OBJECT_BODY},
    {"body2", TACT_OBJECT_BODY},     {"geom1", TACT_OBJECT_GEOM},
    {"geom2", TACT_OBJECT_GEOM},     {"site", TACT_OBJECT_SITE},
    {"subtree1", TACT_OBJECT_BODY},  {"subtree2", TACT_OBJECT_BODY},
    {"site1", TACT_OBJECT_SITE},     {"site2", TACT_OBJECT_SITE},
    {"tendon", TACT_OBJECT_TENDON},  {"tendon1", TACT_OBJECT_TENDON},
    {"tendon2", TACT_OBJECT_TENDON}, {"actuator", TACT_OBJECT_ACTUATOR},
    {"objname", TACT_OBJECT_NONE},   {"refname", TACT_OBJECT_NONE},
};

enum { REFERENCES = sizeof references / sizeof references[0] };

static TactMjcfReplicated *find_replicated(const TactMjcf *mjcf, TactObject type, const char *base)
{
    TactMjcfReplicated *entry = mjcf->replicated;
    while (entry &&
           ((type != TACT_OBJECT_NONE && entry->type != type) || strcmp(entry->base, base) != 0)) {
        entry = entry->next;
    }
    return entry;
}

/// The first replicated thing that an element, or a part of it, names.
static TactMjcfReplicated *names_replicated(const TactMjcf *mjcf, const TactXmlNode *node)
{
    if (!mjcf->replicated) {
        return NULL;
    }
    for (const TactXmlNode *part = node; part; part = tact_xml_following(node, part)) {
        for (int i = 0; i < REFERENCES; i++) {
            const char         *name = tact_xml_get(part, references[i].attribute);
            TactMjcfReplicated *entry =
                name ? find_replicated(mjcf, references[i].type, name) : NULL;
            if (entry) {
                return entry;
            }
        }
    }
    return NULL;
}

static TactStatus remember_replica(TactMjcf *mjcf, TactObject type, const char *base,
                                   TactMjcfRound round)
{
    TactMjcfReplicated *entry = find_replicated(mjcf, type, base);
    if (!entry) {
        entry = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *entry);
        if (!entry) {
            return TACT_NO_MEMORY;
        }
        *entry = (TactMjcfReplicated){.type = type, .base = base, .next = mjcf->replicated};
        mjcf->replicated = entry;
    }
    TactMjcfReplica *replica = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *replica);
    if (!replica) {
        return TACT_NO_MEMORY;
    }
    replica->round = round;
    if (entry->last) {
        entry->last->next = replica;
    } else {
        entry->first = replica;
    }
    entry->last = replica;
    entry->count++;
    return TACT_OK;
}

TactStatus tact_mjcf_name(TactMjcf *mjcf, const TactXmlNode *node, TactObject type,
                          TactMjcfRound round, const char **name)
{
    const char *base = tact_xml_get(node, "name");
    base = base ? base : "";
    if (round.suffix[0] && ++mjcf->repeated > TACT_MJCF_MOST_REPEATED) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "more than %d replicated elements",
                             TACT_MJCF_MOST_REPEATED);
    }
    *name = base[0] && round.suffix[0] ? tact_mjcf_suffixed(mjcf, base, round.suffix) : base;
    if (!*name) {
        return TACT_NO_MEMORY;
    }
    return base[0] && round.suffix[0] ? remember_replica(mjcf, type, base, round) : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Sections

/// An element in a round; order is that of the file.
typedef struct Instance {
    const TactXmlNode *node;
    TactMjcfRound      round;
    size_t             order;
} Instance;

static int compare_rounds(const void *left, const void *right)
{
    const Instance *a = left;
    const Instance *b = right;
    if (a->round.id != b->round.id) {
        return a->round.id < b->round.id ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

/// Every element as often as it is there: how many, or the list itself.
static size_t list_instances(const TactMjcf *mjcf, const char *section, Instance *list)
{
    size_t count = 0;
    for (TactXmlNode *top = tact_xml_child(mjcf->root, section); top;
         top = tact_xml_next(top, section)) {
        for (TactXmlNode *node = top->first; node; node = node->next) {
            const TactMjcfReplicated *entry = names_replicated(mjcf, node);
            if (!entry) {
                if (list) {
                    list[count] = (Instance){node, {"", 0}, count};
                }
                count++;
                continue;
            }
            for (const TactMjcfReplica *replica = entry->first; replica; replica = replica->next) {
                if (list) {
                    list[count] = (Instance){node, replica->round, count};
                }
                count++;
            }
        }
    }
    return count;
}

TactStatus tact_mjcf_each(TactMjcf *mjcf, const char *section, TactMjcfElement *run)
{
    size_t count = list_instances(mjcf, section, NULL);
    if (count == 0) {
        return TACT_OK;
    }
    void *block;
    TACT_TRY(tact_allocate(count, sizeof(Instance), &block));
    Instance  *list = block;
    TactStatus status = TACT_OK;
    list_instances(mjcf, section, list);
    qsort(list, count, sizeof *list, compare_rounds);
    for (size_t i = 0; i < count && status == TACT_OK; i++) {
        status = run(mjcf, list[i].node, list[i].round);
    }
    tact_release(block);
    return status;
}
