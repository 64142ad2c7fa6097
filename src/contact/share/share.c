// The least of all impulses that give the same motion, certified.
#include "contact/share/share.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/certificate/certificate.h"
#include "linalg/cholesky.h"
#include "linalg/rank.h"
#include "linalg/vector.h"

enum { MOST_NODES = 4096, MOST_GRAM = 30, MOST_COLUMNS = 600 };
static const double FILL = 24; // pairs of blocks for nodes^(4/3)

void tact_share_layout(TactShare *share, const TactContactCapacity *capacity, TactArena *arena)
{
    TactContactCapacity linked = tact_disc_link_capacity(capacity);

    size_t    items = (size_t)linked.contacts + (size_t)linked.rows;
    size_t    dof = (size_t)capacity->dof, support = (size_t)capacity->support;
    size_t    nodes = (dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS, number = sizeof(double);
    size_t    patches = (size_t)capacity->patches;
    size_t    dense = dof < TACT_SHARE_MOST_DENSE ? dof : TACT_SHARE_MOST_DENSE;
    size_t    moments = patches > 0 ? 3 * (size_t)capacity->contacts : 0;
    TactShare lent = {
        .given.length = tact_arena_take(arena, 3 * items, number),
        .given.motion = tact_arena_take(arena, 3 * items, number),
        .given.start = tact_arena_take(arena, 3 * items, number),
        .given.u = tact_arena_take(arena, 3 * items, number),
        .given.y = tact_arena_take(arena, dof, number),
        .active = tact_arena_take(arena, items, sizeof *lent.active),
        .sums.c = tact_arena_take(arena, dof, number),
        .sums.load = tact_arena_take(arena, dof, number),
        .sums.reach = tact_arena_take(arena, dof, number),
        .sums.stiff = tact_arena_take(arena, dof, number),
        .dual.l = tact_arena_take(arena, dof, number),
        .dual.trial = tact_arena_take(arena, dof, number),
        .dual.g = tact_arena_take(arena, dof, number),
        .dual.next_g = tact_arena_take(arena, dof, number),
        .dual.step = tact_arena_take(arena, TACT_BLOCK_ROWS * nodes, number),
        .found.p = tact_arena_take(arena, 3 * items, number),
        .dual.sum = tact_arena_take(arena, support * support, number),
        .dual.support = capacity->support,
        .dual.order = tact_arena_take(arena, dof, sizeof(int)),
        .dual.place = tact_arena_take(arena, dof, sizeof(int)),
        .dual.kept = tact_arena_take(arena, support, sizeof(int)),
        .dual.compact = tact_arena_take(arena, 3 * support, number),
        .dual.A = tact_arena_take(arena, dense * dense, number),
        .found.impulse = tact_arena_take(arena, 3 * (size_t)capacity->contacts, number),
        .found.row_impulse = tact_arena_take(arena, (size_t)capacity->rows, number),
        .found.velocity = tact_arena_take(arena, dof, number),
        .found.columns = tact_arena_take(arena, MOST_GRAM * dof, number),
        .found.moment = tact_arena_take(arena, moments, number),
        .expanded.p = tact_arena_take(arena, patches > 0 ? 3 * items : 0, number),
        .expanded.sets = tact_arena_take(arena, patches, sizeof(TactSharePatch)),
    };
    tact_patch_layout(&lent.expanded.patches, capacity, arena);
    tact_disc_link_layout(&lent.expanded.link, capacity, arena);
    nodes = nodes < MOST_NODES ? nodes : MOST_NODES;
    size_t pairs = nodes > 0 ? nodes * (nodes - 1) / 2 : 0;
    size_t room = (size_t)(FILL * (double)nodes * cbrt((double)nodes));
    tact_block_lu_layout(&lent.dual.lu, (int)nodes, pairs < room ? pairs : room, arena);
    tact_system_layout(&lent.own, capacity, arena);
    tact_certifier_layout(&lent.found.certifier, capacity, arena);
    if (arena->block) {
        *share = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Is there anything to share?

/// Columns along which an item may change: its set's hull.
static int count_item(const TactShareSet *set, double along[3][3])
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

/// The same of an active item, with the moments of its contact; none of a moment itself.
///                                                              columns: (TACT_SHARE_PARTS)
static int count_columns(const TactShare *share, int k, TactShareColumn *columns)
{
    const TactShareItem *a = &share->active[k];
    double               along[3][3];
    if (share->system->items[a->item].kind == TACT_ITEM_MOMENT) {
        return 0;
    }
    if (a->patch >= 0) {
        return tact_share_count_patch(share, a, columns);
    }
    int count = count_item(&a->set, along);
    for (int c = 0; c < count; c++) {
        columns[c] = (TactShareColumn){.item = a->item, .count = 1};
        memcpy(columns[c].along, along[c], sizeof along[c]);
    }
    return count;
}

/// C a of a column.                                                          column: (dof)
static void put_column(const TactSystem *system, const TactShareColumn *a, double *column)
{
    memset(column, 0, (size_t)system->dof * sizeof *column);
    for (int m = 0; m < a->count; m++) {
        tact_system_push(system, a->item + m, a->along + 3 * (size_t)m, column);
    }
}

bool tact_share_is_unique(const TactShare *share)
{
    const TactSystem *system = share->system;
    double            G[MOST_GRAM * MOST_GRAM];
    TactShareColumn   columns[MOST_GRAM + TACT_SHARE_PARTS];
    int               count = 0, reached = 0;
    bool              contacts = false;
    for (int k = 0; k < share->count && count <= MOST_GRAM; k++) {
        contacts = contacts || system->items[share->active[k].item].kind == TACT_ITEM_CONTACT;
        count += count_columns(share, k, columns + count);
    }
    for (int j = 0; j < system->dof; j++) {
        reached += share->sums.stiff[j] > 0;
    }
    if (!contacts || count > MOST_GRAM || count > reached) {
        return !contacts;
    }
    int     dof = system->dof;
    double *made = share->found.columns;
    for (int a = 0; a < count; a++) {
        put_column(system, &columns[a], made + (size_t)a * (size_t)dof);
        for (int b = 0; b <= a; b++) {
            double sum =
                tact_vec_dot(dof, made + (size_t)a * (size_t)dof, made + (size_t)b * (size_t)dof);
            G[a * count + b] = G[b * count + a] = sum;
        }
    }
    return tact_cholesky_factor_small(count, G, count, TACT_RANK_OF_SHARED2) == count;
}

/// Leaves out items whose impulses are the only ones possible: by the rank of the columns.
static TactStatus leave_unique_out(TactShare *share)
{
    const TactSystem *system = share->system;
    TactDependence    dependence = {0};
    TactArena         arena = {0};
    TactShareColumn   own[TACT_SHARE_PARTS];
    int               columns = 0, kept = 0;
    for (int k = 0; k < share->count; k++) {
        columns += count_columns(share, k, own);
    }
    if (columns > MOST_COLUMNS) {
        return TACT_OK;
    }
    tact_dependence_layout(&dependence, system->dof, columns, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_dependence_layout(&dependence, system->dof, columns, &arena);
    columns = 0;
    for (int k = 0; k < share->count; k++) {
        int more = count_columns(share, k, own);
        for (int c = 0; c < more; c++, columns++) {
            double *column = dependence.columns + (size_t)columns * (size_t)system->dof;
            put_column(system, &own[c], column);
            double square = tact_vec_dot(system->dof, column, column);
            tact_vec_scale(system->dof, square > 0 ? 1 / sqrt(square) : 0, column);
            dependence.owner[columns] = k;
        }
    }
    tact_dependence_find(&dependence);
    for (int c = 0, k = -1; c < columns; c++) {
        if (dependence.group[c] >= 0 && dependence.owner[c] != k) {
            k = dependence.owner[c];
            int moments = share->active[k].moments;
            for (int m = 0; m <= moments; m++) {
                share->active[kept++] = share->active[k + m];
            }
        }
    }
    share->count = kept;
    tact_arena_destroy(&arena);
    tact_share_sum(share);
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

/// The impulses found, to keep.
static void collect(TactShare *share)
{
    memcpy(share->found.p, share->given.start,
           3 * (size_t)share->system->item_count * sizeof(double));
    for (int k = 0; k < share->count; k++) {
        const TactShareItem *a = &share->active[k];
        double              *own = share->found.p + 3 * (size_t)a->item;
        for (int c = 0; c < 3; c++) {
            own[c] = a->p[c];
        }
    }
}

/// Certifies the impulses kept with the motion of the answer, or the motion they give.
static void certify(TactShare *share, const TactContactAnswer *answer,
                    TactContactCertificate *certificate)
{
    TactContactAnswer made = {.impulse = share->found.impulse,
                              .row_impulse = share->found.row_impulse,
                              .velocity = share->found.velocity};
    bool              expanded = share->problem != share->asked;
    if (expanded) {
        tact_share_give(share);
    } else {
        tact_system_answer(share->system, share->problem, share->found.p, &made);
    }
    share->found.certifier.patches = expanded ? &share->expanded.patches : NULL;
    const double *velocity = answer->velocity ? answer->velocity : share->found.velocity;
    tact_certifier_run(&share->found.certifier, share->problem, share->cone, share->found.impulse,
                       share->found.row_impulse, velocity, certificate);
}

/// Finds impulses and certifies them.
static TactContactSharingOutcome find_least(TactShare *share, double tol,
                                            const TactContactAnswer *answer,
                                            TactContactSharing      *sharing)
{
    if (tact_share_is_unique(share)) {
        return TACT_SHARING_OUTCOME_UNIQUE;
    }
    bool found = tact_share_shape(share) && tact_share_nearest(share);
    sharing->steps += share->dual.factors;
    if (!found) {
        return TACT_SHARING_OUTCOME_KEPT;
    }
    collect(share);
    certify(share, answer, &sharing->certificate);
    return sharing->certificate.error <= tol ? TACT_SHARING_OUTCOME_FOUND
                                             : TACT_SHARING_OUTCOME_KEPT;
}

static TactStatus finish_share(TactShare *share, double tol, const TactContactAnswer *answer,
                               TactContactSharing *sharing)
{
    const TactContactProblem *problem = share->asked;
    *sharing = (TactContactSharing){.outcome = TACT_SHARING_OUTCOME_UNIQUE};
    for (int i = 0; answer->low && i < 3 * problem->contact_count + problem->row_count; i++) {
        if (answer->low[i] != 0) { // doubles would not hold what is found
            sharing->outcome = TACT_SHARING_OUTCOME_KEPT;
            return TACT_OK;
        }
    }
    sharing->outcome = find_least(share, tol, answer, sharing);
    if (sharing->outcome == TACT_SHARING_OUTCOME_KEPT) {
        share->strict = true;
        tact_share_list(share);
        TACT_TRY(leave_unique_out(share));
        sharing->outcome = find_least(share, tol, answer, sharing);
    }
    sharing->norm_before = sharing->norm = sqrt(square_of(share, share->given.start));
    if (sharing->outcome != TACT_SHARING_OUTCOME_FOUND) {
        return TACT_OK;
    }
    sharing->norm = sqrt(square_of(share, share->found.p));
    memcpy(answer->impulse, share->found.impulse,
           3 * (size_t)problem->contact_count * sizeof(double));
    if (answer->row_impulse) {
        memcpy(answer->row_impulse, share->found.row_impulse,
               (size_t)problem->row_count * sizeof(double));
    }
    if (share->problem != problem && answer->moment) {
        memcpy(answer->moment, share->found.moment,
               3 * (size_t)problem->contact_count * sizeof(double));
    }
    return TACT_OK;
}

TactStatus tact_share_run(TactShare *share, const TactContactProblem *problem, TactContactCone cone,
                          double tol, const TactContactAnswer *answer, TactContactSharing *sharing)
{
    TACT_TRY(tact_share_begin(share, problem, cone, answer));
    return finish_share(share, tol, answer, sharing);
}

TactStatus tact_share_run_on(TactShare *share, TactSystem *system,
                             const TactContactProblem *problem, TactContactCone cone, double tol,
                             const TactContactAnswer *answer, TactContactSharing *sharing)
{
    tact_share_begin_on(share, system, problem, cone, answer);
    return finish_share(share, tol, answer, sharing);
}

TactStatus tact_share_check(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    if (problem && problem->blocks && !problem->W) {
        return tact_fail(TACT_UNSUPPORTED, "sharing and ranges need W as a dense matrix, and only "
                                           "blocks are given");
    }
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
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        bool turns = tact_contact_has_moments(&problem->contacts[i / 3]);
        if (turns && !(answer->moment && isfinite(answer->moment[i]))) {
            return tact_fail(answer->moment ? TACT_BAD_INPUT : TACT_BAD_ARGUMENT,
                             "sharing: contact %d has mu_spin or mu_roll, and moment is %s", i / 3,
                             answer->moment ? "not finite" : "NULL");
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

TactStatus tact_share_create(TactShare *share, const TactContactProblem *problem,
                             TactContactCone cone, TactArena *arena)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    if (cone == TACT_CONE_BOX && capacity.patches > 0) {
        return tact_fail(TACT_UNSUPPORTED, "sharing: the friction box takes no mu_spin, mu_roll "
                                           "and mu2");
    }
    tact_share_layout(share, &capacity, arena);
    TACT_TRY(tact_arena_create(arena));
    tact_share_layout(share, &capacity, arena);
    return TACT_OK;
}

TactStatus tact_contact_share(const TactContactProblem *problem, TactContactCone cone, double tol,
                              const TactContactAnswer *answer, TactContactSharing *sharing)
{
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(tact_share_check(problem, answer));
    TactShare          share = {0};
    TactArena          arena = {0};
    TactContactSharing unread;
    TACT_TRY(tact_share_create(&share, problem, cone, &arena));
    TactStatus status =
        tact_share_run(&share, problem, cone, tol, answer, sharing ? sharing : &unread);
    tact_arena_destroy(&arena);
    return status;
}
