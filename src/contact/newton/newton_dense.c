// The matrix of a Newton step in the space of motions, (3) of newton_step.c, of a mechanism or a
// few bodies: summed as a dense matrix, over whole vectors. Where most of its entries are not 0 it
// is factored as it stands, otherwise put into the envelope. Each joint of a robot has a row with a
// support of its own, so that groups have one item, and to sum groups on their own first costs more
// than it saves.
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/newton/newton_step.h"
#include "linalg/lu.h"

// Degrees of freedom up to which a dense matrix is small: 72 kB.
enum { MOST_DOF = 96 };

// Pairs of degrees of freedom that groups couple, in parts of all pairs, from which on the matrix
// is factored as it stands: there is no envelope to be found.
static const double FULL = 0.5;

static size_t padded(int dof)
{
    return ((size_t)dof + 3) / 4 * 4;
}

size_t tact_newton_dense_room(int dof)
{
    int most = dof < MOST_DOF ? dof : MOST_DOF;
    return (size_t)most * padded(most);
}

bool tact_newton_is_dense(const TactNewton *newton)
{
    return newton->coupling.system->dof <= MOST_DOF;
}

/// C_i v over the support.
__attribute__((always_inline)) static inline void combine(const double *columns, int size,
                                                          const double v[3], double *out)
{
    const double *n = columns, *t1 = n + size, *t2 = t1 + size;
    for (int s = 0; s < size; s++) {
        out[s] = (n[s] * v[0] + t1[s] * v[1]) + t2[s] * v[2];
    }
}

/// One item's share of the matrix: up to three products f_k e_k' over its support; e over all
/// degrees of freedom, 0 elsewhere.
typedef struct Share {
    int    count;
    double f[3][MOST_DOF];
    double e[3][MOST_DOF];
} Share;

/// K += sum_k f_k e_k' on the rows of the support.
__attribute__((always_inline)) static inline void
add_products(int count, int size, const int *support, const Share *share, size_t ld, double *K)
{
    size_t from = (size_t)support[0] / 4 * 4, end = (size_t)support[size - 1] + 1;
    for (int r = 0; r < size; r++) {
        double *row = K + (size_t)support[r] * ld;
        for (size_t s = from; s < end; s += 4) {
            TactLanes sum = TACT_LANES_AT(row + s);
            for (int k = 0; k < count; k++) {
                sum += TACT_LANES_ALL(share->f[k][r]) * TACT_LANES_AT(share->e[k] + s);
            }
            TACT_LANES_PUT(row + s) = sum;
        }
    }
}

TACT_CLONES static void add_items(TactNewton *newton, size_t ld, double *right)
{
    const TactSystem *system = newton->coupling.system;
    double            own[MOST_DOF];
    Share             share = {0};
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        const TactItemGroup  *group = &system->groups[system->items[i].group];
        const int            *support = system->support + group->support;
        const double         *columns = system->columns + system->column[i];
        int                   count = group->size > 0 ? item->unknowns : 0;
        double                d[3] = {item->d[0], item->d[1], item->d[2]};
        for (int k = 0; k < count; k++) {
            double by = 1 / tact_newton_direct(newton, i, k);
            double T[3] = {by * item->T[k][0], by * item->T[k][1], by * item->T[k][2]};
            for (int c = 0; c < 3; c++) {
                d[c] += item->right[k] * T[c];
            }
            combine(columns, group->size, T, share.f[k]);
            combine(columns, group->size, item->E[k], own);
            for (int s = 0; s < group->size; s++) {
                share.e[k][support[s]] = own[s];
            }
        }
        if (count == 1) {
            add_products(1, group->size, support, &share, ld, newton->dense);
        } else if (count == 2) {
            add_products(2, group->size, support, &share, ld, newton->dense);
        } else if (count == 3) {
            add_products(3, group->size, support, &share, ld, newton->dense);
        }
        for (int k = 0; k < count; k++) {
            for (int s = 0; s < group->size; s++) {
                share.e[k][support[s]] = 0;
            }
        }
        if (d[0] != 0 || d[1] != 0 || d[2] != 0) {
            combine(columns, group->size, d, own);
            for (int s = 0; s < group->size; s++) {
                right[support[s]] += own[s];
            }
        }
    }
}

/// Matrix and right-hand side, in the order of the degrees of freedom.
static void assemble(TactNewton *newton, size_t ld, double *right)
{
    int     dof = newton->coupling.system->dof;
    double *K = newton->dense;
    memset(K, 0, (size_t)dof * ld * sizeof *K);
    for (int j = 0; j < dof; j++) {
        K[(size_t)j * ld + (size_t)j] = 1;
        right[j] = 0;
    }
    add_items(newton, ld, right);
}

void tact_newton_assemble_dense(TactNewton *newton)
{
    TactEnvelope *envelope = &newton->envelope;
    const int    *node = newton->order.node;
    int           dof = newton->coupling.system->dof;
    size_t        ld = padded(dof);
    double       *K = newton->dense, right[MOST_DOF];
    assemble(newton, ld, right);
    for (int i = 0; i < dof; i++) {
        const double *row = K + (size_t)node[i] * ld;
        double       *L = envelope->L + envelope->start[i], *U = envelope->U + envelope->start[i];
        newton->x[i] = right[node[i]];
        envelope->diagonal[i] = row[node[i]];
        for (int j = envelope->first[i]; j < i; j++) {
            *L++ = row[node[j]];
            *U++ = K[(size_t)node[j] * ld + (size_t)node[i]];
        }
    }
}

bool tact_newton_is_full(const TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    double            pairs = 0, all = (double)system->dof * system->dof;
    for (int g = 0; g < system->group_count; g++) {
        pairs += (double)system->groups[g].size * system->groups[g].size;
    }
    return !coupling->has_blocks && system->dof <= MOST_DOF && pairs >= FULL * all;
}

bool tact_newton_solve_full(TactNewton *newton, double *dy)
{
    int    dof = newton->coupling.system->dof;
    size_t ld = padded(dof);
    double right[MOST_DOF];
    int    perm[MOST_DOF];
    assemble(newton, ld, right);
    if (tact_lu_factor_small(dof, newton->dense, (int)ld, perm, 0) >= 0) {
        return false;
    }
    tact_lu_solve(dof, newton->dense, (int)ld, perm, right, dy);
    return true;
}
