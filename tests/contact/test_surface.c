// A mass on a conveyor belt: surfaces that run under a contact, in every form of a problem.
#include "scenes.h"

static const double MASS = 2, MU = 0.25, STEP = 0.01;

/// The same mass and belt as bodies, as M, and as W.
typedef struct Belt {
    Scene  scene;
    double M[36], v[6], tau[6], J[18], W[9], u_free[3];
} Belt;

typedef enum Form { BODIES, MECHANISM, DELASSUS, FORMS } Form;

/// The belt runs with these velocities along x and y, so b's surface runs with minus them.
static void make_belt(Belt *belt, Form form, double along_x, double along_y)
{
    *belt = (Belt){0};
    scene_particle(&belt->scene, MASS, MU);
    TactContactProblem *problem = &belt->scene.problem;
    TactContact        *contact = &belt->scene.contacts[0];
    problem->step = STEP;
    contact->tangent[0] = 1;
    contact->surface[0] = -along_x;
    contact->surface[1] = -along_y;
    if (form == BODIES) {
        return;
    }
    static const int axis[3] = {2, 0, 1}; // of n, 1, 2
    for (int i = 0; i < 6; i++) {
        belt->M[7 * i] = i < 3 ? MASS : belt->scene.bodies[0].inertia[i - 3];
        belt->tau[i] = i == 2 ? -MASS * GRAVITY : 0;
    }
    for (int k = 0; k < 3; k++) {
        belt->J[6 * k + axis[k]] = 1;
        belt->W[4 * k] = 1 / MASS;
    }
    belt->u_free[0] = -STEP * GRAVITY;
    problem->bodies = NULL;
    problem->body_count = 0;
    if (form == MECHANISM) {
        problem->nv = 6;
        problem->M = belt->M;
        problem->v = belt->v;
        problem->tau = belt->tau;
        contact->J = belt->J;
    } else {
        problem->W = belt->W;
        problem->u_free = belt->u_free;
    }
}

static void solve(const TactContactProblem *problem, TactContactMethod method, TactContactCone cone,
                  double p[3], double u[3])
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver;
    TactContactReport   report;
    TactContactAnswer   answer = {.impulse = p, .u = u};
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

typedef void Check(const char *what, const double p[3], const double u[3]);

static void assert_near(double x, double wanted, const char *what)
{
    if (!(fabs(x - wanted) < 1e-12)) {
        fail_msg("%s: %.17g, expected %.17g", what, x, wanted);
    }
}

/// Every form, method and cone.
static void check_all(double along_x, double along_y, Check *check)
{
    static const unsigned takes[] = {
        [TACT_CONE_PYRAMID] = TACT_CONTACT_TAKES_PYRAMID,
        [TACT_CONE_CIRCLE] = TACT_CONTACT_TAKES_CIRCLE,
    };
    for (int form = 0; form < FORMS; form++) {
        Belt belt;
        make_belt(&belt, (Form)form, along_x, along_y);
        for (int m = 0; m < TACT_METHOD_COUNT; m++) {
            const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)m);
            for (int cone = TACT_CONE_PYRAMID; info && cone <= TACT_CONE_CIRCLE; cone++) {
                bool can = (info->takes & takes[cone]) &&
                           (form != DELASSUS || (info->takes & TACT_CONTACT_TAKES_W));
                if (can) {
                    double p[3], u[3];
                    char   what[80];
                    solve(&belt.scene.problem, (TactContactMethod)m, (TactContactCone)cone, p, u);
                    snprintf(what, sizeof what, "%s, %s, form %d", info->name,
                             tact_contact_cone_name((TactContactCone)cone), form);
                    check(what, p, u);
                }
            }
        }
    }
}

/// p_1 = mu m g h, along the belt; u_1 = mu g h - c.
static void expect_sliding(const char *what, const double p[3], const double u[3])
{
    double weight = MASS * GRAVITY * STEP;
    assert_near(p[0], weight, what);
    assert_near(p[1], MU * weight, what);
    assert_near(p[2], 0, what);
    assert_near(u[1], MU * GRAVITY * STEP - 1, what);
}

static void a_fast_belt_drags_with_all_of_the_friction(void **state)
{
    (void)state;
    check_all(1, 0, expect_sliding);
}

/// Twice the mass times the belt's velocity: the mass goes along with it from now on.
static void expect_riding(const char *what, const double p[3], const double u[3])
{
    assert_near(p[1], MASS * 0.006, what);
    assert_near(p[2], MASS * -0.008, what);
    assert_near(u[1], 0, what);
    assert_near(u[2], 0, what);
}

static void a_slow_belt_carries_the_mass(void **state)
{
    (void)state;
    check_all(0.006, -0.008, expect_riding);
}

static void the_certificate_sees_a_belt_that_the_answer_ignores(void **state)
{
    (void)state;
    for (int form = 0; form < FORMS; form++) {
        Belt belt;
        make_belt(&belt, (Form)form, 0.006, -0.008);
        double                 p[3] = {MASS * GRAVITY * STEP, 0, 0};
        double                 v[6] = {0};
        TactContactCertificate certificate;
        assert_int_equal(
            tact_contact_certify(&belt.scene.problem, TACT_CONE_CIRCLE, p, NULL, v, &certificate),
            TACT_OK);
        assert_true(certificate.error > 0.01);
        belt.scene.contacts[0].surface[0] = belt.scene.contacts[0].surface[1] = 0;
        assert_int_equal(
            tact_contact_certify(&belt.scene.problem, TACT_CONE_CIRCLE, p, NULL, v, &certificate),
            TACT_OK);
        assert_true(certificate.error < 1e-14);
    }
}

static void a_surface_velocity_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    Belt belt;
    make_belt(&belt, BODIES, 0, NAN);
    assert_int_equal(tact_contact_check(&belt.scene.problem), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "contact 0: surface[1] is"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_belt_drags_with_all_of_the_friction),
        cmocka_unit_test(a_slow_belt_carries_the_mass),
        cmocka_unit_test(the_certificate_sees_a_belt_that_the_answer_ignores),
        cmocka_unit_test(a_surface_velocity_that_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
