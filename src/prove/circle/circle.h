// Proof by intervals of a contact answer with the circular cone.
//
// Once the states are known, the unknowns v+, p obey as many equations F(x) = 0:
//
//     M v+ - (M v + h f) - J' p = 0
//     u = 0 where it sticks        u_n = 0,  p_t + mu p_n u_t / |u_t| = 0 where it slides
//
// and the same for every disc of a patch, with p_k + mu_k p_n y_k / |y| = 0, y_k = mu_k u_k;
//
// and Krawczyk's test proves that exactly one x in a box does.
#ifndef TACT_PROVE_CIRCLE_CIRCLE_H
#define TACT_PROVE_CIRCLE_CIRCLE_H

#include "prove/circle/bounds.h"
#include "prove/contact.h"
#include "prove/law/law.h"
#include "prove/proof.h"

typedef enum TactCircleLaw {
    TACT_CIRCLE_DYNAMICS, // of degree of freedom `index`
    TACT_CIRCLE_U,        // u of source `index` is 0
    TACT_CIRCLE_FRICTION, // component `index` of friction against the slip
    TACT_CIRCLE_CORNER,   // component `index` of friction along a given direction
    TACT_CIRCLE_BOUND,    // a motor at its bound
    TACT_CIRCLE_DISC,     // component `index` of a disc that moves
} TactCircleLaw;

typedef struct TactCircleEquation {
    TactCircleLaw law;
    int           owner; // contact, contact_count + row, and then discs; -1: none
    int           index;
} TactCircleEquation;

typedef struct TactCircle {
    const TactProveTask      *task;
    TactProveDiscs            discs;
    const TactContactProblem *problem; // of the task, expanded
    const TactContactAnswer  *answer;
    TactProofConfig           config;
    TactProof                *proof;
    TactBounds                bounds;
    TactState                *states, *first; // of contacts, rows and discs
    bool                      loaded;         // touching contacts were given a share of the load
    int                       equation_count; // of the states
    TactCircleEquation       *equations;      //
    int                       chosen;         // equations and unknowns of the test
    int                      *rows;           // which equations                       (chosen)
    int                      *dropped;        // sources whose u must be 0 by the others
                                              //                             (dropped_count)
    int           dropped_count;
    int          *unknown;                  // which variables                       (chosen)
    int          *column;                   // variable -> unknown; -1: none         (variables)
    bool         *active;                   // variables of the states               (variables)
    double       *x;                        // middle of the box                     (variables)
    double       *radius;                   // of the box, 0 where x is kept         (variables)
    TactInterval *box;                      //                                       (variables)
    double       *u;                        // at the answer                (3 contacts + rows)
    double       *weight;                   // of a contact or row           (contacts + rows)
    TactInterval *F;                        // (chosen)
    TactInterval *slope;                    // F'                            (chosen x chosen)
    double       *inverse, *product, *work; // (chosen x chosen), work: 8 chosen
    int          *perm;
} TactCircle;

/// Equations and variables of the present states.
void tact_circle_place(TactCircle *circle);
/// Which of them are independent; the others are dropped, or keep their value.
TactStatus tact_circle_choose(TactCircle *circle);

/// Does a contact or row only stand for moments?
bool tact_circle_is_moment(const TactCircle *circle, int source);
/// Is there a load on the contact of a disc?
bool tact_circle_is_loaded(const TactCircle *circle, int disc);
/// p_n - |x| of a disc, in the box.
TactInterval tact_circle_disc_room(const TactCircle *circle, const TactDisc *disc);

/// box = x +- radius
void tact_circle_set_box(TactCircle *circle);
/// F and, where slope is asked for, F' over the box. false: the slip of a contact may be 0, named
/// in *owner.
bool tact_circle_evaluate(TactCircle *circle, bool slope, int *owner);
/// Friction and slip of a contact in the box.
TactInterval tact_circle_u(const TactCircle *circle, int source);

typedef enum TactKrawczyk {
    TACT_KRAWCZYK_PROVED,
    TACT_KRAWCZYK_SINGULAR, // F' has no inverse
    TACT_KRAWCZYK_SLIP,     // a slip may be 0
    TACT_KRAWCZYK_WIDE,     // no box is mapped into itself
} TactKrawczyk;

/// Newton's method in doubles from x; then the test. radius is that of the box that holds the only
/// solution.
TactKrawczyk tact_circle_test(TactCircle *circle, int *owner);

/// After a test with impulses that keep their value: moves these so that all come inside of their
/// cones. *moved: false if there is no way.
TactStatus tact_circle_move_inside(TactCircle *circle, bool *moved);

/// Do the dropped equations follow from the chosen ones, exactly? Otherwise names the source of the
/// one that does not; TACT_UNSUPPORTED without GMP.
TactStatus tact_circle_follow(const TactCircle *circle, int *broken);

#endif
