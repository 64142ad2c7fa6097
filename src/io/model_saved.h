// Files of compiled models.
#ifndef TACT_IO_MODEL_SAVED_H
#define TACT_IO_MODEL_SAVED_H

#include <tact/load.h>

/// Does the file begin as tact_model_save() writes it? No, too, if it cannot be read.
bool tact_model_is_saved(const char *path);

TactStatus tact_model_read_saved(const char *path, TactModel **model);

#endif
