#define TACT_POINTS 32
#define TACT_ROWS 96
#define TACT_DOFS 64
#define TACT_BASIS 64
#define TACT_EXTRA 48
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_more_64
#include "tests/gpu/mechanism_lanes_run.h"
