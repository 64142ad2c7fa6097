// The equations of a path's states, solved from a reference: a regular basis whose inverse is
// known, and the few rows R in which the present equations differ from it.
//
//     x = x_0 + sum_b d_b B e_b,    S d = rest of the rows R at x_0,    S_ab = A_a B e_b     (7)
//
// Contacts that are redundant but for rounding make the equations singular but for 1e-17. Their
// rows are not in the reference, which stays well conditioned, but in S, which is factored anew.
#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { REFINEMENTS = 6 };
// Of the terms of an equation: what two or four doubles leave; and from where on the reference is
// made anew.
static const double exact[] = {1e-29, 1e-60}, lost[] = {1e-20, 1e-40};

static TactRow row_of(const TactPath *path, TactRow matrix, int i)
{
    return tact_row_at(matrix, (size_t)i * (size_t)path->n);
}

static bool gives_value(const TactPathItem *item)
{
    return tact_path_is_unloaded(item) || item->state.kind == TACT_PROVE_OPEN ||
           item->state.kind == TACT_PROVE_HIGH || item->state.kind == TACT_PROVE_LOW;
}

// ---------------------------------------------------------------------------------------------
// Reference

/// Row of the equations in the unknowns, into out.
static void expand(TactPath *path, const TactPathItem *item, const TactPathForm *form, TactRow out)
{
    tact_row_clear(path->n, out);
    for (int k = 0; k < item->size; k++) {
        int at = tact_path_at(item, k);
        if (tact_four_sign(form->u[k]) != 0) {
            tact_row_add(path->n, out, form->u[k], row_of(path, path->W, at));
        }
        tact_row_set(out, at, tact_four_add(tact_row_get(out, at), form->p[k]));
    }
}

/// Takes row `at` into the reference if its pivot is at least `least` of its own entry.
static bool take_row(TactPath *path, const TactPathItem *item, int at, double least)
{
    TactPathForm form = tact_path_equation(item, tact_path_component(item, at));
    TactRow      w = path->row[0], y = path->row[1], B = path->reference.inverse;
    double       size = 0;
    expand(path, item, &form, w);
    tact_row_clear(path->n, y);
    for (int k = 0; k < item->size; k++) {
        size = fmax(size, fabs(w.part[0][tact_path_at(item, k)]));
    }
    for (int j = 0; j < path->n; j++) {
        TactFour factor = tact_row_get(w, j);
        if (tact_four_sign(factor) == 0) {
            continue;
        }
        if (path->reference.unit[j]) {
            tact_row_set(y, j, tact_four_add(tact_row_get(y, j), factor));
        } else {
            tact_row_add(path->n, y, factor, row_of(path, B, j));
        }
    }
    TactFour pivot = tact_row_get(y, at);
    if (!(fabs(pivot.x[0]) > least * size)) {
        return false;
    }
    for (int i = 0; i < path->n; i++) {
        TactRow  row = row_of(path, B, i);
        TactFour f = tact_row_get(row, at);
        if (tact_four_sign(f) != 0) {
            f = tact_four_divide(f, pivot);
            tact_row_add(path->n, row, tact_four_minus(f), y);
            tact_row_set(row, at, f);
        }
    }
    path->reference.unit[at] = 0;
    path->reference.taken[at] = form;
    return true;
}

static void transpose(TactPath *path)
{
    for (int i = 0; i < path->n; i++) {
        for (int j = 0; j < i; j++) {
            TactRow one = row_of(path, path->reference.inverse, i),
                    two = row_of(path, path->reference.inverse, j);
            TactFour x = tact_row_get(one, j);
            tact_row_set(one, j, tact_row_get(two, i));
            tact_row_set(two, i, x);
        }
    }
}

/// u = W p, and u_free of degree 0.
static void find_velocity(TactPath *path, int degree)
{
    for (int i = 0; i < path->n; i++) {
        TactFour sum = tact_row_dot(path->n, row_of(path, path->W, i), path->p[degree]);
        if (degree == 0) {
            sum = tact_four_add(sum, tact_row_get(path->u_free, i));
        }
        tact_row_set(path->u[degree], i, sum);
    }
}

