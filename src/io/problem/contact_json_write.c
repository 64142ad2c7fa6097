// Writing "tact-contact/1". %.17g, which a double survives to the bit; what has its default value
// is left out.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/patch.h"
#include "io/output.h"
#include "io/problem/contact_json.h"

/// JSON reads -0 as the integer 0.
static void put_real(FILE *stream, double x)
{
    if (x == 0 && signbit(x)) {
        fputs("-0.0", stream);
    } else {
        fprintf(stream, "%.17g", x);
    }
}

static void put_reals(FILE *stream, const double *x, size_t count)
{
    fputc('[', stream);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", stream);
        put_real(stream, x[i]);
    }
    fputc(']', stream);
}

static void put_matrix(FILE *stream, const double *x, size_t rows, size_t columns)
{
    fputc('[', stream);
    for (size_t i = 0; i < rows && !ferror(stream); i++) {
        fputs(i > 0 ? ",\n  " : "", stream);
        put_reals(stream, x + i * columns, columns);
    }
    fputc(']', stream);
}

static bool is_zero(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (x[i] != 0 || signbit(x[i])) {
            return false;
        }
    }
    return true;
}

/// A member that is left out where it is 0.
static void put_optional(FILE *stream, const char *key, const double *x, size_t count)
{
    if (is_zero(x, count)) {
        return;
    }
    fprintf(stream, ", \"%s\": ", key);
    if (count == 1) {
        put_real(stream, *x);
    } else {
        put_reals(stream, x, count);
    }
}

static void put_member(FILE *stream, const char *key, const double *x, size_t count)
{
    fprintf(stream, ", \"%s\": ", key);
    put_reals(stream, x, count);
}

/// An id of warm starts; 0 has none.
static void put_id(FILE *stream, uint64_t id)
{
    if (id != 0) {
        const char *quote = id > INT64_MAX ? "\"" : "";
        fprintf(stream, ", \"id\": %s%llu%s", quote, (unsigned long long)id, quote);
    }
}

static void put_body(FILE *stream, const TactContactBody *body)
{
    fputs("{\"mass\": ", stream);
    put_real(stream, body->mass);
    put_member(stream, "inertia", body->inertia, 6);
    put_member(stream, "position", body->position, 3);
    put_optional(stream, "velocity", body->velocity, 3);
    put_optional(stream, "omega", body->omega, 3);
    put_optional(stream, "force", body->force, 3);
    put_optional(stream, "torque", body->torque, 3);
    fputc('}', stream);
}

static void write_contact_object(FILE *stream, const TactContactProblem *problem,
                                 const TactContact *contact)
{
    fputc('{', stream);
    if (problem->bodies) {
        fprintf(stream, "\"a\": %d, \"b\": %d", contact->a, contact->b);
        put_member(stream, "point", contact->point, 3);
        put_member(stream, "normal", contact->normal, 3);
        put_optional(stream, "tangent", contact->tangent, 3);
        fputs(", ", stream);
    }
    fputs("\"mu\": ", stream);
    put_real(stream, contact->mu);
    if (contact->directions != 0) {
        fprintf(stream, ", \"directions\": %d", contact->directions);
    }
    put_optional(stream, "turn", &contact->turn, 1);
    put_optional(stream, "restitution", &contact->restitution, 1);
    put_optional(stream, "bias", &contact->bias, 1);
    put_optional(stream, "surface", contact->surface, 2);
    put_optional(stream, "compliance", &contact->compliance, 1);
    put_id(stream, contact->id);
    put_optional(stream, "mu_spin", &contact->mu_spin, 1);
    put_optional(stream, "mu_roll", &contact->mu_roll, 1);
    put_optional(stream, "mu2", &contact->mu2, 1);
    if (contact->friction_law == TACT_FRICTION_LAW_ELLIPSOID) {
        fputs(", \"friction_law\": \"ellipsoid\"", stream);
    }
    if (problem->M) {
        fputs(",\n  \"J\": ", stream);
        put_matrix(stream, contact->J, tact_contact_has_moments(contact) ? 6 : 3,
                   (size_t)problem->nv);
    }
    fputc('}', stream);
}

