// Drives the proof of an answer with the circular cone: states, Krawczyk's test, inequalities.
#include "prove/circle/circle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/contact.h"

enum { MOST_EQUATIONS = 2500 }; // three matrices of so many rows
#define TOUCHING 1e-9           // slip that may be rounding, of the largest speed
#define MOVABLE 1e-9            // how far outside of its cone an impulse may be moved back from

// ---------------------------------------------------------------------------------------------
// Inequalities over the box

typedef enum Verdict { HOLDS, FAILS, UNKNOWN } Verdict;

static Verdict judge(TactInterval x)
{
    return x.lo >= 0 ? HOLDS : x.hi < 0 ? FAILS : UNKNOWN;
}

/// Of impulses: where forces are redundant, what misses by little may be moved inside.
static Verdict judge_push(const TactCircle *circle, TactInterval x)
{
    Verdict verdict = judge(x);
    double  largest = tact_prove_largest(circle->answer->impulse, 3 * circle->bounds.contacts);
    bool    movable = circle->chosen < circle->equation_count && x.lo > -MOVABLE * largest;
    return verdict == FAILS && movable ? UNKNOWN : verdict;
}

static TactInterval cone_room(const TactCircle *circle, int i)
{
    const TactInterval *p = circle->box + circle->bounds.dof + 3 * i;
    TactInterval        limit =
        tact_interval_multiply(tact_interval(circle->problem->contacts[i].mu), p[0]);
    TactInterval friction = tact_interval_root(
        tact_interval_add(tact_interval_square(p[1]), tact_interval_square(p[2])));
    return tact_interval_subtract(limit, friction);
}

/// Has a contact friction that is not that of a disc?
static bool slides_plainly(const TactCircle *circle, int i)
{
    const TactPatches *patches = circle->task->patches;
    return circle->problem->contacts[i].mu > 0 && !(patches && patches->own[i]);
}

/// The same of a disc.
static Verdict judge_disc(const TactCircle *circle, int d, TactStateKind *other)
{
    TactStateKind kind = circle->states[circle->bounds.contacts + circle->bounds.rows + d].kind;
    *other = TACT_PROVE_CIRCLE;
    if (kind != TACT_PROVE_STICK || !tact_circle_is_loaded(circle, d)) {
        return HOLDS;
    }
    return judge_push(circle, tact_circle_disc_room(circle, &circle->discs.at[d]));
}

/// The worst of a contact's inequalities; the state on the other side of it into *other.
static Verdict judge_contact(const TactCircle *circle, int i, TactStateKind *other)
{
    TactStateKind kind = circle->states[i].kind;
    bool          friction = slides_plainly(circle, i);
    if (kind == TACT_PROVE_OPEN) {
        *other = friction ? TACT_PROVE_CIRCLE : TACT_PROVE_PLAIN;
        return judge(tact_circle_u(circle, 3 * i));
    }
    Verdict push = judge_push(circle, circle->box[circle->bounds.dof + 3 * i]);
    *other = TACT_PROVE_OPEN;
    if (push != HOLDS || kind != TACT_PROVE_STICK) {
        return push;
    }
    *other = TACT_PROVE_CIRCLE;
    return judge_push(circle, cone_room(circle, i));
}

static Verdict judge_row(const TactCircle *circle, int r, TactStateKind *other)
{
    const TactContactProblem *problem = circle->problem;
    int                       owner = circle->bounds.contacts + r;
    TactStateKind             kind = circle->states[owner].kind;
    TactInterval              p = circle->box[circle->bounds.dof + 3 * circle->bounds.contacts + r];
    TactInterval              u = tact_circle_u(circle, 3 * circle->bounds.contacts + r);
    double                    h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
    TactInterval              bound =
        tact_interval_multiply(tact_interval(h), tact_interval(problem->rows[r].force_max));
    switch (kind) {
    case TACT_PROVE_OPEN: *other = TACT_PROVE_PLAIN; return judge(u);
    case TACT_PROVE_PLAIN: *other = TACT_PROVE_OPEN; return judge(p);
    case TACT_PROVE_HIGH: *other = TACT_PROVE_STICK; return judge(tact_interval_negate(u));
    case TACT_PROVE_LOW: *other = TACT_PROVE_STICK; return judge(u);
    default: break;
    }
    if (problem->rows[r].kind != TACT_ROW_MOTOR) {
        return HOLDS;
    }
    Verdict below = judge(tact_interval_subtract(bound, p));
    *other = below != HOLDS ? TACT_PROVE_HIGH : TACT_PROVE_LOW;
    return below != HOLDS ? below : judge(tact_interval_add(bound, p));
}

