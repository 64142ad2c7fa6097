// fopencookie() is an extension of GNU's C library. Without it the line is drawn on standard error
// only if standard output goes elsewhere.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "cli/progress/terminal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

static struct {
    pthread_mutex_t mutex;
    bool            open;
    bool            drawn; // the line is on the screen
    bool            half;  // something was printed that has not ended its line
    pid_t           process;
    FILE           *output, *error; // the streams of before
} terminal = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/// All of it, unless the terminal is gone.
static ssize_t write_all(int file, const char *text, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t now = write(file, text + done, size - done);
        if (now <= 0) {
            return done > 0 ? (ssize_t)done : now;
        }
        done += (size_t)now;
    }
    return (ssize_t)done;
}

static void erase(void)
{
    static const char code[] = "\r\033[K";
    if (terminal.drawn) {
        (void)write_all(STDERR_FILENO, code, sizeof code - 1);
        terminal.drawn = false;
    }
}

#ifdef __GLIBC__

/// What a stream of the program writes; cookie is its file.
static ssize_t write_beside(void *cookie, const char *text, size_t size)
{
    int file = *(const int *)cookie;
    if (getpid() != terminal.process) { // a child: the line is not its own
        return write_all(file, text, size);
    }
    pthread_mutex_lock(&terminal.mutex);
    erase();
    ssize_t written = write_all(file, text, size);
    if (written > 0) {
        terminal.half = text[written - 1] != '\n';
    }
    pthread_mutex_unlock(&terminal.mutex);
    return written;
}

/// A stream that writes to the file of another one, and erases the line before.
static FILE *open_beside(const int *file, int buffering)
{
    cookie_io_functions_t calls = {.write = write_beside};
    FILE                 *stream = fopencookie((void *)file, "w", calls);
    if (stream) {
        setvbuf(stream, NULL, buffering, BUFSIZ);
    }
    return stream;
}

static bool take_streams(void)
{
    static const int output = STDOUT_FILENO, error = STDERR_FILENO;
    FILE            *beside_error = open_beside(&error, _IONBF);
    FILE            *beside_output = isatty(STDOUT_FILENO) ? open_beside(&output, _IOLBF) : NULL;
    if (!beside_error || (isatty(STDOUT_FILENO) && !beside_output)) {
        if (beside_error) {
            fclose(beside_error);
        }
        return false;
    }
    fflush(stdout);
    terminal.output = stdout;
    terminal.error = stderr;
    stdout = beside_output ? beside_output : stdout;
    stderr = beside_error;
    return true;
}

static void give_streams(void)
{
    fflush(stdout);
    if (stdout != terminal.output) {
        fclose(stdout);
    }
    fclose(stderr);
    stdout = terminal.output;
    stderr = terminal.error;
}

#else

static bool take_streams(void)
{
    return !isatty(STDOUT_FILENO);
}

static void give_streams(void)
{
}

#endif

bool tact_terminal_open(void)
{
    const char *kind = getenv("TERM");
    if (!isatty(STDERR_FILENO) || (kind && strcmp(kind, "dumb") == 0)) {
        return false;
    }
    terminal.process = getpid();
    terminal.drawn = terminal.half = false;
    terminal.open = take_streams();
    return terminal.open;
}

void tact_terminal_close(void)
{
    if (!terminal.open) {
        return;
    }
    pthread_mutex_lock(&terminal.mutex);
    erase();
    terminal.open = false;
    pthread_mutex_unlock(&terminal.mutex);
    give_streams();
}

int tact_terminal_get_width(void)
{
    struct winsize size = {.ws_col = 0};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    return size.ws_col > 1 ? size.ws_col - 1 : 79;
}

void tact_terminal_draw(const char *text)
{
    int  width = tact_terminal_get_width();
    char code[512];
    pthread_mutex_lock(&terminal.mutex);
    if (terminal.open && !terminal.half) {
        int length =
            snprintf(code, sizeof code, "\r%s%.*s%s\033[K", tact_cli_colour(stderr, TACT_DIM),
                     width, text, tact_cli_colour(stderr, TACT_PLAIN));
        length = length < (int)sizeof code ? length : (int)sizeof code - 1;
        terminal.drawn = write_all(STDERR_FILENO, code, (size_t)length) > 0;
    }
    pthread_mutex_unlock(&terminal.mutex);
}
