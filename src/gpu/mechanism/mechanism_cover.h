// The covering vector of a mechanism. At the first attempt it is that of the processor's general
// kernel (contact/pivot/kernel_path.c), number for number: where a problem has several answers the
// covering vector chooses one, and the two choose the same. Later attempts have others.
#ifndef TACT_GPU_MECHANISM_COVER_H
#define TACT_GPU_MECHANISM_COVER_H

#include "contact/support_hash.h"
#include "gpu/cover.h"
#include "gpu/mechanism/mechanism_extra.h"

/// Degrees of freedom that the contact of this lane touches, a bit each; 0 beyond the contacts.
TACT_LANE unsigned long long tact_mechanism_touched(const TactMechanismOne *one, int n, int rough,
                                                    int rows)
{
    enum { AT_ONCE = 8 }; // rows that are asked for at a time
    int                lane = tact_warp_lane();
    unsigned long long touched = 0;
    TACT_ROLLED for (int first = 0; first < rows; first += AT_ONCE)
    {
        double entry[AT_ONCE], beyond[AT_ONCE];
        TACT_UNROLL for (int k = 0; k < AT_ONCE; k++)
        {
            const double *row = one->J + (first + k) * n;
            int           there = first + k < rows;
            entry[k] = there && lane < n ? row[lane] : 0;
            beyond[k] = there && lane + TACT_WARP < n ? row[lane + TACT_WARP] : 0;
        }
        TACT_UNROLL for (int k = 0; k < AT_ONCE; k++)
        {
            unsigned long long low = tact_warp_vote(entry[k] != 0);
            unsigned long long high = n > TACT_WARP ? tact_warp_vote(beyond[k] != 0) : 0;
            if (first + k < rows && tact_rows_contact(rough, first + k) == lane) {
                touched |= low | high << TACT_WARP;
            }
        }
    }
    return touched;
}

TACT_LANE unsigned long long tact_mechanism_hash(unsigned long long touched)
{
    unsigned long long hash = TACT_SUPPORT_NONE;
    TACT_ROLLED for (int half = 0; half < 2; half++)
    {
        unsigned left = (unsigned)(touched >> (TACT_WARP * half));
        TACT_ROLLED for (; left; left &= left - 1)
        {
            hash = tact_support_add(hash, TACT_WARP * half + tact_lane_first_bit(left));
        }
    }
    return hash;
}

/// The place of this lane's contact in the processor's order: by hash, equals as they come.
TACT_LANE int tact_mechanism_find_place(const TactMechanismOne *one, int n, int rough,
                                        const TactMechanismPath *path)
{
    int                lane = tact_warp_lane(), place = 0;
    unsigned long long own = tact_mechanism_hash(tact_mechanism_touched(one, n, rough, path->rows));
    TACT_ROLLED for (int c = 0; c < path->points; c++)
    {
        unsigned           low = (unsigned)tact_warp_read_int((int)(unsigned)own, c);
        unsigned           high = (unsigned)tact_warp_read_int((int)(unsigned)(own >> 32), c);
        unsigned long long other = (unsigned long long)high << 32 | low;
        place += other < own || (other == own && c < lane);
    }
    return place;
}

/// c_nu of all contacts; c_sigma where it is not larger by the slip.
TACT_LANE void tact_mechanism_set_cover(const TactMechanismTask *task, TactMechanismRoom *room,
                                        const TactMechanismPath *path)
{
    int              lane = tact_warp_lane(), place = lane;
    TactMechanismOne one = tact_mechanism_one(&task->problems, path->problem);
    if (task->attempt == 0) {
        place = tact_mechanism_find_place(&one, task->problems.dof, room->rough, path);
    }
    room->right = task->right;
    room->halfway = task->halfway;
    if (lane < path->points) {
        room->cover[lane] =
            task->attempt == 0 ? task->cover[place] : tact_body_cover(lane, task->attempt);
        room->sigma[lane] = task->c_sigma;
    }
#if TACT_EXTRA > 0
    tact_mechanism_cover_motors(room, path, task->attempt);
    tact_moment_cover(task, room, path);
#endif
    tact_lane_meet();
}

#endif
