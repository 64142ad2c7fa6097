// Any JSON problem, solved: what is called solved makes no energy.
//
// The oracle knows no solver and no certificate. From the raw problem, in long double: v+ = v_free
// + M^-1 J'p, and what contacts and rows add to the energy of the free motion,
//
//     dE = 1/2 v+'M v+ - 1/2 v_free'M v_free = sum_r p_r (u_r(v_free) + u_r(v+)) / 2,
//
// is at most what the problem itself lets them give: bias and restitution times normal impulses,
// running surfaces times friction, and the targets of rows.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tact/io.h>

#include "oracle/contact_law.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CONTACTS = 16, MOST_ROWS = 16, MOST_DOF = 60 };

typedef long double Real;

// Of all that adds up to dE: what 'solved' (1e-8 of an island's energy) may leave, and rounding.
static const Real FINE = 1e-6L;

static Real dot(int n, const Real *a, const Real *b)
{
    Real sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// What the impulse of a row of the oracle may give per N s, m/s or rad/s.
static Real given(const TactOracleContact *oracle, int r)
{
    const TactContactProblem *problem = oracle->problem;
    int                       contacts = problem->contact_count;
    if (r >= 3 * contacts) {
        const TactContactRow *row = &problem->rows[r - 3 * contacts];
        return fabsl((Real)row->target - (Real)row->zeta * (Real)row->error / (Real)problem->step);
    }
    const TactContact *contact = &problem->contacts[r / 3];
    return r % 3 == 0 ? fabsl(oracle->added[r / 3]) : fabsl((Real)contact->surface[r % 3 - 1]);
}

typedef struct Energy {
    Real made;    // dE
    Real allowed; // that the problem itself gives
    Real size;    // of all terms
} Energy;

static Energy balance(const TactOracleContact *oracle, const double *p, const double *row_p)
{
    int    contacts = oracle->problem->contact_count, nv = oracle->nv;
    Real   v[MOST_DOF];
    Energy energy = {0, 0, 0};
    for (int k = 0; k < nv; k++) {
        v[k] = oracle->v_free[k];
    }
    for (int r = 0; r < oracle->rows; r++) {
        Real impulse = r < 3 * contacts ? (Real)p[r] : (Real)row_p[r - 3 * contacts];
        for (int k = 0; k < nv; k++) {
            v[k] += impulse * oracle->Y[(size_t)r * (size_t)nv + (size_t)k];
        }
    }
    for (int r = 0; r < oracle->rows; r++) {
        Real        impulse = r < 3 * contacts ? (Real)p[r] : (Real)row_p[r - 3 * contacts];
        const Real *J = oracle->J + (size_t)r * (size_t)nv;
        Real        before = dot(nv, J, oracle->v_free), after = dot(nv, J, v);
        energy.made += impulse * (before + after) / 2;
        energy.allowed += fabsl(impulse) * given(oracle, r);
        energy.size += fabsl(impulse) * (fabsl(before) + fabsl(after));
    }
    return energy;
}

static void solve(TactOracleContact *oracle, TactContactCone cone)
{
    const TactContactProblem *problem = oracle->problem;
    TactContactConfig         config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity       capacity = tact_contact_get_capacity(problem);
    TactContactSolver        *solver = NULL;
    TactContactReport         report;
    double                    p[3 * MOST_CONTACTS] = {0}, row_p[MOST_ROWS] = {0};
    config.cone = cone;
    config.max_work = 3e7; // nothing takes long
    if (tact_contact_solver_create(&capacity, &config, &solver) != TACT_OK) {
        abort();
    }
    TactStatus status = tact_contact_solve(
        solver, problem, &(TactContactAnswer){.impulse = p, .row_impulse = row_p}, &report);
    tact_contact_solver_destroy(solver);
    if (status != TACT_OK || report.outcome != TACT_OUTCOME_SOLVED) {
        return;
    }
    Energy energy = balance(oracle, p, row_p);
    if (!(energy.made <= energy.allowed + FINE * energy.size)) {
        fprintf(stderr, "called solved (error %.1e), and makes %.3Le J; %.3Le may be, of %.3Le\n",
                report.certificate.error, energy.made, energy.allowed, energy.size);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactContactFile  *file = NULL;
    TactOracleContact oracle;
    if (tact_contact_read_memory("fuzz", (const char *)data, size, &file) != TACT_OK) {
        return 0;
    }
    const TactContactProblem *problem = &file->problem;
    bool small = problem->contact_count <= MOST_CONTACTS && problem->row_count <= MOST_ROWS &&
                 tact_contact_get_dof(problem) <= MOST_DOF;
    if (small && !problem->W && problem->level == TACT_LEVEL_VELOCITY) {
        if (tact_oracle_contact_begin(&oracle, problem)) {
            solve(&oracle, TACT_CONE_CIRCLE);
            solve(&oracle, TACT_CONE_PYRAMID);
        }
        tact_oracle_contact_end(&oracle);
    }
    tact_contact_file_destroy(file);
    return 0;
}
