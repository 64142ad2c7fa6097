// Matrices of a contact problem, for the formats that have them: the way back from
// contact_matrix.c.
//
//   local    q = u_free with bias and surface velocity, compliance added to W
//   global   f = M v + h f,  w = bias, restitution and surface velocity,  b = -target
//
// so that r are the impulses of the step. A problem read from a file in the plane (tangent 2 does
// nothing, and the pyramid of four directions is the cone) has two components a contact again.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/patch.h"
#include "contact/problem/problem.h"
#include "io/problem/contact_matrix.h"

typedef struct Make {
    const TactContactProblem *problem;
    TactFrictionMatrices     *friction;
    size_t                    dof;
    double                   *row;      // of J                                        (dof)
    double                   *velocity; // before the step                             (dof)
} Make;

static TactStatus allocate_vector(size_t count, double **vector)
{
    void *block;
    TACT_TRY(tact_allocate(count, sizeof(double), &block));
    *vector = block;
    return TACT_OK;
}

static TactStatus make_coefficients(const TactContactProblem *problem,
                                    TactFrictionMatrices     *friction)
{
    size_t count = (size_t)problem->contact_count;
    TACT_TRY(allocate_vector(count, &friction->mu));
    if (friction->dimension == 5) {
        TACT_TRY(allocate_vector(count, &friction->mu_roll));
    }
    for (size_t i = 0; i < count; i++) {
        friction->mu[i] = problem->contacts[i].mu;
        if (friction->mu_roll) {
            friction->mu_roll[i] = problem->contacts[i].mu_roll;
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Components of a contact

/// Row of a contact's own rows (n, 1, 2, spin, roll 1, roll 2) at a component of the file; -1: the
/// contact does not resist rolling, and the component does nothing.
static int own_row(const TactContact *contact, int component)
{
    return component < 3 ? component : tact_contact_has_moments(contact) ? component + 1 : -1;
}

static bool row_is_zero(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (x[i] != 0) {
            return false;
        }
    }
    return true;
}

/// The same of W given by blocks: those of its row, and those of its column, which are theirs.
static bool blocks_are_planar(const TactContactProblem *problem, int i)
{
    const TactContactBlocks *blocks = problem->blocks;
    bool                     zero = problem->u_free[3 * (size_t)i + 2] == 0;
    for (size_t k = blocks->start[i]; zero && k < blocks->start[i + 1]; k++) {
        const double *W = blocks->value + 9 * k;
        zero = row_is_zero(W + 6, 3) && W[2] == 0 && W[5] == 0;
    }
    return zero;
}

/// Does tangent 2 of a plain contact do nothing?
static bool is_planar(const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    if (contact->directions != 4 || contact->turn != 0 || contact->surface[1] != 0) {
        return false;
    }
    if (problem->M) {
        return row_is_zero(contact->J + 2 * (size_t)problem->nv, (size_t)problem->nv);
    }
    if (problem->blocks && !problem->W) {
        return blocks_are_planar(problem, i);
    }
    size_t n = 3 * (size_t)problem->contact_count;
    size_t k = 3 * (size_t)i + 2;
    bool   zero = problem->W && problem->u_free[k] == 0 && row_is_zero(problem->W + k * n, n);
    for (size_t j = 0; zero && j < n; j++) {
        zero = problem->W[j * n + k] == 0;
    }
    return zero;
}

static int count_dimensions(const TactContactProblem *problem)
{
    bool planar = problem->contact_count > 0;
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_has_moments(&problem->contacts[i])) {
            return 5;
        }
    }
    for (int i = 0; planar && i < problem->contact_count; i++) {
        planar = is_planar(problem, i);
    }
    return planar ? 2 : 3;
}

// ---------------------------------------------------------------------------------------------
// Local

