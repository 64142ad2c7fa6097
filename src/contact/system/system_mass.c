// Columns of the items of a mechanism of up to 64 degrees of freedom: sets of them are bits of one
// word.
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/system/system_internal.h"

/// Adds the bits of those of four columns of one row, or of three, ld apart, that are not 0.
__attribute__((always_inline)) static inline void
find_touched(const double *J, size_t ld, int rows, const TactMask *bits, TactMask *found)
{
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactMask  touched = TACT_LANES_AT(J) != zero;
    if (rows == 3) {
        touched |= (TACT_LANES_AT(J + ld) != zero) | (TACT_LANES_AT(J + 2 * ld) != zero);
    }
    *found |= touched & *bits;
}

/// Which of n columns of one row, or of three, n apart, are not 0.
__attribute__((always_inline)) static inline uint64_t list_touched(int n, const double *J, int rows)
{
    TactMask found = {0, 0, 0, 0}, bits = {1, 2, 4, 8};
    size_t   ld = (size_t)n;
    int      j = 0;
    for (; j + 4 <= n; j += 4, bits <<= 4) {
        find_touched(J + j, ld, rows, &bits, &found);
    }
    if (j < n && n >= 4) { // the last four, that overlap those before
        bits = (TactMask){1, 2, 4, 8} << (n - 4);
        find_touched(J + n - 4, ld, rows, &bits, &found);
        j = n;
    }
    uint64_t all = (uint64_t)((found[0] | found[1]) | (found[2] | found[3]));
    for (; j < n; j++) {
        bool touched =
            J[j] != 0 || (rows == 3 && (J[ld + (size_t)j] != 0 || J[2 * ld + (size_t)j] != 0));
        all |= (uint64_t)touched << j;
    }
    return all;
}

TACT_CLONES static uint64_t touched_by_row(int n, const double *J)
{
    return list_touched(n, J, 1);
}

TACT_CLONES static uint64_t touched_by_contact(int n, const double *J)
{
    return list_touched(n, J, 3);
}

uint64_t tact_system_touched(const TactContactProblem *problem, int source)
{
    int row = source - problem->contact_count;
    return row >= 0 ? touched_by_row(problem->nv, problem->rows[row].J)
                    : touched_by_contact(problem->nv, problem->contacts[source].J);
}

/// Touched dofs and all above them: what whitening makes of them.
static uint64_t list_above(const TactWhitener *whitener, uint64_t touched)
{
    uint64_t all = 0;
    while (touched != 0) {
        uint64_t chain = whitener->above[63 - __builtin_clzll(touched)];
        all |= chain;
        touched &= ~chain;
    }
    return all;
}

/// Where columns have entries, with the bilateral rows projected out. Returns how many.
static int list_support(const TactSystem *system, uint64_t touched, int *support)
{
    uint64_t all = list_above(&system->whitener, touched);
    int      size = 0;
    if (system->bilateral.rank > 0) {
        all = tact_bilateral_spread(&system->bilateral, all);
    }
    for (; all != 0; all &= all - 1) {
        support[size++] = __builtin_ctzll(all);
    }
    return size;
}

/// Entries j .. j + 3 of four rows as columns, side by side in a row of x of `width`.
__attribute__((always_inline)) static inline void lay_four(int j, const double *const rows[4],
                                                           int width, double *x)
{
    TactLanes in[4] = {TACT_LANES_AT(rows[0] + j), TACT_LANES_AT(rows[1] + j),
                       TACT_LANES_AT(rows[2] + j), TACT_LANES_AT(rows[3] + j)};
    TactLanes out[4];
    tact_lanes_transpose(in, out);
    for (int k = 0; k < 4; k++) {
        TACT_LANES_PUT(x + width * (j + k)) = out[k];
    }
}

/// The first `end` of four rows of n numbers as columns. The last four may overlap those before.
///                                                                     x: (n x width)
__attribute__((always_inline)) static inline void
lay_beside(int n, int end, const double *const rows[4], int width, double *x)
{
    int j = 0;
    for (; j < end && j + 4 <= n; j += 4) {
        lay_four(j, rows, width, x);
    }
    if (j >= end) {
        return;
    }
    if (n >= 4) {
        lay_four(n - 4, rows, width, x);
        return;
    }
    for (; j < n; j++) {
        TACT_LANES_PUT(x + width * j) = (TactLanes){rows[0][j], rows[1][j], rows[2][j], rows[3][j]};
    }
}

