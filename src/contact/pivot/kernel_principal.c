// A basis that is set: every row stands against its own unknown, z0 is not there, and K is a
// principal block. Then the rows of gamma and one row of sigma a sliding contact can be solved by
// hand, as in elimination.h: with x the first basic direction of a contact whose lambda is basic,
//
//     phi_x  = mu theta - sum phi_k - f_gamma,      lambda = f_x - d_x' v
//
// and what is left has one row a theta, a damper, a phi besides phi_x [Lloyd04, 5.1]:
//
//     R' A X = f_r - f_x + R' b,      b = sum f_gamma d_x
//
// with R = n, tau, d_k - d_x and A = n + mu d_x, tau, d_k - d_x. A sliding contact has 1 row of 3.
// Moments are eliminated in the same way, with the theta of their contact: its A has their mu d_x.
#include <math.h>
#include <string.h>

#include "contact/pivot/kernel_entries.h"
#include "contact/pivot_rules.h"
#include "linalg/bordered.h"

/// Place of phi_x of the item of a basic unknown; -1: nothing of it is eliminated.
static int x_of(const TactKernel *kernel, TactVar variable)
{
    int active = kernel->items.active[tact_var_item(variable)];
    int kind = tact_var_kind(variable);
    return active >= 0 && (kind == TACT_VAR_THETA || kind == TACT_VAR_PHI)
               ? kernel->factor.x_position[active]
               : -1;
}

/// Place of phi_x of a moment; -1: nothing of it is eliminated.
static int x_of_moment(const TactKernel *kernel, int m)
{
    int active = kernel->items.active[m];
    return active >= 0 ? kernel->factor.x_position[active] : -1;
}

/// Does a moment of item i spin or roll?
__attribute__((noinline)) static bool has_moving_moment(const TactKernel *kernel, int i)
{
    bool moves = false;
    for (int m = i + 1; m <= i + tact_kernel_moments(kernel, i) && !moves; m++) {
        moves = x_of_moment(kernel, m) >= 0;
    }
    return moves;
}

/// Is this the theta of a contact that slides, spins or rolls? Of all others R = A.
static inline bool is_skew(const TactKernel *kernel, TactVar variable)
{
    return tact_var_kind(variable) == TACT_VAR_THETA &&
           (x_of(kernel, variable) >= 0 ||
            (kernel->items.has_moments && has_moving_moment(kernel, tact_var_item(variable))));
}

/// phi_x of every contact with a basic lambda. false: one has none.
static bool choose_x(TactKernel *kernel)
{
    for (int active = 0; active < kernel->friction.count; active++) {
        kernel->factor.x_position[active] = -1;
    }
    for (int p = kernel->basis.k - 1; p >= 0; p--) {
        int i = tact_var_item(kernel->basis.col[p]);
        if (tact_var_kind(kernel->basis.col[p]) == TACT_VAR_PHI &&
            kernel->basis.position[TACT_VAR_LAMBDA][i] >= 0) {
            kernel->factor.x_position[kernel->items.active[i]] = p;
        }
    }
    for (int p = 0; p < kernel->basis.k; p++) {
        TactVar variable = kernel->basis.col[p];
        if (tact_var_kind(variable) == TACT_VAR_LAMBDA &&
            kernel->factor.x_position[kernel->items.active[tact_var_item(variable)]] < 0) {
            return false;
        }
    }
    return true;
}

/// The unknowns that are left: those with R = A, and from a whole vector on the others.
static void list_reduced(TactKernel *kernel)
{
    int even = 0, skew = 0, *reduced = kernel->factor.reduced, *others = kernel->factor.permutation;
    for (int p = 0; p < kernel->basis.k; p++) {
        TactVar variable = kernel->basis.col[p];
        if (tact_var_kind(variable) == TACT_VAR_LAMBDA || x_of(kernel, variable) == p) {
            continue;
        }
        if (is_skew(kernel, variable)) {
            others[skew++] = p;
        } else {
            reduced[even++] = p;
        }
    }
    for (; skew > 0 && even % 4 != 0; even++) {
        reduced[even] = -1;
    }
    for (int r = 0; r < skew; r++) {
        reduced[even + r] = others[r];
    }
    kernel->factor.even_count = even;
    kernel->factor.reduced_count = even + skew;
}

