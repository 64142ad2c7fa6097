#include "contact/system/system_blocks.h"

#include "base/clones.h"
#include "contact/system/system.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE };

/// End of the entries of a support that lie in the same node as entry s.
static int end_of_node(const int *support, int size, int s)
{
    int limit = (support[s] / ROWS + 1) * ROWS;
    while (s < size && support[s] < limit) {
        s++;
    }
    return s;
}

bool tact_blocks_shape(TactBlockLu *lu, const TactSystem *system, int support)
{
    if (!tact_block_lu_begin(lu, (system->dof + ROWS - 1) / ROWS)) {
        return false;
    }
    // Every group links all nodes of its support.
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *own = system->support + group->support;
        if (group->size > support) {
            return false;
        }
        for (int r = 0; r < group->size; r = end_of_node(own, group->size, r)) {
            for (int s = 0; s < r; s = end_of_node(own, group->size, s)) {
                tact_block_lu_link(lu, own[r] / ROWS, own[s] / ROWS);
            }
        }
    }
    return tact_block_lu_shape(lu);
}

TACT_CLONES void tact_blocks_add_item(const double *C, const double *B, double weight, int size,
                                      double *f, double *sum)
{
    // f = C B / weight
    const double *n = C, *t1 = C + size, *t2 = C + 2 * size;
    for (int r = 0; r < size; r++) {
        for (int c = 0; c < 3; c++) {
            f[3 * r + c] = (n[r] * B[c] + t1[r] * B[3 + c]) + t2[r] * B[6 + c];
        }
    }
    if (weight != 1) {
        for (int k = 0; k < 3 * size; k++) {
            f[k] /= weight;
        }
    }
    // sum += f C'
    for (int r = 0; r < size; r++) {
        double *restrict row = sum + r * size;
        double f0 = f[3 * r], f1 = f[3 * r + 1], f2 = f[3 * r + 2];
        for (int s = 0; s < size; s++) {
            row[s] += (f0 * n[s] + f1 * t1[s]) + f2 * t2[s];
        }
    }
}

void tact_blocks_scatter(TactBlockLu *lu, const int *support, int size, const double *sum)
{
    // One block for every two nodes of the support.
    for (int r = 0, row_end; r < size; r = row_end) {
        int row_node = support[r] / ROWS;
        row_end = end_of_node(support, size, r);
        for (int s = 0, end; s < size; s = end) {
            int     node = support[s] / ROWS;
            double *block = tact_block_lu_at(lu, row_node, node);
            end = end_of_node(support, size, s);
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
