// JSON that is whole or not there at all.
//
// jansson says with each call whether it went well. Here these results are counted, one mark a
// thread: what was built while something failed is neither printed nor sent, and the reason is
// told. Every function that takes a value takes it over, also when it fails.
#ifndef TACT_CLI_JSON_JSON_BUILD_H
#define TACT_CLI_JSON_JSON_BUILD_H

#include <jansson.h>
#include <stdbool.h>

/// As json_object_set_new(), json_array_append_new(), json_pack(), json_object_update_new().
void    tact_json_set(json_t *object, const char *key, json_t *value);
void    tact_json_append(json_t *array, json_t *value);
json_t *tact_json_pack(const char *format, ...);
void    tact_json_merge(json_t *object, json_t *rest);

/// Ends a value: its text, to be freed; NULL if anything failed since the last end, and why.
char *tact_json_end(json_t *value, size_t flags, const char **why);

/// The same, written to a file, or printed as a line on standard output. NULL: done; else why there
/// is nothing.
const char *tact_json_write(json_t *value, size_t flags, const char *path);
const char *tact_json_print(json_t *value, size_t flags);

#endif
