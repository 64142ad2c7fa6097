// A QP package, which Baraff compares with: COIN-OR's CLP on min z'M z / 2 + q'z, lo <= z <= hi.
// Its answer is the LCP's where M is symmetric and positive semidefinite.
#ifdef TACT_HAVE_CLP
#include <coin/ClpConfig.h>
#include <coin/Clp_C_Interface.h>

#include <cfloat>

#include "bench/peers/peer.hpp"

static TactPeerClaim solve(const TactLcpProblem *problem, int, double *z, double *seconds)
{
    std::size_t         n = static_cast<std::size_t>(problem->n);
    std::vector<int>    start(n + 1, 0), none(n + 1, 0), column;
    std::vector<double> lower(n, 0), upper(n, DBL_MAX), entry;
    for (std::size_t j = 0; j < n; j++) { // lower triangle, column by column
        for (std::size_t i = j; i < n; i++) {
            if (problem->M[i * n + j] != 0) {
                column.push_back(static_cast<int>(i));
                entry.push_back(problem->M[i * n + j]);
            }
        }
        start[j + 1] = static_cast<int>(column.size());
        lower[j] = problem->lo ? problem->lo[j] : 0;
        upper[j] = problem->hi ? problem->hi[j] : DBL_MAX;
    }
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    Clp_setPrimalTolerance(model, 1e-9);
    Clp_setDualTolerance(model, 1e-9);
    Clp_loadProblem(model, problem->n, 0, none.data(), nullptr, nullptr, lower.data(), upper.data(),
                    problem->q, nullptr, nullptr);
    Clp_loadQuadraticObjective(model, problem->n, start.data(), column.data(), entry.data());

    TactWatch watch = tact_watch_start();
    int       status = Clp_primal(model, 0);
    *seconds = tact_watch_stop(&watch);

    const double *x = Clp_primalColumnSolution(model);
    for (std::size_t j = 0; j < n; j++) {
        z[j] = x[j];
    }
    Clp_deleteModel(model);
    return status == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

const TactPeer tact_peer_clp = {
    "clp-qp", CLP_VERSION, "nothing", TACT_LCP_TAKES_UPPER, 1, solve,
};
#endif