/// Changes states that fail. Opens that touch without load, as far as intervals see, are left to
/// the exact test: their u_n must be 0 by the other equations. Returns how many changed.
static int change_states(TactCircle *circle)
{
    int changed = 0, contacts = circle->bounds.contacts, sources = contacts + circle->bounds.rows;
    for (int i = 0; i < sources + circle->discs.count; i++) {
        TactStateKind other = TACT_PROVE_OPEN;
        if (i < sources && tact_circle_is_moment(circle, i)) {
            continue;
        }
        Verdict verdict = i < contacts  ? judge_contact(circle, i, &other)
                          : i < sources ? judge_row(circle, i - contacts, &other)
                                        : judge_disc(circle, i - sources, &other);
        int     source = i < contacts ? 3 * i : 3 * contacts + i - contacts;
        if (verdict == FAILS) {
            circle->states[i].kind = other;
            changed++;
        } else if (verdict == UNKNOWN && circle->states[i].kind == TACT_PROVE_OPEN) {
            circle->dropped[circle->dropped_count++] = source;
        } else if (verdict == UNKNOWN) {
            tact_proof_block(circle->proof, tact_task_owner(circle->task, i));
        }
    }
    return changed;
}

// ---------------------------------------------------------------------------------------------
// The proof

static TactStatus put_part(TactCircle *circle, TactProofPart part, int count)
{
    TACT_TRY(tact_proof_make_part(circle->proof, part, count));
    for (int i = 0; i < count; i++) {
        bool         motion = part == TACT_PROOF_PART_VELOCITY;
        int          place = motion ? i : tact_task_place(circle->task, part, i);
        TactInterval x =
            place < 0 ? tact_interval(0) : circle->box[motion ? i : circle->bounds.dof + place];
        circle->proof->bounds[part][2 * (size_t)i] = x.lo;
        circle->proof->bounds[part][2 * (size_t)i + 1] = x.hi;
    }
    return TACT_OK;
}

static TactStatus conclude(TactCircle *circle, bool regular)
{
    const TactBounds         *bounds = &circle->bounds;
    const TactContactProblem *given = circle->task->given;
    TactProofReport          *report = &circle->proof->report;
    TACT_TRY(put_part(circle, TACT_PROOF_PART_IMPULSE, 3 * given->contact_count));
    TACT_TRY(put_part(circle, TACT_PROOF_PART_ROW_IMPULSE, given->row_count));
    TACT_TRY(put_part(circle, TACT_PROOF_PART_VELOCITY, bounds->dof));
    if (circle->task->patches) {
        TACT_TRY(put_part(circle, TACT_PROOF_PART_MOMENT, 3 * given->contact_count));
    }
    report->unique = regular;
    for (int i = 0; i < bounds->contacts + bounds->rows; i++) {
        report->changed += circle->states[i].kind != circle->first[i].kind;
    }
    for (int d = 0; d < circle->discs.count; d++) {
        int i = bounds->contacts + bounds->rows + d;
        report->changed +=
            tact_circle_is_loaded(circle, d) && circle->states[i].kind != circle->first[i].kind;
    }
    return tact_prove_judge(given, circle->task->given_answer, &circle->config, circle->proof);
}

/// Contact or row of the given problem that a row u belongs to.
static int source_owner(const TactCircle *circle, int source)
{
    int contacts = circle->bounds.contacts;
    int i = source < 3 * contacts ? source / 3 : source - 2 * contacts;
    return circle->task->patches ? tact_patch_index(circle->task->patches, i) : i;
}

/// Why the test itself fails.
static void explain(TactCircle *circle, TactKrawczyk test, int owner)
{
    TactProof *proof = circle->proof;
    if (test == TACT_KRAWCZYK_SLIP && owner >= 0) {
        bool disc = owner >= circle->bounds.contacts + circle->bounds.rows;
        owner = tact_task_owner(circle->task, owner);
        tact_proof_block(proof, owner);
        tact_proof_not(proof, "contact %d %s so slowly that the direction of its %s is not certain",
                       tact_proof_number(proof, circle->bounds.contacts, owner),
                       disc ? "moves" : "slides", disc ? "motion" : "slip");
        return;
    }
    for (int k = 0; k < circle->dropped_count; k++) {
        tact_proof_block(proof, source_owner(circle, circle->dropped[k]));
    }
    if (proof->report.blocked_count > 0) {
        int first = proof->blocked[0], contacts = circle->bounds.contacts;
        tact_proof_not(proof,
                       "%s %d is redundant: its equations depend on those of others, and no "
                       "regular basis was found",
                       first < contacts ? "contact" : "row",
                       tact_proof_number(proof, contacts, first));
    } else {
        tact_proof_not(proof, "%s",
                       test == TACT_KRAWCZYK_SINGULAR
                           ? "the equations of the active set are singular"
                           : "the equations of the active set are so close to singular that no "
                             "box is mapped into itself");
    }
}