/// Columns 0, 1, 2 of x at the places of a support.         x: (n x width), out: (3 x size)
__attribute__((always_inline)) static inline void take_columns(const double *x, int width, int size,
                                                               const int *support, double *out)
{
    double *n = out, *t1 = out + size, *t2 = t1 + size;
    int     s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes in[4], columns[4];
        for (int k = 0; k < 4; k++) {
            in[k] = TACT_LANES_AT(x + width * support[s + k]);
        }
        tact_lanes_transpose(in, columns);
        TACT_LANES_PUT(n + s) = columns[0];
        TACT_LANES_PUT(t1 + s) = columns[1];
        TACT_LANES_PUT(t2 + s) = columns[2];
    }
    for (; s < size; s++) {
        const double *own = x + width * support[s];
        n[s] = own[0];
        t1[s] = own[1];
        t2[s] = own[2];
    }
}

/// After the last of the dofs that are touched; bilateral rows mix them with all others.
static inline int end_of(const TactSystem *system, uint64_t touched)
{
    bool all = system->bilateral.rank > 0;
    return all ? system->whitener.dof : touched ? 64 - __builtin_clzll(touched) : 0;
}

/// The columns of a contact over its support.                                  out: (3 x size)
TACT_CLONES static void put_contact_columns(const TactSystem *system, const double *J,
                                            uint64_t touched, double *x, int size,
                                            const int *support, double *out)
{
    const TactWhitener *whitener = &system->whitener;
    const double *const rows[4] = {J, J + whitener->dof, J + 2 * whitener->dof, J};
    lay_beside(whitener->dof, end_of(system, touched), rows, 4, x);
    tact_whitener_force_four_of(whitener, touched, x);
    if (system->bilateral.rank > 0) {
        tact_bilateral_rotate_four(&system->bilateral, touched, x);
    }
    take_columns(x, 4, size, support, out);
}

/// The same of two contacts of a group, whose columns stand one after the other.
TACT_CLONES static void put_columns_of_two(const TactSystem *system, const double *const J[2],
                                           uint64_t touched, double *x, int size,
                                           const int *support, double *out)
{
    const TactWhitener *whitener = &system->whitener;
    for (int i = 0; i < 2; i++) {
        const double *const rows[4] = {J[i], J[i] + whitener->dof, J[i] + 2 * whitener->dof, J[i]};
        lay_beside(whitener->dof, end_of(system, touched), rows, 8, x + 4 * i);
    }
    tact_whitener_force_eight_of(whitener, touched, x);
    for (int i = 0; i < 2; i++) {
        take_columns(x + 4 * i, 8, size, support, out + 3 * i * size);
    }
}

/// Up to four rows of joints, of which each has one column that is not 0.
TACT_CLONES static void whiten_rows(const TactSystem *system, uint64_t touched,
                                    const double *const rows[4], double *x)
{
    lay_beside(system->whitener.dof, end_of(system, touched), rows, 4, x);
    tact_whitener_force_four_of(&system->whitener, touched, x);
}

/// Where the one column of a row's item stands; the other two are 0.
static double *open_row(const TactSystem *system, int i)
{
    const TactItem *item = &system->items[i];
    size_t          size = (size_t)system->groups[item->group].size;
    double         *out = system->columns + system->column[i];
    bool            motor = item->kind == TACT_ITEM_MOTOR;
    memset(out + (motor ? 2 * size : size), 0, size * sizeof *out);
    memset(out + (motor ? 0 : 2 * size), 0, size * sizeof *out);
    return out + (motor ? size : 0);
}

