#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tact/base.h>

static void version_begins_with_the_numbers_of_the_header(void **state)
{
    (void)state;
    char numbers[32];
    int  length = snprintf(numbers, sizeof numbers, "%d.%d.%d (", TACT_VERSION_MAJOR,
                           TACT_VERSION_MINOR, TACT_VERSION_PATCH);
    assert_true(strncmp(tact_version(), numbers, (size_t)length) == 0);
}

static void version_names_every_optional_part(void **state)
{
    (void)state;
#ifdef TACT_HAVE_LAPACK
    assert_null(strstr(tact_version(), "lapack: no"));
#else
    assert_non_null(strstr(tact_version(), "lapack: no"));
#endif
    assert_non_null(strstr(tact_version(), "lapack: "));
#ifdef TACT_HAVE_JANSSON
    assert_non_null(strstr(tact_version(), "jansson: yes"));
#else
    assert_non_null(strstr(tact_version(), "jansson: no"));
#endif
#ifdef TACT_HAVE_HDF5
    assert_non_null(strstr(tact_version(), "hdf5: yes"));
#else
    assert_non_null(strstr(tact_version(), "hdf5: no"));
#endif
#ifdef TACT_HAVE_LIBXML2
    assert_non_null(strstr(tact_version(), "libxml2: yes"));
#else
    assert_non_null(strstr(tact_version(), "libxml2: no"));
#endif
#ifdef TACT_HAVE_QHULL
    assert_non_null(strstr(tact_version(), "qhull: yes"));
#else
    assert_non_null(strstr(tact_version(), "qhull: no"));
#endif
#ifdef TACT_HAVE_ASSIMP
    assert_non_null(strstr(tact_version(), "assimp: yes"));
#else
    assert_non_null(strstr(tact_version(), "assimp: no"));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_begins_with_the_numbers_of_the_header),
        cmocka_unit_test(version_names_every_optional_part),
    };
    return cmocka_run_group_tests_name("base/version", tests, NULL, NULL);
}
