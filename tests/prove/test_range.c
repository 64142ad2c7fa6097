// Exact ranges of forces, against a simplex method of the tests: another program (impulses as
// combinations of the edges of their cones), another algorithm (two phases from nothing).
#include <stdio.h>
#include <string.h>
#include <tact/prove.h>

#include "oracle/exact_lp.h"
#include "prove/exact_law.h"

enum { CORNERS = 8, MOST_COLUMNS = LAW_CONTACTS * CORNERS };

typedef struct Made {
    TactContactProblem problem;
    TactContactBody    bodies[2];
    TactContact        contacts[LAW_CONTACTS];
    double             impulse[3 * LAW_CONTACTS], velocity[12];
    TactProof         *proof;
    LawAnswer          exact;
} Made;

// ---------------------------------------------------------------------------------------------
// Problems

/// A multiple of 1/64: corners lie in a plane exactly.
static double grid(TactRandom *random, double least, double most)
{
    return round(64 * tact_random_uniform(random, least, most)) / 64;
}

static void add_face(Made *made, TactRandom *random, int a, int b, double height, int count)
{
    for (int k = 0; k < count; k++) {
        made->contacts[made->problem.contact_count++] = (TactContact){
            .a = a,
            .b = b,
            .point = {(k % 2 ? 1 : -1) * grid(random, 0.2, 0.6),
                      (k / 2 % 2 ? 1 : -1) * grid(random, 0.2, 0.6), height},
            .normal = {0, 0, 1},
            .mu = tact_random_uniform(random, 0, 1) < 0.2 ? 0 : grid(random, 0.1, 1.2),
        };
    }
}

/// Blocks on a table, one upon the other, pushed; some of them slide or tip.
static void make(uint64_t seed, Made *made)
{
    TactRandom random = tact_random_seed(seed);
    int        bodies = 1 + (int)(seed % 2);
    memset(made, 0, sizeof *made);
    for (int k = 0; k < bodies; k++) {
        double mass = grid(&random, 0.5, 3);
        made->bodies[k] = (TactContactBody){
            .mass = mass,
            .inertia = {0.1 * mass, 0.15 * mass, 0.12 * mass},
            .position = {0, 0, 0.5 + k},
            .force = {tact_random_uniform(&random, -1, 1) * mass * 5,
                      tact_random_uniform(&random, -1, 1) * mass * 3, -10 * mass},
        };
    }
    made->problem = (TactContactProblem){
        .step = 0.01, .body_count = bodies, .bodies = made->bodies, .contacts = made->contacts};
    for (int k = 0; k < bodies; k++) {
        add_face(made, &random, k - 1, k, k, 3 + (int)(seed / 2 % 3));
    }
}

static TactProofConfig without_clock; // limit 0: a busy machine changes nothing

static void solve(Made *made)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&made->problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    TactContactAnswer   answer = {.impulse = made->impulse, .velocity = made->velocity};
    config.cone = TACT_CONE_PYRAMID;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &made->problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
    assert_int_equal(tact_prove_contact(&made->problem, TACT_CONE_PYRAMID, &answer, &without_clock,
                                        &made->proof),
                     TACT_OK);
}

static void read_exact(const TactProof *proof, TactProofPart part, int i, mpq_t x)
{
    size_t length = tact_proof_get_exact(proof, part, i, NULL, 0);
    char  *text = test_malloc(length + 1);
    tact_proof_get_exact(proof, part, i, text, length + 1);
    assert_int_equal(mpq_set_str(x, text, 10), 0);
    test_free(text);
}

// ---------------------------------------------------------------------------------------------
// The program of the tests: x are shares of the edges (1, mu d_j) of every contact's cone

typedef struct Column {
    int    contact;
    double d[2]; // corner; 0 without friction
} Column;

static void corner(int j, double d[2])
{
    double sign = j >= CORNERS / 2 ? -1 : 1, angle = 2 * M_PI * (j % (CORNERS / 2)) / CORNERS;
    d[0] = fabs(cos(angle)) < 1e-15 ? 0 : sign * cos(angle);
    d[1] = fabs(sin(angle)) < 1e-15 ? 0 : sign * sin(angle);
}

