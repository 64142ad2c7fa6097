#include "io/problem/sniff.h"

#include <limits.h>
#include <string.h>

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

/// n  storage  n  n: the start of an LCP (its reader says what is wrong with a storage), unless it
/// is contacts in the plane with a sparse matrix (2 1 2 2 2 origin CSparse ...), which a number
/// does not follow; a sparse LCP has one number less before it.
static bool is_lcp(const int number[PEEKED], int count)
{
    int  n = number[0];
    bool matrix = number[2] == n && number[3] == n;
    bool sparse_contact = n == 2 && number[1] >= 1 && number[4] == 2 && count == 6;
    return matrix && !sparse_contact;
}

/// LCP:       n  storage  n  n  ...
/// MLCP:      storage1  storage2  n  m  ...
/// friction:  dimension  contacts  storage  rows  rows  ...   (rows = dimension*contacts if local)
///
/// An LCP with n = 1 looks like an MLCP with one equation and one complementarity, but the latter
/// goes on with its blocks of rows, 0 1 2.
static TactContent sniff_siconos(const TactText *text)
{
    int number[PEEKED] = {0};
    int count = peek(text, number);
    if (count >= 4 && number[0] == 0 && number[1] == 1) {
        return TACT_CONTENT_MLCP;
    }
    if (count >= 4 && number[0] == 1 && number[1] <= 1) {
        bool ones = number[2] == 1 && number[3] == 1;
        bool blocks = number[4] == 0 && number[5] == 1 && number[6] == 2;
        return ones && !blocks ? TACT_CONTENT_LCP : TACT_CONTENT_MLCP;
    }
    int  dimension = number[0];
    bool known = dimension == 2 || dimension == 3 || dimension == 5;
    if (count < 4 || !known || number[2] > 2 || is_lcp(number, count)) {
        return TACT_CONTENT_LCP;
    }
    bool local = number[3] / dimension == number[1] && number[3] % dimension == 0;
    bool global = count >= 5 && number[3] == number[4];
    if (!local && !global) {
        return TACT_CONTENT_LCP;
    }
    return dimension == 5 ? TACT_CONTENT_ROLLING : TACT_CONTENT_FRICTION;
}

static bool begins_with(const TactText *text, const char *what)
{
    size_t length = strlen(what);
    return (size_t)(text->end - text->next) >= length && memcmp(text->next, what, length) == 0;
}

TactContent tact_sniff(const TactText *text)
{
    if (tact_text_is_hdf5(text)) {
        return TACT_CONTENT_HDF5;
    }
    TactText look = *text;
    TactWord word;
    if (!tact_text_word(&look, "", &word)) {
        return TACT_CONTENT_EMPTY;
    }
    if (begins_with(text, "%%")) {
        return TACT_CONTENT_MATRIX_MARKET;
    }
    if (word.start[0] == '{') {
        return TACT_CONTENT_JSON;
    }
    return sniff_siconos(text);
}
