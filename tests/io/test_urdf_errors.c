// URDF: what is refused, and with which words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "io/urdf_text.h"

static int teardown(void **state)
{
    tact_urdf_text_forget();
    return tact_scratch_teardown(state);
}

typedef struct Case {
    const char *text;
    const char *words;
} Case;

static void refuse_all(const Case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        tact_urdf_text_refused(cases[i].text, TACT_BAD_INPUT, cases[i].words);
    }
}

#define REFUSE_ALL(cases) refuse_all(cases, (int)(sizeof(cases) / sizeof(cases)[0]))

static void trees_that_are_none(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"<robot name='r'/>", "r.urdf:1: robot: there is no link"},
        {"<robot name='r'>\n<link/>\n</robot>", "r.urdf:2: link"},
        {URDF_ROBOT(URDF_LINK("a") URDF_LINK("a")), "r.urdf:3: link: name: there is a link 'a' "
                                                    "already, on line 2"},
        {URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") //
                    URDF_JOINT("j", "fixed", "a", "b", "")       //
                    URDF_JOINT("k", "fixed", "a", "c", "")       //
                    URDF_JOINT("l", "fixed", "c", "b", "")),
         "r.urdf:7: joint: link 'b' has two parents, joints 'j' and 'l'"},
        {URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") //
                    URDF_JOINT("j", "fixed", "a", "b", "") URDF_JOINT("k", "fixed", "b", "a", "")),
         "r.urdf:2: link: there is no root: link 'a' is below itself"},
        {URDF_ROBOT(URDF_LINK("r") URDF_LINK("a") URDF_LINK("b") //
                    URDF_JOINT("j", "fixed", "a", "b", "") URDF_JOINT("k", "fixed", "b", "a", "")),
         "r.urdf:3: link: link 'a' is below itself"},
        {URDF_ROBOT(URDF_LINK("a") URDF_JOINT("j", "fixed", "a", "a", "")),
         "r.urdf:3: joint: joint 'j' joins link 'a' to itself"},
        {URDF_ROBOT(URDF_LINK("a") URDF_JOINT("j", "fixed", "a", "x", "")),
         "r.urdf:3: child: link: there is no link 'x'"},
        {URDF_ROBOT(URDF_LINK("a") URDF_JOINT("j", "fixed", "y", "a", "")),
         "r.urdf:3: parent: link: there is no link 'y'"},
        {URDF_ROBOT(URDF_LINK("a") "<joint name='j' type='fixed'><parent link='a'/></joint>"),
         "joint 'j' has no <child>"},
        {URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") //
                    URDF_JOINT("j", "fixed", "a", "b", "") URDF_JOINT("j", "fixed", "a", "c", "")),
         "r.urdf:6: joint: name: there is a joint 'j' already, on line 5"},
        {"<robot name='r' xmlns:xacro='x'>\n<xacro:include filename='a'/>\n</robot>",
         "r.urdf:2: xacro:include: macros must be expanded first"},
        {"<robot name='r' xmlns:xacro='x'>\n<xacro:arm/><link name='${n}'/>\n</robot>",
         "r.urdf:2: xacro:arm: macros must be expanded first"},
    };
    REFUSE_ALL(cases);
}

#define TWO(type, rest) \
    URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_JOINT("j", type, "a", "b", rest))

static void joints_that_make_no_sense(void **state)
{
    (void)state;
    static const Case cases[] = {
        {TWO("ball", ""), "r.urdf:4: joint: type"},
        {TWO("continuous", "<axis xyz='0 0 0'/>"),
         "r.urdf:4: axis: xyz: the axis of joint 'j' is zero"},
        {TWO("continuous", "<axis xyz='0 1'/>"), "r.urdf:4: axis: xyz"},
        {TWO("continuous", "<origin rpy='0 nan 0'/>"), "r.urdf:4: origin: rpy"},
        {TWO("continuous", "<dynamics friction='-1'/>"),
         "r.urdf:4: dynamics: friction: it must not be negative"},
        {TWO("continuous", "<mimic joint='x'/>"), "r.urdf:4: mimic: joint: there is no joint 'x'"},
        {TWO("continuous", "<mimic joint='j'/>"), "joint 'j' mimics itself"},
        {TWO("continuous", "<mimic/>"), "r.urdf:4: mimic"},
        {TWO("fixed", "<mimic joint='j'/>"), "joint 'j' mimics itself"},
    };
    REFUSE_ALL(cases);
}

