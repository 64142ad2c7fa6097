// GMP where memory lacks. It ends the program then; so its memory comes through here, and while a
// proof is made a reserve stands in for what the heap refuses. The proof is given up as soon as it
// looks, with TACT_NO_MEMORY.
//
// GMP has one set of memory functions for the whole program. They are replaced with the first proof
// if they are GMP's own, and do what those do outside of proofs; a program with functions of its
// own keeps them.
#ifndef TACT_PROVE_ROOM_H
#define TACT_PROVE_ROOM_H

#include <stdbool.h>
#include <tact/base.h>

/// The reserve of this thread, until the matching tact_room_end(). May be nested.
TactStatus tact_room_begin(void);

/// Did the heap refuse something since? Loops that allocate ask, and end.
bool tact_room_is_over(void);

/// Gives the reserve back: nothing of it may be held. status, or TACT_NO_MEMORY if it was used.
TactStatus tact_room_end(TactStatus status);

#endif
