// Contacts through a patch: those that resist spinning or rolling, or slide more easily along one
// tangent than along the other. docs/theory/spin-roll.md
//
// Every part of their friction is a disc. With x_k = p_k / mu_k and v_k = mu_k u_k (impulses or
// moments, velocities or angular velocities, coefficients in the units of their own)
//
//     |x| <= p_n,    x = -p_n v / |v|  where v is not 0                                         (2)
//
// Sliding is a disc of two dimensions, spinning of one, rolling of two; the ellipsoid is one disc
// of all of them. What a coefficient of 0 belongs to is left out.
//
// To the rest of the library a patch is a plain contact and up to three rows for its moments, and
// with W one more contact that has the three moments for an impulse: the expanded problem.
#ifndef TACT_CONTACT_PATCH_H
#define TACT_CONTACT_PATCH_H

#include <tact/contact.h>

#include "base/memory.h"

/// Kind of the rows that stand for moments: friction as a motor is, but given by nobody.
#define TACT_ROW_MOMENT ((TactContactRowKind)3)

enum { TACT_DISC_MOST = 5 };

typedef enum TactDiscPart {
    TACT_DISC_SLIDE,
    TACT_DISC_SPIN,
    TACT_DISC_ROLL,
    TACT_DISC_ALL, // the ellipsoid
} TactDiscPart;

typedef struct TactDisc {
    TactDiscPart part;
    int          contact;
    int          dim;                   // 1 .. 5
    int          place[TACT_DISC_MOST]; // of p_k: in impulse, or 3 contacts + row, of the expanded
    double       mu[TACT_DISC_MOST];    //   problem
    int          directions;            // of the pyramid, for two dimensions
    double       turn;                  // angle of its direction 0, rad
} TactDisc;

/// The expanded problem.
typedef struct TactPatches {
    TactContactProblem problem;
    int                contacts; // of the given problem
    int                rows;     // of the given problem
    int                disc_count;
    TactDisc          *discs;       // (3 patches)
    TactContactRow    *row;         // (rows with moments)
    TactContact       *contact;     // with W                         (contacts with moments)
    double            *W;           // with W                         (dof x dof)
    double            *u_free;      // with W                         (dof)
    double            *impulse;     // with W: contacts and moments   (3 contacts with moments)
    double            *row_impulse; // (rows with moments)
    double            *u;           // with W                         (3 contacts with moments)
    int (*moment)[3];               // places of m_n m_1 m_2; -1: none   (contacts)
    bool *own;                      // sliding of this contact is that of a disc   (contacts)
} TactPatches;

/// Is this contact more than a plain one?
static inline bool tact_contact_is_patch(const TactContact *contact)
{
    return tact_contact_has_moments(contact) || (contact->mu2 != 0 && contact->mu2 != contact->mu);
}

bool tact_patch_in(const TactContactProblem *problem);

/// Rows of W.
size_t tact_patch_delassus_rows(const TactContactProblem *problem);

/// Lends the arrays of the largest problem; runs twice (base/memory.h).
void tact_patch_layout(TactPatches *patches, const TactContactCapacity *capacity, TactArena *arena);

/// Expands a checked problem.
void tact_patch_expand(TactPatches *patches, const TactContactProblem *problem);

/// Where an answer of the expanded problem goes: the arrays of the caller where they fit.
TactContactAnswer tact_patch_answer(const TactPatches *patches, const TactContactAnswer *given,
                                    double *velocity);

/// Copies the caller's answer into that of the expanded problem, or back: impulses, rows, moments,
/// velocities.
void tact_patch_take(TactPatches *patches, const TactContactAnswer *given,
                     const TactContactAnswer *expanded);
void tact_patch_give(const TactPatches *patches, const TactContactAnswer *expanded,
                     const TactContactAnswer *given);

/// Share of its bound that a disc uses; 0 without load.
double tact_patch_used(const TactDisc *disc, const TactContactProblem *expanded,
                       const TactContactAnswer *answer);

/// A contact, row or dof of the expanded problem (as in certificate.worst) in the given one.
int tact_patch_index(const TactPatches *patches, int index);

#endif
