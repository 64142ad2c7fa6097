// States that change, without a kernel: docs/theory/newton-turning.md.
//
// All columns C_j that an impulse may act along, scaled, are multiplied with each other once:
// G = C'C. With impulses z the velocities along them are w = G z + b, and the system of any states
// is made of entries of G.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/kernel_loops.h"
#include "contact/pivot/turning.h"
#include "contact/pivot_rules.h"
#include "linalg/bordered.h"

// As in states.c: most systems, most in a row that come no nearer, most of one that are singular;
// what counts where several items would change, and an answer whose states stay.
enum { MOST_SYSTEMS = 40, MOST_WORSE = 5, MOST_DROPPED = 3, FEW_FLIPS = 1 };
static const double SHARE = 0.2, ALONE = 1, STAYS = 30;

// Steps of Newton's method, how often each is halved, and how much nearer it has to come.
enum { MOST_STEPS = 30, MOST_HALVES = 6 };
static const double SLOPE = 0.1;

// As in turning.c.
static const double MOST_DAMPING = 1e11;

// From here on the residual is looked at with its own scales.
static const double CLOSE = 1e-9;

// As in kernel_load.c: of the largest offset, ties are parts of this much of it.
static const double LEAST_SHARE = 1e-3;

typedef struct Change {
    TactSteadyWork   work;
    TactSteady      *arrays;
    TactSteadyStates now;
    TactSteadyStates next;
    double          *b, *z, *w; // offsets, impulses and velocities along columns, scaled
    double          *z0, *w0;   // those before, or of the states that came nearest
    double          *u, *p;     // of items                                      (3 items)
    const double    *G;         // (columns x columns), rows basis.ld apart
    int              columns;
    double           unit;     // largest offset, scaled
    double           tie;      // in units of it
    double           rounding; // slip that has no direction, in units of it
    double           worst;    // violation of what would change
    double           least;    // of what may
    int              flips;
    bool             changed, turned;
    bool             plain; // the law holds
    bool             whole; // the last step was not shortened
} Change;

// ---------------------------------------------------------------------------------------------
// Products of columns

/// Has an item this column?
static bool has_column(const TactItem *item, int c)
{
    return item->kind == TACT_ITEM_MOTOR ? c == 1 : c == 0 || item->directions > 0;
}

/// Numbers the columns. false: there is no room, or an item of another kind.
static bool list_columns(Change *change)
{
    const TactSystem *system = change->work.system;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        if (item->compliance > 0 || item->kind == TACT_ITEM_MOMENT) {
            return false;
        }
        change->arrays->column[i] = change->columns;
        for (int c = 0; c < 3; c++) {
            if (has_column(item, c)) {
                change->b[change->columns++] = item->scale * system->b[3 * i + c];
            }
        }
    }
    for (int j = change->columns; j % 4 != 0; j++) { // what fills the last vector
        change->b[j] = change->z[j] = 0;
    }
    return change->columns > 0 && change->columns <= change->work.room->basis.max_k;
}

/// G, whole: the system of all columns as unknowns.
static void put_products(Change *change)
{
    TactSteadyWork *work = &change->work;
    TactKernel     *room = work->room;
    size_t          ld = room->basis.ld, n = (size_t)change->columns;
    double         *G = room->factor.inverse;
    work->count = 0;
    for (int i = 0; i < work->system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            if (has_column(&work->system->items[i], c)) {
                work->unknowns[work->count] = (TactSteadyUnknown){.item = i};
                work->unknowns[work->count++].along[c] = 1;
            }
        }
    }
    work->even = work->count;
    room->factor.products_of = work->system;
    room->factor.products_at = work->system->built;
    tact_steady_products(work, G);
    for (size_t r = 1; r < n; r++) {
        for (size_t c = 0; c < r; c++) {
            G[r * ld + c] = G[c * ld + r];
        }
    }
    for (size_t j = n; j % 4 != 0; j++) {
        for (size_t r = 0; r < n; r++) {
            G[r * ld + j] = 0;
        }
    }
    change->G = G;
}

