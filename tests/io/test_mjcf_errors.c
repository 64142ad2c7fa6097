// MJCF: what is wrong is refused, with file and line, and nothing leaks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mjcf_text.h"
#include "io/scratch.h"

#define BODY(inside) "<worldbody><body><geom size='1'/>" inside "</body></worldbody>"
#define BAD TACT_BAD_INPUT

static void words_that_mjcf_does_not_have_are_refused(void **state)
{
    (void)state;
    tact_mjcf_refuses("\n<wordbody/>", BAD, "a.xml:2: wordbody: there is no such element in");
    tact_mjcf_refuses("\n<worldbody>\n<geom sizes='1'/></worldbody>", BAD,
                      "a.xml:3: geom: sizes: there is no such attribute");
    tact_mjcf_refuses(BODY("<geom>\n<geom/></geom>"), BAD, "a.xml:2: geom: there is no such");
    tact_mjcf_refuses("<default><geom name='g'/></default>", BAD, "there is no such attribute");
    tact_mjcf_refuses("<worldbody name='w'/>", BAD, "there is no such attribute");
    tact_mjcf_refuses("<option gravity='0 0 9.81' gravitation='1'/>", BAD, "gravitation");
    tact_mjcf_refuses("<visual><global fov='1'/></visual>", BAD, "global: fov: there is no such");
    tact_mjcf_refuses("<tendon><spatial><site place='a'/></spatial></tendon>", BAD, "place");
}

