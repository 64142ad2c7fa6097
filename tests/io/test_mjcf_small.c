// Small things of MJCF that files of others have: figures are those of MuJoCo 3.14.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mjcf_text.h"
#include "io/record/record_bytes.h"
#include "io/scratch.h"

static TactModel *load(const char *path)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus          status = tact_model_load(path, &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        print_message("skipped: %s\n", tact_status_message());
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

static void empty_attributes_are_absent_ones(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<worldbody><body name=''><joint type='hinge' range='' axis='' limited=''/>"
        "<geom size='.1' rgba='' mass='' pos=' ' material='' contype=''/></body></worldbody>");
    assert_int_equal(model->nv, 1);
    assert_false(model->joints[0].limited);
    tact_mjcf_near(model->bodies[1].inertia.mass, 4.188790204786391);
    tact_model_destroy(model);
}

static void a_range_may_be_endless_on_either_side(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<compiler angle='radian'/><worldbody><body><joint name='a' range='-inf 1'/>"
        "<joint name='b' type='slide' range='-INFINITY inf' limited='true'/><geom size='1'/>"
        "</body></worldbody>"
        "<tendon><fixed name='t' range='0 inf' springlength='0 inf'><joint joint='a' "
        "coef='1'/></fixed></tendon>"
        "<actuator><motor joint='a' ctrlrange='-inf inf' forcerange='-inf 5'/></actuator>");
    assert_true(model->joints[0].limited);
    assert_true(model->joints[0].range[0] <= -1e9 && model->joints[0].range[1] == 1);
    assert_false(model->joints[1].limited);
    assert_true(model->tendons[0].spring_range[1] >= 1e9);
    assert_true(model->tendons[0].limited && model->tendons[0].range[1] >= 1e9);
    assert_false(model->actuators[0].ctrl_limited);
    assert_true(model->actuators[0].force_limited && model->actuators[0].force_range[1] == 5);
    tact_model_destroy(model);
    tact_mjcf_refuses("<worldbody><body><joint range='nan 1'/></body></worldbody>", TACT_BAD_INPUT,
                      "range: 'nan' is not finite");
}

static void what_gives_energy_is_taken_with_a_note(void **state)
{
    (void)state;
    static const char text[] =
        "<worldbody><body><joint name='j' stiffness='-2' damping='-0.5' margin='-0.1'/>"
        "<geom size='1' margin='-0.02' gap='-0.01' contype='-1'/></body></worldbody>"
        "<tendon><fixed stiffness='-1' damping='-3'><joint joint='j' coef='1'/></fixed></tendon>";
    TactModel *model = tact_mjcf_model(text);
    assert_true(model->joints[0].stiffness == -2 && model->joints[0].damping == -0.5);
    assert_true(model->joints[0].margin == -0.1);
    assert_true(model->tendons[0].stiffness == -1 && model->tendons[0].damping == -3);
    tact_mjcf_near(model->geoms[0].margin, -0.03);
    assert_true(model->geoms[0].gap == 0);
    assert_int_equal(model->geoms[0].contact_type, -1);
    tact_model_destroy(model);
    assert_int_equal(tact_mjcf_notes(text, "joint", "stiffness", TACT_VERDICT_APPROXIMATED), 1);
    assert_int_equal(tact_mjcf_notes(text, "joint", "damping", TACT_VERDICT_APPROXIMATED), 1);
    assert_int_equal(tact_mjcf_notes(text, "fixed", "damping", TACT_VERDICT_APPROXIMATED), 1);
    assert_int_equal(tact_mjcf_notes(text, "geom", "gap", TACT_VERDICT_APPROXIMATED), 1);
}

