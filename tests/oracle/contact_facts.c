#include "oracle/contact_facts.h"

#include <string.h>

static bool fits(const TactContactProblem *problem)
{
    return problem->contact_count <= FACTS_CONTACTS && problem->row_count <= FACTS_ROWS &&
           tact_contact_get_dof(problem) <= FACTS_DOF;
}

bool contact_answer_has_low(const TactContactProblem *problem, const ContactAnswer *answer)
{
    bool has = false;
    for (int i = 0; answer->low && i < 3 * problem->contact_count + problem->row_count; i++) {
        has = has || answer->low[i] != 0;
    }
    return has;
}

/// One row of J: contact c's component, or a joint row.                               (dof)
static void fill_row(const TactContactProblem *problem, int row, Dd *J)
{
    int nv = tact_contact_get_dof(problem), n = 3 * problem->contact_count;
    for (int k = 0; k < nv; k++) {
        J[k] = dd_of(0);
    }
    if (problem->M) {
        const double *raw = row < n ? problem->contacts[row / 3].J + (size_t)(row % 3) * (size_t)nv
                                    : problem->rows[row - n].J;
        for (int k = 0; k < nv; k++) {
            J[k] = dd_of(raw[k]);
        }
        return;
    }
    if (row >= n) {
        const TactContactRow *raw = &problem->rows[row - n];
        for (int k = 0; k < 6; k++) {
            if (raw->a >= 0) {
                J[6 * raw->a + k] = dd_of(raw->J_a[k]);
            }
            if (raw->b >= 0) {
                J[6 * raw->b + k] = dd_of(raw->J_b[k]);
            }
        }
        return;
    }
    const TactContact *contact = &problem->contacts[row / 3];
    double             frame[3][3];
    tact_contact_compute_frame(contact, frame);
    const double *axis = frame[row % 3];
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        for (int k = 0; k < 3 && body >= 0; k++) {
            int           m = (k + 1) % 3, l = (k + 2) % 3;
            const double *x = problem->bodies[body].position, *at = contact->point;
            Dd            r_m = dd_subtract(dd_of(at[m]), dd_of(x[m]));
            Dd            r_l = dd_subtract(dd_of(at[l]), dd_of(x[l]));
            Dd            turn =
                dd_subtract(dd_multiply(r_m, dd_of(axis[l])), dd_multiply(r_l, dd_of(axis[m])));
            J[6 * body + k] = dd_of(side ? axis[k] : -axis[k]);
            J[6 * body + 3 + k] = side ? turn : dd_negate(turn);
        }
    }
}

/// Entries of the inertia of a body, xx yy zz xy xz yz.
static double inertia(const TactContactBody *body, int i, int j)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    return body->inertia[at[i][j]];
}

static double before(const TactContactProblem *problem, int k)
{
    if (problem->M) {
        return problem->v[k];
    }
    const TactContactBody *body = &problem->bodies[k / 6];
    return k % 6 < 3 ? body->velocity[k % 6] : body->omega[k % 6 - 3];
}

/// g = M (v+ - v) - h f
static void find_gained(const TactContactProblem *problem, const double *velocity, Dd *g)
{
    int nv = tact_contact_get_dof(problem);
    for (int k = 0; k < nv; k++) {
        Dd sum = dd_of(0);
        for (int j = 0; j < nv; j++) {
            double m = problem->M ? problem->M[(size_t)k * (size_t)nv + (size_t)j] : 0;
            if (!problem->M && j / 6 == k / 6) {
                const TactContactBody *body = &problem->bodies[k / 6];
                bool                   linear = k % 6 < 3, both = linear == (j % 6 < 3);
                m = !both    ? 0
                    : linear ? (j == k ? body->mass : 0)
                             : inertia(body, k % 6 - 3, j % 6 - 3);
            }
            if (m != 0) {
                Dd dv = dd_subtract(dd_of(velocity[j]), dd_of(before(problem, j)));
                dd_gather(&sum, dd_of(m), dv);
            }
        }
        Dd force = dd_of(0);
        if (problem->M) {
            force = dd_of(problem->tau[k]);
        } else if (k % 6 < 3) {
            force = dd_of(problem->bodies[k / 6].force[k % 6]);
        } else { // torque - omega x I omega
            const TactContactBody *body = &problem->bodies[k / 6];
            int                    i = k % 6 - 3, m = (i + 1) % 3, l = (i + 2) % 3;
            Dd                     spin_m = dd_of(0), spin_l = dd_of(0);
            for (int j = 0; j < 3; j++) {
                dd_gather(&spin_m, dd_of(inertia(body, m, j)), dd_of(body->omega[j]));
                dd_gather(&spin_l, dd_of(inertia(body, l, j)), dd_of(body->omega[j]));
            }
            force = dd_of(body->torque[i]);
            dd_gather(&force, dd_of(-body->omega[m]), spin_l);
            dd_gather(&force, dd_of(body->omega[l]), spin_m);
        }
        g[k] = dd_subtract(sum, dd_multiply(dd_of(problem->step), force));
    }
}

