// Baraff: one force driven to its place [Baraff94, 5.5].
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/baraff/baraff.h"
#include "linalg/exchange.h"

// Rates not larger than this, relative to what they are summed from, are rounding.
static const double STILL = 1e-12;

// How far a force may be pushed beyond its bound so that a larger pivot can be taken on a tie,
// relative to all forces nearby. For a it is half of what is taken as 0.
static const double TIE = 1e-13;

// The clamped a stay 0 to this, or else the direction is refined; and to this, or else the block is
// rebuilt. Both relative to what they are summed from.
static const double KEPT = 1e-14;
static const double DRIFT = 1e-13;

enum { MAX_REFINEMENTS = 2 };

// ---------------------------------------------------------------------------------------------
// Direction

/// dp, dy = C dp, da = W dp from the changes df of the clamped forces.
static void multiply_motion(TactBaraff *self, const TactBaraffDrive *drive)
{
    const TactSystem *system = self->system;
    memset(self->dp, 0, 3 * (size_t)system->item_count * sizeof(double));
    tact_baraff_combine(self, drive->place.item, drive->sign, self->motion.vector);
    tact_baraff_add(self, self->block.df, 1, self->dp);
    tact_baraff_push(self, &drive->place, drive->sign, self->dp);
    tact_system_sweep(system, self->motion.dy, self->da);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        double               sum = 0;
        for (int s = 0; s < group->size; s++) {
            sum += self->motion.change[support[s]] * self->motion.change[support[s]];
        }
        self->motion.change_of[g] = sqrt(sum);
        for (int i = group->first; i < group->first + group->count; i++) {
            double soft = system->items[i].compliance * self->dp[3 * i];
            self->da[i] += soft;
            self->motion.change_of[g] =
                fmax(self->motion.change_of[g], self->items[i].r * fabs(soft));
        }
    }
}

/// What is left of da in the clamped block into g. Returns the largest, relative to what it is
/// summed from.
static double left_over(TactBaraff *self)
{
    double worst = 0;
    for (int k = 0; k < self->block.count; k++) {
        int group = tact_baraff_group(self, self->block.places[k].item);
        self->block.g[k] = tact_baraff_kept(self, &self->block.places[k], self->da, self->dp);
        if (!(fabs(self->block.g[k]) <= worst * self->motion.change_of[group])) {
            worst = fabs(self->block.g[k]) / self->motion.change_of[group];
        }
    }
    return worst;
}

/// df corrected by what it leaves over. Returns what is left then.
static double refine_direction(TactBaraff *self, const TactBaraffDrive *drive)
{
    double left = left_over(self);
    for (int step = 0; step < MAX_REFINEMENTS && left > KEPT; step++) {
        tact_exchange_solve(self->block.count, self->block.T, self->block.ld, self->block.g,
                            self->block.df);
        multiply_motion(self, drive);
        double now = left_over(self);
        if (!(now < 0.5 * left)) {
            return now;
        }
        left = now;
    }
    return left;
}

static void solve_direction(TactBaraff *self, const TactBaraffDrive *drive)
{
    tact_baraff_products(self, self->block.rows, drive->place.item, self->motion.vector,
                         self->block.g);
    for (int k = 0; k < self->block.count; k++) {
        self->block.g[k] *= drive->sign;
        self->block.df[k] = 0;
    }
    tact_exchange_solve(self->block.count, self->block.T, self->block.ld, self->block.g,
                        self->block.df);
    multiply_motion(self, drive);
}

// K df = -R'(column of d), [Baraff94, eqs. 8, 9, and 5.5]. What is left of da in the block tells
// how good the inverse still is.
static void find_direction(TactBaraff *self, const TactBaraffDrive *drive)
{
    tact_baraff_column(self, drive->place.item, drive->place.component, self->motion.vector);
    solve_direction(self, drive);
    if (!(refine_direction(self, drive) <= DRIFT)) {
        tact_baraff_rebuild(self);
        solve_direction(self, drive);
        refine_direction(self, drive);
    }
}

// ---------------------------------------------------------------------------------------------
// Step

typedef struct Step {
    TactBaraff            *self;
    const TactBaraffDrive *drive;
    int                    count; // of events
} Step;

