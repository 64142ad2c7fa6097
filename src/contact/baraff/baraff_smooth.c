// Baraff without friction: section 4 of the paper on the assembled A = N'N.
//
// src/lcp/dantzig/dantzig.c is that section: compute-forces, drive-to-zero, fdirection and maxstep
// with the sets C and NC. It is called, and its pivots are those reported: the drives of section 5
// without friction do the same, one by one, but on the columns of A, which takes several times as
// long where A fits the cache. They take over where the rounding of A itself keeps the answer from
// being proven, as a second attempt that is counted as such.
#include <string.h>

#include "base/clones.h"
#include "contact/baraff/baraff.h"
#include "linalg/lane_loops.h"

// Larger problems are sparse, and A would not fit the cache.
enum { MOST = 200 };

void tact_baraff_smooth_layout(TactBaraffSmooth *smooth, size_t items, TactArena *arena)
{
    size_t n = items < MOST ? items : MOST;
    smooth->capacity = (int)n;
    smooth->A = tact_arena_take(arena, n * n, sizeof(double));
    smooth->z = tact_arena_take(arena, n, sizeof(double));
    smooth->q = tact_arena_take(arena, n, sizeof(double));
}

TactStatus tact_baraff_smooth_create(TactBaraffSmooth *smooth, int max_pivots)
{
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    config.max_pivots = max_pivots;
    return smooth->capacity > 0 ? tact_lcp_solver_create(smooth->capacity, &config, &smooth->solver)
                                : TACT_OK;
}

bool tact_baraff_is_smooth(const TactBaraff *self)
{
    int count = self->system->item_count;
    for (int i = 0; i < count; i++) {
        if (self->items[i].mu > 0 || self->system->items[i].kind == TACT_ITEM_MOTOR) {
            return false;
        }
    }
    return count > 0 && count <= self->smooth.capacity;
}

// ---------------------------------------------------------------------------------------------
// A = N'N

/// Where the supports of two groups, in ascending order, have the same degrees of freedom.
static int overlap(const TactSystem *system, const TactItemGroup *a, const TactItemGroup *b,
                   int *in_a, int *in_b)
{
    const int *sa = system->support + a->support, *sb = system->support + b->support;
    int        count = 0;
    if (a->size == 0 || b->size == 0 || sa[a->size - 1] < sb[0] || sb[b->size - 1] < sa[0]) {
        return 0;
    }
    for (int i = 0, j = 0; i < a->size && j < b->size;) {
        if (sa[i] == sb[j]) {
            in_a[count] = i++;
            in_b[count++] = j++;
        } else if (sa[i] < sb[j]) {
            i++;
        } else {
            j++;
        }
    }
    return count;
}

/// Rows of the items of a group against the items of another.
TACT_CLONES static void multiply_groups(const TactSystem *system, const TactItemGroup *a,
                                        const TactItemGroup *b, int count, const int *in_a,
                                        const int *in_b, double *A)
{
    size_t n = (size_t)system->item_count;
    for (int i = a->first; i < a->first + a->count; i++) {
        const double *x = system->columns + system->column[i];
        double       *out = A + (size_t)i * n + (size_t)b->first;
        for (int k = 0; k < count; k++) {
            tact_lanes_axpy(b->count, x[in_a[k]],
                            system->soa + b->soa + (size_t)in_b[k] * (size_t)b->stride, out);
        }
    }
}

static void assemble_normals(const TactBaraff *self, double *A)
{
    const TactSystem *system = self->system;
    size_t            n = (size_t)system->item_count;
    int              *in_a = self->block.perm, *in_b = self->block.perm + self->block.length;
    memset(A, 0, n * n * sizeof(double));
    for (int g = 0; g < system->group_count; g++) {
        for (int h = g; h < system->group_count; h++) {
            const TactItemGroup *a = &system->groups[g], *b = &system->groups[h];
            int                  count = overlap(system, a, b, in_a, in_b);
            if (count > 0) {
                multiply_groups(system, a, b, count, in_a, in_b, A);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        A[i * n + i] += system->items[i].compliance;
        for (size_t j = 0; j < i; j++) {
            A[i * n + j] = A[j * n + i];
        }
    }
}

bool tact_baraff_smooth_solve(TactBaraff *self)
{
    TactBaraffSmooth *smooth = &self->smooth;
    int               n = self->system->item_count;
    TactLcpReport     report;
    self->report->iterations++;
    assemble_normals(self, smooth->A);
    for (int i = 0; i < n; i++) {
        smooth->q[i] = self->system->b[3 * i];
    }
    TactLcpProblem lcp = {.n = n, .M = smooth->A, .q = smooth->q};
    if (tact_lcp_solve(smooth->solver, &lcp, smooth->z, &report) != TACT_OK) {
        return false; // an entry overflowed
    }
    for (int i = 0; i < n; i++) {
        self->p[3 * i] = smooth->z[i];
        self->p[3 * i + 1] = self->p[3 * i + 2] = 0;
    }
    self->report->pivots += report.pivots;
    self->report->refactors += report.refactors;
    return report.outcome == TACT_LCP_OUTCOME_SOLVED;
}
