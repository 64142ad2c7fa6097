// Other people's solvers, as `tact bench` sees them: a module that is loaded when it is there.
#ifndef TACT_BENCH_PEERS_H
#define TACT_BENCH_PEERS_H

#include <tact/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TactPeerClaim {
    TACT_PEER_SOLVED, // it says that it solved the problem, or says nothing
    TACT_PEER_FAILED, // it says that it did not
} TactPeerClaim;

typedef struct TactPeer {
    const char *name;    // "siconos-lexicolemke"
    const char *version; // of the library it is compiled against
    const char *timed;   // what else the time contains
    unsigned    takes;   // bits TACT_LCP_TAKES_*
    int         is_lcp;  // 0: only a yardstick, z is not a solution of the LCP

    /// Solves one dense problem. Copies and set-up stay outside of *seconds as far as the peer's
    /// interface lets them; max_pivots bounds the work of peers that take a bound.
    TactPeerClaim (*solve)(const TactLcpProblem *problem, int max_pivots, double *z,
                           double *seconds);
} TactPeer;

/// The module's only symbol: ends with an entry whose name is NULL.
typedef const TactPeer *TactPeersFunction(void);
#define TACT_PEERS_SYMBOL "tact_peers"

TACT_API const TactPeer *tact_peers(void);

#ifdef __cplusplus
}
#endif
#endif
