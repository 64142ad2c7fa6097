// Dantzig: one index driven to its place [Baraff94, 4.2 and 4.3].
#include <math.h>

#include "base/clones.h"
#include "lcp/dantzig.h"
#include "linalg/lanes.h"
#include "linalg/vector.h"

// A curvature dz'M dz not larger than this, relative to (sum s_j |dz_j|)^2, is rounding: M dz = 0.
static const double FLAT = 0x1p-52;

// Rates not larger than this, relative to sum s_j |dz_j|, are rounding.
static const double STILL = 1e-13;

// How far z may be pushed beyond its bound so that a larger pivot can be taken on a tie, relative
// to the size of all values. For w it is half of what counts as violated.
static const double TIE = 1e-13;

// M_CC dz_C = -M_Cd holds to this, or else dz is refined, or else M_CC factored anew.
static const double DRIFT = 1e-12;

// A pivot smaller than this, relative to its diagonal entry, is looked at twice.
static const double SUSPECT = 1e-10;

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

typedef struct Drive {
    int    d;
    double direction; // of z_d, 1 or -1
    double size;      // sum_j s_j |dz_j|
    double curvature; // dz'M dz
    double pivot;     // of the row that is about to enter C
    int    zeros;     // steps of length 0 in a row
    int    barred;    // so many at the end of NC would make M_CC singular
} Drive;

// ---------------------------------------------------------------------------------------------
// Direction

/// y = L^-1 M_Ci
static void eliminate(const TactDantzig *self, int i, double *y)
{
    const double *row = self->M + (size_t)i * (size_t)self->n;
    for (int k = 0; k < self->ldl.n; k++) {
        y[k] = row[self->C[k]];
    }
    tact_ldl_forward(&self->ldl, y, y);
}

TACT_CLONES static void scaled_copy(int n, double a, const double *x, double *y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        *(TactLanes *)(y + i) = a * *tact_lanes_at(x + i);
    }
    for (; i < n; i++) {
        y[i] = a * x[i];
    }
}

/// Whether |a_k| > limit b_k for any k.
TACT_CLONES static bool exceeds(int n, const double *a, double limit, const double *b)
{
    TactMask any = {0};
    int      i = 0;
    for (; i + 4 <= n; i += 4) {
        any |= TACT_LANES_ABS(*tact_lanes_at(a + i)) > limit * *tact_lanes_at(b + i);
    }
    bool result = (any[0] | any[1] | any[2] | any[3]) != 0;
    for (; i < n; i++) {
        result |= fabs(a[i]) > limit * b[i];
    }
    return result;
}

/// dw = M dz, but for the rows in C, where it should be 0 and goes to work instead. True if it is
/// 0 there but for rounding.
static bool multiply(TactDantzig *self, Drive *drive)
{
    int     n = self->n, k = self->ldl.n;
    double *left = self->work;
    scaled_copy(n, drive->direction, self->M + (size_t)drive->d * (size_t)n, self->dw);
    tact_dantzig_add_rows(self, k, self->C, self->dz, self->dw);
    for (int j = 0; j < k; j++) {
        left[j] = self->dw[self->C[j]];
        self->dw[self->C[j]] = 0;
    }
    drive->size = self->s[drive->d] + tact_dantzig_sum_abs(k, self->C_s, self->dz);
    drive->curvature = drive->direction * self->dw[drive->d] + tact_vec_dot(k, self->dz, left);
    return !exceeds(k, left, DRIFT * drive->size, self->C_s);
}

/// dz_C = -direction M_CC^-1 M_Cd from y
static void solve_direction(TactDantzig *self, const Drive *drive)
{
    tact_ldl_backward(&self->ldl, self->y, self->dz);
    tact_vec_scale(self->ldl.n, -drive->direction, self->dz);
}

// dz_d = direction, M_CC dz_C = -M_Cd dz_d, dw = M dz [Baraff94, eqs. 8, 9]. Whatever is left of
// dw in C tells how good the factor still is.
static void find_direction(TactDantzig *self, Drive *drive)
{
    solve_direction(self, drive);
    if (multiply(self, drive)) {
        return;
    }
    tact_ldl_solve(&self->ldl, self->work, self->work);
    tact_vec_axpy(self->ldl.n, -1, self->work, self->dz);
    if (multiply(self, drive)) {
        return;
    }
    tact_dantzig_refactor(self);
    drive->barred = 0;
    eliminate(self, drive->d, self->y);
    solve_direction(self, drive);
    multiply(self, drive);
}

