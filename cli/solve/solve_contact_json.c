// Contact problems in what `tact solve --json` prints.
#include <math.h>

#include "cli/solve/solve_json.h"

#define REAL tact_json_value_real

void tact_solve_describe_contact(const TactSolveProblem *problem, json_t *object)
{
    const TactContactFile    *file = problem->contact;
    const TactContactProblem *contact = &file->problem;
    const char               *form = contact->W ? "delassus" : contact->M ? "mechanism" : "bodies";
    bool                      velocity = contact->level == TACT_LEVEL_VELOCITY;

    tact_json_set(object, "kind", json_string("contact"));
    tact_json_set(object, "n", json_integer(contact->contact_count));
    tact_json_set(object, "format", json_string(file->format));
    tact_json_set(object, "title", tact_json_value_text(file->title));
    tact_json_set(object, "form", json_string(form));
    tact_json_set(object, "level", json_string(velocity ? "velocity" : "acceleration"));
    tact_json_set(object, "dimension", json_integer(file->dimension));
    tact_json_set(object, "contacts", json_integer(contact->contact_count));
    tact_json_set(object, "rows", json_integer(contact->row_count));
    tact_json_set(object, "dof", json_integer(tact_contact_get_dof(contact)));
    tact_json_set(object, "step", REAL(contact->step));
}

/// Impulses of components each, as forces.
static json_t *describe_forces(const double *impulse, int count, int components, double step)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_t *force = json_array();
        for (int k = 0; k < components; k++) {
            tact_json_append(force, REAL(impulse[components * i + k] / step));
        }
        tact_json_append(array, force);
    }
    return array;
}

static json_t *describe_rows(const double *impulse, int count, double step)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        tact_json_append(array, REAL(impulse[i] / step));
    }
    return array;
}

/// What a force lacks beyond doubles: (p + low) / step less the double of p / step.
static double low_force(double p, double low, double step)
{
    double force = p / step;
    return (fma(-force, step, p) + low) / step;
}

/// Forces of an answer that doubles do not hold, beyond `forces` and `row_forces`; nothing of
/// others.
static void describe_low(json_t *object, const TactContactProblem *contact,
                         const TactContactAnswer *answer, double step)
{
    int  count = contact->contact_count, rows = contact->row_count;
    bool any = false;
    for (int i = 0; answer->low && i < 3 * count + rows; i++) {
        any = any || answer->low[i] != 0;
    }
    if (!any) {
        return;
    }
    json_t *forces = json_array(), *others = json_array();
    for (int i = 0; i < count; i++) {
        json_t *force = json_array();
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            tact_json_append(force, REAL(low_force(answer->impulse[k], answer->low[k], step)));
        }
        tact_json_append(forces, force);
    }
    for (int i = 0; i < rows; i++) {
        double low = low_force(answer->row_impulse[i], answer->low[3 * count + i], step);
        tact_json_append(others, REAL(low));
    }
    tact_json_set(object, "forces_low", forces);
    tact_json_set(object, "row_forces_low", others);
}

static json_t *describe_certificate(const TactContactCertificate *certificate, bool moments)
{
    static const char *const laws[] = {"none", "contact", "row", "dynamics", "energy", "work"};
    json_t                  *object = tact_json_pack(
                         "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:s}", //
                         "approach", REAL(certificate->approach),                   //
                         "pull", REAL(certificate->pull),                           //
                         "complementarity", REAL(certificate->complementarity), "cone_excess",
                         REAL(certificate->cone_excess), "slip_angle", REAL(certificate->slip_angle), "row_error",
                         REAL(certificate->row_error), "energy_created", REAL(certificate->energy_created),
                         "dynamics", REAL(certificate->dynamics), "error", REAL(certificate->error), "worst",
                         certificate->worst, "law", laws[certificate->law]);
    if (moments) {
        tact_json_set(object, "spin_excess", REAL(certificate->spin_excess));
        tact_json_set(object, "spin_error", REAL(certificate->spin_error));
        tact_json_set(object, "roll_excess", REAL(certificate->roll_excess));
        tact_json_set(object, "roll_error", REAL(certificate->roll_error));
    }
    return object;
}

static json_t *describe_rungs(const TactContactReport *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->rung_count; i++) {
        const TactContactRung *rung = &report->rungs[i];
        tact_json_append(array, tact_json_pack("{s:s, s:s, s:i, s:o}", "name", rung->name,
                                               "outcome", tact_contact_outcome_name(rung->outcome),
                                               "pivots", rung->pivots, "error", REAL(rung->error)));
    }
    return array;
}

