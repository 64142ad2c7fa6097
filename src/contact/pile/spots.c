#include "contact/pile/spots.h"

#include <string.h>

// Parts of the worst from which on an item is bad.
static const double PARTS[] = {0.01, 0.03, 0.1, 0.3, 0.6};
enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };

void tact_pile_spots_layout(TactPileSpots *spots, const TactContactCapacity *capacity,
                            TactArena *arena)
{
    size_t        items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t        nodes = ((size_t)capacity->dof + TACT_PILE_NODE - 1) / TACT_PILE_NODE;
    TactPileSpots lent = {
        .marked = tact_arena_take(arena, nodes, sizeof(int)),
        .next = tact_arena_take(arena, nodes, sizeof(int)),
        .root = tact_arena_take(arena, nodes, sizeof(int)),
        .named = tact_arena_take(arena, nodes, sizeof(int)),
        .items = tact_arena_take(arena, nodes, sizeof(int)),
        .of = tact_arena_take(arena, items, sizeof(int)),
        .start = tact_arena_take(arena, nodes + 1, sizeof(int)),
        .group = tact_arena_take(arena, items, sizeof(int)),
    };
    if (arena->block) {
        *spots = lent;
    }
}

static int root_of_spot(int *root, int j)
{
    while (root[j] != j) {
        root[j] = root[root[j]];
        j = root[j];
    }
    return j;
}

/// Nodes of the items that are worse than a bound.
static void mark_bad(TactPileSpots *spots, const TactSystem *system, const double *bad,
                     double bound)
{
    memset(spots->marked, 0, (size_t)spots->nodes * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        bool                 is_bad = false;
        for (int i = group->first; i < group->first + group->count; i++) {
            is_bad = is_bad || bad[i] > bound;
        }
        for (int s = 0; s < group->size && is_bad; s++) {
            spots->marked[system->support[group->support + s] / TACT_PILE_NODE] = 1;
        }
    }
}

static bool touches(const TactSystem *system, const TactItemGroup *group, const int *marked,
                    int *node)
{
    for (int s = 0; s < group->size; s++) {
        *node = system->support[group->support + s] / TACT_PILE_NODE;
        if (marked[*node]) {
            return true;
        }
    }
    return false;
}

/// All nodes that share a group with a marked one are marked too.
static void add_ring(TactPileSpots *spots, const TactSystem *system)
{
    memcpy(spots->next, spots->marked, (size_t)spots->nodes * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        int                  node;
        if (touches(system, group, spots->marked, &node)) {
            for (int s = 0; s < group->size; s++) {
                spots->next[system->support[group->support + s] / TACT_PILE_NODE] = 1;
            }
        }
    }
    memcpy(spots->marked, spots->next, (size_t)spots->nodes * sizeof(int));
}

static void join(TactPileSpots *spots, const TactSystem *system)
{
    for (int k = 0; k < spots->nodes; k++) {
        spots->root[k] = k;
        spots->named[k] = -1;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        int                  first;
        if (!touches(system, group, spots->marked, &first)) {
            continue;
        }
        for (int s = 0; s < group->size; s++) {
            int node = system->support[group->support + s] / TACT_PILE_NODE;
            if (spots->marked[node] && node != first) {
                int a = root_of_spot(spots->root, first), b = root_of_spot(spots->root, node);
                spots->root[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

/// Spots, their groups in a list, and their sizes. Returns the items of the largest.
static int list_spots(TactPileSpots *spots, const TactSystem *system)
{
    int most = 0;
    join(spots, system);
    spots->count = 0;
    memset(spots->start, 0, ((size_t)spots->nodes + 1) * sizeof(int));
    memset(spots->items, 0, (size_t)spots->nodes * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        int node;
        spots->of[g] = -1;
        if (touches(system, &system->groups[g], spots->marked, &node)) {
            int root = root_of_spot(spots->root, node);
            if (spots->named[root] < 0) {
                spots->named[root] = spots->count++;
            }
            int spot = spots->of[g] = spots->named[root];
            spots->start[spot + 1]++;
            spots->items[spot] += system->groups[g].count;
            most = spots->items[spot] > most ? spots->items[spot] : most;
        }
    }
    for (int k = 0; k < spots->count; k++) {
        spots->start[k + 1] += spots->start[k];
    }
    for (int g = 0; g < system->group_count; g++) {
        if (spots->of[g] >= 0) {
            spots->group[spots->start[spots->of[g]]++] = g;
        }
    }
    for (int k = spots->count; k > 0; k--) { // each start has moved to the next one
        spots->start[k] = spots->start[k - 1];
    }
    spots->start[0] = 0;
    return most;
}

void tact_pile_spots_find(TactPileSpots *spots, const TactSystem *system, const double *bad,
                          int from, int rings, int most)
{
    double worst = 0;
    spots->nodes = (system->dof + TACT_PILE_NODE - 1) / TACT_PILE_NODE;
    for (int i = 0; i < system->item_count; i++) {
        worst = bad[i] > worst ? bad[i] : worst;
    }
    for (; rings >= 0; rings--) {
        for (int k = from; k < PART_COUNT; k++) {
            mark_bad(spots, system, bad, PARTS[k] * worst);
            for (int ring = 0; ring < rings; ring++) {
                add_ring(spots, system);
            }
            if (list_spots(spots, system) <= most) {
                return;
            }
        }
    }
}
