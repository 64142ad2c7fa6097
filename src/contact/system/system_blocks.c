#include "contact/system/system_blocks.h"

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/system/system.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE };

/// End of the entries of a support that lie in the same node as entry s. Nodes may come in any
/// order: those of a part of a problem do.
static int end_of_node(const int *support, int size, int s)
{
    int first = support[s] / ROWS * ROWS, limit = first + ROWS;
    while (s < size && support[s] >= first && support[s] < limit) {
        s++;
    }
    return s;
}

/// A group links all nodes of its support.
static void link_group(TactBlockLu *lu, const TactSystem *system, const TactItemGroup *group)
{
    const int *own = system->support + group->support;
    for (int r = 0; r < group->size; r = end_of_node(own, group->size, r)) {
        for (int s = 0; s < r; s = end_of_node(own, group->size, s)) {
            tact_block_lu_link(lu, own[r] / ROWS, own[s] / ROWS);
        }
    }
}

bool tact_blocks_shape(TactBlockLu *lu, const TactSystem *system, int support)
{
    if (!tact_block_lu_begin(lu, (system->dof + ROWS - 1) / ROWS)) {
        return false;
    }
    for (int g = 0; g < system->group_count; g++) {
        if (system->groups[g].size > support) {
            return false;
        }
        link_group(lu, system, &system->groups[g]);
    }
    return tact_block_lu_shape(lu);
}

static bool is_zero(const double B[9])
{
    return B[0] == 0 && B[4] == 0 && B[8] == 0 && B[3] == 0 && B[6] == 0;
}

void tact_blocks_mark_loaded(const TactSystem *system, const double *B, size_t stride,
                             TactLoadedGroups *loaded)
{
    loaded->count = 0;
    loaded->changed = false;
    for (int g = 0; g < system->group_count; g++) {
        int i = system->groups[g].first, end = i + system->groups[g].count;
        while (i < end && is_zero(B + (size_t)i * stride)) {
            i++;
        }
        loaded->changed |= loaded->marked[g] != (i < end);
        loaded->marked[g] = i < end;
        loaded->count += i < end;
    }
}

bool tact_blocks_shape_part(TactBlockLu *part, const TactSystem *system, const bool *marked)
{
    if (!tact_block_lu_begin(part, (system->dof + ROWS - 1) / ROWS)) {
        return false;
    }
    for (int g = 0; g < system->group_count; g++) {
        if (marked[g]) {
            link_group(part, system, &system->groups[g]);
        }
    }
    return tact_block_lu_shape_part(part);
}

#define INLINE __attribute__((always_inline)) static inline

/// row += f_0 n + f_1 t_1 + f_2 t_2, four entries.
INLINE void add_four(const double f[3], const double *n, const double *t1, const double *t2,
                     double *row)
{
    TACT_LANES_PUT(row) +=
        (f[0] * TACT_LANES_AT(n) + f[1] * TACT_LANES_AT(t1)) + f[2] * TACT_LANES_AT(t2);
}

/// sum += C B C' / weight, for a size that the compiler may know.
INLINE void add_sized(const double *C, const double *B, double weight, int size,
                      double *restrict sum)
{
    const double *n = C, *t1 = C + size, *t2 = C + 2 * size;
    for (int r = 0; r < size; r++) {
        double *row = sum + r * size, f[3];
        for (int c = 0; c < 3; c++) {
            f[c] = (n[r] * B[c] + t1[r] * B[3 + c]) + t2[r] * B[6 + c];
            f[c] = weight == 1 ? f[c] : f[c] / weight;
        }
        int s = 0;
        for (; s + 4 <= size; s += 4) {
            add_four(f, n + s, t1 + s, t2 + s, row + s);
        }
        for (; s < size; s++) {
            row[s] += (f[0] * n[s] + f[1] * t1[s]) + f[2] * t2[s];
        }
    }
}

/// Eight doubles at any address.
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

