// The page and the pictures of the gallery over HTTP.
#ifndef TACT_VIEW_SERVER_HTTP_H
#define TACT_VIEW_SERVER_HTTP_H

#include <stddef.h>

#include "view/server/websockets.h"

/// What is being sent to one browser.
typedef struct TactViewHttp {
    const char *body;
    char       *owned; // freed when it is sent
    size_t      size, sent;
} TactViewHttp;

int tact_view_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size);

#endif