/// The edges that the motion leaves to a contact.
static int find_columns(const Made *made, int i, Column *columns)
{
    mpq_t u[3], out, most, x;
    int   count = 0;
    mpq_inits(u[0], u[1], u[2], out, most, x, NULL);
    for (int k = 0; k < 3; k++) {
        law_velocity(&made->problem, &made->exact, i, k, u[k]);
    }
    bool touches = mpq_sgn(u[0]) == 0, slips = mpq_sgn(u[1]) != 0 || mpq_sgn(u[2]) != 0;
    if (touches && made->contacts[i].mu == 0) {
        columns[count++] = (Column){.contact = i};
    }
    for (int j = 0; j < CORNERS && touches && made->contacts[i].mu > 0; j++) {
        double d[2];
        corner(j, d);
        mpq_set_ui(out, 0, 1);
        law_add(out, -d[0], u[1]);
        law_add(out, -d[1], u[2]);
        int order = !slips || j == 0 ? 0 : mpq_cmp(out, most);
        if (order > 0) {
            count = 0;
        }
        if (order >= 0) {
            columns[count++] = (Column){i, {d[0], d[1]}};
            mpq_set(most, out);
        }
    }
    mpq_clears(u[0], u[1], u[2], out, most, x, NULL);
    return count;
}

/// J' of one edge: what it does to a body's momentum c.
static void fill_entry(const Made *made, const Column *column, int body, int c, mpq_t out)
{
    const TactContact *contact = &made->contacts[column->contact];
    double             sign = contact->b == body ? 1 : contact->a == body ? -1 : 0;
    mpq_t              turning[3], part, x;
    mpq_inits(turning[0], turning[1], turning[2], part, x, NULL);
    for (int k = 0; k < 3 && sign != 0; k++) {
        const double *d = made->exact.frame[column->contact][k];
        law_turning(contact->point, made->bodies[body].position, d, turning);
        mpq_set_d(part, c < 3 ? d[c] : 0);
        if (c >= 3) {
            mpq_set(part, turning[c - 3]);
        }
        mpq_set_d(x, k == 0 ? sign : sign * contact->mu);
        mpq_mul(part, part, x);
        mpq_set_d(x, k == 0 ? 1 : column->d[k - 1]);
        mpq_mul(part, part, x);
        mpq_add(out, out, part);
    }
    mpq_clears(turning[0], turning[1], turning[2], part, x, NULL);
}

/// M (v+ - v) - h f of the exact motion.
static void fill_right(const Made *made, int body, int c, mpq_t out)
{
    const TactContactBody *b = &made->bodies[body];
    mpq_t                  x;
    mpq_init(x);
    mpq_set_d(x, c < 3 ? b->velocity[c] : b->omega[c - 3]);
    mpq_sub(x, made->exact.v[6 * body + c], x);
    law_add(out, c < 3 ? b->mass : b->inertia[c - 3], x);
    mpq_set_d(x, c < 3 ? b->force[c] : b->torque[c - 3]);
    law_add(out, -made->problem.step, x);
    mpq_clear(x);
}

/// Cost: sign times impulse k of a contact.
static void set_cost(const Made *made, ExactLp *lp, const Column *columns, int contact, int k,
                     int sign)
{
    for (int j = 0; j < lp->columns; j++) {
        mpq_t x;
        mpq_init(x);
        mpq_set_d(lp->c[j], columns[j].contact == contact ? sign : 0);
        if (k > 0) {
            mpq_set_d(x, made->contacts[contact].mu);
            mpq_mul(lp->c[j], lp->c[j], x);
            mpq_set_d(x, columns[j].d[k - 1]);
            mpq_mul(lp->c[j], lp->c[j], x);
        }
        mpq_clear(x);
    }
}

// ---------------------------------------------------------------------------------------------

