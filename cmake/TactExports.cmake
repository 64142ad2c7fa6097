# The names that libtact.so shows are those that public headers declare with TACT_API, and no others:
# functions that are compiled for several processors would show all of their forms.

function(tact_export_headers target)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tact/*.h)
    set(names "")
    foreach(header ${headers})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
        file(READ ${header} text)
        string(REGEX REPLACE "[][\"#]" " " text "${text}") # characters that lists do not bear
        string(REPLACE ";" "\n;" text "${text}")          # a declaration an item
        foreach(item ${text})
            if(item MATCHES "TACT_API[^(]*[ *\n](tact_[a-z0-9_]+)[ \n]*\\(")
                list(APPEND names ${CMAKE_MATCH_1})
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES names)
    list(SORT names)
    list(JOIN names ";\n        " lines)
    set(map ${PROJECT_BINARY_DIR}/libtact.map)
    file(CONFIGURE OUTPUT ${map} CONTENT "{\n    global:\n        ${lines};\n    local:\n        *;\n};\n" @ONLY)
    target_link_options(${target} PRIVATE LINKER:--version-script=${map})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
endfunction()
