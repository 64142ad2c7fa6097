// All complementary bases of a small box LCP: the second opinion of the tests.
#ifndef TACT_LCP_ENUMERATE_ENUMERATE_H
#define TACT_LCP_ENUMERATE_ENUMERATE_H

#include <tact/lcp.h>

enum { TACT_LCP_ENUMERATE_MAX = 14 };

/// A point that one basis leads to.
typedef struct TactLcpBasisPoint {
    const unsigned char *basis;    // TactLcpState of every variable                       (n)
    const double        *z;        // inside its bounds                                    (n)
    double               error;    // of its certificate
    double               relative; // of its certificate
    int                  nullity; // of M_BB; > 0: z is a vertex of the basis's own family of points
} TactLcpBasisPoint;

/// Called with every point that comes near to a solution (error within 1e-6 of the sizes met);
/// what counts as a solution is the caller's business. false ends the enumeration.
typedef bool TactLcpBasisFunction(void *context, const TactLcpBasisPoint *point);

typedef struct TactLcpEnumeration {
    int bases; // tried
    int open;  // singular bases with more vertices than were tried: a solution may hide there
} TactLcpEnumeration;

/// Walks all complementary bases of a dense problem with n <= TACT_LCP_ENUMERATE_MAX and without
/// friction index: variable 0 changes fastest, states in the order of TactLcpState. A variable has
/// the states of its bounds (AT_LO unless lo = -infinity, AT_HI unless hi = +infinity) and BASIC;
/// one with lo = hi only AT_LO. All vertices of the points of a singular basis are visited, so a
/// problem has exactly one solution if all points that solve it are the same and open is 0.
TactStatus tact_lcp_enumerate_all(const TactLcpProblem *problem, TactLcpBasisFunction *function,
                                  void *context, TactLcpEnumeration *enumeration);

// ---------------------------------------------------------------------------------------------
// One basis

/// A basis, and the factor P M_BB Q = L U of its block with complete pivoting.
typedef struct TactLcpBasis {
    const TactLcpProblem *problem;
    double                lo[TACT_LCP_ENUMERATE_MAX];     // bounds
    double                hi[TACT_LCP_ENUMERATE_MAX];     //
    double                weight[TACT_LCP_ENUMERATE_MAX]; // c_j = max(1, max_i |M_ij|)
    double                scale;                          // of the certificate
    unsigned char         state[TACT_LCP_ENUMERATE_MAX];  // TactLcpState
    int                   k;                              // number of basic variables
    int                   rank;                           // taken for M_BB, at most k
    int                   row[TACT_LCP_ENUMERATE_MAX];    // rows of B in the order of the pivots
    int                   col[TACT_LCP_ENUMERATE_MAX];    // columns of B in the order of the pivots
    double                lu[TACT_LCP_ENUMERATE_MAX * TACT_LCP_ENUMERATE_MAX]; // (k x k)
    TactLcpBasisFunction *function;
    void                 *context;
    bool                  ended; // function has said so
} TactLcpBasis;

/// Bounds, weights and scale of a checked problem.
TactStatus tact_lcp_basis_begin(TactLcpBasis *basis, const TactLcpProblem *problem);

typedef enum TactLcpBasisEffort {
    TACT_LCP_BASIS_FIRST, // of a singular block the basic solution that its pivots give
    TACT_LCP_BASIS_EVERY, // of a singular block every vertex
} TactLcpBasisEffort;

/// Factors the block of basis->state and visits its points. false: M_BB is singular and vertices
/// were left out.
bool tact_lcp_basis_visit(TactLcpBasis *basis, TactLcpBasisEffort effort);

#endif
