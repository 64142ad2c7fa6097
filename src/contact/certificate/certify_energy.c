// Energy of an answer, island by island (14): what it has, what it gains beyond what bias, belts,
// motors and targets give, and how much single contacts do against their laws.
//
// An island is what impulses couple. A body that flies past belongs to no other's island, and its
// speed excuses nobody.
#include <math.h>

#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/problem/problem.h"

// ---------------------------------------------------------------------------------------------
// Islands

/// The least index of an island; paths are halved.
static int find_island(int *label, int k)
{
    while (label[k] != k) {
        label[k] = label[label[k]];
        k = label[k];
    }
    return k;
}

static void unite(int *label, int a, int b)
{
    if (a >= 0 && b >= 0) {
        int i = find_island(label, a), j = find_island(label, b);
        label[i > j ? i : j] = i < j ? i : j;
    }
}

static void couple_bodies(int *label, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_has_impulse(input->impulse + 3 * (size_t)i)) {
            unite(label, problem->contacts[i].a, problem->contacts[i].b);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        if (input->row_impulse[i] != 0) {
            unite(label, problem->rows[i].a, problem->rows[i].b);
        }
    }
}

/// The same by blocks.
static void couple_blocks(int *label, const TactCertifyInput *input)
{
    const TactContactBlocks *blocks = input->problem->blocks;
    for (int i = 0; i < input->problem->contact_count; i++) {
        bool loaded = tact_contact_has_impulse(input->impulse + 3 * (size_t)i);
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1] && blocks->column[k] < i; k++) {
            int    j = blocks->column[k];
            double sum = 0;
            for (size_t e = 9 * k; e < 9 * k + 9; e++) {
                sum += fabs(blocks->value[e]);
            }
            if (sum != 0 && (loaded || tact_contact_has_impulse(input->impulse + 3 * (size_t)j))) {
                unite(label, i, j);
            }
        }
    }
}

/// Contacts that W couples, at least one of them with an impulse.
static void couple_delassus(int *label, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    size_t                    n = 3 * (size_t)problem->contact_count;
    for (int i = 0; i < problem->contact_count; i++) {
        const double *row = problem->W + 3 * (size_t)i * n;
        bool          loaded = tact_contact_has_impulse(input->impulse + 3 * (size_t)i);
        for (int j = 0; j < i; j++) {
            bool coupled = loaded || tact_contact_has_impulse(input->impulse + 3 * (size_t)j);
            for (size_t k = 0; k < 9 && coupled && label[i] != label[j]; k++) {
                if (row[k / 3 * n + 3 * (size_t)j + k % 3] != 0) {
                    unite(label, i, j);
                }
            }
        }
    }
}

void tact_certify_couple(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    int                       count = tact_contact_has_W(problem) ? problem->contact_count
                                      : problem->M                ? 1
                                                                  : problem->body_count;
    for (int k = 0; k < count; k++) {
        certifier->islands[k] = (TactCertifyIsland){.worst = -1};
        certifier->label[k] = k;
    }
    if (problem->blocks) {
        couple_blocks(certifier->label, input);
    } else if (problem->W) {
        couple_delassus(certifier->label, input);
    } else if (problem->bodies) {
        couple_bodies(certifier->label, input);
    }
    for (int k = 0; k < count; k++) {
        certifier->label[k] = find_island(certifier->label, k);
    }
}

void tact_certify_sides(const TactCertifyInput *input, int index, int sides[2])
{
    const TactContactProblem *problem = input->problem;
    if (tact_contact_has_W(problem)) {
        sides[0] = sides[1] = index;
    } else if (problem->M) {
        sides[0] = sides[1] = 0;
    } else if (index < problem->contact_count) {
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
    return side >= 0 ? &certifier->islands[certifier->label[side]] : NULL;
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
        if (sides[side] >= 0) {
            double *most = &certifier->islands[certifier->label[sides[side]]].motion[kind];
            *most = tact_larger(*most, motion);
        }
        if (sides[side] >= 0 && input->problem->bodies) {
            double *near = &certifier->bodies[sides[side]].motion[kind];
            *near = tact_larger(*near, motion);
        }
    }
}

