// The standard form: a contact problem as one LCP, solved by methods that know nothing of contacts;
// what comes out is held against closed forms, and against the laws of contact recomputed here.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tact/contact.h>
#include <tact/lcp.h>

enum { MOST = 512, FORMS = 3 };

/// A slide of 2 kg along a normal and two tangents, on a plane, under weight and a pull.
static TactContactProblem slide(TactContact *contact, double pull)
{
    static double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, v[3], J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static double tau[3];
    tau[0] = -2 * 9.81;
    tau[1] = pull;
    *contact = (TactContact){.J = J, .mu = 0.5};
    return (TactContactProblem){
        .step = 0.01, .nv = 3, .M = M, .v = v, .tau = tau, .contact_count = 1, .contacts = contact};
}

/// z of the form by a method of lcp.h; false: not solved.
static bool solve(const TactContactLcp *lcp, TactLcpMethod method, double *z)
{
    const TactLcpProblem *form = tact_contact_lcp_view_problem(lcp);
    TactLcpConfig         config = tact_lcp_config_default(method);
    TactLcpReport         report;
    TactLcpSolver        *solver;
    assert_int_equal(tact_lcp_solver_create(form->n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, form, z, &report), TACT_OK);
    tact_lcp_solver_destroy(solver);
    return report.outcome == TACT_LCP_OUTCOME_SOLVED;
}

static void solve_slide(const TactContactProblem *problem, const TactContactLcpConfig *config,
                        double v[3], double p[3])
{
    double            z[MOST];
    TactContactLcp   *lcp;
    TactContactAnswer answer = {.impulse = p, .velocity = v};
    assert_int_equal(tact_contact_lcp_create(problem, config, &lcp), TACT_OK);
    assert_int_equal(tact_contact_lcp_view_problem(lcp)->n, 10);
    assert_true(solve(lcp, TACT_LCP_METHOD_LEMKE_LEX, z));
    assert_int_equal(tact_contact_lcp_read(lcp, z, &answer), TACT_OK);
    tact_contact_lcp_destroy(lcp);
}

static void all_forms_give_the_friction_of_a_block(void **state)
{
    (void)state;
    const double h = 0.01, weight = 2 * 9.81;
    for (int k = 0; k < 2 * FORMS * 2; k++) {
        bool                 slips = k % 2, balanced = k / 2 % 2;
        double               pull = slips ? weight : 0.25 * weight, v[3], p[3];
        TactContactLcpConfig config = tact_contact_lcp_config_default();
        TactContact          contact;
        TactContactProblem   problem = slide(&contact, pull);
        config.form = (TactContactForm)(k / 4);
        config.balanced = balanced;
        solve_slide(&problem, &config, v, p);
        assert_true(fabs(p[0] - h * weight) < 1e-12);
        assert_true(fabs(p[1] + h * (slips ? 0.5 * weight : pull)) < 1e-12);
        assert_true(fabs(v[0]) < 1e-12);
        assert_true(fabs(v[1] - (slips ? h * (pull - 0.5 * weight) / 2 : 0)) < 1e-12);
    }
}

static void the_printed_form_has_the_step_in_front_of_the_masses_only(void **state)
{
    (void)state;
    // [DART, 15]: dt N' M^-1 N, E and mu as they are, q = N' (v + dt M^-1 tau) and 0.
    const double         h = 0.01;
    TactContactLcpConfig config = tact_contact_lcp_config_default();
    TactContact          contact;
    TactContactProblem   problem = slide(&contact, 0);
    TactContactLcp      *lcp;
    config.balanced = false;
    config.form = TACT_FORM_FORCE;
    assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_OK);
    const TactLcpProblem *form = tact_contact_lcp_view_problem(lcp);
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(form->M[i * 10 + i] - h / 2) < 1e-17);
        assert_true(form->M[i * 10 + 9] == (i == 0 ? 0 : 1));
        assert_true(form->M[9 * 10 + i] == (i == 0 ? 0.5 : -1));
    }
    assert_true(form->M[99] == 0 && form->q[9] == 0);
    assert_true(fabs(form->q[0] + h * 9.81) < 1e-16);
    tact_contact_lcp_destroy(lcp);
    // Section 5: E and mu times dt, so that all of it is dt times the matrix of the impulses.
    config.form = TACT_FORM_SCALED;
    assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_OK);
    form = tact_contact_lcp_view_problem(lcp);
    assert_true(form->M[9 * 10] == 0.5 * h && form->M[9 * 10 + 1] == -h && form->M[10 + 9] == h);
    tact_contact_lcp_destroy(lcp);
}

