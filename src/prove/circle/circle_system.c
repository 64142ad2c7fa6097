// F(x) and F'(x) of the circular cone in intervals.
#include <string.h>

#include "prove/circle/circle.h"

static double step_of(const TactContactProblem *problem)
{
    return problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
}

// ---------------------------------------------------------------------------------------------
// Which equations there are

static void place(TactCircle *circle, TactCircleLaw law, int owner, int index)
{
    circle->equations[circle->equation_count++] = (TactCircleEquation){law, owner, index};
}

static void place_contact(TactCircle *circle, int i)
{
    TactStateKind kind = circle->states[i].kind;
    int           first = circle->bounds.dof + 3 * i;
    if (kind == TACT_PROVE_OPEN) {
        return;
    }
    for (int k = 0; k < (kind == TACT_PROVE_PLAIN ? 1 : 3); k++) {
        circle->active[first + k] = true;
    }
    place(circle, TACT_CIRCLE_U, i, 3 * i);
    for (int k = 1; k < 3; k++) {
        if (kind == TACT_PROVE_STICK) {
            place(circle, TACT_CIRCLE_U, i, 3 * i + k);
        } else if (kind == TACT_PROVE_CIRCLE) {
            place(circle, TACT_CIRCLE_FRICTION, i, k);
        } else if (kind == TACT_PROVE_DYNAMIC) {
            place(circle, TACT_CIRCLE_CORNER, i, k);
        }
    }
}

bool tact_circle_is_moment(const TactCircle *circle, int source)
{
    const TactPatches *patches = circle->task->patches;
    if (!patches) {
        return false;
    }
    return source < circle->bounds.contacts ? source >= patches->contacts
                                            : source - circle->bounds.contacts >= patches->rows;
}

bool tact_circle_is_loaded(const TactCircle *circle, int disc)
{
    return circle->states[circle->discs.at[disc].contact].kind != TACT_PROVE_OPEN;
}

static void place_disc(TactCircle *circle, int d)
{
    const TactDisc *disc = &circle->discs.at[d];
    int             owner = circle->bounds.contacts + circle->bounds.rows + d;
    bool            moves = circle->states[owner].kind == TACT_PROVE_CIRCLE;
    for (int k = 0; k < disc->dim && tact_circle_is_loaded(circle, d); k++) {
        circle->active[circle->bounds.dof + disc->place[k]] = true;
        place(circle, moves ? TACT_CIRCLE_DISC : TACT_CIRCLE_U, owner, moves ? k : disc->place[k]);
    }
}

void tact_circle_place(TactCircle *circle)
{
    const TactBounds *bounds = &circle->bounds;
    circle->equation_count = 0;
    memset(circle->active, 0, (size_t)bounds->variables * sizeof(bool));
    for (int d = 0; d < bounds->dof; d++) {
        circle->active[d] = true;
        place(circle, TACT_CIRCLE_DYNAMICS, -1, d);
    }
    for (int r = 0; r < bounds->rows; r++) {
        int           owner = bounds->contacts + r;
        TactStateKind kind = circle->states[owner].kind;
        if (kind != TACT_PROVE_OPEN && !tact_circle_is_moment(circle, owner)) {
            bool held = kind == TACT_PROVE_HIGH || kind == TACT_PROVE_LOW;
            circle->active[bounds->dof + 3 * bounds->contacts + r] = true;
            place(circle, held ? TACT_CIRCLE_BOUND : TACT_CIRCLE_U, owner,
                  3 * bounds->contacts + r);
        }
    }
    for (int i = 0; i < bounds->contacts; i++) {
        if (!tact_circle_is_moment(circle, i)) {
            place_contact(circle, i);
        }
    }
    for (int d = 0; d < circle->discs.count; d++) {
        place_disc(circle, d);
    }
}

// ---------------------------------------------------------------------------------------------
// F

