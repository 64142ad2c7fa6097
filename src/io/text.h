// A text file in memory, read word by word with its line numbers.
#ifndef TACT_IO_TEXT_H
#define TACT_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/base.h>

typedef struct TactText {
    const char *name;   // for messages; the caller's
    char       *memory; // the whole file and a zero
    const char *next;   // first character not read
    const char *end;    // the zero
    int         line;   // of the last word read, from 1
    void       *locale; // numbers have a decimal point, whatever the program's locale
} TactText;

typedef struct TactWord {
    const char *start;
    size_t      length;
} TactWord;

/// A whole file as one block, to be released, with room for a zero behind its last byte. What fails
/// may leave a block, to be released too.
TactStatus tact_file_load(const char *path, char **block, size_t *size);

/// Reads the whole file, or copies the bytes. What fails leaves nothing to close.
TactStatus tact_text_load(TactText *text, const char *path);
TactStatus tact_text_copy(TactText *text, const char *name, const char *bytes, size_t size);
void       tact_text_close(TactText *text);
/// Is it no text at all but an HDF5 file? All other files with a zero byte are refused.
bool tact_text_is_hdf5(const TactText *text);

/// Fails with "name:line: ".
__attribute__((format(printf, 3, 4))) TactStatus
tact_text_fail(const TactText *text, TactStatus status, const char *format, ...);
/// Warns with "name:line: ".
__attribute__((format(printf, 2, 3))) void tact_text_warn(const TactText *text, const char *format,
                                                          ...);
/// Fails with what was expected and what is there instead (a word; length 0: the end of the file).
TactStatus tact_text_unexpected(const TactText *text, const char *expected, TactWord word);

/// Can the rest of the file hold so many numbers? To be asked before memory is taken for them.
TactStatus tact_text_holds(const TactText *text, size_t count, const char *what);

/// The next word, ended by white space or one of the extra separators; false at the end.
bool tact_text_word(TactText *text, const char *separators, TactWord *word);
bool tact_word_is(TactWord word, const char *what);
/// Goes to the start of the next line.
void tact_text_skip_line(TactText *text);

/// An integer in [lo, hi].
TactStatus tact_text_int(TactText *text, const char *what, int lo, int hi, int *value);
TactStatus tact_word_int(const TactText *text, TactWord word, const char *what, int lo, int hi,
                         int *value);

typedef enum TactInfinity { TACT_FINITE_ONLY, TACT_INFINITY_TOO } TactInfinity;

/// A number; never a NaN.
TactStatus tact_text_real(TactText *text, const char *what, TactInfinity infinity, double *value);
TactStatus tact_word_real(const TactText *text, TactWord word, const char *what,
                          TactInfinity infinity, double *value);
/// count numbers, every stride-th place of values.
TactStatus tact_text_reals(TactText *text, const char *what, size_t count, size_t stride,
                           double *values);

#endif
