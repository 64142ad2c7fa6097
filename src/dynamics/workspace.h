// What the algorithms of dynamics keep for themselves, by owner.
#ifndef TACT_DYNAMICS_WORKSPACE_H
#define TACT_DYNAMICS_WORKSPACE_H

#include "dynamics/links.h"

// Dofs of a chain that are eliminated together (mass.c).
enum { TACT_DYNAMICS_TOGETHER = 4 };

/// The position that was set before this one: a step goes to and fro between its beginning and its
/// end (position.c).
typedef struct TactPositionAside {
    uint64_t       placed; // as of TactDynamics
    uint64_t       last;   // number that was given to a position
    bool           whole;  // as of TactDynamics
    TactTransform *pose;   // (bodies)
    TactVec3      *com;    // (links)
    TactVec3      *arm;    // (links)
    TactSym3      *rotary; // (links)
    TactTwist     *axis;   // (nv)
    double        *q;      // (nq)
} TactPositionAside;

/// Velocities put aside, with what follows from them (velocity.c).
typedef struct TactVelocityAside {
    uint64_t   moved;    // as of TactDynamics
    double    *v;        // (nv)
    TactTwist *velocity; // (links)
    TactTwist *product;  // (links)
} TactVelocityAside;

/// M and its factor: row i of M stands at row[i] .. row[i + 1] - 1 for the dofs `column` (mass.c).
typedef struct TactMassMatrix {
    int *row;    //                                                                (nv + 1)
    int *column; //                                                                (row[nv])
    int *run;    // from here on the dofs of a row are one after the other         (nv)
    int *chain;  // dofs in a row each of which is the parent of the next, cut into pieces of up
                 //   to TOGETHER: how many there are in the piece of a dof        (nv)
    double *M;   //                                                                (row[nv])
    int    *factor_row; // where the rows of L stand, which have room for whole vectors (nv + 1)
    double *L; // L without its unit diagonal, with 1 / D there               (factor_row[nv])
} TactMassMatrix;

/// The box that has a body's mass and inertia (fluid.c).
typedef struct TactFluidBox {
    double   sides[3]; // m
    TactMat3 axes;     // columns in the body's frame
} TactFluidBox;

/// Scratch of the recursions over links (recursion.c, mass.c).
typedef struct TactRecursion {
    TactWrench      *force;          // (links)
    TactArticulated *articulated;    // (links)
    TactWrench      *U;              // (nv)
    double          *D_inverse;      // (nv)
    double          *u;              // (nv)
    double          *composite_mass; // (links)
    TactVec3        *composite_com;  // (links)
    TactSym3        *composite;      // about that point (links)
    TactFluidBox    *boxes;          // of bodies that the fluid around them pushes         (bodies)
} TactRecursion;

/// Stages of a step of Runge and Kutta (runge_kutta.c).
typedef struct TactRungeKutta {
    double *start_q;        //                                                    (nq)
    double *stage_q;        //                                                    (nq)
    double *stage_tau;      //                                                    (nv)
    double *slope[4];       // of the position, in the tangent space of the start (nv)
    double *slope_v[4];     // of the velocity                                    (nv)
    double *stage_position; // in the tangent space of the start                  (nv)
    double *stage_velocity; //                                                    (nv)
} TactRungeKutta;

#endif
