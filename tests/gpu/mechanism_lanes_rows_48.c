#define TACT_POINTS 32
#define TACT_ROWS 48
#define TACT_DOFS 32
#define TACT_BASIS 48
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_rows_48
#include "tests/gpu/mechanism_lanes_run.h"
