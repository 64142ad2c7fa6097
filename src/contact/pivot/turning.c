#include "contact/pivot/turning.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "base/lanes.h"
#include "base/larger.h"
#include "contact/pivot/reduced.h"

// Slower tangential motion, scaled, says nothing about a direction: in units of the offset, and
// TACT_TURNING_ROUNDS of the largest impulse, of which velocities are differences. Under a load of
// many offsets slower slip counts.
static const double SLIPS = 1e-9;

// What others push counts by this much, as in the certificate.
static const double PUSHED = 1e-2;

// Slip below this, scaled, would hardly turn friction against it. Where the residual creeps down,
// by a turn that leaves more than CREEPS of it, ten times faster slip counts as slow from there on.
static const double FASTER = 10, CREEPS = 0.8;

// Friction within this part of its limit sticks or slides by rounding alone: taken as inside.
static const double ON_CIRCLE = 1e-12;

// In the place of a scale that is 0, where the residual is 0 as well.
static const double NO_SCALE = 1e-300;

// Largest damping, scaled: mu p_n over the slowest slip that is turned against, of an impulse of
// ten offsets.
static const double MOST_DAMPING = 1e11;

// If even an undamped solve fails, all pyramids are turned by this much.
static const double SHAKE = 0.3;

// A residual that has stayed the same but for this part of it, in so many turns without a pivot, is
// not one of directions: more turns would leave it as it is.
static const double SAME = 1e-3;
enum { SAME_TURNS = 2 };

// Turns from the last step's basis that take more pivots than these, and more for each item, do not
// converge.
enum { MOST_PIVOTS = 20, MOST_PIVOTS_EACH = 6 };

// Of a path from nothing between turns, which mostly takes two or three an item.
enum { MOST_PIVOTS_COLD = 100, MOST_PIVOTS_COLD_EACH = 10 };

// So many of those in all, with motors: a path that runs on took tens of thousands of pivots.
enum { MOST_COLD = 4 };

