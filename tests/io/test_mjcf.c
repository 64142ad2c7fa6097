// MJCF: what its words mean. Expected values are those of the format's reference, worked out by
// hand; the same files are compared with MuJoCo's own reading elsewhere.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mjcf_text.h"
#include "io/scratch.h"

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------
// Poses

static void all_forms_of_an_orientation_are_the_same_rotation(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_file("orientations.xml");
    for (int i = 1; i <= 4; i++) { // quat, axisangle, xyaxes, euler
        tact_mjcf_turned(model->bodies[i].pose.rotation, 1, 1, -1, 1);
    }
    // The shortest way from z to -y turns about x.
    tact_mjcf_turned(model->bodies[5].pose.rotation, 1, 1, 0, 0);
    for (int i = 0; i < model->site_count; i++) { // in a frame that is turned about x
        TactQuat back = tact_quat_multiply((TactQuat){sqrt(0.5), -sqrt(0.5), 0, 0},
                                           model->sites[i].pose.rotation);
        if (strcmp(model->sites[i].name, "z") == 0) {
            tact_mjcf_turned(back, 1, 1, 0, 0);
        } else {
            tact_mjcf_turned(back, 1, 1, -1, 1);
        }
    }
    tact_model_destroy(model);
}

static const TactGeom *geom(const TactModel *model, const char *name)
{
    int index = tact_model_find(model, TACT_OBJECT_GEOM, name);
    if (index < 0) {
        fail_msg("there is no geom '%s'", name);
    }
    return &model->geoms[index];
}

static void a_geom_from_here_to_there_points_back(void **state)
{
    (void)state;
    TactModel      *model = tact_mjcf_file("orientations.xml");
    const TactGeom *capsule = geom(model, "fromto");
    tact_mjcf_near3(capsule->pose.position, 0, 1, 0);
    tact_mjcf_near(capsule->size[0], 0.1);
    tact_mjcf_near(capsule->size[1], 1);
    tact_mjcf_near3(tact_quat_rotate(capsule->pose.rotation, (TactVec3){0, 0, 1}), 0, -1, 0);
    const TactGeom *down = geom(model, "down"); // z is turned over, about x
    tact_mjcf_turned(down->pose.rotation, 0, 1, 0, 0);
    tact_mjcf_near(down->size[1], 0.5);
    const TactGeom *beam = geom(model, "beam");
    tact_mjcf_near(beam->size[0], 0.1);
    tact_mjcf_near(beam->size[1], 0.1);
    tact_mjcf_near(beam->size[2], 1);
    tact_mjcf_near3(beam->pose.position, 2, 0, 0);
    tact_model_destroy(model);
}

static void frames_move_what_is_in_them(void **state)
{
    (void)state;
    TactModel      *model = tact_mjcf_file("orientations.xml");
    const TactGeom *framed = geom(model, "framed");
    // About x, then about the new z: x of the inner frame is z of the body.
    tact_mjcf_near3(framed->pose.position, 0, 0, 2);
    tact_mjcf_turned(framed->pose.rotation, 1, 1, -1, 1);
    tact_model_destroy(model);

    model = tact_mjcf_body("<frame pos='0 0 1' quat='1 0 1 0'><joint pos='1 0 0' axis='0 0 2'/>"
                           "<site name='s' pos='0 1 0'/></frame>");
    tact_mjcf_near3(model->joints[0].position, 0, 0, 0); // x goes to -z
    tact_mjcf_near3(model->joints[0].axis, 1, 0, 0);     // z goes to x
    tact_mjcf_near3(model->sites[0].pose.position, 0, 1, 1);
    tact_model_destroy(model);
}

