// Edges of triangles: which are open, crowded or twisted.
#ifndef TACT_MODEL_MESH_MESH_EDGES_H
#define TACT_MODEL_MESH_MESH_EDGES_H

#include <tact/mesh.h>

/// Fills what the findings say about edges. No triangle has a vertex twice.
TactStatus tact_mesh_edges_judge(const TactTriangle *triangles, int triangle_count,
                                 TactMeshFindings *findings);

#endif
