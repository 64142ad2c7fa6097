// Yamane and Nakamura's humanoid on its motions: scenes squat and tap-dance.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tact/io.h>

#include "sim/scene.h"

enum { SQUAT_FRAMES = 999, DANCE_FRAMES = 10000 };

static const double gravity = 9.81;

/// Height of the centre of mass, from the masses of the model and where its bodies are.
static double centre_height(const TactScene *scene)
{
    TactTransform poses[32];
    double        moment = 0, mass = 0;
    assert_true(scene->model->body_count <= 32);
    tact_model_compute_poses(scene->model, scene->state->q, poses);
    for (int i = 1; i < scene->model->body_count; i++) {
        const TactInertia *inertia = &scene->model->bodies[i].inertia;
        moment += inertia->mass * tact_transform_point(poses[i], inertia->com).z;
        mass += inertia->mass;
    }
    return moment / mass;
}

/// Force of the floor on the robot, and its centre of pressure.
typedef struct Floor {
    TactVec3 force;
    double   x, y;
} Floor;

static Floor compute_floor(const TactScene *scene)
{
    int                   count;
    const TactSimContact *contacts = tact_sim_view_contacts(scene->sim, &count);
    Floor                 floor = {{0, 0, 0}, 0, 0};
    for (int i = 0; i < count; i++) {
        assert_int_equal(contacts[i].body[0], 0); // nothing but the floor is touched
        TactVec3 force = tact_sim_contact_get_force(&contacts[i]);
        floor.force = tact_vec3_add(floor.force, force);
        floor.x += force.z * contacts[i].point.x;
        floor.y += force.z * contacts[i].point.y;
    }
    floor.x /= floor.force.z;
    floor.y /= floor.force.z;
    return floor;
}

