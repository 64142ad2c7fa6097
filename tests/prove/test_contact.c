// Proofs of contact answers: pyramid in rationals, circle by intervals.
#include <tact/prove.h>

#include "contact/scenes.h"
#include "prove/exact_law.h"

typedef struct Answer {
    double            p[3 * SCENE_CONTACTS], rows[SCENE_ROWS], v[6 * SCENE_BODIES];
    TactContactAnswer answer;
} Answer;

static void solve(const TactContactProblem *problem, TactContactCone cone, Answer *answer)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.cone = cone;
    answer->answer = (TactContactAnswer){
        .impulse = answer->p, .row_impulse = answer->rows, .velocity = answer->v};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer->answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

static TactProof *prove(const TactContactProblem *problem, TactContactCone cone,
                        const Answer *answer)
{
    TactProof *proof = NULL;
    assert_int_equal(tact_prove_contact(problem, cone, &answer->answer, NULL, &proof), TACT_OK);
    return proof;
}

/// The exact solution of a proof, judged by the law as the tests know it.
static bool obeys(const TactContactProblem *problem, const TactProof *proof)
{
    LawAnswer *exact = test_malloc(sizeof *exact);
    char       text[40000];
    law_init(exact);
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        assert_true(tact_proof_get_exact(proof, TACT_PROOF_PART_IMPULSE, i, text, sizeof text) > 0);
        assert_int_equal(mpq_set_str(exact->p[i / 3][i % 3], text, 10), 0);
    }
    for (int i = 0; i < 6 * problem->body_count; i++) {
        assert_true(tact_proof_get_exact(proof, TACT_PROOF_PART_VELOCITY, i, text, sizeof text) >
                    0);
        assert_int_equal(mpq_set_str(exact->v[i], text, 10), 0);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        tact_contact_compute_frame(&problem->contacts[i], exact->frame[i]);
    }
    bool holds = law_holds(problem, exact);
    law_clear(exact);
    test_free(exact);
    return holds;
}

/// A block with corners that are no round numbers, pushed and turned a little; sliding or at rest.
static void tilted_block(Scene *scene, double push, double bias)
{
    scene_clear(scene);
    TactContactBody *body = scene_add_cube(scene, 1.7, 0.31, 0.1, -0.2, 0.31);
    body->velocity[0] = push;
    body->velocity[1] = 0.37 * push;
    for (int k = 0; k < 4; k++) {
        TactContact *contact = scene_add_contact(scene, -1, 0, 0.1 + (k % 2 ? 0.3 : -0.31),
                                                 -0.2 + (k / 2 ? 0.33 : -0.27), 0, 0.4);
        contact->normal[0] = sin(0.1);
        contact->normal[2] = cos(0.1);
        contact->bias = bias * k;
    }
}

static void redundant_contacts_at_rest_and_sliding_are_proved_with_the_pyramid(void **state)
{
    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        tilted_block(&scene, sliding ? 0.5 : 0, 0);
        solve(&scene.problem, TACT_CONE_PYRAMID, &answer);
        TactProof             *proof = prove(&scene.problem, TACT_CONE_PYRAMID, &answer);
        const TactProofReport *report = tact_proof_view_report(proof);
        assert_true(report->proved && report->kind == TACT_PROOF_KIND_RATIONAL);
        assert_true(report->radius < 1e-9);
        assert_true(obeys(&scene.problem, proof));
        tact_proof_destroy(proof);
    }
}

static void contacts_that_contradict_by_rounding_are_proved_with_others_loaded(void **state)
{
    (void)state;
    // Four points of a plane whose biases are no plane, by 1e-17: not all four can carry. Without
    // friction, and at rest with it.
    int changed = 0;
    for (int k = 0; k < 4; k++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        scene_block_on_plane(&scene);
        scene.contacts[3].bias = k % 2 ? 1e-17 : -1e-17;
        for (int i = 0; i < 4; i++) {
            scene.contacts[i].mu = k / 2 ? 0.4 : 0;
        }
        solve(&scene.problem, TACT_CONE_PYRAMID, &answer);
        // Loads that only four contacts can have.
        for (int i = 0; i < 4; i++) {
            answer.p[3 * i] = 2 * GRAVITY * 0.01 / 4;
            answer.p[3 * i + 1] = answer.p[3 * i + 2] = 0;
        }
        TactProof *proof = prove(&scene.problem, TACT_CONE_PYRAMID, &answer);
        assert_true(tact_proof_view_report(proof)->proved);
        assert_true(obeys(&scene.problem, proof));
        assert_true(tact_proof_view_report(proof)->redundant > 0);
        changed += tact_proof_view_report(proof)->changed;
        tact_proof_destroy(proof);
    }
    assert_true(changed >= 4);
}

