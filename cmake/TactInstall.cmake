# Headers, both libraries, the program, tactConfig.cmake (tact::tact, tact::static) and tact.pc; each in the
# component that its Debian package is made of (TactPackage): library, dev, program, python.
include(CMakePackageConfigHelpers)

install(TARGETS tact tact_static EXPORT tact
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT dev FILES_MATCHING PATTERN "*.h")
if(TARGET tact_program)
    install(TARGETS tact_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tact)
install(EXPORT tact NAMESPACE tact:: FILE tactConfig.cmake DESTINATION ${package_dir}
        COMPONENT dev)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tactConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tactConfigVersion.cmake DESTINATION ${package_dir} COMPONENT dev)

# From where tact.pc lies back to the prefix, so that the installed tree may be moved.
file(RELATIVE_PATH TACT_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
set(TACT_PC_PRIVATE_LIBS "-lm -ldl")
foreach(name ${TACT_LINK_NAMES})
    string(PREPEND TACT_PC_PRIVATE_LIBS "-l${name} ")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/tact.pc.in tact.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tact.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT dev)