/// w = G z + b
TACT_CLONES static void move(const Change *change)
{
    size_t ld = change->work.room->basis.ld;
    memcpy(change->w, change->b, ((size_t)change->columns + 3) / 4 * 4 * sizeof(double));
    for (int j = 0; j < change->columns; j++) {
        if (change->z[j] != 0) {
            tact_loop_step(change->columns, change->z[j], change->G + (size_t)j * ld, change->w);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The system of the states

/// Where the columns of an unknown are.
static void place_unknown(const Change *change, TactSteadyUnknown *unknown)
{
    const double *along = unknown->along;
    if (unknown->item < 0) {
        return;
    }
    bool motor = change->work.system->items[unknown->item].kind == TACT_ITEM_MOTOR;
    int  component = motor || along[0] != 0 ? 0 : along[1] == 0 ? 2 : 1;
    unknown->first = change->arrays->column[unknown->item] + component;
    unknown->single = component != 1 || along[2] == 0;
    // Of friction along one tangent, to or fro, the unknown is the other one's negative.
    unknown->single = unknown->single && along[motor ? 1 : component] == 1;
    unknown->first -= component == 2 && !unknown->single ? 1 : 0;
}

/// G times the column of unknown k: a row of G, or made.
TACT_LOOP const double *column_of(const Change *change, int k, double *made)
{
    const TactSteadyUnknown *unknown = &change->work.unknowns[k];
    size_t                   ld = change->work.room->basis.ld;
    const double            *own = change->G + (size_t)unknown->first * ld;
    int                      n = change->columns;
    bool                     skew = k >= change->work.even;
    if (unknown->single && !skew) {
        return own;
    }
    const double *mu = change->arrays->skew + 2 * (size_t)unknown->item;
    double        a = skew ? mu[0] : unknown->along[1], b = skew ? mu[1] : unknown->along[2];
    const double *t1 = skew ? own + ld : own, *t2 = t1 + ld;
    for (int j = 0; j < n; j += 4) {
        TACT_LANES_PUT(made + j) = a * TACT_LANES_AT(t1 + j) + b * TACT_LANES_AT(t2 + j);
    }
    if (skew) {
        tact_loop_step(n, 1, own, made);
    }
    return made;
}

/// Rows from .. end - 1 of a column.
TACT_LOOP void put_entries(const Change *change, const double *column, int from, int end,
                           double *out)
{
    size_t ld = change->work.room->basis.ld;
    for (int r = from; r < end; r++) {
        const TactSteadyUnknown *row = &change->work.unknowns[r];
        out[(size_t)r * ld] = row->single     ? column[row->first]
                              : row->item < 0 ? 0
                                              : row->along[1] * column[row->first] +
                                                    row->along[2] * column[row->first + 1];
    }
}

/// R'A and what is added to its diagonal. Returns the largest entry there.
TACT_CLONES static double put_system(const Change *change)
{
    const TactSteadyWork *work = &change->work;
    size_t                ld = work->room->basis.ld;
    double               *block = work->room->factor.block, largest = 0;
    for (int c = 0; c < work->count; c++) {
        bool    pad = work->unknowns[c].item < 0;
        double *out = block + c, *diagonal = out + (size_t)c * ld;
        if (pad) {
            for (int r = 0; r < work->count; r++) {
                out[(size_t)r * ld] = r == c;
            }
            continue;
        }
        const double *column = column_of(change, c, work->room->scratch.solution);
        put_entries(change, column, 0, c < work->even ? c + 1 : work->count, out);
        if (c < work->even) {
            put_entries(change, column, work->even, work->count, out);
        }
        *diagonal += work->unknowns[c].extra;
        largest = fabs(*diagonal) > largest ? fabs(*diagonal) : largest;
    }
    for (int r = 0; r < work->count; r++) {
        for (int c = work->count; c % 4 != 0; c++) {
            block[(size_t)r * ld + (size_t)c] = 0;
        }
    }
    return largest;
}

/// An unknown that depends on others is left out, with its friction if it is a normal. false: its
/// state has none to leave out.
static bool leave_out(const Change *change, const TactSteadyUnknown *unknown)
{
    if (unknown->item < 0 || unknown->extra > 0) {
        return false;
    }
    TactSteadyState *state = &change->now.of[unknown->item];
    if (unknown->along[0] != 0) {
        *state = (TactSteadyState){0};
        return true;
    }
    if (state->directions == 2 && !state->slides) { // the other tangent stays
        int d = change->work.system->items[unknown->item].directions;
        change->now.turn[unknown->item] = 0;
        state->first = unknown->along[1] != 0 ? d / 4 : 0;
    }
    bool was = state->directions > 0;
    state->directions -= was;
    return was;
}

/// Lists the unknowns of the states and factors their system: from G, or the first without. Those
/// that depend on others are left out.
static bool factor_states(Change *change, bool first, bool *pushed)
{
    TactSteadyWork   *work = &change->work;
    TactKernelFactor *factor = &work->room->factor;
    for (int dropped = 0; dropped <= MOST_DROPPED; dropped++) {
        if (!tact_steady_list(work, change->p, pushed)) {
            return false;
        }
        for (int k = 0; k < work->count && !first; k++) {
            place_unknown(change, &work->unknowns[k]);
        }
        double largest = first ? tact_steady_products(work, factor->block) : put_system(change);
        double smallest = TACT_PIVOT_SINGULAR_PRINCIPAL * largest;
        if (work->count == 0 ||
            tact_bordered_factor(work->even, work->count, factor->block, (int)work->room->basis.ld,
                                 factor->permutation, smallest, factor->dependent,
                                 &factor->dependent_count) < 0) {
            return true;
        }
        bool left = factor->dependent_count > 0 && change->arrays->systems > 1;
        for (int k = 0; k < factor->dependent_count; k++) {
            left = leave_out(change, &work->unknowns[factor->dependent[k]]) && left;
        }
        if (!left) {
            return false;
        }
    }
    return false;
}

/// Rows of the velocities w, that are to be 0.
static void put_rest(const Change *change, double *rest)
{
    for (int k = 0; k < change->work.count; k++) {
        const TactSteadyUnknown *row = &change->work.unknowns[k];
        const double            *w = change->w + row->first;
        rest[k] = row->item < 0 ? 0
                  : row->single ? w[0]
                                : row->along[1] * w[0] + row->along[2] * w[1];
    }
}

/// Impulses of values x, along the columns.
static void put_impulses(const Change *change, const double *x)
{
    const TactSteadyWork *work = &change->work;
    for (int k = 0; k < work->count; k++) {
        const TactSteadyUnknown *unknown = &work->unknowns[k];
        double                  *z = change->z + unknown->first;
        if (unknown->item < 0) {
            continue;
        }
        if (unknown->single) {
            z[0] += x[k];
        } else {
            z[0] += unknown->along[1] * x[k];
            z[1] += unknown->along[2] * x[k];
        }
        if (k >= work->even) {
            z[1] += change->arrays->skew[2 * unknown->item] * x[k];
            z[2] += change->arrays->skew[2 * unknown->item + 1] * x[k];
        }
    }
}

/// Impulses and velocities of the items from those along the columns.
static void put_items(const Change *change)
{
    const TactSystem *system = change->work.system;
    int               j = 0;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        double          by = 1 / item->scale;
        for (int c = 0; c < 3; c++) {
            bool has = has_column(item, c);
            change->p[3 * i + c] = has ? item->scale * change->z[j] : 0;
            change->u[3 * i + c] = has ? by * change->w[j] : 0;
            j += has;
        }
    }
}

/// Slip that is rounding of the values has no direction. false: they are not finite.
static bool measure_rounding(Change *change)
{
    double largest = 0, sum = 0;
    for (int k = 0; k < change->work.count; k++) {
        double size = fabs(change->work.room->basis.z[k]);
        largest = tact_larger(largest, size);
        sum += size;
    }
    change->rounding = TACT_TURNING_ROUNDS * largest / change->unit;
    return isfinite(sum);
}

/// The system of the states and its answer. false: there is none.
static bool solve_states(Change *change)
{
    TactSteadyWork   *work = &change->work;
    const TactSystem *system = work->system;
    double           *x = work->room->basis.z;
    bool              pushed;
    change->arrays->systems++;
    if (!factor_states(change, false, &pushed)) {
        return false;
    }
    memset(change->z, 0, (size_t)change->columns * sizeof *change->z);
    for (int i = 0; i < system->item_count && pushed; i++) {
        if (system->items[i].kind == TACT_ITEM_MOTOR) {
            change->z[change->arrays->column[i]] = change->p[3 * i + 1] / system->items[i].scale;
        }
    }
    move(change);
    put_rest(change, x);
    tact_bordered_solve(work->even, work->count, work->room->factor.block,
                        (int)work->room->basis.ld, work->room->factor.permutation, x,
                        work->room->scratch.change);
    for (int k = 0; k < work->count; k++) {
        x[k] = -x[k];
    }
    if (!measure_rounding(change)) {
        return false;
    }
    put_impulses(change, x);
    move(change);
    put_items(change);
    return true;
}

/// The same of the first system, without G.
static bool solve_first(Change *change, const TactCircleScratch *scratch)
{
    TactSteadyWork   *work = &change->work;
    const TactSystem *system = work->system;
    bool              pushed;
    change->arrays->systems++;
    if (!factor_states(change, true, &pushed)) {
        return false;
    }
    memset(work->room->basis.z, 0, (size_t)work->count * sizeof(double));
    if (pushed) {
        tact_system_move(system, change->p, scratch->y, scratch->u);
    }
    tact_steady_refine(work, pushed ? scratch->u : system->b, change->p);
    tact_system_move(system, change->p, scratch->y, scratch->u);
    for (int i = 0, j = 0; i < system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            if (has_column(&system->items[i], c)) {
                change->z[j] = change->p[3 * i + c] / system->items[i].scale;
                change->w[j++] = change->u[3 * i + c] * system->items[i].scale;
            }
        }
    }
    return measure_rounding(change);
}

// ---------------------------------------------------------------------------------------------
// The next states: the rules of states.c

static bool may_flip(Change *change, double violation)
{
    change->worst = tact_larger(change->worst, violation);
    change->flips += violation >= change->least;
    return violation >= change->least;
}

static void judge_motor(Change *change, int i)
{
    const TactItem        *item = &change->work.system->items[i];
    const TactSteadyState *state = &change->now.of[i];
    TactSteadyState       *next = &change->next.of[i];
    int                    j = change->arrays->column[i];
    double                 force = change->z[j] / change->unit, speed = change->w[j] / change->unit;
    double                 bound = item->bound / (item->scale * change->unit);
    bool                   loose = state->directions == 0 && !state->slides;
    bool                   against = speed * force <= 0 || fabs(speed) <= change->tie;
    if (loose && fabs(speed) <= change->tie) {
        return; // others hold it
    }
    bool off = state->slides ? !against : !loose && fabs(force) > bound + change->tie;
    bool flips = off && may_flip(change, state->slides ? fabs(speed) : fabs(force) - bound);
    if (loose || flips) {
        double towards = loose ? -speed : force;
        next->slides = loose || !state->slides;
        next->directions = 1;
        next->first = towards >= 0 ? 0 : 1;
        change->changed = true;
    }
}

/// The two directions next to a vector.
static void put_sector(const Change *change, int i, double x, double y, TactSteadyState *state)
{
    int    d = change->work.system->items[i].directions;
    double step = 6.283185307179586 / d;
    int    below = (int)floor((atan2(y, x) - change->now.turn[i]) / step);
    state->first = ((below % d) + d) % d;
    state->second = (state->first + 1) % d;
    state->directions = 2;
}

/// Slip along the friction that is against it, in units of the largest offset.
static double slip_along(const Change *change, int i)
{
    const double *w = change->w + change->arrays->column[i];
    double        d[2];
    tact_steady_direction(&change->work, i, change->now.of[i].first, d);
    return -(d[0] * w[1] + d[1] * w[2]) / change->unit;
}

/// Friction of a contact that pushes, and goes on to.
static void judge_plane(Change *change, int i)
{
    const TactSteadyState *state = &change->now.of[i];
    TactSteadyState       *next = &change->next.of[i];
    double                 along = state->slides ? slip_along(change, i) : 0;
    TactTurningSlip        slip =
        tact_turning_judge(change->work.room, i, change->rounding,
                           along > 0 ? HUGE_VAL : TACT_TURNING_SLOW, change->u, change->p);
    double over = sqrt(slip.q[0] * slip.q[0] + slip.q[1] * slip.q[1]) - slip.radius;
    bool   loose = !state->slides && slip.slips;
    bool   inside =
        slip.inside || (!state->slides && !slip.slips && over <= change->tie * change->unit);
    bool slides_on = state->directions == 1 ? along >= -change->tie : fabs(along) <= change->tie;
    if (slip.radius == 0) {
        *next = (TactSteadyState){.pushes = true};
    } else if (!inside && (state->slides || loose || may_flip(change, over / change->unit))) {
        *next = (TactSteadyState){.pushes = true, .slides = true, .directions = 1};
        change->next.turn[i] = atan2(slip.q[1], slip.q[0]);
        change->next.damping[i] = slip.damping;
        change->turned = true;
        change->changed = change->changed || !state->slides;
    } else if (inside && (loose || (state->slides && !slides_on && may_flip(change, slip.speed)))) {
        next->slides = false;
        put_sector(change, i, slip.q[0], slip.q[1], next);
        change->changed = change->changed || state->slides || state->directions < 2;
    }
}

static void judge_item(Change *change, int i)
{
    const TactItem        *item = &change->work.system->items[i];
    const TactSteadyState *state = &change->now.of[i];
    int                    j = change->arrays->column[i];
    change->next.of[i] = *state;
    change->next.turn[i] = change->now.turn[i];
    change->next.damping[i] = change->now.damping[i];
    if (item->kind == TACT_ITEM_MOTOR) {
        judge_motor(change, i);
        return;
    }
    double value = (state->pushes ? change->z[j] : change->w[j]) / change->unit;
    if (value < -change->tie && may_flip(change, -value)) {
        change->next.of[i] = (TactSteadyState){.pushes = !state->pushes};
        change->changed = true;
    } else if (state->pushes && item->directions > 0) {
        judge_plane(change, i);
    }
}

static void judge_by(Change *change, double least)
{
    change->least = least;
    change->worst = 0;
    change->flips = 0;
    change->changed = change->turned = false;
    for (int i = 0; i < change->work.system->item_count; i++) {
        judge_item(change, i);
    }
}

/// Where many would flip at once, those that are off by a share of the most.
static void judge_items(Change *change, double share)
{
    judge_by(change, 0);
    if (change->flips > FEW_FLIPS) {
        judge_by(change, share * change->worst);
    }
}

/// The largest residual, in units of the largest offset. Whether all are within tol of the scale
/// that their item has by itself: then the law holds.
static double find_residual(Change *change, double tol)
{
    double worst = 0, scale;
    change->plain = true;
    for (int i = 0; i < change->work.system->item_count; i++) {
        double own =
            tact_circle_item_residual(change->work.system, i, change->u + 3 * i, change->p, &scale);
        worst = tact_larger(worst, own);
        change->plain = change->plain && (own == 0 || own <= tol * scale);
    }
    return worst / change->unit;
}

// ---------------------------------------------------------------------------------------------
// All systems

static void copy_states(const TactSteadyStates *from, TactSteadyStates *to, int items)
{
    memcpy(to->of, from->of, (size_t)items * sizeof *to->of);
    memcpy(to->turn, from->turn, (size_t)items * sizeof *to->turn);
    memcpy(to->damping, from->damping, (size_t)items * sizeof *to->damping);
}

static void keep_point(const Change *change)
{
    size_t bytes = (size_t)change->columns * sizeof(double);
    memcpy(change->z0, change->z, bytes);
    memcpy(change->w0, change->w, bytes);
}

/// The states that came nearest; what sticks between the two directions next to its impulse.
static void keep_nearest(Change *change)
{
    int items = change->work.system->item_count;
    change->arrays->has_best = true;
    keep_point(change);
    copy_states(&change->now, &change->arrays->best, items);
    for (int i = 0; i < items; i++) {
        TactSteadyState *state = &change->arrays->best.of[i];
        const double    *p = change->p + 3 * i;
        if (state->pushes && !state->slides && state->directions == 2) {
            put_sector(change, i, p[1], p[2], state);
        }
    }
}

static void take_next(Change *change)
{
    TactSteadyStates last = change->now;
    change->now = change->arrays->now = change->next;
    change->next = change->arrays->next = last;
}

/// Does the answer hold, or where its states stay, hold but for rounding?
static bool holds(const Change *change, double tol, const TactCircleScratch *scratch)
{
    const TactSystem *system = change->work.system;
    bool              stay = !change->changed && !change->turned;
    double            residual = tact_circle_residual_within(system, change->p, tol, scratch);
    if (residual > tol && residual <= TACT_STEADY_NEAR) {
        tact_steady_refine(&change->work, scratch->u, change->p);
        residual = tact_circle_residual_within(system, change->p, tol, scratch);
    }
    return residual <= tol || (stay && residual <= STAYS * tol);
}

// ---------------------------------------------------------------------------------------------
// Newton's method with shorter steps: from the states that came nearest

/// States of the natural map of z and w: q = z - w, and friction with rho as in turning.c.
static void judge_point(Change *change)
{
    const TactSystem *system = change->work.system;
    change->turned = change->changed = true;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem  *item = &system->items[i];
        TactSteadyState *next = &change->next.of[i];
        const double    *z = change->z + change->arrays->column[i];
        const double    *w = change->w + change->arrays->column[i];
        double           q = z[0] - w[0];
        change->next.turn[i] = change->now.turn[i];
        change->next.damping[i] = 0;
        if (item->kind == TACT_ITEM_MOTOR) {
            bool slides = fabs(q) >= item->bound / item->scale;
            *next = (TactSteadyState){.slides = slides, .directions = 1, .first = q >= 0 ? 0 : 1};
            continue;
        }
        *next = (TactSteadyState){.pushes = q > 0};
        if (next->pushes && item->directions > 0) {
            double rho = tact_larger(1, z[0] / change->unit), R = item->mu * tact_larger(z[0], 0);
            double x = z[1] - rho * w[1], y = z[2] - rho * w[2], length = sqrt(x * x + y * y);
            next->slides = length > R;
            next->directions = 1;
            if (next->slides) {
                change->next.turn[i] = atan2(y, x);
                change->next.damping[i] = fmin(rho * R / (length - R), MOST_DAMPING);
            } else {
                put_sector(change, i, x, y, next);
            }
        }
    }
}

