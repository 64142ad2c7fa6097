// Pictures of a model's geoms in a state, drawn without a screen: triangles, a depth buffer, one
// light with its shadow.
#ifndef TACT_BENCH_PICTURE_PICTURE_H
#define TACT_BENCH_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/model.h>

typedef struct TactPicture {
    const TactModel *model;
    const double    *q;                  //                                            (nq)
    TactVec3         target;             // in the middle of the picture
    double           azimuth, elevation; // deg; azimuth 0 looks along +x, 90 along +y; elevation
                                         //   -90 looks straight down
    double distance;                     // of the eye from the target, m
    int    width, height;                // pixels
} TactPicture;

/// As a PNG file in memory, to be freed. TACT_UNSUPPORTED in a build without libpng.
TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size);

/// As rows of r, g, b from the top.                                     (height x width x 3)
TactStatus tact_picture_draw(const TactPicture *picture, unsigned char *rgb);

// ---------------------------------------------------------------------------------------------
// Inside

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

#endif
