// Discs of patches in the piece of a pyramid problem: friction against spinning, rolling and
// sliding with two coefficients. With x_k = p_k / mu_k and y_k = mu_k u_k the law is that of plain
// friction over the polygon of size p_n (docs/theory/spin-roll.md); inequalities about x are
// multiplied by the coefficients, so that nothing is rounded. A disc of one dimension has two
// corners, +1 and -1.
#include <tact/base.h>

#include "prove/pyramid/pyramid.h"

#ifdef TACT_HAVE_GMP

#include <math.h>

bool tact_pyramid_is_moment(const TactPyramidProof *prover, int source)
{
    const TactPatches *patches = prover->task->patches;
    if (!patches) {
        return false;
    }
    return source < prover->laws.contacts ? source >= patches->contacts
                                          : source - prover->laws.contacts >= patches->rows;
}

static int state_of(const TactPyramidProof *prover, int d)
{
    return prover->laws.contacts + prover->laws.rows + d;
}

static double guess_at(const TactPyramidProof *prover, int place)
{
    int contacts = 3 * prover->laws.contacts;
    return place < contacts ? prover->guess_of.impulse[place]
                            : prover->guess_of.row_impulse[place - contacts];
}

void tact_pyramid_number_disc(TactPyramidProof *prover, int d)
{
    const TactDisc *disc = &prover->discs.at[d];
    double          load = guess_at(prover, 3 * disc->contact), square = 0, mu = disc->mu[0];
    if (prover->states[disc->contact].kind == TACT_PROVE_OPEN) {
        return;
    }
    for (int k = 0; k < disc->dim; k++) {
        double x = guess_at(prover, disc->place[k]) / disc->mu[k];
        square += x * x;
    }
    bool   sticks = prover->states[state_of(prover, d)].kind == TACT_PROVE_STICK;
    double room = sticks ? fmin(load, mu * (load - sqrt(square))) : load;
    for (int k = 0; k < disc->dim; k++) {
        tact_pyramid_give_column(prover, prover->laws.dof + disc->place[k],
                                 guess_at(prover, disc->place[k]), room);
    }
}

// ---------------------------------------------------------------------------------------------
// Forms

/// form += product of factors times x_variable
static void add_factors(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                        int variable, const double *factors, int count)
{
    mpq_t product, factor;
    mpq_inits(product, factor, NULL);
    mpq_set_ui(product, 1, 1);
    for (int k = 0; k < count; k++) {
        mpq_set_d(factor, factors[k]);
        mpq_mul(product, product, factor);
    }
    tact_pyramid_add(prover, set, form, variable, product);
    mpq_clears(product, factor, NULL);
}

/// form += sum_k a_k y_k
static void add_slip(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                     const TactDisc *disc, const double a[2])
{
    for (int k = 0; k < disc->dim; k++) {
        // Both factors as they are: a mu in doubles would be rounded.
        TactExactForm *u = &prover->laws.u.forms[disc->place[k]];
        mpq_t          factor, mu, product;
        mpq_inits(factor, mu, product, NULL);
        mpq_set_d(factor, a[k]);
        mpq_set_d(mu, disc->mu[k]);
        mpq_mul(factor, factor, mu);
        for (int c = 0; c < u->count && mpq_sgn(factor) != 0; c++) {
            mpq_mul(product, factor, u->value[c]);
            tact_pyramid_add(prover, set, form, u->column[c], product);
        }
        mpq_mul(product, factor, u->constant);
        tact_exact_form_add(set, form, -1, product);
        mpq_clears(factor, mu, product, NULL);
    }
}

/// form += sum_k n_k (x_k - p_n a_k), times all coefficients
static void add_reach(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                      const TactDisc *disc, const double n[2], const double a[2])
{
    int load = prover->laws.dof + 3 * disc->contact;
    for (int k = 0; k < disc->dim; k++) {
        double other = disc->dim == 2 ? disc->mu[1 - k] : 1;
        double own[2] = {n[k], other}, corner[4] = {-n[k], a[k], disc->mu[k], other};
        add_factors(prover, set, form, prover->laws.dof + disc->place[k], own, 2);
        add_factors(prover, set, form, load, corner, 4);
    }
}

