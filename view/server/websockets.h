// libwebsockets, loaded when the viewer begins: what else the program does has no use for it, nor
// for the eight libraries behind it.
#ifndef TACT_VIEW_SERVER_WEBSOCKETS_H
#define TACT_VIEW_SERVER_WEBSOCKETS_H

#include <libwebsockets.h>

#define TACT_WEBSOCKETS(X)                   \
    X(lws_add_http_common_headers)           \
    X(lws_add_http_header_by_name)           \
    X(lws_callback_http_dummy)               \
    X(lws_callback_on_writable)              \
    X(lws_callback_on_writable_all_protocol) \
    X(lws_cancel_service)                    \
    X(lws_context_destroy)                   \
    X(lws_context_user)                      \
    X(lws_create_context)                    \
    X(lws_finalize_write_http_header)        \
    X(lws_frame_is_binary)                   \
    X(lws_get_context)                       \
    X(lws_get_protocol)                      \
    X(lws_get_socket_fd)                     \
    X(lws_get_urlarg_by_name)                \
    X(lws_get_vhost_by_name)                 \
    X(lws_get_vhost_listen_port)             \
    X(lws_hdr_copy)                          \
    X(lws_hdr_total_length)                  \
    X(lws_http_transaction_completed)        \
    X(lws_is_final_fragment)                 \
    X(lws_remaining_packet_payload)          \
    X(lws_return_http_status)                \
    X(lws_service)                           \
    X(lws_set_log_level)                     \
    X(lws_set_timeout)                       \
    X(lws_write)

typedef struct TactWebsockets {
#define POINTER(name) __typeof__(name) *name;
    TACT_WEBSOCKETS(POINTER)
#undef POINTER
} TactWebsockets;

/// The functions, once they are loaded.
extern TactWebsockets tact_websockets;

/// NULL: done; else why not: libwebsockets is not on this machine, or memory lacks.
const char *tact_websockets_load(void);

#endif
