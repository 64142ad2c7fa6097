// ODE: dxSolveLCP(), Dantzig's method with bounds and friction index. The function is exported by
// the library but stands in none of its installed headers; dTestSolveLCP() shows how to call it.
#ifdef TACT_HAVE_ODE
#include "bench/peers/peer.hpp"

#include <ode/ode.h>

class dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;

std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool outer_w_avail);
dxWorldProcessMemArena      *
dxAllocateTemporaryWorldProcessMemArena(std::size_t                            size,
                                             const dxWorldProcessMemoryManager     *manager,
                                             const dxWorldProcessMemoryReserveInfo *reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, dReal *A, dReal *pairs_b_x, dReal *w,
                unsigned nub, dReal *pairs_lo_hi, int *findex);

/// How every arena begins (ODE's util.h): a new one has no place to take memory from yet.
struct ArenaHead {
    void *next, *begin, *end;
};

static void say_nothing(int, const char *, va_list)
{
}

static TactPeerClaim solve(const TactLcpProblem *problem, int, double *z, double *seconds)
{
    unsigned            n = static_cast<unsigned>(problem->n);
    std::size_t         skip = n > 1 ? ((n - 1) | 3) + 1 : n; // ODE's dPAD
    tact::BoxForm       form(problem, skip);
    std::vector<double> b_x(2 * n), lo_hi(2 * n);
    for (unsigned i = 0; i < n; i++) {
        b_x[2 * i] = form.b[i];
        lo_hi[2 * i] = form.lo[i];
        lo_hi[2 * i + 1] = form.hi[i];
    }
    dSetMessageHandler(say_nothing);
    dxWorldProcessMemArena *arena = dxAllocateTemporaryWorldProcessMemArena(
        dxEstimateSolveLCPMemoryReq(n, true) + 4096, nullptr, nullptr);
    if (!arena) {
        return TACT_PEER_FAILED;
    }
    ArenaHead *head = reinterpret_cast<ArenaHead *>(arena);
    head->next = head->begin;
    int *findex = form.findex.empty() ? nullptr : form.findex.data();

    TactWatch watch = tact_watch_start();
    dxSolveLCP(arena, n, form.A.data(), b_x.data(), form.w.data(), 0, lo_hi.data(), findex);
    *seconds = tact_watch_stop(&watch);

    dxFreeTemporaryWorldProcessMemArena(arena);
    for (unsigned i = 0; i < n; i++) {
        z[i] = b_x[2 * i + 1];
    }
    return TACT_PEER_SOLVED; // it never says otherwise
}

const TactPeer tact_peer_ode = {
    "ode-dantzig",
    dODE_VERSION,
    "nothing: its arena is allocated before",
    TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION,
    1,
    solve,
};
#endif
