// What readers of mesh files find, and the readers.
#ifndef TACT_IO_MESH_MESH_PARTS_H
#define TACT_IO_MESH_MESH_PARTS_H

#include <tact/mesh.h>

#include "io/text.h"

/// Vertices and triangles that a reader has found so far; zeroed at first.
typedef struct TactMeshParts {
    TactVec3     *vertices;
    TactTriangle *triangles;
    int           vertex_count;
    int           triangle_count;
    int           vertex_room;
    int           triangle_room;
    int           objects;         // with faces, of an OBJ file; 0: the file has none
    int           first_triangles; // of the first of them, if there are more
} TactMeshParts;

void tact_mesh_parts_destroy(TactMeshParts *parts);

/// Makes room for so many more, so that the next ones may be written without asking.
TactStatus tact_mesh_parts_reserve(TactMeshParts *parts, int vertices, int triangles);

TactStatus tact_mesh_parts_add_vertex(TactMeshParts *parts, TactVec3 vertex);
TactStatus tact_mesh_parts_add_triangle(TactMeshParts *parts, int a, int b, int c);

/// The polygon of n >= 3 vertices cut into n - 2 triangles: a quadrangle along its shorter
/// diagonal, a convex polygon as a fan, any other by its ears. `list` is room for n numbers, which
/// are lost.
TactStatus tact_mesh_parts_add_polygon(TactMeshParts *parts, int *list, int n);

/// A number; the same as tact_word_real(), but fast for those with up to 19 digits.
TactStatus tact_mesh_real(const TactText *text, TactWord word, const char *what, double *value);

// Each reader takes the whole file; parts are whatever was found.
TactStatus tact_stl_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts);
TactStatus tact_obj_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts);
TactStatus tact_msh_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts);
TactStatus tact_dae_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts);

#endif
