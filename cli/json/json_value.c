#include "cli/json/json_value.h"

#include <errno.h>
#include <math.h>

#include "cli/json/json_build.h"

json_t *tact_json_value_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *tact_json_value_text(const char *words)
{
    int before = errno; // it tells json_build.c what failed
    errno = 0;
    json_t *string = json_string(words);
    if (string || errno == ENOMEM) {
        errno = string ? before : ENOMEM;
        return string;
    }
    char   plain[600];
    size_t i = 0;
    for (; words[i] && i + 1 < sizeof plain; i++) {
        plain[i] = words[i] & 0x80 ? '?' : words[i];
    }
    plain[i] = '\0';
    return json_string(plain);
}

json_t *tact_json_value_vector(const double *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n && array; i++) {
        tact_json_append(array, tact_json_value_real(x[i]));
    }
    return array;
}

json_t *tact_json_value_vec3(TactVec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    return tact_json_value_vector(x, 3);
}
