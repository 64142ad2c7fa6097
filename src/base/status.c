#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[512];

TactStatus tact_fail(TactStatus status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return status;
}

const char *tact_status_message(void)
{
    return message;
}

const char *tact_status_name(TactStatus status)
{
    switch (status) {
    case TACT_OK: return "ok";
    case TACT_BAD_ARGUMENT: return "bad argument";
    case TACT_BAD_INPUT: return "bad input";
    case TACT_UNSUPPORTED: return "unsupported";
    case TACT_NO_MEMORY: return "no memory";
    case TACT_IO_ERROR: return "input/output error";
    }
    return "unknown status";
}
