// Lemke's algorithm as Yamane and Nakamura describe their own implementation of it [Yamane, II-A,
// V-A]: one dense tableau, updated pivot by pivot, without scaling, without refactoring. What
// tact's lemke and lemke-lex are compared with; no part of the library.
#ifndef TACT_BENCH_YAMANE_PAPERS_TABLEAU_H
#define TACT_BENCH_YAMANE_PAPERS_TABLEAU_H

#include <stdbool.h>
#include <tact/contact.h>

/// How ties are broken, and what is done besides.
typedef struct TactTableauRule {
    const char *name;
    bool        lexicographic; // false: the row with the least index, of equal doubles
    double      threshold;     // Delta: ratios this close to the least are tied. Lexicographic only
    bool        z0_first;      // z0 leaves if it is tied, without a threshold too
    bool        equilibrated;  // D M D by powers of two, as tact's kernel has it
    bool        cold;          // no first step without friction
    double      least_pivot;   // entries of a column below this, over its largest, are rounding
    bool        renewed;       // the tableau is computed anew from M after every pivot
} TactTableauRule;

/// The paper's three ways to fail, and success.
typedef enum TactTableauOutcome {
    TACT_TABLEAU_SOLVED,
    TACT_TABLEAU_NO_SOLUTION, // nothing blocks
    TACT_TABLEAU_CYCLE,       // a basis came back
    TACT_TABLEAU_ERROR,       // norm of w - M z - q above 1e-3, or a value below -1e-3
} TactTableauOutcome;

/// The LCP (25) of a frame: unknowns a, b, lambda; in forces, so that M carries the step.
typedef struct TactFrameLcp {
    int     contacts, directions, n;
    double *M; // (n x n)
    double *q; // (n)
} TactFrameLcp;

/// From a problem in generalized coordinates; joints on their motion are eliminated. Every contact
/// gets eight directions. TACT_UNSUPPORTED: other rows, or bodies.
TactStatus tact_frame_lcp_create(const TactContactProblem *problem, TactFrameLcp *lcp);
void       tact_frame_lcp_destroy(TactFrameLcp *lcp);

/// Solves a frame in the paper's two steps.
///   z       out                                  (n)
///   pivots  += those of both steps
///   close   out: whatever the outcome, z without the auxiliary z0 has no error above the paper's
TactStatus tact_tableau_solve(const TactFrameLcp *lcp, const TactTableauRule *rule, double *z,
                              double *pivots, bool *close, TactTableauOutcome *outcome);

#endif
