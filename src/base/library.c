#define _GNU_SOURCE // RTLD_DEFAULT
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool tact_library_open(const char *file, const char *const *names, void *pointers)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return false;
    }
    // A program that links the library itself may have its variables in its own memory (copy
    // relocations): then names are to be asked of the program.
    bool  linked = dlsym(RTLD_DEFAULT, names[0]) == dlsym(library, names[0]);
    char *place = pointers;
    for (int i = 0; names[i]; i++) {
        void *found = dlsym(linked ? RTLD_DEFAULT : library, names[i]);
        if (!found) {
            return false;
        }
        memcpy(place, &found, sizeof found); // POSIX: pointers to functions are as long as others
        place += sizeof found;
    }
    return true;
}
