#include "patch_made.h"

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <tact/base.h>

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

static int pick(TactRandom *random, int count)
{
    return (int)(tact_random_next(random) >> 33) % count;
}

/// 0, or a length or coefficient over two decades about a size.
static double maybe(TactRandom *random, double size)
{
    return pick(random, 3) == 0 ? 0 : size * pow(10, uniform(random, -1, 1));
}

static void add_body(PatchMade *made, TactRandom *random, const double position[3], double size)
{
    TactContactBody *body = &made->bodies[made->problem.body_count++];
    double           mass = pow(10, uniform(random, -1, 1));
    *body = (TactContactBody){.mass = mass, .force = {0, 0, -9.81 * mass}};
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = mass * size * size * uniform(random, 0.1, 0.2);
        body->position[k] = position[k];
        body->velocity[k] = pick(random, 2) ? uniform(random, -1, 1) : 0;
        body->omega[k] = pick(random, 2) ? uniform(random, -5, 5) : 0;
        body->force[k] += pick(random, 3) ? 0 : uniform(random, -10, 10) * mass;
        body->torque[k] = pick(random, 3) ? 0 : uniform(random, -3, 3) * mass * size;
    }
}

static void add_contact(PatchMade *made, TactRandom *random, int a, int b, const double point[3],
                        const double normal[3])
{
    TactContact *contact = &made->contacts[made->problem.contact_count++];
    *contact = (TactContact){.a = a,
                             .b = b,
                             .mu = maybe(random, 0.3),
                             .mu_spin = maybe(random, 0.01),
                             .mu_roll = maybe(random, 0.005),
                             .restitution = pick(random, 6) ? 0 : uniform(random, 0, 1),
                             .compliance = pick(random, 8) ? 0 : 1e-4,
                             .directions = pick(random, 2) ? 0 : 4 + 2 * pick(random, 3),
                             .turn = pick(random, 2) ? 0 : uniform(random, 0, 1)};
    if (pick(random, 3) == 0) {
        contact->mu2 = 0.3 * pow(10, uniform(random, -1, 1));
    }
    if (pick(random, 3) == 0) {
        contact->friction_law = TACT_FRICTION_LAW_ELLIPSOID;
    }
    if (pick(random, 5) == 0) {
        contact->surface[pick(random, 2)] = uniform(random, -1, 1);
    }
    for (int k = 0; k < 3; k++) {
        contact->point[k] = point[k];
        contact->normal[k] = normal[k];
        contact->tangent[k] = uniform(random, -1, 1);
    }
}

/// A body on one to six contacts with the world, all about its lower side.
static void make_single(PatchMade *made, TactRandom *random)
{
    double size = 0.1, origin[3] = {0, 0, size};
    int    count = 1 + pick(random, 6);
    add_body(made, random, origin, size);
    for (int i = 0; i < count; i++) {
        double normal[3] = {uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), 1}, point[3];
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + 1);
        for (int k = 0; k < 3; k++) {
            normal[k] = pick(random, 2) || i > 0 ? normal[k] / length : k == 2;
        }
        length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int k = 0; k < 3; k++) {
            normal[k] /= length;
            point[k] = origin[k] - size * normal[k] + uniform(random, -0.03, 0.03);
        }
        add_contact(made, random, -1, 0, point, normal);
    }
}

/// Boxes or balls on each other: four contacts or one between two.
static void make_stack(PatchMade *made, TactRandom *random)
{
    double up[3] = {0, 0, 1};
    int    count = 2 + pick(random, 3);
    for (int b = 0; b < count; b++) {
        double position[3] = {0, 0, 0.1 + 0.2 * b};
        add_body(made, random, position, 0.1);
        bool ball = pick(random, 3) == 0;
        for (int i = 0; i < (ball ? 1 : 4); i++) {
            double side = ball ? 0 : 0.1;
            double point[3] = {i % 2 ? side : -side, i / 2 ? side : -side, 0.2 * b};
            add_contact(made, random, b - 1, b, point, up);
        }
    }
}

