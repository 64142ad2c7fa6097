// Closed loops in motion: they stay closed, redundant rows are told, every solve is certified.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clones.h"
#include "sim/scene.h"

static const TactSource nowhere = {0};

/// A bar along its x axis from the origin of its frame.
static int add_bar(TactModelBuilder *builder, int parent, TactVec3 position, TactQuat rotation,
                   double length, TactJointType type)
{
    TactBodyDesc body = tact_body_default();
    TactJoint    joint = tact_joint_default(type);
    double       mass = length, transverse = mass * length * length / 12;
    int          index = 0;
    body.parent = parent;
    body.pose = (TactTransform){rotation, position};
    body.has_inertia = true;
    body.inertia = (TactInertia){
        .mass = mass,
        .com = {0.5 * length, 0, 0},
        .rotary = tact_mat3_diagonal((TactVec3){0.1 * transverse, transverse, transverse}),
    };
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &index), TACT_OK);
    joint.body = index;
    joint.axis = (TactVec3){0, 1, 0};
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, NULL), TACT_OK);
    return index;
}

static void add_connect(TactModelBuilder *builder, int a, int b, TactVec3 anchor)
{
    TactEquality equality = tact_equality_default(TACT_EQUALITY_CONNECT);
    equality.a = a;
    equality.b = b;
    equality.anchor_a = anchor;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
}

