#include "exact_patch.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum { CONTACTS = 24, BODIES = 6, DOF = 6 * BODIES };

typedef struct Answer {
    mpq_t p[CONTACTS][6]; // p_n p_1 p_2 m_n m_1 m_2
    mpq_t v[DOF];
} Answer;

static void read_entry(const TactProof *proof, TactProofPart part, int i, mpq_t out)
{
    size_t length = tact_proof_get_exact(proof, part, i, NULL, 0);
    char  *text = malloc(length + 1);
    assert_true(text && length > 0);
    tact_proof_get_exact(proof, part, i, text, length + 1);
    assert_int_equal(mpq_set_str(out, text, 10), 0);
    free(text);
}

static void read_answer(const TactContactProblem *problem, const TactProof *proof, Answer *answer)
{
    bool turns = tact_proof_count(proof, TACT_PROOF_PART_MOMENT) > 0;
    assert_true(problem->contact_count <= CONTACTS && problem->body_count <= BODIES);
    for (int i = 0; i < DOF; i++) {
        mpq_init(answer->v[i]);
        if (i < 6 * problem->body_count) {
            read_entry(proof, TACT_PROOF_PART_VELOCITY, i, answer->v[i]);
        }
    }
    for (int i = 0; i < CONTACTS; i++) {
        for (int k = 0; k < 6; k++) {
            mpq_init(answer->p[i][k]);
            if (i < problem->contact_count && (k < 3 || turns)) {
                read_entry(proof, k < 3 ? TACT_PROOF_PART_IMPULSE : TACT_PROOF_PART_MOMENT,
                           3 * i + k % 3, answer->p[i][k]);
            }
        }
    }
}

static void clear_answer(Answer *answer)
{
    for (int i = 0; i < DOF; i++) {
        mpq_clear(answer->v[i]);
    }
    for (int i = 0; i < 6 * CONTACTS; i++) {
        mpq_clear(answer->p[i / 6][i % 6]);
    }
}

/// sum += a b
static void add(mpq_t sum, double a, const mpq_t b)
{
    mpq_t x;
    mpq_init(x);
    mpq_set_d(x, a);
    mpq_mul(x, x, b);
    mpq_add(sum, sum, x);
    mpq_clear(x);
}

/// sum += a b c
static void add_product(mpq_t sum, const mpq_t a, const mpq_t b, double c)
{
    mpq_t x;
    mpq_init(x);
    mpq_mul(x, a, b);
    add(sum, c, x);
    mpq_clear(x);
}

/// Row r of J of a contact over the degrees of freedom, without rounding.
static void make_row(const TactContactProblem *problem, int contact, int r, mpq_t row[DOF])
{
    const TactContact *c = &problem->contacts[contact];
    double             frame[3][3];
    tact_contact_compute_frame(c, frame);
    const double *axis = frame[r % 3];
    for (int j = 0; j < DOF; j++) {
        mpq_set_ui(row[j], 0, 1);
    }
    for (int side = 0; side < 2; side++) {
        int    body = side ? c->b : c->a;
        double sign = side ? 1 : -1;
        mpq_t  arm[3], x;
        if (body < 0) {
            continue;
        }
        mpq_init(x);
        for (int k = 0; k < 3; k++) {
            mpq_init(arm[k]);
            mpq_set_d(arm[k], c->point[k]);
            mpq_set_d(x, problem->bodies[body].position[k]);
            mpq_sub(arm[k], arm[k], x);
        }
        for (int k = 0; k < 3; k++) {
            mpq_set_d(row[6 * body + (r < 3 ? k : 3 + k)], sign * axis[k]);
        }
        for (int k = 0; k < 3 && r < 3; k++) { // arm x axis
            int l = (k + 1) % 3, m = (k + 2) % 3;
            add(row[6 * body + 3 + k], sign * axis[m], arm[l]);
            add(row[6 * body + 3 + k], -sign * axis[l], arm[m]);
        }
        for (int k = 0; k < 3; k++) {
            mpq_clear(arm[k]);
        }
        mpq_clear(x);
    }
}

/// omega x I omega
static void add_gyroscopic(const TactContactBody *body, mpq_t out[3])
{
    const double *I = body->inertia;
    double        full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    mpq_t         L[3], w;
    mpq_init(w);
    for (int k = 0; k < 3; k++) {
        mpq_init(L[k]);
        for (int l = 0; l < 3; l++) {
            mpq_set_d(w, body->omega[l]);
            add(L[k], full[k][l], w);
        }
    }
    for (int k = 0; k < 3; k++) {
        add(out[k], body->omega[(k + 1) % 3], L[(k + 2) % 3]);
        add(out[k], -body->omega[(k + 2) % 3], L[(k + 1) % 3]);
    }
    for (int k = 0; k < 3; k++) {
        mpq_clear(L[k]);
    }
    mpq_clear(w);
}

