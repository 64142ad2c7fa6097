// URDF as the world writes it: what other engines read is read, and told.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/urdf_text.h"

#define TWO(type, rest) \
    URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_JOINT("j", type, "a", "b", rest))

static int forget(void **state)
{
    (void)state;
    tact_urdf_text_forget();
    return 0;
}

static void declarations_of_no_version_are_passed_over(void **state)
{
    (void)state;
    assert_int_equal(
        tact_urdf_text_load("<?xml version=\"0.0\" ?>\n" URDF_ROBOT(URDF_LINK("a")))->body_count,
        2);
    assert_int_equal(
        tact_urdf_text_load("\n  \n<?xml version='1.0'?>\n" URDF_ROBOT(URDF_LINK("a")))->body_count,
        2);
    // Lines are counted as they stand in the file.
    tact_urdf_text_refused("\n\n<?xml version='0.0'?>\n<robot name='r'>\n<link/>\n</robot>",
                           TACT_BAD_INPUT, "r.urdf:5: link: needs");
    tact_urdf_text_refused("<?xml version='0.0'?>", TACT_BAD_INPUT, "r.urdf:1");
    assert_int_equal(
        tact_urdf_text_load("<!-- made by -->\n <!-- a program -->\n<?xml version='1.0'?>\n" //
                            URDF_ROBOT(URDF_LINK("a")))
            ->body_count,
        2);
    tact_urdf_text_refused("<!-- no end ->\n<?xml version='1.0'?>", TACT_BAD_INPUT, "r.urdf:");
    tact_urdf_text_refused("<?xml", TACT_BAD_INPUT, "r.urdf:1");
}

static void friction_may_be_an_attribute(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        "<link name='a'>" URDF_MASS "<collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link>\n<gazebo reference='a'><mu1 value='0.25'/><mu2 value='0.25'/>"
        "</gazebo>"));
    assert_true(model->geoms[0].mu == 0.25);
    tact_urdf_text_noted("mu1", "value", TACT_VERDICT_HONOURED);
}

/// A picture never refuses a robot.
static void pictures_that_cannot_be_drawn_are_left_out(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        "<link name='a'>" URDF_MASS "<visual><geometry><box size='0 0 0'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='nowhere.stl'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='package://none/x.stl'/></geometry></visual>\n"
        "<visual><geometry><cone/></geometry></visual>\n"
        "<visual><geometry><sphere radius='1'/></geometry></visual>\n"
        "<collision><geometry><sphere radius='1'/></geometry></collision></link>"));
    assert_int_equal(model->geom_count, 2);
    const TactModelNotes *notes = tact_urdf_text_notes();
    int                   lost = 0;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        if (strstr(note->text, "nothing is drawn: ")) {
            assert_int_equal(note->verdict, TACT_VERDICT_IGNORED);
            assert_false(note->physics);
            assert_int_equal(note->line, 2 + lost++);
        }
    }
    assert_int_equal(lost, 4);
}

static void a_range_from_above_to_below_is_none(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(TWO("revolute", "<limit lower='0' upper='-1'/>"));
    assert_false(model->joints[0].limited);
    tact_urdf_text_noted("limit", "lower", TACT_VERDICT_APPROXIMATED);
    tact_urdf_text_noted("limit", "upper", TACT_VERDICT_APPROXIMATED);
}

/// What says nothing of its ends has none; 0 to 0 is a range, and so is one that ends on one side.
static void ranges_that_are_not_said_are_none(void **state)
{
    (void)state;
    static const char *const none[] = {"", "<limit effort='3' velocity='1'/>",
                                       "<limit lower='-inf' upper='+INF' effort='Infinity'/>"};
    static const char *const some[] = {"<limit lower='0' upper='0'/>", "<limit upper='1'/>",
                                       "<limit lower='-1' upper='inf'/>"};
    static const double      ends[] = {0, 1, 1e10};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, TWO("revolute", "%s"), none[i]);
        const TactModel *model = tact_urdf_text_load(text);
        assert_false(model->joints[0].limited);
        assert_true(model->joints[0].force_limited == (i == 1));
        tact_urdf_text_noted(i == 0 ? "joint" : "limit", i == 2 ? "lower" : "",
                             i == 2 ? TACT_VERDICT_HONOURED : TACT_VERDICT_APPROXIMATED);
        snprintf(text, sizeof text, TWO("revolute", "%s"), some[i]);
        model = tact_urdf_text_load(text);
        assert_true(model->joints[0].limited && model->joints[0].range[1] == ends[i]);
    }
}