static void cfm_lets_a_block_sink_and_creep_by_its_softness(void **state)
{
    (void)state;
    // Normal: (1 / m + s) p = h g with s a thousandth of the diagonal 1 / m, whatever the form.
    const double h = 0.01, g = 9.81;
    for (int f = 0; f < FORMS; f++) {
        double               v[3], p[3];
        TactContactLcpConfig config = tact_contact_lcp_config_default();
        TactContact          contact;
        TactContactProblem   problem = slide(&contact, 0);
        config.form = (TactContactForm)f;
        config.cfm = 1e-3 / 2;
        solve_slide(&problem, &config, v, p);
        assert_true(fabs(p[0] - h * g * 2 / 1.001) < 1e-12);
        assert_true(fabs(v[0] + h * g * 0.001 / 1.001) < 1e-12);
    }
}

static void one_plus_eps_softens_all_rows_but_those_of_lambda(void **state)
{
    (void)state;
    const double         h = 0.01, g = 9.81;
    double               v[3], p[3];
    TactContactLcpConfig config = tact_contact_lcp_config_default();
    TactContact          contact;
    TactContactProblem   problem = slide(&contact, 0);
    TactContactLcp      *lcp;
    config.form = TACT_FORM_SCALED;
    config.balanced = false;
    config.factor = 1e-3;
    assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_OK);
    const double *M = tact_contact_lcp_view_problem(lcp)->M;
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(M[i * 10 + i] - 1.001 * h / 2) < 1e-16);
    }
    assert_true(M[99] == 0);
    tact_contact_lcp_destroy(lcp);
    solve_slide(&problem, &config, v, p);
    assert_true(fabs(p[0] - h * g * 2 / 1.001) < 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Laws, from nothing but the problem and the answer

/// Largest violation of the pyramid's law at a contact: non-penetration, complementarity, cone,
/// and friction that does the most work against the slip. In N s and m/s, as they come.
static double find_violation(const TactContact *contact, const double p[3], const double u[3],
                             double before)
{
    int    d = contact->directions ? contact->directions : 8;
    double un =
        u[0] + contact->bias + contact->restitution * fmin(0, before) + contact->compliance * p[0];
    double least = 0, support = -HUGE_VAL, work = p[1] * u[1] + p[2] * u[2];
    for (int k = 0; k < d; k++) {
        double angle = contact->turn + 2 * acos(-1) * k / d;
        least = fmin(least, cos(angle) * u[1] + sin(angle) * u[2]);
        // the face between directions k and k + 1: p_t . m <= mu p_n cos(pi / d)
        double face = angle + acos(-1) / d;
        support = fmax(support, cos(face) * p[1] + sin(face) * p[2]);
    }
    double excess = support / cos(acos(-1) / d) - contact->mu * p[0];
    double law = fabs(work - contact->mu * p[0] * least); // p_t . u_t = mu p_n min over directions
    return fmax(fmax(fmax(-un, -p[0]), p[0] * fabs(un)), fmax(contact->mu > 0 ? excess : 0, law));
}

/// M (v+ - v) - h tau - J' p, and u = J v+, of a mechanism without rows.
static double find_defect(const TactContactProblem *problem, const double *velocity,
                          const double *p, double *u)
{
    double worst = 0;
    for (int i = 0; i < problem->nv; i++) {
        double sum = -problem->step * problem->tau[i];
        for (int j = 0; j < problem->nv; j++) {
            sum += problem->M[i * problem->nv + j] * (velocity[j] - problem->v[j]);
        }
        for (int r = 0; r < 3 * problem->contact_count; r++) {
            sum -= problem->contacts[r / 3].J[(r % 3) * problem->nv + i] * p[r];
        }
        worst = fmax(worst, fabs(sum));
    }
    for (int r = 0; r < 3 * problem->contact_count; r++) {
        u[r] = 0;
        for (int j = 0; j < problem->nv; j++) {
            u[r] += problem->contacts[r / 3].J[(r % 3) * problem->nv + j] * velocity[j];
        }
    }
    return worst;
}

enum { NV = 9, CONTACTS = 4 };

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1; // -1 .. 1
}

