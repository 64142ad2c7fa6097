// Lemke's method in exact arithmetic: the reference for small standard LCPs. Knows no solver.
#ifndef TACT_ORACLE_EXACT_LEMKE_H
#define TACT_ORACLE_EXACT_LEMKE_H

#include <tact/lcp.h>

typedef enum TactOracleOutcome {
    TACT_ORACLE_SOLVED, // z is a solution, proven in rational arithmetic
    TACT_ORACLE_RAY,
    TACT_ORACLE_LIMIT,
} TactOracleOutcome;

/// Lemke with covering vector 1 and the lexicographic ratio test, on M and q as the doubles they
/// are; z0 leaves as soon as it can. Dense standard LCPs only.
///   z       out: the solution, each entry rounded to a double            (n)
///   pivots  out: may be NULL
TactOracleOutcome tact_oracle_lemke(const TactLcpProblem *problem, int max_pivots, double *z,
                                    int *pivots);

#endif
