// `tact check FILE.tact`: makes a recorded run again, and compares the states bit for bit.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/record.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/progress/progress.h"
#include "cli/recording/recording.h"
#include "cli/run/run.h"

typedef struct Comparison {
    int      frames;          // compared
    bool     same;            //
    uint64_t step;            // of the first that differs
    double   time;            //
    uint64_t recorded, found; // hashes there
} Comparison;

/// Steps to every frame in turn; false, said on standard error, if that cannot be done.
static bool compare_frames(TactRecording *recording, TactRun *run, Comparison *c)
{
    uint64_t step = 0;
    c->same = true;
    for (int i = 0; i < recording->frame_count && c->same; i++) {
        TactRecordFrame frame;
        TactSimReport   report;
        if (tact_recording_read(recording, i, &frame) != TACT_OK) {
            tact_cli_bad("%s", tact_status_message());
            return false;
        }
        for (; step < frame.step; step++) {
            if (!tact_run_step(run, &report)) {
                return false;
            }
        }
        uint64_t hash = tact_sim_get_hash(run->sim);
        c->same = hash == frame.hash;
        c->step = frame.step;
        c->time = frame.time;
        c->recorded = frame.hash;
        c->found = hash;
        c->frames++;
        if (tact_progress_due()) {
            tact_progress_tell((double)c->frames / recording->frame_count,
                               "%d of %d frames, %.3g s", c->frames, recording->frame_count,
                               frame.time);
        }
    }
    return true;
}

static void print(const char *path, const TactRecording *recording, const Comparison *c)
{
    if (c->same) {
        printf("%s: %d frames, up to %g s: made again from %s, every state is the same, bit for "
               "bit\n",
               path, c->frames, recording->end, recording->run.scene);
    } else {
        printf("%s: made again from %s, the state after step %" PRIu64 ", at %g s, is another:\n"
               "  hash %016" PRIx64 " recorded, %016" PRIx64 " now; %d frames before it are the "
               "same\n",
               path, recording->run.scene, c->step, c->time, c->recorded, c->found, c->frames - 1);
    }
    if (!recording->complete) {
        printf("  cut off: its last %" PRIu64 " bytes cannot be read\n", recording->lost);
    }
}

static int print_json(const char *path, const TactRecording *recording, const Comparison *c)
{
    json_t *object =
        tact_json_pack("{s:o, s:s, s:o, s:i, s:i, s:b, s:b}", "file", tact_json_value_text(path),
                       "kind", "recording", "scene", tact_json_value_text(recording->run.scene),
                       "frames", recording->frame_count, "compared", c->frames, "same", c->same,
                       "complete", recording->complete);
    if (object && !c->same) {
        tact_json_set(object, "step", json_integer((json_int_t)c->step));
        tact_json_set(object, "time", tact_json_value_real(c->time));
    }
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}

/// The run as its command line made it, without its files.
static int make_again(const char *path, TactRecording *recording, const TactRunOptions *options,
                      bool json)
{
    TactRun    run;
    Comparison c = {0};
    int        status = TACT_EXIT_BAD;
    if (tact_run_open(options, &run)) {
        if (run.model->hash != recording->model.hash) {
            tact_cli_bad("%s: %s is another model now: hash %016" PRIx64 ", recorded %016" PRIx64,
                         path, options->file, run.model->hash, recording->model.hash);
        } else if (compare_frames(recording, &run, &c)) {
            status = c.same && recording->complete ? TACT_EXIT_DONE : TACT_EXIT_UNSOLVED;
            if (!json) {
                print(path, recording, &c);
            } else if (print_json(path, recording, &c) != 0) {
                status = TACT_EXIT_BAD;
            }
        }
    }
    tact_run_close(&run);
    return status;
}

/// The words of the command line, for a parser that moves them about: their pointers, and behind
/// these the words themselves, in one block; NULL: no memory.
static char **copy_words(const TactRecordRun *run)
{
    size_t count = (size_t)run->word_count, room = (count + 1) * sizeof(char *);
    for (size_t i = 0; i < count; i++) {
        room += strlen(run->words[i]) + 1;
    }
    char **words = calloc(1, room);
    char  *text = words ? (char *)(words + count + 1) : NULL;
    for (size_t i = 0; words && i < count; i++) {
        size_t length = strlen(run->words[i]) + 1;
        words[i] = memcpy(text, run->words[i], length);
        text += length;
    }
    return words;
}

int tact_recording_check(const char *path, bool json)
{
    TactRecording *recording = NULL;
    if (tact_recording_open(path, &recording) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    const TactRecordRun *run = &recording->run;
    TactRunOptions       options;
    int                  status = TACT_EXIT_BAD;
    char               **words = copy_words(run);
    if (!words) {
        tact_cli_bad("no memory");
    } else if (run->word_count == 0 || strcmp(run->words[0], "run") != 0) {
        tact_cli_bad("%s: it does not say how to make its run again: it was not made by tact run",
                     path);
    } else if (tact_run_parse(run->word_count, words, &options) && !options.help) {
        status = make_again(path, recording, &options, json);
    }
    free(words);
    tact_recording_close(recording);
    return status;
}
