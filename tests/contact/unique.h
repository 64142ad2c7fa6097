// The impulses of a small contact problem, where all its complementary bases lead to one answer.
#ifndef TESTS_CONTACT_UNIQUE_H
#define TESTS_CONTACT_UNIQUE_H

#include "systems.h"
// clang-format off
#include "contact/assembled/assemble.h"
#include "lcp/enumerate/enumerate.h"
// clang-format on

enum { UNIQUE_MAX_CONTACTS = TACT_LCP_ENUMERATE_MAX };

typedef struct UniqueSearch {
    const TactAssembleMap *map;
    double                 scale; // max |q|
    int                    found;
    bool                   several;
    double                 p[3 * UNIQUE_MAX_CONTACTS]; // of the items
} UniqueSearch;

/// Points of a singular basis that differ in lambda alone have the same impulses: lambda is basic
/// and none of its directions is, so that its column is 0.
static inline bool unique_is_lambda_alone(const TactAssembleMap   *map,
                                          const TactLcpBasisPoint *point)
{
    int loose = 0;
    for (int i = 0; i < map->system->item_count; i++) {
        const TactAssemblePlace *place = &map->places[i];
        bool alone = place->lambda >= 0 && point->basis[place->lambda] == TACT_LCP_STATE_BASIC;
        for (int k = 0; alone && k < place->directions; k++) {
            alone = point->basis[place->phi + k] != TACT_LCP_STATE_BASIC;
        }
        loose += alone;
    }
    return point->nullity == loose;
}

static inline bool unique_visit(void *context, const TactLcpBasisPoint *point)
{
    UniqueSearch *search = context;
    double        p[3 * UNIQUE_MAX_CONTACTS] = {0};
    int           n = 3 * search->map->system->item_count;
    double        apart = 0, size = 0;
    // A basis of a whole family of points, or a point that is nearly a solution: who knows.
    if (!unique_is_lambda_alone(search->map, point) || point->error > 1e-12 * search->scale) {
        search->several = search->several || point->error <= 1e-8 * search->scale;
        return !search->several;
    }
    tact_assemble_impulse(search->map, point->z, p);
    for (int i = 0; i < n; i++) {
        apart = fmax(apart, fabs(p[i] - search->p[i]));
        size = fmax(size, fabs(p[i]));
    }
    search->several = search->several || (search->found > 0 && apart > 1e-9 * size);
    if (search->found++ == 0) {
        memcpy(search->p, p, sizeof p);
    }
    return !search->several;
}

/// True: the problem has exactly one answer, written to impulse (3 contacts). With more than
/// TACT_LCP_ENUMERATE_MAX unknowns, false.
static inline bool unique_find(const TactContactProblem *problem, TactContactCone cone,
                               double *impulse)
{
    OwnedSystem       owned;
    TactAssemblePlace places[UNIQUE_MAX_CONTACTS];
    TactAssembleMap   map = {.places = places};
    double            A[TACT_LCP_ENUMERATE_MAX * TACT_LCP_ENUMERATE_MAX];
    double            q[TACT_LCP_ENUMERATE_MAX];
    if (problem->contact_count + problem->row_count > UNIQUE_MAX_CONTACTS) {
        return false;
    }
    system_create(&owned, problem);
    tact_assemble_number(&map, &owned.system, problem, cone);
    UniqueSearch search = {.map = &map};
    bool         unique = false;
    if (map.n <= TACT_LCP_ENUMERATE_MAX) {
        tact_assemble_lcp(&map, A, q);
        for (int i = 0; i < map.n; i++) {
            search.scale = fmax(search.scale, fabs(q[i]));
        }
        TactLcpProblem     lcp = {.n = map.n, .M = A, .q = q};
        TactLcpEnumeration enumeration;
        TactStatus status = tact_lcp_enumerate_all(&lcp, unique_visit, &search, &enumeration);
        unique = status == TACT_OK && enumeration.open == 0 && search.found > 0 && !search.several;
    }
    for (int i = 0; i < owned.system.item_count && unique; i++) {
        const TactItem *item = &owned.system.items[i];
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(impulse + 3 * item->source, search.p + 3 * i, 3 * sizeof(double));
        }
    }
    system_destroy(&owned);
    return unique;
}

#endif
