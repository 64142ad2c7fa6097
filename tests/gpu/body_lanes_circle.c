#define TACT_CIRCLE 1
#define BODY_LANES_SOLVE body_lanes_solve_circle
#include "tests/gpu/body_lanes_run.h"
