# view/: the server of `tact view`, with libwebsockets and zlib, and its page, bundled by Node and built into the
# program. Without these there is no target tact_view; without Node the server has no page
# and says so.
set(TACT_VIEW AUTO CACHE STRING "The viewer: AUTO, ON or OFF")
set_property(CACHE TACT_VIEW PROPERTY STRINGS AUTO ON OFF)
set(TACT_VIEW_NAME no)
find_path(WEBSOCKETS_INCLUDE_DIR libwebsockets.h)
find_library(WEBSOCKETS_LIBRARY websockets)
find_path(ZLIB_INCLUDE_DIR zlib.h)
find_library(ZLIB_LIBRARY z)
find_program(TACT_NODE NAMES node nodejs)
find_program(TACT_NPM npm)
mark_as_advanced(WEBSOCKETS_INCLUDE_DIR WEBSOCKETS_LIBRARY ZLIB_INCLUDE_DIR ZLIB_LIBRARY
                 TACT_NODE TACT_NPM)

if(NOT TACT_VIEW STREQUAL "OFF" AND WEBSOCKETS_INCLUDE_DIR AND WEBSOCKETS_LIBRARY AND
   JANSSON_INCLUDE_DIR AND JANSSON_LIBRARY AND ZLIB_INCLUDE_DIR AND ZLIB_LIBRARY)
    set(TACT_VIEW_NAME "yes, without its page")
    find_package(Threads REQUIRED)
    file(GLOB view_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/view/*.c
                                             ${PROJECT_SOURCE_DIR}/view/*/*.c)
    add_library(tact_view STATIC ${view_sources})
    target_include_directories(tact_view PUBLIC ${PROJECT_SOURCE_DIR})
    target_include_directories(tact_view SYSTEM PRIVATE ${WEBSOCKETS_INCLUDE_DIR}
                               ${JANSSON_INCLUDE_DIR} ${ZLIB_INCLUDE_DIR})
    add_library(tact_websockets INTERFACE)
    tact_load_later(tact_websockets TACT_WEBSOCKETS_FILE ${WEBSOCKETS_LIBRARY})
    # libwebsockets reads through the recv() of view/server/mask.c.
    target_link_options(tact_view INTERFACE LINKER:--export-dynamic-symbol=recv)
    target_link_libraries(tact_view PUBLIC tact_static tact_json PRIVATE tact_websockets
                          ${JANSSON_LIBRARY} ${ZLIB_LIBRARY} Threads::Threads)

    # The packages of the page are installed where the page is, once; all builds share them.
    set(page_folder ${PROJECT_SOURCE_DIR}/view/page)
    if(TACT_NODE AND TACT_NPM)
        if(NOT EXISTS ${page_folder}/node_modules/esbuild)
            message(STATUS "viewer: installing the packages of its page")
            # Without a network it must not take long: every build asks again.
            execute_process(COMMAND ${TACT_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
                                    --fetch-retries=1 --fetch-retry-mintimeout=1000
                            WORKING_DIRECTORY ${page_folder} RESULT_VARIABLE npm_failed
                            OUTPUT_QUIET ERROR_QUIET)
        endif()
        if(EXISTS ${page_folder}/node_modules/esbuild)
            set(TACT_VIEW_NAME yes)
            set(page ${PROJECT_BINARY_DIR}/view-page.html)
            file(GLOB page_sources CONFIGURE_DEPENDS ${page_folder}/src/*.ts
                 ${page_folder}/src/*.css ${page_folder}/index.html ${page_folder}/build.mjs)
            add_custom_command(OUTPUT ${page} COMMAND ${TACT_NODE} build.mjs ${page}
                               WORKING_DIRECTORY ${page_folder} DEPENDS ${page_sources}
                               COMMENT "Bundling the page of the viewer" VERBATIM)
            add_custom_target(tact_view_page DEPENDS ${page})
            add_dependencies(tact_view tact_view_page)
            set_source_files_properties(${PROJECT_SOURCE_DIR}/view/html/page.c PROPERTIES
                COMPILE_DEFINITIONS "TACT_VIEW_PAGE_FILE=\"${page}\"" OBJECT_DEPENDS ${page})
        else()
            message(WARNING "npm could not install the packages of the viewer's page (is there a network?): this tact "
                            "has no viewer, and no pages of recordings. The next build tries again.")
        endif()
    endif()
elseif(TACT_VIEW STREQUAL "ON")
    message(FATAL_ERROR "TACT_VIEW=ON, but there is no libwebsockets or zlib (Debian: libwebsockets-dev zlib1g-dev)")
endif()
message(STATUS "viewer: ${TACT_VIEW_NAME}")
