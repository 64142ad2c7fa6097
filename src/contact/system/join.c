// Rows that bilateral rows make parallel: of a gear, of four bars, of whatever moves together.
//
// With the bilateral rows projected out, columns of two motors (dry friction of both joints of a
// gear) are C_j = r C_i, and their velocities u_j = r u_i where their offsets are e_j = r e_i. What
// resists is one motor,
//
//     P = p_i + r p_j,    |P| <= b_i + |r| b_j,
//
// and any p_i, p_j with this sum gives the same motion. As two items they are a redundancy that
// every method would have to choose from, in every step anew. So i stands for both, and the answer
// is shared as the bounds are: p_i = P b_i / b, p_j = sign(r) P b_j / b.
//
// Of two unilateral rows with r > 0 (the limits of both joints of a gear) one asks for more than
// the other: if e_j >= r e_i then u_i >= 0 is u_j >= 0 as well, and j needs no impulse.
#include <math.h>
#include <string.h>

#include "contact/problem/problem.h"
#include "contact/system/system_internal.h"

// Columns and offsets that differ by less than this part are the same but for rounding.
static const double PARALLEL = 1e-11;
static const double SAME = 1e-13;

/// The one column of a row's item, and where it has entries.
typedef struct Column {
    const double *value;
    const int    *support;
    int           size;
} Column;

static Column column_of(const TactSystem *system, int i)
{
    const TactItemGroup *group = &system->groups[system->items[i].group];
    size_t               skip = system->items[i].kind == TACT_ITEM_MOTOR ? (size_t)group->size : 0;
    return (Column){system->columns + system->column[i] + skip, system->support + group->support,
                    group->size};
}

/// a' b, and |a - r b|^2: supports are in ascending order.
static double compare_columns(const Column *a, const Column *b, double r, double *apart)
{
    double dot = 0, sum = 0;
    for (int i = 0, j = 0; i < a->size || j < b->size;) {
        bool   in_a = i < a->size && (j >= b->size || a->support[i] <= b->support[j]);
        bool   in_b = j < b->size && (i >= a->size || b->support[j] <= a->support[i]);
        double x = in_a ? a->value[i++] : 0, y = in_b ? b->value[j++] : 0;
        dot += x * y;
        sum += (x - r * y) * (x - r * y);
    }
    *apart = sum;
    return dot;
}

/// Is C_j = r C_i? The scales of items are 1 / |C|.
static bool is_parallel(const TactSystem *system, int j, int i, double *r)
{
    Column a = column_of(system, j), b = column_of(system, i);
    double si = system->items[i].scale, sj = system->items[j].scale, apart;
    double part = compare_columns(&a, &b, 0, &apart) * si * sj; // 1 or -1, or they are not
    if (!(fabs(part) > 1 - PARALLEL)) {
        return false;
    }
    *r = (part > 0 ? 1 : -1) * si / sj;
    compare_columns(&a, &b, *r, &apart);
    return apart * sj * sj <= PARALLEL * PARALLEL;
}

/// e_j - r e_i, and 0 where that is rounding beside the speeds |C_j| |y|.
static double tell_apart(double own, double other, double speed)
{
    double off = own - other;
    return fabs(off) <= SAME * (speed + fabs(own) + fabs(other)) ? 0 : off;
}

/// |y0|
static double measure_motion(const TactSystem *system)
{
    double sum = 0;
    for (int k = 0; k < system->dof; k++) {
        sum += system->y0[k] * system->y0[k];
    }
    return sqrt(sum);
}

/// What a kept row and another one come to.
typedef enum Together { APART, JOINED, DROP_SECOND, DROP_FIRST } Together;

