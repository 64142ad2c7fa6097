// The LCP of the contacts that may be loaded [Lloyd04, eq. 8], with v+ and joint impulses
// eliminated, pivoted in 320 bits. Redundant contacts leave pivots of the size of rounding, 1e-16
// of the others, which are numbers like others here. q is perturbed by 2^-110 at random: no ties.
#include <tact/base.h>

#include "prove/search/lemke.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/room.h"
#include "prove/search/lemke_double.h"

enum { BITS = 320, PERTURBED = 110, ZERO = -70 };
// From so many unknowns on, pivots are made in double-double arithmetic.
enum { MOST_UNKNOWNS = 1200, MANY_UNKNOWNS = 300, PERTURBED_DOUBLE = 84 };

/// Columns: free unknowns, z, z0, constant. Rows: equations of the free ones, then w.
typedef struct Tableau {
    const TactSearch *search;
    int               free, n, columns;
    int              *y;     // column of a variable of the laws, free ones; -1: none  (variables)
    int              *theta; // first z of a contact: theta, phi..., lambda; -1: none (contacts)
    mpf_t            *t;     // ((free + n) x columns)
    mpf_t             a, b, tiny;
    int              *basic;  // row -> which: 0..n-1 w, n..2n-1 z, 2n z0              (n)
    int               column; // of z0
} Tableau;

static TactPolygon polygon_of(const Tableau *tableau, int i)
{
    return tact_polygon_of(&tableau->search->laws->problem->contacts[i], tableau->search->cone);
}

static int directions_of(const Tableau *tableau, int i)
{
    return tableau->search->laws->problem->contacts[i].mu > 0 ? polygon_of(tableau, i).count : 0;
}

static mpf_t *at(Tableau *tableau, int row, int column)
{
    return &tableau->t[(size_t)row * (size_t)tableau->columns + (size_t)column];
}

/// T[row] += value x_variable, with p_t = sum_j phi_j d_j.
static void add(Tableau *tableau, int row, int variable, const mpf_t value)
{
    const TactLaws *laws = tableau->search->laws;
    int             k = variable - laws->dof, i = k / 3;
    if (k < 0 || k >= 3 * laws->contacts) {
        if (tableau->y[variable] >= 0) {
            mpf_t *entry = at(tableau, row, tableau->y[variable]);
            mpf_add(*entry, *entry, value);
        }
        return;
    }
    if (tableau->theta[i] < 0) {
        return;
    }
    int first = tableau->free + tableau->theta[i];
    if (k % 3 == 0) {
        mpf_add(*at(tableau, row, first), *at(tableau, row, first), value);
        return;
    }
    TactPolygon polygon = polygon_of(tableau, i);
    for (int j = 0; j < directions_of(tableau, i); j++) {
        double d[2];
        tact_polygon_corner(&polygon, j, d);
        mpf_set_d(tableau->a, d[k % 3 - 1]);
        mpf_mul(tableau->a, tableau->a, value);
        mpf_add(*at(tableau, row, first + 1 + j), *at(tableau, row, first + 1 + j), tableau->a);
    }
}

/// T[row] += factor form
static void add_form(Tableau *tableau, int row, const TactExactForm *form, double factor)
{
    mpf_t value;
    mpf_init2(value, BITS);
    for (int k = 0; k < form->count && factor != 0; k++) {
        mpf_set_q(value, form->value[k]);
        mpf_set_d(tableau->b, factor);
        mpf_mul(value, value, tableau->b);
        add(tableau, row, form->column[k], value);
    }
    mpf_set_q(value, form->constant);
    mpf_set_d(tableau->b, factor);
    mpf_mul(value, value, tableau->b);
    mpf_t *entry = at(tableau, row, tableau->columns - 1);
    mpf_add(*entry, *entry, value);
    mpf_clear(value);
}

