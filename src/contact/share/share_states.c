// What the state of every contact and row allows its impulse to be while the motion stays.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/certificate/certificate.h"
#include "contact/problem/problem.h"
#include "contact/share/share.h"

enum { DIRECTIONS = 8 }; // of a pyramid that does not say

static const double UNREACHED = 1e-15; // of the largest sum of columns: rounding

// ---------------------------------------------------------------------------------------------
// States

/// Impulses of the items from those of contacts and rows, and the motion that follows from them.
static void gather_answer(TactShare *share, const TactContactAnswer *answer)
{
    if (share->problem != share->asked) {
        tact_share_take(share, answer);
        tact_system_move(share->system, share->given.start, share->given.y, share->given.u);
        return;
    }
    for (int i = 0; i < share->system->item_count; i++) {
        const TactItem *item = &share->system->items[i];
        double         *p = share->given.start + 3 * (size_t)i;
        p[0] = p[1] = p[2] = 0;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(p, answer->impulse + 3 * (size_t)item->source, 3 * sizeof(double));
        } else {
            p[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = answer->row_impulse[item->source];
        }
    }
    if (share->problem->W) { // u of W as it is given
        tact_defect_correct(share->system, share->problem, share->given.start);
    }
    tact_system_move(share->system, share->given.start, share->given.y, share->given.u);
}

/// |C_k| of the components of all items, and what their velocities are rounded against, |C_k| (|y+|
/// + |y0|) with the offset.
static void measure_states(TactShare *share)
{
    const TactSystem *system = share->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        double               after = 0, before = 0;
        for (int s = 0; s < group->size; s++) {
            after += share->given.y[support[s]] * share->given.y[support[s]];
            before += system->y0[support[s]] * system->y0[support[s]];
        }
        double speed = sqrt(after) + sqrt(before);
        for (int i = 3 * group->first; i < 3 * (group->first + group->count); i++) {
            const double *column = system->columns + system->column[i / 3] + i % 3 * group->size;
            double        square = 0;
            for (int s = 0; s < group->size; s++) {
                square += column[s] * column[s];
            }
            share->given.length[i] = sqrt(square);
            share->given.motion[i] = share->given.length[i] * speed + fabs(system->e[i]);
        }
    }
}

static double largest_impulse(const TactShare *share)
{
    double largest = 0;
    for (int i = 0; i < share->system->item_count; i++) {
        const double *p = share->given.start + 3 * (size_t)i;
        double        most = tact_larger(fabs(p[0]), tact_larger(fabs(p[1]), fabs(p[2])));
        largest = tact_larger(largest, most / share->system->items[i].scale);
    }
    return largest;
}

/// Is an impulse in a set, but for a part of itself?
static bool is_in(const TactShareSet *set, const double p[3], double part)
{
    double nearest[3], V[9], miss = 0, size = 0;
    tact_share_project(set, p, nearest, V);
    for (int k = 0; k < 3; k++) {
        miss += (p[k] - nearest[k]) * (p[k] - nearest[k]);
        size += p[k] * p[k];
    }
    return miss <= part * part * size;
}

/// The cone of a contact that sticks: also what one that slides may use least of.
static TactShareSet cone_of(const TactShare *share, const TactItem *item)
{
    const TactContact *contact = &share->problem->contacts[item->source];
    TactShareSet       set = {.kind = TACT_SHARE_CIRCLE, .mu = item->mu};
    if (item->mu == 0) {
        set.kind = TACT_SHARE_PUSH;
    } else if (share->cone == TACT_CONE_PYRAMID) {
        set.kind = TACT_SHARE_PYRAMID;
        set.directions = contact->directions > 0 ? contact->directions : DIRECTIONS;
        set.turn = contact->turn;
    } else if (share->cone == TACT_CONE_BOX) {
        set.kind = TACT_SHARE_PYRAMID;
        set.directions = 4;
        set.turn = atan(1);
        set.mu = sqrt(2) * item->mu;
    }
    return set;
}

/// Friction that takes the most out of the slip: a corner of the polygon, or an edge that lies
/// across the slip but for what is rounding.
static TactShareSet slide_on_pyramid(const TactShareSet *cone, const double u[2], double rounding)
{
    TactShareSet set = *cone;
    double       width = 8 * atan(1) / cone->directions;
    int          best = 0;
    double       most = -INFINITY, second = -INFINITY, side = 1;
    for (int j = 0; j < cone->directions; j++) {
        double angle = cone->turn + j * width, work = -(cos(angle) * u[0] + sin(angle) * u[1]);
        if (work > most) {
            most = work;
            best = j;
        }
    }
    for (int s = -1; s <= 1; s += 2) {
        double angle = cone->turn + (best + s) * width;
        double work = -(cos(angle) * u[0] + sin(angle) * u[1]);
        if (work > second) {
            second = work;
            side = s;
        }
    }
    double angle = cone->turn + best * width;
    set.kind = most - second <= rounding ? TACT_SHARE_FACE : TACT_SHARE_RAY;
    set.middle = angle + 0.5 * side * width;
    set.ray[0] = 1;
    set.ray[1] = cone->mu * cos(angle);
    set.ray[2] = cone->mu * sin(angle);
    return set;
}