static void explain_blocked(TactCircle *circle)
{
    int           i = circle->proof->blocked[0], contacts = circle->bounds.contacts;
    TactStateKind kind = circle->states[i].kind, other = TACT_PROVE_OPEN;
    const char   *says = "cannot be told to push or not: its impulse is 0 but for rounding";
    for (int d = 0; d < circle->discs.count && i < contacts; d++) {
        if (circle->discs.at[d].contact == i && judge_disc(circle, d, &other) == UNKNOWN) {
            says = "turns or slides at the limit of its friction, but for rounding";
        }
    }
    if (i < contacts && kind == TACT_PROVE_STICK) {
        judge_contact(circle, i, &other);
        says = other == TACT_PROVE_CIRCLE ? "sticks at the limit of its friction, but for rounding"
                                          : says;
    }
    tact_proof_not(circle->proof, "%s %d %s%s", i < contacts ? "contact" : "row",
                   tact_proof_number(circle->proof, contacts, i), says,
                   circle->proof->report.blocked_count > 1 ? ", besides others" : "");
}

/// x = the answer
static void start_at_answer(TactCircle *circle)
{
    const TactBounds *bounds = &circle->bounds;
    for (int k = 0; k < bounds->variables; k++) {
        int p = k - bounds->dof, r = p - 3 * bounds->contacts;
        circle->x[k] = p < 0   ? circle->answer->velocity[k]
                       : r < 0 ? circle->answer->impulse[p]
                               : circle->answer->row_impulse[r];
        circle->radius[k] = 0;
    }
}

/// The test with all equations; where they are singular, with those that are independent.
static TactStatus test(TactCircle *circle, TactKrawczyk *verdict, int *owner, bool *regular)
{
    const TactBounds *bounds = &circle->bounds;
    int               count = 0;
    circle->dropped_count = 0;
    for (int k = 0; k < bounds->variables; k++) {
        circle->column[k] = circle->active[k] ? count : -1;
        if (circle->active[k]) {
            circle->unknown[count++] = k;
        }
    }
    for (int e = 0; e < circle->equation_count; e++) {
        circle->rows[e] = e;
    }
    circle->chosen = circle->equation_count;
    *regular = true;
    *verdict = tact_circle_test(circle, owner);
    if (*verdict == TACT_KRAWCZYK_PROVED) {
        return TACT_OK;
    }
    *regular = false;
    start_at_answer(circle);
    TACT_TRY(tact_circle_choose(circle));
    if (circle->dropped_count > 0 && circle->chosen > 0) {
        *verdict = tact_circle_test(circle, owner);
    }
    return TACT_OK;
}

static TactStatus allocate(TactCircle *circle)
{
    size_t     n = (size_t)circle->equation_count + 1;
    void      *block[6] = {NULL};
    size_t     counts[6] = {n, n * n, n * n, n * n, 8 * n, n};
    size_t     sizes[6] = {sizeof(TactInterval), sizeof(TactInterval), sizeof(double),
                           sizeof(double),       sizeof(double),       sizeof(int)};
    TactStatus status = TACT_OK;
    for (int k = 0; k < 6 && status == TACT_OK; k++) {
        status = tact_allocate(counts[k], sizes[k], &block[k]);
    }
    circle->F = block[0], circle->slope = block[1], circle->inverse = block[2];
    circle->product = block[3], circle->work = block[4], circle->perm = block[5];
    return status;
}

static void release(TactCircle *circle)
{
    tact_release(circle->F);
    tact_release(circle->slope);
    tact_release(circle->inverse);
    tact_release(circle->product);
    tact_release(circle->work);
    tact_release(circle->perm);
}

