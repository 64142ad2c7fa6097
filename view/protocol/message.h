// Messages to the page: a JSON header with binary numbers behind it.
//
//     u32 length of the header | header, filled up to 8 bytes | numbers, little-endian
//
// A message is written once and sent to every page that wants it, so it is counted.
#ifndef TACT_VIEW_PROTOCOL_MESSAGE_H
#define TACT_VIEW_PROTOCOL_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TactViewMessage TactViewMessage;

/// Room for a header and so many bytes of numbers, which stand at *numbers, all 0. NULL: no memory.
TactViewMessage *tact_view_message_create(const char *header, size_t number_size, void **numbers);
/// The same of a JSON object, which it takes over. NULL too if the object is not whole.
TactViewMessage *tact_view_message_json(json_t *header, size_t number_size, void **numbers);

/// One owner more, one less; the last one frees it. NULL is allowed.
TactViewMessage *tact_view_message_share(TactViewMessage *message);
void             tact_view_message_release(TactViewMessage *message);

/// What is sent. In front of it is the room that libwebsockets asks for.
unsigned char *tact_view_message_bytes(TactViewMessage *message, size_t *size);

/// {"type": "error", "message": text}
TactViewMessage *tact_view_message_error(const char *text);

#endif
