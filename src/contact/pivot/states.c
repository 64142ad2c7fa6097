// The circle from the states of contacts and rows: docs/theory/newton-turning.md, "States".
#include "contact/pivot/turning.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/reduced.h"

// Friction within this part of its limit was at it.
static const double AT_LIMIT = 1e-6;

// An answer whose states stay is taken where it is off by no more than this many tolerances: what
// is left are ties, ten tolerances each, and rounding of unknowns that depend on each other. A path
// takes the same for ties: it would end where it begins, and the certificate has the last word.
static const double STAYS = 1e4;

// More flips than these at once are too many; then those count that are off by this share of the
// worst. Many motors at once run in circles: with them, after a system that came no nearer, the
// worst item flips alone.
enum { FEW_FLIPS = 1 };
static const double MOST_SHARE = 0.3, MOST_SHARE_OF_MOTORS = 0.2, ALONE = 1;

// Most systems, most of them in a row that come no nearer, and most of one that are singular. With
// motors there are more states, and a path, which takes tens of pivots, costs twenty systems.
enum { MOST_SYSTEMS = 9, MOST_WORSE = 2, MOST_DROPPED = 3 };
enum { MOST_SYSTEMS_OF_MOTORS = 20, MOST_WORSE_OF_MOTORS = 5 };

/// What the new states are made from, and their basis.
typedef struct States {
    TactTurning  *turning;
    TactKernel   *kernel;
    const double *p;        // impulses of the last system                       (3 items)
    double        rounding; // slip that has no direction, scaled
    double        tie;
    int           count;      // of the new basis
    int           best_count; // of that which came nearest
    double        worst;      // violation of those that flip, scaled
    double        least;      // of one that flips: the others wait
    int           flips;
    bool          flipped; // an item opens, closes, sticks or slides
    bool          turned;  // friction turns against its slip
    bool          soft;    // unknowns depend on each other, and all are kept
} States;

static void add_unknown(States *states, int kind, int i, int direction)
{
    TactVar variable = tact_var(kind, i, direction);
    states->turning->basis[states->count++] = variable;
    states->flipped = states->flipped || *tact_kernel_position(states->kernel, variable) < 0;
}

/// Is it the turn of an item whose state is off by so much?
static bool may_flip(States *states, double violation)
{
    states->worst = tact_larger(states->worst, violation);
    states->flips += violation >= states->least;
    return violation >= states->least;
}

static bool is_basic(const TactKernel *kernel, int kind, int i)
{
    return kernel->basis.position[kind][i] >= 0;
}

// ---------------------------------------------------------------------------------------------
// Friction

/// Basic directions of an item. Returns how many.
static int list_directions(const TactKernel *kernel, int i, int found[TACT_MAX_DIRECTIONS])
{
    int count = 0;
    for (int j = 0; j < kernel->system->items[i].directions; j++) {
        found[count] = j;
        count += kernel->basis.position[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + j] >= 0;
    }
    return count;
}

static double value_of(const TactKernel *kernel, int i, int direction)
{
    return kernel->basis
        .z[kernel->basis.position[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + direction]];
}

/// The two directions next to a vector: any two would do, these have positive shares.
static void add_sector(States *states, int i, double x, double y)
{
    int    d = states->kernel->system->items[i].directions;
    double step = 6.283185307179586 / d;
    int    below = (int)floor((atan2(y, x) - states->kernel->items.turn[i]) / step);
    int    first = ((below % d) + d) % d;
    add_unknown(states, TACT_VAR_PHI, i, first);
    add_unknown(states, TACT_VAR_PHI, i, (first + 1) % d);
}

/// Friction that stays as it was: its rows do. Where contacts share a load it may have one
/// direction, or none, and the others hold it.
static void keep(States *states, int i, const double *p)
{
    int  directions[TACT_MAX_DIRECTIONS];
    int  d = states->kernel->system->items[i].directions;
    int  count = list_directions(states->kernel, i, directions);
    bool negative = false;
    for (int k = 0; k < count; k++) {
        negative = negative || value_of(states->kernel, i, directions[k]) < -states->tie;
    }
    if (is_basic(states->kernel, TACT_VAR_LAMBDA, i)) {
        for (int k = 0; k < count; k++) {
            add_unknown(states, TACT_VAR_PHI, i, directions[k]);
        }
        add_unknown(states, TACT_VAR_LAMBDA, i, 0);
        states->turning->turn[i] = states->kernel->items.turn[i];
        states->turning->damping[i] = states->kernel->items.damping[i];
    } else if (count == 1) {
        add_unknown(states, TACT_VAR_PHI, i,
                    negative ? (directions[0] + d / 2) % d : directions[0]);
    } else if (count == 2 && negative) {
        add_sector(states, i, p[3 * i + 1], p[3 * i + 2]);
    } else {
        for (int k = 0; k < count; k++) {
            add_unknown(states, TACT_VAR_PHI, i, directions[k]);
        }
    }
}

