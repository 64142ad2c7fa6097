#include "io/record_sample.h"

#include <math.h>
#include <string.h>

#include "io/scratch.h"

static const TactSource nowhere = {0};

static int add_body(TactModelBuilder *builder, const char *name, int parent, TactVec3 position)
{
    TactBodyDesc body = tact_body_default();
    int          index;
    body.name = name;
    body.parent = parent;
    body.pose.position = position;
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &index), TACT_OK);
    return index;
}

static void add_geom(TactModelBuilder *builder, const char *name, int body, TactGeomType type,
                     int mesh)
{
    TactGeomDesc desc = tact_geom_default(type);
    desc.geom.name = name;
    desc.geom.body = body;
    desc.geom.mesh = mesh;
    desc.geom.rgba[0] = 0.25;
    for (int i = 0; i < 3; i++) {
        desc.geom.size[i] = 0.1 * (i + 1);
    }
    desc.mesh_inertia = TACT_MESH_INERTIA_LEGACY;
    assert_int_equal(tact_model_builder_add_geom(builder, &desc, nowhere, NULL), TACT_OK);
}

static void add_joint(TactModelBuilder *builder, const char *name, int body, TactJointType type)
{
    TactJoint joint = tact_joint_default(type);
    joint.name = name;
    joint.body = body;
    joint.limited = type == TACT_JOINT_HINGE;
    joint.range[0] = -1;
    joint.range[1] = 2;
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, NULL), TACT_OK);
}

static void add_assets(TactModelBuilder *builder)
{
    static const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const TactTriangle faces[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    static const double       heights[] = {0, 0.5, 1, 0.25, 0, 0.75};

    TactMesh       *mesh = NULL;
    TactHeightField field = {.name = "hills",
                             .rows = 2,
                             .columns = 3,
                             .half = {1, 2},
                             .top = 0.5,
                             .base = 0.1,
                             .height = heights};
    assert_int_equal(tact_mesh_create(corners, 4, faces, 4, &mesh), TACT_OK);
    assert_int_equal(tact_model_builder_add_mesh(builder, "corner", mesh, nowhere, NULL), TACT_OK);
    assert_int_equal(tact_model_builder_add_heightfield(builder, &field, nowhere, NULL), TACT_OK);
}

TactModel *tact_record_sample_model(void)
{
    TactModelBuilder *builder = NULL;
    TactModel        *model = NULL;
    TactModelConfig   config = tact_model_config_default();
    config.name = "sample";
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    add_assets(builder);
    int ball = add_body(builder, "ball", 0, (TactVec3){1, 2, 3});
    int post = add_body(builder, "post", 0, (TactVec3){0, 0, 3});
    int arm = add_body(builder, "arm", post, (TactVec3){0, 1, 0});
    add_joint(builder, "a,\"b\"", ball, TACT_JOINT_FREE);
    add_joint(builder, "elbow", arm, TACT_JOINT_HINGE);
    add_geom(builder, "ground", 0, TACT_GEOM_HEIGHTFIELD, 0);
    add_geom(builder, "", ball, TACT_GEOM_SPHERE, -1);
    add_geom(builder, "wedge", arm, TACT_GEOM_MESH, 0);
    TactSite site = tact_site_default();
    site.name = "tip";
    site.body = arm;
    assert_int_equal(tact_model_builder_add_site(builder, &site, nowhere, NULL), TACT_OK);
    TactActuatorDesc motor = tact_actuator_default();
    motor.actuator.name = "motor";
    motor.actuator.target = 1; // elbow
    motor.actuator.ctrl_limited = true;
    motor.actuator.ctrl_range[0] = -3;
    motor.actuator.ctrl_range[1] = 3;
    assert_int_equal(tact_model_builder_add_actuator(builder, &motor, nowhere, NULL), TACT_OK);
    TactSensor angle = {.name = "angle",
                        .type = TACT_SENSOR_JOINT_POSITION,
                        .object_type = TACT_OBJECT_JOINT,
                        .object = 1};
    assert_int_equal(tact_model_builder_add_sensor(builder, &angle, nowhere, NULL), TACT_OK);
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    tact_model_builder_destroy(builder);
    return model;
}

static TactVec3 arbitrary(TactRandom *random)
{
    TactVec3 v;
    v.x = tact_random_normal(random);
    v.y = tact_random_normal(random);
    v.z = tact_random_normal(random);
    return v;
}

TactRecordFrame tact_record_sample_frame(const TactModel *model, int k)
{
    static double            numbers[64];
    static TactTransform     poses[8];
    static TactRecordContact contacts[TACT_RECORD_SAMPLE_CONTACTS];

    TactRandom random = tact_random_seed(100 + (uint64_t)k);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        numbers[i] = tact_random_normal(&random);
    }
    tact_model_compute_poses(model, numbers, poses);
    TactRecordFrame frame = {
        .time = 0.25 * k,
        .step = 10 * (uint64_t)k,
        .hash = tact_random_next(&random),
        .kinetic = tact_random_normal(&random),
        .potential = tact_random_normal(&random),
        .error = 1e-12,
        .penetration = 1e-6,
        .loop_error = 1e-9,
        .solve_time = 1e-5,
        .step_time = 2e-5,
        .islands = 2,
        .certified = k % 3,
        .pivots = k,
        .rows = 1,
        .q = numbers,
        .v = numbers + 20,
        .ctrl = numbers + 40,
        .sensors = numbers + 50,
        .poses = poses,
        .rung_count = 2,
        .rungs = {{"last-basis", 1}, {"reduced", k + 1}},
        .contact_count = k % (TACT_RECORD_SAMPLE_CONTACTS + 1),
        .contacts = contacts,
    };
    for (int i = 0; i < TACT_RECORD_SAMPLE_CONTACTS; i++) {
        TactVec3 force = arbitrary(&random), velocity = arbitrary(&random);
        contacts[i] = (TactRecordContact){
            .geom = {0, 1 + i % 2},
            .id = tact_random_next(&random),
            .point = arbitrary(&random),
            .normal = tact_vec3_normalise(arbitrary(&random)),
            .tangent = tact_vec3_normalise(arbitrary(&random)),
            .depth = 1e-7 * i,
            .mu = 0.5,
            .force = {force.x, force.y, force.z},
            .velocity = {velocity.x, velocity.y, velocity.z},
            .friction_used = 0.3,
            .state = (TactContactState)(i % 3),
        };
        if (i % 3 != 1) { // the others have none
            TactVec3 moment = arbitrary(&random), spin = arbitrary(&random);
            contacts[i].mu_spin = 0.01;
            contacts[i].mu_roll = 0.001 * i;
            memcpy(contacts[i].moment, (double[]){moment.x, moment.y, moment.z},
                   sizeof contacts[i].moment);
            memcpy(contacts[i].spin, (double[]){spin.x, spin.y, spin.z}, sizeof contacts[i].spin);
        }
    }
    return frame;
}

