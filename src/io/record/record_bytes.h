// Numbers as the bytes of a recording: little-endian, each at a multiple of its own size from the
// start of its block, so that they can be looked at in place.
#ifndef TACT_IO_RECORD_RECORD_BYTES_H
#define TACT_IO_RECORD_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/base.h>
#include <tact/math.h>

/// CRC-32 as of zlib and PNG; the crc of what comes before, or 0.
uint32_t tact_crc32(uint32_t crc, const void *bytes, size_t size);

// ---------------------------------------------------------------------------------------------
// Writing

/// Bytes that grow, or that are lent by a caller: then what does not fit is counted and not
/// written. Once there is no memory nothing is added any more.
typedef struct TactByteBuffer {
    unsigned char *bytes;
    size_t         size, capacity;
    size_t         origin; // where the present block began: alignment is from there
    bool           lent;
    TactStatus     status;
} TactByteBuffer;

void tact_put_bytes(TactByteBuffer *buffer, const void *bytes, size_t size);
/// Zeros up to a multiple of alignment.
void tact_put_padding(TactByteBuffer *buffer, size_t alignment);
void tact_put_u32(TactByteBuffer *buffer, uint32_t x);
void tact_put_int(TactByteBuffer *buffer, int x);
void tact_put_u64(TactByteBuffer *buffer, uint64_t x);
void tact_put_f32(TactByteBuffer *buffer, double x);
void tact_put_f64(TactByteBuffer *buffer, double x);
void tact_put_f64s(TactByteBuffer *buffer, const double *x, size_t count);
/// Length and characters, without a zero.
void tact_put_text(TactByteBuffer *buffer, const char *text);
void tact_put_vec3(TactByteBuffer *buffer, TactVec3 v);
void tact_put_vec3_f32(TactByteBuffer *buffer, TactVec3 v);
void tact_put_transform(TactByteBuffer *buffer, TactTransform t); // position, quaternion w x y z

// ---------------------------------------------------------------------------------------------
// Reading

/// Bytes of a block. Reading past the end gives zeros, and `bad`.
typedef struct TactByteReader {
    const unsigned char *bytes;
    size_t               size, next;
    bool                 bad;
} TactByteReader;

/// The next bytes, lent, at a multiple of alignment; NULL, and `bad`, if there are not so many.
const unsigned char *tact_get_bytes(TactByteReader *reader, size_t alignment, size_t size);
uint32_t             tact_get_u32(TactByteReader *reader);
uint64_t             tact_get_u64(TactByteReader *reader);
double               tact_get_f32(TactByteReader *reader);
double               tact_get_f64(TactByteReader *reader);
void                 tact_get_f64s(TactByteReader *reader, double *x, size_t count);
TactVec3             tact_get_vec3(TactByteReader *reader);
TactVec3             tact_get_vec3_f32(TactByteReader *reader);
TactTransform        tact_get_transform(TactByteReader *reader);
/// An integer in [lo, hi]; lo, and `bad`, if it is not.
int tact_get_int(TactByteReader *reader, int lo, int hi);
/// How many things of at least so many bytes follow; 0, and `bad`, if there is no room for them.
int tact_get_count(TactByteReader *reader, size_t bytes_each);

#endif
