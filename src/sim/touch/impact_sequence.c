// Restitution by sequential impacts: bodies that touch are hit one pair after the other.
//
// Laws that hit all contacts at once share a blow among bodies in a row that touch each other: the
// first of three balls comes back. Nature hands it on, because a blow is over before the next pair
// is compressed. Here the pair that approaches fastest goes first, by Newton's law and without
// friction, as if nothing else touched it:
//
//     0 <= p  _|_  u+ + e u- >= 0 ,      v <- v + M^-1 N' p                                   (1)
//
// with all contacts of the pair together, and pairs that approach equally fast together, so that
// what is symmetric stays so. Then the next one, until none approaches. No impact adds energy: with
// p'u+ = -e p'u- it is p'(u+ + u-) / 2 = (1 - e) p'u- / 2 <= 0.
//
// The speeds at which the contacts that were hit come apart in the end are then asked for in the
// contact problem of the step, as those of the other laws are: it has that motion as its solution
// where there is no friction, finds the friction where there is, and is certified. As with the
// other laws less is asked for where friction would make energy of it (impact.c).
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum { MOST_IMPACTS = 1000, MOST_SWEEPS = 500 };

static const double STILL = 1e-12;   // of the first blow: speeds below that are none
static const double SLIGHT = 1e-16;  // of it: asked for where what is hit stays together
static const double EQUAL = 1e-9;    // pairs that approach at speeds this near are hit together
static const double SETTLED = 1e-15; // of the blow: change in a sweep over a pair's contacts

/// One island.
typedef struct Sequence {
    TactSim             *sim;
    TactProblemArrays   *arrays;
    const TactSimIsland *island;
    double              *work;  //                                                    (nv)
    double              *v;     //                                                    (nv)
    double              *w;     // N M^-1 N' of a contact; 0: it takes no part        (contacts)
    double              *u;     // before the impact at hand                          (contacts)
    double              *p;     // of the impact at hand; -1: not hit                 (contacts)
    double              *total; // of all impacts                                     (contacts)
    double *asked; // speeds of contacts that were approaching; -1: it was not (contacts)
} Sequence;

static TactSimContact *contact_of(const Sequence *s, int k)
{
    return &s->sim->contacts[s->sim->islands.contacts[s->island->first_contact + k]];
}

static double rate_of(const Sequence *s, int k)
{
    const TactSimContact *c = contact_of(s, k);
    return tact_sim_contact_rate(s->sim, c, c->normal, s->v);
}

/// work = M^-1 N' p of a contact
static void find_response(const Sequence *s, int k, double p)
{
    const TactSimContact *c = contact_of(s, k);
    TactWrench            push = {tact_vec3_scale(p, c->normal), {0, 0, 0}};
    memset(s->work, 0, (size_t)s->sim->model->nv * sizeof *s->work);
    tact_sim_add_wrench(s->sim, c->body[1], c->point, push, s->work);
    tact_sim_add_wrench(s->sim, c->body[0], c->point, tact_wrench_scale(-1, push), s->work);
    tact_dynamics_solve_mass(s->sim->dynamics, s->work);
}

/// Contacts that touch, or come to in the step.
static void begin_sequence(Sequence *s)
{
    double gap = tact_sim_gap_left(s->sim);
    memcpy(s->v, s->sim->last.v, (size_t)s->sim->model->nv * sizeof *s->v);
    for (int k = 0; k < s->island->contact_count; k++) {
        const TactSimContact *c = contact_of(s, k);
        s->total[k] = s->w[k] = 0;
        if (c->depth >= -gap || c->bounce > 0) {
            find_response(s, k, 1);
            s->w[k] = tact_sim_contact_rate(s->sim, c, c->normal, s->work);
        }
    }
}

static bool is_same_pair(const TactSimContact *a, const TactSimContact *b)
{
    return (a->body[0] == b->body[0] && a->body[1] == b->body[1]) ||
           (a->body[0] == b->body[1] && a->body[1] == b->body[0]);
}

/// Marks the contacts of the pairs that approach fastest; returns how fast.
static double choose_pairs(Sequence *s)
{
    int    count = s->island->contact_count;
    double fastest = 0;
    for (int k = 0; k < count; k++) {
        s->p[k] = -1;
        s->u[k] = s->w[k] > 0 ? rate_of(s, k) : 0;
        fastest = tact_larger(fastest, -s->u[k]);
    }
    for (int k = 0; k < count; k++) {
        if (s->w[k] > 0 && -s->u[k] >= (1 - EQUAL) * fastest && fastest > 0) {
            for (int j = 0; j < count; j++) {
                bool pair = s->w[j] > 0 && is_same_pair(contact_of(s, k), contact_of(s, j));
                s->p[j] = pair ? 0 : s->p[j];
            }
        }
    }
    return fastest;
}

