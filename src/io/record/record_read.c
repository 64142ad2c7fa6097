// Reading a recording: by its index, or, if it was cut off, block after block.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "io/record/record_parts.h"

typedef struct Entry {
    double   time;
    uint64_t offset; // of the block
} Entry;

/// What is behind a TactRecording, which comes first.
typedef struct Reader {
    TactRecording        open;
    char                *name;
    FILE                *file;  // or
    const unsigned char *bytes; //   memory
    TactArena            arena; // of run and model
    Entry               *frames;
    int                  capacity;
    unsigned char       *payload; // of the block read last
    size_t               payload_capacity;
    TactRecordRoom       room;
} Reader;

// ---------------------------------------------------------------------------------------------
// Blocks

static TactStatus fail_reading(const Reader *reader, const char *what)
{
    return tact_fail(TACT_BAD_INPUT, "%s: %s", reader->name, what);
}

static bool read_at(Reader *reader, uint64_t offset, void *to, size_t size)
{
    if (offset > reader->open.size || size > reader->open.size - offset) {
        return false;
    }
    if (reader->bytes) {
        if (size > 0) {
            memcpy(to, reader->bytes + offset, size);
        }
        return true;
    }
    return fseeko(reader->file, (off_t)offset, SEEK_SET) == 0 &&
           fread(to, 1, size, reader->file) == size;
}

typedef struct Block {
    uint32_t kind, crc;
    uint64_t length;
} Block;

/// Head of the block at an offset; false if there is no room for one.
static bool read_head(Reader *reader, uint64_t offset, Block *block)
{
    unsigned char bytes[TACT_RECORD_BLOCK_HEAD];
    if (!read_at(reader, offset, bytes, sizeof bytes)) {
        return false;
    }
    TactByteReader head = {.bytes = bytes, .size = sizeof bytes};
    block->kind = tact_get_u32(&head);
    block->crc = tact_get_u32(&head);
    block->length = tact_get_u64(&head);
    uint64_t left = reader->open.size - offset - TACT_RECORD_BLOCK_HEAD;
    return block->length <= left &&
           tact_record_block_span(block->length) <= left + TACT_RECORD_BLOCK_HEAD;
}

/// A whole block into reader->payload: *whole false if it is damaged.
static TactStatus read_block(Reader *reader, uint64_t offset, Block *block, bool *whole)
{
    *whole = false;
    if (!read_head(reader, offset, block)) {
        return TACT_OK;
    }
    size_t length = (size_t)block->length;
    if (length > reader->payload_capacity) {
        tact_release(reader->payload);
        reader->payload = NULL;
        reader->payload_capacity = 0;
        TACT_TRY(tact_allocate(length, 1, (void **)&reader->payload));
        reader->payload_capacity = length;
    }
    *whole = read_at(reader, offset + TACT_RECORD_BLOCK_HEAD, reader->payload, length) &&
             tact_record_block_crc(block->kind, block->length, reader->payload) == block->crc;
    return TACT_OK;
}

static TactByteReader payload_of(const Reader *reader, const Block *block)
{
    return (TactByteReader){.bytes = reader->payload, .size = (size_t)block->length};
}

// ---------------------------------------------------------------------------------------------
// Where the frames are

static TactStatus add_frame(Reader *reader, double time, uint64_t offset)
{
    if (reader->open.frame_count == reader->capacity) {
        if (reader->capacity > INT_MAX / 4) {
            return fail_reading(reader, "more frames than can be counted");
        }
        Entry *larger = NULL;
        size_t room = 2 * (size_t)reader->capacity + 256;
        TACT_TRY(tact_allocate(room, sizeof *larger, (void **)&larger));
        if (reader->open.frame_count > 0) {
            memcpy(larger, reader->frames, (size_t)reader->open.frame_count * sizeof *larger);
        }
        tact_release(reader->frames);
        reader->frames = larger;
        reader->capacity = (int)room;
    }
    reader->frames[reader->open.frame_count++] = (Entry){time, offset};
    return TACT_OK;
}