/// A mechanism of nine degrees of freedom with four contacts, all of it random.
static TactContactProblem random_mechanism(uint64_t seed, TactContact *contacts, double *J,
                                           double *numbers)
{
    double *M = numbers, *v = M + NV * NV, *tau = v + NV, B[NV * NV];
    for (int i = 0; i < NV * NV; i++) {
        B[i] = random_number(&seed);
    }
    for (int i = 0; i < NV; i++) {
        for (int j = 0; j < NV; j++) {
            M[i * NV + j] = i == j ? 0.3 : 0;
            for (int k = 0; k < NV; k++) {
                M[i * NV + j] += B[i * NV + k] * B[j * NV + k];
            }
        }
        v[i] = random_number(&seed);
        tau[i] = 20 * random_number(&seed);
    }
    for (int i = 0; i < 3 * CONTACTS * NV; i++) {
        J[i] = random_number(&seed);
    }
    for (int i = 0; i < CONTACTS; i++) {
        contacts[i] = (TactContact){.J = J + (ptrdiff_t)3 * i * NV,
                                    .mu = 0.2 + 0.2 * (i % 3),
                                    .directions = 4 + 2 * i,
                                    .turn = 0.1 * i,
                                    .bias = i == 3 ? 0.05 : 0,
                                    .restitution = i == 2 ? 0.4 : 0};
    }
    return (TactContactProblem){.step = 0.02,
                                .nv = NV,
                                .M = M,
                                .v = v,
                                .tau = tau,
                                .contact_count = CONTACTS,
                                .contacts = contacts};
}

static void answers_of_every_lcp_method_obey_the_laws_of_contact(void **state)
{
    (void)state;
    static const TactLcpMethod methods[] = {TACT_LCP_METHOD_LEMKE, TACT_LCP_METHOD_LEMKE_LEX,
                                            TACT_LCP_METHOD_SEARCH};
    int                        solved = 0, all = 0, pressed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        double             J[3 * CONTACTS * NV], numbers[NV * NV + 2 * NV];
        TactContact        contacts[CONTACTS];
        TactContactProblem problem = random_mechanism(seed, contacts, J, numbers);
        for (int k = 0; k < 3 * FORMS; k++) {
            double               z[MOST], p[3 * CONTACTS], v[NV], u[3 * CONTACTS];
            TactContactLcp      *lcp;
            TactContactLcpConfig config = tact_contact_lcp_config_default();
            TactContactAnswer    answer = {.impulse = p, .velocity = v};
            config.form = (TactContactForm)(k % 3);
            config.balanced = seed % 2;
            assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_OK);
            bool ok = solve(lcp, methods[k / 3], z);
            assert_int_equal(tact_contact_lcp_read(lcp, z, &answer), TACT_OK);
            tact_contact_lcp_destroy(lcp);
            all++;
            if (!ok) {
                continue;
            }
            solved++;
            assert_true(find_defect(&problem, v, p, u) < 1e-10);
            for (int i = 0; i < CONTACTS; i++) {
                double before = 0;
                for (int j = 0; j < NV; j++) {
                    before += contacts[i].J[j] * problem.v[j];
                }
                pressed += p[3 * i] > 1e-6;
                assert_true(find_violation(&contacts[i], p + 3 * i, u + 3 * i, before) < 1e-8);
            }
        }
    }
    assert_true(solved >= 0.9 * all); // random contacts may have no answer by a ray
    assert_true(pressed > all);       // and these are not empty
}