static void compare(const Made *made, ExactLp *lp, const Column *columns, int *wide)
{
    mpq_t least, most, own;
    mpq_inits(least, most, own, NULL);
    for (int k = 0; k < 3 * made->problem.contact_count; k++) {
        set_cost(made, lp, columns, k / 3, k % 3, 1);
        assert_int_equal(exact_lp_solve(lp, least), EXACT_LP_FOUND);
        set_cost(made, lp, columns, k / 3, k % 3, -1);
        assert_int_equal(exact_lp_solve(lp, most), EXACT_LP_FOUND);
        mpq_neg(most, most);
        read_exact(made->proof, TACT_PROOF_PART_LEAST, k, own);
        assert_true(mpq_equal(own, least));
        read_exact(made->proof, TACT_PROOF_PART_MOST, k, own);
        assert_true(mpq_equal(own, most));
        *wide += mpq_cmp(least, most) < 0;
    }
    mpq_clears(least, most, own, NULL);
}

static void ranges_are_those_of_a_second_simplex_method(void **state)
{
    (void)state;
    static Made   made;
    static Column columns[MOST_COLUMNS];
    int           proved = 0, wide = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        make(seed, &made);
        solve(&made);
        law_init(&made.exact);
        if (tact_proof_view_report(made.proof)->proved) {
            ExactLp lp;
            int     count = 0, bodies = made.problem.body_count;
            proved++;
            assert_int_equal(
                tact_prove_ranges(&made.problem, TACT_CONE_PYRAMID, &without_clock, made.proof),
                TACT_OK);
            for (int d = 0; d < 6 * bodies; d++) {
                read_exact(made.proof, TACT_PROOF_PART_VELOCITY, d, made.exact.v[d]);
            }
            for (int i = 0; i < made.problem.contact_count; i++) {
                tact_contact_compute_frame(&made.contacts[i], made.exact.frame[i]);
            }
            for (int i = 0; i < made.problem.contact_count; i++) {
                count += find_columns(&made, i, columns + count);
            }
            exact_lp_create(&lp, 6 * bodies, count);
            for (int r = 0; r < 6 * bodies; r++) {
                fill_right(&made, r / 6, r % 6, lp.b[r]);
                for (int j = 0; j < count; j++) {
                    fill_entry(&made, &columns[j], r / 6, r % 6, *exact_lp_at(&lp, r, j));
                }
            }
            compare(&made, &lp, columns, &wide);
            exact_lp_destroy(&lp);
        }
        law_clear(&made.exact);
        tact_proof_destroy(made.proof);
    }
    print_message("%d proofs, %d forces that are not unique\n", proved, wide);
    assert_true(proved >= 9);
    assert_true(wide > 40);
}

/// A ball between two walls that face each other, with friction: they may press as they like.
static void a_force_without_a_most_is_infinite(void **state)
{
    (void)state;
    static Made made;
    memset(&made, 0, sizeof made);
    made.bodies[0] = (TactContactBody){.mass = 1, .inertia = {0.1, 0.1, 0.1}, .force = {0, 0, -8}};
    made.contacts[0] =
        (TactContact){.a = -1, .b = 0, .point = {-0.5, 0, 0}, .normal = {1, 0, 0}, .mu = 0.5};
    made.contacts[1] =
        (TactContact){.a = -1, .b = 0, .point = {0.5, 0, 0}, .normal = {-1, 0, 0}, .mu = 0.5};
    made.problem = (TactContactProblem){.step = 0.01,
                                        .body_count = 1,
                                        .bodies = made.bodies,
                                        .contacts = made.contacts,
                                        .contact_count = 2};
    // Held by 8 N s / 100 on both walls together: p_n = 0.08 at least, of which friction carries
    // one half each.
    double            impulse[] = {0.2, 0, 0, 0.2, 0, 0}, velocity[6] = {0}, frame[3][3], lo, hi;
    TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
    char              text[8];
    mpq_t             least;
    for (int i = 0; i < 2; i++) {
        tact_contact_compute_frame(&made.contacts[i], frame);
        for (int k = 1; k < 3; k++) {
            impulse[3 * i + k] = 0.04 * frame[k][2]; // straight up
        }
    }
    assert_int_equal(
        tact_prove_contact(&made.problem, TACT_CONE_PYRAMID, &answer, &without_clock, &made.proof),
        TACT_OK);
    assert_true(tact_proof_view_report(made.proof)->proved);
    assert_int_equal(
        tact_prove_ranges(&made.problem, TACT_CONE_PYRAMID, &without_clock, made.proof), TACT_OK);
    tact_proof_get_exact(made.proof, TACT_PROOF_PART_MOST, 0, text, sizeof text);
    assert_string_equal(text, "inf");
    assert_true(tact_proof_get_bounds(made.proof, TACT_PROOF_PART_MOST, 3, &lo, &hi));
    assert_true(isinf(lo) && isinf(hi) && hi > 0);
    // Both walls press alike, and mu (p_n + p_n) = h m g if each corner points straight up.
    mpq_init(least);
    read_exact(made.proof, TACT_PROOF_PART_LEAST, 0, least);
    assert_float_equal(mpq_get_d(least), 0.08, 1e-15);
    mpq_clear(least);
    tact_proof_destroy(made.proof);
}

