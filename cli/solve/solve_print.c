// What `tact solve` prints for people.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"

enum { MOST_SHOWN = 20 };     // unknowns of a solution that is printed
enum { MOST_FACTORED = 500 }; // unknowns of a matrix that is tested for definiteness

static const char *colour(TactCliColour which)
{
    return tact_cli_colour(stdout, which);
}

// ---------------------------------------------------------------------------------------------
// Table

void tact_solve_print_number(double x)
{
    if (x == 0) {
        printf("  %9s", "0");
    } else {
        printf("  %9.2e", x);
    }
}

void tact_solve_print_time(double seconds)
{
    double us = seconds * 1e6;
    printf("  %10.*f", us < 100 ? 2 : us < 10000 ? 1 : 0, us);
}

void tact_solve_print_refusal(const TactSolveResult *result)
{
    printf("  %-10s  %s%-10s  %s%s\n", result->name, colour(TACT_DIM),
           result->status == TACT_UNSUPPORTED ? "refused" : "failed", result->reason,
           colour(TACT_PLAIN));
}

static void print_row(const TactSolveResult *result)
{
    if (result->status != TACT_OK) {
        tact_solve_print_refusal(result);
        return;
    }
    const TactLcpReport *report = &result->report;
    printf("  %-10s  %s%-10s%s", result->name, colour(result->solved ? TACT_GREEN : TACT_RED),
           tact_solve_outcome(result, tact_lcp_outcome_name(report->outcome)), colour(TACT_PLAIN));
    tact_solve_print_number(report->certificate.residual);
    printf("  %6d  %10d", report->pivots, report->iterations);
    tact_solve_print_time(result->time);
    printf("%s\n", result->storage == TACT_LCP_STORAGE_SPARSE ? "  sparse" : "");
}

/// What an outcome other than solved means.
static const char *explain_lcp_outcome(TactLcpOutcome outcome)
{
    switch (outcome) {
    case TACT_LCP_OUTCOME_SOLVED: return "";
    case TACT_LCP_OUTCOME_UNVERIFIED: return "an answer that its certificate does not confirm";
    case TACT_LCP_OUTCOME_RAY: return "there is no solution, or none that this method can reach";
    case TACT_LCP_OUTCOME_LIMIT: return "out of pivots, nodes or sweeps";
    case TACT_LCP_OUTCOME_CYCLE: return "a basis came back";
    case TACT_LCP_OUTCOME_SINGULAR: return "a matrix that must be inverted is singular";
    }
    return "";
}

