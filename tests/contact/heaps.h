// Problems of heaps that fall, for tests that solve them once more.
#ifndef TESTS_CONTACT_HEAPS_H
#define TESTS_CONTACT_HEAPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <tact/io.h>

#include "bench/piles/piles.h"
#include "io/scratch.h"

/// Problems of a heap that falls, written to the test's folder.
static inline void make_heap(const TactPileScene *scene, double time, int least)
{
    TactPileSave save = {.folder = tact_scratch_path("."), .least = least};
    TactPileRun  run;
    assert_int_equal(tact_pile_run_scene(scene, time, &save, &run), TACT_OK);
    assert_int_equal(run.certified, run.solves);
    assert_true(run.saved > 0);
}

typedef void Visit(void *context, TactContactFile *file, const char *name);

/// All files whose names begin so.
static inline int visit_folder(const char *folder, const char *begin, Visit *visit, void *context)
{
    DIR *directory = opendir(folder);
    char path[1000];
    int  files = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strstr(entry->d_name, ".json") && strncmp(entry->d_name, begin, strlen(begin)) == 0) {
            TactContactFile *file = NULL;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            assert_int_equal(tact_contact_read(path, &file), TACT_OK);
            visit(context, file, entry->d_name);
            tact_contact_file_destroy(file);
            files++;
        }
    }
    closedir(directory);
    return files;
}

/// Problems of the first moments of 64 boxes, wedged at the start; made once.
static inline int visit_wedged(double time, Visit *visit, void *context)
{
    static const TactPileScene scene = {.shape = TACT_PILE_BOXES,
                                        .number = 64,
                                        .seed = 9,
                                        .wedged = true,
                                        .step = 0.005,
                                        .mu = 0.5};
    static bool                made;
    if (!made) {
        make_heap(&scene, time, 100);
        made = true;
    }
    return visit_folder(tact_scratch_path("."), "boxes", visit, context);
}

#endif
