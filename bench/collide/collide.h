// Inside of `tact bench collide`.
#ifndef TACT_BENCH_COLLIDE_COLLIDE_H
#define TACT_BENCH_COLLIDE_COLLIDE_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/peers.h"

enum { TACT_COLLIDE_ENGINES = 4, TACT_COLLIDE_CASES = 12 };

/// tact itself as an engine.
extern const TactCollidePeer tact_collide_own;

typedef enum TactCollideKind {
    TACT_COLLIDE_BOXES,
    TACT_COLLIDE_CAPSULES,
    TACT_COLLIDE_HULLS,
    TACT_COLLIDE_TORI,
    TACT_COLLIDE_PILE,
} TactCollideKind;

typedef struct TactCollideSpec {
    const char     *name;
    TactCollideKind kind;
    int             bodies;
    int             frames;
} TactCollideSpec;

/// A case with the memory it lends.
typedef struct TactCollideMade {
    TactCollideCase bodies;
    TactHull       *hull;
    TactMesh       *mesh;
    TactMeshTree   *tree;
    TactTransform  *poses;
} TactCollideMade;

/// The same spec gives the same poses. With a message where the build has no hulls.
TactStatus tact_collide_make(const TactCollideSpec *spec, TactCollideMade *made);
void       tact_collide_drop(TactCollideMade *made);

/// One engine on one case.
typedef struct TactCollideCell {
    bool             taken;
    double           best[TACT_COLLIDE_PART_COUNT]; // s a pass; HUGE_VAL: no such part
    TactCollideFound found[TACT_COLLIDE_PART_COUNT];
} TactCollideCell;

typedef struct TactCollideBench {
    int                    engines, cases;
    const TactCollidePeer *engine[TACT_COLLIDE_ENGINES]; // tact is the first
    const TactCollideSpec *spec[TACT_COLLIDE_CASES];
    TactCollideCell        cell[TACT_COLLIDE_CASES][TACT_COLLIDE_ENGINES];
} TactCollideBench;

/// All engines on one case, in turn, until each has had its seconds; fills row `index`.
TactStatus tact_collide_run(TactCollideBench *bench, int index, double budget);

/// Seconds of one pair, or of one frame of a world.
double tact_collide_seconds(const TactCollideBench *bench, int index, int engine, int part);

void tact_collide_print_case(const TactCollideBench *bench, int index);
void tact_collide_print_growth(const TactCollideBench *bench);
void tact_collide_print_wanted(const TactCollideBench *bench);
int  tact_collide_write_csv(const TactCollideBench *bench, const char *path);

#endif
