// Proofs of answers whose contacts resist spinning and rolling, or have two coefficients: rationals
// are held against a law that is written apart from the library (exact_patch.h), enclosures against
// Newton's method in 400 bits.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>
#include <tact/prove.h>

#include "contact/patch_made.h"
#include "oracle/bits_solve.h"
#include "prove/exact_patch.h"

static int problem_count = 250;

static TactProof *prove(const TactContactProblem *problem, TactContactCone cone,
                        const TactContactAnswer *answer)
{
    TactProof *proof = NULL;
    TactStatus status = tact_prove_contact(problem, cone, answer, NULL, &proof);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    return proof;
}

static void rational_proofs_obey_the_law_exactly(void **state)
{
    (void)state;
    int tried = 0, proved = 0, found = 0;
    for (int i = 0; i < problem_count; i++) {
        PatchMade   made;
        PatchSolved solved;
        patch_make(&made, 1 + (uint64_t)i);
        if (patch_has_ellipsoid(&made.problem) ||
            !patch_solve(&made.problem, TACT_CONE_PYRAMID, &solved)) {
            continue;
        }
        TactProof             *proof = prove(&made.problem, TACT_CONE_PYRAMID, &solved.answer);
        const TactProofReport *report = tact_proof_view_report(proof);
        tried++;
        proved += report->proved;
        found += report->found;
        if (report->found) {
            assert_true(exact_patch_holds(&made.problem, proof));
        } else if (getenv("TACT_VERBOSE")) {
            print_message("seed %d: %s\n", 1 + i, report->why);
        }
        if (report->found && tried < 20) {
            int k = tried % 3;
            assert_false(
                exact_patch_holds_forged(&made.problem, proof, TACT_PROOF_PART_VELOCITY, k));
            assert_false(exact_patch_holds_forged(&made.problem, proof, TACT_PROOF_PART_MOMENT, k));
        }
        tact_proof_destroy(proof);
    }
    print_message("pyramid: %d of %d proved, %d exact solutions obey the law\n", proved, tried,
                  found);
    assert_true(tried > problem_count / 6 && 100 * proved >= 95 * tried);
}

/// An answer whose moment at a contact is another one is not proved.
static void wrong_moments_are_not_proved(void **state)
{
    (void)state;
    int tried = 0, shared = 0;
    for (int i = 0; i < problem_count; i++) {
        PatchMade   made;
        PatchSolved solved;
        patch_make(&made, 5000 + (uint64_t)i);
        for (int c = 0; c < 2; c++) {
            TactContactCone cone = c ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
            double          largest = 0, pushing = 0;
            int             worst = -1;
            if ((!c && patch_has_ellipsoid(&made.problem)) ||
                !patch_solve(&made.problem, cone, &solved)) {
                continue;
            }
            for (int k = 0; k < 3 * made.problem.contact_count; k++) {
                const TactContact *contact = &made.contacts[k / 3];
                double             mu = k % 3 ? contact->mu_roll : contact->mu_spin;
                double             load = mu > 0 ? fabs(solved.m[k]) / mu : 0;
                worst = load > largest ? k : worst;
                largest = fmax(largest, load);
                pushing = fmax(pushing, fabs(solved.p[k]));
            }
            if (largest <= 1e-2 * pushing) {
                continue; // a part in 1000 of it is within what a proof may be away
            }
            solved.m[worst] *= 0.999;
            TactProof *proof = prove(&made.problem, cone, &solved.answer);
            // A moment that others may take over is another one of the same motion.
            const TactProofReport *report = tact_proof_view_report(proof);
            assert_true(!report->proved || report->redundant > 0);
            shared += report->proved;
            tact_proof_destroy(proof);
            tried++;
        }
    }
    print_message("%d planted moments, none proved but %d that are not unique\n", tried, shared);
    assert_true(tried > problem_count / 4 && 100 * shared <= tried);
}

