#include "contact/patch.h"

#include <math.h>
#include <string.h>

#include "contact/problem/problem.h"

bool tact_patch_in(const TactContactProblem *problem)
{
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_is_patch(&problem->contacts[i])) {
            return true;
        }
    }
    return false;
}

size_t tact_patch_delassus_rows(const TactContactProblem *problem)
{
    size_t rows = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        rows += tact_contact_has_moments(&problem->contacts[i]) ? 6 : 3;
    }
    return rows;
}

void tact_patch_layout(TactPatches *patches, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t      some = capacity->patches > 0; // nothing at all without
    size_t      contacts = some * (size_t)capacity->contacts, rows = some * (size_t)capacity->rows;
    size_t      dense = capacity->dense ? some * 3 * (size_t)capacity->contacts : 0;
    TactPatches sized = {
        .discs = tact_arena_take(arena, 3 * (size_t)capacity->patches, sizeof(TactDisc)),
        .row = tact_arena_take(arena, rows, sizeof(TactContactRow)),
        .contact = tact_arena_take(arena, contacts, sizeof(TactContact)),
        .W = tact_arena_take(arena, dense, dense * sizeof(double)),
        .u_free = tact_arena_take(arena, dense, sizeof(double)),
        .impulse = tact_arena_take(arena, 3 * contacts, sizeof(double)),
        .row_impulse = tact_arena_take(arena, rows, sizeof(double)),
        .u = tact_arena_take(arena, 3 * contacts, sizeof(double)),
        .moment = tact_arena_take(arena, contacts, sizeof *patches->moment),
        .own = tact_arena_take(arena, contacts, sizeof(bool)),
    };
    if (arena->block) {
        *patches = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// Expand

/// A row for the relative angular velocity about axis 0, 1, 2 of a contact's frame.
static void add_row(TactPatches *patches, const TactContactProblem *problem, int i, int axis)
{
    const TactContact *contact = &problem->contacts[i];
    TactContactRow     row = {.kind = TACT_ROW_MOMENT, .a = contact->a, .b = contact->b};
    if (problem->M) {
        row.J = contact->J + (size_t)(3 + axis) * (size_t)problem->nv;
    } else {
        double frame[3][3];
        tact_contact_compute_frame(contact, frame);
        for (int k = 0; k < 3; k++) {
            row.J_a[3 + k] = -frame[axis][k];
            row.J_b[3 + k] = frame[axis][k];
        }
    }
    patches->row[patches->problem.row_count++] = row;
}

/// Where the moments of contact i are, and the rows or the contact that stand for them. Places of
/// rows are numbered after all contacts, of which there may be more to come: by the caller.
static void add_moments(TactPatches *patches, const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    int               *moment = patches->moment[i];
    moment[0] = moment[1] = moment[2] = -1;
    if (!tact_contact_has_moments(contact)) {
        return;
    }
    if (problem->W) {
        int k = patches->problem.contact_count++;
        patches->contact[k] = (TactContact){.id = contact->id ^ ((uint64_t)1 << 63)};
        for (int c = 0; c < 3; c++) {
            moment[c] = 3 * k + c;
        }
        return;
    }
    int nc = 3 * problem->contact_count;
    for (int c = 0; c < 3; c++) {
        if (c == 0 ? contact->mu_spin > 0 : contact->mu_roll > 0) {
            moment[c] = nc + patches->problem.row_count;
            add_row(patches, problem, i, c);
        }
    }
}

static void put(TactDisc *disc, int place, double mu)
{
    if (mu > 0) {
        disc->place[disc->dim] = place;
        disc->mu[disc->dim++] = mu;
    }
}

/// Adds a disc, unless it is none.
static TactDisc *open_disc(TactPatches *patches, TactDiscPart part, const TactContact *contact,
                           int i)
{
    TactDisc *disc = &patches->discs[patches->disc_count++];
    *disc =
        (TactDisc){.part = part,
                   .contact = i,
                   .directions = contact->directions ? contact->directions : 8,
                   .turn = part == TACT_DISC_SPIN || part == TACT_DISC_ROLL ? 0 : contact->turn};
    return disc;
}

static void close_disc(TactPatches *patches, const TactDisc *disc)
{
    patches->disc_count -= disc->dim == 0;
}

static void add_discs(TactPatches *patches, const TactContact *contact, int i)
{
    const int *moment = patches->moment[i];
    double     mu2 = contact->mu2 > 0 ? contact->mu2 : contact->mu;
    bool       ellipsoid = contact->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
    patches->own[i] = ellipsoid || mu2 != contact->mu;
    if (patches->own[i]) {
        TactDisc *disc =
            open_disc(patches, ellipsoid ? TACT_DISC_ALL : TACT_DISC_SLIDE, contact, i);
        put(disc, 3 * i + 1, contact->mu);
        put(disc, 3 * i + 2, mu2);
        if (ellipsoid) {
            put(disc, moment[0], contact->mu_spin);
            put(disc, moment[1], contact->mu_roll);
            put(disc, moment[2], contact->mu_roll);
        }
        close_disc(patches, disc);
    }
    if (!ellipsoid && contact->mu_spin > 0) {
        put(open_disc(patches, TACT_DISC_SPIN, contact, i), moment[0], contact->mu_spin);
    }
    if (!ellipsoid && contact->mu_roll > 0) {
        TactDisc *disc = open_disc(patches, TACT_DISC_ROLL, contact, i);
        put(disc, moment[1], contact->mu_roll);
        put(disc, moment[2], contact->mu_roll);
    }
}

/// W and u_free in the order of the expanded problem: all contacts, then all moments.
static void expand_delassus(TactPatches *patches, const TactContactProblem *problem)
{
    size_t given = tact_patch_delassus_rows(problem);
    size_t n = 3 * (size_t)patches->problem.contact_count;
    size_t row = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        for (size_t r = 0; r < (patches->moment[i][0] >= 0 ? 6u : 3u); r++, row++) {
            size_t to = r < 3 ? 3 * (size_t)i + r : (size_t)patches->moment[i][r - 3];
            size_t column = 0;
            patches->u_free[to] = problem->u_free[row];
            for (int j = 0; j < problem->contact_count; j++) {
                for (size_t c = 0; c < (patches->moment[j][0] >= 0 ? 6u : 3u); c++, column++) {
                    size_t at = c < 3 ? 3 * (size_t)j + c : (size_t)patches->moment[j][c - 3];
                    patches->W[to * n + at] = problem->W[row * given + column];
                }
            }
        }
    }
    patches->problem.W = patches->W;
    patches->problem.u_free = patches->u_free;
    patches->problem.contacts = patches->contact;
}

void tact_patch_expand(TactPatches *patches, const TactContactProblem *problem)
{
    patches->problem = *problem;
    patches->problem.rows = patches->row;
    patches->contacts = problem->contact_count;
    patches->rows = problem->row_count;
    patches->disc_count = 0;
    if (problem->row_count > 0) {
        memcpy(patches->row, problem->rows, (size_t)problem->row_count * sizeof *patches->row);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        patches->own[i] = false;
        patches->moment[i][0] = patches->moment[i][1] = patches->moment[i][2] = -1;
        if (problem->W) {
            patches->contact[i] = problem->contacts[i];
        }
        if (tact_contact_is_patch(&problem->contacts[i])) {
            add_moments(patches, problem, i);
            add_discs(patches, &problem->contacts[i], i);
        }
    }
    if (problem->W) {
        expand_delassus(patches, problem);
    }
}

// ---------------------------------------------------------------------------------------------
// Answers

TactContactAnswer tact_patch_answer(const TactPatches *patches, const TactContactAnswer *given,
                                    double *velocity)
{
    bool W = patches->problem.W != NULL;
    return (TactContactAnswer){
        .impulse = W ? patches->impulse : given->impulse,
        .row_impulse = patches->row_impulse,
        .velocity = given->velocity ? given->velocity : velocity,
        .u = W ? patches->u : given->u,
    };
}

void tact_patch_take(TactPatches *patches, const TactContactAnswer *given,
                     const TactContactAnswer *expanded)
{
    int nc = 3 * patches->problem.contact_count;
    if (expanded->impulse != given->impulse) {
        memset(expanded->impulse, 0, (size_t)nc * sizeof(double));
        memcpy(expanded->impulse, given->impulse, 3 * (size_t)patches->contacts * sizeof(double));
    }
    memset(expanded->row_impulse, 0, (size_t)patches->problem.row_count * sizeof(double));
    if (patches->rows > 0 && given->row_impulse) {
        memcpy(expanded->row_impulse, given->row_impulse, (size_t)patches->rows * sizeof(double));
    }
    for (int k = 0; k < 3 * patches->contacts && given->moment; k++) {
        int place = patches->moment[k / 3][k % 3];
        if (place >= nc) {
            expanded->row_impulse[place - nc] = given->moment[k];
        } else if (place >= 0) {
            expanded->impulse[place] = given->moment[k];
        }
    }
}

/// Relative angular velocity of a contact with rows of its own.
static double angular_velocity(const TactPatches *patches, const TactContactAnswer *expanded,
                               int contact, int axis)
{
    const TactContactProblem *problem = &patches->problem;
    const TactContact        *source = &problem->contacts[contact];
    double                    sum = 0;
    if (problem->W) {
        return expanded->u[patches->moment[contact][axis]];
    }
    if (problem->M) {
        const double *J = source->J + (size_t)(3 + axis) * (size_t)problem->nv;
        for (int j = 0; j < problem->nv; j++) {
            sum += J[j] * expanded->velocity[j];
        }
        return sum;
    }
    double frame[3][3];
    tact_contact_compute_frame(source, frame);
    for (int k = 0; k < 3; k++) {
        double after = source->b >= 0 ? expanded->velocity[6 * source->b + 3 + k] : 0;
        double before = source->a >= 0 ? expanded->velocity[6 * source->a + 3 + k] : 0;
        sum += frame[axis][k] * (after - before);
    }
    return sum;
}

void tact_patch_give(const TactPatches *patches, const TactContactAnswer *expanded,
                     const TactContactAnswer *given)
{
    int    nc = 3 * patches->problem.contact_count;
    size_t bytes = 3 * (size_t)patches->contacts * sizeof(double);
    if (given->impulse != expanded->impulse) {
        memcpy(given->impulse, expanded->impulse, bytes);
    }
    if (given->u && given->u != expanded->u) {
        memcpy(given->u, expanded->u, bytes);
    }
    if (given->row_impulse && patches->rows > 0) {
        memcpy(given->row_impulse, expanded->row_impulse, (size_t)patches->rows * sizeof(double));
    }
    for (int k = 0; k < 3 * patches->contacts; k++) {
        int  place = patches->moment[k / 3][k % 3];
        bool turns = tact_contact_has_moments(&patches->problem.contacts[k / 3]);
        if (given->moment) {
            given->moment[k] = place >= nc  ? expanded->row_impulse[place - nc]
                               : place >= 0 ? expanded->impulse[place]
                                            : 0;
        }
        if (given->spin) {
            given->spin[k] = turns ? angular_velocity(patches, expanded, k / 3, k % 3) : 0;
        }
    }
}

double tact_patch_used(const TactDisc *disc, const TactContactProblem *expanded,
                       const TactContactAnswer *answer)
{
    double square = 0, load = answer->impulse[3 * disc->contact];
    int    first = 3 * expanded->contact_count;
    for (int k = 0; k < disc->dim; k++) {
        int    place = disc->place[k];
        double p = place < first ? answer->impulse[place] : answer->row_impulse[place - first];
        square += p * p / (disc->mu[k] * disc->mu[k]);
    }
    return load > 0 ? sqrt(square) / load : 0;
}

int tact_patch_index(const TactPatches *patches, int index)
{
    int contacts = patches->problem.contact_count, rows = patches->problem.row_count;
    if (index < 0 || index < patches->contacts) {
        return index;
    }
    if (index < contacts + patches->rows && index >= contacts) {
        return index - contacts + patches->contacts;
    }
    if (index >= contacts + rows) {
        return index - contacts - rows + patches->contacts + patches->rows;
    }
    int place = index < contacts ? 3 * index : 2 * contacts + index; // of a moment
    for (int k = 0; k < 3 * patches->contacts; k++) {
        if (patches->moment[k / 3][k % 3] == place) {
            return k / 3;
        }
    }
    return -1;
}
