#include "prove/law/states.h"

#include <math.h>

#include "contact/problem/problem.h"
#include "prove/contact.h"

enum { DIRECTIONS = 8 }; // of a pyramid that names none
#define ROUNDING 1e-14   // slip that is none, of the largest speed

TactPolygon tact_polygon_of(const TactContact *contact, TactContactCone cone)
{
    int count = contact->directions > 0 ? contact->directions : DIRECTIONS;
    return cone == TACT_CONE_BOX ? (TactPolygon){4, 0, true}
                                 : (TactPolygon){count, contact->turn, false};
}

/// cos(pi / 2) is 0, not 6e-17: the corner lies on the tangent, as for the solvers.
static double without_rounding(double x)
{
    return fabs(x) < 1e-15 ? 0 : x;
}

void tact_polygon_corner(const TactPolygon *polygon, int j, double d[2])
{
    int count = polygon->count, half = count / 2;
    j = (j % count + count) % count;
    double sign = j >= half ? -1 : 1;
    if (polygon->square) {
        d[0] = j % half == 0 ? sign : -sign;
        d[1] = sign;
        return;
    }
    double angle = polygon->turn + 2 * 3.14159265358979323846 * (j % half) / count;
    d[0] = sign * without_rounding(cos(angle));
    d[1] = sign * without_rounding(sin(angle));
}

// ---------------------------------------------------------------------------------------------
// What moves

static double restitution(const TactContactProblem *problem, int i)
{
    double before[3], size[3];
    if (!(problem->contacts[i].restitution > 0) || problem->W) {
        return 0;
    }
    tact_contact_velocity(problem, i, before, size);
    return before[0] < 0 ? problem->contacts[i].restitution * before[0] : 0;
}

void tact_states_velocity(const TactContactProblem *problem, const TactContactAnswer *answer,
                          double *u)
{
    size_t n = 3 * (size_t)problem->contact_count;
    for (size_t k = 0; k < n; k++) {
        int i = (int)(k / 3), component = (int)(k % 3);
        if (problem->W) {
            long double sum = problem->u_free[k];
            for (size_t j = 0; j < n; j++) {
                sum += (long double)problem->W[k * n + j] * answer->impulse[j];
            }
            u[k] = (double)sum;
        } else {
            u[k] = tact_rows_dot(problem, i, component, answer->velocity);
        }
        const TactContact *contact = &problem->contacts[i];
        u[k] += component > 0 ? tact_contact_surface(problem, i, component)
                              : contact->bias + contact->compliance * answer->impulse[k] +
                                    restitution(problem, i);
    }
    for (int r = 0; r < problem->row_count; r++) {
        int component = problem->rows[r].kind >= TACT_ROW_MOTOR ? 1 : 0; // or a moment
        u[n + (size_t)r] =
            tact_rows_dot(problem, problem->contact_count + r, component, answer->velocity) -
            tact_rows_target(problem, r);
    }
}

static double body_weight(const TactContactBody *body, const double part[6])
{
    const double *I = body->inertia;
    double        linear = part[0] * part[0] + part[1] * part[1] + part[2] * part[2];
    double        turning = part[3] * part[3] + part[4] * part[4] + part[5] * part[5];
    return linear / body->mass + 3 * turning / (I[0] + I[1] + I[2]);
}

double tact_states_weight(const TactContactProblem *problem, int source)
{
    double weight = 0;
    bool   motor = source >= problem->contact_count &&
                 problem->rows[source - problem->contact_count].kind >= TACT_ROW_MOTOR;
    int component = motor ? 1 : 0;
    if (problem->W) {
        size_t k = 3 * (size_t)source;
        weight = problem->W[k * 3 * (size_t)problem->contact_count + k];
    } else if (problem->M) {
        const double *J = tact_rows_generalized(problem, source, component);
        for (int d = 0; d < problem->nv && J; d++) {
            weight += J[d] * J[d] / problem->M[(size_t)d * (size_t)problem->nv + (size_t)d];
        }
    } else {
        int bodies[2];
        tact_rows_bodies(problem, source, &bodies[0], &bodies[1]);
        for (int k = 0; k < 2; k++) {
            double part[6];
            if (bodies[k] >= 0 &&
                tact_rows_body_part(problem, source, component, bodies[k], part)) {
                weight += body_weight(&problem->bodies[bodies[k]], part);
            }
        }
    }
    if (source < problem->contact_count) {
        weight += problem->contacts[source].compliance;
    }
    return weight > 0 ? weight : 1;
}

