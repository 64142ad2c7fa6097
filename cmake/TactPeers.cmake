# bench/peers/*: other people's solvers, in a module that `tact bench` loads when it is there.
# Neither the library nor the program is ever linked to them. Each peer is optional:
# TACT_HAVE_SICONOS, TACT_HAVE_ODE, TACT_HAVE_BULLET, TACT_HAVE_DART, TACT_HAVE_MUJOCO,
# TACT_HAVE_CLP, and TACT_HAVE_LAPACK for the yardstick, one dgesv.
file(GLOB peer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.c
                                         ${PROJECT_SOURCE_DIR}/bench/peers/*.cpp)
include(CheckLanguage)
if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE) # it may have been installed since
endif()
check_language(CXX)
if(NOT peer_sources OR NOT CMAKE_CXX_COMPILER)
    message(STATUS "peers: none")
    return()
endif()
enable_language(CXX)

add_library(tact_peers MODULE ${peer_sources})
set_target_properties(tact_peers PROPERTIES PREFIX "" OUTPUT_NAME tact-peers
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(tact_peers PRIVATE ${PROJECT_SOURCE_DIR}/include
                                              ${PROJECT_SOURCE_DIR})
set(peers_found "")

find_path(SICONOS_INCLUDE_DIR NonSmoothDrivers.h PATH_SUFFIXES siconos/numerics)
find_library(SICONOS_NUMERICS_LIBRARY siconos_numerics)
if(SICONOS_INCLUDE_DIR AND SICONOS_NUMERICS_LIBRARY)
    list(APPEND peers_found siconos)
    # No header says which version it is; the name of the library does.
    get_filename_component(siconos_file ${SICONOS_NUMERICS_LIBRARY} REALPATH)
    get_filename_component(siconos_file ${siconos_file} NAME)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_SICONOS
                                                  TACT_SICONOS_FILE="${siconos_file}")
    target_include_directories(tact_peers SYSTEM PRIVATE ${SICONOS_INCLUDE_DIR}
                                                         ${SICONOS_INCLUDE_DIR}/..)
    target_link_libraries(tact_peers PRIVATE ${SICONOS_NUMERICS_LIBRARY})
endif()

find_path(ODE_INCLUDE_DIR ode/ode.h)
find_library(ODE_LIBRARY ode)
if(ODE_INCLUDE_DIR AND ODE_LIBRARY)
    list(APPEND peers_found ode)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_ODE)
    target_include_directories(tact_peers SYSTEM PRIVATE ${ODE_INCLUDE_DIR})
    target_link_libraries(tact_peers PRIVATE ${ODE_LIBRARY})
endif()

find_path(BULLET_INCLUDE_DIR BulletDynamics/MLCPSolvers/btDantzigLCP.h PATH_SUFFIXES bullet)
find_library(BULLET_DYNAMICS_LIBRARY BulletDynamics-float64)
find_library(BULLET_COLLISION_LIBRARY BulletCollision-float64)
find_library(BULLET_MATH_LIBRARY LinearMath-float64)
if(BULLET_INCLUDE_DIR AND BULLET_DYNAMICS_LIBRARY AND BULLET_COLLISION_LIBRARY
   AND BULLET_MATH_LIBRARY)
    list(APPEND peers_found bullet)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_BULLET BT_USE_DOUBLE_PRECISION)
    target_include_directories(tact_peers SYSTEM PRIVATE ${BULLET_INCLUDE_DIR})
    target_link_libraries(tact_peers PRIVATE ${BULLET_DYNAMICS_LIBRARY} ${BULLET_COLLISION_LIBRARY}
                                             ${BULLET_MATH_LIBRARY})
endif()

find_path(DART_INCLUDE_DIR dart/lcpsolver/Lemke.hpp)
find_path(EIGEN3_INCLUDE_DIR Eigen/Dense PATH_SUFFIXES eigen3)
find_library(DART_LIBRARY dart)
if(DART_INCLUDE_DIR AND EIGEN3_INCLUDE_DIR AND DART_LIBRARY)
    list(APPEND peers_found dart)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_DART)
    target_include_directories(tact_peers SYSTEM PRIVATE ${DART_INCLUDE_DIR} ${EIGEN3_INCLUDE_DIR})
    target_link_libraries(tact_peers PRIVATE ${DART_LIBRARY})
endif()

find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY)
    list(APPEND peers_found mujoco)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_MUJOCO)
    target_include_directories(tact_peers SYSTEM PRIVATE ${MUJOCO_INCLUDE_DIR})
    target_link_libraries(tact_peers PRIVATE ${MUJOCO_LIBRARY})
endif()

find_path(CLP_INCLUDE_DIR coin/Clp_C_Interface.h)
find_library(CLP_LIBRARY Clp)
if(CLP_INCLUDE_DIR AND CLP_LIBRARY)
    list(APPEND peers_found clp)
    target_compile_definitions(tact_peers PRIVATE TACT_HAVE_CLP)
    target_include_directories(tact_peers SYSTEM PRIVATE ${CLP_INCLUDE_DIR})
    target_link_libraries(tact_peers PRIVATE ${CLP_LIBRARY})
endif()

if(TACT_HAVE_LAPACK)
    list(APPEND peers_found lapack)
endif()
target_link_libraries(tact_peers PRIVATE tact_lapack)

mark_as_advanced(SICONOS_INCLUDE_DIR SICONOS_NUMERICS_LIBRARY ODE_INCLUDE_DIR ODE_LIBRARY
                 BULLET_INCLUDE_DIR BULLET_DYNAMICS_LIBRARY BULLET_COLLISION_LIBRARY
                 BULLET_MATH_LIBRARY DART_INCLUDE_DIR EIGEN3_INCLUDE_DIR DART_LIBRARY
                 MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY CLP_INCLUDE_DIR CLP_LIBRARY)
message(STATUS "peers: ${peers_found}")
