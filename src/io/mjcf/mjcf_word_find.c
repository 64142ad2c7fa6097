// Looking words up.
#include <string.h>

#include "io/mjcf/mjcf_words.h"

const char *tact_mjcf_word_id(const TactMjcfWord *element)
{
    return element->id ? element->id : element->name;
}

bool tact_mjcf_word_in(const char *list, const char *word, size_t length)
{
    static const char blanks[] = " |";

    while (list && *list) {
        size_t size = strcspn(list, blanks);
        if (size == length && strncmp(list, word, length) == 0) {
            return true;
        }
        list += size;
        list += strspn(list, blanks);
    }
    return false;
}

/// Ids of two words are told as one in lists: "extension plugin" is "extension-plugin" there.
static bool list_has(const char *list, const char *id)
{
    char   word[64];
    size_t length = strlen(id);
    if (length >= sizeof word) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        word[i] = (char)(id[i] == ' ' ? '-' : id[i]);
    }
    return tact_mjcf_word_in(list, word, length);
}

const TactMjcfWord *tact_mjcf_word_by_id(const char *id)
{
    for (const TactMjcfWord *word = tact_mjcf_words(); word->name; word++) {
        if (word->parents && strcmp(tact_mjcf_word_id(word), id) == 0) {
            return word;
        }
    }
    return NULL;
}

const TactMjcfWord *tact_mjcf_word_child(const TactMjcfWord *parent, const char *name)
{
    const char *id = parent ? tact_mjcf_word_id(parent) : "";
    for (const TactMjcfWord *word = tact_mjcf_words(); word->name; word++) {
        if (word->parents && strcmp(word->name, name) == 0 &&
            (parent ? list_has(word->parents, id) || strcmp(word->parents, "*") == 0
                    : word->parents[0] == '\0')) {
            return word;
        }
    }
    return NULL;
}

static const TactMjcfWord *own_attribute(const TactMjcfWord *element, const char *name)
{
    if (tact_mjcf_word_in(element->plain, name, strlen(name))) {
        return element;
    }
    for (const TactMjcfWord *word = element + 1; word->name && !word->parents; word++) {
        if (strcmp(word->name, name) == 0) {
            return word;
        }
    }
    return NULL;
}

const TactMjcfWord *tact_mjcf_word_attribute(const TactMjcfWord *element, const char *name)
{
    const TactMjcfWord *found = own_attribute(element, name);
    const TactMjcfWord *group = element->same ? tact_mjcf_word_by_id(element->same) : NULL;
    return found || !group ? found : own_attribute(group, name);
}
