# TACT_LTO: what a step runs through is compiled as a whole, by link-time optimisation of these folders alone, into one
# object that libtact.so and libtact.a share: functions are inlined where they are called (1 to 10 % of a robot's step;
# same bits). It takes half a minute whenever one of the files changes. gcc alone, from version 9 on.
if(TACT_LTO AND (NOT CMAKE_C_COMPILER_ID STREQUAL GNU OR TACT_SANITIZE))
    message(FATAL_ERROR "TACT_LTO=ON needs gcc, and no sanitizer")
endif()
set(step_folders
    base math linalg dynamics collide collide/convex collide/pair contact contact/certificate contact/ladder
    contact/pivot contact/problem contact/system sim sim/free sim/island sim/touch)

function(tact_find_step_sources out)
    set(found "")
    foreach(folder ${step_folders})
        file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
        list(APPEND found ${files})
    endforeach()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# More is inlined than gcc does by itself: every global function of the object may have callers elsewhere, so that one
# that is called once is as dear as any. 1 to 5 % of the 10; the object is half as large again.
set(step_inlining --param=max-inline-insns-auto=200 --param=inline-min-speedup=2 --param=inline-unit-growth=200
    --param=large-function-growth=300)

# One object, `out`, from those of an object library. Without partitions: gcc 12 loses clones between them. Registers of
# functions that are called are not told to their callers: base/clones.h says what that would cost.
function(tact_join_objects objects out)
    set(memset "")
    if(TACT_HAS_MEMSET_STRATEGY)
        set(memset -mmemset-strategy=libcall:-1:noalign)
    endif()
    target_compile_options(${objects} PRIVATE -flto -fno-fat-lto-objects -fno-ipa-ra
                           ${step_inlining})
    add_custom_command(
        OUTPUT ${out}
        COMMAND
            ${CMAKE_C_COMPILER} -r -nostdlib -O3 -fPIC -fvisibility=hidden -flto -flto-partition=none
            -flinker-output=nolto-rel -fno-ipa-ra -ffp-contract=off -fno-math-errno -fno-semantic-interposition
            ${step_inlining} ${memset} $<TARGET_OBJECTS:${objects}> -o ${out}
        DEPENDS ${objects} $<TARGET_OBJECTS:${objects}>
        COMMENT "Compiling a step as a whole"
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${objects}_joined DEPENDS ${out})
endfunction()
