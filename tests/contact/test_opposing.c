// Bodies pinched between contacts that face each other: normals opposite within 0 to 1e-4 at one
// point, masses over eight decades, friction from none to 1e6.
//
// Nothing here is given energy: no bias, no restitution, no belt, no motor. So every exact answer
// has E(v+) <= E(v_free), and an answer that is called solved must have it too. The oracle knows no
// solver and no certificate: it computes both energies in long double.
//
// 500 problems, of which each method solves at least so many; the first 100 under a sanitizer,
// where it is only asked that none is wrong.
#include <math.h>
#include <string.h>
#include <tact/contact.h>

#include "base/clones.h" // TACT_SANITIZED
#include "contact/scenes.h"

#ifdef TACT_SANITIZED
enum { ALL = 500, PROBLEMS = 100, MAX_BODIES = 4, MAX_CONTACTS = 16 };
#else
enum { ALL = 500, PROBLEMS = ALL, MAX_BODIES = 4, MAX_CONTACTS = 16 };
#endif

typedef struct Pinched {
    TactContactProblem problem;
    TactContactBody    bodies[MAX_BODIES];
    TactContact        contacts[MAX_CONTACTS];
} Pinched;

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

static int below(TactRandom *random, int count)
{
    return (int)(tact_random_next(random) % (uint64_t)count);
}

static void add_body(TactRandom *random, TactContactBody *body)
{
    double mass = pow(10, uniform(random, -4, 4)), size = pow(10, uniform(random, -2, 0));
    *body = (TactContactBody){.mass = mass};
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = mass * size * size * uniform(random, 1, 1.9);
        body->position[k] = uniform(random, -1, 1);
    }
    int moves = below(random, 3), pushed = below(random, 2);
    for (int k = 0; k < 3; k++) {
        body->velocity[k] = moves > 0 ? uniform(random, -10, 10) : 0;
        body->omega[k] = moves > 1 ? uniform(random, -10, 10) : 0;
        body->force[k] = pushed ? mass * uniform(random, -1000, 1000) : 0;
    }
    body->force[2] -= 9.81 * mass;
}

static void unit(TactRandom *random, double x[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = tact_random_normal(random);
        square += x[k] * x[k];
    }
    for (int k = 0; k < 3; k++) {
        x[k] /= sqrt(square);
    }
}

/// The contact again, facing the other way but for some 1e-4 at most, or the same way.
static void add_twin(TactRandom *random, const TactContact *contact, TactContact *twin)
{
    static const double off[] = {0, 1e-8, 1e-6, 1e-4};
    double              size = off[below(random, 4)], sign = below(random, 5) > 0 ? -1 : 1;
    double              turn[3], square = 0;
    *twin = *contact;
    unit(random, turn);
    for (int k = 0; k < 3; k++) {
        twin->normal[k] = sign * contact->normal[k] + size * turn[k];
        twin->point[k] += size * uniform(random, -1, 1);
        square += twin->normal[k] * twin->normal[k];
    }
    for (int k = 0; k < 3; k++) {
        twin->normal[k] /= sqrt(square);
    }
}

static void generate(uint64_t seed, Pinched *made)
{
    static const double mu[] = {0, 1e-8, 0.1, 0.3, 0.5, 1, 2, 10, 1e6};
    TactRandom          random = tact_random_seed(seed);
    int                 bodies = 1 + below(&random, MAX_BODIES), contacts = 0;
    int                 wanted = 2 + below(&random, 10);
    for (int k = 0; k < bodies; k++) {
        add_body(&random, &made->bodies[k]);
    }
    while (contacts < wanted) {
        TactContact *contact = &made->contacts[contacts++];
        *contact = (TactContact){
            .a = below(&random, bodies + 1) - 1, .b = below(&random, bodies), .directions = 8};
        contact->a = contact->a == contact->b ? -1 : contact->a;
        unit(&random, contact->normal);
        for (int k = 0; k < 3; k++) {
            contact->point[k] = made->bodies[contact->b].position[k] + uniform(&random, -0.5, 0.5);
        }
        contact->mu = mu[below(&random, 9)];
        for (int twins = below(&random, 3); twins > 0; twins--) {
            TactContact *twin = &made->contacts[contacts++];
            add_twin(&random, contact, twin);
            twin->mu = mu[below(&random, 9)];
        }
    }
    made->problem = (TactContactProblem){.step = pow(10, uniform(&random, -4, -2)),
                                         .body_count = bodies,
                                         .bodies = made->bodies,
                                         .contact_count = contacts,
                                         .contacts = made->contacts};
}

// ---------------------------------------------------------------------------------------------
// Oracle

typedef long double Wide;