/// One more motion, that of position x, to a column of the table. An item and its moments touch the
/// same degrees of freedom.
TACT_LOOP void add_star(const TactKernel *kernel, int i, int x, double factor, double *star)
{
    const TactItemGroup *group = tact_kernel_group(kernel, i);
    const int           *support = kernel->space.support + group->support;
    const double        *other = kernel->motions.col_rows + (size_t)x * kernel->space.ld;
    for (int s = 0; s < group->size; s++) {
        star[(size_t)support[s] * kernel->basis.ld] += factor * other[support[s]];
    }
}

/// mu d_x of all moments of item i that spin or roll.
TACT_CALLED_BY_CLONES static void add_moment_stars(const TactKernel *kernel, int i, double *star)
{
    for (int m = i + 1; m <= i + tact_kernel_moments(kernel, i); m++) {
        if (x_of_moment(kernel, m) >= 0) {
            add_star(kernel, i, x_of_moment(kernel, m), kernel->items.mu[m], star);
        }
    }
}

/// A of all reduced unknowns, [dof][reduced], in the memory of row_motion.
TACT_LOOP void put_stars(TactKernel *kernel)
{
    int     m = kernel->factor.reduced_count;
    double *star = kernel->motions.row_motion;
    memset(kernel->scratch.motion, 0, kernel->space.ld * sizeof(double));
    for (int r = 0; r < m; r += 4) {
        const double *rows[4];
        for (int k = 0; k < 4; k++) {
            int position = r + k < m ? kernel->factor.reduced[r + k] : -1;
            rows[k] = position < 0 ? kernel->scratch.motion
                                   : kernel->motions.col_rows + (size_t)position * kernel->space.ld;
        }
        tact_loop_transpose(rows, kernel->space.dof, kernel->basis.ld, star + r);
    }
    for (int r = 0; r < m; r++) {
        int position = kernel->factor.reduced[r];
        int x = position < 0 ? -1 : x_of(kernel, kernel->basis.col[position]);
        if (x >= 0) {
            TactVar variable = kernel->basis.col[position];
            int     i = tact_var_item(variable);
            bool    theta = tact_var_kind(variable) == TACT_VAR_THETA;
            add_star(kernel, i, x, theta ? kernel->items.mu[i] : -1, star + r);
        }
    }
    for (int r = 0; r < m && kernel->items.has_moments; r++) {
        int position = kernel->factor.reduced[r];
        if (position >= 0 && tact_var_kind(kernel->basis.col[position]) == TACT_VAR_THETA) {
            add_moment_stars(kernel, tact_var_item(kernel->basis.col[position]), star + r);
        }
    }
}

/// R of a position.
TACT_LOOP const double *row_of(const TactKernel *kernel, int position)
{
    TactVar       variable = kernel->basis.col[position];
    const double *own = kernel->motions.col_rows + (size_t)position * kernel->space.ld;
    // A theta that is not skew has none.
    int x = tact_var_kind(variable) == TACT_VAR_THETA ? -1 : x_of(kernel, variable);
    if (x < 0) {
        return own;
    }
    memcpy(kernel->scratch.motion, own, kernel->space.ld * sizeof *own);
    tact_loop_step(kernel->space.dof, -1, kernel->motions.col_rows + (size_t)x * kernel->space.ld,
                   kernel->scratch.motion);
    return kernel->scratch.motion;
}

/// The first column of a row of R'A that is needed: of the symmetric part only what is right of the
/// diagonal is.
TACT_LOOP int first_column(const TactKernel *kernel, int r)
{
    return r < kernel->factor.even_count ? r / 4 * 4 : 0;
}

/// Group of degrees of freedom of a reduced unknown; -1: a pad.
TACT_LOOP int group_of(const TactKernel *kernel, int r)
{
    int position = kernel->factor.reduced[r];
    return position < 0 ? -1
                        : kernel->system->items[tact_var_item(kernel->basis.col[position])].group;
}

