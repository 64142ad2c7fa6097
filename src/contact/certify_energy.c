// Energy of an answer, island by island (14): what it has, what it gains beyond what bias, belts,
// motors and targets give, and how much single contacts do against their laws.
//
// An island is what impulses couple. A body that flies past belongs to no other's island, and its
// speed excuses nobody.
#include <math.h>

#include "base/larger.h"
#include "contact/certify.h"
#include "contact/impulse.h"

// ---------------------------------------------------------------------------------------------
// Islands

/// The least index of a body's island; paths are halved.
static int find_island(TactCertifyBody *bodies, int k)
{
    while (bodies[k].island != k) {
        bodies[k].island = bodies[bodies[k].island].island;
        k = bodies[k].island;
    }
    return k;
}

static void unite(TactCertifyBody *bodies, int a, int b)
{
    if (a >= 0 && b >= 0) {
        int i = find_island(bodies, a), j = find_island(bodies, b);
        bodies[i > j ? i : j].island = i < j ? i : j;
    }
}

void tact_certify_couple(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    TactCertifyBody          *bodies = certifier->bodies;
    int                       count = problem->bodies ? problem->body_count : 1;
    for (int k = 0; k < count; k++) {
        certifier->islands[k] = (TactCertifyIsland){.worst = -1};
    }
    if (!problem->bodies) {
        return;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_has_impulse(input->impulse + 3 * (size_t)i)) {
            unite(bodies, problem->contacts[i].a, problem->contacts[i].b);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        if (input->row_impulse[i] != 0) {
            unite(bodies, problem->rows[i].a, problem->rows[i].b);
        }
    }
    for (int k = 0; k < count; k++) {
        bodies[k].island = find_island(bodies, k);
    }
}

void tact_certify_sides(const TactCertifyInput *input, int index, int sides[2])
{
    const TactContactProblem *problem = input->problem;
    sides[0] = sides[1] = 0;
    if (!problem->bodies) {
        return;
    }
    if (index < problem->contact_count) {
        sides[0] = problem->contacts[index].a;
        sides[1] = problem->contacts[index].b;
    } else {
        sides[0] = problem->rows[index - problem->contact_count].a;
        sides[1] = problem->rows[index - problem->contact_count].b;
    }
}

/// The island of a contact or row with an impulse; NULL: it moves nothing.
static TactCertifyIsland *island_of(const TactCertifier *certifier, const TactCertifyInput *input,
                                    int index)
{
    int sides[2];
    tact_certify_sides(input, index, sides);
    int side = sides[0] >= 0 ? sides[0] : sides[1];
    int k = side >= 0 && input->problem->bodies ? certifier->bodies[side].island : side;
    return k >= 0 ? &certifier->islands[k] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Motion

void tact_certify_note(TactCertifier *certifier, const TactCertifyInput *input, int index,
                       double motion)
{
    int kind = index < input->problem->contact_count ? TACT_CERTIFY_CONTACTS : TACT_CERTIFY_ROWS;
    int sides[2];
    tact_certify_sides(input, index, sides);
    for (int side = 0; side < 2; side++) {
        int k = sides[side];
        if (k >= 0 && input->problem->bodies) {
            TactCertifyBody *body = &certifier->bodies[k];
            body->motion[kind] = tact_larger(body->motion[kind], motion);
            k = body->island;
        }
        if (k >= 0) {
            double *most = &certifier->islands[k].motion[kind];
            *most = tact_larger(*most, motion);
        }
    }
}

void tact_certify_bounds(const TactCertifier *certifier, const TactCertifyInput *input, int index,
                         double *least, double *most)
{
    int kind = index < input->problem->contact_count ? TACT_CERTIFY_CONTACTS : TACT_CERTIFY_ROWS;
    int sides[2];
    tact_certify_sides(input, index, sides);
    *least = *most = 0;
    for (int side = 0; side < 2; side++) {
        int    k = sides[side];
        double near = 0;
        if (k >= 0 && input->problem->bodies) {
            near = certifier->bodies[k].motion[kind];
            k = certifier->bodies[k].island;
        } else if (k >= 0) {
            near = certifier->islands[k].motion[kind];
        }
        *least = tact_larger(*least, near);
        *most = k >= 0 ? tact_larger(*most, certifier->islands[k].motion[kind]) : *most;
    }
    *least *= TACT_CERTIFY_ROUNDING;
    *most *= TACT_CERTIFY_AMPLIFY;
}

// ---------------------------------------------------------------------------------------------
// Energy

void tact_certify_energy(TactCertifier *certifier, const TactCertifyInput *input, int index,
                         double gap, double given)
{
    TactCertifyIsland *island = island_of(certifier, input, index);
    if (!island) {
        return;
    }
    if (!(gap <= island->gap) || island->worst < 0) { // also NaN
        island->gap = gap;
        island->worst = index;
    }
    island->energy += fabs(given);
    island->created -= given;
}

static void raise(TactContactCertificate *out, double error, int index, TactContactLaw law)
{
    if (!(error <= out->error)) {
        tact_certify_raise(error, index, &out->error, &out->worst);
        out->law = law;
    }
}

void tact_certify_judge_energy(const TactCertifier *certifier, const TactCertifyInput *input,
                               TactContactCertificate *out)
{
    const TactContactProblem *problem = input->problem;
    int                       count = problem->bodies ? problem->body_count : 1;
    if (problem->level != TACT_CONTACT_VELOCITY) {
        return; // forces and accelerations have no energy
    }
    for (int k = 0; k < count; k++) {
        TactCertifyIsland island = certifier->islands[k];
        if (problem->W) {
            // 1/2 v+'M v+ - 1/2 v_free'M v_free = 1/2 p'(u_free + u), and W gives no more.
            island.created += 0.5 * (island.power[0] + island.power[1]);
            island.energy += fabs(island.power[0]) + fabs(island.power[1] - island.power[0]);
        }
        int at =
            island.worst >= 0 ? island.worst : problem->contact_count + problem->row_count + 6 * k;
        if (!isfinite(island.energy) || !isfinite(island.gap)) {
            raise(out, HUGE_VAL, at, TACT_CONTACT_LAW_ENERGY);
            continue;
        }
        out->energy_created = tact_larger(out->energy_created, island.created);
        if (island.created > 0) {
            raise(out, island.created / island.energy, at, TACT_CONTACT_LAW_ENERGY);
        }
        if (island.gap > 0) {
            double part = island.gap / (TACT_CERTIFY_GAP * island.energy);
            raise(out, part, at, TACT_CONTACT_LAW_WORK);
        }
    }
}