/// (1) of the contacts that are marked, one after the other until nothing changes.
static void hit(Sequence *s, double fastest)
{
    double change = fastest;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > SETTLED * fastest; sweep++) {
        change = 0;
        for (int k = 0; k < s->island->contact_count; k++) {
            if (s->p[k] < 0) {
                continue;
            }
            double wanted = s->u[k] < 0 ? -contact_of(s, k)->restitution * s->u[k] : 0;
            double p = fmax(s->p[k] + (wanted - rate_of(s, k)) / s->w[k], 0);
            double more = p - s->p[k];
            if (more != 0) {
                find_response(s, k, more);
                for (int i = 0; i < s->sim->model->nv; i++) {
                    s->v[i] += s->work[i];
                }
            }
            s->p[k] = p;
            change = tact_larger(change, fabs(more) * s->w[k]);
        }
    }
}

/// After the impacts, what forces do in the step: contacts that touch hold against them, and what
/// comes apart goes with them. What had rested before is asked for that; a contact that was
/// approaching when the step began comes apart as it was hit, as by Newton's law: the time before
/// the impact makes up for the time after it.
static void add_forces(Sequence *s, double blow)
{
    double fastest = 0;
    for (int i = 0; i < s->sim->model->nv; i++) {
        s->v[i] += s->sim->free.v[i] - s->sim->last.v[i];
    }
    for (int k = 0; k < s->island->contact_count; k++) {
        s->p[k] = s->w[k] > 0 ? 0 : -1;
        s->u[k] = 0; // nothing bounces any more
        fastest = tact_larger(fastest, s->w[k] > 0 ? -rate_of(s, k) : 0);
    }
    if (fastest > STILL * blow) {
        hit(s, fastest);
    }
}

/// What the contact problem is asked for: what was hit comes apart as fast as it does in the end,
/// and what does not come apart stays where it is.
static void ask_sequence(Sequence *s, double blow)
{
    const TactSim *sim = s->sim;
    int            count = s->island->contact_count;
    for (int k = 0; k < count; k++) {
        const TactSimContact *c = contact_of(s, k);
        bool                  came = tact_sim_contact_rate(sim, c, c->normal, sim->last.v) < 0;
        s->asked[k] = came ? fmax(rate_of(s, k), 0) : -1;
    }
    add_forces(s, blow);
    for (int k = 0; k < count; k++) {
        TactSimContact *c = contact_of(s, k);
        double          speed = s->asked[k] >= 0 ? s->asked[k] : rate_of(s, k);
        c->bounce = s->total[k] > 0 ? fmax(speed, SLIGHT * blow) : 0;
        tact_sim_set_contact_law(s->sim, c, &s->arrays->contacts[k]);
    }
}

/// Loops and motions that are prescribed pass a blow on at once: they are not for a sequence.
static bool is_looped(const TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->row_count; k++) {
        int row = sim->islands.rows[island->first_row + k];
        if (sim->rows.rows[row].kind == TACT_ROW_BILATERAL) {
            return true;
        }
    }
    return false;
}

void tact_sim_sequence_impacts(TactSim *sim, TactProblemArrays *arrays, const TactSimIsland *island)
{
    size_t   nv = (size_t)sim->model->nv, contacts = (size_t)island->contact_count;
    double  *room = arrays->work;
    Sequence s = {
        .sim = sim,
        .arrays = arrays,
        .island = island,
        .work = room,
        .v = room + nv,
        .w = room + 2 * nv,
        .u = room + 2 * nv + contacts,
        .p = room + 2 * nv + 2 * contacts,
        .total = room + 2 * nv + 3 * contacts,
        .asked = room + 2 * nv + 4 * contacts,
    };
    if (is_looped(sim, island)) {
        return;
    }
    begin_sequence(&s);
    double blow = choose_pairs(&s), fastest = blow;
    for (int k = 0; k < MOST_IMPACTS && fastest > STILL * blow; k++) {
        hit(&s, fastest);
        for (int i = 0; i < island->contact_count; i++) {
            s.total[i] += fmax(s.p[i], 0);
        }
        fastest = choose_pairs(&s);
    }
    ask_sequence(&s, blow);
}
