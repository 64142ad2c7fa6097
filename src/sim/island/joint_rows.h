// Rows of a mechanism: loops, couplings, joint limits and dry friction as rows of the contact
// problem, at the state that is set in the workspace of dynamics.
//
//     connect    3 bilateral rows, the distance of the two points
//     weld       6, and the rotation between the two frames
//     joint, tendon couplings    1 bilateral row
//     limits     1 unilateral row each, once the limit is near
//     dry friction of joints and tendons    1 motor row each, with target 0
//
// A bilateral row removes the share zeta of its position error in a step [Arechavaleta, 10]. A
// limit that is not reached yet may be approached as far as it is away, one that is violated is
// left by the share zeta.
#ifndef TACT_SIM_ISLAND_JOINT_ROWS_H
#define TACT_SIM_ISLAND_JOINT_ROWS_H

#include <stdbool.h>
#include <tact/contact.h>
#include <tact/dynamics.h>

#include "base/memory.h"

/// What a row stands for: for reports.
typedef struct TactRowSource {
    TactObject type;  // equality, joint or tendon
    int        index; //
    int        part;  // 0 .. 5 of connect and weld; 0 lower, 1 upper limit; 2 dry friction;
                      //   3 motion that is prescribed; 3 .. 8 of a mocap body
} TactRowSource;

/// Joints (hinges and slides) whose motion is given. They need no limits and no dry friction.
typedef struct TactPrescribed {
    int         count;
    const int  *joints;      //                                                          (count)
    double     *position;    // at the end of the step                                   (count)
    double     *velocity;    // the same                                                 (count)
    const bool *is_given;    // of all joints                                            (joints)
    bool        by_velocity; // v+ is the velocity; else v+ takes q to the position
} TactPrescribed;

/// Free joints whose motion is given: those of mocap bodies.
typedef struct TactLeadings {
    int           count;
    const int    *joints;   //                                                           (count)
    const double *velocity; // that takes each to where it has to be                   (6 count)
} TactLeadings;

typedef struct TactRows {
    int             capacity;
    int             count;
    TactContactRow *rows;    //                                                       (capacity)
    TactRowSource  *sources; //                                                       (capacity)
    double         *J;      //                                                       (capacity x nv)
    const double   *v_free; // lent while rows are filled                           (nv)
    double         *work;   // motions of dofs, and a Jacobian                       (12 nv)
    int            *dofs;   // whose motions these are                               (nv)
    double          shift;  // of joints, at the most, when positions are put right
    const TactPrescribed *prescribed; // NULL: none
    const TactLeadings   *led;        // NULL: none
    bool *implied; // parts of equalities that others imply: left out       (6 equalities)
    int   implied_count;
} TactRows;

/// Lends the arrays out of an arena (memory.h: call it twice).
void tact_rows_layout(TactRows *rows, const TactModel *model, TactArena *arena);

/// All rows for a step of length h; v_free is the velocity after it without constraints.
void tact_rows_fill(TactRows *rows, const TactDynamics *dynamics, const double *v_free, double h,
                    double zeta);

/// Rows of loops and couplings alone, which remove all of their error.
void tact_rows_fill_loops(TactRows *rows, const TactDynamics *dynamics);

/// Finds the rows that others imply but for the digits of a file (implied_rows.c); they are left
/// out from here on. Moves the workspace.
TactStatus tact_rows_find_implied(TactRows *rows, TactDynamics *dynamics);

/// How far these are off at the position that is set, at the most; m or rad.
double tact_rows_implied_error(const TactRows *rows, const TactDynamics *dynamics);

/// Does a row bend within a step: loops, couplings, and limits of balls that press (impulse of the
/// last solve > 0)?                                                             (rows)
bool tact_rows_is_curved(const TactRows *rows, const TactModel *model, int row,
                         const double *impulse);

/// The workspace stands at the end of a step of length h, the rows are those of its beginning:
/// turns the targets of curved rows so that their errors would not have changed. By how much a
/// target changed at the most is returned.
double tact_rows_bend(TactRows *rows, const TactDynamics *dynamics, const double *impulse,
                      double h);

/// How far bilateral rows are off, and limits are exceeded, at the most; m or rad.
typedef struct TactRowErrors {
    double loop;
    double limit;
} TactRowErrors;

/// The first of these alone, without rows.
double tact_rows_loop_error(const TactRows *rows, const TactDynamics *dynamics);

/// Bilateral rows and the limits that may be met, which remove all of their error: for a correction
/// of positions by which something is `off`, m or rad.
TactRowErrors tact_rows_fill_errors(TactRows *rows, const TactDynamics *dynamics, double off);

/// Are there tendons through space with limits? Their lengths need poses.
bool tact_rows_has_ways(const TactModel *model);

/// By how much a limit of such a tendon is exceeded, at the most, m. 0: by nothing.
double tact_rows_worst_way(const TactDynamics *dynamics);

/// The same of all other limits at these positions; m or rad.                                  (nq)
double tact_rows_worst_limit(const TactModel *model, const double *q);

#endif
