// Names of the values of an enum.
#include "base/words.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"

const char *tact_word_of(const char *const *words, int count, int value)
{
    return value >= 0 && value < count ? words[value] : "unknown";
}

TactStatus tact_word_find(const char *const *words, int count, const char *kind, const char *name,
                          int *value)
{
    TACT_NEED(value, "find: the place for the value");
    char   all[256] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (name && strcmp(name, words[i]) == 0) {
            *value = i;
            return TACT_OK;
        }
        if (used < sizeof all) {
            used += (size_t)snprintf(all + used, sizeof all - used, " %s", words[i]);
        }
    }
    return tact_fail(TACT_BAD_ARGUMENT, "there is no %s '%s'; there are:%s", kind,
                     name ? name : "(null)", all);
}