/// Row of W at every component of the file; -1: none.
static TactStatus find_places(const TactContactProblem *problem, int dimension, int **places)
{
    void *block;
    int   row = 0;
    TACT_TRY(
        tact_allocate((size_t)dimension * (size_t)problem->contact_count, sizeof(int), &block));
    *places = block;
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        for (int k = 0; k < dimension; k++) {
            int own = own_row(contact, k);
            (*places)[dimension * i + k] = own < 0 ? -1 : row + own;
        }
        row += tact_contact_has_moments(contact) ? 6 : 3;
    }
    return TACT_OK;
}

static void fill_local(const TactContactProblem *problem, const int *places,
                       TactFrictionMatrices *friction)
{
    size_t n = (size_t)friction->W.rows;
    size_t rows = tact_patch_delassus_rows(problem);
    size_t d = (size_t)friction->dimension;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && places[i] >= 0; j++) {
            if (places[j] >= 0) {
                friction->W.dense[i * n + j] =
                    problem->W[(size_t)places[i] * rows + (size_t)places[j]];
            }
        }
        friction->q[i] = places[i] >= 0 ? problem->u_free[places[i]] : 0;
    }
    for (size_t i = 0; i < n; i += d) {
        const TactContact *contact = &problem->contacts[i / d];
        friction->W.dense[i * n + i] += contact->compliance;
        friction->q[i] += contact->bias;
        for (size_t k = 1; k < d && k < 3; k++) {
            friction->q[i + k] += contact->surface[k - 1];
        }
    }
}

/// W by its blocks as a list of entries, so that no matrix of all contacts is made.
static TactStatus make_local_blocks(const TactContactProblem *problem,
                                    TactFrictionMatrices     *friction)
{
    const TactContactBlocks *blocks = problem->blocks;
    int                      d = friction->dimension, n = d * problem->contact_count;
    size_t                   each = (size_t)(d * d);
    TACT_TRY(
        tact_matrix_create_list(&friction->W, n, n, each * blocks->start[problem->contact_count]));
    TACT_TRY(allocate_vector((size_t)n, &friction->q));
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            for (int e = 0; e < d * d; e++) {
                double value = blocks->value[9 * k + (size_t)(3 * (e / d) + e % d)];
                value += blocks->column[k] == i && e == 0 ? contact->compliance : 0;
                friction->W.entry[each * k + (size_t)e] =
                    (TactEntry){d * i + e / d, d * blocks->column[k] + e % d, value};
            }
        }
        for (int c = 0; c < d; c++) {
            friction->q[d * i + c] = problem->u_free[3 * (size_t)i + (size_t)c] +
                                     (c == 0 ? contact->bias : contact->surface[c - 1]);
        }
    }
    friction->W.count = each * blocks->start[problem->contact_count];
    return TACT_OK;
}