/// The set of a contact that slides along u. Its impulse, if there is one, is in it: where a small
/// slip does not say the direction as exactly as the impulse does, that says it. False if it is
/// nowhere near.
static bool slide_set(const TactShareSet *cone, const double u[2], double rounding,
                      const double p[3], bool loaded, TactShareSet *set)
{
    double speed = hypot(u[0], u[1]);
    if (cone->kind == TACT_SHARE_PYRAMID) {
        *set = slide_on_pyramid(cone, u, rounding);
    } else {
        *set = *cone;
        set->kind = TACT_SHARE_RAY;
        set->ray[0] = 1;
        set->ray[1] = -cone->mu * u[0] / speed;
        set->ray[2] = -cone->mu * u[1] / speed;
    }
    if (!loaded) {
        return true;
    }
    if (cone->kind == TACT_SHARE_PYRAMID && set->kind == TACT_SHARE_RAY &&
        !is_in(set, p, TACT_SHARE_EXACT)) {
        set->kind = TACT_SHARE_FACE; // the edge beside it that is nearer to being across
    }
    if (!is_in(set, p, TACT_SHARE_NEAR)) {
        return false;
    }
    if (set->kind == TACT_SHARE_RAY) {
        set->ray[1] = p[1] / p[0];
        set->ray[2] = p[2] / p[0];
    }
    return true;
}

/// The set of a contact; false if its impulse is what it is.
static bool allow_contact(const TactShare *share, int i, double largest, TactShareSet *set)
{
    const TactItem *item = &share->system->items[i];
    const double   *p = share->given.start + 3 * (size_t)i, *u = share->given.u + 3 * (size_t)i;
    bool            loaded = p[0] / item->scale > TACT_SHARE_LOADED * largest;
    const double   *motion = share->given.motion + 3 * (size_t)i;
    double          slip[2] = {u[1], u[2]}, rounding = 0, speed = sqrt(u[1] * u[1] + u[2] * u[2]);
    double          moves = share->strict ? TACT_SHARE_STRICTLY : TACT_SHARE_MOVES;
    if (u[0] > moves * motion[0]) {
        return false;
    }
    bool dynamic = share->problem->level == TACT_LEVEL_ACCELERATION && item->mu > 0 &&
                   tact_contact_slides(share->problem, item->source, slip);
    bool slides = dynamic;
    *set = cone_of(share, item);
    if (!dynamic && item->mu > 0) {
        rounding = moves * tact_larger(motion[1], motion[2]);
        slides = speed > rounding;
    }
    TactShareSet cone = *set;
    if (dynamic) { // friction opposes the slip whatever the cone
        cone = (TactShareSet){.kind = TACT_SHARE_CIRCLE, .mu = item->mu};
    }
    if (slides && !slide_set(&cone, slip, rounding, p, loaded, set)) {
        // Friction within its cone at a contact that creeps: it sticks but for the tolerance.
        *set = cone;
        return !share->strict && !dynamic &&
               speed <= TACT_SHARE_CREEPS * tact_larger(motion[1], motion[2]);
    }
    if (item->compliance == 0) {
        return true;
    }
    bool friction = set->kind == TACT_SHARE_CIRCLE || set->kind == TACT_SHARE_PYRAMID;
    set->bound = set->mu * p[0];
    set->normal = p[0];
    set->kind = set->kind == TACT_SHARE_CIRCLE ? TACT_SHARE_DISC : TACT_SHARE_POLYGON;
    return friction && loaded;
}

static bool allow(const TactShare *share, int i, double largest, TactShareSet *set)
{
    const TactItem *item = &share->system->items[i];
    const double   *p = share->given.start + 3 * (size_t)i, *u = share->given.u + 3 * (size_t)i;
    double          moves = share->strict ? TACT_SHARE_STRICTLY : TACT_SHARE_MOVES;
    if (item->kind == TACT_ITEM_CONTACT) {
        return allow_contact(share, i, largest, set);
    }
    bool   motor = item->kind == TACT_ITEM_MOTOR;
    double motion = share->given.motion[3 * i + (motor ? 1 : 0)];
    *set = (TactShareSet){.kind = motor ? TACT_SHARE_INTERVAL : TACT_SHARE_PUSH,
                          .bound = motor ? item->bound : 0};
    return motor ? fabs(u[1]) <= moves * motion && fabs(p[1]) <= item->bound * (1 + TACT_SHARE_NEAR)
                 : u[0] <= moves * motion;
}

