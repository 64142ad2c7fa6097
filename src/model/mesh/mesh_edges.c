#include "model/mesh/mesh_edges.h"

#include "base/memory.h"
#include "base/status.h"

/// An edge between vertices lo < hi, and how often triangles run through it.
typedef struct Edge {
    int lo; // -1: an empty place
    int hi;
    int up;   // from lo to hi
    int down; // from hi to lo
} Edge;

/// Open addressing; a power of two of places, at most half of them taken.
typedef struct Table {
    Edge  *place;
    size_t mask;
} Table;

static size_t hash(int lo, int hi)
{
    uint64_t key = (uint64_t)(uint32_t)lo << 32 | (uint32_t)hi;
    key *= 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ key >> 32);
}

static void count_side(Table *table, int from, int to)
{
    int    lo = from < to ? from : to;
    int    hi = from < to ? to : from;
    size_t at = hash(lo, hi) & table->mask;
    while (table->place[at].lo >= 0 && (table->place[at].lo != lo || table->place[at].hi != hi)) {
        at = (at + 1) & table->mask;
    }
    Edge *edge = &table->place[at];
    edge->lo = lo;
    edge->hi = hi;
    edge->up += from < to;
    edge->down += from > to;
}

static void judge_edge(const Edge *edge, TactMeshFindings *findings)
{
    int sides = edge->up + edge->down;
    // Two triangles of the same orientation run through their edge in opposite directions.
    int surplus = edge->up > edge->down ? edge->up - edge->down : edge->down - edge->up;
    findings->edges++;
    findings->boundary_edges += sides == 1;
    findings->crowded_edges += sides > 2;
    findings->twisted_edges += surplus > 1;
    if (sides % 2 != 0) {
        findings->watertight = false;
    }
    if (surplus > 1) {
        findings->oriented = false;
    }
}

TactStatus tact_mesh_edges_judge(const TactTriangle *triangles, int triangle_count,
                                 TactMeshFindings *findings)
{
    size_t places = 16;
    while (places < 6 * (size_t)triangle_count) {
        places *= 2;
    }
    void *block;
    TACT_TRY(tact_allocate(places, sizeof(Edge), &block));
    Table table = {block, places - 1};
    for (size_t i = 0; i < places; i++) {
        table.place[i].lo = -1;
    }
    for (int i = 0; i < triangle_count; i++) {
        const int *vertex = triangles[i].vertex;
        count_side(&table, vertex[0], vertex[1]);
        count_side(&table, vertex[1], vertex[2]);
        count_side(&table, vertex[2], vertex[0]);
    }
    findings->watertight = true;
    findings->oriented = true;
    for (size_t i = 0; i < places; i++) {
        if (table.place[i].lo >= 0) {
            judge_edge(&table.place[i], findings);
        }
    }
    tact_release(block);
    return TACT_OK;
}
