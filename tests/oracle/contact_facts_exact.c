// The facts in exact rationals. Written apart from the double-doubles: sums are taken in another
// order, and v_free is solved for.
#include <gmp.h>
#include <stdlib.h>

#include "oracle/contact_facts.h"

/// The two leading doubles of a rational.
static Dd round_off(const mpq_t x)
{
    mpq_t  left;
    double hi = mpq_get_d(x);
    mpq_init(left);
    mpq_set_d(left, hi);
    mpq_sub(left, x, left);
    double lo = mpq_get_d(left); // truncated, as hi was
    mpq_clear(left);
    return dd_tidy(hi, lo);
}

/// sum += x y
static void gather(mpq_t sum, const mpq_t x, double y)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_d(term, y);
    mpq_mul(term, term, x);
    mpq_add(sum, sum, term);
    mpq_clear(term);
}

/// sum += x y z
static void gather_doubles(mpq_t sum, double x, double y, double z)
{
    mpq_t term, second, third;
    mpq_init(term);
    mpq_init(second);
    mpq_init(third);
    mpq_set_d(term, x);
    mpq_set_d(second, y);
    mpq_set_d(third, z);
    mpq_mul(term, term, second);
    mpq_mul(term, term, third);
    mpq_add(sum, sum, term);
    mpq_clear(term);
    mpq_clear(second);
    mpq_clear(third);
}

typedef struct Exact {
    const TactContactProblem *problem;
    int                       nv;
    mpq_t                     g[FACTS_DOF];    // M (v+ - v) - h f
    mpq_t                     left[FACTS_DOF]; // and without J'p
    mpq_t                     back[FACTS_DOF]; // M^-1 left; 0 without a low part
    mpq_t                     J[FACTS_DOF];    // of one row
} Exact;

/// p of a row: the double and what it lacks.
static void set_impulse(const TactContactProblem *problem, const ContactAnswer *answer, int row,
                        mpq_t p)
{
    int   n = 3 * problem->contact_count;
    mpq_t low;
    mpq_init(low);
    mpq_set_d(p, row < n ? answer->impulse[row] : answer->row_impulse[row - n]);
    mpq_set_d(low, answer->low ? answer->low[row] : 0);
    mpq_add(p, p, low);
    mpq_clear(low);
}

static double inertia(const TactContactBody *body, int i, int j)
{
    return body->inertia[i == j ? i : i + j + 2];
}

static double velocity_before(const TactContactProblem *problem, int k)
{
    const TactContactBody *body = problem->M ? NULL : &problem->bodies[k / 6];
    return !body ? problem->v[k] : k % 6 < 3 ? body->velocity[k % 6] : body->omega[k % 6 - 3];
}

static void gain_of_body(const Exact *exact, const double *velocity, int body)
{
    const TactContactBody *raw = &exact->problem->bodies[body];
    double                 h = exact->problem->step;
    for (int i = 0; i < 3; i++) {
        mpq_t *linear = (mpq_t *)&exact->g[6 * body + i];
        mpq_t *angular = (mpq_t *)&exact->g[6 * body + 3 + i];
        int    m = (i + 1) % 3, l = (i + 2) % 3;
        gather_doubles(*linear, raw->mass, velocity[6 * body + i], 1);
        gather_doubles(*linear, -raw->mass, raw->velocity[i], 1);
        gather_doubles(*linear, -h, raw->force[i], 1);
        gather_doubles(*angular, -h, raw->torque[i], 1);
        for (int j = 0; j < 3; j++) {
            gather_doubles(*angular, inertia(raw, i, j), velocity[6 * body + 3 + j], 1);
            gather_doubles(*angular, -inertia(raw, i, j), raw->omega[j], 1);
            // + h (omega x I omega)
            mpq_t part;
            mpq_init(part);
            gather_doubles(part, raw->omega[m], inertia(raw, l, j), raw->omega[j]);
            gather_doubles(part, -raw->omega[l], inertia(raw, m, j), raw->omega[j]);
            gather(*angular, part, h);
            mpq_clear(part);
        }
    }
}