/// Left of the edge from a to b: 0 on it, positive inside.
static void add_inward(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                       const TactDisc *disc, const double a[2], const double b[2])
{
    add_reach(prover, set, form, disc, (double[2]){-b[1], b[0]}, a);
    add_reach(prover, set, form, disc, (double[2]){a[1], -a[0]}, a);
}

/// (b - a)' (x - p_n a)
static void add_along(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form,
                      const TactDisc *disc, const double a[2], const double b[2])
{
    add_reach(prover, set, form, disc, b, a);
    add_reach(prover, set, form, disc, (double[2]){-a[0], -a[1]}, a);
}

// ---------------------------------------------------------------------------------------------
// States

static TactExactForm *next_side(TactPyramidProof *prover, int d, TactPyramidSide side, int j)
{
    return tact_exact_set_next(&prover->piece.inequalities, state_of(prover, d),
                               (int)side + TACT_SIDE_CORNERS * j);
}

static void place_stick(TactPyramidProof *prover, int d, const TactPolygon *polygon)
{
    const TactDisc *disc = &prover->discs.at[d];
    TactExactSet   *equations = &prover->piece.equations, *sides = &prover->piece.inequalities;
    for (int k = 0; k < disc->dim; k++) {
        int place = disc->place[k];
        tact_pyramid_add_law(prover, equations,
                             tact_exact_set_next(equations, state_of(prover, d), place), 1,
                             &prover->laws.u.forms[place]);
    }
    for (int j = 0; j < polygon->count; j++) {
        double a[2], b[2];
        tact_polygon_corner(polygon, j, a);
        tact_polygon_corner(polygon, j + 1, b);
        TactExactForm *form = next_side(prover, d, TACT_SIDE_INSIDE, j);
        if (disc->dim == 1) { // p_n - a x
            add_reach(prover, sides, form, disc, (double[2]){-a[0], 0}, a);
        } else {
            add_inward(prover, sides, form, disc, a, b);
        }
    }
}

/// Corner j takes something out of the slip, and no other one takes more.
static void place_most(TactPyramidProof *prover, int d, const TactPolygon *polygon)
{
    const TactDisc  *disc = &prover->discs.at[d];
    const TactState *state = &prover->states[state_of(prover, d)];
    TactExactSet    *sides = &prover->piece.inequalities;
    double           a[2], other[2];
    tact_polygon_corner(polygon, state->j, a);
    add_slip(prover, sides, next_side(prover, d, TACT_SIDE_AGAINST, 0), disc,
             (double[2]){-a[0], -a[1]});
    for (int k = 1; k < polygon->count && disc->dim == 2; k++) {
        int c = ((state->j + k) % polygon->count + polygon->count) % polygon->count;
        if (state->kind == TACT_PROVE_EDGE && k == 1) {
            continue;
        }
        TactExactForm *form = next_side(prover, d, TACT_SIDE_MOST, c);
        tact_polygon_corner(polygon, c, other);
        add_slip(prover, sides, form, disc, other);
        add_slip(prover, sides, form, disc, (double[2]){-a[0], -a[1]});
    }
}

/// x = p_n a
static void place_corner(TactPyramidProof *prover, int d, const double a[2])
{
    const TactDisc *disc = &prover->discs.at[d];
    TactExactSet   *equations = &prover->piece.equations;
    for (int k = 0; k < disc->dim; k++) {
        TactExactForm *form = tact_exact_set_next(equations, state_of(prover, d), -1);
        double         one = 1, corner[3] = {-1, a[k], disc->mu[k]};
        add_factors(prover, equations, form, prover->laws.dof + disc->place[k], &one, 1);
        add_factors(prover, equations, form, prover->laws.dof + 3 * disc->contact, corner, 3);
    }
}