static void random_problems_of_bodies_are_proved_with_the_pyramid(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    int        proved = 0;
    for (int trial = 0; trial < 40; trial++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        scene_clear(&scene);
        for (int k = 0; k < 3; k++) {
            TactContactBody *body =
                scene_add_cube(&scene, tact_random_uniform(&random, 0.5, 2), 0.5, 0, 0, 0.5 + k);
            for (int i = 0; i < 3; i++) {
                body->velocity[i] = 0.1 * tact_random_normal(&random);
            }
            for (int c = 0; c < 2; c++) {
                scene_add_contact(&scene, k - 1, k, tact_random_uniform(&random, -0.5, 0.5),
                                  tact_random_uniform(&random, -0.5, 0.5), k,
                                  tact_random_uniform(&random, 0, 1));
            }
        }
        solve(&scene.problem, TACT_CONE_PYRAMID, &answer);
        TactProof *proof = prove(&scene.problem, TACT_CONE_PYRAMID, &answer);
        proved += tact_proof_view_report(proof)->proved;
        assert_true(!tact_proof_view_report(proof)->proved || obeys(&scene.problem, proof));
        assert_true(tact_proof_view_report(proof)->proved ||
                    tact_proof_view_report(proof)->why[0] != '\0');
        tact_proof_destroy(proof);
    }
    print_message("%d of 40 proved\n", proved);
    assert_true(proved >= 38);
}

static void planted_wrong_answers_are_not_proved(void **state)
{
    (void)state;
    for (int cone = TACT_CONE_PYRAMID; cone <= TACT_CONE_CIRCLE; cone++) {
        for (int i = 0; i < 9; i++) {
            Scene  scene;
            Answer answer = {.p = {0}};
            tilted_block(&scene, 0.5, 0);
            solve(&scene.problem, (TactContactCone)cone, &answer);
            // An impulse or a velocity that is off by a thousandth.
            if (i < 3) {
                answer.p[i] += 1e-3;
            } else {
                answer.v[i - 3] += 1e-3;
            }
            TactProof *proof = prove(&scene.problem, (TactContactCone)cone, &answer);
            assert_false(tact_proof_view_report(proof)->proved);
            assert_non_null(strstr(tact_proof_view_report(proof)->why, "wrong"));
            tact_proof_destroy(proof);
        }
    }
}

static void a_sliding_mass_has_its_closed_form_within_the_box(void **state)
{
    (void)state;
    // v = (0.3, 0.4), mu = 0.5, h g = 0.25: friction 0.125 against a slip of 0.5, which leaves
    // 0.375.
    Scene  scene;
    Answer answer = {.p = {0}};
    scene_particle(&scene, 2, 0.5);
    scene.problem.step = 0.25;
    scene.bodies[0].force[2] = -2;
    scene.bodies[0].velocity[0] = 3;
    scene.bodies[0].velocity[1] = 4;
    solve(&scene.problem, TACT_CONE_CIRCLE, &answer);
    TactProof             *proof = prove(&scene.problem, TACT_CONE_CIRCLE, &answer);
    const TactProofReport *report = tact_proof_view_report(proof);
    assert_true(report->proved && report->unique && report->kind == TACT_PROOF_KIND_INTERVAL);
    assert_true(report->radius < 1e-13);
    // p_n = 0.5, |p_t| = 0.25 along (-0.6, -0.8); v+ = (3, 4) - (0.15, 0.2) / 2.
    const double p[3] = {0.5, -0.15, -0.2}, v[2] = {2.925, 3.9};
    double       lo, hi;
    for (int k = 0; k < 3; k++) {
        assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_IMPULSE, k, &lo, &hi));
        assert_true(lo <= p[k] + 1e-16 && p[k] - 1e-16 <= hi && hi - lo < 1e-13);
    }
    for (int k = 0; k < 2; k++) {
        assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_VELOCITY, k, &lo, &hi));
        assert_true(lo <= v[k] + 1e-15 && v[k] - 1e-15 <= hi && hi - lo < 1e-13);
    }
    tact_proof_destroy(proof);
}