static void find_gained(Exact *exact, const double *velocity)
{
    const TactContactProblem *problem = exact->problem;
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        gain_of_body(exact, velocity, b);
    }
    for (int k = 0; k < exact->nv && problem->M; k++) {
        gather_doubles(exact->g[k], -problem->step, problem->tau[k], 1);
        for (int j = 0; j < exact->nv; j++) {
            double m = problem->M[(size_t)k * (size_t)exact->nv + (size_t)j];
            gather_doubles(exact->g[k], m, velocity[j], 1);
            gather_doubles(exact->g[k], -m, problem->v[j], 1);
        }
    }
}

/// x <- A^-1 x by elimination; A, positive definite, is spoilt.                        (n x n)
static void eliminate(mpq_t *A, int n, mpq_t *x)
{
    mpq_t factor, term;
    mpq_init(factor);
    mpq_init(term);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            if (i == k || mpq_sgn(A[i * n + k]) == 0) {
                continue;
            }
            mpq_div(factor, A[i * n + k], A[k * n + k]);
            for (int j = k; j < n; j++) {
                mpq_mul(term, factor, A[k * n + j]);
                mpq_sub(A[i * n + j], A[i * n + j], term);
            }
            mpq_mul(term, factor, x[k]);
            mpq_sub(x[i], x[i], term);
        }
    }
    for (int k = 0; k < n; k++) {
        mpq_div(x[k], x[k], A[k * n + k]);
    }
    mpq_clear(factor);
    mpq_clear(term);
}

/// y = I^-1 x by elimination.
static void solve_inertia(const TactContactBody *body, mpq_t x[3])
{
    mpq_t A[9];
    for (int i = 0; i < 9; i++) {
        mpq_init(A[i]);
        mpq_set_d(A[i], inertia(body, i / 3, i % 3));
    }
    eliminate(A, 3, x);
    for (int i = 0; i < 9; i++) {
        mpq_clear(A[i]);
    }
}

/// back = M^-1 left: by so much the velocity that is given differs from that of the impulses.
static void find_back(Exact *exact)
{
    const TactContactProblem *problem = exact->problem;
    int                       nv = exact->nv, count = problem->M ? nv * nv : 0;
    for (int k = 0; k < nv; k++) {
        mpq_set(exact->back[k], exact->left[k]);
    }
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        mpq_t mass;
        mpq_init(mass);
        mpq_set_d(mass, problem->bodies[b].mass);
        for (int k = 0; k < 3; k++) {
            mpq_div(exact->back[6 * b + k], exact->back[6 * b + k], mass);
        }
        mpq_clear(mass);
        solve_inertia(&problem->bodies[b], exact->back + 6 * b + 3);
    }
    if (problem->M) {
        mpq_t *M = malloc((size_t)count * sizeof *M);
        for (int i = 0; i < count; i++) {
            mpq_init(M[i]);
            mpq_set_d(M[i], problem->M[i]);
        }
        eliminate(M, nv, exact->back);
        for (int i = 0; i < count; i++) {
            mpq_clear(M[i]);
        }
        free(M);
    }
}

/// (v+ - v_free)'M (v+ + v_free) / 2 = g'(2 v+ - M^-1 g) / 2
static Dd gain_of(const Exact *exact, const double *velocity, int body)
{
    const TactContactBody *raw = &exact->problem->bodies[body];
    mpq_t                  kick[6], sum, term;
    mpq_init(sum);
    mpq_init(term);
    for (int k = 0; k < 6; k++) {
        mpq_init(kick[k]);
        mpq_set(kick[k], exact->g[6 * body + k]);
    }
    mpq_set_d(term, raw->mass);
    for (int k = 0; k < 3; k++) {
        mpq_div(kick[k], kick[k], term);
    }
    solve_inertia(raw, kick + 3);
    for (int k = 0; k < 6; k++) {
        mpq_set_d(term, 2 * velocity[6 * body + k]);
        mpq_sub(term, term, kick[k]);
        mpq_mul(term, term, exact->g[6 * body + k]);
        mpq_add(sum, sum, term);
        mpq_clear(kick[k]);
    }
    mpq_div_2exp(sum, sum, 1);
    Dd out = round_off(sum);
    mpq_clear(sum);
    mpq_clear(term);
    return out;
}