// ---------------------------------------------------------------------------------------------
// States

/// Of a polygon: the corner that takes most out of the slip, and whether a neighbour carries
/// friction with it rather than slipping less.
static TactState read_slide(const TactPolygon *polygon, double w, const double p[3],
                            const double u[3])
{
    int    best = 0, edge = 0;
    double most = -INFINITY, d[2], a[2], b[2];
    for (int j = 0; j < polygon->count; j++) {
        tact_polygon_corner(polygon, j, d);
        double out = -(d[0] * u[1] + d[1] * u[2]);
        best = out > most ? j : best;
        most = fmax(most, out);
    }
    tact_polygon_corner(polygon, best, a);
    for (int side = -1; side <= 1; side += 2) {
        // Shares of p_t = share_a a + share_b b.
        tact_polygon_corner(polygon, best + side, b);
        double area = a[0] * b[1] - a[1] * b[0];
        double share = (a[0] * p[2] - a[1] * p[1]) / area;
        double slack = most + (b[0] * u[1] + b[1] * u[2]);
        edge = w * share > slack ? side : edge;
    }
    if (edge == 0) {
        return (TactState){.kind = TACT_PROVE_CORNER, .j = best};
    }
    return (TactState){.kind = TACT_PROVE_EDGE, .j = edge > 0 ? best : best - 1};
}

/// Gauge of p_t: the least r with p_t in r D.
static double gauge(const TactPolygon *polygon, TactContactCone cone, const double p[3])
{
    double most = 0;
    if (cone == TACT_CONE_CIRCLE) {
        return hypot(p[1], p[2]);
    }
    for (int j = 0; j < polygon->count; j++) {
        double a[2], b[2];
        tact_polygon_corner(polygon, j, a);
        tact_polygon_corner(polygon, j + 1, b);
        double edge[2] = {b[0] - a[0], b[1] - a[1]};
        double reach = a[0] * edge[1] - a[1] * edge[0];
        most = fmax(most, (p[1] * edge[1] - p[2] * edge[0]) / reach);
    }
    return most;
}

static double support(const TactPolygon *polygon, TactContactCone cone, const double u[3])
{
    double most = 0;
    if (cone == TACT_CONE_CIRCLE) {
        return hypot(u[1], u[2]);
    }
    for (int j = 0; j < polygon->count; j++) {
        double d[2];
        tact_polygon_corner(polygon, j, d);
        most = fmax(most, -(d[0] * u[1] + d[1] * u[2]));
    }
    return most;
}

/// A slip below `rounding` is none: a contact at the limit of its friction sticks.
///   plain  false: its friction is that of a disc
static TactState read_contact(const TactContactProblem *problem, TactContactCone cone, int i,
                              const double p[3], const double u[3], double rounding, bool plain)
{
    const TactContact *contact = &problem->contacts[i];
    TactPolygon        polygon = tact_polygon_of(contact, cone);
    TactState          state = {.kind = TACT_PROVE_OPEN};
    double             w = tact_states_weight(problem, i), direction[2];
    if (p[0] <= 0 || w * p[0] <= u[0]) {
        return state;
    }
    if (contact->mu == 0 || !plain) {
        state.kind = TACT_PROVE_PLAIN;
        return state;
    }
    if (problem->level == TACT_LEVEL_ACCELERATION && !problem->W &&
        tact_contact_slides(problem, i, direction)) {
        return (TactState){.kind = TACT_PROVE_DYNAMIC, .corner = {-direction[0], -direction[1]}};
    }
    double slip = support(&polygon, cone, u);
    if (w * (contact->mu * p[0] - gauge(&polygon, cone, p)) >= slip || slip <= rounding) {
        state.kind = TACT_PROVE_STICK;
        return state;
    }
    if (cone == TACT_CONE_CIRCLE) {
        state.kind = TACT_PROVE_CIRCLE;
        return state;
    }
    return read_slide(&polygon, w, p, u);
}