static void a_contact_at_the_limit_of_its_friction_stands_in_the_way(void **state)
{
    (void)state;
    // Pushed with exactly mu m g: it neither slides nor has anything to spare. The second mass is
    // free.
    Scene  scene;
    Answer answer = {.p = {0}};
    scene_particle(&scene, 2, 0.5);
    scene_add_cube(&scene, 2, 1, 9, 0, 0);
    scene_add_contact(&scene, -1, 1, 9, 0, 0, 0.5);
    scene.problem.step = 0.25;
    for (int k = 0; k < 2; k++) {
        scene.bodies[k].force[2] = -2;
        scene.bodies[k].force[0] = k == 0 ? 0.25 : 1;
    }
    solve(&scene.problem, TACT_CONE_CIRCLE, &answer);
    TactProof             *proof = prove(&scene.problem, TACT_CONE_CIRCLE, &answer);
    const TactProofReport *report = tact_proof_view_report(proof);
    assert_false(report->proved);
    assert_int_equal(report->blocked_count, 1);
    assert_int_equal(tact_proof_view_blocking(proof)[0], 1);
    assert_non_null(strstr(report->why, "contact 1"));
    tact_proof_destroy(proof);
    // The pyramid, in rationals, knows that the border belongs to the cone: direction 0 lies along
    // x.
    solve(&scene.problem, TACT_CONE_PYRAMID, &answer);
    proof = prove(&scene.problem, TACT_CONE_PYRAMID, &answer);
    assert_true(tact_proof_view_report(proof)->proved && tact_proof_view_report(proof)->weak > 0);
    assert_true(obeys(&scene.problem, proof));
    tact_proof_destroy(proof);
}

static void redundant_contacts_are_proved_with_the_circle_on_a_basis(void **state)
{
    (void)state;
    Scene  scene;
    Answer answer = {.p = {0}};
    scene_block_on_plane(&scene);
    scene.bodies[0].force[0] = 3;
    solve(&scene.problem, TACT_CONE_CIRCLE, &answer);
    TactProof             *proof = prove(&scene.problem, TACT_CONE_CIRCLE, &answer);
    const TactProofReport *report = tact_proof_view_report(proof);
    assert_true(report->proved && !report->unique);
    assert_true(report->rank < report->equations);
    tact_proof_destroy(proof);
}

static void joint_rows_motors_and_limits_are_proved_with_both_cones(void **state)
{
    (void)state;
    for (int cone = TACT_CONE_PYRAMID; cone <= TACT_CONE_CIRCLE; cone++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        scene_arm(&scene);
        solve(&scene.problem, (TactContactCone)cone, &answer);
        TactProof *proof = prove(&scene.problem, (TactContactCone)cone, &answer);
        assert_true(tact_proof_view_report(proof)->proved);
        assert_int_equal(tact_proof_count(proof, TACT_PROOF_PART_ROW_IMPULSE),
                         scene.problem.row_count);
        tact_proof_destroy(proof);
    }
}

static void a_problem_in_which_nothing_happens_is_proved(void **state)
{
    (void)state;
    for (int cone = TACT_CONE_PYRAMID; cone <= TACT_CONE_CIRCLE; cone++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        scene_clear(&scene);
        scene_add_cube(&scene, 1, 1, 0, 0, 0)->force[2] = 0;
        solve(&scene.problem, (TactContactCone)cone, &answer);
        TactProof *proof = prove(&scene.problem, (TactContactCone)cone, &answer);
        assert_true(tact_proof_view_report(proof)->proved &&
                    tact_proof_view_report(proof)->radius < 1e-300);
        tact_proof_destroy(proof);
    }
}

/// Proved with both cones, and the velocity is this within the bounds of the proof and 1e-14.
static void assert_proved_at(const TactContactProblem *problem, int count, const double *v,
                             double impulse)
{
    for (int cone = TACT_CONE_PYRAMID; cone <= TACT_CONE_CIRCLE; cone++) {
        Answer answer = {.p = {0}};
        solve(problem, (TactContactCone)cone, &answer);
        TactProof *proof = prove(problem, (TactContactCone)cone, &answer);
        double     lo, hi;
        assert_true(tact_proof_view_report(proof)->proved);
        for (int k = 0; k < count; k++) {
            assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_VELOCITY, k, &lo, &hi));
            assert_true(lo <= v[k] + 1e-14 && v[k] - 1e-14 <= hi && hi - lo < 1e-13);
        }
        if (problem->contact_count > 0) {
            assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_IMPULSE, 0, &lo, &hi));
            assert_true(lo <= impulse + 1e-14 && impulse - 1e-14 <= hi && hi - lo < 1e-13);
        }
        tact_proof_destroy(proof);
    }
}

static void a_free_body_turns_by_its_gyroscopic_torque(void **state)
{
    (void)state;
    // I = (1, 2, 4), w = (1, 2, 4), h = 1/4: w x I w = (8 (4 - 2), 4 (1 - 4), 2 (2 - 1)).
    Scene scene;
    scene_clear(&scene);
    TactContactBody *body = scene_add_cube(&scene, 1, 1, 0, 0, 0);
    scene.problem.step = 0.25;
    memset(body->force, 0, sizeof body->force);
    memset(body->inertia, 0, sizeof body->inertia);
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = body->omega[k] = 1 << k;
    }
    assert_proved_at(&scene.problem, 6,
                     (double[]){0, 0, 0, 1 - 0.25 * 16, 2 + 0.25 * 12 / 2, 4 - 0.25 * 2 / 4}, 0);
}

