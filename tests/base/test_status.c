#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static const TactStatus all[] = {
    TACT_OK, TACT_BAD_ARGUMENT, TACT_BAD_INPUT, TACT_UNSUPPORTED, TACT_NO_MEMORY, TACT_IO_ERROR,
};
enum { COUNT = sizeof all / sizeof *all };

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const char *name = tact_status_name(all[i]);
        assert_string_not_equal(name, "");
        assert_string_not_equal(name, "unknown");
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(name, tact_status_name(all[j]));
        }
    }
    assert_string_equal(tact_status_name((TactStatus)999), "unknown");
}

static void a_failure_keeps_its_status_and_its_message(void **state)
{
    (void)state;
    assert_int_equal(tact_fail(TACT_BAD_INPUT, "row %d of %s", 7, "file.dat"), TACT_BAD_INPUT);
    assert_string_equal(tact_status_message(), "row 7 of file.dat");
    assert_int_equal(tact_fail(TACT_IO_ERROR, "gone"), TACT_IO_ERROR);
    assert_string_equal(tact_status_message(), "gone");
}

static void a_message_too_long_is_cut_and_still_a_string(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tact_status_ignore(tact_fail(TACT_BAD_INPUT, "%s", text));
    size_t length = strlen(tact_status_message());
    assert_in_range(length, 100, 1999);
    assert_memory_equal(tact_status_message(), text, length);
}

static TactStatus twice(TactStatus first, TactStatus second, int *reached)
{
    TACT_TRY(first);
    ++*reached;
    TACT_TRY(second);
    ++*reached;
    return TACT_OK;
}

static void try_passes_the_first_failure_on_and_goes_no_further(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(twice(TACT_NO_MEMORY, TACT_BAD_INPUT, &reached), TACT_NO_MEMORY);
    assert_int_equal(reached, 0);
    assert_int_equal(twice(TACT_OK, TACT_BAD_INPUT, &reached), TACT_BAD_INPUT);
    assert_int_equal(reached, 1);
    reached = 0;
    assert_int_equal(twice(TACT_OK, TACT_OK, &reached), TACT_OK);
    assert_int_equal(reached, 2);
}

static void *fail_elsewhere(void *seen_first)
{
    *(int *)seen_first = tact_status_message()[0]; // nothing has failed in this thread yet
    tact_status_ignore(tact_fail(TACT_BAD_ARGUMENT, "elsewhere"));
    return strcmp(tact_status_message(), "elsewhere") == 0 ? seen_first : NULL;
}

static void every_thread_has_its_own_message(void **state)
{
    (void)state;
    tact_status_ignore(tact_fail(TACT_BAD_INPUT, "here"));
    pthread_t thread;
    int       seen_first = -1;
    void     *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &seen_first), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &seen_first);
    assert_int_equal(seen_first, '\0');
    assert_string_equal(tact_status_message(), "here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(a_failure_keeps_its_status_and_its_message),
        cmocka_unit_test(a_message_too_long_is_cut_and_still_a_string),
        cmocka_unit_test(try_passes_the_first_failure_on_and_goes_no_further),
        cmocka_unit_test(every_thread_has_its_own_message),
    };
    return cmocka_run_group_tests_name("base/status", tests, NULL, NULL);
}