static bool momentum_holds(const TactContactProblem *problem, Answer *answer)
{
    mpq_t sum[DOF], row[DOF], x, gyro[3];
    bool  holds = true;
    mpq_init(x);
    for (int j = 0; j < DOF; j++) {
        mpq_inits(sum[j], row[j], NULL);
    }
    for (int b = 0; b < problem->body_count; b++) {
        const TactContactBody *body = &problem->bodies[b];
        const double          *I = body->inertia;
        double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
        mpq_inits(gyro[0], gyro[1], gyro[2], NULL);
        add_gyroscopic(body, gyro);
        for (int k = 0; k < 3; k++) {
            int linear = 6 * b + k, angular = 6 * b + 3 + k;
            mpq_set_d(x, body->velocity[k]);
            mpq_sub(x, answer->v[linear], x);
            add(sum[linear], body->mass, x);
            mpq_set_d(x, body->force[k]);
            add(sum[linear], -problem->step, x);
            for (int l = 0; l < 3; l++) {
                mpq_set_d(x, body->omega[l]);
                mpq_sub(x, answer->v[6 * b + 3 + l], x);
                add(sum[angular], full[k][l], x);
            }
            mpq_set_d(x, body->torque[k]);
            mpq_sub(x, x, gyro[k]);
            add(sum[angular], -problem->step, x);
        }
        mpq_clears(gyro[0], gyro[1], gyro[2], NULL);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        for (int r = 0; r < 6; r++) {
            make_row(problem, i, r, row);
            for (int j = 0; j < 6 * problem->body_count; j++) {
                add_product(sum[j], row[j], answer->p[i][r], -1);
            }
        }
    }
    for (int j = 0; j < DOF; j++) {
        holds = holds && mpq_sgn(sum[j]) == 0;
        mpq_clears(sum[j], row[j], NULL);
    }
    mpq_clear(x);
    return holds;
}

// ---------------------------------------------------------------------------------------------
// Friction

typedef struct Part {
    int    dim, r[2];
    double mu[2];
    int    corners;
    double turn;
} Part;

static void put(Part *part, int r, double mu)
{
    if (mu > 0) {
        assert_true(part->dim < 2); // an ellipsoid is round
        part->r[part->dim] = r;
        part->mu[part->dim++] = mu;
    }
}

static void list_parts(const TactContact *c, Part parts[3])
{
    bool one = c->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
    for (int k = 0; k < 3; k++) {
        parts[k] =
            (Part){.corners = c->directions > 0 ? c->directions : 8, .turn = k == 0 ? c->turn : 0};
    }
    put(&parts[0], 1, c->mu);
    put(&parts[0], 2, c->mu2 > 0 ? c->mu2 : c->mu);
    put(&parts[one ? 0 : 1], 3, c->mu_spin);
    put(&parts[one ? 0 : 2], 4, c->mu_roll);
    put(&parts[one ? 0 : 2], 5, c->mu_roll);
}

/// Corner j of the polygon, as proof.md defines it.
static void corner(const Part *part, int j, double d[2])
{
    int    half = part->corners / 2;
    double angle = part->turn + 2 * acos(-1) * (j % half) / part->corners;
    double sign = j % part->corners < half ? 1 : -1;
    if (part->dim == 1) {
        d[0] = j % 2 == 0 ? 1 : -1;
        d[1] = 0;
        return;
    }
    d[0] = fabs(cos(angle)) < 1e-15 ? 0 : sign * cos(angle);
    d[1] = fabs(sin(angle)) < 1e-15 ? 0 : sign * sin(angle);
}

/// (b - a) x (x - load a) >= 0
static bool is_left_of(mpq_t x[2], const mpq_t load, const double a[2], const double b[2])
{
    mpq_t off[2], edge[2], side, part;
    mpq_inits(off[0], off[1], edge[0], edge[1], side, part, NULL);
    for (int k = 0; k < 2; k++) {
        mpq_set(off[k], x[k]);
        add(off[k], -a[k], load);
        mpq_set_d(edge[k], b[k]);
        mpq_set_d(part, a[k]);
        mpq_sub(edge[k], edge[k], part);
    }
    mpq_mul(side, edge[0], off[1]);
    mpq_mul(part, edge[1], off[0]);
    mpq_sub(side, side, part);
    bool left = mpq_sgn(side) >= 0;
    mpq_clears(off[0], off[1], edge[0], edge[1], side, part, NULL);
    return left;
}

