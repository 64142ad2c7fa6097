#define TACT_STEP_MORE 1
#define STEP_LANES_BEGIN step_lanes_begin_more
#define STEP_LANES_END step_lanes_end_more
#include "tests/gpu/step_lanes_run.h"
