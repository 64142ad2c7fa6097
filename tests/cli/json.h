// A second opinion on the program's JSON: a strict reader that is not the writer's library.
#ifndef TACT_TESTS_CLI_JSON_H
#define TACT_TESTS_CLI_JSON_H

#include <stdbool.h>

/// Is the text one JSON value with nothing but white space around it?
bool tact_json_is_valid(const char *text);

/// Where the value at a path such as "results.0.z.1" begins, or NULL if there is none.
const char *tact_json_find(const char *text, const char *path);

/// The value at a path as a number (NaN if there is none), as a string (compared), and the number
/// of members of an array or object (-1 if there is none).
double tact_json_number(const char *text, const char *path);
bool   tact_json_is(const char *text, const char *path, const char *string);
int    tact_json_count(const char *text, const char *path);

#endif
