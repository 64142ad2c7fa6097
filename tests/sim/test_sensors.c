// Sensors: against MuJoCo where the motion is free, and against statics where something touches.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/text_scene.h"

#if defined(TACT_HAVE_MUJOCO)
#include <mujoco/mujoco.h>
#endif

static const double g = 9.81;

static double value(TactTestScene *scene, const char *name, int k)
{
    TactSimSensors all = {0};
    int            index = tact_model_find(scene->model, TACT_OBJECT_SENSOR, name);
    if (index < 0) {
        fail_msg("no sensor '%s'", name);
    }
    assert_int_equal(tact_sim_compute_sensors(scene->sim, &all), TACT_OK);
    return all.values[scene->model->sensors[index].address + k];
}

#if defined(TACT_HAVE_MUJOCO)
// Chains with every kind of joint, a body that is fixed to its parent, a free body; actuators with
// length and rate; nothing touches.
static const char *const mechanism =
    "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='1e-8'/>"
    "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
    "<geom name='wall' type='box' size='.1 2 2' pos='3 0 0'/>"
    "<body name='base' pos='.1 .2 .3' euler='.1 .2 .3'><joint name='turn' axis='0 .6 .8'/>"
    "<geom type='capsule' fromto='0 0 0 .3 .1 0' size='.03' mass='1'/>"
    "<body name='arm' pos='.3 .1 0' euler='.3 0 .1'><joint name='lift' type='slide' axis='1 0 .2'/>"
    "<joint name='bend' axis='0 1 0' pos='.05 0 0' armature='.01'/>"
    "<geom name='arm' type='box' size='.2 .03 .02' pos='.2 0 0' euler='0 0 .2' mass='.7'/>"
    "<site name='tip' pos='.4 .01 .02' euler='.2 -.3 .4'/>"
    "<body name='fixed' pos='.3 0 .1' euler='.4 .1 0'><geom size='.05' mass='.2' pos='0 .02 0'/>"
    "<site name='on_fixed' pos='.01 .02 .03' euler='0 .5 0'/>"
    "<body name='hand' pos='.05 0 0'><joint name='wrist' type='ball'/>"
    "<geom name='hand' type='box' size='.06 .04 .02' pos='.06 0 0' mass='.3'/>"
    "<site name='palm' pos='.05 0 .02' euler='.3 .2 .1'/></body></body></body></body>"
    "<body name='free' pos='0 1 1'><freejoint/><geom type='box' size='.1 .2 .05' pos='.02 0 .01' "
    "mass='2'/><site name='eye' pos='.1 0 0' euler='0 1.4 0'/></body></worldbody>"
    "<tendon><fixed name='tie'><joint joint='turn' coef='.7'/><joint joint='bend' coef='-.4'/>"
    "</fixed></tendon>"
    "<actuator><motor name='m' joint='turn' gear='3'/><position name='p' joint='bend' kp='20'/>"
    "<velocity name='v' joint='lift' kv='2' gear='.5'/><motor name='t' tendon='tie' gear='2'/>"
    "<motor name='s' site='tip' gear='1 .5 0 0 .1 0'/></actuator>"
    "<sensor>"
    "<jointpos name='jp' joint='turn'/><jointvel name='jv' joint='bend'/>"
    "<ballquat name='bq' joint='wrist'/><ballangvel name='bv' joint='wrist'/>"
    "<tendonpos name='tp' tendon='tie'/><tendonvel name='tv' tendon='tie'/>"
    "<actuatorpos name='ap' actuator='p'/><actuatorvel name='av' actuator='v'/>"
    "<actuatorvel name='av_tendon' actuator='t'/><actuatorvel name='av_site' actuator='s'/>"
    "<framepos name='fp' objtype='site' objname='palm'/>"
    "<framepos name='fp_ref' objtype='site' objname='palm' reftype='xbody' refname='base'/>"
    "<framepos name='fp_com' objtype='body' objname='free'/>"
    "<framequat name='fq' objtype='geom' objname='arm'/>"
    "<framequat name='fq_ref' objtype='site' objname='palm' reftype='site' refname='tip'/>"
    "<framexaxis name='fx' objtype='site' objname='palm' reftype='site' refname='tip'/>"
    "<frameyaxis name='fy' objtype='xbody' objname='hand'/>"
    "<framezaxis name='fz' objtype='xbody' objname='free'/>"
    "<framelinvel name='fv' objtype='site' objname='palm'/>"
    "<framelinvel name='fv_ref' objtype='site' objname='palm' reftype='site' refname='tip'/>"
    "<framelinvel name='fv_com' objtype='body' objname='free'/>"
    "<frameangvel name='fw' objtype='xbody' objname='hand' reftype='xbody' refname='arm'/>"
    "<subtreecom name='sc' body='base'/><subtreelinvel name='sv' body='arm'/>"
    "<subtreeangmom name='sm' body='base'/><velocimeter name='vm' site='palm'/>"
    "<gyro name='gy' site='palm'/><magnetometer name='mm' site='tip'/>"
    "<rangefinder name='rf' site='eye'/><framepos name='cut' objtype='xbody' objname='free' "
    "cutoff='.5'/><clock name='clock'/>"
    "<framelinacc name='fa' objtype='site' objname='palm'/>"
    "<frameangacc name='fb' objtype='xbody' objname='hand'/>"
    "<framelinacc name='fa_com' objtype='body' objname='free'/>"
    "<accelerometer name='am' site='palm'/><force name='f_hand' site='palm'/>"
    "<torque name='t_hand' site='palm'/><force name='f_fixed' site='on_fixed'/>"
    "<torque name='t_fixed' site='on_fixed'/><actuatorfrc name='af' actuator='m'/>"
    "<actuatorfrc name='af_p' actuator='p'/><actuatorfrc name='af_v' actuator='v'/>"
    "</sensor></mujoco>";

