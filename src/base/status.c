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
