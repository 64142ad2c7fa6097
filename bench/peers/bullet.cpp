// Bullet, in double precision: its copy of ODE's Dantzig, and its Lemke.
#ifdef TACT_HAVE_BULLET
#include "bench/peers/peer.hpp"

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>
#include <LinearMath/btScalar.h>

#define STRING(x) #x
#define AS_STRING(x) STRING(x)

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in single precision");

static TactPeerClaim solve_dantzig(const TactLcpProblem *problem, int, double *z, double *seconds)
{
    std::size_t   n = static_cast<std::size_t>(problem->n);
    tact::BoxForm form(problem, n);
    // The scratch memory keeps its size, so a solve of the same size before allocates it.
    static btDantzigScratchMemory scratch;
    tact::BoxForm                 first = form;
    for (tact::BoxForm *each : {&first, &form}) {
        int      *findex = each->findex.empty() ? nullptr : each->findex.data();
        TactWatch watch = tact_watch_start();
        bool      solved =
            btSolveDantzigLCP(problem->n, each->A.data(), each->x.data(), each->b.data(),
                              each->w.data(), 0, each->lo.data(), each->hi.data(), findex, scratch);
        *seconds = tact_watch_stop(&watch);
        if (!solved) {
            return TACT_PEER_FAILED;
        }
    }
    for (std::size_t i = 0; i < n; i++) {
        z[i] = form.x[i];
    }
    return TACT_PEER_SOLVED;
}

static TactPeerClaim solve_lemke(const TactLcpProblem *problem, int max_pivots, double *z,
                                 double *seconds)
{
    int        n = problem->n;
    btMatrixXu M(n, n);
    btVectorXu q(n);
    for (int i = 0; i < n; i++) {
        q[i] = problem->q[i];
        for (int j = 0; j < n; j++) {
            M.setElem(i, j,
                      problem->M[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) +
                                 static_cast<std::size_t>(j)]);
        }
    }
    btLemkeAlgorithm lemke(M, q);

    TactWatch  watch = tact_watch_start();
    btVectorXu solution = lemke.solve(static_cast<unsigned>(max_pivots));
    *seconds = tact_watch_stop(&watch);

    for (int i = 0; i < n; i++) {
        z[i] = solution.size() >= 2 * n ? solution[n + i] : 0; // w comes first, then z
    }
    return lemke.getInfo() == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

const TactPeer tact_peer_bullet_dantzig = {
    "bullet-dantzig",
    AS_STRING(BT_BULLET_VERSION),
    "nothing: its scratch memory is allocated before",
    TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION,
    1,
    solve_dantzig,
};

const TactPeer tact_peer_bullet_lemke = {
    "bullet-lemke",
    AS_STRING(BT_BULLET_VERSION),
    "allocation of its tableau",
    TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
    1,
    solve_lemke,
};
#endif
