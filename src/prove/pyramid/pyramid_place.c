// The piece of a pyramid problem: equations and inequalities once the states are known.
#include <tact/base.h>

#include "prove/pyramid/pyramid.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Unknowns

void tact_pyramid_give_column(TactPyramidProof *prover, int variable, double guess, double slack)
{
    int at = prover->piece.n++, k = variable - prover->laws.dof;
    for (int l = 0; l < 3; l++) {
        prover->rest[3 * at + l] = k >= 0 && prover->is_path ? prover->impulse_rest[3 * k + l] : 0;
    }
    prover->column[variable] = at;
    prover->guess[at] = guess;
    prover->slack[at] = slack;
}

/// How far the impulse of a contact is from the border of its cone.
static double margin(const TactPyramidProof *prover, int i)
{
    const TactContact *contact = &prover->problem->contacts[i];
    const double      *p = prover->guess_of.impulse + 3 * (size_t)i;
    double             friction = contact->mu * p[0] - hypot(p[1], p[2]);
    bool               sticks = prover->states[i].kind == TACT_PROVE_STICK;
    return sticks ? fmin(p[0], friction) : p[0];
}

static void number_unknowns(TactPyramidProof *prover)
{
    const TactLaws *laws = &prover->laws;
    int             count = laws->dof + 3 * laws->contacts + laws->rows;
    prover->piece.n = 0;
    memset(prover->column, 0xff, (size_t)count * sizeof(int));
    for (int d = 0; d < laws->dof; d++) {
        tact_pyramid_give_column(prover, d, prover->guess_of.velocity[d], INFINITY);
    }
    for (int r = 0; r < laws->rows; r++) {
        if (prover->states[laws->contacts + r].kind != TACT_PROVE_OPEN &&
            !tact_pyramid_is_moment(prover, laws->contacts + r)) {
            tact_pyramid_give_column(prover, tact_laws_row(laws, r),
                                     prover->guess_of.row_impulse[r], 1e300);
        }
    }
    for (int i = 0; i < laws->contacts && prover->in_basis; i++) {
        tact_pyramid_number_basis(prover, i);
    }
    for (int i = 0; i < laws->contacts && !prover->in_basis; i++) {
        TactStateKind kind = prover->states[i].kind;
        int           components = kind == TACT_PROVE_OPEN ? 0 : kind == TACT_PROVE_PLAIN ? 1 : 3;
        double        room = margin(prover, i);
        components = tact_pyramid_is_moment(prover, i) ? 0 : components;
        for (int k = 0; k < components; k++) {
            tact_pyramid_give_column(prover, tact_laws_impulse(laws, i, k),
                                     prover->guess_of.impulse[3 * i + k], room);
        }
    }
    for (int d = 0; d < prover->discs.count; d++) {
        tact_pyramid_number_disc(prover, d);
    }
}

void tact_pyramid_add(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                      int variable, const mpq_t factor)
{
    int k = variable - prover->laws.dof;
    if (prover->in_basis && k >= 0 && k < 3 * prover->laws.contacts) {
        tact_pyramid_add_basis(prover, set, form, k / 3, k % 3, factor);
    } else if (prover->column[variable] >= 0) {
        tact_exact_form_add(set, form, prover->column[variable], factor);
    }
}

void tact_pyramid_add_law(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                          double factor, const TactExactForm *source)
{
    mpq_t exact, product;
    mpq_inits(exact, product, NULL);
    mpq_set_d(exact, factor);
    for (int k = 0; k < source->count && factor != 0; k++) {
        mpq_mul(product, exact, source->value[k]);
        tact_pyramid_add(prover, set, form, source->column[k], product);
    }
    mpq_mul(product, exact, source->constant);
    tact_exact_form_add(set, form, -1, product);
    mpq_clears(exact, product, NULL);
}

/// form += a' u_t, or a' p_t
static void add_slip(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                     const double a[2])
{
    tact_pyramid_add_law(prover, set, form, a[0], &prover->laws.u.forms[3 * i + 1]);
    tact_pyramid_add_law(prover, set, form, a[1], &prover->laws.u.forms[3 * i + 2]);
}

