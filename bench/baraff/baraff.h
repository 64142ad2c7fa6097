// What [Baraff94, 7] measures, problem by problem: for `tact bench baraff` and `tact bench papers`.
#ifndef TACT_BENCH_BARAFF_BARAFF_H
#define TACT_BENCH_BARAFF_BARAFF_H

#include "bench/lcp/lcp.h"
#include "bench/problems/problems.h"

typedef enum TactBaraffShape { TACT_BARAFF_PEG, TACT_BARAFF_TOWER } TactBaraffShape;

/// Problems of one size.
typedef struct TactBaraffPoint {
    TactBaraffShape shape;
    int             bodies, each; // contacts of a body
    double          softness;     // compliance of the contacts, relative to the mean of A_ii
    double          mu;
} TactBaraffPoint;

/// Without friction, up to 150 contacts, A singular and softened; with friction. (count)
const TactBaraffPoint *tact_baraff_smooth(int *count);
const TactBaraffPoint *tact_baraff_rough(int *count);
/// "peg", "tower".
const char *tact_baraff_shape_name(TactBaraffShape shape);

typedef enum TactBaraffColumn {
    TACT_BARAFF_SECTION_4,   // the paper's section 4 on A: dantzig
    TACT_BARAFF_WHOLE,       // `baraff`, from bodies to certificate
    TACT_BARAFF_LEMKE,       // lemke on A
    TACT_BARAFF_ELIMINATION, // A x = b by Gaussian elimination with partial pivoting, in plain C
    TACT_BARAFF_ODE,         // peers
    TACT_BARAFF_DGESV,
    TACT_BARAFF_QP, // CLP on the same A
    TACT_BARAFF_COLUMNS
} TactBaraffColumn;

typedef struct TactBaraff {
    int                instances;
    double             budget;                    // s a solver and point
    const TactPeer    *peer[TACT_BARAFF_COLUMNS]; // NULL: not there
    TactContactCase   *cases;                     //                              (instances)
    TactFamilyProblem *problems;                  // A and b without friction     (instances)
    TactBenchCell      cell[TACT_BARAFF_COLUMNS]; // of the point run last
    double             clamped;                   // sum over the problems of WHOLE
    double             turns;                     // the same
    double             drives, attempts;          // the same
} TactBaraff;

/// Without peers. TACT_NO_MEMORY is the only failure; destroy in any event.
TactStatus tact_baraff_create(int instances, double budget, TactBaraff *bench);
void       tact_baraff_destroy(TactBaraff *bench);

/// ODE, LAPACK and CLP, from the module at path (NULL: beside the program; "none"). Without it
/// their columns stay empty.
void tact_baraff_add_peers(TactBaraff *bench, const char *path);

/// Fills the cells of all columns, those of peers that are there; with friction that of WHOLE.
TactStatus tact_baraff_run(TactBaraff *bench, const TactBaraffPoint *point);

#endif
