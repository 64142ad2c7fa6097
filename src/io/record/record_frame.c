// A frame of a recording.
#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "io/record/record_parts.h"

enum { CONTACT_BYTES = 96, MOMENT_BYTES = 40 };

static void put_rungs(TactByteBuffer *b, const TactRecordFrame *frame)
{
    for (int i = 0; i < frame->rung_count; i++) {
        char   name[sizeof frame->rungs[i].name] = "";
        size_t length = strnlen(frame->rungs[i].name, sizeof name - 1);
        memcpy(name, frame->rungs[i].name, length);
        tact_put_int(b, frame->rungs[i].count);
        tact_put_bytes(b, name, sizeof name);
    }
}

static void put_poses(TactByteBuffer *b, const TactRecordSizes *sizes, const bool *moves,
                      const TactTransform *poses)
{
    for (int i = 0; i < sizes->bodies; i++) {
        if (moves[i]) {
            TactQuat r = poses[i].rotation;
            tact_put_vec3_f32(b, poses[i].position);
            tact_put_f32(b, r.w);
            tact_put_f32(b, r.x);
            tact_put_f32(b, r.y);
            tact_put_f32(b, r.z);
        }
    }
    tact_put_padding(b, 8);
}

static void put_recorded_contact(TactByteBuffer *b, const TactRecordContact *c)
{
    tact_put_u64(b, c->id);
    tact_put_int(b, c->geom[0]);
    tact_put_int(b, c->geom[1]);
    tact_put_vec3_f32(b, c->point);
    tact_put_vec3_f32(b, c->normal);
    tact_put_vec3_f32(b, c->tangent);
    tact_put_f32(b, c->depth);
    tact_put_f32(b, c->mu);
    for (int k = 0; k < 3; k++) {
        tact_put_f32(b, c->force[k]);
    }
    for (int k = 0; k < 3; k++) {
        tact_put_f32(b, c->velocity[k]);
    }
    tact_put_f32(b, c->friction_used);
    tact_put_int(b, (int)c->state);
    tact_put_padding(b, 8);
}

static bool has_moments(const TactRecordContact *c)
{
    return c->mu_spin != 0 || c->mu_roll != 0;
}

/// Moments of the contacts that have some, by their numbers. Where none has, the frame ends before.
static void put_moments(TactByteBuffer *b, const TactRecordFrame *f)
{
    int count = 0;
    for (int i = 0; i < f->contact_count; i++) {
        count += has_moments(&f->contacts[i]);
    }
    if (count == 0) {
        return;
    }
    tact_put_int(b, count);
    tact_put_int(b, 0); // whole words of eight bytes
    for (int i = 0; i < f->contact_count; i++) {
        const TactRecordContact *c = &f->contacts[i];
        if (!has_moments(c)) {
            continue;
        }
        tact_put_int(b, i);
        tact_put_f32(b, c->mu_spin);
        tact_put_f32(b, c->mu_roll);
        for (int k = 0; k < 6; k++) {
            tact_put_f32(b, k < 3 ? c->moment[k] : c->spin[k - 3]);
        }
        tact_put_int(b, 0);
    }
}

void tact_record_put_frame(TactByteBuffer *b, const TactRecordSizes *sizes, const bool *moves,
                           const TactRecordFrame *f)
{
    const double about[] = {f->kinetic,    f->potential,  f->error,    f->penetration,
                            f->loop_error, f->solve_time, f->step_time};
    tact_put_f64(b, f->time);
    tact_put_u64(b, f->step);
    tact_put_u64(b, f->hash);
    tact_put_f64s(b, about, sizeof about / sizeof about[0]);
    tact_put_int(b, f->islands);
    tact_put_int(b, f->certified);
    tact_put_int(b, f->pivots);
    tact_put_int(b, f->rows);
    tact_put_int(b, f->rung_count);
    tact_put_int(b, f->contact_count);
    tact_put_f64s(b, f->q, (size_t)sizes->nq);
    tact_put_f64s(b, f->v, (size_t)sizes->nv);
    tact_put_f64s(b, f->ctrl, (size_t)sizes->actuators);
    tact_put_f64s(b, f->sensors, (size_t)sizes->sensors);
    put_rungs(b, f);
    put_poses(b, sizes, moves, f->poses);
    for (int i = 0; i < f->contact_count; i++) {
        put_recorded_contact(b, &f->contacts[i]);
    }
    put_moments(b, f);
}

// ---------------------------------------------------------------------------------------------

static void get_rungs(TactByteReader *r, TactRecordFrame *frame)
{
    for (int i = 0; i < frame->rung_count; i++) {
        TactRecordRung *rung = &frame->rungs[i];
        rung->count = tact_get_int(r, 0, INT_MAX);
        const unsigned char *name = tact_get_bytes(r, 1, sizeof rung->name);
        if (name) {
            memcpy(rung->name, name, sizeof rung->name);
        }
        rung->name[sizeof rung->name - 1] = '\0';
    }
}

