#include "view/server/mask.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Connections are known by their number, as libwebsockets has it. Those beyond are not looked at,
// and do not become pages.
enum { MOST_SOCKETS = 1024, MOST_HEAD = 14 };

typedef enum State { IDLE, REQUEST, FRAMES, ENDED } State;

typedef struct Seen {
    State    state;
    unsigned tail; // of a request: the last four bytes
    unsigned ends; // of a request: empty lines so far
    unsigned have; // bytes of the head of a frame
    uint64_t left; // of its mask and payload
    uint8_t  head[MOST_HEAD];
} Seen;

// Only the thread of the server reads from connections.
static Seen sockets[MOST_SOCKETS];

static Seen *find_socket(int socket)
{
    return socket >= 0 && socket < MOST_SOCKETS ? &sockets[socket] : NULL;
}

void tact_view_mask_begin(int socket)
{
    Seen *seen = find_socket(socket);
    if (seen) {
        *seen = (Seen){.state = REQUEST};
    }
}

bool tact_view_mask_upgrade(int socket)
{
    static const unsigned empty_line = 0x0d0a0d0a;
    Seen                 *seen = find_socket(socket);
    if (!seen || seen->ends != 1 || seen->tail != empty_line) {
        return false;
    }
    seen->state = FRAMES;
    return true;
}

void tact_view_mask_end(int socket)
{
    Seen *seen = find_socket(socket);
    if (seen) {
        *seen = (Seen){.state = IDLE};
    }
}

static void read_request(Seen *seen, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        seen->tail = (seen->tail << 8 | bytes[i]) & 0xffffffffU;
        seen->ends += seen->tail == 0x0d0a0d0a;
    }
}

/// Bytes of a head: two, and the length where it does not fit.
static unsigned head_size(const Seen *seen)
{
    unsigned length = seen->have < 2 ? 0 : seen->head[1] & 0x7fU;
    return length == 126 ? 4 : length == 127 ? 10 : 2;
}

/// False: one is not masked.
static bool read_frames(Seen *seen, const uint8_t *bytes, size_t size)
{
    enum { MASKED = 0x80, MASK = 4 };
    for (size_t i = 0; i < size;) {
        if (seen->left > 0) {
            uint64_t now = seen->left < size - i ? seen->left : size - i;
            seen->left -= now;
            i += (size_t)now;
            continue;
        }
        seen->head[seen->have++] = bytes[i++];
        if (seen->have == 2 && !(seen->head[1] & MASKED)) {
            return false;
        }
        if (seen->have >= 2 && seen->have == head_size(seen)) {
            uint64_t length = seen->head[1] & 0x7fU;
            for (unsigned k = 2; k < seen->have; k++) {
                length = (k == 2 ? 0 : length << 8) | seen->head[k];
            }
            seen->left = MASK + length;
            seen->have = 0;
        }
    }
    return true;
}

/// In place of the C library's: libwebsockets finds this one, as the program exports it. Its type
/// is that of the C library.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): theirs are reserved
__attribute__((visibility("default"))) ssize_t recv(int socket, void *buffer, size_t size,
                                                    int flags)
{
    ssize_t got = recvfrom(socket, buffer, size, flags, NULL, NULL);
    Seen   *seen = find_socket(socket);
    if (got <= 0 || !seen || seen->state == IDLE || (flags & MSG_PEEK)) {
        return got;
    }
    if (seen->state == REQUEST) {
        read_request(seen, buffer, (size_t)got);
    } else if (seen->state == ENDED || !read_frames(seen, buffer, (size_t)got)) {
        seen->state = ENDED;
        memset(buffer, 0, (size_t)got); // nothing of it is followed
        errno = ECONNRESET;
        return -1;
    }
    return got;
}