static void set_contact_row(Exact *exact, int row)
{
    const TactContactProblem *problem = exact->problem;
    const TactContact        *contact = &problem->contacts[row / 3];
    double                    frame[3][3];
    tact_contact_compute_frame(contact, frame);
    const double *axis = frame[row % 3];
    for (int side = 0; side < 2; side++) {
        int    body = side ? contact->b : contact->a;
        double sign = side ? 1 : -1;
        for (int k = 0; k < 3 && body >= 0; k++) {
            int           m = (k + 1) % 3, l = (k + 2) % 3;
            const double *x = problem->bodies[body].position, *at = contact->point;
            mpq_t        *turn = &exact->J[6 * body + 3 + k];
            mpq_set_d(exact->J[6 * body + k], sign * axis[k]);
            gather_doubles(*turn, sign, at[m], axis[l]);
            gather_doubles(*turn, -sign, x[m], axis[l]);
            gather_doubles(*turn, -sign, at[l], axis[m]);
            gather_doubles(*turn, sign, x[l], axis[m]);
        }
    }
}

static void set_row(Exact *exact, int row)
{
    const TactContactProblem *problem = exact->problem;
    int                       n = 3 * problem->contact_count;
    for (int k = 0; k < exact->nv; k++) {
        mpq_set_ui(exact->J[k], 0, 1);
    }
    if (problem->M) {
        const double *raw = row < n ? problem->contacts[row / 3].J + (row % 3) * exact->nv
                                    : problem->rows[row - n].J;
        for (int k = 0; k < exact->nv; k++) {
            mpq_set_d(exact->J[k], raw[k]);
        }
    } else if (row < n) {
        set_contact_row(exact, row);
    } else {
        const TactContactRow *raw = &problem->rows[row - n];
        for (int k = 0; k < 6; k++) {
            if (raw->a >= 0) {
                mpq_set_d(exact->J[6 * raw->a + k], raw->J_a[k]);
            }
            if (raw->b >= 0) {
                mpq_set_d(exact->J[6 * raw->b + k], raw->J_b[k]);
            }
        }
    }
}

/// The velocity that the law of a row looks at, from J v+ (or W p + u_free) and J v.
static Dd look(const TactContactProblem *problem, int row, const mpq_t p, mpq_t u,
               const mpq_t u_before)
{
    int n = 3 * problem->contact_count;
    if (row >= n) {
        const TactContactRow *raw = &problem->rows[row - n];
        mpq_t                 pull, h;
        mpq_init(pull);
        mpq_init(h);
        gather_doubles(u, -1, raw->target, 1);
        gather_doubles(pull, raw->zeta, raw->error, 1);
        mpq_set_d(h, problem->step);
        mpq_div(pull, pull, h);
        mpq_add(u, u, pull);
        mpq_clear(pull);
        mpq_clear(h);
    } else if (row % 3 > 0) {
        gather_doubles(u, problem->contacts[row / 3].surface[row % 3 - 1], 1, 1);
    } else {
        const TactContact *contact = &problem->contacts[row / 3];
        gather_doubles(u, contact->bias, 1, 1);
        gather(u, p, contact->compliance);
        if (mpq_sgn(u_before) < 0) {
            gather(u, u_before, contact->restitution);
        }
    }
    return round_off(u);
}

static void find_by_W(const TactContactProblem *problem, const ContactAnswer *answer,
                      ContactFacts *facts)
{
    int   n = 3 * problem->contact_count;
    mpq_t gain, u, none, p, term;
    mpq_init(gain);
    mpq_init(u);
    mpq_init(none);
    mpq_init(p);
    mpq_init(term);
    for (int i = 0; i < n; i++) {
        mpq_set_d(u, problem->u_free[i]);
        for (int j = 0; j < n; j++) {
            set_impulse(problem, answer, j, p);
            gather(u, p, problem->W[i * n + j]);
        }
        set_impulse(problem, answer, i, p);
        facts->p[i] = round_off(p);
        mpq_mul(term, u, p);
        gather(term, p, problem->u_free[i]);
        mpq_div_2exp(term, term, 1);
        mpq_add(gain, gain, term);
        facts->u[i] = look(problem, i, p, u, none);
    }
    facts->gain[0] = round_off(gain);
    mpq_clear(gain);
    mpq_clear(u);
    mpq_clear(none);
    mpq_clear(p);
    mpq_clear(term);
}

