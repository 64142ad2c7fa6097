// URDF: what a file says is what the model has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "io/urdf_text.h"

static const double rounding = 1e-15;

static void near(double a, double b, double scale)
{
    if (!(fabs(a - b) <= 4 * rounding * scale)) {
        fail_msg("%.17g is not %.17g (apart by %.1e)", a, b, fabs(a - b));
    }
}

static void near_vector(TactVec3 a, TactVec3 b)
{
    near(a.x, b.x, 1);
    near(a.y, b.y, 1);
    near(a.z, b.z, 1);
}

static void near_pose(TactTransform a, TactTransform b)
{
    double sign = a.rotation.w * b.rotation.w + a.rotation.x * b.rotation.x +
                              a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z <
                          0
                      ? -1
                      : 1;
    near_vector(a.position, b.position);
    near(a.rotation.w, sign * b.rotation.w, 1);
    near(a.rotation.x, sign * b.rotation.x, 1);
    near(a.rotation.y, sign * b.rotation.y, 1);
    near(a.rotation.z, sign * b.rotation.z, 1);
}

static void near_inertia(TactInertia a, TactInertia b)
{
    double size = b.rotary.m[0][0] + b.rotary.m[1][1] + b.rotary.m[2][2];
    near(a.mass, b.mass, b.mass);
    near_vector(a.com, b.com);
    for (int i = 0; i < 9; i++) {
        near(a.rotary.m[i / 3][i % 3], b.rotary.m[i / 3][i % 3], size);
    }
}

static int forget(void **state)
{
    (void)state;
    tact_urdf_text_forget();
    return 0;
}

static int teardown(void **state)
{
    tact_urdf_text_forget();
    return tact_scratch_teardown(state);
}

// ---------------------------------------------------------------------------------------------
// One arm, two files

static void same_joints(const TactModel *a, const TactModel *b)
{
    assert_int_equal(a->joint_count, b->joint_count);
    for (int i = 0; i < a->joint_count; i++) {
        const TactJoint *x = &a->joints[i];
        const TactJoint *y = &b->joints[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->body, y->body);
        assert_int_equal(x->q, y->q);
        near_vector(x->position, y->position);
        near_vector(x->axis, y->axis);
        assert_int_equal(x->limited, y->limited);
        assert_int_equal(x->force_limited, y->force_limited);
        for (int k = 0; k < 2; k++) {
            assert_true(x->range[k] == y->range[k]);
            assert_true(x->force_range[k] == y->force_range[k]);
        }
        assert_true(x->damping == y->damping);
        assert_true(x->friction == y->friction);
        assert_true(x->armature == y->armature);
    }
}

static void same_geoms(const TactModel *a, const TactModel *b)
{
    assert_int_equal(a->geom_count, b->geom_count);
    for (int i = 0; i < a->geom_count; i++) {
        const TactGeom *x = &a->geoms[i];
        const TactGeom *y = &b->geoms[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->body, y->body);
        near_pose(x->pose, y->pose);
        assert_int_equal(x->visual, y->visual);
        assert_int_equal(x->group, y->group);
        assert_true(x->mu == y->mu);
        for (int k = 0; k < 3 && x->mesh < 0; k++) {
            assert_true(x->size[k] == y->size[k]);
        }
    }
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (int i = 0; i < a->mesh_count; i++) {
        assert_string_equal(a->meshes[i].name, b->meshes[i].name);
        assert_int_equal(a->meshes[i].mesh->vertex_count, b->meshes[i].mesh->vertex_count);
        assert_memory_equal(a->meshes[i].mesh->vertices, b->meshes[i].mesh->vertices,
                            (size_t)a->meshes[i].mesh->vertex_count * sizeof(TactVec3));
    }
}

