// The law of contacts between bodies in exact rationals, written from its definition and apart from
// the library: a second opinion on rational proofs. Frames are data: n, t1, t2 of every contact.
//
//     M (v+ - v) = h f + J' p,   0 <= p_n _|_ u_n + bias >= 0,   p_t in mu p_n P,
//     -u_t' p_t = mu p_n max_j -d_j' u_t
#ifndef TESTS_PROVE_EXACT_LAW_H
#define TESTS_PROVE_EXACT_LAW_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <tact/contact.h>

enum { LAW_CONTACTS = 16, LAW_BODIES = 8 };

typedef struct LawAnswer {
    mpq_t  p[LAW_CONTACTS][3];
    mpq_t  v[6 * LAW_BODIES];
    double frame[LAW_CONTACTS][3][3];
} LawAnswer;

static inline void law_init(LawAnswer *answer)
{
    for (int i = 0; i < 3 * LAW_CONTACTS; i++) {
        mpq_init(answer->p[i / 3][i % 3]);
    }
    for (int i = 0; i < 6 * LAW_BODIES; i++) {
        mpq_init(answer->v[i]);
    }
}

static inline void law_clear(LawAnswer *answer)
{
    for (int i = 0; i < 3 * LAW_CONTACTS; i++) {
        mpq_clear(answer->p[i / 3][i % 3]);
    }
    for (int i = 0; i < 6 * LAW_BODIES; i++) {
        mpq_clear(answer->v[i]);
    }
}

/// sum += a b, and with a third factor
static inline void law_add(mpq_t sum, double a, const mpq_t b)
{
    mpq_t x;
    mpq_init(x);
    mpq_set_d(x, a);
    mpq_mul(x, x, b);
    mpq_add(sum, sum, x);
    mpq_clear(x);
}

/// out = (point - centre) x direction, exactly
static inline void law_turning(const double *point, const double *centre, const double *d,
                               mpq_t out[3])
{
    mpq_t arm[3], x;
    mpq_init(x);
    for (int i = 0; i < 3; i++) {
        mpq_init(arm[i]);
        mpq_set_d(arm[i], point[i]);
        mpq_set_d(x, centre[i]);
        mpq_sub(arm[i], arm[i], x);
    }
    for (int i = 0; i < 3; i++) {
        mpq_set_ui(out[i], 0, 1);
        law_add(out[i], d[(i + 2) % 3], arm[(i + 1) % 3]);
        law_add(out[i], -d[(i + 1) % 3], arm[(i + 2) % 3]);
    }
    for (int i = 0; i < 3; i++) {
        mpq_clear(arm[i]);
    }
    mpq_clear(x);
}

/// u of a contact, without bias.
static inline void law_velocity(const TactContactProblem *problem, const LawAnswer *answer, int i,
                                int k, mpq_t u)
{
    const TactContact *contact = &problem->contacts[i];
    const double      *d = answer->frame[i][k];
    mpq_t              turning[3], x;
    mpq_inits(turning[0], turning[1], turning[2], x, NULL);
    mpq_set_ui(u, 0, 1);
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body < 0) {
            continue;
        }
        law_turning(contact->point, problem->bodies[body].position, d, turning);
        for (int c = 0; c < 3; c++) {
            law_add(u, side ? d[c] : -d[c], answer->v[6 * body + c]);
            mpq_mul(x, turning[c], answer->v[6 * body + 3 + c]);
            if (side) {
                mpq_add(u, u, x);
            } else {
                mpq_sub(u, u, x);
            }
        }
    }
    mpq_clears(turning[0], turning[1], turning[2], x, NULL);
}

