#include "contact/newton/coupling.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

// Weight of what all impulses do to an item beside what its own does.
static const double OTHERS = 1e-2;
// Weight of how fast the bodies of an item move.
static const double MOTION = 1e-3;
// Part of it that a moment may be off by, in the units of its contact: mu times its own
// (certify.h).
static const double ROUNDING = 1e-5;
// What impulses may do, over what moves the problem, before they excuse no residual; and the error
// that can be reached all the same.
static const double AMPLIFY = 100;
static const double FINEST = 1e-10;

// Of a pyramid where nobody asked for more.
enum { DIRECTIONS = 8 };

/// Blocks of the largest problem given by W.
static size_t count_blocks(const TactContactCapacity *capacity)
{
    int    most = capacity->dof / 3 < capacity->contacts ? capacity->dof / 3 : capacity->contacts;
    size_t n = (size_t)most;
    return capacity->blocks > 0 ? capacity->blocks : capacity->dense ? n * n : 0;
}

void tact_coupling_layout(TactCoupling *coupling, const TactContactCapacity *capacity,
                          TactArena *arena)
{
    size_t       items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t       dof = (size_t)capacity->dof;
    TactCoupling lent = {
        .own = tact_arena_take(arena, items, sizeof *lent.own),
        .weight = tact_arena_take(arena, items, sizeof(double)),
        .cones = tact_arena_take(arena, items, sizeof *lent.cones),
        .most = capacity->directions > DIRECTIONS ? capacity->directions : DIRECTIONS,
        .start = tact_arena_take(arena, items + 1, sizeof(int)),
        .blocks = tact_arena_take(arena, count_blocks(capacity), sizeof *lent.blocks),
        .y = tact_arena_take(arena, dof, sizeof(double)),
        .load = tact_arena_take(arena, dof, sizeof(double)),
        .own_load = tact_arena_take(arena, dof, sizeof(double)),
    };
    lent.direction = tact_arena_take(arena, items * (size_t)lent.most, sizeof *lent.direction);
    if (arena->block) {
        *coupling = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Blocks

static void read_block(const TactContactProblem *problem, int row, int column, double W[9])
{
    const TactContactBlocks *given = problem->blocks;
    if (given) { // of the diagonal, which is there
        size_t k = given->start[row];
        while (given->column[k] != column) {
            k++;
        }
        memcpy(W, given->value + 9 * k, 9 * sizeof(double));
        return;
    }
    size_t        n = 3 * (size_t)problem->contact_count;
    const double *entry = problem->W + 3 * (size_t)row * n + 3 * (size_t)column;
    for (size_t k = 0; k < 9; k++) {
        W[k] = entry[k / 3 * n + k % 3];
    }
}

/// Lists the blocks of one row of blocks that are not 0. Most are: one sum of magnitudes tells.
static int list_row(const TactSystem *system, const TactContactProblem *problem, int i,
                    TactCouplingBlock *out)
{
    size_t        n = 3 * (size_t)problem->contact_count;
    const double *row = problem->W + 3 * (size_t)system->items[i].source * n;
    int           used = 0;
    for (int j = 0; j < system->item_count; j++) {
        const double *a = row + 3 * (size_t)system->items[j].source;
        const double *b = a + n;
        const double *c = b + n;
        double        sum = ((fabs(a[0]) + fabs(a[1])) + (fabs(a[2]) + fabs(b[0]))) +
                     ((fabs(b[1]) + fabs(b[2])) + (fabs(c[0]) + fabs(c[1]))) + fabs(c[2]);
        if (sum != 0 && j != i) {
            out[used].column = j;
            for (int k = 0; k < 3; k++) {
                out[used].W[4 * k] = a[k];
                out[used].W[4 * k + 1] = b[k];
                out[used].W[4 * k + 2] = c[k];
                out[used].W[4 * k + 3] = 0;
            }
            used++;
        }
    }
    return used;
}

/// The blocks of a problem that has them; items of W are in the order of its contacts.
static void take_blocks(TactCoupling *coupling, const TactContactProblem *problem)
{
    const TactContactBlocks *given = problem->blocks;
    int                      used = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        coupling->start[i] = used;
        for (size_t k = given->start[i]; k < given->start[i + 1]; k++) {
            if (given->column[k] != i) {
                TactCouplingBlock *block = &coupling->blocks[used++];
                const double      *W = given->value + 9 * k;
                block->column = given->column[k];
                for (int c = 0; c < 3; c++) {
                    block->W[4 * c] = W[c];
                    block->W[4 * c + 1] = W[3 + c];
                    block->W[4 * c + 2] = W[6 + c];
                    block->W[4 * c + 3] = 0;
                }
            }
        }
    }
    coupling->start[problem->contact_count] = used;
}

static void list_blocks(TactCoupling *coupling, const TactContactProblem *problem)
{
    const TactSystem *system = coupling->system;
    if (coupling->is_sparse) {
        take_blocks(coupling, problem);
        return;
    }
    coupling->start[0] = 0;
    for (int i = 0; i < system->item_count; i++) {
        int start = coupling->start[i];
        coupling->start[i + 1] = start + list_row(system, problem, i, coupling->blocks + start);
    }
}

/// The diagonal of W_ii of an item that touches what it touches.
static void find_diagonal(const TactSystem *system, int i, double diagonal[3])
{
    int           size = system->groups[system->items[i].group].size;
    const double *n = system->columns + system->column[i], *t1 = n + size, *t2 = t1 + size;
    double        sum[3] = {0, 0, 0};
    for (int s = 0; s < size; s++) { // three sums that do not wait for each other
        sum[0] += n[s] * n[s];
        sum[1] += t1[s] * t1[s];
        sum[2] += t2[s] * t2[s];
    }
    diagonal[0] = sum[0] + system->items[i].compliance;
    diagonal[1] = sum[1];
    diagonal[2] = sum[2];
}

/// The mean of the diagonal over the components that an item has; blocks of a problem given by W.
static void weigh_item(TactCoupling *coupling, const TactContactProblem *problem, int i)
{
    const TactSystem *system = coupling->system;
    const TactItem   *item = &system->items[i];
    double            diagonal[3];
    if (coupling->has_blocks) {
        double W[9];
        read_block(problem, item->source, item->source, W);
        W[0] += item->compliance;
        tact_one_contact_prepare(&coupling->own[i], W, item->mu);
        diagonal[0] = W[0];
        diagonal[1] = W[4];
        diagonal[2] = W[8];
    } else {
        find_diagonal(system, i, diagonal);
    }
    if (item->kind == TACT_ITEM_MOMENT) { // bound: its own is about that (disc/link.h)
        coupling->weight[i] = coupling->weight[item->owner];
        return;
    }
    double components = item->kind == TACT_ITEM_CONTACT ? 3 : 1;
    double mean = (diagonal[0] + diagonal[1] + diagonal[2]) / components;
    coupling->weight[i] = mean > 0 ? mean : 1;
}

void tact_coupling_need_own(TactCoupling *coupling)
{
    for (int i = 0; i < coupling->system->item_count && !coupling->has_own; i++) {
        double W[9];
        tact_coupling_block(coupling, i, i, W);
        tact_one_contact_prepare(&coupling->own[i], W, coupling->system->items[i].mu);
    }
    coupling->has_own = true;
}

/// Pyramids of contacts that have the same directions share them.
static void set_cone(TactCoupling *coupling, TactContactCone cone, int i)
{
    const TactItem *item = &coupling->system->items[i];
    const TactItem *last = i > 0 ? item - 1 : item;
    bool            moment = item->kind == TACT_ITEM_MOMENT && item->directions > 2;
    bool pyramid = cone == TACT_CONE_PYRAMID && (item->kind == TACT_ITEM_CONTACT || moment);
    if (i > 0 && last->kind == item->kind && last->directions == item->directions &&
        last->turn == item->turn) {
        coupling->cones[i] = coupling->cones[i - 1];
        coupling->cones[i].mu = item->mu;
    } else {
        tact_pyramid_set(&coupling->cones[i], item->mu, pyramid ? item->directions : 0, item->turn,
                         coupling->direction + i * coupling->most);
    }
}

/// What the free motion adds to the scales of the items of a group: a part of |C_i'| |y0|.
static void add_motion(TactCoupling *coupling, const TactItemGroup *group)
{
    const TactSystem *system = coupling->system;
    const int        *support = system->support + group->support;
    double           *motion = coupling->motion;
    for (int s = 0; s < group->size; s++) {
        coupling->own_load[s] = fabs(system->y0[support[s]]);
    }
    tact_coupling_feel_group(system, group, coupling->own_load, motion);
    for (int i = group->first; i < group->first + group->count; i++) {
        const TactItem *item = &system->items[i];
        motion[i] *= MOTION;
        if (item->kind == TACT_ITEM_MOMENT) {
            motion[i] += ROUNDING / MOTION * motion[item->owner] / item->mu;
        }
    }
}

void tact_coupling_begin(TactCoupling *coupling, const TactSystem *system,
                         const TactContactProblem *problem, TactContactCone cone, double *motion)
{
    coupling->system = system;
    coupling->motion = motion;
    coupling->has_blocks = tact_contact_has_W(problem);
    coupling->is_sparse = problem->blocks != NULL;
    if (coupling->is_sparse) {
        coupling->pattern =
            (TactPattern){problem->contact_count, problem->blocks->start, problem->blocks->column};
    }
    if (coupling->has_blocks) {
        list_blocks(coupling, problem);
    } else {
        memcpy(coupling->y, system->y0, (size_t)system->dof * sizeof(double));
    }
    coupling->has_own = coupling->has_blocks;
    int at = 0; // item
    // Group by group, so that columns are gone through once; W has items without groups.
    for (int g = 0; g < system->group_count && motion; g++) {
        const TactItemGroup *group = &system->groups[g];
        for (; at < group->first + group->count; at++) {
            weigh_item(coupling, problem, at);
            set_cone(coupling, cone, at);
        }
        add_motion(coupling, group);
    }
    for (; at < system->item_count; at++) {
        weigh_item(coupling, problem, at);
        set_cone(coupling, cone, at);
    }
}

void tact_coupling_block(const TactCoupling *coupling, int i, int j, double W[9])
{
    if (!coupling->has_blocks) {
        double block[3][3];
        tact_system_block(coupling->system, i, j, block);
        memcpy(W, block, sizeof block);
        W[0] += i == j ? coupling->system->items[i].compliance : 0;
        return;
    }
    if (i == j) {
        memcpy(W, coupling->own[i].W, 9 * sizeof(double));
        return;
    }
    int low = coupling->start[i];
    int high = coupling->start[i + 1];
    while (low < high) { // columns ascend
        int middle = (low + high) / 2;
        if (coupling->blocks[middle].column < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < coupling->start[i + 1] && coupling->blocks[low].column == j;
    for (int k = 0; k < 9; k++) {
        W[k] = found ? coupling->blocks[low].W[4 * (k % 3) + k / 3] : 0;
    }
}

// ---------------------------------------------------------------------------------------------
// Motion

/// u += W p
TACT_LANES_INLINE void add_product(const double W[9], const double p[3], double u[3])
{
    for (int c = 0; c < 3; c++) {
        u[c] += W[3 * c] * p[0] + W[3 * c + 1] * p[1] + W[3 * c + 2] * p[2];
    }
}

/// u += sum of W_ij p_j over j != i
TACT_LANES_INLINE void add_others(const TactCoupling *coupling, int i, const double *p, double u[3])
{
    const TactCouplingBlock *block = coupling->blocks + coupling->start[i];
    const TactCouplingBlock *end = coupling->blocks + coupling->start[i + 1];
    TactLanes                sum = {u[0], u[1], u[2], 0};
    for (; block < end; block++) {
        const double *x = p + 3 * block->column;
        sum += (TACT_LANES_AT(block->W) * TACT_LANES_ALL(x[0]) +
                TACT_LANES_AT(block->W + 4) * TACT_LANES_ALL(x[1])) +
               TACT_LANES_AT(block->W + 8) * TACT_LANES_ALL(x[2]);
    }
    u[0] = sum[0];
    u[1] = sum[1];
    u[2] = sum[2];
}

/// b_i + sum of W_ij p_j over j != i
TACT_CLONES static void others_from_blocks(const TactCoupling *coupling, int i, const double *p,
                                           double u[3])
{
    memcpy(u, coupling->system->b + 3 * i, 3 * sizeof(double));
    add_others(coupling, i, p, u);
}

/// u = W p, and b or 0
TACT_CLONES static void multiply_blocks(const TactCoupling *coupling, const double *b,
                                        const double *p, double *u)
{
    for (int i = 0; i < coupling->system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            u[3 * i + c] = b ? b[3 * i + c] : 0;
        }
        add_others(coupling, i, p, u + 3 * i);
        add_product(coupling->own[i].W, p + 3 * i, u + 3 * i);
    }
}

void tact_coupling_multiply(const TactCoupling *coupling, const double *p, double *u)
{
    multiply_blocks(coupling, NULL, p, u);
}

void tact_coupling_set(TactCoupling *coupling, const double *p)
{
    if (!coupling->has_blocks) {
        tact_system_move(coupling->system, p, coupling->y, NULL);
    }
}

void tact_coupling_move(TactCoupling *coupling, const double *p, double *u)
{
    const TactSystem *system = coupling->system;
    if (!coupling->has_blocks) {
        tact_system_move(system, p, coupling->y, u);
        return;
    }
    multiply_blocks(coupling, system->b, p, u);
}

// ---------------------------------------------------------------------------------------------
// One item

static void solve_item(const TactCoupling *coupling, int i, const double b[3], double p[3])
{
    const TactItem       *item = &coupling->system->items[i];
    const TactOneContact *own = &coupling->own[i];
    switch (item->kind) {
    case TACT_ITEM_CONTACT:
        if (coupling->cones[i].count > 0) {
            tact_pyramid_solve(&coupling->cones[i], own, b, p);
        } else {
            tact_one_contact_solve(own, b, p);
        }
        break;
    case TACT_ITEM_UNILATERAL: p[0] = tact_one_contact_unilateral(own->W[0], b[0]); break;
    case TACT_ITEM_MOTOR: p[1] = tact_one_contact_motor(own->W[4], b[1], item->bound); break;
    case TACT_ITEM_MOMENT: break; // of linked systems only, which are for pivots
    }
}

double tact_coupling_visit(TactCoupling *coupling, int i, double *p)
{
    if (!coupling->has_own) {
        tact_coupling_need_own(coupling);
    }
    const TactSystem *system = coupling->system;
    const double     *W = coupling->own[i].W;
    double           *mine = p + 3 * i;
    double            old[3] = {mine[0], mine[1], mine[2]};
    double            b[3], off[3] = {0};
    if (coupling->has_blocks) {
        others_from_blocks(coupling, i, p, b);
    } else {
        double minus[3] = {-old[0], -old[1], -old[2]};
        tact_system_pull(system, i, coupling->y, b);
        for (int c = 0; c < 3; c++) {
            b[c] += system->e[3 * i + c];
        }
        b[0] += system->items[i].compliance * old[0];
        add_product(W, minus, b);
    }
    solve_item(coupling, i, b, mine);
    double change[3] = {mine[0] - old[0], mine[1] - old[1], mine[2] - old[2]};
    if (change[0] == 0 && change[1] == 0 && change[2] == 0) {
        return 0;
    }
    if (!coupling->has_blocks) {
        tact_system_push(system, i, change, coupling->y);
    }
    add_product(W, change, off);
    return fmax(fabs(off[0]), fmax(fabs(off[1]), fabs(off[2])));
}

// ---------------------------------------------------------------------------------------------
// Error

TACT_CLONES void tact_coupling_load_group(const TactSystem *system, const TactItemGroup *group,
                                          const double *p, double *restrict own)
{
    int size = group->size;
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *C = system->columns + system->column[i];
        double        n = fabs(p[3 * i]), t1 = fabs(p[3 * i + 1]), t2 = fabs(p[3 * i + 2]);
        for (int s = 0; s < size; s++) {
            own[s] += (fabs(C[s]) * n + fabs(C[size + s]) * t1) + fabs(C[2 * size + s]) * t2;
        }
    }
}

/// load = |C| |p|, so that |C_i'| load is what all impulses do to item i.
static void sum_load(TactCoupling *coupling, const double *p)
{
    const TactSystem *system = coupling->system;
    memset(coupling->load, 0, (size_t)system->dof * sizeof(double));
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        memset(coupling->own_load, 0, (size_t)group->size * sizeof(double));
        tact_coupling_load_group(system, group, p, coupling->own_load);
        for (int s = 0; s < group->size; s++) {
            coupling->load[support[s]] += coupling->own_load[s];
        }
    }
}

