#include "view/protocol/mailbox.h"

void tact_view_mailbox_create(TactViewMailbox *mailbox)
{
    *mailbox = (TactViewMailbox){0};
    pthread_mutex_init(&mailbox->lock, NULL);
}

void tact_view_mailbox_destroy(TactViewMailbox *mailbox)
{
    for (int i = 0; i < TACT_VIEW_SLOTS; i++) {
        tact_view_message_release(mailbox->messages[i]);
    }
    pthread_mutex_destroy(&mailbox->lock);
}

void tact_view_mailbox_put(TactViewMailbox *mailbox, TactViewSlot slot, TactViewMessage *message)
{
    pthread_mutex_lock(&mailbox->lock);
    TactViewMessage *old = mailbox->messages[slot];
    mailbox->messages[slot] = message;
    mailbox->numbers[slot] = ++mailbox->last;
    pthread_mutex_unlock(&mailbox->lock);
    tact_view_message_release(old);
}

TactViewMessage *tact_view_mailbox_next(TactViewMailbox *mailbox, TactViewSeen *seen)
{
    TactViewMessage *next = NULL;
    pthread_mutex_lock(&mailbox->lock);
    for (int i = 0; i < TACT_VIEW_SLOTS && !next; i++) {
        if (seen->numbers[i] != mailbox->numbers[i]) {
            seen->numbers[i] = mailbox->numbers[i];
            next = tact_view_message_share(mailbox->messages[i]);
        }
    }
    pthread_mutex_unlock(&mailbox->lock);
    return next;
}
