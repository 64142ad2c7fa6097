// The matrix of a Newton step in the space of motions, (3) of newton_step.c, of a mechanism or a
// few bodies: summed as a dense matrix, over whole vectors, and put into the envelope at the end.
// Each joint of a robot has a row with a support of its own, so that groups have one item, and to
// sum groups on their own first costs more than it saves.
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/newton/newton_step.h"

// Degrees of freedom up to which a dense matrix is small: 72 kB.
enum { MOST_DOF = 96 };

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

/// K += f e' / direct on the rows of the support; e over all degrees of freedom, 0 elsewhere.
__attribute__((always_inline)) static inline void add_rank_one(int size, const int *support,
                                                               const double *f, double direct,
                                                               const double *e, size_t ld,
                                                               double *K)
{
    size_t from = (size_t)support[0] / 4 * 4, end = (size_t)support[size - 1] + 1;
    for (int r = 0; r < size; r++) {
        double   *row = K + (size_t)support[r] * ld;
        TactLanes factor = TACT_LANES_ALL(f[r] / direct);
        for (size_t s = from; s < end; s += 4) {
            TACT_LANES_PUT(row + s) += factor * TACT_LANES_AT(e + s);
        }
    }
}

TACT_CLONES static void add_items(TactNewton *newton, size_t ld)
{
    const TactSystem *system = newton->coupling.system;
    const int        *place = newton->order.place;
    double            f[MOST_DOF], own[MOST_DOF], e[MOST_DOF] = {0};
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        const TactItemGroup  *group = &system->groups[system->items[i].group];
        const int            *support = system->support + group->support;
        const double         *columns = system->columns + system->column[i];
        for (int k = 0; k < item->unknowns && group->size > 0; k++) {
            double direct = tact_newton_direct(newton, i, k), value = item->right[k] / direct;
            combine(columns, group->size, item->T[k], f);
            combine(columns, group->size, item->E[k], own);
            for (int s = 0; s < group->size; s++) {
                e[support[s]] = own[s];
                newton->x[place[support[s]]] += f[s] * value;
            }
            add_rank_one(group->size, support, f, direct, e, ld, newton->dense);
            for (int s = 0; s < group->size; s++) {
                e[support[s]] = 0;
            }
        }
        combine(columns, group->size, item->d, f);
        for (int s = 0; s < group->size; s++) {
            newton->x[place[support[s]]] += f[s];
        }
    }
}

void tact_newton_assemble_dense(TactNewton *newton)
{
    TactEnvelope *envelope = &newton->envelope;
    const int    *node = newton->order.node;
    int           dof = newton->coupling.system->dof;
    size_t        ld = padded(dof);
    double       *K = newton->dense;
    memset(K, 0, (size_t)dof * ld * sizeof *K);
    for (int j = 0; j < dof; j++) {
        K[(size_t)j * ld + (size_t)j] = 1;
        newton->x[j] = 0;
    }
    add_items(newton, ld);
    for (int i = 0; i < dof; i++) {
        const double *row = K + (size_t)node[i] * ld;
        double       *L = envelope->L + envelope->start[i], *U = envelope->U + envelope->start[i];
        envelope->diagonal[i] = row[node[i]];
        for (int j = envelope->first[i]; j < i; j++) {
            *L++ = row[node[j]];
            *U++ = K[(size_t)node[j] * ld + (size_t)node[i]];
        }
    }
}
