#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int tact_cli_bad(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%stact:%s ", tact_cli_colour(stderr, TACT_RED),
            tact_cli_colour(stderr, TACT_PLAIN));
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return TACT_EXIT_BAD;
}

const char *tact_cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *tact_cli_colour(FILE *stream, TactCliColour colour)
{
    static const char *const code[] = {"\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m"};

    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    // by their numbers: what cli/progress puts in their place has no file of its own
    int file = stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : fileno(stream);
    bool off = (no_colour && no_colour[0] != '\0') || !isatty(file) ||
               (terminal && strcmp(terminal, "dumb") == 0);
    return off ? "" : code[colour];
}

// ---------------------------------------------------------------------------------------------
// Did you mean ...?

enum { LONGEST_WORD = 32 };

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
static int distance(const char *a, const char *b)
{
    int rows = (int)strlen(a);
    int columns = (int)strlen(b);
    if (rows > LONGEST_WORD || columns > LONGEST_WORD) {
        return 2 * LONGEST_WORD;
    }
    int d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int least = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int shorter = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] + 1 : d[i][j - 1] + 1;
            least = shorter < least ? shorter : least;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < least) {
                least = d[i - 2][j - 2] + 1;
            }
            d[i][j] = least;
        }
    }
    return d[rows][columns];
}

const char *tact_cli_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    int         least = (int)strlen(word) / 3 + 2;
    for (int i = 0; names[i]; i++) {
        int steps = distance(word, names[i]);
        if (steps < least) {
            least = steps;
            nearest = names[i];
        }
    }
    return nearest;
}
