# MPI, for `tact sweep` over many machines: a module, tact-mpi.so, that the program loads when it is a rank. Neither
# the library nor the program is ever linked to MPI.
set(TACT_MPI AUTO CACHE STRING "Sweeps over ranks of MPI: AUTO, ON or OFF")
set_property(CACHE TACT_MPI PROPERTY STRINGS AUTO ON OFF)
set(TACT_MPI_NAME no)
if(NOT TACT_MPI STREQUAL "OFF")
    set(MPI_C_SKIP_MPICXX TRUE)
    find_package(MPI QUIET COMPONENTS C)
    if(MPI_C_FOUND)
        set(TACT_MPI_NAME yes)
        add_library(tact_mpi MODULE ${PROJECT_SOURCE_DIR}/cli/ranks/ranks_mpi.c)
        set_target_properties(tact_mpi PROPERTIES PREFIX "" OUTPUT_NAME tact-mpi
                              LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
        target_include_directories(tact_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                    ${PROJECT_SOURCE_DIR})
        target_include_directories(tact_mpi SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
        target_link_libraries(tact_mpi PRIVATE ${MPI_C_LIBRARIES})
        install(TARGETS tact_mpi LIBRARY DESTINATION lib/tact COMPONENT mpi)
    elseif(TACT_MPI STREQUAL "ON")
        message(FATAL_ERROR "TACT_MPI=ON, but there is no MPI (Debian: libopenmpi-dev)")
    endif()
endif()
message(STATUS "MPI: ${TACT_MPI_NAME}")
