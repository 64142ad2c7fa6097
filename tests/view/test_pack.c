// A recording packed for the page: unpacked by the description in pack.h it is the same file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/record_sample.h"
#include "io/scratch.h"
#include "view/html/pack.h"

typedef struct Bytes {
    unsigned char *data;
    size_t         size;
} Bytes;

static Bytes read_bytes(const char *path)
{
    Bytes bytes = {.data = malloc(1 << 20)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes.size = fread(bytes.data, 1, 1 << 20, file);
    assert_true(bytes.size < 1 << 20);
    fclose(file);
    return bytes;
}

static Bytes inflate_all(unsigned char *packed, size_t size, size_t most)
{
    Bytes    plain = {.data = malloc(most + 1)};
    z_stream stream = {.next_in = packed,
                       .avail_in = (uInt)size,
                       .next_out = plain.data,
                       .avail_out = (uInt)most + 1};
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    plain.size = stream.total_out;
    inflateEnd(&stream);
    return plain;
}

static uint64_t number_at(const unsigned char *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number); // little-endian machines are all there are in tests
    return number;
}

/// Frames in place: planes of differences become words again.
static void undo_differences(Bytes file)
{
    unsigned char *before = NULL, *frame = malloc(file.size);
    size_t         before_words = 0;
    for (size_t at = 16; at + 16 <= file.size;) {
        size_t length = (size_t)number_at(file.data + at + 8), words = length / 4;
        if (length > file.size - at - 16) {
            break;
        }
        unsigned char *body = file.data + at + 16;
        if (memcmp(file.data + at, "fram", 4) == 0) {
            for (size_t i = 0; i < words; i++) {
                uint32_t word = (uint32_t)body[i] | (uint32_t)body[words + i] << 8 |
                                (uint32_t)body[2 * words + i] << 16 |
                                (uint32_t)body[3 * words + i] << 24;
                uint32_t last = 0;
                if (i < before_words) {
                    memcpy(&last, before + 4 * i, 4);
                }
                word += last;
                memcpy(frame + 4 * i, &word, 4);
            }
            memcpy(body, frame, 4 * words);
            before = body;
            before_words = words;
        }
        at += 16 + (length + 7) / 8 * 8;
    }
    free(frame);
}

static void check(Bytes file)
{
    size_t         size = 0;
    unsigned char *packed = tact_view_pack(file.data, file.size, &size);
    assert_non_null(packed);
    Bytes plain = inflate_all(packed, size, file.size);
    undo_differences(plain);
    assert_int_equal(plain.size, file.size);
    assert_memory_equal(plain.data, file.data, file.size);
    free(plain.data);
    free(packed);
}

static void a_recording_comes_out_as_it_went_in(void **state)
{
    (void)state;
    TactModel *model = tact_record_sample_model();
    for (int frames = 0; frames < 4; frames++) {
        Bytes file = read_bytes(tact_record_sample_write(model, "run.tact", frames));
        check(file);
        free(file.data);
    }
    tact_model_destroy(model);
}

static void one_that_was_cut_off_anywhere_too(void **state)
{
    (void)state;
    TactModel *model = tact_record_sample_model();
    Bytes      file = read_bytes(tact_record_sample_write(model, "run.tact", 3));
    for (size_t size = 0; size < file.size; size += 1 + file.size / 400) {
        check((Bytes){.data = file.data, .size = size});
    }
    free(file.data);
    tact_model_destroy(model);
}

static void what_is_no_recording_stays_whole(void **state)
{
    (void)state;
    unsigned char data[100];
    memset(data, 0xff, sizeof data); // a block of 2^64 - 1 bytes
    check((Bytes){.data = data, .size = sizeof data});
    static const unsigned char kind[4] = {'f', 'r', 'a', 'm'};
    memcpy(data + 16, kind, sizeof kind);
    check((Bytes){.data = data, .size = sizeof data});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_comes_out_as_it_went_in),
        cmocka_unit_test(one_that_was_cut_off_anywhere_too),
        cmocka_unit_test(what_is_no_recording_stays_whole),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
