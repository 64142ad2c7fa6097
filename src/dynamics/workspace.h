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

/// M with `added` on its diagonal, or NULL, without its factor; and that (mass.c).         (nv)
void tact_dynamics_fill_mass(TactDynamics *d, const double *added);
void tact_dynamics_factor_mass(TactDynamics *d);

/// The box that has a body's mass and inertia (fluid.c).
typedef struct TactFluidBox {
    double   sides[3]; // m
    TactMat3 axes;     // columns in the body's frame
} TactFluidBox;

/// An ellipsoid in the fluid, in the axes of its geom (fluid_ellipsoid.c).
typedef struct TactFluidEllipsoid {
    double   d[3], volume; // half-axes
    double   m[3], J[3];   // masses and inertias of the fluid that goes along, over its density
    TactMat3 axes;         // columns in the body's frame
} TactFluidEllipsoid;

/// Drag of the fluid on links at a velocity: the wrench C (V - W) against the motion V of the
/// centre of mass in the wind W, world axes (fluid_drag.c).
typedef struct TactFluidDrag {
    TactArticulated *C;         // of links alone                                      (links)
    TactArticulated *C_before;  // at the velocity before that one                     (links)
    TactArticulated *composite; // of links with all that they carry                   (links)
    TactTwist       *motion;    // scratch                                             (links)
} TactFluidDrag;

/// Scratch of the recursions over links (recursion.c, mass.c).
typedef struct TactRecursion {
    TactWrench         *force;          // (links)
    TactArticulated    *articulated;    // (links)
    TactWrench         *U;              // (nv)
    double             *D_inverse;      // (nv)
    double             *u;              // (nv)
    double             *composite_mass; // (links)
    TactVec3           *composite_com;  // (links)
    TactSym3           *composite;      // about that point (links)
    TactFluidBox       *boxes;      // of bodies that the fluid around them pushes         (bodies)
    TactFluidEllipsoid *ellipsoids; // of geoms that it sees as such                       (geoms)
    TactFluidDrag       drag;
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