static void soft_contacts_and_those_that_bounce_or_part_have_their_closed_form(void **state)
{
    (void)state;
    // Mass 2 with h f / m = -1. Soft: u + c p = 0, u = p / 2 - 1 with c = 1/4.
    Scene scene;
    scene_particle(&scene, 2, 0);
    scene.problem.step = 0.25;
    scene.bodies[0].force[2] = -8;
    scene.contacts[0].compliance = 0.25;
    assert_proved_at(&scene.problem, 3, (double[]){0, 0, -1.0 / 3}, 4.0 / 3);
    // It comes with 3 m/s and leaves with e 3 = 1.5.
    scene.contacts[0].compliance = 0;
    scene.contacts[0].restitution = 0.5;
    scene.bodies[0].velocity[2] = -3;
    assert_proved_at(&scene.problem, 3, (double[]){0, 0, 1.5}, 11);
    // It parts with 0.25 m/s, and the force brings it back: no bounce.
    scene.bodies[0].velocity[2] = 0.25;
    assert_proved_at(&scene.problem, 3, (double[]){0, 0, 0}, 1.5);
}

static void a_slip_between_two_corners_is_proved_on_the_edge_between_them(void **state)
{
    (void)state;
    // Eight corners: a slip at 22.5 degrees loses as much to the corner at 180 degrees as to that
    // at 225. Turned by 1e-12 it loses more to the second, but the answer, whose velocities are
    // turned the other way, has the first: exactly, friction has a small share of the second, such
    // that both lose the same.
    const double angle = acos(-1.0) / 8;
    for (int k = 0; k < 20; k++) {
        Scene  scene;
        Answer answer = {.p = {0}};
        double speed = 0.5 + 0.1 * k, tilt = angle + 1e-12, mu = 0.5;
        scene_particle(&scene, 1, mu);
        scene.problem.step = 0.25;
        scene.bodies[0].force[2] = -4; // h f = 1
        scene.contacts[0].tangent[0] = 1;
        scene.contacts[0].directions = 8;
        scene.bodies[0].velocity[0] = speed * cos(tilt) + mu;
        scene.bodies[0].velocity[1] = speed * sin(tilt);
        answer.answer = (TactContactAnswer){.impulse = answer.p, .velocity = answer.v};
        answer.p[0] = 1;
        answer.p[1] = -mu;
        answer.v[0] = speed * cos(angle - 1e-12);
        answer.v[1] = speed * sin(angle - 1e-12);
        TactProof             *proof = prove(&scene.problem, TACT_CONE_PYRAMID, &answer);
        const TactProofReport *report = tact_proof_view_report(proof);
        assert_true(report->proved && report->changed > 0);
        assert_true(obeys(&scene.problem, proof));
        tact_proof_destroy(proof);
    }
}

static void what_is_no_answer_is_refused(void **state)
{
    (void)state;
    Scene      scene;
    Answer     answer = {.p = {0}};
    TactProof *proof = NULL;
    scene_particle(&scene, 1, 0.5);
    answer.answer = (TactContactAnswer){.impulse = answer.p, .velocity = answer.v};
    answer.v[2] = NAN;
    assert_int_equal(
        tact_prove_contact(&scene.problem, TACT_CONE_CIRCLE, &answer.answer, NULL, &proof),
        TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "velocity[2]"));
    answer.answer.velocity = NULL;
    assert_int_equal(
        tact_prove_contact(&scene.problem, TACT_CONE_CIRCLE, &answer.answer, NULL, &proof),
        TACT_BAD_ARGUMENT);
    assert_null(proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_contacts_at_rest_and_sliding_are_proved_with_the_pyramid),
        cmocka_unit_test(contacts_that_contradict_by_rounding_are_proved_with_others_loaded),
        cmocka_unit_test(random_problems_of_bodies_are_proved_with_the_pyramid),
        cmocka_unit_test(planted_wrong_answers_are_not_proved),
        cmocka_unit_test(a_sliding_mass_has_its_closed_form_within_the_box),
        cmocka_unit_test(a_contact_at_the_limit_of_its_friction_stands_in_the_way),
        cmocka_unit_test(redundant_contacts_are_proved_with_the_circle_on_a_basis),
        cmocka_unit_test(joint_rows_motors_and_limits_are_proved_with_both_cones),
        cmocka_unit_test(a_problem_in_which_nothing_happens_is_proved),
        cmocka_unit_test(a_free_body_turns_by_its_gyroscopic_torque),
        cmocka_unit_test(soft_contacts_and_those_that_bounce_or_part_have_their_closed_form),
        cmocka_unit_test(a_slip_between_two_corners_is_proved_on_the_edge_between_them),
        cmocka_unit_test(what_is_no_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