void tact_circle_set_box(TactCircle *circle)
{
    for (int k = 0; k < circle->bounds.variables; k++) {
        circle->box[k] = circle->active[k] ? tact_interval_around(circle->x[k], circle->radius[k])
                                           : tact_interval(0);
    }
}

TactInterval tact_circle_u(const TactCircle *circle, int source)
{
    const TactBounds *bounds = &circle->bounds;
    TactInterval      u = tact_bounds_evaluate(bounds, &bounds->u[source], circle->box);
    if (source < 3 * bounds->contacts && source % 3 == 0) {
        double compliance = circle->problem->contacts[source / 3].compliance;
        u = tact_interval_add(u, tact_interval_multiply(tact_interval(compliance),
                                                        circle->box[bounds->dof + source]));
    }
    return u;
}

/// Direction s = u_t / |u_t| of a slip, and |u_t|; false if it may be 0.
static bool find_slip(const TactCircle *circle, int i, TactInterval s[2], TactInterval *speed)
{
    TactInterval u[2] = {tact_circle_u(circle, 3 * i + 1), tact_circle_u(circle, 3 * i + 2)};
    *speed = tact_interval_root(
        tact_interval_add(tact_interval_square(u[0]), tact_interval_square(u[1])));
    for (int k = 0; k < 2; k++) {
        s[k] = tact_interval_divide(u[k], *speed);
        s[k] = (TactInterval){fmax(s[k].lo, -1), fmin(s[k].hi, 1)};
    }
    return speed->lo > 0;
}

// ---------------------------------------------------------------------------------------------
// Discs

static const TactDisc *disc_of(const TactCircle *circle, int owner)
{
    return &circle->discs.at[owner - circle->bounds.contacts - circle->bounds.rows];
}

/// Direction s = y / |y| of a disc that moves, and |y|; false if it may be 0.
static bool find_turn(const TactCircle *circle, const TactDisc *disc, TactInterval *s,
                      TactInterval *speed)
{
    TactInterval sum = tact_interval(0);
    for (int k = 0; k < disc->dim; k++) {
        s[k] = tact_interval_multiply(tact_interval(disc->mu[k]),
                                      tact_circle_u(circle, disc->place[k]));
        sum = tact_interval_add(sum, tact_interval_square(s[k]));
    }
    *speed = tact_interval_root(sum);
    for (int k = 0; k < disc->dim; k++) {
        s[k] = tact_interval_divide(s[k], *speed);
        s[k] = (TactInterval){fmax(s[k].lo, -1), fmin(s[k].hi, 1)};
        if (disc->dim == 1 && speed->lo > 0) { // one of two
            s[k] = tact_interval(s[k].hi > 0 ? 1 : -1);
        }
    }
    return speed->lo > 0;
}

/// p_k + mu_k p_n s_k
static bool evaluate_disc(const TactCircle *circle, const TactCircleEquation *equation,
                          TactInterval *F)
{
    const TactDisc *disc = disc_of(circle, equation->owner);
    int             k = equation->index, dof = circle->bounds.dof;
    TactInterval    s[TACT_DISC_MOST], speed;
    bool            sure = find_turn(circle, disc, s, &speed);
    TactInterval    limit =
        tact_interval_multiply(tact_interval(disc->mu[k]), circle->box[dof + 3 * disc->contact]);
    *F = tact_interval_add(circle->box[dof + disc->place[k]], tact_interval_multiply(limit, s[k]));
    return sure;
}

TactInterval tact_circle_disc_room(const TactCircle *circle, const TactDisc *disc)
{
    TactInterval sum = tact_interval(0);
    for (int k = 0; k < disc->dim; k++) {
        TactInterval x = tact_interval_divide(circle->box[circle->bounds.dof + disc->place[k]],
                                              tact_interval(disc->mu[k]));
        sum = tact_interval_add(sum, tact_interval_square(x));
    }
    return tact_interval_subtract(circle->box[circle->bounds.dof + 3 * disc->contact],
                                  tact_interval_root(sum));
}