static void an_arm_is_the_same_from_urdf_and_mjcf(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *urdf = NULL;
    TactModel          *mjcf = NULL;
    if (tact_model_load(TACT_SOURCE_DIR "/tests/models/arm.urdf", &config, &urdf, NULL) !=
            TACT_OK ||
        tact_model_load(TACT_SOURCE_DIR "/tests/models/arm.xml", &config, &mjcf, NULL) != TACT_OK) {
        tact_model_destroy(urdf);
        fail_msg("%s", tact_status_message());
    }
    assert_string_equal(urdf->name, mjcf->name);
    assert_int_equal(urdf->nq, mjcf->nq);
    assert_int_equal(urdf->nv, mjcf->nv);
    near(urdf->mass, mjcf->mass, mjcf->mass);
    assert_int_equal(urdf->body_count, mjcf->body_count);
    for (int i = 0; i < urdf->body_count; i++) {
        assert_string_equal(urdf->bodies[i].name, mjcf->bodies[i].name);
        assert_int_equal(urdf->bodies[i].parent, mjcf->bodies[i].parent);
        near_pose(urdf->bodies[i].pose, mjcf->bodies[i].pose);
        near_inertia(urdf->bodies[i].inertia, mjcf->bodies[i].inertia);
    }
    same_joints(urdf, mjcf);
    same_geoms(urdf, mjcf);
    assert_int_equal(urdf->equality_count, mjcf->equality_count);
    assert_int_equal(urdf->equalities[0].a, mjcf->equalities[0].a);
    assert_int_equal(urdf->equalities[0].b, mjcf->equalities[0].b);
    assert_memory_equal(urdf->equalities[0].polynomial, mjcf->equalities[0].polynomial,
                        sizeof urdf->equalities[0].polynomial);
    tact_model_destroy(urdf);
    tact_model_destroy(mjcf);
}

// ---------------------------------------------------------------------------------------------
// Joints

static void every_joint_type_has_its_degrees_of_freedom(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") URDF_LINK("d") URDF_LINK("e")
                       URDF_LINK("f") URDF_LINK("g")        //
                   URDF_JOINT("fix", "fixed", "a", "b", "") //
                   URDF_JOINT("turn", "revolute", "b", "c",
                              "<axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='3' "
                              "velocity='1'/><dynamics damping='0.5' friction='0.25'/>")       //
                   URDF_JOINT("spin", "continuous", "c", "d", "<axis xyz='0 1 0'/>")           //
                   URDF_JOINT("push", "prismatic", "d", "e", "<limit lower='0' upper='0.5'/>") //
                   URDF_JOINT("float", "floating", "b", "f", "")                               //
                   URDF_JOINT("plane", "planar", "e", "g", "<axis xyz='0 0 1'/>")));
    static const struct {
        const char   *name;
        TactJointType type;
        int           q, dof;
        TactVec3      axis;
    } expected[] = {
        {"turn", TACT_JOINT_HINGE, 0, 0, {0, 0, 1}},
        {"spin", TACT_JOINT_HINGE, 1, 1, {0, 1, 0}},
        {"push", TACT_JOINT_SLIDE, 2, 2, {1, 0, 0}},
        {"plane_x", TACT_JOINT_SLIDE, 3, 3, {1, 0, 0}},
        {"plane_y", TACT_JOINT_SLIDE, 4, 4, {0, 1, 0}},
        {"plane_turn", TACT_JOINT_HINGE, 5, 5, {0, 0, 1}},
        {"float", TACT_JOINT_FREE, 6, 6, {0, 0, 0}},
    };
    assert_int_equal(model->joint_count, 7);
    assert_int_equal(model->nq, 13);
    assert_int_equal(model->nv, 12);
    for (int i = 0; i < 7; i++) {
        const TactJoint *joint = &model->joints[i];
        assert_string_equal(joint->name, expected[i].name);
        assert_int_equal(joint->type, expected[i].type);
        assert_int_equal(joint->q, expected[i].q);
        assert_int_equal(joint->dof, expected[i].dof);
        if (joint->type != TACT_JOINT_FREE) {
            near_vector(joint->axis, expected[i].axis);
        }
    }
    const TactJoint *turn = &model->joints[0];
    assert_true(turn->limited && turn->range[0] == -1 && turn->range[1] == 2);
    assert_true(turn->force_limited && turn->force_range[0] == -3 && turn->force_range[1] == 3);
    assert_true(turn->damping == 0.5 && turn->friction == 0.25);
    assert_false(model->joints[1].limited);
    assert_false(model->joints[1].force_limited);
    assert_true(model->joints[2].limited && model->joints[2].range[1] == 0.5);
    // A fixed link is a body of its own without joints.
    int b = tact_model_find(model, TACT_OBJECT_XBODY, "b");
    assert_int_equal(model->bodies[b].joint_count, 0);
    assert_string_equal(model->bodies[model->bodies[b].parent].name, "a");
}

