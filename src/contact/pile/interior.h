// An interior-point method in the space of motions, for a start: de Saxce's change of variables
// makes Coulomb's law a complementarity of cones, and its term |u_t| is differentiated exactly.
// docs/theory/pile.md
//
//     x = (mu p_n, p_t),    z = (u_n / mu + |u_t|, u_t),    K 3 x _|_ z in K                   (1)
//     y = y0 + C p,         u = C'y + e
#ifndef TACT_CONTACT_PILE_INTERIOR_H
#define TACT_CONTACT_PILE_INTERIOR_H

#include "contact/pile/cone.h"
#include "contact/proximal/proximal.h"

/// An item between its bounds. Contacts without friction and unilateral rows have the first
/// component only; motors two distances x from their bounds, and two multipliers z.
typedef struct TactInteriorItem {
    double          x[3], z[3];
    double          dx[3], dz[3];
    double          h[3];      // dp = h - B du; B stands with the proximal path's items
    double          off[3];    // of z: what u asks for, less z
    double          u[3];      // C'y + e, compliance included
    double          slip[2];   // u_t / |u_t|
    double          affine[3]; // (W^-1 dx) o (W dz) of the affine step
    double          solve[9];  // (I + W^2 D)^-1, D of the compliance
    double          reach;     // its longest step
    TactConeScaling scaling;
} TactInteriorItem;

enum { TACT_INTERIOR_LANES = 4 };

/// Four contacts with friction, side by side (interior_fours.h). Lanes of other items have their u,
/// p, h, du and B here and the rest in TactInteriorItem.
typedef struct TactInteriorFour {
    double x[3][TACT_INTERIOR_LANES], z[3][TACT_INTERIOR_LANES];
    double dx[3][TACT_INTERIOR_LANES], dz[3][TACT_INTERIOR_LANES];
    double u[3][TACT_INTERIOR_LANES], du[3][TACT_INTERIOR_LANES];
    double p[3][TACT_INTERIOR_LANES], h[3][TACT_INTERIOR_LANES];
    double B[9][TACT_INTERIOR_LANES];
    double off[3][TACT_INTERIOR_LANES], slip[2][TACT_INTERIOR_LANES];
    double solve[3][TACT_INTERIOR_LANES]; // q / (1 + q_0), q = W^2 e_0 c / mu^2
    double v[3][TACT_INTERIOR_LANES], l[3][TACT_INTERIOR_LANES]; // of the scaling (cone.h)
    double b[TACT_INTERIOR_LANES], det[TACT_INTERIOR_LANES];
    double mu[TACT_INTERIOR_LANES], softness[TACT_INTERIOR_LANES];
    double is_cone[TACT_INTERIOR_LANES]; // 1 or 0
    double reach[TACT_INTERIOR_LANES];
    double held[TACT_INTERIOR_LANES]; // d s^ of a dilatancy d
} TactInteriorFour;

typedef struct TactInterior {
    TactProximal     *proximal; // matrix and factor, lent
    TactInteriorFour *fours;    // (items / 4)
    TactInteriorItem *items;    // those that are not cones                          (items)
    int              *others;   // which these are                                   (items)
    int               four_count, other_count;
    bool              by_fours; // without moments; else all items are in items
    double           *y;        // (dof)
    double           *dy;       // (dof, whole blocks)
    double           *right;    // of the last solve                                 (dof)
    double           *off;      // y0 + C p - y                                      (dof)
    double       *residual; // of a solve                                        (dof, whole blocks)
    double       *reach;    // scratch of the choice of a step                   (items)
    double        gap;      // mean of x'z
    double        target;   // of the solve in hand
    bool          corrects; // it is the corrector
    double        part;     // of the way to the edge that items may go
    int           steps;    // of the last run
    double        dilatancy; // d: z_0 = u_n / mu + (1 - d) |u_t| + d s^; 0: (1)
    const double *slip;      // s^; NULL: 0. Lent                                  (items)
} TactInterior;

void tact_interior_layout(TactInterior *interior, const TactContactCapacity *capacity,
                          TactArena *arena);

/// From nothing to a gap of 1e-9 of that of the start, or as far as it comes. Pyramids are taken
/// for circles. The motion is left in interior->y. False if there is nothing to start from: p is
/// then 0.                                                                     p: (3 items)
bool tact_interior_run(TactInterior *interior, TactProximal *proximal, double *p);

/// The same for contacts that lift as they slip, z_0 = u_n / mu + (1 - d) |u_t| + d s^
/// (proximal/dilatancy.h), to a gap of 1e-10. Without moments.       slip: s^ (items)
bool tact_interior_run_dilatant(TactInterior *interior, TactProximal *proximal, double dilatancy,
                                const double *slip, double *p);

#endif
