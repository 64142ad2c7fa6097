// JSON from text to jansson's values (RFC 8259).
#ifndef TACT_IO_JSON_JSON_PARSE_H
#define TACT_IO_JSON_JSON_PARSE_H

#include <jansson.h>

#include "io/text.h"

/// The whole text as one value, to be released by json_decref(). Fails with file:line:column if it
/// is not JSON, or if an object has a member twice. Values nest 2,000 deep at most.
///
/// jansson's own reader is not used: where memory lacks while it reads a string it overlooks that,
/// and an assertion ends the program.
TactStatus tact_json_parse(const TactText *text, json_t **root);

#endif
