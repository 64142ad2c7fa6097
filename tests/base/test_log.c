#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"

typedef struct Heard {
    int          count;
    TactLogLevel level;
    char         text[2000];
} Heard;

static void listen(void *context, TactLogLevel level, const char *text)
{
    Heard *heard = context;
    heard->count++;
    heard->level = level;
    strncpy(heard->text, text, sizeof heard->text - 1);
}

static int silence(void **state)
{
    (void)state;
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_DEBUG);
    return 0;
}

static void a_listener_hears_the_text_and_its_level(void **state)
{
    (void)state;
    Heard heard = {0};
    tact_log_set(listen, &heard, TACT_LOG_LEVEL_DEBUG);
    tact_log(TACT_LOG_LEVEL_INFO, "step %d of %s", 3, "ten");
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.level, TACT_LOG_LEVEL_INFO);
    assert_string_equal(heard.text, "step 3 of ten");
}

static void a_listener_hears_nothing_below_its_level(void **state)
{
    (void)state;
    const TactLogLevel levels[] = {TACT_LOG_LEVEL_DEBUG, TACT_LOG_LEVEL_INFO,
                                   TACT_LOG_LEVEL_WARNING};
    for (int from = 0; from < 3; from++) {
        for (int level = 0; level < 3; level++) {
            Heard heard = {0};
            tact_log_set(listen, &heard, levels[from]);
            tact_log(levels[level], "text");
            assert_int_equal(heard.count, level >= from ? 1 : 0);
        }
    }
}

static void nobody_is_told_once_the_listener_is_gone(void **state)
{
    (void)state;
    Heard heard = {0};
    tact_log_set(listen, &heard, TACT_LOG_LEVEL_DEBUG);
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_DEBUG);
    tact_log(TACT_LOG_LEVEL_WARNING, "text");
    assert_int_equal(heard.count, 0);
}

static void a_text_too_long_is_cut(void **state)
{
    (void)state;
    Heard heard = {0};
    char  text[1500];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tact_log_set(listen, &heard, TACT_LOG_LEVEL_DEBUG);
    tact_log(TACT_LOG_LEVEL_INFO, "%s", text);
    size_t length = strlen(heard.text);
    assert_in_range(length, 100, sizeof text - 1);
    assert_memory_equal(heard.text, text, length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_listener_hears_the_text_and_its_level, silence),
        cmocka_unit_test_teardown(a_listener_hears_nothing_below_its_level, silence),
        cmocka_unit_test_teardown(nobody_is_told_once_the_listener_is_gone, silence),
        cmocka_unit_test_teardown(a_text_too_long_is_cut, silence),
    };
    return cmocka_run_group_tests_name("base/log", tests, NULL, NULL);
}
