// One problem, all forms: they agree to rounding, and the answer of each is an answer of the
// others.
#include "systems.h"
// clang-format off
#include "made.h"
#include "contact/assembled/assemble.h"
#include "contact/problem/rows.h"
// clang-format on

enum { MAX_ITEMS = SCENE_CONTACTS + SCENE_ROWS, MAX_N = 12 * MAX_ITEMS + 64 };

typedef struct Forms {
    OwnedSystem       owned;
    TactAssemblePlace places[MAX_ITEMS];
    TactAssembleMap   map;
    double           *A, *q, *z, *lo;
} Forms;

static double *doubles(int count)
{
    double *x = calloc((size_t)count, sizeof *x);
    assert_non_null(x);
    return x;
}

static void open_forms(Forms *forms, const TactContactProblem *problem, TactContactCone cone)
{
    *forms = (Forms){0};
    system_create(&forms->owned, problem);
    forms->map.places = forms->places;
    tact_assemble_number(&forms->map, &forms->owned.system, problem, cone);
    forms->A = doubles(MAX_N * MAX_N);
    forms->q = doubles(MAX_N);
    forms->z = doubles(MAX_N);
    forms->lo = doubles(MAX_N);
}

static void close_forms(Forms *forms)
{
    free(forms->A);
    free(forms->q);
    free(forms->z);
    free(forms->lo);
    system_destroy(&forms->owned);
}

static void assert_close(double a, double b, double tol)
{
    if (!(fabs(a - b) <= tol)) {
        print_error("%.17g and %.17g differ by more than %g\n", a, b, tol);
        fail();
    }
}

/// Impulses of the items of an LCP, solved.
static void solve(const TactLcpProblem *problem, double *z)
{
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    TactLcpSolver *solver;
    TactLcpReport  report;
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, problem, z, &report), TACT_OK);
    assert_string_equal(tact_lcp_outcome_name(report.outcome), "solved");
    tact_lcp_solver_destroy(solver);
}

// ---------------------------------------------------------------------------------------------
// Problems

static const TactContactCone cones[] = {TACT_CONE_PYRAMID, TACT_CONE_BOX};

/// Made problems of several kinds, then the arm with its rows.
enum { PROBLEMS = 24 };

static void make_problem(int k, TactContactCone cone, Made *made)
{
    if (k == 0) {
        *made = (Made){0};
        scene_arm(&made->scene);
        return;
    }
    TactRandom random = tact_random_seed((uint64_t)k);
    MadeKind   kind = {cone, k % 3 == 0 ? 1e6 : k % 3 == 1 ? 1 : 1e-3, k % 2 ? 0 : 0.1};
    made_create(&random, &kind, made);
    for (int i = 0; i < made->scene.problem.contact_count; i++) {
        made->scene.contacts[i].directions = 4 + 2 * ((i + k) % 5);
        made->scene.contacts[i].mu = i % 5 == 4 ? 0 : 0.3 + 0.1 * (i % 3);
        made->scene.contacts[i].compliance = i % 7 == 6 ? 1e-3 : 0;
        made->scene.contacts[i].restitution = i % 4 == 1 ? 0.3 : 0;
    }
}

/// Scenes point into themselves.
static void point_inside(Made *made)
{
    made->scene.problem.bodies = made->scene.bodies;
    made->scene.problem.contacts = made->scene.contacts;
    made->scene.problem.rows = made->scene.rows;
}

// ---------------------------------------------------------------------------------------------
// Agreement

/// J M^-1 J' and J v_free from the raw rows, bilateral rows left out of account.
static void raw_delassus(const Made *made, const TactSystem *system, double *W, double *b)
{
    const TactContactProblem *problem = &made->scene.problem;
    int                       rows = 3 * system->item_count, dof = tact_contact_get_dof(problem);
    double start[6 * SCENE_BODIES], free_motion[6 * SCENE_BODIES], force[6 * SCENE_BODIES];
    tact_rows_velocity(problem, start);
    tact_rows_velocity(problem, free_motion);
    tact_rows_forces(problem, force);
    for (int i = 0; i < dof; i++) {
        force[i] *= problem->step;
    }
    for (int k = 0; k < problem->body_count; k++) {
        made_add_velocity(&problem->bodies[k], force + 6 * k, free_motion + 6 * k);
    }
    for (int c = 0; c < rows; c++) {
        const TactItem *item = &system->items[c / 3];
        double          J[6 * SCENE_BODIES] = {0}, moved[6 * SCENE_BODIES] = {0};
        tact_rows_add(problem, item->source, c % 3, 1, J);
        for (int k = 0; k < problem->body_count; k++) {
            made_add_velocity(&problem->bodies[k], J + 6 * k, moved + 6 * k);
        }
        for (int r = 0; r < rows; r++) {
            W[r * rows + c] = tact_rows_dot(problem, system->items[r / 3].source, r % 3, moved);
        }
        W[c * rows + c] += c % 3 == 0 ? item->compliance : 0;
        b[c] = tact_rows_dot(problem, item->source, c % 3, free_motion);
        if (c % 3 == 0) {
            const TactContact *contact = &problem->contacts[item->source];
            double             before = tact_rows_dot(problem, item->source, 0, start);
            b[c] += contact->bias + contact->restitution * fmin(before, 0);
        }
    }
}

