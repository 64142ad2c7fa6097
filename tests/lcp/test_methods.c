// The table of methods, and the names of outcomes.
#include "problems.h"

static void every_method_has_a_name_by_which_it_is_found(void **state)
{
    (void)state;
    FOR_EACH_METHOD(method)
    {
        TactLcpMethod found = TACT_LCP_METHOD_COUNT;
        assert_int_equal(tact_lcp_method_find(tact_lcp_method_info(method)->name, &found), TACT_OK);
        assert_int_equal(found, method);
        assert_true(strlen(tact_lcp_method_info(method)->source) > 0);
        assert_true(strlen(tact_lcp_method_info(method)->guarantee) > 0);
    }
    assert_null(tact_lcp_method_info(TACT_LCP_METHOD_COUNT));
    assert_null(tact_lcp_method_info((TactLcpMethod)-1));
}

static void an_unknown_name_is_answered_with_all_names(void **state)
{
    (void)state;
    TactLcpMethod method = TACT_LCP_METHOD_PGS;
    assert_int_equal(tact_lcp_method_find("simplex", &method), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "simplex"));
    FOR_EACH_METHOD(each)
    {
        assert_non_null(strstr(tact_status_message(), tact_lcp_method_info(each)->name));
    }
    assert_int_equal(tact_lcp_method_find(NULL, &method), TACT_BAD_ARGUMENT);
    assert_int_equal(method, TACT_LCP_METHOD_PGS);
}

static void every_outcome_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = TACT_LCP_OUTCOME_SOLVED; a <= TACT_LCP_OUTCOME_SINGULAR; a++) {
        for (int b = TACT_LCP_OUTCOME_SOLVED; b < a; b++) {
            assert_string_not_equal(tact_lcp_outcome_name((TactLcpOutcome)a),
                                    tact_lcp_outcome_name((TactLcpOutcome)b));
        }
    }
    assert_string_equal(tact_lcp_outcome_name(TACT_LCP_OUTCOME_SOLVED), "solved");
    assert_string_equal(tact_lcp_outcome_name((TactLcpOutcome)77), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_a_name_by_which_it_is_found),
        cmocka_unit_test(an_unknown_name_is_answered_with_all_names),
        cmocka_unit_test(every_outcome_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests_name("lcp/methods", tests, NULL, NULL);
}