static void print_explanations(const TactSolveProblem *problem)
{
    bool said[TACT_LCP_OUTCOME_SINGULAR + 1] = {false};
    for (int i = 0; i < problem->result_count; i++) {
        TactLcpOutcome outcome = problem->results[i].report.outcome;
        if (problem->results[i].status == TACT_OK && outcome != TACT_LCP_OUTCOME_SOLVED &&
            !said[outcome]) {
            printf("  %s: %s\n", tact_lcp_outcome_name(outcome), explain_lcp_outcome(outcome));
            said[outcome] = true;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Solution

/// w = M z + q, to look at; the certificate has its own.
static double slack(const TactLcpProblem *problem, const double *z, int i)
{
    long double w = problem->q[i];
    size_t      n = (size_t)problem->n;
    if (problem->M) {
        for (size_t j = 0; j < n; j++) {
            w += (long double)problem->M[(size_t)i * n + j] * z[j];
        }
    } else {
        const TactLcpCsr *M = problem->M_csr;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            w += (long double)M->value[k] * z[M->column[k]];
        }
    }
    return (double)w;
}

/// What the certificate says about the answer that is shown.
static void print_proof(const TactSolveResult *best)
{
    const TactLcpCertificate *certificate = &best->report.certificate;
    printf("  Proven: error %.2g, recomputed from M and q; relative to each row's own scale %.2g, "
           "within %.2g.\n",
           certificate->error, certificate->relative, best->tol);
}

static void print_solution(const TactSolveProblem *problem, const TactSolveResult *best)
{
    const TactLcpProblem *lcp = &problem->file->problem;
    bool                  bounds = lcp->lo || lcp->hi;
    printf("\n  solution by %s\n  %5s  %22s  %22s", best->name, "i", "z", "w");
    printf("%s\n", bounds ? "   bounds of z" : "");
    for (int i = 0; i < lcp->n; i++) {
        // What is zero up to the certified error is shown as rounding left it: not hidden.
        printf("  %5d  %22.15g  %22.15g", i, best->z[i], slack(lcp, best->z, i));
        if (bounds) {
            double lo = lcp->lo ? lcp->lo[i] : 0;
            double hi = lcp->hi ? lcp->hi[i] : HUGE_VAL;
            if (isinf(lo) && isinf(hi)) {
                printf("   free");
            } else {
                printf("   [%g, %g]", lo, hi);
            }
        }
        putchar('\n');
    }
}

/// Do two proven answers differ by more than rounding?
static bool differs(const double *x, const double *y, int n)
{
    double largest = 0;
    double difference = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fmax(fabs(x[i]), fabs(y[i])));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    return difference > 1e-6 * largest;
}

/// Is M + M' positive definite, by Cholesky in long double? Then there is one solution only. false
/// also of matrices too large to look at.
static bool is_positive_definite(const TactLcpProblem *problem)
{
    size_t       n = (size_t)problem->n;
    long double *L = problem->M && n <= MOST_FACTORED ? malloc((n * n + 1) * sizeof *L) : NULL;
    bool         definite = L != NULL;
    for (size_t j = 0; j < n && definite; j++) {
        for (size_t i = j; i < n && definite; i++) {
            long double sum = ((long double)problem->M[i * n + j] + problem->M[j * n + i]) / 2;
            long double size = fabsl(sum);
            for (size_t k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
                size += fabsl(L[i * n + k] * L[j * n + k]);
            }
            definite = i > j || sum > 1e-16L * (long double)(n + 1) * size;
            L[i * n + j] = i > j ? sum / L[j * n + j] : definite ? sqrtl(sum) : 1;
        }
    }
    free(L);
    return definite;
}

static void print_others(const TactSolveProblem *problem, const TactSolveResult *best)
{
    int n = problem->file->problem.n;
    for (int i = 0; i < problem->result_count; i++) {
        const TactSolveResult *other = &problem->results[i];
        if (other->solved && differs(best->z, other->z, n)) {
            bool unique = is_positive_definite(&problem->file->problem);
            printf(unique ? "  %s and %s differ by more than 1e-6 although M is positive definite: "
                            "the one solution is sensitive to rounding.\n"
                          : "  The solution is not unique: %s and %s found different ones.\n",
                   best->name, other->name);
            return;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Problems

static void print_title(const TactSolveProblem *problem)
{
    const TactLcpFile *file = problem->file;
    int                free_count = 0;
    for (int i = 0; file->problem.lo && file->problem.hi && i < file->problem.n; i++) {
        free_count += isinf(file->problem.lo[i]) && isinf(file->problem.hi[i]);
    }
    printf("%s%s%s: %s, %d unknown%s", colour(TACT_BOLD), problem->paths[0], colour(TACT_PLAIN),
           free_count > 0     ? "mixed LCP"
           : file->problem.hi ? "LCP with bounds"
                              : "LCP",
           file->problem.n, file->problem.n == 1 ? "" : "s");
    if (free_count > 0) {
        printf(" (%d free)", free_count);
    }
    printf(" (%s)\n", file->format);
}

void tact_solve_print(const TactSolveProblem *problem)
{
    if (problem->contact) {
        tact_solve_print_contact(problem);
        return;
    }
    const TactSolveResult *best = tact_solve_best(problem);
    print_title(problem);
    printf("  %-10s  %-10s  %9s  %6s  %10s  %10s\n", "method", "outcome", "residual", "pivots",
           "iterations", "time [us]");
    for (int i = 0; i < problem->result_count; i++) {
        print_row(&problem->results[i]);
    }
    print_explanations(problem);
    if (problem->chosen && problem->result_count == 1) {
        printf("  No method was named: %s was chosen. --method all compares all of them.\n",
               problem->results[0].name);
    }
    if (best && best->blocks > 0) {
        printf("  Its sparse matrix falls apart into %d blocks, which were solved one by one.\n",
               best->blocks);
    }
    if (best) {
        print_proof(best);
        tact_solve_print_proof(problem, best);
        if (problem->file->problem.n <= MOST_SHOWN) {
            print_solution(problem, best);
        }
        print_others(problem, best);
    }
}

void tact_solve_print_sum(const TactSolveProblem *problems, int count)
{
    int solved = 0;
    int unread = 0;
    for (int i = 0; i < count; i++) {
        solved += tact_solve_best(&problems[i]) != NULL;
        unread += problems[i].status != TACT_OK;
    }
    printf("%d problems: %d solved and proven, %d not solved, %d not read\n", count, solved,
           count - solved - unread, unread);
}
