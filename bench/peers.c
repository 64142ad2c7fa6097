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

bool tact_bench_load_peers(const char *path, TactPeers *peers)
{
    char    program[PATH_MAX], beside[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (!path && length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        int   folder = slash ? (int)(slash - program) : 0;
        snprintf(beside, sizeof beside, "%.*s/tact-peers.so", folder, program);
        path = beside;
    }
    bool loaded = path && load(path, peers);
    if (!loaded) {
        fprintf(stderr, "no peers: %s\n", path ? dlerror() : "where the program is, is unknown");
    }
    return loaded;
}