/// x'I y with the inertia as given.
static Wide through(const double I[6], const Wide x[3], const Wide y[3])
{
    return x[0] * (I[0] * y[0] + I[3] * y[1] + I[4] * y[2]) +
           x[1] * (I[3] * y[0] + I[1] * y[1] + I[5] * y[2]) +
           x[2] * (I[4] * y[0] + I[5] * y[1] + I[2] * y[2]);
}

static Wide kinetic(const TactContactBody *body, const Wide v[6])
{
    return (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
            through(body->inertia, v + 3, v + 3)) /
           2;
}

/// Velocity without contacts; inertias here are diagonal.
static void move_freely(const TactContactBody *body, Wide h, Wide v[6])
{
    const double *w = body->omega, *I = body->inertia;
    for (int k = 0; k < 3; k++) {
        int  i = (k + 1) % 3, j = (k + 2) % 3;
        Wide gyroscopic = (Wide)w[i] * I[j] * w[j] - (Wide)w[j] * I[i] * w[i];
        v[k] = body->velocity[k] + h * body->force[k] / body->mass;
        v[3 + k] = w[k] + h * (body->torque[k] - gyroscopic) / I[k];
    }
}

/// Energies before, free and after, and by how much the last is above the free one.
static Wide gain(const Pinched *made, const double *velocity, Wide *scale)
{
    Wide gained = 0;
    *scale = 0;
    for (int k = 0; k < made->problem.body_count; k++) {
        const TactContactBody *body = &made->bodies[k];
        Wide                   before[6], free[6], after[6];
        for (int i = 0; i < 6; i++) {
            before[i] = i < 3 ? body->velocity[i] : body->omega[i - 3];
            after[i] = velocity[6 * k + i];
        }
        move_freely(body, made->problem.step, free);
        gained += kinetic(body, after) - kinetic(body, free);
        *scale += kinetic(body, before) + kinetic(body, free) + kinetic(body, after);
    }
    return gained;
}

// ---------------------------------------------------------------------------------------------

static const struct {
    TactContactMethod method;
    TactContactCone   cone;
    const char       *name;
    int               least; // solved of ALL
} pairs[] = {
    {TACT_METHOD_LADDER, TACT_CONE_PYRAMID, "ladder, pyramid", 495},
    {TACT_METHOD_LADDER, TACT_CONE_CIRCLE, "ladder, circle", 496},
    {TACT_METHOD_REDUCED, TACT_CONE_PYRAMID, "reduced, pyramid", 315},
    {TACT_METHOD_REDUCED, TACT_CONE_CIRCLE, "reduced, circle", 305},
    {TACT_METHOD_BARAFF, TACT_CONE_CIRCLE, "baraff, circle", 285},
    {TACT_METHOD_NSGS, TACT_CONE_CIRCLE, "nsgs, circle", 388},
    {TACT_METHOD_LCP, TACT_CONE_PYRAMID, "lcp, pyramid", 250},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/// Solves from nothing; true: it was called solved.
static bool solve(const Pinched *made, int pair, double *velocity, TactContactReport *report)
{
    double             impulse[3 * MAX_CONTACTS];
    TactContactAnswer  answer = {.impulse = impulse, .velocity = velocity};
    TactContactConfig  config = tact_contact_config_default(pairs[pair].method);
    TactContactSolver *solver;
    config.cone = pairs[pair].cone;
    config.max_sweeps = 2000;
    TactContactCapacity capacity = tact_contact_get_capacity(&made->problem);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &made->problem, &answer, report), TACT_OK);
    tact_contact_solver_destroy(solver);
    return report->outcome == TACT_OUTCOME_SOLVED;
}

static void no_answer_called_solved_creates_energy(void **state)
{
    (void)state;
    int wrong = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        int    solved = 0, gains = 0, works = 0;
        double worst = 0;
        for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
            Pinched           made;
            double            velocity[6 * MAX_BODIES];
            TactContactReport report;
            generate(seed, &made);
            if (!solve(&made, pair, velocity, &report)) {
                continue;
            }
            Wide scale, gained = gain(&made, velocity, &scale);
            solved++;
            gains += !(gained <= 1e-8L * scale);
            works += !(report.certificate.complementarity <= 1e-3 * (double)scale);
            worst = fmax(worst, (double)(gained / scale));
        }
        print_message("%-17s solved %d of %d; gain energy %d (worst %.1e), complementarity above "
                      "1e-3 of the energy %d\n",
                      pairs[pair].name, solved, PROBLEMS, gains, worst, works);
        wrong += gains + works + (PROBLEMS == ALL && solved < pairs[pair].least);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_answer_called_solved_creates_energy),
    };
    return cmocka_run_group_tests_name("contact/opposing", tests, NULL, NULL);
}