void tact_turning_layout(TactTurning *turning, const TactContactCapacity *capacity,
                         TactArena *arena)
{
    size_t      items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactTurning sized = {0};
    sized.turn = tact_arena_take(arena, items, sizeof(double));
    sized.damping = tact_arena_take(arena, items, sizeof(double));
    sized.scratch.y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    sized.scratch.pushed = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    sized.scratch.u = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.best = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.kept_turn = tact_arena_take(arena, items, sizeof(double));
    sized.kept_damping = tact_arena_take(arena, items, sizeof(double));
    sized.basis = tact_arena_take(arena, 4 * items + (size_t)capacity->dof + 2, sizeof(TactVar));
    if (arena->block) {
        *turning = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// The law

/// What rounds in the velocities of a group's items, whose columns have length 1: the motion of
/// what they touch, and what all impulses together push that with.
static double motion_scale(const TactSystem *system, const TactItemGroup *group, const double *y,
                           const double *pushed)
{
    const int *support = system->support + group->support;
    double     motion = 0;
    double     push = 0;
    for (int s = 0; s < group->size; s++) {
        motion += y[support[s]] * y[support[s]];
        push += pushed[support[s]] * pushed[support[s]];
    }
    return sqrt(motion) + PUSHED * sqrt(push);
}

/// pushed += |n p_0 + t1 p_1 + t2 p_2| over a support.
TACT_CLONES static void add_sizes(int size, const int *support, const double *n, const double p[3],
                                  double *pushed)
{
    const double *t1 = n + size, *t2 = t1 + size;
    int           s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes part = (TACT_LANES_AT(n + s) * p[0] + TACT_LANES_AT(t1 + s) * p[1]) +
                         TACT_LANES_AT(t2 + s) * p[2];
        TactLanes own = TACT_LANES_ABS(part);
        for (int k = 0; k < 4; k++) {
            pushed[support[s + k]] += own[k];
        }
    }
    for (; s < size; s++) {
        pushed[support[s]] += fabs((n[s] * p[0] + t1[s] * p[1]) + t2[s] * p[2]);
    }
}

/// sum_i |C_i p_i|: of bodies at rest under a load this is all that has a size.     pushed: (dof)
static void sum_pushes(const TactSystem *system, const double *p, double *pushed)
{
    memset(pushed, 0, (size_t)system->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        const double *own = p + 3 * i;
        if (own[0] == 0 && own[1] == 0 && own[2] == 0) {
            continue;
        }
        const TactItemGroup *group = &system->groups[system->items[i].group];
        const int           *support = system->support + group->support;
        const double        *n = system->columns + system->column[i];
        if (system->items[i].kind == TACT_ITEM_MOTOR) { // a joint's, along t1 alone
            const double *t1 = n + group->size;
            for (int s = 0; s < group->size; s++) {
                pushed[support[s]] += fabs(t1[s] * own[1]);
            }
            continue;
        }
        add_sizes(group->size, support, n, own, pushed);
    }
}

/// |x - P(x - g)| on [lo, hi]
static double box_residual(double x, double g, double lo, double hi)
{
    double moved = x - g;
    moved = moved < lo ? lo : moved > hi ? hi : moved;
    return fabs(x - moved);
}

static double disc_residual(const double *p, const double *u, double radius)
{
    double x = p[1] - u[1];
    double y = p[2] - u[2];
    double length = sqrt(x * x + y * y);
    double shrink = length > radius ? radius / length : 1;
    double dx = p[1] - shrink * x;
    double dy = p[2] - shrink * y;
    return sqrt(dx * dx + dy * dy);
}

double tact_circle_item_residual(const TactSystem *system, int i, const double *u_raw,
                                 const double *impulses, double *scale)
{
    const TactItem *item = &system->items[i];
    const double   *p_raw = impulses + 3 * i;
    double          s = item->scale;
    double          p[3], u[3];
    for (int c = 0; c < 3; c++) {
        p[c] = p_raw[c] / s;
        u[c] = u_raw[c] * s;
    }
    *scale = tact_larger(fabs(s * system->b[3 * i]),
                         tact_larger(fabs(p[0]), tact_larger(fabs(p[1]), fabs(p[2]))));
    if (item->kind < TACT_ITEM_MOTOR) {
        double residual = box_residual(p[0], u[0], 0, HUGE_VAL);
        if (item->mu > 0) {
            double radius = item->mu * tact_larger(p[0], 0);
            residual = tact_larger(residual, disc_residual(p, u, radius));
        }
        return residual;
    }
    if (item->kind == TACT_ITEM_MOTOR) {
        return box_residual(p[1], u[1], -item->bound / s, item->bound / s);
    }
    return disc_residual(p, u, item->mu * tact_larger(impulses[3 * item->owner], 0) / s);
}

/// What rounds in the velocity of an item besides: velocities are sums of what impulses and motion
/// give.
static double offset_scale(const TactSystem *system, int i, double motion)
{
    double e = 0;
    for (int c = 0; c < 3; c++) {
        e = tact_larger(e, fabs(system->items[i].scale * system->e[3 * i + c]));
    }
    return motion + e;
}

/// Nothing pushes, and it does not come nearer: the law holds, whatever the scale is.
static bool is_left_alone(const TactItem *item, const double p[3], const double u[3])
{
    bool normal = item->kind == TACT_ITEM_CONTACT || item->kind == TACT_ITEM_UNILATERAL;
    return normal && p[0] == 0 && p[1] == 0 && p[2] == 0 && u[0] >= 0;
}

/// Is every residual within tol of the scale that the item has by itself? Then it is within tol of
/// the whole scale, which takes more work to find.
static bool is_plainly_solved(const TactSystem *system, const double *p, const double *u,
                              double tol)
{
    for (int i = 0; i < system->item_count; i++) {
        double scale;
        if (!is_left_alone(&system->items[i], p + 3 * i, u + 3 * i) &&
            !(tact_circle_item_residual(system, i, u + 3 * i, p, &scale) <= tol * scale)) {
            return false;
        }
    }
    return true;
}

/// The largest residual of impulses whose motion y and velocities u are there; tol where it is
/// plain that it is no larger. An item whose residual is not the largest by its own scale is not
/// by its whole scale either, which is no smaller and takes more work.
static double largest_residual(const TactSystem *system, const double *p,
                               const TactCircleScratch *scratch, double tol)
{
    if (is_plainly_solved(system, p, scratch->u, tol)) {
        return tol;
    }
    sum_pushes(system, p, scratch->pushed);
    double worst = 0, motion = 0;
    for (int i = 0, group = -1; i < system->item_count; i++) {
        const double *u = scratch->u + 3 * i;
        if (is_left_alone(&system->items[i], p + 3 * i, u)) {
            continue;
        }
        double scale, residual = tact_circle_item_residual(system, i, u, p, &scale);
        if (residual / tact_larger(scale, NO_SCALE) <= worst) {
            continue;
        }
        if (system->items[i].group != group) {
            group = system->items[i].group;
            motion = motion_scale(system, &system->groups[group], scratch->y, scratch->pushed);
        }
        scale = tact_larger(offset_scale(system, i, motion), scale);
        residual /= tact_larger(scale, NO_SCALE);
        worst = residual > worst || isnan(residual) ? residual : worst;
    }
    return worst;
}

double tact_circle_residual(const TactSystem *system, const double *p,
                            const TactCircleScratch *scratch)
{
    return tact_circle_residual_within(system, p, 0, scratch);
}

double tact_circle_residual_within(const TactSystem *system, const double *p, double tol,
                                   const TactCircleScratch *scratch)
{
    tact_system_move(system, p, scratch->y, scratch->u);
    return largest_residual(system, p, scratch, tol);
}

/// Motion and velocities of the kernel's answer, as tact_system_move() has them. Contacts without
/// friction, or without any yet, have no tangential ones: their law does not ask for them.
static void take_motion(const TactKernel *kernel, const TactCircleScratch *scratch)
{
    const TactSystem *system = kernel->system;
    for (int j = 0; j < system->dof; j++) {
        int position = kernel->space.number[j];
        scratch->y[j] = system->y0[j] +
                        (position >= 0 ? kernel->items.q_scale * kernel->motions.y[position] : 0);
    }
    for (int i = 0; i < system->item_count; i++) {
        double        unit = kernel->items.q_scale / kernel->items.scale[i];
        double       *u = scratch->u + 3 * i;
        int           active = kernel->items.active[i];
        const double *t = kernel->friction.t_value + 2 * (active >= 0 ? active : 0);
        u[0] = unit * kernel->rows.value[kernel->rows.nu + i];
        u[1] = active >= 0 ? unit * t[0] : 0;
        u[2] = active >= 0 ? unit * t[1] : 0;
    }
}

double tact_turning_residual(const TactKernel *kernel, const double *p, double tol,
                             const TactCircleScratch *scratch)
{
    take_motion(kernel, scratch);
    return largest_residual(kernel->system, p, scratch, tol);
}

// ---------------------------------------------------------------------------------------------
// Turns

/// Spinning: its two directions are exact.
static bool is_spin(const TactItem *item)
{
    return item->kind == TACT_ITEM_MOMENT && item->directions == 2;
}

bool tact_turning_has_directions(const TactItem *item)
{
    return item->kind == TACT_ITEM_CONTACT || (item->kind == TACT_ITEM_MOMENT && !is_spin(item));
}

double tact_turning_rounding(const TactKernel *kernel)
{
    double rounding = 0;
    for (int c = 0; c < kernel->basis.k; c++) {
        rounding = tact_larger(rounding, TACT_TURNING_ROUNDS * fabs(kernel->basis.z[c]));
    }
    return rounding;
}

TactTurningSlip tact_turning_judge(const TactKernel *kernel, int i, double rounding, double slow,
                                   const double *u, const double *p)
{
    const TactSystem *system = kernel->system;
    // Slip |u_t| and the radius R = mu p_n of the disc, scaled.
    int           owner = system->items[i].kind == TACT_ITEM_MOMENT ? system->items[i].owner : i;
    double        s = system->items[i].scale;
    double        unit = kernel->items.q_scale;
    const double *own = u + 3 * i;
    double        slip = s * sqrt(own[1] * own[1] + own[2] * own[2]);
    double        radius = kernel->items.mu[i] * fmax(p[3 * owner] / system->items[owner].scale, 0);
    TactTurningSlip found = {
        .radius = radius,
        .speed = slip / unit,
        .slips = !(slip / unit <= tact_larger(rounding, SLIPS / fmax(1, radius / unit))),
    };
    // Where impulses are far larger than velocities (a heavy body on a light one), slip must
    // weigh as much as load; and where slip is so slow that friction hardly turns against it.
    double rho =
        fmax(1, owner == i ? p[3 * i] / (s * unit) : radius / unit); // of a moment: its bound
    if (found.slips && slip / unit < slow) {
        rho = fmax(rho, radius / slip);
    }
    // q = p_t - rho u_t, and the viscous term across it.
    found.q[0] = p[3 * i + 1] / s - rho * s * own[1];
    found.q[1] = p[3 * i + 2] / s - rho * s * own[2];
    double length = sqrt(found.q[0] * found.q[0] + found.q[1] * found.q[1]);
    found.inside = radius == 0 || length <= radius * (1 + ON_CIRCLE);
    found.damping = found.inside ? 0 : fmin(rho * radius / (length - radius), MOST_DAMPING);
    return found;
}

/// New turn and damper of every contact that slides: towards q = p_t - rho u_t, with
/// c = rho R / (|q| - R), R = mu p_n, which is mu p_n / |u_t| at the answer. Sticking contacts keep
/// their pyramid and their basis. Returns the new basis' size.
static int turn_contacts(TactTurning *turning, const TactKernel *kernel, double slow,
                         const double *p)
{
    const TactSystem *system = kernel->system;
    int               count = tact_kernel_basis(kernel, turning->basis);
    int               kept = 0;
    double            rounding = tact_turning_rounding(kernel);
    for (int i = 0; i < system->item_count; i++) {
        turning->damping[i] = -1; // stays as it is
        if (kernel->items.active[i] < 0 || !tact_turning_has_directions(&system->items[i])) {
            continue;
        }
        TactTurningSlip slip = tact_turning_judge(kernel, i, rounding, slow, turning->scratch.u, p);
        if (slip.slips) {
            turning->turn[i] = atan2(slip.q[1], slip.q[0]);
            turning->damping[i] = slip.damping;
        }
    }
    // Of contacts that turn only theta stays in the basis.
    for (int c = 0; c < count; c++) {
        TactVar variable = turning->basis[c];
        bool    theta = tact_var_kind(variable) == TACT_VAR_THETA;
        if (theta || turning->damping[tact_var_item(variable)] < 0) {
            turning->basis[kept++] = variable;
        }
    }
    for (int i = 0; i < system->item_count; i++) {
        if (turning->damping[i] >= 0) {
            turning->basis[kept++] = tact_var(TACT_VAR_PHI, i, 0);
            turning->basis[kept++] = tact_var(TACT_VAR_LAMBDA, i, 0);
        }
    }
    return kept;
}

/// Is there a contact to be turned, or a damper to be taken away? If not, the next solve would be
/// the last one once more.
static bool has_turns(const TactTurning *turning, const TactKernel *kernel)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        if (turning->damping[i] >= 0 || kernel->items.damping[i] > 0) {
            return true;
        }
    }
    return false;
}

