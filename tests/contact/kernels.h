// A kernel over a system, with its memory and, if asked for, Lloyd's elimination.
#ifndef TESTS_CONTACT_KERNELS_H
#define TESTS_CONTACT_KERNELS_H

#include "systems.h"
// clang-format off
#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel.h"
#include "contact/pivot/turning.h"
// clang-format on

typedef struct OwnedKernel {
    TactKernel      kernel;
    TactElimination elimination;
    TactTurning     turning;
    TactArena       arena;
} OwnedKernel;

static inline void kernel_layout(OwnedKernel *owned, const TactContactCapacity *capacity)
{
    int max_k = tact_kernel_max_basic(capacity);
    tact_kernel_layout(&owned->kernel, capacity, &owned->arena);
    tact_elimination_layout(&owned->elimination, capacity, max_k, &owned->arena);
    tact_turning_layout(&owned->turning, capacity, &owned->arena);
}

/// structural: solves by elimination instead of the inverse.
static inline void kernel_create(OwnedKernel *owned, const TactSystem *system, bool structural)
{
    *owned = (OwnedKernel){0};
    kernel_layout(owned, &system->capacity);
    assert_int_equal(tact_arena_create(&owned->arena), TACT_OK);
    kernel_layout(owned, &system->capacity);
    owned->kernel.elimination = structural ? &owned->elimination : NULL;
    tact_kernel_load(&owned->kernel, system);
}

static inline void kernel_destroy(OwnedKernel *owned)
{
    tact_arena_destroy(&owned->arena);
}

static inline void kernel_add_all_friction(OwnedKernel *owned)
{
    for (int i = 0; i < owned->kernel.system->item_count; i++) {
        tact_kernel_add_friction(&owned->kernel, i);
    }
}

#endif