static Together meet(const TactSystem *system, int i, int j, double motion, double *r)
{
    const TactItem *first = &system->items[i], *second = &system->items[j];
    bool            motor = first->kind == TACT_ITEM_MOTOR;
    if (first->kind != second->kind || !is_parallel(system, j, i, r)) {
        return APART;
    }
    const double *ei = system->e + 3 * i + motor, *ej = system->e + 3 * j + motor;
    double        off = tell_apart(*ej, *r * *ei, motion / second->scale);
    if (motor) {
        return off == 0 ? JOINED : APART;
    }
    return *r < 0 ? APART : off >= 0 ? DROP_SECOND : DROP_FIRST;
}

/// A row with one column that moves something, and does not give way.
static bool can_join(const TactItem *item, const TactItemGroup *group)
{
    return group->size > 0 &&
           ((item->kind == TACT_ITEM_MOTOR && item->bound > 0 && isfinite(item->bound)) ||
            (item->kind == TACT_ITEM_UNILATERAL && item->compliance == 0));
}

static int find_tie(const int *tied, int dof)
{
    while (tied[dof] != dof) {
        dof = tied[dof];
    }
    return dof;
}

/// Takes a degree of freedom to the set `first`, -1: none yet. Returns that set.
static int tie_dof(int *tied, int dof, int first)
{
    int root = find_tie(tied, dof);
    first = first < 0 ? root : first;
    int low = first < root ? first : root, high = first < root ? root : first;
    tied[high] = low;
    return low;
}

/// Degrees of freedom that bilateral rows tie together: each ends at the first one of its set.
static void tie_dofs(const TactContactProblem *problem, int *tied)
{
    bool few = problem->nv <= TACT_WHITENER_BITS;
    for (int j = 0; j < problem->nv; j++) {
        tied[j] = j;
    }
    for (int r = 0; r < problem->row_count; r++) {
        const TactContactRow *row = &problem->rows[r];
        if (row->kind != TACT_ROW_BILATERAL) {
            continue;
        }
        uint64_t touched = few ? tact_system_touched(problem, problem->contact_count + r) : 0;
        int      first = -1;
        for (; touched != 0; touched &= touched - 1) {
            first = tie_dof(tied, __builtin_ctzll(touched), first);
        }
        for (int j = 0; j < problem->nv && !few; j++) {
            first = row->J[j] != 0 ? tie_dof(tied, j, first) : first;
        }
    }
}

/// The set of degrees of freedom that a row acts on, -1: none, or several. Rows that bilateral rows
/// make parallel act on one set.
static int find_set(const TactSystem *system, const TactContactProblem *problem, int i,
                    const int *tied)
{
    const double *J = problem->rows[system->items[i].source].J;
    int           set = -1;
    if (problem->nv <= TACT_WHITENER_BITS) {
        for (uint64_t left = system->keys[i].touched; left != 0; left &= left - 1) {
            int own = find_tie(tied, __builtin_ctzll(left));
            if (set >= 0 && own != set) {
                return -1;
            }
            set = own;
        }
        return set;
    }
    for (int j = 0; j < problem->nv; j++) {
        if (J[j] != 0) {
            int own = find_tie(tied, j);
            if (set >= 0 && own != set) {
                return -1;
            }
            set = own;
        }
    }
    return set;
}

/// Closes the gaps that dropped items leave; those have the group -1.
static void remove_items(TactSystem *system)
{
    int items = 0, groups = 0;
    for (int g = 0; g < system->group_count; g++) {
        TactItemGroup group = system->groups[g];
        int           first = items;
        for (int i = group.first; i < group.first + group.count; i++) {
            if (system->items[i].group < 0) {
                continue;
            }
            system->keys[items] = system->keys[i];
            system->items[items] = system->items[i];
            system->items[items].group = groups;
            system->column[items] = system->column[i];
            memmove(system->e + 3 * items, system->e + 3 * i, 3 * sizeof(double));
            memmove(system->b + 3 * items, system->b + 3 * i, 3 * sizeof(double));
            items++;
        }
        group.first = first;
        group.count = items - first;
        if (group.count > 0) {
            system->groups[groups++] = group;
        }
    }
    system->item_count = items;
    system->group_count = groups;
    system->stride = TACT_SYSTEM_STRIDE(items);
}

