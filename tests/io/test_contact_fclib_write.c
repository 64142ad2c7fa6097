// FCLIB files that are written, and read back.
#include <math.h>
#include <string.h>

#include "io/scratch.h"

#ifdef TACT_HAVE_HDF5
#include "io/fclib_maker.h"

static void a_local_problem_is_read_back_to_the_bit(void **state)
{
    (void)state;
    Maker maker = make("first.hdf5");
    put_local(&maker, ROWS, 3, 6);
    TactContactFile *file = read_good(finish(&maker));
    const char      *path = tact_scratch_path("again.hdf5");
    assert_int_equal(tact_contact_write(&file->problem, path), TACT_OK);
    TactContactFile *again = read_good(path);
    assert_string_equal(again->format, "FCLIB, local");
    assert_string_equal(again->title, "written by tact");
    same_problem(&file->problem, &again->problem);
    tact_contact_file_destroy(file);
    tact_contact_file_destroy(again);
}

static void a_global_problem_is_read_back_to_the_bit(void **state)
{
    (void)state;
    Maker maker = make("first.hdf5");
    put_global(&maker, TRIPLET);
    put_matrix(&maker, "fclib_global/G", TRIPLET, (double[]){1, 0, 0, 0, 0, 2}, 3, 2);
    put_reals(&maker, "fclib_global/vectors/b", 2, (double[]){0.5, -1});
    TactContactFile *file = read_good(finish(&maker));
    const char      *path = tact_scratch_path("again.h5");
    assert_int_equal(tact_contact_write(&file->problem, path), TACT_OK);
    TactContactFile *again = read_good(path);
    same_problem(&file->problem, &again->problem);
    tact_contact_file_destroy(file);
    tact_contact_file_destroy(again);
}

/// Two bodies on a belt, one on the other, moving and turning.
static TactContactProblem bodies_problem(TactContactBody bodies[2], TactContact contacts[2])
{
    bodies[0] = (TactContactBody){.mass = 2,
                                  .inertia = {1, 2, 3, 0.1, 0.2, 0.3},
                                  .position = {0, 0, 1},
                                  .velocity = {0.5, 0, -1},
                                  .omega = {0.1, 0.7, -0.3},
                                  .force = {0, 1, -20},
                                  .torque = {0.1, 0, 0}};
    bodies[1] = (TactContactBody){
        .mass = 1, .inertia = {1, 1, 1}, .position = {0, 0.1, 3}, .force = {0, 0, -10}};
    contacts[0] = (TactContact){.a = -1,
                                .point = {0.1, 0, 0},
                                .normal = {0, 0, 1},
                                .mu = 0.5,
                                .restitution = 0.5,
                                .surface = {0.25, 0}};
    contacts[1] = (TactContact){
        .a = 0, .b = 1, .point = {0, 0.1, 2}, .normal = {0, 0.6, 0.8}, .mu = 0.3, .bias = -0.01};
    return (TactContactProblem){
        .step = 0.01, .bodies = bodies, .body_count = 2, .contacts = contacts, .contact_count = 2};
}

static void solve(const TactContactProblem *problem, double *impulse, double *velocity)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_NSGS);
    TactContactSolver  *solver;
    TactContactReport   report;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

static void bodies_become_a_global_problem_with_the_same_answer(void **state)
{
    (void)state;
    TactContactBody    bodies[2];
    TactContact        contacts[2];
    TactContactProblem problem = bodies_problem(bodies, contacts);
    const char        *path = tact_scratch_path("bodies.hdf5");
    assert_int_equal(tact_contact_write(&problem, path), TACT_OK);
    TactContactFile       *file = read_good(path);
    double                 impulse[6], velocity[12];
    TactContactCertificate certificate;
    assert_int_equal(file->problem.nv, 12);
    solve(&problem, impulse, velocity);
    assert_true(impulse[0] > 0 && impulse[3] > 0);
    assert_int_equal(tact_contact_certify(&file->problem, TACT_CONE_CIRCLE, impulse, NULL, velocity,
                                          &certificate),
                     TACT_OK);
    assert_true(certificate.error < 1e-9);
    tact_contact_file_destroy(file);
}

static void what_fclib_has_no_place_for_is_refused(void **state)
{
    (void)state;
    TactContactBody    bodies[2];
    TactContact        contacts[2];
    TactContactRow     row = {.kind = TACT_ROW_MOTOR, .a = 0, .b = 1, .force_max = 1};
    TactContactProblem problem = bodies_problem(bodies, contacts);
    const char        *path = tact_scratch_path("no.hdf5");
    int                before = tact_scratch_count();
    problem.rows = &row;
    problem.row_count = 1;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("row 0: FCLIB has no joint limits and no motors");
    problem.row_count = 0;
    contacts[1].compliance = 0.5;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    tact_scratch_said("contact 1: FCLIB has no compliance");
    contacts[1].compliance = contacts[0].restitution = 0;
    problem.level = TACT_LEVEL_ACCELERATION;
    assert_int_equal(tact_contact_write(&problem, path), TACT_UNSUPPORTED);
    assert_int_equal(tact_scratch_count(), before);
    problem.level = TACT_LEVEL_VELOCITY;
    assert_int_equal(tact_contact_write(&problem, "/nowhere/p.hdf5"), TACT_IO_ERROR);
    tact_scratch_said("/nowhere/p.hdf5: cannot be written");
}

/// A local problem keeps what its contacts add: in q and in W.
static void bias_surface_and_compliance_go_into_q_and_W(void **state)
{
    (void)state;
    TactContact        contact = {.mu = 1, .bias = 0.5, .surface = {0.25, 2}, .compliance = 8};
    TactContactProblem problem = {
        .step = 1,
        .W = (double[]){1, 0, 0, 0, 2, 0, 0, 0, 3},
        .u_free = (double[]){-1, 1, 2},
        .contacts = &contact,
        .contact_count = 1,
    };
    const char *path = tact_scratch_path("soft.hdf5");
    assert_int_equal(tact_contact_write(&problem, path), TACT_OK);
    TactContactFile *file = read_good(path);
    same_reals(file->problem.W, (double[]){9, 0, 0, 0, 2, 0, 0, 0, 3}, 9);
    same_reals(file->problem.u_free, (double[]){-0.5, 1.25, 4}, 3);
    tact_contact_file_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_problem_is_read_back_to_the_bit),
        cmocka_unit_test(a_global_problem_is_read_back_to_the_bit),
        cmocka_unit_test(bodies_become_a_global_problem_with_the_same_answer),
        cmocka_unit_test(what_fclib_has_no_place_for_is_refused),
        cmocka_unit_test(bias_surface_and_compliance_go_into_q_and_W),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}

#else

int main(void)
{
    return 0; // io/contact_fclib tests what is said then
}

#endif
