// Proofs island by island: blocks that do not touch each other, in one problem.
#include <stdio.h>
#include <string.h>
#include <tact/prove.h>

#include "prove/exact_law.h"

enum { BLOCKS = 3, CORNERS = 4, COUNT = BLOCKS * CORNERS, DOF = 6 * BLOCKS };

typedef struct Yard {
    TactContactProblem problem;
    TactContactBody    bodies[BLOCKS + 1];
    TactContact        contacts[COUNT];
    double             impulse[3 * COUNT], velocity[DOF + 6];
    double             M[DOF * DOF], v[DOF], tau[DOF], J[3 * COUNT * DOF];
    double             W[9 * COUNT * COUNT], u_free[3 * COUNT];
} Yard;

/// Contact i of block b stands at i BLOCKS + b: islands are not consecutive. Block 1
/// slides.
static void make_yard(Yard *yard)
{
    memset(yard, 0, sizeof *yard);
    for (int b = 0; b < BLOCKS; b++) {
        yard->bodies[b] = (TactContactBody){
            .mass = 1 + b,
            .inertia = {0.1, 0.125, 0.15},
            .position = {4.0 * b, 0, 0.5},
            .force = {b == 1 ? 9 : 1.5, 0.25 * b, -10 * (1 + b)},
        };
        for (int i = 0; i < CORNERS; i++) {
            yard->contacts[i * BLOCKS + b] = (TactContact){
                .a = -1,
                .b = b,
                .point = {4.0 * b + (i % 2 ? 0.5 : -0.5), i / 2 ? 0.5 : -0.5, 0},
                .normal = {0, 0, 1},
                .mu = 0.25 + 0.125 * b,
            };
        }
    }
    yard->problem = (TactContactProblem){.step = 0.0078125,
                                         .body_count = BLOCKS,
                                         .bodies = yard->bodies,
                                         .contacts = yard->contacts,
                                         .contact_count = COUNT};
}

static void solve_yard(Yard *yard, TactContactCone cone)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&yard->problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    TactContactAnswer   answer = {.impulse = yard->impulse, .velocity = yard->velocity};
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &yard->problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

static TactProof *prove_yard(Yard *yard, TactContactCone cone)
{
    TactContactAnswer answer = {.impulse = yard->impulse, .velocity = yard->velocity};
    TactProof        *proof = NULL;
    assert_int_equal(tact_prove_contact(&yard->problem, cone, &answer, NULL, &proof), TACT_OK);
    return proof;
}

static void read_exact(const TactProof *proof, TactProofPart part, int i, mpq_t x)
{
    static char text[1 << 16];
    assert_in_range(tact_proof_get_exact(proof, part, i, text, sizeof text), 1, sizeof text - 1);
    assert_int_equal(mpq_set_str(x, text, 10), 0);
}

static void assert_law(Yard *yard, const TactProof *proof)
{
    static LawAnswer exact;
    law_init(&exact);
    for (int k = 0; k < 3 * COUNT; k++) {
        read_exact(proof, TACT_PROOF_PART_IMPULSE, k, exact.p[k / 3][k % 3]);
        tact_contact_compute_frame(&yard->contacts[k / 3], exact.frame[k / 3]);
    }
    for (int d = 0; d < 6 * yard->problem.body_count; d++) {
        read_exact(proof, TACT_PROOF_PART_VELOCITY, d, exact.v[d]);
    }
    assert_true(law_holds(&yard->problem, &exact));
    law_clear(&exact);
}

static void solutions_of_islands_are_one_of_the_whole(void **state)
{
    (void)state;
    static Yard yard;
    make_yard(&yard);
    // A body that nothing touches is an island, too.
    yard.bodies[BLOCKS] = (TactContactBody){
        .mass = 2, .inertia = {1, 1, 1}, .position = {0, 0, 9}, .force = {0, 0, -20}};
    yard.problem.body_count = BLOCKS + 1;
    solve_yard(&yard, TACT_CONE_PYRAMID);
    TactProof *proof = prove_yard(&yard, TACT_CONE_PYRAMID);
    assert_true(tact_proof_view_report(proof)->proved);
    assert_law(&yard, proof);
    tact_proof_destroy(proof);
}

