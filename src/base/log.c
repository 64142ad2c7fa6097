#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static TactLogFunction *listener;
static void            *listener_context;
static TactLogLevel     listener_level;

void tact_log_set(TactLogFunction *function, void *context, TactLogLevel level)
{
    listener = function;
    listener_context = context;
    listener_level = level;
}

void tact_log(TactLogLevel level, const char *format, ...)
{
    if (!listener || level < listener_level) {
        return;
    }
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    listener(listener_context, level, text);
}
