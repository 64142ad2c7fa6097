// States that change, without a kernel: the systems of states. docs/theory/newton-turning.md.
//
// All columns C_j that an impulse may act along, scaled, are multiplied with each other once:
// G = C'C. With impulses z the velocities along them are w = G z + b, and the system of any states
// is made of entries of G.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/kernel_loops.h"
#include "contact/pivot/steady_change.h"
#include "contact/pivot_rules.h"
#include "linalg/bordered.h"

// As in states.c: most times that unknowns of one system are left out.
enum { MOST_DROPPED = 3 };

// ---------------------------------------------------------------------------------------------
// Products of columns

/// Has an item this column?
static bool has_column(const TactItem *item, int c)
{
    return item->kind == TACT_ITEM_MOTOR ? c == 1 : c == 0 || item->directions > 0;
}

bool tact_change_list_columns(TactChange *change)
{
    const TactSystem *system = change->work.system;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        if (item->compliance > 0 || item->kind == TACT_ITEM_MOMENT) {
            return false;
        }
        change->arrays->column[i] = change->columns;
        for (int c = 0; c < 3; c++) {
            if (has_column(item, c)) {
                change->b[change->columns++] = item->scale * system->b[3 * i + c];
            }
        }
    }
    for (int j = change->columns; j % 4 != 0; j++) { // what fills the last vector
        change->b[j] = change->z[j] = 0;
    }
    return change->columns > 0 && change->columns <= change->work.room->basis.max_k;
}

void tact_change_put_products(TactChange *change)
{
    TactSteadyWork *work = &change->work;
    TactKernel     *room = work->room;
    size_t          ld = room->basis.ld, n = (size_t)change->columns;
    double         *G = room->factor.inverse;
    work->count = 0;
    for (int i = 0; i < work->system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            if (has_column(&work->system->items[i], c)) {
                work->unknowns[work->count] = (TactSteadyUnknown){.item = i};
                work->unknowns[work->count++].along[c] = 1;
            }
        }
    }
    work->even = work->count;
    room->factor.products_of = work->system;
    room->factor.products_at = work->system->built;
    tact_steady_products(work, G);
    for (size_t r = 1; r < n; r++) {
        for (size_t c = 0; c < r; c++) {
            G[r * ld + c] = G[c * ld + r];
        }
    }
    for (size_t j = n; j % 4 != 0; j++) {
        for (size_t r = 0; r < n; r++) {
            G[r * ld + j] = 0;
        }
    }
    change->G = G;
}

