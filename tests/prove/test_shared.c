// Proofs of the sample problems' answers: how many of those that are solved.
#include <math.h>
#include <stdio.h>
#include <tact/prove.h>

#include "io/scratch.h"

typedef struct Count {
    int solved, proved;
} Count;

static void add_lcp(TactLcpFile *file, Count *count)
{
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    TactLcpSolver *solver = NULL;
    TactLcpProblem problem;
    TactLcpReport  report;
    assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem), TACT_OK);
    double *z = test_calloc((size_t)problem.n + 1, sizeof *z);
    assert_int_equal(tact_lcp_solver_create(problem.n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    if (report.outcome == TACT_LCP_OUTCOME_SOLVED) {
        TactProof *proof = NULL;
        assert_int_equal(tact_prove_lcp(&problem, z, NULL, &proof), TACT_OK);
        count->solved++;
        count->proved += tact_proof_view_report(proof)->proved;
        tact_proof_destroy(proof);
    }
    tact_lcp_solver_destroy(solver);
    test_free(z);
}

static void add_contact(const TactContactProblem *problem, TactContactCone cone, Count *count)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    size_t              n = 3 * (size_t)problem->contact_count;
    double             *p = test_calloc(n + (size_t)tact_contact_get_dof(problem) + 1, sizeof *p);
    TactContactAnswer   answer = {.impulse = p, .velocity = p + n};
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    if (report.outcome == TACT_OUTCOME_SOLVED) {
        TactProof *proof = NULL;
        assert_int_equal(tact_prove_contact(problem, cone, &answer, NULL, &proof), TACT_OK);
        count->solved++;
        count->proved += tact_proof_view_report(proof)->proved;
        // Not proved is an answer only with its reason.
        assert_true(tact_proof_view_report(proof)->proved ||
                    tact_proof_view_report(proof)->why[0] != '\0');
        tact_proof_destroy(proof);
    }
    tact_contact_solver_destroy(solver);
    test_free(p);
}

static void add_file(const char *folder, const char *name, TactContactCone cone, Count *count)
{
    TactLcpFile     *lcp = NULL;
    TactContactFile *contact = NULL;
    char             path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(tact_problem_read(path, &lcp, &contact), TACT_OK);
    if (lcp) {
        add_lcp(lcp, count);
    } else {
        add_contact(&contact->problem, cone, count);
    }
    tact_lcp_file_destroy(lcp);
    tact_contact_file_destroy(contact);
}

static void answers_of_the_sample_lcps_are_proved(void **state)
{
    (void)state;
    static const char *const names[] = {
        "lcp/lcp_CPS_1.dat",
        "lcp/lcp_CPS_2.dat",
        "lcp/lcp_CPS_4.dat",
        "lcp/lcp_CPS_5.dat",
        "lcp/lcp_deudeu.dat",
        "lcp/lcp_exp_murty.dat",
        "lcp/lcp_mmc.dat",
        "lcp/lcp_ortiz.dat",
        "lcp/lcp_tobenna.dat",
        "lcp/lcp_trivial.dat",
        "lcp/lcp_Pang_isolated_sol.dat",
        "mlcp/BuckConverter_mlcp.dat",
        "mlcp/PDSym_mlcp.dat",
        "mlcp/PD_mlcp.dat",
        "mlcp/RLCD_mlcp.dat",
        "mlcp/deudeu_mlcp.dat",
        "mlcp/diodeBridge_mlcp.dat",
        "mlcp/m2n1_mlcp.dat",
        "mlcp/m3n2_mlcp.dat",
    };
    const char *folder = tact_scratch_shared();
    Count       count = {0, 0};
    for (size_t i = 0; folder && i < sizeof names / sizeof names[0]; i++) {
        add_file(folder, names[i], TACT_CONE_PYRAMID, &count);
    }
    print_message("LCPs: %d of %d solved answers are proved\n", count.proved, count.solved);
    assert_true(!folder || (count.solved >= 18 && count.proved >= 0.95 * count.solved));
}

static void
answers_of_the_sample_contact_problems_without_redundant_contacts_are_proved(void **state)
{
    (void)state;
    static const char *const names[] = {
        "friction/FC3D_Example1.dat",
        "friction/Rover1039.dat",
        "friction/Rover1040.dat",
        "friction/Rover1041.dat",
        "friction/Confeti-ex03-Fc3D-SBM.dat",
    };
    const char *folder = tact_scratch_shared();
    for (int cone = TACT_CONE_PYRAMID; cone <= TACT_CONE_CIRCLE; cone++) {
        Count count = {0, 0};
        for (size_t i = 0; folder && i < sizeof names / sizeof names[0]; i++) {
            add_file(folder, names[i], (TactContactCone)cone, &count);
        }
        print_message("%s: %d of %d solved answers are proved\n",
                      cone == TACT_CONE_CIRCLE ? "circle" : "pyramid", count.proved, count.solved);
        assert_true(!folder || (count.solved >= 4 && count.proved >= 0.95 * count.solved));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_the_sample_lcps_are_proved),
        cmocka_unit_test(
            answers_of_the_sample_contact_problems_without_redundant_contacts_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
