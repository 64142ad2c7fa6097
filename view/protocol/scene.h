// A model as the page wants it: names, shapes, meshes; once.
#ifndef TACT_VIEW_PROTOCOL_SCENE_H
#define TACT_VIEW_PROTOCOL_SCENE_H

#include <tact/model.h>

#include "view/protocol/message.h"

/// method, cone: of the run. NULL: no memory.
TactViewMessage *tact_view_scene_message(const TactModel *model, const char *file, double timestep,
                                         const char *method, const char *cone);

#endif
