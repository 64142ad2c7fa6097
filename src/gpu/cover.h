// The covering vector of the lane code, for one body and for mechanisms.
#ifndef TACT_GPU_COVER_H
#define TACT_GPU_COVER_H

#include "gpu/lanes.h"

// The least c_sigma: as in contact/pivot_rules.h.
#define TACT_BODY_COVER_SIGMA 30.0

/// c_nu: tact_compact_cover() at the first attempt, other multiples later.
TACT_LANE double tact_body_cover(int contact, int attempt)
{
    double golden = 0.6180339887498949;
    double part = (contact + 1) * golden * (1 + 0.37 * attempt) + 0.29 * attempt;
    return 1 + 5 * (part - floor(part));
}

#endif
