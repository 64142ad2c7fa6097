// Linear complementarity problems: seven methods, one certificate.
//
// Box LCP: find z in [lo, hi] so that, with w = M z + q, for every i
//
//     z_i = lo_i  and  w_i >= 0,     or     z_i = hi_i  and  w_i <= 0,     or     w_i = 0.
//
// The standard LCP (0 <= z, 0 <= w, z'w = 0) has lo = 0, hi = +infinity; the mixed one has free
// variables (lo = -infinity, hi = +infinity) besides, whose rows are equations w_i = 0.
//
//     TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
//     TactLcpSolver *solver = NULL;
//     tact_lcp_solver_create(n, &config, &solver);           // allocates
//     tact_lcp_solve(solver, &problem, z, &report);          // does not
//     if (report.outcome == TACT_LCP_OUTCOME_SOLVED) ...             // proven, not claimed
//     tact_lcp_solver_destroy(solver);
#ifndef TACT_LCP_H
#define TACT_LCP_H

#include <stdbool.h>
#include <tact/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// The problem

/// Compressed sparse rows: row i holds (column[k], value[k]) for row_start[i] <= k <
/// row_start[i+1], columns in ascending order.
typedef struct TactLcpCsr {
    const int    *row_start; // (n + 1), row_start[0] = 0
    const int    *column;    // (row_start[n])
    const double *value;     // (row_start[n])
} TactLcpCsr;

typedef struct TactLcpProblem {
    int               n;       // number of unknowns
    const double     *M;       // matrix, row-major; NULL if M_csr is given      (n x n)
    const TactLcpCsr *M_csr;   // sparse matrix, instead of M                    (n x n)
    const double     *q;       // offset                                         (n)
    const double     *lo;      // lower bounds; NULL: all 0                      (n)
    const double     *hi;      // upper bounds; NULL: all +infinity              (n)
    const int        *f_index; // friction index; NULL: none                     (n)
                               //   f_index[i] = j >= 0: row i is friction with coefficient hi[i]
                               //   on the normal force z_j: -hi_i z_j <= z_i <= hi_i z_j (lo_i is
                               //   not read); -1: an ordinary row
} TactLcpProblem;

/// Sizes, pointers, NaN and infinite entries, lo <= hi, CSR indices, friction indices.
/// Returns TACT_BAD_INPUT with the index at fault in tact_status_message().
TACT_API TACT_NODISCARD TactStatus tact_lcp_check(const TactLcpProblem *problem);

// ---------------------------------------------------------------------------------------------
// The certificate: recomputed from M, q, lo, hi and z alone, in double-double arithmetic

typedef struct TactLcpCertificate {
    double residual; // natural map, max_i |z_i - mid(lo_i, z_i - w_i, hi_i)|
    double error;    // the same with z_i weighed by its largest effect on w, in units of w:
                     //   max_i |c_i z_i - mid(c_i lo_i, c_i z_i - w_i, c_i hi_i)|,
                     //   c_i = max(1, max_j |M_ji|); never smaller than residual
    double scale;    // max_i |w_i| at the point of [lo, hi] nearest to 0 (for a standard LCP:
                     //   max_i |q_i|); 1 if that is 0
    int    worst;    // the row of error
    double relative; // the error of each row over its own scale, the worst: decides
                     //   'solved'. The scale of row i is |q_i| + sum_j |M_ij z_j|, but at most S,
                     //   plus 1e-5 S; S is the largest |w| without forces, over row i and the rows
                     //   coupled to it by M in which a force acts
    int worst_relative; // the row of relative
} TactLcpCertificate;

/// Certifies a z from any source. Allocates nothing. A NaN in z gives error = +infinity.
TACT_API TACT_NODISCARD TactStatus tact_lcp_certify(const TactLcpProblem *problem, const double *z,
                                                    TactLcpCertificate *certificate);

// ---------------------------------------------------------------------------------------------
// Methods