/// Contacts that touch without load are taken as loaded, once: where forces are redundant they may
/// carry a little, so that none is on the border. Returns how many.
static int load_touching(TactCircle *circle)
{
    double moving = tact_prove_largest_speed(circle->problem, circle->answer);
    int    count = 0;
    for (int i = 0; i < circle->bounds.contacts && !circle->loaded; i++) {
        const double *u = circle->u + 3 * (size_t)i;
        if (tact_circle_is_moment(circle, i)) {
            continue;
        }
        if (circle->states[i].kind == TACT_PROVE_OPEN && fabs(u[0]) < TOUCHING * moving) {
            bool sticks = hypot(u[1], u[2]) < TOUCHING * moving;
            circle->states[i].kind = !slides_plainly(circle, i) ? TACT_PROVE_PLAIN
                                     : sticks                   ? TACT_PROVE_STICK
                                                                : TACT_PROVE_CIRCLE;
            count++;
        }
    }
    circle->loaded = true;
    return count;
}

/// The test again with redundant impulses a little further inside.
static TactStatus try_inside(TactCircle *circle, bool *again)
{
    bool moved = false;
    int  owner = -1, dropped = 0;
    // Those that choosing dropped; what change_states() added comes again.
    for (int k = 0; k < circle->dropped_count; k++) {
        int  contact = circle->dropped[k] / 3;
        bool open = circle->dropped[k] < 3 * circle->bounds.contacts &&
                    circle->states[contact].kind == TACT_PROVE_OPEN;
        if (!open) {
            circle->dropped[dropped++] = circle->dropped[k];
        }
    }
    int weak = circle->dropped_count;
    TACT_TRY(tact_circle_move_inside(circle, &moved));
    if (!moved || tact_circle_test(circle, &owner) != TACT_KRAWCZYK_PROVED) {
        circle->dropped_count = weak;
        return TACT_OK;
    }
    circle->dropped_count = dropped;
    circle->proof->report.blocked_count = 0;
    *again = change_states(circle) > 0;
    return TACT_OK;
}

static bool hold_slow_disc(TactCircle *circle, int d, double rounding)
{
    const TactDisc *disc = &circle->discs.at[d];
    double          square = 0, reach = 0;
    for (int k = 0; k < disc->dim; k++) {
        double y = disc->mu[k] * circle->u[disc->place[k]];
        square += y * y;
        reach = fmax(reach, disc->mu[k]);
    }
    if (!(sqrt(square) < reach * rounding)) {
        return false;
    }
    circle->states[circle->bounds.contacts + circle->bounds.rows + d].kind = TACT_PROVE_STICK;
    return true;
}

/// A contact whose slip may be rounding is taken as one that sticks, at the limit of its friction.
static bool hold_slow(TactCircle *circle, int owner)
{
    double moving = tact_prove_largest_speed(circle->problem, circle->answer);
    int    disc = owner - circle->bounds.contacts - circle->bounds.rows;
    if (disc >= 0 && circle->states[owner].kind == TACT_PROVE_CIRCLE) {
        return hold_slow_disc(circle, disc, TOUCHING * moving);
    }
    if (owner < 0 || owner >= circle->bounds.contacts ||
        circle->states[owner].kind != TACT_PROVE_CIRCLE) {
        return false;
    }
    const double *u = circle->u + 3 * (size_t)owner;
    if (!(hypot(u[1], u[2]) < TOUCHING * moving)) {
        return false;
    }
    circle->states[owner].kind = TACT_PROVE_STICK;
    return true;
}

/// One set of states. *again: other states are worth a try.
static TactStatus run_once(TactCircle *circle, bool *again)
{
    TactKrawczyk verdict = TACT_KRAWCZYK_WIDE;
    int          owner = -1, broken = -1;
    bool         regular = true;
    circle->proof->report.blocked_count = 0;
    circle->proof->report.equations = circle->equation_count;
    start_at_answer(circle);
    TACT_TRY(test(circle, &verdict, &owner, &regular));
    circle->proof->report.rank = circle->chosen;
    if (verdict != TACT_KRAWCZYK_PROVED) {
        explain(circle, verdict, owner);
        *again = verdict == TACT_KRAWCZYK_SLIP && hold_slow(circle, owner);
        return TACT_OK;
    }
    *again = change_states(circle) > 0;
    if (*again) {
        return TACT_OK;
    }
    if (circle->proof->report.blocked_count > 0 && !regular) {
        TACT_TRY(try_inside(circle, again));
    }
    if (*again) {
        return TACT_OK;
    }
    if (circle->proof->report.blocked_count > 0) {
        explain_blocked(circle);
        *again = load_touching(circle) > 0;
        return TACT_OK;
    }
    if (circle->dropped_count > 0) {
        TACT_TRY(tact_circle_follow(circle, &broken));
        if (broken >= 0) {
            int contacts = circle->bounds.contacts, i = source_owner(circle, broken);
            tact_proof_block(circle->proof, i);
            tact_proof_not(circle->proof,
                           "%s %d is redundant but for rounding: its equation does not follow "
                           "exactly from those of the others",
                           i < contacts ? "contact" : "row",
                           tact_proof_number(circle->proof, contacts, i));
            return TACT_OK;
        }
        circle->proof->report.weak = circle->dropped_count;
    }
    return conclude(circle, regular);
}

