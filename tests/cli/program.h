// The program, run from outside.
#ifndef TACT_TESTS_CLI_PROGRAM_H
#define TACT_TESTS_CLI_PROGRAM_H

#include <stddef.h>

/// What the last run printed.
extern char *tact_program_out;
extern char *tact_program_err;

/// Runs `tact` with these arguments in the scratch folder; returns the exit status.
int tact_program_run(const char *arguments);
/// Runs it and fails unless the exit status is this.
void tact_program_expect(int status, const char *arguments);
/// Command lines that cannot be, and words that standard error must have for each.
typedef struct TactProgramRefusal {
    const char *arguments;
    const char *words;
} TactProgramRefusal;

/// Runs each: exit status 2, nothing on standard output and the words on standard error.
void tact_program_refuses(size_t count, const TactProgramRefusal *cases);
/// Where the program is: $TACT_PROGRAM, or `tact` of $TACT_BUILD or of the folder build.
const char *tact_program_path(void);
/// Fails unless the text has these words in it.
void tact_program_words(const char *text, const char *words);
/// Frees what the last run printed.
void tact_program_forget(void);
/// The same at the end of a test program, and the scratch folder goes: for cmocka.
int tact_program_teardown(void **state);

#endif