static void rpy_turns_about_axes_that_stay_in_space(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(URDF_LINK("a") URDF_LINK(
        "b") URDF_JOINT("j", "fixed", "a", "b", "<origin xyz='1 2 3' rpy='0.3 -0.4 0.5'/>")));
    TactQuat         roll = {cos(0.15), sin(0.15), 0, 0};
    TactQuat         pitch = {cos(-0.2), 0, sin(-0.2), 0};
    TactQuat         yaw = {cos(0.25), 0, 0, sin(0.25)};
    TactTransform expected = {tact_quat_multiply(yaw, tact_quat_multiply(pitch, roll)), {1, 2, 3}};
    near_pose(model->bodies[2].pose, expected);
}

static void a_floating_link_below_one_that_moves_has_three_slides_and_a_ball(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c")
                       URDF_JOINT("spin", "continuous", "a", "b", "<axis xyz='0 0 1'/>")
                           URDF_JOINT("f", "floating", "b", "c", "<origin xyz='1 0 0'/>")));
    assert_int_equal(model->nq, 8);
    assert_int_equal(model->nv, 7);
    // b turned by 90 degrees about z; c moved by (1, 2, 3) in b, and turned by 180 about x.
    double        q[8] = {acos(0), 1, 2, 3, 0, 1, 0, 0};
    TactTransform poses[4];
    tact_model_compute_poses(model, q, poses);
    TactTransform expected = {{0, sqrt(0.5), sqrt(0.5), 0}, {-2, 2, 3}};
    near_pose(poses[3], expected);
}

static void a_floating_link_below_fixed_ones_is_free_where_the_file_puts_it(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") URDF_JOINT(
            "fix", "fixed", "a", "b", "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/>")
                       URDF_JOINT("f", "floating", "b", "c", "<origin xyz='1 0 0'/>")));
    assert_int_equal(model->nq, 7);
    TactTransform poses[4];
    tact_model_compute_poses(model, model->q_reference, poses);
    TactTransform expected = {{sqrt(0.5), 0, 0, sqrt(0.5)}, {0, 1, 1}};
    near_pose(poses[tact_model_find(model, TACT_OBJECT_XBODY, "c")], expected);
}

static void a_planar_joint_moves_across_its_axis(void **state)
{
    (void)state;
    static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1", "0 0 -1", "1 1 1"};
    for (int i = 0; i < 5; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 URDF_ROBOT(URDF_LINK("a") URDF_LINK("b")
                                URDF_JOINT("p", "planar", "a", "b", "<axis xyz='%s'/>")),
                 axes[i]);
        const TactModel *model = tact_urdf_text_load(text);
        TactVec3         x = model->joints[0].axis;
        TactVec3         y = model->joints[1].axis;
        TactVec3         z = model->joints[2].axis;
        near_vector(tact_vec3_cross(x, y), z); // a right-handed frame
        near(tact_vec3_dot(x, y), 0, 1);
        near(tact_vec3_norm(x), 1, 1);
    }
}

