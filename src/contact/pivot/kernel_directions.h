// Directions of friction pyramids.
#ifndef TACT_CONTACT_PIVOT_KERNEL_DIRECTIONS_H
#define TACT_CONTACT_PIVOT_KERNEL_DIRECTIONS_H

/// cos and sin of 2 pi j / d for j < d, exact at the axes and symmetric on the diagonals.
void tact_directions_base(int d, double *c, double *s);

/// Turns d directions by an angle.
void tact_directions_turn(int d, double turn, double *c, double *s);

#endif
