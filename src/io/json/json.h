// JSON values with their place in the file: contacts[3].normal.
#ifndef TACT_IO_JSON_JSON_H
#define TACT_IO_JSON_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <tact/base.h>

#include "io/text.h"

enum { TACT_JSON_MOST_UNKNOWN = 16, TACT_JSON_LONGEST_PATH = 120 };

/// A field that nobody reads: told once, at its first place, with how often it occurs.
typedef struct TactJsonUnknown {
    char path[TACT_JSON_LONGEST_PATH];
    char key[40];
    int  count;
} TactJsonUnknown;

typedef struct TactJsonFile {
    const char     *name;
    size_t          size; // of the text, bytes
    json_t         *root;
    TactJsonUnknown unknown[TACT_JSON_MOST_UNKNOWN];
    int             unknown_count; // may exceed the room
} TactJsonFile;

/// A value and how it was reached. Lives on the stack of whoever reads it.
typedef struct TactJson {
    TactJsonFile          *file;
    const struct TactJson *above; // NULL: the root
    const char            *key;   // member of an object; NULL: element of an array
    size_t                 index;
    json_t                *value; // NULL: there is none
} TactJson;

/// Fails with file:line:column if the text is not JSON, or if an object has a member twice.
TactStatus tact_json_open(TactJsonFile *file, const TactText *text);
/// Tells about unknown fields, and frees.
void     tact_json_close(TactJsonFile *file);
TactJson tact_json_root(TactJsonFile *file);

TactJson tact_json_member(const TactJson *object, const char *key);
TactJson tact_json_element(const TactJson *array, size_t index);

/// Fails with "file: path: ".
__attribute__((format(printf, 2, 3))) TactStatus tact_json_fail(const TactJson *json,
                                                                const char     *format, ...);

/// Fails if the value is missing or of another kind, or (count >= 0) not an array of count values.
TactStatus tact_json_is_object(const TactJson *json);
TactStatus tact_json_is_array(const TactJson *json, int count);

TactStatus tact_json_real(const TactJson *json, double *value);
TactStatus tact_json_int(const TactJson *json, int lo, int hi, int *value);
/// A whole number below 2^63, or any up to 2^64 - 1 as a string.
TactStatus tact_json_id(const TactJson *json, uint64_t *value);
/// One of the words, which end with NULL.
TactStatus tact_json_word(const TactJson *json, const char *const *words, int *which);
TactStatus tact_json_reals(const TactJson *json, int count, double *values);
/// An array of rows arrays of columns numbers each, row-major.
TactStatus tact_json_matrix(const TactJson *json, int rows, int columns, double *values);

/// Can the file hold so many numbers at all? To be asked before memory is taken for them.
TactStatus tact_json_holds(const TactJson *json, double count);

/// Remembers the members that are not among the keys (which end with NULL). "comment" is known.
void tact_json_note_unknown(const TactJson *object, const char *const *keys);

#endif
