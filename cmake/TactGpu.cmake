# The module of CUDA, libtact_gpu.so, where nvcc is found: the library loads it when a batch asks for
# a GPU. Kernels are compiled for compute capability 9.0.
set(TACT_GPU AUTO CACHE STRING "Kernels for NVIDIA GPUs: AUTO, ON or OFF")
set_property(CACHE TACT_GPU PROPERTY STRINGS AUTO ON OFF)
set(TACT_GPU_NAME no)
find_program(TACT_NVCC nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(TACT_NVCC)

# AUTO leaves builds with sanitizers and with clang alone: they would compile the same kernels again.
set(wants_gpu TRUE)
if(TACT_GPU STREQUAL "OFF" OR (TACT_GPU STREQUAL "AUTO"
                               AND (TACT_SANITIZE OR CMAKE_C_COMPILER_ID MATCHES Clang)))
    set(wants_gpu FALSE)
endif()

if(wants_gpu AND TACT_NVCC)
    set(TACT_GPU_NAME yes)
    file(GLOB_RECURSE gpu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/*.cu)
    set(gpu_objects "")
    foreach(source ${gpu_sources})
        get_filename_component(name ${source} NAME_WE)
        set(object ${PROJECT_BINARY_DIR}/gpu/${name}.o)
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/gpu
            COMMAND ${TACT_NVCC} -std=c++17 -O3 -lineinfo -arch=sm_90 -I${PROJECT_SOURCE_DIR}/src
                    -I${PROJECT_SOURCE_DIR}/include -Xcompiler=-fPIC,-fvisibility=hidden -MD -MF
                    ${object}.d -c ${source} -o ${object}
            DEPENDS ${source}
            DEPFILE ${object}.d
            COMMENT "Compiling ${name}.cu for compute capability 9.0"
            VERBATIM)
        list(APPEND gpu_objects ${object})
    endforeach()
    set(module ${PROJECT_BINARY_DIR}/libtact_gpu.so)
    add_custom_command(
        OUTPUT ${module}
        COMMAND ${TACT_NVCC} -shared -arch=sm_90 -o ${module} ${gpu_objects}
        DEPENDS ${gpu_objects}
        COMMENT "Linking libtact_gpu.so"
        VERBATIM)
    add_custom_target(tact_gpu ALL DEPENDS ${module})
    install(FILES ${module} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT gpu OPTIONAL)
elseif(TACT_GPU STREQUAL "ON")
    message(FATAL_ERROR "TACT_GPU=ON, but there is no nvcc")
endif()
message(STATUS "GPU: ${TACT_GPU_NAME}")

# The table of batches as a program, for `make test-gpu` on a machine with a GPU.
if(TACT_GPU_NAME STREQUAL yes)
    file(GLOB gpu_bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/gpu/*.c
                                                  ${PROJECT_SOURCE_DIR}/bench/gpu/standalone/*.c)
    foreach(name bench_options csv facts progress wanted)
        list(APPEND gpu_bench_sources ${PROJECT_SOURCE_DIR}/bench/${name}.c)
    endforeach()
    add_executable(tact_gpu_table EXCLUDE_FROM_ALL ${gpu_bench_sources})
    target_include_directories(tact_gpu_table PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(tact_gpu_table PRIVATE tact_static)
    find_package(Threads REQUIRED)
    target_link_libraries(tact_gpu_table PRIVATE Threads::Threads)
    add_dependencies(tact_gpu_table tact_gpu)
endif()
