#include "view/protocol/view_frame.h"

#include <math.h>
#include <stdio.h>

static float *put_vector(float *at, TactVec3 v)
{
    at[0] = (float)v.x;
    at[1] = (float)v.y;
    at[2] = (float)v.z;
    return at + 3;
}

static TactVec3 along(const TactSimContact *c, const double x[3])
{
    TactVec3 sum = tact_vec3_scale(x[0], c->normal);
    sum = tact_vec3_add_scaled(sum, x[1], c->tangent[0]);
    return tact_vec3_add_scaled(sum, x[2], c->tangent[1]);
}

enum { ASLEEP = 3 }; // instead of the state of a contact that carries a load

static int state_number(TactContactState state)
{
    return state == TACT_STATE_STICK ? 1 : state == TACT_STATE_SLIDE ? 2 : 0;
}

static float *put_frame_contact(float *at, const TactSimContact *c)
{
    double slip[3] = {0, c->velocity[1], c->velocity[2]};
    at[TACT_VIEW_CONTACT_GEOM_A] = (float)c->geom[0];
    at[TACT_VIEW_CONTACT_GEOM_B] = (float)c->geom[1];
    put_vector(at + TACT_VIEW_CONTACT_POINT_X, c->point);
    put_vector(at + TACT_VIEW_CONTACT_NORMAL_X, c->normal);
    put_vector(at + TACT_VIEW_CONTACT_FORCE_X, along(c, c->force));
    at[TACT_VIEW_CONTACT_DEPTH] = (float)c->depth;
    at[TACT_VIEW_CONTACT_MU] = (float)c->mu;
    at[TACT_VIEW_CONTACT_STATE] = (float)state_number(c->state);
    at[TACT_VIEW_CONTACT_USED] = (float)c->friction_used;
    at[TACT_VIEW_CONTACT_NORMAL] = (float)c->force[0];
    put_vector(at + TACT_VIEW_CONTACT_SLIP_X, along(c, slip));
    at[TACT_VIEW_CONTACT_GAP] = (float)c->velocity[0];
    double roll[3] = {0, c->moment[1], c->moment[2]};
    at[TACT_VIEW_CONTACT_SPIN_MOMENT] = (float)c->moment[0];
    put_vector(at + TACT_VIEW_CONTACT_ROLL_X, along(c, roll));
    at[TACT_VIEW_CONTACT_SPIN_RATE] = (float)c->spin[0];
    at[TACT_VIEW_CONTACT_ROLL_RATE] = (float)hypot(c->spin[1], c->spin[2]);
    at[TACT_VIEW_CONTACT_MU_SPIN] = (float)c->mu_spin;
    at[TACT_VIEW_CONTACT_MU_ROLL] = (float)c->mu_roll;
    return at + TACT_VIEW_CONTACT_SIZE;
}

static float *put_numbers(float *at, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        *at++ = (float)x[i];
    }
    return at;
}

/// JSON has no infinite numbers.
static double or_none(double x)
{
    return isfinite(x) ? x : -1;
}

/// {"reduced":3,"search":1}: which rung answered how many islands.
static void write_rungs(const TactSimReport *report, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "{");
    for (int i = 0; i < report->rung_count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\":%d", i > 0 ? "," : "",
                                 report->rungs[i].name, report->rungs[i].count);
    }
    if (used + 2 > size) {
        snprintf(text, size, "{}");
    } else {
        snprintf(text + used, size - used, "}");
    }
}

static void write_header(const TactViewFrame *frame, int contacts, int sensors, char *header,
                         size_t size)
{
    const TactSimReport *report = frame->report;
    char                 rungs[512];
    write_rungs(report, rungs, sizeof rungs);
    snprintf(header, size,
             "{\"type\":\"frame\",\"time\":%.17g,\"step\":%ld,\"hash\":\"%016llx\",\"bodies\":%d,"
             "\"contacts\":%d,\"sensors\":%d,\"ctrl\":%d,\"error\":%.4g,\"certified\":%d,"
             "\"islands\":%d,\"pivots\":%d,\"rungs\":%s,\"kinetic\":%.9g,\"potential\":%.9g,"
             "\"step_us\":%.4g,\"cpu_us\":%.6g,\"thread_us\":%.6g}",
             frame->state->time, frame->step, (unsigned long long)tact_sim_get_hash(frame->sim),
             frame->model->body_count, contacts, sensors, frame->model->actuator_count,
             or_none(report->error), report->certified, report->islands, report->pivots, rungs,
             or_none(frame->energy.kinetic), or_none(frame->energy.potential),
             1e6 * frame->step_time, 1e6 * frame->step_cpu, 1e6 * frame->thread_cpu);
}

TactViewMessage *tact_view_frame_message(const TactViewFrame *frame)
{
    const TactModel      *model = frame->model;
    const TactTransform  *poses = tact_dynamics_view_poses(frame->dynamics);
    int                   count;
    const TactSimContact *contacts = tact_sim_view_contacts(frame->sim, &count);
    int                   sensors = frame->sensors ? model->sensor_size : 0;
    char                  header[1024];
    int                   all = count + frame->sleeper_count;
    write_header(frame, all, sensors, header, sizeof header);
    size_t body_size = TACT_VIEW_POSE_SIZE + TACT_VIEW_VELOCITY_SIZE;
    size_t numbers = body_size * (size_t)model->body_count + TACT_VIEW_CONTACT_SIZE * (size_t)all +
                     (size_t)sensors + (size_t)model->actuator_count;
    void            *place;
    TactViewMessage *message = tact_view_message_create(header, numbers * sizeof(float), &place);
    if (!message) {
        return NULL;
    }
    float *at = place;
    for (int i = 0; i < model->body_count; i++) {
        TactQuat q = poses[i].rotation;
        at = put_vector(at, poses[i].position);
        at = put_numbers(at, (double[]){q.w, q.x, q.y, q.z}, 4);
    }
    for (int i = 0; i < model->body_count; i++) {
        TactTwist twist = tact_dynamics_compute_velocity(frame->dynamics, i, poses[i].position);
        at = put_vector(put_vector(at, twist.linear), twist.angular);
    }
    for (int i = 0; i < count; i++) {
        at = put_frame_contact(at, &contacts[i]);
    }
    for (int i = 0; i < frame->sleeper_count; i++) {
        float *own = at;
        at = put_frame_contact(at, &frame->sleepers[i]);
        own[TACT_VIEW_CONTACT_STATE] = own[TACT_VIEW_CONTACT_STATE] > 0 ? ASLEEP : 0;
    }
    at = put_numbers(at, frame->sensors, sensors);
    put_numbers(at, frame->state->ctrl, model->actuator_count);
    return message;
}
