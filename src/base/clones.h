// Hot loops compiled for several instruction sets, chosen when the program is loaded.
//
// The bits do not depend on the choice: contraction and reassociation are off, an element-wise
// loop gives the same numbers in lanes of any width, and sums keep a fixed number of lanes in the
// source. An explicit fma() is exact with or without the instruction.
#ifndef TACT_BASE_CLONES_H
#define TACT_BASE_CLONES_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TACT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define TACT_SANITIZED 1
#endif
#endif

// A sanitizer's run time is not up yet when the resolvers run. clang 14 gives the resolver of a
// static function a global name, so that two files cannot both have a static `axpy`.
#if defined(__clang__)
#define TACT_CLONES
#elif defined(__x86_64__) && defined(__linux__) && !defined(TACT_SANITIZED)
#define TACT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TACT_CLONES
#endif

#endif