/// The middle of an enclosure obeys the law of the bodies, as an oracle in long double sees it.
static void enclosures_of_bodies_hold_what_obeys_the_law(void **state)
{
    (void)state;
    int    tried = 0, proved = 0, wide = 0;
    double worst = 0, p[3 * PATCH_CONTACTS], m[3 * PATCH_CONTACTS];
    for (int i = 0; i < problem_count; i++) {
        PatchMade   made;
        PatchSolved solved;
        patch_make(&made, 1 + (uint64_t)i);
        if (!patch_solve(&made.problem, TACT_CONE_CIRCLE, &solved)) {
            continue;
        }
        TactProof             *proof = prove(&made.problem, TACT_CONE_CIRCLE, &solved.answer);
        const TactProofReport *report = tact_proof_view_report(proof);
        double                 width = 0;
        tried++;
        proved += report->proved;
        for (int k = 0; k < 3 * made.problem.contact_count && report->proved; k++) {
            double lo = 0, hi = 0;
            assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_IMPULSE, k, &lo, &hi));
            p[k] = 0.5 * lo + 0.5 * hi;
            width = fmax(width, hi - lo);
            bool turns = tact_proof_get_bounds(proof, TACT_PROOF_PART_MOMENT, k, &lo, &hi);
            m[k] = turns ? 0.5 * lo + 0.5 * hi : 0;
            width = fmax(width, hi - lo);
        }
        if (report->proved) {
            PatchMiss miss = patch_law(&made.problem, TACT_CONE_CIRCLE, p, m);
            double    most = fmax(fmax(miss.normal, miss.bound), fmax(miss.part, miss.angular));
            wide += width > 1e-11; // where the middle of a box says little of what is in it
            most = width > 1e-11 ? 0 : most;
            worst = fmax(worst, most);
        } else if (getenv("TACT_VERBOSE")) {
            print_message("seed %d: %s\n", 1 + i, report->why);
        }
        tact_proof_destroy(proof);
    }
    print_message("circle: %d of %d proved, %d of them wider than 1e-11; worst miss of a middle of "
                  "the others %.1e\n",
                  proved, tried, wide, worst);
    assert_true(100 * proved >= 80 * tried && 100 * wide <= tried && worst < 1e-11);
}

// ---------------------------------------------------------------------------------------------
// 400 bits: two contacts with six rows each, given by W

enum { N = 12, BITS = 400 };

typedef struct Disc {
    int    contact, dim, r[5]; // components 1 .. 5 of the contact
    double mu[5];
    bool   moves;
} Disc;

static int list_discs(const TactContact *c, int contact, Disc *discs)
{
    bool one = c->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
    Disc all = {
        contact, 5, {1, 2, 3, 4, 5}, {c->mu, c->mu2, c->mu_spin, c->mu_roll, c->mu_roll}, 0};
    discs[0] = one ? all : (Disc){contact, 2, {1, 2}, {c->mu, c->mu2}, 0};
    discs[1] = (Disc){contact, 1, {3}, {c->mu_spin}, 0};
    discs[2] = (Disc){contact, 2, {4, 5}, {c->mu_roll, c->mu_roll}, 0};
    return one ? 1 : 3;
}

static void multiply(mpf_t out, const mpf_t a, double b, mpf_t x)
{
    mpf_set_d(x, b);
    mpf_mul(out, a, x);
}

/// u_n = 0, and of each disc u = 0, or |y| p_k + mu_k p_n y_k = 0. F: (N)
static void evaluate(const TactContactProblem *problem, const Disc *discs, int count, mpf_t p[N],
                     mpf_t u[N], mpf_t F[N])
{
    mpf_t x, y, speed;
    mpf_init2(x, BITS);
    mpf_init2(y, BITS);
    mpf_init2(speed, BITS);
    for (int i = 0; i < N; i++) {
        mpf_set_d(u[i], problem->u_free[i]);
        for (int j = 0; j < N; j++) {
            multiply(x, p[j], problem->W[N * i + j], x);
            mpf_set_d(y, problem->W[N * i + j]);
            mpf_mul(x, p[j], y);
            mpf_add(u[i], u[i], x);
        }
        mpf_set(F[i], u[i]);
    }
    for (int d = 0; d < count; d++) {
        const Disc *disc = &discs[d];
        int         first = 6 * disc->contact;
        mpf_set_ui(speed, 0);
        for (int k = 0; k < disc->dim; k++) {
            multiply(y, u[first + disc->r[k]], disc->mu[k], x);
            mpf_mul(x, y, y);
            mpf_add(speed, speed, x);
        }
        mpf_sqrt(speed, speed);
        for (int k = 0; k < disc->dim && disc->moves; k++) {
            int at = first + disc->r[k];
            multiply(y, u[at], disc->mu[k], x);
            mpf_mul(y, y, p[first]);
            multiply(y, y, disc->mu[k], x);
            mpf_mul(x, speed, p[at]);
            mpf_add(F[at], x, y);
        }
    }
    mpf_clear(x);
    mpf_clear(y);
    mpf_clear(speed);
}