static TactStatus make_local(const TactContactProblem *problem, TactFrictionMatrices *friction)
{
    int  n = friction->dimension * problem->contact_count;
    int *places = NULL;
    if (!problem->W) {
        return make_local_blocks(problem, friction);
    }
    TACT_TRY(tact_matrix_create_dense(&friction->W, n, n));
    TACT_TRY(allocate_vector((size_t)n, &friction->q));
    TACT_TRY(find_places(problem, friction->dimension, &places));
    fill_local(problem, places, friction);
    tact_release(places);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Global

/// A list with room for more: full ones are moved into a list twice as large.
static TactStatus append(TactMatrix *matrix, size_t *room, TactEntry entry)
{
    if (matrix->count == *room) {
        TactMatrix larger;
        size_t     twice = *room > 0 ? 2 * *room : 64;
        TACT_TRY(tact_matrix_create_list(&larger, matrix->rows, matrix->columns, twice));
        if (matrix->count > 0) {
            memcpy(larger.entry, matrix->entry, matrix->count * sizeof *matrix->entry);
        }
        larger.count = matrix->count;
        tact_matrix_destroy(matrix);
        *matrix = larger;
        *room = twice;
    }
    matrix->entry[matrix->count++] = entry;
    return TACT_OK;
}

/// The row of J in make->row, as column k of H or G.
static TactStatus append_column(const Make *make, TactMatrix *matrix, size_t *room, int k)
{
    for (size_t i = 0; i < make->dof; i++) {
        if (make->row[i] != 0) {
            TACT_TRY(append(matrix, room, (TactEntry){(int)i, k, make->row[i]}));
        }
    }
    return TACT_OK;
}

static TactStatus make_mass(const Make *make)
{
    const TactContactProblem *problem = make->problem;
    TactMatrix               *M = &make->friction->M;
    size_t                    room = 0;
    size_t                    n = make->dof;
    for (size_t i = 0; problem->M && i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double value = problem->M[i * n + j];
            if (value != 0) {
                TACT_TRY(append(M, &room, (TactEntry){(int)i, (int)j, value}));
            }
        }
    }
    for (int k = 0; problem->bodies && k < problem->body_count; k++) {
        static const int where[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

        const TactContactBody *body = &problem->bodies[k];
        for (int i = 0; i < 3; i++) {
            int row = 6 * k + i;
            TACT_TRY(append(M, &room, (TactEntry){row, row, body->mass}));
        }
        for (int i = 0; i < 9; i++) {
            double value = body->inertia[where[i / 3][i % 3]];
            TACT_TRY(append(M, &room, (TactEntry){6 * k + 3 + i / 3, 6 * k + 3 + i % 3, value}));
        }
    }
    return TACT_OK;
}

/// M, and f = M v + h f.
static TactStatus make_motion(const Make *make)
{
    const TactContactProblem *problem = make->problem;
    TactFrictionMatrices     *friction = make->friction;
    friction->M = (TactMatrix){.rows = (int)make->dof, .columns = (int)make->dof};
    TACT_TRY(make_mass(make));
    TACT_TRY(allocate_vector(make->dof, &friction->f));
    tact_rows_velocity(problem, make->velocity);
    tact_rows_forces(problem, friction->f);
    for (size_t i = 0; i < make->dof; i++) {
        friction->f[i] *= problem->step;
    }
    for (size_t k = 0; k < friction->M.count; k++) {
        const TactEntry *entry = &friction->M.entry[k];
        friction->f[entry->row] += entry->value * make->velocity[entry->column];
    }
    return TACT_OK;
}

/// The row of J at a component of a contact, into make->row.
static void fill_contact_row(const Make *make, int i, int component)
{
    const TactContactProblem *problem = make->problem;
    const TactContact        *contact = &problem->contacts[i];
    int                       own = own_row(contact, component);
    memset(make->row, 0, make->dof * sizeof(double));
    if (own < 0) {
        return;
    }
    if (own < 3) {
        tact_rows_add(problem, i, own, 1, make->row);
    } else if (problem->M) {
        memcpy(make->row, contact->J + (size_t)own * make->dof, make->dof * sizeof(double));
    } else {
        double frame[3][3];
        tact_contact_compute_frame(contact, frame);
        for (int k = 0; k < 3; k++) {
            if (contact->a >= 0) {
                make->row[6 * contact->a + 3 + k] -= frame[own - 3][k];
            }
            if (contact->b >= 0) {
                make->row[6 * contact->b + 3 + k] += frame[own - 3][k];
            }
        }
    }
}

static TactStatus make_global_contacts(const Make *make)
{
    const TactContactProblem *problem = make->problem;
    TactFrictionMatrices     *friction = make->friction;
    int                       count = problem->contact_count;
    int                       d = friction->dimension;
    size_t                    room = 0;
    friction->H = (TactMatrix){.rows = (int)make->dof, .columns = d * count};
    TACT_TRY(allocate_vector((size_t)(d * count), &friction->w));
    for (int i = 0; i < count; i++) {
        const TactContact *contact = &problem->contacts[i];
        double            *w = friction->w + (size_t)d * (size_t)i;
        for (int k = 0; k < d; k++) {
            fill_contact_row(make, i, k);
            TACT_TRY(append_column(make, &friction->H, &room, d * i + k));
            w[k] = k == 0 ? contact->bias : k < 3 ? contact->surface[k - 1] : 0;
        }
        if (contact->restitution > 0) {
            w[0] += contact->restitution * fmin(0, tact_rows_dot(problem, i, 0, make->velocity));
        }
    }
    return TACT_OK;
}

static TactStatus make_bilateral(const Make *make)
{
    const TactContactProblem *problem = make->problem;
    TactFrictionMatrices     *friction = make->friction;
    size_t                    room = 0;
    friction->G = (TactMatrix){.rows = (int)make->dof, .columns = problem->row_count};
    TACT_TRY(allocate_vector((size_t)problem->row_count, &friction->b));
    for (int i = 0; i < problem->row_count; i++) {
        memset(make->row, 0, make->dof * sizeof(double));
        tact_rows_add(problem, problem->contact_count + i, 0, 1, make->row);
        TACT_TRY(append_column(make, &friction->G, &room, i));
        friction->b[i] = -tact_rows_target(problem, i);
    }
    return TACT_OK;
}

static TactStatus make_global(const TactContactProblem *problem, TactFrictionMatrices *friction)
{
    Make make = {.problem = problem, .friction = friction};
    make.dof = (size_t)tact_contact_get_dof(problem);
    TACT_TRY(allocate_vector(2 * make.dof, &make.row));
    make.velocity = make.row + make.dof;
    TactStatus status = make_motion(&make);
    if (status == TACT_OK) {
        status = make_global_contacts(&make);
    }
    if (status == TACT_OK && problem->row_count > 0) {
        status = make_bilateral(&make);
    }
    tact_release(make.row);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Both

static TactStatus check_contact_kind(const TactContactProblem *problem, const char *format, int i)
{
    const TactContact *contact = &problem->contacts[i];
    if (contact->mu_spin != 0 || (contact->mu2 != 0 && contact->mu2 != contact->mu) ||
        (tact_contact_has_moments(contact) &&
         contact->friction_law == TACT_FRICTION_LAW_ELLIPSOID)) {
        return tact_fail(TACT_UNSUPPORTED,
                         "contact %d: %s has no mu_spin, no mu2 and no ellipsoid; write .json", i,
                         format);
    }
    if (contact->compliance != 0 && !tact_contact_has_W(problem)) {
        return tact_fail(TACT_UNSUPPORTED, "contact %d: %s has no compliance in its global form", i,
                         format);
    }
    return TACT_OK;
}

/// Can matrices hold all that the answer depends on?
static TactStatus check_kind(const TactContactProblem *problem, const char *format)
{
    if (problem->level == TACT_LEVEL_ACCELERATION) {
        return tact_fail(TACT_UNSUPPORTED, "%s has no problems on the level of accelerations",
                         format);
    }
    for (int i = 0; i < problem->row_count; i++) {
        if (problem->rows[i].kind != TACT_ROW_BILATERAL) {
            return tact_fail(TACT_UNSUPPORTED, "row %d: %s has no joint limits and no motors", i,
                             format);
        }
    }
    for (int i = 0; i < problem->contact_count; i++) {
        TACT_TRY(check_contact_kind(problem, format, i));
    }
    return TACT_OK;
}

TactStatus tact_friction_make(const TactContactProblem *problem, const char *format,
                              TactFrictionMatrices *friction)
{
    *friction = (TactFrictionMatrices){.name = format};
    TACT_TRY(check_kind(problem, format));
    friction->dimension = count_dimensions(problem);
    TactStatus status = tact_contact_has_W(problem) ? make_local(problem, friction)
                                                    : make_global(problem, friction);
    if (status == TACT_OK) {
        status = make_coefficients(problem, friction);
    }
    if (status != TACT_OK) {
        tact_friction_destroy(friction);
    }
    return status;
}
