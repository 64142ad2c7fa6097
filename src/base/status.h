// Failing with a message: inside the library.
#ifndef TACT_BASE_STATUS_H
#define TACT_BASE_STATUS_H

#include <tact/base.h>

/// Sets this thread's message and returns the status, so that `return tact_fail(...)` reads well.
__attribute__((format(printf, 2, 3))) TactStatus tact_fail(TactStatus status, const char *format,
                                                           ...);

/// Passes a failure on to the caller.
#define TACT_TRY(call)                        \
    do {                                      \
        TactStatus tact_try_status_ = (call); \
        if (tact_try_status_ != TACT_OK) {    \
            return tact_try_status_;          \
        }                                     \
    } while (0)

/// Refuses a call whose arguments are not all there.
#define TACT_NEED(condition, call)                                                  \
    do {                                                                            \
        if (!(condition)) {                                                         \
            return tact_fail(TACT_BAD_ARGUMENT, "%s: an argument is NULL", (call)); \
        }                                                                           \
    } while (0)

#endif
