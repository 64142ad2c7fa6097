// What `tact run` prints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/run/run.h"

#define REAL tact_json_value_real

/// A geom by its name, and if it has none by that of its body as well.
static const char *name_geom(const TactModel *model, int geom, char text[160])
{
    char label[64], body[64];
    tact_model_label(model, TACT_OBJECT_GEOM, geom, label);
    if (strchr(label, '\'')) {
        snprintf(text, 160, "%s", label);
    } else {
        tact_model_label(model, TACT_OBJECT_BODY, model->geoms[geom].body, body);
        snprintf(text, 160, "%s of %s", label, body);
    }
    return text;
}

static void print_stuck(const TactRun *run)
{
    int                 count;
    const TactSimStuck *stuck = tact_sim_view_stuck(run->sim, &count);
    for (int i = 0; i < count; i++) {
        char a[160], b[160];
        printf("  stuck         %s and %s overlap by %.3g mm, and nothing can part them\n",
               name_geom(run->model, stuck[i].geom[0], a),
               name_geom(run->model, stuck[i].geom[1], b), 1e3 * stuck[i].depth);
    }
}

static json_t *describe_stuck(const TactRun *run)
{
    json_t             *list = json_array();
    int                 count;
    const TactSimStuck *stuck = tact_sim_view_stuck(run->sim, &count);
    for (int i = 0; i < count; i++) {
        char    a[160], b[160];
        json_t *one = json_object();
        tact_json_set(one, "a", tact_json_value_text(name_geom(run->model, stuck[i].geom[0], a)));
        tact_json_set(one, "b", tact_json_value_text(name_geom(run->model, stuck[i].geom[1], b)));
        tact_json_set(one, "depth", REAL(stuck[i].depth));
        tact_json_append(list, one);
    }
    return list;
}

/// Body, joint and unit of a degree of freedom.
static const char *name_dof(const TactModel *model, int dof, char body[64], char joint[64])
{
    const TactJoint *j = &model->joints[model->dofs[dof].joint];
    bool shifts = j->type == TACT_JOINT_SLIDE || (j->type == TACT_JOINT_FREE && dof - j->dof < 3);
    tact_model_label(model, TACT_OBJECT_BODY, j->body, body);
    tact_model_label(model, TACT_OBJECT_JOINT, model->dofs[dof].joint, joint);
    return shifts ? "m/s" : "rad/s";
}

/// "body 'NAME'"; the label of what has no name says what it is.
static const char *name_thing(const char *kind, const char *label, char text[96])
{
    bool unnamed = strncmp(label, kind, strlen(kind)) == 0 && label[strlen(kind)] == ' ';
    snprintf(text, 96, unnamed ? "%.0s%s" : "%s '%s'", kind, label);
    return text;
}

static void print_apart(const TactRun *run, const TactRunResult *r)
{
    char body[64], joint[64], a[96], b[96];
    if (r->coarse.apart.is) {
        const char *unit = name_dof(run->model, r->coarse.apart.dof, body, joint);
        printf("  flies apart   at %g s: %s moves at %.1e %s in %s; what follows means nothing\n",
               r->coarse.apart.time, name_thing("body", body, a), r->coarse.apart.speed, unit,
               name_thing("joint", joint, b));
    }
}

static json_t *describe_apart(const TactRun *run, const TactRunResult *r)
{
    char body[64], joint[64];
    if (!r->coarse.apart.is) {
        return json_null();
    }
    const char *unit = name_dof(run->model, r->coarse.apart.dof, body, joint);
    return tact_json_pack("{s:o, s:o, s:o, s:o, s:s}", "time", REAL(r->coarse.apart.time), "body",
                          tact_json_value_text(body), "joint", tact_json_value_text(joint), "speed",
                          REAL(r->coarse.apart.speed), "unit", unit);
}

