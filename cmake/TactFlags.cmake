# Flags of every target: the language, the warnings, the arithmetic, the sanitizers.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set_property(GLOBAL PROPERTY TARGET_MESSAGES OFF)
set(CMAKE_C_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

add_compile_options(
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Werror
    "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>"
    # The same bits from every compiler and at every level: a*b + c is two roundings.
    -ffp-contract=off
    # sqrt() is one instruction: nobody asks errno what became of it.
    -fno-math-errno
    # A public function is not replaced from outside, so calls to it inside may be inlined.
    -fno-semantic-interposition)

# Structures of 130 bytes and more are set to 0 by memset(): `rep stos`, gcc's choice, takes 20 ns to begin, and a step of
# a small robot has a dozen of them in 2 us.
include(CheckCCompilerFlag)
check_c_compiler_flag(-mmemset-strategy=libcall:-1:noalign TACT_HAS_MEMSET_STRATEGY)
if(TACT_HAS_MEMSET_STRATEGY)
    add_compile_options("$<$<COMPILE_LANGUAGE:C>:-mmemset-strategy=libcall:-1:noalign>")
endif()

if(TACT_SANITIZE)
    add_compile_options(-fsanitize=${TACT_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TACT_SANITIZE})
endif()
if(TACT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "TACT_FUZZ needs clang: use the preset 'fuzz'")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