static void a_ball_may_be_limited_to_nothing(void **state)
{
    (void)state;
    const char *text =
        "<worldbody><body><joint type='ball' limited='true'/><geom size='.1'/></body>"
        "</worldbody>";
    TactModel *model = tact_mjcf_model(text);
    assert_true(model->joints[0].limited);
    assert_true(model->joints[0].range[1] > 0 && model->joints[0].range[1] < 1e-3);
    assert_int_equal(tact_mjcf_notes(text, "joint", "limited", TACT_VERDICT_APPROXIMATED), 1);
    tact_model_destroy(model);
    tact_mjcf_refuses(
        "<worldbody><body><joint limited='true'/><geom size='.1'/></body></worldbody>",
        TACT_BAD_INPUT, "its range from 0 to 0 is empty");
}

/// MuJoCo reads the attribute and does nothing with it.
static void a_replicate_may_have_a_prefix(void **state)
{
    (void)state;
    TactModel *model =
        tact_mjcf_model("<worldbody><replicate count='2' prefix='x_' offset='1 0 0'>"
                        "<body name='a'><geom size='.1'/></body></replicate></worldbody>");
    assert_true(tact_model_find(model, TACT_OBJECT_BODY, "a0") > 0);
    assert_true(tact_model_find(model, TACT_OBJECT_BODY, "a1") > 0);
    tact_model_destroy(model);
}

static void an_error_names_the_element_that_caused_it(void **state)
{
    (void)state;
    tact_mjcf_refuses("<worldbody>\n<body name='b'><freejoint/><flexcomp name='f'/></body>"
                      "</worldbody>",
                      TACT_BAD_INPUT, "its mass is 0 kg (<flexcomp> on line 2 of ");
}

// ---------------------------------------------------------------------------------------------
// Meshes

typedef struct Solid {
    const char *words;
    double      mass;      // kg at 1000 kg/m^3
    double      com[3];    //
    double      moment[3]; // about the axes
} Solid;

static void meshes_are_made_from_parameters_as_in_mujoco(void **state)
{
    (void)state;
    static const Solid solids[] = {
        {"sphere' params='0", 2536.150473, {0, 0, 0}, {734.070243, 734.070243, 734.070243}},
        {"sphere' params='2", 4047.044662, {0, 0, 0}, {1582.16946, 1582.16946, 1582.16946}},
        {"hemisphere' params='0", 666.666667, {0, 0, .25}, {91.666667, 91.666667, 133.333333}},
        {"hemisphere' params='2", 1785.640578, {0, 0, .3543}, {419.051388, 419.051388, 643.173391}},
        {"cone' params='3 0", 866.025388, {0, 0, -.5}, {194.855710, 194.855710, 129.903806}},
        {"cone' params='4 0.5", 2333.333333, {0, 0, -.2143}, {951.190476, 951.190476, 516.666667}},
        {"supersphere' params='4 1 1", 2276.142313, {0, 0, 0}, {682.842678, 682.842678, 549.50936}},
        {"supersphere' params='7 0.3 1.5",
         3314.539100,
         {.0104, 0, 0},
         {1119.752537, 1116.529038, 1312.541133}},
        {"supertorus' params='4 0.25 1 1", 500, {0, 0, 0}, {177.083333, 177.083333, 343.75}},
        {"supertorus' params='3 0.25 0.5 2",
         179.742836,
         {.2440, 0, 0},
         {33.984388, 30.497030, 61.429596}},
        {"wedge' params='4 3 60 40 0",
         245.729522,
         {0, 0, -.7535},
         {15.811193, 25.124250, 37.774801}},
        {"wedge' params='5 4 100 50 0.5",
         726.105643,
         {0, 0, -.5780},
         {77.617696, 127.297793, 166.968135}},
    };
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<asset><mesh name='m' builtin='%s' inertia='exact'/></asset><worldbody><body>"
                 "<freejoint/><geom type='mesh' mesh='m'/></body></worldbody>",
                 solids[i].words);
        TactModel         *model = tact_mjcf_model(text);
        const TactInertia *inertia = &model->bodies[1].inertia;
        const double       com[3] = {inertia->com.x, inertia->com.y, inertia->com.z};
        assert_true(fabs(inertia->mass - solids[i].mass) < 1e-6 * solids[i].mass); // single there
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(com[k] - solids[i].com[k]) < 1e-4);
            assert_true(fabs(inertia->rotary.m[k][k] - solids[i].moment[k]) <
                        1e-6 * solids[i].moment[k]);
        }
        tact_model_destroy(model);
    }
    tact_mjcf_refuses("<asset><mesh name='m' builtin='cube' params='1'/></asset>", TACT_UNSUPPORTED,
                      "'cube' is none of: sphere");
    tact_mjcf_refuses("<asset><mesh name='m' builtin='cone' params='2 0'/></asset>", TACT_BAD_INPUT,
                      "number 1 is 2, not a whole one from 3 on");
    tact_mjcf_refuses("<asset><mesh name='m' builtin='sphere'/></asset>", TACT_BAD_INPUT,
                      "a sphere needs 1 params");
    tact_mjcf_refuses("<asset><mesh name='m' builtin='wedge' params='2 2 190 40 0'/></asset>",
                      TACT_BAD_INPUT, "angles are in (0, 180] and (0, 90]");
}