static void same_float(double a, double b)
{
    assert_true((double)(float)a == b);
}

static void same_vector(TactVec3 a, TactVec3 b)
{
    same_float(a.x, b.x);
    same_float(a.y, b.y);
    same_float(a.z, b.z);
}

static void same_contact(const TactRecordContact *a, const TactRecordContact *b)
{
    assert_int_equal(a->geom[0], b->geom[0]);
    assert_int_equal(a->geom[1], b->geom[1]);
    assert_true(a->id == b->id);
    assert_int_equal(a->state, b->state);
    same_vector(a->point, b->point);
    same_vector(a->normal, b->normal);
    same_vector(a->tangent, b->tangent);
    same_float(a->depth, b->depth);
    same_float(a->mu, b->mu);
    same_float(a->mu_spin, b->mu_spin);
    same_float(a->mu_roll, b->mu_roll);
    same_float(a->friction_used, b->friction_used);
    for (int k = 0; k < 3; k++) {
        same_float(a->force[k], b->force[k]);
        same_float(a->moment[k], b->moment[k]);
        same_float(a->spin[k], b->spin[k]);
        same_float(a->velocity[k], b->velocity[k]);
    }
}

static void same_report(const TactRecordFrame *a, const TactRecordFrame *b)
{
    const double of_a[] = {a->time,        a->kinetic,    a->potential,  a->error,
                           a->penetration, a->loop_error, a->solve_time, a->step_time};
    const double of_b[] = {b->time,        b->kinetic,    b->potential,  b->error,
                           b->penetration, b->loop_error, b->solve_time, b->step_time};
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_true(a->step == b->step);
    assert_true(a->hash == b->hash);
    assert_int_equal(a->islands, b->islands);
    assert_int_equal(a->certified, b->certified);
    assert_int_equal(a->pivots, b->pivots);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->rung_count, b->rung_count);
    for (int i = 0; i < a->rung_count; i++) {
        assert_string_equal(a->rungs[i].name, b->rungs[i].name);
        assert_int_equal(a->rungs[i].count, b->rungs[i].count);
    }
}

void tact_record_sample_same(const TactModel *model, const TactRecordFrame *a,
                             const TactRecordFrame *b)
{
    size_t number = sizeof(double);
    same_report(a, b);
    assert_memory_equal(a->q, b->q, (size_t)model->nq * number);
    assert_memory_equal(a->v, b->v, (size_t)model->nv * number);
    assert_memory_equal(a->ctrl, b->ctrl, (size_t)model->actuator_count * number);
    assert_memory_equal(a->sensors, b->sensors, (size_t)model->sensor_size * number);
    for (int i = 0; i < model->body_count; i++) {
        TactQuat p = a->poses[i].rotation, q = b->poses[i].rotation;
        same_vector(a->poses[i].position, b->poses[i].position);
        same_float(p.w, q.w);
        same_vector((TactVec3){p.x, p.y, p.z}, (TactVec3){q.x, q.y, q.z});
    }
    assert_int_equal(a->contact_count, b->contact_count);
    for (int i = 0; i < a->contact_count; i++) {
        same_contact(&a->contacts[i], &b->contacts[i]);
    }
}

const char *tact_record_sample_write(const TactModel *model, const char *name, int frames)
{
    static const char *const words[] = {"run", "sample.xml", "--time", "1"};

    const char       *path = tact_scratch_path(name);
    TactRecordWriter *writer = NULL;
    TactRecordConfig  config = tact_record_config_default();
    TactRecordRun     run = {.scene = "sample.xml",
                             .method = "ladder",
                             .cone = "circle",
                             .timestep = 0.002,
                             .word_count = 4,
                             .words = words};
    config.sensors = true;
    assert_int_equal(tact_record_writer_create(path, model, &run, &config, &writer), TACT_OK);
    for (int k = 0; k < frames; k++) {
        TactRecordFrame frame = tact_record_sample_frame(model, k);
        assert_int_equal(tact_record_writer_add(writer, &frame), TACT_OK);
    }
    assert_int_equal(tact_record_writer_destroy(writer), TACT_OK);
    return path;
}
