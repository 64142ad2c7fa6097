// Index of things by kind and name: a hash table with open addressing.
#ifndef TACT_MODEL_BUILD_NAMES_H
#define TACT_MODEL_BUILD_NAMES_H

#include <tact/base.h>

typedef struct TactNameSlot {
    const char *name; // lent; NULL: the slot is empty
    int         kind;
    int         index;
} TactNameSlot;

typedef struct TactNames {
    TactNameSlot *slots; //                                                        (size)
    size_t        size;  // a power of two, or 0
    size_t        count;
} TactNames;

/// Slots that a table of count names should have.
size_t tact_names_size(size_t count);

/// Makes room for one name more: after it, tact_names_add() cannot fail. For a table whose slots
/// are blocks of their own.
TactStatus tact_names_reserve(TactNames *names);
void       tact_names_destroy(TactNames *names);

/// The name must not be "", and not be there yet.
void tact_names_add(TactNames *names, int kind, const char *name, int index);

/// -1: there is none.
int tact_names_find(const TactNames *names, int kind, const char *name);

#endif