static json_t *describe_states(const TactContactDiagnosis *diagnosis, int count, bool moments)
{
    json_t *array = json_array();
    for (int i = 0; i < count && diagnosis; i++) {
        const TactContactDiagnosis *contact = &diagnosis[i];
        json_t                     *object = tact_json_pack("{s:s, s:o, s:o, s:b, s:i}", "state",
                                                            tact_contact_state_name(contact->state), "friction_used",
                                                            REAL(contact->friction_used), "slip", REAL(contact->slip),
                                                            "unique", contact->unique, "group", contact->group);
        if (moments) {
            tact_json_set(object, "spin_used", REAL(contact->spin_used));
            tact_json_set(object, "roll_used", REAL(contact->roll_used));
            tact_json_set(object, "spin", REAL(contact->spin));
            tact_json_set(object, "roll", REAL(contact->roll));
        }
        tact_json_append(array, object);
    }
    return array;
}

/// Newtons; null where there is no most.
static json_t *describe_ranges(const TactContactRange *range, bool proved, int count, double step)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_pack("{s:o, s:o, s:b, s:b}", "least",
                                               REAL(range[i].least / step), "most",
                                               REAL(range[i].most / step), "exact", range[i].exact,
                                               "proved", proved));
    }
    return array;
}

/// What became of forces of least norm.
static json_t *describe_sharing(const TactContactSharing *sharing, double step)
{
    static const char *const outcomes[] = {
        [TACT_SHARING_OUTCOME_UNIQUE] = "unique",
        [TACT_SHARING_OUTCOME_FOUND] = "least",
        [TACT_SHARING_OUTCOME_KEPT] = "kept",
    };
    return json_pack("{s:s, s:i, s:o, s:o}", "outcome", outcomes[sharing->outcome], "steps",
                     sharing->steps, "norm_before", REAL(sharing->norm_before / step), "norm",
                     REAL(sharing->norm / step));
}

json_t *tact_solve_describe_answer(const TactSolveProblem *problem, const TactSolveResult *result)
{
    const TactContactProblem *contact = &problem->contact->problem;
    const TactContactReport  *report = &result->contact.report;
    const TactContactAnswer  *answer = &result->contact.answer;
    double                    step = tact_solve_step(problem);

    json_t *object = tact_json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "method", result->name, "status", "ok",
        "outcome", tact_solve_outcome(result, tact_contact_outcome_name(report->outcome)), "ended",
        tact_contact_outcome_name(report->ended), "cone",
        tact_contact_cone_name(result->contact.cone), "residual", REAL(report->certificate.error),
        "error", REAL(report->certificate.error), "tolerance", REAL(result->tol));
    json_t *counts = tact_json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:i}", "pivots",
                                    report->pivots, "iterations", report->iterations, "turns",
                                    report->turns, "refactors", report->refactors, "kernel_dof",
                                    report->dof, "redundant_rows", report->redundant_rows,
                                    "time_us", REAL(result->time * 1e6), "solves", result->solves);
    json_t *physics = tact_json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "certificate",
        describe_certificate(&report->certificate, tact_solve_has_moments(contact)), "rungs",
        describe_rungs(report), "forces",
        describe_forces(answer->impulse, contact->contact_count, 3, step), "row_forces",
        describe_rows(answer->row_impulse, contact->row_count, step), "velocity",
        tact_json_value_vector(answer->velocity, tact_contact_get_dof(contact)), "states",
        describe_states(result->contact.diagnosis, contact->contact_count,
                        tact_solve_has_moments(contact)));
    tact_json_merge(object, counts);
    tact_json_set(object, "work", REAL(report->work));
    tact_json_set(object, "reproducible", json_boolean(report->reproducible));
    tact_json_merge(object, physics);
    describe_low(object, contact, answer, step);
    if (tact_solve_has_moments(contact)) {
        tact_json_set(object, "moments",
                      describe_forces(answer->moment, contact->contact_count, 3, step));
    }
    if (object && result->contact.sharing.norm_before > 0) {
        tact_json_set(object, "sharing", describe_sharing(&result->contact.sharing, step));
    }
    if (object && result->contact.range) {
        tact_json_set(object, "ranges",
                      describe_ranges(result->contact.range, result->contact.exact,
                                      contact->contact_count, step));
    }
    if (object && !result->solved) {
        char why[512];
        tact_contact_explain(contact, answer, report, result->tol, why, sizeof why);
        tact_json_set(object, "why", json_string(why));
    }
    return object;
}
