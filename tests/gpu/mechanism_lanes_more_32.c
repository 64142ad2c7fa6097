#define TACT_POINTS 32
#define TACT_ROWS 80
#define TACT_DOFS 32
#define TACT_BASIS 48
#define TACT_EXTRA 32
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_more_32
#include "tests/gpu/mechanism_lanes_run.h"
