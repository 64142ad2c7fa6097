// Which equations are independent, and which unknowns go with them: by elimination in doubles, with
// a tolerance. A choice, not a proof: what is chosen is tested, what is dropped must follow
// exactly.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/circle/circle.h"

#define INDEPENDENT 1e-8 // of a row of length about 1

/// A dense matrix of which rows and columns are taken in turn.
typedef struct Pool {
    int     rows, columns;
    double *a;      // (rows x columns)
    bool   *taken;  // rows                                                   (rows)
    bool   *used;   // columns                                                (columns)
    double *weight; // columns with more of it are taken rather                (columns)
} Pool;

/// Takes the largest entry that is left and clears its column from the rows that are left. false:
/// all that is left is rounding.
static bool take(Pool *pool, double least)
{
    double best = 0, size = 0;
    size_t row = 0, column = 0, columns = (size_t)pool->columns;
    for (size_t i = 0; i < (size_t)pool->rows; i++) {
        for (size_t j = 0; j < columns && !pool->taken[i]; j++) {
            double entry = fabs(pool->a[i * columns + j]);
            if (!pool->used[j] && entry * pool->weight[j] > best && entry > least) {
                best = entry * pool->weight[j];
                size = entry;
                row = i;
                column = j;
            }
        }
    }
    if (!(size > least)) {
        return false;
    }
    pool->taken[row] = pool->used[column] = true;
    for (size_t i = 0; i < (size_t)pool->rows; i++) {
        double factor = pool->a[i * columns + column] / pool->a[row * columns + column];
        for (size_t j = 0; j < columns && !pool->taken[i] && factor != 0; j++) {
            pool->a[i * columns + j] -= factor * pool->a[row * columns + j];
        }
    }
    return true;
}

static TactStatus pool_create(int rows, int columns, Pool *pool)
{
    void *block[4] = {NULL};
    *pool = (Pool){.rows = rows, .columns = columns};
    for (int k = 0; k < 4; k++) {
        size_t     counts[4] = {(size_t)rows * (size_t)columns + 1, (size_t)columns + 1,
                                (size_t)rows + 1, (size_t)columns + 1};
        TactStatus status =
            tact_allocate(counts[k], k < 2 ? sizeof(double) : sizeof(bool), &block[k]);
        pool->a = block[0], pool->weight = block[1];
        pool->taken = block[2], pool->used = block[3];
        TACT_TRY(status);
    }
    for (int j = 0; j < columns; j++) {
        pool->weight[j] = 1;
    }
    return TACT_OK;
}

static void pool_destroy(Pool *pool)
{
    tact_release(pool->a);
    tact_release(pool->weight);
    tact_release(pool->taken);
    tact_release(pool->used);
}

/// 1 / sqrt(M_dd), or of W: what a unit of the variable is.
static double unit_of(const TactCircle *circle, int variable)
{
    const TactContactProblem *problem = circle->problem;
    double                    size = 1;
    if (problem->W) {
        size_t n = 3 * (size_t)problem->contact_count;
        size = fabs(problem->W[(size_t)variable * n + (size_t)variable]);
    } else if (problem->M) {
        size = problem->M[(size_t)variable * (size_t)problem->nv + (size_t)variable];
    } else {
        const TactContactBody *body = &problem->bodies[variable / 6];
        size = variable % 6 < 3 ? body->mass : body->inertia[variable % 6 - 3];
    }
    return size > 0 ? 1 / sqrt(size) : 1;
}

/// What an impulse does where an equation is about.
static double weight_of(const TactCircle *circle, const TactCircleEquation *equation)
{
    int contacts = circle->bounds.contacts, disc = equation->owner - contacts - circle->bounds.rows;
    if (disc < 0) {
        return circle->weight[equation->owner];
    }
    const TactDisc *own = &circle->discs.at[disc];
    int place = equation->law == TACT_CIRCLE_U ? equation->index : own->place[equation->index];
    return circle->weight[place < 3 * contacts ? place / 3 : place - 2 * contacts];
}

/// Marks equations u = 0 that depend on others.                          dependent:
/// (equation_count)
static TactStatus find_dependent(const TactCircle *circle, bool *dependent)
{
    const TactBounds *bounds = &circle->bounds;
    int               columns = bounds->dof > 0 ? bounds->dof : 3 * bounds->contacts;
    Pool              pool;
    TactStatus        status = pool_create(circle->equation_count, columns, &pool);
    for (int e = 0; e < circle->equation_count && status == TACT_OK; e++) {
        const TactCircleEquation *equation = &circle->equations[e];
        const TactBoundForm      *form = &bounds->u[equation->index];
        bool soft = equation->owner >= 0 && equation->owner < bounds->contacts &&
                    circle->problem->contacts[equation->owner].compliance > 0;
        dependent[e] = false;
        if (equation->law != TACT_CIRCLE_U || soft) {
            pool.taken[e] = true;
            continue;
        }
        for (int k = form->first; k < form->first + form->count; k++) {
            int variable = bounds->variable[k];
            if (bounds->dof > 0 || circle->active[variable]) {
                pool.a[(size_t)e * (size_t)columns + (size_t)variable] +=
                    tact_interval_middle(bounds->value[k]) * unit_of(circle, variable) /
                    sqrt(weight_of(circle, equation));
            }
        }
    }
    while (status == TACT_OK && take(&pool, INDEPENDENT)) {
    }
    for (int e = 0; e < circle->equation_count && status == TACT_OK; e++) {
        dependent[e] = !pool.taken[e];
    }
    pool_destroy(&pool);
    return status;
}