static void fill_free(Tableau *tableau)
{
    const TactLaws *laws = tableau->search->laws;
    mpf_t           value;
    mpf_init2(value, BITS);
    for (int d = 0; d < laws->dof; d++) {
        add_form(tableau, d, &laws->dynamics.forms[d], 1);
    }
    for (int s = 0; s < 3 * laws->contacts + laws->rows && laws->dof > 0; s++) {
        const TactExactForm *J = &laws->J.forms[s];
        for (int k = 0; k < J->count; k++) {
            mpf_set_q(value, J->value[k]);
            mpf_neg(value, value);
            add(tableau, J->column[k], laws->dof + s, value);
        }
    }
    for (int r = 0; r < laws->rows; r++) {
        int           row = tableau->y[tact_laws_row(laws, r)];
        TactStateKind kind = tableau->search->states[laws->contacts + r].kind;
        if (row < 0) {
            continue;
        }
        if (kind == TACT_PROVE_HIGH || kind == TACT_PROVE_LOW) {
            mpf_set_ui(*at(tableau, row, row), 1);
            mpf_set_d(value, tact_laws_step(laws->problem));
            mpf_set_d(tableau->a, laws->problem->rows[r].force_max);
            mpf_mul(value, value, tableau->a);
            if (kind == TACT_PROVE_HIGH) {
                mpf_neg(value, value);
            }
            mpf_set(*at(tableau, row, tableau->columns - 1), value);
        } else {
            add_form(tableau, row, &laws->u.forms[3 * laws->contacts + r], 1);
        }
    }
    mpf_clear(value);
}

static void fill_contact(Tableau *tableau, int i)
{
    const TactLaws *laws = tableau->search->laws;
    int             z = tableau->theta[i], d = directions_of(tableau, i), free = tableau->free;
    TactPolygon     polygon = polygon_of(tableau, i);
    double          w = tact_states_weight(laws->problem, i);
    add_form(tableau, free + z, &laws->u.forms[3 * i], 1);
    mpf_set_d(*at(tableau, free + z, tableau->column), 1 + (i * 37 % 101) / 101.0);
    for (int j = 0; j < d; j++) {
        double corner[2];
        int    row = free + z + 1 + j, lambda = free + z + 1 + d;
        tact_polygon_corner(&polygon, j, corner);
        add_form(tableau, row, &laws->u.forms[3 * i + 1], corner[0]);
        add_form(tableau, row, &laws->u.forms[3 * i + 2], corner[1]);
        mpf_set_ui(*at(tableau, row, lambda), 1);
        mpf_set_si(*at(tableau, lambda, free + z + 1 + j), -1);
        mpf_set_d(*at(tableau, row, tableau->column), 100);
    }
    if (d > 0) {
        int lambda = free + z + 1 + d;
        mpf_set_d(*at(tableau, lambda, free + z), laws->problem->contacts[i].mu);
        mpf_set_d(*at(tableau, lambda, tableau->column), 0.01 / w);
    }
}

/// x_column of `row` is solved for and put into the other rows: row <- row / -T, others follow.
/// `from` is the first row that is changed.
static void clear_column(Tableau *tableau, int row, int column, int from)
{
    mpf_t *pivot_row = at(tableau, row, 0);
    mpf_t  factor;
    mpf_init2(factor, BITS);
    for (int i = from; i < tableau->free + tableau->n; i++) {
        mpf_t *other = at(tableau, i, 0);
        if (i == row || mpf_sgn(other[column]) == 0) {
            continue;
        }
        mpf_div(factor, other[column], pivot_row[column]);
        for (int j = 0; j < tableau->columns; j++) {
            if (mpf_sgn(pivot_row[j]) != 0) {
                mpf_mul(tableau->a, factor, pivot_row[j]);
                mpf_sub(other[j], other[j], tableau->a);
            }
        }
        mpf_set_ui(other[column], 0);
    }
    mpf_clear(factor);
}

/// Eliminates the free unknowns. One that no equation is left for, the impulse of a redundant joint
/// row, is taken as 0, and its equation as implied.
static void eliminate_free(Tableau *tableau)
{
    int rank = 0;
    for (int k = 0; k < tableau->free; k++) {
        int best = rank;
        for (int i = rank + 1; i < tableau->free; i++) {
            mpf_abs(tableau->a, *at(tableau, i, k));
            mpf_abs(tableau->b, *at(tableau, best, k));
            best = mpf_cmp(tableau->a, tableau->b) > 0 ? i : best;
        }
        mpf_abs(tableau->a, *at(tableau, best, k));
        mpf_set_ui(tableau->b, 1);
        mpf_div_2exp(tableau->b, tableau->b, 200);
        if (mpf_cmp(tableau->a, tableau->b) < 0) {
            for (int i = 0; i < tableau->free + tableau->n; i++) {
                mpf_set_ui(*at(tableau, i, k), 0);
            }
            continue;
        }
        for (int j = 0; j < tableau->columns && best != rank; j++) {
            mpf_swap(*at(tableau, rank, j), *at(tableau, best, j));
        }
        clear_column(tableau, rank, k, rank + 1);
        rank++;
    }
}

// ---------------------------------------------------------------------------------------------
// Pivoting: w = T z + c z0 + q. Columns carry what is not basic, rows what is.

