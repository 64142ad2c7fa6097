// Numbers and words as JSON values.
#ifndef TACT_CLI_JSON_JSON_VALUE_H
#define TACT_CLI_JSON_JSON_VALUE_H

#include <jansson.h>
#include <tact/math.h>

/// JSON has no infinity and no NaN: null.
json_t *tact_json_value_real(double x);
json_t *tact_json_value_vector(const double *x, int n);
json_t *tact_json_value_vec3(TactVec3 v);
/// Names of files need not be UTF-8; JSON must: what is not ASCII then becomes '?'.
json_t *tact_json_value_text(const char *words);

#endif
