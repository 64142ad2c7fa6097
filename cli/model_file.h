// Model files as the program reads them: as they are, or through the user's own xacro; and what its
// options name in them.
#ifndef TACT_CLI_MODEL_FILE_H
#define TACT_CLI_MODEL_FILE_H

#include <stdbool.h>
#include <tact/load.h>

/// tact_model_load(); with xacro, of what the program `xacro` on the PATH makes of the file. What
/// it says is passed on. TACT_UNSUPPORTED: there is no such program.
TactStatus tact_cli_load_model(const char *file, bool xacro, const TactModelLoadConfig *config,
                               TactModel **model, TactModelNotes **notes, char message[512]);

/// The keyframe of a name, of a label where it has none, or of a number from 0 on, in this order;
/// -1: there is none, and a message
/// about the file says so.
int tact_cli_find_keyframe(const TactModel *model, const char *file, const char *name);

#endif
