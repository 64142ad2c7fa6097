// Matrices of the degrees of freedom that contacts couple, sum_i C_i B_i C_i', in blocks of six:
// what the proximal path and the sharing of forces factor.
#ifndef TACT_CONTACT_SYSTEM_SYSTEM_BLOCKS_H
#define TACT_CONTACT_SYSTEM_SYSTEM_BLOCKS_H

#include "linalg/block_lu/block_lu.h"

struct TactSystem;

/// Makes the factor ready for the blocks that the groups of a system couple. false: there is no
/// room for them, or a group has more than `support` degrees of freedom.
bool tact_blocks_shape(TactBlockLu *lu, const struct TactSystem *system, int support);

/// The same for those groups alone that are marked, in a part of the factor's links.
///                                                                            marked: (groups)
bool tact_blocks_shape_part(TactBlockLu *part, const struct TactSystem *system, const bool *marked);

/// The groups that have an item whose B is not 0.
typedef struct TactLoadedGroups {
    bool *marked; // (groups)
    int   count;
    bool  changed; // they are others than the last time
} TactLoadedGroups;

/// Marks them; B of item i at B + i * stride.
void tact_blocks_mark_loaded(const struct TactSystem *system, const double *B, size_t stride,
                             TactLoadedGroups *loaded);

/// sum += C B C' / weight of one item over its group's support.
///                                            C: (3 x size), B: (3 x 3), sum: (size x size)
void tact_blocks_add_item(const double *C, const double *B, double weight, int size, double *sum);

/// Adds what a group has summed to the blocks of its support.           sum: (size x size)
void tact_blocks_scatter(TactBlockLu *lu, const int *support, int size, const double *sum);

#endif
