// Baraff: items change their sets [Baraff94, 5.3].
#include <math.h>

#include "contact/baraff/baraff.h"

// A normal force not larger than this, relative to all forces nearby, is 0.
static const double NOTHING = 1e-13;

// Clamped forces this far on the wrong side of a bound, relative to all forces nearby, leave C.
static const double OUTSIDE = 1e-12;

enum { MAX_CORRECTIONS = 8 };

static void release_friction(TactBaraff *self, int i)
{
    for (int c = TACT_BARAFF_ALONG; c <= TACT_BARAFF_ACROSS; c++) {
        if (self->items[i].place[c] >= 0) {
            tact_baraff_release(self, i, c);
        }
    }
}

void tact_baraff_open(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    double         *f = self->p + 3 * i;
    release_friction(self, i);
    if (at->place[TACT_BARAFF_N] >= 0) {
        tact_baraff_release(self, i, TACT_BARAFF_N);
    }
    at->normal = TACT_BARAFF_OPEN;
    f[0] = 0;
    if (at->friction != TACT_BARAFF_LOOSE) {
        f[1] = f[2] = 0;
        at->settled = true;
    }
    if (at->friction != TACT_BARAFF_FOLLOWS) {
        at->friction = TACT_BARAFF_LOOSE;
    }
}

void tact_baraff_slip(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    double         *f = self->p + 3 * i;
    double          size = tact_baraff_norm(f[1], f[2]);
    double          radius = tact_baraff_radius(self, i, self->p);
    double          nothing = NOTHING * self->motion.size_of[tact_baraff_group(self, i)] * at->r;
    if (at->normal == TACT_BARAFF_CLAMPED && !(f[0] > nothing)) {
        tact_baraff_open(self, i);
        return;
    }
    if (size > 0) {
        at->s[0] = f[1] / size;
        at->s[1] = f[2] / size;
    }
    release_friction(self, i);
    at->friction = TACT_BARAFF_SLIDE;
    f[1] = radius * at->s[0];
    f[2] = radius * at->s[1];
    tact_baraff_recouple(self, i);
}

/// Friction stays as it is.
static void set_free(TactBaraff *self, int i, TactBaraffFriction friction)
{
    release_friction(self, i);
    self->items[i].friction = friction;
    tact_baraff_recouple(self, i);
}

void tact_baraff_free(TactBaraff *self, int i)
{
    set_free(self, i, TACT_BARAFF_STICK);
}

void tact_baraff_give_up(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    double          nothing = NOTHING * self->motion.size_of[tact_baraff_group(self, i)] * at->r;
    if (at->friction == TACT_BARAFF_STICK || at->friction == TACT_BARAFF_SLIDE) {
        set_free(self, i, TACT_BARAFF_LOOSE);
    }
    if (at->normal == TACT_BARAFF_CLAMPED && !(self->p[3 * i] > nothing)) {
        tact_baraff_open(self, i);
    }
    if (at->normal == TACT_BARAFF_OPEN) {
        at->normal = TACT_BARAFF_IGNORED;
    }
    self->given_up++;
}

void tact_baraff_stick(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    release_friction(self, i);
    if (!tact_baraff_clamp(self, i, TACT_BARAFF_ALONG)) {
        tact_baraff_give_up(self, i);
        return;
    }
    at->friction = TACT_BARAFF_STICK;
    tact_baraff_recouple(self, i);
    if (fabs(at->r * tact_baraff_across(self, i, self->a)) <= tact_baraff_tolerance(self, i)) {
        tact_baraff_clamp(self, i, TACT_BARAFF_ACROSS);
    }
}

void tact_baraff_close(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    int             stride = self->system->stride;
    double          x = self->a[stride + i], y = self->a[2 * stride + i];
    double          speed = tact_baraff_norm(x, y);
    bool            empty = self->p[3 * i + 1] == 0 && self->p[3 * i + 2] == 0;
    if (at->settled && at->friction == TACT_BARAFF_LOOSE && empty &&
        at->r * speed > tact_baraff_tolerance(self, i)) {
        at->friction = TACT_BARAFF_SLIDE;
        at->s[0] = -x / speed;
        at->s[1] = -y / speed;
    }
    if (tact_baraff_clamp(self, i, TACT_BARAFF_N)) {
        at->normal = TACT_BARAFF_CLAMPED;
    } else {
        tact_baraff_give_up(self, i);
    }
}

// ---------------------------------------------------------------------------------------------
// Values

/// C_F to NC_F. At the onset of slip, a_t = 0, friction across s has no viscosity yet: while
/// directions are turned it holds.
static void slip_stiffly(TactBaraff *self, int i)
{
    TactBaraffItem *at = &self->items[i];
    tact_baraff_slip(self, i);
    if (self->turning && at->friction == TACT_BARAFF_SLIDE && at->normal == TACT_BARAFF_CLAMPED) {
        at->soft = 0;
        tact_baraff_clamp(self, i, TACT_BARAFF_ACROSS);
    }
}

/// Forces beyond their bounds are put there. False if there were none.
static bool put_inside(TactBaraff *self)
{
    bool changed = false;
    for (int i = 0; i < self->system->item_count; i++) {
        const TactBaraffItem *at = &self->items[i];
        const double         *f = self->p + 3 * i;
        double slack = OUTSIDE * self->motion.size_of[tact_baraff_group(self, i)] * at->r;
        if (at->normal == TACT_BARAFF_CLAMPED && f[0] < -slack) {
            tact_baraff_open(self, i);
            changed = true;
        } else if (at->friction == TACT_BARAFF_STICK &&
                   tact_baraff_norm(f[1], f[2]) > tact_baraff_radius(self, i, self->p) + slack) {
            slip_stiffly(self, i);
            changed = true;
        }
    }
    return changed;
}

void tact_baraff_correct(TactBaraff *self)
{
    tact_baraff_restore(self);
    for (int k = 0; k < MAX_CORRECTIONS && put_inside(self); k++) {
        tact_baraff_restore(self);
    }
}
