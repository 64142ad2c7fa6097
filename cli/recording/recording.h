// What `tact info` and `tact check` do with recordings.
#ifndef TACT_CLI_RECORDING_RECORDING_H
#define TACT_CLI_RECORDING_RECORDING_H

#include <stdbool.h>

/// Says what is in a recording. Exit status 1 if it was cut off or is damaged.
int tact_recording_info(const char *path, bool json);

/// Makes the run again and compares the states at every frame, bit for bit. Exit status 1 if they
/// differ.
int tact_recording_check(const char *path, bool json);

#endif
