// tact convert: what is written is the same model, with what was not understood in comments.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/dynamics.h>
#include <tact/load.h>

#include "cli/program.h"
#include "io/scratch.h"

static TactModel *load(const char *path)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus          status = tact_model_load(path, &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

static void near(double a, double b, double size)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + size))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

/// M and the bias at a state at random, and every geom where it was: an oracle for all that moves.
static void expect_same(const TactModel *a, const TactModel *b)
{
    enum { MOST = 200 };
    TactDynamics    *dynamics[2];
    const TactModel *models[2] = {a, b};
    static double    q[2][MOST], v[MOST], bias[2][MOST], zero[MOST], shift[MOST];
    TactRandom       random = tact_random_seed(3);
    assert_int_equal(a->nq, b->nq);
    assert_int_equal(a->nv, b->nv);
    assert_int_equal(a->geom_count, b->geom_count);
    assert_int_equal(a->actuator_count, b->actuator_count);
    assert_int_equal(a->exclude_count, b->exclude_count);
    assert_true(a->nq <= MOST);
    for (int i = 0; i < a->nv; i++) {
        shift[i] = tact_random_uniform(&random, -0.3, 0.3);
        v[i] = tact_random_uniform(&random, -1, 1);
    }
    for (int k = 0; k < 2; k++) {
        tact_dynamics_integrate(models[k], models[k]->q_reference, shift, 1, q[k]);
        assert_int_equal(tact_dynamics_create(models[k], &dynamics[k]), TACT_OK);
        assert_int_equal(tact_dynamics_set_position(dynamics[k], q[k]), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(dynamics[k], v), TACT_OK);
        tact_dynamics_compute_mass(dynamics[k], NULL);
        tact_dynamics_compute_inverse(dynamics[k], zero, NULL, bias[k]);
    }
    for (int i = 0; i < a->nv; i++) {
        TactMassRow one = tact_dynamics_view_mass_row(dynamics[0], i);
        TactMassRow two = tact_dynamics_view_mass_row(dynamics[1], i);
        assert_int_equal(one.count, two.count);
        for (int p = 0; p < one.count; p++) {
            near(one.M[p], two.M[p], fabs(one.M[one.count - 1]));
        }
        near(bias[0][i], bias[1][i], fabs(bias[0][i]));
        assert_true(a->dofs[i].damping == b->dofs[i].damping);
        assert_true(a->dofs[i].friction == b->dofs[i].friction);
    }
    for (int g = 0; g < a->geom_count; g++) {
        const TactGeom *one = &a->geoms[g], *two = &b->geoms[g];
        assert_int_equal(one->type, two->type);
        assert_int_equal(one->contact_type, two->contact_type);
        assert_true(one->mu == two->mu);
        near(one->pose.position.x, two->pose.position.x, 0);
        near(one->pose.rotation.w, two->pose.rotation.w, 0);
        assert_true(one->type == TACT_GEOM_PLANE || one->size[2] == two->size[2]);
    }
    for (int j = 0; j < a->joint_count; j++) {
        assert_string_equal(a->joints[j].name[0] ? a->joints[j].name : b->joints[j].name,
                            b->joints[j].name);
        assert_int_equal(a->joints[j].limited, b->joints[j].limited);
        assert_true(a->joints[j].range[1] == b->joints[j].range[1]);
    }
    tact_dynamics_destroy(dynamics[0]);
    tact_dynamics_destroy(dynamics[1]);
}

static void convert(const char *file)
{
    char words[1000];
    snprintf(words, sizeof words, "convert '%s' out.xml", file);
    tact_program_expect(0, words);
    TactModel *one = load(file), *two = load(tact_scratch_path("out.xml"));
    expect_same(one, two);
    tact_model_destroy(one);
    tact_model_destroy(two);
}

static void what_is_written_is_the_same_model(void **state)
{
    (void)state;
    static const char *const files[] = {
        "tests/models/arm.urdf",    "tests/models/urdf/everything.urdf",
        "scenes/hand.xml",          "scenes/hoist.xml",
        "scenes/stack.xml",         "tests/models/mjcf/replicate.xml",
        "tests/models/mjcf/fit.xml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[600];
        snprintf(path, sizeof path, TACT_SOURCE_DIR "/%s", files[i]);
        convert(path);
    }
}

static const char two_links[] =
    "<robot name='r &lt; &quot;s'><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
    "iyy='1' "
    "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere "
    "radius='1'/></geometry>"
    "</collision></link><link name='m'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
    "ixy='0' ixz='0' iyz='0'/></inertial></link><link name='b'><inertial><mass value='1'/><inertia "
    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere "
    "radius='1'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='m'/><limit lower='.5' "
    "upper='.5' "
    "effort='1' velocity='2'/></joint>"
    "<joint name='k' type='continuous'><parent link='m'/><child link='b'/></joint></robot>";

