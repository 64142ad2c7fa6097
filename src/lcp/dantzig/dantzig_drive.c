// Dantzig: one index driven to its place [Baraff94, 4.2 and 4.3].
#include <math.h>

#include "base/budget.h"
#include "base/clones.h"
#include "lcp/dantzig/dantzig.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// Rates not larger than this, relative to sum s_j |dz_j|, are rounding.
static const double STILL = 1e-13;

// How far z may be pushed beyond its bound so that a larger pivot can be taken on a tie, relative
// to the size of all values. For w it is half of what counts as violated.
static const double TIE = 1e-13;

// On a flat direction w_d is 0 if it is not larger than this, relative to what w'dz is summed from.
static const double CONSISTENT = 4 * 0x1p-52;

typedef enum Event {
    NOTHING, // z_d may move without end
    REACHED, // w_d = 0
    CROSSED, // z_d at its other bound
    LEAVES,  // an index of C comes to a bound
    ENTERS,  // an index of NC comes to w_i = 0
} Event;

typedef struct Step {
    Event  event;
    double length;
    int    place; // in C or NC
} Step;

// ---------------------------------------------------------------------------------------------
// Step

/// The largest step after which no z_C is beyond its bound by more than a tie.
TACT_CLONES static double reach_of_clamped(const TactDantzig *self, double still, double tie)
{
    const double *z = self->clamped.z, *lo = self->clamped.lo, *hi = self->clamped.hi,
                 *s = self->clamped.s;
    const double *dz = self->clamped.dz;
    int           k = 0, count = self->ldl.n;
    TactLanes     zero = {0};
    TactLanes     least = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    TactLanes     never = least;
    for (; k + 4 <= count; k += 4) {
        TactLanes rate = *tact_lanes_at(dz + k), at = *tact_lanes_at(z + k);
        TactLanes below = at - *tact_lanes_at(lo + k), above = *tact_lanes_at(hi + k) - at;
        TactLanes slack = TACT_LANES_SELECT(rate < zero, below, above);
        rate = TACT_LANES_ABS(rate) * *tact_lanes_at(s + k);
        slack *= *tact_lanes_at(s + k);
        slack = TACT_LANES_SELECT(slack > zero, slack, zero);
        TactLanes length = (slack + tie) / rate;
        length = TACT_LANES_SELECT(rate > zero + still, length, never);
        least = TACT_LANES_SELECT(length < least, length, least);
    }
    double result = fmin(fmin(least[0], least[1]), fmin(least[2], least[3]));
    for (; k < count; k++) {
        double slack = (dz[k] < 0 ? z[k] - lo[k] : hi[k] - z[k]) * s[k];
        double rate = fabs(dz[k]) * s[k];
        double length = ((slack > 0 ? slack : 0) + tie) / rate;
        result = rate > still && length < result ? length : result;
    }
    return result;
}

typedef struct Row {
    double slack; // distance from the bound that it moves to, without a unit
    double tie;   // how far it may go beyond
    double rate;  // at which it moves; 0: it does not
} Row;

static inline Row clamped_row(const TactDantzig *self, const TactDantzigDrive *drive, int place)
{
    double dz = self->clamped.dz[place];
    double rate = fabs(dz) * self->clamped.s[place];
    double slack = dz < 0 ? self->clamped.z[place] - self->clamped.lo[place]
                          : self->clamped.hi[place] - self->clamped.z[place];
    return (Row){fmax(slack, 0) * self->clamped.s[place], TIE * (self->sums.unit + self->sums.size),
                 rate > STILL * drive->size ? rate : 0};
}

/// A row of NC whose w, satisfied so far, goes to 0.
static inline Row outer_row(const TactDantzig *self, const TactDantzigDrive *drive, int place)
{
    int    at = self->place[self->guarded.index[place]];
    double sign =
        self->outer.up[at] - self->outer.down[at]; // one of them is 0, as it is at a bound
    double slack = sign * self->outer.w[at];
    double rate = -sign * self->outer.dw[at];
    double tol = self->fine * self->outer.r[at];
    return (Row){fmax(slack, 0), 0.5 * tol, rate > STILL * drive->size && slack >= -tol ? rate : 0};
}

