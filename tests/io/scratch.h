// For tests of files: a folder of their own, the sample problems, and an ear on the log.
#ifndef TACT_TESTS_IO_SCRATCH_H
#define TACT_TESTS_IO_SCRATCH_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <stdbool.h>
#include <tact/io.h>

/// Group set-up and tear-down: a new folder, and its removal with all that is in it.
int tact_scratch_setup(void **state);
int tact_scratch_teardown(void **state);

/// The path of a name in the folder; valid until the eighth call after this one.
const char *tact_scratch_path(const char *name);
/// Writes a file into the folder and returns its path.
const char *tact_scratch_write(const char *name, const char *text);
/// A whole file as a string, to be freed; NULL if it cannot be read.
char *tact_scratch_read(const char *path);
/// How many files the folder has.
int tact_scratch_count(void);

/// The folder of the sample problems, or NULL (then it prints 'skipped').
const char *tact_scratch_shared(void);

/// Listens to the log from here on, and forgets what it heard.
void tact_scratch_listen(void);
/// Was a warning heard that has these words in it?
bool tact_scratch_heard(const char *words);
int  tact_scratch_warnings(void);

/// Fails unless the last message has these words in it.
void tact_scratch_said(const char *words);

#endif
