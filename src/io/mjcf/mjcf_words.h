// The words of MJCF: every element and attribute, and what becomes of it.
#ifndef TACT_IO_MJCF_MJCF_WORDS_H
#define TACT_IO_MJCF_MJCF_WORDS_H

#include <tact/load.h>

/// An element where it may stand, or an attribute of the element above it in the table.
typedef struct TactMjcfWord {
    const char *name;
    const char *parents; // element: ids of the elements it may stand in; NULL: an attribute
    const char *id;      // element: its own id, where the name is not enough; NULL: the name
    const char *same;    // element: ids of others whose attributes it has too; NULL: none
    const char *plain;   // element: attributes that share its own verdict
    TactVerdict verdict;
    bool        physics;
    bool        known;    // element: a plugin, honoured if it is one that is known, ignored if not
    const char *harmless; // attribute: values, by "|", with which it is honoured; NULL: none
    const char *text;     // why, if it is not honoured
} TactMjcfWord;

/// The whole table; an entry with a NULL name ends it.
const TactMjcfWord *tact_mjcf_words(void);

/// Element by id; NULL: there is none.
const TactMjcfWord *tact_mjcf_word_by_id(const char *id);
const char         *tact_mjcf_word_id(const TactMjcfWord *element);
/// An element of that name inside another (NULL: the root).
const TactMjcfWord *tact_mjcf_word_child(const TactMjcfWord *parent, const char *name);
/// The entry that says what becomes of an attribute: of the element itself, or its own; NULL: it
/// has no such attribute.
const TactMjcfWord *tact_mjcf_word_attribute(const TactMjcfWord *element, const char *name);
/// Is the word one of a list that is separated by blanks or bars?
bool tact_mjcf_word_in(const char *list, const char *word, size_t length);

#endif
