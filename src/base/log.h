// Telling whoever listens: inside the library.
#ifndef TACT_BASE_LOG_H
#define TACT_BASE_LOG_H

#include <tact/base.h>

__attribute__((format(printf, 2, 3))) void tact_log(TactLogLevel level, const char *format, ...);

#endif