/// Two pieces at a right angle, of 0.1 m and 0.2 m: names, places and what does not touch; a second
/// one three times by a replicate.
static void a_cable_becomes_bodies(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<default><joint damping='7'/></default><worldbody><composite prefix='c' type='cable' "
        "vertex='0 0 0 0.1 0 0 0.1 0.2 0' offset='1 2 3' initial='free'><joint kind='main' "
        "damping='0.5'/><geom type='capsule' size='0.01'/></composite>"
        "<replicate count='3' offset='0 1 0'><composite prefix='d' type='cable' curve='s' "
        "count='4 1 1' size='0.3'><geom type='capsule' size='0.01'/></composite></replicate>"
        "</worldbody>");
    int first = tact_model_find(model, TACT_OBJECT_BODY, "cB_first");
    int last = tact_model_find(model, TACT_OBJECT_BODY, "cB_last");
    int joint = tact_model_find(model, TACT_OBJECT_JOINT, "cJ_last");
    assert_true(first > 0 && last == first + 1 && joint >= 0);
    assert_true(model->bodies[last].pose.position.x == 0.1);
    assert_true(fabs(model->bodies[last].pose.rotation.z - sqrt(0.5)) < 1e-15);
    assert_true(model->bodies[first].pose.position.y == 2);
    assert_int_equal(model->joints[0].type, TACT_JOINT_FREE);
    assert_int_equal(model->joints[joint].type, TACT_JOINT_BALL);
    assert_true(model->joints[joint].damping == 0.5 && model->joints[0].damping == 0);
    assert_int_equal(model->body_count, 1 + 2 + 3 * 3);
    assert_int_equal(model->exclude_count, 1 + 3 * 2);
    assert_true(tact_model_find(model, TACT_OBJECT_SITE, "dS_last2") >= 0);
    tact_model_destroy(model);
}

static void cables_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *says, *error;
    } cases[] = {
        {"type='rope' curve='s' count='4 1 1'", "'rope' is no composite of MuJoCo 3"},
        {"type='cable' curve='s' count='4 2 1'", "a cable has 2 to 4000 vertices"},
        {"type='cable' curve='t' count='4 1 1'", "up to three of 's'"},
        {"type='cable' curve='s' count='1 1 1'", "a cable has 2 to 4000 vertices"},
        {"type='cable' vertex='0 0 0 1 0'", "has 5 numbers"},
        {"type='cable' vertex='0 0 0 1 0 0' count='2 1 1'", "there is a count too"},
        {"type='cable' vertex='0 0 0 1 0 0 1 0 0'", "its vertices 1 and 2 are one"},
        {"curve='s' count='4 1 1'", "'type'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<worldbody><composite %s><geom type='capsule' size='0.01'/></composite>"
                 "</worldbody>",
                 cases[i].says);
        tact_mjcf_refuses(text, TACT_BAD_INPUT, cases[i].error);
    }
    tact_mjcf_refuses("<worldbody><composite type='cable' curve='s' count='4 1 1'/></worldbody>",
                      TACT_BAD_INPUT, "a cable needs a geom of type capsule, cylinder or box");
}

