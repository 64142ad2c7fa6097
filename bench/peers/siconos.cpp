// Siconos: lcp_lexicolemke(), Lemke with a lexicographic ratio test on a dense tableau.
#ifdef TACT_HAVE_SICONOS
#include "bench/peers/peer.hpp"

#include <cstdlib>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

static TactPeerClaim solve(const TactLcpProblem *problem, int max_pivots, double *z,
                           double *seconds)
{
    std::vector<double> M = tact::column_major(problem);
    std::vector<double> q(problem->q, problem->q + problem->n);
    std::vector<double> w(q.size());

    LinearComplementarityProblem lcp;
    lcp.size = problem->n;
    lcp.M = NM_create_from_data(NM_DENSE, problem->n, problem->n, M.data());
    lcp.q = q.data();
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = max_pivots;

    int       info = 0;
    TactWatch watch = tact_watch_start();
    lcp_lexicolemke(&lcp, z, w.data(), &info, options);
    *seconds = tact_watch_stop(&watch);

    solver_options_delete(options);
    lcp.M->matrix0 = nullptr; // M belongs to us
    NM_clear(lcp.M);
    std::free(lcp.M);
    return info == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

const TactPeer tact_peer_siconos = {
    "siconos-lexicolemke",
    TACT_SICONOS_FILE,
    "allocation of its tableau",
    TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
    1,
    solve,
};
#endif
