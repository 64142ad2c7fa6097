// Loading models: the call, the notes, and what happens without memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mjcf_text.h"
#include "io/scratch.h"

static void notes_are_in_the_order_of_reading_with_file_and_line(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco model='m'>\n<option timestep='0.1'\n impratio='2'/></mujoco>";
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    assert_int_equal(tact_model_load_memory("n.xml", text, strlen(text), &config, &model, &notes),
                     TACT_OK);
    assert_int_equal(notes->count, 3);
    assert_string_equal(notes->items[0].attribute, "model");
    assert_string_equal(notes->items[1].element, "option");
    assert_int_equal(notes->items[1].line, 2);
    assert_int_equal(notes->items[1].verdict, TACT_VERDICT_HONOURED);
    assert_string_equal(notes->items[2].attribute, "impratio");
    assert_int_equal(notes->items[2].line, 3);
    assert_int_equal(notes->items[2].verdict, TACT_VERDICT_IGNORED);
    assert_true(notes->items[2].physics);
    assert_string_equal(notes->items[2].file, "n.xml");
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
}

static void values_without_effect_are_honoured(void **state)
{
    (void)state;
    assert_int_equal(tact_mjcf_notes("<option impratio='1.0' magnetic='0 -0.50 0'/>", "option",
                                     "impratio", TACT_VERDICT_HONOURED),
                     1);
    assert_int_equal(
        tact_mjcf_notes("<option impratio='2'/>", "option", "impratio", TACT_VERDICT_IGNORED), 1);
    assert_int_equal(tact_mjcf_notes("<default><geom condim='3'/></default>", "geom", "condim",
                                     TACT_VERDICT_HONOURED),
                     1);
    assert_int_equal(tact_mjcf_notes("<default><geom condim='6'/></default>", "geom", "condim",
                                     TACT_VERDICT_HONOURED),
                     1);
    assert_int_equal(
        tact_mjcf_notes("<option cone='pyramidal'/>", "option", "cone", TACT_VERDICT_APPROXIMATED),
        1);
    // Elements that are ignored are told once, whatever is in them.
    assert_int_equal(tact_mjcf_notes("<visual><global fovy='3'/><map force='1'/></visual>",
                                     "visual", "", TACT_VERDICT_IGNORED),
                     1);
    assert_int_equal(tact_mjcf_notes("<visual><global fovy='3'/></visual>", "global", "fovy",
                                     TACT_VERDICT_IGNORED),
                     0);
}

static void a_wrong_call_is_told(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    assert_int_equal(tact_model_load(NULL, &config, &model, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_load("a.xml", NULL, &model, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_load("a.xml", &config, NULL, NULL), TACT_BAD_ARGUMENT);
    tact_model_notes_destroy(NULL);
}

static void the_same_file_gives_the_same_model(void **state)
{
    (void)state;
    TactModel *one = tact_mjcf_file("everything.xml");
    TactModel *two = tact_mjcf_file("everything.xml");
    assert_true(one->hash == two->hash);
    tact_model_destroy(one);
    tact_model_destroy(two);
}

// ---------------------------------------------------------------------------------------------
// Memory that runs out: every allocation fails once; nothing may leak or crash (sanitizers look).

static long remaining;

static void *allocate(void *context, size_t size)
{
    (void)context;
    return remaining-- > 0 ? malloc(size) : NULL;
}

static void release(void *context, void *block)
{
    (void)context;
    free(block);
}

static void without_memory_a_load_ends_with_a_status(void **state)
{
    (void)state;
    static const char *const files[] = {"everything.xml", "replicate.xml", "unfaithful.xml",
                                        "../features/attach.xml"};
    TactAllocator            failing = {allocate, release, NULL};
    for (int f = 0; f < 4; f++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/tests/models/mjcf/%s", TACT_SOURCE_DIR, files[f]);
        long       step = 1;
        TactStatus status = TACT_NO_MEMORY;
        for (long limit = 0; status != TACT_OK; limit += step) {
            TactModelLoadConfig config = tact_model_load_config_default();
            TactModel          *model = NULL;
            TactModelNotes     *notes = NULL;
            remaining = limit;
            tact_allocator_set(&failing);
            status = tact_model_load(path, &config, &model, &notes);
            tact_model_notes_destroy(notes);
            tact_model_destroy(model);
            tact_allocator_set(NULL);
            if (status != TACT_OK && status != TACT_NO_MEMORY) {
                fail_msg("%s after %ld allocations: %s", files[f], limit, tact_status_message());
            }
            step = limit < 200 ? 1 : 7; // enough of the many that are alike
        }
    }
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_in_the_order_of_reading_with_file_and_line),
        cmocka_unit_test(values_without_effect_are_honoured),
        cmocka_unit_test(a_wrong_call_is_told),
        cmocka_unit_test(the_same_file_gives_the_same_model),
        cmocka_unit_test(without_memory_a_load_ends_with_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
