// Sensors by the code of the GPU, on the processor: held against those of the simulation, step by
// step; then through the calls of a batch, with worlds that are handed over and reset.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/steps_beside.h"

/// A body that falls and stands on two feet, with all kinds of joints, actuators and sensors.
static const char parts[] =
    "<worldbody><geom name='floor' type='plane' size='5 5 0.1'/>"
    "<site name='mark' pos='0.1 0.2 0.3' euler='10 20 30'/>"
    "<site name='room' type='box' size='1 1 0.45' pos='0 0 0.4'/>"
    "<body name='trunk' pos='0 0 0.5' euler='3 2 40'><freejoint/>"
    "<geom type='capsule' fromto='0 -0.1 0 0 0.1 0' size='0.06'/>"
    "<site name='imu' pos='0.02 0.01 0.03' euler='20 -10 50'/>"
    "<body name='box' pos='0 0 0.1'><geom type='sphere' size='0.04' mass='0.3'/>"
    "<site name='weld' pos='0 0 -0.02'/></body>"
    "<body name='left' pos='0 0.12 0'><joint name='l' axis='0 1 0' limited='true' range='-25 20' "
    "damping='0.4' stiffness='2' springref='10'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' "
    "size='0.03'/><site name='hip' euler='0 30 0'/><body name='foot_l' pos='0 0 -0.34'>"
    "<joint name='al' axis='1 0 0' damping='0.1' armature='0.01'/>"
    "<geom name='foot_l' type='sphere' size='0.05'/>"
    "<site name='sole' type='box' size='0.06 0.06 0.06'/></body></body>"
    "<body name='right' pos='0 -0.12 0'><joint name='r' axis='0 1 0' limited='true' range='-25 20' "
    "damping='0.4'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.03'/>"
    "<body name='foot_r' pos='0 0 -0.34'><joint name='ar' axis='1 0 0' damping='0.1' "
    "armature='0.01'/><geom type='sphere' size='0.05'/>"
    "<site name='toe' type='capsule' size='0.03 0.02' pos='0.02 0 -0.03' euler='0 90 0'/>"
    "</body></body>"
    "<body name='tail' pos='-0.1 0 0'><joint name='ball' type='ball' damping='0.05'/>"
    "<geom type='capsule' fromto='-0.02 0 0 -0.2 0 0' size='0.02'/>"
    "<body name='rod' pos='-0.2 0 0'><joint name='s' type='slide' axis='1 0 0' damping='2' "
    "stiffness='40'/><geom type='sphere' size='0.03'/></body></body></body></worldbody>"
    "<tendon><fixed name='both' stiffness='3' damping='0.1' springlength='0.1'><joint joint='l' "
    "coef='0.5'/><joint joint='r' coef='-0.3'/></fixed></tendon>"
    "<actuator><position name='pl' joint='l' kp='30' kv='1' forcerange='-20 20'/>"
    "<motor name='mr' joint='r' gear='3'/><velocity name='va' joint='al' kv='0.5' gear='0.7'/>"
    "<motor name='mt' tendon='both' gear='0.5'/></actuator>"
    "<sensor><jointpos joint='l'/><jointvel joint='r'/><ballquat joint='ball'/>"
    "<ballangvel joint='ball'/><tendonpos tendon='both'/><tendonvel tendon='both'/>"
    "<actuatorpos actuator='pl'/><actuatorvel actuator='va'/><actuatorpos actuator='mt'/>"
    "<actuatorfrc actuator='pl'/><actuatorfrc actuator='mr'/><actuatorfrc actuator='va'/>"
    "<actuatorfrc actuator='mt'/><jointactuatorfrc joint='l'/><jointactuatorfrc joint='r'/>"
    "<tendonactuatorfrc tendon='both'/><framepos objtype='site' objname='imu'/>"
    "<framequat objtype='site' objname='imu' reftype='site' refname='mark'/>"
    "<framepos objtype='body' objname='foot_l' reftype='site' refname='imu'/>"
    "<framexaxis objtype='xbody' objname='rod'/><frameyaxis objtype='geom' objname='foot_l'/>"
    "<framezaxis objtype='site' objname='imu'/><framelinvel objtype='site' objname='sole' "
    "reftype='site' refname='imu'/><frameangvel objtype='body' objname='rod'/>"
    "<framelinacc objtype='site' objname='sole'/><frameangacc objtype='body' objname='rod'/>"
    "<accelerometer site='imu'/><accelerometer site='toe' cutoff='9'/><gyro site='imu'/>"
    "<velocimeter site='imu'/><magnetometer site='imu'/><force site='hip'/><torque site='hip'/>"
    "<force site='weld'/><torque site='weld'/><force site='imu'/><torque site='toe'/>"
    "<touch site='sole'/><touch site='toe'/><jointlimitpos joint='l'/><jointlimitvel joint='r'/>"
    "<jointlimitfrc joint='l'/><jointlimitfrc joint='r'/><subtreecom body='trunk'/>"
    "<subtreelinvel body='left'/><subtreeangmom body='trunk'/><subtreecom body='world'/>"
    "<insidesite site='room' objtype='body' objname='trunk'/><clock/><e_potential/><e_kinetic/>"
    "<contact geom1='foot_l' data='found force torque dist pos normal tangent'/>"
    "<contact subtree1='trunk' geom2='floor' num='3' reduce='maxforce' data='found force dist'/>"
    "<contact site='sole' body2='world' reduce='mindist' data='force dist pos normal'/>"
    "<contact body1='world' subtree2='trunk' reduce='netforce' data='found force torque pos'/>"
    "<user dim='2'/></sensor></mujoco>";

