// The table of docs/guide/mjcf.md is the reader's own. To write it anew after a change that was
// meant: TACT_WRITE_GUIDE=1 build/tests/test_io_mjcf_guide
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mjcf/mjcf_words.h"
#include "io/scratch.h"

#define GUIDE TACT_SOURCE_DIR "/docs/guide/mjcf.md"

static const char start[] = "<!-- table: written by tests/io/test_mjcf_guide.c -->\n";
static const char stop[] = "<!-- end of table -->\n";

typedef struct Text {
    char   bytes[1 << 17];
    size_t length;
} Text;

static Text table;

static void add(const char *text)
{
    size_t length = strlen(text);
    assert_true(table.length + length < sizeof table.bytes);
    memcpy(table.bytes + table.length, text, length + 1);
    table.length += length;
}

static const char *verdict(const TactMjcfWord *word)
{
    return word->verdict == TACT_VERDICT_HONOURED       ? "honoured"
           : word->verdict == TACT_VERDICT_APPROXIMATED ? "approximated"
                                                        : "ignored";
}

/// `a` `b` `c`
static void add_list(const char *list)
{
    while (list && *list) {
        size_t length = strcspn(list, " ");
        char   word[64];
        snprintf(word, sizeof word, "`%.*s` ", (int)length, list);
        add(word);
        list += length;
        list += strspn(list, " ");
    }
}

static void add_verdict(const TactMjcfWord *word)
{
    add(" | ");
    add(word->physics ? "**" : "");
    add(verdict(word));
    add(word->physics ? "**" : "");
    if (word->text) {
        add(": ");
        add(word->text);
    }
    add(" |\n");
}

/// Attributes with the same verdict and reason stand in one row.
static void add_attributes(const TactMjcfWord *first)
{
    for (const TactMjcfWord *word = first; word->name && !word->parents; word++) {
        bool told = false;
        for (const TactMjcfWord *other = first; other < word; other++) {
            told = told || (strcmp(other->text, word->text) == 0 &&
                            other->verdict == word->verdict && other->physics == word->physics);
        }
        if (told) {
            continue;
        }
        add("| | ");
        for (const TactMjcfWord *other = word; other->name && !other->parents; other++) {
            if (strcmp(other->text, word->text) == 0 && other->verdict == word->verdict &&
                other->physics == word->physics) {
                add("`");
                add(other->name);
                add("` ");
                if (other->harmless) {
                    char except[128];
                    snprintf(except, sizeof except, "(but `%s`) ", other->harmless);
                    for (char *c = except; *c; c++) {
                        *c = (char)(*c == '|' ? '/' : *c);
                    }
                    add(except);
                }
            }
        }
        table.length--; // the last blank
        add_verdict(word);
    }
}

static void write_table(void)
{
    add("| element | attributes | what becomes of them |\n|---|---|---|\n");
    for (const TactMjcfWord *word = tact_mjcf_words(); word->name; word++) {
        if (!word->parents) {
            continue;
        }
        char        name[64];
        const char *id = tact_mjcf_word_id(word);
        snprintf(name, sizeof name, "| `%s` | ", id);
        for (char *c = name + 3; *c && *c != '`'; c++) {
            *c = (char)(*c == ' ' ? '/' : *c);
        }
        add(name);
        add_list(word->plain);
        if (word->same) {
            add("and those of `");
            add(word->same);
            add("` ");
        }
        if (table.bytes[table.length - 1] == ' ' && table.bytes[table.length - 2] != '|') {
            table.length--;
            table.bytes[table.length] = '\0';
        }
        add_verdict(word);
        add_attributes(word + 1);
    }
}

static void the_guide_has_the_table_of_the_reader(void **state)
{
    (void)state;
    char *guide = tact_scratch_read(GUIDE);
    assert_non_null(guide);
    char *from = strstr(guide, start);
    char *to = strstr(guide, stop);
    assert_non_null(from);
    assert_non_null(to);
    from += strlen(start);
    write_table();
    if (getenv("TACT_WRITE_GUIDE")) {
        FILE *file = fopen(GUIDE, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(from - guide), guide, table.bytes, to);
        fclose(file);
    } else if (strlen(table.bytes) != (size_t)(to - from) ||
               strncmp(from, table.bytes, (size_t)(to - from)) != 0) {
        fail_msg("docs/guide/mjcf.md has another table than the reader");
    }
    free(guide);
}

static bool is_id(const char *id, size_t length)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, id);
    if (tact_mjcf_word_by_id(word)) {
        return true;
    }
    char *dash = strchr(word, '-'); // ids of two words
    if (dash) {
        *dash = ' ';
    }
    return tact_mjcf_word_by_id(word) != NULL;
}

static void words_stand_in_elements_that_there_are(void **state)
{
    (void)state;
    for (const TactMjcfWord *word = tact_mjcf_words(); word->name; word++) {
        if (!word->parents) {
            assert_true(word->verdict != TACT_VERDICT_HONOURED && word->text && word->text[0]);
            continue;
        }
        const char *list = word->parents;
        while (*list && *list != '*' && *list != '-') {
            size_t length = strcspn(list, " ");
            if (!is_id(list, length)) {
                fail_msg("%s: there is no element '%.*s'", word->name, (int)length, list);
            }
            list += length;
            list += strspn(list, " ");
        }
        assert_true((word->verdict == TACT_VERDICT_HONOURED) == (word->text == NULL));
        assert_true(!word->same || tact_mjcf_word_by_id(word->same));
    }
}

