# python/: the package `tact` as it is installed, in ${PROJECT_BINARY_DIR}/python/tact: the extension _tact.abi3.so
# (limited API of CPython 3.11: one file for all later versions), the modules, the program and its page.
set(TACT_PYTHON AUTO CACHE STRING "The Python package: AUTO, ON or OFF")
set_property(CACHE TACT_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(TACT_PYTHON_NAME no)

# The system's own Python: what its packages (python3-numpy) are for.
find_program(TACT_PYTHON_PROGRAM python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(TACT_PYTHON_PROGRAM python3)
mark_as_advanced(TACT_PYTHON_PROGRAM)
set(python_include "")
if(TACT_PYTHON_PROGRAM AND NOT TACT_PYTHON STREQUAL "OFF")
    execute_process(COMMAND ${TACT_PYTHON_PROGRAM} -c
        "import sys, sysconfig; print(sysconfig.get_path('include') if sys.version_info >= (3, 11) else '', end='')"
        OUTPUT_VARIABLE python_include ERROR_QUIET)
endif()
if(python_include AND EXISTS ${python_include}/Python.h)
    set(TACT_PYTHON_NAME "yes, by ${TACT_PYTHON_PROGRAM}")
    set(TACT_PYTHON_FOLDER ${PROJECT_BINARY_DIR}/python)
    file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.c)
    file(GLOB python_modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/tact/*.py
         ${PROJECT_SOURCE_DIR}/python/tact/*.pyi ${PROJECT_SOURCE_DIR}/python/tact/py.typed)
    add_library(tact_python MODULE ${python_sources})
    set_target_properties(tact_python PROPERTIES PREFIX "" OUTPUT_NAME _tact SUFFIX .abi3.so
                          LIBRARY_OUTPUT_DIRECTORY ${TACT_PYTHON_FOLDER}/tact)
    target_include_directories(tact_python SYSTEM PRIVATE ${python_include})
    # Types of CPython are tables of functions behind void pointers, which ISO C does not know.
    target_compile_options(tact_python PRIVATE -Wno-pedantic)
    target_link_libraries(tact_python PRIVATE tact_static)
    target_link_options(tact_python PRIVATE LINKER:--exclude-libs,ALL)
    set(copied "")
    foreach(module ${python_modules})
        get_filename_component(name ${module} NAME)
        add_custom_command(OUTPUT ${TACT_PYTHON_FOLDER}/tact/${name} DEPENDS ${module}
                           COMMAND ${CMAKE_COMMAND} -E copy ${module} ${TACT_PYTHON_FOLDER}/tact/${name})
        list(APPEND copied ${TACT_PYTHON_FOLDER}/tact/${name})
    endforeach()
    if(TARGET tact_view_page)
        add_custom_command(OUTPUT ${TACT_PYTHON_FOLDER}/tact/page.html DEPENDS ${PROJECT_BINARY_DIR}/view-page.html
                           COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_BINARY_DIR}/view-page.html
                                   ${TACT_PYTHON_FOLDER}/tact/page.html)
        list(APPEND copied ${TACT_PYTHON_FOLDER}/tact/page.html)
    endif()
    add_custom_target(tact_python_package ALL DEPENDS ${copied})
    add_dependencies(tact_python_package tact_python)
    if(TARGET tact_view_page)
        add_dependencies(tact_python_package tact_view_page)
    endif()
    # The same steps in C, for bench/python/steps.py.
    add_executable(tact_python_steps EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/python/standalone/steps.c)
    target_link_libraries(tact_python_steps PRIVATE tact_static)
elseif(TACT_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "TACT_PYTHON=ON, but there is no Python 3.11 with its headers (Debian: python3-dev)")
endif()
message(STATUS "Python: ${TACT_PYTHON_NAME}")