typedef struct Path {
    Tableau *tableau;
    int     *carried; // column -> which: 0..n-1 w, n..2n-1 z, 2n z0         (columns)
} Path;

/// What stands in column `column` and in row `row` change places.
static void exchange(Path *path, int row, int column)
{
    Tableau *tableau = path->tableau;
    mpf_t   *own = at(tableau, tableau->free + row, 0), pivot;
    mpf_init2(pivot, BITS);
    mpf_set(pivot, own[column]);
    // x_column = (basic - rest) / pivot
    for (int j = tableau->free; j < tableau->columns; j++) {
        if (j != column) {
            mpf_div(own[j], own[j], pivot);
            mpf_neg(own[j], own[j]);
        }
    }
    mpf_ui_div(own[column], 1, pivot);
    for (int i = 0; i < tableau->n; i++) {
        mpf_t *other = at(tableau, tableau->free + i, 0);
        if (i == row || mpf_sgn(other[column]) == 0) {
            continue;
        }
        mpf_set(tableau->b, other[column]);
        mpf_set_ui(other[column], 0);
        for (int j = tableau->free; j < tableau->columns; j++) {
            if (mpf_sgn(own[j]) != 0) {
                mpf_mul(tableau->a, tableau->b, own[j]);
                mpf_add(other[j], other[j], tableau->a);
            }
        }
    }
    mpf_clear(pivot);
    int basic = tableau->basic[row];
    tableau->basic[row] = path->carried[column];
    path->carried[column] = basic;
}

/// The row that blocks column, or -1.
static int find_block(Path *path, int column)
{
    Tableau *tableau = path->tableau;
    int      best = -1, n = tableau->n;
    mpf_t    least, ratio;
    mpf_init2(least, BITS);
    mpf_init2(ratio, BITS);
    for (int i = 0; i < n; i++) {
        mpf_t *row = at(tableau, tableau->free + i, 0);
        mpf_abs(tableau->a, row[column]);
        if (mpf_sgn(row[column]) >= 0 || mpf_cmp(tableau->a, tableau->tiny) < 0) {
            continue;
        }
        mpf_div(ratio, row[tableau->columns - 1], tableau->a);
        if (best < 0 || mpf_cmp(ratio, least) < 0) {
            mpf_set(least, ratio);
            best = i;
        }
    }
    mpf_clear(least);
    mpf_clear(ratio);
    return best;
}

static int column_of(const Path *path, int which)
{
    for (int j = path->tableau->free; j < path->tableau->columns - 1; j++) {
        if (path->carried[j] == which) {
            return j;
        }
    }
    return -1;
}

static bool pivot(Path *path)
{
    Tableau *tableau = path->tableau;
    int      n = tableau->n, worst = -1;
    double   start = tact_time_now();
    // z0 enters where q / c is least.
    for (int i = 0; i < n; i++) {
        mpf_div(tableau->b, *at(tableau, tableau->free + i, tableau->columns - 1),
                *at(tableau, tableau->free + i, tableau->column));
        if (mpf_sgn(tableau->b) < 0 && (worst < 0 || mpf_cmp(tableau->b, tableau->tiny) < 0)) {
            // tiny serves as the least so far.
            mpf_set(tableau->tiny, tableau->b);
            worst = i;
        }
    }
    mpf_set_ui(tableau->tiny, 1);
    mpf_div_2exp(tableau->tiny, tableau->tiny, 150);
    if (worst < 0) {
        return true;
    }
    exchange(path, worst, tableau->column);
    int driving = path->carried[tableau->column] + n; // z of the w that left
    for (int count = 0; count < 20 * n + 100; count++) {
        int column = column_of(path, driving);
        int row = column >= 0 ? find_block(path, column) : -1;
        if (row < 0) {
            return false;
        }
        int left = tableau->basic[row];
        exchange(path, row, column);
        if (left == 2 * n) {
            return true;
        }
        driving = left < n ? left + n : left - n;
        if (tact_room_is_over() ||
            (tableau->search->limit > 0 && tact_time_now() - start > tableau->search->limit)) {
            return false;
        }
    }
    return false;
}

