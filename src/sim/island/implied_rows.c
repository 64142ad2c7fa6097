// Rows of loops that others imply, but for the digits of a file.
//
// Two rods that carry a plate in parallel, a hinge that is closed by two points on its axis: real
// mechanisms have more rows than they need. With exact lengths the ones that are too many hold by
// themselves; with lengths of five digits they hold to five digits, and taken at their word they
// would lock what was built to move. At the reference position such rows are found by rank, and by
// moving the mechanism as far as the other rows let it:
//
//     J_p x = 0  for the independent rows p,   q = q_0 moved by x,   closed again by Newton
//
// A row that then is off by no more than 1e-2 of the way on which it was moved is implied, and is
// left out of contact problems. One that is not off at all stays: there the solvers know what to
// do. One that is off by more was dependent at the reference only (a dead centre), and stays.
// Equations (7a), (7b) of docs/theory/time-stepping.md.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/island/joint_rows.h"

enum { MOST_TRIALS = 16, MOST_ROUNDS = 20 };

static const double DEPENDENT = 1e-5; // part of a row outside of the others' span
static const double SINGULAR = 1e-9;  // the same, of rows that were independent
static const double STRAY = 0.1;      // rad or m by which the mechanism is moved
static const double CLOSED = 1e-12;   // m or rad
static const double EXACT = 1e-10;    // m or rad: a row that is off by less holds
static const double NEARLY = 1e-2;    // off by this part of the way: implied
static const double MOST_WORK = 2e7;  // operations of a factor: larger mechanisms are left alone

typedef struct Loops {
    TactRows     *rows;
    TactDynamics *d;
    int           count, rank;
    size_t        n;
    double       *start, *q;  // positions                                          (nq)
    double       *x;          // a shift of positions                               (nv)
    double       *scale;      // 1 / sqrt(M_ii)                                     (nv)
    bool         *moves;      // is a dof in a row?                                 (nv)
    double       *B;          // rows times scale, then an orthonormal basis        (count x nv)
    double       *R;          // J scale = R B                                      (count x count)
    double       *length;     // of the rows                                        (count)
    double       *y;          //                                                    (count)
    int          *order;      // the first `rank` are independent                   (count)
    double       *off, *part; // of each row at the most: error, and of the way     (count)
} Loops;

static void layout(Loops *l, TactArena *arena)
{
    size_t m = (size_t)l->count, nq = (size_t)l->d->model->nq;
    l->start = tact_arena_take(arena, nq, sizeof(double));
    l->q = tact_arena_take(arena, nq, sizeof(double));
    l->x = tact_arena_take(arena, l->n, sizeof(double));
    l->scale = tact_arena_take(arena, l->n, sizeof(double));
    l->moves = tact_arena_take(arena, l->n, sizeof(bool));
    l->B = tact_arena_take(arena, m * l->n, sizeof(double));
    l->R = tact_arena_take(arena, m * m, sizeof(double));
    l->length = tact_arena_take(arena, m, sizeof(double));
    l->y = tact_arena_take(arena, m, sizeof(double));
    l->order = tact_arena_take(arena, m, sizeof(int));
    l->off = tact_arena_take(arena, m, sizeof(double));
    l->part = tact_arena_take(arena, m, sizeof(double));
}

