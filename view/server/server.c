// The server: the page over HTTP, messages and commands over a WebSocket, in one thread.
//
// Bound to this machine alone unless asked otherwise, and then only for those who have the token.
// A page of another origin cannot connect: browsers say where a page comes from, and that must be
// the address that the request itself names.
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <tact/record.h>

#include "view/html/html.h"
#include "view/live/live.h"
#include "view/server/gallery.h"
#include "view/server/http.h"
#include "view/server/mask.h"
#include "view/server/server.h"
#include "view/server/websockets.h"
#include "view/view.h"

extern char **environ;

enum {
    MOST_PAGES = 32,         // connections at a time
    MOST_COMMAND = 16 << 10, // bytes of a command
    CHUNK = 16 << 10,        // of what is received at once
    EXIT_OK = 0,
    EXIT_BAD = 2,
};

#define PROTOCOL "tact-view"

/// A page that is connected.
typedef struct Page {
    bool         accepted;
    TactViewSeen seen;
    bool         wants_gallery, wants_recording;
    size_t       size; // of the command so far
    char        *command;
} Page;

static struct lws_context   *running; // for the handler of signals
static volatile sig_atomic_t stop;

static void end(int signal_number)
{
    (void)signal_number;
    stop = 1;
    tact_websockets.lws_cancel_service(running);
}

// ---------------------------------------------------------------------------------------------
// Who may connect

static bool is_same_secret(const char *a, const char *b)
{
    unsigned difference = strlen(a) != strlen(b);
    for (size_t i = 0; a[i] && b[i]; i++) {
        difference |= (unsigned)(a[i] ^ b[i]);
    }
    return difference == 0;
}

/// Browsers tell the origin of a page; programs that are not browsers need not.
static bool is_own_page(struct lws *wsi)
{
    char origin[256] = "", host[256] = "";
    if (tact_websockets.lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0) {
        return false;
    }
    if (tact_websockets.lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0) {
        return true;
    }
    if (tact_websockets.lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0) {
        return false;
    }
    const char *after = strstr(origin, "://");
    return after && strcmp(after + 3, host) == 0;
}

bool tact_view_server_knows_host(const TactViewServer *server, struct lws *wsi)
{
    char host[256] = "", own[3][64];
    if (server->token[0] != '\0') {
        return true; // other machines have other names for this one
    }
    if (tact_websockets.lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0) {
        return false;
    }
    snprintf(own[0], sizeof own[0], "127.0.0.1:%d", server->port);
    snprintf(own[1], sizeof own[1], "localhost:%d", server->port);
    snprintf(own[2], sizeof own[2], "[::1]:%d", server->port);
    return strcmp(host, own[0]) == 0 || strcmp(host, own[1]) == 0 || strcmp(host, own[2]) == 0;
}

bool tact_view_server_has_token(const TactViewServer *server, struct lws *wsi)
{
    char room[128] = "";
    if (server->token[0] == '\0') {
        return true;
    }
    const char *given = tact_websockets.lws_get_urlarg_by_name(wsi, "token=", room, sizeof room);
    return given && is_same_secret(given, server->token);
}