/// By the index at the end; *found false if there is none, or if it cannot be.
static TactStatus read_index(Reader *reader, uint64_t first, bool *found)
{
    unsigned char bytes[TACT_RECORD_TAIL];
    uint64_t      size = reader->open.size;
    Block         block = {0};
    *found = false;
    if (size < TACT_RECORD_TAIL || !read_at(reader, size - TACT_RECORD_TAIL, bytes, sizeof bytes) ||
        memcmp(bytes + 8, tact_record_end, sizeof tact_record_end) != 0) {
        return TACT_OK;
    }
    TactByteReader tail = {.bytes = bytes, .size = sizeof bytes};
    uint64_t       place = tact_get_u64(&tail);
    TACT_TRY(read_block(reader, place, &block, found));
    *found = *found && block.kind == TACT_RECORD_KIND_INDEX && block.length % 16 == 0 &&
             place + tact_record_block_span(block.length) + TACT_RECORD_TAIL == size;
    TactByteReader entries = payload_of(reader, &block);
    uint64_t       last = first;
    while (*found && entries.next < entries.size) {
        double   time = tact_get_f64(&entries);
        uint64_t offset = tact_get_u64(&entries);
        *found = offset >= last && offset < place;
        last = offset;
        if (*found) {
            TACT_TRY(add_frame(reader, time, offset));
        }
    }
    if (!*found) {
        reader->open.frame_count = 0;
    }
    return TACT_OK;
}

/// Block after block, up to the end or the first that is not whole.
static TactStatus scan(Reader *reader, uint64_t offset)
{
    bool whole = true;
    while (whole && offset < reader->open.size) {
        Block block = {0};
        TACT_TRY(read_block(reader, offset, &block, &whole));
        if (!whole) {
            break;
        }
        if (block.kind == TACT_RECORD_KIND_FRAME) {
            TactByteReader payload = payload_of(reader, &block);
            TACT_TRY(add_frame(reader, tact_get_f64(&payload), offset));
        }
        offset += tact_record_block_span(block.length);
    }
    reader->open.lost = reader->open.size - offset;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus check_head(Reader *reader)
{
    unsigned char bytes[TACT_RECORD_HEAD];
    if (!read_at(reader, 0, bytes, sizeof bytes) ||
        memcmp(bytes, tact_record_magic, sizeof tact_record_magic) != 0) {
        return fail_reading(reader, "it is no recording of tact");
    }
    TactByteReader head = {.bytes = bytes, .size = sizeof bytes, .next = sizeof tact_record_magic};
    uint32_t       version = tact_get_u32(&head);
    if (version != TACT_RECORD_VERSION) {
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: a recording of version %u; this program reads version %d",
                         reader->name, (unsigned)version, TACT_RECORD_VERSION);
    }
    reader->open.version = (int)version;
    return TACT_OK;
}

/// One of the two blocks before the frames, twice: to measure it, and to keep it.
static TactStatus read_start(Reader *reader, uint64_t *offset, uint32_t kind, TactArena *arena)
{
    Block block = {0};
    bool  whole;
    TACT_TRY(read_block(reader, *offset, &block, &whole));
    if (!whole || block.kind != kind) {
        return fail_reading(reader, "it is cut off, or damaged, before its first frame");
    }
    TactByteReader payload = payload_of(reader, &block);
    if (kind == TACT_RECORD_KIND_RUN) {
        tact_record_get_run(&payload, arena, &reader->open.run);
    } else {
        tact_record_get_model(&payload, arena, &reader->open.model);
    }
    if (payload.bad) {
        return fail_reading(reader, "what it says of its run and model makes no sense");
    }
    *offset += tact_record_block_span(block.length);
    return TACT_OK;
}

static TactStatus read_starts(Reader *reader, uint64_t *offset)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            TACT_TRY(tact_arena_create(&reader->arena));
        }
        *offset = TACT_RECORD_HEAD;
        TACT_TRY(read_start(reader, offset, TACT_RECORD_KIND_RUN, &reader->arena));
        TACT_TRY(read_start(reader, offset, TACT_RECORD_KIND_MODEL, &reader->arena));
    }
    return TACT_OK;
}

static TactStatus read_all(Reader *reader)
{
    uint64_t offset = 0;
    bool     indexed;
    TACT_TRY(check_head(reader));
    TACT_TRY(read_starts(reader, &offset));
    TACT_TRY(read_index(reader, offset, &indexed));
    TactRecording *open = &reader->open;
    open->indexed = open->complete = indexed;
    if (!indexed) {
        TACT_TRY(scan(reader, offset));
    }
    if (open->frame_count > 0) {
        open->start = reader->frames[0].time;
        open->end = reader->frames[open->frame_count - 1].time;
    }
    return TACT_OK;
}

static TactStatus create_reader(const char *name, Reader **reader)
{
    *reader = NULL;
    Reader *r = NULL;
    TACT_TRY(tact_allocate(1, sizeof *r, (void **)&r));
    TactStatus status = tact_allocate(strlen(name) + 1, 1, (void **)&r->name);
    if (status != TACT_OK) {
        tact_release(r);
        return status;
    }
    memcpy(r->name, name, strlen(name));
    *reader = r;
    return TACT_OK;
}

