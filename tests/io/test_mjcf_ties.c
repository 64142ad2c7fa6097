// Connects and welds of MJCF: the point that MuJoCo holds is the one that tact holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tact/load.h>

static const char *const bodies =
    "<mujoco><compiler angle='radian'/><worldbody>"
    "<body name='a' pos='1 2 3' euler='.1 .2 .3'><joint type='free'/><geom size='.1'/>"
    "<site name='s' pos='.1 .2 .3' euler='.4 0 0'/></body>"
    "<body name='b' pos='-1 0 2' euler='.3 -.2 .1'><joint type='free'/><geom size='.1'/>"
    "<site name='t' pos='.5 .6 .7' euler='0 .4 0'/></body></worldbody><equality>";

static TactModel *load(const char *equality)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s</equality></mujoco>", bodies, equality);
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    if (tact_model_load_memory("tie.xml", text, strlen(text), &config, &model, NULL) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

static void assert_vec3(TactVec3 value, double x, double y, double z)
{
    TactVec3 off = tact_vec3_subtract(value, (TactVec3){x, y, z});
    if (!(tact_vec3_norm(off) < 1e-14)) {
        fail_msg("(%g %g %g) instead of (%g %g %g)", value.x, value.y, value.z, x, y, z);
    }
}

/// What the tie holds: anchor_a of a and anchor_b of b in the world at the reference.
static TactVec3 in_world(const TactModel *model, int body, TactVec3 point)
{
    return tact_transform_point(model->bodies[body].pose, point);
}

static void a_connect_of_bodies_holds_the_point_of_the_reference(void **state)
{
    (void)state;
    TactModel          *model = load("<connect body1='a' body2='b' anchor='.1 .2 .3'/>");
    const TactEquality *tie = &model->equalities[0];
    assert_vec3(tie->anchor_a, .1, .2, .3);
    TactVec3 a = in_world(model, 1, tie->anchor_a);
    assert_vec3(in_world(model, 2, tie->anchor_b), a.x, a.y, a.z);
    tact_model_destroy(model);
}

static void a_connect_of_sites_holds_the_sites(void **state)
{
    (void)state;
    TactModel          *model = load("<connect site1='s' site2='t'/>");
    const TactEquality *tie = &model->equalities[0];
    assert_vec3(tie->anchor_a, .1, .2, .3);
    assert_vec3(tie->anchor_b, .5, .6, .7);
    tact_model_destroy(model);
}

static void a_weld_with_relpose_holds_the_anchor_of_b_there_in_a(void **state)
{
    (void)state;
    // MuJoCo: point relpose of body1 on point anchor of body2, turned by the quaternion; here by a
    // quarter turn about z, so that b's origin lies at (1 2 3) - (-.2 .1 .3) in a.
    TactModel *model =
        load("<weld body1='a' body2='b' relpose='1 2 3 1 0 0 1' anchor='.1 .2 .3'/>");
    const TactEquality *tie = &model->equalities[0];
    assert_vec3(tie->anchor_a, 1, 2, 3);
    assert_vec3(tie->anchor_b, .1, .2, .3);
    assert_vec3(tie->relative.position, 1.2, 1.9, 2.7);
    tact_model_destroy(model);
}

static void a_weld_of_sites_makes_them_one(void **state)
{
    (void)state;
    TactModel          *model = load("<weld site1='s' site2='t'/>");
    const TactEquality *tie = &model->equalities[0];
    assert_vec3(tie->anchor_a, .1, .2, .3);
    assert_vec3(tie->anchor_b, .5, .6, .7);
    TactVec3 axis = {1, 0, 0};
    TactVec3 of_s = tact_quat_rotate(model->sites[0].pose.rotation, axis);
    TactVec3 of_t = tact_quat_rotate(tie->relative.rotation,
                                     tact_quat_rotate(model->sites[1].pose.rotation, axis));
    assert_vec3(of_t, of_s.x, of_s.y, of_s.z);
    tact_model_destroy(model);
}

static void a_weld_without_relpose_holds_the_reference(void **state)
{
    (void)state;
    TactModel          *model = load("<weld body1='a' body2='b' anchor='.1 .2 .3'/>");
    const TactEquality *tie = &model->equalities[0];
    assert_vec3(tie->anchor_b, .1, .2, .3);
    TactVec3 b = in_world(model, 2, tie->anchor_b);
    assert_vec3(in_world(model, 1, tie->anchor_a), b.x, b.y, b.z);
    tact_model_destroy(model);
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_connect_of_bodies_holds_the_point_of_the_reference),
        cmocka_unit_test(a_connect_of_sites_holds_the_sites),
        cmocka_unit_test(a_weld_with_relpose_holds_the_anchor_of_b_there_in_a),
        cmocka_unit_test(a_weld_of_sites_makes_them_one),
        cmocka_unit_test(a_weld_without_relpose_holds_the_reference),
    };
    return cmocka_run_group_tests_name("io/mjcf_ties", tests, NULL, NULL);
}