/// Fingers, pushed inwards, that hold a body between them.
static void make_grasp(PatchMade *made, TactRandom *random)
{
    double centre[3] = {0, 0, 0};
    int    fingers = 2 + pick(random, 3);
    add_body(made, random, centre, 0.05);
    for (int f = 0; f < fingers; f++) {
        double angle = 2 * 3.14159265358979 * f / fingers, c = cos(angle), s = sin(angle);
        double position[3] = {0.1 * c, 0.1 * s, 0}, normal[3] = {-c, -s, 0};
        double squeeze = pow(10, uniform(random, 0, 2));
        double point[3] = {0.05 * c, 0.05 * s, uniform(random, -0.01, 0.01)};
        add_body(made, random, position, 0.05);
        TactContactBody *finger = &made->bodies[1 + f];
        finger->force[0] -= squeeze * c;
        finger->force[1] -= squeeze * s;
        finger->force[2] += 9.81 * finger->mass;
        add_contact(made, random, 1 + f, 0, point, normal);
    }
}

void patch_make(PatchMade *made, uint64_t seed)
{
    TactRandom random = tact_random_seed(seed);
    *made = (PatchMade){0};
    made->problem = (TactContactProblem){.step = pick(&random, 2) ? 0.01 : 0.001,
                                         .bodies = made->bodies,
                                         .contacts = made->contacts};
    switch (pick(&random, 3)) {
    case 0: make_single(made, &random); break;
    case 1: make_stack(made, &random); break;
    default: make_grasp(made, &random); break;
    }
}

bool patch_has_ellipsoid(const TactContactProblem *problem)
{
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *c = &problem->contacts[i];
        if (c->friction_law == TACT_FRICTION_LAW_ELLIPSOID && (c->mu_spin > 0 || c->mu_roll > 0)) {
            return true;
        }
    }
    return false;
}

size_t patch_count_rows(const TactContactProblem *problem)
{
    size_t n = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        n += tact_contact_has_moments(&problem->contacts[i]) ? 6 : 3;
    }
    return n;
}

void patch_make_delassus(const TactContactProblem *problem, size_t n, double *W, double *u_free)
{
    enum { DOF = 6 * PATCH_BODIES };
    int         contact[6 * PATCH_CONTACTS], row[6 * PATCH_CONTACTS];
    double      none[3 * PATCH_CONTACTS] = {0};
    long double u[PATCH_CONTACTS][6], size[PATCH_CONTACTS][6], a[DOF], b[DOF];
    size_t      count = 0;
    patch_motion(problem, none, none, u, size);
    for (int i = 0; i < problem->contact_count; i++) {
        for (int r = 0; r < (tact_contact_has_moments(&problem->contacts[i]) ? 6 : 3); r++) {
            const TactContact *c = &problem->contacts[i];
            double             surface = r == 1 || r == 2 ? c->surface[r - 1] : 0;
            u_free[count] = (double)(u[i][r] - surface); // the contact has it
            contact[count] = i;
            row[count++] = r;
        }
    }
    assert_int_equal(count, n);
    for (size_t i = 0; i < n; i++) {
        patch_row(problem, contact[i], row[i], a);
        patch_inverse(problem, a);
        for (size_t j = 0; j < n; j++) {
            long double sum = 0;
            patch_row(problem, contact[j], row[j], b);
            for (int k = 0; k < 6 * problem->body_count; k++) {
                sum += a[k] * b[k];
            }
            W[i * n + j] = (double)sum;
        }
    }
}

bool patch_solve(const TactContactProblem *problem, TactContactCone cone, PatchSolved *solved)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.cone = cone;
    config.max_sweeps = 500;
    solved->answer =
        (TactContactAnswer){.impulse = solved->p, .moment = solved->m, .velocity = solved->v};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &solved->answer, &report), TACT_OK);
    tact_contact_solver_destroy(solver);
    return report.outcome == TACT_OUTCOME_SOLVED;
}
