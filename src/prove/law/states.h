// Which contacts are open, stick or slide: read from an answer, changed where an exact solution
// says otherwise.
#ifndef TACT_PROVE_LAW_STATES_H
#define TACT_PROVE_LAW_STATES_H

#include <tact/contact.h>

#include "contact/patch.h"

typedef enum TactStateKind {
    TACT_PROVE_OPEN,    // no impulse. Also a unilateral row that does not push
    TACT_PROVE_PLAIN,   // pushes, without friction. Also a unilateral row that pushes
    TACT_PROVE_STICK,   // also a bilateral row, and a motor within its bound
    TACT_PROVE_CORNER,  // slides, friction at corner j of the polygon
    TACT_PROVE_EDGE,    // slides, friction between the corners j and j + 1
    TACT_PROVE_CIRCLE,  // slides in the circular cone
    TACT_PROVE_DYNAMIC, // slid before, on the level of accelerations: friction along `corner`
    TACT_PROVE_HIGH,    // a motor at its upper bound
    TACT_PROVE_LOW,     //   at its lower one
} TactStateKind;

typedef struct TactState {
    TactStateKind kind;
    int           j;         // corner
    double        corner[2]; // of dynamic friction
} TactState;

/// Corners of a contact's polygon over mu p_n: those of the pyramid, or of the square.
typedef struct TactPolygon {
    int    count;
    double turn;
    bool   square;
} TactPolygon;

TactPolygon tact_polygon_of(const TactContact *contact, TactContactCone cone);
/// Of a disc of one or two dimensions, in the coordinates x = p / mu over p_n: one has two corners.
TactPolygon tact_polygon_of_disc(const TactDisc *disc);
/// Corner j, any integer; opposite corners have opposite bits.
void tact_polygon_corner(const TactPolygon *polygon, int j, double d[2]);

/// u of every contact at the answer, bias, restitution, compliance and surfaces included, and J v+
/// - target of every row, in doubles.  velocity may be NULL with W.         u: (3 nc + row_count)
void tact_states_velocity(const TactContactProblem *problem, const TactContactAnswer *answer,
                          double *u);

/// What an impulse of 1 does at a contact or row, about: (m/s) / (N s), > 0.
double tact_states_weight(const TactContactProblem *problem, int source);

/// The states that the answer is nearest to: of contacts, of rows, of the discs of patches. With
/// patches the problem and the answer are the expanded ones; a contact whose sliding is that of a
/// disc is plain.                                   states: (nc + row_count + disc_count)
///   patches  NULL: none
void tact_states_read(const TactContactProblem *problem, const TactPatches *patches,
                      TactContactCone cone, const TactContactAnswer *answer, const double *u,
                      TactState *states);

/// The same of one disc. rounding: slip that is none, m/s
TactState tact_states_read_disc(const TactPatches *patches, TactContactCone cone,
                                const TactDisc *disc, const TactContactAnswer *answer,
                                const double *u, double rounding);

#endif
