// The piece of a complementary basis of the contacts' LCP [Lloyd04, eq. 8]: theta, phi_j and lambda
// that are basic are unknowns, the rows of those are equations, all others are inequalities. A
// basis of Lemke's method is regular, however redundant the contacts are.
//
//     nu = u_n,    sigma_j = d_j' u_t + lambda,    gamma = mu theta - sum_j phi_j
#include <tact/base.h>

#include "prove/pyramid/pyramid.h"

#ifdef TACT_HAVE_GMP

#include <math.h>

static int corners_of(const TactPyramidProof *prover, int i)
{
    const TactContact *contact = &prover->problem->contacts[i];
    return contact->mu > 0 ? tact_polygon_of(contact, prover->cone).count : 0;
}

void tact_pyramid_number_basis(TactPyramidProof *prover, int i)
{
    int first = prover->theta[i], d = corners_of(prover, i);
    for (int z = first; first >= 0 && z < first + (d > 0 ? d + 2 : 1); z++) {
        prover->place[z] = -1;
        if (prover->basis[z]) {
            int at = prover->piece.n++;
            prover->place[z] = at;
            prover->guess[at] = 0;
            prover->slack[at] = 1;
        }
    }
}

/// form += factor z
static void add_z(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int z,
                  double factor)
{
    if (prover->place[z] >= 0) {
        tact_exact_form_add_double(set, form, prover->place[z], factor);
    }
}

void tact_pyramid_add_basis(TactPyramidProof *prover, TactExactSet *set, TactExactForm *form, int i,
                            int component, const mpq_t factor)
{
    int first = prover->theta[i];
    if (first < 0) {
        return;
    }
    if (component == 0) {
        if (prover->place[first] >= 0) {
            tact_exact_form_add(set, form, prover->place[first], factor);
        }
        return;
    }
    TactPolygon polygon = tact_polygon_of(&prover->problem->contacts[i], prover->cone);
    mpq_t       part;
    mpq_init(part);
    for (int j = 0; j < corners_of(prover, i); j++) {
        double d[2];
        int    at = prover->place[first + 1 + j];
        tact_polygon_corner(&polygon, j, d);
        if (at >= 0) {
            mpq_set_d(part, d[component - 1]);
            mpq_mul(part, part, factor);
            tact_exact_form_add(set, form, at, part);
        }
    }
    mpq_clear(part);
}

/// The row of unknown z: an equation if it is basic, otherwise an inequality besides.
static TactExactForm *next_row(TactPyramidProof *prover, int i, int z, TactPyramidSide side,
                               TactExactSet **set)
{
    if (prover->place[z] >= 0) {
        TactExactForm *form = tact_exact_set_next(&prover->piece.inequalities, i, TACT_SIDE_PUSHES);
        add_z(prover, &prover->piece.inequalities, form, z, 1);
        *set = &prover->piece.equations;
        return tact_exact_set_next(*set, i, 0);
    }
    *set = &prover->piece.inequalities;
    return tact_exact_set_next(*set, i, (int)side);
}

void tact_pyramid_place_basis(TactPyramidProof *prover, int i)
{
    const TactExactForm *u = &prover->laws.u.forms[3 * i];
    TactPolygon          polygon = tact_polygon_of(&prover->problem->contacts[i], prover->cone);
    int                  first = prover->theta[i], d = corners_of(prover, i);
    TactExactSet        *set = &prover->piece.inequalities;
    TactExactForm       *form = NULL;
    if (first < 0) {
        form = tact_exact_set_next(set, i, TACT_SIDE_OPENS);
        tact_pyramid_add_law(prover, set, form, 1, u);
        return;
    }
    form = next_row(prover, i, first, TACT_SIDE_OPENS, &set);
    tact_pyramid_add_law(prover, set, form, 1, u);
    for (int j = 0; j < d; j++) {
        double corner[2];
        tact_polygon_corner(&polygon, j, corner);
        form = next_row(prover, i, first + 1 + j, TACT_SIDE_MOST, &set);
        tact_pyramid_add_law(prover, set, form, corner[0], u + 1);
        tact_pyramid_add_law(prover, set, form, corner[1], u + 2);
        add_z(prover, set, form, first + 1 + d, 1);
    }
    if (d > 0) {
        form = next_row(prover, i, first + 1 + d, TACT_SIDE_INSIDE, &set);
        add_z(prover, set, form, first, prover->problem->contacts[i].mu);
        for (int j = 0; j < d; j++) {
            add_z(prover, set, form, first + 1 + j, -1);
        }
    }
}

void tact_pyramid_read_basis(const TactPyramidProof *prover, const TactPieceSolution *solution,
                             int i, int component, mpq_t p)
{
    int         first = prover->theta[i];
    TactPolygon polygon = tact_polygon_of(&prover->problem->contacts[i], prover->cone);
    mpq_t       share, part;
    mpq_inits(share, part, NULL);
    mpq_set_ui(p, 0, 1);
    for (int j = 0; first >= 0 && j < (component == 0 ? 1 : corners_of(prover, i)); j++) {
        double d[2] = {1, 1};
        int    at = prover->place[component == 0 ? first : first + 1 + j];
        if (component > 0) {
            tact_polygon_corner(&polygon, j, d);
        }
        if (at >= 0) {
            mpz_set(mpq_numref(share), solution->x[at]);
            mpz_set(mpq_denref(share), solution->denominator);
            mpq_canonicalize(share);
            mpq_set_d(part, component == 2 ? d[1] : d[0]);
            mpq_mul(share, share, part);
            mpq_add(p, p, share);
        }
    }
    mpq_clears(share, part, NULL);
}

#endif