typedef enum TactLcpMethod {
    TACT_LCP_METHOD_LEMKE,     // Lemke, least index on ties
    TACT_LCP_METHOD_LEMKE_LEX, // Lemke, lexicographic ratio test with a threshold
    TACT_LCP_METHOD_SEARCH,    // Yamane and Nakamura's search over pivot sequences
    TACT_LCP_METHOD_DANTZIG,   // Cottle and Dantzig's principal pivoting, as in Baraff 4
    TACT_LCP_METHOD_PGS,       // projected Gauss-Seidel
    TACT_LCP_METHOD_PGS_SM,    // projected Gauss-Seidel with subspace minimisation
    TACT_LCP_METHOD_ENUMERATE, // all complementary bases, n <= 14
    TACT_LCP_METHOD_COUNT
} TactLcpMethod;

/// What a method can take beyond a dense standard LCP with a symmetric matrix.
enum {
    TACT_LCP_TAKES_FREE = 1 << 0,          // free variables
    TACT_LCP_TAKES_UPPER = 1 << 1,         // finite upper bounds, and -infinity as lower bound
    TACT_LCP_TAKES_FRICTION = 1 << 2,      // a friction index
    TACT_LCP_TAKES_SPARSE = 1 << 3,        // a matrix in CSR
    TACT_LCP_TAKES_ASYMMETRIC = 1 << 4,    // a matrix that is not symmetric
    TACT_LCP_TAKES_ZERO_DIAGONAL = 1 << 5, // zero or negative diagonal entries
};

typedef struct TactLcpMethodInfo {
    const char *name;      // as in the program and in the documents, e.g. "lemke-lex"
    const char *source;    // paper and section
    const char *guarantee; // class of matrices for which it finds a solution in exact arithmetic
    unsigned    takes;     // bits TACT_LCP_TAKES_*
    int         max_n;     // largest problem; 0: no limit
} TactLcpMethodInfo;

/// The table entry of a method; NULL if the method does not exist.
TACT_API const TactLcpMethodInfo *tact_lcp_method_info(TactLcpMethod method);

/// Looks a method up by its name. TACT_BAD_ARGUMENT, with all names in the message, if unknown.
TACT_API const char               *tact_lcp_method_name(TactLcpMethod method);
TACT_API TACT_NODISCARD TactStatus tact_lcp_method_find(const char *name, TactLcpMethod *method);

/// No point with a larger relative error may be called solved, whatever tolerance is asked for.
#define TACT_LCP_LARGEST_TOL 1e-3

typedef enum TactLcpStorage { TACT_LCP_STORAGE_DENSE, TACT_LCP_STORAGE_SPARSE } TactLcpStorage;

TACT_API const char               *tact_lcp_storage_name(TactLcpStorage value);
TACT_API TACT_NODISCARD TactStatus tact_lcp_storage_find(const char *name, TactLcpStorage *value);

/// In counts and tolerances 0 is an ordinary value, unless the field says otherwise.
typedef struct TactLcpConfig {
    TactLcpMethod  method;       // never replaced silently by another
    TactLcpStorage storage;      // what the workspace is made for; sparse needs O(n) memory
    double         residual_tol; // largest certified relative error called solved;
                                 //   at most TACT_LCP_LARGEST_TOL
    int           max_pivots;    // pivoting methods; 0: 50 n + 100
    double        pivot_tol;     // smallest pivot accepted, relative to its column, equilibrated
    const double *cover;         // Lemke's covering vector c > 0, up to a factor; NULL: 1 in the
                                 //   equilibrated matrix; read during solve           (n)
    double lex_tol;              // lemke-lex: values that a step brings this close to 0 are ties
    double search_eps;           // search: a candidate may push q' down to -search_eps
    double search_error;         // search: largest error of w = M z + c z0 + q at an opened node,
                                 //   equilibrated, relative to the largest z
    int    search_nodes;         // search: nodes opened before it gives up; 0: 4 n + 2000
    int    friction_passes;      // dantzig: solves with the friction bounds of the last one
    int    max_iterations;       // pgs, pgs-sm: Gauss-Seidel sweeps
    int    pgs_sweeps;           // pgs-sm: sweeps between two subspace stages (k_PGS)
    int    sm_steps;             // pgs-sm: subspace solves in one stage (k_SM)
    double max_work;             // approximate number of operations after which it ends with
                                 //   'limit'; 0: unlimited
    double max_time;             // the same in seconds; 0: unlimited. Exceeded by at most a factor
                                 //   of 2, except while a single large matrix is factored
    uint32_t cookie;             // set by tact_lcp_config_default(); do not write
} TactLcpConfig;

