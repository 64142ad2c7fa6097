#include "io/record/record_bytes.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"

/// The remainder of four bits, for the polynomial 0xedb88320 (reflected).
static const uint32_t nibble_crc[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

uint32_t tact_crc32(uint32_t crc, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= next[i];
        crc = (crc >> 4) ^ nibble_crc[crc & 15];
        crc = (crc >> 4) ^ nibble_crc[crc & 15];
    }
    return ~crc;
}

// ---------------------------------------------------------------------------------------------
// Writing

void tact_put_bytes(TactByteBuffer *buffer, const void *bytes, size_t size)
{
    if (buffer->status != TACT_OK) {
        return;
    }
    if (buffer->lent) {
        if (buffer->size <= buffer->capacity && size <= buffer->capacity - buffer->size &&
            size > 0) {
            memcpy(buffer->bytes + buffer->size, bytes, size);
        }
        buffer->size += size;
        return;
    }
    if (size > buffer->capacity - buffer->size) {
        void  *larger;
        size_t room = 2 * (buffer->size + size) + 4096;
        buffer->status = tact_allocate(room, 1, &larger);
        if (buffer->status != TACT_OK) {
            return;
        }
        if (buffer->size > 0) {
            memcpy(larger, buffer->bytes, buffer->size);
        }
        tact_release(buffer->bytes);
        buffer->bytes = larger;
        buffer->capacity = room;
    }
    if (size > 0) {
        memcpy(buffer->bytes + buffer->size, bytes, size);
        buffer->size += size;
    }
}

void tact_put_padding(TactByteBuffer *buffer, size_t alignment)
{
    static const unsigned char zeros[8] = {0};
    size_t                     over = (buffer->size - buffer->origin) % alignment;
    tact_put_bytes(buffer, zeros, over > 0 ? alignment - over : 0);
}

void tact_put_u32(TactByteBuffer *buffer, uint32_t x)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
    tact_put_padding(buffer, sizeof bytes);
    tact_put_bytes(buffer, bytes, sizeof bytes);
}

void tact_put_int(TactByteBuffer *buffer, int x)
{
    tact_put_u32(buffer, (uint32_t)x);
}

void tact_put_u64(TactByteBuffer *buffer, uint64_t x)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
    tact_put_padding(buffer, sizeof bytes);
    tact_put_bytes(buffer, bytes, sizeof bytes);
}

void tact_put_f32(TactByteBuffer *buffer, double x)
{
    float    narrow = (float)x;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    tact_put_u32(buffer, bits);
}

void tact_put_f64(TactByteBuffer *buffer, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    tact_put_u64(buffer, bits);
}

void tact_put_f64s(TactByteBuffer *buffer, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tact_put_f64(buffer, x[i]);
    }
}

void tact_put_text(TactByteBuffer *buffer, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    length = length < INT_MAX ? length : INT_MAX;
    tact_put_u32(buffer, (uint32_t)length);
    tact_put_bytes(buffer, text, length);
}

void tact_put_vec3(TactByteBuffer *buffer, TactVec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    tact_put_f64s(buffer, x, 3);
}

void tact_put_vec3_f32(TactByteBuffer *buffer, TactVec3 v)
{
    tact_put_f32(buffer, v.x);
    tact_put_f32(buffer, v.y);
    tact_put_f32(buffer, v.z);
}

void tact_put_transform(TactByteBuffer *buffer, TactTransform t)
{
    const double quat[4] = {t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z};
    tact_put_vec3(buffer, t.position);
    tact_put_f64s(buffer, quat, 4);
}

// ---------------------------------------------------------------------------------------------
// Reading

const unsigned char *tact_get_bytes(TactByteReader *reader, size_t alignment, size_t size)
{
    size_t over = reader->next % alignment;
    size_t start = reader->next + (over > 0 ? alignment - over : 0);
    if (reader->bad || start > reader->size || size > reader->size - start) {
        reader->bad = true;
        return NULL;
    }
    reader->next = start + size;
    return reader->bytes + start;
}

uint32_t tact_get_u32(TactByteReader *reader)
{
    const unsigned char *bytes = tact_get_bytes(reader, 4, 4);
    uint32_t             x = 0;
    for (int i = 3; i >= 0 && bytes; i--) {
        x = x << 8 | bytes[i];
    }
    return x;
}

uint64_t tact_get_u64(TactByteReader *reader)
{
    const unsigned char *bytes = tact_get_bytes(reader, 8, 8);
    uint64_t             x = 0;
    for (int i = 7; i >= 0 && bytes; i--) {
        x = x << 8 | bytes[i];
    }
    return x;
}

double tact_get_f32(TactByteReader *reader)
{
    uint32_t bits = tact_get_u32(reader);
    float    x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

double tact_get_f64(TactByteReader *reader)
{
    uint64_t bits = tact_get_u64(reader);
    double   x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void tact_get_f64s(TactByteReader *reader, double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = tact_get_f64(reader);
    }
}

TactVec3 tact_get_vec3(TactByteReader *reader)
{
    double x[3];
    tact_get_f64s(reader, x, 3);
    return (TactVec3){x[0], x[1], x[2]};
}

TactVec3 tact_get_vec3_f32(TactByteReader *reader)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = tact_get_f32(reader);
    }
    return (TactVec3){x[0], x[1], x[2]};
}

TactTransform tact_get_transform(TactByteReader *reader)
{
    TactTransform t = {.position = tact_get_vec3(reader)};
    double        quat[4];
    tact_get_f64s(reader, quat, 4);
    t.rotation = (TactQuat){quat[0], quat[1], quat[2], quat[3]};
    return t;
}

int tact_get_int(TactByteReader *reader, int lo, int hi)
{
    uint32_t bits = tact_get_u32(reader);
    int32_t  x;
    memcpy(&x, &bits, sizeof x);
    if (x < lo || x > hi) {
        reader->bad = true;
        return lo;
    }
    return x;
}

int tact_get_count(TactByteReader *reader, size_t bytes_each)
{
    uint32_t count = tact_get_u32(reader);
    if (reader->bad || count > INT_MAX || count > (reader->size - reader->next) / bytes_each) {
        reader->bad = true;
        return 0;
    }
    return (int)count;
}