TACT_CLONES void tact_coupling_feel_group(const TactSystem *system, const TactItemGroup *group,
                                          const double *own, double *felt)
{
    int size = group->size;
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *C = system->columns + system->column[i];
        double        most = 0;
        int           first = system->items[i].kind == TACT_ITEM_MOMENT; // it only listens to n
        C += first * size;
        for (int c = first; c < 3; c++, C += size) {
            TactLanes four = TACT_LANES_ALL(0.0);
            double    rest = 0;
            int       s = 0;
            for (; s + 4 <= size; s += 4) {
                TactLanes entry = TACT_LANES_AT(C + s);
                four += TACT_LANES_ABS(entry) * TACT_LANES_AT(own + s);
            }
            for (; s < size; s++) {
                rest += fabs(C[s]) * own[s];
            }
            double sum = ((four[0] + four[1]) + (four[2] + four[3])) + rest;
            most = sum > most ? sum : most;
        }
        felt[i] = most;
    }
}

/// |W_i| |p|, the largest of its components, of a problem given by W
static double felt_from_blocks(const TactCoupling *coupling, int i, const double *p)
{
    double felt[3] = {0};
    for (int k = coupling->start[i]; k < coupling->start[i + 1]; k++) {
        const TactCouplingBlock *block = &coupling->blocks[k];
        const double            *x = p + 3 * block->column;
        for (int e = 0; e < 9; e++) {
            felt[e / 3] += fabs(block->W[4 * (e % 3) + e / 3] * x[e % 3]);
        }
    }
    return fmax(felt[0], fmax(felt[1], felt[2]));
}

