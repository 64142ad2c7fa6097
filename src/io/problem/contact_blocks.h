// W as blocks: of a dense one those that are not 0, or straight from the entries of a file.
#ifndef TACT_IO_PROBLEM_CONTACT_BLOCKS_H
#define TACT_IO_PROBLEM_CONTACT_BLOCKS_H

#include "io/problem/contact_file.h"
#include "io/problem/matrix.h"

/// A problem given by W has W as a dense matrix, for methods that need one, up to so many contacts
/// (0.2 GB), and as blocks in any case.
enum { TACT_IO_DENSE_CONTACTS = 1700 };

/// Blocks of parts->W, where there is one and it has no contacts that resist spinning or rolling.
TactStatus tact_contact_find_blocks(TactContactParts *parts);

/// Blocks from the entries of a matrix with two or three components a contact; entries of the same
/// place are added. Where (i, j) has a block, (j, i) has one.
TactStatus tact_contact_take_blocks(const TactMatrix *matrix, int dimension,
                                    TactContactParts *parts);

#endif
