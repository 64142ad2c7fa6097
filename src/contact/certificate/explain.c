// One sentence on an answer that is not called solved: which contact, row or body misses which law,
// by how much, and what to try.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "contact/certificate/certify.h"
#include "contact/problem/problem.h"

// Friction that exceeds its limit by less than this part is on the cone.
static const double ON_CONE = 1e-9;

typedef struct Text {
    char  *at;
    size_t left;
} Text;

__attribute__((format(printf, 2, 3))) static void say(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t used = count < 0 ? 0 : (size_t)count < text->left ? (size_t)count : text->left - 1;
    text->at += used;
    text->left -= used;
}

static void name_body(Text *text, int body)
{
    if (body < 0) {
        say(text, "the world");
    } else {
        say(text, "body %d", body);
    }
}

/// How the contact moves by the velocities of an answer (on the level of accelerations: by what
/// they gain), or by W and its impulses, without what its surfaces add. False: that is not known.
static bool find_slip(const TactContactProblem *problem, const TactContactAnswer *answer, int i,
                      double u[3])
{
    const TactContact *contact = &problem->contacts[i];
    bool               gain = problem->level == TACT_LEVEL_ACCELERATION;
    size_t             nv = (size_t)problem->nv, side = 3 * (size_t)problem->contact_count;
    for (size_t k = 0; k < 3; k++) {
        u[k] = answer->u ? answer->u[3 * (size_t)i + k] : 0;
    }
    if (answer->u) {
        return true;
    }
    for (size_t k = 0; k < 3 && problem->W; k++) {
        const double *row = problem->W + (3 * (size_t)i + k) * side;
        u[k] = problem->u_free[3 * (size_t)i + k];
        for (size_t j = 0; j < side; j++) {
            u[k] += row[j] * answer->impulse[j];
        }
    }
    for (size_t k = 0; k < 3 && problem->M && answer->velocity; k++) {
        for (size_t j = 0; j < nv; j++) {
            u[k] += contact->J[k * nv + j] * (answer->velocity[j] - (gain ? problem->v[j] : 0));
        }
    }
    int side_of[2] = {contact->a, contact->b};
    for (int s = 0; s < 2 && problem->bodies && answer->velocity; s++) {
        if (side_of[s] >= 0) {
            TactContactBody moved = problem->bodies[side_of[s]];
            const double   *v = answer->velocity + 6 * (size_t)side_of[s];
            for (int k = 0; k < 3; k++) {
                moved.velocity[k] = v[k] - (gain ? moved.velocity[k] : 0);
                moved.omega[k] = v[3 + k] - (gain ? moved.omega[k] : 0);
            }
            tact_contact_add_point(&moved, contact, s == 0 ? -1 : 1, u);
        }
    }
    return problem->W || ((problem->M || problem->bodies) && answer->velocity);
}

/// u_n with bias, restitution and compliance.
static double normal_velocity(const TactContactProblem *problem, int i, const double p[3],
                              const double u[3])
{
    const TactContact *contact = &problem->contacts[i];
    double             added = contact->bias + contact->compliance * p[0];
    if (contact->restitution > 0) {
        double before[3], most[3];
        tact_contact_velocity(problem, i, before, most);
        added += before[0] < 0 ? contact->restitution * before[0] : 0;
    }
    return u[0] + added;
}

/// An impulse that pulls, or leaves the cone: what can be said where motion is not known.
static void name_impulse_law(Text *text, const TactContactProblem *problem, int i,
                             const double p[3], double error)
{
    const char *force = problem->level == TACT_LEVEL_VELOCITY ? "N s" : "N";
    double      limit = problem->contacts[i].mu * p[0], excess = hypot(p[1], p[2]) - limit;
    if (p[0] < 0) {
        say(text, "pulls with %.2g %s", -p[0], force);
    } else if (excess > ON_CONE * limit) {
        say(text, "leaves its friction cone by %.2g %s", excess, force);
    } else {
        say(text, "misses its law by %.2g of what it does", error);
    }
}

