// What the certificates of one body and of a mechanism share: weights, compensated sums, energies.
#ifndef TACT_GPU_JUDGE_H
#define TACT_GPU_JUDGE_H

#ifndef TACT_LANES_ONE
#error "define TACT_LANES_ONE first: this file is scalar code"
#endif

#include "contact/law_lanes.h"
#include "gpu/lanes.h"

// As in contact/certificate/certify.h, which has the reasons.
#define TACT_BODY_OTHERS 1e-2
#define TACT_BODY_MOTION 1e-3
#define TACT_BODY_AMPLIFY 1e2
#define TACT_BODY_LOAD 1e2
#define TACT_BODY_ROUNDING 1e-5
#define TACT_BODY_GAP 1e4

/// sum + rest += x, exactly but for the last rounding of rest [Knuth].
TACT_HD void tact_body_add(double *sum, double *rest, double x)
{
    double total = *sum + x;
    double part = total - *sum;
    *rest += (*sum - (total - part)) + (x - part);
    *sum = total;
}

/// Energies of (14).
typedef struct TactBodyEnergy {
    double all, created, gap;
} TactBodyEnergy;

#endif
