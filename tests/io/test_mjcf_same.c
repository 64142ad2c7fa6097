// The same model from a builder and from an MJCF file: the same hash.
#include "io/mjcf_text.h"
#include "model/rich.h"

#include <stdio.h>
#include <string.h>

/// What tests/model/rich.c makes in code.
static const char *const rich =
    "<mujoco model='rich'>"
    "<compiler angle='radian' autolimits='false'/>"
    "<option timestep='.001' gravity='.1 .2 -9.8'/>"
    "<custom><text name='tact_method' data='reduced'/>"
    "<numeric name='tact_directions' data='8'/></custom>"
    "<default><geom margin='.001' gap='.002' priority='1' group='2' pos='.1 .2 .3'/>"
    "<joint pos='.1 .2 .3' axis='1 2 3' margin='.01' stiffness='2' damping='3' armature='.4'"
    " frictionloss='.5' group='1' actuatorfrcrange='0 7' range='0 1' limited='false'"
    " actuatorfrclimited='false'/>"
    "<default class='turn'><joint pos='0 0 0' axis='0 0 1' margin='0' stiffness='0' damping='0'"
    " armature='0' frictionloss='0' group='0' actuatorfrcrange='0 0' range='0 0'/></default>"
    "</default>"
    "<asset><mesh name='tetrahedron' vertex='0 0 0  1 0 0  0 1 0  0 0 1'"
    " face='0 2 1  0 1 3  0 3 2  1 2 3'/>"
    "<hfield name='hills' nrow='2' ncol='3' size='1 2 .5 .1' elevation='.25 .5 .75 0 .5 "
    "1'/></asset>"
    "<worldbody>"
    "<geom name='ground' type='hfield' hfield='hills'/>"
    "<geom name='wall' type='plane' size='.3 .2 .2'/>"
    "<body name='slider' pos='.1 .2 .3' quat='1 .1 .2 .3' gravcomp='.5'>"
    "<inertial mass='1.5' pos='.01 .02 .03' fullinertia='3 4 5 .1 .2 .3'/>"
    "<joint name='slider' type='slide' ref='.1' springref='.2' limited='true'/>"
    "<joint name='turn' class='turn'/>"
    "<body name='ball' pos='.2 .2 .3' quat='1 .1 .2 1.3' gravcomp='.5'>"
    "<inertial mass='1.5' pos='.01 .02 .03' fullinertia='3 4 5 .1 .2 .3'/>"
    "<joint name='ball' type='ball'/>"
    "<body name='plate' pos='.30000000000000004 .2 .3' quat='1 .1 .2 2.3' gravcomp='.5'>"
    "<geom name='box' type='box' size='.3 .2 .2'/>"
    "<site name='tip' pos='.1 0 0' group='3' size='.005 .005 .005'/></body></body></body>"
    "<body name='drone' pos='.4 .2 .3' quat='1 .1 .2 3.3' gravcomp='.5'>"
    "<inertial mass='1.5' pos='.01 .02 .03' fullinertia='3 4 5 .1 .2 .3'/>"
    "<joint name='drone' type='free'/>"
    "<geom name='hull' type='mesh' mesh='tetrahedron'/></body>"
    "</worldbody>"
    "<contact><exclude body1='slider' body2='drone'/>"
    "<pair name='touch' geom1='hull' geom2='ground' margin='.1' gap='.2' condim='3'"
    " friction='1 1 .005 .0001 .0001'/></contact>"
    "<tendon><fixed name='wire' range='0 1' limited='false' margin='.1' stiffness='2' damping='3' "
    "frictionloss='4'>"
    "<joint joint='slider' coef='2'/><joint joint='turn' coef='3'/></fixed></tendon>"
    "<actuator><position name='servo' tendon='wire' kp='10' dampratio='1' group='1'/></actuator>"
    "<equality><weld name='glue' body1='slider' body2='drone' anchor='1 2 3'/></equality>"
    "<sensor><framepos name='gyro' objtype='site' objname='tip' reftype='body' refname='slider'"
    " cutoff='3'/><clock name='clock'/></sensor>"
    "<keyframe><key name='home' time='1.5'/></keyframe>"
    "</mujoco>";

static void the_builder_and_the_reader_make_the_same_model(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *read = NULL, *built = NULL;
    if (tact_model_load_memory("rich.xml", rich, strlen(rich), &config, &read, NULL) != TACT_OK ||
        rich_model(&built) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    assert_int_equal(read->hash, built->hash);
    tact_model_destroy(read);
    tact_model_destroy(built);
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_builder_and_the_reader_make_the_same_model),
    };
    return cmocka_run_group_tests_name("io/mjcf_same", tests, NULL, NULL);
}
