// Meshes and hulls of a model as bytes. Hulls are stored: where a model is read there may be no
// qhull.
#ifndef TACT_MODEL_PACKED_MESHES_H
#define TACT_MODEL_PACKED_MESHES_H

#include "model/packed/stream.h"

/// A mesh that is read is made only in the last pass; what was made is destroyed with the model.
TactStatus tact_pack_mesh(TactPack *pack, TactModelMesh *mesh);

#endif