static void rows_and_bodies_are_taken_as_by_the_method_lcp(void **state)
{
    (void)state;
    // A double pendulum of bodies: the form's answer, certified by code that knows no solver.
    TactContactBody bodies[2] = {
        {.mass = 1, .inertia = {0.1, 0.1, 0.1}, .position = {0, 0, 0.5}, .force = {3, 0, -9.81}},
        {.mass = 1, .inertia = {0.1, 0.1, 0.1}, .position = {1, 0, 0.5}, .force = {0, 0, -9.81}}};
    TactContactRow rows[4] = {0};
    for (int k = 0; k < 3; k++) { // a ball joint at (0.5, 0, 0.5)
        rows[k] = (TactContactRow){.kind = TACT_ROW_BILATERAL, .a = 0, .b = 1};
        rows[k].J_a[k] = -1;
        rows[k].J_b[k] = 1;
    }
    rows[1].J_a[5] = -0.5, rows[1].J_b[5] = -0.5; // (w x r)_y = w_z r_x
    rows[2].J_a[4] = 0.5, rows[2].J_b[4] = 0.5;   // (w x r)_z = -w_y r_x
    rows[3] =
        (TactContactRow){.kind = TACT_ROW_MOTOR, .a = 0, .b = 1, .target = 0, .force_max = 0.3};
    rows[3].J_a[4] = -1, rows[3].J_b[4] = 1;
    TactContact contacts[2];
    for (int i = 0; i < 2; i++) {
        contacts[i] = (TactContact){
            .a = -1, .b = i, .point = {i + 0.1, 0.05, 0}, .normal = {0, 0, 1}, .mu = 0.4};
    }
    TactContactProblem problem = {.step = 0.01,
                                  .body_count = 2,
                                  .bodies = bodies,
                                  .contact_count = 2,
                                  .contacts = contacts,
                                  .row_count = 4,
                                  .rows = rows};
    for (int f = 0; f < FORMS; f++) {
        double                 z[MOST], p[6], r[4], v[12];
        TactContactLcpConfig   config = tact_contact_lcp_config_default();
        TactContactAnswer      answer = {.impulse = p, .row_impulse = r, .velocity = v};
        TactContactCertificate certificate;
        TactContactLcp        *lcp;
        config.form = (TactContactForm)f;
        assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_OK);
        assert_true(solve(lcp, TACT_LCP_METHOD_SEARCH, z));
        assert_int_equal(tact_contact_lcp_read(lcp, z, &answer), TACT_OK);
        assert_int_equal(tact_contact_certify(&problem, TACT_CONE_PYRAMID, p, r, v, &certificate),
                         TACT_OK);
        assert_true(certificate.error < 1e-9);
        assert_true(p[0] + p[3] > 0.19); // they carry 2 kg for 10 ms
        tact_contact_lcp_destroy(lcp);
    }
}

static void what_has_no_standard_form_is_refused(void **state)
{
    (void)state;
    TactContact          contact;
    TactContactProblem   problem = slide(&contact, 0);
    TactContactLcpConfig config = tact_contact_lcp_config_default(), none = {0};
    TactContactLcp      *lcp;
    assert_int_equal(tact_contact_lcp_create(&problem, &none, &lcp), TACT_BAD_ARGUMENT);
    assert_null(lcp);
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_UNSUPPORTED);
    config = tact_contact_lcp_config_default();
    config.cfm = -1;
    assert_int_equal(tact_contact_lcp_create(&problem, &config, &lcp), TACT_BAD_ARGUMENT);
    problem.level = TACT_LEVEL_ACCELERATION;
    assert_int_equal(tact_contact_lcp_create(&problem, NULL, &lcp), TACT_UNSUPPORTED);
    problem.level = TACT_LEVEL_VELOCITY;
    contact.mu2 = 0.1;
    assert_int_equal(tact_contact_lcp_create(&problem, NULL, &lcp), TACT_UNSUPPORTED);
    contact.mu2 = 0;
    contact.mu = -1;
    assert_int_equal(tact_contact_lcp_create(&problem, NULL, &lcp), TACT_BAD_INPUT);
    assert_int_equal(tact_contact_lcp_create(NULL, NULL, &lcp), TACT_BAD_ARGUMENT);
    tact_contact_lcp_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_give_the_friction_of_a_block),
        cmocka_unit_test(the_printed_form_has_the_step_in_front_of_the_masses_only),
        cmocka_unit_test(cfm_lets_a_block_sink_and_creep_by_its_softness),
        cmocka_unit_test(one_plus_eps_softens_all_rows_but_those_of_lambda),
        cmocka_unit_test(answers_of_every_lcp_method_obey_the_laws_of_contact),
        cmocka_unit_test(rows_and_bodies_are_taken_as_by_the_method_lcp),
        cmocka_unit_test(what_has_no_standard_form_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