/// Row j moves as r times row i does: i resists for both from now on.
static void join_rows(TactSystem *system, int i, int j, double r)
{
    TactItem *kept = &system->items[i], *other = &system->items[j];
    if (kept->owner == 0) {
        system->joined[system->joined_count] =
            (TactJoined){.row = kept->source, .of = kept->source, .ratio = 1, .part = kept->bound};
        kept->owner = ++system->joined_count;
    }
    TactJoined *last = &system->joined[system->joined_count++];
    *last = (TactJoined){.row = other->source,
                         .of = kept->source,
                         .ratio = r,
                         .length = 1 / other->scale,
                         .part = r > 0 ? other->bound : -other->bound};
    kept->bound += fabs(r) * other->bound;
    kept->moments++; // how many more
    other->group = -1;
}

/// Limit j, which is r times limit i, asks for less.
static void drop_row(TactSystem *system, int j, int i, double r)
{
    TactItem *dropped = &system->items[j];
    system->joined[system->joined_count++] = (TactJoined){.row = dropped->source,
                                                          .of = system->items[i].source,
                                                          .ratio = r,
                                                          .length = 1 / dropped->scale};
    dropped->group = -1;
}

/// Item i and those after it in its set. Returns whether any was dropped.
static bool join_others(TactSystem *system, int i, const int *set, double motion)
{
    TactItem *kept = &system->items[i];
    bool      dropped = false;
    for (int j = i + 1; j < system->item_count && kept->group >= 0; j++) {
        if (set[j] != set[i] || system->items[j].group < 0) {
            continue;
        }
        double   r;
        Together end = meet(system, i, j, motion, &r);
        if (end == JOINED) {
            join_rows(system, i, j, r);
        } else if (end != APART) {
            drop_row(system, end == DROP_FIRST ? i : j, end == DROP_FIRST ? j : i,
                     end == DROP_FIRST ? 1 / r : r);
        }
        dropped = dropped || end != APART;
    }
    for (int k = 0; k <= kept->moments && kept->owner > 0; k++) {
        system->joined[kept->owner - 1 + k].part /= kept->bound;
    }
    return dropped;
}

void tact_system_join(TactSystem *system, const TactContactProblem *problem)
{
    system->joined_count = 0;
    if (system->bilateral.rank == 0 || !problem->M) {
        return;
    }
    int   *tied = system->tied, *set = tied + problem->nv;
    double motion = measure_motion(system);
    tie_dofs(problem, tied);
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        bool            may = can_join(item, &system->groups[item->group]);
        set[i] = may ? find_set(system, problem, i, tied) : -1;
    }
    bool dropped = false;
    for (int i = 0; i < system->item_count; i++) {
        if (set[i] >= 0 && system->items[i].group >= 0) {
            dropped = join_others(system, i, set, motion) || dropped;
        }
    }
    if (dropped) {
        remove_items(system);
        tact_system_place_groups(system);
    }
}

bool tact_system_stays_joined(const TactSystem *system, const TactContactProblem *problem,
                              const double *held)
{
    double motion = measure_motion(system);
    for (int k = 0; k < system->joined_count; k++) {
        const TactJoined *joined = &system->joined[k];
        bool              motor = problem->rows[joined->row].kind == TACT_ROW_MOTOR;
        double            e[2];
        for (int side = 0; side < 2; side++) {
            int row = side ? joined->of : joined->row;
            e[side] = tact_rows_dot(problem, problem->contact_count + row, motor, held) -
                      tact_rows_target(problem, row);
        }
        double off = tell_apart(e[0], joined->ratio * e[1], motion * joined->length);
        if (motor ? off != 0 : off < 0) {
            return false;
        }
    }
    return true;
}
