// Names of the values of an enum: one list serves both ways.
#ifndef TACT_BASE_WORDS_H
#define TACT_BASE_WORDS_H

#include <tact/base.h>

/// The name of a value, or "unknown".                                            words: (count)
const char *tact_word_of(const char *const *words, int count, int value);

/// The value of a name. TACT_BAD_ARGUMENT with all names if there is no such `kind`.
TactStatus tact_word_find(const char *const *words, int count, const char *kind, const char *name,
                          int *value);

#endif