static void a_mimic_is_an_equality_of_joints(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") //
                   URDF_JOINT("follow", "continuous", "a", "b",
                              "<mimic joint='lead' multiplier='-2.5' offset='0.1'/>") //
                   URDF_JOINT("lead", "continuous", "a", "c", "")));
    assert_int_equal(model->equality_count, 1);
    const TactEquality *equality = &model->equalities[0];
    assert_int_equal(equality->type, TACT_EQUALITY_JOINT);
    assert_string_equal(model->joints[equality->a].name, "follow");
    assert_string_equal(model->joints[equality->b].name, "lead");
    assert_true(equality->active);
    assert_true(equality->polynomial[0] == 0.1 && equality->polynomial[1] == -2.5);
    assert_true(equality->polynomial[2] == 0 && equality->polynomial[4] == 0);
}

// ---------------------------------------------------------------------------------------------
// Links

static void an_inertial_is_turned_into_the_frame_of_its_link(void **state)
{
    (void)state;
    // Turned by 90 degrees about z: x and y change places, and xy changes its sign.
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass "
        "value='2'/><inertia ixx='3' iyy='4' izz='5' ixy='0.1' ixz='0.2' iyz='0.3'/></inertial>"
        "</link>"));
    TactInertia      expected = {2, {1, 2, 3}, {{{4, -0.1, -0.3}, {-0.1, 3, 0.2}, {-0.3, 0.2, 5}}}};
    near_inertia(model->bodies[1].inertia, expected);
}

static void shapes_have_half_lengths_and_visual_ones_touch_nothing(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT("<material name='red'><color rgba='1 0 0 0.5'/></material>"
                   "<link name='a'>" URDF_MASS
                   "<collision name='k'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/>"
                   "</geometry></collision>"
                   "<collision><geometry><sphere radius='0.5'/></geometry></collision>"
                   "<collision><geometry><cylinder radius='0.5' length='4'/></geometry></collision>"
                   "<collision name='k'><geometry><capsule radius='0.5' length='4'/></geometry>"
                   "</collision>"
                   "<visual><geometry><sphere radius='0.1'/></geometry><material name='red'/>"
                   "</visual></link>"
                   "<gazebo reference='a'><mu1>0.4</mu1><mu2>0.4</mu2></gazebo>"));
    static const struct {
        TactGeomType type;
        double       size[3];
    } expected[] = {
        {TACT_GEOM_BOX, {0.5, 1, 1.5}},    {TACT_GEOM_SPHERE, {0.5, 0, 0}},
        {TACT_GEOM_CYLINDER, {0.5, 2, 0}}, {TACT_GEOM_CAPSULE, {0.5, 2, 0}},
        {TACT_GEOM_SPHERE, {0.1, 0, 0}},
    };
    assert_int_equal(model->geom_count, 5);
    for (int i = 0; i < 5; i++) {
        const TactGeom *geom = &model->geoms[i];
        assert_int_equal(geom->type, expected[i].type);
        assert_memory_equal(geom->size, expected[i].size, sizeof geom->size);
        assert_int_equal(geom->visual, i == 4);
        assert_true(geom->mu == 0.4);
    }
    assert_string_equal(model->geoms[0].name, "k");
    assert_string_equal(model->geoms[3].name, ""); // the name is taken
    assert_true(model->geoms[0].pose.position.z == 1);
    assert_true(model->geoms[4].rgba[0] == 1 && model->geoms[4].rgba[3] == 0.5);
    assert_true(model->mass == 1); // shapes weigh nothing
}

static void a_material_counts_in_the_whole_file_and_contact_says_friction(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT("<link name='a'>" URDF_MASS
                   "<visual><geometry><sphere radius='1'/></geometry><material name='blue'/>"
                   "</visual>"
                   "<visual><geometry><sphere radius='1'/></geometry><material name='blue'><color "
                   "rgba='0 0 1 1'/></material></visual>"
                   "<contact><lateral_friction value='0.3'/><stiffness value='1'/></contact></link>"
                   "<gazebo><mu1>7</mu1></gazebo>"));
    for (int i = 0; i < 2; i++) {
        assert_true(model->geoms[i].rgba[0] == 0 && model->geoms[i].rgba[2] == 1);
        assert_true(model->geoms[i].mu == 0.3);
    }
    tact_urdf_text_noted("lateral_friction", "value", TACT_VERDICT_HONOURED);
    tact_urdf_text_noted("stiffness", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("mu1", "", TACT_VERDICT_IGNORED); // of no link
}