#define INERTIAL(rest) URDF_ROBOT("<link name='a'><inertial>" rest "</inertial></link>\n")
#define SHAPE(rest)                                                                   \
    URDF_ROBOT("<link name='a'>" URDF_MASS "<collision><geometry>" rest "</geometry>" \
               "</collision></link>\n")

static void links_that_make_no_sense(void **state)
{
    (void)state;
    static const Case cases[] = {
        {INERTIAL("<mass value='1'/>"), "the inertial of link 'a' has no <inertia>"},
        {INERTIAL("<inertia ixx='1' iyy='1' izz='1'/>"), "the inertial of link 'a' has no <mass>"},
        {INERTIAL("<mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/>"),
         "r.urdf:2: mass: value: the mass of link 'a' is negative"},
        {INERTIAL("<mass value='1'/><inertia ixx='1' iyy='1' izz='-1'/>"), "body 'a'"},
        {INERTIAL("<mass value='1'/><inertia ixx='1' iyy='1'/>"), "r.urdf:2: inertia"},
        {SHAPE(""), "there is no shape in <geometry>"},
        {SHAPE("<cone/>"),
         "r.urdf:2: cone: a shape is box, sphere, cylinder, capsule, plane or mesh"},
        {SHAPE("<box size='1 0 1'/>"), "r.urdf:2: box: size: it must be positive"},
        {SHAPE("<box/>"), "r.urdf:2: box"},
        {SHAPE("<sphere radius='-1'/>"), "r.urdf:2: sphere: radius: it must be positive"},
        {SHAPE("<cylinder radius='1'/>"), "r.urdf:2: cylinder"},
        {SHAPE("<mesh filename='a.stl' scale='1 0 1'/>"), "scale: it must not be zero"},
        {SHAPE("<mesh filename='a.stl' scale='1 1'/>"), "scale: it is one number or three"},
        {SHAPE("<mesh/>"), "r.urdf:2: mesh"},
        {SHAPE("<mesh filename='package://'/>"), "it is package://NAME/FILE"},
        {URDF_ROBOT(URDF_LINK("a") "<gazebo reference='a'><mu1>much</mu1></gazebo>"),
         "r.urdf:3: mu1"},
        {URDF_ROBOT(URDF_LINK("a") "<gazebo reference='a'><mu1>-1</mu1></gazebo>"),
         "friction must not be negative"},
        {URDF_ROBOT(URDF_LINK("a") "<gazebo reference='a'><gravity>x</gravity></gazebo>"),
         "it is true or false"},
    };
    REFUSE_ALL(cases);
    tact_urdf_text_refused(SHAPE("<mesh filename='no.stl'/>"), TACT_IO_ERROR, "r.urdf:2: mesh");
    tact_urdf_text_refused(SHAPE("<mesh filename='http://x/a.stl'/>"), TACT_UNSUPPORTED,
                           "only package://, model://, file:// and paths");
}

static void a_free_root_must_not_be_the_world(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    const char         *text = URDF_ROBOT(URDF_LINK("world"));
    config.urdf_free = true;
    assert_int_equal(tact_model_load_memory("r.urdf", text, strlen(text), &config, &model, NULL),
                     TACT_BAD_INPUT);
    tact_scratch_said("r.urdf:2: link: link 'world' is the world, which does not float");
}

