// The mixed LCP: velocities and joint impulses stay unknowns, and nothing is factored.
#include <math.h>
#include <string.h>

#include "contact/assembled/assemble.h"
#include "contact/problem/problem.h"

static int count_bilateral(const TactContactProblem *problem)
{
    int count = 0;
    for (int r = 0; r < problem->row_count; r++) {
        count += problem->rows[r].kind == TACT_ROW_BILATERAL;
    }
    return count;
}

int tact_assemble_mixed_size(const TactAssembleMap *map)
{
    if (map->problem->W) {
        return -1;
    }
    return tact_contact_get_dof(map->problem) + count_bilateral(map->problem) + map->n;
}

/// The full mass matrix into the first rows.
static void place_mass(const TactContactProblem *problem, double *A, size_t n)
{
    if (problem->M) {
        for (size_t i = 0; i < (size_t)problem->nv; i++) {
            const double *row = problem->M + i * (size_t)problem->nv;
            memcpy(A + i * n, row, (size_t)problem->nv * sizeof(double));
        }
        return;
    }
    for (size_t k = 0; k < (size_t)problem->body_count; k++) {
        const double *I = problem->bodies[k].inertia;
        double        full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
        for (size_t i = 0; i < 3; i++) {
            A[(6 * k + i) * n + 6 * k + i] = problem->bodies[k].mass;
            memcpy(A + (6 * k + 3 + i) * n + 6 * k + 3, full[i], sizeof full[i]);
        }
    }
}

/// A row J at `row`, and its transpose with the sign of an impulse: -J'.
static void place_row(double *A, size_t n, size_t dof, size_t row)
{
    for (size_t k = 0; k < dof; k++) {
        A[k * n + row] = -A[row * n + k];
    }
}

/// What the problem adds to u of an item: bias, surface and restitution, or minus the target.
static void raw_offset(const TactContactProblem *problem, const TactItem *item, double e[3])
{
    e[0] = e[1] = e[2] = 0;
    if (item->kind != TACT_ITEM_CONTACT) {
        e[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = -tact_rows_target(problem, item->source);
        return;
    }
    const TactContact *contact = &problem->contacts[item->source];
    e[0] = contact->bias;
    e[1] = tact_contact_surface(problem, item->source, 1);
    e[2] = tact_contact_surface(problem, item->source, 2);
    if (contact->restitution > 0) {
        double before[3], size[3];
        tact_contact_velocity(problem, item->source, before, size);
        e[0] += before[0] < 0 ? contact->restitution * before[0] : 0;
    }
}

/// Rows nu, sigma, gamma of one item; first is where the unknowns of the LCP start.
static void place_item(const TactAssembleMap *map, int i, size_t first, double *A, size_t n,
                       double *q)
{
    const TactContactProblem *problem = map->problem;
    const TactItem           *item = &map->system->items[i];
    const TactAssemblePlace  *place = &map->places[i];
    size_t                    dof = (size_t)tact_contact_get_dof(problem);
    int    source = item->source + (item->kind == TACT_ITEM_CONTACT ? 0 : problem->contact_count);
    double e[3];
    raw_offset(problem, item, e);
    if (place->theta >= 0) {
        size_t row = first + (size_t)place->theta;
        tact_rows_add(problem, source, 0, 1, A + row * n);
        place_row(A, n, dof, row);
        A[row * n + row] = item->compliance;
        q[row] = e[0];
    }
    for (int k = 0; k < place->directions; k++) {
        size_t row = first + (size_t)(place->phi + k);
        size_t lambda = first + (size_t)place->lambda;
        double d[2];
        tact_assemble_direction(place, k, d);
        tact_rows_add(problem, source, 1, d[0], A + row * n);
        tact_rows_add(problem, source, 2, d[1], A + row * n);
        place_row(A, n, dof, row);
        A[row * n + lambda] = 1;
        A[lambda * n + row] = -1;
        q[row] = d[0] * e[1] + d[1] * e[2];
    }
    if (place->lambda >= 0) {
        size_t lambda = first + (size_t)place->lambda;
        if (place->theta >= 0) {
            A[lambda * n + first + (size_t)place->theta] = place->mu;
        } else {
            q[lambda] = item->bound;
        }
    }
}

void tact_assemble_mixed(const TactAssembleMap *map, double *A, double *q, double *lo)
{
    const TactContactProblem *problem = map->problem;
    size_t                    n = (size_t)tact_assemble_mixed_size(map);
    size_t                    dof = (size_t)tact_contact_get_dof(problem);
    size_t                    first = dof + (size_t)count_bilateral(problem);
    double                    h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
    memset(A, 0, n * n * sizeof(double));
    memset(q, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        lo[i] = i < first ? -HUGE_VAL : 0;
    }
    place_mass(problem, A, n);

    // q = -(M v0 + h f), with lo as scratch for v0: it is free there anyway.
    tact_rows_forces(problem, q);
    for (size_t i = 0; i < dof; i++) {
        q[i] *= -h;
    }
    if (problem->level == TACT_LEVEL_VELOCITY) {
        tact_rows_velocity(problem, lo);
        for (size_t i = 0; i < dof; i++) {
            for (size_t j = 0; j < dof; j++) {
                q[i] -= A[i * n + j] * lo[j];
            }
        }
        for (size_t i = 0; i < dof; i++) {
            lo[i] = -HUGE_VAL;
        }
    }
    size_t row = dof;
    for (int r = 0; r < problem->row_count; r++) {
        if (problem->rows[r].kind == TACT_ROW_BILATERAL) {
            tact_rows_add(problem, problem->contact_count + r, 0, 1, A + row * n);
            place_row(A, n, dof, row);
            q[row++] = -tact_rows_target(problem, r);
        }
    }
    for (int i = 0; i < map->system->item_count; i++) {
        place_item(map, i, first, A, n, q);
    }
}
