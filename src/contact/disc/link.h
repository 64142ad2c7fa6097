// The system of an expanded problem (patch.h) as the pivoting kernel takes it: every disc is one
// item. A contact is followed by its moments, items that have tangents only and are bounded by the
// load of the contact,
//
//     gamma = mu theta_owner - sum_j phi_j                     theory/spin-roll.md (8)
//
// Sliding with two coefficients is the plain one in coordinates of its own: its second tangent is
// scaled by mu_2 / mu_1.
#ifndef TACT_CONTACT_DISC_LINK_H
#define TACT_CONTACT_DISC_LINK_H

#include "contact/patch.h"
#include "contact/system/system.h"

typedef struct TactDiscLink {
    TactSystem system;  // items, groups, columns, e and b; y0 is that of the expanded system
    double    *p;       // impulses of its items                                     (3 items)
    int       *place;   // where they are among those of the expanded system; -1: nowhere
                        //                                                           (3 items)
    double *factor;     // by which these are larger                                 (3 items)
    int    *item_of;    // item of a contact, or of contacts + row, expanded         (items)
    int    *disc_of;    // first disc of a contact                                   (contacts + 1)
    size_t  columns;    // entries used, while items are added
    int     from_group; // group of the system that the last one is, -1: none
} TactDiscLink;

/// What a solver that links needs room for: a contact given by W becomes three items, not two.
TactContactCapacity tact_disc_link_capacity(const TactContactCapacity *capacity);

/// capacity: that of the solver, as given.
void tact_disc_link_layout(TactDiscLink *link, const TactContactCapacity *capacity,
                           TactArena *arena);

/// Links a built system. false: a disc has more than two dimensions (the ellipsoid), or the system
/// has no columns.
bool tact_disc_link_build(TactDiscLink *link, const TactSystem *system, const TactPatches *patches);

/// The same with the columns as they are, and whatever discs there are: a contact has its normal
/// and tangents, and is followed by one item for spinning and one for rolling, where it resists
/// these. false: the system has no columns.
bool tact_disc_link_build_bare(TactDiscLink *link, const TactSystem *system,
                               const TactPatches *patches);

/// Takes the offsets of the system once more.
void tact_disc_link_offsets(TactDiscLink *link, const TactSystem *system);

/// Makes the linked system one for methods on springs (proximal/proximal.h). A moment gets the
/// normal column of its contact, its offset and compliance: its bound listens to them, and it never
/// pushes along them. Its tangents are scaled by a power of two so that W of the moment is about
/// that of its contact: then both have the same spring. And back, to the same bits.
void tact_disc_link_bind(TactDiscLink *link);
void tact_disc_link_unbind(TactDiscLink *link);

/// Impulses of the items of the system from those of the linked one, and back. p: (3 item_count)
void tact_disc_link_give(const TactDiscLink *link, const TactSystem *system, double *p);
void tact_disc_link_take(TactDiscLink *link, const double *p);

#endif