// ---------------------------------------------------------------------------------------------
// Mesh files

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// Two tetrahedra that share an edge only: closed, but not convex.
static const char two_tetrahedra[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                     "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                                     "v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\n"
                                     "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";

static const char *write_robot(const char *uri)
{
    char text[1000];
    snprintf(text, sizeof text,
             URDF_ROBOT("<link name='a'>" URDF_MASS
                        "<collision><geometry><mesh filename='%s' scale='2 2 2'/></geometry>"
                        "</collision><collision><geometry><mesh filename='%s' scale='2 2 2'/>"
                        "</geometry></collision></link>"),
             uri, uri);
    return tact_scratch_write("robot.urdf", text);
}

static void expect_mesh(const char *uri, const TactModelLoadConfig *config, TactGeomType type)
{
    TactModel *model = NULL;
    if (tact_model_load(write_robot(uri), config, &model, NULL) != TACT_OK) {
        fail_msg("%s: %s", uri, tact_status_message());
    }
    assert_int_equal(model->mesh_count, 1); // the file is read once
    assert_int_equal(model->geom_count, 2);
    assert_int_equal(model->geoms[1].type, type);
    assert_true(model->meshes[0].mesh->vertices[1].x == 2); // 1 by the scale
    tact_model_destroy(model);
}

static void a_concave_collision_is_its_triangles_and_one_scale_is_for_all_axes(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    tact_scratch_write("two.obj", two_tetrahedra);
    const char *path = tact_scratch_write(
        "concave.urdf",
        URDF_ROBOT("<link name='a'>" URDF_MASS
                   "<collision concave='yes'><geometry><mesh filename='two.obj' scale='2'/>"
                   "</geometry></collision><collision concave='no'><geometry>"
                   "<mesh filename='two.obj' scale='2 2 2'/></geometry></collision><collision>"
                   "<geometry><mesh filename='two.obj' scale='2'/></geometry>"
                   "<sdf resolution='256'/></collision></link>"));
    assert_int_equal(tact_model_load(path, &config, &model, NULL), TACT_OK);
    assert_int_equal(model->mesh_count, 1);
    assert_int_equal(model->geoms[0].type, TACT_GEOM_MESH);
    assert_int_equal(model->geoms[1].type, TACT_GEOM_CONVEX);
    assert_int_equal(model->geoms[2].type, TACT_GEOM_MESH); // Isaac's word
    tact_model_destroy(model);
}

static void meshes_are_found_by_path_and_by_package(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    char                command[2000];
    char                uri[700];
    char                folder[600];
    snprintf(folder, sizeof folder, "%s", tact_scratch_path("packages"));
    snprintf(command, sizeof command, "mkdir -p '%s/my_robot/meshes'", folder);
    assert_int_equal(system(command), 0);
    tact_scratch_write("t.obj", tetrahedron);
    tact_scratch_write("packages/my_robot/meshes/t.obj", tetrahedron);
    tact_scratch_write("two.obj", two_tetrahedra);

    expect_mesh("t.obj", &config, TACT_GEOM_CONVEX);
    expect_mesh("two.obj", &config, TACT_GEOM_CONVEX);
    config.urdf_exact_meshes = true;
    expect_mesh("two.obj", &config, TACT_GEOM_MESH);
    expect_mesh("t.obj", &config, TACT_GEOM_CONVEX);
    config.urdf_exact_meshes = false;
    snprintf(uri, sizeof uri, "file://%s", tact_scratch_path("t.obj"));
    expect_mesh(uri, &config, TACT_GEOM_CONVEX);

    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
    TactModel *model = NULL;
    assert_int_equal(
        tact_model_load(write_robot("package://my_robot/meshes/t.obj"), &config, &model, NULL),
        TACT_IO_ERROR);
    tact_scratch_said("there is no package 'my_robot' (for 'meshes/t.obj')");
    tact_scratch_said("ROS_PACKAGE_PATH (not set), nor in AMENT_PREFIX_PATH (not set)");

    const char *paths[] = {"/nowhere", folder};
    config.package_path_count = 2;
    config.package_paths = paths;
    expect_mesh("package://my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);
    expect_mesh("model://my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);

    config.package_path_count = 0;
    snprintf(uri, sizeof uri, "/nowhere:%s", folder);
    setenv("ROS_PACKAGE_PATH", uri, 1);
    expect_mesh("package://my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);

    // The package itself may be on the path, or be inside of a repository there.
    snprintf(uri, sizeof uri, "%s/my_robot", folder);
    setenv("ROS_PACKAGE_PATH", uri, 1);
    expect_mesh("package://my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);
    snprintf(uri, sizeof uri, "%s", folder);
    *strrchr(uri, '/') = '\0';
    setenv("ROS_PACKAGE_PATH", uri, 1);
    expect_mesh("package://my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);
    assert_int_equal(
        tact_model_load(write_robot("package://my_robot/none.obj"), &config, &model, NULL),
        TACT_IO_ERROR);
    tact_scratch_said("packages/my_robot, but has no file 'none.obj'");
    unsetenv("ROS_PACKAGE_PATH");

    // ROS 2: PREFIX/share/NAME; and a package beside the one of the file.
    snprintf(command, sizeof command,
             "mkdir -p '%s/share/two' && cp '%s/my_robot/meshes/t.obj' "
             "'%s/share/two/'",
             folder, folder, folder);
    assert_int_equal(system(command), 0);
    setenv("AMENT_PREFIX_PATH", folder, 1);
    expect_mesh("package://two/t.obj", &config, TACT_GEOM_CONVEX);
    unsetenv("AMENT_PREFIX_PATH");
    expect_mesh("package://packages/my_robot/meshes/t.obj", &config, TACT_GEOM_CONVEX);

    // A file inside of its own package needs no path.
    char root[300];
    snprintf(root, sizeof root, "%s", tact_scratch_path("t.obj"));
    *strrchr(root, '/') = '\0';
    snprintf(uri, sizeof uri, "package://%s/t.obj", strrchr(root, '/') + 1);
    expect_mesh(uri, &config, TACT_GEOM_CONVEX);

    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/// URDFs made for MuJoCo say where meshes are in an element of their own; folders of the name are
/// tried there first, then none.
static void meshes_are_found_in_the_folder_for_mujoco(void **state)
{
    (void)state;
    TactModelLoadConfig      config = tact_model_load_config_default();
    static const char *const names[] = {"t.obj", "package://none/made/t.obj", "made/t.obj",
                                        "sub/u.obj"};
    char                     command[1000], text[1000];
    snprintf(command, sizeof command, "mkdir -p '%s/sub'", tact_scratch_path("for_mujoco"));
    assert_int_equal(system(command), 0);
    tact_scratch_write("for_mujoco/t.obj", tetrahedron);
    tact_scratch_write("for_mujoco/sub/u.obj", tetrahedron);
    for (int i = 0; i < 2 * (int)(sizeof names / sizeof *names); i++) {
        snprintf(text, sizeof text,
                 "<robot name='r'><mujoco><compiler %s='for_mujoco/'/></mujoco><link name='a'>"
                 "<collision><geometry><mesh filename='%s'/></geometry></collision></link></robot>",
                 i % 2 ? "assetdir" : "meshdir", names[i / 2]);
        tact_scratch_write("r.urdf", text);
        TactModel *model = NULL;
        if (tact_model_load(tact_scratch_path("r.urdf"), &config, &model, NULL) != TACT_OK) {
            fail_msg("%s: %s", names[i / 2], tact_status_message());
        }
        assert_int_equal(model->mesh_count, 1);
        tact_model_destroy(model);
    }
    snprintf(command, sizeof command, "rm -r '%s'", tact_scratch_path("for_mujoco"));
    assert_int_equal(system(command), 0);
}

static void a_chain_of_many_links_is_read(void **state)
{
    (void)state;
    enum { LINKS = 3000 };
    size_t room = LINKS * 400;
    char  *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, "<robot name='chain'>");
    for (int i = 0; i < LINKS; i++) {
        used +=
            (size_t)snprintf(text + used, room - used, "<link name='l%d'>" URDF_MASS "</link>", i);
        if (i > 0) {
            used += (size_t)snprintf(text + used, room - used,
                                     "<joint name='j%d' type='continuous'><parent link='l%d'/>"
                                     "<child link='l%d'/></joint>",
                                     i, i - 1, i);
        }
    }
    snprintf(text + used, room - used, "</robot>");
    const TactModel *model = tact_urdf_text_load(text);
    free(text);
    assert_int_equal(model->nv, LINKS - 1);
    assert_int_equal(model->bodies[LINKS].parent, LINKS - 1);
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2) || !defined(TACT_HAVE_QHULL)
    print_message("skipped: built without libxml2 or qhull\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_that_are_none),
        cmocka_unit_test(joints_that_make_no_sense),
        cmocka_unit_test(links_that_make_no_sense),
        cmocka_unit_test(a_free_root_must_not_be_the_world),
        cmocka_unit_test(a_concave_collision_is_its_triangles_and_one_scale_is_for_all_axes),
        cmocka_unit_test(meshes_are_found_by_path_and_by_package),
        cmocka_unit_test(meshes_are_found_in_the_folder_for_mujoco),
        cmocka_unit_test(a_chain_of_many_links_is_read),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, teardown);
}
