// Sharing among contacts that resist spinning and rolling, or have two coefficients.
//
// The oracle is weak duality, as in test_share.c: for any l, with K_i what the law allows contact i
// for the given motion and q = (p_n, p_1, p_2, m_n / mu_spin, m_1 / mu_roll, m_2 / mu_roll),
//
//     |q|^2 / 2  >=  l'(J'p0) - sum_i max { z_i'q - |q|^2 / 2 : q in K_i },     z_i = J_i l,
//
// for all impulses of the same motion. The maxima are found here by a search over the load, from
// velocities of points in long double.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>
#include <tact/contact.h>

#include "base/memory.h"
#include "contact/patch_made.h"
#include "contact/share/share.h"

typedef long double Real;

enum { DOF = 6 * PATCH_BODIES, PARTS = 6 };

// ---------------------------------------------------------------------------------------------
// What a contact may do

typedef struct Part {
    int  dim, at[5];
    Real axis[5]; // mu of sliding, 1 of moments
    Real mu[5];
    int  corners; // 0: round
    Real turn;
    bool moves;
    Real way[5], other[5]; // moves: q over the load; another corner that is as good
    bool edge;
} Part;

typedef struct Allowed {
    bool open, soft, doubtful; // doubtful: slower than the tolerance of an answer tells
    Real load;
    int  count;
    Part parts[3];
} Allowed;

static Real unit_of(const TactContact *contact, int k)
{
    return k < 3 ? 1 : k == 3 ? contact->mu_spin : contact->mu_roll;
}

static void put(Part *part, int at, double mu)
{
    if (mu > 0) {
        part->at[part->dim] = at;
        part->mu[part->dim] = mu;
        part->axis[part->dim++] = at < 3 ? mu : 1;
    }
}

static void list_parts(const TactContact *c, TactContactCone cone, Allowed *allowed)
{
    bool one = c->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
    put(&allowed->parts[0], 1, c->mu);
    put(&allowed->parts[0], 2, c->mu2 > 0 ? c->mu2 : c->mu);
    allowed->parts[0].turn = c->turn;
    put(&allowed->parts[one ? 0 : 1], 3, c->mu_spin);
    put(&allowed->parts[one ? 0 : 2], 4, c->mu_roll);
    put(&allowed->parts[one ? 0 : 2], 5, c->mu_roll);
    allowed->count = 3;
    for (int k = 0; k < 3; k++) {
        bool polygon = cone == TACT_CONE_PYRAMID && allowed->parts[k].dim == 2;
        allowed->parts[k].corners = polygon ? (c->directions ? c->directions : 8) : 0;
    }
}

static void corner_of(const Part *part, int j, Real out[2])
{
    Real angle = part->turn + 2 * acosl(-1) * j / part->corners;
    out[0] = part->axis[0] * cosl(angle);
    out[1] = part->axis[1] * sinl(angle);
}

/// The direction of a part that moves: that of the impulse, which has it, or against the motion.
/// An impulse between two corners is on their edge.
static void find_way(Part *part, const Real q[PARTS], const Real *y, Real speed)
{
    for (int k = 0; k < part->dim; k++) {
        part->way[k] = q[0] > 0 ? q[part->at[k]] / q[0] : -part->axis[k] * y[k] / speed;
    }
    Real best = -INFINITY, second = -INFINITY;
    int  at = 0;
    for (int j = 0; j < part->corners; j++) {
        Real c[2];
        corner_of(part, j, c);
        Real work = -(c[0] / part->axis[0] * y[0] + c[1] / part->axis[1] * y[1]);
        at = work > best ? j : at;
        best = fmaxl(best, work);
    }
    for (int side = -1; side <= 1 && part->corners > 0; side += 2) {
        Real c[2], a[2];
        corner_of(part, at + side, c);
        corner_of(part, at, a);
        Real work = -(c[0] / part->axis[0] * y[0] + c[1] / part->axis[1] * y[1]);
        Real off = hypotl(a[0] - part->way[0], a[1] - part->way[1]);
        bool across = best - work < 1e-9L * speed || (q[0] > 0 && off > 1e-9L * part->axis[0]);
        if (across && work > second) {
            part->edge = true;
            memcpy(part->way, a, sizeof a);
            memcpy(part->other, c, sizeof c);
        } else if (!part->edge && q[0] <= 0) {
            memcpy(part->way, a, sizeof a);
        }
        second = fmaxl(second, work);
    }
}

