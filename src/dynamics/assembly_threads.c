// Threads of divide and conquer: the nodes of a level are dealt out in turn.
//
// A node is computed by one thread from nodes of lower levels alone, so that its bits do not depend
// on who computes it.
#include "base/status.h"
#include "base/threads.h"
#include "dynamics/assembly.h"

enum { WORTH_WHILE = 8 }; // nodes a level below which one thread does it all

typedef struct TactAssemblyThreads {
    TactAssembly     *assembly;
    TactThreads      *pool;
    int               count; // with the caller
    TactAssemblyWork *work;
    int               level;
} TactAssemblyThreads;

static void run_share(const TactAssemblyThreads *t, int number, int count)
{
    TactAssembly *assembly = t->assembly;
    for (int i = assembly->level_start[t->level] + number; i < assembly->level_start[t->level + 1];
         i += count) {
        t->work(assembly, &assembly->nodes[assembly->order[i]]);
    }
}

static void work_together(void *context, int number)
{
    const TactAssemblyThreads *t = context;
    run_share(t, number, t->count);
}

TactStatus tact_assembly_threads_create(TactAssembly *assembly, int threads)
{
    TactAssemblyThreads *t = NULL;
    TACT_TRY(tact_allocate(1, sizeof *t, (void **)&t));
    t->assembly = assembly;
    t->count = threads;
    assembly->threads = t;
    return tact_threads_create(threads, "assembly", &t->pool);
}

void tact_assembly_threads_destroy(TactAssembly *assembly)
{
    if (assembly->threads) {
        tact_threads_destroy(assembly->threads->pool);
        tact_release(assembly->threads);
        assembly->threads = NULL;
    }
}

void tact_assembly_run_level(TactAssembly *assembly, TactAssemblyWork *work, int level)
{
    TactAssemblyThreads *t = assembly->threads;
    if (!t || assembly->level_start[level + 1] - assembly->level_start[level] < WORTH_WHILE) {
        TactAssemblyThreads alone = {.assembly = assembly, .work = work, .level = level};
        run_share(&alone, 0, 1);
        return;
    }
    t->work = work;
    t->level = level;
    tact_threads_run(t->pool, work_together, t);
}
