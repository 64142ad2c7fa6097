// Between what a normal impulse may lie while the motion stays: the least and the most of p_n over
// F (share.h). A linear program where the cone is a pyramid, a conic one where it is the circle;
// both by the proximal-point method, of which every step is a projection onto F:
//
//     x+ = P_F(x +- t n_i)
//
// Over a polyhedron it ends after finitely many steps [Rockafellar 1976]; t grows, so that over
// circular cones it converges faster than linearly. Whether there is a most is asked first: not if
// F goes on for ever along a d with d_n > 0, and the nearest such d to n_i says so.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/share/share.h"

enum { MOST_ROUNDS = 40 };

static const double FOR_EVER = 1e-7; // d_n of a direction that is none but for rounding
static const double STILL = 1e-10;   // change of p_n, of the largest impulse, that is the end
static const double FASTER = 4;      // t from step to step

/// Centres at the impulses of the items, p or those that the answer has.
static double set_centres(TactShare *share, bool from_start)
{
    double largest = 0;
    for (int k = 0; k < share->count; k++) {
        TactShareItem *a = &share->active[k];
        const double  *from = from_start ? share->given.start + 3 * (size_t)a->item : a->p;
        memcpy(a->centre, from, sizeof a->centre);
        for (int c = 0; c < 3; c++) {
            largest = tact_larger(largest, fabs(from[c]));
        }
    }
    return largest;
}

/// Does F go on for ever in a direction with d_n > 0 of item k?
static bool is_unbounded(TactShare *share, int k)
{
    for (int j = 0; j < share->count; j++) {
        memset(share->active[j].centre, 0, sizeof share->active[j].centre);
    }
    share->active[k].centre[0] = 1;
    share->dual.recedes = true;
    bool found = tact_share_nearest(share);
    share->dual.recedes = false;
    return found && share->active[k].p[0] > FOR_EVER;
}

/// p_n of item k as far as it goes along sign; false: it may go further.
static bool find_end(TactShare *share, int k, double sign, double *end)
{
    double least = set_centres(share, true), largest = least, t = least;
    double before = share->active[k].centre[0];
    *end = before;
    for (int round = 0; round < MOST_ROUNDS; round++, t *= FASTER) {
        share->active[k].centre[0] += sign * t;
        share->dual.size = (largest + t) / least;
        bool found = tact_share_nearest(share);
        share->dual.size = 1;
        if (!found) {
            return false;
        }
        *end = share->active[k].p[0];
        largest = tact_larger(largest, set_centres(share, false));
        if (fabs(*end - before) <= STILL * largest && round > 0) {
            return true;
        }
        before = *end;
    }
    return false;
}

static void find_range(TactShare *share, int k, TactContactRange *range)
{
    const TactShareItem *a = &share->active[k];
    bool                 soft = a->patch >= 0 ? share->expanded.sets[a->patch].soft
                                              : a->set.kind == TACT_SHARE_DISC || a->set.kind == TACT_SHARE_POLYGON;
    if (soft) {
        return; // it follows from the motion
    }
    range->exact = find_end(share, k, -1, &range->least);
    if (is_unbounded(share, k)) {
        range->most = INFINITY;
    } else {
        range->exact = find_end(share, k, 1, &range->most) && range->exact;
    }
    range->least = tact_larger(range->least, 0);
}

static TactStatus find_ranges(TactShare *share, const TactContactProblem *problem,
                              TactContactCone cone, const TactContactAnswer *answer,
                              TactContactRange *range)
{
    TACT_TRY(tact_share_begin(share, problem, cone, answer));
    for (int i = 0; i < problem->contact_count; i++) {
        double p = answer->impulse[3 * i];
        range[i] = (TactContactRange){p, p, true};
    }
    if (tact_share_is_unique(share)) {
        return TACT_OK;
    }
    bool room = tact_share_shape(share);
    for (int k = 0; k < share->count; k++) {
        const TactItem *item = &share->system->items[share->active[k].item];
        if (item->kind == TACT_ITEM_CONTACT && room) {
            find_range(share, k, &range[item->source]);
        } else if (item->kind == TACT_ITEM_CONTACT) {
            range[item->source].exact = false;
        }
    }
    return TACT_OK;
}

TactStatus tact_contact_compute_ranges(const TactContactProblem *problem, TactContactCone cone,
                                       const TactContactAnswer *answer, TactContactRange *range)
{
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(tact_share_check(problem, answer));
    if (!range && problem->contact_count > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "sharing: range is NULL");
    }
    TactShare share = {0};
    TactArena arena = {0};
    TACT_TRY(tact_share_create(&share, problem, cone, &arena));
    TactStatus status = find_ranges(&share, problem, cone, answer, range);
    tact_arena_destroy(&arena);
    return status;
}
