// Blocks of a recording.
#include <string.h>

#include "io/record/record_parts.h"

const unsigned char tact_record_magic[8] = {'t', 'a', 'c', 't', 'r', 'e', 'c', '\n'};
const unsigned char tact_record_end[8] = {'t', 'a', 'c', 't', 'e', 'n', 'd', '\n'};

size_t tact_record_block_begin(TactByteBuffer *buffer, uint32_t kind)
{
    size_t begin = buffer->size;
    buffer->origin = begin;
    tact_put_u32(buffer, kind);
    tact_put_u32(buffer, 0);
    tact_put_u64(buffer, 0);
    return begin;
}

static void store(unsigned char *bytes, uint64_t x, int size)
{
    for (int i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
}

void tact_record_block_end(TactByteBuffer *buffer, size_t begin)
{
    if (buffer->status != TACT_OK) {
        buffer->size = begin; // half a block is none
        return;
    }
    uint64_t length = buffer->size - begin - TACT_RECORD_BLOCK_HEAD;
    tact_put_padding(buffer, 8);
    if (buffer->status == TACT_OK) {
        unsigned char *block = buffer->bytes + begin;
        TactByteReader head = {.bytes = block, .size = 4};
        uint32_t       kind = tact_get_u32(&head);
        store(block + 4, tact_record_block_crc(kind, length, block + TACT_RECORD_BLOCK_HEAD), 4);
        store(block + 8, length, 8);
    }
}

uint32_t tact_record_block_crc(uint32_t kind, uint64_t length, const unsigned char *payload)
{
    unsigned char bytes[12];
    store(bytes, kind, 4);
    store(bytes + 4, length, 8);
    return tact_crc32(tact_crc32(0, bytes, sizeof bytes), payload, (size_t)length);
}

uint64_t tact_record_block_span(uint64_t length)
{
    return TACT_RECORD_BLOCK_HEAD + (length + 7) / 8 * 8;
}
