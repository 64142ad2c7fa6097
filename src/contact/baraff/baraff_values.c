// Baraff: forces, accelerations, and what of them is rounding.
#include <math.h>
#include <string.h>

#include "contact/baraff/baraff.h"
#include "contact/problem/problem.h"
#include "linalg/exchange.h"

// r a below this, relative to what it is summed from, is 0.
static const double ZERO = 0x1p-46;

// Clamped forces are corrected while their a is larger than this, relative to what it is summed
// from.
static const double REFINED = 0x1p-51;

enum { MAX_REFINEMENTS = 3 };

double tact_baraff_radius(const TactBaraff *self, int item, const double *p)
{
    const TactBaraffItem *at = &self->items[item];
    return at->normal == TACT_BARAFF_NONE ? at->bound : at->mu * p[3 * item];
}

double tact_baraff_along(const TactBaraff *self, int item, const double *a)
{
    const double *s = self->items[item].s;
    int           stride = self->system->stride;
    return s[0] * a[stride + item] + s[1] * a[2 * stride + item];
}

double tact_baraff_across(const TactBaraff *self, int item, const double *a)
{
    const double *s = self->items[item].s;
    int           stride = self->system->stride;
    return s[0] * a[2 * stride + item] - s[1] * a[stride + item];
}

double tact_baraff_tolerance(const TactBaraff *self, int item)
{
    return ZERO * self->motion.size_of[tact_baraff_group(self, item)];
}

// ---------------------------------------------------------------------------------------------
// Start

static void begin_item(TactBaraff *self, const TactContactProblem *problem, int i)
{
    const TactItem *item = &self->system->items[i];
    TactBaraffItem *at = &self->items[i];
    double          direction[2];
    *at = (TactBaraffItem){
        .r = item->scale,
        .mu = item->kind == TACT_ITEM_CONTACT ? item->mu : 0,
        .bound = item->bound,
        .s = {1, 0},
    };
    bool contact = item->kind == TACT_ITEM_CONTACT && item->mu > 0;
    if (contact && problem->level == TACT_LEVEL_ACCELERATION &&
        tact_contact_slides(problem, item->source, direction)) {
        at->friction = TACT_BARAFF_FOLLOWS;
        at->s[0] = -direction[0];
        at->s[1] = -direction[1];
        self->dynamic = true;
    } else if (!contact && item->kind != TACT_ITEM_MOTOR) {
        at->friction = TACT_BARAFF_FOLLOWS;
    }
}

void tact_baraff_begin(TactBaraff *self, const TactSystem *system,
                       const TactContactProblem *problem)
{
    self->system = system;
    self->dynamic = false;
    self->motion.stamp = 0;
    memset(self->motion.dense, 0, (size_t)system->dof * sizeof(double));
    memset(self->motion.stamps, 0, (size_t)system->group_count * sizeof *self->motion.stamps);
    for (int i = 0; i < system->item_count; i++) {
        begin_item(self, problem, i);
    }
}

void tact_baraff_clear(TactBaraff *self)
{
    int count = self->system->item_count;
    self->block.count = 0;
    self->given_up = 0;
    self->turning = false;
    self->run = 0;
    memset(self->p, 0, 3 * (size_t)count * sizeof(double));
    for (int i = 0; i < count; i++) {
        TactBaraffItem *at = &self->items[i];
        bool            motor = self->system->items[i].kind == TACT_ITEM_MOTOR;
        at->normal = motor ? TACT_BARAFF_NONE : TACT_BARAFF_IGNORED;
        at->friction = at->friction == TACT_BARAFF_FOLLOWS ? at->friction : TACT_BARAFF_LOOSE;
        at->settled = false;
        at->run = at->muted = -1;
        at->place[0] = at->place[1] = at->place[2] = -1;
    }
}

// ---------------------------------------------------------------------------------------------
// Values

void tact_baraff_push(const TactBaraff *self, const TactBaraffPlace *place, double step, double *p)
{
    const TactBaraffItem *at = &self->items[place->item];
    double               *f = p + 3 * place->item;
    step *= at->r;
    if (place->component == TACT_BARAFF_ACROSS) {
        f[1] -= step * at->s[1];
        f[2] += step * at->s[0];
        return;
    }
    double along = step;
    if (place->component == TACT_BARAFF_N) {
        bool follows = at->friction == TACT_BARAFF_SLIDE || at->friction == TACT_BARAFF_FOLLOWS;
        f[0] += step;
        along = follows ? at->mu * step : 0;
    }
    f[1] += along * at->s[0];
    f[2] += along * at->s[1];
}

void tact_baraff_add(const TactBaraff *self, const double *df, double length, double *p)
{
    for (int k = 0; k < self->block.count; k++) {
        tact_baraff_push(self, &self->block.places[k], length * df[k], p);
    }
}

