// The yardstick: one LAPACK dgesv of the whole matrix, whatever the bounds say.
#ifdef TACT_HAVE_LAPACK
#include "bench/peers/peer.hpp"

extern "C" {
void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);
// OpenBLAS only; absent from other libraries.
void openblas_set_num_threads(int threads) __attribute__((weak));
}

static TactPeerClaim solve(const TactLcpProblem *problem, int, double *z, double *seconds)
{
    int                 n = problem->n, one = 1, info = 0;
    std::vector<double> A = tact::column_major(problem);
    std::vector<int>    pivots(static_cast<std::size_t>(n));
    for (int i = 0; i < n; i++) {
        z[i] = -problem->q[i];
    }
    if (openblas_set_num_threads) {
        openblas_set_num_threads(1);
    }

    TactWatch watch = tact_watch_start();
    dgesv_(&n, &one, A.data(), &n, pivots.data(), z, &n, &info);
    *seconds = tact_watch_stop(&watch);

    return info == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

const TactPeer tact_peer_dgesv = {
    "lapack-dgesv",
    "one thread",
    "nothing",
    TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION |
        TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
    0,
    solve,
};
#endif