/// A range of one value is an equality, notes are comments, links that an SRDF names do not touch.
static void what_mjcf_says_in_other_words(void **state)
{
    (void)state;
    tact_scratch_write("two.urdf", two_links);
    tact_scratch_write("two.srdf",
                       "<robot name='r'><group name='g'/>"
                       "<disable_collisions link1='a' link2='b' reason='Never'/></robot>");
    tact_program_expect(0, "convert two.urdf two.xml --srdf two.srdf --free");
    TactModel *model = load(tact_scratch_path("two.xml"));
    assert_string_equal(model->name, "r < \"s");
    assert_int_equal(model->joints[0].type, TACT_JOINT_FREE);
    assert_int_equal(model->exclude_count, 1);
    assert_int_equal(model->equality_count, 1);
    assert_true(model->equalities[0].polynomial[0] == 0.5);
    tact_model_destroy(model);
    char *text = tact_scratch_read(tact_scratch_path("two.xml"));
    tact_program_words(text,
                       "two.urdf:1: limit.velocity: ignored: no force enforces a speed limit");
    free(text);
    tact_program_expect(0, "run two.urdf --time 0.01 --srdf two.srdf");
    tact_program_words(tact_program_out, "contacts      0.0 on average");
    tact_program_expect(0, "run two.urdf --time 0.01");
    assert_null(strstr(tact_program_out, "contacts      0.0 on average"));
}

/// MuJoCo refuses fullinertia="0 0 0 0 0 0", as of a base that only has a mass.
static void moments_of_zero_are_diagonal(void **state)
{
    (void)state;
    tact_scratch_write("heavy.urdf", "<robot name='r'><link name='a'><inertial><mass value='3'/>"
                                     "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/>"
                                     "</inertial></link></robot>");
    tact_program_expect(0, "convert heavy.urdf heavy.xml");
    char *text = tact_scratch_read(tact_scratch_path("heavy.xml"));
    tact_program_words(text, "mass=\"3\" diaginertia=\"0 0 0\"");
    free(text);
    TactModel *model = load(tact_scratch_path("heavy.xml"));
    assert_true(model->bodies[1].inertia.mass == 3);
    assert_true(model->bodies[1].inertia.rotary.m[2][2] == 0);
    tact_model_destroy(model);
}

/// How many pairs an SRDF file of these elements excludes in a robot of four links.
static int count_excludes(const char *elements)
{
    char text[800];
    snprintf(text, sizeof text, "<robot name='r'>\n%s</robot>", elements);
    tact_scratch_write("four.srdf", text);
    tact_program_expect(0, "convert four.urdf four.xml --srdf four.srdf");
    TactModel *model = load(tact_scratch_path("four.xml"));
    int        count = model->exclude_count;
    tact_model_destroy(model);
    return count;
}

static void an_srdf_disables_pairs_and_all_pairs_of_a_link(void **state)
{
    (void)state;
    tact_scratch_write("four.urdf",
                       "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
                       "<link name='d'/></robot>");
    assert_int_equal(count_excludes("<disable_collisions link1='a' link2='b'/>"
                                    "<disable_collisions link1='b' link2='a'/>"
                                    "<disable_collisions link1='c' link2='c'/>"),
                     1);
    assert_int_equal(count_excludes("<disable_default_collisions link='a'/>"), 3);
    assert_int_equal(count_excludes("<disable_default_collisions link='a'/>"
                                    "<enable_collisions link1='c' link2='a'/>"),
                     2);
    assert_int_equal(count_excludes("<enable_collisions link1='c' link2='a'/>"
                                    "<disable_collisions link1='a' link2='c'/>"),
                     1);
    // Links that the robot does not have are noted: the file may be of a larger robot.
    assert_int_equal(count_excludes("<disable_collisions link1='a' link2='tool'/>"
                                    "<disable_collisions link1='a' link2='d'/>"),
                     1);
    char *text = tact_scratch_read(tact_scratch_path("four.xml"));
    tact_program_words(text, "four.srdf:2: disable_collisions.link2: ignored: "
                             "the robot has no such link");
    free(text);
    tact_program_expect(2, "convert four.urdf four.xml --srdf four.xml");
    tact_program_words(tact_program_err, "the root of an SRDF file is <robot>");
}

static void wrong_lines_are_refused(void **state)
{
    (void)state;
    static const TactProgramRefusal cases[] = {
        {"convert", "needs a model file and the name"},
        {"convert a.xml", "needs a model file and the name"},
        {"convert no.urdf out2.xml", "no.urdf: cannot be opened"},
        {"convert two.urdf /nowhere/out.xml", "/nowhere/out.xml: cannot be written"},
    };
    tact_scratch_write("two.urdf", two_links);
    tact_program_refuses(sizeof cases / sizeof *cases, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_the_same_model),
        cmocka_unit_test(what_mjcf_says_in_other_words),
        cmocka_unit_test(moments_of_zero_are_diagonal),
        cmocka_unit_test(an_srdf_disables_pairs_and_all_pairs_of_a_link),
        cmocka_unit_test(wrong_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