static void get_poses(TactByteReader *r, const TactRecordModel *model, TactTransform *poses)
{
    for (int i = 0; i < model->body_count; i++) {
        if (model->bodies[i].moves) {
            poses[i].position = tact_get_vec3_f32(r);
            poses[i].rotation.w = tact_get_f32(r);
            poses[i].rotation.x = tact_get_f32(r);
            poses[i].rotation.y = tact_get_f32(r);
            poses[i].rotation.z = tact_get_f32(r);
        }
    }
}

static void get_contact(TactByteReader *r, const TactRecordModel *model, TactRecordContact *c)
{
    c->id = tact_get_u64(r);
    c->geom[0] = tact_get_int(r, 0, model->geom_count - 1);
    c->geom[1] = tact_get_int(r, 0, model->geom_count - 1);
    c->point = tact_get_vec3_f32(r);
    c->normal = tact_get_vec3_f32(r);
    c->tangent = tact_get_vec3_f32(r);
    c->depth = tact_get_f32(r);
    c->mu = tact_get_f32(r);
    for (int k = 0; k < 3; k++) {
        c->force[k] = tact_get_f32(r);
    }
    for (int k = 0; k < 3; k++) {
        c->velocity[k] = tact_get_f32(r);
    }
    c->friction_used = tact_get_f32(r);
    c->state = (TactContactState)tact_get_int(r, TACT_STATE_OPEN, TACT_STATE_SLIDE);
    c->mu_spin = c->mu_roll = 0;
    for (int k = 0; k < 3; k++) {
        c->moment[k] = c->spin[k] = 0;
    }
}

/// What put_moments() wrote, if there is more behind the contacts and what fills them up.
static void get_moments(TactByteReader *r, TactRecordContact *contacts, int count)
{
    tact_get_bytes(r, 8, 0);
    if (r->bad || r->next >= r->size) {
        return;
    }
    int moments = tact_get_count(r, MOMENT_BYTES);
    tact_get_int(r, 0, 0);
    for (int m = 0; m < moments && !r->bad; m++) {
        int i = tact_get_int(r, 0, count - 1);
        if (r->bad) {
            return;
        }
        TactRecordContact *c = &contacts[i];
        c->mu_spin = tact_get_f32(r);
        c->mu_roll = tact_get_f32(r);
        for (int k = 0; k < 6; k++) {
            *(k < 3 ? &c->moment[k] : &c->spin[k - 3]) = tact_get_f32(r);
        }
        tact_get_int(r, 0, 0);
    }
}

static TactStatus reserve_recorded(TactRecordRoom *room, int count)
{
    if (count <= room->capacity) {
        return TACT_OK;
    }
    tact_release(room->contacts);
    room->contacts = NULL;
    room->capacity = 0;
    TACT_TRY(tact_allocate((size_t)count, sizeof *room->contacts, (void **)&room->contacts));
    room->capacity = count;
    return TACT_OK;
}

static void get_numbers(TactByteReader *r, const TactRecordModel *model, double *numbers,
                        TactRecordFrame *f)
{
    size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
    size_t actuators = (size_t)model->actuator_count, sensors = (size_t)model->sensor_size;
    f->q = numbers;
    f->v = f->q + nq;
    f->ctrl = f->v + nv;
    f->sensors = f->ctrl + actuators;
    tact_get_f64s(r, numbers, nq + nv + actuators + sensors);
}

TactStatus tact_record_get_frame(TactByteReader *r, const TactRecordModel *model,
                                 TactRecordRoom *room, TactRecordFrame *f)
{
    *f = (TactRecordFrame){.time = tact_get_f64(r)};
    f->step = tact_get_u64(r);
    f->hash = tact_get_u64(r);
    double *const about[] = {&f->kinetic,    &f->potential,  &f->error,    &f->penetration,
                             &f->loop_error, &f->solve_time, &f->step_time};
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        *about[i] = tact_get_f64(r);
    }
    f->islands = tact_get_int(r, 0, INT_MAX);
    f->certified = tact_get_int(r, 0, INT_MAX);
    f->pivots = tact_get_int(r, 0, INT_MAX);
    f->rows = tact_get_int(r, 0, INT_MAX);
    f->rung_count = tact_get_int(r, 0, TACT_CONTACT_MAX_RUNGS);
    f->contact_count = tact_get_count(r, CONTACT_BYTES);
    get_numbers(r, model, room->numbers, f);
    get_rungs(r, f);
    get_poses(r, model, room->poses);
    f->poses = room->poses;
    if (r->bad) {
        return TACT_OK;
    }
    TACT_TRY(reserve_recorded(room, f->contact_count));
    f->contacts = room->contacts;
    for (int i = 0; i < f->contact_count; i++) {
        get_contact(r, model, &room->contacts[i]);
    }
    get_moments(r, room->contacts, f->contact_count);
    return TACT_OK;
}