/// |C_i'| load, or |W_i| |p|, of all items, the largest of the components.       felt: (items)
static void feel_loads(const TactCoupling *coupling, const double *p, double *felt)
{
    const TactSystem *system = coupling->system;
    for (int i = 0; i < system->item_count && coupling->has_blocks; i++) {
        felt[i] = felt_from_blocks(coupling, i, p);
    }
    for (int g = 0; g < system->group_count && !coupling->has_blocks; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        for (int s = 0; s < group->size; s++) {
            coupling->own_load[s] = coupling->load[support[s]];
        }
        tact_coupling_feel_group(system, group, coupling->own_load, felt);
    }
}

static double length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/// |b_i| of the components that an item pushes.
static double free_speed(const TactSystem *system, int i)
{
    const double *b = system->b + 3 * i;
    bool          moment = system->has_moments && system->items[i].kind == TACT_ITEM_MOMENT;
    return moment ? sqrt(b[1] * b[1] + b[2] * b[2]) : length(b);
}

double tact_coupling_scale(const TactCoupling *coupling, int i, const double p[3], double felt)
{
    double free = free_speed(coupling->system, i);
    double own = coupling->weight[i] * length(p);
    double scale = own + OTHERS * (felt + free);
    return scale + (coupling->motion ? coupling->motion[i] : 0);
}