/// q += 2^-bits of the largest, at random.
static void perturb(Tableau *tableau, int bits)
{
    TactRandom random = tact_random_seed(1);
    mpf_t      most;
    mpf_init2(most, BITS);
    for (int i = 0; i < tableau->n; i++) {
        mpf_abs(tableau->a, *at(tableau, tableau->free + i, tableau->columns - 1));
        if (mpf_cmp(tableau->a, most) > 0) {
            mpf_set(most, tableau->a);
        }
    }
    mpf_div_2exp(most, most, (mp_bitcnt_t)bits);
    for (int i = 0; i < tableau->n; i++) {
        mpf_t *q = at(tableau, tableau->free + i, tableau->columns - 1);
        mpf_set_d(tableau->a, tact_random_uniform(&random, 1, 2));
        mpf_mul(tableau->a, tableau->a, most);
        mpf_mul(tableau->a, tableau->a, *at(tableau, tableau->free + i, tableau->column));
        mpf_add(*q, *q, tableau->a);
    }
    mpf_clear(most);
}

/// The same in double-double arithmetic.
static TactStatus pivot_double(Path *path, bool *found)
{
    Tableau *tableau = path->tableau;
    size_t   n = (size_t)tableau->n, width = n + 2;
    void    *hi = NULL, *lo = NULL;
    TACT_TRY(tact_allocate(n * width, sizeof(double), &hi));
    TactStatus status = tact_allocate(n * width, sizeof(double), &lo);
    double    *high = hi, *low = lo;
    for (size_t k = 0; k < n * width && status == TACT_OK; k++) {
        mpf_t *entry =
            at(tableau, tableau->free + (int)(k / width), tableau->free + (int)(k % width));
        high[k] = mpf_get_d(*entry);
        mpf_set_d(tableau->a, high[k]);
        mpf_sub(tableau->a, *entry, tableau->a);
        low[k] = mpf_get_d(tableau->a);
    }
    if (status == TACT_OK) {
        *found = tact_lemke_double(tableau->n, high, low, tableau->basic, path->carried,
                                   tableau->search->limit);
    }
    for (size_t i = 0; i < n && status == TACT_OK; i++) {
        mpf_set_d(*at(tableau, tableau->free + (int)i, tableau->columns - 1),
                  high[i * width + n + 1]);
    }
    tact_release(hi);
    tact_release(lo);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Answer

/// States and impulses of one contact from z; what is as small as the perturbation is 0.
static void read_contact(const Tableau *tableau, int i, const double *z)
{
    const TactSearch *search = tableau->search;
    int               first = tableau->theta[i], d = directions_of(tableau, i), one = -1, two = -1;
    TactState        *state = &search->states[i];
    double           *p = search->impulse + 3 * (size_t)i;
    *state = (TactState){.kind = TACT_PROVE_OPEN};
    p[0] = p[1] = p[2] = 0;
    if (first < 0 || z[first] == 0) {
        return;
    }
    p[0] = z[first];
    state->kind = d > 0 ? TACT_PROVE_STICK : TACT_PROVE_PLAIN;
    TactPolygon polygon = polygon_of(tableau, i);
    for (int j = 0; j < d; j++) {
        double corner[2], share = z[first + 1 + j];
        tact_polygon_corner(&polygon, j, corner);
        p[1] += share * corner[0];
        p[2] += share * corner[1];
        if (share > 0) {
            two = one;
            one = j;
        }
    }
    if (d > 0 && z[first + 1 + d] > 0) {
        bool edge = one >= 0 && two >= 0;
        bool wraps = edge && two == 0 && one == d - 1;
        *state = (TactState){.kind = edge ? TACT_PROVE_EDGE : TACT_PROVE_CORNER,
                             .j = wraps  ? one
                                  : edge ? two
                                         : one};
        state->kind = one < 0 ? TACT_PROVE_STICK : state->kind;
    }
}

static TactStatus read_answer(const Tableau *tableau)
{
    const TactLaws *laws = tableau->search->laws;
    void           *block = NULL;
    TACT_TRY(tact_allocate((size_t)tableau->n + 1, sizeof(double), &block));
    double *z = block, most = 0;
    for (int i = 0; i < tableau->n; i++) {
        int which = tableau->basic[i] - tableau->n;
        if (which >= 0 && which < tableau->n) {
            z[which] = mpf_get_d(
                tableau->t[(size_t)(tableau->free + i + 1) * (size_t)tableau->columns - 1]);
            most = fmax(most, fabs(z[which]));
        }
    }
    for (int i = 0; i < tableau->n; i++) {
        z[i] = z[i] > ldexp(most, ZERO) ? z[i] : 0;
    }
    memset(tableau->search->basis, 0, (size_t)tableau->n);
    for (int i = 0; i < tableau->n; i++) {
        int which = tableau->basic[i] - tableau->n;
        if (which >= 0 && which < tableau->n) {
            tableau->search->basis[which] = 1;
        }
    }
    for (int i = 0; i < laws->contacts; i++) {
        tableau->search->theta[i] = tableau->theta[i];
        read_contact(tableau, i, z);
    }
    tact_release(block);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus pivot_until_done(Tableau *tableau, bool *found)
{
    const TactLaws *laws = tableau->search->laws;
    Path            path = {.tableau = tableau};
    void           *block = NULL;
    TACT_TRY(tact_allocate((size_t)tableau->columns + 1, sizeof(int), &block));
    path.carried = block;
    for (int j = 0; j < tableau->n; j++) {
        path.carried[tableau->free + j] = tableau->n + j;
        tableau->basic[j] = j;
    }
    path.carried[tableau->column] = 2 * tableau->n;
    fill_free(tableau);
    for (int i = 0; i < laws->contacts; i++) {
        if (tableau->theta[i] >= 0) {
            fill_contact(tableau, i);
        }
    }
    eliminate_free(tableau);
    bool       many = tableau->n > MANY_UNKNOWNS;
    TactStatus status = TACT_OK;
    perturb(tableau, many ? PERTURBED_DOUBLE : PERTURBED);
    if (many) {
        status = pivot_double(&path, found);
    } else {
        *found = pivot(&path);
    }
    tact_release(block);
    return status == TACT_OK && *found ? read_answer(tableau) : status;
}

static void number(Tableau *tableau)
{
    const TactLaws *laws = tableau->search->laws;
    int             variables = laws->dof + 3 * laws->contacts + laws->rows;
    memset(tableau->y, 0xff, (size_t)variables * sizeof(int));
    for (int d = 0; d < laws->dof; d++) {
        tableau->y[d] = tableau->free++;
    }
    for (int r = 0; r < laws->rows; r++) {
        if (tableau->search->states[laws->contacts + r].kind != TACT_PROVE_OPEN) {
            tableau->y[tact_laws_row(laws, r)] = tableau->free++;
        }
    }
    for (int i = 0; i < laws->contacts; i++) {
        int d = directions_of(tableau, i);
        tableau->theta[i] = tableau->search->near[i] ? tableau->n : -1;
        tableau->n += tableau->search->near[i] ? (d > 0 ? d + 2 : 1) : 0;
    }
    tableau->column = tableau->free + tableau->n;
    tableau->columns = tableau->column + 2;
}

int tact_search_size(const TactContactProblem *problem, TactContactCone cone)
{
    int count = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        count += tact_polygon_of(&problem->contacts[i], cone).count + 2;
    }
    return count;
}

TactStatus tact_search_states(const TactSearch *search, bool *found)
{
    const TactLaws *laws = search->laws;
    Tableau         tableau = {.search = search};
    size_t          variables = (size_t)(laws->dof + 3 * laws->contacts + laws->rows) + 1;
    void           *y = NULL, *theta = NULL, *basic = NULL, *t = NULL;
    TactStatus      status = tact_allocate(variables, sizeof(int), &y);
    *found = false;
    status =
        status == TACT_OK ? tact_allocate((size_t)laws->contacts + 1, sizeof(int), &theta) : status;
    tableau.y = y;
    tableau.theta = theta;
    if (status == TACT_OK) {
        number(&tableau);
    }
    size_t entries = (size_t)(tableau.free + tableau.n) * (size_t)tableau.columns;
    bool   small = tableau.n <= MOST_UNKNOWNS && tableau.free <= MOST_UNKNOWNS;
    status = status == TACT_OK ? tact_allocate((size_t)tableau.n + 1, sizeof(int), &basic) : status;
    tableau.basic = basic;
    if (status == TACT_OK && small && tableau.n > 0) {
        status = tact_allocate(entries, sizeof(mpf_t), &t);
        tableau.t = t;
        for (size_t k = 0; k < entries && status == TACT_OK; k++) {
            mpf_init2(tableau.t[k], BITS);
        }
        mpf_init2(tableau.a, BITS);
        mpf_init2(tableau.b, BITS);
        mpf_init2(tableau.tiny, BITS);
        status = status == TACT_OK ? pivot_until_done(&tableau, found) : status;
        for (size_t k = 0; k < entries && t; k++) {
            mpf_clear(tableau.t[k]);
        }
        mpf_clears(tableau.a, tableau.b, tableau.tiny, NULL);
    }
    tact_release(y);
    tact_release(theta);
    tact_release(basic);
    tact_release(t);
    return status;
}

#endif