/// Row r of R'A, and the next one where it touches the same degrees of freedom, as unknowns of one
/// contact do. Returns how many.
TACT_LOOP int put_products(TactKernel *kernel, int r)
{
    int     m = kernel->factor.reduced_count, g = group_of(kernel, r);
    int     first = first_column(kernel, r), run = kernel->space.group_runs[g];
    size_t  ld = kernel->basis.ld;
    double *row = kernel->factor.block + (size_t)r * ld + first;

    TactLoopRuns  runs = {kernel->space.group_runs[g + 1] - run, kernel->space.run_first + run,
                          kernel->space.run_end + run};
    const double *stars = kernel->motions.row_motion + first;
    const double *own = row_of(kernel, kernel->factor.reduced[r]);
    if (r + 1 < m && own != kernel->scratch.motion && group_of(kernel, r + 1) == g &&
        first_column(kernel, r + 1) == first) {
        const double *const factors[2] = {own, row_of(kernel, kernel->factor.reduced[r + 1])};
        double *const       rows[2] = {row, row + ld};
        tact_loop_combine_runs2(m - first, stars, ld, &runs, factors, rows);
        return 2;
    }
    tact_loop_combine_runs(m - first, stars, ld, &runs, own, row);
    return 1;
}

/// What is not a product of motions, added to the diagonal: compliance and 1 / damping. Returns the
/// size of the entry.
TACT_LOOP double end_row(TactKernel *kernel, int r)
{
    double *entry = kernel->factor.block + (size_t)r * (kernel->basis.ld + 1);
    TactVar variable = kernel->basis.col[kernel->factor.reduced[r]];
    if (tact_var_kind(variable) == TACT_VAR_DAMPER) {
        *entry += 1 / kernel->items.damping[tact_var_item(variable)];
    } else if (tact_var_kind(variable) == TACT_VAR_THETA) {
        *entry += tact_kernel_compliance(kernel, tact_var_item(variable));
    }
    return fabs(*entry);
}

/// R'A and what is not a product of motions. Returns the largest entry on the diagonal.
TACT_CLONES static double put_matrix(TactKernel *kernel)
{
    int    m = kernel->factor.reduced_count;
    double largest = 0;
    put_stars(kernel);
    for (int r = 0; r < m;) {
        if (kernel->factor.reduced[r] < 0) {
            int     first = first_column(kernel, r);
            double *row = kernel->factor.block + (size_t)r * kernel->basis.ld;
            memset(row + first, 0, ((size_t)(m - first) + 3) / 4 * 4 * sizeof(double));
            row[r++] = 1;
            continue;
        }
        for (int end = r + put_products(kernel, r); r < end; r++) {
            double size = end_row(kernel, r);
            largest = size > largest ? size : largest;
        }
    }
    return largest;
}

TactKernelFactorKind tact_principal_factor(TactKernel *kernel)
{
    kernel->factor.dependent_count = 0;
    if (!choose_x(kernel)) {
        return TACT_KERNEL_NO_FACTOR;
    }
    list_reduced(kernel);
    double largest = put_matrix(kernel);
    double smallest = TACT_PIVOT_SINGULAR_PRINCIPAL * largest;
    for (int r = 0; r < kernel->factor.even_count && kernel->factor.soft > 0; r++) {
        kernel->factor.block[(size_t)r * (kernel->basis.ld + 1)] += kernel->factor.soft * largest;
    }
    int *dependent = kernel->factor.dependent;
    int  failed = tact_bordered_factor(kernel->factor.even_count, kernel->factor.reduced_count,
                                       kernel->factor.block, (int)kernel->basis.ld,
                                       kernel->factor.permutation, smallest, dependent,
                                       &kernel->factor.dependent_count);
    for (int k = 0; k < kernel->factor.dependent_count; k++) { // pads are regular
        dependent[k] = kernel->factor.reduced[dependent[k]];
    }
    return failed < 0 ? TACT_KERNEL_PRINCIPAL : TACT_KERNEL_SINGULAR;
}

/// t_p = motion of position p times b, b = sum f_gamma d_x.
TACT_LOOP void eliminated_motion(const TactKernel *kernel, const double *f, double *b, double *t)
{
    bool any = false;
    memset(b, 0, kernel->space.ld * sizeof(double));
    for (int active = 0; active < kernel->friction.count; active++) {
        int x = kernel->factor.x_position[active];
        if (x >= 0) {
            double gamma = f[kernel->basis.position[TACT_VAR_GAMMA][kernel->friction.item[active]]];
            tact_loop_step(kernel->space.dof, gamma,
                           kernel->motions.col_rows + (size_t)x * kernel->space.ld, b);
            any = any || gamma != 0;
        }
    }
    if (any) {
        tact_loop_dots(kernel->basis.k, kernel->motions.col_rows, kernel->space.ld,
                       kernel->space.dof, b, t);
    } else {
        memset(t, 0, (size_t)kernel->basis.k * sizeof(double));
    }
}

