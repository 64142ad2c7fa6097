// What a picture is made of: triangles with normals.
#ifndef TACT_PICTURE_FACETS_H
#define TACT_PICTURE_FACETS_H

#include <stdbool.h>
#include <tact/picture.h>

typedef struct TactFacet {
    TactVec3 corner[3];
    TactVec3 normal[3];
    double   rgba[4];
    bool     floor; // of a plane: has a pattern, throws no shadow
} TactFacet;

typedef struct TactFacets {
    int        count, room;
    TactFacet *facets; // to be freed
    bool       full;   // memory ran out
} TactFacets;

/// The geoms that are seen: groups 0 to 2. reach: how far an infinite plane goes, m.
void tact_facets_of_model(const TactModel *model, const double *q, double reach,
                          TactFacets *facets);

/// Adds arrows and cones.
void tact_facets_add_mark(TactFacets *facets, const TactPictureMark *mark);

/// Adds one (facets.c).
void tact_facets_add(TactFacets *facets, const TactFacet *facet);

#endif