static void allow(const TactContactProblem *problem, TactContactCone cone, int i,
                  const PatchSolved *solved, const Real u[6], const Real size[6], Allowed *allowed)
{
    const TactContact *c = &problem->contacts[i];
    Real               q[PARTS];
    *allowed = (Allowed){.open = u[0] > 1e-9L * size[0],
                         .soft = c->compliance > 0,
                         .doubtful = u[0] > 1e-12L * size[0] && u[0] < 1e-6L * size[0]};
    list_parts(c, cone, allowed);
    for (int k = 0; k < PARTS; k++) {
        Real unit = unit_of(c, k);
        Real p = k < 3 ? solved->p[3 * i + k] : solved->m[3 * i + k - 3];
        q[k] = unit > 0 ? p / unit : 0;
    }
    allowed->load = q[0];
    for (int d = 0; d < 3; d++) {
        Part *part = &allowed->parts[d];
        Real  y[5], speed = 0, motion = 0;
        for (int k = 0; k < part->dim; k++) {
            y[k] = part->mu[k] * u[part->at[k]];
            speed += y[k] * y[k];
            motion = fmaxl(motion, part->mu[k] * size[part->at[k]]);
        }
        speed = sqrtl(speed);
        part->moves = speed > 1e-9L * motion;
        allowed->doubtful =
            allowed->doubtful || (speed > 1e-12L * motion && speed < 1e-6L * motion);
        if (part->moves) {
            find_way(part, q, y, speed);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The largest z'q - |q|^2 / 2

/// x of t D nearest to z, of an ellipsoid: by bisection.
static void nearest_round(const Part *part, Real t, const Real *z, Real *x)
{
    Real lo = 0, hi = 1, size = 0;
    for (int k = 0; k < part->dim; k++) {
        size += powl(z[k] / part->axis[k], 2);
        x[k] = z[k];
    }
    if (sqrtl(size) <= t) {
        return;
    }
    for (int turn = 0; turn < 400; turn++) {
        Real l = turn < 200 ? hi : 0.5L * (lo + hi), sum = 0;
        for (int k = 0; k < part->dim; k++) {
            Real square = part->axis[k] * part->axis[k];
            x[k] = square * z[k] / (square + l);
            sum += powl(x[k] / part->axis[k], 2);
        }
        bool outside = sqrtl(sum) > t;
        if (turn < 200 && outside) {
            lo = hi;
            hi *= 2;
        } else if (turn < 200) {
            turn = 199;
        } else if (outside) {
            lo = l;
        } else {
            hi = l;
        }
    }
}

static Real try_segment(int dim, Real t, const Real *a, const Real *b, const Real *z, Real *x,
                        Real best)
{
    Real length = 0, along = 0, miss = 0, trial[5];
    for (int k = 0; k < dim; k++) {
        length += (b[k] - a[k]) * (b[k] - a[k]);
        along += (b[k] - a[k]) * (z[k] - t * a[k]);
    }
    Real where = length > 0 ? fmaxl(0, fminl(t, along / length)) : 0;
    for (int k = 0; k < dim; k++) {
        trial[k] = t * a[k] + where * (b[k] - a[k]);
        miss += (z[k] - trial[k]) * (z[k] - trial[k]);
    }
    if (miss < best) {
        memcpy(x, trial, (size_t)dim * sizeof *x);
        return miss;
    }
    return best;
}

static void nearest(const Part *part, Real t, const Real *z, Real *x)
{
    Real best = INFINITY, a[2], b[2];
    bool inside = true;
    if (part->moves) {
        try_segment(part->dim, t, part->way, part->edge ? part->other : part->way, z, x, best);
        return;
    }
    if (part->corners == 0) {
        nearest_round(part, t, z, x);
        return;
    }
    for (int j = 0; j < part->corners; j++) {
        corner_of(part, j, a);
        corner_of(part, j + 1, b);
        Real left = (b[0] - a[0]) * (z[1] - t * a[1]) - (b[1] - a[1]) * (z[0] - t * a[0]);
        inside = inside && left >= 0;
        best = try_segment(2, t, a, b, z, x, best);
    }
    if (inside) {
        memcpy(x, z, 2 * sizeof *x);
    }
}

static Real value_at(const Allowed *allowed, const Real *z, Real t)
{
    Real sum = z[0] * t - 0.5L * t * t;
    for (int d = 0; d < allowed->count; d++) {
        const Part *part = &allowed->parts[d];
        Real        own[5], x[5] = {0};
        for (int k = 0; k < part->dim; k++) {
            own[k] = z[part->at[k]];
        }
        if (part->dim > 0) {
            nearest(part, t, own, x);
        }
        for (int k = 0; k < part->dim; k++) {
            sum += own[k] * x[k] - 0.5L * x[k] * x[k];
        }
    }
    return sum;
}

static Real largest_value(const Allowed *allowed, const Real *z)
{
    Real lo = 0, hi = 1;
    if (allowed->open) {
        return 0;
    }
    if (allowed->soft) {
        return value_at(allowed, z, fmaxl(allowed->load, 0));
    }
    while (value_at(allowed, z, hi) > value_at(allowed, z, 0.5L * hi) && hi < 1e9L) {
        hi *= 2;
    }
    for (int turn = 0; turn < 150; turn++) {
        Real a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        if (value_at(allowed, z, a) < value_at(allowed, z, b)) {
            lo = a;
        } else {
            hi = b;
        }
    }
    return fmaxl(value_at(allowed, z, 0.5L * (lo + hi)), 0);
}

// ---------------------------------------------------------------------------------------------
// Bounds

/// l of the least norm, as the library finds it: velocities of the bodies.
static bool find_l(const TactContactProblem *problem, TactContactCone cone,
                   const PatchSolved *solved, double *l)
{
    TactShare           share = {0};
    TactArena           arena = {0};
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    tact_share_layout(&share, &capacity, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_share_layout(&share, &capacity, &arena);
    assert_int_equal(tact_share_begin(&share, problem, cone, &solved->answer), TACT_OK);
    bool found = tact_share_shape(&share) && tact_share_nearest(&share);
    memcpy(l, share.dual.l, sizeof(double) * (size_t)share.system->dof);
    tact_whitener_back(&share.own.whitener, share.problem, l);
    tact_arena_destroy(&arena);
    return found;
}

/// J' (p, m), in long double, and what adds up to it.
static void find_momentum(const TactContactProblem *problem, const double *p, const double *m,
                          Real *sum, Real *size)
{
    memset(sum, 0, DOF * sizeof *sum);
    memset(size, 0, DOF * sizeof *size);
    for (int i = 0; i < problem->contact_count; i++) {
        for (int r = 0; r < 6; r++) {
            Real row[DOF], push = r < 3 ? p[3 * i + r] : m[3 * i + r - 3];
            patch_row(problem, i, r, row);
            for (int j = 0; j < 6 * problem->body_count; j++) {
                sum[j] += row[j] * push;
                size[j] += fabsl(row[j] * push);
            }
        }
    }
}

static Real half_square(const TactContactProblem *problem, const double *p, const double *m)
{
    Real sum = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        for (int k = 0; k < PARTS; k++) {
            Real unit = unit_of(&problem->contacts[i], k);
            Real q = unit > 0 ? (k < 3 ? p[3 * i + k] : m[3 * i + k - 3]) / unit : 0;
            sum += 0.5L * q * q;
        }
    }
    return sum;
}

/// The lower bound on |q|^2 / 2 from velocities l; NaN: it is not known what moves.
static Real find_bound(const TactContactProblem *problem, TactContactCone cone,
                       const PatchSolved *solved, const double *l)
{
    Real u[PATCH_CONTACTS][6], size[PATCH_CONTACTS][6], load[DOF], sizes[DOF], sum = 0;
    patch_motion(problem, solved->p, solved->m, u, size);
    find_momentum(problem, solved->p, solved->m, load, sizes);
    for (int j = 0; j < 6 * problem->body_count; j++) {
        sum += l[j] * load[j];
    }
    for (int i = 0; i < problem->contact_count; i++) {
        Allowed allowed;
        Real    z[PARTS], row[DOF];
        allow(problem, cone, i, solved, u[i], size[i], &allowed);
        if (allowed.doubtful) {
            return NAN;
        }
        for (int r = 0; r < 6; r++) {
            patch_row(problem, i, r, row);
            z[r] = 0;
            for (int j = 0; j < 6 * problem->body_count; j++) {
                z[r] += row[j] * l[j];
            }
            z[r] *= unit_of(&problem->contacts[i], r);
        }
        sum -= largest_value(&allowed, z);
    }
    return sum;
}

/// The same problem without motion, and loads that friction mostly holds: forces are redundant.
static void calm_down(PatchMade *made)
{
    for (int b = 0; b < made->problem.body_count; b++) {
        TactContactBody *body = &made->bodies[b];
        for (int k = 0; k < 3; k++) {
            body->velocity[k] = body->omega[k] = 0;
            body->torque[k] *= 0.01;
        }
    }
    for (int i = 0; i < made->problem.contact_count; i++) {
        made->contacts[i].surface[0] = made->contacts[i].surface[1] = 0;
        made->contacts[i].mu += 0.1;
        made->contacts[i].mu2 += made->contacts[i].mu2 > 0 ? 0.1 : 0;
    }
}

typedef struct Counts {
    int tried, found, unique, kept, weak, bound;
} Counts;

static void check_shared(const TactContactProblem *problem, TactContactCone cone, uint64_t seed,
                         bool calm, Counts *counts)
{
    PatchSolved        before, after;
    TactContactSharing sharing;
    Real               one[DOF], other[DOF], size[DOF], sizes[DOF];
    double             l[DOF];
    if (!patch_solve(problem, cone, &before)) {
        return;
    }
    after = before;
    after.answer.impulse = after.p;
    after.answer.moment = after.m;
    after.answer.velocity = after.v;
    assert_int_equal(tact_contact_share(problem, cone, 1e-8, &after.answer, &sharing), TACT_OK);
    counts->tried++;
    counts->kept += sharing.outcome == TACT_SHARING_OUTCOME_KEPT;
    counts->unique += sharing.outcome == TACT_SHARING_OUTCOME_UNIQUE;
    if (sharing.outcome == TACT_SHARING_OUTCOME_KEPT && getenv("TACT_VERBOSE")) {
        print_message("seed %llu, %s: kept, error %g\n", (unsigned long long)seed,
                      tact_contact_cone_name(cone), sharing.certificate.error);
    }
    if (sharing.outcome != TACT_SHARING_OUTCOME_FOUND) {
        assert_memory_equal(before.m, after.m, 3 * (size_t)problem->contact_count * sizeof(double));
        return;
    }
    counts->found++;
    PatchMiss miss = patch_law(problem, cone, after.p, after.m);
    assert_true(miss.normal <= 1e-6 && miss.bound <= 1e-6 && miss.part <= 1e-6);
    assert_true(calm || miss.angular <= 1e-6); // where nothing turns, turning has no size
    find_momentum(problem, before.p, before.m, one, size);
    find_momentum(problem, after.p, after.m, other, sizes);
    Real most = 0;
    for (int j = 0; j < 6 * problem->body_count; j++) {
        most = fmaxl(most, size[j]);
    }
    for (int j = 0; j < 6 * problem->body_count; j++) {
        assert_true(fabsl(one[j] - other[j]) <= 1e-10L * (size[j] + 1e-2L * most));
    }
    Real reached = half_square(problem, after.p, after.m);
    assert_true(reached <= half_square(problem, before.p, before.m) * (1 + 1e-9L));
    if (!find_l(problem, cone, &before, l)) {
        counts->weak++; // shared with fewer items: there is no l of all
        return;
    }
    Real least = find_bound(problem, cone, &before, l);
    counts->weak += isnan(least);
    counts->bound += !isnan(least);
    if (!isnan(least) && !(reached - least <= 1e-6L * reached)) {
        print_error("seed %llu, %s: %.12Lg reached, bound %.12Lg\n", (unsigned long long)seed,
                    tact_contact_cone_name(cone), reached, least);
        fail();
    }
}

static void no_impulses_of_the_same_motion_have_a_smaller_norm(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        TactContactCone cone = c ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
        Counts          counts = {0};
        for (uint64_t seed = 1; seed <= (c ? 300u : 900u); seed++) {
            PatchMade made;
            patch_make(&made, seed);
            bool quiet = seed % 3 > 0;
            if (quiet) {
                calm_down(&made);
            }
            if (c || !patch_has_ellipsoid(&made.problem)) {
                check_shared(&made.problem, cone, seed, quiet, &counts);
            }
        }
        print_message("%s: of %d answers %d are shared, %d unique, %d kept; %d reach the bound, %d "
                      "have none\n",
                      tact_contact_cone_name(cone), counts.tried, counts.found, counts.unique,
                      counts.kept, counts.bound, counts.weak);
        assert_true(counts.bound > 25 && 50 * counts.kept <= counts.tried);
    }
}

// ---------------------------------------------------------------------------------------------
// Closed forms

/// A bar between two soft walls, of which one pushes with 8 N s; a torque about their axis.
static void make_pinch(PatchMade *made, double torque)
{
    *made = (PatchMade){0};
    made->problem = (TactContactProblem){.step = 0.5,
                                         .body_count = 1,
                                         .bodies = made->bodies,
                                         .contact_count = 2,
                                         .contacts = made->contacts};
    made->bodies[0] =
        (TactContactBody){.mass = 1, .inertia = {0.25, 0.25, 0.25}, .torque = {torque, 0, 0}};
    for (int i = 0; i < 2; i++) {
        made->contacts[i] = (TactContact){.a = -1,
                                          .b = 0,
                                          .point = {i ? 0.5 : -0.5},
                                          .normal = {i ? -1 : 1},
                                          .tangent = {0, 1, 0},
                                          .mu = 0.5,
                                          .mu_spin = 0.125};
    }
    made->contacts[1].compliance = 0.25;
    made->contacts[1].bias = -2;
}

static void two_fingers_hold_a_torque_by_halves(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        TactContactCone    cone = c ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
        PatchMade          made;
        PatchSolved        solved;
        TactContactSharing sharing;
        make_pinch(&made, 2.5); // 1.25 N m s of the 2 that both hold
        assert_true(patch_solve(&made.problem, cone, &solved));
        assert_int_equal(tact_contact_share(&made.problem, cone, 1e-8, &solved.answer, &sharing),
                         TACT_OK);
        assert_true(fabs(solved.m[0] + 0.625) < 1e-9 && fabs(solved.m[3] - 0.625) < 1e-9);
        assert_true(fabs(solved.p[0] - 8) < 1e-9 && fabs(solved.p[3] - 8) < 1e-9);
    }
}

/// A rod on two rests at -1 and 1 that resist rolling: with the weight W the load of one lies
/// between W (1 - mu_roll) / 2 and W (1 + mu_roll) / 2, because both rests bend it together.
static void a_rod_on_rests_that_resist_rolling_has_the_range_of_its_moments(void **state)
{
    (void)state;
    PatchMade made = {.problem = {.step = 0.01,
                                  .body_count = 1,
                                  .bodies = made.bodies,
                                  .contact_count = 2,
                                  .contacts = made.contacts}};
    made.bodies[0] = (TactContactBody){
        .mass = 2, .inertia = {0.1, 1, 1}, .position = {0, 0, 0.1}, .force = {0, 0, -20}};
    for (int i = 0; i < 2; i++) {
        made.contacts[i] = (TactContact){.a = -1,
                                         .b = 0,
                                         .point = {i ? 1 : -1, 0, 0.1},
                                         .normal = {0, 0, 1},
                                         .tangent = {1, 0, 0},
                                         .mu = 0.5,
                                         .mu_roll = 0.25};
    }
    for (int c = 0; c < 2; c++) {
        TactContactCone  cone = c ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
        PatchSolved      solved;
        TactContactRange range[2];
        assert_true(patch_solve(&made.problem, cone, &solved));
        assert_int_equal(tact_contact_compute_ranges(&made.problem, cone, &solved.answer, range),
                         TACT_OK);
        for (int i = 0; i < 2; i++) {
            assert_true(range[i].exact);
            assert_true(fabs(range[i].least - 0.1 * 0.75) < 1e-9);
            assert_true(fabs(range[i].most - 0.1 * 1.25) < 1e-9);
        }
        TactContactSharing sharing;
        assert_int_equal(tact_contact_share(&made.problem, cone, 1e-8, &solved.answer, &sharing),
                         TACT_OK);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(solved.p[3 * i] - 0.1) < 1e-9 && fabs(solved.m[3 * i + 1]) < 1e-9);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The same problem in other forms

/// Shared impulses of a problem of bodies given as M and J, and as W, are those of the bodies.
static void every_form_of_a_problem_shares_alike(void **state)
{
    (void)state;
    static double M[DOF * DOF], J[PATCH_CONTACTS][6 * DOF], v[DOF], tau[DOF];
    int           compared = 0, by_W = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        PatchMade   made;
        PatchSolved bodies, other;
        patch_make(&made, seed);
        calm_down(&made);
        int    nv = 6 * made.problem.body_count, contacts = made.problem.contact_count;
        size_t n = patch_count_rows(&made.problem);
        memset(M, 0, sizeof M);
        for (int b = 0; b < made.problem.body_count; b++) {
            TactContactBody *body = &made.bodies[b];
            memset(body->omega, 0, sizeof body->omega); // no gyroscopic torque
            for (int k = 0; k < 6; k++) {
                M[(6 * b + k) * nv + 6 * b + k] = k < 3 ? body->mass : body->inertia[k - 3];
                v[6 * b + k] = k < 3 ? body->velocity[k] : 0;
                tau[6 * b + k] = k < 3 ? body->force[k] : body->torque[k - 3];
            }
        }
        for (int i = 0; i < contacts; i++) {
            made.contacts[i].restitution = 0;
            for (int r = 0; r < 6; r++) {
                Real row[DOF];
                patch_row(&made.problem, i, r, row);
                for (int j = 0; j < nv; j++) {
                    J[i][r * nv + j] = (double)row[j];
                }
            }
        }
        TactContact given[PATCH_CONTACTS];
        memcpy(given, made.contacts, sizeof given);
        for (int i = 0; i < contacts; i++) {
            given[i].J = J[i];
        }
        double *W = calloc(n * n + 1, sizeof *W), *u_free = calloc(n + 1, sizeof *u_free);
        assert_true(W && u_free);
        patch_make_delassus(&made.problem, n, W, u_free);
        TactContactProblem forms[2] = {
            {.step = made.problem.step, .nv = nv, .M = M, .v = v, .tau = tau},
            {.step = made.problem.step, .W = W, .u_free = u_free}};
        TactContactSharing one, two;
        if (patch_solve(&made.problem, TACT_CONE_CIRCLE, &bodies)) {
            PatchSolved first = bodies;
            bodies.answer.impulse = bodies.p;
            assert_int_equal(
                tact_contact_share(&made.problem, TACT_CONE_CIRCLE, 1e-8, &bodies.answer, &one),
                TACT_OK);
            for (int f = 0; f < 2 && one.outcome == TACT_SHARING_OUTCOME_FOUND; f++) {
                forms[f].contact_count = contacts;
                forms[f].contacts = given;
                other = first;
                other.answer = (TactContactAnswer){
                    .impulse = other.p, .moment = other.m, .velocity = f ? NULL : other.v};
                assert_int_equal(
                    tact_contact_share(&forms[f], TACT_CONE_CIRCLE, 1e-8, &other.answer, &two),
                    TACT_OK);
                if (two.outcome != TACT_SHARING_OUTCOME_FOUND) {
                    continue; // W in doubles is another problem where forces are redundant
                }
                double largest = 0;
                for (int k = 0; k < 3 * contacts; k++) {
                    largest = fmax(largest, fabs(bodies.p[k]));
                }
                bool same = true;
                for (int k = 0; k < 3 * contacts; k++) {
                    double unit = (double)unit_of(&made.contacts[k / 3], 3 + k % 3);
                    same = same && fabs(other.p[k] - bodies.p[k]) <= 1e-6 * largest;
                    same = same && fabs(other.m[k] - bodies.m[k]) <= 1e-6 * unit * largest;
                }
                assert_true(same);
                compared++;
                by_W += f;
            }
        }
        free(W);
        free(u_free);
    }
    print_message("%d compared, %d of them given by W\n", compared, by_W);
    assert_true(compared > 20 && by_W > 5);
}

static void what_is_missing_is_told(void **state)
{
    (void)state;
    PatchMade          made;
    PatchSolved        solved;
    TactContactSharing sharing;
    make_pinch(&made, 1);
    assert_true(patch_solve(&made.problem, TACT_CONE_CIRCLE, &solved));
    assert_int_equal(
        tact_contact_share(&made.problem, TACT_CONE_BOX, 1e-8, &solved.answer, &sharing),
        TACT_UNSUPPORTED);
    solved.m[1] = NAN;
    assert_int_equal(
        tact_contact_share(&made.problem, TACT_CONE_CIRCLE, 1e-8, &solved.answer, &sharing),
        TACT_BAD_INPUT);
    solved.answer.moment = NULL;
    assert_int_equal(
        tact_contact_share(&made.problem, TACT_CONE_CIRCLE, 1e-8, &solved.answer, &sharing),
        TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "contact 0 has mu_spin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_impulses_of_the_same_motion_have_a_smaller_norm),
        cmocka_unit_test(two_fingers_hold_a_torque_by_halves),
        cmocka_unit_test(a_rod_on_rests_that_resist_rolling_has_the_range_of_its_moments),
        cmocka_unit_test(every_form_of_a_problem_shares_alike),
        cmocka_unit_test(what_is_missing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