static void slide(States *states, int i, const TactTurningSlip *slip)
{
    states->turning->turn[i] = atan2(slip->q[1], slip->q[0]);
    states->turning->damping[i] = slip->damping;
    states->turned = true;
    add_unknown(states, TACT_VAR_PHI, i, 0);
    add_unknown(states, TACT_VAR_LAMBDA, i, 0);
}

/// Friction at its limit whose slip is rounding: along one direction, or between two of them, as a
/// path leaves it where contacts share a load. Without its lambda the unknowns would depend on each
/// other.
static bool is_sliding_on(const States *states, int i)
{
    const TactKernel *kernel = states->kernel;
    int               directions[TACT_MAX_DIRECTIONS];
    double            slip = kernel->basis.z[kernel->basis.position[TACT_VAR_LAMBDA][i]];
    return list_directions(kernel, i, directions) == 1 ? slip >= -states->tie
                                                       : fabs(slip) <= states->tie;
}

/// Friction in a plane.
static void judge_plane(States *states, int i)
{
    const TactKernel *kernel = states->kernel;
    // Friction that slid, and still does, turns with its slip, however fast that is.
    int             lambda = kernel->basis.position[TACT_VAR_LAMBDA][i];
    bool            slid = lambda >= 0;
    double          slow = slid && kernel->basis.z[lambda] > 0 ? HUGE_VAL : TACT_TURNING_SLOW;
    TactTurningSlip slip = tact_turning_judge(kernel, i, states->rounding, slow,
                                              states->turning->scratch.u, states->p);
    // What sticks by rounding alone goes on.
    double over = hypot(slip.q[0], slip.q[1]) - slip.radius;
    slip.inside =
        slip.inside || (!slid && !slip.slips && over <= states->tie * kernel->items.q_scale);
    if (slip.radius == 0) {
        return;
    }
    bool loose = !slid && slip.slips; // it has no friction yet, or too little
    if (!slip.inside && (slid || loose || may_flip(states, over / kernel->items.q_scale))) {
        slide(states, i, &slip);
    } else if (slip.inside &&
               (loose || (slid && !is_sliding_on(states, i) && may_flip(states, slip.speed)))) {
        add_sector(states, i, slip.q[0], slip.q[1]);
    } else {
        keep(states, i, states->p);
    }
}

/// To and fro: a motor, or spinning.
static void judge_line(States *states, int i)
{
    const TactKernel *kernel = states->kernel;
    const TactItem   *item = &kernel->system->items[i];
    double            unit = kernel->items.q_scale;
    double            force = states->p[3 * i + 1] / (item->scale * unit);
    double            speed = states->turning->scratch.u[3 * i + 1] * item->scale / unit;
    double            bound = kernel->items.bound[i];
    if (item->kind == TACT_ITEM_MOMENT) {
        const TactItem *owner = &kernel->system->items[item->owner];
        bound = kernel->items.mu[i] * fmax(states->p[3 * item->owner] / owner->scale, 0) / unit;
    }
    // At its bound it stays there while it slips against it, and no longer.
    bool slid = is_basic(kernel, TACT_VAR_LAMBDA, i);
    bool against = speed * force <= 0 || fabs(speed) <= states->tie;
    int  directions[TACT_MAX_DIRECTIONS];
    int  count = list_directions(kernel, i, directions);
    if (count == 0 && !slid && fabs(speed) <= states->tie) {
        return; // others hold it
    }
    bool loose = count == 0 && !slid; // it has no friction yet
    bool off = slid ? !against : !loose && fabs(force) > bound + states->tie;
    bool flips = off && may_flip(states, slid ? fabs(speed) : fabs(force) - bound);
    if (loose || slid != flips) {
        double towards = loose ? -speed : force;
        add_unknown(states, TACT_VAR_PHI, i, towards >= 0 ? 0 : 1);
        add_unknown(states, TACT_VAR_LAMBDA, i, 0);
    } else {
        states->flipped = states->flipped || slid;
        add_unknown(states, TACT_VAR_PHI, i, force >= 0 ? 0 : 1);
    }
}