static double dot_rows(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Rows and errors at these positions.
static TactStatus look(Loops *l, const double *q)
{
    TACT_TRY(tact_dynamics_set_position(l->d, q));
    tact_rows_fill_loops(l->rows, l->d);
    return TACT_OK;
}

/// Takes the part along basis row k out of a row.
static double take_out(const Loops *l, int k, double *x)
{
    const double *b = l->B + (size_t)l->order[k] * l->n;
    double        along = dot_rows(l->n, b, x);
    for (size_t i = 0; i < l->n; i++) {
        x[i] -= along * b[i];
    }
    return along;
}

/// Moves the row of which most is left to place `rank`.
static void choose(Loops *l, int rank)
{
    int    best = rank;
    double most = -1;
    for (int k = rank; k < l->count; k++) {
        const double *x = l->B + (size_t)l->order[k] * l->n;
        double        length = l->length[l->order[k]];
        double        left = length > 0 ? sqrt(dot_rows(l->n, x, x)) / length : 0;
        best = left > most ? k : best;
        most = tact_larger(most, left);
    }
    int swap = l->order[best];
    l->order[best] = l->order[rank];
    l->order[rank] = swap;
}

/// Factors the rows: as many as are independent, or (again) those that were; false: no more.
static bool factor(Loops *l, bool again)
{
    size_t m = (size_t)l->count;
    for (size_t k = 0; k < m; k++) {
        double *x = l->B + k * l->n;
        for (size_t i = 0; i < l->n; i++) {
            x[i] = l->rows->rows[k].J[i] * l->scale[i];
        }
        l->length[k] = sqrt(dot_rows(l->n, x, x));
    }
    int most = again ? l->rank : l->count;
    for (int rank = 0; rank < most; rank++) {
        if (!again) {
            choose(l, rank);
        }
        int     row = l->order[rank];
        double *x = l->B + (size_t)row * l->n, *R = l->R + (size_t)row * m;
        for (int k = 0; k < rank; k++) { // once more: what rounding left
            R[k] += take_out(l, k, x);
        }
        R[rank] = sqrt(dot_rows(l->n, x, x));
        if (!(R[rank] > (again ? SINGULAR : DEPENDENT) * l->length[row])) {
            l->rank = again ? l->rank : rank;
            return !again;
        }
        for (size_t i = 0; i < l->n; i++) {
            x[i] /= R[rank];
        }
        for (int k = rank + 1; k < l->count; k++) {
            int other = l->order[k];
            l->R[(size_t)other * m + (size_t)rank] = take_out(l, rank, l->B + (size_t)other * l->n);
        }
    }
    l->rank = most;
    return true;
}

/// x: the smallest shift, in the metric of the scale, that takes the errors out of the independent
/// rows.                                                                                    (7b)
static void find_shift(Loops *l)
{
    memset(l->x, 0, l->n * sizeof *l->x);
    for (int k = 0; k < l->rank; k++) {
        int           row = l->order[k];
        const double *R = l->R + (size_t)row * (size_t)l->count, *b = l->B + (size_t)row * l->n;
        double        sum = -l->rows->rows[row].error;
        for (int i = 0; i < k; i++) {
            sum -= R[i] * l->y[i];
        }
        l->y[k] = sum / R[k];
        for (size_t i = 0; i < l->n; i++) {
            l->x[i] += l->y[k] * b[i] * l->scale[i];
        }
    }
}

static double largest(size_t n, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = tact_larger(most, fabs(x[i]));
    }
    return most;
}

/// Closes the independent rows at q. false: it does not.
static bool close_loops(Loops *l, double *q)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double worst = 0;
        if (look(l, q) != TACT_OK) {
            return false;
        }
        for (int k = 0; k < l->rank; k++) {
            worst = tact_larger(worst, fabs(l->rows->rows[l->order[k]].error));
        }
        if (worst <= CLOSED) {
            return true;
        }
        if (!factor(l, true)) {
            return false;
        }
        find_shift(l);
        if (!(largest(l->n, l->x) <= 1)) {
            return false;
        }
        tact_dynamics_integrate(l->d->model, q, l->x, 1, q);
    }
    return false;
}

