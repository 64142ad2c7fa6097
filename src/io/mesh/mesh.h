// The face of mesh files: what other readers ask of them beside <tact/mesh.h>.
#ifndef TACT_IO_MESH_MESH_H
#define TACT_IO_MESH_MESH_H

#include <tact/mesh.h>

/// tact_mesh_read(); of a file with several objects (OBJ: o, g) with the triangles of the first one
/// alone, but all vertices: that is what MuJoCo has. How many there were is written to objects.
TactStatus tact_mesh_read_first(const char *path, TactVec3 scale, TactMesh **mesh, int *objects);

#endif