/// form += a b c x_variable
static void add_product(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                        int variable, double a, double b, double c)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, a);
    mpq_set_d(y, b);
    mpq_mul(x, x, y);
    mpq_set_d(y, c);
    mpq_mul(x, x, y);
    tact_pyramid_add(prover, set, form, variable, x);
    mpq_clears(x, y, NULL);
}

// ---------------------------------------------------------------------------------------------
// Equations

/// M v+ - (M v + h f) - J' p = 0
static void place_dynamics(TactPyramidProof *prover)
{
    const TactLaws *laws = &prover->laws;
    TactExactSet   *equations = &prover->piece.equations;
    mpq_t           minus;
    mpq_init(minus);
    for (int d = 0; d < laws->dof; d++) {
        TactExactForm *form = tact_exact_set_next(equations, -1, d);
        tact_pyramid_add_law(prover, equations, form, 1, &laws->dynamics.forms[d]);
    }
    for (int s = 0; s < 3 * laws->contacts + laws->rows && !equations->failed; s++) {
        const TactExactForm *J = &laws->J.forms[s];
        for (int k = 0; k < J->count && laws->dof > 0; k++) {
            mpq_neg(minus, J->value[k]);
            tact_pyramid_add(prover, equations, &equations->forms[J->column[k]], laws->dof + s,
                             minus);
        }
    }
    mpq_clear(minus);
}

static void place_u(TactPyramidProof *prover, int owner, int form)
{
    TactExactSet *equations = &prover->piece.equations;
    tact_pyramid_add_law(prover, equations, tact_exact_set_next(equations, owner, form), 1,
                         &prover->laws.u.forms[form]);
}

/// p_t = mu p_n d
static void place_corner(TactPyramidProof *prover, int i, const double d[2])
{
    TactExactSet *equations = &prover->piece.equations;
    double        mu = prover->problem->contacts[i].mu;
    for (int k = 0; k < 2; k++) {
        TactExactForm *form = tact_exact_set_next(equations, i, -1);
        add_product(prover, equations, form, tact_laws_impulse(&prover->laws, i, 1 + k), 1, 1, 1);
        add_product(prover, equations, form, tact_laws_impulse(&prover->laws, i, 0), -1, mu, d[k]);
    }
}

/// form += n' (p_t - mu p_n d)
static void add_beyond(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                       const double n[2], const double d[2])
{
    double mu = prover->problem->contacts[i].mu;
    for (int k = 0; k < 2; k++) {
        add_product(prover, set, form, tact_laws_impulse(&prover->laws, i, 1 + k), n[k], 1, 1);
        add_product(prover, set, form, tact_laws_impulse(&prover->laws, i, 0), -n[k], mu, d[k]);
    }
}

/// form += (b - a)' (p_t - mu p_n a), without rounding the difference.
static void add_along(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                      const double a[2], const double b[2])
{
    add_beyond(prover, set, form, i, b, a);
    add_beyond(prover, set, form, i, (double[2]){-a[0], -a[1]}, a);
}

/// The same across the edge from a to b, to its left: 0 on the edge, positive inside.
static void add_inward(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                       const double a[2], const double b[2])
{
    add_beyond(prover, set, form, i, (double[2]){-b[1], b[0]}, a);
    add_beyond(prover, set, form, i, (double[2]){a[1], -a[0]}, a);
}

// ---------------------------------------------------------------------------------------------
// Sides

static TactExactForm *next_side(TactPyramidProof *prover, int owner, TactPyramidSide side, int j)
{
    return tact_exact_set_next(&prover->piece.inequalities, owner,
                               (int)side + TACT_SIDE_CORNERS * j);
}

static void place_push(TactPyramidProof *prover, int owner, int variable)
{
    TactExactForm *form = next_side(prover, owner, TACT_SIDE_PUSHES, 0);
    add_product(prover, &prover->piece.inequalities, form, variable, 1, 1, 1);
}

