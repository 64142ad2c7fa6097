// The newest message of each kind. The simulation puts them in, the server takes them out when a
// page can be written to: a page that reads slowly misses frames and never slows the simulation.
#ifndef TACT_VIEW_PROTOCOL_MAILBOX_H
#define TACT_VIEW_PROTOCOL_MAILBOX_H

#include <pthread.h>

#include "view/protocol/message.h"

/// In the order in which a page gets them.
typedef enum TactViewSlot {
    TACT_VIEW_SLOT_SCENE,
    TACT_VIEW_SLOT_STATE,
    TACT_VIEW_SLOT_ERROR,
    TACT_VIEW_SLOT_FRAME,
    TACT_VIEW_SLOT_WORDS,
    TACT_VIEW_SLOTS
} TactViewSlot;

typedef struct TactViewMailbox {
    pthread_mutex_t  lock;
    TactViewMessage *messages[TACT_VIEW_SLOTS];
    uint64_t         numbers[TACT_VIEW_SLOTS]; // of the messages; 0: there was none yet
    uint64_t         last;
} TactViewMailbox;

/// What a page has seen.
typedef struct TactViewSeen {
    uint64_t numbers[TACT_VIEW_SLOTS];
} TactViewSeen;

void tact_view_mailbox_create(TactViewMailbox *mailbox);
void tact_view_mailbox_destroy(TactViewMailbox *mailbox);

/// Takes the message over; NULL: the slot is empty from now on.
void tact_view_mailbox_put(TactViewMailbox *mailbox, TactViewSlot slot, TactViewMessage *message);

/// The next message that a page has not seen, to be released by the caller; NULL: none.
TactViewMessage *tact_view_mailbox_next(TactViewMailbox *mailbox, TactViewSeen *seen);

#endif
