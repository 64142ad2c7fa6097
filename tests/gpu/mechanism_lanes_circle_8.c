#define TACT_POINTS 8
#define TACT_ROWS 24
#define TACT_DOFS 32
#define TACT_BASIS 32
#define TACT_EXTRA 1
#define TACT_MOMENTS 1
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_circle_8
#include "tests/gpu/mechanism_lanes_run.h"