typedef struct Room {
    mpf_t a[N][N], F[N], G[N], u[N], p[N], h;
} Room;

static void open_room(Room *room)
{
    mpf_init2(room->h, BITS);
    mpf_set_ui(room->h, 1);
    mpf_div_2exp(room->h, room->h, 150);
    for (int i = 0; i < N; i++) {
        mpf_init2(room->F[i], BITS);
        mpf_init2(room->G[i], BITS);
        mpf_init2(room->u[i], BITS);
        mpf_init2(room->p[i], BITS);
        for (int j = 0; j < N; j++) {
            mpf_init2(room->a[i][j], BITS);
        }
    }
}

static void close_room(Room *room)
{
    mpf_clear(room->h);
    for (int i = 0; i < N; i++) {
        mpf_clear(room->F[i]);
        mpf_clear(room->G[i]);
        mpf_clear(room->u[i]);
        mpf_clear(room->p[i]);
        for (int j = 0; j < N; j++) {
            mpf_clear(room->a[i][j]);
        }
    }
}

/// Newton's method with differences over 2^-150. Returns the last residual.
static double iterate(const TactContactProblem *problem, const Disc *discs, int count, Room *room)
{
    double residual = 0;
    for (int step = 0; step < 12; step++) {
        evaluate(problem, discs, count, room->p, room->u, room->F);
        for (int j = 0; j < N; j++) {
            mpf_add(room->p[j], room->p[j], room->h);
            evaluate(problem, discs, count, room->p, room->u, room->G);
            mpf_sub(room->p[j], room->p[j], room->h);
            for (int i = 0; i < N; i++) {
                mpf_sub(room->a[i][j], room->G[i], room->F[i]);
                mpf_div(room->a[i][j], room->a[i][j], room->h);
            }
        }
        residual = 0;
        for (int i = 0; i < N; i++) {
            residual = fmax(residual, fabs(mpf_get_d(room->F[i])));
        }
        bits_solve(N, BITS, room->a[0], room->F);
        for (int i = 0; i < N; i++) {
            mpf_sub(room->p[i], room->p[i], room->F[i]);
        }
    }
    return residual;
}

static void draw(TactRandom *random, TactContact contacts[2], double W[N * N], double u_free[N])
{
    double A[N * N];
    for (int k = 0; k < N * N; k++) {
        A[k] = 0.3 * tact_random_normal(random);
    }
    for (int c = 0; c < 2; c++) {
        bool one = tact_random_uniform(random, 0, 1) < 0.4;
        contacts[c] = (TactContact){.mu = tact_random_uniform(random, 0.1, 0.5),
                                    .mu2 = tact_random_uniform(random, 0.1, 0.5),
                                    .mu_spin = tact_random_uniform(random, 0.05, 0.3),
                                    .mu_roll = tact_random_uniform(random, 0.05, 0.3),
                                    .friction_law = one ? TACT_FRICTION_LAW_ELLIPSOID
                                                        : TACT_FRICTION_LAW_SEPARATE};
    }
    for (int i = 0; i < N; i++) {
        double still = tact_random_uniform(random, 0, 1) < 0.5 ? 0.05 : 1;
        u_free[i] = i % 6 == 0 ? -tact_random_uniform(random, 0.5, 1.5)
                               : still * tact_random_normal(random);
        for (int j = 0; j < N; j++) {
            W[N * i + j] = i == j;
            for (int k = 0; k < N; k++) {
                W[N * i + j] += A[N * i + k] * A[N * j + k];
            }
        }
    }
}

/// Which discs move at the answer; false: a contact is open.
static bool read_discs(const TactContactProblem *problem, const double *p, const double *m,
                       Disc *discs, int *count, int *moving)
{
    double u[N];
    for (int i = 0; i < N; i++) {
        u[i] = problem->u_free[i];
        for (int j = 0; j < N; j++) {
            u[i] += problem->W[N * i + j] *
                    (j % 6 < 3 ? p[3 * (j / 6) + j % 6] : m[3 * (j / 6) + j % 6 - 3]);
        }
    }
    *count = *moving = 0;
    for (int c = 0; c < 2; c++) {
        if (!(p[3 * c] > 1e-6)) {
            return false;
        }
        *count += list_discs(&problem->contacts[c], c, discs + *count);
    }
    for (int d = 0; d < *count; d++) {
        double square = 0;
        for (int k = 0; k < discs[d].dim; k++) {
            double y = discs[d].mu[k] * u[6 * discs[d].contact + discs[d].r[k]];
            square += y * y;
        }
        discs[d].moves = square > 1e-16;
        *moving += discs[d].moves;
    }
    return true;
}

