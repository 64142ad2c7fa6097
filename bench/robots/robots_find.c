// Model files below a folder.
#define _GNU_SOURCE // nftw()
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "bench/robots/robots.h"

enum { MOST = 4096, OPEN = 16 };

// nftw() hands over nothing: one search at a time.
static char **found;
static int    found_count;
static bool   take_all;

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/// Of a folder with scenes, the scenes; else every file.
static bool is_part(const char *path, const char *name)
{
    char        other[4096];
    const char *slash;
    if (take_all || ends_with(path, ".urdf") || strncmp(name, "scene", 5) == 0 ||
        strlen(path) + sizeof "scene_right.xml" > sizeof other) {
        return false;
    }
    static const char *const scenes[] = {"scene.xml", "scene_right.xml", "mjx_scene.xml"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        slash = strrchr(path, '/');
        snprintf(other, sizeof other, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path,
                 scenes[i]);
        FILE *file = fopen(other, "r");
        if (file) {
            fclose(file);
            return strcmp(other, path) != 0 && !strstr(name, "single");
        }
    }
    return false;
}

static int visit(const char *path, const struct stat *stat, int type, struct FTW *where)
{
    (void)stat;
    if (type != FTW_F || found_count == MOST ||
        !(ends_with(path, ".xml") || ends_with(path, ".urdf")) ||
        is_part(path, path + where->base)) {
        return 0;
    }
    found[found_count] = strdup(path);
    return found[found_count++] ? 0 : 1;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **tact_robots_find(const char *folder, bool all, int *count)
{
    found = calloc(MOST, sizeof *found);
    found_count = 0;
    take_all = all;
    if (found) {
        nftw(folder, visit, OPEN, FTW_PHYS);
        qsort(found, (size_t)found_count, sizeof *found, compare);
    }
    *count = found_count;
    return found;
}

void tact_robots_free(char **files, int count)
{
    for (int i = 0; files && i < count; i++) {
        free(files[i]);
    }
    free(files);
}