/// Squares of the residuals of all items.
static double find_merit(const Change *change)
{
    double sum = 0, scale;
    for (int i = 0; i < change->work.system->item_count; i++) {
        double own =
            tact_circle_item_residual(change->work.system, i, change->u + 3 * i, change->p, &scale);
        sum += own * own;
    }
    return sum;
}

/// Goes from z0, w0 towards z, w only as far as the law comes nearer. Returns what is left of it.
static double shorten(Change *change, double before)
{
    double left = HUGE_VAL, share = 1;
    for (int k = 0; k < MOST_HALVES; k++) {
        put_items(change);
        left = find_merit(change);
        if (left < (1 - SLOPE * share) * before) {
            break;
        }
        share /= 2;
        for (int j = 0; j < change->columns; j++) {
            change->z[j] = (change->z[j] + change->z0[j]) / 2;
            change->w[j] = (change->w[j] + change->w0[j]) / 2;
        }
    }
    change->whole = share == 1;
    return left;
}

/// Newton's method from z0, w0.
static bool take_short_steps(Change *change, double tol, const TactCircleScratch *scratch)
{
    size_t bytes = (size_t)change->columns * sizeof(double);
    memcpy(change->z, change->z0, bytes);
    memcpy(change->w, change->w0, bytes);
    put_items(change);
    double merit = find_merit(change);
    for (int k = 0; k < MOST_STEPS; k++) {
        judge_point(change);
        take_next(change);
        if (!solve_states(change)) {
            return false;
        }
        merit = shorten(change, merit);
        if (change->whole && find_residual(change, tol) <= CLOSE &&
            (change->plain || holds(change, tol, scratch))) {
            return true;
        }
        keep_point(change);
    }
    return false;
}

