// Model files: MJCF and URDF, with a note on everything that is not honoured exactly.
//
//     TactModel *model = NULL;
//     TactModelNotes *notes = NULL;
//     TactModelLoadConfig config = tact_model_load_config_default();
//     if (tact_model_load("robot.xml", &config, &model, &notes) != TACT_OK) {
//         fprintf(stderr, "%s\n", tact_status_message());    // robot.xml:12: joint 'hip': ...
//     }
//     ... notes->items[0 .. notes->count - 1] ...
//     tact_model_notes_destroy(notes);
//     tact_model_destroy(model);
//
// Every element and attribute of a file is honoured, approximated or ignored, and the notes say
// which, with file and line. Needs libxml2; files are read without network and without entities.
#ifndef TACT_LOAD_H
#define TACT_LOAD_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TactVerdict {
    TACT_VERDICT_HONOURED,     // same effect as in the format's own engine
    TACT_VERDICT_APPROXIMATED, // similar effect: the text says which
    TACT_VERDICT_IGNORED,      // no effect: the text says why
} TactVerdict;

TACT_API const char               *tact_verdict_name(TactVerdict value);
TACT_API TACT_NODISCARD TactStatus tact_verdict_find(const char *name, TactVerdict *value);

/// The verdict on an attribute, or on a whole element (attribute ""), at one place.
typedef struct TactModelNote {
    TactVerdict verdict;
    bool        physics; // could change the motion, not only the appearance
    const char *file;
    int         line;
    const char *element;   // e.g. "geom"
    const char *attribute; // e.g. "solref"
    const char *text;      // "" if honoured
} TactModelNote;

typedef struct TactModelNotes {
    int                  count;
    const TactModelNote *items; // in the order of reading                             (count)
} TactModelNotes;

TACT_API void tact_model_notes_destroy(TactModelNotes *notes);

typedef struct TactModelLoadConfig {
    int package_path_count;
    const char *const
        *package_paths;     // folders that hold URDF packages: package://NAME/... is looked
                            //   for as PATH/NAME/...; ROS_PACKAGE_PATH comes after them
    bool strict;            // physics that is approximated or ignored is an error
    bool urdf_free;         // the root link of a URDF floats; false: it is fixed to the world
    bool urdf_exact_meshes; // collision meshes of a URDF collide as triangle meshes; false: as
                            //   their convex hulls, like in other engines
    const char *srdf;       // file that says which links of a URDF do not touch; NULL: none
    uint32_t    cookie;     // set by tact_model_load_config_default(); do not write
} TactModelLoadConfig;

TACT_API TactModelLoadConfig tact_model_load_config_default(void);

/// Reads an MJCF or URDF file (distinguished by its root element), or a compiled model that
/// tact_model_save() wrote (by its first bytes), for which the config is not looked at. notes may
/// be NULL; otherwise it is written even if the call fails, and belongs to the caller.
/// TACT_IO_ERROR, TACT_BAD_INPUT with file:line and the name at fault, TACT_UNSUPPORTED in a build
/// without libxml2.
TACT_API TACT_NODISCARD TactStatus tact_model_load(const char                *path,
                                                   const TactModelLoadConfig *config,
                                                   TactModel **model, TactModelNotes **notes);

/// The same from memory; name is used as the path in messages, and referenced files are searched
/// for from its folder.
TACT_API TACT_NODISCARD TactStatus tact_model_load_memory(const char *name, const char *text,
                                                          size_t                     size,
                                                          const TactModelLoadConfig *config,
                                                          TactModel                **model,
                                                          TactModelNotes           **notes);

/// Writes a compiled model as it is, to the last bit, with the hulls of its meshes: it is read
/// without libxml2, qhull and the files of its meshes. The file is for the version of the library
/// that wrote it, on any machine; TACT_UNSUPPORTED with both versions where another one reads it.
TACT_API TACT_NODISCARD TactStatus tact_model_save(const TactModel *model, const char *path);

/// Writes a model as an MJCF file, as tact understood it: with all defaults resolved, meshes
/// inline, and notes (NULL: none) on physics that is not honoured as comments. Reading it again
/// gives the same model to rounding, except for sensors, which are left out.
TACT_API TACT_NODISCARD TactStatus tact_model_write(const TactModel      *model,
                                                    const TactModelNotes *notes, const char *path);

#ifdef __cplusplus
}
#endif
#endif
