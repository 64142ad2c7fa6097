#include "contact/quad/quad_newton.h"

#include <string.h>

#include "base/budget.h"

// F is 0 below this part of the largest velocity or impulse; pivots below it are none.
static const double ROUNDING = 1e-28, NO_PIVOT = 1e-24;

// The shortest step tried.
static const double SHORTEST = 1e-3;

static const double PI = 3.14159265358979323846;

void tact_quad_newton_layout(TactQuadNewton *newton, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    size_t         n = 3 * (size_t)capacity->contacts + (size_t)capacity->rows;
    TactQuadNewton lent = {
        .A = tact_arena_take(arena, n * n, sizeof(TactQuad)),
        .F = tact_arena_take(arena, n, sizeof(TactQuad)),
        .step = tact_arena_take(arena, n, sizeof(TactQuad)),
        .trial = tact_arena_take(arena, n, sizeof(TactQuad)),
        .row = tact_arena_take(arena, n, sizeof(int)),
        .column = tact_arena_take(arena, n, sizeof(int)),
    };
    if (arena->block) {
        *newton = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Equations

/// What a row is made of: F and the rows of the Jacobian where A is wanted.
typedef struct Rows {
    const TactQuadSystem *system;
    const TactQuad       *p, *u; // of all                                         (n)
    TactQuad             *F;     //                                                (n)
    TactQuad             *A;     // NULL: not wanted                               (n x n)
    TactQuad              rho;
} Rows;

/// F_i += c_p p_k + c_u u_k
static void add_row_part(const Rows *rows, int i, int k, TactQuad c_p, TactQuad c_u)
{
    int n = rows->system->n;
    rows->F[i] += c_p * rows->p[k] + c_u * rows->u[k];
    if (rows->A) {
        TactQuad       *A = rows->A + (size_t)i * (size_t)n;
        const TactQuad *W = rows->system->W + (size_t)k * (size_t)n;
        for (int j = 0; j < n && c_u != 0; j++) {
            A[j] += c_u * W[j];
        }
        A[k] += c_p;
    }
}

/// Friction p_t = mu a x, a = p_n - rho u_n: of row i, along a fixed direction d.
static void add_followed(const Rows *rows, int i, int normal, const TactQuad d[2], TactQuad reach)
{
    add_row_part(rows, i, normal + 1, d[0], 0);
    add_row_part(rows, i, normal + 2, d[1], 0);
    add_row_part(rows, i, normal, -reach, rows->rho * reach);
}

/// p_t = mu a h, h = q / |q|, q = p_t - rho u_t. F is its value, the Jacobian that of
///     dp_t - mu da h - mu a / |q| (1 - h h') dq
static void slide_quad(const Rows *rows, int k, TactQuad mu, TactQuad a, const TactQuad q[2],
                       TactQuad length)
{
    TactQuad h[2] = {q[0] / length, q[1] / length}, g = mu * a / length;
    for (int c = 0; c < 2; c++) {
        int      i = k + 1 + c;
        TactQuad across[2] = {(c == 0) - h[c] * h[0], (c == 1) - h[c] * h[1]};
        add_row_part(rows, i, k + 1, (c == 0) - g * across[0], g * rows->rho * across[0]);
        add_row_part(rows, i, k + 2, (c == 1) - g * across[1], g * rows->rho * across[1]);
        add_row_part(rows, i, k, -mu * h[c], rows->rho * mu * h[c]);
        rows->F[i] = rows->p[i] - mu * a * h[c]; // (1 - h h') q = 0 but for rounding
    }
}

/// The point of the polygon mu a P nearest to q: inside, on an edge or a corner.
static void slide_on_polygon(const Rows *rows, int contact, TactQuad a, const TactQuad q[2])
{
    const TactContact *raw = &rows->system->problem->contacts[contact];
    int                d = tact_quad_directions(rows->system, contact), k = 3 * contact;
    double             half = PI / d, angle = atan2((double)q[1], (double)q[0]) - raw->turn;
    int                edge = (int)floor(angle / (2 * half)); // between corners edge and edge + 1
    TactQuad           corner[2][2];
    for (int j = 0; j < 2; j++) {
        int    at = ((edge + j) % d + d) % d, other = at >= d / 2 ? at - d / 2 : at;
        double of = raw->turn + 2 * PI * other / d, sign = at >= d / 2 ? -1 : 1;
        corner[j][0] = sign * cos(of);
        corner[j][1] = sign * sin(of);
    }
    TactQuad mu = raw->mu, middle[2], along[2], reach = 0, place = 0, above = 0;
    for (int c = 0; c < 2; c++) {
        middle[c] = (corner[0][c] + corner[1][c]) / 2;
        along[c] = (corner[1][c] - corner[0][c]) / 2;
        reach += middle[c] * middle[c];
        above += middle[c] * q[c];
        place += along[c] * q[c];
    }
    TactQuad side = along[0] * along[0] + along[1] * along[1];
    if (above <= mu * a * reach) {
        add_row_part(rows, k + 1, k + 1, 0, 1);
        add_row_part(rows, k + 2, k + 2, 0, 1);
    } else if (tact_quad_abs(place) <= mu * a * side) {
        add_followed(rows, k + 1, k, middle, mu * reach);
        add_row_part(rows, k + 2, k + 1, 0, along[0]);
        add_row_part(rows, k + 2, k + 2, 0, along[1]);
    } else {
        const TactQuad *at = corner[place > 0];
        TactQuad        axis[2][2] = {{1, 0}, {0, 1}};
        for (int c = 0; c < 2; c++) {
            add_followed(rows, k + 1 + c, k, axis[c], mu * at[c]);
        }
    }
}

static void write_contact(const Rows *rows, int contact)
{
    int             k = 3 * contact;
    const TactQuad *p = rows->p + k, *u = rows->u + k;
    TactQuad        a = p[0] - rows->rho * u[0], mu = rows->system->problem->contacts[contact].mu;
    TactQuad        q[2] = {p[1] - rows->rho * u[1], p[2] - rows->rho * u[2]};
    TactQuad        square = q[0] * q[0] + q[1] * q[1];
    bool            open = !(a > 0);
    add_row_part(rows, k, k, open, !open);
    if (open || mu == 0) {
        add_row_part(rows, k + 1, k + 1, 1, 0);
        add_row_part(rows, k + 2, k + 2, 1, 0);
    } else if (rows->system->cone != TACT_CONE_CIRCLE) {
        slide_on_polygon(rows, contact, a, q);
    } else if (square <= mu * mu * a * a) {
        add_row_part(rows, k + 1, k + 1, 0, 1);
        add_row_part(rows, k + 2, k + 2, 0, 1);
    } else {
        slide_quad(rows, k, mu, a, q, tact_quad_root(square));
    }
}

static void write_row(const Rows *rows, int row)
{
    const TactContactProblem *problem = rows->system->problem;
    const TactContactRow     *raw = &problem->rows[row];
    int                       k = 3 * problem->contact_count + row;
    TactQuad                  q = rows->p[k] - rows->rho * rows->u[k];
    TactQuad bound = (TactQuad)problem->step * raw->force_max * rows->system->scale[k];
    if (raw->kind == TACT_ROW_UNILATERAL && !(q > 0)) {
        add_row_part(rows, k, k, 1, 0);
    } else if (raw->kind == TACT_ROW_MOTOR && !(tact_quad_abs(q) < bound)) {
        add_row_part(rows, k, k, 1, 0);
        rows->F[k] -= q > 0 ? bound : -bound;
    } else {
        add_row_part(rows, k, k, 0, 1);
    }
}

/// F at p, and its Jacobian; returns |F|^2.
static TactQuad evaluate_quad(TactQuadNewton *newton, TactQuadSystem *system, const TactQuad *p,
                              double rho, bool jacobian)
{
    Rows     rows = {system, p, system->u, newton->F, jacobian ? newton->A : NULL, rho};
    TactQuad sum = 0;
    size_t   n = (size_t)system->n;
    tact_quad_system_move(system, p, system->u);
    memset(newton->F, 0, n * sizeof *newton->F);
    if (jacobian) {
        memset(newton->A, 0, n * n * sizeof *newton->A);
    }
    for (int i = 0; i < system->problem->contact_count; i++) {
        write_contact(&rows, i);
    }
    for (int i = 0; i < system->problem->row_count; i++) {
        write_row(&rows, i);
    }
    for (size_t i = 0; i < n; i++) {
        sum += newton->F[i] * newton->F[i];
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Steps

/// The largest entry left, rows and columns from k on; 0: none.
static TactQuad find_complete_pivot(const TactQuadNewton *newton, int n, int k, int *row,
                                    int *column)
{
    TactQuad largest = 0;
    for (int i = k; i < n; i++) {
        const TactQuad *A = newton->A + (size_t)newton->row[i] * (size_t)n;
        for (int j = k; j < n; j++) {
            TactQuad size = tact_quad_abs(A[newton->column[j]]);
            if (size > largest) {
                largest = size;
                *row = i;
                *column = j;
            }
        }
    }
    return largest;
}

static void swap(int *x, int i, int j)
{
    int kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

/// A step = -F by elimination with complete pivoting; where A is singular, the unknowns that are
/// left over stay 0.
static void solve_pivoted(TactQuadNewton *newton, int n)
{
    int      rank = 0, row = 0, column = 0;
    TactQuad first = 0;
    for (int i = 0; i < n; i++) {
        newton->row[i] = newton->column[i] = i;
        newton->step[i] = 0;
    }
    for (; rank < n; rank++) {
        TactQuad size = find_complete_pivot(newton, n, rank, &row, &column);
        first = rank == 0 ? size : first;
        if (!(size > NO_PIVOT * first)) {
            break;
        }
        swap(newton->row, rank, row);
        swap(newton->column, rank, column);
        int             at = newton->column[rank], own = newton->row[rank];
        const TactQuad *pivot = newton->A + (size_t)own * (size_t)n;
        for (int i = rank + 1; i < n; i++) {
            int       other = newton->row[i];
            TactQuad *A = newton->A + (size_t)other * (size_t)n;
            if (A[at] == 0) {
                continue;
            }
            TactQuad factor = A[at] / pivot[at];
            for (int j = rank; j < n; j++) {
                int c = newton->column[j];
                if (pivot[c] != 0) {
                    A[c] -= factor * pivot[c];
                }
            }
            newton->F[other] -= factor * newton->F[own];
        }
    }
    for (int i = rank - 1; i >= 0; i--) {
        int             own = newton->row[i];
        const TactQuad *A = newton->A + (size_t)own * (size_t)n;
        TactQuad        sum = -newton->F[own];
        for (int j = i + 1; j < rank; j++) {
            sum -= A[newton->column[j]] * newton->step[newton->column[j]];
        }
        newton->step[newton->column[i]] = sum / A[newton->column[i]];
    }
}

/// What F is held against: the largest velocity or impulse.
static TactQuad size_of(const TactQuadSystem *system, const TactQuad *p)
{
    TactQuad size = 0;
    for (int i = 0; i < system->n; i++) {
        size = tact_quad_larger(size, tact_quad_abs(system->b[i]));
        size = tact_quad_larger(size, tact_quad_abs(p[i]));
    }
    return size;
}

double tact_quad_newton_error(TactQuadNewton *newton, TactQuadSystem *system)
{
    return sqrt((double)evaluate_quad(newton, system, system->p, 1, false));
}

/// p + t step, t halved until |F|^2 comes down; if none will do, the best of them.
static TactQuad search_line(TactQuadNewton *newton, TactQuadSystem *system, double rho,
                            TactQuad before)
{
    TactQuad best = -1;
    double   best_t = 0;
    for (double t = 1; t >= SHORTEST; t /= 2) {
        for (int i = 0; i < system->n; i++) {
            newton->trial[i] = system->p[i] + t * newton->step[i];
        }
        TactQuad after = evaluate_quad(newton, system, newton->trial, rho, false);
        if (best < 0 || after < best) {
            best = after;
            best_t = t;
        }
        if (after < (1 - 0.1 * t) * before) {
            break;
        }
    }
    for (int i = 0; i < system->n; i++) {
        system->p[i] += best_t * newton->step[i];
    }
    return best;
}

bool tact_quad_newton_run(TactQuadNewton *newton, TactQuadSystem *system, double rho, int max_steps,
                          int *steps)
{
    TactQuad square = evaluate_quad(newton, system, system->p, rho, true);
    for (int step = 0; step < max_steps; step++) {
        TactQuad size = ROUNDING * size_of(system, system->p);
        if (square <= size * size) {
            return true;
        }
        double n = system->n, work = TACT_QUAD_WORK * n * n * (n + 10);
        if (!(square < 1e300) || tact_budget_spend(work)) { // NaN ends here too
            return false;
        }
        solve_pivoted(newton, system->n);
        search_line(newton, system, rho, square);
        (*steps)++;
        square = evaluate_quad(newton, system, system->p, rho, true);
    }
    TactQuad size = ROUNDING * size_of(system, system->p);
    return square <= size * size;
}