static void a_range_of_one_value_is_held_with_a_note(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    const char         *text = TWO("revolute", "<limit lower='0.5' upper='0.5'/>");
    config.strict = true; // it is what the file says
    assert_int_equal(tact_model_load_memory("r.urdf", text, strlen(text), &config, &model, &notes),
                     TACT_OK);
    assert_true(model->joints[0].limited);
    assert_true(model->joints[0].range[0] == 0.5 && model->joints[0].range[1] == 0.5);
    int said = 0;
    for (int i = 0; i < notes->count; i++) {
        said += strstr(notes->items[i].text, "in MuJoCo it has no limits") != NULL;
    }
    assert_int_equal(said, 1);
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
}

static void the_world_need_not_be_declared(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(URDF_LINK("a") URDF_JOINT(
        "j", "continuous", "world", "a", "<origin xyz='1 2 3'/><axis xyz='0 0 1'/>")));
    assert_int_equal(model->body_count, 2);
    assert_int_equal(model->bodies[1].parent, 0);
    assert_true(model->bodies[1].pose.position.z == 3);
    assert_int_equal(model->nv, 1);
    tact_urdf_text_noted("parent", "link", TACT_VERDICT_APPROXIMATED);
    tact_urdf_text_refused(URDF_ROBOT(URDF_LINK("a") URDF_JOINT("j", "continuous", "b", "a", "")),
                           TACT_BAD_INPUT, "there is no link 'b'");
}

/// As MuJoCo's balanceinertia: the mean of the moments; told, and an error with strict.
static void moments_that_no_body_has_are_balanced(void **state)
{
    (void)state;
    const char *text =
        URDF_ROBOT("<link name='a'>" URDF_MASS "</link>\n"
                   "<link name='b'><inertial><mass value='1'/>"
                   "<inertia ixx='1' iyy='2' izz='9'/></inertial></link>\n" URDF_JOINT(
                       "j", "continuous", "a", "b", ""));
    const TactModel *model = tact_urdf_text_load(text);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(model->bodies[2].inertia.rotary.m[k][k] - 4) < 1e-12);
    }
    tact_urdf_text_noted("inertia", "", TACT_VERDICT_APPROXIMATED);
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *refused = NULL;
    config.strict = true;
    assert_int_equal(tact_model_load_memory("r.urdf", text, strlen(text), &config, &refused, NULL),
                     TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "break the triangle inequality"));
}

static void words_of_bullet_and_gazebo_are_known(void **state)
{
    (void)state;
    tact_urdf_text_load(URDF_ROBOT(
        "<link name='a'>" URDF_MASS
        "<contact><lateral_friction value='1'/><restitution value='.5'/>"
        "<rolling_friction value='.1'/><spinning_friction value='.1'/><inertia_scaling value='3'/>"
        "</contact></link>\n<gazebo reference='a'><torsional_friction/><fdir1>1 0 0</fdir1>"
        "<restitution_coefficient>1</restitution_coefficient></gazebo>"));
    tact_urdf_text_noted("restitution", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("torsional_friction", "", TACT_VERDICT_IGNORED);
    const TactModelNotes *notes = tact_urdf_text_notes();
    for (int i = 0; i < notes->count; i++) {
        assert_string_not_equal(notes->items[i].text, "not known");
    }
}

static int count_ignored_physics(const char *element)
{
    const TactModelNotes *notes = tact_urdf_text_notes();
    int                   count = 0;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        count += note->verdict == TACT_VERDICT_IGNORED && note->physics &&
                 strcmp(note->element, element) == 0;
    }
    return count;
}

/// A direction of friction matters where the two coefficients differ, an unknown damping where it
/// is not zero.
static void words_that_say_nothing_change_nothing(void **state)
{
    (void)state;
    static const char robot[] =
        "<robot name='r'><link name='a'>" URDF_MASS "</link><link name='b'>" URDF_MASS
        "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
        "<axis xyz='0 1 0' rpy='0 0 %s'/><joint_properties damping='%s' friction='0.0'/></joint>"
        "<gazebo reference='b'><mu1 value='1'/><mu2 value='%s'/><fdir1 value='1 0 0'/></gazebo>"
        "</robot>";
    static const char *const values[2][3] = {{"0", "0.0", "1"}, {"1", "0.1", "0.5"}};
    for (int k = 0; k < 2; k++) {
        char text[1500];
        snprintf(text, sizeof text, robot, values[k][0], values[k][1], values[k][2]);
        tact_urdf_text_load(text);
        assert_int_equal(count_ignored_physics("axis"), k);
        assert_int_equal(count_ignored_physics("joint_properties"), k);
        assert_int_equal(count_ignored_physics("fdir1"), k);
    }
}