static void the_delassus_matrix_is_that_of_the_raw_rows(void **state)
{
    (void)state;
    for (int k = 1; k < PROBLEMS; k++) {
        Made  made;
        Forms forms;
        make_problem(k, TACT_CONE_PYRAMID, &made);
        point_inside(&made);
        open_forms(&forms, &made.scene.problem, TACT_CONE_PYRAMID);
        int     rows = 3 * forms.owned.system.item_count;
        double *W = doubles(rows * rows), *b = doubles(rows);
        double *raw = doubles(rows * rows), *raw_b = doubles(rows);
        tact_assemble_delassus(&forms.map, W, b);
        raw_delassus(&made, &forms.owned.system, raw, raw_b);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                double size = sqrt(raw[i * rows + i] * raw[j * rows + j]);
                assert_close(W[i * rows + j], raw[i * rows + j], 1e-13 * size);
            }
            assert_close(b[i], raw_b[i], 1e-12 * (1 + fabs(raw_b[i])));
        }
        free(W), free(b), free(raw), free(raw_b);
        close_forms(&forms);
    }
}

/// nu, sigma, gamma of an item from its impulse and u = W p + b.
static void expect_rows(const Forms *forms, int i, const double *p, const double *u,
                        const double *w)
{
    const TactAssemblePlace *place = &forms->places[i];
    double                   sum = 0, tol = 1e-11;
    if (place->theta >= 0) {
        assert_close(w[place->theta], u[0], tol);
    }
    for (int k = 0; k < place->directions; k++) {
        double d[2];
        tact_assemble_direction(place, k, d);
        sum += forms->z[place->phi + k];
        double sigma = d[0] * u[1] + d[1] * u[2] + forms->z[place->lambda];
        assert_close(w[place->phi + k], sigma, tol);
        assert_true(sigma > -tol); // lambda is the least that lets all of them be
    }
    if (place->lambda >= 0) {
        double bound = place->theta >= 0 ? place->mu * p[0] : forms->owned.system.items[i].bound;
        assert_close(w[place->lambda], bound - sum, tol * (1 + bound));
    }
}

