// Products with C: sweeps over all items, pushes and pulls of one, and the way back to the answer.
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/problem/problem.h"
#include "contact/system/system_internal.h"

/// u_c[k] = sum_s C[c][s][k] y_s, eight items (or four) at a time.
TACT_CLONES static void sweep_group(const double *C, size_t size, size_t stride, const double *y,
                                    double *u, size_t u_stride)
{
    for (size_t c = 0; c < 3; c++) {
        const double *part = C + c * size * stride;
        double       *out = u + c * u_stride;
        size_t        k = 0;
        for (; k + 8 <= stride; k += 8) {
            TactLanes a = TACT_LANES_ALL(0.0);
            TactLanes b = TACT_LANES_ALL(0.0);
            for (size_t s = 0; s < size; s++) {
                TactLanes factor = TACT_LANES_ALL(y[s]);
                a += TACT_LANES_AT(part + s * stride + k) * factor;
                b += TACT_LANES_AT(part + s * stride + k + 4) * factor;
            }
            TACT_LANES_PUT(out + k) = a;
            TACT_LANES_PUT(out + k + 4) = b;
        }
        for (; k < stride; k += 4) {
            TactLanes a = TACT_LANES_ALL(0.0);
            for (size_t s = 0; s < size; s++) {
                a += TACT_LANES_AT(part + s * stride + k) * TACT_LANES_ALL(y[s]);
            }
            TACT_LANES_PUT(out + k) = a;
        }
    }
}

void tact_system_sweep(const TactSystem *system, const double *y, double *u)
{
    double gathered[64];
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        const double        *part = y;
        if (group->size < system->dof && group->size <= 64) {
            for (int s = 0; s < group->size; s++) {
                gathered[s] = y[support[s]];
            }
            part = gathered;
        } else if (group->size < system->dof) {
            for (int s = 0; s < group->size; s++) {
                system->scratch[s] = y[support[s]];
            }
            part = system->scratch;
        }
        // A group's last vector may reach into the next group, which is written after it.
        sweep_group(system->soa + group->soa, (size_t)group->size, (size_t)group->stride, part,
                    u + group->first, (size_t)system->stride);
    }
}

/// y += n p_0 + t1 p_1 + t2 p_2 over a support.
TACT_CLONES static void push_columns(int size, const int *support, const double *n,
                                     const double p[3], double *y)
{
    const double *t1 = n + size, *t2 = t1 + size;
    int           s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes part = (TACT_LANES_AT(n + s) * p[0] + TACT_LANES_AT(t1 + s) * p[1]) +
                         TACT_LANES_AT(t2 + s) * p[2];
        for (int k = 0; k < 4; k++) {
            y[support[s + k]] += part[k];
        }
    }
    for (; s < size; s++) {
        y[support[s]] += (n[s] * p[0] + t1[s] * p[1]) + t2[s] * p[2];
    }
}

/// u = (n, t1, t2)' y over a support, in four partial sums and a rest.
TACT_CLONES static void pull_columns(int size, const int *support, const double *n, const double *y,
                                     double u[3])
{
    const double *t1 = n + size, *t2 = t1 + size;
    TactLanes     a = TACT_LANES_ALL(0.0), b = a, c = a;
    double        rest[3] = {0, 0, 0};
    int           s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes x = {y[support[s]], y[support[s + 1]], y[support[s + 2]], y[support[s + 3]]};
        a += TACT_LANES_AT(n + s) * x;
        b += TACT_LANES_AT(t1 + s) * x;
        c += TACT_LANES_AT(t2 + s) * x;
    }
    for (; s < size; s++) {
        double x = y[support[s]];
        rest[0] += n[s] * x;
        rest[1] += t1[s] * x;
        rest[2] += t2[s] * x;
    }
    u[0] = ((a[0] + a[1]) + (a[2] + a[3])) + rest[0];
    u[1] = ((b[0] + b[1]) + (b[2] + b[3])) + rest[1];
    u[2] = ((c[0] + c[1]) + (c[2] + c[3])) + rest[2];
}