static void the_root_is_fixed_unless_it_shall_float(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    const TactModel    *model = tact_urdf_text_load(URDF_ROBOT(URDF_LINK("a")));
    assert_int_equal(model->nv, 0);
    config.urdf_free = true;
    model = tact_urdf_text_load_as(URDF_ROBOT(URDF_LINK("a")), &config);
    assert_int_equal(model->nv, 6);
    assert_string_equal(model->joints[0].name, "root_joint");
}

static void several_roots_are_all_attached_to_the_world(void **state)
{
    (void)state;
    static const char   text[] = URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_LINK("c")
                                                URDF_JOINT("j", "continuous", "b", "c", ""));
    TactModelLoadConfig config = tact_model_load_config_default();
    const TactModel    *model = tact_urdf_text_load(text);
    int                 b = tact_model_find(model, TACT_OBJECT_BODY, "b");
    assert_int_equal(model->body_count, 4);
    assert_int_equal(model->nv, 1);
    assert_int_equal(model->bodies[b].parent, 0);
    assert_int_equal(model->bodies[tact_model_find(model, TACT_OBJECT_BODY, "c")].parent, b);
    tact_urdf_text_noted("link", "", TACT_VERDICT_APPROXIMATED);
    config.urdf_free = true; // each floats
    model = tact_urdf_text_load_as(text, &config);
    assert_int_equal(model->nv, 13);
    assert_true(tact_model_find(model, TACT_OBJECT_JOINT, "root_joint") >= 0);
    assert_true(tact_model_find(model, TACT_OBJECT_JOINT, "b_root_joint") >= 0);
}

static void spherical_joints_are_balls_and_dampers_may_give_energy(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(URDF_LINK("a") URDF_LINK(
        "b") URDF_JOINT("j", "spherical", "a", "b", "<dynamics damping='-0.5'/>")));
    assert_int_equal(model->joints[0].type, TACT_JOINT_BALL);
    assert_true(model->joints[0].damping == -0.5);
    tact_urdf_text_noted("dynamics", "damping", TACT_VERDICT_APPROXIMATED);
}

static void a_root_called_world_is_the_world(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        "<link name='world'/>" URDF_LINK("a") URDF_JOINT("j", "continuous", "world", "a", "")));
    assert_int_equal(model->body_count, 2);
    assert_int_equal(model->bodies[1].parent, 0);
}

static void what_moves_without_mass_gets_a_little_and_a_note(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(
        URDF_ROBOT(URDF_LINK("a") "<link name='b'/>" URDF_JOINT("j", "continuous", "a", "b", "")));
    assert_true(model->bodies[2].inertia.mass == 1e-6);
    assert_true(model->bodies[2].inertia.rotary.m[1][1] == 1e-9);
    tact_urdf_text_noted("link", "", TACT_VERDICT_APPROXIMATED);
    // With a link of 1 kg fixed to it, it needs nothing of its own.
    model = tact_urdf_text_load(URDF_ROBOT(URDF_LINK("a") "<link name='b'/>" URDF_LINK(
        "c") URDF_JOINT("j", "continuous", "a", "b", "") URDF_JOINT("k", "fixed", "b", "c", "")));
    assert_true(model->bodies[2].inertia.mass == 0);
    assert_true(model->mass == 2);
    // A point mass gets inertia only.
    model = tact_urdf_text_load(URDF_ROBOT(
        URDF_LINK("a") "<link name='b'><inertial><mass value='3'/><inertia ixx='0' iyy='0' "
                       "izz='0'/></inertial></link>" URDF_JOINT("j", "continuous", "a", "b", "")));
    assert_true(model->bodies[2].inertia.mass == 3);
    assert_true(model->bodies[2].inertia.rotary.m[0][0] == 1e-9);
    tact_urdf_text_noted("inertial", "", TACT_VERDICT_APPROXIMATED);
}

