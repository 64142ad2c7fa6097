# Debian packages by CPack (make package): libtact0, libtact-dev, tact, python3-tact. What they depend on is found
# by dpkg-shlibdeps; libraries that are opened when they are needed are recommended.
set(CPACK_PACKAGE_NAME tact)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The tact authors <tact@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Exact frictional contact, proven")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtact0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Exact frictional contact, proven: the library
 Simulation of robots and scenes, frictional contact problems and linear complementarity problems;
 every answer carries a certificate that is recomputed from the raw data.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtact-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# What the static library is linked with, as Debian calls it.
set(debian_jansson libjansson-dev)
set(debian_xml2 libxml2-dev)
set(debian_qhull_r libqhull-dev)
set(debian_gmp libgmp-dev)
set(debian_png libpng-dev)
set(debian_openblas libopenblas-dev)
set(debian_lapack liblapack-dev)
set(debian_blas libblas-dev)
set(debian_assimp libassimp-dev)
set(debian_hdf5_serial libhdf5-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libtact0 (= ${PROJECT_VERSION})")
foreach(name ${TACT_LINK_NAMES})
    if(debian_${name})
        string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", ${debian_${name}}")
    else()
        message(STATUS "libtact-dev: no package of Debian is known for lib${name}, which libtact.a needs")
    endif()
endforeach()
set(CPACK_COMPONENT_DEV_DESCRIPTION "Exact frictional contact, proven: headers and static library
 find_package(tact) and pkg-config find them.")

if(TARGET tact_program)
    list(APPEND CPACK_COMPONENTS_ALL program)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tact)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libopenblas0, libhdf5-103-1, libassimp5, libwebsockets17")
    set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Exact frictional contact, proven: the program
 Simulates MJCF and URDF files, solves problem files, shows simulations in the browser.")
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tact
            COMPONENT program)
endif()
if(TARGET tact_python)
    list(APPEND CPACK_COMPONENTS_ALL python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tact)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11)")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, tact")
    set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Exact frictional contact, proven: for Python 3
 import tact; states are NumPy arrays that are views of the library's memory.")
    install(DIRECTORY ${TACT_PYTHON_FOLDER}/tact DESTINATION lib/python3/dist-packages
            COMPONENT python PATTERN __pycache__ EXCLUDE)
endif()
# What is packed is built by `make package`, without the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
