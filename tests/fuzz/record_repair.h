// Bytes made to look like a recording: magic, version, and the checksums of all blocks, so that
// what is wrong inside gets past them.
#ifndef TACT_TESTS_FUZZ_RECORD_REPAIR_H
#define TACT_TESTS_FUZZ_RECORD_REPAIR_H

#include <string.h>

#include "io/record/record_parts.h"

static inline void repair_recording(unsigned char *bytes, size_t size)
{
    if (size < TACT_RECORD_HEAD) {
        return;
    }
    memcpy(bytes, tact_record_magic, sizeof tact_record_magic);
    memset(bytes + 8, 0, 8);
    bytes[8] = TACT_RECORD_VERSION;
    size_t at = TACT_RECORD_HEAD;
    while (size - at >= TACT_RECORD_BLOCK_HEAD) {
        TactByteReader head = {.bytes = bytes + at, .size = TACT_RECORD_BLOCK_HEAD};
        uint32_t       kind = tact_get_u32(&head);
        tact_get_u32(&head);
        uint64_t length = tact_get_u64(&head);
        if (length > size - at - TACT_RECORD_BLOCK_HEAD) {
            return;
        }
        uint32_t crc = tact_record_block_crc(kind, length, bytes + at + TACT_RECORD_BLOCK_HEAD);
        for (int i = 0; i < 4; i++) {
            bytes[at + 4 + (size_t)i] = (unsigned char)(crc >> (8 * i));
        }
        uint64_t span = tact_record_block_span(length);
        if (span > size - at) {
            return;
        }
        at += (size_t)span;
    }
}

/// Opens bytes and reads all frames; returns how many there are to be read, -1 if it is refused.
static inline int read_everything(const unsigned char *bytes, size_t size)
{
    TactRecording *recording = NULL;
    int            read = 0;
    if (tact_recording_open_memory("bytes", bytes, size, &recording) != TACT_OK) {
        return recording == NULL && tact_status_message()[0] ? -1 : -2;
    }
    for (int i = 0; i < recording->frame_count; i++) {
        TactRecordFrame frame;
        double          sum = 0;
        if (tact_recording_read(recording, i, &frame) != TACT_OK) {
            continue;
        }
        read++;
        for (int k = 0; k < recording->model.nq; k++) {
            sum += frame.q[k];
        }
        for (int k = 0; k < frame.contact_count; k++) {
            sum += recording->model.geoms[frame.contacts[k].geom[1]].size[0];
        }
        (void)sum;
    }
    tact_recording_close(recording);
    return read;
}

#endif
