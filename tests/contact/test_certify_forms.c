// The same problem as bodies, as a mechanism (M, J) and as a Delassus matrix (W): one certificate.
#include "made.h"

enum { MAX_DOF = 6 * SCENE_BODIES, MAX_ROWS = 3 * SCENE_CONTACTS };

/// A made problem in its other two forms.
typedef struct Forms {
    double             M[MAX_DOF * MAX_DOF], v[MAX_DOF], tau[MAX_DOF];
    double             J[MAX_ROWS * MAX_DOF];
    double             W[MAX_ROWS * MAX_ROWS], u_free[MAX_ROWS];
    TactContact        contacts[SCENE_CONTACTS];
    TactContactProblem mechanism, delassus;
} Forms;

static void write_mass(const Made *made, Forms *forms)
{
    int nv = forms->mechanism.nv;
    for (int k = 0; k < made->scene.problem.body_count; k++) {
        const TactContactBody *body = &made->scene.bodies[k];
        const double          *I = body->inertia;
        double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
        double spin[3], gyro[3];
        made_times_inertia(I, body->omega, spin);
        made_cross(body->omega, spin, gyro);
        for (int i = 0; i < 3; i++) {
            int l = 6 * k + i, a = l + 3;
            forms->M[l * nv + l] = body->mass;
            for (int j = 0; j < 3; j++) {
                forms->M[a * nv + 6 * k + 3 + j] = full[i][j];
            }
            forms->v[l] = body->velocity[i];
            forms->v[a] = body->omega[i];
            forms->tau[l] = body->force[i];
            forms->tau[a] = body->torque[i] - gyro[i];
        }
    }
}

