# src/**/*.c once, as objects; from them libtact.so, which shows only what is TACT_API, and
# libtact.a, which tests and the program link (so a test sees the inside).
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)

include(TactStep)
set(object_libraries tact_objects)
set(step_object "")
if(TACT_LTO)
    tact_find_step_sources(step_sources)
    list(REMOVE_ITEM sources ${step_sources})
    add_library(tact_step OBJECT ${step_sources})
    list(APPEND object_libraries tact_step)
    set(step_object ${PROJECT_BINARY_DIR}/tact_step.o)
    tact_join_objects(tact_step ${step_object})
endif()
add_library(tact_objects OBJECT ${sources})
set(optional_parts tact_lapack_part tact_jansson tact_hdf5 tact_libxml2 tact_qhull
    tact_assimp tact_gmp tact_png)
foreach(objects ${object_libraries})
    target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${objects} PRIVATE TACT_LAPACK_NAME="${TACT_LAPACK_NAME}"
                                                  TACT_JANSSON_NAME="${TACT_JANSSON_NAME}"
                                                  TACT_HDF5_NAME="${TACT_HDF5_NAME}"
                                                  TACT_LIBXML2_NAME="${TACT_LIBXML2_NAME}"
                                                  TACT_QHULL_NAME="${TACT_QHULL_NAME}"
                                                  TACT_ASSIMP_NAME="${TACT_ASSIMP_NAME}"
                                                  TACT_GMP_NAME="${TACT_GMP_NAME}")
    target_link_libraries(${objects} PRIVATE ${optional_parts})
endforeach()

add_library(tact SHARED $<TARGET_OBJECTS:tact_objects> ${step_object})
include(TactExports)
tact_export_headers(tact)
set_target_properties(tact PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION
                      ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

add_library(tact_static STATIC $<TARGET_OBJECTS:tact_objects> ${step_object})
set_target_properties(tact_static PROPERTIES OUTPUT_NAME tact EXPORT_NAME static)

foreach(library tact tact_static)
    if(TACT_LTO)
        add_dependencies(${library} tact_step_joined)
    endif()
    target_include_directories(
        ${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
foreach(part ${optional_parts})
    target_link_libraries(tact PRIVATE $<BUILD_INTERFACE:${part}>)
    target_link_libraries(tact_static INTERFACE $<BUILD_INTERFACE:${part}>)
endforeach()
set(TACT_LINK_NAMES ${TACT_LAPACK_LINK_NAMES} ${TACT_JANSSON_LINK_NAMES} ${TACT_HDF5_LINK_NAMES}
                    ${TACT_LIBXML2_LINK_NAMES} ${TACT_QHULL_LINK_NAMES} ${TACT_ASSIMP_LINK_NAMES}
                    ${TACT_GMP_LINK_NAMES} ${TACT_PNG_LINK_NAMES})
target_link_libraries(tact PRIVATE m ${CMAKE_DL_LIBS})
target_link_libraries(tact_static INTERFACE $<INSTALL_INTERFACE:${TACT_LINK_NAMES}> m
                      ${CMAKE_DL_LIBS})
