// Functions of other people's libraries that are loaded when they are first needed: most runs need
// none of them, and loading all takes longer than a solve.
//
//     #define CALLS(X) X(aiImportFile) X(aiReleaseImport)
//     TACT_LIBRARY_LATER(assimp, "libassimp.so.5", CALLS)
//
// makes `static bool assimp_load(void)`, which may be called from any thread and any number of
// times, and the pointers `assimp.aiImportFile` and so on, to be used after it has said true. What
// is named may also be a variable: then it is a pointer to it. TACT_LIBRARY_LINKED(assimp, CALLS)
// makes the same for a library that is linked as usual: the pointers are there from the beginning.
#ifndef TACT_BASE_LIBRARY_H
#define TACT_BASE_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>

/// Opens a shared library for good, by its name in the system, and fills in the pointers in the
/// order of the names, the first of which is a function and after the last NULL. False if the
/// library or one of the names is not there.
bool tact_library_open(const char *file, const char *const *names, void *pointers);

// NOLINTBEGIN(bugprone-macro-parentheses): names of members and variables
#define TACT_LIBRARY_POINTER(name) __typeof__(name) *name;
#define TACT_LIBRARY_NAME(name) #name,
#define TACT_LIBRARY_ADDRESS(name) &name,

#define TACT_LIBRARY_LATER(library, file, CALLS)                            \
    static struct {                                                         \
        CALLS(TACT_LIBRARY_POINTER)                                         \
    } library;                                                              \
    static pthread_once_t library##_once = PTHREAD_ONCE_INIT;               \
    static bool           library##_there;                                  \
    static void           library##_open(void)                              \
    {                                                                       \
        static const char *const names[] = {CALLS(TACT_LIBRARY_NAME) NULL}; \
        library##_there = tact_library_open(file, names, &library);         \
    }                                                                       \
    static bool library##_load(void)                                        \
    {                                                                       \
        pthread_once(&library##_once, library##_open);                      \
        return library##_there;                                             \
    }

#define TACT_LIBRARY_LINKED(library, CALLS)    \
    static const struct {                      \
        CALLS(TACT_LIBRARY_POINTER)            \
    } library = {CALLS(TACT_LIBRARY_ADDRESS)}; \
    static bool library##_load(void)           \
    {                                          \
        return true;                           \
    }
// NOLINTEND(bugprone-macro-parentheses)

#endif
