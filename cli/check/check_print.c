// The lists of `tact check`, by what becomes of the motion.
#include <stdio.h>
#include <string.h>

#include "cli/check/check.h"
#include "cli/cli.h"
#include "cli/json/json.h"

static const char *const titles[] = {[TACT_VERDICT_HONOURED] = "honoured",
                                     [TACT_VERDICT_APPROXIMATED] = "approximated",
                                     [TACT_VERDICT_IGNORED] = "ignored"};

/// What becomes of the motion by a note. Lists are printed by it, the one that matters most last.
typedef enum Consequence {
    MEANS_THE_SAME,
    CHANGES_NOTHING,
    CHANGES_LITTLE,
    CHANGES_MOTION
} Consequence;

static const char *const consequences[] = {
    [MEANS_THE_SAME] = "honoured",
    [CHANGES_NOTHING] = "changes nothing",
    [CHANGES_LITTLE] = "changes the motion a little",
    [CHANGES_MOTION] = "changes the motion",
};

// For programs.
static const char *const consequence_words[] = {
    [MEANS_THE_SAME] = "none",
    [CHANGES_NOTHING] = "none",
    [CHANGES_LITTLE] = "little",
    [CHANGES_MOTION] = "motion",
};

/// Softness of contacts, limits and constraints, which are rigid by design.
static bool is_softness(const TactModelNote *note)
{
    return note->physics && note->verdict == TACT_VERDICT_IGNORED &&
           (strstr(note->text, "softness") || strstr(note->text, "contact is rigid"));
}

static Consequence find_consequence(const TactModelNote *note)
{
    return note->verdict == TACT_VERDICT_HONOURED                            ? MEANS_THE_SAME
           : !note->physics                                                  ? CHANGES_NOTHING
           : note->verdict == TACT_VERDICT_APPROXIMATED || is_softness(note) ? CHANGES_LITTLE
                                                                             : CHANGES_MOTION;
}

static int count_groups(const TactCheckResult *result, Consequence consequence)
{
    int count = 0;
    for (int g = 0; g < result->group_count; g++) {
        count += find_consequence(result->groups[g].first) == consequence;
    }
    return count;
}

static int count_places(const TactCheckResult *result, Consequence consequence)
{
    int count = 0;
    for (int i = 0; i < result->notes->count; i++) {
        count += find_consequence(&result->notes->items[i]) == consequence;
    }
    return count;
}

static bool belongs(const TactModelNote *note, const TactModelNote *first)
{
    return note->verdict == first->verdict && note->physics == first->physics &&
           strcmp(note->element, first->element) == 0 &&
           strcmp(note->attribute, first->attribute) == 0 && strcmp(note->text, first->text) == 0;
}

static void print_group(const TactCheckResult *result, const TactCheckGroup *group, bool all)
{
    const TactModelNote *note = group->first;
    char                 name[96];
    char                 place[512];
    snprintf(name, sizeof name, "%s%s%s", note->element, note->attribute[0] ? "." : "",
             note->attribute);
    snprintf(place, sizeof place, "%s:%d", note->file, note->line);
    bool marked = note->physics && note->verdict != TACT_VERDICT_HONOURED;
    printf("  %c %-26s %5d  %s", marked ? '*' : ' ', name, group->count, place);
    if (note->text[0]) {
        printf("  %s: %s", titles[note->verdict], note->text);
    }
    putchar('\n');
    for (int i = 0; all && i < result->notes->count; i++) {
        const TactModelNote *other = &result->notes->items[i];
        if (other != note && belongs(other, note)) {
            printf("  %*s%s:%d\n", 36, "", other->file, other->line);
        }
    }
}