static void apply_turns(const TactTurning *turning, TactKernel *kernel)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        if (turning->damping[i] >= 0) {
            tact_kernel_turn(kernel, i, turning->turn[i], turning->damping[i]);
        } else if (kernel->items.active[i] >= 0) {
            tact_kernel_turn(kernel, i, kernel->items.turn[i], 0);
        }
    }
}

/// The two directions of a motor are those of its joint: turned, they would be shorter.
static bool is_turned(const TactItem *item)
{
    return item->kind != TACT_ITEM_MOTOR && !is_spin(item);
}

/// Cold, with the turns that stand in the kernel and no dampers.
static bool solve_cold(TactKernel *kernel, const TactSystem *system, double shake, int most,
                       double *turn, double *p, TactContactReport *report)
{
    for (int i = 0; i < system->item_count; i++) {
        double own = kernel->items.turn[i] + (is_turned(&system->items[i]) ? shake : 0);
        turn[i] = is_spin(&system->items[i]) ? 0 : own;
    }
    return tact_reduced_solve(kernel, system, turn, most, p, report) == TACT_OUTCOME_SOLVED;
}

static void start_turns(const TactTurningStart *start, const TactSystem *system, double *turn)
{
    for (int i = 0; i < system->item_count; i++) {
        const double *b = system->b + 3 * i;
        bool          slips = start->against_slip && (b[1] != 0 || b[2] != 0);
        turn[i] = is_spin(&system->items[i]) ? 0 : system->items[i].turn;
        if (is_turned(&system->items[i])) {
            turn[i] = (slips ? atan2(-b[2], -b[1]) : turn[i]) + start->turn;
        }
    }
}