// ---------------------------------------------------------------------------------------------
// Weights and right-hand side

/// Contacts weigh 1, so that a norm is one of impulses; a row, whose unit may be another, as much
/// as a contact of its inertia: the mean of W_cc over the contacts stands for that.
static void weigh(TactShare *share)
{
    double sum = 0;
    int    contacts = 0;
    for (int k = 0; k < share->count; k++) {
        int i = share->active[k].item;
        if (share->system->items[i].kind == TACT_ITEM_CONTACT) {
            for (int c = 0; c < 3; c++) {
                double length = share->given.length[3 * i + c];
                sum += length * length / 3;
            }
            contacts++;
        }
    }
    for (int k = 0; k < share->count; k++) {
        TactShareItem *a = &share->active[k];
        TactItemKind   kind = share->system->items[a->item].kind;
        a->weight = 1;
        if (kind == TACT_ITEM_MOMENT) { // as the load that it takes at least
            double mu = share->system->items[a->item].mu;
            a->weight = 1 / (mu * mu);
        } else if (kind != TACT_ITEM_CONTACT && sum > 0) {
            double length = share->given.length[3 * a->item + (kind == TACT_ITEM_MOTOR ? 1 : 0)];
            a->weight = length > 0 ? length * length * contacts / sum : 1;
        }
    }
}

/// Degrees of freedom that nothing moves but by the rounding of columns are held: a dual step along
/// them would be endless.
static void hold_unreached(TactShare *share)
{
    double most = 0;
    for (int j = 0; j < share->system->dof; j++) {
        most = tact_larger(most, share->sums.reach[j]);
    }
    for (int j = 0; j < share->system->dof; j++) {
        if (share->sums.reach[j] <= UNREACHED * most) {
            share->sums.stiff[j] = 0;
        }
    }
}

void tact_share_sum(TactShare *share)
{
    const TactSystem *system = share->system;
    size_t            bytes = (size_t)system->dof * sizeof(double);
    memset(share->sums.c, 0, bytes);
    memset(share->sums.load, 0, bytes);
    memset(share->sums.reach, 0, bytes);
    memset(share->sums.stiff, 0, bytes);
    for (int k = 0; k < share->count; k++) {
        const TactShareItem *a = &share->active[k];
        const TactItemGroup *group = &system->groups[system->items[a->item].group];
        const int           *support = system->support + group->support;
        const double        *C = system->columns + system->column[a->item];
        const double        *p = share->given.start + 3 * (size_t)a->item;
        tact_system_push(system, a->item, p, share->sums.c);
        for (int s = 0; s < group->size; s++) {
            for (int c = 0; c < 3; c++) {
                double entry = C[c * group->size + s];
                share->sums.load[support[s]] += fabs(entry * p[c]);
                share->sums.reach[support[s]] += fabs(entry);
                share->sums.stiff[support[s]] += entry * entry / a->weight;
            }
        }
    }
    hold_unreached(share);
}

void tact_share_list(TactShare *share)
{
    share->count = share->expanded.count = 0;
    double largest = largest_impulse(share);
    for (int i = 0; i < share->system->item_count && largest > 0; i++) {
        TactShareSet set;
        if (tact_share_is_patch(share, i)) {
            tact_share_list_patch(share, i, largest);
        } else if (share->system->items[i].kind != TACT_ITEM_MOMENT &&
                   allow(share, i, largest, &set)) {
            share->active[share->count++] = (TactShareItem){.item = i, .set = set, .patch = -1};
        }
    }
    weigh(share);
    tact_share_sum(share);
}

static void begin_states(TactShare *share, TactSystem *system, TactContactCone cone,
                         const TactContactAnswer *answer)
{
    share->system = system;
    share->cone = cone;
    share->dual.recedes = share->strict = false;
    share->dual.size = 1;
    gather_answer(share, answer);
    measure_states(share);
    tact_share_list(share);
}

TactStatus tact_share_begin(TactShare *share, const TactContactProblem *problem,
                            TactContactCone cone, const TactContactAnswer *answer)
{
    if (tact_patch_in(problem)) {
        TACT_TRY(tact_share_expand(share, problem));
        begin_states(share, &share->expanded.link.system, cone, answer);
        return TACT_OK;
    }
    TACT_TRY(tact_system_build(&share->own, problem, false));
    tact_share_begin_on(share, &share->own, problem, cone, answer);
    return TACT_OK;
}

void tact_share_begin_on(TactShare *share, TactSystem *system, const TactContactProblem *problem,
                         TactContactCone cone, const TactContactAnswer *answer)
{
    share->problem = share->asked = problem;
    begin_states(share, system, cone, answer);
}