/// What is known of one form is known of all.
static void mechanisms_and_matrices_are_divided_as_well(void **state)
{
    (void)state;
    static Yard yard, other;
    make_yard(&yard);
    solve_yard(&yard, TACT_CONE_PYRAMID);
    TactProof *bodies = prove_yard(&yard, TACT_CONE_PYRAMID);
    int        equations = tact_proof_view_report(bodies)->equations;
    other = yard;
    other.problem.bodies = NULL;
    other.problem.body_count = 0;
    other.problem.contacts = other.contacts;
    for (int d = 0; d < DOF; d++) {
        const TactContactBody *body = &yard.bodies[d / 6];
        other.M[d * (DOF + 1)] = d % 6 < 3 ? body->mass : body->inertia[d % 6 - 3];
        other.tau[d] = d % 6 < 3 ? body->force[d % 6] : 0;
    }
    for (int i = 0; i < COUNT; i++) {
        int          b = yard.contacts[i].b;
        double       frame[3][3], *J = other.J + 3 * (size_t)i * DOF;
        const double arm[3] = {yard.contacts[i].point[0] - yard.bodies[b].position[0],
                               yard.contacts[i].point[1] - yard.bodies[b].position[1],
                               yard.contacts[i].point[2] - yard.bodies[b].position[2]};
        tact_contact_compute_frame(&yard.contacts[i], frame);
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                int x = (c + 1) % 3, y = (c + 2) % 3;
                J[k * DOF + 6 * b + c] = frame[k][c];
                J[k * DOF + 6 * b + 3 + c] = arm[x] * frame[k][y] - arm[y] * frame[k][x];
            }
        }
        other.contacts[i].J = J;
    }
    other.problem.nv = DOF;
    other.problem.M = other.M;
    other.problem.v = other.v;
    other.problem.tau = other.tau;
    TactProof *mechanism = prove_yard(&other, TACT_CONE_PYRAMID);
    assert_true(tact_proof_view_report(mechanism)->proved);
    assert_int_equal(tact_proof_view_report(mechanism)->equations, equations);
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    for (int d = 0; d < DOF; d++) { // numbers of the grid: the same problem to the bit
        read_exact(bodies, TACT_PROOF_PART_VELOCITY, d, x);
        read_exact(mechanism, TACT_PROOF_PART_VELOCITY, d, y);
        assert_true(mpq_equal(x, y));
    }
    mpq_clears(x, y, NULL);
    tact_proof_destroy(mechanism);

    // W = J M^-1 J', u_free = J M^-1 h f.
    for (int r = 0; r < 3 * COUNT; r++) {
        other.contacts[r / 3].J = NULL;
        for (int d = 0; d < DOF; d++) {
            double Y = other.J[r * DOF + d] / other.M[d * (DOF + 1)];
            other.u_free[r] += Y * yard.problem.step * other.tau[d];
            for (int s = 0; s < 3 * COUNT; s++) {
                other.W[s * 3 * COUNT + r] += Y * other.J[s * DOF + d];
            }
        }
    }
    other.problem.M = other.problem.v = other.problem.tau = NULL;
    other.problem.nv = 0;
    other.problem.W = other.W;
    other.problem.u_free = other.u_free;
    solve_yard(&other, TACT_CONE_PYRAMID);
    TactProof *matrix = prove_yard(&other, TACT_CONE_PYRAMID);
    assert_true(tact_proof_view_report(matrix)->proved);
    tact_proof_destroy(matrix);
    tact_proof_destroy(bodies);
}

/// Contacts are numbered as in the whole problem: those of the last block are 2, 5, 8, 11.
static void what_stands_in_the_way_is_named_as_in_the_whole(void **state)
{
    (void)state;
    static Yard yard;
    make_yard(&yard);
    yard.bodies[2].force[0] = 15; // the limit of its friction: it sticks, and might slide
    yard.bodies[2].force[1] = 0;
    solve_yard(&yard, TACT_CONE_CIRCLE);
    TactProof             *proof = prove_yard(&yard, TACT_CONE_CIRCLE);
    const TactProofReport *report = tact_proof_view_report(proof);
    assert_false(report->proved);
    assert_true(report->blocked_count > 0);
    for (int k = 0; k < report->blocked_count; k++) {
        assert_int_equal(tact_proof_view_blocking(proof)[k] % BLOCKS, BLOCKS - 1);
    }
    int named = -1;
    assert_int_equal(sscanf(report->why, "contact %d", &named), 1);
    assert_int_equal(named % BLOCKS, BLOCKS - 1);
    tact_proof_destroy(proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_of_islands_are_one_of_the_whole),
        cmocka_unit_test(mechanisms_and_matrices_are_divided_as_well),
        cmocka_unit_test(what_stands_in_the_way_is_named_as_in_the_whole),
    };
    return cmocka_run_group_tests_name("prove/islands", tests, NULL, NULL);
}