static void write_rows(const Made *made, Forms *forms)
{
    int nv = forms->mechanism.nv;
    for (int i = 0; i < made->scene.problem.contact_count; i++) {
        const TactContact *contact = &made->scene.contacts[i];
        double             frame[3][3];
        tact_contact_compute_frame(contact, frame);
        for (int k = 0; k < 3; k++) {
            double *J = forms->J + (3 * i + k) * nv;
            for (int side = 0; side < 2; side++) {
                int    body = side ? contact->b : contact->a;
                double arm[3], moment[3];
                for (int j = 0; j < 3; j++) {
                    arm[j] = contact->point[j] - made->scene.bodies[body].position[j];
                }
                made_cross(arm, frame[k], moment);
                for (int j = 0; j < 3; j++) {
                    J[6 * body + j] = side ? frame[k][j] : -frame[k][j];
                    J[6 * body + 3 + j] = side ? moment[j] : -moment[j];
                }
            }
        }
        forms->contacts[i] = *contact;
        forms->contacts[i].J = forms->J + 3 * i * nv;
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// W = J M^-1 J', u_free = J (v + h M^-1 tau)
static void write_delassus(const Made *made, Forms *forms)
{
    int    nv = forms->mechanism.nv, rows = 3 * made->scene.problem.contact_count;
    double free_motion[MAX_DOF];
    for (int k = 0; k < made->scene.problem.body_count; k++) {
        double impulse[6];
        for (int i = 0; i < 6; i++) {
            impulse[i] = made->scene.problem.step * forms->tau[6 * k + i];
            free_motion[6 * k + i] = forms->v[6 * k + i];
        }
        made_add_velocity(&made->scene.bodies[k], impulse, free_motion + 6 * k);
    }
    for (int i = 0; i < rows; i++) {
        double moved[MAX_DOF] = {0};
        for (int k = 0; k < made->scene.problem.body_count; k++) {
            made_add_velocity(&made->scene.bodies[k], forms->J + i * nv + 6 * k, moved + 6 * k);
        }
        for (int j = 0; j < rows; j++) {
            forms->W[j * rows + i] = dot(nv, forms->J + j * nv, moved);
        }
        forms->u_free[i] = dot(nv, forms->J + i * nv, free_motion);
    }
}

static void write_forms(const Made *made, Forms *forms)
{
    *forms = (Forms){0};
    const TactContactProblem *raw = &made->scene.problem;
    forms->mechanism = (TactContactProblem){
        .step = raw->step,
        .nv = 6 * raw->body_count,
        .M = forms->M,
        .v = forms->v,
        .tau = forms->tau,
        .contact_count = raw->contact_count,
        .contacts = forms->contacts,
    };
    forms->delassus = (TactContactProblem){
        .step = raw->step,
        .W = forms->W,
        .u_free = forms->u_free,
        .contact_count = raw->contact_count,
        .contacts = forms->contacts,
    };
    write_mass(made, forms);
    write_rows(made, forms);
    write_delassus(made, forms);
}

static TactContactCertificate certify(const TactContactProblem *problem, TactContactCone cone,
                                      const double *p, const double *v)
{
    TactContactCertificate c;
    TactStatus             status = tact_contact_certify(problem, cone, p, NULL, v, &c);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    return c;
}

static void assert_near(double a, double b, double tol)
{
    if (!(fabs(a - b) <= tol)) {
        print_error("%.17g and %.17g differ\n", a, b);
        fail();
    }
}

static const MadeKind kinds[] = {
    {TACT_CONE_CIRCLE, 1, 0},     {TACT_CONE_PYRAMID, 1, 0},     {TACT_CONE_BOX, 1, 0},
    {TACT_CONE_CIRCLE, 1e6, 0.1}, {TACT_CONE_PYRAMID, 1e6, 0.1}, {TACT_CONE_CIRCLE, 1e-6, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SEEDS = 50 };

static void an_exact_answer_is_exact_in_every_form(void **state)
{
    (void)state;
    double worst[2] = {0};
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            Forms      forms;
            made_create(&random, &kinds[k], &made);
            write_forms(&made, &forms);
            double m = certify(&forms.mechanism, kinds[k].cone, made.p, made.v).error;
            double w = certify(&forms.delassus, kinds[k].cone, made.p, NULL).error;
            worst[0] = fmax(worst[0], m);
            worst[1] = fmax(worst[1], w);
            assert_true(m <= 1e-12 && w <= 1e-12);
        }
    }
    print_message("largest error: M %.1e, W %.1e\n", worst[0], worst[1]);
}

static void a_wrong_answer_has_the_same_figures_in_every_form(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            Forms      forms;
            made_create(&random, &kinds[k], &made);
            write_forms(&made, &forms);
            // All impulses wrong by a tenth, v+ moved with them.
            double wrong[MAX_ROWS], change[MAX_ROWS];
            for (int i = 0; i < 3 * made.scene.problem.contact_count; i++) {
                change[i] = 0.1 * made.p[i] * tact_random_normal(&random);
                wrong[i] = made.p[i] + change[i];
            }
            for (int body = 0; body < made.scene.problem.body_count; body++) {
                double impulse[6] = {0};
                made_add_impulse(&made, body, change, impulse);
                made_add_velocity(&made.scene.bodies[body], impulse, made.v + 6 * body);
            }
            TactContactCone        cone = kinds[k].cone;
            TactContactCertificate a = certify(&made.scene.problem, cone, wrong, made.v);
            TactContactCertificate b = certify(&forms.mechanism, cone, wrong, made.v);
            TactContactCertificate c = certify(&forms.delassus, cone, wrong, NULL);
            double                 speed = 1e-10 * (1 + kinds[k].speed);
            assert_near(a.approach, b.approach, speed);
            assert_near(a.approach, c.approach, speed);
            assert_near(a.complementarity, b.complementarity, 1e-10 * a.complementarity);
            assert_near(a.complementarity, c.complementarity, 1e-8 * a.complementarity);
            assert_true(a.pull == b.pull && a.pull == c.pull);
            assert_true(a.cone_excess == b.cone_excess && a.cone_excess == c.cone_excess);
            assert_near(a.slip_angle, b.slip_angle, 1e-8);
            assert_near(a.slip_angle, c.slip_angle, 1e-8);
            // Their scales differ: 1 / M_kk and |W_ij| stand in for M^-1 of the bodies.
            assert_true(a.error > 1e-3 && b.error > 1e-3 && c.error > 1e-3);
        }
    }
}

static void swap(Made *made, double *p, int i, int j)
{
    TactContact contact = made->scene.contacts[i];
    made->scene.contacts[i] = made->scene.contacts[j];
    made->scene.contacts[j] = contact;
    for (int k = 0; k < 3; k++) {
        double other = p[3 * i + k];
        p[3 * i + k] = p[3 * j + k];
        p[3 * j + k] = other;
    }
}

/// Contacts between the same bodies one after the other, those with an impulse first.
static void sort(Made *made, double *p)
{
    for (int i = 1; i < made->scene.problem.contact_count; i++) {
        for (int j = i; j > 0; j--) {
            const TactContact *a = &made->scene.contacts[j - 1], *b = &made->scene.contacts[j];
            int                first = 2 * (SCENE_BODIES * a->a + a->b) + (p[3 * j - 3] == 0);
            int                second = 2 * (SCENE_BODIES * b->a + b->b) + (p[3 * j] == 0);
            if (first <= second) {
                break;
            }
            swap(made, p, j - 1, j);
        }
    }
}