static void enclosures_hold_the_solution_in_400_bits(void **state)
{
    (void)state;
    TactRandom         random = tact_random_seed(11);
    TactContact        contacts[2];
    double             W[N * N], u_free[N], p[6], m[6];
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 2, .contacts = contacts};
    TactContactAnswer answer = {.impulse = p, .moment = m};
    int               checked = 0, moved = 0, held = 0;
    Room             *room = calloc(1, sizeof *room);
    assert_non_null(room);
    open_room(room);
    for (int trial = 0; trial < 120; trial++) {
        TactContactConfig config = tact_contact_config_default(TACT_METHOD_LADDER);
        TactContactReport report;
        Disc              discs[6];
        int               count = 0, moving = 0;
        draw(&random, contacts, W, u_free);
        TactContactCapacity capacity = tact_contact_get_capacity(&problem);
        TactContactSolver  *solver = NULL;
        config.cone = TACT_CONE_CIRCLE;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &problem, &answer, &report), TACT_OK);
        tact_contact_solver_destroy(solver);
        if (report.outcome != TACT_OUTCOME_SOLVED ||
            !read_discs(&problem, p, m, discs, &count, &moving)) {
            continue;
        }
        TactProof *proof = prove(&problem, TACT_CONE_CIRCLE, &answer);
        assert_true(tact_proof_view_report(proof)->proved && tact_proof_view_report(proof)->unique);
        for (int i = 0; i < N; i++) {
            mpf_set_d(room->p[i], i % 6 < 3 ? p[3 * (i / 6) + i % 6] : m[3 * (i / 6) + i % 6 - 3]);
        }
        assert_true(iterate(&problem, discs, count, room) < 1e-60);
        for (int i = 0; i < N; i++) {
            TactProofPart part = i % 6 < 3 ? TACT_PROOF_PART_IMPULSE : TACT_PROOF_PART_MOMENT;
            double        lo, hi;
            assert_true(tact_proof_get_bounds(proof, part, 3 * (i / 6) + i % 3, &lo, &hi));
            assert_true(mpf_cmp_d(room->p[i], lo) >= 0 && mpf_cmp_d(room->p[i], hi) <= 0);
            assert_true(hi - lo < 1e-12);
        }
        tact_proof_destroy(proof);
        checked++;
        moved += moving;
        held += count - moving;
    }
    close_room(room);
    free(room);
    print_message("%d enclosures checked, %d discs move, %d hold\n", checked, moved, held);
    assert_true(checked >= 60 && moved > 60 && held > 60);
}

// ---------------------------------------------------------------------------------------------
// Ranges

/// Two soft fingers on the two sides of a bar, each pressed with f; a torque about their axis.
static void pinch(PatchMade *made, double f, double torque)
{
    *made = (PatchMade){0};
    made->problem = (TactContactProblem){.step = 0.5,
                                         .body_count = 3,
                                         .bodies = made->bodies,
                                         .contact_count = 2,
                                         .contacts = made->contacts};
    for (int b = 0; b < 3; b++) {
        made->bodies[b] = (TactContactBody){.mass = 1,
                                            .inertia = {0.25, 0.25, 0.25},
                                            .position = {b == 0   ? 0
                                                         : b == 1 ? -1
                                                                  : 1}};
    }
    made->bodies[0].torque[0] = torque;
    made->bodies[1].force[0] = f;
    made->bodies[2].force[0] = -f;
    for (int i = 0; i < 2; i++) {
        made->contacts[i] = (TactContact){.a = 1 + i,
                                          .b = 0,
                                          .point = {i ? 0.5 : -0.5},
                                          .normal = {i ? -1 : 1},
                                          .tangent = {0, 1, 0},
                                          .mu = 0.5,
                                          .mu_spin = 0.125,
                                          .mu_roll = 0.0625};
    }
}

static void read_end(const TactProof *proof, TactProofPart part, int i, double *end)
{
    double hi;
    assert_true(tact_proof_get_bounds(proof, part, i, end, &hi));
    assert_true(hi == *end); // a double, exactly
}