/// An item that gets its friction only now has no velocity yet: that comes with the next system.
static void judge_friction(States *states, int i)
{
    const TactItem *item = &states->kernel->system->items[i];
    if (item->directions == 0 || states->kernel->items.active[i] < 0) {
        return;
    }
    if (tact_turning_has_directions(item)) {
        judge_plane(states, i);
    } else {
        judge_line(states, i);
    }
}

// ---------------------------------------------------------------------------------------------
// All items

/// Does a normal push next?
static bool closes(States *states, int i)
{
    const TactKernel *kernel = states->kernel;
    int               theta = kernel->basis.position[TACT_VAR_THETA][i];
    double value = theta >= 0 ? kernel->basis.z[theta] : kernel->rows.value[kernel->rows.nu + i];
    return (theta >= 0) != (value < -states->tie && may_flip(states, -value));
}

static void judge_item(States *states, int i)
{
    const TactKernel *kernel = states->kernel;
    const TactItem   *item = &kernel->system->items[i];
    states->turning->damping[i] = -1; // its pyramid stays
    if (item->kind == TACT_ITEM_MOTOR) {
        judge_friction(states, i);
        return;
    }
    if (item->kind == TACT_ITEM_MOMENT) { // with its owner, which comes before it
        return;
    }
    if (!closes(states, i)) {
        states->flipped = states->flipped || is_basic(kernel, TACT_VAR_THETA, i);
        for (int m = 1; m <= tact_kernel_moments(kernel, i); m++) {
            states->turning->damping[i + m] = -1;
        }
        return;
    }
    add_unknown(states, TACT_VAR_THETA, i, 0);
    for (int k = i; k <= i + tact_kernel_moments(kernel, i); k++) {
        states->turning->damping[k] = -1;
        judge_friction(states, k);
    }
}

/// Next states from the answer of the last system, of items that are off by `least` or more.
static void judge_by(States *states, double least)
{
    const TactSystem *system = states->kernel->system;
    states->least = least;
    states->worst = 0;
    states->flips = 0;
    states->count = 0;
    states->flipped = states->turned = false;
    states->rounding = tact_turning_rounding(states->kernel);
    for (int i = 0; i < system->item_count; i++) {
        judge_item(states, i);
    }
}

/// Where many would flip at once, those that are off by a share of the most: the others may follow
/// by themselves.
static void judge_items(States *states, double share)
{
    judge_by(states, 0);
    if (states->flips > FEW_FLIPS) {
        judge_by(states, share * states->worst);
    }
}

static void apply_turns(const States *states)
{
    TactKernel        *kernel = states->kernel;
    const TactTurning *turning = states->turning;
    for (int k = 0; k < states->count; k++) {
        tact_kernel_add_friction(kernel, tact_var_item(turning->basis[k]));
    }
    for (int i = 0; i < kernel->system->item_count; i++) {
        bool turns = turning->damping[i] >= 0;
        if (kernel->items.active[i] >= 0) {
            tact_kernel_turn(kernel, i, turns ? turning->turn[i] : kernel->items.turn[i],
                             turns ? turning->damping[i] : 0);
        }
    }
}

/// Is an unknown among those that depend on others, or the friction of a normal that does?
static bool depends(const TactKernel *kernel, TactVar unknown)
{
    int owner = tact_kernel_owner(kernel, tact_var_item(unknown));
    for (int k = 0; k < kernel->factor.dependent_count; k++) {
        TactVar other = kernel->basis.col[kernel->factor.dependent[k]];
        if (other == unknown ||
            (tact_var_kind(other) == TACT_VAR_THETA && tact_var_item(other) == owner)) {
            return true;
        }
    }
    return false;
}

/// Leaves unknowns out that depend on others: contacts that share a load in more ways than one are
/// held by those that are left. With a theta goes its friction. false: there are none to leave out.
static bool drop(States *states)
{
    int before = states->count;
    states->count = 0;
    for (int k = 0; k < before; k++) {
        if (!depends(states->kernel, states->turning->basis[k])) {
            states->turning->basis[states->count++] = states->turning->basis[k];
        }
    }
    return states->count < before;
}

