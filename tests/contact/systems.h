// A whitened system of a problem, with its memory, for the tests of what works on systems.
#ifndef TESTS_CONTACT_SYSTEMS_H
#define TESTS_CONTACT_SYSTEMS_H

#include "scenes.h"
// clang-format off
#include "contact/system/system.h"
// clang-format on

typedef struct OwnedSystem {
    TactSystem system;
    TactArena  arena;
} OwnedSystem;

static inline void system_create(OwnedSystem *owned, const TactContactProblem *problem)
{
    *owned = (OwnedSystem){0};
    TactStatus          status = tact_contact_check(problem);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    tact_system_layout(&owned->system, &capacity, &owned->arena);
    if (status == TACT_OK) {
        status = tact_arena_create(&owned->arena);
        tact_system_layout(&owned->system, &capacity, &owned->arena);
    }
    if (status == TACT_OK) {
        status = tact_system_build(&owned->system, problem, false);
    }
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
}

static inline void system_destroy(OwnedSystem *owned)
{
    tact_arena_destroy(&owned->arena);
}

/// Certificate of impulses of the items: the answer written by the system, judged from the raw
/// problem.
static inline TactContactCertificate system_certify(const OwnedSystem        *owned,
                                                    const TactContactProblem *problem,
                                                    TactContactCone cone, const double *p)
{
    double            impulse[3 * SCENE_CONTACTS], rows[SCENE_ROWS], velocity[6 * SCENE_BODIES];
    TactContactAnswer answer = {.impulse = impulse, .row_impulse = rows, .velocity = velocity};
    TactContactCertificate c;
    tact_system_answer(&owned->system, problem, p, &answer);
    assert_int_equal(tact_contact_certify(problem, cone, impulse, rows, velocity, &c), TACT_OK);
    return c;
}

#endif
