// Room "json": JSON of the program and of its viewer.
#ifndef TACT_CLI_JSON_JSON_H
#define TACT_CLI_JSON_JSON_H

#include "cli/json/json_build.h"
#include "cli/json/json_read.h"
#include "cli/json/json_value.h"

#endif