/// Solves for the new states.
static bool solve_system(States *states)
{
    TactKernel *kernel = states->kernel;
    if (states->soft) {
        return tact_kernel_set_softly(kernel, states->turning->basis, states->count, states->p);
    }
    for (int dropped = 0; states->count <= kernel->basis.max_k; dropped++) {
        if (tact_kernel_set_basis(kernel, states->turning->basis, states->count)) {
            return true;
        }
        if (dropped == MOST_DROPPED || !drop(states)) {
            return false;
        }
    }
    return false;
}

/// The states that came nearest, with their turns and dampers.
static void keep_best(States *states)
{
    const TactKernel *kernel = states->kernel;
    size_t            bytes = (size_t)kernel->system->item_count * sizeof(double);
    states->best_count = tact_kernel_basis(kernel, kernel->scratch.best);
    memcpy(states->turning->kept_turn, kernel->items.turn, bytes);
    memcpy(states->turning->kept_damping, kernel->items.damping, bytes);
}

/// Lemke's path from the states that came nearest: pyramids that are not turned yet, or not as far.
static bool follow_best(States *states, TactContactReport *report)
{
    TactKernel        *kernel = states->kernel;
    const TactTurning *turning = states->turning;
    for (int i = 0; i < kernel->system->item_count; i++) {
        if (kernel->items.active[i] >= 0) {
            tact_kernel_turn(kernel, i, turning->kept_turn[i], turning->kept_damping[i]);
        }
    }
    return tact_guess_follow(kernel, kernel->scratch.best, states->best_count, report);
}

/// From the basis that stands in the kernel; the states that came nearest are kept.
static bool iterate(States *states, double tol, double *p, TactContactReport *report)
{
    TactKernel *kernel = states->kernel;
    double      best = HUGE_VAL;
    int         worse = 0;
    bool        motors = kernel->items.has_motors;
    int         most_worse = motors ? MOST_WORSE_OF_MOTORS : MOST_WORSE;
    int         most_systems = motors ? MOST_SYSTEMS_OF_MOTORS : MOST_SYSTEMS;
    for (int k = 1;; k++) {
        report->turns++;
        tact_kernel_impulses(kernel, true, p);
        double residual = tact_turning_residual(kernel, p, tol, &states->turning->scratch);
        if (residual <= tol) {
            tact_turning_drop_pulls(kernel->system, p);
            return true;
        }
        worse = residual < best ? 0 : worse + 1;
        if (residual < best) {
            best = residual;
            keep_best(states);
        }
        judge_items(states, !motors ? MOST_SHARE : worse > 0 ? ALONE : MOST_SHARE_OF_MOTORS);
        states->turning->flips += states->flips;
        bool stay = !(states->flipped || states->turned);
        if (stay && residual <= STAYS * tol) {
            tact_turning_drop_pulls(kernel->system, p);
            return true;
        }
        if (k == most_systems || worse == most_worse || stay) {
            return false;
        }
        apply_turns(states);
        if (!solve_system(states)) {
            return false;
        }
    }
}

/// What friction of an item was, from its impulse: at its limit, within it, or none.
static void guess_friction(States *states, int i)
{
    TactKernel     *kernel = states->kernel;
    const TactItem *item = &kernel->system->items[i];
    int             owner = tact_kernel_owner(kernel, i);
    const double   *own = states->p + 3 * i;
    double          load = fmax(states->p[3 * owner], 0) / kernel->system->items[owner].scale;
    double radius = item->kind == TACT_ITEM_MOTOR ? kernel->items.bound[i] * kernel->items.q_scale
                                                  : kernel->items.mu[i] * load;
    double size = hypot(own[1], own[2]) / item->scale;
    bool   slides = size >= (1 - AT_LIMIT) * radius;
    states->turning->damping[i] = -1;
    if (item->directions == 0 || !(size > 0)) {
        return;
    }
    if (!tact_turning_has_directions(item)) {
        add_unknown(states, TACT_VAR_PHI, i, own[1] >= 0 ? 0 : 1);
    } else if (slides) {
        states->turning->turn[i] = atan2(own[2], own[1]);
        states->turning->damping[i] = 0;
        add_unknown(states, TACT_VAR_PHI, i, 0);
    } else {
        add_sector(states, i, own[1], own[2]);
    }
    if (slides) {
        add_unknown(states, TACT_VAR_LAMBDA, i, 0);
    }
}