void tact_run_print(const TactRun *run, const TactRunResult *r)
{
    double steps = (double)r->steps;
    printf("%s: %g s in %ld steps of %g ms, %d %s of freedom\n", run->options->file,
           steps * run->dt, r->steps, 1e3 * run->dt, run->model->nv,
           run->model->nv == 1 ? "degree" : "degrees");
    if (r->steps < run->steps) {
        printf("  stopped       before its time, %g s\n", (double)run->steps * run->dt);
    }

    printf("  contacts      %.1f on average, %d at most\n", (double)r->contacts / steps,
           r->contacts_max);
    printf("  solves        %ld, %s%ld certified%s, worst error %.1e\n", r->solves,
           tact_cli_colour(stdout, r->certified == r->solves ? TACT_GREEN : TACT_RED), r->certified,
           tact_cli_colour(stdout, TACT_PLAIN), r->error_max);
    if (r->out_of_budget > 0) {
        printf("  budget        %ld solves ended by it, with their best answers%s\n",
               r->out_of_budget,
               r->out_of_time > 0 ? "; the clock did it, so this run is not reproducible" : "");
    }
    if (r->saved > 0) {
        printf("  failures      %ld written to %s\n", r->saved, run->options->save_failures);
    }
    tact_run_print_judged(run, r);
    tact_run_print_proved(run, r);
    printf("  penetration   %.2e m at most\n", r->penetration_max);
    print_stuck(run);
    if (run->model->equality_count > 0) {
        printf("  loops         closed to %.1e\n", r->loop_error_max);
    }
    if (r->implied_rows > 0) {
        printf(
            "  left out      %d rows of loops that follow from the others but for %.1e m or rad\n",
            r->implied_rows, r->implied_error_max);
    }
    if (r->correction_max > 0) {
        printf(
            "  corrections   %.3g m or rad in a step at most: overlaps and loop errors taken out\n",
            r->correction_max);
    }
    if (r->damping > 0) {
        printf("  damping       %.3g J taken from mechanisms: contacts give no energy\n",
               r->damping);
    }
    if (r->coarse.divided > 0) {
        printf("  divided       %ld steps, where something is fast or stiff\n", r->coarse.divided);
    }
    if (r->coarse.unresolved > 0) {
        printf("  unresolved    %ld steps, too long for their motion: a shorter --dt would help\n",
               r->coarse.unresolved);
    }
    print_apart(run, r);
    printf("  time          %.1f us a step, %.1f us of it solving (%.0f us at most): %.3g times "
           "real time\n",
           1e6 * r->step_time / steps, 1e6 * r->solve_time / steps, 1e6 * r->solve_time_max,
           run->dt * steps / r->step_time);
    for (int i = 0; i < r->hash_count; i++) {
        printf("  hash          %016llx after step %ld\n", (unsigned long long)r->hashes[i].hash,
               r->hashes[i].step);
    }
    printf("  hash          %016llx\n", (unsigned long long)r->hash);
}

static void describe_body(const TactRun *r, int body, TactTransform pose, TactTwist v,
                          json_t *bodies)
{
    char         label[64];
    const double quat[4] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    tact_json_set(bodies, tact_model_label(r->model, TACT_OBJECT_BODY, body, label),
                  tact_json_pack("{s:o, s:o, s:o, s:o}", "pos", tact_json_value_vec3(pose.position),
                                 "quat", tact_json_value_vector(quat, 4), "vel",
                                 tact_json_value_vec3(v.linear), "omega",
                                 tact_json_value_vec3(v.angular)));
}

/// Poses and velocities of all bodies at the end, by name; NULL if they cannot be had.
static json_t *describe_bodies(const TactRun *r)
{
    size_t         count = (size_t)r->model->body_count;
    TactTransform *poses = calloc(count, sizeof *poses);
    TactTwist     *twists = calloc(count, sizeof *twists);
    json_t        *bodies = NULL;
    if (poses && twists && tact_sim_compute_poses(r->sim, poses) == TACT_OK &&
        tact_sim_compute_velocities(r->sim, twists) == TACT_OK) {
        bodies = json_object();
        for (int i = 1; i < r->model->body_count; i++) {
            describe_body(r, i, poses[i], twists[i], bodies);
        }
    }
    free(poses);
    free(twists);
    return bodies;
}

static json_t *describe_joints(const TactRun *r)
{
    static const int    q_size[] = {7, 4, 1, 1}, v_size[] = {6, 3, 1, 1};
    json_t             *joints = json_object();
    const TactSimState *state = tact_sim_view_state(r->sim);
    for (int i = 0; i < r->model->joint_count; i++) {
        const TactJoint *joint = &r->model->joints[i];
        char             label[64];
        tact_json_set(
            joints, tact_model_label(r->model, TACT_OBJECT_JOINT, i, label),
            tact_json_pack("{s:o, s:o}", "qpos",
                           tact_json_value_vector(state->q + joint->q, q_size[joint->type]), "qvel",
                           tact_json_value_vector(state->v + joint->dof, v_size[joint->type])));
    }
    return joints;
}

/// Values of all sensors at the end, by name; NULL if they cannot be had.
static json_t *describe_sensors(const TactRun *r)
{
    TactSimSensors all = {0};
    json_t        *sensors = json_object();
    if (tact_sim_compute_sensors(r->sim, &all) != TACT_OK) {
        json_decref(sensors);
        return NULL;
    }
    for (int i = 0; i < r->model->sensor_count; i++) {
        const TactSensor *sensor = &r->model->sensors[i];
        char              label[64];
        tact_json_set(sensors, tact_model_label(r->model, TACT_OBJECT_SENSOR, i, label),
                      tact_json_value_vector(all.values + sensor->address, sensor->size));
    }
    return sensors;
}

