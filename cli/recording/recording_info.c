// `tact info FILE.tact`: what is in a recording.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <tact/record.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/recording/recording.h"

#define REAL tact_json_value_real
#define TEXT tact_json_value_text

/// Over all frames that can be read.
typedef struct Summary {
    int      frames;
    int      contacts_max;
    long     solves, certified;
    double   error_max, penetration_max;
    double   kinetic, potential; // at the end
    uint64_t steps, hash;        //
    char     damage[256];        // "": none
} Summary;

/// A damaged frame ends it; lack of memory is no damage.
static TactStatus summarise(TactRecording *recording, Summary *summary)
{
    Summary s = {0};
    for (int i = 0; i < recording->frame_count; i++) {
        TactRecordFrame frame;
        TactStatus      status = tact_recording_read(recording, i, &frame);
        if (status == TACT_NO_MEMORY) {
            return status;
        }
        if (status != TACT_OK) {
            snprintf(s.damage, sizeof s.damage, "%s", tact_status_message());
            break;
        }
        s.frames++;
        s.contacts_max =
            frame.contact_count > s.contacts_max ? frame.contact_count : s.contacts_max;
        s.solves += frame.islands;
        s.certified += frame.certified;
        s.error_max = frame.error > s.error_max ? frame.error : s.error_max;
        s.penetration_max =
            frame.penetration > s.penetration_max ? frame.penetration : s.penetration_max;
        s.kinetic = frame.kinetic;
        s.potential = frame.potential;
        s.steps = frame.step;
        s.hash = frame.hash;
    }
    *summary = s;
    return TACT_OK;
}

static void print(const char *path, const TactRecording *recording, const Summary *s)
{
    const TactRecordRun   *run = &recording->run;
    const TactRecordModel *model = &recording->model;
    printf("%s: a recording of %s, %g s in %d frames, %.3g kB a frame\n", path,
           run->scene[0] ? run->scene : "a model made in code", recording->end - recording->start,
           recording->frame_count,
           1e-3 * (double)recording->size /
               (recording->frame_count > 0 ? recording->frame_count : 1));
    printf("  made by       %s", run->program);
    for (int i = 0; i < run->word_count; i++) {
        printf("%s%s", i == 0 ? ": tact " : " ", run->words[i]);
    }
    printf("\n  steps         %" PRIu64 " of %g ms, by %s with the %s\n", s->steps,
           1e3 * run->timestep, run->method, run->cone);
    printf("  model         '%s', hash %016" PRIx64
           ": %d bodies, %d joints, %d geoms, nq %d, nv %d\n",
           model->name, model->hash, model->body_count - 1, model->joint_count, model->geom_count,
           model->nq, model->nv);
    printf("  contacts      %d at most; penetration %.2e m at most\n", s->contacts_max,
           s->penetration_max);
    printf("  solves        %ld in the frames, %ld certified, worst error %.1e\n", s->solves,
           s->certified, s->error_max);
    printf("  end           at %g s: kinetic energy %.6g J, potential %.6g J, hash %016" PRIx64
           "\n",
           recording->end, s->kinetic, s->potential, s->hash);
    if (s->damage[0]) {
        printf("  damaged       %s; the %d frames before it are whole\n", s->damage, s->frames);
    } else if (!recording->complete) {
        printf("  cut off       its last %" PRIu64 " bytes cannot be read; %d frames are whole\n",
               recording->lost, s->frames);
    }
}

static int print_json(const char *path, const TactRecording *recording, const Summary *s)
{
    const TactRecordRun   *run = &recording->run;
    const TactRecordModel *model = &recording->model;
    char                   hash[17], model_hash[17];
    json_t                *words = json_array();
    snprintf(hash, sizeof hash, "%016" PRIx64, s->hash);
    snprintf(model_hash, sizeof model_hash, "%016" PRIx64, model->hash);
    for (int i = 0; i < run->word_count; i++) {
        tact_json_append(words, TEXT(run->words[i]));
    }
    json_t *object = tact_json_pack(
        "{s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:i, s:i, s:o, s:o, s:I, "
        "s:b, s:I, s:s}",
        "file", TEXT(path), "kind", "recording", "version", recording->version, "scene",
        TEXT(run->scene), "program", TEXT(run->program), "words", words, "method",
        TEXT(run->method), "cone", TEXT(run->cone), "dt", REAL(run->timestep), "steps",
        (json_int_t)s->steps, "frames", recording->frame_count, "whole", s->frames, "start",
        REAL(recording->start), "end", REAL(recording->end), "size", (json_int_t)recording->size,
        "complete", recording->complete && !s->damage[0], "lost", (json_int_t)recording->lost,
        "hash", hash);
    json_t *rest = tact_json_pack(
        "{s:{s:o, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i}, s:{s:i}, s:{s:I, s:I}, s:o, s:o, s:o, "
        "s:o}",
        "model", "name", TEXT(model->name), "hash", model_hash, "nq", model->nq, "nv", model->nv,
        "bodies", model->body_count - 1, "joints", model->joint_count, "geoms", model->geom_count,
        "meshes", model->mesh_count, "sensors", model->sensor_count, "contacts", "max",
        s->contacts_max, "solves", "total", (json_int_t)s->solves, "certified",
        (json_int_t)s->certified, "residual_max", REAL(s->error_max), "penetration_max",
        REAL(s->penetration_max), "kinetic", REAL(s->kinetic), "potential", REAL(s->potential));
    tact_json_merge(object, rest);
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}

int tact_recording_info(const char *path, bool json)
{
    TactRecording *recording = NULL;
    if (tact_recording_open(path, &recording) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    Summary s;
    if (summarise(recording, &s) != TACT_OK) {
        tact_recording_close(recording);
        return tact_cli_bad("%s: %s", path, tact_status_message());
    }
    int status = recording->complete && !s.damage[0] ? TACT_EXIT_DONE : TACT_EXIT_UNSOLVED;
    if (!json) {
        print(path, recording, &s);
    } else if (print_json(path, recording, &s) != 0) {
        status = TACT_EXIT_BAD;
    }
    tact_recording_close(recording);
    return status;
}
