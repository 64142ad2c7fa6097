# Large libraries that few runs need (HDF5, assimp, LAPACK, libwebsockets) are opened when they are
# needed, by the name that the system knows them by: see src/base/library.h. OFF links them.
option(TACT_LOAD_LATER "Open large libraries when they are needed, instead of linking them" ON)

# The name by which programs ask for a shared library (SONAME); "" if it is none, or if it is to be
# linked.
function(tact_library_name path variable)
    set(${variable} "" PARENT_SCOPE)
    get_filename_component(file ${path} REALPATH)
    if(NOT TACT_LOAD_LATER OR NOT CMAKE_OBJDUMP)
        return()
    endif()
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE about ERROR_QUIET)
    if(about MATCHES "SONAME +([^ \n]+)")
        set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
endfunction()

# For an INTERFACE target of a part of tact: the library is opened later (the definition MACRO is its
# name), or linked. Sets TACT_LOADED_LATER to the name, or "".
function(tact_load_later target macro path)
    tact_library_name(${path} name)
    if(name)
        target_compile_definitions(${target} INTERFACE ${macro}="${name}")
        target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS})
    else()
        target_link_libraries(${target} INTERFACE ${path})
    endif()
    set(TACT_LOADED_LATER ${name} PARENT_SCOPE)
endfunction()