/// Is impulse k one of a disc? How far it is from the border of that, as a load.
static bool is_of_disc(const TactCircle *circle, int k, double *room)
{
    const TactContactAnswer *answer = circle->answer;
    int                      contacts = 3 * circle->bounds.contacts;
    for (int d = 0; d < circle->discs.count; d++) {
        const TactDisc *disc = &circle->discs.at[d];
        double          load = answer->impulse[3 * (size_t)disc->contact], square = 0;
        bool            found = false;
        for (int c = 0; c < disc->dim; c++) {
            int    place = disc->place[c];
            double p =
                place < contacts ? answer->impulse[place] : answer->row_impulse[place - contacts];
            square += p / disc->mu[c] * (p / disc->mu[c]);
            found = found || place == k;
        }
        if (found) {
            int owner = circle->bounds.contacts + circle->bounds.rows + d;
            *room = circle->states[owner].kind == TACT_PROVE_STICK ? load - sqrt(square) : load;
            return true;
        }
    }
    return false;
}

/// How far an impulse is from the border of its cone, in units of the largest: those far away are
/// solved for, the others keep their value.
static double column_weight(const TactCircle *circle, int variable, double largest)
{
    const TactBounds *bounds = &circle->bounds;
    int               k = variable - bounds->dof;
    double            room_of_disc = 0;
    if (is_of_disc(circle, k, &room_of_disc)) {
        return 1e-6 + fmax(room_of_disc, 0) / largest;
    }
    if (k < 0 || k >= 3 * bounds->contacts) {
        return 1e6;
    }
    const TactContact *contact = &circle->problem->contacts[k / 3];
    const double      *p = circle->answer->impulse + 3 * (size_t)(k / 3);
    double             room = p[0];
    if (circle->states[k / 3].kind == TACT_PROVE_STICK) {
        room = fmin(room, contact->mu * p[0] - hypot(p[1], p[2]));
    }
    return 1e-6 + fmax(room, 0) / largest;
}

/// The unknowns of chosen equations, fewer than there are variables.
static TactStatus choose_unknowns(TactCircle *circle, int active_count)
{
    const TactBounds *bounds = &circle->bounds;
    Pool              pool;
    int               owner = -1, equations = circle->chosen;
    double            largest = 1e-300;
    for (int k = 0; k < 3 * bounds->contacts; k++) {
        largest = fmax(largest, fabs(circle->answer->impulse[k]));
    }
    TactStatus status = pool_create(equations, active_count, &pool);
    // F' with all variables as unknowns, and as many rows as there are.
    circle->chosen = active_count;
    if (status == TACT_OK) {
        int *rows = circle->rows;
        for (int k = equations; k < active_count; k++) {
            rows[k] = rows[0];
        }
        tact_circle_set_box(circle);
        tact_circle_evaluate(circle, true, &owner);
        for (int i = 0; i < equations; i++) {
            const TactCircleEquation *equation = &circle->equations[rows[i]];
            double unit = equation->law == TACT_CIRCLE_DYNAMICS ? unit_of(circle, equation->index)
                          : equation->owner >= 0 ? 1 / sqrt(weight_of(circle, equation))
                                                 : 1;
            bool   push = equation->law != TACT_CIRCLE_DYNAMICS && equation->law != TACT_CIRCLE_U;
            for (int j = 0; j < active_count; j++) {
                int    variable = circle->unknown[j], k = variable - bounds->dof;
                double scale = variable < bounds->dof ? unit_of(circle, variable)
                               : k < 3 * bounds->contacts
                                   ? 1 / sqrt(circle->weight[k / 3])
                                   : 1 / sqrt(circle->weight[k - 2 * bounds->contacts]);
                double value = tact_interval_middle(
                    circle->slope[(size_t)i * (size_t)active_count + (size_t)j]);
                pool.a[(size_t)i * (size_t)active_count + (size_t)j] =
                    value * scale * (push ? 1 / unit : unit);
                pool.weight[j] = column_weight(circle, variable, largest);
            }
        }
        int found = 0;
        while (found < equations && take(&pool, 1e-12)) {
            found++;
        }
        circle->chosen = 0;
        memset(circle->column, 0xff, (size_t)bounds->variables * sizeof(int));
        for (int j = 0, count = active_count; j < count; j++) {
            int variable = circle->unknown[j];
            if (pool.used[j]) {
                circle->column[variable] = circle->chosen;
                circle->unknown[circle->chosen++] = variable;
            }
        }
    }
    if (status == TACT_OK && circle->chosen < equations) {
        circle->chosen = -1; // there are not enough: the choice of equations was wrong
    }
    pool_destroy(&pool);
    return status;
}

TactStatus tact_circle_choose(TactCircle *circle)
{
    int   active = 0;
    void *block = NULL;
    TACT_TRY(tact_allocate((size_t)circle->equation_count + 1, sizeof(bool), &block));
    bool      *dependent = block;
    TactStatus status = find_dependent(circle, dependent);
    circle->chosen = circle->dropped_count = 0;
    for (int e = 0; e < circle->equation_count && status == TACT_OK; e++) {
        if (dependent[e]) {
            circle->dropped[circle->dropped_count++] = circle->equations[e].index;
        } else {
            circle->rows[circle->chosen++] = e;
        }
    }
    tact_release(block);
    TACT_TRY(status);
    memset(circle->column, 0xff, (size_t)circle->bounds.variables * sizeof(int));
    for (int k = 0; k < circle->bounds.variables; k++) {
        if (circle->active[k]) {
            circle->column[k] = active;
            circle->unknown[active++] = k;
        }
    }
    return circle->dropped_count > 0 ? choose_unknowns(circle, active) : TACT_OK;
}