/// Lengths as Bullet has them; 3 pi / 16 a mu of Gazebo's patch. What is not given is 0, and not
/// the default of MJCF: only links that say so resist.
static void links_resist_spinning_and_rolling_as_bullet_and_gazebo_say(void **state)
{
    (void)state;
#define TIP(name, more)                                                                        \
    "<link name='" name "'>" URDF_MASS "<collision><geometry><sphere radius='.1'/></geometry>" \
    "</collision>" more "</link>\n"
#define TORSION(link, inside)                                                       \
    "<gazebo reference='" link "'><collision><surface><friction><torsional>" inside \
    "</torsional></friction></surface></collision></gazebo>"
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        TIP("roller", "<contact><lateral_friction value='.7'/><rolling_friction value='.01'/>"
                      "<spinning_friction value='.02'/></contact>") TIP("tip", "") TIP("plain", "")
            URDF_JOINT("j", "continuous", "roller", "tip", "") URDF_JOINT("k", "continuous",
                                                                          "roller", "plain", "")
                TORSION("tip", "<coefficient>2</coefficient><patch_radius>.005</patch_radius>")));
    assert_int_equal(model->geom_count, 3);
    const TactGeom *roller = &model->geoms[0], *tip = NULL, *plain = NULL;
    for (int i = 1; i < 3; i++) {
        bool is_tip = strcmp(model->bodies[model->geoms[i].body].name, "tip") == 0;
        tip = is_tip ? &model->geoms[i] : tip;
        plain = is_tip ? plain : &model->geoms[i];
    }
    assert_true(roller->mu == .7 && roller->rolling == .01 && roller->torsional == .02);
    assert_int_equal(roller->condim, 6);
    assert_true(tip && fabs(tip->torsional - 3 * acos(-1) / 16 * .005 * 2) < 1e-15);
    assert_true(tip->condim == 4 && tip->rolling == 0);
    assert_true(plain && plain->condim == 3 && plain->torsional == 0 && plain->rolling == 0);
    tact_urdf_text_noted("rolling_friction", "value", TACT_VERDICT_HONOURED);
    tact_urdf_text_noted("torsional", "", TACT_VERDICT_HONOURED);
    // A patch that follows from the depth.
    tact_urdf_text_load(URDF_ROBOT(TIP("a", "") TORSION(
        "a", "<use_patch_radius>0</use_patch_radius><surface_radius>.1</surface_radius>")));
    tact_urdf_text_noted("torsional", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_refused(
        URDF_ROBOT(TIP("a", "<contact><rolling_friction value='-1'/></contact>")), TACT_BAD_INPUT,
        "friction must not be negative");
    tact_urdf_text_refused(URDF_ROBOT(TIP("a", "") TORSION("a", "<patch_radius>-1</patch_radius>")),
                           TACT_BAD_INPUT, "must not be negative");
}

static void the_environment_is_filled_in(void **state)
{
    (void)state;
    unsetenv("TACT_TEST_PLACE");
    const char *text = URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_JOINT(
        "j", "fixed", "a", "b", "<origin xyz='$(optenv TACT_TEST_PLACE 1 2 3)'/>"));
    assert_true(tact_urdf_text_load(text)->bodies[2].pose.position.y == 2);
    setenv("TACT_TEST_PLACE", "4 5 6", 1);
    assert_true(tact_urdf_text_load(text)->bodies[2].pose.position.y == 5);
    unsetenv("TACT_TEST_PLACE");
    tact_urdf_text_refused(URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_JOINT(
                               "j", "fixed", "a", "b", "<origin xyz='$(env TACT_TEST_PLACE)'/>")),
                           TACT_BAD_INPUT, "the environment has no variable 'TACT_TEST_PLACE'");
}

static void a_link_called_world_that_hangs_on_another_is_a_body(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        URDF_LINK("a") URDF_LINK("world") URDF_JOINT("j", "continuous", "a", "world", "")));
    assert_int_equal(model->body_count, 3);
    assert_int_equal(model->nv, 1);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_BODY, "world_link"), 2);
    tact_urdf_text_noted("link", "name", TACT_VERDICT_APPROXIMATED);
}