void tact_coupling_scales(TactCoupling *coupling, const double *p, double *scale)
{
    const TactSystem *system = coupling->system;
    if (!coupling->has_blocks) {
        sum_load(coupling, p);
    }
    feel_loads(coupling, p, scale);
    for (int i = 0; i < system->item_count; i++) {
        scale[i] = tact_coupling_scale(coupling, i, p + 3 * i, scale[i]);
    }
}

double tact_coupling_tolerance(const TactCoupling *coupling, const double *scale, double tol)
{
    const TactSystem *system = coupling->system;
    double            most = 0, motion = 0;
    for (int i = 0; i < system->item_count; i++) {
        most = fmax(most, scale[i]);
        motion = fmax(motion, free_speed(system, i));
    }
    double stricter = tol * AMPLIFY * motion / most;
    return stricter < tol ? fmax(stricter, fmin(tol, FINEST)) : tol;
}

/// w |x - P(x - u / w)| of a moment, P onto its disc or polygon at that load.
static double moment_residual(const TactPyramid *cone, double w, double load, const double p[3],
                              const double u[3])
{
    double radius = cone->mu * fmax(load, 0);
    double z[2] = {p[1] - u[1] / w, p[2] - u[2] / w}, x[2] = {z[0], z[1]};
    if (cone->count == 0) {
        double size = sqrt(z[0] * z[0] + z[1] * z[1]), part = size > radius ? radius / size : 1;
        x[0] *= part;
        x[1] *= part;
    } else {
        TactPyramidFace  face = {0};
        TactPyramidPlace place = tact_pyramid_nearest(cone, radius, z, &face);
        double           along = face.along[0] * z[0] + face.along[1] * z[1];
        for (int k = 0; k < 2 && place != TACT_PYRAMID_INSIDE; k++) {
            x[k] = radius * face.reach * face.outward[k] +
                   (place == TACT_PYRAMID_EDGE ? along * face.along[k] : 0);
        }
    }
    return w * sqrt((p[1] - x[0]) * (p[1] - x[0]) + (p[2] - x[1]) * (p[2] - x[1]));
}

