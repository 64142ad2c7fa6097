// Names of the enums of base.h.
#include <tact/base.h>

#include "base/words.h"

TACT_WORDS(TactStatus, status, "status", [TACT_OK] = "ok", [TACT_BAD_ARGUMENT] = "bad argument",
           [TACT_BAD_INPUT] = "bad input", [TACT_UNSUPPORTED] = "unsupported",
           [TACT_NO_MEMORY] = "no memory", [TACT_IO_ERROR] = "input/output error")

TACT_WORDS(TactLogLevel, log_level, "level of the log", [TACT_LOG_LEVEL_DEBUG] = "debug",
           [TACT_LOG_LEVEL_INFO] = "info", [TACT_LOG_LEVEL_WARNING] = "warning")