// Contacts between the same bodies are certified four at a time. In another order they are others,
// and a given tangent takes another way to the same frame.
static void a_wrong_answer_has_the_same_figures_in_every_order(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            made_create(&random, &kinds[k], &made);
            double p[MAX_ROWS];
            int    count = made.scene.problem.contact_count;
            for (int i = 0; i < 3 * count; i++) {
                p[i] = made.p[i] * (1 + 0.1 * tact_random_normal(&random));
            }
            sort(&made, p);
            TactContactCertificate a = certify(&made.scene.problem, kinds[k].cone, p, made.v);
            for (int i = count - 1; i > 0; i--) {
                swap(&made, p, i, (int)(tact_random_next(&random) % (uint64_t)(i + 1)));
            }
            for (int i = 0; i < count; i += 3) {
                double frame[3][3];
                tact_contact_compute_frame(&made.scene.contacts[i], frame);
                memcpy(made.scene.contacts[i].tangent, frame[1], sizeof frame[1]);
            }
            TactContactCertificate b = certify(&made.scene.problem, kinds[k].cone, p, made.v);
            double                 speed = 1e-12 * (1 + kinds[k].speed);
            assert_near(a.approach, b.approach, speed);
            assert_near(a.complementarity, b.complementarity, 1e-12 * a.complementarity);
            assert_true(a.pull == b.pull && a.cone_excess == b.cone_excess);
            assert_near(a.slip_angle, b.slip_angle, 1e-8);
            assert_near(a.dynamics, b.dynamics, 1e-12 * a.dynamics);
            assert_near(a.error, b.error, 1e-9 * a.error);
        }
    }
}

static void a_millionth_wrong_at_one_loaded_contact_is_found_in_every_form(void **state)
{
    (void)state;
    double least[2] = {INFINITY, INFINITY};
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            Forms      forms;
            made_create(&random, &kinds[k], &made);
            write_forms(&made, &forms);
            for (int i = 0; i < made.scene.problem.contact_count; i++) {
                double p[MAX_ROWS];
                memcpy(p, made.p, sizeof p);
                if (p[3 * i] == 0) {
                    continue;
                }
                for (int j = 0; j < 3; j++) {
                    p[3 * i + j] *= 1 + 1e-6;
                }
                double m = certify(&forms.mechanism, kinds[k].cone, p, made.v).error;
                double w = certify(&forms.delassus, kinds[k].cone, p, NULL).error;
                least[0] = fmin(least[0], m);
                least[1] = fmin(least[1], w);
                assert_true(m > 1e-8 && w > 1e-8);
            }
        }
    }
    print_message("least error of a wrong one: M %.1e, W %.1e\n", least[0], least[1]);
}

static void joint_rows_have_the_same_figures_for_bodies_and_for_a_mechanism(void **state)
{
    (void)state;
    Made  made = {0};
    Forms forms;
    scene_arm(&made.scene);
    // Contacts of the arm are with the world, which write_rows() does not know: rows only.
    made.scene.problem.contact_count = 0;
    write_forms(&made, &forms);
    TactContactRow rows[SCENE_ROWS];
    double         J[SCENE_ROWS * 12] = {0};
    int            count = made.scene.problem.row_count;
    for (int r = 0; r < count; r++) {
        const TactContactRow *row = &made.scene.rows[r];
        for (int j = 0; j < 6; j++) {
            J[12 * r + j] = row->a == 0 ? row->J_a[j] : 0;
            J[12 * r + 6 + j] = row->b == 1 ? row->J_b[j] : 0;
        }
        rows[r] = *row;
        rows[r].J = J + 12 * r;
    }
    forms.mechanism.row_count = count;
    forms.mechanism.rows = rows;
    TactRandom random = tact_random_seed(3);
    double     p[SCENE_ROWS], v[12];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 12; i++) {
            v[i] = tact_random_normal(&random);
            p[i % SCENE_ROWS] = 0.02 * tact_random_normal(&random);
        }
        TactContactCertificate a, b;
        TactContactCone        cone = TACT_CONE_CIRCLE;
        assert_int_equal(tact_contact_certify(&made.scene.problem, cone, NULL, p, v, &a), TACT_OK);
        assert_int_equal(tact_contact_certify(&forms.mechanism, cone, NULL, p, v, &b), TACT_OK);
        assert_near(a.dynamics, b.dynamics, 1e-13);
        // The weight of a motor or a limit differs, 1 / M_kk for M^-1: cubes have the same.
        assert_near(a.row_error, b.row_error, 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_answer_is_exact_in_every_form),
        cmocka_unit_test(a_wrong_answer_has_the_same_figures_in_every_form),
        cmocka_unit_test(a_wrong_answer_has_the_same_figures_in_every_order),
        cmocka_unit_test(a_millionth_wrong_at_one_loaded_contact_is_found_in_every_form),
        cmocka_unit_test(joint_rows_have_the_same_figures_for_bodies_and_for_a_mechanism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
