// The ratio test: how far a driving variable can go until a basic variable reaches 0.
//
// With value q'_i and rate m'_i of basic variable i the ratio is q'_i / -m'_i over the variables
// with m'_i < 0 [Lloyd04, eq. 18; Yamane, step 1, corrected: Y1]. While z0 enters it is q'_i / m'_i
// over those with m'_i > 0: the lowest, which is negative, says how far z0 must go at least.
#ifndef TACT_LCP_PIVOT_RATIO_H
#define TACT_LCP_PIVOT_RATIO_H

#include "lcp/pivot/pivot.h"

typedef enum TactRatioPhase {
    TACT_RATIO_ENTER, // z0 enters: values may be negative, the lowest value / rate decides
    TACT_RATIO_DRIVE, // the driving variable grows until a value reaches 0
} TactRatioPhase;

typedef struct TactRatios {
    double sign;  // of the rates: +1 while z0 enters, -1 after
    double least; // min_i value_i / rate_i; infinite if nothing blocks
    double bound; // min_i (value_i + slack) / rate_i: up to this no value falls below -slack
} TactRatios;

/// Computes the ratios of the present column, all of them into pivot->ratio: infinite for a
/// variable that does not block. A rate must exceed pivot_tol, relative to the column; but not
/// while z0 enters, as the entries of a covering vector are as small as its user wants them.
TactRatios tact_ratios_compute(TactPivot *pivot, const TactLcpConfig *config, TactRatioPhase phase,
                               double slack);

/// Lists the variables whose ratio is at most `limit` in pivot->list: z by place, then w by index.
/// Returns how many.
int tact_ratios_list(TactPivot *pivot, double limit);

/// Of a basic variable.
static inline double tact_ratio_of(const TactPivot *pivot, int variable)
{
    return variable > pivot->n ? pivot->ratio[variable] : pivot->ratio[pivot->col_place[variable]];
}

/// Of z0; infinite if it is not basic.
static inline double tact_ratio_of_z0(const TactPivot *pivot)
{
    return pivot->col_place[pivot->n] < 0 ? 1.0 / 0.0 : tact_ratio_of(pivot, pivot->n);
}

/// How far the driving variable goes, for a ratio.
static inline double tact_ratio_step(const TactRatios *ratios, double ratio)
{
    return ratios->sign > 0 ? -ratio : ratio;
}

/// The lowest value that a step leaves in a variable that may not be negative; 0 if none is.
double tact_ratio_lowest_after(const TactPivot *pivot, double step);

#endif
