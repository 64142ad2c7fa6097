// Redundant impulses that lie on the border of their cones are moved inside a little.
//
// Where contacts are redundant, those outside of the regular basis keep their impulse k, whatever
// it is, and the others follow, x(k). An answer at a vertex of all forces has many contacts without
// load, or at the limit of friction, where intervals cannot tell on which side they are. A
// direction d that leads inside at all of them,
//
//     g_c' d > 0,    g_c = d room_c / d k  (x following),
//
// is found as the perceptron finds one: add the g_c that fails worst, until none does.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/circle/circle.h"
#include "prove/contact.h"

enum { MOST_TURNS = 400 };
#define NEAR 1e-7  // of the largest impulse: rooms below it are to grow
#define AWAY 1e-9  // of the largest impulse: how far impulses are moved
#define LEAST 0.02 // cosine of a direction that leads inside

typedef struct Inside {
    TactCircle *circle;
    int         kept_count, room_count;
    int        *kept;     // variables outside of the basis                          (kept_count)
    double     *response; // dx / dk                                 (chosen x kept_count)
    double     *rooms;    // g_c, of length 1                     (room_count x kept_count)
    double     *move;     // d                                                       (kept_count)
} Inside;

/// d x_variable / d k
static double follows(const Inside *inside, int variable, int k)
{
    int at = inside->circle->column[variable];
    return at >= 0                       ? inside->response[at * inside->kept_count + k]
           : inside->kept[k] == variable ? 1
                                         : 0;
}

/// dx = -F'^-1 dF, by differences: F is linear in impulses that are kept.
static bool find_response(Inside *inside, double unit)
{
    TactCircle *circle = inside->circle;
    int         n = circle->chosen, owner = -1;
    double     *base = circle->work;
    memset(circle->radius, 0, (size_t)circle->bounds.variables * sizeof(double));
    for (int k = -1; k < inside->kept_count; k++) {
        double saved = k >= 0 ? circle->x[inside->kept[k]] : 0;
        if (k >= 0) {
            circle->x[inside->kept[k]] += unit;
        }
        tact_circle_set_box(circle);
        bool sure = tact_circle_evaluate(circle, false, &owner);
        if (k >= 0) {
            circle->x[inside->kept[k]] = saved;
        }
        if (!sure) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            double f = tact_interval_middle(circle->F[i]);
            if (k < 0) {
                base[i] = f;
            } else {
                base[n + i] = (f - base[i]) / unit;
            }
        }
        for (int i = 0; i < n && k >= 0; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum -= circle->inverse[(size_t)i * (size_t)n + (size_t)j] * base[n + j];
            }
            inside->response[i * inside->kept_count + k] = sum;
        }
    }
    return true;
}

/// The gradient of a room over some variables; one that no kept impulse changes is left out.
static void add_gradient(Inside *inside, const int *variables, const double *slope, int count)
{
    double *g = inside->rooms + (size_t)inside->room_count * (size_t)inside->kept_count, size = 0;
    for (int k = 0; k < inside->kept_count; k++) {
        g[k] = 0;
        for (int c = 0; c < count; c++) {
            g[k] += slope[c] != 0 ? slope[c] * follows(inside, variables[c], k) : 0;
        }
        size += g[k] * g[k];
    }
    if (!(size > 1e-18)) {
        return;
    }
    for (int k = 0; k < inside->kept_count; k++) {
        g[k] /= sqrt(size);
    }
    inside->room_count++;
}

static void add_room(Inside *inside, int first, const double slope[3])
{
    add_gradient(inside, (int[3]){first, first + 1, first + 2}, slope, 3);
}

/// p_n - |x| of a disc that holds.
static void find_disc_room(Inside *inside, int d, double largest)
{
    const TactCircle *circle = inside->circle;
    const TactDisc   *disc = &circle->discs.at[d];
    int               dof = circle->bounds.dof, owner = circle->bounds.contacts;
    int               variables[TACT_DISC_MOST + 1] = {dof + 3 * disc->contact};
    double            slope[TACT_DISC_MOST + 1] = {1}, size = 0;
    owner += circle->bounds.rows + d;
    for (int k = 0; k < disc->dim; k++) {
        double x = circle->x[dof + disc->place[k]] / disc->mu[k];
        variables[1 + k] = dof + disc->place[k];
        slope[1 + k] = -x / disc->mu[k];
        size += x * x;
    }
    size = sqrt(size);
    for (int k = 0; k < disc->dim; k++) {
        slope[1 + k] = size > 0 ? slope[1 + k] / size : 0;
    }
    if (circle->states[owner].kind == TACT_PROVE_STICK && tact_circle_is_loaded(circle, d) &&
        circle->x[variables[0]] - size < NEAR * largest) {
        add_gradient(inside, variables, slope, 1 + disc->dim);
    }
}