/// dz'M dz = 0, and so M dz = 0, but for rounding.
static bool is_flat(const Drive *drive)
{
    return drive->curvature <= FLAT * drive->size * drive->size;
}

// ---------------------------------------------------------------------------------------------
// Step

/// The largest step after which no z_C is beyond its bound by more than a tie.
TACT_CLONES static double reach_of_clamped(const TactDantzig *self, double still, double tie)
{
    const double *z = self->C_z, *lo = self->C_lo, *hi = self->C_hi, *s = self->C_s;
    const double *dz = self->dz;
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

static inline Row clamped_row(const TactDantzig *self, const Drive *drive, int place)
{
    double dz = self->dz[place];
    double rate = fabs(dz) * self->C_s[place];
    double slack =
        dz < 0 ? self->C_z[place] - self->C_lo[place] : self->C_hi[place] - self->C_z[place];
    return (Row){fmax(slack, 0) * self->C_s[place], TIE * (self->unit + self->size),
                 rate > STILL * drive->size ? rate : 0};
}

/// A row of NC whose w, satisfied so far, goes to 0.
static inline Row outer_row(const TactDantzig *self, const Drive *drive, int place)
{
    int    i = self->NC[place];
    double sign = self->state[i] == TACT_DANTZIG_HI ? -self->down[i] : self->up[i];
    double slack = sign * self->w[i];
    double rate = -sign * self->dw[i];
    double tol = self->fine * self->r[i];
    return (Row){fmax(slack, 0), 0.5 * tol, rate > STILL * drive->size && slack >= -tol ? rate : 0};
}

static double reach_of_outer(const TactDantzig *self, const Drive *drive)
{
    double least = HUGE_VAL;
    for (int k = 0; k < self->NC_count - drive->barred; k++) {
        Row row = outer_row(self, drive, k);
        if (row.rate > 0 && row.slack + row.tie < least * row.rate) {
            least = (row.slack + row.tie) / row.rate;
        }
    }
    return least;
}

/// The largest rate among the rows that block within a tie.
static Step blocking_row(const TactDantzig *self, const Drive *drive, double reach, bool guarded)
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
    for (int k = 0; guarded && k < self->NC_count - drive->barred; k++) {
        Row row = outer_row(self, drive, k);
        if (row.rate > largest && row.slack <= reach * row.rate) {
            largest = row.rate;
            step = (Step){ENTERS, row.slack / row.rate, k};
        }
    }
    return step;
}