/// A condition slack >= 0 that is approached at a rate.
static void add_event(Step *step, TactBaraffChange change, int item, double slack, double rate,
                      double tie)
{
    TactBaraff *self = step->self;
    if (rate > STILL * self->motion.change_of[tact_baraff_group(self, item)]) {
        self->events[step->count++] = (TactBaraffEvent){
            .change = change,
            .item = item,
            .length = slack > 0 ? slack / rate : 0,
            .rate = rate,
            .tie = tie,
        };
    }
}

/// The friction of an item comes to its radius: |f_t + x df_t| = R + x dR [Baraff94, eq. 23].
static void add_slip(Step *step, int i, double tie)
{
    TactBaraff   *self = step->self;
    const double *f = self->p + 3 * i, *df = self->dp + 3 * i;
    double        r = self->items[i].r;
    double        R = tact_baraff_radius(self, i, self->p);
    double        dR = self->items[i].normal == TACT_BARAFF_NONE ? 0 : self->items[i].mu * df[0];
    double        size = tact_baraff_norm(f[1], f[2]), speed = tact_baraff_norm(df[1], df[2]);
    double        A = (speed - dR) * (speed + dR);
    double        B = f[1] * df[1] + f[2] * df[2] - R * dR;
    double        C = fmin((size - R) * (size + R), 0);
    double        root = B * B - A * C;
    // With C <= 0 the way out is the larger root if A > 0, the smaller one otherwise.
    if (!(root >= 0) || !(A > 0 || B > 0)) {
        return;
    }
    double length = B > 0 ? -C / (B + sqrt(root)) : (sqrt(root) - B) / A;
    double x = f[1] + length * df[1], y = f[2] + length * df[2];
    double at = tact_baraff_norm(x, y);
    double outward = (at > 0 ? (x * df[1] + y * df[2]) / at : speed) - dR;
    if (outward / r > STILL * self->motion.change_of[tact_baraff_group(self, i)]) {
        self->events[step->count++] = (TactBaraffEvent){
            .change = TACT_BARAFF_SLIPS,
            .item = i,
            .length = length,
            .rate = outward / r,
            .tie = tie,
        };
    }
}

static void add_events_of(Step *step, int i)
{
    TactBaraff           *self = step->self;
    const TactBaraffItem *at = &self->items[i];
    double                tie_a = 0.5 * tact_baraff_tolerance(self, i);
    double                tie_f = TIE * self->motion.size_of[tact_baraff_group(self, i)];
    if (at->normal == TACT_BARAFF_OPEN) {
        add_event(step, TACT_BARAFF_CLOSES, i, at->r * self->a[i], -at->r * self->da[i], tie_a);
    }
    bool loaded = at->normal == TACT_BARAFF_CLAMPED || at->normal == TACT_BARAFF_NONE;
    if (at->normal == TACT_BARAFF_CLAMPED && at->friction != TACT_BARAFF_STICK) {
        add_event(step, TACT_BARAFF_OPENS, i, self->p[3 * i] / at->r, -self->dp[3 * i] / at->r,
                  tie_f);
    }
    if (at->friction == TACT_BARAFF_STICK && loaded) {
        add_slip(step, i, tie_f);
    }
    if (at->friction == TACT_BARAFF_SLIDE && loaded) {
        add_event(step, TACT_BARAFF_STICKS, i, -at->r * tact_baraff_along(self, i, self->a),
                  at->r * tact_baraff_along(self, i, self->da), tie_a);
    }
}

/// Where the drive ends: a = 0, or no force.
static void add_end(Step *step)
{
    TactBaraff            *self = step->self;
    const TactBaraffDrive *drive = step->drive;
    int                    d = drive->place.item;
    const double          *f = self->p + 3 * d;
    double                 r = self->items[d].r;
    if (drive->goal == TACT_BARAFF_TO_ZERO) {
        double a = tact_baraff_kept(self, &drive->place, self->a, self->p);
        double da = tact_baraff_kept(self, &drive->place, self->da, self->dp);
        add_event(step, TACT_BARAFF_REACHED, d, -drive->sign * a, drive->sign * da, 0);
    } else {
        add_event(step, TACT_BARAFF_REACHED, d, tact_baraff_norm(f[1], f[2]) / r, 1, 0);
    }
    if (drive->place.component == TACT_BARAFF_N && drive->sign < 0) {
        add_event(step, TACT_BARAFF_OPENS, d, f[0] / r, 1, 0);
    }
}

