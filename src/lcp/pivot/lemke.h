// Lemke's path, shared by `lemke` and `lemke-lex`; they differ in what they do about ties.
//
// There are three other paths, with the same rules and other matrices: contact/pivot never forms
// the matrix of a contact problem, contact/compact has arrays of fixed size for one free body, and
// contact/quad a dictionary in 113 bits with free unknowns.
#ifndef TACT_LCP_PIVOT_LEMKE_H
#define TACT_LCP_PIVOT_LEMKE_H

#include "lcp/pivot/ratio.h"
#include "lcp/pivot/visited.h"

typedef struct TactLemke TactLemke;

struct TactLemke {
    TactPivot   pivot;
    TactVisited visited;
    uint64_t    hash; // of the present basis

    double *tied_row; // lemke-lex: M_(i,col) of the tied w_i   (tied_rows x (n + 1))
};

/// What a tie is, and who leaves in one.
typedef struct TactLemkeRule {
    double threshold; // values that the least step brings this close to 0 are tied
    /// Chooses one of the first `count` > 1 variables of pivot.list. z0 is not among them: it
    /// leaves whenever it is tied.
    int (*choose)(TactLemke *lemke, const struct TactLemkeRule *rule, int count);
} TactLemkeRule;

void tact_lemke_layout(TactLcpSolver *solver, TactArena *arena, int tied_rows);

/// Steps 0 to 2 of [Lloyd04, 4] and [Yamane, II-A; step 1 corrected: Y1], from the basis given as a
/// start, and if that leads nowhere from the basis without any z (but the free ones).
TactLcpOutcome tact_lemke_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                              TactLcpReport *report, const TactLemkeRule *rule);

/// No basic variable that may not be negative is, but for rounding. Without a basic z the values
/// are q itself and know no rounding.
bool tact_lemke_is_feasible(const TactPivot *pivot);

/// max_pivots of the config, or its default.
int tact_lemke_max_pivots(const TactLcpConfig *config, int n);

#endif