static void mimics_that_mean_nothing_are_noted(void **state)
{
    (void)state;
    // Of a joint that was fixed later, of several coordinates, and of one with several
    static const char *const joints[] = {
        URDF_JOINT("k", "fixed", "b", "c", "<mimic joint='j' multiplier='2'/>"),
        URDF_JOINT("k", "planar", "b", "c", "<mimic joint='j' multiplier='2'/>"),
        URDF_JOINT("k", "floating", "b", "c", "<mimic joint='j' multiplier='2'/>"),
    };
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text, "<robot name='r'>%s%s</robot>",
                 URDF_LINK("a") URDF_LINK("b") URDF_LINK("c")
                     URDF_JOINT("j", "continuous", "a", "b", ""),
                 joints[i]);
        assert_int_equal(tact_urdf_text_load(text)->equality_count, 0);
        tact_urdf_text_noted("mimic", "multiplier", TACT_VERDICT_IGNORED);
    }
    const char *text = URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") //
                                  URDF_JOINT("j", "planar", "a", "b", "")      //
                                  URDF_JOINT("k", "continuous", "a", "c", "<mimic joint='j'/>"));
    assert_int_equal(tact_urdf_text_load(text)->equality_count, 0);
    tact_urdf_text_noted("mimic", "joint", TACT_VERDICT_IGNORED);
}

static void who_mimics_a_fixed_joint_stays_at_the_offset(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") URDF_JOINT("j", "fixed", "a", "b", "")
            URDF_JOINT("k", "continuous", "a", "c", "<mimic joint='j' offset='0.3'/>")));
    assert_int_equal(model->equality_count, 1);
    assert_int_equal(model->equalities[0].a, tact_model_find(model, TACT_OBJECT_JOINT, "k"));
    assert_int_equal(model->equalities[0].b, -1);
    assert_true(model->equalities[0].polynomial[0] == 0.3);
    assert_true(model->equalities[0].polynomial[1] == 0);
}

static void an_effort_below_zero_is_no_limit(void **state)
{
    (void)state;
    const TactModel *model =
        tact_urdf_text_load(TWO("continuous", "<limit effort='-1' velocity='-1'/>"));
    assert_false(model->joints[0].force_limited);
    tact_urdf_text_noted("limit", "effort", TACT_VERDICT_APPROXIMATED);
}

static void planes_of_bullet_are_planes(void **state)
{
    (void)state;
    static const char *const normals[] = {"", " normal='0 0 1'", " normal='0 -2 0'",
                                          " normal='0 0 -1'", " normal='1 2 -2'"};
    static const TactVec3    wanted[] = {
           {0, 0, 1}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}, {1.0 / 3, 2.0 / 3, -2.0 / 3}};
    for (int i = 0; i < 5; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'><collision><origin xyz='0 0 -5'/><geometry>"
                 "<plane%s/></geometry></collision></link></robot>",
                 normals[i]);
        const TactModel *model = tact_urdf_text_load(text);
        assert_int_equal(model->geoms[0].type, TACT_GEOM_PLANE);
        assert_true(model->geoms[0].pose.position.z == -5);
        TactVec3 z = tact_quat_rotate(model->geoms[0].pose.rotation, (TactVec3){0, 0, 1});
        assert_true(fabs(z.x - wanted[i].x) + fabs(z.y - wanted[i].y) + fabs(z.z - wanted[i].z) <
                    1e-15);
    }
    tact_urdf_text_noted("plane", "normal", TACT_VERDICT_HONOURED);
    tact_urdf_text_refused("<robot name='r'><link name='a'><collision><geometry>"
                           "<plane normal='0 0 0'/></geometry></collision></link></robot>",
                           TACT_BAD_INPUT, "plane: normal: it must not be zero");
}

static void spheres_without_radius_are_points(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='0'/></geometry>"
        "</collision><visual><geometry><sphere radius='0'/></geometry></visual></link></robot>");
    assert_int_equal(model->geom_count, 1);
    assert_int_equal(model->geoms[0].type, TACT_GEOM_SPHERE);
    assert_true(model->geoms[0].size[0] == 1e-6);
    tact_urdf_text_noted("sphere", "radius", TACT_VERDICT_APPROXIMATED);
}