/// What fingers hold that do not turn: they are free bodies here, so that nothing may turn and
/// their moments are 0, whatever the bar is asked; with a table in their place they share.
static void ranges_of_moments_are_exact(void **state)
{
    (void)state;
    PatchMade   made;
    PatchSolved solved;
    pinch(&made, 16, 0);
    // Held by the world: body a is -1, and the load of each side is free but for their sum.
    for (int i = 0; i < 2; i++) {
        made.contacts[i].a = -1;
    }
    made.problem.body_count = 1;
    made.bodies[0].torque[0] = 1; // 0.5 N m s in the step
    // Walls that close in: each asks for 4 m/s of approach to be stopped against the other.
    made.contacts[0].bias = 0;
    made.contacts[1].bias = 0;
    made.contacts[1].compliance = 0.25; // p_n of this side follows from the motion
    made.contacts[1].bias = -2;         // 0.25 p_n = 2: 8 N s
    assert_true(patch_solve(&made.problem, TACT_CONE_PYRAMID, &solved));
    TactProof *proof = prove(&made.problem, TACT_CONE_PYRAMID, &solved.answer);
    assert_true(tact_proof_view_report(proof)->proved);
    assert_true(exact_patch_holds(&made.problem, proof));
    PatchMade plain = made; // a proof of the other problem
    plain.problem.contacts = plain.contacts;
    plain.problem.bodies = plain.bodies;
    for (int i = 0; i < 2; i++) {
        plain.contacts[i].mu_spin = plain.contacts[i].mu_roll = 0;
    }
    assert_int_equal(tact_prove_ranges(&plain.problem, TACT_CONE_PYRAMID, NULL, proof),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_prove_ranges(&made.problem, TACT_CONE_PYRAMID, NULL, proof), TACT_OK);
    // m about x on the bar: normals are +x and -x, m_0 - m_1 = -0.5, |m| <= 0.125 * 8 = 1.
    double least[2], most[2];
    for (int i = 0; i < 2; i++) {
        read_end(proof, TACT_PROOF_PART_LEAST, 3 * i, &least[i]);
        read_end(proof, TACT_PROOF_PART_MOST, 3 * i, &most[i]);
        assert_true(least[i] == 8 && most[i] == 8);
        read_end(proof, TACT_PROOF_PART_MOMENT_LEAST, 3 * i, &least[i]);
        read_end(proof, TACT_PROOF_PART_MOMENT_MOST, 3 * i, &most[i]);
    }
    assert_true(least[0] == -1 && most[0] == 0.5 && least[1] == -0.5 && most[1] == 1);
    // Rolling: the two sides bend against each other, at most 0.0625 * 8, in a corner of the
    // polygon.
    for (int k = 0; k < 2; k++) {
        read_end(proof, TACT_PROOF_PART_MOMENT_LEAST, 1 + k, &least[k]);
        read_end(proof, TACT_PROOF_PART_MOMENT_MOST, 1 + k, &most[k]);
        assert_true(least[k] == -0.5 && most[k] == 0.5);
    }
    tact_proof_destroy(proof);
}

static void an_ellipsoid_has_no_rational_proof_and_that_is_told(void **state)
{
    (void)state;
    PatchMade   made;
    PatchSolved solved;
    TactProof  *proof = NULL;
    pinch(&made, 16, 0);
    made.contacts[0].friction_law = TACT_FRICTION_LAW_ELLIPSOID;
    assert_true(patch_solve(&made.problem, TACT_CONE_CIRCLE, &solved));
    assert_int_equal(
        tact_prove_contact(&made.problem, TACT_CONE_PYRAMID, &solved.answer, NULL, &proof),
        TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "contact 0: the ellipsoid is round"));
    proof = prove(&made.problem, TACT_CONE_CIRCLE, &solved.answer);
    assert_true(tact_proof_view_report(proof)->proved);
    tact_proof_destroy(proof);
}

int main(int argc, char **argv)
{
    problem_count = argc > 1 ? atoi(argv[1]) : problem_count;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rational_proofs_obey_the_law_exactly),
        cmocka_unit_test(wrong_moments_are_not_proved),
        cmocka_unit_test(enclosures_of_bodies_hold_what_obeys_the_law),
        cmocka_unit_test(enclosures_hold_the_solution_in_400_bits),
        cmocka_unit_test(ranges_of_moments_are_exact),
        cmocka_unit_test(an_ellipsoid_has_no_rational_proof_and_that_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