static bool part_holds(const Part *part, mpq_t p[6], mpq_t u[6])
{
    mpq_t x[2], y[2], most, out, mu;
    int   corners = part->dim == 1 ? 2 : part->corners;
    bool  holds = true;
    mpq_inits(x[0], x[1], y[0], y[1], most, out, mu, NULL);
    for (int k = 0; k < part->dim; k++) {
        mpq_set_d(mu, part->mu[k]);
        mpq_div(x[k], p[part->r[k]], mu);
        mpq_mul(y[k], u[part->r[k]], mu);
    }
    for (int j = 0; j < corners; j++) {
        double a[2], b[2];
        corner(part, j, a);
        corner(part, j + 1, b);
        mpq_set_ui(out, 0, 1);
        add(out, -a[0], y[0]);
        add(out, -a[1], y[1]);
        if (mpq_cmp(out, most) > 0) {
            mpq_set(most, out);
        }
        if (part->dim == 1) { // |x| <= p_n
            mpq_set(out, p[0]);
            add(out, -a[0], x[0]);
            holds = holds && mpq_sgn(out) >= 0;
        } else {
            holds = holds && is_left_of(x, p[0], a, b);
        }
    }
    mpq_mul(most, most, p[0]);
    mpq_set_ui(out, 0, 1);
    add_product(out, x[0], y[0], -1);
    add_product(out, x[1], y[1], -1);
    holds = holds && mpq_equal(out, most);
    mpq_clears(x[0], x[1], y[0], y[1], most, out, mu, NULL);
    return holds;
}

/// u of a contact, and what is added to it.
static void find_motion(const TactContactProblem *problem, Answer *answer, int i, mpq_t u[6])
{
    const TactContact *c = &problem->contacts[i];
    mpq_t              row[DOF], x, before;
    mpq_inits(x, before, NULL);
    for (int j = 0; j < DOF; j++) {
        mpq_init(row[j]);
    }
    for (int r = 0; r < 6; r++) {
        make_row(problem, i, r, row);
        mpq_set_d(u[r], r == 1 || r == 2 ? c->surface[r - 1] : 0);
        for (int j = 0; j < 6 * problem->body_count; j++) {
            const TactContactBody *body = &problem->bodies[j / 6];
            add_product(u[r], row[j], answer->v[j], 1);
            mpq_set_d(x, j % 6 < 3 ? body->velocity[j % 6] : body->omega[j % 6 - 3]);
            if (r == 0) {
                add_product(before, row[j], x, 1);
            }
        }
    }
    mpq_set_d(x, c->bias);
    mpq_add(u[0], u[0], x);
    add(u[0], c->compliance, answer->p[i][0]);
    if (mpq_sgn(before) < 0) {
        add(u[0], c->restitution, before);
    }
    for (int j = 0; j < DOF; j++) {
        mpq_clear(row[j]);
    }
    mpq_clears(x, before, NULL);
}

static bool contact_holds(const TactContactProblem *problem, Answer *answer, int i)
{
    mpq_t u[6];
    Part  parts[3];
    bool  holds = true, given[6] = {true};
    for (int r = 0; r < 6; r++) {
        mpq_init(u[r]);
    }
    find_motion(problem, answer, i, u);
    mpq_t *p = answer->p[i];
    holds = mpq_sgn(p[0]) >= 0 && mpq_sgn(u[0]) >= 0 && (mpq_sgn(p[0]) == 0 || mpq_sgn(u[0]) == 0);
    list_parts(&problem->contacts[i], parts);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < parts[k].dim; c++) {
            given[parts[k].r[c]] = true;
        }
        holds = holds && (parts[k].dim == 0 || part_holds(&parts[k], p, u));
    }
    for (int r = 1; r < 6; r++) { // what no coefficient allows
        holds = holds && (given[r] || mpq_sgn(p[r]) == 0);
    }
    for (int r = 0; r < 6; r++) {
        mpq_clear(u[r]);
    }
    return holds;
}

static bool all_holds(const TactContactProblem *problem, Answer *answer)
{
    bool holds = momentum_holds(problem, answer);
    for (int i = 0; i < problem->contact_count; i++) {
        holds = contact_holds(problem, answer, i) && holds;
    }
    return holds;
}

bool exact_patch_holds(const TactContactProblem *problem, const TactProof *proof)
{
    Answer answer;
    read_answer(problem, proof, &answer);
    bool holds = all_holds(problem, &answer);
    clear_answer(&answer);
    return holds;
}

bool exact_patch_holds_forged(const TactContactProblem *problem, const TactProof *proof,
                              TactProofPart part, int i)
{
    Answer answer;
    read_answer(problem, proof, &answer);
    mpq_t *entry = part == TACT_PROOF_PART_VELOCITY ? &answer.v[i]
                   : part == TACT_PROOF_PART_MOMENT ? &answer.p[i / 3][3 + i % 3]
                                                    : &answer.p[i / 3][i % 3];
    mpz_add_ui(mpq_numref(*entry), mpq_numref(*entry), 1);
    mpq_canonicalize(*entry);
    bool holds = all_holds(problem, &answer);
    clear_answer(&answer);
    return holds;
}