/// F of one equation, without impulses in the dynamics.
static bool evaluate(const TactCircle *circle, const TactCircleEquation *equation, TactInterval *F)
{
    const TactBounds   *bounds = &circle->bounds;
    const TactInterval *x = circle->box;
    int                 i = equation->owner, impulse = bounds->dof + 3 * i;
    TactInterval        s[2], speed, direction, friction;
    bool                sure = true;
    switch (equation->law) {
    case TACT_CIRCLE_DYNAMICS:
        *F = tact_bounds_evaluate(bounds, &bounds->dynamics[equation->index], x);
        break;
    case TACT_CIRCLE_U: *F = tact_circle_u(circle, equation->index); break;
    case TACT_CIRCLE_FRICTION:
    case TACT_CIRCLE_CORNER:
        if (equation->law == TACT_CIRCLE_FRICTION) {
            sure = find_slip(circle, i, s, &speed);
            direction = s[equation->index - 1];
        } else {
            direction = tact_interval(-circle->states[i].corner[equation->index - 1]);
        }
        friction =
            tact_interval_multiply(tact_interval(circle->problem->contacts[i].mu), x[impulse]);
        *F = tact_interval_add(x[impulse + equation->index],
                               tact_interval_multiply(friction, direction));
        break;
    case TACT_CIRCLE_DISC: sure = evaluate_disc(circle, equation, F); break;
    case TACT_CIRCLE_BOUND: {
        int    r = i - bounds->contacts;
        double sign = circle->states[i].kind == TACT_PROVE_HIGH ? 1 : -1;
        *F = tact_interval_subtract(
            x[bounds->dof + 3 * bounds->contacts + r],
            tact_interval_multiply(tact_interval(sign * step_of(circle->problem)),
                                   tact_interval(circle->problem->rows[r].force_max)));
        break;
    }
    }
    return sure;
}

// ---------------------------------------------------------------------------------------------
// F'

static void add_slope(TactCircle *circle, int row, int variable, TactInterval value)
{
    int column = circle->column[variable];
    if (column >= 0) {
        TactInterval *entry = circle->slope + (size_t)row * (size_t)circle->chosen + column;
        *entry = tact_interval_add(*entry, value);
    }
}

static void add_form(TactCircle *circle, int row, const TactBoundForm *form, TactInterval factor)
{
    const TactBounds *bounds = &circle->bounds;
    for (int k = form->first; k < form->first + form->count; k++) {
        if (circle->column[bounds->variable[k]] >= 0) {
            add_slope(circle, row, bounds->variable[k],
                      tact_interval_multiply(factor, bounds->value[k]));
        }
    }
}

/// d s_k / d u_l = (delta_kl - s_k s_l) / |u_t|
static TactInterval turn_rate(const TactInterval s[2], TactInterval speed, int k, int l)
{
    TactInterval top = k == l ? tact_interval_square(s[1 - k])
                              : tact_interval_negate(tact_interval_multiply(s[0], s[1]));
    return tact_interval_divide(top, speed);
}

/// d F_k = dp_k + mu_k s_k dp_n + mu_k p_n sum_l (delta_kl - s_k s_l) / |y| mu_l du_l
static void differentiate_disc(TactCircle *circle, int row, const TactCircleEquation *equation)
{
    const TactBounds *bounds = &circle->bounds;
    const TactDisc   *disc = disc_of(circle, equation->owner);
    int               k = equation->index, load = bounds->dof + 3 * disc->contact;
    TactInterval      s[TACT_DISC_MOST], speed, mu = tact_interval(disc->mu[k]);
    find_turn(circle, disc, s, &speed);
    TactInterval limit = tact_interval_multiply(mu, circle->box[load]);
    add_slope(circle, row, bounds->dof + disc->place[k], tact_interval(1));
    add_slope(circle, row, load, tact_interval_multiply(mu, s[k]));
    for (int l = 0; l < disc->dim; l++) {
        TactInterval top = tact_interval(0);
        for (int m = 0; m < disc->dim && k == l; m++) { // 1 - s_k^2 is the sum of the others
            top = m == k ? top : tact_interval_add(top, tact_interval_square(s[m]));
        }
        top = k == l ? top : tact_interval_negate(tact_interval_multiply(s[k], s[l]));
        TactInterval rate =
            tact_interval_multiply(tact_interval_divide(top, speed), tact_interval(disc->mu[l]));
        add_form(circle, row, &bounds->u[disc->place[l]], tact_interval_multiply(limit, rate));
    }
}

