#include "contact/pile/changed.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"

enum {
    COLUMNS = TACT_PILE_CHANGED_COLUMNS,
    WIDE = TACT_BLOCK_PATH_WIDE,
    SIZE = TACT_BLOCK_PATH_SIZE,
    USUAL_PATH = 160, // places of an item that there is room for
};

void tact_pile_changed_layout(TactPileChanged *changed, const TactContactCapacity *capacity,
                              TactArena *arena)
{
    size_t          items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t          nodes = ((size_t)capacity->dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS;
    size_t          most = TACT_PILE_CHANGED * (nodes < USUAL_PATH ? nodes : USUAL_PATH) + nodes;
    TactPileChanged lent = {
        .slot = tact_arena_take(arena, items, sizeof(int)),
        .room = tact_arena_take(arena, 2 * most * SIZE, sizeof(double)),
        .places = tact_arena_take(arena, most, sizeof(int)),
        .most = (int)most,
        .where = tact_arena_take(arena, nodes, sizeof(int)),
        .on = tact_arena_take(arena, nodes, sizeof(bool)),
        .G = tact_arena_take(arena, (size_t)COLUMNS * COLUMNS, sizeof(double)),
        .M = tact_arena_take(arena, (size_t)COLUMNS * COLUMNS, sizeof(double)),
        .s = tact_arena_take(arena, (size_t)COLUMNS * WIDE, sizeof(double)),
        .across = tact_arena_take(arena, 3 * (size_t)COLUMNS, sizeof(double)),
        .felt = tact_arena_take(arena, COLUMNS, sizeof(double)),
        .q = tact_arena_take(arena, COLUMNS, sizeof(double)),
    };
    if (arena->block) {
        *changed = lent;
    }
}

void tact_pile_changed_begin(TactPileChanged *changed, const TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    changed->proximal = proximal;
    changed->lu = proximal->is_many ? proximal->many->used : proximal->loaded.factor;
    for (int i = 0; i < system->item_count; i++) {
        changed->slot[i] = -1;
    }
    for (int k = 0; k < changed->lu->n; k++) {
        changed->where[k] = -1;
    }
    changed->count = changed->used = 0;
    changed->work = 0;
}

// ---------------------------------------------------------------------------------------------
// A new item

/// The nodes of the support of an item; -1: too many.
static int find_nodes(const TactSystem *system, int i, int node[TACT_PILE_CHANGED_NODES])
{
    const TactItemGroup *group = &system->groups[system->items[i].group];
    int                  count = 0;
    for (int s = 0; s < group->size; s++) {
        int own = system->support[group->support + s] / TACT_BLOCK_ROWS;
        if (count == 0 || node[count - 1] != own) {
            if (count == TACT_PILE_CHANGED_NODES) {
                return -1;
            }
            node[count++] = own;
        }
    }
    return count;
}

/// C_i along its path, in x.
static void fill_columns(const TactPileChanged *changed, int i, double *x)
{
    const TactSystem    *system = changed->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[system->items[i].group];
    const double        *C = system->columns + system->column[i];
    for (int s = 0; s < group->size; s++) {
        int dof = system->support[group->support + s], node = dof / TACT_BLOCK_ROWS;
        int at = changed->where[changed->lu->place[node]];
        for (int c = 0; c < 3; c++) {
            x[(size_t)at * SIZE + (size_t)(dof - node * TACT_BLOCK_ROWS) * WIDE + (size_t)c] =
                C[c * group->size + s];
        }
    }
}

/// Products of the newest item with all.
static void fill_products(TactPileChanged *changed, int m)
{
    for (int j = 0; j <= m; j++) {
        double own[3][WIDE], other[3][WIDE]; // x_j'z_m, z_j'x_m
        tact_block_lu_path_product(&changed->path[j], changed->x[j], changed->where, changed->z[m],
                                   own);
        tact_block_lu_path_product(&changed->path[j], changed->z[j], changed->where, changed->x[m],
                                   other);
        for (int a = 0; a < 3; a++) {
            for (int c = 0; c < 3; c++) {
                changed->G[(3 * m + c) * COLUMNS + 3 * j + a] = own[a][c];
                changed->G[(3 * j + a) * COLUMNS + 3 * m + c] = other[a][c];
            }
        }
    }
}

/// Half solves of an item that changes for the first time. False: no room.
static bool add_changed_item(TactPileChanged *changed, int i)
{
    int node[TACT_PILE_CHANGED_NODES], m = changed->count;
    int nodes = find_nodes(changed->proximal->coupling->system, i, node);
    if (m == TACT_PILE_CHANGED || nodes < 0 || changed->used + changed->lu->n > changed->most) {
        return false;
    }
    TactBlockPath *path = &changed->path[m];
    path->place = changed->places + changed->used;
    tact_block_lu_path_find(changed->lu, nodes, node, changed->on, path);
    size_t length = (size_t)path->count * SIZE;
    changed->x[m] = changed->room + 2 * (size_t)changed->used * SIZE;
    changed->z[m] = changed->x[m] + length;
    memset(changed->x[m], 0, length * sizeof(double));
    for (int k = 0; k < path->count; k++) {
        changed->where[path->place[k]] = k;
    }
    fill_columns(changed, i, changed->x[m]);
    memcpy(changed->z[m], changed->x[m], length * sizeof(double));
    tact_block_lu_path_solve(changed->lu, path, changed->x[m], changed->z[m]);
    fill_products(changed, m);
    for (int k = 0; k < path->count; k++) {
        changed->where[path->place[k]] = -1;
    }
    for (int a = 0; a < 3 * m + 3; a++) {
        for (int c = 3 * m; c < 3 * m + 3; c++) {
            changed->M[a * COLUMNS + c] = changed->M[c * COLUMNS + a] = 0;
        }
    }
    changed->used += path->count;
    changed->item[m] = i;
    changed->slot[i] = m;
    changed->count++;
    return true;
}

// ---------------------------------------------------------------------------------------------
// A change of rank 3

/// s = e_m - M G e_m by rows of three; s' = e_m' - e_m'G M by rows.
TACT_CLONES static void find_sides(const TactPileChanged *changed, int m)
{
    int    n = 3 * changed->count;
    double column[COLUMNS][WIDE]; // G e_m
    for (int b = 0; b < n; b++) {
        for (int c = 0; c < 3; c++) {
            column[b][c] = changed->G[b * COLUMNS + 3 * m + c];
        }
        column[b][3] = 0;
    }
    for (int a = 0; a < n; a++) {
        const double *row = changed->M + (size_t)a * COLUMNS;
        TactLanes     sum = TACT_LANES_ALL(0.0), more = TACT_LANES_ALL(0.0);
        int           b = 0;
        for (; b + 2 <= n; b += 2) {
            sum -= row[b] * TACT_LANES_AT(column[b]);
            more -= row[b + 1] * TACT_LANES_AT(column[b + 1]);
        }
        for (; b < n; b++) {
            sum -= row[b] * TACT_LANES_AT(column[b]);
        }
        TACT_LANES_PUT(changed->s + WIDE * a) = sum + more;
    }
    for (int c = 0; c < 3; c++) {
        double *out = changed->across + (size_t)c * COLUMNS;
        for (int b = 0; b < n; b++) {
            out[b] = 0;
        }
        for (int a = 0; a < n; a++) {
            const double *row = changed->M + (size_t)a * COLUMNS;
            double        by = changed->G[(3 * m + c) * COLUMNS + a];
            for (int b = 0; b < n; b++) {
                out[b] -= by * row[b];
            }
        }
        out[3 * m + c] += 1;
        changed->s[WIDE * (3 * m + c) + c] += 1;
    }
}

/// g = e_m'G s
static void find_middle(const TactPileChanged *changed, int m, double g[9])
{
    for (int a = 0; a < 3; a++) {
        const double *row = changed->G + (size_t)(3 * m + a) * COLUMNS;
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int b = 0; b < 3 * changed->count; b++) {
                sum += row[b] * changed->s[WIDE * b + c];
            }
            g[3 * a + c] = sum;
        }
    }
}

