#include "view/server/websockets.h"

#include <dlfcn.h>
#include <string.h>

TactWebsockets tact_websockets;

#ifdef TACT_WEBSOCKETS_FILE

const char *tact_websockets_load(void)
{
#define NAME(name) #name,
    static const char *const names[] = {TACT_WEBSOCKETS(NAME) NULL};
#undef NAME
    void *library = dlopen(TACT_WEBSOCKETS_FILE, RTLD_NOW | RTLD_LOCAL);
    char *place = (char *)&tact_websockets;
    for (int i = 0; library && names[i]; i++) {
        void *found = dlsym(library, names[i]);
        if (!found) {
            return "it is another version";
        }
        memcpy(place, &found, sizeof found);
        place += sizeof found;
    }
    return library ? NULL : dlerror();
}

#else

const char *tact_websockets_load(void)
{
#define ADDRESS(name) &name,
    tact_websockets = (TactWebsockets){TACT_WEBSOCKETS(ADDRESS)};
#undef ADDRESS
    return NULL;
}

#endif