static void angles_are_degrees_unless_the_compiler_says_otherwise(void **state)
{
    (void)state;
    static const char joints[] = "<worldbody><body><geom size='1'/><joint range='-90 45' ref='30' "
                                 "springref='60'/></body></worldbody>";
    char              text[512];
    TactModel        *model = tact_mjcf_model(joints);
    tact_mjcf_near(model->joints[0].range[0], -pi / 2);
    tact_mjcf_near(model->joints[0].range[1], pi / 4);
    tact_mjcf_near(model->joints[0].reference, pi / 6);
    tact_mjcf_near(model->joints[0].spring_reference, pi / 3);
    assert_true(model->joints[0].limited);
    tact_model_destroy(model);
    snprintf(text, sizeof text, "<compiler angle='radian'/>%s", joints);
    model = tact_mjcf_model(text);
    tact_mjcf_near(model->joints[0].range[1], 45);
    tact_model_destroy(model);
    // A slide is in metres in any case.
    model = tact_mjcf_body("<joint type='slide' range='-90 45'/>");
    tact_mjcf_near(model->joints[0].range[1], 45);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Classes

static void classes_inherit_and_elements_override(void **state)
{
    (void)state;
    TactModel *model =
        tact_mjcf_model("<default><geom size='0.1' friction='0.5 0.4 0.3' rgba='1 0 0 1'/>"
                        "<default class='a'><default class='b'><geom friction='0.9'/></default>"
                        "<geom type='capsule' size='0.2 0.7' contype='2'/></default></default>"
                        "<worldbody>"
                        "<geom name='main'/>"
                        "<geom name='a' class='a'/>"
                        "<geom name='b' class='b' size='0.3'/>"
                        "<body childclass='a'><geom name='child'/><geom name='named' class='main'/>"
                        "<frame childclass='b'><geom name='framed'/></frame>"
                        "<body><geom name='grandchild'/></body>"
                        "<body childclass='b'><geom name='other'/></body></body></worldbody>");
    assert_int_equal(geom(model, "main")->type, TACT_GEOM_SPHERE);
    tact_mjcf_near(geom(model, "main")->size[0], 0.1);
    assert_int_equal(geom(model, "a")->type, TACT_GEOM_CAPSULE);
    assert_int_equal(geom(model, "a")->contact_type, 2);
    tact_mjcf_near(geom(model, "a")->rgba[1], 0);
    // The elements of a class are there for those inside it, wherever they stand in the file; of a
    // list only what is given is new.
    tact_mjcf_near(geom(model, "b")->size[0], 0.3);
    tact_mjcf_near(geom(model, "b")->size[1], 0.7);
    tact_mjcf_near(geom(model, "b")->mu, 0.9);
    tact_mjcf_near(geom(model, "b")->torsional, 0.4);
    tact_mjcf_near(geom(model, "child")->mu, 0.5);
    assert_int_equal(geom(model, "named")->type, TACT_GEOM_SPHERE);
    tact_mjcf_near(geom(model, "framed")->mu, 0.9);
    assert_int_equal(geom(model, "grandchild")->type, TACT_GEOM_CAPSULE);
    tact_mjcf_near(geom(model, "other")->mu, 0.9);
    tact_model_destroy(model);
}

static void materials_colour_what_has_no_colour(void **state)
{
    (void)state;
    TactModel *model =
        tact_mjcf_model("<asset><material name='m' rgba='0 1 0 0.5'/></asset><worldbody>"
                        "<geom name='a' size='1' material='m'/><geom name='b' size='1' "
                        "material='m' rgba='1 0 0 1'/>"
                        "</worldbody>");
    tact_mjcf_near(geom(model, "a")->rgba[1], 1);
    tact_mjcf_near(geom(model, "a")->rgba[3], 0.5);
    tact_mjcf_near(geom(model, "b")->rgba[1], 0);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Replicates

static const TactBody *body(const TactModel *model, const char *name)
{
    int index = tact_model_find(model, TACT_OBJECT_BODY, name);
    if (index < 0) {
        fail_msg("there is no body '%s'", name);
    }
    return &model->bodies[index];
}

static void replicates_step_and_turn_and_number_their_names(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_file("replicate.xml");
    tact_mjcf_near3(body(model, "pillar-0")->pose.position, 2, 0, 0);
    tact_mjcf_turned(body(model, "pillar-0")->pose.rotation, 1, 0, 0, 0);
    // The second round is turned by 15 degrees about its own origin, which is one offset away.
    tact_mjcf_near3(body(model, "pillar-1")->pose.position, 2 * cos(pi / 12),
                    0.5 + 2 * sin(pi / 12), 0);
    tact_mjcf_turned(body(model, "pillar-1")->pose.rotation, cos(pi / 24), 0, 0, sin(pi / 24));
    tact_mjcf_near3(body(model, "leaf2-1")->pose.position, 0.1, 0, 0.4);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_BODY, "leaf"), -1);
    assert_true(tact_model_find(model, TACT_OBJECT_GEOM, "tooth07") >= 0);
    assert_string_equal(model->actuators[0].name, "s");
    assert_string_equal(model->actuators[1].name, "f0-0");
    assert_int_equal(model->actuators[1].target,
                     tact_model_find(model, TACT_OBJECT_JOINT, "flap0-0"));
    assert_int_equal(model->sensor_count, 1 + 2 + 6);
    assert_int_equal(model->tendon_count, 6);
    tact_model_destroy(model);
}

