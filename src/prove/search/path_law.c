// States of a path's items: their equations, their inequalities, and what lies behind those.
#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <string.h>

static TactFour product(double a, double b)
{
    TactFour two = {{0, 0, 0, 0}};
    two.x[0] = tact_two_product(a, b, &two.x[1]);
    return two;
}

static TactFour difference(double a, double b)
{
    TactFour two = {{0, 0, 0, 0}};
    two.x[0] = tact_two_sum(a, -b, &two.x[1]);
    return two;
}

/// form += n' (p_t - mu p_n d)
static void add_beyond(TactPathForm *form, double mu, const TactFour n[2], const double d[2])
{
    for (int k = 0; k < 2; k++) {
        TactFour reach = tact_four_multiply(n[k], product(-mu, d[k]));
        form->p[1 + k] = tact_four_add(form->p[1 + k], n[k]);
        form->p[0] = tact_four_add(form->p[0], reach);
    }
}

static void corners(const TactPathItem *item, int j, double a[2], double b[2])
{
    tact_polygon_corner(&item->polygon, j, a);
    tact_polygon_corner(&item->polygon, j + 1, b);
}

/// Inside of the edge j, j + 1: positive to its left.
static TactPathForm inward(const TactPathItem *item, int j)
{
    double       a[2], b[2];
    TactPathForm form = {0};
    corners(item, j, a, b);
    add_beyond(&form, item->mu, (TactFour[2]){difference(a[1], b[1]), difference(b[0], a[0])}, a);
    return form;
}

/// Along the edge, from corner `from` towards corner `to`.
static TactPathForm along(const TactPathItem *item, int from, int to)
{
    double       a[2], b[2];
    TactPathForm form = {0};
    tact_polygon_corner(&item->polygon, from, a);
    tact_polygon_corner(&item->polygon, to, b);
    add_beyond(&form, item->mu, (TactFour[2]){difference(b[0], a[0]), difference(b[1], a[1])}, a);
    return form;
}

/// (d_to - d_from)' u_t: corner `from` takes more out of the slip than `to`.
static TactPathForm takes_more(const TactPathItem *item, int from, int to)
{
    double       a[2], b[2];
    TactPathForm form = {0};
    tact_polygon_corner(&item->polygon, from, a);
    tact_polygon_corner(&item->polygon, to, b);
    form.u[1] = difference(b[0], a[0]);
    form.u[2] = difference(b[1], a[1]);
    return form;
}

/// -d_j' u_t
static TactPathForm against(const TactPathItem *item, int j)
{
    double       d[2];
    TactPathForm form = {0};
    tact_polygon_corner(&item->polygon, j, d);
    form.u[1] = tact_four_of(-d[0]);
    form.u[2] = tact_four_of(-d[1]);
    return form;
}

static TactPathForm one_impulse(int k, double factor, double constant)
{
    TactPathForm form = {0};
    form.p[k] = tact_four_of(factor);
    form.constant = tact_four_of(constant);
    return form;
}

static TactPathForm one_velocity(int k, double factor)
{
    TactPathForm form = {0};
    form.u[k] = tact_four_of(factor);
    return form;
}

/// Component k of p_t - mu p_n d
static TactPathForm beyond(const TactPathItem *item, int k, const double d[2])
{
    TactPathForm form = {0};
    form.p[k] = tact_four_of(1);
    form.p[0] = product(-item->mu, d[k - 1]);
    return form;
}

TactPathForm tact_path_equation(const TactPathItem *item, int k)
{
    double d[2];
    if (tact_path_is_unloaded(item)) {
        return one_impulse(k, 1, 0);
    }
    switch (item->state.kind) {
    case TACT_PROVE_OPEN: return one_impulse(k, 1, 0);
    case TACT_PROVE_HIGH: return one_impulse(k, 1, -item->bound);
    case TACT_PROVE_LOW: return one_impulse(k, 1, item->bound);
    case TACT_PROVE_EDGE:
        return k == 0   ? one_velocity(0, 1)
               : k == 1 ? takes_more(item, item->state.j, item->state.j + 1)
                        : inward(item, item->state.j);
    case TACT_PROVE_CORNER:
        tact_polygon_corner(&item->polygon, item->state.j, d);
        return k == 0 ? one_velocity(0, 1) : beyond(item, k, d);
    case TACT_PROVE_DYNAMIC:
        return k == 0 ? one_velocity(0, 1) : beyond(item, k, item->state.corner);
    default: return one_velocity(k, 1);
    }
}

static TactState state_at(const TactPathItem *item, TactStateKind kind, int j)
{
    int count = item->polygon.count;
    return (TactState){.kind = kind, .j = count > 0 ? (j % count + count) % count : 0};
}

