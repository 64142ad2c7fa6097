// Impulses of the rows of loops and couplings that depend on each other: of all that give the same
// sum J' l, those of least norm. docs/theory/sharing.md, (9) to (11).
//
// The norm is a sum over equalities, each of which has one that does not depend on its axes, on the
// point that its forces are told at, on the order of its bodies and on the order of equalities:
//
//     connect    |f|^2
//     weld       |f|^2 + |m + (p - c) x f|^2 / r^2        c, r of the two bodies, (10)
//     coupling   l^2 J M^-1 J' / w                        w of the connects and welds beside it
//
// A piece has the matrix S = L L' of its norm: x = L' l, and x' (L^-1 J) = l' J.
#include "sim/readout/share_loops.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "linalg/rank.h"
#include "sim/readout/readout.h"

static const double MOST_WORK = 2e7; // operations of a factor: larger islands are left alone
static const double ENOUGH = 1e-10;  // of the load: what impulses may change of the motion
static const double UNLOADED = 1e-3; // of the largest load: less is none (share_newton.c)

static bool is_pair(const TactModel *model, TactRowSource source)
{
    TactEqualityType type = source.type == TACT_OBJECT_EQUALITY
                                ? model->equalities[source.index].type
                                : TACT_EQUALITY_JOINT;
    return type == TACT_EQUALITY_CONNECT || type == TACT_EQUALITY_WELD;
}