static TactStatus finish_reading(Reader *reader, TactStatus status, TactRecording **recording)
{
    if (status == TACT_OK) {
        status = read_all(reader);
    }
    if (status != TACT_OK) {
        tact_recording_close(&reader->open);
        return status;
    }
    *recording = &reader->open;
    return TACT_OK;
}

bool tact_recording_is_file(const char *path)
{
    // No stream, which needs memory: a recording is one also where memory lacks.
    unsigned char bytes[sizeof tact_record_magic];
    int           file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool          is = file >= 0 && read(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes &&
              memcmp(bytes, tact_record_magic, sizeof bytes) == 0;
    if (file >= 0) {
        close(file);
    }
    return is;
}

TactStatus tact_recording_open(const char *path, TactRecording **recording)
{
    Reader *reader;
    *recording = NULL;
    TACT_TRY(create_reader(path, &reader));
    TactStatus status = TACT_OK;
    reader->file = fopen(path, "rb");
    if (!reader->file || fseeko(reader->file, 0, SEEK_END) != 0 || ftello(reader->file) < 0) {
        status = tact_fail(TACT_IO_ERROR, "%s: cannot be read: %s", path, strerror(errno));
    } else {
        reader->open.size = (uint64_t)ftello(reader->file);
    }
    return finish_reading(reader, status, recording);
}

TactStatus tact_recording_open_memory(const char *name, const void *bytes, size_t size,
                                      TactRecording **recording)
{
    Reader *reader;
    *recording = NULL;
    TACT_TRY(create_reader(name, &reader));
    reader->bytes = bytes;
    reader->open.size = size;
    return finish_reading(reader, TACT_OK, recording);
}

void tact_recording_close(TactRecording *recording)
{
    if (!recording) {
        return;
    }
    Reader *reader = (Reader *)recording;
    if (reader->file) {
        fclose(reader->file);
    }
    tact_arena_destroy(&reader->arena);
    tact_release(reader->name);
    tact_release(reader->frames);
    tact_release(reader->payload);
    tact_release(reader->room.numbers);
    tact_release(reader->room.poses);
    tact_release(reader->room.contacts);
    tact_release(reader);
}

/// Room for the arrays of a frame, once a block is there that can hold them.
static TactStatus prepare_room(Reader *reader, uint64_t length, bool *fits)
{
    const TactRecordModel *model = &reader->open.model;
    TactRecordRoom        *room = &reader->room;
    size_t numbers = (size_t)model->nq + (size_t)model->nv + (size_t)model->actuator_count +
                     (size_t)model->sensor_size;
    *fits = numbers <= length / sizeof(double);
    if (!*fits || room->poses) {
        return TACT_OK;
    }
    tact_release(room->numbers);
    room->numbers = NULL;
    TACT_TRY(tact_allocate(numbers + 1, sizeof *room->numbers, (void **)&room->numbers));
    TACT_TRY(tact_allocate((size_t)model->body_count, sizeof *room->poses, (void **)&room->poses));
    for (int i = 0; i < model->body_count; i++) {
        room->poses[i] = model->bodies[i].pose;
    }
    return TACT_OK;
}

TactStatus tact_recording_read(TactRecording *recording, int i, TactRecordFrame *frame)
{
    Reader *reader = (Reader *)recording;
    Block   block = {0};
    bool    whole, fits = false;
    if (i < 0 || i >= recording->frame_count) {
        return tact_fail(TACT_BAD_ARGUMENT, "%s: there is no frame %d; it has %d", reader->name, i,
                         recording->frame_count);
    }
    TACT_TRY(read_block(reader, reader->frames[i].offset, &block, &whole));
    whole = whole && block.kind == TACT_RECORD_KIND_FRAME;
    if (whole) {
        TACT_TRY(prepare_room(reader, block.length, &fits));
    }
    TactByteReader payload = payload_of(reader, &block);
    if (whole && fits) {
        TACT_TRY(tact_record_get_frame(&payload, &recording->model, &reader->room, frame));
    }
    if (!whole || !fits || payload.bad) {
        return tact_fail(TACT_BAD_INPUT, "%s: frame %d, at byte %llu, is damaged", reader->name, i,
                         (unsigned long long)reader->frames[i].offset);
    }
    return TACT_OK;
}

int tact_recording_find(const TactRecording *recording, double time)
{
    const Reader *reader = (const Reader *)recording;
    int           lo = 0, hi = recording->frame_count - 1; // the answer is among lo .. hi
    while (lo < hi) {
        int middle = hi - (hi - lo) / 2;
        if (reader->frames[middle].time <= time) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    return hi;
}
