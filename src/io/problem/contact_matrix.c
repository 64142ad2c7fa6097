#include "io/problem/contact_matrix.h"

#include <math.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/problem/contact_blocks.h"
#include "io/problem/contact_schur.h"

// So many a solver takes.
enum { MOST_CONTACTS = 1 << 22 };

void tact_friction_destroy(TactFrictionMatrices *friction)
{
    TactMatrix *const matrices[] = {&friction->W, &friction->V, &friction->R,
                                    &friction->M, &friction->H, &friction->G};
    double *const     vectors[] = {friction->q, friction->s, friction->f,
                                   friction->w, friction->b, friction->mu};
    for (int i = 0; i < 6; i++) {
        tact_matrix_destroy(matrices[i]);
        tact_release(vectors[i]);
    }
    tact_release(friction->mu_roll);
    *friction = (TactFrictionMatrices){0};
}

TactStatus tact_friction_count(const TactFrictionMatrices *friction, int components, int *contacts)
{
    int d = friction->dimension;
    if (components % d != 0) {
        return tact_fail(TACT_BAD_INPUT, "%s: %d rows are no contacts of %d components",
                         friction->name, components, d);
    }
    *contacts = components / d;
    if (*contacts > MOST_CONTACTS) {
        return tact_fail(TACT_UNSUPPORTED, "%s: %d contacts are too many (at most %d)",
                         friction->name, *contacts, MOST_CONTACTS);
    }
    return TACT_OK;
}

/// Is there room for dense matrices of so many contacts?
static TactStatus check_dense_size(const TactFrictionMatrices *friction, int contacts)
{
    int most = TACT_IO_MAX_DENSE / (friction->dimension > 3 ? 6 : 3);
    if (contacts > most) {
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: %d contacts are too many for dense matrices (at "
                         "most %d), and it has more than W",
                         friction->name, contacts, most);
    }
    return TACT_OK;
}

static TactStatus allocate_reals(size_t count, double **array)
{
    void *block;
    TACT_TRY(tact_allocate(count, sizeof(double), &block));
    *array = block;
    return TACT_OK;
}

/// Contacts with nothing but mu. In the plane a pyramid with four directions is the cone itself.
static TactStatus make_contacts(const TactFrictionMatrices *friction, int count,
                                TactContactParts *parts)
{
    void *block;
    TACT_TRY(tact_allocate((size_t)count, sizeof(TactContact), &block));
    parts->contacts = block;
    parts->contact_count = count;
    parts->dimension = friction->dimension == 2 ? 2 : 3;
    for (int i = 0; i < count; i++) {
        parts->contacts[i] = (TactContact){
            .a = -1,
            .b = -1,
            .mu = friction->mu[i],
            .directions = friction->dimension == 2 ? 4 : 0,
            .mu_roll = friction->mu_roll ? friction->mu_roll[i] : 0,
        };
    }
    return TACT_OK;
}

/// First row of a contact.
static size_t first_row(const TactContactParts *parts, int contact)
{
    size_t row = 0;
    for (int i = 0; i < contact; i++) {
        row += tact_contact_has_moments(&parts->contacts[i]) ? 6 : 3;
    }
    return row;
}

/// Component k of the file as row of tact. In the plane tangent 2 is left out; components 3 and 4
/// are rolling, which comes after spinning. (size_t)-1: rolling without a coefficient.
static size_t place(const TactContactParts *parts, int dimension, int k)
{
    int    contact = k / dimension, component = k % dimension;
    size_t row = dimension > 3 ? first_row(parts, contact) : 3 * (size_t)contact;
    if (component < 3) {
        return row + (size_t)component;
    }
    return tact_contact_has_moments(&parts->contacts[contact]) ? row + (size_t)component + 1
                                                               : (size_t)-1;
}

/// Calls visit for every entry that is not 0, in the order of the storage.
typedef void Visit(void *context, int row, int column, double value);