static void rounds_of_a_replicate_go_on_in_the_frame_of_the_one_before(void **state)
{
    (void)state;
    // A step of 1 m along x and a quarter turn, four times: the corners of a square.
    TactModel *model = tact_mjcf_model(
        "<compiler angle='degree'/><worldbody><replicate count='4' offset='1 0 0' euler='0 0 90'>"
        "<body name='corner'><geom size='.1'/></body></replicate></worldbody>");
    static const double corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    assert_int_equal(model->body_count, 5);
    for (int i = 0; i < 4; i++) {
        const TactTransform *pose = &model->bodies[1 + i].pose;
        tact_mjcf_near3(pose->position, corners[i][0], corners[i][1], 0);
        tact_mjcf_turned(pose->rotation, cos(i * pi / 4), 0, 0, sin(i * pi / 4));
    }
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Inertia

static void inertias_are_turned_into_the_frame_of_the_body(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<worldbody><body><freejoint/><inertial pos='1 2 3' mass='4' diaginertia='1 2 2.5' "
        "quat='1 0 0 1'/></body><body><freejoint/><inertial pos='0 0 0' mass='1' "
        "fullinertia='3 4 5 0.1 0.2 0.3'/></body></worldbody>");
    const TactInertia *turned = &model->bodies[1].inertia;
    tact_mjcf_near3(turned->com, 1, 2, 3);
    tact_mjcf_near(turned->mass, 4);
    tact_mjcf_near(turned->rotary.m[0][0], 2); // x and y change places
    tact_mjcf_near(turned->rotary.m[1][1], 1);
    tact_mjcf_near(turned->rotary.m[2][2], 2.5);
    const TactInertia *full = &model->bodies[2].inertia;
    tact_mjcf_near(full->rotary.m[0][1], 0.1);
    tact_mjcf_near(full->rotary.m[0][2], 0.2);
    tact_mjcf_near(full->rotary.m[2][1], 0.3);
    tact_model_destroy(model);
}

static void compiler_rules_of_inertia_reach_the_builder(void **state)
{
    (void)state;
    static const char bodies[] =
        "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='4' diaginertia='1 1 1'/>"
        "<geom type='box' size='0.5 0.5 0.5' density='2' group='2'/></body></worldbody>";
    char text[512];
    snprintf(text, sizeof text, "<compiler inertiafromgeom='true'/>%s", bodies);
    TactModel *model = tact_mjcf_model(text);
    tact_mjcf_near(model->mass, 2);
    tact_model_destroy(model);
    snprintf(text, sizeof text, "<compiler settotalmass='7'/>%s", bodies);
    model = tact_mjcf_model(text);
    tact_mjcf_near(model->mass, 7);
    tact_mjcf_near(model->bodies[1].inertia.rotary.m[0][0], 7.0 / 4);
    tact_model_destroy(model);
    model =
        tact_mjcf_model("<compiler inertiagrouprange='0 1' boundmass='0.25' boundinertia='0.1'/>"
                        "<worldbody><body><freejoint/><geom size='1' density='0.001'/>"
                        "<geom size='1' density='3' group='2'/></body></worldbody>");
    tact_mjcf_near(model->mass, 0.25); // 4 pi / 3 * 0.001 is less; the other group does not count
    tact_mjcf_near(model->bodies[1].inertia.rotary.m[0][0], 0.1);
    tact_model_destroy(model);
}

