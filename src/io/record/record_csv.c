// Frames as lines of comma-separated values.
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/record/record_parts.h"

struct TactRecordCsv {
    const TactModel  *model;
    char             *path;
    FILE             *stream;
    locale_t          locale; // numbers have a decimal point, whatever the program's
    TactRecordCsvKind kind;
    TactStatus        status; // of the file
};

static TactStatus fail_csv(TactRecordCsv *csv)
{
    csv->status = tact_fail(TACT_IO_ERROR, "%s: cannot be written: %s", csv->path,
                            strerror(errno ? errno : EIO));
    return csv->status;
}

// ---------------------------------------------------------------------------------------------
// The head

static bool needs_quotes(const char *name)
{
    return strpbrk(name, ",\"\n\r") != NULL;
}

/// A cell: PREFIX NAME SUFFIX, in quotes if it must be.
static void write_name(FILE *stream, const char *prefix, const char *name, const char *suffix)
{
    if (!needs_quotes(name)) {
        fprintf(stream, "%s%s%s", prefix, name, suffix);
        return;
    }
    fprintf(stream, "\"%s", prefix);
    for (const char *at = name; *at; at++) {
        fprintf(stream, *at == '"' ? "\"\"" : "%c", *at);
    }
    fprintf(stream, "%s\"", suffix);
}

static void write_joint_names(const TactRecordCsv *csv, const char *prefix,
                              const char *const *suffixes[])
{
    for (int i = 0; i < csv->model->joint_count; i++) {
        char               label[64];
        const char        *name = tact_model_label(csv->model, TACT_OBJECT_JOINT, i, label);
        const char *const *suffix = suffixes[csv->model->joints[i].type];
        for (; *suffix; suffix++) {
            fputc(',', csv->stream);
            write_name(csv->stream, prefix, name, *suffix);
        }
    }
}

static void write_state_head(const TactRecordCsv *csv)
{
    static const char *const free_q[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz", NULL};
    static const char *const ball_q[] = {".qw", ".qx", ".qy", ".qz", NULL};
    static const char *const free_v[] = {".x", ".y", ".z", ".wx", ".wy", ".wz", NULL};
    static const char *const ball_v[] = {".wx", ".wy", ".wz", NULL};
    static const char *const one[] = {"", NULL};

    const char *const *q[] = {free_q, ball_q, one, one};
    const char *const *v[] = {free_v, ball_v, one, one};
    fprintf(csv->stream, "step,time");
    write_joint_names(csv, "q:", q);
    write_joint_names(csv, "v:", v);
    for (int i = 0; i < csv->model->actuator_count; i++) {
        char label[64];
        fputc(',', csv->stream);
        write_name(csv->stream,
                   "ctrl:", tact_model_label(csv->model, TACT_OBJECT_ACTUATOR, i, label), "");
    }
    for (int i = 0; i < csv->model->sensor_count; i++) {
        const TactSensor *sensor = &csv->model->sensors[i];
        char              label[64], suffix[16] = "";
        const char       *name = tact_model_label(csv->model, TACT_OBJECT_SENSOR, i, label);
        for (int k = 0; k < sensor->size; k++) {
            if (sensor->size > 1) {
                snprintf(suffix, sizeof suffix, ".%d", k);
            }
            fputc(',', csv->stream);
            write_name(csv->stream, "sensor:", name, suffix);
        }
    }
    fprintf(csv->stream, ",contacts,islands,certified,error,penetration,loop_error,kinetic,"
                         "potential,solve_us,hash\n");
}

static void write_contact_head(const TactRecordCsv *csv)
{
    fprintf(csv->stream, "step,time,a,b,x,y,z,nx,ny,nz,depth,fx,fy,fz,fn,ft,mu,friction_used,state,"
                         "slip,mn,mr,mu_spin,mu_roll\n");
}

// ---------------------------------------------------------------------------------------------
// Lines

static void write_numbers(FILE *stream, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(stream, ",%.17g", x[i]);
    }
}

static void write_vector(FILE *stream, TactVec3 v)
{
    fprintf(stream, ",%.9g,%.9g,%.9g", v.x, v.y, v.z);
}

