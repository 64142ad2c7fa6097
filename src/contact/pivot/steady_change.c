// States that change, without a kernel: which come next, and Newton's method with shorter steps
// where they lead nowhere. docs/theory/newton-turning.md.
#include "contact/pivot/steady_change.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/kernel_internal.h"

// As in states.c: most systems, most in a row that come no nearer; what counts where several items
// would change, and an answer whose states stay.
enum { MOST_SYSTEMS = 40, MOST_WORSE = 5, FEW_FLIPS = 1 };
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

// ---------------------------------------------------------------------------------------------
// The next states: the rules of states.c

static bool may_flip(TactChange *change, double violation)
{
    change->worst = tact_larger(change->worst, violation);
    change->flips += violation >= change->least;
    return violation >= change->least;
}

static void judge_motor(TactChange *change, int i)
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
static void put_sector(const TactChange *change, int i, double x, double y, TactSteadyState *state)
{
    int    d = change->work.system->items[i].directions;
    double step = 6.283185307179586 / d;
    int    below = (int)floor((atan2(y, x) - change->now.turn[i]) / step);
    state->first = ((below % d) + d) % d;
    state->second = (state->first + 1) % d;
    state->directions = 2;
}

/// Slip along the friction that is against it, in units of the largest offset.
static double slip_along(const TactChange *change, int i)
{
    const double *w = change->w + change->arrays->column[i];
    double        d[2];
    tact_steady_direction(&change->work, i, change->now.of[i].first, d);
    return -(d[0] * w[1] + d[1] * w[2]) / change->unit;
}

/// Friction of a contact that pushes, and goes on to.
static void judge_plane(TactChange *change, int i)
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

static void judge_item(TactChange *change, int i)
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

static void judge_by(TactChange *change, double least)
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
static void judge_items(TactChange *change, double share)
{
    judge_by(change, 0);
    if (change->flips > FEW_FLIPS) {
        judge_by(change, share * change->worst);
    }
}

/// The largest residual, in units of the largest offset. Whether all are within tol of the scale
/// that their item has by itself: then the law holds.
static double find_residual(TactChange *change, double tol)
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

static void keep_point(const TactChange *change)
{
    size_t bytes = (size_t)change->columns * sizeof(double);
    memcpy(change->z0, change->z, bytes);
    memcpy(change->w0, change->w, bytes);
}

/// The states that came nearest; what sticks between the two directions next to its impulse.
static void keep_nearest(TactChange *change)
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

static void take_next(TactChange *change)
{
    TactSteadyStates last = change->now;
    change->now = change->arrays->now = change->next;
    change->next = change->arrays->next = last;
}

/// Does the answer hold, or where its states stay, hold but for rounding?
static bool holds(const TactChange *change, double tol, const TactCircleScratch *scratch)
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
static void judge_point(TactChange *change)
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
static double find_merit(const TactChange *change)
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
static double shorten(TactChange *change, double before)
{
    double left = HUGE_VAL, share = 1;
    for (int k = 0; k < MOST_HALVES; k++) {
        tact_change_put_items(change);
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
static bool take_short_steps(TactChange *change, double tol, const TactCircleScratch *scratch)
{
    size_t bytes = (size_t)change->columns * sizeof(double);
    memcpy(change->z, change->z0, bytes);
    memcpy(change->w, change->w0, bytes);
    tact_change_put_items(change);
    double merit = find_merit(change);
    for (int k = 0; k < MOST_STEPS; k++) {
        judge_point(change);
        take_next(change);
        if (!tact_change_solve(change)) {
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
static bool solve_all(TactChange *change, double tol, const TactCircleScratch *scratch)
{
    TactSteady *arrays = change->arrays;
    double      best = HUGE_VAL;
    for (int k = 0, worse = 0; k < MOST_SYSTEMS && worse < MOST_WORSE; k++) {
        if (!(change->G ? tact_change_solve(change) : tact_change_solve_first(change, scratch))) {
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
            tact_change_put_products(change);
        }
        take_next(change);
    }
    return change->G && take_short_steps(change, tol, scratch);
}

/// Units, ties and what tact_turning_judge() reads of a kernel.
static void begin_judge(TactChange *change)
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
static bool recall(TactChange *change, const TactContactMemory *memory)
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
    size_t     columns = 3 * (size_t)system->item_count + 4;
    TactChange change = {.arrays = arrays,
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
    if (!recall(&change, memory) || !tact_change_list_columns(&change)) {
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