/// F = (I + E g)^-1 E by elimination with row exchanges; returns the determinant.
static double find_core(const double E[9], const double g[9], double F[9])
{
    double A[3][6], det = 1;
    for (int a = 0; a < 3; a++) {
        for (int c = 0; c < 3; c++) {
            A[a][c] = a == c;
            A[a][3 + c] = E[3 * a + c];
            for (int b = 0; b < 3; b++) {
                A[a][c] += E[3 * a + b] * g[3 * b + c];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int r = k + 1; r < 3; r++) {
            pivot = fabs(A[r][k]) > fabs(A[pivot][k]) ? r : pivot;
        }
        for (int c = 0; c < 6 && pivot != k; c++) {
            double kept = A[k][c];
            A[k][c] = A[pivot][c];
            A[pivot][c] = kept;
        }
        det *= pivot != k ? -A[k][k] : A[k][k];
        for (int r = 0; r < 3; r++) {
            double part = A[r][k] / A[k][k];
            for (int c = 0; c < 6 && r != k; c++) {
                A[r][c] -= part * A[k][c];
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        for (int c = 0; c < 3; c++) {
            F[3 * a + c] = A[a][3 + c] / A[a][a];
        }
    }
    return det;
}

/// M += s F s'
TACT_CLONES static void add_change(const TactPileChanged *changed, const double F[9])
{
    int           n = 3 * changed->count;
    const double *x = changed->across, *y = x + COLUMNS, *z = y + COLUMNS;
    for (int a = 0; a < n; a++) {
        const double *s = changed->s + WIDE * a;
        double       *row = changed->M + (size_t)a * COLUMNS, t[3];
        for (int c = 0; c < 3; c++) {
            t[c] = s[0] * F[c] + s[1] * F[3 + c] + s[2] * F[6 + c];
        }
        for (int b = 0; b < n; b++) {
            row[b] += (t[0] * x[b] + t[1] * y[b]) + t[2] * z[b];
        }
    }
}

bool tact_pile_change(TactPileChanged *changed, int i, const double B[9], int *sign)
{
    double *old = changed->proximal->items[i].B, E[9], g[9], F[9];
    if (changed->slot[i] < 0 && !add_changed_item(changed, i)) {
        return false;
    }
    int m = changed->slot[i], n = 3 * changed->count;
    for (int e = 0; e < 9; e++) {
        E[e] = B[e] - old[e];
    }
    find_sides(changed, m);
    find_middle(changed, m, g);
    double det = find_core(E, g, F);
    if (!(fabs(det) > 0) || !isfinite(det)) {
        return false;
    }
    add_change(changed, F);
    memcpy(old, B, sizeof E);
    *sign = det < 0 ? -*sign : *sign;
    changed->work = 18.0 * n * n;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Solves

void tact_pile_changed_solve(TactPileChanged *changed, const double *r, double *half, double *x)
{
    int n = 3 * changed->count;
    for (int j = 0; j < changed->count; j++) {
        tact_block_lu_path_pull(&changed->path[j], changed->z[j], half, changed->felt + 3 * j);
        for (int c = 0; c < 3 && r; c++) {
            changed->felt[3 * j + c] += r[3 * changed->item[j] + c];
        }
    }
    for (int a = 0; a < n; a++) {
        double sum = 0;
        for (int b = 0; b < n; b++) {
            sum -= changed->M[a * COLUMNS + b] * changed->felt[b];
        }
        changed->q[a] = sum;
    }
    for (int j = 0; j < changed->count; j++) {
        tact_block_lu_path_add(&changed->path[j], changed->x[j], changed->q + 3 * j, half);
    }
    tact_block_lu_solve_rest(changed->lu, half, x);
}