/// The robot with friction of its own.
static const char *make_robot(const char *friction)
{
    static char text[sizeof parts + 256];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='0.002' magnetic='0.1 0.2 -0.5'/><default><geom %s/>"
             "</default>%s",
             friction, parts);
    return text;
}

/// A four-bar linkage whose pins feel what the loop does.
static const char linkage[] =
    "<mujoco><option timestep='0.002'/><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='crank'><joint name='crank' axis='0 1 0'/><geom type='capsule' "
    "fromto='0 0 0 0 0 0.1' size='0.01'/><body name='rod' pos='0 0 0.1'><joint axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0.1' size='0.01'/><site name='pin'/></body></body>"
    "<body name='rocker' pos='0.3 0 0'><joint name='rocker' axis='0 1 0' frictionloss='0.01'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 0.2' size='0.01'/><site name='base' euler='0 40 0'/>"
    "</body></worldbody><equality><connect body1='rod' body2='rocker' anchor='0.3 0 0.1'/>"
    "</equality><actuator><motor joint='crank' gear='0.05'/></actuator>"
    "<sensor><force site='pin'/><torque site='pin'/><force site='base'/><accelerometer "
    "site='base'/><framelinacc objtype='body' objname='rod'/></sensor></mujoco>";

/// Where a sensor is off most, as a part of 1 and its value.
static double compare(const TactModel *model, const double *have, const double *expected,
                      double *worst_of)
{
    double worst = 0;
    for (int k = 0; k < model->sensor_count; k++) {
        const TactSensor *s = &model->sensors[k];
        for (int j = s->address; j < s->address + s->size; j++) {
            double off = fabs(have[j] - expected[j]) / fmax(1, fabs(expected[j]));
            worst_of[k] = fmax(worst_of[k], off);
            worst = fmax(worst, off);
        }
    }
    return worst;
}

/// The contact of the lanes at the same place; -1: there is none.
static int find_contact(const StepLanes *lanes, const TactSimContact *c)
{
    for (int k = 0; k < lanes->step.problems.active[0]; k++) {
        const TactStepHeld *held = &lanes->step.worlds.held[k];
        TactVec3            off = tact_vec3_subtract(held->point, c->point);
        if (held->name > 0 && tact_vec3_norm(off) <= fabs(held->depth) + 1e-12 &&
            tact_vec3_dot(held->normal, c->normal) > 0.999) {
            return k;
        }
    }
    return -1;
}

