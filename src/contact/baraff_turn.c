// Baraff: the frozen directions turned until they oppose a_t. Ours: the paper stops before.
//
// Linearised where a contact slides, Coulomb's f_t = -mu f_n a_t / |a_t| is friction along a fixed
// s and a viscous force across it [docs/theory/baraff.md, (9)]. The latter is one more row of the
// clamped block, soft by |a_t| / (mu f_n), so that every turn is a step of Newton's method.
#include <math.h>
#include <string.h>

#include "contact/baraff.h"

// Friction this close to its place, relative to what a is summed from, is there.
static const double TURNED = 1e-12;

// Clamped forces this far on the wrong side of a bound, relative to all forces nearby, leave C.
static const double OUTSIDE = 1e-12;

// 1 / viscosity at least: beyond it friction across s is stiff.
static const double SOFT = 1e-9;

enum { MAX_CORRECTIONS = 8 };

static bool slides(const TactBaraffItem *at)
{
    return at->friction == TACT_BARAFF_SLIDE && at->normal == TACT_BARAFF_CLAMPED;
}

/// Where friction of a sliding contact should point: along q = f_t - a_t, without units.
typedef struct Aim {
    double q[2]; // unit
    double miss; // distance of f_t from R q
    double soft;
} Aim;

static Aim aim_at(const TactBaraff *self, int i)
{
    const TactBaraffItem *at = &self->items[i];
    int                   stride = self->system->stride;
    const double         *f = self->p + 3 * i;
    double                R = at->mu * fmax(f[0], 0) / at->r;
    double                x = f[1] / at->r - at->r * self->a[stride + i];
    double                y = f[2] / at->r - at->r * self->a[2 * stride + i];
    double                size = hypot(x, y);
    Aim                   aim = {.q = {at->s[0], at->s[1]}};
    if (!(size > R)) {
        return aim;
    }
    aim.q[0] = x / size;
    aim.q[1] = y / size;
    aim.miss = hypot(f[1] / at->r - R * aim.q[0], f[2] / at->r - R * aim.q[1]);
    aim.soft = R > 0 ? fmax((size - R) / R, SOFT) : 0;
    return aim;
}

static bool is_turned(const TactBaraff *self)
{
    for (int i = 0; i < self->system->item_count; i++) {
        if (slides(&self->items[i]) &&
            !(aim_at(self, i).miss <= TURNED * self->size_of[tact_baraff_group(self, i)])) {
            return false;
        }
    }
    return true;
}

/// New directions and viscosities, and the forces that they give.
static void turn_all(TactBaraff *self)
{
    for (int i = 0; i < self->system->item_count; i++) {
        TactBaraffItem *at = &self->items[i];
        if (slides(at)) {
            Aim aim = aim_at(self, i);
            memcpy(at->s, aim.q, sizeof at->s);
            at->soft = aim.soft;
            if (aim.soft > 0 && at->place[TACT_BARAFF_ACROSS] < 0) {
                tact_baraff_list(self, i, TACT_BARAFF_ACROSS);
            } else if (aim.soft == 0 && at->place[TACT_BARAFF_ACROSS] >= 0) {
                tact_baraff_unlist(self, i, TACT_BARAFF_ACROSS);
            }
        }
    }
    tact_baraff_refresh(self);
    tact_baraff_rebuild(self);
    tact_baraff_restore(self);
}

/// Forces beyond their bounds are put there. False if there were none.
static bool put_inside(TactBaraff *self)
{
    bool changed = false;
    for (int i = 0; i < self->system->item_count; i++) {
        const TactBaraffItem *at = &self->items[i];
        const double         *f = self->p + 3 * i;
        double                slack = OUTSIDE * self->size_of[tact_baraff_group(self, i)] * at->r;
        if (at->normal == TACT_BARAFF_CLAMPED && f[0] < -slack) {
            tact_baraff_open(self, i);
            changed = true;
        } else if (at->friction == TACT_BARAFF_STICK &&
                   hypot(f[1], f[2]) > tact_baraff_radius(self, i, self->p) + slack) {
            tact_baraff_slip(self, i);
            changed = true;
        }
    }
    return changed;
}

bool tact_baraff_turn(TactBaraff *self, int order, int max_turns)
{
    size_t bytes = 3 * (size_t)self->system->item_count * sizeof(double);
    memcpy(self->frozen_p, self->p, bytes);
    for (int turn = 0; turn < max_turns; turn++) {
        if (is_turned(self)) {
            return true;
        }
        self->report->turns++;
        turn_all(self);
        for (int k = 0; k < MAX_CORRECTIONS && put_inside(self); k++) {
            tact_baraff_restore(self);
        }
        if (tact_baraff_settle(self, order) != TACT_CONTACT_SOLVED) {
            break;
        }
    }
    if (is_turned(self)) {
        return true;
    }
    memcpy(self->p, self->frozen_p, bytes);
    return false;
}
