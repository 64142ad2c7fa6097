// Connections that are no pages yet: those whose request has not come in full, and those that are
// being answered. There are at most so many; one more and the oldest goes, for who means well needs
// milliseconds.
#ifndef TACT_VIEW_SERVER_GUESTS_H
#define TACT_VIEW_SERVER_GUESTS_H

#include "view/server/websockets.h"

enum { TACT_VIEW_MOST_GUESTS = 64 };

typedef struct TactViewGuests {
    int         count;
    struct lws *guests[TACT_VIEW_MOST_GUESTS]; // the oldest first
} TactViewGuests;

/// A new one. The oldest is closed if there are too many.
void tact_view_guests_add(TactViewGuests *guests, struct lws *wsi);
/// It has become a page, or is gone. One that is not among them changes nothing.
void tact_view_guests_remove(TactViewGuests *guests, const struct lws *wsi);

#endif