/// The longest step, and of the events within a tie the one of the largest rate. The end of the
/// drive comes first among equals.
static TactBaraffEvent find_drive_step(TactBaraff *self, const TactBaraffDrive *drive)
{
    Step step = {.self = self, .drive = drive};
    add_end(&step);
    int ends = step.count;
    for (int i = 0; i < self->system->item_count; i++) {
        add_events_of(&step, i);
    }
    double reach = HUGE_VAL;
    for (int k = 0; k < step.count; k++) {
        reach = fmin(reach, self->events[k].length + self->events[k].tie / self->events[k].rate);
    }
    TactBaraffEvent best = {.change = TACT_BARAFF_NEVER};
    for (int k = 0; k < step.count; k++) {
        const TactBaraffEvent *event = &self->events[k];
        if (event->length <= reach && event->rate > best.rate) {
            best = *event;
            if (k < ends) {
                break;
            }
        }
    }
    return best;
}

static void move_along_drive(TactBaraff *self, const TactBaraffDrive *drive, double length)
{
    const TactSystem *system = self->system;
    if (length == 0) {
        return;
    }
    tact_baraff_add(self, self->block.df, length, self->p);
    tact_baraff_push(self, &drive->place, length * drive->sign, self->p);
    for (int g = 0; g < system->group_count; g++) {
        self->motion.size_of[g] += length * self->motion.change_of[g];
    }
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < system->item_count; i++) {
            self->a[c * system->stride + i] += length * self->da[c * system->stride + i];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Changes of the sets

/// True if an item is back in the sets that it just came from, and nothing has moved since.
static bool alternates(TactBaraff *self, int i, int from)
{
    TactBaraffItem *at = &self->items[i];
    bool            back = at->run == self->run && at->from == tact_baraff_sets(at);
    at->run = self->run;
    at->from = from;
    return back;
}

static void change_sets(TactBaraff *self, const TactBaraffEvent *event)
{
    int i = event->item;
    int from = tact_baraff_sets(&self->items[i]);
    switch (event->change) {
    case TACT_BARAFF_CLOSES: tact_baraff_close(self, i); break;
    case TACT_BARAFF_OPENS: tact_baraff_open(self, i); break;
    case TACT_BARAFF_SLIPS: tact_baraff_slip(self, i); break;
    case TACT_BARAFF_STICKS: tact_baraff_stick(self, i); break;
    case TACT_BARAFF_REACHED:
    case TACT_BARAFF_NEVER: break;
    }
    if (alternates(self, i, from)) {
        tact_baraff_give_up(self, i); // [Baraff94, 5.4]
    }
}

/// The driven force is where it should be.
static void finish_drive(TactBaraff *self, const TactBaraffDrive *drive)
{
    int             d = drive->place.item;
    TactBaraffItem *at = &self->items[d];
    if (drive->goal == TACT_BARAFF_TO_REST) {
        self->p[3 * d + 1] = self->p[3 * d + 2] = 0;
        at->friction = TACT_BARAFF_LOOSE;
        return;
    }
    if (tact_baraff_clamp_driven(self, &drive->place, drive->sign) &&
        drive->place.component == TACT_BARAFF_N) {
        at->normal = TACT_BARAFF_CLAMPED;
    }
}

TactContactOutcome tact_baraff_drive(TactBaraff *self, const TactBaraffDrive *drive)
{
    int d = drive->place.item;
    self->run++;
    for (;;) {
        find_direction(self, drive);
        TactBaraffEvent event = find_drive_step(self, drive);
        if (event.change == TACT_BARAFF_NEVER) {
            return TACT_OUTCOME_UNBOUNDED;
        }
        double work =
            (double)(self->block.count + 10) * (double)(self->block.count + 4 * self->system->dof);
        if (self->report->pivots >= self->limit || tact_budget_spend(work)) {
            return TACT_OUTCOME_LIMIT;
        }
        self->report->pivots++;
        if (event.length * event.rate > event.tie) {
            self->run++;
        }
        move_along_drive(self, drive, event.length);
        if (event.change == TACT_BARAFF_REACHED) {
            finish_drive(self, drive);
            return TACT_OUTCOME_SOLVED;
        }
        change_sets(self, &event);
        bool at_bound = drive->goal == TACT_BARAFF_TO_ZERO && event.item == d;
        if (at_bound) {
            return TACT_OUTCOME_SOLVED;
        }
    }
}
