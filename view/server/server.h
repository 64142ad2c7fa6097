// What the parts of the server share.
#ifndef TACT_VIEW_SERVER_SERVER_H
#define TACT_VIEW_SERVER_SERVER_H

#include "view/live/live.h"
#include "view/protocol/protocol.h"
#include "view/server/gallery.h"
#include "view/server/guests.h"

struct lws;
struct lws_context;

typedef struct TactViewServer {
    struct lws_context *context;
    int                 port;
    char                token[40]; // "": none is needed
    TactViewLive       *live;
    TactViewMailbox     mailbox;
    TactViewGallery     gallery;
    TactViewMessage    *recording; // NULL: there is none
    const char         *file;      // of the model that was opened last; NULL: none
    int                 pages;     // connections
    TactViewGuests      guests;    // those that are no pages
} TactViewServer;

/// Is the host that a request names this machine? Else a page could be sent here under a name that
/// its own server made up.
bool tact_view_server_knows_host(const TactViewServer *server, struct lws *wsi);

/// May a request become a page? Its host must be this machine, its origin this server, its protocol
/// ours, and there must be room.
bool tact_view_server_takes_page(const TactViewServer *server, struct lws *wsi);

/// Does a request have the token, if one is needed?
bool tact_view_server_has_token(const TactViewServer *server, struct lws *wsi);

#endif
