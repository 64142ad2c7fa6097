// The published friction problems in $TACT_SHARED/problems/friction: all certified, as given.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"

static TactContactOutcome outcome_of(const TactContactProblem *problem, TactContactMethod method,
                                     TactContactCone cone, TactContactReport *report)
{
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver;
    double             *impulse = calloc(3 * (size_t)problem->contact_count + 1, sizeof(double));
    TactContactAnswer   answer = {.impulse = impulse};
    config.cone = cone;
    assert_non_null(impulse);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, report), TACT_OK);
    tact_contact_solver_destroy(solver);
    free(impulse);
    return report->outcome;
}

static int check_file(const char *path, const char *name)
{
    static const struct {
        TactContactMethod method;
        TactContactCone   cone;
        int               most; // contacts
    } runs[] = {
        {TACT_METHOD_LADDER, TACT_CONE_PYRAMID, 1 << 20},
        {TACT_METHOD_LADDER, TACT_CONE_CIRCLE, 1 << 20},
        {TACT_METHOD_NSGS, TACT_CONE_CIRCLE, 1 << 20},
        {TACT_METHOD_REDUCED, TACT_CONE_PYRAMID, 60},
        {TACT_METHOD_REDUCED, TACT_CONE_CIRCLE, 60},
    };
    TactContactFile  *file = NULL;
    TactContactReport report;
    int               misses = 0;
    TactStatus        status = tact_contact_read(path, &file);
    if (status == TACT_UNSUPPORTED) { // a build without HDF5
        return 0;
    }
    assert_int_equal(status, TACT_OK);
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (file->problem.contact_count <= runs[k].most &&
            outcome_of(&file->problem, runs[k].method, runs[k].cone, &report) !=
                TACT_OUTCOME_SOLVED) {
            print_error("%s, %s, cone %d: %s, error %.1e\n", name,
                        tact_contact_method_info(runs[k].method)->name, (int)runs[k].cone,
                        tact_contact_outcome_name(report.outcome), report.certificate.error);
            misses++;
        }
    }
    tact_contact_file_destroy(file);
    return misses;
}

static void every_published_friction_problem_is_certified(void **state)
{
    (void)state;
    const char *shared = tact_scratch_shared();
    char        folder[700], path[1000];
    int         files = 0, misses = 0;
    if (!shared) {
        skip();
    }
    snprintf(folder, sizeof folder, "%s/friction", shared);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            misses += check_file(path, entry->d_name);
            files++;
        }
    }
    closedir(directory);
    assert_true(files > 0);
    assert_int_equal(misses, 0);
}

/// Bodies pinched between contacts that face each other within 1e-8.
static void pinched_bodies_are_solved_by_the_ladder_for_both_cones(void **state)
{
    (void)state;
    static const char *const names[] = {"energy.json", "energy3.json", "compl.json"};
    const char              *shared = tact_scratch_shared();
    char                     path[1000];
    if (!shared) {
        skip();
    }
    for (int k = 0; k < 6; k++) {
        TactContactFile  *file = NULL;
        TactContactReport report;
        snprintf(path, sizeof path, "%s/nasty/%s", shared, names[k / 2]);
        if (tact_contact_read(path, &file) == TACT_UNSUPPORTED) { // a build without jansson
            skip();
        }
        assert_non_null(file);
        TactContactCone cone = k % 2 ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
        assert_int_equal(outcome_of(&file->problem, TACT_METHOD_LADDER, cone, &report),
                         TACT_OUTCOME_SOLVED);
        tact_contact_file_destroy(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_friction_problem_is_certified),
        cmocka_unit_test(pinched_bodies_are_solved_by_the_ladder_for_both_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
