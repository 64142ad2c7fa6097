#define TACT_POINTS 16
#define TACT_ROWS 24
#define TACT_DOFS 32
#define TACT_BASIS 32
#define MECHANISM_LANES_SOLVE mechanism_lanes_solve_rows_24
#include "tests/gpu/mechanism_lanes_run.h"