/// The law of a contact that is missed most.
static void name_law(Text *text, const TactContactProblem *problem, int i, const double p[3],
                     const double u[3])
{
    bool        velocity = problem->level == TACT_LEVEL_VELOCITY;
    const char *speed = velocity ? "m/s" : "m/s^2", *force = velocity ? "N s" : "N";
    double      mu = problem->contacts[i].mu, normal = normal_velocity(problem, i, p, u);
    double      slip = hypot(u[1] + tact_contact_surface(problem, i, 1),
                             u[2] + tact_contact_surface(problem, i, 2));
    double      excess = hypot(p[1], p[2]) - mu * p[0];
    double      open = p[0] > 0 ? normal : 0;
    if (p[0] < 0) {
        say(text, "pulls with %.2g %s", -p[0], force);
    } else if (-normal > 0 && -normal >= open && (-normal >= slip || p[0] == 0)) {
        say(text, "approaches at %.2g %s", -normal, speed);
    } else if (open > 0 && (open >= slip || mu == 0)) {
        say(text, "pushes with %.2g %s while it opens at %.2g %s", p[0], force, open, speed);
    } else if (excess > ON_CONE * mu * p[0]) {
        say(text, "leaves its friction cone by %.2g %s", excess, force);
    } else {
        say(text, "slips at %.2g %s against a friction of %.2g of the limit %.2g %s", slip, speed,
            hypot(p[1], p[2]), mu * p[0], force);
    }
}

static void name_place(Text *text, const TactContactProblem *problem,
                       const TactContactAnswer *answer, const TactContactCertificate *certificate)
{
    int  i = certificate->worst, rows = i - problem->contact_count;
    bool energy = certificate->law == TACT_LAW_ENERGY;
    if (energy) {
        say(text, "the island of ");
    }
    if (rows < 0) {
        const TactContact *contact = &problem->contacts[i];
        say(text, "contact %d", i);
        if (problem->bodies) {
            say(text, " (");
            name_body(text, contact->a);
            say(text, " and ");
            name_body(text, contact->b);
            say(text, ")");
        }
        say(text, " ");
        const double *p = answer->impulse + 3 * (size_t)i;
        double        u[3];
        if (energy || certificate->law == TACT_LAW_WORK) {
            // said below
        } else if (find_slip(problem, answer, i, u)) {
            name_law(text, problem, i, p, u);
        } else {
            name_impulse_law(text, problem, i, p, certificate->error);
        }
    } else if (rows < problem->row_count) {
        say(text, "joint row %d ", rows);
        if (!energy && certificate->law != TACT_LAW_WORK) {
            say(text, "misses its law by %.2g", certificate->row_error);
        }
    } else {
        int dof = rows - problem->row_count;
        say(text, problem->bodies ? "body %d " : "degree of freedom %d ",
            problem->bodies ? dof / 6 : dof);
        if (!energy) {
            say(text, "misses M (v+ - v) = h f + J'p by %.2g N s", certificate->dynamics);
        }
    }
    if (energy) {
        say(text, "gains %.2g J that nothing gives it", certificate->energy_created);
    } else if (certificate->law == TACT_LAW_WORK) {
        bool pulls = rows < 0 && answer->impulse[3 * (size_t)i] < 0;
        say(text, "%sdoes work against its law (complementarity %.2g J)",
            pulls ? "pulls, and " : "", certificate->complementarity);
    }
}

static const char *advice(const TactContactReport *report)
{
    if (report->certificate.law == TACT_LAW_ENERGY || report->certificate.law == TACT_LAW_WORK) {
        return "contacts that face each other, or contradict a joint, hold each other with large "
               "impulses; separate or merge them, or lower their friction";
    }
    if (report->rung_count <= 1) {
        return "try method ladder or nsgs";
    }
    return report->ended == TACT_OUTCOME_LIMIT
               ? "try the other cone, a larger tolerance or more iterations; there may be no answer"
               : "try the other cone or a larger tolerance; there may be no answer";
}

void tact_contact_explain(const TactContactProblem *problem, const TactContactAnswer *answer,
                          const TactContactReport *report, double tol, char *text, size_t size)
{
    if (size == 0) {
        return;
    }
    const TactContactCertificate *certificate = &report->certificate;
    Text                          out = {text, size};
    text[0] = '\0';
    if (report->outcome == TACT_OUTCOME_SOLVED) {
        return;
    }
    if (certificate->worst < 0 || certificate->error <= tol) {
        say(&out, "no force will do: what is returned is the direction of an impulse");
        return;
    }
    if (!isfinite(certificate->error)) {
        say(&out, "the answer is not finite, or too large to be judged: check sizes and units");
        return;
    }
    name_place(&out, problem, answer, certificate);
    say(&out, "; error %.2g, %.2g times the tolerance; %s", certificate->error,
        certificate->error / tol, advice(report));
}
