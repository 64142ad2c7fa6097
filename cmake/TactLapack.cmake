# LAPACK by its Fortran symbols, from OpenBLAS where it is installed. Sets TACT_HAVE_LAPACK,
# TACT_LAPACK_NAME (for tact_version), TACT_LAPACK_LINK_NAMES (for those who link libtact.a) and the
# target tact_lapack.
set(TACT_LAPACK_NAME no)
set(TACT_LAPACK_LINK_NAMES "")
add_library(tact_lapack INTERFACE)      # linked: for the peers and the tests
add_library(tact_lapack_part INTERFACE) # for tact itself

if(NOT TACT_LAPACK STREQUAL "OFF")
    find_library(OPENBLAS_LIBRARY openblas)
    find_library(LAPACK_LIBRARY lapack)
    find_library(BLAS_LIBRARY blas)
    mark_as_advanced(OPENBLAS_LIBRARY LAPACK_LIBRARY BLAS_LIBRARY)
    if(OPENBLAS_LIBRARY)
        set(TACT_LAPACK_NAME openblas)
        target_link_libraries(tact_lapack INTERFACE ${OPENBLAS_LIBRARY})
        tact_load_later(tact_lapack_part TACT_LAPACK_FILE ${OPENBLAS_LIBRARY})
        if(NOT TACT_LOADED_LATER)
            set(TACT_LAPACK_LINK_NAMES openblas)
        endif()
    elseif(LAPACK_LIBRARY AND BLAS_LIBRARY)
        set(TACT_LAPACK_NAME generic)
        set(TACT_LAPACK_LINK_NAMES lapack blas)
        target_link_libraries(tact_lapack INTERFACE ${LAPACK_LIBRARY} ${BLAS_LIBRARY})
        target_link_libraries(tact_lapack_part INTERFACE ${LAPACK_LIBRARY} ${BLAS_LIBRARY})
    elseif(TACT_LAPACK STREQUAL "ON")
        message(FATAL_ERROR "TACT_LAPACK=ON, but there is no LAPACK (Debian: libopenblas-dev)")
    endif()
endif()

set(TACT_HAVE_LAPACK OFF)
if(NOT TACT_LAPACK_NAME STREQUAL no)
    set(TACT_HAVE_LAPACK ON)
    target_compile_definitions(tact_lapack INTERFACE TACT_HAVE_LAPACK)
    target_compile_definitions(tact_lapack_part INTERFACE TACT_HAVE_LAPACK)
endif()
message(STATUS "LAPACK: ${TACT_LAPACK_NAME}")
