// Drafts of heaps that jam: they are left before the kicks, and what goes on from one has the bits
// of what was not left. Where nothing jams a draft is the answer. So it is where contacts resist
// spinning.
#include "contact/solver.h"

#include <stdlib.h>

#include "contact/heaps.h"

/// What was seen of some problems.
typedef struct Seen {
    double mu_spin; // of all contacts, m
    int    problems, drafts;
} Seen;

typedef struct Solved {
    TactContactReport report;
    double           *impulse; // (3 contacts)
} Solved;

static void solve(TactContactSolver *solver, const TactContactProblem *problem, Solved *solved)
{
    TactContactAnswer answer = {.impulse = solved->impulse};
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &solved->report), TACT_OK);
}

static TactContactSolver *make_solver(const TactContactProblem *problem)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity need = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create_sparing(&need, &config, &solver), TACT_OK);
    return solver;
}

static void draft_one(void *context, TactContactFile *file, const char *name)
{
    Seen               *seen = context;
    TactContactProblem *problem = &file->problem;
    TactContact        *contacts = calloc((size_t)problem->contact_count, sizeof *contacts);
    size_t              count = 3 * (size_t)problem->contact_count;
    Solved              whole = {.impulse = calloc(count, sizeof(double))};
    Solved              draft = {.impulse = calloc(count, sizeof(double))};
    assert_non_null(contacts);
    assert_non_null(whole.impulse);
    assert_non_null(draft.impulse);
    for (int i = 0; i < problem->contact_count; i++) {
        contacts[i] = problem->contacts[i];
        contacts[i].mu_spin = seen->mu_spin;
    }
    problem->contacts = contacts;
    TactContactSolver *at_once = make_solver(problem), *in_two = make_solver(problem);
    solve(at_once, problem, &whole);
    assert_false(tact_contact_solver_has_draft(at_once));
    tact_contact_solver_draft(in_two);
    solve(in_two, problem, &draft);
    if (tact_contact_solver_has_draft(in_two)) {
        int left = draft.report.turns;
        assert_int_not_equal(draft.report.outcome, TACT_OUTCOME_SOLVED);
        assert_true(draft.report.certificate.error < 1e-3); // near enough to look for contacts
        assert_true(left < whole.report.turns);
        tact_contact_solver_resume(in_two);
        solve(in_two, problem, &draft);
        print_message("%s: %d factors in the draft and %d behind it, %d at once\n", name, left,
                      draft.report.turns, whole.report.turns);
        assert_false(tact_contact_solver_has_draft(in_two));
        assert_int_equal(draft.report.outcome, TACT_OUTCOME_SOLVED);
        assert_int_equal(left + draft.report.turns, whole.report.turns);
        assert_int_equal(draft.report.rung_count, 1);
        assert_string_equal(draft.report.rungs[0].name, "pile");
        seen->drafts++;
    }
    assert_memory_equal(draft.impulse, whole.impulse, count * sizeof(double));
    assert_int_equal(whole.report.outcome, TACT_OUTCOME_SOLVED);
    seen->problems++;
    tact_contact_solver_destroy(at_once);
    tact_contact_solver_destroy(in_two);
    free(whole.impulse);
    free(draft.impulse);
    free(contacts);
}

static void draft_all(double mu_spin)
{
    const char *shared = tact_scratch_shared();
    char        folder[700];
    Seen        seen = {.mu_spin = mu_spin};
    if (!shared) {
        skip();
    }
    snprintf(folder, sizeof folder, "%s/piles", shared);
    visit_folder(folder, "fall-64", draft_one, &seen);
    print_message("%d problems, %d drafts\n", seen.problems, seen.drafts);
    assert_true(seen.drafts > 0);
    assert_true(seen.drafts < seen.problems);
}

static void a_draft_of_a_jam_is_gone_on_with_and_any_other_is_the_answer(void **state)
{
    (void)state;
    draft_all(0);
}

static void so_is_one_of_contacts_that_resist_spinning(void **state)
{
    (void)state;
    draft_all(0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_of_a_jam_is_gone_on_with_and_any_other_is_the_answer),
        cmocka_unit_test(so_is_one_of_contacts_that_resist_spinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
