#include "bench/peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool load(const char *path, TactPeers *peers)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        return false;
    }
    TactPeersFunction *function;
    *(void **)&function = dlsym(module, TACT_PEERS_SYMBOL);
    if (function) {
        *peers = function();
    }
    return function != NULL;
}

/// The module beside the program; false: where that is, is unknown.
static bool find_beside(char *path, size_t size)
{
    char    program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    int   folder = slash ? (int)(slash - program) : 0;
    snprintf(path, size, "%.*s/tact-peers.so", folder, program);
    return true;
}

bool tact_bench_has_peers(void)
{
    char path[PATH_MAX + 32];
    return find_beside(path, sizeof path) && access(path, R_OK) == 0;
}

bool tact_bench_load_peers(const char *path, TactPeers *peers)
{
    char beside[PATH_MAX + 32];
    if (!path && find_beside(beside, sizeof beside)) {
        path = beside;
    }
    bool loaded = path && load(path, peers);
    if (!loaded) {
        fprintf(stderr, "no peers: %s\n", path ? dlerror() : "where the program is, is unknown");
    }
    return loaded;
}
