#include "view/server/http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/html/html.h"
#include "view/server/mask.h"
#include "view/server/server.h"

enum { CHUNK = 16 << 10 };

// Nothing but the page's own script runs, and it talks to nobody but this server.
static const char POLICY[] =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end)
{
    return tact_websockets.lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                                       (const unsigned char *)value,
                                                       (int)strlen(value), at, end) == 0;
}

static int begin_answer(struct lws *wsi, TactViewHttp *http, const char *type)
{
    unsigned char  room[LWS_PRE + 2048], *from = room + LWS_PRE, *at = from;
    unsigned char *end = room + sizeof room - 1;
    if (tact_websockets.lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, http->size, &at,
                                                    end) ||
        !add_header(wsi, "content-security-policy:", POLICY, &at, end) ||
        !add_header(wsi, "x-content-type-options:", "nosniff", &at, end) ||
        !add_header(wsi, "cache-control:", "no-store", &at, end) ||
        tact_websockets.lws_finalize_write_http_header(wsi, from, &at, end)) {
        return 1;
    }
    tact_websockets.lws_callback_on_writable(wsi);
    return 0;
}

static int refuse_request(struct lws *wsi, unsigned status, const char *why)
{
    tact_websockets.lws_return_http_status(wsi, status, why);
    return -1;
}

static bool read_picture(const TactViewServer *server, const char *name, TactViewHttp *http)
{
    char *path = tact_view_gallery_picture(&server->gallery, name);
    http->owned = path ? tact_view_file_read(path, &http->size) : NULL;
    http->body = http->owned;
    free(path);
    return http->owned != NULL;
}

static int answer(const TactViewServer *server, struct lws *wsi, TactViewHttp *http,
                  const char *path)
{
    static const char pictures[] = "/pictures/";
    *http = (TactViewHttp){0};
    if (!tact_view_server_knows_host(server, wsi)) {
        return refuse_request(wsi, HTTP_STATUS_FORBIDDEN, "This is not the name of this machine.");
    }
    if (!tact_view_server_has_token(server, wsi)) {
        return refuse_request(
            wsi, HTTP_STATUS_FORBIDDEN,
            "The token is missing or wrong: open the whole address that tact view has "
            "printed.");
    }
    if (strcmp(path, "/") == 0) {
        http->body = tact_view_page(&http->size);
        return begin_answer(wsi, http, "text/html; charset=utf-8");
    }
    if (strncmp(path, pictures, strlen(pictures)) == 0 &&
        read_picture(server, path + strlen(pictures), http)) {
        return begin_answer(wsi, http, "image/jpeg");
    }
    return refuse_request(wsi, HTTP_STATUS_NOT_FOUND, NULL);
}

static int go_on(struct lws *wsi, TactViewHttp *http)
{
    unsigned char room[LWS_PRE + CHUNK];
    size_t        left = http->size - http->sent;
    size_t        now = left < CHUNK ? left : CHUNK;
    bool          last = now == left;
    if (!http->body) {
        return 0;
    }
    memcpy(room + LWS_PRE, http->body + http->sent, now);
    if (tact_websockets.lws_write(wsi, room + LWS_PRE, now,
                                  last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)now) {
        return 1;
    }
    http->sent += now;
    if (!last) {
        tact_websockets.lws_callback_on_writable(wsi);
        return 0;
    }
    free(http->owned);
    http->owned = NULL;
    http->body = NULL;
    return -1; // one request a connection
}

/// 1: refused, and told so.
static int confirm_upgrade(const TactViewServer *server, struct lws *wsi, const char *to)
{
    if (to && strcasecmp(to, "websocket") == 0 && tact_view_server_takes_page(server, wsi) &&
        tact_view_mask_upgrade(tact_websockets.lws_get_socket_fd(wsi))) {
        return 0;
    }
    tact_websockets.lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
    return 1;
}

int tact_view_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    TactViewServer *server = tact_websockets.lws_context_user(tact_websockets.lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        tact_view_guests_add(&server->guests, wsi);
        tact_view_mask_begin(tact_websockets.lws_get_socket_fd(wsi));
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        tact_view_guests_remove(&server->guests, wsi);
        tact_view_mask_end(tact_websockets.lws_get_socket_fd(wsi));
        return 0;
    // Before anything is upgraded, whatever it would become; and once more where it becomes a page.
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(server, wsi, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; // a page has a protocol of its own
    case LWS_CALLBACK_HTTP:
        return !user
                   ? -1
                   : answer(tact_websockets.lws_context_user(tact_websockets.lws_get_context(wsi)),
                            wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return user ? go_on(wsi, user) : -1;
    case LWS_CALLBACK_CLOSED_HTTP:
        if (user) {
            free(((TactViewHttp *)user)->owned);
            ((TactViewHttp *)user)->owned = NULL;
        }
        return 0;
    default: return tact_websockets.lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}