/// d_j takes something out of the slip, and no other corner takes more.
static void place_most(TactPyramidProof *prover, int i, const TactPolygon *polygon, int j)
{
    TactExactSet  *sides = &prover->piece.inequalities;
    TactExactForm *against = next_side(prover, i, TACT_SIDE_AGAINST, 0);
    double         d[2], other[2];
    tact_polygon_corner(polygon, j, d);
    add_slip(prover, sides, against, i, (double[2]){-d[0], -d[1]});
    for (int k = 0; k < polygon->count; k++) {
        int c = (j + k) % polygon->count;
        if (k == 0 || (prover->states[i].kind == TACT_PROVE_EDGE && k == 1)) {
            continue;
        }
        TactExactForm *form =
            next_side(prover, i, TACT_SIDE_MOST, (c + polygon->count) % polygon->count);
        tact_polygon_corner(polygon, c, other);
        add_slip(prover, sides, form, i, other);
        add_slip(prover, sides, form, i, (double[2]){-d[0], -d[1]});
    }
}

static void place_inside(TactPyramidProof *prover, int i, const TactPolygon *polygon)
{
    for (int j = 0; j < polygon->count; j++) {
        double a[2], b[2];
        tact_polygon_corner(polygon, j, a);
        tact_polygon_corner(polygon, j + 1, b);
        add_inward(prover, &prover->piece.inequalities, next_side(prover, i, TACT_SIDE_INSIDE, j),
                   i, a, b);
    }
}

/// On the edge from a to b: shares of both corners that are not negative, the same slip of both.
static void place_edge(TactPyramidProof *prover, int i, const TactPolygon *polygon)
{
    TactExactSet *equations = &prover->piece.equations, *sides = &prover->piece.inequalities;
    double        a[2], b[2];
    tact_polygon_corner(polygon, prover->states[i].j, a);
    tact_polygon_corner(polygon, prover->states[i].j + 1, b);
    TactExactForm *same = tact_exact_set_next(equations, i, 3 * i + 1);
    add_slip(prover, equations, same, i, b);
    add_slip(prover, equations, same, i, (double[2]){-a[0], -a[1]});
    add_inward(prover, equations, tact_exact_set_next(equations, i, -1), i, a, b);
    add_along(prover, sides, next_side(prover, i, TACT_SIDE_FIRST, 0), i, a, b);
    add_along(prover, sides, next_side(prover, i, TACT_SIDE_LAST, 0), i, b, a);
}

static void place_contact(TactPyramidProof *prover, int i)
{
    const TactState *state = &prover->states[i];
    TactPolygon      polygon = tact_polygon_of(&prover->problem->contacts[i], prover->cone);
    double           d[2];
    if (state->kind == TACT_PROVE_OPEN) {
        tact_pyramid_add_law(prover, &prover->piece.inequalities,
                             next_side(prover, i, TACT_SIDE_OPENS, 0), 1,
                             &prover->laws.u.forms[3 * i]);
        return;
    }
    place_push(prover, i, tact_laws_impulse(&prover->laws, i, 0));
    place_u(prover, i, 3 * i);
    switch (state->kind) {
    case TACT_PROVE_STICK:
        place_u(prover, i, 3 * i + 1);
        place_u(prover, i, 3 * i + 2);
        place_inside(prover, i, &polygon);
        break;
    case TACT_PROVE_CORNER:
        tact_polygon_corner(&polygon, state->j, d);
        place_corner(prover, i, d);
        place_most(prover, i, &polygon, state->j);
        break;
    case TACT_PROVE_EDGE:
        place_edge(prover, i, &polygon);
        place_most(prover, i, &polygon, state->j);
        break;
    case TACT_PROVE_DYNAMIC: place_corner(prover, i, state->corner); break;
    default: break;
    }
}

/// side: +1 below the upper bound h force_max, -1 above the lower one.
static void add_bound(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int r,
                      double side)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    add_product(prover, set, form, tact_laws_row(&prover->laws, r), -side, 1, 1);
    mpq_set_d(x, tact_laws_step(prover->problem));
    mpq_set_d(y, prover->problem->rows[r].force_max);
    mpq_mul(x, x, y);
    tact_exact_form_add(set, form, -1, x);
    mpq_clears(x, y, NULL);
}

