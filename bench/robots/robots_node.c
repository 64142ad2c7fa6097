// MuJoCo's package for Node: a program of its own, which prints one line of figures.
#define _GNU_SOURCE // popen()
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/robots/robots.h"

/// The script in the sources beside the folder of the program; false: it is not there.
static bool find_script(char *path, size_t size)
{
    char    program[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char   *slash = length > 0 ? strrchr(program, '/') : NULL;
    if (!slash) {
        return false;
    }
    *slash = '\0';
    return snprintf(path, size, "%s/../tests/peers/mujoco/run.mjs", program) < (int)size &&
           access(path, R_OK) == 0;
}

bool tact_robots_run_node(const char *path, const TactRobotsOptions *options, TactRobotRun *run)
{
    char script[PATH_MAX + 64], command[3 * PATH_MAX];
    if (!find_script(script, sizeof script) || strchr(path, '\'') || strchr(script, '\'')) {
        return false;
    }
    int length =
        snprintf(command, sizeof command, "timeout %d node '%s' '%s' %.9g %.9g 2>/dev/null",
                 (int)(4 * options->budget + 30), script, path, options->time, options->budget);
    FILE *pipe = length < (int)sizeof command ? popen(command, "r") : NULL;
    if (!pipe) {
        return false;
    }
    char   line[256];
    double numbers[5] = {0};
    int    read = 0;
    for (char *at = fgets(line, sizeof line, pipe); at && read < 5; read++) {
        char *end;
        numbers[read] = strtod(at, &end);
        if (end == at) {
            break;
        }
        at = end;
    }
    run->wanted = (int)numbers[0];
    run->steps = (int)numbers[1];
    run->seconds = numbers[2];
    run->speed = numbers[3];
    run->contacts = numbers[4];
    run->loaded = pclose(pipe) == 0 && read == 5;
    run->finished = run->loaded && run->steps == run->wanted;
    return run->loaded;
}
