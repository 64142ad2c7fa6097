// A path that resumes from a basis which does not hold: that of the last step, or one that a turn
// has set. z0 enters with a covering vector of that basis' own,
//
//     d = e_N - M e_B,    e > 0,                                             (docs/theory/gpu.md,
//     (12))
//
// so that at the basis every basic variable is its value plus e z0. The most negative one leaves,
// and a few pivots lead to a basis that holds, where a path from the beginning takes twenty.
#ifndef TACT_GPU_BODY_RESUME_H
#define TACT_GPU_BODY_RESUME_H

#include "gpu/body/body_sweep.h"

// Pivots of a path that resumes; what takes more begins anew.
#define TACT_BODY_RESUME_PIVOTS 20

/// The part of a contact in M e_B, a motion.
TACT_LANE void tact_body_add_shift(const TactBodyItem *item, const TactBodyDirections *directions,
                                   double shift[6])
{
    double c = 0, s = 0, n = item->state & TACT_BODY_THETA ? item->cover : 0;
    TACT_ROLLED for (unsigned left = tact_body_phis(item->state); left; left &= left - 1)
    {
        int j = tact_lane_first_bit(left);
        c += item->cover * directions->cosine[j];
        s += item->cover * directions->sine[j];
    }
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        shift[k] -= n * item->n[k] + c * item->s[k] + s * item->t[k];
    }
}

/// c_gamma and c_sigma of an active contact, and the state that says which variables have them.
TACT_LANE void tact_body_set_early(TactBodyItem *item)
{
    unsigned state = item->state;
    int      slides = (state & TACT_BODY_LAMBDA) != 0;
    double   e = item->cover, phis = tact_lane_count_bits(tact_body_phis(state));
    double   theta = state & TACT_BODY_THETA ? item->mu : 0;
    item->early = state;
    item->c_sigma = slides ? 0 : e;
    item->c_gamma = (slides ? 0 : e) - e * (theta - phis);
}

/// As from the beginning. The groups that begin.
TACT_LANE void tact_body_forget_early(TactBodyRoom *room, TactBodyItem items[TACT_SLOTS],
                                      TactBodyPath *path)
{
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        items[slot].early = 0;
        items[slot].c_gamma = TACT_BODY_COVER_GAMMA;
    }
    if (tact_lane_number() < 6) {
        room->shift[tact_lane_number()] = 0;
    }
    path->resumed = 0;
}

/// z0 enters for `leaving`, whose complement drives. All lanes of a warp; those that do not resume
/// keep their path.
TACT_LANE void tact_body_resume(TactBodyRoom *room, TactBodyItem items[TACT_SLOTS],
                                const TactBodyDirections *directions,
                                const TactBodyLeaving *leaving, int resumes, TactBodyPath *path)
{
    int    lane = tact_lane_number(), contact = leaving->code >> 6;
    int    kind = (leaving->code >> 1) & 31, unknown = leaving->code & 1;
    double shift[6] = {0, 0, 0, 0, 0, 0};
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        if (resumes) {
            tact_body_add_shift(&items[slot], directions, shift);
            tact_body_set_early(&items[slot]);
            if (slot * TACT_GROUP + lane == contact && unknown) {
                items[slot].state &= ~tact_body_bit(kind);
            }
        }
    }
    tact_lane_meet();
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        room->slide[lane][k] = shift[k];
    }
    tact_lane_meet();
    if (resumes && lane < 6) {
        double sum = 0;
        TACT_UNROLL for (int k = 0; k < TACT_GROUP; k++)
        {
            sum += room->slide[k][lane];
        }
        room->shift[lane] = sum;
    }
    tact_lane_meet();
    if (resumes) {
        path->phase = TACT_BODY_FOLLOW;
        path->contact = contact;
        path->kind = kind;
        path->by_row = unknown;
        path->limit = path->pivots + TACT_BODY_RESUME_PIVOTS;
        path->resumed = 1;
    }
}

#endif