/// phi_x of the moments from the theta of their contact, if that is what stands at a position.
static void substitute_moments(const TactKernel *kernel, int position, double *full)
{
    if (position < 0 || tact_var_kind(kernel->basis.col[position]) != TACT_VAR_THETA) {
        return;
    }
    int i = tact_var_item(kernel->basis.col[position]);
    for (int m = i + 1; m <= i + tact_kernel_moments(kernel, i); m++) {
        if (x_of_moment(kernel, m) >= 0) {
            full[x_of_moment(kernel, m)] += kernel->items.mu[m] * full[position];
        }
    }
}

/// phi_x and lambda from the rest.
TACT_LOOP void substitute(const TactKernel *kernel, const double *f, double *full)
{
    for (int active = 0; active < kernel->friction.count; active++) {
        if (kernel->factor.x_position[active] >= 0) {
            full[kernel->factor.x_position[active]] =
                -f[kernel->basis.position[TACT_VAR_GAMMA][kernel->friction.item[active]]];
        }
    }
    for (int r = 0; r < kernel->factor.reduced_count; r++) {
        int position = kernel->factor.reduced[r];
        int x = position < 0 ? -1 : x_of(kernel, kernel->basis.col[position]);
        if (x >= 0) {
            full[x] += kernel->basis.col_gamma[position] * full[position];
        }
    }
    for (int r = 0; r < kernel->factor.reduced_count && kernel->items.has_moments; r++) {
        substitute_moments(kernel, kernel->factor.reduced[r], full);
    }
    bool moved = false;
    for (int active = 0; active < kernel->friction.count; active++) {
        int x = kernel->factor.x_position[active];
        if (x >= 0 && !moved) {
            tact_loop_combine(kernel->space.dof, kernel->motions.col_rows, kernel->space.ld,
                              kernel->basis.k, NULL, full, kernel->scratch.motion);
            moved = true;
        }
        if (x >= 0) {
            const double *d = kernel->motions.col_rows + (size_t)x * kernel->space.ld;
            full[kernel->basis.position[TACT_VAR_LAMBDA][kernel->friction.item[active]]] =
                f[x] - tact_loop_dot(kernel->space.dof, d, kernel->scratch.motion);
        }
    }
}

TACT_CLONES void tact_principal_solve(TactKernel *kernel, const double *f, double *z)
{
    double *rhs = kernel->basis.dz; // scratch by position, all of it
    double *t = kernel->scratch.change;
    double *full = kernel->scratch.solution;
    eliminated_motion(kernel, f, kernel->scratch.motion, t);
    for (int r = 0; r < kernel->factor.reduced_count; r++) {
        int position = kernel->factor.reduced[r];
        int x = position < 0 || tact_var_kind(kernel->basis.col[position]) != TACT_VAR_PHI
                    ? -1
                    : x_of(kernel, kernel->basis.col[position]);
        rhs[r] = position < 0 ? 0 : (f[position] + t[position]) - (x >= 0 ? f[x] + t[x] : 0);
    }
    tact_bordered_solve(kernel->factor.even_count, kernel->factor.reduced_count,
                        kernel->factor.block, (int)kernel->basis.ld, kernel->factor.permutation,
                        rhs, t);
    memset(full, 0, kernel->basis.ld * sizeof(double));
    for (int r = 0; r < kernel->factor.reduced_count; r++) {
        if (kernel->factor.reduced[r] >= 0) {
            full[kernel->factor.reduced[r]] = rhs[r];
        }
    }
    substitute(kernel, f, full);
    for (int r = 0; r < kernel->factor.reduced_count; r++) {
        rhs[r] = 0; // pads too
    }
    for (int c = 0; c < kernel->basis.k; c++) {
        z[c] -= full[c];
        rhs[c] = 0;
    }
}