static TactState read_row(const TactContactProblem *problem, int r, double p, double u)
{
    const TactContactRow *row = &problem->rows[r];
    double                w = tact_states_weight(problem, problem->contact_count + r);
    double                h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
    double                bound = h * row->force_max;
    switch (row->kind) {
    case TACT_ROW_BILATERAL: break;
    case TACT_ROW_UNILATERAL:
        return (TactState){.kind = p <= 0 || w * p <= u ? TACT_PROVE_OPEN : TACT_PROVE_PLAIN};
    case TACT_ROW_MOTOR:
        if (w * (bound - p) <= -u) {
            return (TactState){.kind = TACT_PROVE_HIGH};
        }
        if (w * (p + bound) <= u) {
            return (TactState){.kind = TACT_PROVE_LOW};
        }
        break;
    }
    return (TactState){.kind = TACT_PROVE_STICK};
}

// ---------------------------------------------------------------------------------------------
// Discs

TactPolygon tact_polygon_of_disc(const TactDisc *disc)
{
    return disc->dim == 1 ? (TactPolygon){2, 0, false}
                          : (TactPolygon){disc->directions, disc->turn, false};
}

/// What an impulse of 1 does at a component of a disc.
static double place_weight(const TactContactProblem *problem, int place)
{
    size_t n = 3 * (size_t)problem->contact_count, k = (size_t)place;
    if (problem->W && k < n) {
        return problem->W[k * n + k];
    }
    return tact_states_weight(problem, k < n ? place / 3 : place - 2 * problem->contact_count);
}

TactState tact_states_read_disc(const TactPatches *patches, TactContactCone cone,
                                const TactDisc *disc, const TactContactAnswer *answer,
                                const double *u, double rounding)
{
    const TactContactProblem *problem = &patches->problem;
    TactPolygon               polygon = tact_polygon_of_disc(disc);
    double                    x[3] = {0}, y[3] = {0}, w = 0, square = 0, speed = 0, reach = 0;
    double                    load = answer->impulse[3 * (size_t)disc->contact];
    int                       n = 3 * problem->contact_count;
    for (int k = 0; k < disc->dim; k++) {
        int    place = disc->place[k];
        double mu = disc->mu[k];
        double p = place < n ? answer->impulse[place] : answer->row_impulse[place - n];
        square += p / mu * (p / mu);
        speed += mu * u[place] * (mu * u[place]);
        w += mu * mu * place_weight(problem, place) / disc->dim;
        reach = fmax(reach, mu);
        if (k < 2) {
            x[1 + k] = p / mu;
            y[1 + k] = mu * u[place];
        }
    }
    bool   round = cone == TACT_CONE_CIRCLE || disc->dim != 2;
    double used = round ? sqrt(square) : gauge(&polygon, cone, x);
    double slip = round ? sqrt(speed) : support(&polygon, cone, y);
    if (w * (load - used) >= slip || slip <= reach * rounding) {
        return (TactState){.kind = TACT_PROVE_STICK};
    }
    if (cone == TACT_CONE_CIRCLE) {
        return (TactState){.kind = TACT_PROVE_CIRCLE};
    }
    if (disc->dim == 1) {
        return (TactState){.kind = TACT_PROVE_CORNER, .j = y[1] < 0 ? 0 : 1};
    }
    return read_slide(&polygon, w, x, y);
}

void tact_states_read(const TactContactProblem *problem, const TactPatches *patches,
                      TactContactCone cone, const TactContactAnswer *answer, const double *u,
                      TactState *states)
{
    int    contacts = problem->contact_count;
    double rounding = ROUNDING * tact_prove_largest_speed(problem, answer);
    for (int i = 0; i < contacts; i++) {
        bool plain = !patches || (i < patches->contacts && !patches->own[i]);
        states[i] = read_contact(problem, cone, i, answer->impulse + 3 * (size_t)i,
                                 u + 3 * (size_t)i, rounding, plain);
    }
    for (int r = 0; r < problem->row_count; r++) {
        states[contacts + r] = read_row(problem, r, answer->row_impulse[r], u[3 * contacts + r]);
    }
    for (int i = patches ? patches->contacts : contacts; i < contacts; i++) {
        states[i] = (TactState){.kind = TACT_PROVE_STICK}; // moments: their discs say
    }
    for (int d = 0; patches && d < patches->disc_count; d++) {
        states[contacts + problem->row_count + d] =
            tact_states_read_disc(patches, cone, &patches->discs[d], answer, u, rounding);
    }
}