/// Radius of gyration of a body, at most.
static double radius_of(const TactContactBody *body)
{
    return sqrt((body->inertia[0] + body->inertia[1] + body->inertia[2]) / body->mass);
}

/// What the bodies of an island bring with them moves an item whose own bodies are at rest: as fast
/// as the fastest of them, in the units of the item. Where nothing of its kind moves by itself.
static double motion_by_others(const TactCertifier *certifier, const TactCertifyInput *input,
                               int index, const int sides[2])
{
    const TactContactProblem *problem = input->problem;
    double                    fastest = 0, item = 0;
    int                       island = certifier->label[sides[0] >= 0 ? sides[0] : sides[1]];
    for (int k = 0; k < problem->body_count; k++) {
        const TactCertifyBody *body = &certifier->bodies[k];
        if (certifier->label[k] == island) {
            double turning = body->free_twist + body->given_spin;
            fastest = tact_larger(fastest, body->free_push + body->given_speed +
                                               turning * radius_of(&problem->bodies[k]));
        }
    }
    if (index < problem->contact_count) {
        return fastest;
    }
    const TactContactRow *row = &problem->rows[index - problem->contact_count];
    for (int side = 0; side < 2; side++) {
        const double *J = side == 0 ? row->J_a : row->J_b;
        if (sides[side] >= 0) {
            double l = sqrt(J[0] * J[0] + J[1] * J[1] + J[2] * J[2]);
            double a = sqrt(J[3] * J[3] + J[4] * J[4] + J[5] * J[5]);
            item = tact_larger(item, l + a / radius_of(&problem->bodies[sides[side]]));
        }
    }
    return fastest * item;
}

void tact_certify_bounds(const TactCertifier *certifier, const TactCertifyInput *input, int index,
                         double *least, double *most)
{
    int kind = index < input->problem->contact_count ? TACT_CERTIFY_CONTACTS : TACT_CERTIFY_ROWS;
    int sides[2];
    tact_certify_sides(input, index, sides);
    *least = *most = 0;
    for (int side = 0; side < 2; side++) {
        int k = sides[side];
        if (k >= 0) {
            double all = certifier->islands[certifier->label[k]].motion[kind];
            double near = input->problem->bodies ? certifier->bodies[k].motion[kind] : all;
            *least = tact_larger(*least, near);
            *most = tact_larger(*most, all);
        }
    }
    if (*most == 0 && input->problem->bodies && (sides[0] >= 0 || sides[1] >= 0)) {
        *least = *most = motion_by_others(certifier, input, index, sides);
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
    int                       count = tact_contact_has_W(problem) ? problem->contact_count
                                      : problem->M                ? 1
                                                                  : problem->body_count;
    if (problem->level != TACT_LEVEL_VELOCITY) {
        return; // forces and accelerations have no energy
    }
    for (int k = 0; k < count; k++) {
        TactCertifyIsland island = certifier->islands[k];
        if (tact_contact_has_W(problem)) {
            // 1/2 v+'M v+ - 1/2 v_free'M v_free = 1/2 p'(u_free + u), and W gives no more.
            island.created += 0.5 * (island.power[0] + island.power[1]);
            island.energy += fabs(island.power[0]) + fabs(island.power[1] - island.power[0]);
        }
        int at =
            island.worst >= 0 ? island.worst : problem->contact_count + problem->row_count + 6 * k;
        if (!isfinite(island.energy) || !isfinite(island.gap)) {
            raise(out, HUGE_VAL, at, TACT_LAW_ENERGY);
            continue;
        }
        out->energy_created = tact_larger(out->energy_created, island.created);
        if (island.created > 0) {
            raise(out, island.created / island.energy, at, TACT_LAW_ENERGY);
        }
        if (island.gap > 0) {
            double part = island.gap / (TACT_CERTIFY_GAP * island.energy);
            raise(out, part, at, TACT_LAW_WORK);
        }
    }
}
