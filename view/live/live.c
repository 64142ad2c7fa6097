#include "view/live/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "view/live/view_run.h"

enum { MOST_COMMANDS = 256 };

static const double FRAME_TIME = 1.0 / 60; // s between two frames
static const double LONGEST_WAIT = 0.1;    // s, for the next step of a slow run
static const double SLOWEST = 1e-3, FASTEST = 1e3;

struct TactViewLive {
    TactViewLiveConfig config;
    pthread_t          thread;
    pthread_mutex_t    lock;
    pthread_cond_t     asked;

    // Under the lock
    bool            quit;
    char           *file; // to be opened
    TactViewCommand commands[MOST_COMMANDS];
    int             command_count;

    // Of the thread alone
    TactViewRun *run; // NULL: nothing is loaded
    bool         paused;
    int          single_steps; // to be made although it is paused
    double       speed;
    double       wall, model; // moments of the two clocks that belong together
    double       last_frame;  // on the wall
    long         steps;       // since the last frame
    double       step_cpu;    // that they took of this thread, s
    double       cpu;         // of this thread at the last frame, s
    bool         fresh;       // something to show
    bool         behind;      // the model does not keep pace with the wall
};

static void tell(TactViewLive *live, TactViewSlot slot, TactViewMessage *message)
{
    tact_view_mailbox_put(live->config.mailbox, slot, message);
    live->config.wake(live->config.context);
}

static void tell_state(TactViewLive *live)
{
    tell(live, TACT_VIEW_SLOT_STATE, tact_view_run_state(live->run, live->paused, live->speed));
}

/// The clocks go on from here.
static void set_clocks(TactViewLive *live)
{
    live->wall = tact_time_now();
    live->model = live->run ? tact_view_run_time(live->run) : 0;
}

/// Of the calling thread: what others do on the machine is not in it.
static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// The newest frame, with what a step took of this thread's time since the last one.
static void tell_frame(TactViewLive *live)
{
    double          now = cpu_now(), steps = live->steps > 0 ? (double)live->steps : 1;
    TactViewRunCost cost = {live->step_cpu / steps,
                            live->steps > 0 ? (now - live->cpu) / steps : 0};
    live->cpu = now;
    live->step_cpu = 0;
    live->steps = 0;
    live->fresh = false;
    live->last_frame = tact_time_now();
    tell(live, TACT_VIEW_SLOT_FRAME, tact_view_run_frame(live->run, cost));
}

static void open_file(TactViewLive *live, const char *file)
{
    TactViewRun *run = NULL;
    if (tact_view_run_create(file, live->config.method, live->config.cone, live->config.share,
                             live->config.sleep, &run) != TACT_OK) {
        tell(live, TACT_VIEW_SLOT_ERROR, tact_view_message_error(tact_status_message()));
        return;
    }
    if (tact_view_run_sleep(run) > 0) {
        fprintf(stderr,
                "tact: %s: bodies at rest for %g s sleep until something touches them, and show "
                "their last contacts (--sleep 0: none does)\n",
                file, tact_view_run_sleep(run));
    }
    tact_view_run_destroy(live->run);
    live->run = run;
    live->paused = live->config.paused;
    live->single_steps = 0;
    live->fresh = true;
    live->steps = 0;
    live->step_cpu = 0;
    set_clocks(live);
    // Frames of the old model must not meet the new one.
    tact_view_mailbox_put(live->config.mailbox, TACT_VIEW_SLOT_FRAME, NULL);
    tact_view_mailbox_put(live->config.mailbox, TACT_VIEW_SLOT_ERROR, NULL);
    tact_view_mailbox_put(live->config.mailbox, TACT_VIEW_SLOT_WORDS, NULL);
    tell(live, TACT_VIEW_SLOT_SCENE, tact_view_run_scene(run));
    tell_state(live);
}

static void follow(TactViewLive *live, const TactViewCommand *command)
{
    if (!live->run) {
        return;
    }
    switch (command->verb) {
    case TACT_VIEW_PLAY: live->paused = false; break;
    case TACT_VIEW_PAUSE: live->paused = true; break;
    case TACT_VIEW_STEP:
        live->paused = true;
        live->single_steps++;
        break;
    case TACT_VIEW_SPEED:
        live->speed = command->value < SLOWEST   ? SLOWEST
                      : command->value > FASTEST ? FASTEST
                                                 : command->value;
        break;
    case TACT_VIEW_EXPLAIN:
        tell(live, TACT_VIEW_SLOT_WORDS, tact_view_run_words(live->run, live->config.explain));
        return;
    case TACT_VIEW_REWIND:
        live->paused = true;
        live->last_frame = 0; // it is shown at once
        live->fresh = tact_view_run_command(live->run, command) == TACT_OK || live->fresh;
        break;
    default:
        if (tact_view_run_command(live->run, command) != TACT_OK) {
            return;
        }
        live->fresh = true;
        break;
    }
    set_clocks(live);
    if (command->verb != TACT_VIEW_DRAG && command->verb != TACT_VIEW_RELEASE &&
        command->verb != TACT_VIEW_CONTROL) {
        tell_state(live);
    }
}

