// When is a column, a pivot or a determinant nothing but rounding? The thresholds of all factors
// that decide on a rank, side by side. They are about different numbers, each relative to what its
// line says, and a value that serves one need not serve another.
//
// Those of bases in contact are in contact/pivot_rules.h.
#ifndef TACT_LINALG_RANK_H
#define TACT_LINALG_RANK_H

// Cholesky of a Delassus matrix: pivots over the largest. Those below are rounding, and the rank
// ends there.
static const double TACT_RANK_OF_DELASSUS = 1e-13;

// QR of Newton's step, of contacts and of the friction box: a column that is shorter than this
// beside the longest depends on the others. Its entries are products of whitened columns, and have
// lost digits already.
static const double TACT_RANK_OF_NEWTON = 1e-11;
static const double TACT_RANK_OF_BOX = 1e-11;

// Which forces are unique: what is left of a unit column beside the pivots. It is a statement to
// the user about contacts whose positions have errors, and not about rounding alone.
static const double TACT_RANK_OF_SHARING = 1e-9;

// Whether a projection may change the forces of some contacts: what is left of a unit column beside
// the others, squared, so 1e-7 of its length. A Gram matrix resolves no less.
static const double TACT_RANK_OF_SHARED2 = 1e-14;

// Bilateral rows: one whose part outside of the span of the others is smaller, relative to itself,
// is redundant. Loops have such rows, with the errors of their positions in them.
static const double TACT_RANK_OF_ROWS = 1e-10;

// The 3 x 3 block of one contact: its determinant over the product of its diagonal counts as 0. The
// share is the same in all units, and for all scales of normal and tangents.
static const double TACT_SINGULAR_BLOCK = 1e-14;

// Blocks of the pyramid of one contact: pivots below this share of their row are 0.
static const double TACT_SINGULAR_PYRAMID = 1e-13;

// Bounds of friction coupled with their normals in an LCP: the system is not used if a pivot is not
// larger than this, relative to its largest entry. It is a step of Newton's, and there is another.
static const double TACT_SINGULAR_FRICTION = 1e-11;

// The block of a basis of an LCP, equilibrated: its best pivot.
static const double TACT_SINGULAR_BASIS = 1e-14;

#endif
