// What is not XML and stands in model files all the same, because other readers of them look at
// bytes and never notice: bytes that are not UTF-8, as of comments in the code page of whoever
// wrote them, and comments with "--" inside. A file with either is parsed as a mended copy.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/xml/xml_tree.h"

// ---------------------------------------------------------------------------------------------
// Characters

/// Length of the sequence of UTF-8 that begins here; 0: none does.
static size_t sequence(const unsigned char *c, size_t left)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};

    size_t   length = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
    unsigned code = *c & (0xffU >> (length + 1));
    if (length <= 1 || length > left || *c > 0xf4) {
        return length == 1 ? 1 : 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (c[i] & 0x3fU);
    }
    bool half = code >= 0xd800 && code < 0xe000; // of a pair of UTF-16
    return code < least[length] || code > 0x10ffff || half ? 0 : length;
}

/// Does the file say that its characters are others, or are they words of 16 bits?
static bool is_foreign(const char *bytes, size_t size)
{
    char   head[128];
    size_t length = size < sizeof head - 1 ? size : sizeof head - 1;
    memcpy(head, bytes, length);
    head[length] = '\0';
    char *end = strstr(head, "?>");
    if (end) {
        *end = '\0';
    }
    bool wide = size >= 2 && ((unsigned char)bytes[0] >= 0xfe || !bytes[0] || !bytes[1]);
    bool says = end && strstr(head, "<?xml") && strstr(head, "encoding");
    return wide || (says && !strstr(head, "utf-8") && !strstr(head, "UTF-8"));
}

/// How many bytes belong to no character.
static size_t count_wrong(const unsigned char *c, size_t size)
{
    size_t wrong = 0;
    for (size_t i = 0; i < size;) {
        size_t step = sequence(c + i, size - i);
        wrong += step == 0;
        i += step > 0 ? step : 1;
    }
    return wrong;
}

/// Copies; a byte that belongs to no character becomes the one that Latin-1 has for it, so that two
/// names that differ stay different. Returns the length.
static size_t copy_characters(unsigned char *out, const unsigned char *c, size_t size)
{
    unsigned char *start = out;
    for (size_t i = 0; i < size;) {
        size_t step = sequence(c + i, size - i);
        if (step == 0) {
            *out++ = (unsigned char)(0xc0 | c[i] >> 6);
            *out++ = (unsigned char)(0x80 | (c[i] & 0x3f));
            i++;
        }
        memcpy(out, c + i, step);
        out += step;
        i += step;
    }
    return (size_t)(out - start);
}

// ---------------------------------------------------------------------------------------------
// Comments

/// Where a word begins at or after a place; size: nowhere.
static size_t find(const char *bytes, size_t size, size_t from, const char *word)
{
    size_t length = strlen(word);
    while (from + length <= size) {
        const char *at = memchr(bytes + from, *word, size - length + 1 - from);
        if (!at) {
            return size;
        }
        from = (size_t)(at - bytes);
        if (memcmp(at, word, length) == 0) {
            return from;
        }
        from++;
    }
    return size;
}

/// The next comment that has an end, first and behind; false: there is none.
static bool find_comment(const char *bytes, size_t size, size_t *first, size_t *behind)
{
    size_t at = *first;
    while ((at = find(bytes, size, at, "<!")) < size) {
        bool        comment = size - at >= 4 && memcmp(bytes + at, "<!--", 4) == 0;
        bool        literal = size - at >= 9 && memcmp(bytes + at, "<![CDATA[", 9) == 0;
        const char *last = comment ? "-->" : "]]>";
        size_t      end = comment || literal ? find(bytes, size, at + 4, last) : at;
        if (comment && end < size) {
            *first = at;
            *behind = end + 3;
            return true;
        }
        if ((comment || literal) && end == size) {
            return false; // none of those behind it has an end either
        }
        at = literal ? end : at + 2;
    }
    return false;
}

/// Is there a comment with "--" inside, which XML does not allow? "--->" at its end counts.
static bool has_dashes(const char *bytes, size_t size)
{
    size_t behind = 0;
    for (size_t at = 0; find_comment(bytes, size, &at, &behind); at = behind) {
        if (find(bytes, behind - 1, at + 4, "--") < behind - 3 || bytes[behind - 4] == '-') {
            return true;
        }
    }
    return false;
}

/// Makes what stands in comments blank; lines stay where they are.
static void clear_comments(char *bytes, size_t size)
{
    size_t behind = 0;
    for (size_t at = 0; find_comment(bytes, size, &at, &behind); at = behind) {
        for (size_t i = at + 4; i + 3 < behind; i++) {
            bytes[i] = bytes[i] == '\n' ? '\n' : ' ';
        }
    }
}

TactStatus tact_xml_mend(const char *bytes, size_t size, char **mended, size_t *length)
{
    *mended = NULL;
    if (is_foreign(bytes, size)) {
        return TACT_OK;
    }
    size_t wrong = count_wrong((const unsigned char *)bytes, size);
    bool   dashes = has_dashes(bytes, size);
    if (wrong == 0 && !dashes) {
        return TACT_OK;
    }
    void *copy;
    TACT_TRY(tact_allocate(size + wrong + 1, 1, &copy));
    *length = copy_characters(copy, (const unsigned char *)bytes, size);
    *mended = copy;
    if (dashes) {
        clear_comments(*mended, *length);
    }
    return TACT_OK;
}