static void place_edge(TactPyramidProof *prover, int d, const TactPolygon *polygon)
{
    const TactDisc *disc = &prover->discs.at[d];
    TactExactSet   *equations = &prover->piece.equations, *sides = &prover->piece.inequalities;
    double          a[2], b[2];
    int             state = state_of(prover, d), j = prover->states[state].j;
    tact_polygon_corner(polygon, j, a);
    tact_polygon_corner(polygon, j + 1, b);
    TactExactForm *same = tact_exact_set_next(equations, state, disc->place[0]);
    add_slip(prover, equations, same, disc, b);
    add_slip(prover, equations, same, disc, (double[2]){-a[0], -a[1]});
    add_inward(prover, equations, tact_exact_set_next(equations, state, -1), disc, a, b);
    add_along(prover, sides, next_side(prover, d, TACT_SIDE_FIRST, 0), disc, a, b);
    add_along(prover, sides, next_side(prover, d, TACT_SIDE_LAST, 0), disc, b, a);
}

void tact_pyramid_place_disc(TactPyramidProof *prover, int d)
{
    const TactDisc  *disc = &prover->discs.at[d];
    const TactState *state = &prover->states[state_of(prover, d)];
    TactPolygon      polygon = tact_polygon_of_disc(disc);
    double           a[2];
    if (prover->states[disc->contact].kind == TACT_PROVE_OPEN) {
        return;
    }
    switch (state->kind) {
    case TACT_PROVE_CORNER:
        tact_polygon_corner(&polygon, state->j, a);
        place_corner(prover, d, a);
        place_most(prover, d, &polygon);
        break;
    case TACT_PROVE_EDGE:
        place_edge(prover, d, &polygon);
        place_most(prover, d, &polygon);
        break;
    default: place_stick(prover, d, &polygon); break;
    }
}

// ---------------------------------------------------------------------------------------------
// Changes

void tact_pyramid_begin_disc(TactPyramidProof *prover, const TactPieceSolution *solution, int d)
{
    const TactDisc *disc = &prover->discs.at[d];
    TactPolygon     polygon = tact_polygon_of_disc(disc);
    double          y[2] = {0, 0}, most = 0;
    for (int k = 0; k < disc->dim; k++) {
        const TactExactForm *form = &prover->laws.u.forms[disc->place[k]];
        y[k] = mpq_get_d(form->constant);
        for (int c = 0; c < form->count; c++) {
            int at = prover->column[form->column[c]];
            y[k] += at >= 0 ? mpq_get_d(form->value[c]) * tact_piece_value(solution, at) : 0;
        }
        y[k] *= disc->mu[k];
    }
    TactState *state = &prover->states[state_of(prover, d)];
    *state = (TactState){.kind = TACT_PROVE_STICK};
    for (int j = 0; j < polygon.count; j++) {
        double a[2];
        tact_polygon_corner(&polygon, j, a);
        double out = -(a[0] * y[0] + a[1] * y[1]);
        if (out > most) {
            most = out;
            *state = (TactState){.kind = TACT_PROVE_CORNER, .j = j};
        }
    }
}

void tact_pyramid_cross_disc(TactPyramidProof *prover, const TactExactForm *form)
{
    int             d = form->owner - prover->laws.contacts - prover->laws.rows;
    int             j = form->role / TACT_SIDE_CORNERS;
    const TactDisc *disc = &prover->discs.at[d];
    TactPolygon     polygon = tact_polygon_of_disc(disc);
    TactState      *state = &prover->states[form->owner];
    int             count = polygon.count, now = (state->j % count + count) % count;
    switch ((TactPyramidSide)(form->role % TACT_SIDE_CORNERS)) {
    case TACT_SIDE_INSIDE:
        *state = (TactState){.kind = disc->dim == 1 ? TACT_PROVE_CORNER : TACT_PROVE_EDGE, .j = j};
        break;
    case TACT_SIDE_FIRST: state->kind = TACT_PROVE_CORNER; break;
    case TACT_SIDE_LAST:
        *state = (TactState){.kind = TACT_PROVE_CORNER, .j = (now + 1) % count};
        break;
    case TACT_SIDE_MOST: {
        bool next = state->kind == TACT_PROVE_CORNER && j == (now + 1) % count;
        bool last = state->kind == TACT_PROVE_CORNER && now == (j + 1) % count;
        *state = (TactState){.kind = next || last ? TACT_PROVE_EDGE : TACT_PROVE_CORNER,
                             .j = next ? now : j};
        break;
    }
    default: state->kind = TACT_PROVE_STICK; break; // friction along the slip
    }
}

#endif
