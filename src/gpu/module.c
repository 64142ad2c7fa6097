// Finding the module of a device: that of CUDA beside the library, or where TACT_GPU_MODULE says.
#define _GNU_SOURCE
#include "gpu/module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

TACT_WORDS(TactDevice, device, "device", [TACT_DEVICE_CPU] = "cpu", [TACT_DEVICE_CUDA] = "cuda")

static const char MODULE[] = "libtact_gpu.so";

enum { PATH = 4096, REASON = 512 };

static pthread_once_t       once = PTHREAD_ONCE_INIT;
static const TactGpuModule *cuda;
static char                 reason[REASON]; // why it is NULL

/// Opens a file; NULL if it is not there or not ours.
static const TactGpuModule *open_module(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(reason, sizeof reason, "%s", dlerror());
        return NULL;
    }
    const TactGpuModule *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(library, "tact_gpu_module");
    const TactGpuModule *module = entry ? entry() : NULL;
    if (!module || module->version != TACT_GPU_MODULE_VERSION) {
        snprintf(reason, sizeof reason, "%s is not a module of this version", path);
        dlclose(library);
        return NULL;
    }
    return module;
}

static void load_cuda(void)
{
    const char *given = getenv("TACT_GPU_MODULE");
    char        path[PATH];
    Dl_info     own;
    if (given) {
        cuda = open_module(given);
        return;
    }
    if (dladdr(MODULE, &own) && own.dli_fname) {
        const char *slash = strrchr(own.dli_fname, '/');
        int         folder = slash ? (int)(slash - own.dli_fname) : 0;
        if (slash && folder < PATH - (int)sizeof MODULE - 1) {
            snprintf(path, sizeof path, "%.*s/%s", folder, own.dli_fname, MODULE);
            cuda = open_module(path);
        }
    }
    cuda = cuda ? cuda : open_module(MODULE);
}

void tact_gpu_use_module(const TactGpuModule *module)
{
    pthread_once(&once, load_cuda);
    cuda = module;
}

TactStatus tact_gpu_find_module(TactDevice device, const TactGpuModule **module)
{
    *module = &tact_gpu_host_module;
    if (device == TACT_DEVICE_CPU) {
        return TACT_OK;
    }
    if (device != TACT_DEVICE_CUDA) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no device %d", (int)device);
    }
    pthread_once(&once, load_cuda);
    *module = cuda;
    if (!cuda) {
        return tact_fail(TACT_UNSUPPORTED,
                         "no GPU: %s. The module is built where nvcc is found; TACT_GPU_MODULE may "
                         "name it",
                         reason);
    }
    char message[TACT_GPU_MESSAGE] = "";
    int  count = cuda->count_devices(message);
    if (count < 1) {
        return tact_fail(TACT_UNSUPPORTED, "no GPU: %s", count < 0 ? message : "none is there");
    }
    return TACT_OK;
}

int tact_device_count(TactDevice device)
{
    const TactGpuModule *module = NULL;
    char                 message[TACT_GPU_MESSAGE] = "";
    if (tact_gpu_find_module(device, &module)) {
        return 0;
    }
    return module->count_devices(message);
}
