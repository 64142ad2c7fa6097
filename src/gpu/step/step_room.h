// The room of one world in fast memory, and what lanes of its warp do together.
#ifndef TACT_GPU_STEP_ROOM_H
#define TACT_GPU_STEP_ROOM_H

#include "gpu/step/step_worlds.h"

enum {
    TACT_STEP_MOST_WRONG = 16,                                         // pairs in a list
    TACT_STEP_SLOTS = (TACT_STEP_MAX_DOF + TACT_WARP - 1) / TACT_WARP, // dofs of a lane
    TACT_STEP_ENTRIES = TACT_STEP_MAX_DOF * (TACT_STEP_MAX_DOF + 1) / 2,
};

/// Mass, centre and rotational inertia of a link with all that it carries.
typedef struct TactStepComposite {
    double   mass;
    TactVec3 com;
    TactSym3 rotary;
} TactStepComposite;

/// Geoms at their places, and how far they may come in the step.
typedef struct TactStepPlaces {
    TactTransform poses[TACT_STEP_MAX_GEOMS];
    TactVec3      middle[TACT_STEP_MAX_GEOMS];
    double        reach[TACT_STEP_MAX_GEOMS];
} TactStepPlaces;

typedef struct TactStepBalance {
    TactTwist  acceleration[TACT_STEP_MAX_LINKS];
    TactWrench force[TACT_STEP_MAX_LINKS];
} TactStepBalance;

/// Where a contact is, with its first tangent.
typedef struct TactStepFrame {
    TactVec3 point, normal, tangent;
} TactStepFrame;

typedef struct TactStepRoom {
    // Links
    TactTransform pose[TACT_STEP_MAX_LINKS];
    TactVec3      com[TACT_STEP_MAX_LINKS]; // centres of mass
    TactSym3      rotary[TACT_STEP_MAX_LINKS];
    TactTwist     axis[TACT_STEP_MAX_DOF];       // S: motion of the centre of mass for a unit of v
    TactTwist     velocity[TACT_STEP_MAX_LINKS]; // of the centre of mass
    // Coordinates and dofs
    double q[TACT_STEP_MAX_DOF + TACT_STEP_MAX_LINKS];     // where the step begins
    double q_end[TACT_STEP_MAX_DOF + TACT_STEP_MAX_LINKS]; // where it ends
    double v[TACT_STEP_MAX_DOF];
    double x[TACT_STEP_MAX_DOF];
    double gain[TACT_STEP_MAX_DOF];
    double impulse[TACT_STEP_MAX_DOF];
    union {
        double tau[TACT_STEP_MAX_DOF];
        double v_end[TACT_STEP_MAX_DOF];
    };
    union {
        double added[TACT_STEP_MAX_DOF]; // on the diagonal of M
        double solved[TACT_STEP_MAX_DOF];
    };
    // Pairs
    unsigned short near[TACT_STEP_MOST_NEAR];
    short          held_pair[TACT_STEP_MAX_CONTACTS], start_pair[TACT_STEP_MAX_CONTACTS];
    short          wrong[TACT_STEP_MOST_WRONG], fast[TACT_STEP_MOST_WRONG];
    // What is not wanted at the same time
    union {
        double         L[TACT_STEP_ENTRIES]; // M, then its factor
        TactStepPlaces places;
    };
    union {
        TactStepComposite all[TACT_STEP_MAX_LINKS];
        TactStepBalance   balance;
        TactStepHeld      fresh[TACT_STEP_MAX_CONTACTS];
        TactStepFrame     frames[TACT_STEP_MAX_CONTACTS];
    };
} TactStepRoom;

/// M_ij with i >= j, by rows up to the diagonal.
TACT_HD int tact_step_entry(int i, int j)
{
    return i * (i + 1) / 2 + j;
}

/// The sum over lanes, in all of them.
TACT_LANE double tact_step_sum(double x)
{
    TACT_ROLLED
    for (int s = TACT_WARP / 2; s > 0; s /= 2) {
        x += tact_warp_read(x, tact_warp_lane() ^ s);
    }
    return x;
}

/// The largest over lanes, in all of them; NaN is larger than all.
TACT_LANE double tact_step_most(double x)
{
    TACT_ROLLED
    for (int s = TACT_WARP / 2; s > 0; s /= 2) {
        double other = tact_warp_read(x, tact_warp_lane() ^ s);
        x = x != x || other <= x ? x : other;
    }
    return x;
}

/// Bits of all lanes.
TACT_LANE int tact_step_join(int bits)
{
    TACT_ROLLED
    for (int s = TACT_WARP / 2; s > 0; s /= 2) {
        bits |= tact_warp_read_int(bits, tact_warp_lane() ^ s);
    }
    return bits;
}

/// The lanes before this one in which it is so.
TACT_LANE int tact_step_before(unsigned votes)
{
    return tact_lane_count_bits(votes & ((1u << tact_warp_lane()) - 1));
}

/// The sum of counts (as many as two geoms have points) of the lanes before this one; all: of all
/// lanes.
TACT_LANE int tact_step_offset(int count, int *all)
{
    int before = 0;
    *all = 0;
    TACT_ROLLED
    for (int bit = 0; bit < (TACT_STEP_MORE ? 5 : 4); bit++) {
        unsigned votes = tact_warp_vote(count >> bit & 1);
        before += tact_step_before(votes) << bit;
        *all += tact_lane_count_bits(votes) << bit;
    }
    return before;
}

#endif
