// What the wrappers share: copies of a problem in the layouts the peers want.
#ifndef TACT_BENCH_PEERS_PEER_HPP
#define TACT_BENCH_PEERS_PEER_HPP

#include <cmath>
#include <cstddef>
#include <vector>

#include "bench/peers.h"
#include "bench/watch.h"

namespace tact
{

inline std::vector<double> column_major(const TactLcpProblem *problem)
{
    std::size_t         n = static_cast<std::size_t>(problem->n);
    std::vector<double> M(n * n);
    for (std::size_t i = 0; i < n; i++) {
        for (std::size_t j = 0; j < n; j++) {
            M[j * n + i] = problem->M[i * n + j];
        }
    }
    return M;
}

/// M x = b + w with lo <= x <= hi: the form of ODE and Bullet. Rows are `skip` apart.
struct BoxForm {
    std::vector<double> A, b, x, w, lo, hi;
    std::vector<int>    findex;

    BoxForm(const TactLcpProblem *problem, std::size_t skip)
    {
        std::size_t n = static_cast<std::size_t>(problem->n);
        A.resize(n * skip);
        b.resize(n);
        x.resize(n);
        w.resize(n);
        lo.resize(n);
        hi.resize(n);
        for (std::size_t i = 0; i < n; i++) {
            for (std::size_t j = 0; j < n; j++) {
                A[i * skip + j] = problem->M[i * n + j];
            }
            b[i] = -problem->q[i];
            lo[i] = problem->lo ? problem->lo[i] : 0;
            hi[i] = problem->hi ? problem->hi[i] : HUGE_VAL;
        }
        if (problem->f_index) {
            findex.assign(problem->f_index, problem->f_index + n);
        }
    }
};

/// Mean seconds of a call.
template <typename Work> double time_repeats(int repeats, Work work)
{
    TactWatch watch = tact_watch_start();
    for (int k = 0; k < repeats; k++) {
        work();
    }
    return tact_watch_stop(&watch) / repeats;
}

} // namespace tact

extern const TactPeer tact_peer_siconos;
extern const TactPeer tact_peer_ode;
extern const TactPeer tact_peer_bullet_dantzig;
extern const TactPeer tact_peer_bullet_lemke;
extern const TactPeer tact_peer_dart;
extern const TactPeer tact_peer_dgesv;
extern const TactPeer tact_peer_clp;

extern const TactFrictionPeer tact_peer_siconos_admm;
extern const TactFrictionPeer tact_peer_siconos_nsgs;
extern const TactFrictionPeer tact_peer_siconos_newton;

extern const TactDynamicsPeer tact_peer_mujoco;
extern const TactDynamicsPeer tact_peer_dart_dynamics;

extern const TactCollidePeer tact_peer_ode_collide;
extern const TactCollidePeer tact_peer_bullet_collide;

extern const TactSimPeer tact_peer_mujoco_sim;
extern const TactSimPeer tact_peer_mujoco_noslip;
extern const TactSimPeer tact_peer_mujoco_elliptic;
extern const TactSimPeer tact_peer_mujoco_cg;
extern const TactSimPeer tact_peer_mujoco_elliptic_cg;
extern const TactSimPeer tact_peer_ode_step;
extern const TactSimPeer tact_peer_ode_quick;
extern const TactSimPeer tact_peer_bullet_sim;
extern const TactSimPeer tact_peer_bullet_50;
extern const TactSimPeer tact_peer_dart_sim;

#endif
