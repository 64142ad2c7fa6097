// DART: dart::lcpsolver::Lemke(), a fresh factor each pivot.
#ifdef TACT_HAVE_DART
#include "bench/peers/peer.hpp"

#include <dart/config.hpp>
#include <dart/lcpsolver/Lemke.hpp>

static TactPeerClaim solve(const TactLcpProblem *problem, int, double *z, double *seconds)
{
    std::vector<double> columns = tact::column_major(problem);
    Eigen::MatrixXd     M = Eigen::Map<Eigen::MatrixXd>(columns.data(), problem->n, problem->n);
    Eigen::VectorXd     q = Eigen::Map<const Eigen::VectorXd>(problem->q, problem->n);
    Eigen::VectorXd     solution = Eigen::VectorXd::Zero(problem->n);

    TactWatch watch = tact_watch_start();
    int       error = dart::lcpsolver::Lemke(M, q, &solution);
    *seconds = tact_watch_stop(&watch);

    for (int i = 0; i < problem->n; i++) {
        z[i] = solution.size() == problem->n ? solution[i] : 0;
    }
    return error == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

const TactPeer tact_peer_dart = {
    "dart-lemke",
    DART_VERSION,
    "its allocations",
    TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
    1,
    solve,
};
#endif