/// Momentum of one degree of freedom of a body: M (v+ - v) - h f - J' p = 0. No gyroscopic term:
/// the problems of these tests do not spin.
static inline bool law_momentum(const TactContactProblem *problem, const LawAnswer *answer,
                                int body, int c)
{
    const TactContactBody *b = &problem->bodies[body];
    const double          *I = b->inertia;
    double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    mpq_t  sum, x, y, turning[3];
    mpq_inits(sum, x, y, turning[0], turning[1], turning[2], NULL);
    for (int j = 0; j < 3; j++) {
        double mass = c < 3 ? (j == c ? b->mass : 0) : full[c - 3][j];
        mpq_set_d(x, c < 3 ? b->velocity[j] : b->omega[j]);
        mpq_sub(x, answer->v[6 * body + (c < 3 ? j : 3 + j)], x);
        law_add(sum, mass, x);
    }
    mpq_set_d(x, c < 3 ? b->force[c] : b->torque[c - 3]);
    law_add(sum, -problem->step, x);
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        double             sign = contact->b == body ? -1 : contact->a == body ? 1 : 0;
        for (int k = 0; k < 3 && sign != 0; k++) {
            const double *d = answer->frame[i][k];
            law_turning(contact->point, b->position, d, turning);
            if (c < 3) {
                law_add(sum, sign * d[c], answer->p[i][k]);
            } else {
                mpq_mul(x, turning[c - 3], answer->p[i][k]);
                law_add(sum, sign, x);
            }
        }
    }
    bool holds = mpq_sgn(sum) == 0;
    mpq_clears(sum, x, y, turning[0], turning[1], turning[2], NULL);
    return holds;
}

static inline void law_corner(const TactContact *contact, int j, double d[2])
{
    int    count = contact->directions > 0 ? contact->directions : 8, half = count / 2;
    double angle = contact->turn + 2 * acos(-1) * (j % half) / count;
    double sign = j % count < half ? 1 : -1;
    d[0] = fabs(cos(angle)) < 1e-15 ? 0 : sign * cos(angle);
    d[1] = fabs(sin(angle)) < 1e-15 ? 0 : sign * sin(angle);
}

/// Is p_t within the polygon, and does it take the most out of the slip?
static inline bool law_friction(const TactContact *contact, mpq_t p[3], const mpq_t u1,
                                const mpq_t u2)
{
    int   count = contact->directions > 0 ? contact->directions : 8;
    bool  holds = true;
    mpq_t limit, most, out, side, x;
    mpq_inits(limit, most, out, side, x, NULL);
    law_add(limit, contact->mu, p[0]);
    for (int j = 0; j < count; j++) {
        double a[2], b[2];
        law_corner(contact, j, a);
        law_corner(contact, j + 1, b);
        mpq_set_ui(out, 0, 1);
        law_add(out, -a[0], u1);
        law_add(out, -a[1], u2);
        if (mpq_cmp(out, most) > 0) {
            mpq_set(most, out);
        }
        // (b - a) x (p_t - limit a) >= 0, as b x p - a x p - limit b x a.
        mpq_set_ui(side, 0, 1);
        law_add(side, b[0], p[2]);
        law_add(side, -b[1], p[1]);
        law_add(side, -a[0], p[2]);
        law_add(side, a[1], p[1]);
        mpq_set_ui(x, 0, 1);
        mpq_t one;
        mpq_init(one);
        mpq_set_d(one, a[1]);
        law_add(x, -b[0], one);
        mpq_set_d(one, a[0]);
        law_add(x, b[1], one);
        mpq_clear(one);
        mpq_mul(x, x, limit);
        mpq_add(side, side, x);
        holds = holds && mpq_sgn(side) >= 0;
    }
    mpq_mul(most, most, limit);
    mpq_mul(out, p[1], u1);
    mpq_mul(x, p[2], u2);
    mpq_add(out, out, x);
    mpq_neg(out, out);
    holds = holds && mpq_equal(out, most);
    mpq_clears(limit, most, out, side, x, NULL);
    return holds;
}

/// All of the law. For problems of bodies without rows, restitution, compliance, surfaces and spin.
static inline bool law_holds(const TactContactProblem *problem, LawAnswer *answer)
{
    mpq_t u[3], x;
    bool  holds = true;
    mpq_inits(u[0], u[1], u[2], x, NULL);
    for (int d = 0; d < 6 * problem->body_count; d++) {
        holds = holds && law_momentum(problem, answer, d / 6, d % 6);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        for (int k = 0; k < 3; k++) {
            law_velocity(problem, answer, i, k, u[k]);
        }
        mpq_set_d(x, contact->bias);
        mpq_add(u[0], u[0], x);
        holds = holds && mpq_sgn(answer->p[i][0]) >= 0 && mpq_sgn(u[0]) >= 0;
        holds = holds && (mpq_sgn(answer->p[i][0]) == 0 || mpq_sgn(u[0]) == 0);
        holds = holds && law_friction(contact, answer->p[i], u[1], u[2]);
    }
    mpq_clears(u[0], u[1], u[2], x, NULL);
    return holds;
}

#endif