void tact_path_refer(TactPath *path)
{
    static const double leasts[] = {1e-2, 1e-5, 1e-8};
    for (int i = 0; i < path->n; i++) {
        tact_row_clear(path->n, row_of(path, path->reference.inverse, i));
        path->reference.inverse.part[0][(size_t)i * ((size_t)path->n + 1)] = 1;
        path->reference.unit[i] = 1;
        path->reference.known[i] = 0;
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < path->count; i++) {
            const TactPathItem *item = &path->items[i];
            for (int at = item->first; at < item->first + item->size - item->from; at++) {
                if (path->reference.unit[at] && !gives_value(item)) {
                    take_row(path, item, at, leasts[round]);
                }
            }
        }
    }
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int at = item->first; at < item->first + item->size - item->from; at++) {
            if (path->reference.unit[at]) {
                path->reference.taken[at] = (TactPathForm){0};
                path->reference.taken[at].p[tact_path_component(item, at)] = tact_four_of(1);
            }
        }
    }
    transpose(path);
    path->reference.references++;
    // The solution of the reference, to begin with: any will do that is near.
    for (int degree = 0; degree < 2; degree++) {
        find_velocity(path, degree);
    }
}

// ---------------------------------------------------------------------------------------------
// Solution

static bool is_same(const TactPathForm *a, const TactPathForm *b)
{
    bool same = true;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            same = same && a->p[k].x[i] == b->p[k].x[i] && a->u[k].x[i] == b->u[k].x[i];
        }
    }
    return same;
}

/// Rows that differ from the reference.
static void find_changed(TactPath *path)
{
    path->reference.changed = 0;
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            TactPathForm form = tact_path_equation(item, k);
            int          at = tact_path_at(item, k);
            if (is_same(&form, &path->reference.taken[at])) {
                continue;
            }
            path->reference.owner[path->reference.changed] = i;
            path->reference.list[path->reference.changed++] = at;
            if (!path->reference.known[at]) {
                TactRow column = row_of(path, path->reference.inverse, at);
                TactRow out = row_of(path, path->reference.moves, at);
                path->reference.known[at] = 1;
                for (int j = 0; j < path->n; j++) {
                    tact_row_set(out, j, tact_row_dot(path->n, row_of(path, path->W, j), column));
                }
            }
        }
    }
}

/// S of (7), factored in place, rows exchanged.
static bool factor(TactPath *path)
{
    int m = path->reference.changed;
    for (int a = 0; a < m; a++) {
        const TactPathItem *item = &path->items[path->reference.owner[a]];
        int                 equation = tact_path_component(item, path->reference.list[a]);
        TactPathForm        form = tact_path_equation(item, equation);
        TactRow             row = tact_row_at(path->reference.S, (size_t)a * (size_t)m);
        for (int b = 0; b < m; b++) {
            TactRow  column = row_of(path, path->reference.inverse, path->reference.list[b]);
            TactRow  moves = row_of(path, path->reference.moves, path->reference.list[b]);
            TactFour sum = tact_four_of(0);
            for (int k = 0; k < item->size; k++) {
                TactFour p = tact_row_get(column, tact_path_at(item, k));
                TactFour u = tact_row_get(moves, tact_path_at(item, k));
                sum = tact_four_add(sum, tact_four_multiply(form.p[k], p));
                sum = tact_four_add(sum, tact_four_multiply(form.u[k], u));
            }
            tact_row_set(row, b, sum);
        }
    }
    for (int k = 0; k < m; k++) {
        int best = k;
        for (int i = k + 1; i < m; i++) {
            double now = fabs(path->reference.S.part[0][(size_t)best * (size_t)m + (size_t)k]);
            best =
                fabs(path->reference.S.part[0][(size_t)i * (size_t)m + (size_t)k]) > now ? i : best;
        }
        path->reference.swapped[k] = best;
        TactRow own = tact_row_at(path->reference.S, (size_t)k * (size_t)m);
        TactRow other = tact_row_at(path->reference.S, (size_t)best * (size_t)m);
        for (int j = 0; j < m && best != k; j++) {
            TactFour x = tact_row_get(own, j);
            tact_row_set(own, j, tact_row_get(other, j));
            tact_row_set(other, j, x);
        }
        if (own.part[0][k] == 0) {
            return false;
        }
        for (int i = k + 1; i < m; i++) {
            TactRow  row = tact_row_at(path->reference.S, (size_t)i * (size_t)m);
            TactFour f = tact_four_divide(tact_row_get(row, k), tact_row_get(own, k));
            tact_row_set(row, k, f);
            tact_row_add(m - k - 1, tact_row_at(row, (size_t)k + 1), tact_four_minus(f),
                         tact_row_at(own, (size_t)k + 1));
        }
    }
    return true;
}