static TactStatus prove_by_intervals(TactCircle *circle)
{
    bool       again = true;
    TactStatus status = TACT_OK;
    for (int round = 0; round < circle->config.rounds && again && status == TACT_OK; round++) {
        again = false;
        tact_circle_place(circle);
        if (circle->equation_count > MOST_EQUATIONS) {
            tact_proof_not(circle->proof, "%d equations are more than %d: too many for a proof",
                           circle->equation_count, MOST_EQUATIONS);
            return TACT_OK;
        }
        status = allocate(circle);
        circle->proof->report.rounds++;
        if (status == TACT_OK) {
            status = run_once(circle, &again);
        }
        release(circle);
    }
    if (again && status == TACT_OK) {
        tact_proof_not(circle->proof,
                       "the states of contacts change from one of %d rounds to the "
                       "next: none has a solution",
                       circle->config.rounds);
    }
    if (status == TACT_UNSUPPORTED) {
        tact_proof_not(circle->proof, "%s", tact_status_message());
        status = TACT_OK;
    }
    return status;
}

static TactStatus allocate_circle(TactCircle *circle)
{
    TACT_TRY(tact_bounds_create(circle->problem, &circle->bounds));
    const TactBounds *bounds = &circle->bounds;
    size_t            plain = (size_t)(bounds->contacts + bounds->rows);
    size_t            sources = plain + (size_t)circle->discs.count;
    size_t            most = (size_t)bounds->variables + 1;
    void             *block[13] = {NULL};
    size_t counts[13] = {sources, sources, most, most,   most + 2 * sources, most, most, most, most,
                         most,    most,    most, sources};
    size_t sizes[13] = {sizeof(TactState), sizeof(TactState),    sizeof(TactCircleEquation),
                        sizeof(int),       sizeof(int),          sizeof(int),
                        sizeof(int),       sizeof(bool),         sizeof(double),
                        sizeof(double),    sizeof(TactInterval), sizeof(double),
                        sizeof(double)};
    TactStatus status = TACT_OK;
    for (int k = 0; k < 13 && status == TACT_OK; k++) {
        status = tact_allocate(counts[k] + 1, sizes[k], &block[k]);
    }
    circle->states = block[0], circle->first = block[1], circle->equations = block[2];
    circle->rows = block[3], circle->dropped = block[4], circle->unknown = block[5];
    circle->column = block[6], circle->active = block[7], circle->x = block[8];
    circle->radius = block[9], circle->box = block[10], circle->u = block[11];
    circle->weight = block[12];
    TACT_TRY(status);
    tact_states_velocity(circle->problem, circle->answer, circle->u);
    tact_states_read(circle->problem, circle->task->patches, TACT_CONE_CIRCLE, circle->answer,
                     circle->u, circle->states);
    for (size_t i = 0; i < sources; i++) {
        circle->first[i] = circle->states[i];
    }
    for (size_t i = 0; i < plain; i++) {
        circle->weight[i] = tact_states_weight(circle->problem, (int)i);
    }
    return TACT_OK;
}

TactStatus tact_prove_circle(const TactProveTask *task)
{
    TactCircle circle = {.task = task,
                         .discs = tact_task_discs(task),
                         .problem = task->problem,
                         .answer = task->answer,
                         .config = task->config,
                         .proof = task->proof};
    TactStatus status = allocate_circle(&circle);
    if (status == TACT_OK) {
        status = prove_by_intervals(&circle);
    }
    tact_bounds_destroy(&circle.bounds);
    tact_release(circle.states);
    tact_release(circle.first);
    tact_release(circle.equations);
    tact_release(circle.rows);
    tact_release(circle.dropped);
    tact_release(circle.unknown);
    tact_release(circle.column);
    tact_release(circle.active);
    tact_release(circle.x);
    tact_release(circle.radius);
    tact_release(circle.box);
    tact_release(circle.u);
    tact_release(circle.weight);
    return status;
}
