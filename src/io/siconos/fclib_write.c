// Writing FCLIB: a problem given by W as fclib_local, any other as fclib_global.
//
//   local    q = u_free with bias and surface velocity, compliance added to W
//   global   f = M v + h f,  w = bias, restitution and surface velocity,  b = -target
//
// so that r are the impulses of the step. FCLIB has the circular cone and no step: directions of
// pyramids, ids and h are not kept.
#include "base/status.h"
#include "io/problem/problem.h"

#ifdef TACT_HAVE_HDF5
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/patch.h"
#include "contact/problem/problem.h"
#include "io/output.h"
#include "io/siconos/hdf5.h"

// ---------------------------------------------------------------------------------------------
// Matrices and vectors

static const char *join_path(char path[80], const char *group, const char *name)
{
    snprintf(path, 80, "%s/%s", group, name);
    return path;
}

static TactStatus put_sizes(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix,
                            int nz, int entries)
{
    char path[80];
    TACT_TRY(tact_hdf5_put_group(hdf5, group));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "nzmax"), &entries, 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "m"), &matrix->rows, 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "n"), &matrix->columns, 1));
    return tact_hdf5_put_ints(hdf5, join_path(path, group, "nz"), &nz, 1);
}

static TactStatus put_csr(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix,
                          const TactLcpCsr *csr)
{
    char path[80];
    int  entries = csr->row_start[matrix->rows];
    TACT_TRY(put_sizes(hdf5, group, matrix, -2, entries));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "p"), csr->row_start,
                                (size_t)matrix->rows + 1));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "i"), csr->column, (size_t)entries));
    return tact_hdf5_put_reals(hdf5, join_path(path, group, "x"), csr->value, (size_t)entries);
}

/// In compressed rows, nz = -2.
static TactStatus put_matrix(const TactHdf5 *hdf5, const char *group, const TactMatrix *matrix)
{
    TactLcpCsr csr = {0};
    size_t     repeated;
    TACT_TRY(tact_matrix_to_csr(matrix, &csr, &repeated));
    TactStatus status = put_csr(hdf5, group, matrix, &csr);
    tact_release((void *)csr.row_start);
    tact_release((void *)csr.column);
    tact_release((void *)csr.value);
    return status;
}

static TactStatus put_head(const TactHdf5 *hdf5, const char *group)
{
    char path[80];
    TACT_TRY(tact_hdf5_put_group(hdf5, group));
    TACT_TRY(tact_hdf5_put_ints(hdf5, join_path(path, group, "spacedim"), &(int){3}, 1));
    TACT_TRY(tact_hdf5_put_group(hdf5, join_path(path, group, "info")));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/title"), "written by tact"));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/description"), ""));
    TACT_TRY(tact_hdf5_put_string(hdf5, join_path(path, group, "info/math_info"), ""));
    return tact_hdf5_put_group(hdf5, join_path(path, group, "vectors"));
}