static const char two_cubes[] =
    "o a\nv 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n"
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
    "o b\nv 3 0 0\nv 3 0 2\nv 3 2 0\nv 3 2 2\nv 5 0 0\nv 5 0 2\nv 5 2 0\nv 5 2 2\n"
    "f 9 10 12 11\nf 13 15 16 14\nf 9 13 14 10\nf 11 12 16 15\nf 9 11 15 13\nf 10 14 16 12\n";

/// The first weighs 1000 kg, both 9000, their hull 15000; MuJoCo says 1000, and 15000 if convex.
static void of_several_objects_the_first_weighs_and_all_touch(void **state)
{
    (void)state;
    static const struct {
        const char *inertia;
        double      mass;
    } cases[] = {{"legacy", 1000}, {"exact", 1000}, {"convex", 15000}};
    tact_scratch_write("two.obj", two_cubes);
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' file='two.obj' inertia='%s'/></asset><worldbody>"
                 "<body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                 cases[i].inertia);
        TactModel *model = load(tact_scratch_write("two.xml", text));
        assert_true(fabs(model->bodies[1].inertia.mass - cases[i].mass) < 1e-9 * cases[i].mass);
        assert_int_equal(model->meshes[0].mesh->vertex_count, 16);
        tact_model_destroy(model);
    }
}

static void meshes_of_the_old_format_are_read(void **state)
{
    (void)state;
    // A tetrahedron with one normal and two texture coordinates that are passed over.
    const int32_t counts[4] = {4, 1, 2, 4};
    const float   numbers[19] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9, 8, 8, 8, 8};
    const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    unsigned char bytes[sizeof counts + sizeof numbers + sizeof faces];
    memcpy(bytes, counts, sizeof counts);
    memcpy(bytes + sizeof counts, numbers, sizeof numbers);
    memcpy(bytes + sizeof counts + sizeof numbers, faces, sizeof faces);
    TactMesh          *mesh = NULL;
    TactMeshProperties properties;
    TactVec3           one = {1, 1, 1};
    assert_int_equal(tact_mesh_read_memory("t.msh", bytes, sizeof bytes, one, &mesh), TACT_OK);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_OK);
    tact_mjcf_near(properties.volume, 1.0 / 6);
    tact_mesh_destroy(mesh);
    assert_int_equal(tact_mesh_read_memory("t.msh", bytes, sizeof bytes - 4, one, &mesh),
                     TACT_BAD_INPUT);
    tact_scratch_said("t.msh: is of 136 bytes, not of the 140");
    bytes[sizeof bytes - 4] = 4;
    assert_int_equal(tact_mesh_read_memory("t.msh", bytes, sizeof bytes, one, &mesh),
                     TACT_BAD_INPUT);
    tact_scratch_said("t.msh: face 3 has vertex 4 of 4");
}

// ---------------------------------------------------------------------------------------------
// Height fields from pictures

static size_t put_big(unsigned char *to, uint32_t x)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(x >> (24 - 8 * i));
    }
    return 4;
}

static size_t put_chunk(unsigned char *to, const char *type, const unsigned char *data, size_t size)
{
    put_big(to, (uint32_t)size);
    memcpy(to + 4, type, 4);
    if (size > 0) {
        memcpy(to + 8, data, size);
    }
    put_big(to + 8 + size, tact_crc32(0, to + 4, size + 4));
    return size + 12;
}