static void differentiate(TactCircle *circle, int row, const TactCircleEquation *equation)
{
    const TactBounds *bounds = &circle->bounds;
    int               i = equation->owner, k = equation->index, impulse = bounds->dof + 3 * i;
    TactInterval      one = tact_interval(1), s[2], speed;
    switch (equation->law) {
    case TACT_CIRCLE_DYNAMICS: add_form(circle, row, &bounds->dynamics[k], one); break;
    case TACT_CIRCLE_U:
        add_form(circle, row, &bounds->u[k], one);
        if (k < 3 * bounds->contacts && k % 3 == 0) {
            add_slope(circle, row, bounds->dof + k,
                      tact_interval(circle->problem->contacts[k / 3].compliance));
        }
        break;
    case TACT_CIRCLE_FRICTION: {
        TactInterval mu = tact_interval(circle->problem->contacts[i].mu);
        TactInterval limit = tact_interval_multiply(mu, circle->box[impulse]);
        find_slip(circle, i, s, &speed);
        add_slope(circle, row, impulse + k, one);
        add_slope(circle, row, impulse, tact_interval_multiply(mu, s[k - 1]));
        for (int l = 0; l < 2; l++) {
            TactInterval rate = turn_rate(s, speed, k - 1, l);
            add_form(circle, row, &bounds->u[3 * i + 1 + l], tact_interval_multiply(limit, rate));
        }
        break;
    }
    case TACT_CIRCLE_CORNER:
        add_slope(circle, row, impulse + k, one);
        add_slope(circle, row, impulse,
                  tact_interval_multiply(tact_interval(circle->problem->contacts[i].mu),
                                         tact_interval(-circle->states[i].corner[k - 1])));
        break;
    case TACT_CIRCLE_DISC: differentiate_disc(circle, row, equation); break;
    case TACT_CIRCLE_BOUND:
        add_slope(circle, row, bounds->dof + 3 * bounds->contacts + i - bounds->contacts, one);
        break;
    }
}

/// - J' p in the dynamics, all of which are among the chosen equations, first and in order.
static void add_impulses(TactCircle *circle, bool slope)
{
    const TactBounds *bounds = &circle->bounds;
    for (int s = 0; s < 3 * bounds->contacts + bounds->rows && bounds->dof > 0; s++) {
        const TactBoundForm *form = &bounds->u[s];
        int                  impulse = bounds->dof + s;
        for (int k = form->first; k < form->first + form->count && circle->active[impulse]; k++) {
            int          d = bounds->variable[k];
            TactInterval minus = tact_interval_negate(bounds->value[k]);
            circle->F[d] = tact_interval_add(circle->F[d],
                                             tact_interval_multiply(minus, circle->box[impulse]));
            if (slope) {
                add_slope(circle, d, impulse, minus);
            }
        }
    }
}

bool tact_circle_evaluate(TactCircle *circle, bool slope, int *owner)
{
    size_t count = (size_t)circle->chosen;
    if (slope) {
        memset(circle->slope, 0, count * count * sizeof *circle->slope);
    }
    for (int row = 0; row < circle->chosen; row++) {
        const TactCircleEquation *equation = &circle->equations[circle->rows[row]];
        if (!evaluate(circle, equation, &circle->F[row])) {
            *owner = equation->owner;
            return false;
        }
        if (slope) {
            differentiate(circle, row, equation);
        }
    }
    add_impulses(circle, slope);
    return true;
}
