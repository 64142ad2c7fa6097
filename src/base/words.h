// Names of the values of an enum: one list serves both ways.
#ifndef TACT_BASE_WORDS_H
#define TACT_BASE_WORDS_H

#include <tact/base.h>

/// The name of a value, or "unknown".                                            words: (count)
const char *tact_word_of(const char *const *words, int count, int value);

/// The value of a name. TACT_BAD_ARGUMENT with all names if there is no such `kind`.
TactStatus tact_word_find(const char *const *words, int count, const char *kind, const char *name,
                          int *value);

/// Defines tact_NOUN_name() and tact_NOUN_find() of a public enum `Type` from its words, in the
/// order of its values (`[VALUE] = "word"`). kind: what messages call it.
#define TACT_WORDS(Type, noun, kind, ...)                                                  \
    static const char *const noun##_words[] = {__VA_ARGS__};                               \
    enum { noun##_count = sizeof noun##_words / sizeof *noun##_words };                    \
    const char *tact_##noun##_name(Type value)                                             \
    {                                                                                      \
        return tact_word_of(noun##_words, noun##_count, (int)value);                       \
    }                                                                                      \
    TactStatus tact_##noun##_find(const char *name, Type *value)                           \
    {                                                                                      \
        int        found = 0;                                                              \
        TactStatus status =                                                                \
            tact_word_find(noun##_words, noun##_count, kind, name, value ? &found : NULL); \
        if (status == TACT_OK) {                                                           \
            *value = (Type)found;                                                          \
        }                                                                                  \
        return status;                                                                     \
    }

#endif
