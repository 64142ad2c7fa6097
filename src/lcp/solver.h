// What a method sees of the solver, and the table of methods.
#ifndef TACT_LCP_SOLVER_H
#define TACT_LCP_SOLVER_H

#include <tact/lcp.h>

#include "base/memory.h"

/// A method. CONTRIBUTING.md, "Adding an LCP method", has all that belongs to one.
typedef struct TactLcpMethodEntry {
    TactLcpMethodInfo info;

    /// Lends the method's arrays for n <= solver->max_n out of the arena; runs twice (memory.h).
    /// The method's own struct, if it has one, is the first thing taken, and goes to solver->work;
    /// while the arena measures, solver->work is NULL and nothing may be written.
    void (*layout)(TactLcpSolver *solver, TactArena *arena);

    /// Solves a checked problem that the method can take. Writes z and solver->basis; counts into
    /// report (pivots, iterations, refactors, index), which arrives zeroed with index = -1.
    /// TACT_LCP_OUTCOME_SOLVED here only means that the method came to its end: solve.c certifies.
    TactLcpOutcome (*run)(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                          TactLcpReport *report);

    /// The same method once more, with a finer threshold, where it came to its end but the
    /// certificate does not hold; adds to the counts. NULL: there is nothing finer.
    TactLcpOutcome (*run_finer)(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                TactLcpReport *report);
} TactLcpMethodEntry;

struct TactLcpSolver {
    TactLcpConfig             config;
    const TactLcpMethodEntry *method;
    int                       max_n;
    int                       n;           // size of the last problem solved; 0: none yet
    unsigned char            *basis;       // TactLcpState of every variable, out          (max_n)
    int                       start_n;     // size for which a start was given; 0: none
    double                   *start_z;     // NULL unless given for this solve             (max_n)
    unsigned char            *start_basis; // NULL unless given for this solve             (max_n)
    double                   *start_z_memory;     // (max_n)
    unsigned char            *start_basis_memory; // (max_n)
    void                     *work;               // the method's own struct
    TactArena                 arena;
};

/// Marks a config that came from tact_lcp_config_default().
#define TACT_LCP_COOKIE 0x7ac71c90u

const TactLcpMethodEntry *tact_lcp_method_entry(TactLcpMethod method);

/// Scale of the certificate: max_i |w_i| at the point of the box nearest to 0; 1 if that is 0.
double tact_lcp_scale(const TactLcpProblem *problem);

/// Would z be called solved? For methods that know the largest error of a row, in one unit for all
/// rows. Where that is small beside every q_i, nothing is computed.
bool tact_lcp_is_certified(const TactLcpSolver *solver, const TactLcpProblem *problem,
                           const double *z, double error);

/// Symmetric to nine digits? Otherwise *row is the first row that is not.
bool tact_lcp_is_symmetric(const TactLcpProblem *problem, int *row);

/// M_ij; 0 if it is not stored.
double tact_lcp_csr_entry(const TactLcpCsr *M, int i, int j);

/// Bounds of row i with defaults filled in; a friction row gets those of the normal force z[f].
static inline double tact_lcp_lo(const TactLcpProblem *problem, const double *z, int i)
{
    if (problem->f_index && problem->f_index[i] >= 0) {
        double normal = z[problem->f_index[i]];
        return normal > 0 ? -problem->hi[i] * normal : 0;
    }
    return problem->lo ? problem->lo[i] : 0;
}

static inline double tact_lcp_hi(const TactLcpProblem *problem, const double *z, int i)
{
    if (problem->f_index && problem->f_index[i] >= 0) {
        double normal = z[problem->f_index[i]];
        return normal > 0 ? problem->hi[i] * normal : 0;
    }
    return problem->hi ? problem->hi[i] : 1.0 / 0.0;
}

#endif
