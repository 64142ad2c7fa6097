// Overlaps that no joint can undo: found once, told, and asked for no more.
//
// A sphere that turns about an axis through the point where it is sunk into the floor, a door
// between two posts that both hold it: the shift (4) of docs/theory/time-stepping.md that would
// part them does not exist, and to look for it in vain would cost more than everything else in a
// step. Such a pair of geoms is kept in a list. It still has its contacts in the motion, but no
// shift is asked of it, unless it has come half out by itself, or has sunk in further.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "sim/sim.h"

// Parted by no less than so much of a joint, m or rad: that is not what anybody means.
static const double MOST_TURN = 1;

// Of what was asked of it, a contact of a shift that could not be found has got less than this.
static const double HARDLY = 0.5;

// Beyond these parts of the depth that it was found with, a pair is looked at again.
static const double COME_OUT = 0.5, SUNK_FURTHER = 1.1;

static bool is_pair(const TactSimStuck *stuck, const TactSimContact *c)
{
    return stuck->geom[0] == c->geom[0] && stuck->geom[1] == c->geom[1];
}

bool tact_sim_is_stuck(const TactSim *sim, const TactSimContact *c)
{
    for (int i = 0; i < sim->positions.stuck_count; i++) {
        if (is_pair(&sim->positions.stuck[i], c)) {
            return true;
        }
    }
    return false;
}

bool tact_sim_can_part(int n, const double *J, double excess)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        most = tact_larger(most, fabs(J[k]));
    }
    return MOST_TURN * most >= excess;
}

void tact_sim_judge_lift(TactSim *sim, const TactProblemArrays *a, const TactSimIsland *island)
{
    bool any = false;
    for (int pass = 0; pass < 2 && !any; pass++) { // all of them, if none is worse than the others
        for (int k = 0; k < island->contact_count; k++) {
            TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
            double          asked = -a->contacts[k].bias, got = a->u[3 * (size_t)k];
            bool            missed = pass == 1 || !(got >= HARDLY * asked);
            bool judged = asked > 0 && missed; // of those that are stuck nothing was asked
            c->stuck = c->stuck || judged;
            any = any || judged;
        }
    }
}

/// Deepest overlap of a pair now; 0: it does not touch.
static double find_depth(const TactSim *sim, const TactSimStuck *stuck)
{
    double depth = 0;
    for (int i = 0; i < sim->contact_count; i++) {
        depth =
            is_pair(stuck, &sim->contacts[i]) ? tact_larger(depth, sim->contacts[i].depth) : depth;
    }
    return depth;
}

void tact_sim_keep_stuck(TactSim *sim)
{
    TactSimPositions *p = &sim->positions;
    int               kept = 0;
    for (int i = 0; i < p->stuck_count; i++) {
        double depth = find_depth(sim, &p->stuck[i]);
        if (depth >= COME_OUT * p->stuck[i].depth && depth <= SUNK_FURTHER * p->stuck[i].depth) {
            p->stuck[kept++] = p->stuck[i];
        }
    }
    bool fewer = kept < p->stuck_count;
    p->stuck_count = kept;
    for (int i = 0; i < sim->contact_count && fewer; i++) {
        sim->contacts[i].stuck = tact_sim_is_stuck(sim, &sim->contacts[i]);
    }
}

void tact_sim_note_stuck(TactSim *sim)
{
    TactSimPositions *p = &sim->positions;
    for (int i = 0; i < sim->contact_count && p->stuck_count < TACT_SIM_MOST_STUCK; i++) {
        const TactSimContact *c = &sim->contacts[i];
        if (c->stuck && !tact_sim_is_stuck(sim, c)) {
            TactSimStuck *added = &p->stuck[p->stuck_count++];
            *added = (TactSimStuck){.geom = {c->geom[0], c->geom[1]}};
            added->depth = find_depth(sim, added);
        }
    }
}

const TactSimStuck *tact_sim_view_stuck(const TactSim *sim, int *count)
{
    *count = sim->positions.stuck_count;
    return sim->positions.stuck;
}