/// A picture of 3 columns and 2 rows, uncompressed; channels of `depth` bits.
static size_t make_png(unsigned char *to, int kind, int depth, const unsigned char *pixels,
                       size_t line)
{
    static const unsigned char sign[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char              head[13] = {0, 0, 0, 3, 0, 0, 0, 2};
    unsigned char              data[100] = {0x78, 1, 1};
    size_t                     size = 2 * (line + 1), used = 7;
    uint32_t                   a = 1, b = 0; // Adler's sums
    head[8] = (unsigned char)depth;
    head[9] = (unsigned char)kind;
    data[3] = (unsigned char)size;
    data[5] = (unsigned char)~size;
    data[4] = 0;
    data[6] = 0xff;
    for (int row = 0; row < 2; row++) {
        data[used++] = 0; // no filter
        memcpy(data + used, pixels + (size_t)row * line, line);
        used += line;
    }
    for (size_t i = 7; i < used; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    used += put_big(data + used, b << 16 | a);
    memcpy(to, sign, sizeof sign);
    size_t all = sizeof sign;
    all += put_chunk(to + all, "IHDR", head, sizeof head);
    all += put_chunk(to + all, "IDAT", data, used);
    return all + put_chunk(to + all, "IEND", NULL, 0);
}

static const char *write_bytes(const char *name, const unsigned char *bytes, size_t size)
{
    const char *path = tact_scratch_path(name);
    FILE       *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return path;
}

/// Rows from the top of the picture are rows from large to small y, the first channel is the
/// height.
static void pictures_are_height_fields(void **state)
{
    (void)state;
    static const double        wanted[6] = {0.6, 0.8, 1, 0, 0.2, 0.4}; // as MuJoCo has them
    static const unsigned char grey[6] = {0, 50, 100, 150, 200, 250};
    unsigned char              pixels[18], file[300];
    const char *xml = "<mujoco><asset><hfield name='h' file='h.png' size='1 1 1 .1'/></asset>"
                      "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>";
    for (int kind = 0; kind < 3; kind++) { // grey, colour, grey of 16 bits
        int channels = kind == 1 ? 3 : kind == 2 ? 2 : 1;
        for (int i = 0; i < 6; i++) {
            for (int c = 0; c < channels; c++) {
                pixels[i * channels + c] = c == 0 ? grey[i] : 7;
            }
        }
        size_t size =
            make_png(file, kind == 1 ? 2 : 0, kind == 2 ? 16 : 8, pixels, 3 * (size_t)channels);
        write_bytes("h.png", file, size);
        TactModel             *model = load(tact_scratch_write("h.xml", xml));
        const TactHeightField *field = &model->heightfields[0];
        assert_int_equal(field->rows, 2);
        assert_int_equal(field->columns, 3);
        for (int i = 0; i < 6; i++) {
            tact_mjcf_near(field->height[i], wanted[i]);
        }
        tact_model_destroy(model);
        // Cut off anywhere, it is refused.
        for (size_t cut = 0; cut + 12 < size; cut += 5) {
            TactModel          *none = NULL;
            TactModelLoadConfig config = tact_model_load_config_default();
            write_bytes("h.png", file, cut);
            assert_int_equal(tact_model_load(tact_scratch_path("h.xml"), &config, &none, NULL),
                             TACT_BAD_INPUT);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_attributes_are_absent_ones),
        cmocka_unit_test(a_range_may_be_endless_on_either_side),
        cmocka_unit_test(what_gives_energy_is_taken_with_a_note),
        cmocka_unit_test(a_ball_may_be_limited_to_nothing),
        cmocka_unit_test(a_replicate_may_have_a_prefix),
        cmocka_unit_test(an_error_names_the_element_that_caused_it),
        cmocka_unit_test(a_cable_becomes_bodies),
        cmocka_unit_test(cables_that_are_none_are_refused),
        cmocka_unit_test(meshes_are_made_from_parameters_as_in_mujoco),
        cmocka_unit_test(of_several_objects_the_first_weighs_and_all_touch),
        cmocka_unit_test(meshes_of_the_old_format_are_read),
        cmocka_unit_test(pictures_are_height_fields),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