/// A step that is refused stops the run and says why.
static bool step_run(TactViewLive *live)
{
    if (tact_view_run_step(live->run) == TACT_OK) {
        live->steps++;
        return true;
    }
    tell(live, TACT_VIEW_SLOT_ERROR, tact_view_message_error(tact_status_message()));
    live->paused = true;
    live->single_steps = 0;
    tell_state(live);
    return false;
}

/// Steps until the model's clock has caught up, or it is time for a frame.
static void advance(TactViewLive *live)
{
    double until = tact_time_now() + FRAME_TIME;
    double cpu = cpu_now();
    for (; live->single_steps > 0 && step_run(live); live->single_steps--) {
        live->fresh = true;
    }
    live->behind = false;
    while (!live->paused) {
        double now = tact_time_now();
        double due = live->model + live->speed * (now - live->wall);
        if (tact_view_run_time(live->run) >= due) {
            break;
        }
        if (now > until) {
            set_clocks(live); // what is lost is not caught up
            live->behind = true;
            break;
        }
        if (!step_run(live)) {
            break;
        }
        live->fresh = true;
    }
    live->step_cpu += cpu_now() - cpu;
    if (live->fresh && tact_time_now() >= live->last_frame + FRAME_TIME) {
        tell_frame(live);
    }
}

/// Waits for a command, or for the next moment of a run. Under the lock.
static void wait(TactViewLive *live)
{
    bool idle = !live->run || (live->paused && live->single_steps == 0 && !live->fresh);
    if (live->quit || live->file || live->command_count > 0) {
        return;
    }
    if (idle) {
        pthread_cond_wait(&live->asked, &live->lock);
        return;
    }
    if (live->behind) {
        return;
    }
    // The steps of a frame are made in one go: waking up for each would cost more than a light one.
    double now = tact_time_now();
    double next = live->wall + (tact_view_run_time(live->run) - live->model) / live->speed;
    double pause = live->last_frame + FRAME_TIME - now;
    pause = live->paused ? pause : fmax(pause, next - now);
    pause = fmin(fmax(pause, 0), LONGEST_WAIT);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * pause);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&live->asked, &live->lock, &until);
}

static void *work(void *pointer)
{
    TactViewLive   *live = pointer;
    TactViewCommand commands[MOST_COMMANDS];
    for (;;) {
        pthread_mutex_lock(&live->lock);
        wait(live);
        bool  quit = live->quit;
        char *file = live->file;
        int   count = live->command_count;
        memcpy(commands, live->commands, (size_t)count * sizeof *commands);
        live->file = NULL;
        live->command_count = 0;
        pthread_mutex_unlock(&live->lock);
        if (quit) {
            free(file);
            return NULL;
        }
        for (int i = 0; i < count; i++) {
            follow(live, &commands[i]);
        }
        if (file) {
            open_file(live, file);
            free(file);
        }
        if (live->run) {
            advance(live);
        }
    }
}

TactViewLive *tact_view_live_create(const TactViewLiveConfig *config)
{
    TactViewLive *live = calloc(1, sizeof *live);
    if (!live) {
        return NULL;
    }
    live->config = *config;
    live->paused = config->paused;
    live->speed = 1;
    pthread_mutex_init(&live->lock, NULL);
    pthread_cond_init(&live->asked, NULL);
    if (pthread_create(&live->thread, NULL, work, live) != 0) {
        pthread_cond_destroy(&live->asked);
        pthread_mutex_destroy(&live->lock);
        free(live);
        return NULL;
    }
    return live;
}

void tact_view_live_destroy(TactViewLive *live)
{
    if (!live) {
        return;
    }
    pthread_mutex_lock(&live->lock);
    live->quit = true;
    pthread_cond_signal(&live->asked);
    pthread_mutex_unlock(&live->lock);
    pthread_join(live->thread, NULL);
    tact_view_run_destroy(live->run);
    pthread_cond_destroy(&live->asked);
    pthread_mutex_destroy(&live->lock);
    free(live->file);
    free(live);
}

void tact_view_live_open(TactViewLive *live, const char *file)
{
    char *copy = strdup(file);
    pthread_mutex_lock(&live->lock);
    free(live->file);
    live->file = copy;
    pthread_cond_signal(&live->asked);
    pthread_mutex_unlock(&live->lock);
}

void tact_view_live_command(TactViewLive *live, const TactViewCommand *command)
{
    pthread_mutex_lock(&live->lock);
    int  last = live->command_count - 1;
    bool again = command->verb == TACT_VIEW_DRAG || command->verb == TACT_VIEW_EXPLAIN;
    if (again && last >= 0 && live->commands[last].verb == command->verb) {
        live->commands[last] = *command;
    } else if (live->command_count < MOST_COMMANDS) {
        live->commands[live->command_count++] = *command;
    }
    pthread_cond_signal(&live->asked);
    pthread_mutex_unlock(&live->lock);
}