static void put_rows(TactSystem *system, const TactContactProblem *problem, int count,
                     const int *items)
{
    const double *rows[4];
    uint64_t      touched = 0;
    for (int k = 0; k < 4; k++) {
        rows[k] = problem->rows[system->items[items[k < count ? k : 0]].source].J;
        touched |= k < count ? system->keys[items[k]].touched : 0;
    }
    touched = list_above(&system->whitener, touched);
    whiten_rows(system, touched, rows, system->beside);
    if (system->bilateral.rank > 0) {
        tact_bilateral_rotate_four(&system->bilateral, touched, system->beside);
    }
    for (int k = 0; k < count; k++) {
        const TactItemGroup *group = &system->groups[system->items[items[k]].group];
        const int           *support = system->support + group->support;
        double              *out = open_row(system, items[k]);
        for (int s = 0; s < group->size; s++) {
            out[s] = system->beside[4 * support[s] + k];
        }
    }
}

/// What row i is of the row before it, where both touch one and the same dof, as the limit of a
/// joint and its dry friction do: 1 or -1; 0: of another size, or of another dof.
static int row_before(const TactSystem *system, const TactContactProblem *problem, int i)
{
    uint64_t touched = system->keys[i].touched;
    if (i == 0 || system->items[i - 1].kind == TACT_ITEM_CONTACT || touched == 0 ||
        (touched & (touched - 1)) != 0 || system->keys[i - 1].touched != touched) {
        return 0;
    }
    int    dof = __builtin_ctzll(touched);
    double own = problem->rows[system->items[i].source].J[dof];
    double other = problem->rows[system->items[i - 1].source].J[dof];
    return own == other ? 1 : own == -other ? -1 : 0;
}

/// The column of row i from that of the row before it.
static void copy_row_before(const TactSystem *system, int i, int sign)
{
    int           size = system->groups[system->items[i].group].size;
    const double *from = system->columns + system->column[i - 1];
    double       *out = open_row(system, i);
    from += system->items[i - 1].kind == TACT_ITEM_MOTOR ? size : 0;
    for (int s = 0; s < size; s++) {
        out[s] = sign * from[s];
    }
}

static void open_groups(TactSystem *system)
{
    TactSystemFill     fill = {0};
    TactItemGroup     *group = NULL;
    const TactItemKey *keys = system->keys;
    for (int i = 0; i < system->item_count; i++) {
        if (!group || keys[i].touched != keys[i - 1].touched) {
            int *support = system->support + fill.support;
            int  size = list_support(system, keys[i].touched, support);
            group = tact_system_open_group(system, i, size, &fill);
        }
        tact_system_join_group(system, i, group, &fill);
    }
}

/// The columns of contact i, and of the next one if it is of the same group. Returns how many.
static int put_contacts(TactSystem *system, const TactContactProblem *problem, int i)
{
    const TactItem      *item = &system->items[i];
    const TactItemGroup *group = &system->groups[item->group];
    const int           *support = system->support + group->support;
    double              *out = system->columns + system->column[i];
    const double        *J = problem->contacts[item->source].J;
    uint64_t             touched = list_above(&system->whitener, system->keys[i].touched);
    if (system->bilateral.rank == 0 && i + 1 < system->item_count &&
        item[1].kind == TACT_ITEM_CONTACT && item[1].group == item->group) {
        const double *const both[2] = {J, problem->contacts[item[1].source].J};
        put_columns_of_two(system, both, touched, system->beside, group->size, support, out);
        return 2;
    }
    put_contact_columns(system, J, touched, system->beside, group->size, support, out);
    return 1;
}

void tact_system_mass_columns(TactSystem *system, const TactContactProblem *problem)
{
    int rows[4], count = 0;
    open_groups(system);
    for (int i = 0, taken; i < system->item_count; i += taken) {
        taken = 1;
        if (system->items[i].kind == TACT_ITEM_CONTACT) {
            taken = put_contacts(system, problem, i);
            continue;
        }
        if (row_before(system, problem, i) != 0) {
            continue;
        }
        rows[count++] = i;
        if (count == 4) {
            put_rows(system, problem, count, rows);
            count = 0;
        }
    }
    if (count > 0) {
        put_rows(system, problem, count, rows);
    }
    for (int i = 1; i < system->item_count; i++) {
        int sign = system->items[i].kind == TACT_ITEM_CONTACT ? 0 : row_before(system, problem, i);
        if (sign != 0) {
            copy_row_before(system, i, sign);
        }
    }
}
