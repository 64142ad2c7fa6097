#include "contact/pile/local.h"

#include <math.h>
#include <string.h>

// Springs of the first stage, in units of w, about the impulses that are there; factors of the
// path. (One from nothing, of 300 factors, solved 71 of 546 spots that were left, and took three
// quarters of the time.)
static const double NEAR_EPS = 1e-3;
enum { NEAR_FACTORS = 30 };

// Pivots of a path, and pyramids of a circle.
enum { PIVOTS = 2000, TURNS = 12 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

void tact_pile_local_layout(TactPileLocal *local, const TactContactCapacity *capacity,
                            TactArena *arena)
{
    size_t              nodes = ((size_t)capacity->dof + TACT_PILE_NODE - 1) / TACT_PILE_NODE;
    TactContactCapacity own = *capacity;
    own.contacts = least(capacity->contacts + capacity->rows, TACT_PILE_LOCAL_ITEMS);
    own.rows = 0;
    own.dof = TACT_PILE_NODE * least((int)nodes, TACT_PILE_LOCAL_NODES);
    TactContactCapacity pivoting = own;
    pivoting.contacts = least(own.contacts, TACT_PILE_PIVOT_ITEMS);
    pivoting.dof = least(own.dof, TACT_PILE_NODE * TACT_PILE_PIVOT_NODES);
    size_t        items = (size_t)own.contacts, dof = (size_t)own.dof;
    TactPileLocal lent = {
        .most_items = own.contacts,
        .most_nodes = own.dof / TACT_PILE_NODE,
        .place = tact_arena_take(arena, nodes, sizeof(int)),
        .node = tact_arena_take(arena, dof / TACT_PILE_NODE, sizeof(int)),
        .item = tact_arena_take(arena, items, sizeof(int)),
        .p = tact_arena_take(arena, 3 * items, sizeof(double)),
        .u = tact_arena_take(arena, 3 * items, sizeof(double)),
        .scale = tact_arena_take(arena, items, sizeof(double)),
        .part =
            {
                .items = tact_arena_take(arena, items + 8, sizeof(TactItem)), // whole vectors
                .groups = tact_arena_take(arena, items, sizeof(TactItemGroup)),
                .support = tact_arena_take(arena, items * (size_t)own.support, sizeof(int)),
                .column = tact_arena_take(arena, items, sizeof(size_t)),
                .y0 = tact_arena_take(arena, dof, sizeof(double)),
                .e = tact_arena_take(arena, 3 * items, sizeof(double)),
                .b = tact_arena_take(arena, 3 * items + 24, sizeof(double)),
                .columns_built = true,
            },
        .coupling =
            {
                .weight = tact_arena_take(arena, items, sizeof(double)),
                .cones = tact_arena_take(arena, items, sizeof(TactPyramid)),
                .y = tact_arena_take(arena, dof, sizeof(double)),
                .load = tact_arena_take(arena, dof, sizeof(double)),
                .own_load = tact_arena_take(arena, dof, sizeof(double)),
                .motion = tact_arena_take(arena, items, sizeof(double)),
            },
    };
    tact_proximal_layout(&lent.proximal, &own, arena);
    tact_kernel_layout(&lent.kernel, &pivoting, arena);
    tact_turning_layout(&lent.turning, &pivoting, arena);
    if (arena->block) {
        memset(lent.place, -1, nodes * sizeof(int));
        *local = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Taking

/// Nodes of the spot's groups get places; false if there are too many.
static bool place_nodes(TactPileLocal *local, const TactSystem *system, const int *groups,
                        int count)
{
    int nodes = 0;
    for (int k = 0; k < count; k++) {
        const TactItemGroup *group = &system->groups[groups[k]];
        for (int s = 0; s < group->size; s++) {
            int node = system->support[group->support + s] / TACT_PILE_NODE;
            if (local->place[node] >= 0) {
                continue;
            }
            if (nodes == local->most_nodes) {
                local->part.dof = TACT_PILE_NODE * nodes;
                return false;
            }
            local->place[node] = nodes;
            local->node[nodes++] = node;
        }
    }
    local->part.dof = TACT_PILE_NODE * nodes;
    return true;
}

static void unplace_nodes(TactPileLocal *local)
{
    for (int k = 0; k < local->part.dof / TACT_PILE_NODE; k++) {
        local->place[local->node[k]] = -1;
    }
}

/// Item i of the pile joins the group that was opened last; y0 loses what it does.
static void take_item(TactPileLocal *local, const TactCoupling *pile, int i, const double *p)
{
    TactSystem   *part = &local->part;
    TactCoupling *coupling = &local->coupling;
    int           to = part->item_count++;
    double        minus[3];
    local->item[to] = i;
    part->items[to] = pile->system->items[i];
    part->items[to].group = part->group_count;
    if (part->items[to].kind == TACT_ITEM_MOMENT) { // its contact is in the same group
        part->items[to].owner += to - i;
        part->has_moments = true;
    }
    part->column[to] = pile->system->column[i];
    coupling->weight[to] = pile->weight[i];
    coupling->cones[to] = pile->cones[i];
    coupling->motion[to] = pile->motion ? pile->motion[i] : 0;
    for (int c = 0; c < 3; c++) {
        local->p[3 * to + c] = p[3 * i + c];
        part->e[3 * to + c] = pile->system->e[3 * i + c];
        minus[c] = -p[3 * i + c];
    }
    tact_system_push(part, to, minus, part->y0);
}

static void take_group(TactPileLocal *local, const TactCoupling *pile, int g, const double *p,
                       int *supports)
{
    const TactSystem    *system = pile->system;
    const TactItemGroup *from = &system->groups[g];
    TactSystem          *part = &local->part;
    TactItemGroup       *group = &part->groups[part->group_count];
    *group = *from;
    group->first = part->item_count;
    group->support = *supports;
    group->soa = 3 * (size_t)part->stride; // so far: of all groups before
    part->stride += from->size * from->stride;
    for (int s = 0; s < from->size; s++) {
        int j = system->support[from->support + s];
        part->support[(*supports)++] =
            TACT_PILE_NODE * local->place[j / TACT_PILE_NODE] + j % TACT_PILE_NODE;
    }
    for (int i = from->first; i < from->first + from->count; i++) {
        take_item(local, pile, i, p);
    }
    part->group_count++;
}

/// The spot as a system, with y0 what is left of the motion y without the spot's own impulses.
static void take(TactPileLocal *local, const TactCoupling *pile, const int *groups, int count,
                 const double *p, const double *y)
{
    TactSystem *part = &local->part;
    int         supports = 0;
    part->columns = pile->system->columns;
    part->item_count = part->group_count = part->stride = 0;
    part->has_moments = false;
    for (int k = 0; k < part->dof; k++) {
        int j = TACT_PILE_NODE * local->node[k / TACT_PILE_NODE] + k % TACT_PILE_NODE;
        part->y0[k] = j < pile->system->dof ? y[j] : 0;
    }
    for (int k = 0; k < count; k++) {
        take_group(local, pile, groups[k], p, &supports);
    }
    for (int i = 0; i < part->item_count; i++) {
        double *b = part->b + 3 * i;
        tact_system_pull(part, i, part->y0, b);
        for (int c = 0; c < 3; c++) {
            b[c] += part->e[3 * i + c];
        }
    }
    part->stride = TACT_SYSTEM_STRIDE(part->item_count);
    local->coupling.system = part;
    local->coupling.has_blocks = false;
}

// ---------------------------------------------------------------------------------------------
// Solving

/// Error over the tolerance.
static double measure(TactPileLocal *local, double tol)
{
    TactCoupling *coupling = &local->coupling;
    tact_coupling_move(coupling, local->p, local->u);
    tact_coupling_scales(coupling, local->p, local->scale);
    return tact_coupling_error(coupling, local->p, local->u, local->scale, NULL) /
           tact_coupling_tolerance(coupling, local->scale, tol);
}

static bool run_path(TactPileLocal *local, double eps, int factors, double tol)
{
    TactProximal *proximal = &local->proximal;
    proximal->steps = proximal->stages = 0;
    proximal->most = factors;
    tact_coupling_set(&local->coupling, local->p);
    bool solved = tact_proximal_run(proximal, local->coupling.y, eps, tol, local->p);
    local->factors += proximal->steps;
    return solved && measure(local, tol) <= 1;
}

/// Lemke's path, for few contacts of few bodies.
static bool run_pivots(TactPileLocal *local, double tol)
{
    TactContactReport report = {0};
    const TactSystem *part = &local->part;
    TactTurningStart  start = {0};
    bool              circle = true;
    for (int i = 0; i < part->item_count; i++) {
        circle = circle && local->coupling.cones[i].count == 0;
    }
    if (part->has_moments || part->item_count > TACT_PILE_PIVOT_ITEMS ||
        part->dof > TACT_PILE_NODE * TACT_PILE_PIVOT_NODES) {
        return false;
    }
    memset(local->p, 0, 3 * (size_t)part->item_count * sizeof(double));
    if (circle) {
        tact_turning_solve(&local->turning, &local->kernel, part, &start, TURNS, TACT_TURNING_TOL,
                           local->p, &report);
    } else {
        tact_reduced_solve(&local->kernel, part, NULL, PIVOTS, local->p, &report);
    }
    local->pivots += report.pivots;
    return measure(local, tol) <= 1; // however it ended
}

static bool solve_part(TactPileLocal *local, double tol)
{
    if (!tact_proximal_begin(&local->proximal, &local->coupling)) {
        return false;
    }
    return measure(local, tol) <= 1 || run_path(local, NEAR_EPS, NEAR_FACTORS, tol) ||
           run_pivots(local, tol);
}

/// p and y of the pile with the impulses of the part.
static void put(const TactPileLocal *local, const TactSystem *system, double *p, double *y)
{
    for (int k = 0; k < local->part.item_count; k++) {
        double *own = p + 3 * local->item[k], change[3];
        for (int c = 0; c < 3; c++) {
            change[c] = local->p[3 * k + c] - own[c];
            own[c] = local->p[3 * k + c];
        }
        tact_system_push(system, local->item[k], change, y);
    }
}

bool tact_pile_local_solve(TactPileLocal *local, const TactCoupling *pile,
                           const TactPileSpots *spots, int spot, double tol, double *p, double *y)
{
    const int *groups = spots->group + spots->start[spot];
    int        count = spots->start[spot + 1] - spots->start[spot];
    bool       solved = false;
    if (spots->items[spot] > local->most_items) {
        return false;
    }
    if (place_nodes(local, pile->system, groups, count)) {
        take(local, pile, groups, count, p, y);
        solved = solve_part(local, tol);
        if (solved) {
            put(local, pile->system, p, y);
        }
    }
    unplace_nodes(local);
    return solved;
}