static double reach_of_outer(const TactDantzig *self, const TactDantzigDrive *drive)
{
    double least = HUGE_VAL;
    for (int k = 0; k < self->guarded.count - drive->barred; k++) {
        Row row = outer_row(self, drive, k);
        if (row.rate > 0 && row.slack + row.tie < least * row.rate) {
            least = (row.slack + row.tie) / row.rate;
        }
    }
    return least;
}

/// The largest rate among the rows that block within a tie.
static Step blocking_row(const TactDantzig *self, const TactDantzigDrive *drive, double reach,
                         bool guarded)
{
    Step   step = {.event = NOTHING};
    double largest = 0;
    for (int k = 0; k < self->ldl.n; k++) {
        Row row = clamped_row(self, drive, k);
        if (row.rate > largest && row.slack <= reach * row.rate) {
            largest = row.rate;
            step = (Step){LEAVES, row.slack / row.rate, k};
        }
    }
    for (int k = 0; guarded && k < self->guarded.count - drive->barred; k++) {
        Row row = outer_row(self, drive, k);
        if (row.rate > largest && row.slack <= reach * row.rate) {
            largest = row.rate;
            step = (Step){ENTERS, row.slack / row.rate, k};
        }
    }
    return step;
}

static Step find_dantzig_step(const TactDantzig *self, const TactDantzigDrive *drive)
{
    // Steps of length 0 cannot go on for ever if no row enters: each takes an index out of C.
    bool   guarded = drive->zeros <= self->n && !drive->flat;
    int    d = drive->d;
    double still = STILL * drive->size;
    double reach = reach_of_clamped(self, still, TIE * (self->sums.unit + self->sums.size));
    if (guarded) {
        reach = fmin(reach, reach_of_outer(self, drive));
    }
    double to_zero =
        drive->flat ? HUGE_VAL : fabs(self->outer.w[self->place[d]]) / drive->curvature;
    double to_bound = drive->direction > 0 ? self->hi[d] - self->z[d] : self->z[d] - self->lo[d];
    if (to_zero <= to_bound && to_zero <= reach && to_zero < HUGE_VAL) {
        return (Step){.event = REACHED, .length = to_zero};
    }
    if (to_bound <= reach && to_bound < HUGE_VAL) {
        return (Step){.event = CROSSED, .length = to_bound};
    }
    if (reach < HUGE_VAL) {
        return blocking_row(self, drive, reach, guarded);
    }
    return (Step){.event = NOTHING};
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

/// A step that can be taken. Rows that cannot enter C, as M_CC would be singular, do not block:
/// they may become violated, and are driven then.
static Step find_step_to_take(TactDantzig *self, TactDantzigDrive *drive)
{
    for (;;) {
        Step step = find_dantzig_step(self, drive);
        if (step.event != ENTERS ||
            tact_dantzig_can_enter(self, drive, self->guarded.index[step.place])) {
            return step;
        }
        drive->barred++;
        swap(self->guarded.index + step.place,
             self->guarded.index + self->guarded.count - drive->barred);
    }
}

// ---------------------------------------------------------------------------------------------
// Pivot

static void move_along_direction(TactDantzig *self, const TactDantzigDrive *drive, double length)
{
    tact_vec_axpy(self->ldl.n, length, self->clamped.dz, self->clamped.z);
    self->z[drive->d] += length * drive->direction;
    if (!drive->flat) {
        tact_vec_axpy(self->outer.count, length, self->outer.dw, self->outer.w);
    }
    self->sums.moved += length * drive->size;
}

static void clamp_driven(TactDantzig *self, const TactDantzigDrive *drive)
{
    // Of two values for the same pivot the factor's own one, unless it is mostly rounding.
    int    d = drive->d;
    double diagonal = self->M[(size_t)d * ((size_t)self->n + 1)];
    double own = tact_ldl_pivot(&self->ldl, self->clamped.y, diagonal);
    bool   good = own > 0.5 * drive->curvature && own < 2 * drive->curvature;
    tact_dantzig_clamp(self, d, self->clamped.y, good ? own : drive->curvature);
}

static void clamp_outer(TactDantzig *self, const TactDantzigDrive *drive, int place)
{
    int k = self->ldl.n;
    int i = self->guarded.index[place];
    self->guarded.index[place] = self->guarded.index[--self->guarded.count];
    tact_dantzig_clamp(self, i, self->clamped.v, drive->pivot);
    // y grows by one entry with L.
    double entry = self->M[(size_t)drive->d * (size_t)self->n + (size_t)i];
    for (int j = 0; j < k; j++) {
        entry -= self->clamped.y[j] * (self->clamped.v[j] * self->ldl.inv[j]);
    }
    self->clamped.y[k] = entry;
}

/// True if the drive is over.
static bool pivot(TactDantzig *self, TactDantzigDrive *drive, const Step *step)
{
    self->report->pivots++;
    tact_dantzig_unmute(self);
    drive->barred = 0;
    if (step->event == REACHED) {
        clamp_driven(self, drive);
        return true;
    }
    if (step->event == CROSSED) {
        bool up = drive->direction > 0;
        tact_dantzig_put(self, drive->d, up ? TACT_DANTZIG_HI : TACT_DANTZIG_LO);
        self->guarded.index[self->guarded.count++] = drive->d;
        return true;
    }
    if (step->event == LEAVES) {
        bool down = self->clamped.dz[step->place] < 0;
        tact_dantzig_unclamp(self, step->place, down ? TACT_DANTZIG_LO : TACT_DANTZIG_HI);
        tact_dantzig_eliminate(self, drive->d, self->clamped.y);
    } else {
        clamp_outer(self, drive, step->place);
    }
    return false;
}

/// True if row d depends on those in C and agrees with them: with w_C = 0 it has w_d = 0, and what
/// is there is rounding.
static bool is_consistent(const TactDantzig *self, const TactDantzigDrive *drive)
{
    double rounding = CONSISTENT * drive->size * (self->sums.unit + self->sums.size);
    return drive->flat && fabs(self->outer.w[self->place[drive->d]]) <= fmax(rounding, self->fine);
}

static void stop_guarding(TactDantzig *self, int i)
{
    for (int k = 0; k < self->guarded.count; k++) {
        if (self->guarded.index[k] == i) {
            self->guarded.index[k] = self->guarded.index[--self->guarded.count];
        }
    }
}

TactLcpOutcome tact_dantzig_drive(TactDantzig *self, int d, double direction)
{
    TactDantzigDrive drive = {.d = d, .direction = direction};
    stop_guarding(self, d);
    tact_dantzig_eliminate(self, d, self->clamped.y);
    for (;;) {
        tact_dantzig_direction(self, &drive);
        if (self->polishing && is_consistent(self, &drive)) {
            tact_dantzig_rest(self, d);
            tact_dantzig_mute(self, d);
            return TACT_LCP_OUTCOME_SOLVED;
        }
        if (drive.flat && fabs(self->outer.w[self->place[d]]) <= self->fine) {
            // w_d is 0, and stays so: back, until d is at a bound, or independent of what is in C.
            drive.direction = -drive.direction;
            tact_vec_scale(self->ldl.n, -1, self->clamped.dz);
        }
        Step step = find_step_to_take(self, &drive);
        if (step.event == NOTHING && is_consistent(self, &drive)) {
            tact_dantzig_rest(self, d);
            tact_dantzig_mute(self, d);
            return TACT_LCP_OUTCOME_SOLVED;
        }
        double work = (double)self->n * (double)(self->ldl.n + 10);
        if (step.event == NOTHING || self->report->pivots >= self->limit ||
            tact_budget_spend(work)) {
            tact_dantzig_rest(self, d);
            return step.event == NOTHING ? TACT_LCP_OUTCOME_RAY : TACT_LCP_OUTCOME_LIMIT;
        }
        drive.zeros = step.length > 0 ? 0 : drive.zeros + 1;
        move_along_direction(self, &drive, step.length);
        if (pivot(self, &drive, &step)) {
            return TACT_LCP_OUTCOME_SOLVED;
        }
    }
}