/// MuJoCo 3.14 puts what boundmass gives to a body without a mass at the body's pos, as the file
/// says it, counted from the body's own frame; frames around it, and its turn, have no part in
/// that.
static void a_bound_of_masses_lies_at_the_pos_of_a_body_without_one(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<compiler boundmass='0.1' boundinertia='0.01'/><worldbody>"
        "<frame pos='0 0 5' euler='90 0 0'><body name='empty' pos='1 2 3' euler='0 0 90'/></frame>"
        "<body name='weightless' pos='1 2 3'><geom size='1' mass='0' pos='7 0 0'/></body>"
        "<body name='heavy' pos='1 2 3'><geom size='1' pos='7 0 0'/></body>"
        "<body name='said' pos='1 2 3'><inertial pos='4 5 6' mass='0' diaginertia='0 0 0'/></body>"
        "<body name='led' pos='1 2 3' mocap='true'/></worldbody>");
    tact_mjcf_near3(model->bodies[1].inertia.com, 1, 2, 3);
    tact_mjcf_near3(model->bodies[2].inertia.com, 1, 2, 3);
    tact_mjcf_near3(model->bodies[3].inertia.com, 7, 0, 0);
    tact_mjcf_near3(model->bodies[4].inertia.com, 4, 5, 6);
    tact_mjcf_near3(model->bodies[5].inertia.com, 1, 2, 3);
    tact_mjcf_near(model->bodies[5].inertia.mass, 0.1);
    tact_mjcf_near(model->bodies[1].inertia.rotary.m[1][1], 0.01);
    tact_model_destroy(model);
    model = tact_mjcf_model("<worldbody><body pos='1 2 3'/></worldbody>");
    tact_mjcf_near3(model->bodies[1].inertia.com, 0, 0, 0); // without a bound there is nothing
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Options, assets

/// As in MuJoCo 3.14: a quaternion of zeros is no rotation then.
static void numbers_that_a_keyframe_lacks_are_zero_with_a_note(void **state)
{
    (void)state;
    static const char text[] =
        "<worldbody><body><joint ref='30'/><geom size='1'/></body><body pos='1 2 3'><freejoint/>"
        "<geom size='1'/></body></worldbody><keyframe><key qpos='1 5' qvel='2'/></keyframe>";
    static const double q[] = {1, 5, 0, 0, 1, 0, 0, 0}, v[] = {2, 0, 0, 0, 0, 0, 0};
    TactModel          *model = tact_mjcf_model(text);
    for (int i = 0; i < 8; i++) {
        tact_mjcf_near(model->keyframes[0].q[i], q[i]);
    }
    for (int i = 0; i < 7; i++) {
        tact_mjcf_near(model->keyframes[0].v[i], v[i]);
    }
    tact_model_destroy(model);
    assert_int_equal(tact_mjcf_notes(text, "key", "qpos", TACT_VERDICT_APPROXIMATED), 1);
    tact_mjcf_refuses("<worldbody><body><joint/><geom size='1'/></body></worldbody>"
                      "<keyframe><key qpos='1 5'/></keyframe>",
                      TACT_BAD_INPUT, "its q has 2 numbers, the model 1");
}

static void collision_says_which_contacts_there_are(void **state)
{
    (void)state;
    static const char *const words[] = {"all", "predefined", "dynamic"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<option collision='%s'/><worldbody><geom name='a' size='1'/><body name='b'>"
                 "<freejoint/><geom name='b' size='1'/></body></worldbody>"
                 "<contact><pair geom1='a' geom2='b'/></contact>",
                 words[i]);
        TactModel *model = tact_mjcf_model(text);
        assert_int_equal(model->geoms[0].contact_type, i != 1);
        assert_int_equal(model->geoms[1].contact_affinity, i != 1);
        assert_int_equal(model->pair_count, i != 2);
        tact_model_destroy(model);
        assert_int_equal(tact_mjcf_notes(text, "option", "collision", TACT_VERDICT_HONOURED), 1);
    }
}

static void options_and_flags_reach_the_model(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<option timestep='0.01' gravity='0 1 2' integrator='RK4'><flag contact='disable' "
        "gravity='disable' filterparent='disable' limit='disable'/></option>");
    tact_mjcf_near(model->options.timestep, 0.01);
    tact_mjcf_near3(model->options.gravity, 0, 1, 2);
    assert_int_equal(model->options.integrator, TACT_INTEGRATOR_RK4);
    assert_true(model->options.contact_off && model->options.gravity_off &&
                model->options.parent_filter_off && model->options.limit_off);
    assert_false(model->options.equality_off || model->options.actuation_off ||
                 model->options.friction_off);
    tact_model_destroy(model);
    model = tact_mjcf_model("<option integrator='discrete'/>"); // of MuJoCo 3.13
    assert_int_equal(model->options.integrator, TACT_INTEGRATOR_EULER);
    tact_model_destroy(model);
    model = tact_mjcf_model("<option><flag constraint='disable'/></option>");
    assert_true(model->options.contact_off && model->options.limit_off &&
                model->options.equality_off && model->options.friction_off);
    tact_mjcf_near(model->options.timestep, 0.002);
    tact_mjcf_near3(model->options.gravity, 0, 0, -9.81);
    tact_model_destroy(model);
}

