// Inside of the report on Yamane and Nakamura's paper: its long and closed chains.
#ifndef TACT_BENCH_YAMANE_PAPERS_CHAINS_H
#define TACT_BENCH_YAMANE_PAPERS_CHAINS_H

#include <tact/dynamics.h>

#include "bench/papers/papers.h"
#include "bench/yamane/papers_iabi.h"

/// A column of the paper's Table III.
typedef struct TactChainsColumn {
    const char *name;
    const char *scene;
    double      step;     // s
    double      duration; // s
    // the paper's
    double contacts, active; // mean over frames with contacts
    int    frames;           // that have contacts
    double lcp, simulation;  // ms a frame
} TactChainsColumn;

/// What is plotted over time.
typedef struct TactChainsTrace {
    int     count, room;
    double *time;       // s                                   (room)
    double *hand;       // force of the hoist's hand, N        (room)
    double *loop_error; // largest since the last entry, m     (room)
    double *energy;     // kinetic, J                          (room)
} TactChainsTrace;

/// A scene, stepped and watched.
typedef struct TactChains {
    TactPapers             *papers;
    const TactChainsColumn *column;
    TactModel              *model;
    TactSim                *sim;
    TactSimState           *state;
    TactDynamics           *dynamics;         // a second opinion on where things are
    int                     steps, frames;    // all; those with contacts
    int                     failures;         // frames with an island that is not certified
    long                    contacts, active; // sums over the frames
    double                  error;            // of certificates, largest
    double                  penetration;      // m, largest
    double                  loop_error;       // m, largest, as measured from the poses of bodies
    double                  joint_error;      // m, likewise
    double                  lcp;              // s, sum over the frames: every problem once
    double                  all_lcp;          // s: as often as loops and corrections ask for it
    double                  simulation;       // s, sum over the frames
    double                  seconds;          // s, of all steps
    TactChainsTrace         trace;
    TactIabi               *iabi;       // looks at frames by inverse inertias; NULL: nobody does
    int                     iabi_every; // frames from one that it looks at to the next
    double                 *before;     // q and v before the step                 (nq + nv)
} TactChains;

/// How a run solves and integrates.
typedef struct TactChainsWay {
    const char       *name;
    TactContactCone   cone;
    TactContactMethod method;
    TactLcpMethod     lcp_method; // of lcp: in the paper's two steps, and without friction where it
                                  //   fails [Yamane, IV-C, V-A]
    TactIntegrator integrator;
} TactChainsWay;

/// At the first keyframe, if there is one. Close in any event.
TactStatus tact_chains_open(TactPapers *papers, const TactChainsColumn *column,
                            const TactChainsWay *way, TactChains *chains);
void       tact_chains_close(TactChains *chains);
/// From now on every so many frames are solved by inverse articulated-body inertias as well.
TactStatus tact_chains_watch_iabi(TactChains *chains, int every);
/// Until that time, at the most.
TactStatus tact_chains_run(TactChains *chains, double until);

/// Where threads of the divide-and-conquer assembly begin to pay: chains of 10^2 to 10^5 links.
TactStatus tact_chains_threads(TactPapers *papers);

/// Tension of a rope that slides over a rough cylinder, from the load's side (angle 0) to that of
/// the hand (angle pi), quasi-static, with the weight of the rope:
///
///     dT/da = mu (T + w sin a) + w cos a,      w = weight of the rope a radian
///     T = (T0 - C) exp(mu a) + B sin a + C cos a
///     B = w (1 - mu^2) / (1 + mu^2),  C = -2 mu w / (1 + mu^2)
///
/// The friction of a thick rope acts on its inside: mu is then mu r / (r + t).
double tact_chains_capstan(double T0, double mu, double w, double angle);

#endif