static void values_that_are_none_are_refused(void **state)
{
    (void)state;
    tact_mjcf_refuses(BODY("\n<geom size='one'/>"), BAD, "a.xml:2: geom: size: 'one' is not a num");
    tact_mjcf_refuses(BODY("<geom size='1 2 3 4'/>"), BAD, "size: has more than 3 numbers");
    tact_mjcf_refuses(BODY("<geom size='1' pos='0 0'/>"), BAD, "pos: needs 3 numbers and has 2");
    tact_mjcf_refuses(BODY("<geom type='cone'/>"), BAD, "type: 'cone' is none of: plane");
    tact_mjcf_refuses(BODY("<geom size='1' contype='0.5'/>"), BAD, "is not a whole number");
    tact_mjcf_refuses(BODY("<geom size='1' condim='2'/>"), BAD, "condim");
    tact_mjcf_refuses(BODY("<geom size='1' mass='-1'/>"), BAD, "mass: is negative");
    tact_mjcf_refuses(BODY("<geom size='1' quat='0 0 0 0'/>"), BAD, "quat: is zero");
    tact_mjcf_refuses(BODY("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), BAD, "span no plane");
    tact_mjcf_refuses(BODY("<geom size='1' zaxis='0 0 0'/>"), BAD, "zaxis: is zero");
    tact_mjcf_refuses(BODY("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), BAD, "more than once");
    tact_mjcf_refuses(BODY("<geom size='1' fromto='0 0 0 1 1 1'/>"), BAD, "only a capsule");
    tact_mjcf_refuses(BODY("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"), BAD, "are one");
    tact_mjcf_refuses(BODY("<geom size='inf'/>"), BAD, "is not finite");
    tact_mjcf_refuses(BODY("<joint axis='0 0 0'/>"), BAD, "axis: is zero");
    tact_mjcf_refuses(BODY("<joint limited='true'/>"), BAD, "its range from 0 to 0 is empty");
    tact_mjcf_refuses(BODY("<joint range='2 1' limited='true'/>"), BAD, "is empty");
    tact_mjcf_refuses("<compiler autolimits='false'/>" BODY("<joint range='1 2'/>"), BAD,
                      "autolimits");
    tact_mjcf_refuses("<compiler eulerseq='xyw'/>", BAD, "eulerseq");
    tact_mjcf_refuses("<compiler coordinate='global'/>", BAD, "global coordinates");
    tact_mjcf_refuses("<option timestep='0'/>", BAD, "timestep");
    tact_mjcf_refuses("<custom><numeric name='n' size='1' data='1 2'/></custom>", BAD, "more than");
    tact_mjcf_refuses("<worldbody><replicate count='0'><geom size='1'/></replicate></worldbody>",
                      BAD, "count");
}

static void names_that_nothing_has_are_refused(void **state)
{
    (void)state;
    tact_mjcf_refuses("\n" BODY("<geom class='none' size='1'/>"), BAD,
                      "a.xml:2: geom: class: there is no class 'none'");
    tact_mjcf_refuses("<worldbody><body childclass='none'/></worldbody>", BAD, "no class 'none'");
    tact_mjcf_refuses("<default><default><geom size='1'/></default></default>", BAD,
                      "needs the attribute 'class'");
    tact_mjcf_refuses("<default><default class='a'/><default class='a'/></default>", BAD,
                      "there is a class 'a' already");
    tact_mjcf_refuses(BODY("<geom type='mesh' mesh='m'/>"), BAD, "there is no mesh 'm'");
    tact_mjcf_refuses(BODY("<geom type='mesh'/>"), BAD, "needs a mesh");
    tact_mjcf_refuses(BODY("<geom size='1' material='m'/>"), BAD, "there is no material 'm'");
    tact_mjcf_refuses(BODY("<geom type='hfield' hfield='h'/>"), BAD, "there is no hfield 'h'");
    tact_mjcf_refuses("<actuator><motor joint='j'/></actuator>", BAD, "there is no joint 'j'");
    tact_mjcf_refuses("<actuator><motor/></actuator>", BAD, "drives nothing");
    tact_mjcf_refuses("<sensor><gyro site='s'/></sensor>", BAD, "there is no site 's'");
    tact_mjcf_refuses("<sensor><gyro/></sensor>", BAD, "needs the attribute 'site'");
    tact_mjcf_refuses("<contact><exclude body1='a' body2='b'/></contact>", BAD, "no body 'a'");
    tact_mjcf_refuses("<equality><weld body1='a'/></equality>", BAD, "no body 'a'");
    tact_mjcf_refuses("<equality><weld/></equality>", BAD, "needs either body1");
    tact_mjcf_refuses("<tendon><fixed/></tendon>", BAD, "has no joint");
    tact_mjcf_refuses(BODY("<joint name='j'/>") "<keyframe><key qpos='1 2'/></keyframe>", BAD,
                      "keyframe");
}

static void bodies_that_cannot_move_are_refused(void **state)
{
    (void)state;
    tact_mjcf_refuses("<worldbody>\n<joint/></worldbody>", BAD, "a.xml:2: joint: there is no such");
    tact_mjcf_refuses("<worldbody>\n<frame><joint/></frame></worldbody>", BAD,
                      "a.xml:2: joint: the world cannot have joints");
    tact_mjcf_refuses("<worldbody>\n<body name='b'>\n<joint/></body></worldbody>", BAD, "a.xml:2");
    tact_mjcf_refuses("<worldbody><body><freejoint/>\n<inertial pos='0 0 0' mass='-1' "
                      "diaginertia='1 1 1'/></body></worldbody>",
                      BAD, "a.xml:2: inertial: mass: is negative");
    tact_mjcf_refuses("<worldbody><body name='b'><freejoint/>\n<inertial pos='0 0 0' mass='1' "
                      "diaginertia='1 1 3'/></body></worldbody>",
                      BAD, "a.xml:2");
    tact_mjcf_refuses("<worldbody><body><freejoint/>\n<inertial pos='0 0 0' mass='1' "
                      "diaginertia='1 1 0'/></body></worldbody>",
                      BAD, "a.xml:2");
    tact_mjcf_refuses(
        "<worldbody><body><inertial mass='1' diaginertia='1 1 1'/></body></worldbody>", BAD,
        "needs the attribute 'pos'");
    tact_mjcf_refuses(BODY("<freejoint/><body>\n<freejoint/><geom size='1'/></body>"), BAD,
                      "a.xml:2");
}

static void meshes_that_are_missing_or_empty_are_refused(void **state)
{
    (void)state;
    tact_scratch_write("empty.stl", "");
    tact_mjcf_refuses("<asset>\n<mesh file='nowhere.stl'/></asset>", TACT_IO_ERROR,
                      "a.xml:2: mesh: 'nowhere': ");
    char text[1024];
    snprintf(text, sizeof text, "<asset>\n<mesh file='%s'/></asset>",
             tact_scratch_path("empty.stl"));
    tact_mjcf_refuses(text, BAD, "a.xml:2: mesh: 'empty'");
    tact_mjcf_refuses("<asset><mesh name='m'/></asset>", BAD, "neither a file, nor vertices");
    tact_mjcf_refuses("<asset><mesh name='m' vertex='1 2'/></asset>", BAD, "three numbers");
    tact_mjcf_refuses("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'/></asset>",
                      BAD, "there is no vertex 3");
    tact_mjcf_refuses("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='1 0 1'/>"
                      "</asset>",
                      BAD, "scale: has a zero");
    tact_mjcf_refuses("<asset><mesh/></asset>", BAD, "needs a name or a file");
    tact_mjcf_refuses("<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1'/>"
                      "</asset>",
                      BAD, "elevation: has 1 numbers");
    tact_mjcf_refuses("<asset><hfield file='h.png' size='1 1 1 1'/></asset>", TACT_IO_ERROR,
                      "cannot be opened");
}

// ---------------------------------------------------------------------------------------------
// Files

static TactStatus load_scratch(const char *name)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactStatus          status = tact_model_load(tact_scratch_path(name), &config, &model, NULL);
    tact_model_destroy(model);
    return status;
}

static void cycles_of_includes_end(void **state)
{
    (void)state;
    tact_scratch_write("self.xml", "<mujoco>\n<include file='self.xml'/></mujoco>");
    assert_int_equal(load_scratch("self.xml"), BAD);
    tact_scratch_said("self.xml:2: include: file: ");
    tact_scratch_said("is included already");
    tact_scratch_write("one.xml", "<mujoco><include file='two.xml'/></mujoco>");
    tact_scratch_write("two.xml", "<mujoco>\n\n<include file='one.xml'/></mujoco>");
    assert_int_equal(load_scratch("one.xml"), BAD);
    tact_scratch_said("two.xml:3: include: file: ");
    tact_scratch_write("twice.xml",
                       "<mujoco><include file='empty.xml'/>\n<include file='empty.xml'/></mujoco>");
    tact_scratch_write("empty.xml", "<mujoco/>");
    assert_int_equal(load_scratch("twice.xml"), BAD);
    tact_scratch_said("twice.xml:2: ");
}

static void included_files_are_told_by_their_own_names(void **state)
{
    (void)state;
    tact_scratch_write("outer.xml", "<mujoco><include file='inner.xml'/></mujoco>");
    tact_scratch_write("inner.xml", "<mujoco>\n<worldbody>\n<geom/>\n</worldbody></mujoco>");
    assert_int_equal(load_scratch("outer.xml"), BAD);
    tact_scratch_said("inner.xml:3: geom");
    tact_scratch_write("inner.xml", "<mujoco><worldbody></mujoco>");
    assert_int_equal(load_scratch("outer.xml"), BAD);
    tact_scratch_said("inner.xml:1: broken XML");
    tact_scratch_write("gone.xml", "<mujoco>\n<include file='nowhere.xml'/></mujoco>");
    assert_int_equal(load_scratch("gone.xml"), TACT_IO_ERROR);
    tact_scratch_said("gone.xml:2: include: file: ");
    tact_scratch_write("nothing.xml", "<mujoco><include file='blank.xml'/><worldbody><include "
                                      "file='more.xml'/></worldbody></mujoco>");
    tact_scratch_write("blank.xml", "<mujoco/>");
    tact_scratch_write("more.xml", "<mujoco><geom size='1'/></mujoco>");
    assert_int_equal(load_scratch("nothing.xml"), TACT_OK);
}

static void what_is_no_model_is_told(void **state)
{
    (void)state;
    assert_int_equal(load_scratch("nowhere.xml"), TACT_IO_ERROR);
    tact_scratch_said("nowhere.xml: cannot be opened");
    tact_scratch_write("sdf.xml", "\n<sdf/>");
    assert_int_equal(load_scratch("sdf.xml"), BAD);
    tact_scratch_said("sdf.xml:2: the root element is 'sdf', neither 'mujoco'");
    tact_scratch_write("laughs.xml", "<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'>\n<!ENTITY b "
                                     "'&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n<mujoco model='&b;'/>");
    assert_int_equal(load_scratch("laughs.xml"), BAD);
    tact_scratch_said("laughs.xml:1: entities are not allowed");
}

static char *nest(int depth, const char *open, const char *close)
{
    size_t size = (size_t)depth * (strlen(open) + strlen(close)) + 64;
    char  *text = malloc(size);
    assert_non_null(text);
    strcpy(text, "<worldbody>");
    char *end = text + strlen(text);
    for (int i = 0; i < depth; i++) {
        end = stpcpy(end, open);
    }
    for (int i = 0; i < depth; i++) {
        end = stpcpy(end, close);
    }
    strcpy(end, "</worldbody>");
    return text;
}

static void thousands_of_nested_bodies_load_and_ten_thousand_are_refused(void **state)
{
    (void)state;
    char      *text = nest(8000, "<body pos='0 0 1'>", "</body>");
    TactModel *model = tact_mjcf_model(text);
    assert_int_equal(model->body_count, 8001);
    assert_int_equal(model->bodies[8000].parent, 7999);
    tact_model_destroy(model);
    free(text);
    text = nest(10000, "<body>\n", "</body>");
    tact_mjcf_refuses(text, BAD, "elements inside one another");
    free(text);
}

static void replicates_cannot_explode(void **state)
{
    (void)state;
    char *text = nest(12, "<replicate count='9'>", "</replicate>");
    tact_mjcf_refuses(text, BAD, "more than 1000000 replicated elements");
    free(text);
}

static void a_strict_load_refuses_what_is_not_honoured(void **state)
{
    (void)state;
    static const char   text[] = "<mujoco>\n<option impratio='3'/><visual/></mujoco>";
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    config.strict = true;
    assert_int_equal(tact_model_load_memory("s.xml", text, strlen(text), &config, &model, NULL),
                     BAD);
    assert_null(model);
    tact_scratch_said("s.xml:2: option.impratio is ignored: ");
    config.strict = false;
    tact_scratch_listen();
    assert_int_equal(tact_model_load_memory("s.xml", text, strlen(text), &config, &model, NULL),
                     TACT_OK);
    assert_true(tact_scratch_heard("1 places of the model that bear on the physics"));
    assert_int_equal(tact_scratch_warnings(), 1);
    tact_model_destroy(model);
    config.cookie = 0;
    assert_int_equal(tact_model_load_memory("s.xml", text, strlen(text), &config, &model, NULL),
                     TACT_BAD_ARGUMENT);
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_mjcf_does_not_have_are_refused),
        cmocka_unit_test(values_that_are_none_are_refused),
        cmocka_unit_test(names_that_nothing_has_are_refused),
        cmocka_unit_test(bodies_that_cannot_move_are_refused),
        cmocka_unit_test(meshes_that_are_missing_or_empty_are_refused),
        cmocka_unit_test(cycles_of_includes_end),
        cmocka_unit_test(included_files_are_told_by_their_own_names),
        cmocka_unit_test(what_is_no_model_is_told),
        cmocka_unit_test(thousands_of_nested_bodies_load_and_ten_thousand_are_refused),
        cmocka_unit_test(replicates_cannot_explode),
        cmocka_unit_test(a_strict_load_refuses_what_is_not_honoured),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
