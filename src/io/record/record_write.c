// Writing a recording: blocks are gathered in memory and handed to the system now and then.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "io/record/record_parts.h"

enum { COOKIE = 0x7ac7ec0d, MOST_GATHERED = 1 << 20 };

struct TactRecordWriter {
    char            *path;
    int              file; // descriptor
    TactRecordConfig config;
    TactRecordSizes  sizes;
    bool            *moves;   //                                                    (bodies)
    TactByteBuffer   pending; // blocks not written yet
    uint64_t         written; // bytes of the file
    double           flushed; // when, tact_time_now()
    uint64_t        *index;   // time, as bits, and offset of every frame         (2 x capacity)
    int              frame_count, capacity;
    TactStatus       status; // of the file; once it is not TACT_OK nothing is written any more
    char             message[512];
};

TactRecordConfig tact_record_config_default(void)
{
    return (TactRecordConfig){.flush = 0.5, .cookie = COOKIE};
}

// ---------------------------------------------------------------------------------------------
// The file

/// Bytes of whole blocks among the first so many of those that were to be written.
static size_t whole_blocks(const TactRecordWriter *writer, size_t size)
{
    const TactByteBuffer *pending = &writer->pending;
    size_t                at = writer->written == 0 ? TACT_RECORD_HEAD : 0;
    if (size < at) {
        return 0;
    }
    while (at + TACT_RECORD_BLOCK_HEAD <= size) {
        TactByteReader length = {.bytes = pending->bytes + at + 8, .size = 8};
        uint64_t       span = tact_record_block_span(tact_get_u64(&length));
        if (span > size - at) {
            break;
        }
        at += (size_t)span;
    }
    return at;
}

/// Says why, and leaves a file that ends with its last whole block.
static TactStatus fail_writing(TactRecordWriter *writer, int error, size_t done)
{
    uint64_t keep = writer->written + whole_blocks(writer, done);
    bool     cut = ftruncate(writer->file, (off_t)keep) == 0; // not of a pipe or a device
    writer->written = cut ? keep : writer->written + done;
    while (writer->frame_count > 0 && writer->index[2 * writer->frame_count - 1] >= keep) {
        writer->frame_count--;
    }
    double until = 0;
    if (writer->frame_count > 0) {
        memcpy(&until, &writer->index[2 * writer->frame_count - 2], sizeof until);
    }
    snprintf(writer->message, sizeof writer->message,
             "%.300s: cannot be written: %s; it holds %d frames, up to %g s", writer->path,
             strerror(error), writer->frame_count, until);
    writer->status = TACT_IO_ERROR;
    return tact_fail(writer->status, "%s", writer->message);
}

static TactStatus flush(TactRecordWriter *writer)
{
    TactByteBuffer *pending = &writer->pending;
    size_t          done = 0;
    while (done < pending->size) {
        ssize_t size = write(writer->file, pending->bytes + done, pending->size - done);
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size <= 0) {
            return fail_writing(writer, size < 0 ? errno : ENOSPC, done);
        }
        done += (size_t)size;
    }
    writer->written += done;
    pending->size = 0;
    writer->flushed = tact_time_now();
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static void release(TactRecordWriter *writer)
{
    if (writer->file >= 0) {
        close(writer->file);
    }
    tact_release(writer->path);
    tact_release(writer->moves);
    tact_release(writer->index);
    tact_release(writer->pending.bytes);
    tact_release(writer);
}

static TactStatus prepare_writer(TactRecordWriter *writer, const char *path, const TactModel *model)
{
    TACT_TRY(tact_allocate(strlen(path) + 1, 1, (void **)&writer->path));
    memcpy(writer->path, path, strlen(path));
    TACT_TRY(tact_allocate((size_t)model->body_count, sizeof(bool), (void **)&writer->moves));
    for (int i = 0; i < model->body_count; i++) {
        writer->moves[i] = model->bodies[model->bodies[i].carrier].joint_count > 0;
        writer->sizes.moving += writer->moves[i];
    }
    return TACT_OK;
}

/// Head of the file, run and model.
static TactStatus begin_file(TactRecordWriter *writer, const TactModel *model,
                             const TactRecordRun *run)
{
    TactByteBuffer *pending = &writer->pending;
    TactRecordRun   told = *run;
    char            program[96];
    snprintf(program, sizeof program, "tact %d.%d.%d", TACT_VERSION_MAJOR, TACT_VERSION_MINOR,
             TACT_VERSION_PATCH);
    told.program = program;
    tact_put_bytes(pending, tact_record_magic, sizeof tact_record_magic);
    tact_put_u32(pending, TACT_RECORD_VERSION);
    tact_put_u32(pending, 0);
    size_t block = tact_record_block_begin(pending, TACT_RECORD_KIND_RUN);
    tact_record_put_run(pending, &told);
    tact_record_block_end(pending, block);
    block = tact_record_block_begin(pending, TACT_RECORD_KIND_MODEL);
    TACT_TRY(tact_record_put_model(pending, model, writer->config.sensors));
    tact_record_block_end(pending, block);
    TACT_TRY(pending->status);
    return flush(writer);
}

