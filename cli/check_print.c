// The three lists of `tact check`.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "cli.h"

static const char *const titles[] = {
    [TACT_HONOURED] = "honoured", [TACT_APPROXIMATED] = "approximated", [TACT_IGNORED] = "ignored"};

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
    bool marked = note->physics && note->verdict != TACT_HONOURED;
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
    for (int verdict = TACT_HONOURED; verdict <= TACT_IGNORED; verdict++) {
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
    return json_pack("{s:s, s:i}", "file", note->file, "line", note->line);
}

static json_t *group_to_json(const TactCheckResult *result, const TactCheckGroup *group, bool all)
{
    const TactModelNote *note = group->first;
    json_t              *object =
        json_pack("{s:s, s:s, s:b, s:i, s:s, s:i, s:s}", "element", note->element, "attribute",
                  note->attribute, "physics", note->physics, "count", group->count, "file",
                  note->file, "line", note->line, "text", note->text);
    if (object && all) {
        json_t *places = json_array();
        for (int i = 0; i < result->notes->count; i++) {
            if (belongs(&result->notes->items[i], note)) {
                json_array_append_new(places, place_of(&result->notes->items[i]));
            }
        }
        json_object_set_new(object, "places", places);
    }
    return object;
}

bool tact_check_print_json(const TactCheckResult *result, bool all)
{
    json_t *root = json_object();
    json_object_set_new(root, "file", json_string(result->file));
    json_object_set_new(root, "status", json_string(tact_status_name(result->status)));
    json_object_set_new(root, "message", json_string(result->message));
    json_object_set_new(root, "unfaithful", json_integer(tact_check_unfaithful(result)));
    for (int verdict = TACT_HONOURED; verdict <= TACT_IGNORED; verdict++) {
        json_t *list = json_array();
        for (int g = 0; g < result->group_count; g++) {
            if (result->groups[g].first->verdict == (TactVerdict)verdict) {
                json_array_append_new(list, group_to_json(result, &result->groups[g], all));
            }
        }
        json_object_set_new(root, titles[verdict], list);
    }
    bool done = root && json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0;
    putchar('\n');
    json_decref(root);
    return done;
}
