// Inside of `tact bench friction`: problem files by tact and by others, to the same residual.
#ifndef TACT_BENCH_FRICTION_FRICTION_H
#define TACT_BENCH_FRICTION_FRICTION_H

#include <tact/io.h>

#include "bench/apart.h"
#include "bench/peers.h"

/// The natural-map residual that every answer with the circular cone must have.
static const double tact_friction_wanted = 1e-8;

/// REFUSED: the iterations of a method that does not take the problem
enum { TACT_FRICTION_MAX_PEERS = 4, TACT_FRICTION_REFUSED = -1 };

typedef enum TactFrictionMethod {
    TACT_FRICTION_NSGS,
    TACT_FRICTION_LADDER,
    TACT_FRICTION_REDUCED,
    TACT_FRICTION_LADDER_PYRAMID,
    TACT_FRICTION_REDUCED_PYRAMID,
    TACT_FRICTION_METHODS
} TactFrictionMethod;

const char     *tact_friction_method_name(TactFrictionMethod method);
TactContactCone tact_friction_method_cone(TactFrictionMethod method);

typedef struct TactFrictionOptions {
    double      budget; // seconds a file and solver
    const char *csv;    // NULL: none
    const char *module; // of the peers; NULL: beside the program
    bool        no_peers;
    bool        quick; // nsgs and the peers only
} TactFrictionOptions;

/// One file.
typedef struct TactFrictionCase {
    char        *path;
    const char  *name;     // its last part
    char         form[48]; // as the file has it
    int          contacts;
    int          dimension;
    TactStatus   status;       // TACT_OK, or why it was not read
    char         message[256]; // of status, or why no peer is run
    TactBenchRun ours[TACT_FRICTION_METHODS];
    TactBenchRun peers[TACT_FRICTION_MAX_PEERS];
} TactFrictionCase;

typedef struct TactFriction {
    TactFrictionOptions     options;
    int                     count;
    TactFrictionCase       *cases; // (count)
    int                     peers;
    const TactFrictionPeer *peer[TACT_FRICTION_MAX_PEERS];
} TactFriction;

/// Reads a file and runs all solvers on it.
void tact_friction_run(const TactFriction *friction, TactFrictionCase *c);

/// Number of the peer that is judged against, siconos-nsgs; -1: none.
int tact_friction_rival(const TactFriction *friction);

void tact_friction_print_head(const TactFriction *friction);
void tact_friction_print_case(const TactFriction *friction, const TactFrictionCase *c);
void tact_friction_print_others(const TactFriction *friction);
void tact_friction_print_verdict(const TactFriction *friction);
int  tact_friction_write_csv(const TactFriction *friction, const char *path);

#endif
