#include "cli/model_file.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress/progress.h"

extern char **environ;

enum { MESSAGE = 512 };

/// Starts xacro on the file, its output at the other end of a pipe. False: it cannot be started.
static bool start_xacro(const char *file, pid_t *child, int *from, int *why)
{
    int ends[2];
    if (pipe(ends) != 0) {
        *why = errno;
        return false;
    }
    char                       word[] = "xacro";
    char                      *arguments[] = {word, (char *)file, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    *why = posix_spawnp(child, word, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *from = ends[0];
    if (*why != 0) {
        close(ends[0]);
    }
    return *why == 0;
}

/// All that comes out of a pipe, to be freed; NULL: no memory.
static char *read_all(int from, size_t *size)
{
    size_t room = 1 << 16;
    char  *text = malloc(room);
    *size = 0;
    while (text) {
        ssize_t got = read(from, text + *size, room - *size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        *size += (size_t)got;
        if (*size == room) {
            char *larger = realloc(text, room *= 2);
            if (!larger) {
                free(text);
            }
            text = larger;
        }
    }
    return text;
}

static TactStatus expand(const char *file, char **text, size_t *size, char message[MESSAGE])
{
    pid_t child;
    int   from, why, state = 0;
    *text = NULL;
    if (!start_xacro(file, &child, &from, &why)) {
        snprintf(message, MESSAGE, "%.200s: --xacro: the program xacro cannot be run: %s", file,
                 strerror(why));
        return TACT_UNSUPPORTED;
    }
    *text = read_all(from, size);
    close(from);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    if (!*text) {
        snprintf(message, MESSAGE, "%.200s: no memory", file);
        return TACT_NO_MEMORY;
    }
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
        snprintf(message, MESSAGE, "%.200s: xacro failed%s", file,
                 WIFEXITED(state) && WEXITSTATUS(state) == 127 ? ": there is no such program" : "");
        return TACT_BAD_INPUT;
    }
    return TACT_OK;
}

TactStatus tact_cli_load_model(const char *file, bool xacro, const TactModelLoadConfig *config,
                               TactModel **model, TactModelNotes **notes, char message[MESSAGE])
{
    char      *text = NULL;
    size_t     size = 0;
    TactStatus status;
    message[0] = '\0';
    tact_progress_stage("reading %s", tact_cli_base_name(file));
    if (xacro) {
        status = expand(file, &text, &size, message);
        if (status == TACT_OK) {
            status = tact_model_load_memory(file, text, size, config, model, notes);
        }
    } else {
        status = tact_model_load(file, config, model, notes);
    }
    if (status != TACT_OK && !message[0]) {
        snprintf(message, MESSAGE, "%s", tact_status_message());
    }
    free(text);
    return status;
}

int tact_cli_find_keyframe(const TactModel *model, const char *file, const char *name)
{
    int  index = tact_model_find(model, TACT_OBJECT_KEYFRAME, name), count = model->keyframe_count;
    char label[64], *end;
    for (int i = 0; i < count && index < 0; i++) {
        index = strcmp(tact_model_label(model, TACT_OBJECT_KEYFRAME, i, label), name) == 0 ? i : -1;
    }
    if (index < 0 && name[0] >= '0' && name[0] <= '9') {
        long number = strtol(name, &end, 10);
        index = *end == '\0' && number < count ? (int)number : -1;
    }
    if (index < 0 && count == 0) {
        tact_cli_bad("%s has no keyframes, and so no keyframe '%s'", file, name);
    } else if (index < 0) {
        tact_cli_bad("%s has no keyframe '%s'; the first one is '%s'", file, name,
                     tact_model_label(model, TACT_OBJECT_KEYFRAME, 0, label));
    }
    return index;
}
