// A model as steps on a GPU read it: constant arrays, the same for all worlds, in one block of
// memory that is copied to the device as it is. C and C++ alike.
#ifndef TACT_GPU_STEP_MODEL_H
#define TACT_GPU_STEP_MODEL_H

#include "gpu/step/step_math.h"

#ifndef TACT_STEP_MAX_LINKS    // kernels have a smaller size as well
#define TACT_STEP_MAX_LINKS 48 // with the world
#define TACT_STEP_MAX_DOF 64   //
#define TACT_STEP_MAX_GEOMS 96 // that touch anything
#endif

enum {
    TACT_STEP_MAX_CONTACTS = 32, // contacts and limits of a world in one step
    TACT_STEP_MOST_NEAR = 128,   // pairs of a world whose balls touch
};

/// Joint types, in the order of TactJointType.
enum { TACT_STEP_FREE, TACT_STEP_BALL, TACT_STEP_HINGE, TACT_STEP_SLIDE };

/// A body that moves, with all that is fixed to it; 0 is the world (dynamics/links.h).
typedef struct TactStepLink {
    int parent;
    int first_joint, joint_count;
    int first_dof, dof_count;
    int flies;                    // a free body by itself: its spin follows flight.c
    int level;                    // links on the way to the world
    int first_below, below_count; // of the list of links that it carries, from itself on
    unsigned long long moved_by;  // dofs on the way to the root, a bit each
    TactTransform      fixed;
    double             mass;
    TactVec3           com;
    TactMat3           rotary;
} TactStepLink;

typedef struct TactStepJoint {
    int      type, q, dof;
    int      limited, force_limited;
    TactVec3 position, axis;
    double   reference;
    double   limit[2];       // where its limits hold (hinge, slide)
    double   force_range[2]; // of all its actuators together
} TactStepJoint;

typedef struct TactStepDof {
    int    first, above; // of the list of dofs on the way to the root, from the next one on
    int    q;            // coordinate of a hinge or slide; -1: of neither
    int    link, joint;
    int    first_drive, drive_count; // of the list of actuators that act on it
    double armature, damping;
    double stiffness, rest;
} TactStepDof;

/// Motors and servos on hinges, slides and fixed tendons.
typedef struct TactStepActuator {
    int    dof;    // -1: a tendon
    int    tendon; // -1: a joint
    int    ctrl_limited, force_limited;
    double gear, gain[3], bias[3];
    double ctrl_range[2], force_range[2];
} TactStepActuator;

/// A fixed tendon: length = sum of coefficients times q.
typedef struct TactStepTendon {
    int    first, count; // of terms
    int    limited;
    double limit[2], spring[2];
    double stiffness, damping;
} TactStepTendon;

typedef struct TactStepTerm {
    int    dof, q;
    double coefficient;
} TactStepTerm;

/// Geom types that collide here, and all others.
enum {
    TACT_STEP_PLANE,
    TACT_STEP_SPHERE,
    TACT_STEP_CAPSULE,
    TACT_STEP_BOX,
    TACT_STEP_ELLIPSOID,
    TACT_STEP_OTHER
};

typedef struct TactStepGeom {
    int           type, link;
    TactTransform pose; // in its link
    TactVec3      middle;
    double        size[3];
    double        half[3]; // of the box about the middle that holds it
    double        radius;  // of points about the middle; infinite of a plane
} TactStepGeom;

/// Two geoms that may touch, in the order of TactWorld, a < b; normals are from a to b.
typedef struct TactStepPair {
    int    a, b;
    int    rough; // with friction: these come first
    int    other; // closed forms do not have it: near each other, they are the processor's
    double mu;
    double skin; // they touch where their surfaces are so far apart, m
} TactStepPair;

/// Dry friction of a dof or of a fixed tendon: a row with two bounds.
typedef struct TactStepMotor {
    int    dof;      // -1: a tendon
    int    tendon;   // -1: a dof
    double friction; // N or N m
} TactStepMotor;

/// Kinds of loops: of two bodies, then of two joints or tendons.
enum { TACT_STEP_CONNECT, TACT_STEP_WELD, TACT_STEP_JOINTS, TACT_STEP_TENDONS };

typedef struct TactStepLoop {
    int           type;
    int           of[2];     // links of a and b; joints or tendons y and x, -1: none
    unsigned      parts;     // that are rows, a bit each: others may be implied
    int           first_row; // among rows of loops
    TactTransform place[2];  // of the bodies in their links
    TactVec3      anchor[2];
    TactQuat      turn; // weld: rotation of b in a
    double        polynomial[5], reference[2];
} TactStepLoop;

/// What judges where a step ends (sim/touch/judge_pairs.c).
typedef struct TactStepRules {
    double slop;
    double overlap_made; // deeper is put right
    double fast;         // rad or m in a step: beyond, energy is watched
    double loop_tol;     // m or rad that loops may be open
} TactStepRules;

typedef struct TactStepModel {
    int                     nq, nv;
    int                     link_count, joint_count, actuator_count, tendon_count;
    int                     geom_count, pair_count;
    int                     motor_count, loop_count, loop_rows;
    int                     levels; // the deepest of a link
    double                  h;
    TactVec3                gravity;
    TactStepRules           rules;
    const TactStepLink     *links;
    const TactStepJoint    *joints;
    const TactStepDof      *dofs;   // (nv)
    const short            *above;  // dofs on the way to the root, of one dof after the other
    const short            *below;  // links that a link carries, of one after the other
    const short            *drives; // actuators of a dof, of one after the other
    const TactStepActuator *actuators;
    const TactStepTendon   *tendons;
    const TactStepTerm     *terms;
    const TactStepGeom     *geoms;
    const TactStepPair     *pairs;
    const TactStepMotor    *motors;
    const TactStepLoop     *loops;
} TactStepModel;

#endif