static TactStatus put_mu(const TactHdf5 *hdf5, const char *path, const TactContactProblem *problem)
{
    size_t count = (size_t)problem->contact_count;
    void  *block;
    TACT_TRY(tact_allocate(count, sizeof(double), &block));
    double *mu = block;
    for (size_t i = 0; i < count; i++) {
        mu[i] = problem->contacts[i].mu;
    }
    TactStatus status = tact_hdf5_put_reals(hdf5, path, mu, count);
    tact_release(mu);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Local

static TactStatus put_local(const TactHdf5 *hdf5, const TactContactProblem *problem)
{
    size_t     n = 3 * (size_t)problem->contact_count;
    TactMatrix W = {0};
    void      *block;
    TACT_TRY(put_head(hdf5, "fclib_local"));
    TACT_TRY(tact_matrix_create_dense(&W, (int)n, (int)n));
    TactStatus status = tact_allocate(n, sizeof(double), &block);
    if (status != TACT_OK) {
        tact_matrix_destroy(&W);
        return status;
    }
    double *q = block;
    if (n > 0) {
        memcpy(W.dense, problem->W, n * n * sizeof(double));
        memcpy(q, problem->u_free, n * sizeof(double));
    }
    for (size_t i = 0; i < n; i += 3) {
        const TactContact *contact = &problem->contacts[i / 3];
        W.dense[i * n + i] += contact->compliance;
        q[i] += contact->bias;
        q[i + 1] += contact->surface[0];
        q[i + 2] += contact->surface[1];
    }
    status = put_matrix(hdf5, "fclib_local/W", &W);
    if (status == TACT_OK) {
        status = tact_hdf5_put_reals(hdf5, "fclib_local/vectors/q", q, n);
    }
    tact_release(q);
    tact_matrix_destroy(&W);
    TACT_TRY(status);
    return put_mu(hdf5, "fclib_local/vectors/mu", problem);
}

// ---------------------------------------------------------------------------------------------
// Global

/// One row J after the other, and the vectors that belong to them.
typedef struct Global {
    const TactHdf5           *hdf5;
    const TactContactProblem *problem;
    size_t                    dof;
    double                   *row;      // of J                                        (dof)
    double                   *velocity; // before the step                             (dof)
    double                   *f;        // (dof)
    double                   *offset;   // w, b                    (3 contact_count, row_count)
    TactMatrix                matrix;   // M, H or G on its way
} Global;

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

/// Row `source` of J as column k of H or G.
static TactStatus append_column(Global *global, size_t *room, int source, int component, int k)
{
    memset(global->row, 0, global->dof * sizeof(double));
    tact_rows_add(global->problem, source, component, 1, global->row);
    for (size_t i = 0; i < global->dof; i++) {
        if (global->row[i] != 0) {
            TACT_TRY(append(&global->matrix, room, (TactEntry){(int)i, k, global->row[i]}));
        }
    }
    return TACT_OK;
}

static TactStatus mass_matrix(Global *global)
{
    const TactContactProblem *problem = global->problem;
    size_t                    room = 0;
    size_t                    n = global->dof;
    for (size_t i = 0; problem->M && i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double value = problem->M[i * n + j];
            if (value != 0) {
                TACT_TRY(append(&global->matrix, &room, (TactEntry){(int)i, (int)j, value}));
            }
        }
    }
    for (int k = 0; problem->bodies && k < problem->body_count; k++) {
        static const int where[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

        const TactContactBody *body = &problem->bodies[k];
        for (int i = 0; i < 3; i++) {
            int row = 6 * k + i;
            TACT_TRY(append(&global->matrix, &room, (TactEntry){row, row, body->mass}));
        }
        for (int i = 0; i < 9; i++) {
            double value = body->inertia[where[i / 3][i % 3]];
            TACT_TRY(append(&global->matrix, &room,
                            (TactEntry){6 * k + 3 + i / 3, 6 * k + 3 + i % 3, value}));
        }
    }
    return TACT_OK;
}

/// M, and f = M v + h f.
static TactStatus put_motion(Global *global)
{
    const TactContactProblem *problem = global->problem;
    global->matrix = (TactMatrix){.rows = (int)global->dof, .columns = (int)global->dof};
    TACT_TRY(mass_matrix(global));
    tact_rows_velocity(problem, global->velocity);
    tact_rows_forces(problem, global->f);
    for (size_t i = 0; i < global->dof; i++) {
        global->f[i] *= problem->step;
    }
    for (size_t k = 0; k < global->matrix.count; k++) {
        const TactEntry *entry = &global->matrix.entry[k];
        global->f[entry->row] += entry->value * global->velocity[entry->column];
    }
    TACT_TRY(put_matrix(global->hdf5, "fclib_global/M", &global->matrix));
    return tact_hdf5_put_reals(global->hdf5, "fclib_global/vectors/f", global->f, global->dof);
}

static TactStatus put_contacts(Global *global)
{
    const TactContactProblem *problem = global->problem;
    int                       count = problem->contact_count;
    size_t                    room = 0;
    tact_matrix_destroy(&global->matrix);
    global->matrix = (TactMatrix){.rows = (int)global->dof, .columns = 3 * count};
    for (int i = 0; i < count; i++) {
        const TactContact *contact = &problem->contacts[i];
        double            *w = global->offset + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            TACT_TRY(append_column(global, &room, i, k, 3 * i + k));
            w[k] = k == 0 ? contact->bias : contact->surface[k - 1];
        }
        if (contact->restitution > 0) {
            w[0] += contact->restitution * fmin(0, tact_rows_dot(problem, i, 0, global->velocity));
        }
    }
    TACT_TRY(put_matrix(global->hdf5, "fclib_global/H", &global->matrix));
    TACT_TRY(tact_hdf5_put_reals(global->hdf5, "fclib_global/vectors/w", global->offset,
                                 3 * (size_t)count));
    return put_mu(global->hdf5, "fclib_global/vectors/mu", problem);
}

