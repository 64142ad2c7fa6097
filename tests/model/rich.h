// A model with at least one thing of every kind, and no number that is zero by default alone.
#ifndef TESTS_MODEL_RICH_H
#define TESTS_MODEL_RICH_H

#include <tact/model.h>

/// Builds and compiles it; on failure everything is released and *model is NULL.
TactStatus rich_model(TactModel **model);

#endif
