// Hello, LCP: find z >= 0 with w = M z + q >= 0 and z'w = 0; the answer is proven.
#include <stdio.h>
#include <tact/lcp.h>

int main(void)
{
    const double   M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    TactLcpSolver *solver = NULL;
    TactLcpReport  report;
    double         z[2];

    TactStatus status = tact_lcp_solver_create(2, &config, &solver);
    if (status == TACT_OK) {
        status = tact_lcp_solve(solver, &problem, z, &report);
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
        return 1;
    }
    printf("%s: z = %.6f %.6f, %d pivots\n", tact_lcp_outcome_name(report.outcome), z[0], z[1],
           report.pivots);
    printf("error below 1e-12: %s\n", report.certificate.error < 1e-12 ? "yes" : "no");
    tact_lcp_solver_destroy(solver);
    return 0;
}