/// x'I^-1 x of a body by Cramer's rule.
static Dd through_inverse(const TactContactBody *body, const Dd x[3])
{
    Dd sum = dd_of(0), determinant = dd_of(0), C[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int m = (i + 1) % 3, l = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
            C[i][j] =
                dd_subtract(dd_multiply(dd_of(inertia(body, m, p)), dd_of(inertia(body, l, q))),
                            dd_multiply(dd_of(inertia(body, m, q)), dd_of(inertia(body, l, p))));
        }
    }
    for (int j = 0; j < 3; j++) {
        dd_gather(&determinant, dd_of(inertia(body, 0, j)), C[0][j]);
        for (int i = 0; i < 3; i++) {
            dd_gather(&sum, dd_multiply(x[i], x[j]), C[i][j]);
        }
    }
    return dd_divide(sum, determinant);
}

/// Of a body g'v+ - g'M^-1 g / 2, with v_free = v+ - M^-1 g; of a mechanism its bound g'v+.
static void find_gains(const TactContactProblem *problem, const double *velocity, const Dd *g,
                       ContactFacts *facts)
{
    int nv = tact_contact_get_dof(problem);
    facts->gain[0] = dd_of(0);
    for (int k = 0; k < nv; k++) {
        int at = problem->M ? 0 : k / 6;
        if (!problem->M && k % 6 == 0) {
            const TactContactBody *body = &problem->bodies[at];
            Dd                     kick = dd_of(0);
            for (int i = 0; i < 3; i++) {
                dd_gather(&kick, g[k + i], g[k + i]);
            }
            kick = dd_divide(kick, dd_of(body->mass));
            kick = dd_add(kick, through_inverse(body, g + k + 3));
            facts->gain[at] = dd_multiply(dd_of(-0.5), kick);
        }
        dd_gather(&facts->gain[at], g[k], dd_of(velocity[k]));
    }
}

/// What a contact's law adds to J v+.
static void add_given(const TactContactProblem *problem, int row, double p, Dd normal_before, Dd *u)
{
    const TactContact *contact = &problem->contacts[row / 3];
    if (row % 3 > 0) {
        *u = dd_add(*u, dd_of(contact->surface[row % 3 - 1]));
        return;
    }
    *u = dd_add(*u, dd_of(contact->bias));
    dd_gather(u, dd_of(contact->compliance), dd_of(p));
    if (normal_before.hi < 0) {
        dd_gather(u, dd_of(contact->restitution), normal_before);
    }
}

static void find_by_W(const TactContactProblem *problem, const ContactAnswer *answer,
                      ContactFacts *facts)
{
    int n = 3 * problem->contact_count;
    facts->gain[0] = dd_of(0);
    for (int i = 0; i < n; i++) {
        Dd u = dd_of(problem->u_free[i]);
        for (int j = 0; j < n; j++) {
            dd_gather(&u, dd_of(problem->W[(size_t)i * (size_t)n + (size_t)j]),
                      dd_of(answer->impulse[j]));
        }
        Dd both = dd_add(u, dd_of(problem->u_free[i]));
        dd_gather(&facts->gain[0], dd_of(answer->impulse[i] / 2), both);
        add_given(problem, i, answer->impulse[i], dd_of(0), &u);
        facts->u[i] = u;
    }
}

bool contact_facts(const TactContactProblem *problem, const ContactAnswer *answer,
                   ContactFacts *facts)
{
    int n = 3 * problem->contact_count, nv = tact_contact_get_dof(problem);
    Dd  J[FACTS_DOF], g[FACTS_DOF];
    if (!fits(problem) || contact_answer_has_low(problem, answer)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        facts->p[i] = dd_of(answer->impulse[i]);
    }
    if (problem->W) {
        find_by_W(problem, answer, facts);
        return true;
    }
    find_gained(problem, answer->velocity, g);
    find_gains(problem, answer->velocity, g, facts);
    memcpy(facts->left, g, (size_t)nv * sizeof *g);
    for (int i = 0; i < n + problem->row_count; i++) {
        double p = i < n ? answer->impulse[i] : answer->row_impulse[i - n];
        Dd     u = dd_of(0), u_before = dd_of(0);
        fill_row(problem, i, J);
        for (int k = 0; k < nv; k++) {
            dd_gather(&u, J[k], dd_of(answer->velocity[k]));
            dd_gather(&u_before, J[k], dd_of(before(problem, k)));
            dd_gather(&facts->left[k], dd_negate(J[k]), dd_of(p));
        }
        if (i < n) {
            add_given(problem, i, p, u_before, &u);
            facts->u[i] = u;
        } else {
            const TactContactRow *row = &problem->rows[i - n];
            Dd                    pull = dd_multiply(dd_of(row->zeta), dd_of(row->error));
            u = dd_subtract(u, dd_of(row->target));
            facts->u_row[i - n] = dd_add(u, dd_divide(pull, dd_of(problem->step)));
        }
    }
    return true;
}
