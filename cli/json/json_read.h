// JSON text read by jansson, which survives a lack of memory.
#ifndef TACT_CLI_JSON_JSON_READ_H
#define TACT_CLI_JSON_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/// As json_loadb() and json_load_file(). NULL: *error says where and why, or memory lacks.
/// lacks, error: NULL: not asked for.
json_t *tact_json_read(const char *text, size_t size, size_t flags, json_error_t *error,
                       bool *lacks);
json_t *tact_json_read_file(const char *path, size_t flags, json_error_t *error, bool *lacks);

#endif