static TactModel *compile(TactModelBuilder *builder)
{
    TactModel *model = NULL;
    if (tact_model_builder_compile(builder, &model) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    tact_model_builder_destroy(builder);
    return model;
}

typedef struct Run {
    double loop_error; // largest
    double error;      // of certificates, largest
    double swing;      // largest speed of the first dof
    double energy;     // farthest from that of the start, of the largest kinetic energy
    int    redundant;  // least number of redundant rows told
    int    uncertified;
} Run;

enum { MOST = 200 };

/// Semi-implicit Euler at 1 ms. The velocities of a step stand on either side of its position, so
/// energy is that of their mean.
static Run run(TactModel *model, double time)
{
    Run       result = {.redundant = 1000};
    TactScene scene = tact_scene_start(model, 1e-3);
    double    start = tact_scene_energy(&scene), farthest = 0, kinetic = 0, q[MOST], v[MOST];
    assert_true(model->nq <= MOST);
    while (scene.state->time < time - 1e-9) {
        memcpy(q, scene.state->q, (size_t)model->nq * sizeof *q);
        memcpy(v, scene.state->v, (size_t)model->nv * sizeof *v);
        TactSimReport report = tact_scene_step(&scene);
        for (int i = 0; i < model->nv; i++) {
            v[i] = 0.5 * (v[i] + scene.state->v[i]);
        }
        assert_int_equal(tact_dynamics_set_position(scene.dynamics, q), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(scene.dynamics, v), TACT_OK);
        double now = tact_dynamics_compute_kinetic_energy(scene.dynamics);
        farthest = fmax(farthest,
                        fabs(now + tact_dynamics_compute_potential_energy(scene.dynamics) - start));
        kinetic = fmax(kinetic, now);
        result.swing = fmax(result.swing, fabs(scene.state->v[0]));
        result.redundant =
            report.redundant_rows < result.redundant ? report.redundant_rows : result.redundant;
    }
    result.energy = farthest / kinetic;
    result.loop_error = scene.loop_error;
    result.error = scene.error;
    result.uncertified = scene.solves - scene.certified;
    tact_scene_close(&scene);
    return result;
}

static void tell(const char *what, Run r)
{
    printf("%s at 1 ms: loop error %.1e, energy off by %.1e, certificates %.1e, redundant rows %d, "
           "fastest %.1f rad/s\n",
           what, r.loop_error, r.energy, r.error, r.redundant, r.swing);
}

static TactQuat turned(double angle)
{
    return tact_quat_from_axis_angle((TactVec3){0, 1, 0}, angle);
}

/// Crank, coupler and rocker of 0.3, 0.8 and 0.6 m; pivots 0.7 m apart. The crank stands up; the
/// other two close the triangle between its end and the second pivot.
static TactModel *four_bar(void)
{
    TactModelBuilder *builder = NULL;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    // y axis: a turn by -angle lifts x towards +z
    double   lift = 1.2, reach[2] = {0.3 * cos(lift), 0.3 * sin(lift)};
    double   dx = 0.7 - reach[0], dz = -reach[1], d = hypot(dx, dz);
    double   open = acos((0.8 * 0.8 + d * d - 0.6 * 0.6) / (2 * 0.8 * d));
    double   coupler = atan2(dz, dx) + open;
    TactVec3 elbow = {reach[0] + 0.8 * cos(coupler), 0, reach[1] + 0.8 * sin(coupler)};
    double   rocker = atan2(elbow.z, elbow.x - 0.7);
    int      crank = add_bar(builder, 0, (TactVec3){0, 0, 0}, turned(-lift), 0.3, TACT_JOINT_HINGE);
    int      second = add_bar(builder, crank, (TactVec3){0.3, 0, 0}, turned(-(coupler - lift)), 0.8,
                              TACT_JOINT_HINGE);
    int third = add_bar(builder, 0, (TactVec3){0.7, 0, 0}, turned(-rocker), 0.6, TACT_JOINT_HINGE);
    add_connect(builder, second, third, (TactVec3){0.8, 0, 0});
    return compile(builder);
}

static void a_four_bar_linkage_stays_closed(void **state)
{
    (void)state;
    Run r = run(four_bar(), 10);
    tell("four-bar, 10 s", r);
    assert_true(r.loop_error <= 1e-8);
    assert_int_equal(r.uncertified, 0);
    assert_true(r.energy <= 1e-3);
    assert_int_equal(r.redundant, 1); // across the plane nothing moves
    assert_true(r.swing > 1);
}

/// Velocities alone close the loop at the end of every step: nothing is left to be put right.
static void a_loop_is_closed_by_the_velocities_of_the_step(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(four_bar(), 1e-3);
    double    shift = 0, loop = 0;
    while (scene.state->time < 2) {
        TactSimReport report = tact_scene_step(&scene);
        shift = fmax(shift, report.correction);
        loop = fmax(loop, report.loop_error);
    }
    printf("four-bar, 2 s: shifted by %.1e at most, loop error %.1e\n", shift, loop);
    assert_true(shift <= 1e-8 && loop <= 1e-9);
    tact_scene_close(&scene);
}

/// A loop that is 0.5 m open comes together by 0.05 m a step at most, and closes.
static void a_loop_far_open_closes_in_several_steps(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(four_bar(), 1e-3);
    tact_scene_leave_certificates(&scene);
    scene.state->q[2] += 1; // rad of the rocker of 0.6 m
    TactSimReport report = tact_scene_step(&scene);
    assert_true(report.loop_error > 0.05);
    int steps = 1;
    for (; steps < 100 && report.loop_error > 1e-6; steps++) {
        assert_true(report.correction <= 4 * 0.05 + 1e-12); // four rounds
        report = tact_scene_step(&scene);
    }
    print_message("closed after %d steps\n", steps);
    assert_true(steps > 2 && report.loop_error <= 1e-6);
    tact_scene_close(&scene);
}

/// A ring of 20 links on ball joints without any damping, one of them held by the world, that falls
/// in on itself. Its motion is soon chaotic and links turn at hundreds of rad/s; a step that took
/// velocity products or loops at one end of it only would feed it energy until it bursts.
static void an_undamped_ring_of_twenty_links_stays_closed_and_gains_no_energy(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 0.5;
#else
    const double time = 4;
#endif
    TactModelBuilder *builder = NULL;
    const double      length = 0.1, bend = 2 * acos(-1.0) / 20;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    int link = 0;
    for (int i = 0; i < 20; i++) {
        TactVec3 place = {i == 0 ? 0 : length, 0, 0};
        link = add_bar(builder, link, place, turned(i == 0 ? 0 : bend), length, TACT_JOINT_BALL);
    }
    add_connect(builder, link, 1, (TactVec3){length, 0, 0});
    Run r = run(compile(builder), time);
    tell("undamped ring of 20", r);
    assert_true(r.loop_error <= 1e-8);
    assert_true(r.energy <= 0.1);
    assert_int_equal(r.uncertified, 0);
}

/// An open chain of ten links on ball joints falls from lying flat: nothing but velocity products
/// and weight.
static void an_undamped_chain_gains_no_energy(void **state)
{
    (void)state;
    TactModelBuilder *builder = NULL;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    int link = 0;
    for (int i = 0; i < 10; i++) {
        TactVec3 place = {i == 0 ? 0 : 0.1, 0, 0};
        link = add_bar(builder, link, place, turned(0), 0.1, TACT_JOINT_BALL);
    }
    Run r = run(compile(builder), 4);
    tell("undamped chain of 10", r);
    assert_true(r.energy <= 0.1);
}

/// Three cranks that carry one bar: a parallelogram with one crank too many.
static void a_redundant_planar_loop_is_no_trouble(void **state)
{
    (void)state;
    TactModelBuilder *builder = NULL;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    TactQuat up = turned(1); // hanging: it never lies flat
    int      crank = add_bar(builder, 0, (TactVec3){0, 0, 0}, up, 0.3, TACT_JOINT_HINGE);
    int      bar = add_bar(builder, crank, (TactVec3){0.3, 0, 0}, turned(-1), 1, TACT_JOINT_HINGE);
    for (int i = 1; i <= 2; i++) {
        int other = add_bar(builder, 0, (TactVec3){0.5 * i, 0, 0}, up, 0.3, TACT_JOINT_HINGE);
        add_connect(builder, bar, other, (TactVec3){0.5 * i, 0, 0});
    }
    Run r = run(compile(builder), 10);
    tell("parallelogram with three cranks, 10 s", r);
    assert_true(r.loop_error <= 1e-8);
    assert_int_equal(r.uncertified, 0);
    assert_true(r.redundant >= 3); // two across the plane, one crank too many
    assert_true(r.swing > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_linkage_stays_closed),
        cmocka_unit_test(a_loop_is_closed_by_the_velocities_of_the_step),
        cmocka_unit_test(a_loop_far_open_closes_in_several_steps),
        cmocka_unit_test(an_undamped_ring_of_twenty_links_stays_closed_and_gains_no_energy),
        cmocka_unit_test(an_undamped_chain_gains_no_energy),
        cmocka_unit_test(a_redundant_planar_loop_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