static void the_rows_of_the_lcp_are_velocities_and_what_friction_leaves(void **state)
{
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        for (int c = 0; c < 2; c++) {
            Made  made;
            Forms forms;
            make_problem(k, cones[c], &made);
            point_inside(&made);
            open_forms(&forms, &made.scene.problem, cones[c]);
            const TactSystem *system = &forms.owned.system;
            double            p[3 * MAX_ITEMS], u[3 * MAX_ITEMS], y[6 * SCENE_BODIES], w[MAX_N];
            double            back[3 * MAX_ITEMS];
            TactRandom        random = tact_random_seed((uint64_t)k + 100);
            for (int i = 0; i < system->item_count; i++) {
                const TactItem *item = &system->items[i];
                double          size = 0.01 * item->scale * item->scale;
                bool            has_n = item->kind != TACT_ITEM_MOTOR;
                bool            has_t = item->kind == TACT_ITEM_CONTACT && item->directions > 0;
                p[3 * i] = has_n ? size * tact_random_uniform(&random, 0, 1) : 0;
                p[3 * i + 1] = has_t || !has_n ? size * tact_random_normal(&random) : 0;
                p[3 * i + 2] = has_t ? size * tact_random_normal(&random) : 0;
            }
            tact_system_move(system, p, y, u);
            tact_assemble_unknowns(&forms.map, p, u, forms.z);
            tact_assemble_impulse(&forms.map, forms.z, back);
            tact_assemble_lcp(&forms.map, forms.A, forms.q);
            int n = forms.map.n;
            for (int i = 0; i < n; i++) {
                w[i] = forms.q[i];
                for (int j = 0; j < n; j++) {
                    w[i] += forms.A[i * n + j] * forms.z[j];
                }
                assert_true(forms.z[i] >= 0);
            }
            for (int i = 0; i < system->item_count; i++) {
                expect_rows(&forms, i, p + 3 * i, u + 3 * i, w);
                for (int j = 0; j < 3; j++) {
                    assert_close(back[3 * i + j], p[3 * i + j], 1e-14 * (1 + fabs(p[3 * i + j])));
                }
            }
            close_forms(&forms);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Answers

static void the_answer_of_every_form_is_proven_by_the_same_certificate(void **state)
{
    (void)state;
    double worst[3] = {0};
    for (int k = 0; k < PROBLEMS; k++) {
        for (int c = 0; c < 2; c++) {
            Made  made;
            Forms forms;
            make_problem(k, cones[c], &made);
            point_inside(&made);
            const TactContactProblem *problem = &made.scene.problem;
            open_forms(&forms, problem, cones[c]);
            double p[3 * MAX_ITEMS], d[MAX_N];
            double error[3] = {0};
            int    n = forms.map.n;

            // As it is; equilibrated; mixed.
            TactLcpProblem lcp = {.n = n, .M = forms.A, .q = forms.q};
            tact_assemble_lcp(&forms.map, forms.A, forms.q);
            solve(&lcp, forms.z);
            tact_assemble_impulse(&forms.map, forms.z, p);
            error[0] = system_certify(&forms.owned, problem, cones[c], p).error;

            tact_assemble_equilibrate(&forms.map, forms.A, forms.q, d);
            solve(&lcp, forms.z);
            for (int i = 0; i < n; i++) {
                forms.z[i] *= d[i];
            }
            tact_assemble_impulse(&forms.map, forms.z, p);
            error[1] = system_certify(&forms.owned, problem, cones[c], p).error;

            // The arm's redundant joint rows make the free block singular: only the LCP takes them.
            if (problem->row_count == 0) {
                int            dof = tact_contact_get_dof(problem);
                TactLcpProblem mixed = {.n = dof + n, .M = forms.A, .q = forms.q, .lo = forms.lo};
                tact_assemble_mixed(&forms.map, forms.A, forms.q, forms.lo);
                solve(&mixed, forms.z);
                tact_assemble_impulse(&forms.map, forms.z + dof, p);
                error[2] = system_certify(&forms.owned, problem, cones[c], p).error;
            }
            for (int i = 0; i < 3; i++) {
                worst[i] = fmax(worst[i], error[i]);
                assert_true(error[i] < 1e-10);
            }
            close_forms(&forms);
        }
    }
    print_message("largest errors: LCP %.1e, equilibrated %.1e, mixed %.1e\n", worst[0], worst[1],
                  worst[2]);
}

/// The answer of the LCP, with v+ and the joint impulses that follow from it, solves the mixed one.
static void the_answer_of_the_lcp_solves_the_mixed_one(void **state)
{
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        for (int c = 0; c < 2; c++) {
            Made  made;
            Forms forms;
            make_problem(k, cones[c], &made);
            point_inside(&made);
            const TactContactProblem *problem = &made.scene.problem;
            open_forms(&forms, problem, cones[c]);
            double         p[3 * MAX_ITEMS], z[MAX_N];
            TactLcpProblem lcp = {.n = forms.map.n, .M = forms.A, .q = forms.q};
            tact_assemble_lcp(&forms.map, forms.A, forms.q);
            solve(&lcp, forms.z);
            tact_assemble_impulse(&forms.map, forms.z, p);

            double            impulse[3 * SCENE_CONTACTS], rows[SCENE_ROWS];
            TactContactAnswer answer = {.impulse = impulse, .row_impulse = rows, .velocity = z};
            tact_system_answer(&forms.owned.system, problem, p, &answer);
            int at = tact_contact_get_dof(problem);
            for (int r = 0; r < problem->row_count; r++) {
                if (problem->rows[r].kind == TACT_ROW_BILATERAL) {
                    z[at++] = rows[r];
                }
            }
            memcpy(z + at, forms.z, (size_t)forms.map.n * sizeof(double));

            int n = tact_assemble_mixed_size(&forms.map);
            assert_int_equal(n, at + forms.map.n);
            tact_assemble_mixed(&forms.map, forms.A, forms.q, forms.lo);
            TactLcpProblem     mixed = {.n = n, .M = forms.A, .q = forms.q, .lo = forms.lo};
            TactLcpCertificate certificate;
            assert_int_equal(tact_lcp_certify(&mixed, z, &certificate), TACT_OK);
            assert_true(certificate.error <= 1e-12 * certificate.scale);
            close_forms(&forms);
        }
    }
}

static void softness_is_compliance_on_normals_and_friction(void **state)
{
    (void)state;
    // m (u_n + g h) = p_n and u_n + (cfm / h) p_n = 0: p_n = m g h / (1 + m cfm / h).
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    Forms forms;
    open_forms(&forms, &scene.problem, TACT_CONE_PYRAMID);
    tact_assemble_lcp(&forms.map, forms.A, forms.q);
    double         cfm = 1e-3, h = scene.problem.step, p[3];
    TactLcpProblem lcp = {.n = forms.map.n, .M = forms.A, .q = forms.q};
    tact_assemble_soften(&forms.map, cfm / h, forms.A);
    for (int i = 0; i < lcp.n; i++) { // lambda stays as it is
        assert_close(forms.A[i * lcp.n + i], i < 9 ? 0.5 + cfm / h : 0, 1e-15);
    }
    solve(&lcp, forms.z);
    tact_assemble_impulse(&forms.map, forms.z, p);
    assert_close(p[0], 2 * GRAVITY * h / (1 + 2 * cfm / h), 1e-14);
    close_forms(&forms);
}

static void the_sizes_are_those_of_what_each_item_has(void **state)
{
    (void)state;
    Scene scene;
    scene_arm(&scene);
    scene.contacts[1].mu = 0;
    scene.contacts[2].directions = 16;
    Forms forms;
    open_forms(&forms, &scene.problem, TACT_CONE_PYRAMID);
    // Normals: 4 contacts and the limit. Directions: 8, 16, 8 and the motor's 2.
    assert_int_equal(forms.map.thetas, 5);
    assert_int_equal(forms.map.phis, 8 + 16 + 8 + 2);
    assert_int_equal(forms.map.lambdas, 4);
    assert_int_equal(forms.map.n, 5 + 34 + 4);
    assert_int_equal(tact_assemble_mixed_size(&forms.map), 12 + 4 + 43);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    assert_int_equal(capacity.directions, 16);
    assert_true(tact_assemble_most(&capacity) >= 43);
    close_forms(&forms);
}

// ---------------------------------------------------------------------------------------------
// Friction box

static void the_box_has_limits_normals_friction_and_motors(void **state)
{
    (void)state;
    Scene scene;
    scene_arm(&scene);
    scene.contacts[1].mu = 0;
    OwnedSystem owned;
    system_create(&owned, &scene.problem);
    int             first[MAX_ITEMS], slide[MAX_ITEMS], items = owned.system.item_count;
    TactAssembleBox box = {.first = first, .slide = slide};
    tact_assemble_box_number(&box, &owned.system, &scene.problem);
    assert_int_equal(box.n, 1 + 4 + 2 * 3 + 1);

    // G and g are entries of W and b.
    double            G[144], g[12], lo[12], hi[12], W[9 * 36], b[3 * 6], p[3 * 6], z[12];
    TactAssemblePlace places[MAX_ITEMS];
    TactAssembleMap   map = {.places = places};
    assert_int_equal(items, 6);
    tact_assemble_number(&map, &owned.system, &scene.problem, TACT_CONE_BOX);
    tact_assemble_delassus(&map, W, b);
    tact_assemble_box(&box, G, g);
    for (int i = 0; i < 3 * items; i++) {
        p[i] = i + 1;
    }
    tact_assemble_box_unknowns(&box, p, z);
    tact_assemble_box_bounds(&box, p, lo, hi);
    for (int i = 0; i < box.n; i++) {
        int a = (int)z[i] - 1; // component of an item that stands here
        assert_true(g[i] == b[a]);
        for (int j = 0; j < box.n; j++) {
            assert_true(G[i * box.n + j] == W[a * 3 * items + (int)z[j] - 1]);
        }
        const TactItem *item = &owned.system.items[a / 3];
        if (a % 3 == 0) {
            assert_true(lo[i] == 0 && hi[i] == INFINITY);
        } else {
            double bound = item->kind == TACT_ITEM_MOTOR ? 0.01 * 2 : item->mu * p[3 * (a / 3)];
            assert_true(lo[i] == -bound && hi[i] == bound);
        }
    }
    system_destroy(&owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delassus_matrix_is_that_of_the_raw_rows),
        cmocka_unit_test(the_rows_of_the_lcp_are_velocities_and_what_friction_leaves),
        cmocka_unit_test(the_answer_of_every_form_is_proven_by_the_same_certificate),
        cmocka_unit_test(the_answer_of_the_lcp_solves_the_mixed_one),
        cmocka_unit_test(softness_is_compliance_on_normals_and_friction),
        cmocka_unit_test(the_sizes_are_those_of_what_each_item_has),
        cmocka_unit_test(the_box_has_limits_normals_friction_and_motors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
