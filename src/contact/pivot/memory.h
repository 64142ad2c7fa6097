// What a solver remembers of the last step: impulses, turns and the basis, by contact id.
#ifndef TACT_CONTACT_PIVOT_MEMORY_H
#define TACT_CONTACT_PIVOT_MEMORY_H

#include "contact/pivot/kernel.h"

typedef struct TactContactMemory {
    int           count;    // items remembered
    int           capacity; // items
    uint64_t     *id;       // of a contact, or of a row its number + 1      (capacity)
    TactItemKind *kind;     // (capacity)
    double       *p;        // impulses                                      (3 capacity)
    double       *turn;     // of the pyramids                               (capacity)
    double       *damping;  // of the dampers, scaled; 0: none                     (capacity)
    double        settled;  // error over the tolerance that a polish of p could not make less
                            //   (ladder_large.c); 0: it has not been tried
    bool drafted;           // p was left as a draft (solver.h)
    int  missed;            // solves in which states of p led nowhere; of an answer with a basis:
                            //   0, its states were those of the last one (ladder_pivots.c)
    bool     is_plain;      // turns are those of the items, dampers 0: no kernel was stored
    bool     is_same;       // the last recall has found these items, each in its place
    int      based;         // so many answers in a row had a basis
    int      basis_count;   // -1: none
    int      basis_capacity;
    TactVar *basis; // basic unknowns; items as they are numbered here
    int     *item;  // scratch: item of the present system for each one here, -1: gone
    int     *slot;  // scratch: hash table from id to item            (slots)
    int      slots; // a power of two
} TactContactMemory;

void tact_memory_layout(TactContactMemory *memory, const TactContactCapacity *capacity,
                        TactArena *arena);

/// Nothing is remembered any more.
void tact_memory_forget(TactContactMemory *memory);

/// Fills p with the remembered impulses of the same contacts, 0 elsewhere. Returns how many items
/// were found.                                                               p: (3 item_count)
int tact_memory_recall(TactContactMemory *memory, const TactSystem *system, double *p);

/// After a recall: the remembered basis in the numbering of the present system, without unknowns
/// of contacts that are gone, or that have no such unknown any more. Returns how many; -1: none.
int tact_memory_recall_basis(const TactContactMemory *memory, const TactSystem *system,
                             TactVar *basis);

/// After a recall: the same impulses once more.
void tact_memory_recall_again(const TactContactMemory *memory, const TactSystem *system, double *p);

/// After a recall: the remembered turn of a contact, or what stands in `turn`.
void tact_memory_recall_turns(const TactContactMemory *memory, double *turn);

/// Dampers across the slip: with them the first system is a step of Newton's method from the last
/// answer. Scaled by the items alone, as those of this step are.
void tact_memory_recall_damping(const TactContactMemory *memory, double *damping);

/// Remembers impulses; the basis and turns only if kernel is not NULL. Impulses that are not finite
/// would spoil the next step: then nothing is remembered.
void tact_memory_store(TactContactMemory *memory, const TactSystem *system, const double *p,
                       const TactKernel *kernel);

/// Remembers impulses, and all else as it is: of items that the last recall has found in place.
void tact_memory_store_again(TactContactMemory *memory, const TactSystem *system, const double *p);

/// Remembers what another one does, which must fit.
void tact_memory_copy(TactContactMemory *memory, const TactContactMemory *from);

#endif
