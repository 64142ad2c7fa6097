// Parameters inside: where a path leads.
#ifndef TACT_MODEL_PARAMETER_H
#define TACT_MODEL_PARAMETER_H

#include <tact/parameter.h>

typedef enum TactParameterRule {
    TACT_RULE_ANY, // finite
    TACT_RULE_POSITIVE,
    TACT_RULE_NOT_NEGATIVE,
    TACT_RULE_NEGATED, // not negative, and kept with the other sign
    TACT_RULE_RANGE,   // lower <= upper
} TactParameterRule;

typedef struct TactParameterLine {
    TactParameter     parameter;
    size_t            offset; // in its struct, of the first number
    TactParameterRule rule;
    void (*apply)(void *thing, const double *values); // NULL: they are copied there
} TactParameterLine;

typedef struct TactParameterPlace {
    const TactParameterLine *line;
    int                      number; // of the line
    TactObject               type;   // TACT_OBJECT_NONE: options of the model
    int                      index;
    size_t                   size; // bytes of a thing
} TactParameterPlace;

TactStatus tact_parameter_place(const TactModel *model, const char *path,
                                TactParameterPlace *place);

/// The struct that holds it.
void *tact_parameter_thing(const TactModel *model, const TactParameterPlace *place);

/// What the parameters of a thing add to the hash of the original; 0 if they are those of it.
uint64_t tact_parameter_hash(const TactModel *copy, const TactModel *original,
                             const TactParameterPlace *place);

#endif