/// From this sensor on, accelerations and forces.
static const char *const first_force = "fa";

static void set_state(TactTestScene *scene, mjData *data)
{
    const TactModel *model = scene->model;
    TactRandom       random = tact_random_seed(7);
    for (int i = 0; i < model->nq; i++) {
        scene->state->q[i] += tact_random_uniform(&random, -0.4, 0.4);
    }
    for (int j = 0; j < model->joint_count; j++) {
        int at = model->joints[j].q + (model->joints[j].type == TACT_JOINT_FREE ? 3 : 0);
        if (model->joints[j].type <= TACT_JOINT_BALL) {
            double  *q = scene->state->q + at;
            TactQuat turn = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
            memcpy(q, &turn, sizeof turn);
        }
    }
    for (int i = 0; i < model->nv; i++) {
        scene->state->v[i] = tact_random_uniform(&random, -2, 2);
    }
    for (int i = 0; i < model->actuator_count - 1;
         i++) { // MuJoCo's force sensors know none on a site
        scene->state->ctrl[i] = tact_random_uniform(&random, -1, 1);
    }
    mju_copy(data->qpos, scene->state->q, model->nq);
    mju_copy(data->qvel, scene->state->v, model->nv);
    mju_copy(data->ctrl, scene->state->ctrl, model->actuator_count);
}

/// Largest difference of a sensor's values, and their size; quaternions up to their sign.
static double difference(const TactSensor *s, const double *x, const double *y, double *size)
{
    double off[2] = {0, 0};
    bool   turn = s->type == TACT_SENSOR_FRAME_ORIENTATION;
    *size = 0;
    for (int k = 0; k < s->size; k++) {
        off[0] = fmax(off[0], fabs(x[k] - y[k]));
        off[1] = fmax(off[1], fabs(x[k] + y[k]));
        *size = fmax(*size, fabs(y[k]));
    }
    return turn ? fmin(off[0], off[1]) : off[0];
}

static void sensors_are_those_of_mujoco(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(mechanism);
    char          path[] = "/tmp/tact-sensors-XXXXXX", message[512];
    int           file = mkstemp(path);
    assert_true(file >= 0 && write(file, mechanism, strlen(mechanism)) > 0);
    close(file);
    mjModel *peer = mj_loadXML(path, NULL, message, sizeof message);
    unlink(path);
    if (!peer) {
        fail_msg("MuJoCo: %s", message);
    }
    mjData *data = mj_makeData(peer);
    set_state(&scene, data);
    mj_forward(peer, data);
    assert_int_equal(peer->nsensordata, scene.model->sensor_size);

    TactSimSensors all = {0};
    bool           forces = false;
    double         worst[2] = {0, 0};
    for (int k = 0; k < scene.model->sensor_count; k++) {
        const TactSensor *s = &scene.model->sensors[k];
        if (strcmp(s->name, first_force) == 0) {
            forces = true; // accelerations of a step of 10 ns
            tact_test_scene_step(&scene, 1);
        }
        assert_int_equal(tact_sim_compute_sensors(scene.sim, &all), TACT_OK);
        double size;
        double off = difference(s, all.values + s->address, data->sensordata + s->address, &size);
        worst[forces] = fmax(worst[forces], off / fmax(size, 1));
        if (off > (forces ? 1e-5 : 1e-12) * fmax(size, 1)) {
            fail_msg("%s: off by %g of %g", s->name, off, size);
        }
    }
    printf("sensors beside MuJoCo: positions and velocities off by %.1e, accelerations and forces "
           "(of a step of 10 ns) by %.1e\n",
           worst[0], worst[1]);
    mj_deleteData(data);
    mj_deleteModel(peer);
    tact_test_scene_close(&scene);
}
#else
static void sensors_are_those_of_mujoco(void **state)
{
    (void)state;
    printf("skipped: MuJoCo is not there\n");
}
#endif

