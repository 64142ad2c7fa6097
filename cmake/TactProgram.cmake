# bench/ and its rooms, all that `tact bench` does, as a library that tests link too (families of
# problems); cli/ and its rooms, the program. Both see include/ and not src/; their own headers are
# "bench/file.h" and "cli/room/file.h", from the root of the project.
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c
                                          ${PROJECT_SOURCE_DIR}/bench/*/*.c)
list(FILTER bench_sources EXCLUDE REGEX "/bench/peers/[^/]*$")
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c
                                        ${PROJECT_SOURCE_DIR}/cli/*/*.c)
list(FILTER cli_sources EXCLUDE REGEX "/cli/(json|ranks)/[^/]*$") # tact_json, tact_mpi

if(bench_sources)
    add_library(tact_bench STATIC ${bench_sources})
    target_include_directories(tact_bench PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(tact_bench PUBLIC tact_static ${CMAKE_DL_LIBS})
    # Pictures in the report of the papers.
    find_package(PNG QUIET)
    if(PNG_FOUND)
        target_compile_definitions(tact_bench PRIVATE TACT_HAVE_PNG)
        target_link_libraries(tact_bench PRIVATE PNG::PNG)
    endif()
endif()

if(cli_sources)
    if(NOT JANSSON_INCLUDE_DIR OR NOT JANSSON_LIBRARY)
        message(FATAL_ERROR "the program needs jansson (Debian: libjansson-dev); "
                            "-DTACT_PROGRAM=OFF builds the library alone")
    endif()
    add_executable(tact_program ${cli_sources})
    target_link_libraries(tact_program PRIVATE tact_json)
    set_target_properties(tact_program PROPERTIES OUTPUT_NAME tact RUNTIME_OUTPUT_DIRECTORY
                          ${PROJECT_BINARY_DIR})
    target_include_directories(tact_program PRIVATE ${PROJECT_SOURCE_DIR})
    target_include_directories(tact_program SYSTEM PRIVATE ${JANSSON_INCLUDE_DIR})
    target_link_libraries(tact_program PRIVATE tact_static ${JANSSON_LIBRARY})
    if(TARGET tact_bench)
        target_link_libraries(tact_program PRIVATE tact_bench)
        target_compile_definitions(tact_program PRIVATE TACT_HAVE_BENCH)
    endif()
endif()

# The viewer, where libwebsockets is there.
if(cli_sources AND TARGET tact_view)
    target_link_libraries(tact_program PRIVATE tact_view)
    target_compile_definitions(tact_program PRIVATE TACT_HAVE_VIEW)
endif()
