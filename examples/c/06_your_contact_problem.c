// Your simulator's contact problem: you have M, v, tau and the Jacobians, tact the impulses.
// Here a bead of 2 kg in the plane, thrown along a floor: M (v+ - v) = h tau + J' p.
#include <stdio.h>
#include <tact/contact.h>

int main(void)
{
    enum { NV = 3 };
    const double M[NV * NV] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    const double v[NV] = {1, 0.5, 0}, tau[NV] = {0, 0, -2 * 9.81};
    const double J[3 * NV] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; // rows: normal, tangent 1, tangent 2

    TactContact        contact = {.J = J, .mu = 0.5};
    TactContactProblem problem = {.step = 0.01,
                                  .nv = NV,
                                  .M = M,
                                  .v = v,
                                  .tau = tau,
                                  .contact_count = 1,
                                  .contacts = &contact};
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    double              p[3], next[NV];
    config.cone = TACT_CONE_CIRCLE; // the true Coulomb cone

    TactStatus status = tact_contact_check(&problem);
    if (status == TACT_OK) {
        status = tact_contact_solver_create(&capacity, &config, &solver);
    }
    if (status == TACT_OK) {
        TactContactAnswer answer = {.impulse = p, .velocity = next};
        status = tact_contact_solve(solver, &problem, &answer, &report);
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
        return 1;
    }
    printf("%s: impulse %.6f %.6f %.6f N s\n", tact_contact_outcome_name(report.outcome), p[0],
           p[1], p[2]);
    printf("velocity after the step: %.6f %.6f %.6f m/s\n", next[0], next[1], next[2] + 0.0);
    printf("error below 1e-10: %s\n", report.certificate.error < 1e-10 ? "yes" : "no");
    tact_contact_solver_destroy(solver);
    return 0;
}
