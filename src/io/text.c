#include "io/text.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/io.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

// ---------------------------------------------------------------------------------------------
// Reading the whole file

/// Moves the bytes into a block twice as large.
static TactStatus grow_block(char **block, size_t *room, size_t used)
{
    size_t larger = *room > SIZE_MAX / 2 ? SIZE_MAX : *room * 2;
    void  *moved;
    TACT_TRY(tact_allocate(larger, 1, &moved));
    memcpy(moved, *block, used);
    tact_release(*block);
    *block = moved;
    *room = larger;
    return TACT_OK;
}

static TactStatus read_stream(FILE *stream, const char *path, size_t guess, char **block,
                              size_t *size)
{
    size_t room = guess + 2; // one for the zero, one to meet the end of the file
    size_t used = 0;
    void  *first;
    TACT_TRY(tact_allocate(room, 1, &first));
    *block = first;
    for (;;) {
        used += fread(*block + used, 1, room - 1 - used, stream);
        if (ferror(stream)) {
            return tact_fail(TACT_IO_ERROR, "%s: cannot be read: %s", path, strerror(errno));
        }
        if (used > TACT_IO_MAX_BYTES) {
            return tact_fail(TACT_IO_ERROR, "%s: is longer than %zu bytes", path,
                             TACT_IO_MAX_BYTES);
        }
        if (used < room - 1) { // the end of the file
            *size = used;
            return TACT_OK;
        }
        TACT_TRY(grow_block(block, &room, used));
    }
}

TactStatus tact_file_load(const char *path, char **block, size_t *size)
{
    struct stat about;
    bool        input = strcmp(path, "/dev/stdin") == 0; // what the user types or pipes
    if (!input && stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        return tact_fail(TACT_IO_ERROR, "%s: is a device or a pipe, not a file", path);
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return tact_fail(TACT_IO_ERROR, "%s: cannot be opened: %s", path, strerror(errno));
    }
    size_t     guess = 65536;
    TactStatus status = TACT_OK;
    if (fstat(fileno(stream), &about) == 0) {
        if (S_ISDIR(about.st_mode)) {
            status = tact_fail(TACT_IO_ERROR, "%s: is a directory, not a file", path);
        } else if (S_ISREG(about.st_mode)) {
            guess = (size_t)about.st_size;
        }
    }
    if (status == TACT_OK && guess > TACT_IO_MAX_BYTES) {
        status = tact_fail(TACT_IO_ERROR, "%s: is longer than %zu bytes", path, TACT_IO_MAX_BYTES);
    }
    if (status == TACT_OK) {
        status = read_stream(stream, path, guess, block, size);
    }
    fclose(stream);
    return status;
}

bool tact_text_is_hdf5(const TactText *text)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";

    size_t length = sizeof signature - 1;
    return (size_t)(text->end - text->memory) >= length &&
           memcmp(text->memory, signature, length) == 0;
}

/// Takes the block, which has room for a zero behind its last byte.
static TactStatus start(TactText *text, const char *name, char *block, size_t size)
{
    *text = (TactText){.name = name, .memory = block, .next = block, .end = block + size};
    text->line = 1;
    block[size] = '\0';
    const char *zero = tact_text_is_hdf5(text) ? NULL : memchr(block, '\0', size);
    if (zero) {
        for (const char *c = block; c < zero; c++) {
            text->line += *c == '\n';
        }
        return tact_text_fail(text, TACT_BAD_INPUT, "is not a text file: it has a zero byte");
    }
    if (size >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0) { // the byte order mark of UTF-8
        text->next += 3;
    }
    text->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return text->locale ? TACT_OK : tact_fail(TACT_NO_MEMORY, "no memory for a locale");
}

TactStatus tact_text_load(TactText *text, const char *path)
{
    *text = (TactText){0};
    char      *block = NULL;
    size_t     size = 0;
    TactStatus status = tact_file_load(path, &block, &size);
    if (status == TACT_OK) {
        status = start(text, path, block, size);
    }
    if (status != TACT_OK) {
        tact_release(block);
        *text = (TactText){0};
    }
    return status;
}

TactStatus tact_text_copy(TactText *text, const char *name, const char *bytes, size_t size)
{
    *text = (TactText){0};
    if (size > TACT_IO_MAX_BYTES) {
        return tact_fail(TACT_BAD_INPUT, "%s: is longer than %zu bytes", name, TACT_IO_MAX_BYTES);
    }
    void *block;
    TACT_TRY(tact_allocate(size + 1, 1, &block));
    if (size > 0) {
        memcpy(block, bytes, size);
    }
    TactStatus status = start(text, name, block, size);
    if (status != TACT_OK) {
        tact_release(block);
        *text = (TactText){0};
    }
    return status;
}

void tact_text_close(TactText *text)
{
    if (text->locale) {
        freelocale(text->locale);
    }
    tact_release(text->memory);
    *text = (TactText){0};
}

// ---------------------------------------------------------------------------------------------
// Saying where

enum { LONGEST_MESSAGE = 400 };

