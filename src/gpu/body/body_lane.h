// Lloyd's reduced Lemke method for one body by eight lanes: what a lane and a group keep from one
// pivot to the next. That is index sets: values are computed afresh from the problem at every
// pivot, so that nothing drifts and nothing is spilled (docs/theory/gpu.md).
//
// Contact i belongs to lane i % 8. TACT_SLOTS and TACT_CIRCLE are set by who includes this.
#ifndef TACT_GPU_BODY_LANE_H
#define TACT_GPU_BODY_LANE_H

#include "gpu/body/body.h"

#if !defined(TACT_SLOTS) || !defined(TACT_CIRCLE)
#error "TACT_SLOTS: contacts a lane. TACT_CIRCLE: 1 for the circular cone, 0 for the pyramid alone"
#endif

/// State of a contact, which is also how a basis is stored.
enum {
    TACT_BODY_THETA = 1,  // its normal impulse is basic
    TACT_BODY_LAMBDA = 2, // its speed of slip is basic
    TACT_BODY_ACTIVE = 4, // it has friction
    TACT_BODY_PHI = 8,    // times 2^j: friction along direction j is basic
    TACT_BODY_PHI_SHIFT = 3,
    // With the circle: how far its directions are turned, in parts of a circle.
    TACT_BODY_TURN_SHIFT = TACT_BODY_PHI_SHIFT + TACT_BODY_MAX_DIRECTIONS,
    TACT_BODY_TURN_PARTS = 8192,
};

/// Pairs of complementary variables of a contact: nu and theta, gamma and lambda, sigma_j and
/// phi_j.
enum { TACT_PAIR_NORMAL, TACT_PAIR_SLIP, TACT_PAIR_FRICTION };

typedef struct TactBodyItem {
    double   n[6], s[6], t[6]; // whitened normal and tangents, so that |n| = 1
    double   bias;             // of nu
    double   mu;
    double   cover;   // c_nu
    double   c_sigma; // of an active contact
    double   scale;   // |n| before
    double   turn[2]; // cosine and sine of the angle by which s and t are turned
    double   damping; // across direction 0, along t: of a contact that slides on the circle
    unsigned state;
    // Of a path that resumes from a basis (body_resume.h)
    unsigned early;   // the state it resumes from; 0: as from the beginning
    double   c_gamma; // of an active contact
} TactBodyItem;

typedef enum TactBodyPhase {
    TACT_BODY_IDLE,   // wants a problem
    TACT_BODY_EMPTY,  // there is none left
    TACT_BODY_BEGIN,  // a path begins
    TACT_BODY_FOLLOW, // Lemke's path
    TACT_BODY_FINISH, // z0 has left, or a basis was given: its values
    TACT_BODY_DONE,
    TACT_BODY_FAILED,
} TactBodyPhase;

/// The same in all lanes of a group.
typedef struct TactBodyPath {
    TactBodyPhase phase;
    int           problem;
    int           pivots;
    int           contact;    // of the pair that has no basic member
    int           kind;       // of the pair; direction j: TACT_PAIR_FRICTION + j
    int           by_row;     // the driving variable is its row: nu, gamma or sigma
    double        unit;       // m/s: largest offset before it was made 1
    int           limit;      // of pivots
    int           turns;      // of the circle
    int           kept;       // the basis was set by a turn: where it does not hold a path follows
    int           may_resume; // this kernel's paths begin at a basis that does not hold, if there
                              //   is one. Never written: the compiler leaves out what others have
    int resumed;              // this path does
} TactBodyPath;

enum { TACT_BODY_KERNEL = 8 }; // unknowns of the kernel: z0 and at most seven more

/// Memory that the lanes of a group share.
typedef struct TactBodyRoom {
    double column[TACT_BODY_KERNEL][6]; // motions of the unknowns; 0: z0
    double row[TACT_BODY_KERNEL][6]; // and of the rows; 0: the row of the pair without a basic one
    double slide[TACT_GROUP][6];     // c_gamma d_x of the contacts of a lane
    double cover[TACT_BODY_KERNEL];  // c of the rows
    double offset[TACT_BODY_KERNEL]; // of the rows
    double rate[TACT_BODY_KERNEL];   // what the driving unknown adds to them besides its motion
    double extra[TACT_BODY_KERNEL];  // what the unknowns add to row 0 besides their motion
    double x[TACT_BODY_KERNEL], dx[TACT_BODY_KERNEL]; // values and rates of the unknowns
    double drive[6];                                  // motion of the driving unknown
    double start[6];                                  // y without impulses
    double shift[6];                                  // motion of z0 of a path that resumes; else 0
    double y[6], dy[6];
    double whiten[7]; // 1 / sqrt(m), and L of I^-1 = L L': 00 10 11 20 21 22
#if TACT_CIRCLE
    double spread[6][6]; // (I + sum of damping t t')^-1
    double raw[6];       // start without dampers
#endif
    // Groups of a warp read different banks: a room is 6 numbers more than a multiple of 16.
    double pad[TACT_CIRCLE ? 7 : 1];
} TactBodyRoom;

#endif
