#include "cli/progress/progress.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <tact/base.h>

#include "cli/progress/terminal.h"

enum { WIDTH = 30, NARROW = 10, WIDE = 110, WORDS = 160 }; // of the bar; columns; words

static const double PERIOD = 0.1;   // s from one drawing to the next
static const double PATIENCE = 1.0; // s that pass before the first
static const double MUCH = 1e8;     // operations of a solve that are worth a word

/// One stage of work.
typedef struct Stage {
    double begun;       // s, when it began
    double first;       // s, when its share was told first
    double first_share; // which was this
    double share;       // < 0: not known
    char   words[WORDS];
} Stage;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t  ended;
    pthread_t       thread;
    bool            runs, ends;
    double          begun; // s
    Stage           stage;
} line = {.mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static atomic_bool due, quiet;

// ---------------------------------------------------------------------------------------------
// Drawing

/// 95 s as "1:35".
static const char *duration(double seconds, char text[32])
{
    long s = seconds < 1e8 ? lround(seconds) : 100000000;
    if (s >= 3600) {
        snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, 32, "%ld:%02ld", s / 60, s % 60);
    }
    return text;
}

/// The line as it is now.
static void draw(double now)
{
    const Stage *stage = &line.stage;
    char         text[WORDS + 128], clock[32];
    double       grown = stage->share - stage->first_share, took = now - stage->first;
    if (stage->share < 0) {
        TactWork work = tact_work_get();
        char     done[64] = "";
        if (work.operations > MUCH && isfinite(work.error)) {
            snprintf(done, sizeof done, ", %.1e operations, error %.0e", work.operations,
                     work.error);
        } else if (work.operations > MUCH) {
            snprintf(done, sizeof done, ", %.1e operations", work.operations);
        }
        snprintf(text, sizeof text, "%s, %s so far%s", stage->words,
                 duration(now - stage->begun, clock), done);
    } else {
        // The time left comes first: what is cut off on the right is the words.
        bool known = grown > 0 && took > PERIOD;
        int  width = tact_terminal_get_width() >= WIDE ? WIDTH : NARROW;
        snprintf(text, sizeof text, "[%-*.*s] %3.0f %%  %s left, %s", width,
                 (int)(width * stage->share), "##############################", 100 * stage->share,
                 known ? duration((1 - stage->share) * took / grown, clock) : "?", stage->words);
    }
    tact_terminal_draw(text);
}

static void *keep_drawing(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&line.mutex);
    while (!line.ends) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(1e9 * PERIOD);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&line.ended, &line.mutex, &until);
        double now = tact_time_now();
        if (!line.ends && now - line.begun >= PATIENCE && !atomic_load(&quiet)) {
            draw(now);
        }
        atomic_store(&due, true);
    }
    pthread_mutex_unlock(&line.mutex);
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Beginning, ending

void tact_progress_begin(void)
{
    if (line.runs || atomic_load(&quiet) || !tact_terminal_open()) {
        return;
    }
    line.begun = tact_time_now();
    line.ends = false;
    line.stage = (Stage){.begun = line.begun, .share = -1, .words = "at work"};
    // signals are for the thread that works
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    line.runs = pthread_create(&line.thread, NULL, keep_drawing, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!line.runs) {
        tact_terminal_close();
    }
}

void tact_progress_end(void)
{
    if (!line.runs) {
        return;
    }
    pthread_mutex_lock(&line.mutex);
    line.ends = true;
    pthread_cond_signal(&line.ended);
    pthread_mutex_unlock(&line.mutex);
    pthread_join(line.thread, NULL);
    line.runs = false;
    atomic_store(&due, false);
    tact_terminal_close();
}

void tact_progress_silence(void)
{
    atomic_store(&quiet, true);
    tact_progress_end();
}

// ---------------------------------------------------------------------------------------------
// News

void tact_progress_stage(const char *format, ...)
{
    if (!line.runs) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&line.mutex);
    line.stage = (Stage){.begun = tact_time_now(), .share = -1};
    vsnprintf(line.stage.words, sizeof line.stage.words, format, arguments);
    pthread_mutex_unlock(&line.mutex);
    va_end(arguments);
}

bool tact_progress_due(void)
{
    return atomic_load_explicit(&due, memory_order_relaxed);
}

void tact_progress_tell(double share, const char *format, ...)
{
    if (!line.runs) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&line.mutex);
    atomic_store(&due, false);
    Stage *stage = &line.stage;
    share = share > 0 ? fmin(share, 1) : 0; // not of NaN either
    if (stage->share < 0 || share < stage->share) {
        stage->first = stage->share < 0 && share == 0 ? stage->begun : tact_time_now();
        stage->first_share = share;
    }
    stage->share = share;
    vsnprintf(stage->words, sizeof stage->words, format, arguments);
    pthread_mutex_unlock(&line.mutex);
    va_end(arguments);
}
