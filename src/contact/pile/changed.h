// The matrix of a path after its factor, while items change:
//
//     A = A_0 + C dB C',    A^-1 = A_0^-1 - A_0^-1 C M C'A_0^-1,    M = (I + dB G)^-1 dB,
//     G = C'A_0^-1 C (1)
//
// C being the columns of the items that have changed. Another change E of the B of item m is one of
// rank 3, and needs no factor:
//
//     s = e_m - M G e_m,  s' = e_m' - e_m'G M,  g = e_m'G s,
//     M <- M + s (I + E g)^-1 E s',  det A <- det A det(I + E g) (2)
//
// Products with A_0^-1 are those of half solves along the paths of the items
// (linalg/block_lu/block_lu_path.h). docs/theory/pile.md
#ifndef TACT_CONTACT_PILE_CHANGED_H
#define TACT_CONTACT_PILE_CHANGED_H

#include "contact/proximal/proximal.h"

enum {
    TACT_PILE_CHANGED = 36, // items that may have changed since the factor
    TACT_PILE_CHANGED_COLUMNS = 3 * TACT_PILE_CHANGED,
    TACT_PILE_CHANGED_NODES = 4, // of the support of an item, at most
};

typedef struct TactPileChanged {
    const TactProximal *proximal; // lent
    const TactBlockLu  *lu;       // A_0, lent
    int                 count;
    int                 item[TACT_PILE_CHANGED];
    int                *slot; // of an item; -1: it has not changed                     (items)
    TactBlockPath       path[TACT_PILE_CHANGED];
    double             *x[TACT_PILE_CHANGED]; // L^-1 C_i and
    double             *z[TACT_PILE_CHANGED]; //   U^-T C_i, along its path
    double             *room;                 // of all x and z                (places x SIZE)
    int                *places;               // of all paths                         (places)
    int                 most, used;           // places
    int                *where;                // of a place on the newest path; -1: not  (nodes)
    bool               *on;                   // false                                   (nodes)
    double             *G, *M;                // (CHANGED_COLUMNS squared)
    double             *s, *across;           // of (2)          (CHANGED_COLUMNS x 4, 3 x COLUMNS)
    double             *felt, *q;             // C'A_0^-1 x, -M of it       (CHANGED_COLUMNS)
    double              work;                 // operations of the last change, about
} TactPileChanged;

void tact_pile_changed_layout(TactPileChanged *changed, const TactContactCapacity *capacity,
                              TactArena *arena);

/// Once the path has been factored.
void tact_pile_changed_begin(TactPileChanged *changed, const TactProximal *proximal);

/// The B of an item becomes another one; sign: of the determinant, may turn. False: there is no
/// room, or the matrix would be singular; it stays what it was.
bool tact_pile_change(TactPileChanged *changed, int item, const double B[9], int *sign);

/// x = A^-1 b from half = L^-1 b, which is overwritten, less A^-1 C dB r where there is an r (NULL:
/// none).                                                 r: (3 items)  half, x: (whole blocks)
void tact_pile_changed_solve(TactPileChanged *changed, const double *r, double *half, double *x);

#endif