/// Impulses of contact k of the lanes, to one of the simulation.
static void take_contact(const StepLanes *lanes, int k, double h, TactSimContact *c)
{
    const TactStepBatch *step = &lanes->step;
    int                  rough = step->problems.rough[0], count = step->problems.active[0];
    const double        *p = step->answers.impulse;
    const double        *m = p + count + 2 * rough + step->model.motor_count;
    for (int j = 0; j < k && step->worlds.more.turns; j++) {
        m += tact_turn_rows(step->worlds.more.turns[j]);
    }
    for (int j = 0; j < 3; j++) {
        c->force[j] = p[tact_rows_first(rough, k) + j] / h;
    }
    if (step->worlds.more.turns && step->worlds.more.turns[k]) {
        c->moment[0] = c->mu_spin > 0 ? c->mu_spin * *m++ / h : 0;
        c->moment[1] = c->mu_roll > 0 ? c->mu_roll * m[0] / h : 0;
        c->moment[2] = c->mu_roll > 0 ? c->mu_roll * m[1] / h : 0;
    }
}

/// Impulses of a row of the simulation by the lanes.
static double find_row(const StepLanes *lanes, const TactModel *model, TactRowSource source)
{
    const TactStepBatch *step = &lanes->step;
    int                  count = step->problems.active[0], rough = step->problems.rough[0];
    const double        *impulse = step->answers.impulse;
    if (source.type == TACT_OBJECT_EQUALITY) { // there is one loop
        int row = 0;
        for (int part = 0; part < source.part; part++) {
            row += (step->model.loops[0].parts >> part & 1) != 0;
        }
        return impulse[count + 2 * rough + step->model.motor_count + row];
    }
    if (source.part == 2) { // dry friction
        for (int k = 0; k < step->model.motor_count; k++) {
            if (step->model.motors[k].dof == model->joints[source.index].dof) {
                return impulse[count + 2 * rough + k];
            }
        }
    }
    for (int k = 0; k < count; k++) {
        if (step->worlds.held[k].name == -1 - (2 * source.index + source.part)) {
            return impulse[tact_rows_first(rough, k)];
        }
    }
    return 0;
}

/// Gives the last step of the simulation, from the same state, the numbers that the lanes have
/// found, so that sensors are held against each other and not solvers. false: they had other
/// contacts, as after several solves.
static bool take_numbers(TactSim *sim, const StepLanes *lanes)
{
    const TactStepBatch *step = &lanes->step;
    const TactModel     *model = sim->model;
    int                  extra = step->model.motor_count + step->model.loop_rows, count = 0;
    bool solved = step->problems.active[0] + extra > 0, loops = step->model.loop_count > 0;
    for (int k = 0; k < sim->contact_count; k++) {
        TactSimContact *c = &sim->contacts[k];
        int             own = find_contact(lanes, c);
        count += own >= 0;
        if (own >= 0) {
            take_contact(lanes, own, sim->h, c);
        }
    }
    for (int r = 0; r < sim->last.row_count; r++) {
        sim->last.row_impulse[r] = find_row(lanes, model, sim->last.row_sources[r]);
    }
    for (int i = 0; i < model->nv; i++) {
        sim->answer.v[i] =
            solved ? step->answers.velocity[i] : step->problems.velocity[i] + step->worlds.gain[i];
        sim->answer.v_end[i] = sim->state.v[i] = step->worlds.v[i];
        // where loops answer to velocity products these are taken at the mean velocity
        double gain = loops ? sim->answer.v[i] - step->problems.velocity[i] : step->worlds.gain[i];
        sim->last.v_middle[i] = step->problems.velocity[i] + 0.5 * gain;
        sim->free.impulse[i] = sim->h * step->problems.force[i];
    }
    tact_sim_still_flyers(sim, sim->last.v_middle);
    memcpy(sim->state.q, step->worlds.q, (size_t)model->nq * sizeof(double));
    return count == sim->contact_count && (count == 0 || step->worlds.round[0] == 0);
}

