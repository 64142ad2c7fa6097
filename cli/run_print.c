// What `tact run` prints.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "run.h"

/// The time that this share of the steps took at most to solve, s.
static double time_at(const TactRunResult *r, double share)
{
    return r->solve_times[(long)ceil(share * (double)r->steps) - 1];
}

void tact_run_print(const TactRunOptions *options, const TactRunResult *r)
{
    double steps = (double)r->steps;
    printf("%s: %g s in %ld steps of %g ms, %d degrees of freedom\n", options->file, steps * r->dt,
           r->steps, 1e3 * r->dt, r->model->nv);
    printf("  contacts      %.1f on average, %d at most\n", (double)r->contacts / steps,
           r->contacts_max);
    printf("  solves        %ld, %s%ld certified%s, worst error %.1e\n", r->solves,
           tact_cli_colour(stdout, r->certified == r->solves ? TACT_GREEN : TACT_RED), r->certified,
           tact_cli_colour(stdout, TACT_PLAIN), r->error_max);
    printf("  penetration   %.2e m at most\n", r->penetration_max);
    if (r->model->equality_count > 0) {
        printf("  loops         closed to %.1e\n", r->loop_error_max);
    }
    printf("  time          %.1f us a step, %.1f us of it solving (%.0f us at most): %.3g times "
           "real time\n",
           1e6 * r->step_time / steps, 1e6 * r->solve_time / steps, 1e6 * time_at(r, 1),
           r->dt * steps / r->step_time);
    printf("  hash          %016llx\n", (unsigned long long)r->hash);
}

static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *numbers(const double *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) {
        json_array_append_new(array, real(x[i]));
    }
    return array;
}

static json_t *vector(TactVec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    return numbers(x, 3);
}

static json_t *describe_bodies(const TactRunResult *r, const TactDynamics *dynamics)
{
    json_t              *bodies = json_object();
    const TactTransform *poses = tact_dynamics_view_poses(dynamics);
    for (int i = 1; i < r->model->body_count; i++) {
        char          label[64];
        TactTransform pose = poses[i];
        TactTwist     v = tact_dynamics_velocity(dynamics, i, pose.position);
        const double quat[4] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
        json_object_set_new(bodies, tact_model_label(r->model, TACT_OBJECT_BODY, i, label),
                            json_pack("{s:o, s:o, s:o, s:o}", "pos", vector(pose.position), "quat",
                                      numbers(quat, 4), "vel", vector(v.linear), "omega",
                                      vector(v.angular)));
    }
    return bodies;
}

static json_t *describe_joints(const TactRunResult *r)
{
    static const int    q_size[] = {7, 4, 1, 1}, v_size[] = {6, 3, 1, 1};
    json_t             *joints = json_object();
    const TactSimState *state = tact_sim_view_state(r->sim);
    for (int i = 0; i < r->model->joint_count; i++) {
        const TactJoint *joint = &r->model->joints[i];
        char             label[64];
        json_object_set_new(joints, tact_model_label(r->model, TACT_OBJECT_JOINT, i, label),
                            json_pack("{s:o, s:o}", "qpos",
                                      numbers(state->q + joint->q, q_size[joint->type]), "qvel",
                                      numbers(state->v + joint->dof, v_size[joint->type])));
    }
    return joints;
}

/// How many solves ended with which rung.
static json_t *describe_rungs(const TactRunResult *r)
{
    json_t *rungs = json_object();
    for (int i = 0; i < r->rung_count; i++) {
        json_object_set_new(rungs, r->rungs[i].name, json_integer(r->rungs[i].count));
    }
    return rungs;
}

int tact_run_print_json(const TactRunOptions *options, const TactRunResult *r)
{
    double              steps = (double)r->steps;
    char                hash[17];
    const TactSimState *state = tact_sim_view_state(r->sim);
    TactDynamics       *dynamics = NULL;
    if (tact_dynamics_create(r->model, &dynamics) != TACT_OK ||
        tact_dynamics_set_position(dynamics, state->q) != TACT_OK ||
        tact_dynamics_set_velocity(dynamics, state->v) != TACT_OK) {
        tact_dynamics_destroy(dynamics);
        return tact_cli_bad("%s", tact_status_message());
    }
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:I, s:i, s:{s:o, s:i}, s:{s:I, s:I, s:I}, s:o, s:o, s:o}", "scene",
        options->file, "time", real(steps * r->dt), "dt", real(r->dt), "steps",
        (json_int_t)r->steps, "dof", r->model->nv, "contacts", "mean",
        real((double)r->contacts / steps), "max", r->contacts_max, "solves", "total",
        (json_int_t)r->solves, "certified", (json_int_t)r->certified, "unverified",
        (json_int_t)(r->solves - r->certified), "residual_max", real(r->error_max),
        "penetration_max", real(r->penetration_max), "loop_error_max", real(r->loop_error_max));
    json_object_set_new(json_object_get(object, "solves"), "by_rung", describe_rungs(r));
    json_t *rest =
        json_pack("{s:{s:o, s:o, s:o}, s:{s:o}, s:o, s:s, s:o, s:o}", "solve_us", "mean",
                  real(1e6 * r->solve_time / steps), "p99", real(1e6 * time_at(r, 0.99)), "max",
                  real(1e6 * time_at(r, 1)), "step_us", "mean", real(1e6 * r->step_time / steps),
                  "realtime", real(r->dt * steps / r->step_time), "hash", hash, "bodies",
                  describe_bodies(r, dynamics), "joints", describe_joints(r));
    tact_dynamics_destroy(dynamics);
    bool done = object && rest && json_object_update(object, rest) == 0 &&
                json_dumpf(object, stdout, JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(object);
    json_decref(rest);
    return done ? 0 : tact_cli_bad("the output could not be written");
}