/// left = g - J'p
static void find_left(Exact *exact, const ContactAnswer *answer)
{
    const TactContactProblem *problem = exact->problem;
    mpq_t                     p, term;
    mpq_init(p);
    mpq_init(term);
    for (int i = 0; i < 3 * problem->contact_count + problem->row_count; i++) {
        set_row(exact, i);
        set_impulse(problem, answer, i, p);
        for (int k = 0; k < exact->nv; k++) {
            if (mpq_sgn(exact->J[k]) != 0) {
                mpq_mul(term, exact->J[k], p);
                mpq_sub(exact->left[k], exact->left[k], term);
            }
        }
    }
    mpq_clear(p);
    mpq_clear(term);
}

static void find_rows(Exact *exact, const ContactAnswer *answer, ContactFacts *facts)
{
    const TactContactProblem *problem = exact->problem;
    int                       n = 3 * problem->contact_count;
    mpq_t                     u, before, p, term;
    mpq_init(u);
    mpq_init(before);
    mpq_init(p);
    mpq_init(term);
    for (int i = 0; i < n + problem->row_count; i++) {
        set_impulse(problem, answer, i, p);
        if (i < n) {
            facts->p[i] = round_off(p);
        }
        set_row(exact, i);
        mpq_set_ui(u, 0, 1);
        mpq_set_ui(before, 0, 1);
        for (int k = 0; k < exact->nv; k++) {
            if (mpq_sgn(exact->J[k]) != 0) {
                gather(u, exact->J[k], answer->velocity[k]);
                gather(before, exact->J[k], velocity_before(problem, k));
                mpq_mul(term, exact->J[k], exact->back[k]);
                mpq_sub(u, u, term);
            }
        }
        *(i < n ? &facts->u[i] : &facts->u_row[i - n]) = look(problem, i, p, u, before);
    }
    mpq_clear(u);
    mpq_clear(before);
    mpq_clear(p);
    mpq_clear(term);
}

bool contact_facts_exact(const TactContactProblem *problem, const ContactAnswer *answer,
                         ContactFacts *facts)
{
    static Exact exact;
    if (problem->contact_count > FACTS_CONTACTS || problem->row_count > FACTS_ROWS ||
        tact_contact_get_dof(problem) > FACTS_DOF) {
        return false;
    }
    if (problem->W) {
        find_by_W(problem, answer, facts);
        return true;
    }
    exact.problem = problem;
    exact.nv = tact_contact_get_dof(problem);
    for (int k = 0; k < exact.nv; k++) {
        mpq_init(exact.g[k]);
        mpq_init(exact.left[k]);
        mpq_init(exact.back[k]);
        mpq_init(exact.J[k]);
    }
    find_gained(&exact, answer->velocity);
    mpq_t sum;
    mpq_init(sum);
    for (int k = 0; k < exact.nv; k++) {
        mpq_set(exact.left[k], exact.g[k]);
        gather(sum, exact.g[k], answer->velocity[k]);
    }
    find_left(&exact, answer);
    if (contact_answer_has_low(problem, answer)) {
        find_back(&exact);
    }
    find_rows(&exact, answer, facts);
    facts->gain[0] = round_off(sum);
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        facts->gain[b] = gain_of(&exact, answer->velocity, b);
    }
    for (int k = 0; k < exact.nv; k++) {
        facts->left[k] = round_off(exact.left[k]);
        mpq_clear(exact.g[k]);
        mpq_clear(exact.left[k]);
        mpq_clear(exact.back[k]);
        mpq_clear(exact.J[k]);
    }
    mpq_clear(sum);
    return true;
}
