// The three lists of `tact check`.
#include <stdio.h>
#include <string.h>

#include "cli/check/check.h"
#include "cli/cli.h"
#include "cli/json/json.h"

static const char *const titles[] = {[TACT_VERDICT_HONOURED] = "honoured",
                                     [TACT_VERDICT_APPROXIMATED] = "approximated",
                                     [TACT_VERDICT_IGNORED] = "ignored"};

static int count_groups(const TactCheckResult *result, TactVerdict verdict)
{
    int count = 0;
    for (int g = 0; g < result->group_count; g++) {
        count += result->groups[g].first->verdict == verdict;
    }
    return count;
}

static int count_places(const TactCheckResult *result, TactVerdict verdict)
{
    int count = 0;
    for (int i = 0; i < result->notes->count; i++) {
        count += result->notes->items[i].verdict == verdict;
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
        printf("  %s", note->text);
    }
    putchar('\n');
    for (int i = 0; all && i < result->notes->count; i++) {
        const TactModelNote *other = &result->notes->items[i];
        if (other != note && belongs(other, note)) {
            printf("  %*s%s:%d\n", 36, "", other->file, other->line);
        }
    }
}

void tact_check_print(const TactCheckResult *result, bool all)
{
    for (int verdict = TACT_VERDICT_HONOURED; verdict <= TACT_VERDICT_IGNORED; verdict++) {
        int kinds = count_groups(result, (TactVerdict)verdict);
        printf("%s%s%s: %d kinds at %d places\n", tact_cli_colour(stdout, TACT_BOLD),
               titles[verdict], tact_cli_colour(stdout, TACT_PLAIN), kinds,
               count_places(result, (TactVerdict)verdict));
        for (int g = 0; g < result->group_count; g++) {
            if (result->groups[g].first->verdict == (TactVerdict)verdict) {
                print_group(result, &result->groups[g], all);
            }
        }
    }
    if (result->status == TACT_OK) {
        int count = tact_check_unfaithful(result);
        if (count > 0) {
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