/// w = G z + b
TACT_CLONES static void move(const TactChange *change)
{
    size_t ld = change->work.room->basis.ld;
    memcpy(change->w, change->b, ((size_t)change->columns + 3) / 4 * 4 * sizeof(double));
    for (int j = 0; j < change->columns; j++) {
        if (change->z[j] != 0) {
            tact_loop_step(change->columns, change->z[j], change->G + (size_t)j * ld, change->w);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The system of the states

/// Where the columns of an unknown are.
static void place_unknown(const TactChange *change, TactSteadyUnknown *unknown)
{
    const double *along = unknown->along;
    if (unknown->item < 0) {
        return;
    }
    bool motor = change->work.system->items[unknown->item].kind == TACT_ITEM_MOTOR;
    int  component = motor || along[0] != 0 ? 0 : along[1] == 0 ? 2 : 1;
    unknown->first = change->arrays->column[unknown->item] + component;
    unknown->single = component != 1 || along[2] == 0;
    // Of friction along one tangent, to or fro, the unknown is the other one's negative.
    unknown->single = unknown->single && along[motor ? 1 : component] == 1;
    unknown->first -= component == 2 && !unknown->single ? 1 : 0;
}

/// G times the column of unknown k: a row of G, or made.
TACT_LOOP const double *column_of(const TactChange *change, int k, double *made)
{
    const TactSteadyUnknown *unknown = &change->work.unknowns[k];
    size_t                   ld = change->work.room->basis.ld;
    const double            *own = change->G + (size_t)unknown->first * ld;
    int                      n = change->columns;
    bool                     skew = k >= change->work.even;
    if (unknown->single && !skew) {
        return own;
    }
    const double *mu = change->arrays->skew + 2 * (size_t)unknown->item;
    double        a = skew ? mu[0] : unknown->along[1], b = skew ? mu[1] : unknown->along[2];
    const double *t1 = skew ? own + ld : own, *t2 = t1 + ld;
    for (int j = 0; j < n; j += 4) {
        TACT_LANES_PUT(made + j) = a * TACT_LANES_AT(t1 + j) + b * TACT_LANES_AT(t2 + j);
    }
    if (skew) {
        tact_loop_step(n, 1, own, made);
    }
    return made;
}

/// Rows from .. end - 1 of a column.
TACT_LOOP void put_entries(const TactChange *change, const double *column, int from, int end,
                           double *out)
{
    size_t ld = change->work.room->basis.ld;
    for (int r = from; r < end; r++) {
        const TactSteadyUnknown *row = &change->work.unknowns[r];
        out[(size_t)r * ld] = row->single     ? column[row->first]
                              : row->item < 0 ? 0
                                              : row->along[1] * column[row->first] +
                                                    row->along[2] * column[row->first + 1];
    }
}

/// R'A and what is added to its diagonal. Returns the largest entry there.
TACT_CLONES static double put_system(const TactChange *change)
{
    const TactSteadyWork *work = &change->work;
    size_t                ld = work->room->basis.ld;
    double               *block = work->room->factor.block, largest = 0;
    for (int c = 0; c < work->count; c++) {
        bool    pad = work->unknowns[c].item < 0;
        double *out = block + c, *diagonal = out + (size_t)c * ld;
        if (pad) {
            for (int r = 0; r < work->count; r++) {
                out[(size_t)r * ld] = r == c;
            }
            continue;
        }
        const double *column = column_of(change, c, work->room->scratch.solution);
        put_entries(change, column, 0, c < work->even ? c + 1 : work->count, out);
        if (c < work->even) {
            put_entries(change, column, work->even, work->count, out);
        }
        *diagonal += work->unknowns[c].extra;
        largest = fabs(*diagonal) > largest ? fabs(*diagonal) : largest;
    }
    for (int r = 0; r < work->count; r++) {
        for (int c = work->count; c % 4 != 0; c++) {
            block[(size_t)r * ld + (size_t)c] = 0;
        }
    }
    return largest;
}

/// An unknown that depends on others is left out, with its friction if it is a normal. false: its
/// state has none to leave out.
static bool leave_out(const TactChange *change, const TactSteadyUnknown *unknown)
{
    if (unknown->item < 0 || unknown->extra > 0) {
        return false;
    }
    TactSteadyState *state = &change->now.of[unknown->item];
    if (unknown->along[0] != 0) {
        *state = (TactSteadyState){0};
        return true;
    }
    if (state->directions == 2 && !state->slides) { // the other tangent stays
        int d = change->work.system->items[unknown->item].directions;
        change->now.turn[unknown->item] = 0;
        state->first = unknown->along[1] != 0 ? d / 4 : 0;
    }
    bool was = state->directions > 0;
    state->directions -= was;
    return was;
}

/// Lists the unknowns of the states and factors their system: from G, or the first without. Those
/// that depend on others are left out.
static bool factor_states(TactChange *change, bool first, bool *pushed)
{
    TactSteadyWork   *work = &change->work;
    TactKernelFactor *factor = &work->room->factor;
    for (int dropped = 0; dropped <= MOST_DROPPED; dropped++) {
        if (!tact_steady_list(work, change->p, pushed)) {
            return false;
        }
        for (int k = 0; k < work->count && !first; k++) {
            place_unknown(change, &work->unknowns[k]);
        }
        double largest = first ? tact_steady_products(work, factor->block) : put_system(change);
        double smallest = TACT_PIVOT_SINGULAR_PRINCIPAL * largest;
        if (work->count == 0 ||
            tact_bordered_factor(work->even, work->count, factor->block, (int)work->room->basis.ld,
                                 factor->permutation, smallest, factor->dependent,
                                 &factor->dependent_count) < 0) {
            return true;
        }
        bool left = factor->dependent_count > 0 && change->arrays->systems > 1;
        for (int k = 0; k < factor->dependent_count; k++) {
            left = leave_out(change, &work->unknowns[factor->dependent[k]]) && left;
        }
        if (!left) {
            return false;
        }
    }
    return false;
}

/// Rows of the velocities w, that are to be 0.
static void put_rest(const TactChange *change, double *rest)
{
    for (int k = 0; k < change->work.count; k++) {
        const TactSteadyUnknown *row = &change->work.unknowns[k];
        const double            *w = change->w + row->first;
        rest[k] = row->item < 0 ? 0
                  : row->single ? w[0]
                                : row->along[1] * w[0] + row->along[2] * w[1];
    }
}

/// Impulses of values x, along the columns.
static void put_impulses(const TactChange *change, const double *x)
{
    const TactSteadyWork *work = &change->work;
    for (int k = 0; k < work->count; k++) {
        const TactSteadyUnknown *unknown = &work->unknowns[k];
        double                  *z = change->z + unknown->first;
        if (unknown->item < 0) {
            continue;
        }
        if (unknown->single) {
            z[0] += x[k];
        } else {
            z[0] += unknown->along[1] * x[k];
            z[1] += unknown->along[2] * x[k];
        }
        if (k >= work->even) {
            z[1] += change->arrays->skew[2 * unknown->item] * x[k];
            z[2] += change->arrays->skew[2 * unknown->item + 1] * x[k];
        }
    }
}

void tact_change_put_items(const TactChange *change)
{
    const TactSystem *system = change->work.system;
    int               j = 0;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        double          by = 1 / item->scale;
        for (int c = 0; c < 3; c++) {
            bool has = has_column(item, c);
            change->p[3 * i + c] = has ? item->scale * change->z[j] : 0;
            change->u[3 * i + c] = has ? by * change->w[j] : 0;
            j += has;
        }
    }
}

/// Slip that is rounding of the values has no direction. false: they are not finite.
static bool measure_rounding(TactChange *change)
{
    double largest = 0, sum = 0;
    for (int k = 0; k < change->work.count; k++) {
        double size = fabs(change->work.room->basis.z[k]);
        largest = tact_larger(largest, size);
        sum += size;
    }
    change->rounding = TACT_TURNING_ROUNDS * largest / change->unit;
    return isfinite(sum);
}

bool tact_change_solve(TactChange *change)
{
    TactSteadyWork   *work = &change->work;
    const TactSystem *system = work->system;
    double           *x = work->room->basis.z;
    bool              pushed;
    change->arrays->systems++;
    if (!factor_states(change, false, &pushed)) {
        return false;
    }
    memset(change->z, 0, (size_t)change->columns * sizeof *change->z);
    for (int i = 0; i < system->item_count && pushed; i++) {
        if (system->items[i].kind == TACT_ITEM_MOTOR) {
            change->z[change->arrays->column[i]] = change->p[3 * i + 1] / system->items[i].scale;
        }
    }
    move(change);
    put_rest(change, x);
    tact_bordered_solve(work->even, work->count, work->room->factor.block,
                        (int)work->room->basis.ld, work->room->factor.permutation, x,
                        work->room->scratch.change);
    for (int k = 0; k < work->count; k++) {
        x[k] = -x[k];
    }
    if (!measure_rounding(change)) {
        return false;
    }
    put_impulses(change, x);
    move(change);
    tact_change_put_items(change);
    return true;
}

bool tact_change_solve_first(TactChange *change, const TactCircleScratch *scratch)
{
    TactSteadyWork   *work = &change->work;
    const TactSystem *system = work->system;
    bool              pushed;
    change->arrays->systems++;
    if (!factor_states(change, true, &pushed)) {
        return false;
    }
    memset(work->room->basis.z, 0, (size_t)work->count * sizeof(double));
    if (pushed) {
        tact_system_move(system, change->p, scratch->y, scratch->u);
    }
    tact_steady_refine(work, pushed ? scratch->u : system->b, change->p);
    tact_system_move(system, change->p, scratch->y, scratch->u);
    for (int i = 0, j = 0; i < system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            if (has_column(&system->items[i], c)) {
                change->z[j] = change->p[3 * i + c] / system->items[i].scale;
                change->w[j++] = change->u[3 * i + c] * system->items[i].scale;
            }
        }
    }
    return measure_rounding(change);
}