static Step find_step(const TactDantzig *self, const Drive *drive)
{
    // Steps of length 0 cannot go on for ever if no row enters: each takes an index out of C.
    bool   guarded = drive->zeros <= self->n && !is_flat(drive);
    int    d = drive->d;
    double still = STILL * drive->size;
    double reach = reach_of_clamped(self, still, TIE * (self->unit + self->size));
    if (guarded) {
        reach = fmin(reach, reach_of_outer(self, drive));
    }
    double to_zero = is_flat(drive) ? HUGE_VAL : fabs(self->w[d]) / drive->curvature;
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

/// True if row i may enter C: its pivot is more than rounding. Leaves v = L^-1 M_Ci.
static bool can_enter(TactDantzig *self, Drive *drive, int i)
{
    double diagonal = self->M[(size_t)i * ((size_t)self->n + 1)];
    eliminate(self, i, self->v);
    drive->pivot = tact_ldl_pivot(&self->ldl, self->v, diagonal);
    if (drive->pivot > SUSPECT * diagonal) {
        return true;
    }
    tact_ldl_backward(&self->ldl, self->v, self->work);
    double size = self->s[i] + tact_dantzig_sum_abs(self->ldl.n, self->C_s, self->work);
    return drive->pivot > FLAT * size * size;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

/// A step that can be taken. Rows that cannot enter C, as M_CC would be singular, do not block:
/// they may become violated, and are driven then.
static Step find_pivot(TactDantzig *self, Drive *drive)
{
    for (;;) {
        Step step = find_step(self, drive);
        if (step.event != ENTERS || can_enter(self, drive, self->NC[step.place])) {
            return step;
        }
        drive->barred++;
        swap(self->NC + step.place, self->NC + self->NC_count - drive->barred);
    }
}

// ---------------------------------------------------------------------------------------------
// Pivot

static void move(TactDantzig *self, const Drive *drive, double length)
{
    tact_vec_axpy(self->ldl.n, length, self->dz, self->C_z);
    self->z[drive->d] += length * drive->direction;
    if (!is_flat(drive)) {
        tact_vec_axpy(self->n, length, self->dw, self->w);
    }
    self->moved += length * drive->size;
}

static void clamp_driven(TactDantzig *self, const Drive *drive)
{
    // Of two values for the same pivot the factor's own one, unless it is mostly rounding.
    int    d = drive->d;
    double diagonal = self->M[(size_t)d * ((size_t)self->n + 1)];
    double own = tact_ldl_pivot(&self->ldl, self->y, diagonal);
    bool   good = own > 0.5 * drive->curvature && own < 2 * drive->curvature;
    tact_dantzig_clamp(self, d, self->z[d], self->y, good ? own : drive->curvature);
}

static void clamp_outer(TactDantzig *self, const Drive *drive, int place)
{
    int k = self->ldl.n;
    int i = self->NC[place];
    self->NC[place] = self->NC[--self->NC_count];
    tact_dantzig_clamp(self, i, self->z[i], self->v, drive->pivot);
    // y grows by one entry with L.
    double entry = self->M[(size_t)drive->d * (size_t)self->n + (size_t)i];
    for (int j = 0; j < k; j++) {
        entry -= self->y[j] * (self->v[j] * self->ldl.inv[j]);
    }
    self->y[k] = entry;
}

/// True if the drive is over.
static bool pivot(TactDantzig *self, Drive *drive, const Step *step)
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
        tact_dantzig_place(self, drive->d, up ? TACT_DANTZIG_HI : TACT_DANTZIG_LO);
        self->NC[self->NC_count++] = drive->d;
        return true;
    }
    if (step->event == LEAVES) {
        bool down = self->dz[step->place] < 0;
        tact_dantzig_unclamp(self, step->place, down ? TACT_DANTZIG_LO : TACT_DANTZIG_HI);
        eliminate(self, drive->d, self->y);
    } else {
        clamp_outer(self, drive, step->place);
    }
    return false;
}

/// True if row d depends on those in C and agrees with them: with w_C = 0 it has w_d = 0, and what
/// is there is rounding.
static bool is_consistent(const TactDantzig *self, const Drive *drive)
{
    double summed = drive->size * (self->unit + self->size);
    return is_flat(drive) && fabs(self->w[drive->d]) <= CONSISTENT * summed;
}

TactLcpOutcome tact_dantzig_drive(TactDantzig *self, int d, double direction)
{
    Drive drive = {.d = d, .direction = direction};
    eliminate(self, d, self->y);
    for (int k = 0; k < self->NC_count; k++) {
        if (self->NC[k] == d) {
            self->NC[k] = self->NC[--self->NC_count];
        }
    }
    for (;;) {
        find_direction(self, &drive);
        if (self->polishing && is_consistent(self, &drive)) {
            tact_dantzig_rest(self, d);
            tact_dantzig_mute(self, d);
            return TACT_LCP_SOLVED;
        }
        if (is_flat(&drive) && fabs(self->w[d]) <= self->fine) {
            // w_d is 0, and stays so: back, until d is at a bound, or independent of what is in C.
            drive.direction = -drive.direction;
            tact_vec_scale(self->ldl.n, -1, self->dz);
        }
        Step step = find_pivot(self, &drive);
        if (step.event == NOTHING || self->report->pivots >= self->limit) {
            tact_dantzig_rest(self, d);
            if (step.event == NOTHING && is_consistent(self, &drive)) {
                tact_dantzig_mute(self, d);
                return TACT_LCP_SOLVED;
            }
            return step.event == NOTHING ? TACT_LCP_RAY : TACT_LCP_LIMIT;
        }
        drive.zeros = step.length > 0 ? 0 : drive.zeros + 1;
        move(self, &drive, step.length);
        if (pivot(self, &drive, &step)) {
            return TACT_LCP_SOLVED;
        }
    }
}
