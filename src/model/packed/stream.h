// A stream of numbers and texts that is measured, written or read by the same calls.
#ifndef TACT_MODEL_PACKED_STREAM_H
#define TACT_MODEL_PACKED_STREAM_H

#include <tact/model.h>

#include "base/memory.h"

typedef enum TactPackMode {
    TACT_PACK_MEASURE, // how many bytes there will be
    TACT_PACK_WRITE,
    TACT_PACK_COUNT, // read: what memory it takes. Pointers stay NULL
    TACT_PACK_READ,
} TactPackMode;

typedef struct TactPack {
    TactPackMode   mode;
    unsigned char *bytes; // constant while reading
    size_t         size;  // of bytes
    size_t         at;
    TactArena      arena; // of what is read
    const char    *wrong; // what the bytes cannot be; NULL: nothing so far
} TactPack;

static inline bool tact_pack_reads(const TactPack *pack)
{
    return pack->mode >= TACT_PACK_COUNT;
}

/// Notes the first thing that is wrong.
void tact_pack_refuse(TactPack *pack, const char *what);

void tact_pack_u64(TactPack *pack, uint64_t *x);
void tact_pack_int(TactPack *pack, int *x);
void tact_pack_bool(TactPack *pack, bool *x);
void tact_pack_number(TactPack *pack, double *x);
void tact_pack_numbers(TactPack *pack, double *x, size_t count);
void tact_pack_vec3(TactPack *pack, TactVec3 *x);
void tact_pack_pose(TactPack *pack, TactTransform *pose);

/// A text; read: in the arena, "" without one.
void tact_pack_text(TactPack *pack, const char **text);

/// An array of numbers behind a constant pointer.
void tact_pack_array(TactPack *pack, const double **x, size_t count);

/// A number of things, 0 to INT_MAX.
void tact_pack_count(TactPack *pack, int *count);

/// Where thing i of an array is written to or read from: room, where it is only measured.
void *tact_pack_thing(const TactPack *pack, const void *array, size_t i, size_t size, void *room);

/// Memory for an array that is read; NULL otherwise.
void *tact_pack_take(TactPack *pack, int count, size_t size);

/// FNV-1a
uint64_t tact_pack_sum(const unsigned char *bytes, size_t size);

#endif
