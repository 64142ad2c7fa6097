// Rational proof of a contact answer with the pyramid or the friction box.
#ifndef TACT_PROVE_PYRAMID_PYRAMID_H
#define TACT_PROVE_PYRAMID_PYRAMID_H

#ifdef TACT_HAVE_GMP

#include "prove/law/law.h"
#include "prove/proof.h"
#include "prove/rational/rational.h"

typedef struct TactPyramidProof {
    const TactContactProblem *problem;
    TactContactCone           cone;
    const TactContactAnswer  *answer;
    TactContactAnswer         guess_of; // where unknowns outside of a block are taken from
    TactProofConfig           config;
    TactProof                *proof;
    TactLaws                  laws;
    TactPiece                 piece;
    TactState                *states;   // (contacts + rows)
    TactState                *first;    // of the answer                       (contacts + rows)
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