TactStatus tact_record_writer_create(const char *path, const TactModel *model,
                                     const TactRecordRun *run, const TactRecordConfig *config,
                                     TactRecordWriter **writer)
{
    if (!path || !model || !run || !config || !writer || config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT, "recording: path, model, run or result is NULL, or the "
                                            "config is not from tact_record_config_default()");
    }
    *writer = NULL;
    TactRecordWriter *w = NULL;
    TACT_TRY(tact_allocate(1, sizeof *w, (void **)&w));
    w->file = -1;
    w->config = *config;
    w->sizes = (TactRecordSizes){.nq = model->nq,
                                 .nv = model->nv,
                                 .actuators = model->actuator_count,
                                 .sensors = config->sensors ? model->sensor_size : 0,
                                 .bodies = model->body_count};
    TactStatus status = prepare_writer(w, path, model);
    if (status == TACT_OK) {
        w->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        status = w->file >= 0
                     ? begin_file(w, model, run)
                     : tact_fail(TACT_IO_ERROR, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (status != TACT_OK) {
        release(w);
        return status;
    }
    *writer = w;
    return TACT_OK;
}

/// Remembers where the next frame stands.
static TactStatus add_to_index(TactRecordWriter *writer, double time)
{
    if (writer->frame_count == writer->capacity) {
        uint64_t *larger = NULL;
        size_t    room = 2 * (size_t)writer->capacity + 256;
        TACT_TRY(tact_allocate(room, 2 * sizeof *larger, (void **)&larger));
        if (writer->frame_count > 0) {
            memcpy(larger, writer->index, 2 * (size_t)writer->frame_count * sizeof *larger);
        }
        tact_release(writer->index);
        writer->index = larger;
        writer->capacity = (int)room;
    }
    uint64_t *entry = &writer->index[2 * writer->frame_count++];
    memcpy(&entry[0], &time, sizeof time);
    entry[1] = writer->written + writer->pending.size;
    return TACT_OK;
}

TactStatus tact_record_writer_add(TactRecordWriter *writer, const TactRecordFrame *frame)
{
    TactByteBuffer *pending = &writer->pending;
    if (writer->status != TACT_OK) {
        return tact_fail(writer->status, "%s", writer->message);
    }
    if (writer->config.sensors && !frame->sensors) {
        return tact_fail(TACT_BAD_ARGUMENT, "recording: a frame without values of sensors");
    }
    TACT_TRY(add_to_index(writer, frame->time));
    size_t block = tact_record_block_begin(pending, TACT_RECORD_KIND_FRAME);
    tact_record_put_frame(pending, &writer->sizes, writer->moves, frame);
    tact_record_block_end(pending, block);
    if (pending->status != TACT_OK) {
        TactStatus status = pending->status;
        pending->status = TACT_OK;
        writer->frame_count--;
        return status;
    }
    if (pending->size >= MOST_GATHERED ||
        tact_time_now() - writer->flushed >= writer->config.flush) {
        return flush(writer);
    }
    return TACT_OK;
}

/// Times and offsets of all frames, and where this stands.
static TactStatus write_index(TactRecordWriter *writer)
{
    TactByteBuffer *pending = &writer->pending;
    uint64_t        place = writer->written + pending->size;
    size_t          block = tact_record_block_begin(pending, TACT_RECORD_KIND_INDEX);
    for (int i = 0; i < 2 * writer->frame_count; i++) {
        tact_put_u64(pending, writer->index[i]);
    }
    tact_record_block_end(pending, block);
    tact_put_u64(pending, place);
    tact_put_bytes(pending, tact_record_end, sizeof tact_record_end);
    TACT_TRY(pending->status);
    return flush(writer);
}

TactStatus tact_record_writer_destroy(TactRecordWriter *writer)
{
    if (!writer) {
        return TACT_OK;
    }
    TactStatus status = writer->status;
    if (status == TACT_OK) {
        status = write_index(writer);
        if (close(writer->file) != 0 && status == TACT_OK) {
            status = tact_fail(TACT_IO_ERROR, "%s: cannot be written: %s", writer->path,
                               strerror(errno));
        }
        writer->file = -1;
    } else {
        status = tact_fail(status, "%s", writer->message);
    }
    release(writer);
    return status;
}

uint64_t tact_record_writer_get_size(const TactRecordWriter *writer, int *frames)
{
    if (frames) {
        *frames = writer->frame_count;
    }
    return writer->written + writer->pending.size;
}