/// All that is said of softness, in one line: what it means is the same everywhere.
static void print_softness(const TactCheckResult *result)
{
    const TactModelNote *first = NULL;
    int                  count = 0;
    for (int i = 0; i < result->notes->count; i++) {
        if (is_softness(&result->notes->items[i])) {
            first = first ? first : &result->notes->items[i];
            count++;
        }
    }
    if (count > 0) {
        char place[512];
        snprintf(place, sizeof place, "%s:%d", first->file, first->line);
        printf("  * %-26s %5d  %s  ignored: contacts, limits and constraints are rigid "
               "(docs/guide/mjcf.md, Softness)\n",
               "softness (solref, ...)", count, place);
    }
}

void tact_check_print(const TactCheckResult *result, bool all)
{
    if (result->status != TACT_OK && result->notes->count == 0) {
        return; // refused before anything was read: what is wrong is told, and nothing is listed
    }
    for (int consequence = MEANS_THE_SAME; consequence <= CHANGES_MOTION; consequence++) {
        int kinds = count_groups(result, (Consequence)consequence);
        int places = count_places(result, (Consequence)consequence);
        printf("%s%s%s: %d kind%s at %d place%s\n", tact_cli_colour(stdout, TACT_BOLD),
               consequences[consequence], tact_cli_colour(stdout, TACT_PLAIN), kinds,
               kinds == 1 ? "" : "s", places, places == 1 ? "" : "s");
        if (consequence == CHANGES_LITTLE && !all) {
            print_softness(result);
        }
        for (int g = 0; g < result->group_count; g++) {
            const TactModelNote *first = result->groups[g].first;
            if (find_consequence(first) == (Consequence)consequence &&
                (all || !is_softness(first))) {
                print_group(result, &result->groups[g], all);
            }
        }
    }
    if (result->status == TACT_OK) {
        int count = tact_check_unfaithful(result);
        if (count == 1) {
            printf("1 place (*) bears on the physics and is not honoured\n");
        } else if (count > 1) {
            printf("%d places (*) bear on the physics and are not honoured\n", count);
        } else {
            printf("all that bears on the physics is honoured\n");
        }
    }
}

// ---------------------------------------------------------------------------------------------
// JSON

static json_t *place_of(const TactModelNote *note)
{
    return tact_json_pack("{s:o, s:i}", "file", tact_json_value_text(note->file), "line",
                          note->line);
}

static json_t *group_to_json(const TactCheckResult *result, const TactCheckGroup *group, bool all)
{
    const TactModelNote *note = group->first;
    json_t *object = tact_json_pack("{s:s, s:s, s:b, s:i, s:o, s:i, s:o}", "element", note->element,
                                    "attribute", note->attribute, "physics", note->physics, "count",
                                    group->count, "file", tact_json_value_text(note->file), "line",
                                    note->line, "text", tact_json_value_text(note->text));
    tact_json_set(object, "consequence", json_string(consequence_words[find_consequence(note)]));
    if (object && all) {
        json_t *places = json_array();
        for (int i = 0; i < result->notes->count; i++) {
            if (belongs(&result->notes->items[i], note)) {
                tact_json_append(places, place_of(&result->notes->items[i]));
            }
        }
        tact_json_set(object, "places", places);
    }
    return object;
}

int tact_check_print_json(const TactCheckResult *result, bool all)
{
    json_t *root = json_object();
    tact_json_set(root, "file", tact_json_value_text(result->file));
    tact_json_set(root, "status", json_string(tact_status_name(result->status)));
    tact_json_set(root, "message", tact_json_value_text(result->message));
    tact_json_set(root, "unfaithful", json_integer(tact_check_unfaithful(result)));
    for (int verdict = TACT_VERDICT_HONOURED; verdict <= TACT_VERDICT_IGNORED; verdict++) {
        json_t *list = json_array();
        for (int g = 0; g < result->group_count; g++) {
            if (result->groups[g].first->verdict == (TactVerdict)verdict) {
                tact_json_append(list, group_to_json(result, &result->groups[g], all));
            }
        }
        tact_json_set(root, titles[verdict], list);
    }
    const char *why = tact_json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