/// Friction of an item across s.
static double lateral(const TactBaraff *self, int item, const double *p)
{
    const double *s = self->items[item].s, *f = p + 3 * item;
    return s[0] * f[2] - s[1] * f[1];
}

double tact_baraff_kept(const TactBaraff *self, const TactBaraffPlace *place, const double *a,
                        const double *p)
{
    int                   i = place->item;
    const TactBaraffItem *at = &self->items[i];
    if (place->component == TACT_BARAFF_N) {
        return at->r * a[i];
    }
    if (place->component == TACT_BARAFF_ALONG) {
        return at->r * tact_baraff_along(self, i, a);
    }
    double viscous = at->friction == TACT_BARAFF_SLIDE ? at->soft * lateral(self, i, p) / at->r : 0;
    return at->r * tact_baraff_across(self, i, a) + viscous;
}

/// Friction that follows a normal force, exactly.
static void align_friction(TactBaraff *self)
{
    for (int i = 0; i < self->system->item_count; i++) {
        const TactBaraffItem *at = &self->items[i];
        double               *f = self->p + 3 * i;
        if (at->friction == TACT_BARAFF_SLIDE ||
            (at->friction == TACT_BARAFF_FOLLOWS && at->mu > 0)) {
            double radius = tact_baraff_radius(self, i, self->p);
            double side = at->place[TACT_BARAFF_ACROSS] >= 0 ? lateral(self, i, self->p) : 0;
            f[1] = radius * at->s[0] - side * at->s[1];
            f[2] = radius * at->s[1] + side * at->s[0];
        }
    }
}

/// y = y0 + C p, and the sizes of what it is summed from.
static void sum_motion(TactBaraff *self)
{
    const TactSystem *system = self->system;
    for (int s = 0; s < system->dof; s++) {
        self->motion.y[s] = system->y0[s];
        self->motion.size[s] = fabs(system->y0[s]);
    }
    for (int i = 0; i < system->item_count; i++) {
        const double *f = self->p + 3 * i;
        if (f[0] == 0 && f[1] == 0 && f[2] == 0) {
            continue;
        }
        const TactItemGroup *group = &system->groups[system->items[i].group];
        const int           *support = system->support + group->support;
        const double        *n = system->columns + system->column[i];
        const double        *t1 = n + group->size, *t2 = t1 + group->size;
        for (int s = 0; s < group->size; s++) {
            double part = (n[s] * f[0] + t1[s] * f[1]) + t2[s] * f[2];
            self->motion.y[support[s]] += part;
            self->motion.size[support[s]] += fabs(part);
        }
    }
}

static void measure_groups(TactBaraff *self)
{
    const TactSystem *system = self->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        double               sum = 0, offset = 0;
        for (int s = 0; s < group->size; s++) {
            sum += self->motion.size[support[s]] * self->motion.size[support[s]];
        }
        for (int i = group->first; i < group->first + group->count; i++) {
            double r = self->items[i].r;
            for (int c = 0; c < 3; c++) {
                offset = fmax(offset, r * fabs(system->e[3 * i + c]));
            }
            offset = fmax(offset, r * fabs(system->items[i].compliance * self->p[3 * i]));
        }
        self->motion.size_of[g] = sqrt(sum) + offset;
    }
}

static void sum_accelerations(TactBaraff *self)
{
    const TactSystem *system = self->system;
    tact_system_sweep(system, self->motion.y, self->a);
    for (int i = 0; i < system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            self->a[c * system->stride + i] += system->e[3 * i + c];
        }
        self->a[i] += system->items[i].compliance * self->p[3 * i];
    }
}

/// What the clamped block should keep at 0 into g. True if it does but for rounding.
static bool measure_clamped(TactBaraff *self)
{
    bool good = true;
    for (int k = 0; k < self->block.count; k++) {
        self->block.g[k] = tact_baraff_kept(self, &self->block.places[k], self->a, self->p);
        int group = tact_baraff_group(self, self->block.places[k].item);
        good = good && fabs(self->block.g[k]) <= REFINED * self->motion.size_of[group];
    }
    return good;
}

void tact_baraff_restore(TactBaraff *self)
{
    for (int step = 0;; step++) {
        align_friction(self);
        sum_motion(self);
        measure_groups(self);
        sum_accelerations(self);
        if (measure_clamped(self) || step == MAX_REFINEMENTS) {
            return;
        }
        memset(self->block.df, 0, (size_t)self->block.count * sizeof(double));
        tact_exchange_solve(self->block.count, self->block.T, self->block.ld, self->block.g,
                            self->block.df);
        tact_baraff_add(self, self->block.df, 1, self->p);
    }
}