static void gazebo_says_friction_and_gravity_of_links(void **state)
{
    (void)state;
    const TactModel *model = tact_urdf_text_load(URDF_ROBOT(
        "<link name='a'>" URDF_MASS "<collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link>"
        "<gazebo reference='a'><mu1> 0.5 </mu1><mu2>0.7</mu2><kp>1e6</kp>"
        "<turnGravityOff>true</turnGravityOff></gazebo>"
        "<gazebo><plugin name='p' filename='p.so'/></gazebo>"));
    assert_true(model->geoms[0].mu == 0.7);
    assert_true(model->bodies[1].gravity_compensation == 1);
    tact_urdf_text_noted("mu1", "", TACT_VERDICT_APPROXIMATED);
    tact_urdf_text_noted("mu2", "", TACT_VERDICT_HONOURED);
    tact_urdf_text_noted("kp", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("plugin", "", TACT_VERDICT_IGNORED);
}

/// Files of old say it in an attribute, and xacro writes Python's words.
static void gazebo_says_yes_and_no_in_several_words(void **state)
{
    (void)state;
    static const struct {
        const char *tag;
        bool        off;
    } cases[] = {{"<turnGravityOff value='true'/>", true},
                 {"<turnGravityOff>True</turnGravityOff>", true},
                 {"<turnGravityOff> yes </turnGravityOff>", true},
                 {"<turnGravityOff value='false'>1</turnGravityOff>", false},
                 {"<gravity>FALSE</gravity>", true},
                 {"<gravity value='1'/>", false}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 URDF_ROBOT("<link name='a'>" URDF_MASS "</link><gazebo reference='a'>%s</gazebo>"),
                 cases[i].tag);
        const TactModel *model = tact_urdf_text_load(text);
        assert_true(model->bodies[1].gravity_compensation == (cases[i].off ? 1 : 0));
    }
    tact_urdf_text_noted("gravity", "value", TACT_VERDICT_HONOURED);
}

static void products_of_inertia_given_twice_are_one(void **state)
{
    (void)state;
    static const char robot[] =
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1' "
        "ixy='0.1' ixz='0' iyz='0' iyx='%s' izx='0' izy='0'/></inertial></link></robot>";
    static const char *const other[] = {"0.1", "-0.1"};
    static const TactVerdict verdicts[] = {TACT_VERDICT_HONOURED, TACT_VERDICT_IGNORED};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, robot, other[i]);
        assert_true(tact_urdf_text_load(text)->bodies[1].inertia.rotary.m[1][0] == 0.1);
        tact_urdf_text_noted("inertia", "iyx", verdicts[i]);
        tact_urdf_text_noted("inertia", "izx", TACT_VERDICT_HONOURED);
    }
}

static void what_xacro_left_over_is_noted(void **state)
{
    (void)state;
    tact_urdf_text_load("<robot name='r' xmlns:xacro='x'><link name='a'>" URDF_MASS
                        "</link><xacro:lamp name='b'/></robot>");
    tact_urdf_text_noted("xacro:lamp", "", TACT_VERDICT_IGNORED);
}

// ---------------------------------------------------------------------------------------------
// Notes