/// A motion that the independent rows allow at the start, at random; 0 if they allow none.  (7a)
static void find_motion(Loops *l, TactRandom *random)
{
    for (size_t i = 0; i < l->n; i++) {
        l->x[i] = l->moves[i] ? tact_random_normal(random) : 0;
    }
    double before = largest(l->n, l->x);
    for (int k = 0; k < 2 * l->rank; k++) { // twice: what rounding left
        take_out(l, k % l->rank, l->x);
    }
    bool allowed = largest(l->n, l->x) > 1e-6 * before;
    for (size_t i = 0; i < l->n; i++) {
        l->x[i] = allowed ? l->x[i] * l->scale[i] : 0;
    }
    double most = largest(l->n, l->x);
    for (size_t i = 0; i < l->n && most > 0; i++) {
        l->x[i] *= STRAY / most;
    }
}

/// Notes how far the dependent rows are off at q, and on what way.
static void note(Loops *l)
{
    tact_dynamics_differentiate(l->d->model, l->start, l->q, l->x);
    for (int k = l->rank; k < l->count; k++) {
        int                   row = l->order[k];
        const TactContactRow *r = &l->rows->rows[row];
        double                way = 1e-2 * largest(l->n, r->J);
        double                moved = 0;
        for (size_t i = 0; i < l->n; i++) {
            moved += fabs(r->J[i] * l->x[i]);
        }
        way = tact_larger(way, moved);
        l->off[row] = tact_larger(l->off[row], fabs(r->error));
        l->part[row] = tact_larger(l->part[row], way > 0 ? fabs(r->error) / way : 0);
    }
}

/// Moves the mechanism away from the start; how often that worked is returned. Not all of them go
/// as far: a mechanism may end before.
static int try_motions(Loops *l)
{
    TactRandom random = tact_random_seed(7);
    int        done = 0;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        if (look(l, l->start) != TACT_OK || !factor(l, true)) {
            return done;
        }
        find_motion(l, &random);
        double reach = 1.0 / (1 << (trial % 4));
        tact_dynamics_integrate(l->d->model, l->start, l->x, reach, l->q);
        if (close_loops(l, l->q)) {
            note(l);
            done++;
        }
    }
    return done;
}

static TactStatus search(Loops *l)
{
    const TactModel *model = l->d->model;
    memcpy(l->start, model->q_reference, (size_t)model->nq * sizeof *l->start);
    TACT_TRY(look(l, l->start));
    tact_dynamics_compute_mass(l->d, NULL);
    for (size_t i = 0; i < l->n; i++) {
        TactMassRow row = tact_dynamics_view_mass_row(l->d, (int)i);
        l->scale[i] = 1 / sqrt(row.M[row.count - 1]);
        for (int k = 0; k < l->count; k++) {
            l->moves[i] = l->moves[i] || l->rows->rows[k].J[i] != 0;
        }
    }
    for (int k = 0; k < l->count; k++) {
        l->order[k] = k;
    }
    factor(l, false);
    if (l->rank == 0 || !close_loops(l, l->start)) {
        return TACT_OK;
    }
    factor(l, false);
    memcpy(l->q, l->start, (size_t)model->nq * sizeof *l->q);
    if (l->rank == l->count || try_motions(l) == 0) {
        return TACT_OK;
    }
    for (int k = l->rank; k < l->count; k++) {
        int           row = l->order[k];
        TactRowSource source = l->rows->sources[row];
        if (l->off[row] > EXACT && l->part[row] <= NEARLY) {
            l->rows->implied[6 * source.index + source.part] = true;
            l->rows->implied_count++;
        }
    }
    return TACT_OK;
}

TactStatus tact_rows_find_implied(TactRows *rows, TactDynamics *dynamics)
{
    Loops     l = {.rows = rows, .d = dynamics, .n = (size_t)dynamics->model->nv};
    TactArena arena = {0};
    TACT_TRY(look(&l, dynamics->model->q_reference));
    l.count = rows->count;
    if (l.count < 2 || (double)l.count * l.count * (double)l.n > MOST_WORK) {
        return TACT_OK;
    }
    layout(&l, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout(&l, &arena);
    TactStatus status = search(&l);
    tact_arena_destroy(&arena);
    return status;
}
