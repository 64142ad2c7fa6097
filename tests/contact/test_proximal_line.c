// The slope along a line of motions (proximal_line.c) against the law written down in long double:
// contacts on circles and polygons, with compliance and without friction, limits and motors.
#include <math.h>
#include <stdlib.h>
#include <tact/base.h>

#include "bench/problems/contact_scenes.h"
#include "contact/proximal/proximal_internal.h"
#include "contact/scenes.h"

typedef struct Line {
    TactArena    arena;
    TactSystem   system;
    TactCoupling coupling;
    TactProximal proximal;
} Line;

static void line_begin(Line *line, const TactContactProblem *problem, TactContactCone cone)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    *line = (Line){0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            assert_int_equal(tact_arena_create(&line->arena), TACT_OK);
        }
        tact_system_layout(&line->system, &capacity, &line->arena);
        tact_coupling_layout(&line->coupling, &capacity, &line->arena);
        tact_proximal_layout(&line->proximal, &capacity, &line->arena);
    }
    assert_int_equal(tact_system_build(&line->system, problem, false), TACT_OK);
    tact_coupling_begin(&line->coupling, &line->system, problem, cone, NULL);
    assert_true(tact_proximal_begin(&line->proximal, &line->coupling));
}

/// C_i'y in long double.
static void pull_long(const TactSystem *system, int i, const double *y, long double u[3])
{
    const TactItemGroup *group = &system->groups[system->items[i].group];
    const double        *C = system->columns + system->column[i];
    for (int c = 0; c < 3; c++, C += group->size) {
        u[c] = 0;
        for (int s = 0; s < group->size; s++) {
            u[c] += (long double)C[s] * y[system->support[group->support + s]];
        }
    }
}

/// The point of the polygon with corners r d_j that is nearest to q: the nearest of its edges, or q
/// itself where that lies inside of all of them.
static void nearest_long(const TactPyramid *cone, long double r, const long double q[2],
                         long double x[2])
{
    long double best = HUGE_VALL;
    bool        inside = true;
    for (int j = 0; j < cone->count; j++) {
        const double *a = cone->direction[j], *b = cone->direction[(j + 1) % cone->count];
        long double   edge[2] = {r * (b[0] - a[0]), r * (b[1] - a[1])};
        long double   to[2] = {q[0] - r * a[0], q[1] - r * a[1]};
        long double   length2 = edge[0] * edge[0] + edge[1] * edge[1];
        long double   part = length2 > 0 ? (to[0] * edge[0] + to[1] * edge[1]) / length2 : 0;
        part = fminl(fmaxl(part, 0), 1);
        long double point[2] = {r * a[0] + part * edge[0], r * a[1] + part * edge[1]};
        long double off = hypotl(q[0] - point[0], q[1] - point[1]);
        inside = inside && edge[0] * to[1] - edge[1] * to[0] >= 0;
        if (off < best) {
            best = off;
            x[0] = point[0];
            x[1] = point[1];
        }
    }
    if (inside) {
        x[0] = q[0];
        x[1] = q[1];
    }
}

/// P(z) of the law of an item.
static void law_long(const TactItem *item, const TactPyramid *cone, const long double z[3],
                     long double x[3])
{
    x[0] = x[1] = x[2] = 0;
    if (item->kind == TACT_ITEM_MOTOR) {
        x[1] = fmaxl(-item->bound, fminl(z[1], item->bound));
        return;
    }
    x[0] = fmaxl(z[0], 0);
    long double r = cone->mu * x[0];
    if (item->kind != TACT_ITEM_CONTACT || r == 0) {
        return;
    }
    long double length = hypotl(z[1], z[2]);
    if (cone->count > 0) {
        nearest_long(cone, r, z + 1, x + 1);
        return;
    }
    for (int c = 1; c < 3; c++) {
        x[c] = length <= r ? z[c] : r * z[c] / length;
    }
}

/// dy'g at y + t dy, and the sum of the magnitudes of its terms.
static long double slope_long(const Line *line, long double t, long double *size)
{
    const TactSystem   *system = &line->system;
    const TactProximal *proximal = &line->proximal;
    long double         sum = 0;
    *size = 0;
    for (int j = 0; j < system->dof; j++) {
        long double term =
            proximal->dy[j] * ((long double)proximal->y[j] + t * proximal->dy[j] - system->y0[j]);
        sum += term;
        *size += fabsl(term);
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactProximalItem *item = &proximal->items[i];
        long double             u[3], du[3], z[3], x[3], k = item->k;
        long double             own = system->items[i].compliance;
        pull_long(system, i, proximal->y, u);
        pull_long(system, i, proximal->dy, du);
        for (int c = 0; c < 3; c++) {
            z[c] = item->centre[c] - (u[c] + system->e[3 * i + c] + t * du[c]) / k;
        }
        z[0] *= k / (k + own);
        law_long(&system->items[i], &line->coupling.cones[i], z, x);
        for (int c = 0; c < 3; c++) {
            sum -= du[c] * x[c];
            *size += fabsl(du[c] * x[c]);
        }
    }
    return sum;
}

/// A line through a motion near the free one, springs about random impulses.
static void draw_line(Line *line, TactRandom *random)
{
    const TactSystem *system = &line->system;
    TactProximal     *proximal = &line->proximal;
    for (int j = 0; j < system->dof; j++) {
        proximal->y[j] = system->y0[j] + 0.3 * tact_random_normal(random);
        proximal->dy[j] = tact_random_normal(random);
    }
    for (int i = 0; i < system->item_count; i++) {
        TactProximalItem *item = &proximal->items[i];
        item->k = pow(10, tact_random_uniform(random, -3, 0)) * line->coupling.weight[i];
        tact_system_pull(system, i, proximal->y, item->u);
        for (int c = 0; c < 3; c++) {
            item->u[c] += system->e[3 * i + c];
            item->centre[c] = tact_random_normal(random) + (c == 0);
        }
    }
}

static void check_line(const TactContactProblem *problem, TactContactCone cone, uint64_t seed)
{
    Line       line;
    TactRandom random = tact_random_seed(seed);
    line_begin(&line, problem, cone);
    for (int trial = 0; trial < 20; trial++) {
        draw_line(&line, &random);
        tact_proximal_line_begin(&line.proximal);
        for (int k = 0; k < 5; k++) {
            double      t = k == 0 ? 0 : tact_random_uniform(&random, -1, 4);
            long double size, right = slope_long(&line, t, &size);
            double      slope = tact_proximal_line_slope(&line.proximal, t);
            assert_true(fabsl(slope - right) <= 1e-12L * size);
        }
    }
    tact_arena_destroy(&line.arena);
}

static void the_slope_along_a_line_is_that_of_the_law(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const TactTree  tree = {.joints = 20, .contacts = 21, .rows = true};
        TactContactCase made;
        TactRandom      random = tact_random_seed(seed);
        assert_int_equal(tact_case_tree(&random, &tree, &made), TACT_OK);
        check_line(&made.problem, TACT_CONE_CIRCLE, seed);
        check_line(&made.problem, TACT_CONE_PYRAMID, seed);
        TactContact *contacts = (TactContact *)made.problem.contacts;
        for (int i = 0; i < made.problem.contact_count; i++) {
            contacts[i].mu = i % 3 == 0 ? 0 : contacts[i].mu;
            contacts[i].compliance = i % 4 == 0 ? 0.1 : 0;
        }
        check_line(&made.problem, TACT_CONE_CIRCLE, seed);
        check_line(&made.problem, TACT_CONE_PYRAMID, seed);
        tact_case_destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slope_along_a_line_is_that_of_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
