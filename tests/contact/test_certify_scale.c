// The two promises of the certificate's error, on random problems made from their answers:
//
//   an exact answer, rounded to double, has an error of at most 1e-12;
//   an answer whose impulse is wrong by 1e-6 at one loaded contact has one of more than 1e-8,
//   however light its bodies are beside others, and however fast all of them move.
#include "made.h"

static TactContactCertificate certify(const Made *made, TactContactCone cone, const double *p,
                                      const double *v)
{
    TactContactCertificate c;
    assert_int_equal(tact_contact_certify(&made->scene.problem, cone, p, NULL, v, &c), TACT_OK);
    return c;
}

// ---------------------------------------------------------------------------------------------
// Promises

static const MadeKind kinds[] = {
    {TACT_CONE_CIRCLE, 1, 0},      {TACT_CONE_PYRAMID, 1, 0},   {TACT_CONE_BOX, 1, 0},
    {TACT_CONE_CIRCLE, 1e6, 0},    {TACT_CONE_PYRAMID, 1e6, 0}, {TACT_CONE_BOX, 1e6, 0},
    {TACT_CONE_CIRCLE, 1e6, 1},    {TACT_CONE_PYRAMID, 1e6, 1}, {TACT_CONE_CIRCLE, 1e-6, 10},
    {TACT_CONE_PYRAMID, 1e-6, 10},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SEEDS = 200 };

static void an_exact_answer_rounded_to_double_has_an_error_of_at_most_1e_12(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            made_create(&random, &kinds[k], &made);
            TactContactCertificate c = certify(&made, kinds[k].cone, made.p, made.v);
            worst = fmax(worst, c.error);
            if (!(c.error <= 1e-12)) {
                print_error("kind %d seed %d: error %g at %d\n", k, (int)seed, c.error, c.worst);
                fail();
            }
        }
    }
    print_message("largest error of an exact answer: %.1e\n", worst);
}

/// Errors of the answers with contact i wrong: v+ as it was, and v+ moved with it.
static void certify_wrong(const Made *made, TactContactCone cone, int i, const double change[3],
                          double error[2])
{
    double p[3 * SCENE_CONTACTS], only[3 * SCENE_CONTACTS] = {0}, v[6 * SCENE_BODIES];
    memcpy(p, made->p, sizeof p);
    memcpy(v, made->v, sizeof v);
    for (int k = 0; k < 3; k++) {
        p[3 * i + k] += change[k];
        only[3 * i + k] = change[k];
    }
    error[0] = certify(made, cone, p, v).error;
    for (int body = 0; body < made->scene.problem.body_count; body++) {
        double impulse[6] = {0};
        made_add_impulse(made, body, only, impulse);
        made_add_velocity(&made->scene.bodies[body], impulse, v + 6 * body);
    }
    error[1] = certify(made, cone, p, v).error;
}

static void a_millionth_wrong_at_one_loaded_contact_is_an_error_above_1e_8(void **state)
{
    (void)state;
    double least[2] = {INFINITY, INFINITY};
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            TactRandom random = tact_random_seed(1000 * (uint64_t)k + seed);
            Made       made;
            made_create(&random, &kinds[k], &made);
            for (int i = 0; i < made.scene.problem.contact_count; i++) {
                const double *p = made.p + 3 * i;
                double        size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                // Longer, shorter, and in a random direction.
                double change[3][3], error[2], length = 0;
                for (int j = 0; j < 3; j++) {
                    change[0][j] = 1e-6 * p[j];
                    change[1][j] = -1e-6 * p[j];
                    change[2][j] = tact_random_normal(&random);
                    length += change[2][j] * change[2][j];
                }
                for (int j = 0; j < 3; j++) {
                    change[2][j] *= 1e-6 * size / sqrt(length);
                }
                for (int j = 0; j < 3 && size > 0; j++) {
                    certify_wrong(&made, kinds[k].cone, i, change[j], error);
                    least[0] = fmin(least[0], error[0]);
                    least[1] = fmin(least[1], error[1]);
                    if (!(error[0] > 1e-8 && error[1] > 1e-8)) {
                        print_error("kind %d seed %d contact %d change %d: errors %g, %g\n", k,
                                    (int)seed, i, j, error[0], error[1]);
                        fail();
                    }
                }
            }
        }
    }
    print_message("least error of a wrong one: %.1e, with v+ moved %.1e\n", least[0], least[1]);
}

