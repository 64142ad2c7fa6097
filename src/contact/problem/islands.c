#include "contact/problem/islands.h"

#include <string.h>

void tact_islands_layout(TactIslands *islands, const TactContactCapacity *capacity,
                         TactArena *arena)
{
    size_t      items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactIslands sized = {0};
    sized.root = tact_arena_take(arena, (size_t)capacity->dof, sizeof(int));
    sized.named = tact_arena_take(arena, (size_t)capacity->dof, sizeof(int));
    sized.of = tact_arena_take(arena, items, sizeof(int));
    sized.start = tact_arena_take(arena, items + 1, sizeof(int));
    sized.group = tact_arena_take(arena, items, sizeof(int));
    sized.item = tact_arena_take(arena, items, sizeof(int));
    sized.p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.part_items = tact_arena_take(arena, items, sizeof(TactItem));
    sized.part_groups = tact_arena_take(arena, items, sizeof(TactItemGroup));
    sized.part_support = tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int));
    sized.part_column = tact_arena_take(arena, items, sizeof(size_t));
    sized.part_e = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.part_b = tact_arena_take(arena, 3 * items, sizeof(double));
    if (arena->block) {
        *islands = sized;
    }
}

static int find_root(int *root, int j)
{
    while (root[j] != j) {
        root[j] = root[root[j]];
        j = root[j];
    }
    return j;
}

static void join_supports(TactIslands *islands, const TactSystem *system)
{
    int *root = islands->root;
    for (int j = 0; j < system->dof; j++) {
        root[j] = j;
        islands->named[j] = -1;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        for (int s = 1; s < group->size; s++) {
            int a = find_root(root, support[0]);
            int b = find_root(root, support[s]);
            root[a > b ? a : b] = a > b ? b : a;
        }
    }
}

/// A group that touches nothing is an island of its own.
static int name_island(TactIslands *islands, const TactSystem *system, const TactItemGroup *group)
{
    if (group->size == 0) {
        return islands->count++;
    }
    int root = find_root(islands->root, system->support[group->support]);
    if (islands->named[root] < 0) {
        islands->named[root] = islands->count++;
    }
    return islands->named[root];
}

void tact_islands_find(TactIslands *islands, const TactSystem *system)
{
    join_supports(islands, system);
    islands->count = 0;
    memset(islands->start, 0, ((size_t)system->group_count + 1) * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        islands->of[g] = name_island(islands, system, &system->groups[g]);
        islands->start[islands->of[g] + 1]++;
    }
    for (int k = 0; k < islands->count; k++) {
        islands->start[k + 1] += islands->start[k];
    }
    // Each group goes to the next free place of its island; that moves the starts up by one island.
    for (int g = 0; g < system->group_count; g++) {
        islands->group[islands->start[islands->of[g]]++] = g;
    }
    for (int k = islands->count; k > 0; k--) {
        islands->start[k] = islands->start[k - 1];
    }
    islands->start[0] = 0;
}

const TactSystem *tact_islands_take(TactIslands *islands, const TactSystem *system, int island)
{
    TactSystem *part = &islands->part;
    *part = *system;
    part->items = islands->part_items;
    part->groups = islands->part_groups;
    part->column = islands->part_column;
    part->e = islands->part_e;
    part->b = islands->part_b;
    part->support = islands->part_support;
    part->item_count = 0;
    part->group_count = 0;
    int    supports = 0;
    size_t soa = 0;
    for (int k = islands->start[island]; k < islands->start[island + 1]; k++) {
        const TactItemGroup *from = &system->groups[islands->group[k]];
        TactItemGroup       *group = &part->groups[part->group_count];
        *group = *from;
        group->first = part->item_count;
        group->support = supports;
        group->soa = soa;
        memcpy(part->support + supports, system->support + from->support,
               (size_t)from->size * sizeof(int));
        supports += from->size;
        soa += 3 * (size_t)from->size * (size_t)from->stride;
        for (int i = from->first; i < from->first + from->count; i++) {
            int to = part->item_count++;
            islands->item[to] = i;
            part->items[to] = system->items[i];
            part->items[to].group = part->group_count;
            part->column[to] = system->column[i];
            memcpy(part->e + 3 * to, system->e + 3 * i, 3 * sizeof(double));
            memcpy(part->b + 3 * to, system->b + 3 * i, 3 * sizeof(double));
        }
        part->group_count++;
    }
    part->stride = TACT_SYSTEM_STRIDE(part->item_count);
    return part;
}

void tact_islands_put(const TactIslands *islands, double *p)
{
    for (int i = 0; i < islands->part.item_count; i++) {
        memcpy(p + 3 * islands->item[i], islands->p + 3 * i, 3 * sizeof(double));
    }
}