static void write_state(const TactRecordCsv *csv, const TactRecordFrame *f)
{
    FILE *stream = csv->stream;
    fprintf(stream, "%llu,%.17g", (unsigned long long)f->step, f->time);
    write_numbers(stream, f->q, csv->model->nq);
    write_numbers(stream, f->v, csv->model->nv);
    write_numbers(stream, f->ctrl, csv->model->actuator_count);
    for (int i = 0; i < csv->model->sensor_size && !f->sensors; i++) {
        fputc(',', stream);
    }
    write_numbers(stream, f->sensors, f->sensors ? csv->model->sensor_size : 0);
    fprintf(stream, ",%d,%d,%d,%.3g,%.6g,%.3g,%.17g,%.17g,%.4g,%016llx\n", f->contact_count,
            f->islands, f->certified, f->error, f->penetration, f->loop_error, f->kinetic,
            f->potential, 1e6 * f->solve_time, (unsigned long long)f->hash);
}

static void write_contact(const TactRecordCsv *csv, const TactRecordFrame *f,
                          const TactRecordContact *c)
{
    static const char *const states[] = {"open", "stick", "slide"};

    FILE    *stream = csv->stream;
    TactVec3 other = tact_vec3_cross(c->normal, c->tangent);
    TactVec3 force = tact_vec3_scale(c->force[0], c->normal);
    force = tact_vec3_add_scaled(force, c->force[1], c->tangent);
    force = tact_vec3_add_scaled(force, c->force[2], other);
    fprintf(stream, "%llu,%.17g", (unsigned long long)f->step, f->time);
    for (int k = 0; k < 2; k++) {
        char label[64];
        fputc(',', stream);
        write_name(stream, "", tact_model_label(csv->model, TACT_OBJECT_GEOM, c->geom[k], label),
                   "");
    }
    write_vector(stream, c->point);
    write_vector(stream, c->normal);
    fprintf(stream, ",%.9g", c->depth);
    write_vector(stream, force);
    fprintf(stream, ",%.9g,%.9g,%.6g,%.9g,%s,%.9g", c->force[0], hypot(c->force[1], c->force[2]),
            c->mu, c->friction_used, states[c->state], hypot(c->velocity[1], c->velocity[2]));
    fprintf(stream, ",%.9g,%.9g,%.6g,%.6g\n", c->moment[0], hypot(c->moment[1], c->moment[2]),
            c->mu_spin, c->mu_roll);
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_record_csv_create(const char *path, const TactModel *model, TactRecordCsvKind kind,
                                  TactRecordCsv **csv)
{
    *csv = NULL;
    TactRecordCsv *c = NULL;
    TACT_TRY(tact_allocate(1, sizeof *c, (void **)&c));
    *c = (TactRecordCsv){.model = model, .kind = kind};
    TactStatus status = tact_allocate(strlen(path) + 1, 1, (void **)&c->path);
    if (status == TACT_OK) {
        memcpy(c->path, path, strlen(path));
        c->stream = fopen(path, "w");
        status = c->stream ? TACT_OK : fail_csv(c);
    }
    if (status != TACT_OK) {
        c->status = TACT_OK; // told here
        tact_status_ignore(tact_record_csv_destroy(c));
        return status;
    }
    c->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (kind == TACT_RECORD_CSV_STATES) {
        write_state_head(c);
    } else {
        write_contact_head(c);
    }
    *csv = c;
    return TACT_OK;
}

TactStatus tact_record_csv_add(TactRecordCsv *csv, const TactRecordFrame *frame)
{
    if (csv->status != TACT_OK) {
        return csv->status;
    }
    locale_t callers = uselocale(csv->locale);
    errno = 0;
    if (csv->kind == TACT_RECORD_CSV_STATES) {
        write_state(csv, frame);
    }
    for (int i = 0; i < frame->contact_count && csv->kind == TACT_RECORD_CSV_CONTACTS; i++) {
        write_contact(csv, frame, &frame->contacts[i]);
    }
    uselocale(callers);
    return ferror(csv->stream) ? fail_csv(csv) : TACT_OK;
}

TactStatus tact_record_csv_destroy(TactRecordCsv *csv)
{
    if (!csv) {
        return TACT_OK;
    }
    TactStatus status = csv->status;
    errno = 0;
    if (csv->stream && fclose(csv->stream) != 0 && status == TACT_OK) {
        status = fail_csv(csv);
    }
    if (csv->locale) {
        freelocale(csv->locale);
    }
    tact_release(csv->path);
    tact_release(csv);
    return status;
}
