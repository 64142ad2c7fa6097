// Frames that are not masked: a client must mask what it sends (RFC 6455, 5.1), and libwebsockets
// neither asks for it nor tells.
//
// What it reads from a connection goes through recv(), which the program has in place of the C
// library's (mask.c): the heads of frames are looked at there, byte by byte as they come. The first
// one without a mask ends its connection.
#ifndef TACT_VIEW_SERVER_MASK_H
#define TACT_VIEW_SERVER_MASK_H

#include <stdbool.h>

/// A new connection, of which a request is expected.
void tact_view_mask_begin(int socket);

/// Frames from now on. False: something followed the request before it was answered.
bool tact_view_mask_upgrade(int socket);

/// Nothing is expected of it any more.
void tact_view_mask_end(int socket);

#endif