/// d = S^-1 d
static void solve_changed(const TactPath *path, TactRow d)
{
    int m = path->reference.changed;
    for (int k = 0; k < m; k++) {
        TactFour x = tact_row_get(d, path->reference.swapped[k]);
        tact_row_set(d, path->reference.swapped[k], tact_row_get(d, k));
        tact_row_set(d, k, x);
    }
    for (int i = 0; i < m; i++) {
        TactFour known = tact_row_dot(i, tact_row_at(path->reference.S, (size_t)i * (size_t)m), d);
        tact_row_set(d, i, tact_four_add(tact_row_get(d, i), tact_four_minus(known)));
    }
    for (int i = m - 1; i >= 0; i--) {
        TactRow  row = tact_row_at(path->reference.S, (size_t)i * (size_t)m);
        TactFour known =
            tact_row_dot(m - i - 1, tact_row_at(row, (size_t)i + 1), tact_row_at(d, (size_t)i + 1));
        TactFour x = tact_four_add(tact_row_get(d, i), tact_four_minus(known));
        tact_row_set(d, i, tact_four_divide(x, tact_row_get(row, i)));
    }
}

/// What the equations leave, into path->right; the largest, of what rounding is held against: the
/// largest impulse, and what it does to an item.
static double find_rest(TactPath *path, int degree)
{
    double most = 0, pushes = 0, moves = 0;
    for (int i = 0; i < path->n; i++) {
        double W = sqrt(fabs(path->W.part[0][(size_t)i * ((size_t)path->n + 1)]));
        pushes = fmax(pushes, fabs(path->p[degree].part[0][i]));
        moves = fmax(moves, W * fabs(path->p[degree].part[0][i]));
        if (degree == 0 && W > 0) {
            moves = fmax(moves, fabs(path->u_free.part[0][i]) / W);
        }
    }
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            TactPathForm form = tact_path_equation(item, k);
            TactFour     rest = tact_path_value(path, item, &form, degree);
            double       size = 0;
            tact_row_set(path->right, tact_path_at(item, k), rest);
            for (int l = 0; l < item->size; l++) {
                size_t at = (size_t)tact_path_at(item, l) * ((size_t)path->n + 1);
                size += fabs(form.p[l].x[0]) * pushes;
                size += fabs(form.u[l].x[0]) * sqrt(fabs(path->W.part[0][at])) * moves;
            }
            most = rest.x[0] != 0 ? fmax(most, fabs(rest.x[0]) / fmax(size, 1e-300)) : most;
        }
    }
    return most;
}

/// x += sum_r factor_r B e_r over rows of the reference, and u with it.
static void add_columns(TactPath *path, int degree, TactRow d)
{
    for (int b = 0; b < path->reference.changed; b++) {
        int      at = path->reference.list[b];
        TactFour factor = tact_row_get(d, b);
        tact_row_add(path->n, path->p[degree], factor, row_of(path, path->reference.inverse, at));
        tact_row_add(path->n, path->u[degree], factor, row_of(path, path->reference.moves, at));
    }
}

/// Rows of the reference that do not hold: p -= B rest.
static void correct_reference(TactPath *path, int degree)
{
    bool any = false;
    for (int b = 0; b < path->reference.changed; b++) {
        tact_row_set(path->right, path->reference.list[b], tact_four_of(0));
    }
    for (int i = 0; i < path->n; i++) {
        TactFour rest = tact_row_get(path->right, i);
        if (tact_four_sign(rest) != 0) {
            any = true;
            tact_row_add(path->n, path->p[degree], tact_four_minus(rest),
                         row_of(path, path->reference.inverse, i));
        }
    }
    if (any) {
        find_velocity(path, degree);
    }
}

static void correct_changed(TactPath *path, int degree)
{
    TactRow d = path->row[2];
    for (int a = 0; a < path->reference.changed; a++) {
        const TactPathItem *item = &path->items[path->reference.owner[a]];
        int                 equation = tact_path_component(item, path->reference.list[a]);
        TactPathForm        form = tact_path_equation(item, equation);
        tact_row_set(d, a, tact_four_minus(tact_path_value(path, item, &form, degree)));
    }
    solve_changed(path, d);
    add_columns(path, degree, d);
}

static bool solve(TactPath *path)
{
    find_changed(path);
    if (!factor(path)) {
        return false;
    }
    path->left = 0;
    for (int degree = 0; degree < 2; degree++) {
        double left = INFINITY;
        for (int k = 0; k < REFINEMENTS; k++) {
            double before = left;
            left = find_rest(path, degree);
            if (left <= exact[path->parts > 2] || !(left < 0.1 * before)) {
                break;
            }
            correct_reference(path, degree);
            correct_changed(path, degree);
        }
        path->left = fmax(path->left, left);
    }
    return true;
}

bool tact_path_solve(TactPath *path)
{
    bool solved = solve(path);
    if (path->reference.changed > path->reference.redundant + TACT_PATH_CHANGED || !solved ||
        path->left > lost[path->parts > 2]) {
        tact_path_refer(path);
        solved = solve(path);
        path->reference.redundant = path->reference.changed;
    }
    return solved && path->left < 1e-3;
}

#endif