/// Systems until the law holds. The states that came nearest are kept.
static bool solve_all(Change *change, double tol, const TactCircleScratch *scratch)
{
    TactSteady *arrays = change->arrays;
    double      best = HUGE_VAL;
    for (int k = 0, worse = 0; k < MOST_SYSTEMS && worse < MOST_WORSE; k++) {
        if (!(change->G ? solve_states(change) : solve_first(change, scratch))) {
            return false;
        }
        double residual = find_residual(change, tol);
        if (change->plain) {
            return true;
        }
        worse = residual < best ? 0 : worse + 1;
        if (residual < best) {
            best = residual;
            keep_nearest(change);
        }
        judge_items(change, worse > 0 ? ALONE : SHARE);
        arrays->flips += change->flips;
        bool stay = !change->changed && !change->turned;
        if ((stay || residual <= CLOSE) && holds(change, tol, scratch)) {
            return true;
        }
        if (stay) {
            arrays->is_near = residual <= TACT_STEADY_NEAR;
            return false;
        }
        if (!change->G) {
            put_products(change);
        }
        take_next(change);
    }
    return change->G && take_short_steps(change, tol, scratch);
}

/// Units, ties and what tact_turning_judge() reads of a kernel.
static void begin_judge(Change *change)
{
    const TactSystem *system = change->work.system;
    TactKernel       *room = change->work.room;
    double            most = 0;
    for (int j = 0; j < change->columns; j++) {
        change->unit = tact_larger(change->unit, fabs(change->b[j]));
    }
    change->unit = change->unit > 0 ? change->unit : 1;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        double          offset = change->b[change->arrays->column[i]] / change->unit;
        double          own = item->kind == TACT_ITEM_MOTOR
                                  ? fmin(fabs(offset), item->bound / (item->scale * change->unit))
                                  : -offset;
        most = tact_larger(most, own);
        room->items.mu[i] = item->mu;
    }
    change->tie = TACT_TURNING_TIE * (most < 1 ? tact_larger(most, LEAST_SHARE) : 1);
    room->system = system;
    room->items.q_scale = change->unit;
}

