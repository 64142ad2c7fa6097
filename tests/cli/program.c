#include "cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "io/scratch.h"

char *tact_program_out;
char *tact_program_err;

const char *tact_program_path(void)
{
    static char program[600];
    const char *path = getenv("TACT_PROGRAM");
    const char *build = getenv("TACT_BUILD");
    snprintf(program, sizeof program, "%s%s",
             path    ? path
             : build ? build
                     : TACT_SOURCE_DIR "/build",
             path ? "" : "/tact");
    return program;
}

int tact_program_run(const char *arguments)
{
    char command[4000];
    // Redirections of the arguments come last, and win.
    snprintf(command, sizeof command, "cd '%s' && </dev/null >'%s' 2>'%s' '%s' %s",
             tact_scratch_path("."), tact_scratch_path("out"), tact_scratch_path("err"),
             tact_program_path(), arguments);
    int status = system(command);
    tact_program_forget();
    tact_program_out = tact_scratch_read(tact_scratch_path("out"));
    tact_program_err = tact_scratch_read(tact_scratch_path("err"));
    assert_non_null(tact_program_out);
    assert_non_null(tact_program_err);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void tact_program_expect(int expected, const char *arguments)
{
    int status = tact_program_run(arguments);
    if (status != expected) {
        fail_msg("tact %s: exit status %d instead of %d\n%s%s", arguments, status, expected,
                 tact_program_out, tact_program_err);
    }
}

void tact_program_refuses(size_t count, const TactProgramRefusal *cases)
{
    for (size_t i = 0; i < count; i++) {
        tact_program_expect(2, cases[i].arguments);
        assert_string_equal(tact_program_out, "");
        tact_program_words(tact_program_err, cases[i].words);
    }
}

void tact_program_words(const char *text, const char *words)
{
    if (!strstr(text, words)) {
        fail_msg("no '%s' in: %s", words, text);
    }
}

void tact_program_forget(void)
{
    free(tact_program_out);
    free(tact_program_err);
    tact_program_out = tact_program_err = NULL;
}

int tact_program_teardown(void **state)
{
    tact_program_forget();
    return tact_scratch_teardown(state);
}
