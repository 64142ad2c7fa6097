#define TACT_POINTS 16
#define TACT_DOFS 32
#define TACT_BASIS 41
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_16_small
#include "tests/gpu/mechanism_lanes_run.h"
