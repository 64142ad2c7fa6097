// Which impulses may change while the motion stays, and the least of them, certified.
#include "contact/share.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/defect.h"
#include "contact/diagnose.h"
#include "contact/frame.h"
#include "contact/impulse.h"
#include "linalg/cholesky.h"
#include "linalg/vector.h"

// Slip and separation below this part of the motion of the contact's bodies are none: what the
// tolerance of the answer leaves, and, where the certificate does not bear that, rounding.
static const double MOVES_FROM = 1e-9;
static const double STRICTLY = 1e-11;
// Slip of contacts that stick but for the tolerance of the answer, likewise.
static const double CREEPS_TO = 1e-7;
// Impulses below this part of the largest, scaled, are none.
static const double LOADED_FROM = 1e-12;
// An impulse this near to a set, over its length, is in it but for rounding; is in it at all.
static const double EXACT = 1e-12;
static const double NEAR = 1e-3;
// What is left of a unit column beside others, if it is less than this, squared, is rounding.
static const double RANK_TOL = 1e-14;
// Impulses that change by less than this part of the largest are what they were.
static const double SAME = 1e-11;

enum { MOST_NODES = 4096, DIRECTIONS = 8, MOST_GRAM = 30, MOST_COLUMNS = 600 };
static const double FILL = 24; // pairs of blocks for nodes^(4/3)