static TactScene open_scene(const char *name, TactContactCone cone)
{
    TactModel    *model = tact_scene_model(name, (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    config.cone = cone;
    return tact_scene_start_with(model, &config);
}

// ---------------------------------------------------------------------------------------------

static void the_model_has_twenty_joints_and_five_kilogrammes(void **state)
{
    (void)state;
    TactModel *model = tact_scene_model("squat.xml", (TactSceneEdit){0});
    assert_int_equal(model->nv, 26);
    assert_true(fabs(model->mass - 5) < 1e-12);
    tact_model_destroy(model);
}

/// The first line of the CSV file, and the first step.
static void a_scene_names_the_motion_of_its_joints(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("squat.xml", 0);
    int       knee = tact_model_find(scene.model, TACT_OBJECT_JOINT, "l_knee");
    assert_true(knee >= 0);
    int at = scene.model->joints[knee].q;
    assert_true(fabs(scene.state->q[at] - 0.73514953) < 1e-12);
    tact_scene_run(&scene, 0.5);
    double low = scene.state->q[at];
    assert_true(low > 1.3); // down
    // a reset puts the joints back on the motion, whatever the reference has
    assert_int_equal(tact_sim_reset(scene.sim, -1), TACT_OK);
    assert_true(fabs(scene.state->q[at] - 0.73514953) < 1e-12);
    tact_scene_close(&scene);
}

static void a_motion_that_is_not_there_is_refused_by_its_path(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("squat.xml", (TactSceneEdit){"squat.csv", "none.csv"});
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    assert_int_not_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    assert_null(sim);
    assert_non_null(strstr(tact_status_message(), "scenes/none.csv"));
    tact_model_destroy(model);
}

/// Newton's law for the whole robot: the force of the floor against the acceleration of the centre
/// of mass, by differences of positions, which know no solver.
static void a_squat_weighs_what_it_accelerates(void **state)
{
    (void)state;
    static double height[SQUAT_FRAMES + 1], force[SQUAT_FRAMES];
    TactScene     scene = open_scene("squat.xml", TACT_CONE_PYRAMID);
    double        h = 1e-3, worst = 0, largest = 0, least = INFINITY, weight = 5 * gravity;
    height[0] = centre_height(&scene);
    for (int k = 0; k < SQUAT_FRAMES; k++) {
        TactSimReport report = tact_scene_step(&scene);
        Floor         floor = compute_floor(&scene);
        assert_int_equal(report.certified, report.islands);
        assert_int_equal(report.contacts, 16);
        force[k] = floor.force.z;
        height[k + 1] = centre_height(&scene);
        // within the feet, which reach from -0.055 to 0.072 and are 45 mm off the middle
        assert_true(floor.x > -0.05 && floor.x < 0.07 && fabs(floor.y) < 0.07);
    }
    for (int k = 1; k < SQUAT_FRAMES; k++) {
        double a = (height[k + 1] - 2 * height[k] + height[k - 1]) / (h * h);
        worst = fmax(worst, fabs(force[k] - 5 * (gravity + a)) / weight);
        largest = fmax(largest, force[k]);
        least = fmin(least, force[k]);
    }
    print_message("force %.3f to %.3f of the weight, off by %.1e of it at most\n", least / weight,
                  largest / weight, worst);
    assert_true(worst < 1e-3);
    assert_true(largest > 1.1 * weight && least < 0.95 * weight); // a squat, not a stand
    tact_scene_close(&scene);
}

/// Taps, steps, feet that slide: the torso stays upright, and nothing goes into the floor.
static void a_tap_dancer_keeps_its_balance(void **state)
{
    (void)state;
    int       frames = getenv("TACT_LONG") ? DANCE_FRAMES : 1200;
    TactScene scene = open_scene("tap-dance.xml", TACT_CONE_CIRCLE);
    double    lean = 0;
    int       few = 100;
    for (int k = 0; k < frames; k++) {
        TactSimReport report = tact_scene_step(&scene);
        assert_int_equal(report.islands, 1);
        assert_int_equal(report.certified, 1);
        assert_true(report.penetration < 1e-5);
        few = report.contacts < few ? report.contacts : few;
        lean = fmax(lean, 2 * asin(hypot(scene.state->q[4], scene.state->q[5])));
    }
    print_message("%d frames: leans by %.4f rad at most, %d contacts at least\n", frames, lean,
                  few);
    assert_true(lean < 0.1);
    assert_true(few <= 8); // it stood on one foot
    tact_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------

/// The assembled LCP by search, in the two steps of the paper.
typedef struct Search {
    TactContactSolver *solver;
    int                problems, solved;
} Search;

static Search create_search(void)
{
    Search              search = {0};
    TactContactCapacity capacity = {
        .contacts = 64, .rows = 20, .dof = 26, .support = 26, .dense = true};
    TactContactConfig config = tact_contact_config_default(TACT_METHOD_LCP);
    config.lcp_method = TACT_LCP_METHOD_SEARCH;
    config.start = TACT_START_FRICTIONLESS;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &search.solver), TACT_OK);
    return search;
}

static TactStatus solve_by_search(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    Search           *search = context;
    double            impulse[3 * 64];
    TactContactAnswer answer = {.impulse = impulse};
    TactContactReport report;
    assert_true(problem->contact_count <= 64);
    assert_int_equal(tact_contact_solve(search->solver, problem, &answer, &report), TACT_OK);
    search->problems++;
    search->solved += report.outcome == TACT_OUTCOME_SOLVED;
    return TACT_OK;
}

static void search_solves_the_problems_of_a_dance(void **state)
{
    (void)state;
    bool      is_long = getenv("TACT_LONG");
    int       frames = is_long ? DANCE_FRAMES : 1200, every = is_long ? 1 : 20;
    TactScene scene = open_scene("tap-dance.xml", TACT_CONE_PYRAMID);
    Search    search = create_search();
    for (int k = 1; k <= frames; k++) {
        tact_scene_step(&scene);
        if (k % every == 0) {
            assert_int_equal(tact_sim_visit_problems(scene.sim, solve_by_search, &search), TACT_OK);
        }
    }
    assert_int_equal(search.problems, frames / every);
    assert_int_equal(search.solved, search.problems);
    tact_contact_solver_destroy(search.solver);
    tact_scene_close(&scene);
}

/// A frame of another dance: contacts of one foot slip with 1e-11 m/s while the other foot slides
/// with 1e-5 m/s. With costs in levels of 1e-8 alone the search loses its way.
static void search_tells_small_differences_from_rounding(void **state)
{
    (void)state;
    TactContactFile *file = NULL;
    Search           search = create_search();
    TactStatus       status =
        tact_contact_read(TACT_SOURCE_DIR "/tests/models/contact/parting.json", &file);
    if (status == TACT_UNSUPPORTED) {
        tact_contact_solver_destroy(search.solver);
        print_message("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    assert_int_equal(solve_by_search(&search, &file->problem, 0), TACT_OK);
    assert_int_equal(search.solved, 1);
    tact_contact_file_destroy(file);
    tact_contact_solver_destroy(search.solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_has_twenty_joints_and_five_kilogrammes),
        cmocka_unit_test(a_scene_names_the_motion_of_its_joints),
        cmocka_unit_test(a_motion_that_is_not_there_is_refused_by_its_path),
        cmocka_unit_test(a_squat_weighs_what_it_accelerates),
        cmocka_unit_test(a_tap_dancer_keeps_its_balance),
        cmocka_unit_test(search_solves_the_problems_of_a_dance),
        cmocka_unit_test(search_tells_small_differences_from_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