static void place_row(TactPyramidProof *prover, int r)
{
    int           owner = prover->laws.contacts + r, law = 3 * prover->laws.contacts + r;
    TactStateKind kind = prover->states[owner].kind;
    TactExactSet *sides = &prover->piece.inequalities, *equations = &prover->piece.equations;
    bool          motor = prover->problem->rows[r].kind == TACT_ROW_MOTOR;
    double        at = kind == TACT_PROVE_HIGH ? 1 : -1;
    switch (kind) {
    case TACT_PROVE_OPEN:
        tact_pyramid_add_law(prover, sides, next_side(prover, owner, TACT_SIDE_OPENS, 0), 1,
                             &prover->laws.u.forms[law]);
        break;
    case TACT_PROVE_PLAIN:
        place_push(prover, owner, tact_laws_row(&prover->laws, r));
        place_u(prover, owner, law);
        break;
    case TACT_PROVE_HIGH:
    case TACT_PROVE_LOW:
        add_bound(prover, equations, tact_exact_set_next(equations, owner, -1), r, at);
        tact_pyramid_add_law(prover, sides, next_side(prover, owner, TACT_SIDE_HELD, 0), -at,
                             &prover->laws.u.forms[law]);
        break;
    default:
        place_u(prover, owner, law);
        if (motor) {
            add_bound(prover, sides, next_side(prover, owner, TACT_SIDE_BELOW, 0), r, 1);
            add_bound(prover, sides, next_side(prover, owner, TACT_SIDE_ABOVE, 0), r, -1);
        }
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// Orders

/// Columns by how far they are from their bounds: what is near one keeps its value if it can.
static void order_columns(TactPyramidProof *prover)
{
    // Insertion keeps the three of a contact together.
    for (int k = 0; k < prover->piece.n; k++) {
        int at = k;
        while (at > 0 && prover->slack[prover->order[at - 1]] < prover->slack[k]) {
            prover->order[at] = prover->order[at - 1];
            at--;
        }
        prover->order[at] = k;
    }
}

static void order_rows(TactPyramidProof *prover)
{
    const TactExactForm *forms = prover->piece.equations.forms;
    int                  most = 0, count = 0;
    for (int i = 0; i < prover->laws.contacts + prover->laws.rows + prover->discs.count; i++) {
        most = prover->priority[i] > most ? prover->priority[i] : most;
    }
    for (int level = most + 1; level >= 0; level--) {
        for (int i = 0; i < prover->piece.equations.count; i++) {
            // Dynamics and cones first: they never contradict.
            bool first = forms[i].owner < 0 || forms[i].role < 0;
            int  own = first ? most + 1 : prover->priority[forms[i].owner];
            if (own == level) {
                prover->row_order[count++] = i;
            }
        }
    }
}

void tact_pyramid_place(TactPyramidProof *prover)
{
    TactPiece *piece = &prover->piece;
    tact_exact_set_empty(&piece->equations);
    tact_exact_set_empty(&piece->inequalities);
    number_unknowns(prover);
    place_dynamics(prover);
    for (int i = 0; i < prover->laws.contacts; i++) {
        if (prover->in_basis) {
            tact_pyramid_place_basis(prover, i);
        } else if (!tact_pyramid_is_moment(prover, i)) {
            place_contact(prover, i);
        }
    }
    for (int r = 0; r < prover->laws.rows; r++) {
        if (!tact_pyramid_is_moment(prover, prover->laws.contacts + r)) {
            place_row(prover, r);
        }
    }
    for (int d = 0; d < prover->discs.count; d++) {
        tact_pyramid_place_disc(prover, d);
    }
    order_columns(prover);
    order_rows(prover);
    piece->guess = prover->guess;
    piece->rest = prover->is_path ? prover->rest : NULL;
    piece->order = prover->order;
    piece->row_order = prover->row_order;
    piece->limit = prover->config.limit;
}

#endif