TACT_API TactLcpConfig tact_lcp_config_default(TactLcpMethod method);

// ---------------------------------------------------------------------------------------------
// Solving

typedef enum TactLcpOutcome {
    TACT_LCP_OUTCOME_SOLVED,     // certified: relative <= residual_tol
    TACT_LCP_OUTCOME_UNVERIFIED, // the method ended normally, but the certificate rejects the
                                 // answer
    TACT_LCP_OUTCOME_RAY,        // secondary ray: no solution, or none that this method finds
    TACT_LCP_OUTCOME_LIMIT,      // out of pivots, nodes, sweeps, work or time
    TACT_LCP_OUTCOME_CYCLE,      // a basis was visited twice
    TACT_LCP_OUTCOME_SINGULAR,   // a basis or a block that must be inverted is singular
} TactLcpOutcome;

TACT_API const char               *tact_lcp_outcome_name(TactLcpOutcome value);
TACT_API TACT_NODISCARD TactStatus tact_lcp_outcome_find(const char *name, TactLcpOutcome *value);

typedef struct TactLcpReport {
    TactLcpOutcome outcome;          // 'solved' by the certificate, otherwise how the method ended
    TactLcpOutcome ended;            // how the method itself ended, e.g. a ray at z0 = 0 that is
                                     //   certified as solved
    int pivots;                      // pivots done by the method that was asked for
    int iterations;                  // sweeps (pgs, pgs-sm), nodes opened (search), bases tried
                                     //   (enumerate), drives (dantzig); 0 for lemke, lemke-lex
    int                refactors;    // refactorisations because the updated factor had drifted
    int                index;        // row at which a method that failed stopped; -1: none
    double             work;         // approximate operations; reproducible for the same problem
    bool               reproducible; // false: config.max_time ended it
    TactLcpCertificate certificate;  // of z as it was returned
} TactLcpReport;

/// State of a variable in a complementary basis.
typedef enum TactLcpState {
    TACT_LCP_STATE_AT_LO,
    TACT_LCP_STATE_BASIC,
    TACT_LCP_STATE_AT_HI
} TactLcpState;

TACT_API const char               *tact_lcp_state_name(TactLcpState value);
TACT_API TACT_NODISCARD TactStatus tact_lcp_state_find(const char *name, TactLcpState *value);

typedef struct TactLcpSolver TactLcpSolver;

/// Allocates the workspace for problems with n <= max_n. The config is copied (not its cover).
TACT_API TACT_NODISCARD TactStatus tact_lcp_solver_create(int max_n, const TactLcpConfig *config,
                                                          TactLcpSolver **solver);
TACT_API void                      tact_lcp_solver_destroy(TactLcpSolver *solver);

/// Sets the start of the next solve only: a guess z (NULL: none) and a basis (NULL: none) for a
/// problem with n unknowns. pgs and pgs-sm start from z; lemke, lemke-lex, search and dantzig start
/// from the basis, and need no pivot if it is still the solution; enumerate uses neither.
TACT_API TACT_NODISCARD TactStatus tact_lcp_solver_set_start(TactLcpSolver *solver, int n,
                                                             const double        *z,
                                                             const unsigned char *basis);

/// The final basis of the last solve, one TactLcpState for each variable.              (n)
TACT_API TACT_NODISCARD TactStatus tact_lcp_solver_get_basis(const TactLcpSolver *solver,
                                                             unsigned char       *basis);

/// Solves one problem with n <= max_n. Allocates nothing. Writes all of z, inside its bounds,
/// whatever the outcome. A returned error means the call was wrong, or that the method cannot take
/// such a problem (TACT_UNSUPPORTED), and the report says UNVERIFIED; an unsolvable problem is
/// TACT_OK with an outcome.
TACT_API TACT_NODISCARD TactStatus tact_lcp_solve(TactLcpSolver        *solver,
                                                  const TactLcpProblem *problem, double *z,
                                                  TactLcpReport *report);

#ifdef __cplusplus
}
#endif
#endif