static void put_row(FILE *stream, const TactContactProblem *problem, const TactContactRow *row)
{
    static const char *const kinds[] = {
        [TACT_ROW_BILATERAL] = "bilateral",
        [TACT_ROW_UNILATERAL] = "unilateral",
        [TACT_ROW_MOTOR] = "motor",
    };

    fprintf(stream, "{\"kind\": \"%s\"", kinds[row->kind]);
    if (problem->M) {
        put_member(stream, "J", row->J, (size_t)problem->nv);
    } else {
        fprintf(stream, ", \"a\": %d, \"b\": %d", row->a, row->b);
        if (row->a >= 0) {
            put_member(stream, "J_a", row->J_a, 6);
        }
        if (row->b >= 0) {
            put_member(stream, "J_b", row->J_b, 6);
        }
    }
    put_optional(stream, "target", &row->target, 1);
    put_optional(stream, "error", &row->error, 1);
    put_optional(stream, "zeta", &row->zeta, 1);
    if (row->kind == TACT_ROW_MOTOR) {
        fputs(", \"force_max\": ", stream);
        put_real(stream, row->force_max);
    }
    put_id(stream, row->id);
    fputc('}', stream);
}

static void put_mechanism(FILE *stream, const TactContactProblem *problem)
{
    size_t nv = (size_t)problem->nv;
    fputs(",\n \"M\": ", stream);
    put_matrix(stream, problem->M, nv, nv);
    if (problem->parent) {
        fputs(",\n \"parent\": [", stream);
        for (size_t i = 0; i < nv; i++) {
            fprintf(stream, "%s%d", i > 0 ? ", " : "", problem->parent[i]);
        }
        fputc(']', stream);
    }
    fputs(",\n \"v\": ", stream);
    put_reals(stream, problem->v, nv);
    fputs(",\n \"tau\": ", stream);
    put_reals(stream, problem->tau, nv);
}

/// W by its blocks: contact of the row, of the column, and nine entries, row-major.
static void put_blocks(FILE *stream, const TactContactProblem *problem)
{
    const TactContactBlocks *blocks = problem->blocks;
    fputs(",\n \"W_blocks\": [", stream);
    for (int i = 0; i < problem->contact_count && !ferror(stream); i++) {
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            fprintf(stream, "%s[%d, %d", k > 0 ? ",\n  " : "\n  ", i, blocks->column[k]);
            for (size_t e = 0; e < 9; e++) {
                fputs(", ", stream);
                put_real(stream, blocks->value[9 * k + e]);
            }
            fputc(']', stream);
        }
    }
    fputs("],\n \"u_free\": ", stream);
    put_reals(stream, problem->u_free, 3 * (size_t)problem->contact_count);
}

static void put_problem(FILE *stream, const TactContactProblem *problem)
{
    size_t n = tact_patch_delassus_rows(problem);
    fprintf(stream, "{\"format\": \"%s\"", TACT_CONTACT_JSON_FORMAT);
    if (problem->level == TACT_LEVEL_ACCELERATION) {
        fputs(", \"level\": \"acceleration\"", stream);
    } else {
        fputs(", \"step\": ", stream);
        put_real(stream, problem->step);
    }
    if (problem->M) {
        put_mechanism(stream, problem);
    } else if (problem->blocks && !problem->W) {
        put_blocks(stream, problem);
    } else if (problem->W) {
        fputs(",\n \"W\": ", stream);
        put_matrix(stream, problem->W, n, n);
        fputs(",\n \"u_free\": ", stream);
        put_reals(stream, problem->u_free, n);
    } else {
        fputs(",\n \"bodies\": [", stream);
        for (int i = 0; i < problem->body_count; i++) {
            fputs(i > 0 ? ",\n  " : "\n  ", stream);
            put_body(stream, &problem->bodies[i]);
        }
        fputc(']', stream);
    }
    fputs(",\n \"contacts\": [", stream);
    for (int i = 0; i < problem->contact_count && !ferror(stream); i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", stream);
        write_contact_object(stream, problem, &problem->contacts[i]);
    }
    fputc(']', stream);
    if (problem->row_count > 0) {
        fputs(",\n \"rows\": [", stream);
        for (int i = 0; i < problem->row_count && !ferror(stream); i++) {
            fputs(i > 0 ? ",\n  " : "\n  ", stream);
            put_row(stream, problem, &problem->rows[i]);
        }
        fputc(']', stream);
    }
    fputs("}\n", stream);
}

TactStatus tact_contact_write_json(const TactContactProblem *problem, const char *path)
{
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    TACT_TRY(tact_contact_check(problem));
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    put_problem(output.stream, problem);
    return tact_output_close(&output);
}
