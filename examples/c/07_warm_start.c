// Warm start in a loop: contacts that keep their ids start from the last answer.
#include <stdio.h>
#include <tact/contact.h>

int main(void)
{
    TactContactBody block = {.mass = 1, .inertia = {.1, .1, .1, 0, 0, 0}, .force = {1, 0, -9.81}};
    TactContact     corners[4];
    for (int i = 0; i < 4; i++) {
        corners[i] = (TactContact){.a = -1,
                                   .b = 0,
                                   .point = {i % 2 ? .1 : -.1, i / 2 ? .1 : -.1, -.1},
                                   .normal = {0, 0, 1},
                                   .mu = 0.5,
                                   .id = (uint64_t)i + 1}; // the same corner, the same id
    }
    TactContactProblem  problem = {.step = 0.01,
                                   .body_count = 1,
                                   .bodies = &block,
                                   .contact_count = 4,
                                   .contacts = corners};
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_REDUCED);
    TactContactCapacity capacity = tact_contact_get_capacity(&problem);
    TactContactSolver  *solver = NULL;
    TactStatus          status = tact_contact_solver_create(&capacity, &config, &solver);
    double              p[12], v[6];
    for (int step = 0; step < 4 && status == TACT_OK; step++) {
        TactContactReport report;
        if (step == 3) {
            tact_contact_solver_forget(solver); // as if it were the first
        }
        block.force[0] = 1 + 0.1 * step;
        status = tact_contact_solve(solver, &problem,
                                    &(TactContactAnswer){.impulse = p, .velocity = v}, &report);
        if (status == TACT_OK) {
            printf("step %d: %s in %d pivots%s\n", step, tact_contact_outcome_name(report.outcome),
                   report.pivots, step == 3 ? ", cold again" : "");
        }
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
    }
    tact_contact_solver_destroy(solver);
    return status != TACT_OK;
}
