// The law of a contact on a circle, piece by piece: open, sticking, sliding. Each piece is smooth,
// and goes on beyond its ends; who follows a curve of roots keeps the pieces, and changes one at a
// time (curve.h, follow.h).
#ifndef TACT_CONTACT_PILE_PIECES_H
#define TACT_CONTACT_PILE_PIECES_H

typedef enum TactPileState { TACT_PILE_OPEN, TACT_PILE_STICKS, TACT_PILE_SLIDES } TactPileState;

/// The piece of z.
TactPileState tact_pile_state(double mu, const double z[3]);

/// How far z is beyond its piece.
double tact_pile_beyond(double mu, TactPileState state, const double z[3]);

/// p of a piece, and B = P'(z) / k, row-major.
void tact_pile_piece(double mu, TactPileState state, double k, const double z[3], double p[3],
                     double B[9]);

/// When an item on its way from z along d comes to the end of its piece, and what is next.
double tact_pile_end_of_piece(double mu, TactPileState state, const double z[3], const double d[3],
                              TactPileState *next);

/// How far the direction of a slip lets an item go that slides: until its turn makes an error of
/// this impulse, unless its load is less than the least.
double tact_pile_end_of_turn(double mu, const double z[3], const double d[3], double error,
                             double least);

/// out = B x
static inline void tact_pile_times(const double B[9], const double x[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = B[3 * r] * x[0] + B[3 * r + 1] * x[1] + B[3 * r + 2] * x[2];
    }
}

#endif