// ---------------------------------------------------------------------------------------------
// A basis whose unknowns depend on each other: contacts that share a load in more ways than one.
//
// Left out by turns, they would leave friction to the first of them, which may have to slide where
// all together hold. Kept, with every row a little soft, they share what changes: from values z of
// the last answer the proximal iteration
//
//     (K + soft) dz = -(K z + f),      z += dz
//
// ends at an answer of K z + f = 0 next to them. What K resists shrinks by soft / K in every round;
// what it does not, stays.

static const double SOFT = 1e-9; // of the largest diagonal

// Rounds, and what each has to leave at most of what was there before.
enum { MOST_ROUNDS = 6 };
static const double SHRINKS = 0.5;

/// Values of up to two basic unknowns of friction that together are p_t; of others 0.
static void share_friction(TactKernel *kernel, int i, const int *at, int count, const double *p)
{
    double a[3], b[3], z[2], x = p[3 * i + 1], y = p[3 * i + 2];
    tact_kernel_direction(kernel, kernel->basis.col[at[0]], a);
    z[0] = (x * a[1] + y * a[2]) / (a[1] * a[1] + a[2] * a[2]);
    if (count == 2) {
        tact_kernel_direction(kernel, kernel->basis.col[at[1]], b);
        double across = a[1] * b[2] - a[2] * b[1];
        if (across != 0) {
            z[0] = (x * b[2] - y * b[1]) / across;
            z[1] = (a[1] * y - a[2] * x) / across;
            kernel->basis.z[at[1]] = z[1] / kernel->items.q_scale;
        }
    }
    kernel->basis.z[at[0]] = z[0] / kernel->items.q_scale;
}

/// Values of the basic unknowns from impulses. Unknowns of an item follow each other, but for its
/// damper.
static void start_values(TactKernel *kernel, const double *p)
{
    for (int c = 0; c < kernel->basis.k; c++) {
        kernel->basis.z[c] = 0;
    }
    for (int c = 0; c < kernel->basis.k; c++) {
        TactVar variable = kernel->basis.col[c];
        int     i = tact_var_item(variable), at[2] = {c, 0}, count = 1;
        double  along[3];
        if (tact_var_kind(variable) == TACT_VAR_THETA) {
            tact_kernel_direction(kernel, variable, along);
            kernel->basis.z[c] = p[3 * i] / (along[0] * kernel->items.q_scale);
        }
        if (tact_var_kind(variable) != TACT_VAR_PHI) {
            continue;
        }
        int damper = kernel->basis.position[TACT_VAR_DAMPER][i];
        while (c + 1 < kernel->basis.k && tact_var_kind(kernel->basis.col[c + 1]) == TACT_VAR_PHI &&
               tact_var_item(kernel->basis.col[c + 1]) == i) {
            at[1] = ++c;
            count = 2;
        }
        if (count == 1 && damper >= 0) {
            at[1] = damper;
            count = 2;
        }
        share_friction(kernel, i, at, count, p);
    }
}

/// The rows that are to be 0, and the largest of them.
static double gather_rows(TactKernel *kernel)
{
    double largest = 0;
    for (int r = 0; r < kernel->basis.k; r++) {
        kernel->scratch.gather[r] = kernel->rows.value[kernel->basis.row_at[r]];
        largest = fmax(largest, fabs(kernel->scratch.gather[r]));
    }
    return largest;
}

bool tact_kernel_set_softly(TactKernel *kernel, const TactVar *basic, int count, const double *p)
{
    if (kernel->elimination || !tact_kernel_put_basis(kernel, basic, count)) {
        return false;
    }
    kernel->factor.soft = SOFT;
    kernel->factor.kind = tact_principal_factor(kernel);
    kernel->factor.soft = 0;
    if (kernel->factor.kind != TACT_KERNEL_PRINCIPAL) {
        return false;
    }
    tact_kernel_pad_positions(kernel);
    start_values(kernel, p);
    tact_kernel_compute_values(kernel);
    double before = HUGE_VAL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double largest = gather_rows(kernel);
        if (!(largest > TACT_PIVOT_REFINED) || (round > 1 && !(largest <= SHRINKS * before))) {
            break;
        }
        before = largest;
        tact_kernel_solve(kernel, kernel->scratch.gather, kernel->basis.z);
        tact_kernel_compute_values(kernel);
    }
    return true;
}
