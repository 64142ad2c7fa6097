// Names of the enums of verify.h.
#include <tact/verify.h>

#include "base/words.h"

TACT_WORDS(TactStepLaw, step_law,
           "law", [TACT_STEP_LAW_MOMENTUM] = "momentum", [TACT_STEP_LAW_POSITION] = "position",
           [TACT_STEP_LAW_CONTACT] = "contact", [TACT_STEP_LAW_ENERGY] = "energy")

TACT_WORDS(
    TactStepCheck, step_check,
    "check", [TACT_STEP_CHECK_NONE] = "none", [TACT_STEP_CHECK_LINEAR_MOMENTUM] = "linear momentum",
    [TACT_STEP_CHECK_ANGULAR_MOMENTUM] = "angular momentum",
    [TACT_STEP_CHECK_JOINT_FORCE] = "joint force", [TACT_STEP_CHECK_PATH] = "path",
    [TACT_STEP_CHECK_ROTATION] = "rotation", [TACT_STEP_CHECK_COORDINATE] = "coordinate",
    [TACT_STEP_CHECK_ASLEEP] = "asleep", [TACT_STEP_CHECK_OVERLAP] = "overlap",
    [TACT_STEP_CHECK_TOUCH] = "touch", [TACT_STEP_CHECK_PULL] = "pull",
    [TACT_STEP_CHECK_CONE] = "cone", [TACT_STEP_CHECK_BALANCE] = "balance",
    [TACT_STEP_CHECK_RISE] = "rise")