static TactStatus put_rows(Global *global)
{
    const TactContactProblem *problem = global->problem;
    size_t                    room = 0;
    tact_matrix_destroy(&global->matrix);
    global->matrix = (TactMatrix){.rows = (int)global->dof, .columns = problem->row_count};
    for (int i = 0; i < problem->row_count; i++) {
        TACT_TRY(append_column(global, &room, problem->contact_count + i, 0, i));
        global->offset[i] = -tact_rows_target(problem, i);
    }
    TACT_TRY(put_matrix(global->hdf5, "fclib_global/G", &global->matrix));
    return tact_hdf5_put_reals(global->hdf5, "fclib_global/vectors/b", global->offset,
                               (size_t)problem->row_count);
}

static void layout_global(Global *global, TactArena *arena)
{
    size_t contacts = 3 * (size_t)global->problem->contact_count;
    size_t rows = (size_t)global->problem->row_count;
    global->row = tact_arena_take(arena, global->dof, sizeof(double));
    global->velocity = tact_arena_take(arena, global->dof, sizeof(double));
    global->f = tact_arena_take(arena, global->dof, sizeof(double));
    global->offset = tact_arena_take(arena, contacts > rows ? contacts : rows, sizeof(double));
}

static TactStatus put_global(const TactHdf5 *hdf5, const TactContactProblem *problem)
{
    Global    global = {.hdf5 = hdf5, .problem = problem};
    TactArena arena = {0};
    global.dof = (size_t)tact_contact_get_dof(problem);
    TACT_TRY(put_head(hdf5, "fclib_global"));
    layout_global(&global, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_global(&global, &arena);
    TactStatus status = put_motion(&global);
    if (status == TACT_OK) {
        status = put_contacts(&global);
    }
    if (status == TACT_OK && problem->row_count > 0) {
        status = put_rows(&global);
    }
    tact_matrix_destroy(&global.matrix);
    tact_arena_destroy(&arena);
    return status;
}

// ---------------------------------------------------------------------------------------------
// The file

/// Has FCLIB a place for all of it?
static TactStatus check_kind(const TactContactProblem *problem)
{
    if (problem->level == TACT_LEVEL_ACCELERATION) {
        return tact_fail(TACT_UNSUPPORTED, "FCLIB has no problems on the level of accelerations");
    }
    for (int i = 0; i < problem->row_count; i++) {
        if (problem->rows[i].kind != TACT_ROW_BILATERAL) {
            return tact_fail(TACT_UNSUPPORTED, "row %d: FCLIB has no joint limits and no motors",
                             i);
        }
    }
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_is_patch(&problem->contacts[i])) {
            return tact_fail(TACT_UNSUPPORTED,
                             "contact %d: mu_spin, mu_roll and mu2 are not written to FCLIB; "
                             "write .json",
                             i);
        }
    }
    for (int i = 0; i < problem->contact_count && !problem->W; i++) {
        if (problem->contacts[i].compliance != 0) {
            return tact_fail(TACT_UNSUPPORTED,
                             "contact %d: FCLIB has no compliance in its global form", i);
        }
    }
    return TACT_OK;
}

static TactStatus make_image(const TactContactProblem *problem, const char *path, void **image,
                             size_t *size)
{
    TactHdf5 hdf5;
    TACT_TRY(tact_hdf5_create(&hdf5, path));
    TactStatus status = problem->W ? put_local(&hdf5, problem) : put_global(&hdf5, problem);
    if (status == TACT_OK) {
        status = tact_hdf5_image(&hdf5, image, size);
    }
    tact_hdf5_close(&hdf5);
    return status;
}

TactStatus tact_contact_write_fclib(const TactContactProblem *problem, const char *path)
{
    void  *image = NULL;
    size_t size = 0;
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(check_kind(problem));
    TACT_TRY(make_image(problem, path, &image, &size));
    TactOutput output;
    TactStatus status = tact_output_open(&output, path);
    if (status == TACT_OK) {
        fwrite(image, 1, size, output.stream);
        status = tact_output_close(&output);
    }
    tact_release(image);
    return status;
}

#else

TactStatus tact_contact_write_fclib(const TactContactProblem *problem, const char *path)
{
    (void)problem;
    return tact_fail(TACT_UNSUPPORTED, "%s: this tact was built without HDF5", path ? path : "");
}

#endif
