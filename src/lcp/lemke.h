// Lemke's path, shared by `lemke` and `lemke-lex`; they differ in their ratio test.
#ifndef TACT_LCP_LEMKE_H
#define TACT_LCP_LEMKE_H

#include "lcp/pivot.h"
#include "lcp/visited.h"

typedef struct TactLemke {
    TactPivot   pivot;
    TactVisited visited;
    uint64_t    hash; // of the present basis

    // scratch of the lexicographic test
    int    *tied;     // tied basic variables                      (n + 1)
    double *tied_row; // rows of B^-1 of as many of them as fit    (lex_rows x n)
    int     lex_rows;
} TactLemke;

typedef enum TactLemkePhase {
    TACT_LEMKE_ENTER, // z0 enters: values may be negative, the lowest value / rate decides
    TACT_LEMKE_DRIVE, // the driving variable grows until a value reaches 0
} TactLemkePhase;

/// Chooses the leaving variable for the present column. -1: nothing blocks.
/// step: how far the driving variable goes.
typedef int TactLemkeRatioTest(TactLemke *lemke, const TactLcpConfig *config, TactLemkePhase phase,
                               double *step);

void tact_lemke_layout(TactLcpSolver *solver, TactArena *arena, int lex_rows);

/// Steps 0 to 2 of [Lloyd04, 4] and [Yamane, II-A; step 1 corrected: Y1], from the basis given as a
/// start, and if that leads nowhere from the basis without any z (but the free ones).
TactLcpOutcome tact_lemke_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                              TactLcpReport *report, TactLemkeRatioTest *ratio_test);

/// Variables with a rate of no more than this do not block. A covering vector is all the user's:
/// its entries are as small as they are.
double tact_lemke_smallest_rate(const TactPivot *pivot, const TactLcpConfig *config,
                                TactLemkePhase phase);

/// No basic variable that may not be negative is, but for rounding. Without a basic z the values
/// are q itself and know no rounding.
bool tact_lemke_is_feasible(const TactPivot *pivot);

/// max_pivots of the config, or its default.
int tact_lemke_max_pivots(const TactLcpConfig *config, int n);

#endif