/// The states that memory holds of the items.
static bool recall(Change *change, const TactContactMemory *memory)
{
    const TactSystem *system = change->work.system;
    TactVar          *basis = change->work.room->scratch.warm;
    int               count = tact_memory_recall_basis(memory, system, basis);
    if (count < 0) {
        return false;
    }
    for (int i = 0; i < system->item_count; i++) {
        change->now.turn[i] = system->items[i].turn;
        change->now.damping[i] = 0;
    }
    tact_memory_recall_turns(memory, change->now.turn);
    tact_memory_recall_damping(memory, change->now.damping);
    tact_steady_read(basis, count, system->item_count, change->now.of);
    return true;
}

bool tact_steady_change(TactSteady *arrays, TactKernel *room, const TactSystem *system,
                        const TactContactMemory *memory, double tol,
                        const TactCircleScratch *scratch, double *p)
{
    size_t columns = 3 * (size_t)system->item_count + 4;
    Change change = {.arrays = arrays,
                     .now = arrays->now,
                     .next = arrays->next,
                     .b = arrays->products,
                     .z = arrays->products + columns,
                     .w = arrays->products + 2 * columns,
                     .z0 = arrays->products + 3 * columns,
                     .w0 = arrays->products + 4 * columns,
                     .u = scratch->u,
                     .p = p};
    arrays->flips = 0;
    arrays->has_best = arrays->is_near = false;
    if (system->dof > room->space.max_dof || system->has_moments) {
        return false;
    }
    change.work = tact_steady_begin(arrays, room, system);
    if (room->factor.products_of == system && room->factor.products_at == system->built) {
        change.G = room->factor.inverse;
    } else {
        tact_steady_list_runs(&change.work);
    }
    if (!recall(&change, memory) || !list_columns(&change)) {
        return false;
    }
    begin_judge(&change);
    bool solved = solve_all(&change, tol, scratch);
    memset(room->basis.dz, 0, room->basis.ld * sizeof(double)); // as a kernel expects it
    if (solved) {
        tact_turning_drop_pulls(system, p);
        tact_steady_leave_basis(arrays, room, system);
    }
    return solved;
}
