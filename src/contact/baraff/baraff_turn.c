// Baraff: the frozen directions turned until they oppose a_t. Ours: the paper stops before.
//
// Linearised where a contact slides, Coulomb's f_t = -mu f_n a_t / |a_t| is friction along a fixed
// s and a viscous force across it [docs/theory/baraff.md, (9)]. The latter is one more row of the
// clamped block, soft by |a_t| / (mu f_n), so that every turn is a step of Newton's method.
#include <math.h>
#include <string.h>

#include "contact/baraff/baraff.h"

#include "base/budget.h"

// Friction this close to its place, relative to what a is summed from, is there; and need not come
// closer.
static const double TURNED = 1e-11;
static const double FINE = 1e-14;

// R / |a_t| at most, where rho is chosen.
static const double MAX_RATIO = 1e12;

// 1 / viscosity at least: a contact that does not slide any more.
static const double SOFT = 1e-15;

static bool slides(const TactBaraffItem *at)
{
    return at->friction == TACT_BARAFF_SLIDE && at->normal == TACT_BARAFF_CLAMPED;
}

/// Where friction of a sliding contact should point: along q = f_t - rho a_t, without units. Any
/// rho gives the same answer; the way there is best with one between that of W_ii (1) and that of
/// forces and accelerations as they are (R / |a_t|), which differ where heavy bodies rest on light
/// ones.
typedef struct Aim {
    double q[2]; // unit
    double miss; // distance of f_t from its place in the disc, with rho = 1
    double soft;
    bool   inside; // q is in the disc
} Aim;

static Aim aim_at(const TactBaraff *self, int i)
{
    const TactBaraffItem *at = &self->items[i];
    int                   stride = self->system->stride;
    const double         *f = self->p + 3 * i;
    double                R = at->mu * fmax(f[0], 0) / at->r;
    double                a[2] = {at->r * self->a[stride + i], at->r * self->a[2 * stride + i]};
    double                x = f[1] / at->r - a[0], y = f[2] / at->r - a[1];
    double                size = tact_baraff_norm(x, y);
    double                share = size > R ? R / size : 1; // of q that is left in the disc
    Aim                   aim = {.q = {at->s[0], at->s[1]}};
    if (!(R > 0) || !(size > 0)) {
        return aim;
    }
    aim.miss = tact_baraff_norm(f[1] / at->r - share * x, f[2] / at->r - share * y);
    double speed = tact_baraff_norm(a[0], a[1]);
    double rho = self->wide && R > speed ? sqrt(fmin(R / speed, MAX_RATIO)) : 1;
    x = f[1] / at->r - rho * a[0];
    y = f[2] / at->r - rho * a[1];
    size = tact_baraff_norm(x, y);
    aim.q[0] = x / size;
    aim.q[1] = y / size;
    aim.soft = fmax((size - R) / (rho * R), SOFT);
    aim.inside = size < R;
    return aim;
}

/// The worst miss, relative to what a is summed from.
static double worst_miss(const TactBaraff *self)
{
    double worst = 0;
    for (int i = 0; i < self->system->item_count; i++) {
        if (slides(&self->items[i])) {
            Aim aim = aim_at(self, i);
            worst = fmax(worst, aim.miss / self->motion.size_of[tact_baraff_group(self, i)]);
        }
    }
    return worst;
}

/// Lists friction across s while it is viscous. A contact that should not slide sticks.
static void turn_item(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    Aim             aim = aim_at(self, i);
    if (aim.miss <= FINE * self->motion.size_of[tact_baraff_group(self, i)] && aim.soft == SOFT) {
        return;
    }
    memcpy(at->s, aim.q, sizeof at->s);
    at->soft = aim.soft;
    if (aim.soft > 0 && at->place[TACT_BARAFF_ACROSS] < 0) {
        tact_baraff_list(self, i, TACT_BARAFF_ACROSS);
    } else if (aim.soft == 0 && at->place[TACT_BARAFF_ACROSS] >= 0) {
        tact_baraff_unlist(self, i, TACT_BARAFF_ACROSS);
    }
    if (aim.inside) {
        tact_baraff_list(self, i, TACT_BARAFF_ALONG);
        at->friction = TACT_BARAFF_STICK;
    }
}

/// New directions and viscosities, and the forces that they give.
static void turn_all(TactBaraff *self)
{
    for (int i = 0; i < self->system->item_count; i++) {
        if (slides(&self->items[i])) {
            turn_item(self, i);
        }
    }
    tact_baraff_refresh(self);
    tact_baraff_rebuild(self);
    tact_baraff_correct(self);
}

bool tact_baraff_turn(TactBaraff *self, int order, int max_turns)
{
    size_t bytes = 3 * (size_t)self->system->item_count * sizeof(double);
    double last = HUGE_VAL;
    memcpy(self->frozen_p, self->p, bytes);
    self->turning = true;
    self->wide = order > 0;
    for (int turn = 0; turn < max_turns && !tact_budget_is_over(); turn++) {
        double miss = worst_miss(self);
        if (miss <= FINE || (miss <= TURNED && miss > 0.5 * last)) {
            return true;
        }
        last = miss;
        self->report->turns++;
        turn_all(self);
        if (tact_baraff_settle(self, order) != TACT_OUTCOME_SOLVED) {
            break;
        }
    }
    self->turning = false;
    if (worst_miss(self) <= TURNED) {
        return true;
    }
    memcpy(self->p, self->frozen_p, bytes);
    return false;
}
