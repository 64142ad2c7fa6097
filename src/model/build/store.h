// What stands behind a compiled model: its memory, its index of names and its sorted pairs.
#ifndef TACT_MODEL_BUILD_STORE_H
#define TACT_MODEL_BUILD_STORE_H

#include <tact/model.h>

#include "base/memory.h"
#include "model/build/names.h"

/// Two indices, the smaller one in the upper half, and what they lead to.
typedef struct TactPairKey {
    uint64_t key;
    int      index;
} TactPairKey;

typedef struct TactModelStore {
    TactModel        model;    // first, so that a model leads to its store
    TactArena        arena;    // every array and text of the model
    TactNames        names;    // slots in the arena
    TactPairKey     *pairs;    // geoms, sorted by key                              (pair_count)
    TactPairKey     *excludes; // bodies, sorted by key                          (exclude_count)
    const TactModel *original; // of a copy; NULL: it is none
} TactModelStore;

static inline uint64_t tact_pair_key(int a, int b)
{
    uint64_t small = (uint64_t)(a < b ? a : b), large = (uint64_t)(a < b ? b : a);
    return small << 32 | large;
}

/// The name of a thing whose index is in range; "" if it has none.
const char *tact_model_name(const TactModel *model, int kind, int index);

/// Of everything in a model but the hash itself. Equal numbers give equal hashes: -0 counts as 0.
uint64_t tact_model_hash(const TactModel *model);

#endif
