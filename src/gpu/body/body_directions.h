// Directions of friction pyramids, for the lanes and for the certificate. Host code.
#ifndef TACT_GPU_BODY_DIRECTIONS_H
#define TACT_GPU_BODY_DIRECTIONS_H

#include "contact/law_lanes.h"
#include "gpu/body/body.h"

static inline void tact_body_put_directions(int count, TactBodyDirections *out)
{
    out->count = count;
    for (int j = 0; j < TACT_BODY_MAX_DIRECTIONS; j++) {
        double angle = 2 * 3.14159265358979323846 * j / count;
        out->cosine[j] = j < count ? cos(angle) : 0;
        out->sine[j] = j < count ? sin(angle) : 0;
    }
}

/// count 0: a circle, which needs none.
static inline TactCertifyPyramid tact_body_pyramid(int count)
{
    TactCertifyPyramid out;
    out.count = count;
    out.turn = 0;
    double half = 3.14159265358979323846 / (count > 0 ? count : 1);
    out.cosine = cos(half);
    out.sine = sin(half);
    for (int j = 0; j < TACT_CERTIFY_MAX_DIRECTIONS / 2; j++) {
        out.direction[j][0] = cos(2 * j * half);
        out.direction[j][1] = sin(2 * j * half);
    }
    return out;
}

#endif
