#include "lcp/pivot/queue.h"

#include <math.h>

void tact_search_queue_layout(TactSearchQueue *queue, int capacity, TactArena *arena)
{
    TactSearchNode *heap = tact_arena_take(arena, (size_t)capacity, sizeof *heap);
    if (arena->block) {
        *queue = (TactSearchQueue){.heap = heap, .capacity = capacity};
    }
}

void tact_search_queue_clear(TactSearchQueue *queue, double unit)
{
    queue->count = queue->created = queue->dropped = 0;
    queue->unit = unit;
}

static bool before(const TactSearchNode *a, const TactSearchNode *b)
{
    if (a->level != b->level) {
        return a->level < b->level;
    }
    if (a->depth != b->depth) {
        return a->depth > b->depth;
    }
    if (a->size != b->size) {
        return a->size > b->size;
    }
    return a->order < b->order;
}

void tact_search_queue_push(TactSearchQueue *queue, TactSearchNode node)
{
    if (queue->count == queue->capacity) {
        queue->dropped++;
        return;
    }
    node.level = floor(node.cost / queue->unit);
    node.order = queue->created++;
    int place = queue->count++;
    while (place > 0 && before(&node, &queue->heap[(place - 1) / 2])) {
        queue->heap[place] = queue->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    queue->heap[place] = node;
}

bool tact_search_queue_pop(TactSearchQueue *queue, TactSearchNode *node)
{
    if (queue->count == 0) {
        return false;
    }
    *node = queue->heap[0];
    TactSearchNode last = queue->heap[--queue->count];
    int            place = 0;
    for (;;) {
        int child = 2 * place + 1;
        if (child >= queue->count) {
            break;
        }
        if (child + 1 < queue->count && before(&queue->heap[child + 1], &queue->heap[child])) {
            child++;
        }
        if (!before(&queue->heap[child], &last)) {
            break;
        }
        queue->heap[place] = queue->heap[child];
        place = child;
    }
    queue->heap[place] = last;
    return true;
}
