// The table of peers that were found.
#include "bench/peers/peer.hpp"

extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));

TactPeers tact_peers_4(void)
{
    if (openblas_set_num_threads) { // for all that call it
        openblas_set_num_threads(1);
    }
    static const TactPeer end = {nullptr, nullptr, nullptr, 0, 0, nullptr};
    static const TactPeer table[] = {
#ifdef TACT_HAVE_SICONOS
        tact_peer_siconos,
#endif
#ifdef TACT_HAVE_ODE
        tact_peer_ode,
#endif
#ifdef TACT_HAVE_BULLET
        tact_peer_bullet_dantzig,
        tact_peer_bullet_lemke,
#endif
#ifdef TACT_HAVE_DART
        tact_peer_dart,
#endif
#ifdef TACT_HAVE_CLP
        tact_peer_clp,
#endif
#ifdef TACT_HAVE_LAPACK
        tact_peer_dgesv,
#endif
        end,
    };
    static const TactFrictionPeer friction[] = {
#ifdef TACT_HAVE_SICONOS
        tact_peer_siconos_admm,
        tact_peer_siconos_nsgs,
        tact_peer_siconos_newton,
#endif
        {nullptr, nullptr, nullptr, nullptr},
    };
    static const TactDynamicsPeer dynamics[] = {
#ifdef TACT_HAVE_MUJOCO
        tact_peer_mujoco,
#endif
#ifdef TACT_HAVE_DART
        tact_peer_dart_dynamics,
#endif
        {nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr},
    };
    static const TactCollidePeer collide[] = {
#ifdef TACT_HAVE_ODE
        tact_peer_ode_collide,
#endif
#ifdef TACT_HAVE_BULLET
        tact_peer_bullet_collide,
#endif
        {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
    };
    static const TactSimPeer sim[] = {
#ifdef TACT_HAVE_MUJOCO
        tact_peer_mujoco_sim,
        tact_peer_mujoco_noslip,
        tact_peer_mujoco_elliptic,
        tact_peer_mujoco_cg,
        tact_peer_mujoco_elliptic_cg,
#endif
#ifdef TACT_HAVE_ODE
        tact_peer_ode_step,
        tact_peer_ode_quick,
#endif
#ifdef TACT_HAVE_BULLET
        tact_peer_bullet_sim,
        tact_peer_bullet_50,
#endif
#ifdef TACT_HAVE_DART
        tact_peer_dart_sim,
#endif
        {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
         nullptr},
    };
    return {table, friction, dynamics, collide, sim};
}
