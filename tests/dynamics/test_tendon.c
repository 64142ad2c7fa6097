// Springs of tendons, in closed form: no force at the lengths at which they rest.
#include <math.h>

#include "dynamics/links.h"
#include "model/made.h"

static const double STIFFNESS = 7, DAMPING = 0.5, LEAST = -0.2, MOST = 0.3;
static const double coefficients[2] = {2, -3};

/// Two slides and a tendon of length 2 q_0 - 3 q_1.
static TactModel *two_slides(void)
{
    TactModelBuilder *builder = made_builder();
    int               joints[2];
    for (int i = 0; i < 2; i++) {
        TactJoint joint = tact_joint_default(TACT_JOINT_SLIDE);
        joint.body = made_add_body(builder, "", 0);
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, &joints[i]),
                         TACT_OK);
    }
    TactTendon tendon = tact_tendon_default();
    tendon.count = 2;
    tendon.joints = joints;
    tendon.coefficients = coefficients;
    tendon.stiffness = STIFFNESS;
    tendon.damping = DAMPING;
    tendon.spring_range[0] = LEAST;
    tendon.spring_range[1] = MOST;
    assert_int_equal(tact_model_builder_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    return made_compile(builder);
}

static void a_tendon_pulls_beyond_its_range_pushes_below_it_and_rests_between(void **state)
{
    (void)state;
    TactModel    *model = two_slides();
    TactDynamics *dynamics = NULL;
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    int seen[3] = {0};
    for (int k = 0; k < 21 * 3; k++) {
        double length = -1 + 0.1 * (k % 21), speed = k / 21 - 1;
        double q[2] = {0.7, (1.4 - length) / 3}, v[2] = {speed, 0.25}, tau[2] = {0};
        double beyond = length > MOST ? length - MOST : length < LEAST ? length - LEAST : 0;
        double force = -STIFFNESS * beyond - DAMPING * (2 * v[0] - 3 * v[1]);
        assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(dynamics, v), TACT_OK);
        tact_dynamics_compute_passive(dynamics, tau);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(tau[i] - coefficients[i] * force) < 1e-13);
        }
        double energy = 0.5 * STIFFNESS * beyond * beyond;
        assert_true(fabs(tact_dynamics_tendon_energy(dynamics, 0) - energy) < 1e-13);
        seen[beyond > 0 ? 2 : beyond < 0 ? 0 : 1]++;
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tendon_pulls_beyond_its_range_pushes_below_it_and_rests_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
