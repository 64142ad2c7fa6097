// What was shared last, to be told again where nothing has changed.
#ifndef TACT_SIM_READOUT_SHARE_MEMORY_H
#define TACT_SIM_READOUT_SHARE_MEMORY_H

#include "sim/sim.h"

/// A block that grows.
typedef struct TactBytes {
    unsigned char *at;
    size_t         size, capacity;
} TactBytes;

typedef struct TactShareMemory {
    bool           asked;    // does the question stand?
    TactBytes      question; // of the present step
    TactBytes      key;      // the question that the answer answers; of size 0: there is none
    TactBytes      answer;   // contacts, row impulses
    TactSimSharing sharing;
} TactShareMemory;

/// known: contacts, row impulses and what became of them are those of the same question before.
TactStatus tact_share_memory_recall(TactShareMemory *memory, TactSim *sim, bool *known);
/// Keeps what was found for the question that was asked last.
TactStatus tact_share_memory_store(TactShareMemory *memory, const TactSim *sim);
void       tact_share_memory_destroy(TactShareMemory *memory);

#endif