/// One world by the lanes; every step is made by the simulation from the same state too.
static void run_beside(const char *xml, int steps, int least, double tol)
{
    TactModel     *model = steps_read_text(xml);
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    TactSimSensors sensors;
    double         worst_of[64] = {0}, worst = 0;
    int            alike = 0, touched = 0;
    sim->config.share = TACT_SHARE_VERTEX;
    if (tact_step_check(sim, TACT_STEP_SENSORS)) {
        fail_msg("%s", tact_status_message());
    }
    step_lanes_create(sim, TACT_STEP_SENSORS, 1, &lanes);
    for (int s = 0; s < steps; s++) {
        memcpy(sim->state.q, lanes.step.worlds.q, (size_t)model->nq * sizeof(double));
        memcpy(sim->state.v, lanes.step.worlds.v, (size_t)model->nv * sizeof(double));
        for (int k = 0; k < model->actuator_count; k++) {
            sim->state.ctrl[k] = lanes.step.worlds.ctrl[k] = sin(0.01 * s + k);
        }
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        step_lanes_step(&lanes, &counts);
        if (counts.left > 0) {
            steps_take_state(sim, &lanes, 0);
            continue;
        }
        *(double *)lanes.step.senses.time = sim->state.time;
        step_lanes_sense(&lanes.step, 1);
        if (!take_numbers(sim, &lanes)) {
            continue;
        }
        assert_int_equal(tact_sim_compute_sensors(sim, &sensors), TACT_OK);
        worst = fmax(worst, compare(model, lanes.step.senses.values, sensors.values, worst_of));
        for (int k = 0; k < model->sensor_count; k++) {
            touched += model->sensors[k].type == TACT_SENSOR_TOUCH &&
                       sensors.values[model->sensors[k].address] > 0;
        }
        alike++;
    }
    print_message("  %d sensors, %d of %d steps, %d touches: off by %.2g at the most\n",
                  model->sensor_count, alike, steps, touched, worst);
    for (int k = 0; k < model->sensor_count; k++) {
        if (worst_of[k] > tol) {
            print_message("    %d %s: %.2g\n", k, tact_sensor_type_name(model->sensors[k].type),
                          worst_of[k]);
        }
    }
    assert_true(worst <= tol && alike >= least);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void test_sensors_of_a_robot(void **state)
{
    (void)state;
    run_beside(make_robot("friction='0.7' condim='3'"), 300, 250, 1e-9);
}

/// With feet that resist spinning and rolling, whose moments sensors feel.
static void test_sensors_of_a_robot_with_soft_feet(void **state)
{
    (void)state;
    run_beside(make_robot("friction='0.7 0.02 0.01' condim='6'"), 300, 250, 1e-9);
}

static void test_sensors_of_loops(void **state)
{
    (void)state;
    run_beside(linkage, 100, 80, 1e-9);
}

/// A head that looks around: at a shape of each kind, at one that touches nothing, through one that
/// is transparent, down to a height field, and up to nothing.
static const char lookout[] =
    "<mujoco><option timestep='0.002'/><asset><mesh name='rock' vertex='0.3 0 0 -0.15 0.24 0 -0.15 "
    "-0.24 0 0.06 0 0.3 0.03 0.09 -0.27'/><hfield name='ground' nrow='6' ncol='7' size='1.5 1.2 "
    "0.2 0.1' elevation='0 1 2 1 0 1 2 0 1 3 1 0 2 2 0 1 1 3 0 2 2 2 0 1 1 1 2 0 1 3 2 1 0 1 2 1 0 "
    "2 1 1 3 1'/></asset><worldbody><geom type='hfield' hfield='ground'/>"
    "<geom type='sphere' size='0.25' pos='1 0 1'/>"
    "<geom type='capsule' size='0.2 0.15' pos='0.7 0.7 1' euler='30 0 0'/>"
    "<geom type='box' size='0.2 0.25 0.2' pos='0 1 1' euler='0 10 30'/>"
    "<geom type='cylinder' size='0.25 0.2' pos='-0.7 0.7 1' euler='20 30 0'/>"
    "<geom type='ellipsoid' size='0.3 0.2 0.25' pos='-1 0 1' euler='0 0 20'/>"
    "<geom type='mesh' mesh='rock' pos='-0.7 -0.7 1'/>"
    "<geom type='sphere' size='0.25' pos='0 -1 1' contype='0' conaffinity='0'/>"
    "<geom type='box' size='0.2 0.05 0.2' pos='0 -0.5 1' rgba='1 1 1 0'/>"
    "<geom type='plane' size='9 9 1' pos='3 -3 1' zaxis='-1 1 0'/>"
    "<body name='head' pos='0 0 1'><joint name='yaw' axis='0 0 1' damping='0.1'/>"
    "<joint name='nod' axis='0 1 0' damping='0.1'/><geom type='sphere' size='0.1'/>"
    "<site name='s0' zaxis='1 0 0'/><site name='s1' zaxis='1 1 0'/><site name='s2' zaxis='0 1 0'/>"
    "<site name='s3' zaxis='-1 1 0'/><site name='s4' zaxis='-1 0 0'/>"
    "<site name='s5' zaxis='-1 -1 0'/><site name='s6' zaxis='0 -1 0'/>"
    "<site name='s7' zaxis='1 -1 0'/><site name='s8' zaxis='0.3 0.2 -1'/>"
    "<site name='s9' zaxis='-0.3 0.3 1'/></body></worldbody>"
    "<actuator><position joint='yaw' kp='2' ctrlrange='-0.12 0.12' ctrllimited='true'/>"
    "<position joint='nod' kp='2' ctrlrange='-0.1 0.1' ctrllimited='true'/></actuator><sensor>"
    "<rangefinder site='s0'/><rangefinder site='s1'/><rangefinder site='s2'/><rangefinder "
    "site='s3'/><rangefinder site='s4'/><rangefinder site='s5'/><rangefinder site='s6'/>"
    "<rangefinder site='s7'/><rangefinder site='s8'/><rangefinder site='s9'/></sensor></mujoco>";

/// Every ray meets what it looks at, in the simulation; and the last one nothing.
static void test_rangefinders(void **state)
{
    TactModel     *model = steps_read_text(lookout);
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    TactSimSensors sensors;
    (void)state;
    assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
    assert_int_equal(tact_sim_compute_sensors(sim, &sensors), TACT_OK);
    for (int k = 0; k < model->sensor_count; k++) {
        double x = sensors.values[k], most = k < 7 ? 1 : 5; // walls are further away
        assert_true(k < model->sensor_count - 1 ? x > 0.5 && x < most : x == -1);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    run_beside(lookout, 200, 200, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Through the calls of a batch

enum { WORLDS = 4 };

static TactWorldBatch *make_batch(const TactModel *model, TactDevice device)
{
    TactWorldBatch      *batch = NULL;
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(device);
    sim.cone = TACT_CONE_PYRAMID;
    sim.share = TACT_SHARE_VERTEX;
    config.worlds = WORLDS;
    config.threads = 2;
    config.sensors = true;
    tact_gpu_use_module(&step_lanes_module);
    if (tact_world_batch_create(model, &sim, &config, &batch)) {
        fail_msg("%s", tact_status_message());
    }
    return batch;
}

/// A world deep in the floor is handed over; one is reset on the way. Both devices tell the same.
static void test_sensors_of_batches(void **state)
{
    TactModel      *model = steps_read_text(make_robot("friction='0.7' condim='3'"));
    size_t          size = (size_t)model->sensor_size, nq = (size_t)model->nq;
    TactWorldBatch *batches[2] = {make_batch(model, TACT_DEVICE_CUDA),
                                  make_batch(model, TACT_DEVICE_CPU)};
    double         *values[2], *q = calloc(WORLDS * nq, sizeof *q), worst_of[64] = {0};
    double          ctrl[WORLDS * 4] = {0}, worst = 0;
    unsigned char   which[WORLDS] = {0, 0, 1, 0};
    long long       handed = 0;
    int             clock = 0, touch = 0;
    (void)state;
    for (int k = 0; k < model->sensor_count; k++) {
        clock = model->sensors[k].type == TACT_SENSOR_CLOCK ? model->sensors[k].address : clock;
        touch = model->sensors[k].type == TACT_SENSOR_TOUCH && touch == 0
                    ? model->sensors[k].address
                    : touch;
    }
    for (int i = 0; i < WORLDS; i++) {
        memcpy(q + (size_t)i * nq, model->q_reference, nq * sizeof *q);
        q[(size_t)i * nq + 2] = i == 1 ? 0.38 : 0.42 + 0.01 * i;
        ctrl[4 * i] = 0.1 * i;
    }
    for (int d = 0; d < 2; d++) {
        TactWorldStates      states = {.q = q, .ctrl = ctrl};
        TactWorldBatchReport report;
        values[d] = calloc(WORLDS * size, sizeof(double));
        assert_int_equal(tact_world_batch_send(batches[d], &states), TACT_OK);
        assert_int_equal(tact_world_batch_step(batches[d], 0, NULL), TACT_OK); // they are read anew
        assert_int_equal(tact_world_batch_step(batches[d], 1, &report), TACT_OK);
        handed += report.handed_over;
        states = (TactWorldStates){.sensors = values[d]};
        assert_int_equal(tact_world_batch_fetch(batches[d], &states), TACT_OK);
        assert_int_equal(tact_world_batch_send(batches[d], &states), TACT_BAD_ARGUMENT);
    }
    assert_true(handed > 0 && handed < WORLDS);
    for (int i = 0; i < WORLDS; i++) {
        worst = fmax(worst, compare(model, values[0] + (size_t)i * size,
                                    values[1] + (size_t)i * size, worst_of));
    }
    print_message("  %lld handed over; after a step of both devices %.2g apart\n", handed, worst);
    assert_true(worst <= 1e-5); // steps agree to 1e-8 m: velocities to 5e-6 m/s
    for (int d = 0; d < 2; d++) {
        TactWorldStates view;
        assert_int_equal(tact_world_batch_step(batches[d], 40, NULL), TACT_OK);
        assert_int_equal(tact_world_batch_reset(batches[d], which), TACT_OK);
        assert_int_equal(tact_world_batch_step(batches[d], 0, NULL), TACT_OK);
        tact_world_batch_view(batches[d], &view);
        for (int i = 0; i < WORLDS; i++) {
            const double *x = view.sensors + (size_t)i * size;
            assert_true(fabs(x[clock] - (which[i] ? 0 : 41 * 0.002)) < 1e-12);
            assert_true(which[i] ? x[touch] == 0 : isfinite(x[touch])); // no step since
        }
        assert_int_equal(tact_world_batch_step(batches[d], 2, NULL), TACT_OK);
        assert_true(fabs(view.sensors[2 * size + (size_t)clock] - 2 * 0.002) < 1e-12);
        tact_world_batch_destroy(batches[d]);
        free(values[d]);
    }
    free(q);
    tact_gpu_use_module(NULL);
    tact_model_destroy(model);
}

/// What is not there is refused by its name, where it is asked for.
static void test_other_sensors_are_refused(void **state)
{
    TactModel *model = steps_read_text(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body pos='0 0 "
        "1'><freejoint/>"
        "<geom name='ball' size='0.1'/></body></worldbody>"
        "<sensor><distance geom1='ball' geom2='floor' cutoff='1'/></sensor></mujoco>");
    TactSim *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    (void)state;
    assert_int_equal(tact_step_check(sim, TACT_STEP_ONLY_SLIDE), TACT_OK);
    assert_int_equal(tact_step_check(sim, TACT_STEP_ONLY_SLIDE | TACT_STEP_SENSORS),
                     TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "distance"));
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensors_of_a_robot),
        cmocka_unit_test(test_sensors_of_a_robot_with_soft_feet),
        cmocka_unit_test(test_sensors_of_loops),
        cmocka_unit_test(test_rangefinders),
        cmocka_unit_test(test_sensors_of_batches),
        cmocka_unit_test(test_other_sensors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