/// The states that impulses p have.
static void guess_states(States *states)
{
    TactKernel *kernel = states->kernel;
    states->count = 0;
    for (int i = 0; i < kernel->system->item_count; i++) {
        TactItemKind kind = kernel->system->items[i].kind;
        bool         pushes = states->p[3 * tact_kernel_owner(kernel, i)] > 0;
        states->turning->damping[i] = -1;
        if (pushes || kind == TACT_ITEM_MOTOR) {
            tact_kernel_add_friction(kernel, i);
        }
        if (pushes && kind < TACT_ITEM_MOTOR) {
            add_unknown(states, TACT_VAR_THETA, i, 0);
        }
        if (kernel->items.active[i] >= 0 && (pushes || kind == TACT_ITEM_MOTOR)) {
            guess_friction(states, i);
        }
    }
    apply_turns(states);
}

/// Those of the pyramids, which a path finds, are near the states that failed: once more from them.
/// Without a pivot they are the same.
static TactStatesEnd follow_nearest(States *states, double tol, double *p,
                                    TactContactReport *report)
{
    int pivots = report->pivots;
    if (!follow_best(states, report)) {
        return TACT_STATES_FAILED;
    }
    if (report->pivots == pivots) {
        return TACT_STATES_FOLLOWED;
    }
    if (iterate(states, tol, p, report)) {
        return TACT_STATES_SOLVED;
    }
    return follow_best(states, report) ? TACT_STATES_FOLLOWED : TACT_STATES_FAILED;
}

TactStatesEnd tact_states_solve_from(TactTurning *turning, TactKernel *kernel, double tol,
                                     double *p, TactContactReport *report)
{
    States states = {.turning = turning,
                     .kernel = kernel,
                     .p = p,
                     .tie = TACT_TURNING_TIE * kernel->items.share};
    size_t bytes = 3 * (size_t)kernel->system->item_count * sizeof *p;
    if (kernel->elimination) {
        return TACT_STATES_FAILED;
    }
    memcpy(turning->best, p, bytes);
    guess_states(&states);
    bool set = tact_kernel_set_basis(kernel, turning->basis, states.count);
    if (!set && kernel->factor.dependent_count > 0) {
        states.soft = true;
        if (solve_system(&states) && iterate(&states, tol, p, report)) {
            return TACT_STATES_SOLVED_SOFTLY;
        }
        memcpy(p, turning->best, bytes);
        states.soft = false;
        guess_states(&states);
        set = solve_system(&states);
    }
    return set && iterate(&states, tol, p, report) ? TACT_STATES_SOLVED : TACT_STATES_FAILED;
}

TactStatesEnd tact_states_solve(TactTurning *turning, TactKernel *kernel, const TactVar *basis,
                                int count, double tol, double *p, TactContactReport *report)
{
    States states = {.turning = turning,
                     .kernel = kernel,
                     .p = p,
                     .tie = TACT_TURNING_TIE * kernel->items.share};
    turning->flips = 0;
    if (kernel->elimination || !tact_kernel_set_basis(kernel, basis, count)) {
        return TACT_STATES_FAILED;
    }
    if (iterate(&states, tol, p, report)) {
        return TACT_STATES_SOLVED;
    }
    return follow_nearest(&states, tol, p, report);
}

TactStatesEnd tact_states_follow(TactTurning *turning, TactKernel *kernel, int count, double tol,
                                 double *p, TactContactReport *report)
{
    States states = {.turning = turning,
                     .kernel = kernel,
                     .p = p,
                     .tie = TACT_TURNING_TIE * kernel->items.share};
    size_t bytes = (size_t)kernel->system->item_count * sizeof(double);
    turning->flips = 1;
    if (kernel->elimination) {
        return TACT_STATES_FAILED;
    }
    memcpy(kernel->scratch.best, kernel->scratch.warm, (size_t)count * sizeof(TactVar));
    memcpy(turning->kept_turn, kernel->items.turn, bytes);
    memcpy(turning->kept_damping, kernel->items.damping, bytes);
    states.best_count = count;
    return follow_nearest(&states, tol, p, report);
}