bool tact_share_loops_has(const TactSim *sim)
{
    for (int k = 0; k < sim->last.row_count; k++) {
        if (sim->last.row_sources[k].type == TACT_OBJECT_EQUALITY) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Which rows

/// Rows from `first` on that are one piece: those of a connect or weld, or one.
static int end_of_piece(const TactSim *sim, int first)
{
    const TactRowSource *source = &sim->last.row_sources[first];
    int                  end = first + 1;
    while (is_pair(sim->model, *source) && end < sim->last.row_count &&
           sim->last.row_sources[end].type == source->type &&
           sim->last.row_sources[end].index == source->index) {
        end++;
    }
    return end;
}

/// The island of a piece; rows of it that move nothing belong to none. -1: none.
static int island_of_piece(const TactSim *sim, int first, int end)
{
    const TactSimIslands *islands = &sim->islands;
    for (int r = first; r < end; r++) {
        if (islands->row_tree[r] >= 0 && sim->rows.rows[r].kind == TACT_ROW_BILATERAL) {
            return islands->island_of[islands->row_tree[r]];
        }
    }
    return -1;
}

/// Counts the rows of an island, or lists them.
static int list_rows(const TactSim *sim, int island, TactLoopShare *to)
{
    int count = 0;
    for (int first = 0, end; first < sim->last.row_count; first = end) {
        end = end_of_piece(sim, first);
        if (island_of_piece(sim, first, end) != island) {
            continue;
        }
        for (int r = first; r < end; r++, count++) {
            if (to) {
                to->rows[count] = r;
                to->piece[count] = count - (r - first);
            }
        }
    }
    return count;
}

static int list_dofs(const TactSim *sim, const TactSimIsland *island, int *dofs)
{
    const TactSimIslands *islands = &sim->islands;
    int                   count = 0;
    for (int k = 0; k < island->tree_count; k++) {
        int tree = islands->trees[island->first_tree + k];
        for (int i = islands->first_dof[tree]; i < islands->first_dof[tree + 1]; i++, count++) {
            if (dofs) {
                dofs[count] = i;
            }
        }
    }
    return count;
}

static void layout_loops(TactLoopShare *loops, int rows, int dofs, TactArena *arena)
{
    size_t n = (size_t)rows;
    loops->rows = tact_arena_take(arena, n, sizeof(int));
    loops->piece = tact_arena_take(arena, n, sizeof(int));
    loops->dofs = tact_arena_take(arena, (size_t)dofs, sizeof(int));
    loops->L = tact_arena_take(arena, TACT_LOOP_ROWS * n, sizeof(double));
    loops->before = tact_arena_take(arena, n, sizeof(double));
    loops->x = tact_arena_take(arena, n, sizeof(double));
    tact_row_space_layout(&loops->space, rows, dofs, arena);
}

static TactStatus reserve_loops(TactLoopShare *loops, int rows, int dofs)
{
    if (rows <= loops->row_room && dofs <= loops->dof_room) {
        return TACT_OK;
    }
    loops->row_room = tact_larger_int(rows, loops->row_room);
    loops->dof_room = tact_larger_int(dofs, loops->dof_room);
    tact_arena_destroy(&loops->arena);
    loops->arena = (TactArena){0};
    layout_loops(loops, loops->row_room, loops->dof_room, &loops->arena);
    TactStatus status = tact_arena_create(&loops->arena);
    if (status != TACT_OK) {
        loops->row_room = loops->dof_room = 0;
        return status;
    }
    layout_loops(loops, loops->row_room, loops->dof_room, &loops->arena);
    return TACT_OK;
}

void tact_share_loops_destroy(TactLoopShare *loops)
{
    tact_arena_destroy(&loops->arena);
}

// ---------------------------------------------------------------------------------------------
// Norms

/// What two bodies are to a force between them: 1/m and 1/I are sums of those of both links.
typedef struct Pair {
    double   inverse_mass;
    double   radius; // r, m
    TactVec3 centre; // c, world
} Pair;

static Pair find_pair(const TactDynamics *d, const TactEquality *equality, TactVec3 point)
{
    const int bodies[2] = {equality->a, equality->b};
    double    inverse_inertia = 0;
    Pair      pair = {.centre = {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        int                link = d->link_of[bodies[side]];
        const TactInertia *own = &d->links[link].inertia;
        const double      *I = &own->rotary.m[0][0];
        double             mean = (I[0] + I[4] + I[8]) / 3;
        if (link > 0 && own->mass > 0 && mean > 0) {
            pair.inverse_mass += 1 / own->mass;
            inverse_inertia += 1 / mean;
            pair.centre = tact_vec3_add_scaled(pair.centre, 1 / own->mass, d->com[link]);
        }
    }
    bool massless = pair.inverse_mass == 0;
    pair.centre = massless ? point : tact_vec3_scale(1 / pair.inverse_mass, pair.centre);
    pair.radius = massless ? 1 : sqrt(pair.inverse_mass / inverse_inertia);
    return pair;
}

/// A of |A (f, m)|^2, in the axes of a.                                               (6 x 6)
static void weld_norm(const TactSim *sim, const TactEquality *equality, double A[6][6])
{
    const TactDynamics *d = sim->dynamics;
    TactVec3            point = tact_transform_point(d->pose[equality->b], equality->anchor_b);
    Pair                pair = find_pair(d, equality, point);
    TactVec3            arm = tact_quat_rotate_back(d->pose[equality->a].rotation,
                                                    tact_vec3_subtract(point, pair.centre));
    const double        cross[3][3] = {{0, -arm.z, arm.y}, {arm.z, 0, -arm.x}, {-arm.y, arm.x, 0}};
    memset(A, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        A[i][i] = 1;
        A[3 + i][3 + i] = 1 / pair.radius;
        for (int j = 0; j < 3; j++) {
            A[3 + i][j] = cross[i][j] / pair.radius;
        }
    }
}

/// 1 / m of the equalities between bodies, in the mean; 1 without any.
static double mean_inverse_mass(const TactLoopShare *loops, const TactSim *sim)
{
    double sum = 0;
    int    count = 0;
    for (int k = 0; k < loops->count; k++) {
        TactRowSource source = sim->last.row_sources[loops->rows[k]];
        if (loops->piece[k] == k && is_pair(sim->model, source)) {
            const TactEquality *equality = &sim->model->equalities[source.index];
            sum += find_pair(sim->dynamics, equality, (TactVec3){0, 0, 0}).inverse_mass;
            count++;
        }
    }
    return sum > 0 ? sum / count : 1;
}

/// J M^-1 J' of a row.
static double inverse_inertia_of(TactSim *sim, int row)
{
    const double *J = sim->rows.rows[row].J;
    double       *x = sim->readout->work, sum = 0;
    memcpy(x, J, (size_t)sim->model->nv * sizeof *x);
    tact_dynamics_solve_mass(sim->dynamics, x);
    for (int i = 0; i < sim->model->nv; i++) {
        sum += J[i] * x[i];
    }
    return sum;
}

/// L of the piece from place k on, of n rows: by Cholesky of S.
static void factor_piece(TactLoopShare *loops, const TactSim *sim, int k, int n)
{
    TactRowSource source = sim->last.row_sources[loops->rows[k]];
    double        A[6][6];
    double       *L = loops->L + (size_t)TACT_LOOP_ROWS * (size_t)k;
    weld_norm(sim, &sim->model->equalities[source.index], A);
    for (int i = 0; i < n; i++) {
        int part_i = sim->last.row_sources[loops->rows[k + i]].part;
        for (int j = 0; j <= i; j++) {
            int    part_j = sim->last.row_sources[loops->rows[k + j]].part;
            double sum = 0;
            for (int r = 0; r < 6; r++) {
                sum += A[r][part_i] * A[r][part_j];
            }
            for (int r = 0; r < j; r++) {
                sum -= L[TACT_LOOP_ROWS * i + r] * L[TACT_LOOP_ROWS * j + r];
            }
            L[TACT_LOOP_ROWS * i + j] = i == j ? sqrt(sum) : sum / L[TACT_LOOP_ROWS * j + j];
        }
    }
}

static void find_norms(TactLoopShare *loops, TactSim *sim)
{
    double mean = mean_inverse_mass(loops, sim);
    memset(loops->L, 0, (size_t)TACT_LOOP_ROWS * (size_t)loops->count * sizeof(double));
    for (int k = 0, end; k < loops->count; k = end) {
        TactRowSource source = sim->last.row_sources[loops->rows[k]];
        for (end = k + 1; end < loops->count && loops->piece[end] == k;) {
            end++;
        }
        bool pair = is_pair(sim->model, source);
        if (pair && sim->model->equalities[source.index].type == TACT_EQUALITY_WELD) {
            factor_piece(loops, sim, k, end - k);
            continue;
        }
        for (int r = k; r < end; r++) {
            double square = pair ? 1 : inverse_inertia_of(sim, loops->rows[r]) / mean;
            loops->L[TACT_LOOP_ROWS * r + r - k] = square > 0 ? sqrt(square) : 1;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The least

/// L^-1 J and L' l, over the dofs of the island.
static void scale_rows(TactLoopShare *loops, const TactSim *sim)
{
    int n = loops->dof_count;
    for (int k = 0; k < loops->count; k++) {
        const double *L = loops->L + TACT_LOOP_ROWS * (size_t)k;
        const double *J = sim->rows.rows[loops->rows[k]].J;
        double       *row = loops->space.rows + (size_t)k * (size_t)n;
        int           first = loops->piece[k];
        for (int i = 0; i < n; i++) {
            row[i] = J[loops->dofs[i]];
            for (int j = first; j < k; j++) {
                row[i] -= L[j - first] * loops->space.rows[(size_t)j * (size_t)n + (size_t)i];
            }
            row[i] /= L[k - first];
        }
        loops->before[k] = sim->last.row_impulse[loops->rows[k]];
        loops->x[k] = 0;
        for (int j = first; j <= k; j++) {
            loops->x[j] += L[j - first] * loops->before[k];
        }
    }
}

/// l = L'^-1 x, in the place of x.
static void scale_back(TactLoopShare *loops)
{
    for (int k = loops->count - 1; k >= 0; k--) {
        const double *L = loops->L + TACT_LOOP_ROWS * (size_t)k;
        int           first = loops->piece[k];
        loops->x[k] /= L[k - first];
        for (int j = first; j < k; j++) {
            loops->x[j] -= L[j - first] * loops->x[k];
        }
    }
}

/// Do the impulses give the same motion, but for rounding?
static bool move_alike(const TactLoopShare *loops, const TactSim *sim)
{
    double most = 0, worst = 0;
    for (int pass = 0; pass < 2; pass++) { // the largest load first
        for (int i = 0; i < loops->dof_count; i++) {
            double load = 0, off = 0;
            for (int k = 0; k < loops->count; k++) {
                double entry = sim->rows.rows[loops->rows[k]].J[loops->dofs[i]];
                off += entry * (loops->x[k] - loops->before[k]);
                load += fabs(entry) * (fabs(loops->before[k]) + fabs(loops->x[k]));
            }
            most = tact_larger(most, load);
            worst = pass == 1 && most > 0 ? fmax(worst, fabs(off) / (load + UNLOADED * most)) : 0;
        }
    }
    return worst <= ENOUGH;
}

TactStatus tact_share_loops_run(TactLoopShare *loops, TactSim *sim, int island,
                                TactLoopSharing *found)
{
    const TactSimIsland *own = &sim->islands.islands[island];
    int                  rows = list_rows(sim, island, NULL), dofs = list_dofs(sim, own, NULL);
    *found = TACT_LOOPS_UNIQUE;
    if (rows < 2) {
        return TACT_OK;
    }
    if ((double)rows * rows * dofs > MOST_WORK) {
        *found = TACT_LOOPS_KEPT;
        return TACT_OK;
    }
    TACT_TRY(reserve_loops(loops, rows, dofs));
    loops->count = loops->space.count = list_rows(sim, island, loops);
    loops->dof_count = loops->space.width = list_dofs(sim, own, loops->dofs);
    find_norms(loops, sim);
    scale_rows(loops, sim);
    if (tact_row_space_factor(&loops->space, TACT_RANK_OF_ROWS) == 0) {
        return TACT_OK;
    }
    tact_row_space_project(&loops->space, loops->x);
    scale_back(loops);
    *found = move_alike(loops, sim) ? TACT_LOOPS_SHARED : TACT_LOOPS_KEPT;
    for (int k = 0; k < loops->count && *found == TACT_LOOPS_SHARED; k++) {
        sim->last.row_impulse[loops->rows[k]] = loops->x[k];
    }
    return TACT_OK;
}
