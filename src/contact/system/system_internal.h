// What the files that build a system share.
#ifndef TACT_CONTACT_SYSTEM_SYSTEM_INTERNAL_H
#define TACT_CONTACT_SYSTEM_SYSTEM_INTERNAL_H

#include "contact/system/system.h"

/// What an item is sorted by before it becomes one.
typedef struct TactItemKey {
    uint64_t support; // hash of the degrees of freedom it touches
    uint64_t touched; // these, where M has no more than 64
    int      source;  // contact, or contact_count + row
} TactItemKey;

/// How much of system->support and system->columns is used.
typedef struct TactSystemFill {
    int    support;
    size_t columns;
} TactSystemFill;

/// Lists what is not bilateral, sorted by support.
void tact_system_list_items(TactSystem *system, const TactContactProblem *problem);

/// The degrees of freedom that an item of a problem with M touches, 64 at most, as bits.
uint64_t tact_system_touched(const TactContactProblem *problem, int source);

/// Columns of the items of such a problem.
void tact_system_mass_columns(TactSystem *system, const TactContactProblem *problem);

/// Do the rows that others stand for still move with them, at the offsets of the system?
///   held  velocity of the held coordinates                              (raw degrees of freedom)
bool tact_system_stays_joined(const TactSystem *system, const TactContactProblem *problem,
                              const double *held);

/// Opens a new group at item i; its support is written by the caller.
TactItemGroup *tact_system_open_group(TactSystem *system, int i, int size, TactSystemFill *fill);

/// Item i joins a group and gets room for its columns.
void tact_system_join_group(TactSystem *system, int i, TactItemGroup *group, TactSystemFill *fill);

/// e of an item: bias, surface velocity and restitution of a contact, target of a row, and the part
/// of u that the held coordinates give.
///   before  velocity before the step                                     (raw degrees of freedom)
///   held    velocity of the held coordinates; not read without bilateral rows
void tact_system_offset(TactSystem *system, const TactContactProblem *problem, int i,
                        const double *before, const double *held);

/// Columns, scales and offsets of the items between bodies, without bilateral rows; y0 is there.
void tact_system_build_bodies(TactSystem *system, const TactContactProblem *problem,
                              const double *before);

#endif
