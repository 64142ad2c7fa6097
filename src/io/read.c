// What is this file? Its first bytes and numbers say it.
#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"
#include "io/siconos.h"
#include "io/text.h"

typedef enum Content { LCP, MLCP, FRICTION, MATRIX_MARKET, JSON, EMPTY } Content;

enum { PEEKED = 7 };

/// The first numbers of a Siconos file, without reading on; how many there are.
static int peek(const TactText *text, int number[PEEKED])
{
    TactText look = *text;
    int      count = 0;
    while (count < PEEKED) {
        TactWord word;
        if (!tact_text_word(&look, "", &word)) {
            break;
        }
        int value = 0;
        for (size_t i = 0; i < word.length; i++) {
            if (word.start[i] < '0' || word.start[i] > '9') {
                return count;
            }
            int digit = word.start[i] - '0';
            value = value > (INT_MAX - digit) / 10 ? INT_MAX : 10 * value + digit;
        }
        number[count++] = value;
    }
    return count;
}

/// LCP:       n  storage  n  n  ...
/// MLCP:      storage1  storage2  n  m  ...
/// friction:  dimension  contacts  storage  dimension*contacts  ...
///
/// An LCP with n = 1 looks like an MLCP with one equation and one complementarity, but the latter
/// goes on with its blocks of rows, 0 1 2.
static Content sniff_siconos(const TactText *text)
{
    int number[PEEKED] = {0};
    int count = peek(text, number);
    if (count >= 4 && number[0] == 0 && number[1] == 1) {
        return MLCP;
    }
    if (count >= 4 && number[0] == 1 && number[1] <= 1) {
        bool ones = number[2] == 1 && number[3] == 1;
        bool blocks = number[4] == 0 && number[5] == 1 && number[6] == 2;
        return ones && !blocks ? LCP : MLCP;
    }
    bool friction = count >= 4 && (number[0] == 2 || number[0] == 3) && number[2] <= 2 &&
                    number[2] != number[0] && number[3] / number[0] == number[1] &&
                    number[3] % number[0] == 0;
    return friction ? FRICTION : LCP; // whose reader says what is wrong
}

static bool begins_with(const TactText *text, const char *what)
{
    size_t length = strlen(what);
    return (size_t)(text->end - text->next) >= length && memcmp(text->next, what, length) == 0;
}

static Content sniff(const TactText *text)
{
    TactText look = *text;
    TactWord word;
    if (!tact_text_word(&look, "", &word)) {
        return EMPTY;
    }
    if (begins_with(text, "%%")) {
        return MATRIX_MARKET;
    }
    if (word.start[0] == '{') {
        return JSON;
    }
    return sniff_siconos(text);
}

static TactStatus refuse(const TactText *text, Content content)
{
    switch (content) {
    case EMPTY: return tact_text_fail(text, TACT_BAD_INPUT, "the file is empty");
    case MATRIX_MARKET:
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "this Matrix Market file is one array of a problem: give M and q "
                              "together, as M.mtx q.mtx [lo.mtx hi.mtx]");
    case JSON:
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a JSON file: contact problems are not read yet");
    default:
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a Siconos friction problem: contact problems are not read yet");
    }
}

static TactStatus read_text(TactText *text, TactLcpFile **file)
{
    Content      content = sniff(text);
    TactLcpParts parts = {0};
    TactStatus   status;
    switch (content) {
    case LCP: status = tact_siconos_lcp(text, &parts); break;
    case MLCP: status = tact_siconos_mlcp(text, &parts); break;
    default: return refuse(text, content);
    }
    if (status != TACT_OK) {
        tact_lcp_parts_destroy(&parts);
        return status;
    }
    return tact_lcp_file_create(text->name, &parts, file);
}

TactStatus tact_lcp_read(const char *path, TactLcpFile **file)
{
    if (!path || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "path or file is NULL");
    }
    TactText text;
    TACT_TRY(tact_text_load(&text, path));
    TactStatus status = read_text(&text, file);
    tact_text_close(&text);
    return status;
}

TactStatus tact_lcp_read_memory(const char *name, const char *text, size_t size, TactLcpFile **file)
{
    if (!name || (!text && size > 0) || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "name, text or file is NULL");
    }
    TactText copy;
    TACT_TRY(tact_text_copy(&copy, name, text, size));
    TactStatus status = read_text(&copy, file);
    tact_text_close(&copy);
    return status;
}