static int motor_sides(const TactPathItem *item, TactPathSide *sides)
{
    TactState held = {.kind = TACT_PROVE_STICK};
    switch (item->state.kind) {
    case TACT_PROVE_HIGH: sides[0] = (TactPathSide){one_velocity(0, -1), held}; return 1;
    case TACT_PROVE_LOW: sides[0] = (TactPathSide){one_velocity(0, 1), held}; return 1;
    default:
        sides[0] = (TactPathSide){one_impulse(0, -1, item->bound), {.kind = TACT_PROVE_HIGH}};
        sides[1] = (TactPathSide){one_impulse(0, 1, item->bound), {.kind = TACT_PROVE_LOW}};
        return 2;
    }
}

/// -+x below the load, of a disc of one dimension.
static TactPathForm below(double side)
{
    TactPathForm form = one_impulse(1, -side, 0);
    form.p[0] = tact_four_of(1);
    return form;
}

/// Of a disc of one dimension: corner 0 is +1, corner 1 is -1.
static int line_sides(const TactPathItem *item, TactPathSide *sides)
{
    if (item->state.kind == TACT_PROVE_CORNER) {
        sides[0] = (TactPathSide){against(item, item->state.j), {.kind = TACT_PROVE_STICK}};
        return 1;
    }
    sides[0] = (TactPathSide){below(1), {.kind = TACT_PROVE_CORNER, .j = 0}};
    sides[1] = (TactPathSide){below(-1), {.kind = TACT_PROVE_CORNER, .j = 1}};
    return 2;
}

int tact_path_sides(const TactPathItem *item, TactPathSide *sides)
{
    int       j = item->state.j, count = item->polygon.count;
    TactState open = {.kind = TACT_PROVE_OPEN};
    // What an open contact becomes depends on its slip: whoever crosses the side says.
    TactState pushes = item->answered.kind == TACT_PROVE_DYNAMIC ? item->answered
                       : item->size == 1 ? (TactState){.kind = TACT_PROVE_PLAIN}
                                         : (TactState){.kind = TACT_PROVE_CORNER};
    if (item->bilateral || tact_path_is_unloaded(item)) {
        return 0;
    }
    if (item->load && item->size == 2) {
        return line_sides(item, sides);
    }
    if (item->bound >= 0) {
        return motor_sides(item, sides);
    }
    switch (item->state.kind) {
    case TACT_PROVE_OPEN: sides[0] = (TactPathSide){one_velocity(0, 1), pushes}; return 1;
    case TACT_PROVE_STICK:
        for (int k = 0; k < count && item->size == 3; k++) {
            sides[k] = (TactPathSide){inward(item, k), state_at(item, TACT_PROVE_EDGE, k)};
        }
        if (item->size == 1) {
            sides[0] = (TactPathSide){one_impulse(0, 1, 0), open};
        }
        return item->size == 3 ? count : 1;
    case TACT_PROVE_CORNER:
        sides[0] = (TactPathSide){one_impulse(0, 1, 0), open};
        sides += item->load ? 0 : 1; // a disc does not open: its contact does
        sides[0] = (TactPathSide){takes_more(item, j, j + 1), state_at(item, TACT_PROVE_EDGE, j)};
        sides[1] =
            (TactPathSide){takes_more(item, j, j - 1), state_at(item, TACT_PROVE_EDGE, j - 1)};
        return item->load ? 2 : 3;
    case TACT_PROVE_EDGE:
        sides[0] = (TactPathSide){along(item, j, j + 1), state_at(item, TACT_PROVE_CORNER, j)};
        sides[1] = (TactPathSide){along(item, j + 1, j), state_at(item, TACT_PROVE_CORNER, j + 1)};
        sides[2] = (TactPathSide){against(item, j), state_at(item, TACT_PROVE_STICK, 0)};
        return 3;
    default: sides[0] = (TactPathSide){one_impulse(0, 1, 0), open}; return 1;
    }
}

TactPathForm tact_path_way_back(const TactPathItem *item, const TactState *from)
{
    TactPathSide sides[TACT_PATH_SIDES];
    int          count = tact_path_sides(item, sides);
    for (int k = 0; k < count; k++) {
        bool corner =
            sides[k].next.kind == TACT_PROVE_CORNER || sides[k].next.kind == TACT_PROVE_EDGE;
        bool any = item->state.kind == TACT_PROVE_OPEN;
        if (any || (sides[k].next.kind == from->kind && (!corner || sides[k].next.j == from->j))) {
            return sides[k].form;
        }
    }
    return (TactPathForm){0};
}

TactFour tact_path_value(const TactPath *path, const TactPathItem *item, const TactPathForm *form,
                         int degree)
{
    TactFour sum = degree == 0 ? form->constant : tact_four_of(0);
    for (int k = 0; k < item->size; k++) {
        const TactPathItem *own = k < item->from ? item->load : item;
        TactFour            p = tact_row_get(path->p[degree], tact_path_at(item, k));
        TactFour            u = tact_row_get(path->u[degree], tact_path_at(item, k));
        if (degree == 1) {
            p = tact_four_add(p, tact_four_of(own->s[k]));
            u = tact_four_add(u, tact_four_of(own->a[k]));
        }
        sum = tact_four_add(sum, tact_four_multiply(form->p[k], p));
        sum = tact_four_add(sum, tact_four_multiply(form->u[k], u));
    }
    return sum;
}

#endif
