// A run that is not over, in a file: what it is of, its figures, the times of its steps, and the
// state. It is written beside its place and then moved there, so that it is whole or not there.
#include <stdlib.h>
#include <string.h>

#include "bench/piles/piles.h"

/// In front of times and state. A file of another program, or of another version of it, differs.
typedef struct Head {
    char          magic[8];
    size_t        size; // of this head
    TactPileScene scene;
    TactPileRun   run;
    size_t        bytes; // of the snapshot
} Head;

static const char magic[8] = "pilepart";

static bool is_same(const TactPileScene *a, const TactPileScene *b)
{
    return a->shape == b->shape && a->number == b->number && a->seed == b->seed &&
           a->wedged == b->wedged && a->poured == b->poured && a->layers == b->layers &&
           a->sleeps == b->sleeps && a->settle == b->settle && a->step == b->step &&
           a->mu == b->mu && a->condim == b->condim && a->spin == b->spin && a->roll == b->roll &&
           a->decades == b->decades && a->bin == b->bin;
}

static bool read_head(FILE *file, const TactPileScene *scene, int most, Head *head)
{
    return fread(head, sizeof *head, 1, file) == 1 &&
           memcmp(head->magic, magic, sizeof magic) == 0 && head->size == sizeof *head &&
           is_same(&head->scene, scene) && head->run.steps >= 0 && head->run.steps <= most &&
           head->bytes < SIZE_MAX / 2;
}

bool tact_pile_part_read(const char *path, const TactPileScene *scene, TactSim *sim,
                         TactPileRun *run, double *times, int most)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    Head  head;
    if (!file) {
        return false;
    }
    bool   good = read_head(file, scene, most, &head);
    void  *bytes = good ? malloc(head.bytes + 1) : NULL;
    size_t steps = good ? (size_t)head.run.steps : 0;
    good = bytes && fread(times, sizeof *times, steps, file) == steps &&
           fread(bytes, 1, head.bytes, file) == head.bytes &&
           tact_sim_snapshot_restore(sim, bytes, head.bytes) == TACT_OK;
    if (good) {
        *run = head.run;
    }
    free(bytes);
    fclose(file);
    return good;
}

bool tact_pile_part_write(const char *path, const TactPileScene *scene, const TactSim *sim,
                          const TactPileRun *run, const double *times)
{
    char   beside[4096];
    Head   head = {.size = sizeof head, .scene = *scene, .run = *run};
    void  *bytes = NULL;
    size_t steps = (size_t)run->steps;
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) {
        return false;
    }
    memcpy(head.magic, magic, sizeof magic);
    head.bytes = tact_sim_snapshot_get_size(sim);
    bytes = malloc(head.bytes + 1);
    FILE *file = bytes ? fopen(beside, "wb") : NULL;
    bool  good = file && tact_sim_snapshot_save(sim, bytes, head.bytes) == TACT_OK &&
                fwrite(&head, sizeof head, 1, file) == 1 &&
                fwrite(times, sizeof *times, steps, file) == steps &&
                fwrite(bytes, 1, head.bytes, file) == head.bytes;
    good = file && fclose(file) == 0 && good;
    free(bytes);
    return good && rename(beside, path) == 0;
}
