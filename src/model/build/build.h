// Room "build": the builder of models: what is added, checked and compiled.
#ifndef TACT_MODEL_BUILD_BUILD_H
#define TACT_MODEL_BUILD_BUILD_H

#include "model/build/check.h"
#include "model/build/sensors.h"
#include "model/build/store.h"

#endif
