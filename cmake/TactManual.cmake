# Manual pages and completion of shells: printed by the program from its own tables, and installed with it.
if(TARGET tact_program AND NOT TACT_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    set(verbs run contacts sweep solve check info convert view manual bench)
    set(pages ${manual}/tact.1)
    set(commands COMMAND tact_program manual > ${manual}/tact.1)
    foreach(verb ${verbs})
        list(APPEND commands COMMAND tact_program manual ${verb} > ${manual}/tact-${verb}.1)
        list(APPEND pages ${manual}/tact-${verb}.1)
    endforeach()
    foreach(shell bash zsh fish)
        list(APPEND commands COMMAND tact_program manual --completion ${shell} > ${manual}/tact.${shell})
    endforeach()
    add_custom_command(OUTPUT ${pages} ${manual}/tact.bash ${manual}/tact.zsh ${manual}/tact.fish
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${manual} ${commands}
                       DEPENDS tact_program COMMENT "Writing the manual" VERBATIM)
    add_custom_target(tact_manual ALL DEPENDS ${pages})
    add_dependencies(program tact_manual)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    install(FILES ${manual}/tact.bash RENAME tact COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${manual}/tact.zsh RENAME _tact COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
    install(FILES ${manual}/tact.fish COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
