#include "io/xml/xml_pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { USUAL = 65536, ALIGNMENT = alignof(max_align_t) };

struct TactXmlPoolBlock {
    TactXmlPoolBlock *next;
    size_t            used;
    size_t            room;
    alignas(max_align_t) unsigned char bytes[];
};

static TactXmlPoolBlock *add_block(TactXmlPool *pool, size_t room)
{
    void *memory;
    if (tact_allocate(1, sizeof(TactXmlPoolBlock) + room, &memory) != TACT_OK) {
        return NULL;
    }
    TactXmlPoolBlock *block = memory;
    block->room = room;
    // A block of its own for something large goes behind the one that is being filled.
    if (pool->block && room > USUAL) {
        block->next = pool->block->next;
        pool->block->next = block;
    } else {
        block->next = pool->block;
        pool->block = block;
    }
    return block;
}

void *tact_xml_pool_take(TactXmlPool *pool, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size) {
        tact_status_ignore(tact_fail(TACT_NO_MEMORY,
                                     "%zu elements of %zu bytes exceed the address space", count,
                                     size)); // NULL says that it failed
        return NULL;
    }
    size_t            bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    TactXmlPoolBlock *block = pool->block;
    if (!block || bytes > block->room - block->used) {
        block = add_block(pool, bytes > USUAL ? bytes : USUAL);
        if (!block) {
            return NULL;
        }
    }
    void *piece = block->bytes + block->used;
    block->used += bytes;
    return piece;
}

char *tact_xml_pool_copy(TactXmlPool *pool, const char *text, size_t length)
{
    char *copy = tact_xml_pool_take(pool, length + 1, 1);
    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

void tact_xml_pool_destroy(TactXmlPool *pool)
{
    TactXmlPoolBlock *block = pool->block;
    while (block) {
        TactXmlPoolBlock *next = block->next;
        tact_release(block);
        block = next;
    }
    pool->block = NULL;
}