static void a_body_squeezed_hard_is_judged_by_the_squeeze(void **state)
{
    (void)state;
    // 1 kg between a wall and a press of 1e4 kg that comes at 1 m/s, off its centre: v+ computed
    // from impulses of 1e4 N s that cancel is rounded by some 1e-16 of what each would do alone,
    // and no better answer can be written down. That is up to 1e9 m/s, as it is easily turned, of
    // which 100 times the motion of 1 m/s are the scale (12).
    TactRandom random = tact_random_seed(5);
    for (int round = 0; round < 200; round++) {
        Made made = {0};
        scene_clear(&made.scene);
        scene_add_cube(&made.scene, 1, 1, 0, 0, 0);
        made_random_inertia(&random, 1e-3, made.scene.bodies[0].inertia); // easily turned
        double y = tact_random_uniform(&random, -1, 1), z = tact_random_uniform(&random, -1, 1);
        TactContactBody *press = scene_add_cube(&made.scene, 1e4, 1, 2, y, z);
        press->velocity[0] = -1;
        press->force[2] = 0;
        for (int i = 0; i < 2; i++) {
            TactContact *contact =
                scene_add_contact(&made.scene, i ? 1 : -1, 0, i ? 1 : -1, y, z, 1);
            double normal[3] = {i ? -1 : 1, 0, 0};
            memcpy(contact->normal, normal, sizeof normal);
        }
        // One that touches without load sees the rounding too.
        scene_add_contact(&made.scene, -1, 0, y, z, tact_random_uniform(&random, -1, 1), 1);
        double           p[9] = {1e4, 0, 0, 1e4, 0, 0};
        TactContactBody *body = &made.scene.bodies[0];
        double           impulse[6] = {0};
        made_add_impulse(&made, 0, p, impulse);
        for (int i = 0; i < 3; i++) { // what the impulses leave is applied
            body->force[i] = -impulse[i] / made.scene.problem.step;
            body->torque[i] = -impulse[3 + i] / made.scene.problem.step;
        }
        double noise[6];
        for (int i = 0; i < 6; i++) {
            noise[i] = 1e4 * 1.1e-16 * tact_random_uniform(&random, -1, 1);
        }
        made_add_velocity(body, noise, made.v);
        TactContactCertificate c = certify(&made, TACT_CONE_CIRCLE, p, made.v);
        assert_true(c.error <= 1e-16 * 1e9 / 1e2);
    }
}

static void a_squeeze_that_nothing_asks_for_excuses_nothing(void **state)
{
    (void)state;
    // Two walls that shall both separate from a body by 1 m/s: no impulse will do, and huge ones
    // that cancel make the miss small beside what each of them would do alone.
    for (double size = 1; size < 1e25; size *= 10) {
        Made made = {0};
        scene_clear(&made.scene);
        scene_add_cube(&made.scene, 1, 1, 0, 0, 0)->force[2] = 0;
        for (int i = 0; i < 2; i++) {
            TactContact *contact = scene_add_contact(&made.scene, -1, 0, i ? 1 : -1, 0, 0, 1);
            double       normal[3] = {i ? -1 : 1, 0, 0};
            memcpy(contact->normal, normal, sizeof normal);
            contact->bias = -1;
        }
        double                 p[6] = {size, 0, 0, size, 0, 0};
        TactContactCertificate c = certify(&made, TACT_CONE_CIRCLE, p, made.v);
        assert_true(c.error > 1e-5);
        assert_true(c.approach == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_answer_rounded_to_double_has_an_error_of_at_most_1e_12),
        cmocka_unit_test(a_millionth_wrong_at_one_loaded_contact_is_an_error_above_1e_8),
        cmocka_unit_test(a_body_squeezed_hard_is_judged_by_the_squeeze),
        cmocka_unit_test(a_squeeze_that_nothing_asks_for_excuses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