/// A block of 2 kg on a load cell: touch is its weight, the force through the cell's joint that and
/// the cell's own; the torque about the cell is that of a weight that stands off its middle.
static void a_scale_weighs_what_stands_on_it(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='.002'/><worldbody><body name='cell' pos='0 0 .5'>"
        "<joint name='spring' type='slide' axis='0 0 1' stiffness='1e6' damping='1e3'/>"
        "<geom type='box' size='.3 .3 .05' mass='1'/>"
        "<site name='pan' type='box' size='.3 .3 .01' pos='0 0 .05'/>"
        "<site name='corner' type='sphere' size='.05' pos='-.25 0 .05'/></body>"
        "<body name='block' pos='.1 0 .65'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/>"
        "</body></worldbody><sensor><touch name='touch' site='pan'/><touch name='none' "
        "site='corner'/><force name='force' site='pan'/><torque name='torque' site='pan'/>"
        "<touch name='cut' site='pan' cutoff='5'/>"
        "<accelerometer name='still' site='pan'/></sensor></mujoco>");
    tact_test_scene_step(&scene, 500);
    assert_true(fabs(value(&scene, "touch", 0) - 2 * g) < 1e-6);
    assert_true(value(&scene, "none", 0) == 0);
    assert_true(value(&scene, "cut", 0) == 5);
    assert_true(fabs(value(&scene, "force", 2) - 3 * g) < 1e-6);
    assert_true(fabs(value(&scene, "torque", 1) + 2 * g * 0.1) < 1e-6);
    assert_true(fabs(value(&scene, "still", 2) - g) < 1e-6);
    tact_test_scene_close(&scene);
}

/// What falls feels nothing.
static void an_accelerometer_that_falls_reads_zero(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><body pos='0 0 9'><freejoint/><geom size='.1' mass='1'/><site name='s' "
        "pos='.05 0 0'/></body></worldbody><sensor><accelerometer name='a' site='s'/>"
        "</sensor></mujoco>");
    for (int k = 0; k < 3; k++) {
        assert_true(value(&scene, "a", k) == 0); // no step yet
    }
    tact_test_scene_step(&scene, 10);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(value(&scene, "a", k)) < 1e-12);
    }
    scene.state->v[5] = 3; // turning about z: centripetal, w^2 r
    tact_test_scene_step(&scene, 1);
    assert_true(fabs(value(&scene, "a", 0) + 9 * 0.05) < 1e-9);
    tact_test_scene_close(&scene);
}

static void a_rangefinder_sees_the_nearest_thing_that_is_not_its_own(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><geom type='box' size='.1 .1 .1' "
        "pos='1 0 .1'/><body pos='0 0 2'><freejoint/><geom size='.1' mass='1'/>"
        "<site name='down' quat='0 1 0 0'/><site name='up'/></body></worldbody>"
        "<sensor><rangefinder name='down' site='down'/><rangefinder name='up' site='up'/></sensor>"
        "</mujoco>");
    assert_true(fabs(value(&scene, "down", 0) - 2) < 1e-12);
    assert_true(value(&scene, "up", 0) == -1);
    scene.state->q[0] = 1;
    assert_true(fabs(value(&scene, "down", 0) - 1.8) < 1e-12);
    tact_test_scene_close(&scene);
}

static void sensors_do_not_change_the_run(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int asked = 0; asked < 2; asked++) {
        TactTestScene scene = tact_test_scene(
            "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .3' "
            "euler='20 30 0'><freejoint/><geom type='box' size='.1 .2 .1' mass='1'/><site "
            "name='s'/>"
            "</body></worldbody><sensor><accelerometer name='a' site='s'/><touch site='s'/>"
            "</sensor></mujoco>");
        for (int k = 0; k < 300; k++) {
            hash[asked] = tact_test_scene_step(&scene, 1).hash;
            if (asked) {
                value(&scene, "a", 0);
            }
        }
        tact_test_scene_close(&scene);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensors_are_those_of_mujoco),
        cmocka_unit_test(a_scale_weighs_what_stands_on_it),
        cmocka_unit_test(an_accelerometer_that_falls_reads_zero),
        cmocka_unit_test(a_rangefinder_sees_the_nearest_thing_that_is_not_its_own),
        cmocka_unit_test(sensors_do_not_change_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
