#include "base/status.h"
#include "io/model_reader.h"

TactStatus tact_urdf_read(TactModelReader *reader)
{
    return tact_fail(TACT_UNSUPPORTED, "%s:%d: URDF files are not read yet", reader->root->file,
                     reader->root->line);
}