/// The same of two bodies: C B first, row by row.
INLINE void add_pair(const double *C, const double *B, double weight, double *restrict sum)
{
    enum { SIZE = 2 * ROWS };
    double F[3][SIZE];
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < SIZE; r += 4) {
            TactLanes f = (TACT_LANES_AT(C + r) * TACT_LANES_ALL(B[c]) +
                           TACT_LANES_AT(C + SIZE + r) * TACT_LANES_ALL(B[3 + c])) +
                          TACT_LANES_AT(C + 2 * SIZE + r) * TACT_LANES_ALL(B[6 + c]);
            if (weight != 1) {
                f /= TACT_LANES_ALL(weight);
            }
            TACT_LANES_PUT(F[c] + r) = f;
        }
    }
    const double *t1 = C + SIZE, *t2 = C + 2 * SIZE;
    Eight         n8 = *(const Eight *)C, t8 = *(const Eight *)t1, s8 = *(const Eight *)t2;
    TactLanes     n4 = TACT_LANES_AT(C + 8), t4 = TACT_LANES_AT(t1 + 8), s4 = TACT_LANES_AT(t2 + 8);
    for (int r = 0; r < SIZE; r++) {
        double f[3] = {F[0][r], F[1][r], F[2][r]};
        *(Eight *)(sum + r * SIZE) += (f[0] * n8 + f[1] * t8) + f[2] * s8;
        TACT_LANES_PUT(sum + r * SIZE + 8) += (f[0] * n4 + f[1] * t4) + f[2] * s4;
    }
}

TACT_CLONES void tact_blocks_add_item(const double *C, const double *B, double weight, int size,
                                      double *sum)
{
    switch (size) { // one or two bodies
    case ROWS: add_sized(C, B, weight, ROWS, sum); break;
    case 2 * ROWS: add_pair(C, B, weight, sum); break;
    default: add_sized(C, B, weight, size, sum);
    }
}

/// Two doubles.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/// A block of whole nodes.
INLINE void add_block(const double *from, int size, double *restrict block)
{
    for (int a = 0; a < ROWS; a++) {
        const double *row = from + a * size;
        double       *to = block + a * STRIDE;
        TACT_LANES_PUT(to) += TACT_LANES_AT(row);
        *(Two *)(to + 4) += *(const Two *)(row + 4);
    }
}

/// Is it the six degrees of freedom of one node, in their order?
INLINE bool is_whole(const int *support)
{
    return support[0] % ROWS == 0 && support[ROWS - 1] == support[0] + ROWS - 1;
}

TACT_CLONES void tact_blocks_scatter(TactBlockLu *lu, const int *support, int size,
                                     const double *sum)
{
    if (size == 2 * ROWS && is_whole(support) && is_whole(support + ROWS)) { // two bodies
        for (int k = 0; k < 4; k++) {
            int r = k / 2 * ROWS, c = k % 2 * ROWS;
            add_block(sum + r * size + c, size,
                      tact_block_lu_at(lu, support[r] / ROWS, support[c] / ROWS));
        }
        return;
    }
    // One block for every two nodes of the support.
    for (int r = 0, row_end; r < size; r = row_end) {
        int row_node = support[r] / ROWS;
        row_end = end_of_node(support, size, r);
        for (int s = 0, end; s < size; s = end) {
            int     node = support[s] / ROWS;
            double *block = tact_block_lu_at(lu, row_node, node);
            end = end_of_node(support, size, s);
            if (row_end - r == ROWS && end - s == ROWS) {
                add_block(sum + r * size + s, size, block);
                continue;
            }
            for (int a = r; a < row_end; a++) {
                double       *to = block + (support[a] - row_node * ROWS) * STRIDE;
                const double *from = sum + a * size;
                for (int b = s; b < end; b++) {
                    to[support[b] - node * ROWS] += from[b];
                }
            }
        }
    }
}
