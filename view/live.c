#include "live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

enum { MOST_COMMANDS = 256 };

static const double FRAME_TIME = 1.0 / 60; // s between two frames
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
    bool         fresh;       // something to show although no step was made
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

static void open_file(TactViewLive *live, const char *file)
{
    TactViewRun *run = NULL;
    if (tact_view_run_create(file, live->config.method, live->config.cone, &run) != TACT_OK) {
        tell(live, TACT_VIEW_SLOT_ERROR, tact_view_message_error(tact_status_message()));
        return;
    }
    tact_view_run_destroy(live->run);
    live->run = run;
    live->paused = live->config.paused;
    live->single_steps = 0;
    live->fresh = true;
    set_clocks(live);
    // Frames of the old model must not meet the new one.
    tact_view_mailbox_put(live->config.mailbox, TACT_VIEW_SLOT_FRAME, NULL);
    tact_view_mailbox_put(live->config.mailbox, TACT_VIEW_SLOT_ERROR, NULL);
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
static bool step(TactViewLive *live)
{
    if (tact_view_run_step(live->run) == TACT_OK) {
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
    for (; live->single_steps > 0 && step(live); live->single_steps--) {
        live->fresh = true;
    }
    while (!live->paused) {
        double now = tact_time_now();
        double due = live->model + live->speed * (now - live->wall);
        if (tact_view_run_time(live->run) >= due) {
            break;
        }
        if (now > until) {
            set_clocks(live); // too slow for the clock: what is lost is not caught up
            break;
        }
        if (!step(live)) {
            break;
        }
        live->fresh = true;
    }
    if (live->fresh && tact_time_now() >= live->last_frame + FRAME_TIME) {
        live->fresh = false;
        live->last_frame = tact_time_now();
        tell(live, TACT_VIEW_SLOT_FRAME, tact_view_run_frame(live->run));
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
    double step = tact_view_run_timestep(live->run) / live->speed;
    double pause = step < FRAME_TIME ? step : FRAME_TIME;
    if (!live->paused && live->model + live->speed * (tact_time_now() - live->wall) >
                             tact_view_run_time(live->run)) {
        return; // late already
    }
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
    int last = live->command_count - 1;
    if (command->verb == TACT_VIEW_DRAG && last >= 0 &&
        live->commands[last].verb == TACT_VIEW_DRAG) {
        live->commands[last] = *command;
    } else if (live->command_count < MOST_COMMANDS) {
        live->commands[live->command_count++] = *command;
    }
    pthread_cond_signal(&live->asked);
    pthread_mutex_unlock(&live->lock);
}
