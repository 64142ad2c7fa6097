#include "contact/newton/newton_order.h"

#include <string.h>

void tact_newton_order_layout(TactNewtonOrder *order, const TactContactCapacity *capacity,
                              TactArena *arena)
{
    size_t          items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t          dof = (size_t)capacity->dof;
    size_t          nodes = items > dof ? items : dof;
    TactNewtonOrder lent = {
        .node = tact_arena_take(arena, nodes, sizeof(int)),
        .place = tact_arena_take(arena, nodes, sizeof(int)),
        .touch_start = tact_arena_take(arena, dof + 2, sizeof(int)),
        .touch = tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int)),
        .done = tact_arena_take(arena, items, sizeof(int)),
    };
    if (arena->block) {
        *order = lent;
    }
}

/// Which groups touch a degree of freedom: counted, summed, filled in.
static void list_touches(TactNewtonOrder *order, const TactSystem *system)
{
    int *start = order->touch_start;
    memset(start, 0, ((size_t)system->dof + 2) * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        const int *support = system->support + system->groups[g].support;
        for (int s = 0; s < system->groups[g].size; s++) {
            start[support[s] + 2]++;
        }
    }
    for (int j = 2; j <= system->dof + 1; j++) {
        start[j] += start[j - 1];
    }
    for (int g = 0; g < system->group_count; g++) { // start[j + 1] runs up to the start of j + 1
        const int *support = system->support + system->groups[g].support;
        for (int s = 0; s < system->groups[g].size; s++) {
            order->touch[start[support[s] + 1]++] = g;
        }
    }
}

/// Appends a node that was not reached before; returns the new end.
static int reach(TactNewtonOrder *order, int node, int end)
{
    if (order->place[node] < 0) {
        order->place[node] = end;
        order->node[end++] = node;
    }
    return end;
}

/// Breadth-first from the node at first; returns the end of its island.
static int spread(TactNewtonOrder *order, const TactCoupling *coupling, int first, int pass)
{
    const TactSystem *system = coupling->system;
    int               end = first + 1;
    for (int at = first; at < end; at++) {
        int node = order->node[at];
        if (coupling->has_blocks) {
            for (int k = coupling->start[node]; k < coupling->start[node + 1]; k++) {
                end = reach(order, coupling->blocks[k].column, end);
            }
            continue;
        }
        for (int k = order->touch_start[node]; k < order->touch_start[node + 1]; k++) {
            const TactItemGroup *group = &system->groups[order->touch[k]];
            if (order->done[order->touch[k]] == pass) {
                continue;
            }
            order->done[order->touch[k]] = pass;
            for (int s = 0; s < group->size; s++) {
                end = reach(order, system->support[group->support + s], end);
            }
        }
    }
    return end;
}

void tact_newton_order_begin(TactNewtonOrder *order, const TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    order->count = coupling->has_blocks ? system->item_count : system->dof;
    for (int k = 0; k < order->count; k++) {
        order->place[k] = -1;
    }
    if (!coupling->has_blocks) {
        list_touches(order, system);
        memset(order->done, 0, (size_t)system->group_count * sizeof(int));
    }
    int first = 0;
    for (int seed = 0; seed < order->count; seed++) {
        if (order->place[seed] >= 0) {
            continue;
        }
        // Twice: the node reached last is at an end of the island.
        reach(order, seed, first);
        int end = spread(order, coupling, first, 1);
        int last = order->node[end - 1];
        for (int at = first; at < end; at++) {
            order->place[order->node[at]] = -1;
        }
        reach(order, last, first);
        first = spread(order, coupling, first, 2);
    }
}
