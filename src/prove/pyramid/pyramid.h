// Rational proof of a contact answer with the pyramid or the friction box.
#ifndef TACT_PROVE_PYRAMID_PYRAMID_H
#define TACT_PROVE_PYRAMID_PYRAMID_H

#ifdef TACT_HAVE_GMP

#include "prove/contact.h"
#include "prove/law/law.h"
#include "prove/proof.h"
#include "prove/rational/rational.h"

typedef struct TactPyramidProof {
    const TactProveTask      *task;
    const TactContactProblem *problem; // of the task, expanded
    TactContactCone           cone;
    const TactContactAnswer  *answer;
    TactProveDiscs            discs;
    TactContactAnswer         guess_of; // where unknowns outside of a block are taken from
    TactProofConfig           config;
    TactProof                *proof;
    TactLaws                  laws;
    TactPiece                 piece;
    TactState                *states;   // of contacts, rows and discs
    TactState                *first;    // of the answer                       (as many)
    int                      *priority; // of a contact's equations, if they contradict others
    int                      *column;   // unknown of a variable of the laws; -1: it is 0
    double                   *guess;    // of an unknown
    double                   *rest;     // that it was rounded by
    double                   *slack;    // how far an unknown is from its bounds
    int                      *order, *row_order;
    double                   *u; // at the answer                          (3 contacts + rows)
    double        *impulse; // of a search for states, contacts and rows     (3 contacts + rows)
    double        *impulse_rest; // that they were rounded by; used if guess_of is the search's
    bool          *near;         // contacts that may be loaded                (contacts)
    bool           is_path;      // impulses are those of a path, with their rests
    bool           in_basis; // the piece is that of a complementary basis of the LCP, not of states
    int           *theta;    // first unknown of a contact in the LCP; -1: none           (contacts)
    unsigned char *basis;    // which unknowns of the LCP are basic               (tact_search_size)
    int           *place;    // unknown of the piece that one of the LCP is; -1: it is 0
} TactPyramidProof;

// What an inequality is about.
typedef enum TactPyramidSide {
    TACT_SIDE_OPENS,   // u_n >= 0
    TACT_SIDE_PUSHES,  // p_n >= 0
    TACT_SIDE_INSIDE,  // p_t inside of edge j
    TACT_SIDE_AGAINST, // friction takes something out of the slip
    TACT_SIDE_FIRST,   // p_t on its edge beyond the first corner,
    TACT_SIDE_LAST,    //   and before the last one
    TACT_SIDE_MOST,    // no corner takes more out of the slip than this one
    TACT_SIDE_BELOW,   // a motor below its bound,
    TACT_SIDE_ABOVE,   //   above it
    TACT_SIDE_HELD,    // a motor at its bound is driven against it
} TactPyramidSide;

enum { TACT_SIDE_CORNERS = 16 }; // a role is side + TACT_SIDE_CORNERS * corner

/// Fills the equations and inequalities of the present states, or of the basis.
void tact_pyramid_place(TactPyramidProof *prover);

/// Does a contact or row only stand for moments?
bool tact_pyramid_is_moment(const TactPyramidProof *prover, int source);

// Discs of patches (pyramid_discs.c): state contacts + rows + d.

/// Gives unknowns to the components of a disc, if its contact is loaded.
void tact_pyramid_number_disc(TactPyramidProof *prover, int d);
/// Equations and inequalities of its state.
void tact_pyramid_place_disc(TactPyramidProof *prover, int d);
/// The state against its slip at a solution.
void tact_pyramid_begin_disc(TactPyramidProof *prover, const TactPieceSolution *solution, int d);
/// The state on the other side of an inequality that fails.
void tact_pyramid_cross_disc(TactPyramidProof *prover, const TactExactForm *form);

/// Unknown `variable` of the laws, where the solution is far from its bounds by `slack`.
void tact_pyramid_give_column(TactPyramidProof *prover, int variable, double guess, double slack);

/// form += factor x_variable for a variable of the laws, in the unknowns of the piece.
void tact_pyramid_add(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                      int variable, const mpq_t factor);
/// form += factor source
void tact_pyramid_add_law(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                          double factor, const TactExactForm *source);
/// The parts of a piece of a basis that are about a contact.
void tact_pyramid_number_basis(TactPyramidProof *prover, int i);
void tact_pyramid_place_basis(TactPyramidProof *prover, int i);
/// form += factor p_component of a contact, from what is basic.
void tact_pyramid_add_basis(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                            int component, const mpq_t factor);
/// p_component of a contact at the solution of a basis.
void tact_pyramid_read_basis(const TactPyramidProof *prover, const TactPieceSolution *solution,
                             int i, int component, mpq_t p);

#endif
#endif
