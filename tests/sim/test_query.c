// Questions to a simulation: rays and distances at the present state.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

static const char scene[] =
    "<mujoco><option gravity='0 0 -9.81' timestep='0.01'/>"
    "<asset>"
    "  <hfield name='hills' nrow='3' ncol='3' size='2 2 1 0.5' elevation='0 0 0 0 1 0 0 0 0'/>"
    "</asset>"
    "<worldbody>"
    "  <geom name='field' type='hfield' hfield='hills' pos='10 0 0'/>"
    "  <geom name='floor' type='plane' size='5 5 0.1'/>"
    "  <geom name='seen' type='sphere' size='0.3' pos='0 0 5' contype='0' conaffinity='0'/>"
    "  <body name='ball' pos='0 0 2'><freejoint/><geom name='ball' type='sphere' "
    "size='0.2'/></body>"
    "  <body name='box' pos='2 0 2'><freejoint/><geom name='box' type='box' size='.1 .2 "
    ".3'/></body>"
    "</worldbody></mujoco>";

typedef struct Fixture {
    TactModel *model;
    TactSim   *sim;
} Fixture;

static int geom(const Fixture *f, const char *name)
{
    int index = tact_model_find(f->model, TACT_OBJECT_GEOM, name);
    assert_true(index >= 0);
    return index;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) {
        fail_msg("%.17g, expected %.17g", value, expected);
    }
}

static bool is_not(void *context, int geom_hit)
{
    return geom_hit != *(const int *)context;
}

static void rays_hit_the_nearest_geom(void **state)
{
    Fixture   *f = *state;
    TactRay    ray = {.origin = {0, 0, 10}, .direction = {0, 0, -3}};
    TactSimHit hit;
    assert_int_equal(tact_sim_cast_ray(f->sim, &ray, &hit), TACT_OK);
    assert_int_equal(hit.geom, geom(f, "ball")); // not the sphere that is only seen
    assert_near(hit.distance, 7.8);
    assert_near(hit.point.z, 2.2);
    assert_near(hit.normal.z, 1);
    int ball = geom(f, "ball");
    ray.filter = is_not;
    ray.context = &ball;
    assert_int_equal(tact_sim_cast_ray(f->sim, &ray, &hit), TACT_OK);
    assert_int_equal(hit.geom, geom(f, "floor"));
    assert_near(hit.distance, 10);
    ray.reach = 9;
    assert_int_equal(tact_sim_cast_ray(f->sim, &ray, &hit), TACT_OK);
    assert_int_equal(hit.geom, -1);
    ray.direction = (TactVec3){0, 0, 0};
    assert_int_equal(tact_sim_cast_ray(f->sim, &ray, &hit), TACT_BAD_ARGUMENT);
}

static void a_height_field_has_a_surface_sides_and_a_base(void **state)
{
    Fixture   *f = *state;
    int        floor = geom(f, "floor");
    TactSimHit hit;
    const struct {
        TactVec3 origin, direction;
        double   distance;
        TactVec3 normal;
    } rays[] = {
        {{10, 0, 5}, {0, 0, -1}, 4, {0, 0, 0}},        // its top, where four slopes meet
        {{10.5, -0.5, 5}, {0, 0, -1}, 4.5, {0, 0, 0}}, // half-way down: 1 - 0.25 - 0.25
        {{20, 0.3, -0.25}, {-1, 0, 0}, 8, {1, 0, 0}},  // sides
        {{9, 7, -0.1}, {0, -1, 0}, 5, {0, 1, 0}},      //
        {{10.5, 0.5, -5}, {0, 0, 1}, 4.5, {0, 0, -1}}, // base
    };
    for (size_t i = 0; i < sizeof rays / sizeof rays[0]; i++) {
        TactRay ray = {.origin = rays[i].origin,
                       .direction = rays[i].direction,
                       .filter = is_not,
                       .context = &floor};
        assert_int_equal(tact_sim_cast_ray(f->sim, &ray, &hit), TACT_OK);
        assert_int_equal(hit.geom, geom(f, "field"));
        assert_near(hit.distance, rays[i].distance);
        if (tact_vec3_norm(rays[i].normal) > 0) {
            assert_near(tact_vec3_dot(hit.normal, rays[i].normal), 1);
        }
    }
}

static void distances_are_those_of_the_present_state(void **state)
{
    Fixture      *f = *state;
    TactDistance  d;
    TactSimState *now = tact_sim_view_state(f->sim);
    assert_int_equal(tact_sim_compute_distance(f->sim, geom(f, "ball"), geom(f, "box"), &d),
                     TACT_OK);
    assert_near(d.distance, 2 - 0.1 - 0.2);
    assert_near(d.normal.x, 1);
    assert_near(d.on_b.x, 1.9);
    assert_int_equal(tact_sim_compute_distance(f->sim, geom(f, "floor"), geom(f, "ball"), &d),
                     TACT_OK);
    assert_near(d.distance, 1.8);
    assert_int_equal(tact_sim_compute_distance(f->sim, geom(f, "ball"), geom(f, "field"), &d),
                     TACT_OK);
    assert_near(d.distance, hypot(8, 2) - 0.2); // the edge of its side at x = 8, z = 0
    now->q[2] = 0.1;                            // the ball, which is the first body, sinks in
    assert_int_equal(tact_sim_compute_distance(f->sim, geom(f, "floor"), geom(f, "ball"), &d),
                     TACT_OK);
    assert_near(d.distance, -0.1);
    assert_int_equal(tact_sim_reset(f->sim, -1), TACT_OK);
}

static void geoms_that_cannot_touch_are_refused(void **state)
{
    Fixture     *f = *state;
    TactDistance d;
    assert_int_equal(tact_sim_compute_distance(f->sim, geom(f, "seen"), geom(f, "box"), &d),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_sim_compute_distance(f->sim, 0, 1000, &d), TACT_BAD_ARGUMENT);
}

static int set_up(void **state)
{
    static Fixture      f;
    TactModelLoadConfig load = tact_model_load_config_default();
    TactStatus          status =
        tact_model_load_memory("query.xml", scene, sizeof scene - 1, &load, &f.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        print_message("skipped: %s\n", tact_status_message());
        exit(0);
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(f.model);
    assert_int_equal(tact_sim_create(f.model, &config, &f.sim), TACT_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    tact_sim_destroy(f->sim);
    tact_model_destroy(f->model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_the_nearest_geom),
        cmocka_unit_test(a_height_field_has_a_surface_sides_and_a_base),
        cmocka_unit_test(distances_are_those_of_the_present_state),
        cmocka_unit_test(geoms_that_cannot_touch_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
