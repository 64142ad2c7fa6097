#define STEP_LANES_BEGIN step_lanes_begin
#define STEP_LANES_END step_lanes_end
#include "tests/gpu/step_lanes_run.h"