void tact_share_layout(TactShare *share, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t    items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t    dof = (size_t)capacity->dof, support = (size_t)capacity->support;
    size_t    nodes = (dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS, number = sizeof(double);
    TactShare lent = {
        .length = tact_arena_take(arena, 3 * items, number),
        .motion = tact_arena_take(arena, 3 * items, number),
        .start = tact_arena_take(arena, 3 * items, number),
        .u = tact_arena_take(arena, 3 * items, number),
        .y = tact_arena_take(arena, dof, number),
        .active = tact_arena_take(arena, items, sizeof *lent.active),
        .c = tact_arena_take(arena, dof, number),
        .load = tact_arena_take(arena, dof, number),
        .reach = tact_arena_take(arena, dof, number),
        .stiff = tact_arena_take(arena, dof, number),
        .l = tact_arena_take(arena, dof, number),
        .trial = tact_arena_take(arena, dof, number),
        .g = tact_arena_take(arena, dof, number),
        .next_g = tact_arena_take(arena, dof, number),
        .step = tact_arena_take(arena, TACT_BLOCK_ROWS * nodes, number),
        .keep = tact_arena_take(arena, 3 * items, number),
        .sum = tact_arena_take(arena, support * support, number),
        .f = tact_arena_take(arena, 3 * support, number),
        .support = capacity->support,
        .impulse = tact_arena_take(arena, 3 * (size_t)capacity->contacts, number),
        .row_impulse = tact_arena_take(arena, (size_t)capacity->rows, number),
        .velocity = tact_arena_take(arena, dof, number),
    };
    nodes = nodes < MOST_NODES ? nodes : MOST_NODES;
    size_t pairs = nodes > 0 ? nodes * (nodes - 1) / 2 : 0;
    size_t room = (size_t)(FILL * (double)nodes * cbrt((double)nodes));
    tact_block_lu_layout(&lent.lu, (int)nodes, pairs < room ? pairs : room, arena);
    tact_system_layout(&lent.system, capacity, arena);
    tact_certifier_layout(&lent.certifier, capacity, arena);
    if (arena->block) {
        *share = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// States

/// Impulses of the items from those of contacts and rows, and the motion that follows from them.
static void gather(TactShare *share, const TactContactAnswer *answer)
{
    for (int i = 0; i < share->system.item_count; i++) {
        const TactItem *item = &share->system.items[i];
        double         *p = share->start + 3 * (size_t)i;
        p[0] = p[1] = p[2] = 0;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(p, answer->impulse + 3 * (size_t)item->source, 3 * sizeof(double));
        } else {
            p[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = answer->row_impulse[item->source];
        }
    }
    if (share->problem->W) { // u of W as it is given
        tact_defect_correct(&share->system, share->problem, share->start);
    }
    tact_system_move(&share->system, share->start, share->y, share->u);
}

/// |C_k| of the components of all items, and what their velocities are rounded against, |C_k| (|y+|
/// + |y0|) with the offset.
static void measure(TactShare *share)
{
    const TactSystem *system = &share->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        double               after = 0, before = 0;
        for (int s = 0; s < group->size; s++) {
            after += share->y[support[s]] * share->y[support[s]];
            before += system->y0[support[s]] * system->y0[support[s]];
        }
        double speed = sqrt(after) + sqrt(before);
        for (int i = 3 * group->first; i < 3 * (group->first + group->count); i++) {
            const double *column = system->columns + system->column[i / 3] + i % 3 * group->size;
            double        square = 0;
            for (int s = 0; s < group->size; s++) {
                square += column[s] * column[s];
            }
            share->length[i] = sqrt(square);
            share->motion[i] = share->length[i] * speed + fabs(system->e[i]);
        }
    }
}

static double largest_impulse(const TactShare *share)
{
    double largest = 0;
    for (int i = 0; i < share->system.item_count; i++) {
        const double *p = share->start + 3 * (size_t)i;
        double        most = tact_larger(fabs(p[0]), tact_larger(fabs(p[1]), fabs(p[2])));
        largest = tact_larger(largest, most / share->system.items[i].scale);
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
    } else if (share->cone == TACT_CONTACT_PYRAMID) {
        set.kind = TACT_SHARE_PYRAMID;
        set.directions = contact->directions > 0 ? contact->directions : DIRECTIONS;
        set.turn = contact->turn;
    } else if (share->cone == TACT_CONTACT_BOX_CONE) {
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
static bool slide(const TactShareSet *cone, const double u[2], double rounding, const double p[3],
                  bool loaded, TactShareSet *set)
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
    if (cone->kind == TACT_SHARE_PYRAMID && set->kind == TACT_SHARE_RAY && !is_in(set, p, EXACT)) {
        set->kind = TACT_SHARE_FACE; // the edge beside it that is nearer to being across
    }
    if (!is_in(set, p, NEAR)) {
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
    const TactItem *item = &share->system.items[i];
    const double   *p = share->start + 3 * (size_t)i, *u = share->u + 3 * (size_t)i;
    bool            loaded = p[0] / item->scale > LOADED_FROM * largest;
    const double   *motion = share->motion + 3 * (size_t)i;
    double          slip[2] = {u[1], u[2]}, rounding = 0, speed = sqrt(u[1] * u[1] + u[2] * u[2]);
    double          moves = share->strict ? STRICTLY : MOVES_FROM;
    if (u[0] > moves * motion[0]) {
        return false;
    }
    bool dynamic = share->problem->level == TACT_CONTACT_ACCELERATION && item->mu > 0 &&
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
    if (slides && !slide(&cone, slip, rounding, p, loaded, set)) {
        // Friction within its cone at a contact that creeps: it sticks but for the tolerance.
        *set = cone;
        return !share->strict && !dynamic && speed <= CREEPS_TO * tact_larger(motion[1], motion[2]);
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
    const TactItem *item = &share->system.items[i];
    const double   *p = share->start + 3 * (size_t)i, *u = share->u + 3 * (size_t)i;
    double          moves = share->strict ? STRICTLY : MOVES_FROM;
    if (item->kind == TACT_ITEM_CONTACT) {
        return allow_contact(share, i, largest, set);
    }
    bool   motor = item->kind == TACT_ITEM_MOTOR;
    double motion = share->motion[3 * i + (motor ? 1 : 0)];
    *set = (TactShareSet){.kind = motor ? TACT_SHARE_INTERVAL : TACT_SHARE_PUSH,
                          .bound = motor ? item->bound : 0};
    return motor ? fabs(u[1]) <= moves * motion && fabs(p[1]) <= item->bound * (1 + NEAR)
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
        if (share->system.items[i].kind == TACT_ITEM_CONTACT) {
            for (int c = 0; c < 3; c++) {
                double length = share->length[3 * i + c];
                sum += length * length / 3;
            }
            contacts++;
        }
    }
    for (int k = 0; k < share->count; k++) {
        TactShareItem *a = &share->active[k];
        TactItemKind   kind = share->system.items[a->item].kind;
        a->weight = 1;
        if (kind != TACT_ITEM_CONTACT && sum > 0) {
            double length = share->length[3 * a->item + (kind == TACT_ITEM_MOTOR ? 1 : 0)];
            a->weight = length > 0 ? length * length * contacts / sum : 1;
        }
    }
}

/// c, what passes through every degree of freedom, and the diagonal of C C' / s.
static void sum_up(TactShare *share)
{
    const TactSystem *system = &share->system;
    size_t            bytes = (size_t)system->dof * sizeof(double);
    memset(share->c, 0, bytes);
    memset(share->load, 0, bytes);
    memset(share->reach, 0, bytes);
    memset(share->stiff, 0, bytes);
    for (int k = 0; k < share->count; k++) {
        const TactShareItem *a = &share->active[k];
        const TactItemGroup *group = &system->groups[system->items[a->item].group];
        const int           *support = system->support + group->support;
        const double        *C = system->columns + system->column[a->item];
        const double        *p = share->start + 3 * (size_t)a->item;
        tact_system_push(system, a->item, p, share->c);
        for (int s = 0; s < group->size; s++) {
            for (int c = 0; c < 3; c++) {
                double entry = C[c * group->size + s];
                share->load[support[s]] += fabs(entry * p[c]);
                share->reach[support[s]] += fabs(entry);
                share->stiff[support[s]] += entry * entry / a->weight;
            }
        }
    }
}

/// The sets of all items.
static void list_active(TactShare *share)
{
    share->count = 0;
    double largest = largest_impulse(share);
    for (int i = 0; i < share->system.item_count && largest > 0; i++) {
        TactShareSet set;
        if (allow(share, i, largest, &set)) {
            share->active[share->count++] = (TactShareItem){.item = i, .set = set};
        }
    }
    weigh(share);
    sum_up(share);
}

TactStatus tact_share_begin(TactShare *share, const TactContactProblem *problem,
                            TactContactCone cone, const TactContactAnswer *answer)
{
    share->problem = problem;
    share->cone = cone;
    share->recedes = share->strict = false;
    share->size = 1;
    TACT_TRY(tact_system_build(&share->system, problem, false));
    gather(share, answer);
    measure(share);
    list_active(share);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Is there anything to share?

/// Columns along which an item may change: its set's hull.
static int count_columns(const TactShareSet *set, double along[3][3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool                all = set->kind == TACT_SHARE_CIRCLE || set->kind == TACT_SHARE_PYRAMID;
    switch (set->kind) {
    case TACT_SHARE_RAY: memcpy(along[0], set->ray, sizeof set->ray); return 1;
    case TACT_SHARE_PUSH: memcpy(along[0], axes[0], sizeof axes[0]); return 1;
    case TACT_SHARE_INTERVAL: memcpy(along[0], axes[1], sizeof axes[1]); return 1;
    default:
        memcpy(along, all ? axes[0] : axes[1], (all ? 3 : 2) * sizeof axes[0]);
        return all ? 3 : 2;
    }
}

bool tact_share_is_unique(const TactShare *share)
{
    const TactSystem *system = &share->system;
    double            G[MOST_GRAM * MOST_GRAM], along[MOST_GRAM + 3][3];
    int               item[MOST_GRAM + 3], count = 0;
    bool              contacts = false;
    for (int k = 0; k < share->count && count <= MOST_GRAM; k++) {
        contacts = contacts || system->items[share->active[k].item].kind == TACT_ITEM_CONTACT;
        int more = count_columns(&share->active[k].set, along + count);
        for (int c = 0; c < more; c++) {
            item[count++] = share->active[k].item;
        }
    }
    if (!contacts || count > MOST_GRAM || count > system->dof) {
        return !contacts;
    }
    for (int a = 0; a < count; a++) {
        for (int b = 0; b <= a; b++) {
            double block[3][3], sum = 0;
            tact_system_block(system, item[a], item[b], block);
            for (int r = 0; r < 9; r++) {
                sum += along[a][r / 3] * block[r / 3][r % 3] * along[b][r % 3];
            }
            G[a * count + b] = G[b * count + a] = sum;
        }
    }
    return tact_cholesky_factor_small(count, G, count, RANK_TOL) == count;
}

/// Leaves out items whose impulses are the only ones possible: by the rank of the columns.
static TactStatus leave_unique_out(TactShare *share)
{
    const TactSystem *system = &share->system;
    TactDependence    dependence = {0};
    TactArena         arena = {0};
    double            along[3][3];
    int               columns = 0, kept = 0;
    for (int k = 0; k < share->count; k++) {
        columns += count_columns(&share->active[k].set, along);
    }
    if (columns > MOST_COLUMNS) {
        return TACT_OK;
    }
    tact_dependence_layout(&dependence, system->dof, columns, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_dependence_layout(&dependence, system->dof, columns, &arena);
    columns = 0;
    for (int k = 0; k < share->count; k++) {
        int more = count_columns(&share->active[k].set, along);
        for (int c = 0; c < more; c++, columns++) {
            double *column = dependence.columns + (size_t)columns * (size_t)system->dof;
            tact_system_push(system, share->active[k].item, along[c], column);
            double square = tact_vec_dot(system->dof, column, column);
            tact_vec_scale(system->dof, square > 0 ? 1 / sqrt(square) : 0, column);
            dependence.owner[columns] = k;
        }
    }
    tact_dependence_find(&dependence);
    for (int c = 0, k = -1; c < columns; c++) {
        if (dependence.group[c] >= 0 && dependence.owner[c] != k) {
            k = dependence.owner[c];
            share->active[kept++] = share->active[k];
        }
    }
    share->count = kept;
    tact_arena_destroy(&arena);
    sum_up(share);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The least

/// Square of the norm of the active impulses.
static double square_of(const TactShare *share, const double *p)
{
    double sum = 0;
    for (int k = 0; k < share->count; k++) {
        const TactShareItem *a = &share->active[k];
        const double        *own = p + 3 * (size_t)a->item;
        sum += a->weight * (own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
    }
    return sum;
}

/// The impulses found, to keep; how far they are from the start, over the largest.
static double collect(TactShare *share)
{
    double change = 0, largest = 0;
    memcpy(share->keep, share->start, 3 * (size_t)share->system.item_count * sizeof(double));
    for (int k = 0; k < share->count; k++) {
        const TactShareItem *a = &share->active[k];
        double              *own = share->keep + 3 * (size_t)a->item;
        for (int c = 0; c < 3; c++) {
            change = tact_larger(change, fabs(a->p[c] - own[c]));
            largest = tact_larger(largest, fabs(own[c]));
            own[c] = a->p[c];
        }
    }
    return largest > 0 ? change / largest : 0;
}

/// Certifies the impulses kept with the motion of the answer, or the motion they give.
static void certify(TactShare *share, const TactContactAnswer *answer,
                    TactContactCertificate *certificate)
{
    TactContactAnswer made = {share->impulse, share->row_impulse, share->velocity, NULL};
    tact_system_answer(&share->system, share->problem, share->keep, &made);
    const double *velocity = answer->velocity ? answer->velocity : share->velocity;
    tact_certifier_run(&share->certifier, share->problem, share->cone, share->impulse,
                       share->row_impulse, velocity, certificate);
}

/// Finds impulses and certifies them.
static TactContactShareOutcome find(TactShare *share, double tol, const TactContactAnswer *answer,
                                    TactContactSharing *sharing)
{
    if (tact_share_is_unique(share)) {
        return TACT_CONTACT_SHARE_UNIQUE;
    }
    bool found = tact_share_shape(share) && tact_share_nearest(share);
    sharing->steps += share->steps;
    if (!found) {
        return TACT_CONTACT_SHARE_KEPT;
    }
    if (collect(share) <= SAME) {
        return TACT_CONTACT_SHARE_UNIQUE;
    }
    certify(share, answer, &sharing->certificate);
    return sharing->certificate.error <= tol ? TACT_CONTACT_SHARE_FOUND : TACT_CONTACT_SHARE_KEPT;
}

TactStatus tact_share_run(TactShare *share, const TactContactProblem *problem, TactContactCone cone,
                          double tol, const TactContactAnswer *answer, TactContactSharing *sharing)
{
    *sharing = (TactContactSharing){.outcome = TACT_CONTACT_SHARE_UNIQUE};
    TACT_TRY(tact_share_begin(share, problem, cone, answer));
    sharing->outcome = find(share, tol, answer, sharing);
    if (sharing->outcome == TACT_CONTACT_SHARE_KEPT) {
        share->strict = true;
        list_active(share);
        TACT_TRY(leave_unique_out(share));
        sharing->outcome = find(share, tol, answer, sharing);
    }
    sharing->norm_before = sharing->norm = sqrt(square_of(share, share->start));
    if (sharing->outcome != TACT_CONTACT_SHARE_FOUND) {
        return TACT_OK;
    }
    sharing->norm = sqrt(square_of(share, share->keep));
    memcpy(answer->impulse, share->impulse, 3 * (size_t)problem->contact_count * sizeof(double));
    if (answer->row_impulse) {
        memcpy(answer->row_impulse, share->row_impulse,
               (size_t)problem->row_count * sizeof(double));
    }
    return TACT_OK;
}

TactStatus tact_share_check(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    if (!answer || (!answer->impulse && problem->contact_count > 0) ||
        (!answer->row_impulse && problem->row_count > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "sharing: the answer, its impulse or row_impulse is "
                                            "NULL");
    }
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        if (!isfinite(answer->impulse[i])) {
            return tact_fail(TACT_BAD_INPUT, "sharing: the impulse of contact %d is %g", i / 3,
                             answer->impulse[i]);
        }
    }
    for (int r = 0; r < problem->row_count; r++) {
        if (!isfinite(answer->row_impulse[r])) {
            return tact_fail(TACT_BAD_INPUT, "sharing: the impulse of row %d is %g", r,
                             answer->row_impulse[r]);
        }
    }
    return TACT_OK;
}

TactStatus tact_contact_share(const TactContactProblem *problem, TactContactCone cone, double tol,
                              const TactContactAnswer *answer, TactContactSharing *sharing)
{
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(tact_share_check(problem, answer));
    TactShare           share = {0};
    TactArena           arena = {0};
    TactContactSharing  unread;
    TactContactCapacity capacity = tact_contact_capacity(problem);
    tact_share_layout(&share, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_share_layout(&share, &capacity, &arena);
    TactStatus status =
        tact_share_run(&share, problem, cone, tol, answer, sharing ? sharing : &unread);
    tact_arena_destroy(&arena);
    return status;
}
