// MPI is not linked: a module beside the program brings it, where it was built.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/ranks/ranks.h"
#include "cli/sweep/sweep.h"

static TactMpiClose *close_mpi;

bool tact_sweep_is_rank(void)
{
    // Open MPI's mpirun, and Slurm's srun with PMIx or PMI2: a rank, and others beside it.
    static const char *const marks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", "PMI_SIZE"};
    bool                     marked = false, several = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *size = getenv(sizes[i]);
        marked = marked || getenv(marks[i]);
        several = several || (size && strtol(size, NULL, 10) > 1);
    }
    return marked && several;
}

bool tact_sweep_is_task(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks && strtol(tasks, NULL, 10) > 1;
}

/// The module, beside the program or where it is installed. False: there is none.
static bool find_module(char *path, size_t room)
{
    static const char *const places[] = {"tact-mpi.so", "../lib/tact/tact-mpi.so"};
    char                     program[PATH_MAX];
    ssize_t                  length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    int   folder = slash ? (int)(slash - program) : 0;
    bool  found = false;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        snprintf(path, room, "%.*s/%s", folder, program, places[i]);
        found = access(path, R_OK) == 0;
    }
    return found;
}

const char *tact_cli_mpi(void)
{
    char path[PATH_MAX + 64];
    return find_module(path, sizeof path) ? "yes" : "no";
}

static void *open_module(void)
{
    char path[PATH_MAX + 64];
    if (!find_module(path, sizeof path)) {
        tact_cli_bad("this tact was built without MPI: there is no tact-mpi.so beside it (Debian: "
                     "libopenmpi-dev)");
        return NULL;
    }
    // Open MPI loads parts of its own, which look for its names among the global ones.
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!module) {
        tact_cli_bad("MPI cannot be loaded: %s", dlerror());
    }
    return module;
}

bool tact_sweep_open_ranks(const TactSweepOptions *options, TactSweepLink *link)
{
    void        *module = open_module();
    TactMpiOpen *open_mpi = NULL;
    const char  *why = "the module is another one's";
    *link = (TactSweepLink){.silence = options->silence};
    if (!module) {
        return false;
    }
    *(void **)&open_mpi = dlsym(module, TACT_MPI_OPEN_SYMBOL);
    *(void **)&close_mpi = dlsym(module, TACT_MPI_CLOSE_SYMBOL);
    if (!open_mpi || !close_mpi || (why = open_mpi(link))) {
        tact_cli_bad("MPI: %s", why);
        return false;
    }
    return true;
}

void tact_sweep_close_ranks(TactSweepLink *link, int lost, int status)
{
    if (close_mpi) {
        fflush(NULL);
        close_mpi(link, lost, status);
    }
}
