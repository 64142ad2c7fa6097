// What every contact does, how close it is to slipping, and whether its force is the only one.
//
// A force is unique if no other force at this contact gives the same motion. With the motion the
// states are given: a contact that sticks may have any impulse, one that slides only more or less
// of its own direction, one that is open none. The columns of C along which impulses may change are
// the active ones, and what they can change without moving anything is the null space of them. A
// contact that touches without load counts as active: redundant contacts share a load in many ways,
// and pivoting methods leave most of them without any.
#include "contact/certificate/diagnose.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/certificate/defect.h"
#include "contact/patch.h"
#include "contact/problem/problem.h"
#include "contact/system/system.h"

// Slip and separation below this part of the motion of the contact's bodies are none.
static const double MOVES_FROM = 1e-7;

// Impulses below this part of the largest, scaled, are none.
static const double LOADED_FROM = 1e-12;

// Operations beyond which nobody looks for the rank of all active columns (some 10 s): loaded
// contacts are then told as not unique, each by itself.
static const double MOST_WORK = 2e10;

/// One way in which an impulse may change.
typedef struct Active {
    int    item;
    double along[3]; // n, 1, 2
} Active;

typedef struct Diagnosis {
    const TactContactProblem *problem;
    TactSystem                system;
    double                   *p;      // impulses of the items                       (3 items)
    double                   *u;      // of the items, offsets included              (3 items)
    double                   *y;      // whitened motion                             (dof)
    Active                   *active; // (3 items)
    int                      *number; // of a group of active columns                (3 items)
    int                       active_count;
    double                    largest; // scaled impulse
} Diagnosis;

static void diagnose_layout(Diagnosis *d, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    tact_system_layout(&d->system, capacity, arena);
    d->p = tact_arena_take(arena, 3 * items, sizeof(double));
    d->u = tact_arena_take(arena, 3 * items, sizeof(double));
    d->y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    d->active = tact_arena_take(arena, 3 * items, sizeof *d->active);
    d->number = tact_arena_take(arena, 3 * items, sizeof(int));
}

/// Impulses of the items from those of contacts and rows, the motion that follows from them, and
/// the largest impulse.
static void gather_answer(Diagnosis *d, const TactContactAnswer *answer)
{
    d->largest = 0;
    for (int i = 0; i < d->system.item_count; i++) {
        const TactItem *item = &d->system.items[i];
        double         *p = d->p + 3 * (size_t)i;
        p[0] = p[1] = p[2] = 0;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(p, answer->impulse + 3 * (size_t)item->source, 3 * sizeof(double));
        } else {
            p[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = answer->row_impulse[item->source];
        }
        d->largest = fmax(d->largest, fmax(fabs(p[0]), hypot(p[1], p[2])) / item->scale);
    }
    if (d->problem->W) { // u of W as it is given
        tact_defect_correct(&d->system, d->problem, d->p);
    }
    tact_system_move(&d->system, d->p, d->y, d->u);
}

// ---------------------------------------------------------------------------------------------
// States

/// What rounding is measured against: |C_k| (|y+| + |y0|) on the degrees of freedom of an item, and
/// its offset.
static double motion_of(const Diagnosis *d, int i, int component)
{
    const TactSystem    *system = &d->system;
    const TactItemGroup *group = &system->groups[system->items[i].group];
    const int           *support = system->support + group->support;
    const double        *column =
        system->columns + system->column[i] + (size_t)component * (size_t)group->size;
    double length = 0, after = 0, before = 0;
    for (int s = 0; s < group->size; s++) {
        length += column[s] * column[s];
        after += d->y[support[s]] * d->y[support[s]];
        before += system->y0[support[s]] * system->y0[support[s]];
    }
    return sqrt(length) * (sqrt(after) + sqrt(before)) + fabs(system->e[3 * i + component]);
}

static bool is_loaded(const Diagnosis *d, int i)
{
    return d->p[3 * (size_t)i] / d->system.items[i].scale > LOADED_FROM * d->largest;
}

static bool is_closed(const Diagnosis *d, int i)
{
    return is_loaded(d, i) || d->u[3 * (size_t)i] <= MOVES_FROM * motion_of(d, i, 0);
}

