#include "view/protocol/message.h"

#include "cli/json/json.h"
#include <libwebsockets.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct TactViewMessage {
    atomic_int    owners;
    size_t        size;
    unsigned char room[]; // LWS_PRE, then the bytes
};

TactViewMessage *tact_view_message_create(const char *header, size_t number_size, void **numbers)
{
    size_t length = strlen(header);
    size_t at = (4 + length + 7) / 8 * 8;
    size_t size = at + number_size;

    TactViewMessage *message = calloc(1, sizeof *message + LWS_PRE + size);
    if (!message) {
        return NULL;
    }
    message->owners = 1;
    message->size = size;
    unsigned char *bytes = message->room + LWS_PRE;
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(length >> (8 * i));
    }
    // Its length is sent, not its end.
    memcpy(bytes + 4, header, length); // NOLINT(bugprone-not-null-terminated-result)
    if (numbers) {
        *numbers = bytes + at;
    }
    return message;
}

TactViewMessage *tact_view_message_json(json_t *header, size_t number_size, void **numbers)
{
    const char      *why;
    char            *words = tact_json_end(header, JSON_COMPACT, &why);
    TactViewMessage *message = words ? tact_view_message_create(words, number_size, numbers) : NULL;
    free(words);
    return message;
}

TactViewMessage *tact_view_message_share(TactViewMessage *message)
{
    if (message) {
        atomic_fetch_add(&message->owners, 1);
    }
    return message;
}

void tact_view_message_release(TactViewMessage *message)
{
    if (message && atomic_fetch_sub(&message->owners, 1) == 1) {
        free(message);
    }
}

unsigned char *tact_view_message_bytes(TactViewMessage *message, size_t *size)
{
    *size = message->size;
    return message->room + LWS_PRE;
}

TactViewMessage *tact_view_message_error(const char *text)
{
    json_t          *header = tact_json_pack("{s:s, s:s+}", "type", "error", "message", text, "");
    TactViewMessage *message = tact_view_message_json(header, 0, NULL);
    return message ? message
                   : tact_view_message_create("{\"type\":\"error\",\"message\":\"\"}", 0, NULL);
}
