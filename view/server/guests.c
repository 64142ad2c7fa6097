#include "view/server/guests.h"

static void remove_at(TactViewGuests *guests, int i)
{
    guests->count--;
    for (int k = i; k < guests->count; k++) {
        guests->guests[k] = guests->guests[k + 1];
    }
}

void tact_view_guests_add(TactViewGuests *guests, struct lws *wsi)
{
    if (guests->count == TACT_VIEW_MOST_GUESTS) {
        struct lws *oldest = guests->guests[0];
        remove_at(guests, 0);
        // At once: what it sends next would set its timeout anew. It is not the one whose callback
        // this is.
        tact_websockets.lws_set_timeout(oldest, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    }
    guests->guests[guests->count++] = wsi;
}

void tact_view_guests_remove(TactViewGuests *guests, const struct lws *wsi)
{
    for (int i = 0; i < guests->count; i++) {
        if (guests->guests[i] == wsi) {
            remove_at(guests, i);
            return;
        }
    }
}