/// c' y over a support: what pull_columns() gives for one of its columns.
TACT_CLONES static double pull_column(int size, const int *support, const double *c,
                                      const double *y)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    double    rest = 0;
    int       s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes x = {y[support[s]], y[support[s + 1]], y[support[s + 2]], y[support[s + 3]]};
        sum += TACT_LANES_AT(c + s) * x;
    }
    for (; s < size; s++) {
        rest += c[s] * y[support[s]];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

void tact_system_push(const TactSystem *system, int item, const double p[3], double *y)
{
    const TactItemGroup *group = &system->groups[system->items[item].group];
    push_columns(group->size, system->support + group->support,
                 system->columns + system->column[item], p, y);
}

void tact_system_pull(const TactSystem *system, int item, const double *y, double u[3])
{
    const TactItemGroup *group = &system->groups[system->items[item].group];
    const int           *support = system->support + group->support;
    const double        *columns = system->columns + system->column[item];
    TactItemKind         kind = system->items[item].kind;
    if (kind == TACT_ITEM_CONTACT || kind == TACT_ITEM_MOMENT) {
        pull_columns(group->size, support, columns, y, u);
        return;
    }
    int own = kind == TACT_ITEM_MOTOR ? 1 : 0; // its only column
    u[0] = u[1] = u[2] = 0;
    u[own] = pull_column(group->size, support, columns + own * group->size, y);
}

void tact_system_move(const TactSystem *system, const double *p, double *y, double *u)
{
    memcpy(y, system->y0, (size_t)system->dof * sizeof(double));
    for (int g = 0; g < system->group_count; g++) { // group by group: items are not looked at
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        for (int i = group->first; i < group->first + group->count; i++) {
            if (tact_contact_has_impulse(p + 3 * i)) {
                push_columns(group->size, support, system->columns + system->column[i], p + 3 * i,
                             y);
            }
        }
    }
    for (int i = 0; u && i < system->item_count; i++) {
        tact_system_pull(system, i, y, u + 3 * i);
        for (int c = 0; c < 3; c++) {
            u[3 * i + c] += system->e[3 * i + c];
        }
        u[3 * i] += system->items[i].compliance * p[3 * i];
    }
}

void tact_system_block(const TactSystem *system, int i, int j, double block[3][3])
{
    const TactItemGroup *gi = &system->groups[system->items[i].group];
    const TactItemGroup *gj = &system->groups[system->items[j].group];
    const int           *si = system->support + gi->support;
    const int           *sj = system->support + gj->support;
    const double        *ci = system->columns + system->column[i];
    const double        *cj = system->columns + system->column[j];
    memset(block, 0, 9 * sizeof(double));
    for (int a = 0, b = 0; a < gi->size && b < gj->size;) { // supports are in ascending order
        if (si[a] < sj[b]) {
            a++;
        } else if (si[a] > sj[b]) {
            b++;
        } else {
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    block[r][c] += ci[r * gi->size + a] * cj[c * gj->size + b];
                }
            }
            a++;
            b++;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The answer

/// A motor for several (join.c).
static bool stands_for_others(const TactItem *item)
{
    return item->kind == TACT_ITEM_MOTOR && item->owner > 0;
}

static void write_impulses(const TactSystem *system, const TactContactProblem *problem,
                           const double *p, const TactContactAnswer *answer)
{
    for (int r = 0; r < problem->row_count && answer->row_impulse; r++) {
        answer->row_impulse[r] = 0;
    }
    memset(answer->impulse, 0, 3 * (size_t)problem->contact_count * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        if (!tact_contact_has_impulse(p + 3 * i)) {
            continue;
        }
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(answer->impulse + 3 * item->source, p + 3 * i, 3 * sizeof(double));
        } else if (stands_for_others(item)) {
            const TactJoined *joined = system->joined + item->owner - 1;
            for (int k = 0; k <= item->moments && answer->row_impulse; k++) {
                answer->row_impulse[joined[k].row] = joined[k].part * p[3 * i + 1];
            }
        } else if (answer->row_impulse) {
            answer->row_impulse[item->source] = p[3 * i + (item->kind == TACT_ITEM_MOTOR ? 1 : 0)];
        }
    }
}

/// x+ = x0 + C p + B lambda, raw, with lambda from what the held coordinates lack.
static void bilateral_impulses(const TactSystem *system, const TactContactProblem *problem,
                               double *x, const TactContactAnswer *answer)
{
    const TactBilateral *bilateral = &system->bilateral;
    int                  raw = system->whitener.dof;
    double              *change = system->scratch + raw;
    double              *impulse = system->scratch + 2 * raw;
    tact_bilateral_rotate(bilateral, x);
    for (int k = 0; k < bilateral->rank; k++) {
        change[k] = bilateral->fixed[k] - x[k];
        x[k] = bilateral->fixed[k];
    }
    tact_bilateral_rotate_back(bilateral, x);
    if (!answer->row_impulse) {
        return;
    }
    tact_bilateral_impulse(bilateral, change, impulse);
    for (int r = 0, k = 0; r < problem->row_count; r++) {
        if (problem->rows[r].kind == TACT_ROW_BILATERAL) {
            answer->row_impulse[r] = impulse[k++];
        }
    }
}

/// tact_rows_add(), over the dofs alone that an item of a mechanism touches.
static void add_touched(const TactSystem *system, const TactContactProblem *problem, int i, int c,
                        double p, double *x)
{
    int source = system->keys[i].source;
    if (!problem->M || problem->nv > TACT_WHITENER_BITS) {
        tact_rows_add(problem, source, c, p, x);
        return;
    }
    const double *J = tact_rows_generalized(problem, source, c);
    for (uint64_t left = system->keys[i].touched; J && left != 0; left &= left - 1) {
        int j = __builtin_ctzll(left);
        x[j] += p * J[j];
    }
}

/// With bilateral rows: x+ = x0 + C p + B lambda in raw coordinates, C p from the raw problem.
static void motion_with_rows(const TactSystem *system, const TactContactProblem *problem,
                             const double *p, double *x, const TactContactAnswer *answer)
{
    int     raw = system->whitener.dof;
    double *before = system->scratch + raw;
    bool    velocities = problem->level == TACT_LEVEL_VELOCITY;
    double  h = velocities ? problem->step : 1;
    tact_rows_forces(problem, x);
    for (int j = 0; j < raw; j++) {
        x[j] *= h;
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        if (stands_for_others(item)) {
            const TactJoined *joined = system->joined + item->owner - 1;
            for (int k = 0; k <= item->moments; k++) {
                tact_rows_add(problem, problem->contact_count + joined[k].row, 1,
                              joined[k].part * p[3 * i + 1], x);
            }
            continue;
        }
        for (int c = 0; c < 3; c++) {
            if (p[3 * i + c] != 0) {
                add_touched(system, problem, i, c, p[3 * i + c], x);
            }
        }
    }
    tact_whitener_force(&system->whitener, problem, x);
    tact_rows_velocity(problem, before);
    tact_whitener_velocity(&system->whitener, problem, before);
    for (int j = 0; j < raw && velocities; j++) {
        x[j] += before[j];
    }
    bilateral_impulses(system, problem, x, answer);
}

/// v+, and u = J v+ with the surface velocities.
static void write_motion(const TactSystem *system, const TactContactProblem *problem,
                         const double *p, const TactContactAnswer *answer)
{
    bool    held = system->bilateral.count > 0;
    double *x = system->scratch;
    if (held) {
        motion_with_rows(system, problem, p, x, answer);
    } else {
        tact_system_move(system, p, x, NULL);
        for (int i = 0; i < system->item_count && answer->u; i++) {
            const TactItem *item = &system->items[i];
            if (item->kind == TACT_ITEM_CONTACT) {
                double *u = answer->u + 3 * item->source;
                tact_system_pull(system, i, x, u);
                for (int c = 0; c < 3; c++) {
                    u[c] += tact_contact_surface(problem, item->source, c);
                }
            }
        }
    }
    tact_whitener_back(&system->whitener, problem, x);
    if (answer->velocity) {
        memcpy(answer->velocity, x, (size_t)system->whitener.dof * sizeof(double));
    }
    for (int i = 0; i < 3 * problem->contact_count && answer->u && held; i++) {
        answer->u[i] =
            tact_rows_dot(problem, i / 3, i % 3, x) + tact_contact_surface(problem, i / 3, i % 3);
    }
}

/// u = W p + u_free by blocks.
static void write_velocities(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    const TactContactBlocks *blocks = problem->blocks;
    for (int i = 0; i < 3 * problem->contact_count && answer->u; i++) {
        double sum = problem->u_free[i] + tact_contact_surface(problem, i / 3, i % 3);
        for (size_t k = blocks->start[i / 3]; k < blocks->start[i / 3 + 1]; k++) {
            const double *W = blocks->value + 9 * k + 3 * (size_t)(i % 3);
            const double *p = answer->impulse + 3 * (size_t)blocks->column[k];
            sum += W[0] * p[0] + W[1] * p[1] + W[2] * p[2];
        }
        answer->u[i] = sum;
    }
}

void tact_system_answer(const TactSystem *system, const TactContactProblem *problem,
                        const double *p, const TactContactAnswer *answer)
{
    write_impulses(system, problem, p, answer);
    if (!tact_contact_has_W(problem)) {
        write_motion(system, problem, p, answer);
        return;
    }
    if (problem->blocks) {
        write_velocities(problem, answer);
        return;
    }
    size_t n = 3 * (size_t)problem->contact_count;
    for (size_t i = 0; i < n && answer->u; i++) {
        double sum = problem->u_free[i] + tact_contact_surface(problem, (int)(i / 3), (int)(i % 3));
        for (size_t j = 0; j < n; j++) {
            sum += problem->W[i * n + j] * answer->impulse[j];
        }
        answer->u[i] = sum;
    }
}