/// How many solves ended with which rung.
static json_t *describe_rungs(const TactRunResult *r)
{
    json_t *rungs = json_object();
    for (int i = 0; i < r->rung_count; i++) {
        tact_json_set(rungs, r->rungs[i].name, json_integer(r->rungs[i].count));
    }
    return rungs;
}

static json_t *describe_hashes(const TactRunResult *r)
{
    json_t *hashes = json_array();
    for (int i = 0; i < r->hash_count; i++) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hashes[i].hash);
        tact_json_append(hashes, tact_json_pack("{s:I, s:s}", "step", (json_int_t)r->hashes[i].step,
                                                "hash", hash));
    }
    return hashes;
}

/// Contacts of the last step that resist spinning and rolling, and how much of their bounds the one
/// nearest to it uses. Nothing where none does.
static void add_turning(const TactRun *run, json_t *object)
{
    int                   count, spinning = 0, rolling = 0;
    double                spin = 0, roll = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(run->sim, &count);
    for (int i = 0; i < count; i++) {
        spinning += contacts[i].mu_spin > 0;
        rolling += contacts[i].mu_roll > 0;
        spin = fmax(spin, contacts[i].spin_used);
        roll = fmax(roll, contacts[i].roll_used);
    }
    if (spinning + rolling > 0) {
        tact_json_set(object, "moments",
                      tact_json_pack("{s:i, s:i, s:o, s:o}", "resist_spinning", spinning,
                                     "resist_rolling", rolling, "spin_used_max", REAL(spin),
                                     "roll_used_max", REAL(roll)));
    }
}

int tact_run_print_json(const TactRun *run, const TactRunResult *r)
{
    double steps = (double)r->steps;
    char   hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
    json_t *object = tact_json_pack(
        "{s:o, s:o, s:o, s:I, s:i, s:{s:o, s:i}, s:{s:I, s:I, s:I}, s:o, s:o, s:o}", "scene",
        tact_json_value_text(run->options->file), "time", REAL(steps * run->dt), "dt",
        REAL(run->dt), "steps", (json_int_t)r->steps, "dof", run->model->nv, "contacts", "mean",
        REAL((double)r->contacts / steps), "max", r->contacts_max, "solves", "total",
        (json_int_t)r->solves, "certified", (json_int_t)r->certified, "unverified",
        (json_int_t)(r->solves - r->certified), "residual_max", REAL(r->error_max),
        "penetration_max", REAL(r->penetration_max), "loop_error_max", REAL(r->loop_error_max));
    tact_json_set(json_object_get(object, "solves"), "by_rung", describe_rungs(r));
    tact_json_set(json_object_get(object, "solves"), "out_of_budget",
                  json_integer((json_int_t)r->out_of_budget));
    add_turning(run, object);
    tact_json_set(object, "stuck", describe_stuck(run));
    tact_json_set(object, "implied_rows", json_integer(r->implied_rows));
    tact_json_set(object, "implied_error_max", REAL(r->implied_error_max));
    tact_json_set(object, "reproducible", json_boolean(r->out_of_time == 0));
    if (run->options->save_failures) {
        tact_json_set(object, "failures_saved", json_integer((json_int_t)r->saved));
    }
    tact_run_add_judged(run, r, object);
    tact_run_add_proved(run, r, object);
    tact_json_set(object, "correction_max", json_real(r->correction_max));
    tact_json_set(object, "damping_energy", json_real(r->damping));
    tact_json_set(object, "divided_steps", json_integer((json_int_t)r->coarse.divided));
    tact_json_set(object, "unresolved_steps", json_integer((json_int_t)r->coarse.unresolved));
    tact_json_set(object, "flies_apart", describe_apart(run, r));
    tact_json_set(object, "interrupted", json_boolean(r->signal != 0));
    if (run->options->output.hash_every > 0) {
        tact_json_set(object, "hashes", describe_hashes(r));
    }
    json_t *rest = tact_json_pack(
        "{s:{s:o, s:o, s:o}, s:{s:o}, s:o, s:s, s:o, s:o}", "solve_us", "mean",
        REAL(1e6 * r->solve_time / steps), "p99", REAL(1e6 * tact_run_solve_time(r, 0.99)), "max",
        REAL(1e6 * r->solve_time_max), "step_us", "mean", REAL(1e6 * r->step_time / steps),
        "realtime", REAL(run->dt * steps / r->step_time), "hash", hash, "bodies",
        describe_bodies(run), "joints", describe_joints(run));
    if (run->model->sensor_count > 0) {
        tact_json_set(object, "sensors", describe_sensors(run));
    }
    tact_json_merge(object, rest);
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