static void for_each_entry(const TactMatrix *matrix, Visit *visit, void *context)
{
    for (size_t k = 0; k < matrix->count; k++) {
        const TactEntry *entry = &matrix->entry[k];
        visit(context, entry->row, entry->column, entry->value);
    }
    for (int i = 0; matrix->dense && i < matrix->rows; i++) {
        const double *row = matrix->dense + (size_t)i * (size_t)matrix->columns;
        for (int j = 0; j < matrix->columns; j++) {
            if (row[j] != 0) {
                visit(context, i, j, row[j]);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Local

typedef struct Target {
    TactContactParts *parts;
    int               dimension;
    size_t            rows; // of W
} Target;

static void add_delassus(void *context, int row, int column, double value)
{
    Target *target = context;
    size_t  r = place(target->parts, target->dimension, row);
    size_t  c = place(target->parts, target->dimension, column);
    if (r != (size_t)-1 && c != (size_t)-1) {
        target->parts->W[r * target->rows + c] += value;
    }
}

TactStatus tact_friction_local(const TactFrictionMatrices *friction, TactContactParts *parts)
{
    int count = 0;
    TACT_TRY(tact_friction_count(friction, friction->W.rows, &count));
    bool dense = count <= TACT_IO_DENSE_CONTACTS || friction->R.rows > 0 || friction->dimension > 3;
    if (dense) {
        TACT_TRY(check_dense_size(friction, count));
    }
    TACT_TRY(make_contacts(friction, count, parts));
    size_t n = dense ? first_row(parts, count) : 3 * (size_t)count;
    TACT_TRY(allocate_reals(n, &parts->u_free));
    if (dense) {
        TACT_TRY(allocate_reals(n * n, &parts->W));
        for_each_entry(&friction->W, add_delassus, &(Target){parts, friction->dimension, n});
    } else {
        TACT_TRY(tact_contact_take_blocks(&friction->W, friction->dimension, parts));
    }
    for (int k = 0; k < friction->W.rows; k++) {
        size_t row = place(parts, friction->dimension, k);
        if (row != (size_t)-1) {
            parts->u_free[row] = friction->q[k];
        }
    }
    return friction->R.rows > 0 ? tact_friction_eliminate(friction, parts) : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Global

static void add_mass(void *context, int row, int column, double value)
{
    TactContactParts *parts = context;
    parts->M[(size_t)row * (size_t)parts->nv + (size_t)column] += value;
}

/// Column k of H is row k of J.
static void add_jacobian(void *context, int row, int column, double value)
{
    Target *target = context;
    size_t  nv = (size_t)target->parts->nv;
    size_t  at = place(target->parts, target->dimension, column);
    if (at != (size_t)-1) {
        target->parts->J[at * nv + (size_t)row] += value;
    }
}

static void add_row_jacobian(void *context, int row, int column, double value)
{
    TactContactParts *parts = context;
    parts->row_J[(size_t)column * (size_t)parts->nv + (size_t)row] += value;
}

static TactStatus check_sizes(const TactFrictionMatrices *friction, int contacts)
{
    double nv = friction->M.rows;
    double most = (double)TACT_IO_MAX_DENSE * TACT_IO_MAX_DENSE;
    if (nv > TACT_IO_MAX_DENSE || nv * (3.0 * contacts + friction->G.columns) > most) {
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: %d degrees of freedom, %d contacts and %d bilateral rows are too "
                         "large for dense matrices",
                         friction->name, friction->M.rows, contacts, friction->G.columns);
    }
    return TACT_OK;
}

/// Where row i of M has entries left of the diagonal, its ancestors are to be: the elimination tree
/// of M taken from the last row to the first [Liu 1990]. Left out if it is a single chain.
static TactStatus make_tree(TactContactParts *parts)
{
    int   n = parts->nv;
    void *block;
    void *jump;
    TACT_TRY(tact_allocate((size_t)n, sizeof(int), &block));
    parts->parent = block;
    TACT_TRY(tact_allocate((size_t)n, sizeof(int), &jump));
    int *ancestor = jump; // with short cuts
    int  roots_and_branches = 0;
    for (int i = n - 1; i >= 0; i--) {
        parts->parent[i] = ancestor[i] = -1;
        for (int k = i + 1; k < n; k++) {
            if (parts->M[(size_t)k * (size_t)n + (size_t)i] == 0) {
                continue;
            }
            for (int j = k; j != i && j >= 0;) {
                int next = ancestor[j];
                ancestor[j] = i;
                if (next < 0) {
                    parts->parent[j] = i;
                }
                j = next;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        roots_and_branches += parts->parent[i] != i - 1;
    }
    tact_release(jump);
    if (roots_and_branches == 0) {
        tact_release(parts->parent);
        parts->parent = NULL;
    }
    return TACT_OK;
}

// Differences of M[i,j] and M[j,i] up to this part of the diagonal are taken for rounding of the
// program that wrote them.
static const double SYMMETRIC_TO = 1e-2;

/// The mass matrix of a file may not be quite symmetric: then its symmetric part, with a warning.
static void make_symmetric(const char *name, TactContactParts *parts)
{
    size_t n = (size_t)parts->nv;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double *low = &parts->M[i * n + j], *high = &parts->M[j * n + i];
            double  size = sqrt(fabs(parts->M[i * n + i] * parts->M[j * n + j]));
            double  off = fabs(*low - *high);
            if (off > 1e-9 * size && off <= SYMMETRIC_TO * size) {
                *low = *high = 0.5 * (*low + *high);
                worst = fmax(worst, off / size);
            }
        }
    }
    if (worst > 1e-9) {
        tact_log(TACT_LOG_LEVEL_WARNING,
                 "%s: M is not quite symmetric (%.1e of its diagonal): its symmetric part is taken",
                 name, worst);
    }
}

static TactStatus make_mechanism(const TactFrictionMatrices *friction, TactContactParts *parts)
{
    size_t nv = (size_t)friction->M.rows;
    parts->nv = friction->M.rows;
    TACT_TRY(allocate_reals(nv * nv, &parts->M));
    TACT_TRY(allocate_reals(nv, &parts->v));
    TACT_TRY(allocate_reals(nv, &parts->tau));
    for_each_entry(&friction->M, add_mass, parts);
    make_symmetric(friction->name, parts);
    for (size_t i = 0; i < nv; i++) {
        parts->tau[i] = friction->f[i];
    }
    return make_tree(parts);
}

static TactStatus make_rows(const TactFrictionMatrices *friction, TactContactParts *parts)
{
    size_t count = (size_t)friction->G.columns;
    size_t nv = (size_t)parts->nv;
    void  *block;
    TACT_TRY(tact_allocate(count, sizeof(TactContactRow), &block));
    parts->rows = block;
    parts->row_count = friction->G.columns;
    TACT_TRY(allocate_reals(count * nv, &parts->row_J));
    for_each_entry(&friction->G, add_row_jacobian, parts);
    for (size_t k = 0; k < count; k++) {
        parts->rows[k] = (TactContactRow){
            .kind = TACT_ROW_BILATERAL,
            .a = -1,
            .b = -1,
            .J = parts->row_J + k * nv,
            .target = -friction->b[k],
        };
    }
    return TACT_OK;
}

TactStatus tact_friction_global(const TactFrictionMatrices *friction, TactContactParts *parts)
{
    int count = 0;
    int d = friction->dimension;
    TACT_TRY(tact_friction_count(friction, friction->H.columns, &count));
    TACT_TRY(check_dense_size(friction, count));
    TACT_TRY(check_sizes(friction, count));
    TACT_TRY(make_contacts(friction, count, parts));
    TACT_TRY(make_mechanism(friction, parts));
    size_t nv = (size_t)parts->nv;
    TACT_TRY(allocate_reals(first_row(parts, count) * nv, &parts->J));
    for_each_entry(&friction->H, add_jacobian, &(Target){parts, d, 0});
    for (int i = 0; i < count; i++) {
        TactContact *contact = &parts->contacts[i];
        contact->J = parts->J + first_row(parts, i) * nv;
        contact->bias = friction->w[d * i];
        for (int k = 1; k < d && k < 3; k++) {
            contact->surface[k - 1] = friction->w[d * i + k];
        }
        for (int k = 3; k < d; k++) {
            if (friction->w[d * i + k] != 0) {
                return tact_fail(TACT_UNSUPPORTED,
                                 "%s: contact %d: w has an angular velocity of %g, and tact has no "
                                 "surfaces that turn",
                                 friction->name, i, friction->w[d * i + k]);
            }
        }
    }
    return friction->G.columns > 0 ? make_rows(friction, parts) : TACT_OK;
}