static void words_are_found_where_they_may_stand(void **state)
{
    (void)state;
    const TactMjcfWord *root = tact_mjcf_word_child(NULL, "mujoco");
    const TactMjcfWord *equality = tact_mjcf_word_child(root, "equality");
    const TactMjcfWord *joint = tact_mjcf_word_child(equality, "joint");
    assert_string_equal(tact_mjcf_word_id(joint), "equality joint");
    assert_non_null(tact_mjcf_word_attribute(joint, "polycoef"));
    assert_null(tact_mjcf_word_attribute(joint, "axis"));
    assert_int_equal(tact_mjcf_word_attribute(joint, "solref")->verdict, TACT_VERDICT_IGNORED);
    assert_null(tact_mjcf_word_child(root, "joint"));
    assert_null(tact_mjcf_word_child(NULL, "worldbody"));
    const TactMjcfWord *sensor = tact_mjcf_word_child(root, "sensor");
    const TactMjcfWord *plugin = tact_mjcf_word_child(sensor, "plugin");
    assert_non_null(tact_mjcf_word_child(plugin, "config"));
}

#ifdef TACT_HAVE_LIBXML2

static bool is_noted(const TactModelNotes *notes, const char *element, const char *attribute)
{
    for (int i = 0; i < notes->count; i++) {
        if (notes->items[i].verdict == TACT_VERDICT_HONOURED &&
            strcmp(notes->items[i].element, element) == 0 &&
            strcmp(notes->items[i].attribute, attribute) == 0) {
            return true;
        }
    }
    return false;
}

/// Is it in one of our models?
static bool is_used(TactModelNotes *const *notes, int count, const char *id, const char *attribute)
{
    char element[64];
    snprintf(element, sizeof element, "%s", id);
    for (char *c = element; *c; c++) {
        *c = (char)(*c == ' ' ? '/' : *c);
    }
    for (int i = 0; i < count; i++) {
        if (is_noted(notes[i], element, attribute)) {
            return true;
        }
    }
    return false;
}

static void our_models_use_every_honoured_word(void **state)
{
    (void)state;
    static const char *const files[] = {"everything.xml",
                                        "replicate.xml",
                                        "fit.xml",
                                        "orientations.xml",
                                        "../features/activation.xml",
                                        "../features/muscle.xml",
                                        "../features/transmission.xml",
                                        "../features/tendon.xml",
                                        "../features/flags.xml",
                                        "../features/mocap.xml",
                                        "../features/fluid.xml",
                                        "../features/sensors.xml",
                                        "../features/margin.xml",
                                        "../features/attach.xml",
                                        "../features/springdamper.xml",
                                        "../features/adhesion.xml",
                                        "../features/surface.xml",
                                        "../features/ellipsoid.xml",
                                        "../features/sensors2.xml",
                                        "../features/dcmotor.xml",
                                        "../features/cable.xml",
                                        "../features/dcmotor2.xml",
                                        "../features/override.xml",
                                        "../features/cable_elastic.xml",
                                        "../features/pid.xml",
                                        "../features/pid_plugin.xml",
                                        "../features/orientation.xml",
                                        "../strange/fitaabb.xml"};
    enum { FILES = sizeof files / sizeof files[0] };
    TactModelNotes *notes[FILES];
    int             missing = 0;
    for (int i = 0; i < FILES; i++) {
        char                path[1024];
        TactModel          *model = NULL;
        TactModelLoadConfig config = tact_model_load_config_default();
        snprintf(path, sizeof path, "%s/tests/models/mjcf/%s", TACT_SOURCE_DIR, files[i]);
        if (tact_model_load(path, &config, &model, &notes[i]) != TACT_OK) {
            fail_msg("%s", tact_status_message());
        }
        tact_model_destroy(model);
    }
    for (const TactMjcfWord *word = tact_mjcf_words(); word->name; word++) {
        if (!word->parents || word->parents[0] == '-' || word->verdict != TACT_VERDICT_HONOURED) {
            continue;
        }
        const char *list = word->plain;
        while (list && *list) {
            char   attribute[64];
            size_t length = strcspn(list, " ");
            snprintf(attribute, sizeof attribute, "%.*s", (int)length, list);
            // Of an older version of the format, which MuJoCo no longer reads.
            if (strcmp(attribute, "exactmeshinertia") != 0 && strcmp(attribute, "passive") != 0 &&
                strcmp(attribute, "collision") != 0 &&
                !is_used(notes, FILES, tact_mjcf_word_id(word), attribute)) {
                print_message("no model of ours has %s.%s\n", tact_mjcf_word_id(word), attribute);
                missing++;
            }
            list += length;
            list += strspn(list, " ");
        }
    }
    for (int i = 0; i < FILES; i++) {
        tact_model_notes_destroy(notes[i]);
    }
    assert_int_equal(missing, 0);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guide_has_the_table_of_the_reader),
        cmocka_unit_test(words_stand_in_elements_that_there_are),
        cmocka_unit_test(words_are_found_where_they_may_stand),
#ifdef TACT_HAVE_LIBXML2
        cmocka_unit_test(our_models_use_every_honoured_word),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