/// Two motors of 1 N on one axis hold a body against 1.5 N: each gives between 0.5 and 1 N.
static void motors_that_share_a_load_have_the_ranges_of_a_closed_form(void **state)
{
    (void)state;
    static Made    made;
    TactContactRow rows[2] = {{.kind = TACT_ROW_MOTOR, .a = -1, .b = 0, .force_max = 1}};
    double         h = 0.0078125, row_impulse[2] = {0.75 * h, 0.75 * h}, velocity[6] = {0};
    memset(&made, 0, sizeof made);
    rows[0].J_b[0] = 1;
    rows[1] = rows[0];
    made.bodies[0] = (TactContactBody){.mass = 2, .inertia = {1, 1, 1}, .force = {-1.5, 0, 0}};
    made.problem = (TactContactProblem){
        .step = h, .body_count = 1, .bodies = made.bodies, .row_count = 2, .rows = rows};
    TactContactAnswer answer = {
        .impulse = made.impulse, .row_impulse = row_impulse, .velocity = velocity};
    assert_int_equal(
        tact_prove_contact(&made.problem, TACT_CONE_PYRAMID, &answer, &without_clock, &made.proof),
        TACT_OK);
    assert_true(tact_proof_view_report(made.proof)->proved);
    assert_int_equal(
        tact_prove_ranges(&made.problem, TACT_CONE_PYRAMID, &without_clock, made.proof), TACT_OK);
    mpq_t x;
    mpq_init(x);
    for (int k = 0; k < 2; k++) {
        read_exact(made.proof, TACT_PROOF_PART_ROW_LEAST, k, x);
        assert_int_equal(mpq_cmp_ui(x, 1, 256), 0);
        read_exact(made.proof, TACT_PROOF_PART_ROW_MOST, k, x);
        assert_int_equal(mpq_cmp_ui(x, 1, 128), 0);
    }
    mpq_clear(x);
    tact_proof_destroy(made.proof);
}

static void ranges_of_what_is_no_rational_proof_are_refused(void **state)
{
    (void)state;
    static Made made;
    make(4, &made);
    solve(&made);
    tact_proof_destroy(made.proof);
    TactContactAnswer answer = {.impulse = made.impulse, .velocity = made.velocity};
    assert_int_equal(
        tact_prove_contact(&made.problem, TACT_CONE_CIRCLE, &answer, &without_clock, &made.proof),
        TACT_OK);
    assert_int_equal(tact_prove_ranges(&made.problem, TACT_CONE_CIRCLE, NULL, made.proof),
                     TACT_UNSUPPORTED);
    assert_int_equal(tact_prove_ranges(NULL, TACT_CONE_CIRCLE, NULL, made.proof),
                     TACT_BAD_ARGUMENT);
    tact_proof_destroy(made.proof);
}

int main(void)
{
    without_clock = tact_proof_config_default();
    without_clock.limit = 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_those_of_a_second_simplex_method),
        cmocka_unit_test(a_force_without_a_most_is_infinite),
        cmocka_unit_test(motors_that_share_a_load_have_the_ranges_of_a_closed_form),
        cmocka_unit_test(ranges_of_what_is_no_rational_proof_are_refused),
    };
    return cmocka_run_group_tests_name("prove/range", tests, NULL, NULL);
}
