// A problem made ready for the method for piles, without a ladder around it.
#ifndef TESTS_CONTACT_PILE_OWN_H
#define TESTS_CONTACT_PILE_OWN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "contact/pile/pile.h"
#include "oracle/contact_law.h"

typedef struct Own {
    TactArena      arena;
    TactSystem     system;
    TactCoupling   coupling;
    TactProximal   proximal;
    TactPileSolver pile;
    double        *p, *motion;
    double        *start; // impulses that a test comes back to                    (3 items)
} Own;

static inline void own_begin(Own *own, const TactContactProblem *problem, TactContactCone cone)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    size_t              items = (size_t)capacity.contacts + (size_t)capacity.rows;
    *own = (Own){0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            assert_int_equal(tact_arena_create(&own->arena), TACT_OK);
        }
        tact_system_layout(&own->system, &capacity, &own->arena);
        tact_coupling_layout(&own->coupling, &capacity, &own->arena);
        tact_proximal_layout(&own->proximal, &capacity, &own->arena);
        tact_pile_layout(&own->pile, &capacity, &own->arena);
        own->p = tact_arena_take(&own->arena, 3 * items, sizeof(double));
        own->start = tact_arena_take(&own->arena, 3 * items, sizeof(double));
        own->motion = tact_arena_take(&own->arena, items, sizeof(double));
    }
    assert_int_equal(tact_system_build(&own->system, problem, false), TACT_OK);
    tact_coupling_begin(&own->coupling, &own->system, problem, cone, own->motion);
    assert_true(tact_proximal_begin(&own->proximal, &own->coupling));
}

/// How far impulses are from P(p^ - u / k) of their own motion, k of springs of eps, over the
/// largest of them: by the law alone.                                   centre, impulses: (3 items)
static inline double own_off_root(Own *own, double eps, const double *centre,
                                  const double *impulses)
{
    const TactSystem *system = &own->system;
    double            off = 0, largest = 0;
    tact_coupling_set(&own->coupling, impulses);
    for (int i = 0; i < system->item_count; i++) {
        const double *p = impulses + 3 * i;
        double        u[3], z[3], k = eps * own->coupling.weight[i];
        tact_system_pull(system, i, own->coupling.y, u);
        for (int c = 0; c < 3; c++) {
            z[c] = centre[3 * i + c] - (u[c] + system->e[3 * i + c]) / k;
        }
        double n = fmax(z[0], 0), length = hypot(z[1], z[2]);
        double part = length > 0 ? fmin(1, own->coupling.cones[i].mu * n / length) : 1;
        off = fmax(off, fabs(p[0] - n));
        off = fmax(off, hypot(p[1] - part * z[1], p[2] - part * z[2]));
        largest = fmax(largest, p[0]);
    }
    return off / largest;
}

/// p is right in long double, from the raw problem.                              p: (3 items)
static inline void assert_right(const Own *own, const TactContactProblem *problem,
                                TactContactCone cone, const double *p)
{
    TactContactAnswer answer = {
        .impulse = calloc(3 * (size_t)problem->contact_count + 1, sizeof(double)),
        .row_impulse = calloc((size_t)problem->row_count + 1, sizeof(double)),
        .velocity = calloc((size_t)tact_contact_get_dof(problem) + 1, sizeof(double)),
    };
    TactOracleContact oracle;
    assert_true(answer.impulse && answer.row_impulse && answer.velocity);
    tact_system_answer(&own->system, problem, p, &answer);
    assert_true(tact_oracle_contact_begin(&oracle, problem));
    TactOracleVerdict verdict = tact_oracle_contact_check(&oracle, cone, answer.impulse,
                                                          answer.row_impulse, answer.velocity);
    tact_oracle_contact_end(&oracle);
    assert_true(verdict.law <= 1e-8);
    assert_true(verdict.motion <= 1e-8);
    free(answer.impulse);
    free(answer.row_impulse);
    free(answer.velocity);
}

#endif