static void what_is_not_honoured_is_noted_and_strict_refuses_it(void **state)
{
    (void)state;
    const char *text = URDF_ROBOT(URDF_LINK("a") URDF_LINK("b") URDF_JOINT(
        "j", "revolute", "a", "b",
        "<limit lower='-1' upper='1' effort='0' velocity='3'/>"
        "<safety_controller k_velocity='1'/><calibration rising='0'/>") "<transmission "
                                                                        "name='t'><type>x</type></"
                                                                        "transmission>\n<antenna/"
                                                                        ">\n");
    tact_urdf_text_load(text);
    tact_urdf_text_noted("limit", "lower", TACT_VERDICT_HONOURED);
    tact_urdf_text_noted("limit", "effort", TACT_VERDICT_APPROXIMATED);
    tact_urdf_text_noted("limit", "velocity", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("safety_controller", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("calibration", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("transmission", "", TACT_VERDICT_IGNORED);
    tact_urdf_text_noted("antenna", "", TACT_VERDICT_IGNORED);

    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    config.strict = true;
    assert_int_equal(tact_model_load_memory("r.urdf", text, strlen(text), &config, &model, NULL),
                     TACT_BAD_INPUT);
    assert_null(model);
    tact_scratch_said("r.urdf:4: limit.effort is approximated");
}

static void every_attribute_of_the_arm_is_noted(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    assert_int_equal(
        tact_model_load(TACT_SOURCE_DIR "/tests/models/arm.urdf", &config, &model, &notes),
        TACT_OK);
    int honoured = 0;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        honoured += note->verdict == TACT_VERDICT_HONOURED;
        if (note->verdict != TACT_VERDICT_HONOURED) { // all that tact cannot do of this file
            assert_string_equal(note->attribute, "velocity");
        }
        assert_true(i == 0 || note->line >= notes->items[i - 1].line);
    }
    assert_int_equal(notes->count - honoured, 5); // joints with a limit
    // Attributes of the file (less that of <?xml), and elements without any: counted by
    //   grep -o ' [a-z]*="' arm.urdf | wc -l
    //   grep -oE '<(inertial|collision|visual|geometry|mu1|mu2)>' arm.urdf | wc -l
    assert_int_equal(notes->count, 160 + 20);
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2) || !defined(TACT_HAVE_QHULL)
    print_message("skipped: built without libxml2 or qhull\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_arm_is_the_same_from_urdf_and_mjcf, forget),
        cmocka_unit_test_teardown(every_joint_type_has_its_degrees_of_freedom, forget),
        cmocka_unit_test_teardown(rpy_turns_about_axes_that_stay_in_space, forget),
        cmocka_unit_test_teardown(a_floating_link_below_one_that_moves_has_three_slides_and_a_ball,
                                  forget),
        cmocka_unit_test_teardown(a_floating_link_below_fixed_ones_is_free_where_the_file_puts_it,
                                  forget),
        cmocka_unit_test_teardown(a_planar_joint_moves_across_its_axis, forget),
        cmocka_unit_test_teardown(a_mimic_is_an_equality_of_joints, forget),
        cmocka_unit_test_teardown(an_inertial_is_turned_into_the_frame_of_its_link, forget),
        cmocka_unit_test_teardown(shapes_have_half_lengths_and_visual_ones_touch_nothing, forget),
        cmocka_unit_test_teardown(a_material_counts_in_the_whole_file_and_contact_says_friction,
                                  forget),
        cmocka_unit_test_teardown(the_root_is_fixed_unless_it_shall_float, forget),
        cmocka_unit_test_teardown(several_roots_are_all_attached_to_the_world, forget),
        cmocka_unit_test_teardown(spherical_joints_are_balls_and_dampers_may_give_energy, forget),
        cmocka_unit_test_teardown(a_root_called_world_is_the_world, forget),
        cmocka_unit_test_teardown(what_moves_without_mass_gets_a_little_and_a_note, forget),
        cmocka_unit_test_teardown(gazebo_says_friction_and_gravity_of_links, forget),
        cmocka_unit_test_teardown(gazebo_says_yes_and_no_in_several_words, forget),
        cmocka_unit_test_teardown(products_of_inertia_given_twice_are_one, forget),
        cmocka_unit_test_teardown(what_xacro_left_over_is_noted, forget),
        cmocka_unit_test_teardown(what_is_not_honoured_is_noted_and_strict_refuses_it, forget),
        cmocka_unit_test_teardown(every_attribute_of_the_arm_is_noted, forget),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, teardown);
}