static void find_rooms(Inside *inside, double largest)
{
    const TactCircle *circle = inside->circle;
    for (int i = 0; i < circle->bounds.contacts; i++) {
        int           first = circle->bounds.dof + 3 * i;
        const double *p = circle->x + first;
        double        mu = circle->problem->contacts[i].mu, size = hypot(p[1], p[2]);
        TactStateKind kind = circle->states[i].kind;
        if (tact_circle_is_moment(circle, i)) {
            continue;
        }
        if (kind != TACT_PROVE_OPEN && p[0] < NEAR * largest) {
            add_room(inside, first, (double[3]){1, 0, 0});
        }
        if (kind == TACT_PROVE_STICK && mu * p[0] - size < NEAR * largest) {
            double a = size > 0 ? p[1] / size : 0, b = size > 0 ? p[2] / size : 0;
            add_room(inside, first, (double[3]){mu, -a, -b});
        }
    }
    for (int d = 0; d < circle->discs.count; d++) {
        find_disc_room(inside, d, largest);
    }
}

static bool find_direction(Inside *inside)
{
    int count = inside->kept_count;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double worst = INFINITY, length = 0;
        int    at = -1;
        for (int k = 0; k < count; k++) {
            length += inside->move[k] * inside->move[k];
        }
        for (int c = 0; c < inside->room_count; c++) {
            double along = 0;
            for (int k = 0; k < count; k++) {
                along += inside->rooms[(size_t)c * (size_t)count + (size_t)k] * inside->move[k];
            }
            if (along < worst) {
                worst = along;
                at = c;
            }
        }
        if (at < 0 || (length > 0 && worst > LEAST * sqrt(length))) {
            return at >= 0;
        }
        for (int k = 0; k < count; k++) {
            inside->move[k] += inside->rooms[(size_t)at * (size_t)count + (size_t)k];
        }
    }
    return false;
}

static bool move_inside(Inside *inside)
{
    TactCircle *circle = inside->circle;
    double      largest = tact_prove_largest(circle->answer->impulse, 3 * circle->bounds.contacts);
    double      length = 0;
    if (!(largest > 0) || !find_response(inside, largest)) {
        return false;
    }
    find_rooms(inside, largest);
    if (!find_direction(inside)) {
        return false;
    }
    for (int k = 0; k < inside->kept_count; k++) {
        length = fmax(length, fabs(inside->move[k]));
    }
    for (int k = 0; k < inside->kept_count; k++) {
        circle->x[inside->kept[k]] += AWAY * largest * inside->move[k] / length;
    }
    return true;
}

TactStatus tact_circle_move_inside(TactCircle *circle, bool *moved)
{
    Inside     inside = {.circle = circle};
    size_t     most = (size_t)circle->bounds.variables + 1, n = (size_t)circle->chosen + 1;
    size_t     rooms = 2 * (size_t)circle->bounds.contacts + (size_t)circle->discs.count + 1;
    void      *block[4] = {NULL};
    TactStatus status = tact_allocate(most, sizeof(int), &block[0]);
    inside.kept = block[0];
    *moved = false;
    for (int k = circle->bounds.dof; k < circle->bounds.variables && status == TACT_OK; k++) {
        if (circle->active[k] && circle->column[k] < 0) {
            inside.kept[inside.kept_count++] = k;
        }
    }
    size_t count = (size_t)inside.kept_count;
    size_t counts[4] = {0, n * count + 1, rooms * count + 1, count + 1};
    for (int k = 1; k < 4 && status == TACT_OK; k++) {
        status = tact_allocate(counts[k], sizeof(double), &block[k]);
    }
    inside.response = block[1], inside.rooms = block[2], inside.move = block[3];
    if (status == TACT_OK && count > 0) {
        *moved = move_inside(&inside);
    }
    for (int k = 0; k < 4; k++) {
        tact_release(block[k]);
    }
    return status;
}
