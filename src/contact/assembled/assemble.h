// The forms of the papers, assembled from one system: the dense LCP, the mixed LCP, the friction
// box, the Delassus matrix. The caller gives all arrays.
//
// The LCP [Lloyd04, eq. 8; DART, eq. 15, in impulses: D2] has unknowns theta, phi, lambda, in this
// order, and rows nu, sigma, gamma:
//
//     nu    = N'N theta + N'D phi            + N'k
//     sigma = D'N theta + D'D phi + E lambda + D'k
//     gamma = mu theta  - E' phi             + bound
//
// An item takes part with what it has: a unilateral row or a contact with mu = 0 has a theta only;
// a motor has no theta, two directions along +-tangent 1, and its bound in place of mu theta.
// Compliance is on the diagonal of nu.
#ifndef TACT_CONTACT_ASSEMBLED_ASSEMBLE_H
#define TACT_CONTACT_ASSEMBLED_ASSEMBLE_H

#include "contact/system/system.h"

/// Where the unknowns of an item stand.
typedef struct TactAssemblePlace {
    int    theta;  // -1: none
    int    phi;    // first direction; -1: none
    int    lambda; // -1: none
    int    directions;
    double turn;
    double mu; // of the directions: sqrt(2) mu for the friction box
} TactAssemblePlace;

/// The unknowns of a system, for one cone. The friction box is a pyramid of four directions.
typedef struct TactAssembleMap {
    const TactSystem         *system;
    const TactContactProblem *problem;
    int                       n;      // unknowns of the LCP: thetas + phis + lambdas
    int                       thetas; // also where the phis start
    int                       phis;
    int                       lambdas;
    TactAssemblePlace        *places; // (item_count)
} TactAssembleMap;

/// Most unknowns of an LCP of this capacity.
size_t tact_assemble_most(const TactContactCapacity *capacity);

/// Numbers the unknowns. map->places is given by the caller.                    (items)
void tact_assemble_number(TactAssembleMap *map, const TactSystem *system,
                          const TactContactProblem *problem, TactContactCone cone);

/// Direction k of an item; the opposite one has the same bits.
void tact_assemble_direction(const TactAssemblePlace *place, int k, double d[2]);

/// Block C_i' C_j (or of W), compliance included.
void tact_assemble_block(const TactAssembleMap *map, int i, int j, double block[3][3]);

/// Dense LCP.   A  (n x n)    q  (n)
void tact_assemble_lcp(const TactAssembleMap *map, double *A, double *q);

/// DART's stabilisation [DART, 5, corrected: D1]: A_ii += softness on normal and friction rows, in
/// (m/s) / (N s): ODE's cfm over h.
void tact_assemble_soften(const TactAssembleMap *map, double softness, double *A);

/// A <- D A D, q <- D q with powers of two D that bring the diagonal, and E, near 1 [DART, 5,
/// corrected: D2]. The answer is D times that of the scaled problem.            d: (n)
void tact_assemble_equilibrate(const TactAssembleMap *map, double *A, double *q, double *d);

/// Impulses of the items from the answer of an LCP.              z: (n), p: (3 item_count)
void tact_assemble_impulse(const TactAssembleMap *map, const double *z, double *p);

/// The answer of an LCP from impulses and u = W p + b of the items: beta on the two directions
/// next to p_t, lambda from the slip.                p, u: (3 item_count), z: (n)
void tact_assemble_unknowns(const TactAssembleMap *map, const double *p, const double *u,
                            double *z);

/// Delassus matrix of the items and its offset, u = W p + b.
///   W  (3 item_count x 3 item_count)    b  (3 item_count)
void tact_assemble_delassus(const TactAssembleMap *map, double *W, double *b);

// ---------------------------------------------------------------------------------------------
// Mixed LCP

/// Unknowns of the mixed LCP: v+, impulses of bilateral rows, then those of the LCP. -1: a problem
/// given by W has no v.
int tact_assemble_mixed_size(const TactAssembleMap *map);

/// Mixed LCP from the raw rows [Arechavaleta, eq. 13, corrected: A4; DART, eq. 12]:
///
///     M v - J_b' c - H z - (M v0 + h f) = 0,    J_b v - target = 0,    w = H' v + N z + e.
///
/// v and c are free: lo = -infinity there.   A  (n x n)    q, lo  (n)    n = mixed size
void tact_assemble_mixed(const TactAssembleMap *map, double *A, double *q, double *lo);

// ---------------------------------------------------------------------------------------------
// Friction box

/// Unknowns of the friction box: limits c_l, normals c_n, friction beta, motors.
typedef struct TactAssembleBox {
    const TactSystem         *system;
    const TactContactProblem *problem;
    int                       n;
    int                      *first; // unknown of an item's normal; -1: none        (items)
    int                      *slide; // of its friction 1 (2 follows), or of a motor; -1: none
} TactAssembleBox;

/// Numbers the unknowns. first and slide are given by the caller.
void tact_assemble_box_number(TactAssembleBox *box, const TactSystem *system,
                              const TactContactProblem *problem);

/// The friction-box problem (16), (17), corrected: A5 to A8, without its bounds.
///   G  (n x n)    g  (n)
void tact_assemble_box(const TactAssembleBox *box, double *G, double *g);

/// g += (G - G') z / 2 for the impulses p of z, where a given W is not quite symmetric.
///   p  (3 item_count)    g  (n)
void tact_assemble_box_skew(const TactAssembleBox *box, const double *p, double *g);

/// |beta| <= mu normal with given normals (item order; only entries 3 i are read).
///   p  (3 item_count)    lo, hi  (n)
void tact_assemble_box_bounds(const TactAssembleBox *box, const double *p, double *lo, double *hi);

/// Impulses of the items from z, or from d z for a z that was scaled (d NULL: 1).
void tact_assemble_box_impulse(const TactAssembleBox *box, const double *z, const double *d,
                               double *p);
void tact_assemble_box_unknowns(const TactAssembleBox *box, const double *p, double *z);

#endif
