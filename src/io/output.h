// A file that is complete or not there: written under another name first, renamed at the end.
#ifndef TACT_IO_OUTPUT_H
#define TACT_IO_OUTPUT_H

#include <stddef.h>
#include <stdio.h>
#include <tact/base.h>

typedef struct TactOutput {
    const char *path;   // as the caller said
    char       *target; // the same without symbolic links; NULL: written in place
    char       *draft;  // written first, renamed at the end; NULL: written in place
    FILE       *stream; // numbers have a decimal point, whatever the program's locale
    void       *locale; // the caller's
} TactOutput;

/// What fails leaves nothing to close and no file.
TactStatus tact_output_open(TactOutput *output, const char *path);
/// TACT_IO_ERROR with path and reason if not all of it was written; the old file is then untouched.
TactStatus tact_output_close(TactOutput *output);
/// Closes without keeping what was written: for a writer that could not go on.
void tact_output_discard(TactOutput *output);

#endif