static double item_residual(const TactItem *item, const TactPyramid *cone, double w,
                            const double p[3], const double u[3])
{
    if (item->kind == TACT_ITEM_UNILATERAL) {
        return fabs(fmin(w * p[0], u[0]));
    }
    if (item->kind == TACT_ITEM_MOTOR) {
        double moved = fmax(-item->bound, fmin(p[1] - u[1] / w, item->bound));
        return w * fabs(p[1] - moved);
    }
    double slip = tact_pyramid_support(cone, u + 1);
    double z[3] = {p[0] - (u[0] + item->mu * slip) / w, p[1] - u[1] / w, p[2] - u[2] / w}, x[3];
    tact_pyramid_project(cone, z, x, NULL);
    double off[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
    return w * length(off);
}

double tact_coupling_residual(const TactCoupling *coupling, int i, const double p[3],
                              const double u[3])
{
    const TactItem *item = &coupling->system->items[i];
    if (item->kind == TACT_ITEM_MOMENT) {
        return moment_residual(&coupling->cones[i], coupling->weight[i], p[3 * (item->owner - i)],
                               p, u);
    }
    return item_residual(item, &coupling->cones[i], coupling->weight[i], p, u);
}

double tact_coupling_error(const TactCoupling *coupling, const double *p, const double *u,
                           const double *scale, int *worst)
{
    double error = 0;
    int    at = -1;
    for (int i = 0; i < coupling->system->item_count; i++) {
        double residual = tact_coupling_residual(coupling, i, p + 3 * i, u + 3 * i);
        double relative = residual == 0 ? 0 : residual / scale[i];
        if (!(relative <= error)) { // also NaN
            error = relative;
            at = i;
        }
    }
    if (worst) {
        *worst = at;
    }
    return error;
}
