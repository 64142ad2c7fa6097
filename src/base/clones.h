// Hot loops compiled for several instruction sets, chosen when the program is loaded.
//
//     TACT_CLONES f()          one source, several targets: nearly everything
//     TACT_CALLED_BY_CLONES    before a function that a clone calls and that is none itself
//     TACT_EIGHT_LANES         a source of its own for vectors of eight doubles, which only pay
//                              where there are registers for them: between TACT_EIGHT_LANES_BEGIN
//                              and _END, to be called if tact_has_eight_lanes()
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

// A plain function that a clone calls. If gcc 12 sees which registers it uses, it leaves the upper
// halves of the wide ones as they are over the call; then the first plain instruction there, and
// the first wide one after it, wait 50 ns each. Inlined into the clone it is none of that.
#if defined(__GNUC__) && !defined(__clang__)
#define TACT_CALLED_BY_CLONES __attribute__((noipa))
#else
#define TACT_CALLED_BY_CLONES
#endif

// gcc alone: clang 14 has no such pragma for a part of a file.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define TACT_EIGHT_LANES 1
#define TACT_EIGHT_LANES_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"arch=x86-64-v4\")")
#define TACT_EIGHT_LANES_END _Pragma("GCC pop_options")
static inline int tact_has_eight_lanes(void)
{
    return __builtin_cpu_supports("x86-64-v4");
}
#else
#define TACT_EIGHT_LANES 0
static inline int tact_has_eight_lanes(void)
{
    return 0;
}
#endif

#endif
