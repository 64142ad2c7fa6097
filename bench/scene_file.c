#include "bench/scene_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void tact_bench_find_scene(const char *folder, const char *name, char *path, size_t size)
{
    static const char *const places[] = {"../scenes", "../share/tact/scenes"};
    if (folder) {
        snprintf(path, size, "%s/%s", folder, name);
        return;
    }
    char    program[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char   *slash = length > 0 ? strrchr(program, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%.*s/%s/%s", (int)(slash - program), program, places[i], name);
        if (access(path, R_OK) == 0) {
            return;
        }
    }
    snprintf(path, size, "scenes/%s", name);
}
