// Random bodies and small mechanisms as MJCF.
#ifndef TACT_BENCH_TRUTH_TRUTH_BODIES_H
#define TACT_BENCH_TRUTH_TRUTH_BODIES_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/base.h>
#include <tact/math.h>

enum { TACT_TRUTH_BODY_TEXT = 3000 };

/// A scene that is being drawn.
typedef struct TactTruthDrawing {
    TactRandom random;
    FILE      *assets, *bodies, *velocities; // parts of the file
    int        count;                        // of bodies
    double     mu;                           // of all geoms
    bool       ellipsoids;                   // may there be any?
    bool       moves;                        // does anything at the start?
} TactTruthDrawing;

/// A body without its pose.
typedef struct TactTruthBody {
    char   text[TACT_TRUTH_BODY_TEXT]; // what stands inside of <body>, its free joint apart
    double radius;                     // of a sphere about its origin that holds it
    int    hinges, balls;              // of the bodies it carries, from the root on
} TactTruthBody;

/// Of length 1, any as likely as any other.
TactVec3 tact_truth_draw_direction(TactRandom *random);

/// 6 to 14 cm across: box, sphere, capsule, cylinder, convex mesh, compound of two geoms, and, if
/// the drawing has them, ellipsoid.
TactTruthBody tact_truth_draw_body(TactTruthDrawing *drawing);
TactTruthBody tact_truth_draw_box(TactTruthDrawing *drawing);
/// A chain of three hinged capsules, or two capsules at a ball joint.
TactTruthBody tact_truth_draw_mechanism(TactTruthDrawing *drawing);

/// Writes the body, at a random orientation; motion: linear in the world frame, angular in that of
/// the body. Joints get random rates where the body turns.
void tact_truth_add_body(TactTruthDrawing *drawing, const TactTruthBody *body, TactVec3 position,
                         TactTwist motion);

#endif
