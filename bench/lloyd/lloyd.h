// Inside of `tact bench lloyd`: the three experiments of [Lloyd04, 5.4].
#ifndef TACT_BENCH_LLOYD_LLOYD_H
#define TACT_BENCH_LLOYD_LLOYD_H

#include <stdio.h>

#include "bench/apart.h"
#include "bench/peers.h"
#include "bench/problems/problems.h"

enum { TACT_LLOYD_MAX_INSTANCES = 1000, TACT_LLOYD_MAX_POINTS = 96, TACT_LLOYD_MAX_PEERS = 8 };

// ---------------------------------------------------------------------------------------------
// Problems

typedef enum TactLloydShape {
    TACT_LLOYD_PEG,          // contacts evenly around both rims of a hole
    TACT_LLOYD_PEG_JITTERED, // the same, each moved along its rim
    TACT_LLOYD_SINGLE,       // ten situations of one body
    TACT_LLOYD_STACK,        // blocks on each other, a wrench on the top one
    TACT_LLOYD_SHAPES
} TactLloydShape;

/// One place on the axis of an experiment.
typedef struct TactLloydPoint {
    TactLloydShape shape;
    int            contacts;
    int            bodies;
    int            directions;
    double         disturbance; // of points and normals
} TactLloydPoint;

const char *tact_lloyd_shape_name(TactLloydShape shape);

/// Contacts, bodies or situation, for a row of a table.
void tact_lloyd_point_name(const TactLloydPoint *point, char *name, size_t size);

/// What a problem of one body with so many contacts is; NULL: there is none.
const char *tact_lloyd_situation(int contacts);

/// Problem number `seed` of a point; free with tact_case_destroy() in any event.
TactStatus tact_lloyd_generate(const TactLloydPoint *point, uint64_t seed, TactContactCase *out);

// ---------------------------------------------------------------------------------------------
// Runs

typedef enum TactLloydMethod {
    TACT_LLOYD_STANDARD,     // the assembled LCP by lemke-lex
    TACT_LLOYD_STRUCTURAL,   //
    TACT_LLOYD_REDUCED,      //
    TACT_LLOYD_REDUCED_WARM, // the same problem again
    TACT_LLOYD_LADDER,       //
    TACT_LLOYD_LADDER_WARM,  //
    TACT_LLOYD_CIRCLE,       // ladder, circular cone
    TACT_LLOYD_METHODS
} TactLloydMethod;

const char *tact_lloyd_method_name(TactLloydMethod method);

/// One point, one method or peer.
typedef struct TactLloydCell {
    int           asked;         // instances there are: the denominator, whatever the budget
    int           runs;          // of them run within the budget; 0: not run here
    int           solved;        // claimed and accepted
    int           wrong;         // claimed and not accepted
    int           died;          // peers: the process ended by a signal, or out of time
    double        mean;          // seconds, of the best of the repeats of each instance
    double        median;        //
    double        median_solved; // of those that are solved; NaN: none
    double        best;          // of all
    double        pivots;        // mean
    double        most_pivots;
    TactBenchRun *run; // (instances)
} TactLloydCell;

/// A peer of either kind.
typedef struct TactLloydPeer {
    const char             *name;
    const TactPeer         *lcp;
    const TactFrictionPeer *friction;
} TactLloydPeer;

typedef struct TactLloydOptions {
    int         instances;
    double      budget;  // seconds a point and method
    const char *csv;     // NULL: none
    const char *plots;   // folder; NULL: none
    const char *module;  // of the peers; NULL: beside the program
    bool        peers;   //
    int         largest; // contacts of the largest problem
} TactLloydOptions;

typedef struct TactLloyd {
    TactLloydOptions options;
    int              points;
    TactLloydPoint   point[TACT_LLOYD_MAX_POINTS];
    TactLloydCell    cell[TACT_LLOYD_MAX_POINTS][TACT_LLOYD_METHODS];
    TactLloydCell    peer_cell[TACT_LLOYD_MAX_POINTS][TACT_LLOYD_MAX_PEERS];
    double           certificate[TACT_LLOYD_MAX_POINTS]; // mean seconds of tact_contact_certify()
    int              peers;
    TactLloydPeer    peer[TACT_LLOYD_MAX_PEERS];
} TactLloyd;

/// All methods, and the peers that are wanted there, on the instances of one point.
TactStatus tact_lloyd_run_point(TactLloyd *lloyd, int point);

/// The point that is wanted; -1: none.
int tact_lloyd_find(const TactLloyd *lloyd, const TactLloydPoint *wanted);

/// Number of a peer by its name; -1: none.
int tact_lloyd_find_peer(const TactLloyd *lloyd, const char *name);

/// Total time of a over total time of b on the instances that both solve; their number in *both.
double tact_lloyd_ratio(const TactLloydCell *a, const TactLloydCell *b, int count, int *both);

/// Slope of log(mean time) over log(contacts) of undisturbed points with 8 directions, by least
/// squares; NAN with fewer than two.
double tact_lloyd_exponent(const TactLloyd *lloyd, TactLloydShape shape, TactLloydMethod method,
                           int least, int most);

// ---------------------------------------------------------------------------------------------
// Reports

void tact_lloyd_print(const TactLloyd *lloyd);
/// What the project promises of these experiments, and what came out.
void tact_lloyd_print_wanted(const TactLloyd *lloyd);
int  tact_lloyd_write_csv(const TactLloyd *lloyd, const char *path);
/// The plots of the paper, ours beside its figures, as SVG.
TactStatus tact_lloyd_write_plots(const TactLloyd *lloyd, const char *folder);

// ---------------------------------------------------------------------------------------------
// The paper

/// A curve of [Lloyd04, 5.4]: its ends, in milliseconds on a machine of 2004.
typedef struct TactLloydPaper {
    TactLloydShape  shape;
    TactLloydMethod method;
    int             first, last; // contacts
    double          first_ms, last_ms;
} TactLloydPaper;

const TactLloydPaper *tact_lloyd_paper(int *count);

#endif