TactStatus tact_text_fail(const TactText *text, TactStatus status, const char *format, ...)
{
    char    what[LONGEST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return tact_fail(status, "%s:%d: %s", text->name, text->line, what);
}

void tact_text_warn(const TactText *text, const char *format, ...)
{
    char    what[LONGEST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    tact_log(TACT_LOG_LEVEL_WARNING, "%s:%d: %s", text->name, text->line, what);
}

TactStatus tact_text_unexpected(const TactText *text, const char *expected, TactWord word)
{
    if (word.length == 0) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the file ends where %s was expected",
                              expected);
    }
    char   shown[41];
    size_t length = word.length < sizeof shown - 1 ? word.length : sizeof shown - 1;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.start[i];
        shown[i] = c >= 32 && c < 127 ? (char)c : '?';
    }
    shown[length] = '\0';
    return tact_text_fail(text, TACT_BAD_INPUT, "expected %s, found '%s%s'", expected, shown,
                          length < word.length ? "..." : "");
}

TactStatus tact_text_holds(const TactText *text, size_t count, const char *what)
{
    // A number is at least a digit and a separator, which the last one may lack.
    size_t left = (size_t)(text->end - text->next);
    if (count > left / 2 + 1) {
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "%s needs %zu numbers, more than the %zu bytes that follow can hold",
                              what, count, left);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Words

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool separates(char c, const char *separators)
{
    return is_space(c) || (c != '\0' && strchr(separators, c));
}

bool tact_text_word(TactText *text, const char *separators, TactWord *word)
{
    const char *c = text->next;
    int         lines = 0;
    while (c < text->end && separates(*c, separators)) {
        lines += *c == '\n';
        c++;
    }
    const char *first = c;
    text->line += c < text->end ? lines : 0; // the end is in the last line that has a word
    while (c < text->end && !separates(*c, separators)) {
        c++;
    }
    text->next = c;
    *word = (TactWord){first, (size_t)(c - first)};
    return word->length > 0;
}

bool tact_word_is(TactWord word, const char *what)
{
    return word.length == strlen(what) && memcmp(word.start, what, word.length) == 0;
}

void tact_text_skip_line(TactText *text)
{
    const char *end = memchr(text->next, '\n', (size_t)(text->end - text->next));
    if (end) {
        text->line++;
    }
    text->next = end ? end + 1 : text->end;
}

// ---------------------------------------------------------------------------------------------
// Numbers

TactStatus tact_word_int(const TactText *text, TactWord word, const char *what, int lo, int hi,
                         int *value)
{
    char     *end = NULL;
    long long number = 0;
    if (word.length > 0) {
        errno = 0;
        number = strtoll(word.start, &end, 10);
    }
    if (!end || end != word.start + word.length) {
        char expected[160];
        snprintf(expected, sizeof expected, "%s (an integer)", what);
        return tact_text_unexpected(text, expected, word);
    }
    if (errno == ERANGE || number < lo || number > hi) {
        return tact_text_fail(text, TACT_BAD_INPUT, "%s is %.*s, which is not in %d ... %d", what,
                              word.length < 20 ? (int)word.length : 20, word.start, lo, hi);
    }
    *value = (int)number;
    return TACT_OK;
}

TactStatus tact_text_int(TactText *text, const char *what, int lo, int hi, int *value)
{
    TactWord word;
    tact_text_word(text, "", &word);
    return tact_word_int(text, word, what, lo, hi, value);
}

TactStatus tact_word_real(const TactText *text, TactWord word, const char *what,
                          TactInfinity infinity, double *value)
{
    char  *end = NULL;
    double number = 0;
    bool   overflow = false;
    if (word.length > 0) {
        locale_t before = uselocale(text->locale);
        errno = 0;
        number = strtod(word.start, &end);
        overflow = errno == ERANGE && isinf(number);
        uselocale(before);
    }
    if (!end || end != word.start + word.length) {
        char expected[160];
        snprintf(expected, sizeof expected, "%s (a number)", what);
        return tact_text_unexpected(text, expected, word);
    }
    if (isnan(number)) {
        return tact_text_fail(text, TACT_BAD_INPUT, "%s is not a number (NaN)", what);
    }
    if (isinf(number) && (overflow || infinity == TACT_FINITE_ONLY)) {
        return tact_text_fail(text, TACT_BAD_INPUT,
                              overflow ? "%s exceeds the range of a double" : "%s is infinite",
                              what);
    }
    *value = number;
    return TACT_OK;
}

TactStatus tact_text_real(TactText *text, const char *what, TactInfinity infinity, double *value)
{
    TactWord word;
    tact_text_word(text, "", &word);
    return tact_word_real(text, word, what, infinity, value);
}

TactStatus tact_text_reals(TactText *text, const char *what, size_t count, size_t stride,
                           double *values)
{
    for (size_t k = 0; k < count; k++) {
        TactWord word;
        tact_text_word(text, "", &word);
        if (tact_word_real(text, word, what, TACT_FINITE_ONLY, &values[k * stride]) != TACT_OK) {
            char which[120];
            snprintf(which, sizeof which, "number %zu of the %zu of %s", k + 1, count, what);
            return tact_word_real(text, word, which, TACT_FINITE_ONLY, &values[k * stride]);
        }
    }
    return TACT_OK;
}