/// Is one of the protocols that a request asks for ours? None at all is another protocol, too.
static bool has_protocol(struct lws *wsi)
{
    char  asked[128] = "";
    char *rest = NULL;
    if (tact_websockets.lws_hdr_copy(wsi, asked, sizeof asked, WSI_TOKEN_PROTOCOL) <= 0) {
        return false;
    }
    for (char *word = strtok_r(asked, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        if (strcmp(word, PROTOCOL) == 0) {
            return true;
        }
    }
    return false;
}

bool tact_view_server_takes_page(const TactViewServer *server, struct lws *wsi)
{
    return server->pages < MOST_PAGES && has_protocol(wsi) &&
           tact_view_server_has_token(server, wsi) && tact_view_server_knows_host(server, wsi) &&
           is_own_page(wsi);
}

// ---------------------------------------------------------------------------------------------
// A page

static void begin_page(TactViewServer *server, struct lws *wsi, Page *page)
{
    *page = (Page){.accepted = true};
    page->wants_recording = server->recording != NULL;
    page->wants_gallery = !server->recording && !server->file;
    server->pages++;
    tact_view_guests_remove(&server->guests, wsi);
    tact_websockets.lws_callback_on_writable(wsi);
}

static TactViewMessage *next_message(TactViewServer *server, Page *page)
{
    if (page->wants_recording) {
        page->wants_recording = false;
        return tact_view_message_share(server->recording);
    }
    if (page->wants_gallery) {
        page->wants_gallery = false;
        return tact_view_gallery_message(&server->gallery);
    }
    return tact_view_mailbox_next(&server->mailbox, &page->seen);
}

static int write_page(TactViewServer *server, struct lws *wsi, Page *page)
{
    TactViewMessage *message = next_message(server, page);
    if (!message) {
        return 0;
    }
    size_t         size;
    unsigned char *bytes = tact_view_message_bytes(message, &size);
    int            written = tact_websockets.lws_write(wsi, bytes, size, LWS_WRITE_BINARY);
    tact_view_message_release(message);
    tact_websockets.lws_callback_on_writable(wsi);
    return written < (int)size ? -1 : 0;
}

/// A path that outlives the server; NULL: none.
static void open_model(TactViewServer *server, const char *file)
{
    if (file) {
        server->file = file;
        tact_view_live_open(server->live, file);
    }
}

static void follow(TactViewServer *server, Page *page, const TactViewCommand *command)
{
    if (command->verb == TACT_VIEW_GALLERY) {
        page->wants_gallery = !server->recording;
    } else if (command->verb == TACT_VIEW_OPEN) {
        open_model(server, tact_view_gallery_find(&server->gallery, command->text));
    } else if (command->verb == TACT_VIEW_RELOAD) {
        open_model(server, server->file);
    } else {
        tact_view_live_command(server->live, command);
    }
}

/// Collects the parts of a command. -1: too long, the connection is closed.
static int read_page(TactViewServer *server, struct lws *wsi, Page *page, const void *in,
                     size_t size)
{
    if (page->size + size > MOST_COMMAND) {
        return -1;
    }
    char *grown = realloc(page->command, page->size + size + 1);
    if (!grown) {
        return -1;
    }
    page->command = grown;
    memcpy(grown + page->size, in, size);
    page->size += size;
    if (!tact_websockets.lws_is_final_fragment(wsi) ||
        tact_websockets.lws_remaining_packet_payload(wsi) > 0) {
        return 0;
    }
    TactViewCommand command;
    if (!tact_websockets.lws_frame_is_binary(wsi) &&
        tact_view_command_read(grown, page->size, &command)) {
        follow(server, page, &command);
        tact_websockets.lws_callback_on_writable(wsi);
    }
    page->size = 0;
    return 0;
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size)
{
    TactViewServer *server = tact_websockets.lws_context_user(tact_websockets.lws_get_context(wsi));
    Page           *page = user; // NULL: libwebsockets had no memory for it
    bool            paged = reason == LWS_CALLBACK_ESTABLISHED || reason == LWS_CALLBACK_RECEIVE ||
                 reason == LWS_CALLBACK_SERVER_WRITEABLE || reason == LWS_CALLBACK_CLOSED;
    if (paged && !page) {
        return -1;
    }
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return tact_view_server_takes_page(server, wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED: begin_page(server, wsi, page); return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_page(server, wsi, page);
    case LWS_CALLBACK_RECEIVE: return read_page(server, wsi, page, in, size);
    case LWS_CALLBACK_CLOSED:
        tact_view_mask_end(tact_websockets.lws_get_socket_fd(wsi));
        if (page->accepted) {
            server->pages--;
            free(page->command);
        }
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        tact_websockets.lws_callback_on_writable_all_protocol(
            tact_websockets.lws_get_context(wsi), tact_websockets.lws_get_protocol(wsi));
        return 0;
    default: return 0;
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static void wake(void *context)
{
    tact_websockets.lws_cancel_service(((TactViewServer *)context)->context);
}

static int bad(const char *what, const char *why)
{
    fprintf(stderr, "tact: view: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return EXIT_BAD;
}

/// So that only those who were told can connect from other machines.
static bool make_token(char *token, size_t size)
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++) {
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

static void announce(const TactViewServer *server, const TactViewOptions *options)
{
    char address[256];
    if (options->ready) {
        options->ready();
    }
    snprintf(address, sizeof address, "http://%s:%d/%s%s",
             options->host ? options->host : "127.0.0.1", server->port,
             server->token[0] ? "?token=" : "", server->token);
    printf("%s\n", address);
    fprintf(stderr, "tact: the page is at %s (Ctrl-C ends)\n", address);
    fflush(stdout);
    if (options->open) {
        char                      *words[] = {"xdg-open", address, NULL};
        pid_t                      child;
        posix_spawn_file_actions_t quiet;
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
        posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
        if (posix_spawnp(&child, words[0], &quiet, NULL, words, environ) != 0) {
            fprintf(stderr, "tact: no browser could be started: open the address yourself\n");
        }
        posix_spawn_file_actions_destroy(&quiet);
    }
}

static const struct lws_protocols protocols[] = {
    {"http", tact_view_http, sizeof(TactViewHttp), 0, 0, NULL, 0},
    {PROTOCOL, on_socket, sizeof(Page), CHUNK, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static bool listen_at(TactViewServer *server, const TactViewOptions *options)
{
    struct lws_context_creation_info info = {
        .port = options->port,
        .iface = options->host ? options->host : "127.0.0.1",
        .protocols = protocols,
        .user = server,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6,
        .gid = -1,
        .uid = -1,
        .max_http_header_pool = TACT_VIEW_MOST_GUESTS + 16, // those that are being closed have one
        .timeout_secs = 10,
    };
    tact_websockets.lws_set_log_level(LLL_ERR, NULL);
    server->context = tact_websockets.lws_create_context(&info);
    if (!server->context) {
        return false;
    }
    server->port = tact_websockets.lws_get_vhost_listen_port(
        tact_websockets.lws_get_vhost_by_name(server->context, "default"));
    return true;
}

static int serve(TactViewServer *server, const TactViewOptions *options)
{
    TactViewLiveConfig config = {
        .method = options->method,
        .cone = options->cone,
        .share = options->share,
        .sleep = options->sleep,
        .paused = options->paused,
        .explain = options->explain,
        .mailbox = &server->mailbox,
        .wake = wake,
        .context = server,
    };
    server->live = tact_view_live_create(&config);
    if (!server->live) {
        return bad("no thread for the simulation", NULL);
    }
    if (options->file && !server->recording) {
        open_model(server, options->file);
    }
    running = server->context;
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    announce(server, options);
    while (!stop && tact_websockets.lws_service(server->context, 0) >= 0) {
    }
    return EXIT_OK;
}

static bool is_recording(const char *file)
{
    size_t length = file ? strlen(file) : 0;
    return length > 5 && strcmp(file + length - 5, ".tact") == 0;
}

/// What the page will replay, opened once here, so that a file that is none is told at once.
static int read_recording(TactViewServer *server, const char *file)
{
    TactRecording *recording = NULL;
    if (tact_recording_open(file, &recording) != TACT_OK) {
        return bad(tact_status_message(), NULL);
    }
    tact_recording_close(recording);
    size_t size;
    char  *bytes = tact_view_file_read(file, &size);
    void  *place;
    if (bytes) {
        server->recording =
            tact_view_message_create("{\"type\":\"recording\",\"name\":\"\"}", size, &place);
    }
    if (server->recording) {
        memcpy(place, bytes, size);
    }
    free(bytes);
    return server->recording ? EXIT_OK : bad(file, "it cannot be read");
}

int tact_view_serve(const TactViewOptions *options)
{
    if (!tact_view_has_page()) {
        return bad("this program was built without its page: install Node.js and npm, and build it "
                   "again",
                   NULL);
    }
    const char *why = tact_websockets_load();
    if (why) {
        return bad("libwebsockets cannot be loaded", why);
    }
    TactViewServer server = {0};
    if (options->host && !make_token(server.token, sizeof server.token)) {
        return bad("no random numbers for the token", NULL);
    }
    if (is_recording(options->file) && read_recording(&server, options->file) != EXIT_OK) {
        return EXIT_BAD;
    }
    tact_view_mailbox_create(&server.mailbox);
    tact_view_gallery_create(&server.gallery, options->scenes);
    int status = EXIT_BAD;
    if (listen_at(&server, options)) {
        status = serve(&server, options);
        tact_view_live_destroy(server.live);
        tact_websockets.lws_context_destroy(server.context);
    } else {
        bad("cannot listen",
            options->port ? "is the port in use?" : "is the address one of this machine?");
    }
    tact_view_gallery_destroy(&server.gallery);
    tact_view_mailbox_destroy(&server.mailbox);
    tact_view_message_release(server.recording);
    return status;
}
