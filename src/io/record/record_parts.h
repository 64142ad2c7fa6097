// Blocks of a recording: how it was made, the model, a frame.
#ifndef TACT_IO_RECORD_RECORD_PARTS_H
#define TACT_IO_RECORD_RECORD_PARTS_H

#include <tact/record.h>

#include "base/memory.h"
#include "io/record/record_bytes.h"

// ---------------------------------------------------------------------------------------------
// Blocks: kind, checksum of all else, length; payload; zeros up to a multiple of 8

enum {
    TACT_RECORD_HEAD = 16,       // bytes of the file before the first block
    TACT_RECORD_BLOCK_HEAD = 16, // of a block before its payload
    TACT_RECORD_TAIL = 16,       // behind the index: where it stands, and a magic word
};

/// Four letters as they stand in the file.
#define TACT_RECORD_KIND(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define TACT_RECORD_KIND_RUN TACT_RECORD_KIND('r', 'u', 'n', ' ')
#define TACT_RECORD_KIND_MODEL TACT_RECORD_KIND('m', 'o', 'd', 'l')
#define TACT_RECORD_KIND_FRAME TACT_RECORD_KIND('f', 'r', 'a', 'm')
#define TACT_RECORD_KIND_INDEX TACT_RECORD_KIND('i', 'n', 'd', 'x')

extern const unsigned char tact_record_magic[8]; // begins the file
extern const unsigned char tact_record_end[8];   // ends it, if it is complete

/// Where a block begins that is written between the two calls.
size_t tact_record_block_begin(TactByteBuffer *buffer, uint32_t kind);
void   tact_record_block_end(TactByteBuffer *buffer, size_t begin);

/// What the checksum of a block must be.
uint32_t tact_record_block_crc(uint32_t kind, uint64_t length, const unsigned char *payload);

/// Bytes from the start of a block to the next one.
uint64_t tact_record_block_span(uint64_t length);

// ---------------------------------------------------------------------------------------------
// Payloads

void tact_record_put_run(TactByteBuffer *buffer, const TactRecordRun *run);
/// sensors: are there any in the frames?
TactStatus tact_record_put_model(TactByteBuffer *buffer, const TactModel *model, bool sensors);

/// Reads into an arena (memory.h: call it twice); `bad` of the reader if something is wrong.
void tact_record_get_run(TactByteReader *reader, TactArena *arena, TactRecordRun *run);
void tact_record_get_model(TactByteReader *reader, TactArena *arena, TactRecordModel *model);

/// Sizes of the arrays of a frame.
typedef struct TactRecordSizes {
    int nq, nv, actuators, sensors, bodies, moving;
} TactRecordSizes;

/// moves: which bodies have poses in the frame.                                       (bodies)
void tact_record_put_frame(TactByteBuffer *buffer, const TactRecordSizes *sizes, const bool *moves,
                           const TactRecordFrame *frame);

/// Where the arrays of a frame are read to.
typedef struct TactRecordRoom {
    double            *numbers;  // q, v, ctrl, sensors
    TactTransform     *poses;    // those of bodies that do not move stand there already  (bodies)
    TactRecordContact *contacts; //                                              (capacity)
    int                capacity;
} TactRecordRoom;

/// `bad` of the reader if something is wrong. TACT_NO_MEMORY if contacts need more room.
TactStatus tact_record_get_frame(TactByteReader *reader, const TactRecordModel *model,
                                 TactRecordRoom *room, TactRecordFrame *frame);

#endif
