# CBLAS and LAPACKE, from OpenBLAS where it is installed. Sets TACT_HAVE_LAPACK, TACT_LAPACK_NAME
# (for tact_version) and the interface target tact_lapack.
set(TACT_HAVE_LAPACK OFF)
set(TACT_LAPACK_NAME no)

if(NOT TACT_LAPACK STREQUAL "OFF")
    find_path(CBLAS_INCLUDE_DIR cblas.h)
    find_path(LAPACKE_INCLUDE_DIR lapacke.h)
    find_library(LAPACKE_LIBRARY lapacke)
    find_library(OPENBLAS_LIBRARY openblas)
    find_library(CBLAS_LIBRARY NAMES cblas blas)
    mark_as_advanced(CBLAS_INCLUDE_DIR LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY OPENBLAS_LIBRARY
                     CBLAS_LIBRARY)
    if(CBLAS_INCLUDE_DIR AND LAPACKE_INCLUDE_DIR AND LAPACKE_LIBRARY
       AND (OPENBLAS_LIBRARY OR CBLAS_LIBRARY))
        set(TACT_HAVE_LAPACK ON)
    elseif(TACT_LAPACK STREQUAL "ON")
        message(FATAL_ERROR "TACT_LAPACK=ON, but CBLAS or LAPACKE was not found "
                            "(Debian: libopenblas-dev liblapacke-dev)")
    endif()
endif()

add_library(tact_lapack INTERFACE)
if(TACT_HAVE_LAPACK)
    if(OPENBLAS_LIBRARY)
        set(TACT_LAPACK_NAME openblas)
        set(blas_name openblas)
        set(blas_library ${OPENBLAS_LIBRARY})
        target_compile_definitions(tact_lapack INTERFACE TACT_HAVE_OPENBLAS)
    else()
        set(TACT_LAPACK_NAME generic)
        get_filename_component(blas_name ${CBLAS_LIBRARY} NAME_WE)
        string(REGEX REPLACE "^lib" "" blas_name ${blas_name})
        set(blas_library ${CBLAS_LIBRARY})
    endif()
    target_compile_definitions(tact_lapack INTERFACE TACT_HAVE_LAPACK)
    target_include_directories(tact_lapack SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR}
                                                            ${LAPACKE_INCLUDE_DIR})
    target_link_libraries(tact_lapack INTERFACE ${LAPACKE_LIBRARY} ${blas_library})
    set(TACT_LAPACK_LINK_NAMES lapacke ${blas_name})
endif()
message(STATUS "LAPACK: ${TACT_LAPACK_NAME}")