/// Words of ROS 2, Isaac, Drake and Bullet that do not bear on the motion: --strict takes them.
static void words_beside_the_robot_are_no_physics(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    config.strict = true;
    tact_urdf_text_load_as(
        URDF_ROBOT("<link name='a'>" URDF_MASS "<self_collision_checking/><verbose value='Base'/>"
                   "<bullet><user-data key='k'/></bullet></link>" URDF_LINK(
                       "b") "<joint name='j' type='fixed' dont_collapse='true'><parent link='a'/>"
                            "<child link='b'/></joint>"
                            "<ros2_control name='c' type='system'><hardware/></ros2_control>"
                            "<sensor name='s'/><fixed_frame name='f'/><frame name='g' link='a'/>"),
        &config);
    tact_urdf_text_noted("ros2_control", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("joint", "dont_collapse", TACT_VERDICT_HONOURED);
}

#define TURNED(version, rotation)                               \
    "<robot name='r'" version ">" URDF_LINK("a") URDF_LINK("b") \
        URDF_JOINT("j", "fixed", "a", "b", "<origin xyz='1 2 3' " rotation "/>") "</robot>"

static void quaternions_count_from_version_1_1_on(void **state)
{
    (void)state;
    // A third of a turn about the diagonal: x to y, y to z, z to x
    static const char *const versions[] = {TURNED(" version='1.1'", "quat_xyzw='2 2 2 2'"),
                                           TURNED(" version='1.2'", "quat_xyzw='.5 .5 .5 .5'")};
    for (int i = 0; i < 2; i++) {
        TactTransform pose = tact_urdf_text_load(versions[i])->bodies[2].pose;
        TactVec3      x = tact_quat_rotate(pose.rotation, (TactVec3){1, 0, 0});
        assert_true(fabs(x.x) + fabs(x.y - 1) + fabs(x.z) < 1e-15);
        assert_true(pose.position.y == 2);
        tact_urdf_text_noted("origin", "quat_xyzw", TACT_VERDICT_HONOURED);
    }
    assert_true(tact_urdf_text_load(TURNED("", "quat_xyzw='1 0 0 0'"))->bodies[2].pose.rotation.w ==
                1);
    tact_urdf_text_noted("origin", "quat_xyzw", TACT_VERDICT_IGNORED);
    tact_urdf_text_refused(TURNED(" version='1.1'", "rpy='0 0 0' quat_xyzw='1 0 0 0'"),
                           TACT_BAD_INPUT, "origin: quat_xyzw: there is rpy as well");
    tact_urdf_text_refused(TURNED(" version='1.1'", "quat_xyzw='0 0 0 0'"), TACT_BAD_INPUT,
                           "quat_xyzw: it must not be zero");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(declarations_of_no_version_are_passed_over, forget),
        cmocka_unit_test_teardown(friction_may_be_an_attribute, forget),
        cmocka_unit_test_teardown(pictures_that_cannot_be_drawn_are_left_out, forget),
        cmocka_unit_test_teardown(a_range_from_above_to_below_is_none, forget),
        cmocka_unit_test_teardown(ranges_that_are_not_said_are_none, forget),
        cmocka_unit_test_teardown(a_range_of_one_value_is_held_with_a_note, forget),
        cmocka_unit_test_teardown(the_world_need_not_be_declared, forget),
        cmocka_unit_test_teardown(moments_that_no_body_has_are_balanced, forget),
        cmocka_unit_test_teardown(words_of_bullet_and_gazebo_are_known, forget),
        cmocka_unit_test_teardown(words_that_say_nothing_change_nothing, forget),
        cmocka_unit_test_teardown(links_resist_spinning_and_rolling_as_bullet_and_gazebo_say,
                                  forget),
        cmocka_unit_test_teardown(the_environment_is_filled_in, forget),
        cmocka_unit_test_teardown(a_link_called_world_that_hangs_on_another_is_a_body, forget),
        cmocka_unit_test_teardown(mimics_that_mean_nothing_are_noted, forget),
        cmocka_unit_test_teardown(who_mimics_a_fixed_joint_stays_at_the_offset, forget),
        cmocka_unit_test_teardown(an_effort_below_zero_is_no_limit, forget),
        cmocka_unit_test_teardown(planes_of_bullet_are_planes, forget),
        cmocka_unit_test_teardown(spheres_without_radius_are_points, forget),
        cmocka_unit_test_teardown(words_beside_the_robot_are_no_physics, forget),
        cmocka_unit_test_teardown(quaternions_count_from_version_1_1_on, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
