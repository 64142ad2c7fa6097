#include "view/html/pack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FILE_HEAD = 16, BLOCK_HEAD = 16 }; // docs/guide/recordings.md

static uint64_t read_number(const unsigned char *bytes, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return number;
}

/// to: planes of the differences of a frame and the one before; bytes behind the last word stay.
static void write_difference(const unsigned char *frame, size_t size, const unsigned char *before,
                             size_t before_size, unsigned char *to)
{
    size_t words = size / 4, known = before_size / 4;
    for (size_t i = 0; i < words; i++) {
        uint32_t last = i < known ? (uint32_t)read_number(before + 4 * i, 4) : 0;
        uint32_t change = (uint32_t)read_number(frame + 4 * i, 4) - last;
        for (size_t k = 0; k < 4; k++) {
            to[k * words + i] = (unsigned char)(change >> (8 * k));
        }
    }
    memcpy(to + 4 * words, frame + 4 * words, size - 4 * words);
}

/// Block by block, as far as they are whole.
static void write_differences(const unsigned char *file, size_t size, unsigned char *to)
{
    const unsigned char *before = NULL;
    size_t               before_size = 0;
    memcpy(to, file, size);
    for (size_t at = FILE_HEAD; at < size && size - at >= BLOCK_HEAD;) {
        uint64_t length = read_number(file + at + 8, 8);
        size_t   left = size - at - BLOCK_HEAD;
        if (length > left) {
            return;
        }
        if (memcmp(file + at, "fram", 4) == 0) {
            const unsigned char *frame = file + at + BLOCK_HEAD;
            write_difference(frame, (size_t)length, before, before_size, to + at + BLOCK_HEAD);
            before = frame;
            before_size = (size_t)length;
        }
        at += BLOCK_HEAD + ((size_t)length + 7) / 8 * 8;
    }
}

unsigned char *tact_view_pack(const unsigned char *recording, size_t size, size_t *packed_size)
{
    z_stream       stream = {0};
    unsigned char *plain = malloc(size + 1), *packed = NULL;
    // -15: the largest window, and neither head nor checksum around the deflated bytes.
    if (plain && deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK) {
        write_differences(recording, size, plain);
        size_t room = deflateBound(&stream, size), done = 0;
        bool   fits = room <= UINT32_MAX; // zlib counts so far at once
        packed = fits ? malloc(room) : NULL;
        errno = fits ? errno : EFBIG;
        stream.next_in = plain;
        stream.avail_in = (uInt)size;
        stream.next_out = packed;
        stream.avail_out = (uInt)room;
        if (packed && deflate(&stream, Z_FINISH) == Z_STREAM_END) {
            done = stream.total_out;
        } else {
            free(packed);
            packed = NULL;
        }
        *packed_size = done;
        deflateEnd(&stream);
    }
    free(plain);
    return packed;
}