static void height_fields_are_turned_over_and_normalised(void **state)
{
    (void)state;
    TactModel             *model = tact_mjcf_file("everything.xml");
    const TactHeightField *hill = &model->heightfields[0];
    static const double    height[] = {3.0 / 8, 4.0 / 8, 1, 0, 1.0 / 8, 2.0 / 8};
    assert_int_equal(hill->rows, 2);
    assert_int_equal(hill->columns, 3);
    for (int i = 0; i < 6; i++) { // the first row of the text is the last of the field
        tact_mjcf_near(hill->height[i], height[i]);
    }
    tact_mjcf_near(hill->half[1], 2);
    tact_mjcf_near(hill->top, 0.1);
    tact_mjcf_near(hill->base, 0.05);
    tact_mjcf_near(model->heightfields[1].height[3], 0);
    const TactHeightField *bumps = &model->heightfields[2];
    assert_string_equal(bumps->name, "bumps");
    tact_mjcf_near(bumps->height[1], 0.5);
    tact_mjcf_near(bumps->height[4], 1);
    tact_model_destroy(model);
}

static void meshes_are_shifted_turned_and_scaled(void **state)
{
    (void)state;
    TactModel      *model = tact_mjcf_file("everything.xml");
    int             index = tact_model_find(model, TACT_OBJECT_MESH, "moved");
    const TactMesh *mesh = model->meshes[index].mesh;
    // scale (1 -1 1) of R' (x - refpos), R by 90 degrees about z: (x, y) -> (y, -(0.1 - x))
    TactVec3 lo = mesh->vertices[0];
    TactVec3 hi = lo;
    for (int i = 0; i < mesh->vertex_count; i++) {
        lo.x = fmin(lo.x, mesh->vertices[i].x);
        lo.y = fmin(lo.y, mesh->vertices[i].y);
        hi.x = fmax(hi.x, mesh->vertices[i].x);
        hi.y = fmax(hi.y, mesh->vertices[i].y);
    }
    assert_true(fabs(lo.x) < 1e-7 && fabs(hi.x - 0.1) < 1e-7);
    assert_true(fabs(lo.y + 0.1) < 1e-7 && fabs(hi.y - 0.1) < 1e-7);
    TactMeshProperties properties; // a mirror image is still outside out
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_OK);
    assert_true(fabs(properties.volume - 0.001) < 1e-9);
    assert_int_equal(geom(model, "palm")->type, TACT_GEOM_CONVEX);
    assert_int_equal(model->geoms[tact_model_find(model, TACT_OBJECT_GEOM, "palm") + 1].type,
                     TACT_GEOM_MESH);                              // tact_mesh names it
    assert_int_equal(geom(model, "seen")->type, TACT_GEOM_CONVEX); // a pair lets it touch
    tact_model_destroy(model);
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_of_an_orientation_are_the_same_rotation),
        cmocka_unit_test(a_geom_from_here_to_there_points_back),
        cmocka_unit_test(frames_move_what_is_in_them),
        cmocka_unit_test(angles_are_degrees_unless_the_compiler_says_otherwise),
        cmocka_unit_test(classes_inherit_and_elements_override),
        cmocka_unit_test(materials_colour_what_has_no_colour),
        cmocka_unit_test(replicates_step_and_turn_and_number_their_names),
        cmocka_unit_test(rounds_of_a_replicate_go_on_in_the_frame_of_the_one_before),
        cmocka_unit_test(inertias_are_turned_into_the_frame_of_the_body),
        cmocka_unit_test(compiler_rules_of_inertia_reach_the_builder),
        cmocka_unit_test(a_bound_of_masses_lies_at_the_pos_of_a_body_without_one),
        cmocka_unit_test(numbers_that_a_keyframe_lacks_are_zero_with_a_note),
        cmocka_unit_test(collision_says_which_contacts_there_are),
        cmocka_unit_test(options_and_flags_reach_the_model),
        cmocka_unit_test(height_fields_are_turned_over_and_normalised),
        cmocka_unit_test(meshes_are_shifted_turned_and_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