void tact_turning_drop_pulls(const TactSystem *system, double *p)
{
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind < TACT_ITEM_MOTOR && p[3 * i] < 0) {
            p[3 * i] = p[3 * i + 1] = p[3 * i + 2] = 0;
        }
    }
}

static bool has_motors(const TactSystem *system)
{
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind == TACT_ITEM_MOTOR) {
            return true;
        }
    }
    return false;
}

TactContactOutcome tact_turning_solve(TactTurning *turning, TactKernel *kernel,
                                      const TactSystem *system, const TactTurningStart *start,
                                      int max_turns, double tol, double *p,
                                      TactContactReport *report)
{
    double best = HUGE_VAL, last = HUGE_VAL, slow = TACT_TURNING_SLOW;
    int    same = 0, pivots = report->pivots;
    bool   solved = start->from_kernel;
    // From the last step, and with motors: where it leads to no answer soon, another start will.
    bool damped = false, from_last = start->from_kernel, motors = has_motors(system);
    int  items = system->item_count;
    int  cold = from_last || motors ? MOST_PIVOTS_COLD + MOST_PIVOTS_COLD_EACH * items : 0;
    int  most = from_last ? report->pivots + MOST_PIVOTS + MOST_PIVOTS_EACH * items
                : motors  ? report->pivots + MOST_COLD * cold
                          : INT_MAX;
    if (!solved) {
        start_turns(start, system, turning->turn);
        solved = tact_reduced_solve(kernel, system, turning->turn, cold, p, report) ==
                 TACT_OUTCOME_SOLVED;
    }
    for (int turn = 0; turn < max_turns && !tact_budget_is_over(); turn++) {
        report->turns++;
        if (!solved) {
            solved = solve_cold(kernel, system, damped ? 0 : SHAKE, cold, turning->turn, p, report);
            damped = false;
            if (!solved && report->pivots > most) {
                break;
            }
            if (!solved) {
                continue;
            }
        }
        tact_kernel_impulses(kernel, true, p);
        double residual = tact_turning_residual(kernel, p, tol, &turning->scratch);
        slow *= residual <= last && residual > CREEPS * last ? FASTER : 1;
        if (residual < best) {
            best = residual;
            memcpy(turning->best, p, 3 * (size_t)system->item_count * sizeof(double));
        }
        if (residual <= tol) {
            return TACT_OUTCOME_SOLVED;
        }
        same = report->pivots == pivots && fabs(residual - last) <= SAME * residual ? same + 1 : 0;
        if (same == SAME_TURNS || report->pivots > most) {
            break;
        }
        last = residual;
        pivots = report->pivots;
        int count = turn_contacts(turning, kernel, slow, p);
        if (!has_turns(turning, kernel)) {
            break;
        }
        apply_turns(turning, kernel);
        solved = tact_guess_follow(kernel, turning->basis, count, report);
        damped = true;
    }
    if (best < HUGE_VAL) {
        memcpy(p, turning->best, 3 * (size_t)system->item_count * sizeof(double));
    }
    return TACT_OUTCOME_LIMIT;
}