/// Direction of the slip; false if the contact sticks.
static bool is_sliding(const Diagnosis *d, int i, double direction[2])
{
    if (d->problem->level == TACT_LEVEL_ACCELERATION &&
        tact_contact_slides(d->problem, d->system.items[i].source, direction)) {
        return true;
    }
    const double *u = d->u + 3 * (size_t)i;
    double        speed = hypot(u[1], u[2]);
    if (!(speed > MOVES_FROM * fmax(motion_of(d, i, 1), motion_of(d, i, 2)))) {
        return false;
    }
    direction[0] = u[1] / speed;
    direction[1] = u[2] / speed;
    return true;
}

static TactContactDiagnosis describe_contact(const Diagnosis *d, int i)
{
    const TactItem      *item = &d->system.items[i];
    const double        *p = d->p + 3 * (size_t)i;
    const double        *u = d->u + 3 * (size_t)i;
    TactContactDiagnosis out = {.unique = true, .group = -1, .slip = hypot(u[1], u[2])};
    double               direction[2];
    out.state = TACT_STATE_OPEN;
    if (is_loaded(d, i)) {
        out.state = is_sliding(d, i, direction) ? TACT_STATE_SLIDE : TACT_STATE_STICK;
        out.friction_used = item->mu > 0 ? hypot(p[1], p[2]) / (item->mu * p[0]) : 0;
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Active columns

static void add_active(Diagnosis *d, int i, double n, double t1, double t2)
{
    d->active[d->active_count++] = (Active){.item = i, .along = {n, t1, t2}};
}

/// Does a contact have this tangent at all? In the plane its row is 0: impulses along it are no
/// impulses.
static bool has_tangent(const TactContactProblem *problem, int contact, int component)
{
    if (problem->M) {
        const double *J = problem->contacts[contact].J + (size_t)component * (size_t)problem->nv;
        for (int j = 0; j < problem->nv; j++) {
            if (J[j] != 0) {
                return true;
            }
        }
        return false;
    }
    size_t n = 3 * (size_t)problem->contact_count;
    size_t row = 3 * (size_t)contact + (size_t)component;
    return !problem->W || problem->W[row * n + row] > 0; // semidefinite: 0 there, 0 everywhere
}

/// The normal impulse of a compliant contact follows from the motion, and so does that of a motor
/// at its bound.
static void list_active(Diagnosis *d, int i)
{
    const TactItem *item = &d->system.items[i];
    const double   *p = d->p + 3 * (size_t)i;
    if (item->kind == TACT_ITEM_MOTOR) {
        if (fabs(p[1]) < item->bound * (1 - MOVES_FROM)) {
            add_active(d, i, 0, 1, 0);
        }
        return;
    }
    if (!is_closed(d, i)) {
        return;
    }
    bool   rigid = item->compliance == 0;
    bool   friction = item->kind == TACT_ITEM_CONTACT && item->mu > 0;
    double slip[2];
    if (friction && is_sliding(d, i, slip)) {
        bool loaded = is_loaded(d, i);
        // A pyramid's friction need not oppose the slip: what it does is seen from the load.
        double t1 = loaded ? p[1] / p[0] : -item->mu * slip[0];
        double t2 = loaded ? p[2] / p[0] : -item->mu * slip[1];
        if (rigid) {
            add_active(d, i, 1, t1, t2);
        }
        return;
    }
    if (rigid) {
        add_active(d, i, 1, 0, 0);
    }
    if (friction && has_tangent(d->problem, item->source, 1)) {
        add_active(d, i, 0, 1, 0);
    }
    if (friction && has_tangent(d->problem, item->source, 2)) {
        add_active(d, i, 0, 0, 1);
    }
}

/// The active columns at unit length. One that is 0 stays 0: its impulse moves nothing.
static void fill_columns(Diagnosis *d, TactDependence *dependence)
{
    int dof = d->system.dof;
    for (int k = 0; k < d->active_count; k++) {
        double *column = dependence->columns + (size_t)k * (size_t)dof;
        double  square = 0;
        dependence->owner[k] = d->active[k].item;
        memset(column, 0, (size_t)dof * sizeof(double));
        tact_system_push(&d->system, d->active[k].item, d->active[k].along, column);
        for (int j = 0; j < dof; j++) {
            square += column[j] * column[j];
        }
        for (int j = 0; j < dof && square > 0; j++) {
            column[j] /= sqrt(square);
        }
    }
}

/// Contacts with columns that depend on others: groups are numbered in the order in which they
/// appear.
static void write_groups(Diagnosis *d, const TactDependence *dependence, TactContactDiagnosis *out)
{
    int groups = 0;
    for (int k = 0; k < d->active_count; k++) {
        d->number[k] = -1;
    }
    for (int k = 0; k < d->active_count; k++) {
        const TactItem *item = &d->system.items[d->active[k].item];
        int             root = dependence->group[k];
        if (root >= 0 && item->kind == TACT_ITEM_CONTACT) {
            if (d->number[root] < 0) {
                d->number[root] = groups++;
            }
            out[item->source].unique = false;
            out[item->source].group = d->number[root];
        }
    }
}

static TactStatus find_sharing_groups(Diagnosis *d, TactContactDiagnosis *out)
{
    TactDependence dependence = {0};
    TactArena      arena = {0};
    d->active_count = 0;
    for (int i = 0; i < d->system.item_count; i++) {
        list_active(d, i);
    }
    if ((double)d->system.dof * (double)d->active_count * d->active_count > MOST_WORK) {
        for (int i = 0; i < d->problem->contact_count; i++) {
            out[i].unique = out[i].state == TACT_STATE_OPEN;
            out[i].group = out[i].unique ? -1 : i;
        }
        return TACT_OK;
    }
    tact_dependence_layout(&dependence, d->system.dof, d->active_count, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_dependence_layout(&dependence, d->system.dof, d->active_count, &arena);
    fill_columns(d, &dependence);
    tact_dependence_find(&dependence);
    write_groups(d, &dependence, out);
    tact_arena_destroy(&arena);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The whole

static TactStatus check_arguments(const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactDiagnosis *diagnosis)
{
    if (!answer || ((!answer->impulse || !diagnosis) && problem->contact_count > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "answer, its impulse or diagnosis is NULL");
    }
    for (int r = 0; r < problem->row_count; r++) {
        if (problem->rows[r].kind != TACT_ROW_BILATERAL && !answer->row_impulse) {
            return tact_fail(TACT_BAD_ARGUMENT, "row_impulse is NULL, but row %d may have one", r);
        }
        if (answer->row_impulse && !isfinite(answer->row_impulse[r])) {
            return tact_fail(TACT_BAD_INPUT, "the impulse of row %d is %g", r,
                             answer->row_impulse[r]);
        }
    }
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        if (!isfinite(answer->impulse[i])) {
            return tact_fail(TACT_BAD_INPUT, "the impulse of contact %d is %g", i / 3,
                             answer->impulse[i]);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Patches

/// The problem with its moments as rows: those at their bound follow the load, others may have any
/// value.
static TactContactAnswer expand_patches(TactPatches *patches, const TactContactProblem *problem,
                                        const TactContactAnswer *given)
{
    tact_patch_expand(patches, problem);
    TactContactAnswer expanded = tact_patch_answer(patches, given, NULL);
    tact_patch_take(patches, given, &expanded);
    int first = 3 * patches->problem.contact_count;
    for (int k = 0; k < patches->disc_count; k++) {
        const TactDisc *disc = &patches->discs[k];
        bool            free = tact_patch_used(disc, &patches->problem, &expanded) < 1 - MOVES_FROM;
        for (int c = 0; c < disc->dim; c++) {
            if (disc->place[c] >= first) {
                patches->row[disc->place[c] - first].force_max = free ? HUGE_VAL : 0;
            }
        }
    }
    return expanded;
}

/// Shares of the bounds, and how fast the contacts turn.
static void describe_patches(const Diagnosis *d, const TactPatches *patches,
                             const TactContactAnswer *expanded, TactContactDiagnosis *out)
{
    for (int k = 0; k < patches->disc_count; k++) {
        const TactDisc       *disc = &patches->discs[k];
        TactContactDiagnosis *contact = &out[disc->contact];
        double                used = contact->state == TACT_STATE_OPEN
                                         ? 0
                                         : tact_patch_used(disc, &patches->problem, expanded);
        contact->friction_used = patches->own[disc->contact] && disc->part != TACT_DISC_SPIN &&
                                         disc->part != TACT_DISC_ROLL
                                     ? used
                                     : contact->friction_used;
        contact->spin_used = disc->part == TACT_DISC_SPIN ? used : contact->spin_used;
        contact->roll_used = disc->part == TACT_DISC_ROLL ? used : contact->roll_used;
    }
    int contacts = patches->problem.contact_count;
    for (int i = 0; i < d->system.item_count; i++) {
        const TactItem *item = &d->system.items[i];
        bool            row = item->kind != TACT_ITEM_CONTACT;
        int             first = row ? 3 * contacts + item->source : 3 * item->source;
        for (int k = 0; k < 3 * patches->contacts; k++) {
            int at = patches->moment[k / 3][k % 3] - first;
            if (patches->moment[k / 3][k % 3] < 0 || at < 0 || at >= (row ? 1 : 3)) {
                continue;
            }
            double  w = d->u[3 * i + (row ? 1 : at)];
            double *rate = k % 3 == 0 ? &out[k / 3].spin : &out[k / 3].roll;
            *rate = hypot(*rate, w);
        }
    }
}

/// States and groups of contacts; those of a W with patches are told as not unique, each by itself.
static TactStatus diagnose_contacts(Diagnosis *d, const TactPatches *patches,
                                    const TactContactAnswer *answer,
                                    TactContactDiagnosis    *diagnosis)
{
    TACT_TRY(tact_system_build(&d->system, d->problem, false));
    gather_answer(d, answer);
    for (int i = 0; i < d->system.item_count; i++) {
        const TactItem *item = &d->system.items[i];
        if (item->kind == TACT_ITEM_CONTACT && (!patches || item->source < patches->contacts)) {
            diagnosis[item->source] = describe_contact(d, i);
        }
    }
    if (!patches || !d->problem->W) {
        TACT_TRY(find_sharing_groups(d, diagnosis));
    }
    if (patches) {
        describe_patches(d, patches, answer, diagnosis);
        for (int i = 0; i < patches->contacts && d->problem->W; i++) {
            diagnosis[i].unique = false;
            diagnosis[i].group = i;
        }
    }
    return TACT_OK;
}

/// A contact of a problem given by blocks alone, from its impulse and velocity: whether others give
/// the same motion is not asked, and each is told as not unique by itself.
///   size  sum of the magnitudes of what its velocity is made of
static TactContactDiagnosis describe_block(const TactContactProblem *problem, int i,
                                           const double *impulse, double largest)
{
    const TactContactBlocks *blocks = problem->blocks;
    const double            *p = impulse + 3 * (size_t)i;
    TactContactDiagnosis     out = {.unique = false, .group = i, .state = TACT_STATE_OPEN};
    double                   u[2], size[2];
    for (size_t c = 0; c < 2; c++) {
        u[c] = problem->u_free[3 * (size_t)i + c + 1];
        size[c] = fabs(u[c]);
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            const double *W = blocks->value + 9 * k + 3 * (c + 1);
            const double *x = impulse + 3 * (size_t)blocks->column[k];
            for (int e = 0; e < 3; e++) {
                u[c] += W[e] * x[e];
                size[c] += fabs(W[e] * x[e]);
            }
        }
        u[c] += problem->contacts[i].surface[c];
        size[c] += fabs(problem->contacts[i].surface[c]);
    }
    out.slip = hypot(u[0], u[1]);
    if (p[0] > LOADED_FROM * largest) {
        double mu = problem->contacts[i].mu;
        out.state =
            out.slip > MOVES_FROM * fmax(size[0], size[1]) ? TACT_STATE_SLIDE : TACT_STATE_STICK;
        out.friction_used = mu > 0 ? hypot(p[1], p[2]) / (mu * p[0]) : 0;
    }
    return out;
}

static void describe_blocks(const TactContactProblem *problem, const double *impulse,
                            TactContactDiagnosis *diagnosis)
{
    double largest = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        largest = fmax(largest, impulse[3 * i]);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        diagnosis[i] = describe_block(problem, i, impulse, largest);
    }
}

TactStatus tact_contact_diagnose(const TactContactProblem *problem, const TactContactAnswer *answer,
                                 TactContactDiagnosis *diagnosis)
{
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(check_arguments(problem, answer, diagnosis));
    if (problem->blocks && !problem->W) {
        describe_blocks(problem, answer->impulse, diagnosis);
        return TACT_OK;
    }
    Diagnosis           d = {.problem = problem};
    TactArena           arena = {0};
    TactPatches         patches = {0};
    TactContactAnswer   expanded = *answer;
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    diagnose_layout(&d, &capacity, &arena);
    tact_patch_layout(&patches, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    diagnose_layout(&d, &capacity, &arena);
    tact_patch_layout(&patches, &capacity, &arena);
    if (capacity.patches > 0) {
        expanded = expand_patches(&patches, problem, answer);
        d.problem = &patches.problem;
    }
    TactStatus status =
        diagnose_contacts(&d, capacity.patches > 0 ? &patches : NULL, &expanded, diagnosis);
    tact_arena_destroy(&arena);
    return status;
}
