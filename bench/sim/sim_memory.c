// How much memory the library holds: an allocator that counts.
#include <stddef.h>
#include <stdlib.h>

#include "bench/sim/sim.h"

// In front of every block, of the strictest alignment.
typedef union Header {
    size_t      size;
    max_align_t align;
} Header;

static size_t held;

static void *take(void *context, size_t size)
{
    (void)context;
    Header *block = size <= SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;
    if (!block) {
        return NULL;
    }
    block->size = size;
    held += size;
    return block + 1;
}

static void give_back(void *context, void *block)
{
    (void)context;
    if (block) {
        Header *header = (Header *)block - 1;
        held -= header->size;
        free(header);
    }
}

void tact_sim_count_memory(bool on)
{
    static const TactAllocator counting = {take, give_back, NULL};
    tact_allocator_set(on ? &counting : NULL);
}

size_t tact_sim_memory_held(void)
{
    return held;
}
