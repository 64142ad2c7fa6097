// Contact problems as tables for people.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"

enum { MOST_SHOWN = 24 }; // contacts of an answer that is printed

static const char *colour(TactCliColour which)
{
    return tact_cli_colour(stdout, which);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

// ---------------------------------------------------------------------------------------------
// The problem

/// What a file calls itself, without what a terminal would obey.
static void print_words(const char *words)
{
    for (; *words; words++) {
        putchar((unsigned char)*words < 32 || *words == 127 ? '?' : *words);
    }
}

static void print_title(const TactSolveProblem *problem)
{
    const TactContactFile    *file = problem->contact;
    const TactContactProblem *contact = &file->problem;
    printf("%s%s%s: contact problem, %d contact%s", colour(TACT_BOLD), problem->paths[0],
           colour(TACT_PLAIN), contact->contact_count, plural(contact->contact_count));
    printf("%s", file->dimension == 2 ? " in the plane" : "");
    if (contact->bodies) {
        printf(", %d bod%s", contact->body_count, contact->body_count == 1 ? "y" : "ies");
    } else if (contact->M) {
        printf(", %d degree%s of freedom", contact->nv, plural(contact->nv));
    }
    if (contact->row_count > 0) {
        printf(", %d row%s", contact->row_count, plural(contact->row_count));
    }
    printf(" (%s)", file->format);
    if (file->title[0] != '\0') {
        printf(": ");
        print_words(file->title);
    }
    putchar('\n');
}

// ---------------------------------------------------------------------------------------------
// Methods

static void print_row(const TactSolveResult *result)
{
    if (result->status != TACT_OK) {
        tact_solve_print_refusal(result);
        return;
    }
    const TactContactReport *report = &result->contact.report;
    printf("  %-10s  %s%-10s%s  %-7s", result->name, colour(result->solved ? TACT_GREEN : TACT_RED),
           tact_solve_outcome(result, tact_contact_outcome_name(report->outcome)),
           colour(TACT_PLAIN), tact_contact_cone_name(result->contact.cone));
    tact_solve_print_number(report->certificate.error);
    printf("  %6d  %10d  %5d", report->pivots, report->iterations, report->turns);
    tact_solve_print_time(result->time);
    putchar('\n');
    if (report->rung_count > 1) {
        printf("  %10s  %s", "", colour(TACT_DIM));
        for (int i = 0; i < report->rung_count; i++) {
            const TactContactRung *rung = &report->rungs[i];
            printf("%s%s %s (%.1e)", i > 0 ? ", then " : "", rung->name,
                   tact_contact_outcome_name(rung->outcome), rung->error);
        }
        printf("%s\n", colour(TACT_PLAIN));
    }
}

/// What an outcome other than solved means.
static const char *explain_contact_outcome(TactContactOutcome outcome)
{
    switch (outcome) {
    case TACT_OUTCOME_SOLVED: return "";
    case TACT_OUTCOME_UNVERIFIED: return "an answer that its certificate does not confirm";
    case TACT_OUTCOME_RAY: return "there is no solution, or none that this method can reach";
    case TACT_OUTCOME_LIMIT: return "out of pivots, turns or sweeps";
    case TACT_OUTCOME_CYCLE: return "a basis came back";
    case TACT_OUTCOME_SINGULAR: return "a matrix that must be inverted is singular";
    case TACT_OUTCOME_UNBOUNDED:
        return "no force will do: the answer is the direction of an impulse";
    }
    return "";
}

static void print_explanations(const TactSolveProblem *problem)
{
    bool said[TACT_OUTCOME_UNBOUNDED + 1] = {false};
    for (int i = 0; i < problem->result_count; i++) {
        const TactSolveResult *result = &problem->results[i];
        TactContactOutcome     outcome = result->contact.report.outcome;
        if (result->status == TACT_OK && !result->solved && !said[outcome]) {
            printf("  %s: %s\n", tact_contact_outcome_name(outcome),
                   explain_contact_outcome(outcome));
            said[outcome] = true;
        }
        if (result->status == TACT_OK && !result->solved) {
            char why[512];
            tact_contact_explain(&problem->contact->problem, &result->contact.answer,
                                 &result->contact.report, result->tol, why, sizeof why);
            printf("  %s: %s\n", result->name, why);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The answer

/// What the certificate says about the answer that is shown, each in its own unit.
static void print_proof(const TactSolveProblem *problem, const TactSolveResult *best)
{
    const TactContactCertificate *certificate = &best->contact.report.certificate;
    bool                          velocity = problem->contact->problem.level == TACT_LEVEL_VELOCITY;
    printf("  Proven: error %.2g, recomputed from the problem, is within %.2g.\n",
           certificate->error, best->tol);
    printf(
        "  At worst a contact approaches with %.2g %s, pulls with %.2g %s and leaves its cone by "
        "%.2g %s.\n",
        fmax(certificate->approach, 0), velocity ? "m/s" : "m/s^2", fmax(certificate->pull, 0),
        velocity ? "N s" : "N", fmax(certificate->cone_excess, 0), velocity ? "N s" : "N");
}

static void print_state(const TactContactDiagnosis *diagnosis)
{
    printf("  %-5s  %7.1f %%  %10.3g", tact_contact_state_name(diagnosis->state),
           100 * diagnosis->friction_used, diagnosis->slip);
    if (!diagnosis->unique) {
        printf("   not unique (group %d)", diagnosis->group);
    }
}

/// Newtons; more than any number is a word.
static void print_range(const TactContactRange *range, double step)
{
    char most[32] = "any";
    if (isfinite(range->most)) {
        snprintf(most, sizeof most, "%.6g", range->most / step);
    }
    printf("  %11.6g  %11s%s", range->least / step, most, range->exact ? "" : " (at least)");
}

/// What became of --share least.
static void print_sharing(const TactSolveContact *contact, double step)
{
    const TactContactSharing *sharing = &contact->sharing;
    if (sharing->norm_before > 0 && sharing->outcome == TACT_SHARING_OUTCOME_FOUND) {
        printf("  Shared: forces of least norm, %.6g N (%.6g N as the method found them), proven "
               "for the same motion.\n",
               sharing->norm / step, sharing->norm_before / step);
    } else if (sharing->norm_before > 0 && sharing->outcome == TACT_SHARING_OUTCOME_KEPT) {
        printf("  Not shared: forces of least norm could not be found and proven; these are the "
               "method's own.\n");
    }
}

/// Moments of contacts that resist spinning or rolling, and how they turn.
static void print_moments(const TactSolveProblem *problem, const TactSolveResult *best)
{
    const TactContactProblem   *given = &problem->contact->problem;
    const TactContactDiagnosis *diagnosis = best->contact.diagnosis;
    const double               *moment = best->contact.answer.moment;
    double                      step = tact_solve_step(problem);
    printf("\n  moments by %s (on b, N m)\n  %5s  %13s  %13s  %13s%s\n", best->name, "#", "mn",
           "mr1", "mr2", diagnosis ? "    spin  [rad/s]    roll  [rad/s]" : "");
    for (int i = 0; i < given->contact_count; i++) {
        if (!tact_contact_has_moments(&given->contacts[i])) {
            continue;
        }
        printf("  %5d  %13.6g  %13.6g  %13.6g", i, moment[3 * i] / step, moment[3 * i + 1] / step,
               moment[3 * i + 2] / step);
        if (diagnosis) {
            const TactContactDiagnosis *d = &diagnosis[i];
            printf("  %4.0f %%  %7.3g  %4.0f %%  %7.3g", 100 * d->spin_used, d->spin,
                   100 * d->roll_used, d->roll);
        }
        putchar('\n');
    }
}

/// Rounding beside the largest force is shown as what it is: nearly nothing.
static void print_contacts(const TactSolveProblem *problem, const TactSolveResult *best)
{
    const double               *impulse = best->contact.answer.impulse;
    const TactContactDiagnosis *diagnosis = best->contact.diagnosis;
    int                         count = problem->contact->problem.contact_count;
    double                      step = tact_solve_step(problem);
    bool                        velocity = problem->contact->problem.level == TACT_LEVEL_VELOCITY;
    printf("\n  contacts by %s (force on b, N)\n  %5s  %13s  %13s  %13s", best->name, "#", "fn",
           "ft1", "ft2");
    printf("%s", best->contact.range ? "     least fn      most fn" : "");
    printf("%s\n", !diagnosis ? ""
                   : velocity ? "  state  friction  slip [m/s]"
                              : "  state  friction  [m/s^2]");
    for (int i = 0; i < count; i++) {
        // An open contact has no force: what pivots leave of one is rounding.
        bool open = diagnosis && diagnosis[i].state == TACT_STATE_OPEN;
        printf("  %5d", i);
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            printf("  %13.6g", open ? 0 : impulse[k] / step);
        }
        if (best->contact.range) {
            print_range(&best->contact.range[i], step);
        }
        if (diagnosis) {
            print_state(&diagnosis[i]);
        }
        putchar('\n');
    }
    if (tact_solve_has_moments(&problem->contact->problem)) {
        print_moments(problem, best);
    }
}

/// How many contacts do what, where there are too many to show.
static void print_sum(const TactSolveProblem *problem, const TactSolveResult *best)
{
    int count = problem->contact->problem.contact_count;
    int states[3] = {0};
    int shared = 0;
    for (int i = 0; i < count && best->contact.diagnosis; i++) {
        states[best->contact.diagnosis[i].state]++;
        shared += !best->contact.diagnosis[i].unique;
    }
    if (best->contact.diagnosis) {
        printf("  %d contacts stick, %d slide, %d are open; the forces of %d are not unique.\n",
               states[TACT_STATE_STICK], states[TACT_STATE_SLIDE], states[TACT_STATE_OPEN], shared);
    }
}

void tact_solve_print_contact(const TactSolveProblem *problem)
{
    const TactSolveResult *best = tact_solve_best(problem);
    int                    count = problem->contact->problem.contact_count;
    print_title(problem);
    printf("  %-10s  %-10s  %-7s  %9s  %6s  %10s  %5s  %10s\n", "method", "outcome", "cone",
           "error", "pivots", "iterations", "turns", "time [us]");
    for (int i = 0; i < problem->result_count; i++) {
        print_row(&problem->results[i]);
    }
    print_explanations(problem);
    if (problem->chosen && problem->result_count == 1) {
        printf("  No method was named: %s was chosen. --method all compares all of them.\n",
               problem->results[0].name);
    }
    if (best) {
        print_proof(problem, best);
        tact_solve_print_proof(problem, best);
        print_sharing(&best->contact, tact_solve_step(problem));
        if (count > 0 && count <= MOST_SHOWN) {
            print_contacts(problem, best);
        } else {
            print_sum(problem, best);
        }
    }
}
