// Rational proof of a contact answer: states from the answer, exact solution, states that change
// where it says so.
#include <tact/base.h>

#include "prove/pyramid/pyramid.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/contact.h"
#include "prove/room.h"
#include "prove/search/search.h"

enum { ROUNDS_AFTER_SEARCH = 6, ROUNDS_AFTER_PATH = 2 };
enum { MANY = 60 };   // equations from which on a search is cheaper than many active sets
#define TOUCHING 1e-6 // u_n of a contact that a search may load, of the largest speed

// ---------------------------------------------------------------------------------------------
// Changing states

/// u_t of a contact at the exact solution, as doubles.
static void slip_at(const TactPyramidProof *prover, const TactPieceSolution *solution, int i,
                    double u[2])
{
    for (int k = 0; k < 2; k++) {
        const TactExactForm *form = &prover->laws.u.forms[3 * i + 1 + k];
        u[k] = mpq_get_d(form->constant);
        for (int c = 0; c < form->count; c++) {
            int at = prover->column[form->column[c]];
            if (at >= 0) {
                u[k] += mpq_get_d(form->value[c]) * tact_piece_value(solution, at);
            }
        }
    }
}

/// Has a contact friction that is not that of a disc?
static bool slides_plainly(const TactPyramidProof *prover, int i)
{
    const TactPatches *patches = prover->task->patches;
    return prover->problem->contacts[i].mu > 0 && !(patches && patches->own[i]);
}

/// The state of a contact that begins to push or to slip: against its slip.
static void begin_slide(TactPyramidProof *prover, const TactPieceSolution *solution, int i)
{
    const TactContact *contact = &prover->problem->contacts[i];
    TactPolygon        polygon = tact_polygon_of(contact, prover->cone);
    double             u[2], most = 0;
    bool               friction = slides_plainly(prover, i);
    prover->states[i] = (TactState){.kind = friction ? TACT_PROVE_STICK : TACT_PROVE_PLAIN};
    if (!friction) {
        return;
    }
    slip_at(prover, solution, i, u);
    for (int j = 0; j < polygon.count; j++) {
        double d[2];
        tact_polygon_corner(&polygon, j, d);
        double out = -(d[0] * u[0] + d[1] * u[1]);
        if (out > most) {
            most = out;
            prover->states[i] = (TactState){.kind = TACT_PROVE_CORNER, .j = j};
        }
    }
}

/// The discs of a contact that begins to push, against their motion.
static void begin_discs(TactPyramidProof *prover, const TactPieceSolution *solution, int i)
{
    for (int d = 0; d < prover->discs.count; d++) {
        if (prover->discs.at[d].contact == i) {
            tact_pyramid_begin_disc(prover, solution, d);
        }
    }
}

/// An inequality fails: the state on its other side.
static void cross_side(TactPyramidProof *prover, const TactPieceSolution *solution,
                       const TactExactForm *form)
{
    int             i = form->owner, j = form->role / TACT_SIDE_CORNERS;
    TactState      *state = &prover->states[i];
    bool            row = i >= prover->laws.contacts;
    TactPolygon     polygon = {4, 0, false};
    TactPyramidSide side = (TactPyramidSide)(form->role % TACT_SIDE_CORNERS);
    if (i >= prover->laws.contacts + prover->laws.rows) {
        tact_pyramid_cross_disc(prover, form);
        return;
    }
    if (!row) {
        polygon = tact_polygon_of(&prover->problem->contacts[i], prover->cone);
    }
    switch (side) {
    case TACT_SIDE_OPENS:
        if (row) {
            state->kind = TACT_PROVE_PLAIN;
        } else {
            begin_slide(prover, solution, i);
            begin_discs(prover, solution, i);
        }
        break;
    case TACT_SIDE_PUSHES: state->kind = TACT_PROVE_OPEN; break;
    case TACT_SIDE_INSIDE: *state = (TactState){.kind = TACT_PROVE_EDGE, .j = j}; break;
    case TACT_SIDE_AGAINST: state->kind = TACT_PROVE_STICK; break;
    case TACT_SIDE_FIRST: state->kind = TACT_PROVE_CORNER; break;
    case TACT_SIDE_LAST:
        *state = (TactState){.kind = TACT_PROVE_CORNER, .j = (state->j + 1) % polygon.count};
        break;
    case TACT_SIDE_MOST: {
        int  now = ((state->j % polygon.count) + polygon.count) % polygon.count;
        bool next = state->kind == TACT_PROVE_CORNER && j == (now + 1) % polygon.count;
        bool last = state->kind == TACT_PROVE_CORNER && now == (j + 1) % polygon.count;
        *state = (TactState){.kind = next || last ? TACT_PROVE_EDGE : TACT_PROVE_CORNER,
                             .j = next ? now : j};
        break;
    }
    case TACT_SIDE_BELOW: state->kind = TACT_PROVE_HIGH; break;
    case TACT_SIDE_ABOVE: state->kind = TACT_PROVE_LOW; break;
    case TACT_SIDE_HELD: state->kind = TACT_PROVE_STICK; break;
    }
}

/// A joint row whose equation contradicts the others: a limit lets go, a motor gives all it has.
static void mend_row(TactPyramidProof *prover, int owner, int sign)
{
    TactContactRowKind kind = prover->problem->rows[owner - prover->laws.contacts].kind;
    if (kind == TACT_ROW_UNILATERAL && sign > 0) {
        prover->states[owner].kind = TACT_PROVE_OPEN;
    } else if (kind == TACT_ROW_MOTOR) {
        prover->states[owner].kind = sign > 0 ? TACT_PROVE_LOW : TACT_PROVE_HIGH;
    } else {
        prover->priority[owner]++;
    }
}

/// An equation contradicts the others: its contact lets go, or is heard first.
static void mend(TactPyramidProof *prover, const TactPieceSolution *solution)
{
    const TactExactForm *form = &prover->piece.equations.forms[solution->broken];
    int                  i = form->owner, disc = i - prover->laws.contacts - prover->laws.rows;
    if (disc >= 0) {
        tact_pyramid_begin_disc(prover, solution, disc);
        return;
    }
    if (i >= prover->laws.contacts) {
        mend_row(prover, i, solution->broken_sign);
        return;
    }
    if (i < 0) {
        return;
    }
    if (form->role != 3 * i) {
        begin_slide(prover, solution, i);
    } else if (solution->broken_sign > 0) {
        prover->states[i].kind = TACT_PROVE_OPEN;
    } else {
        prover->priority[i]++;
    }
}

static void change_states(TactPyramidProof *prover, const TactPieceSolution *solution, bool all)
{
    const TactExactSet *sides = &prover->piece.inequalities;
    int                 last = -1;
    if (solution->broken >= 0) {
        mend(prover, solution);
        return;
    }
    for (int k = 0; k < sides->count; k++) {
        const TactExactForm *form = &sides->forms[k];
        if (solution->sign[k] < 0 && form->owner != last) {
            cross_side(prover, solution, form);
            last = form->owner;
            if (!all) {
                return;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The proof

/// Sets all entries of a part.
static TactStatus put_part(TactPyramidProof *prover, const TactPieceSolution *solution,
                           TactProofPart part, int count)
{
    TACT_TRY(tact_proof_make_part(prover->proof, part, count));
    for (int i = 0; i < count; i++) {
        bool motion = part == TACT_PROOF_PART_VELOCITY;
        int  place = motion ? i : tact_task_place(prover->task, part, i);
        int  at = place < 0 ? -1 : prover->column[motion ? i : prover->laws.dof + place];
        if (at >= 0) {
            tact_proof_set_exact(prover->proof, part, i, solution->x[at], solution->denominator);
        }
    }
    return TACT_OK;
}

static bool same_state(const TactState *a, const TactState *b)
{
    bool corner = a->kind == TACT_PROVE_CORNER || a->kind == TACT_PROVE_EDGE;
    return a->kind == b->kind && (!corner || a->j == b->j);
}

static TactStatus conclude(TactPyramidProof *prover, const TactPieceSolution *solution)
{
    const TactLaws           *laws = &prover->laws;
    const TactContactProblem *given = prover->task->given;
    TactProofReport          *report = &prover->proof->report;
    int                       states = laws->contacts + laws->rows;
    TACT_TRY(put_part(prover, solution, TACT_PROOF_PART_IMPULSE, 3 * given->contact_count));
    for (int k = 0; k < 3 * laws->contacts && prover->in_basis; k++) {
        mpq_t p;
        mpq_init(p);
        tact_pyramid_read_basis(prover, solution, k / 3, k % 3, p);
        tact_proof_set_exact(prover->proof, TACT_PROOF_PART_IMPULSE, k, mpq_numref(p),
                             mpq_denref(p));
        mpq_clear(p);
    }
    TACT_TRY(put_part(prover, solution, TACT_PROOF_PART_ROW_IMPULSE, given->row_count));
    TACT_TRY(put_part(prover, solution, TACT_PROOF_PART_VELOCITY, laws->dof));
    if (prover->task->patches) {
        TACT_TRY(put_part(prover, solution, TACT_PROOF_PART_MOMENT, 3 * given->contact_count));
    }
    report->unique = solution->rank == prover->piece.n;
    report->weak = solution->weak;
    for (int i = 0; i < states; i++) {
        report->changed += !same_state(&prover->states[i], &prover->first[i]);
    }
    for (int d = 0; d < prover->discs.count; d++) {
        bool open = prover->states[prover->discs.at[d].contact].kind == TACT_PROVE_OPEN;
        report->changed +=
            !open && !same_state(&prover->states[states + d], &prover->first[states + d]);
    }
    return tact_prove_judge(given, prover->task->given_answer, &prover->config, prover->proof);
}

/// " in spinning" and so on, of the state of a disc.
static const char *name_disc(const TactPyramidProof *prover, int state)
{
    int d = state - prover->laws.contacts - prover->laws.rows;
    if (d < 0) {
        return "";
    }
    TactDiscPart part = prover->discs.at[d].part;
    return part == TACT_DISC_SPIN ? " in spinning" : part == TACT_DISC_ROLL ? " in rolling" : "";
}

static void give_up(TactPyramidProof *prover, const TactPieceSolution *solution)
{
    static const char *const words[] = {
        [TACT_SIDE_OPENS] = "approaches although it is open",
        [TACT_SIDE_PUSHES] = "pulls",
        [TACT_SIDE_INSIDE] = "leaves its cone although it sticks",
        [TACT_SIDE_AGAINST] = "has friction along its slip",
        [TACT_SIDE_FIRST] = "has friction beyond the corner of its cone",
        [TACT_SIDE_LAST] = "has friction beyond the corner of its cone",
        [TACT_SIDE_MOST] = "slides in another direction than its friction opposes",
        [TACT_SIDE_BELOW] = "is above its bound",
        [TACT_SIDE_ABOVE] = "is below its bound",
        [TACT_SIDE_HELD] = "moves away from its bound",
    };
    const TactExactSet *sides = &prover->piece.inequalities;
    int                 rounds = prover->proof->report.rounds, first = -1;
    if (solution->broken >= 0) {
        int  state = prover->piece.equations.forms[solution->broken].owner;
        int  i = tact_task_owner(prover->task, state);
        bool row = i >= prover->laws.contacts;
        tact_proof_block(prover->proof, i);
        tact_proof_not(prover->proof,
                       "%s %d is redundant but for rounding: its equation contradicts the others, "
                       "and none of %d active sets has a solution",
                       row ? "row" : "contact",
                       tact_proof_number(prover->proof, prover->laws.contacts, i), rounds);
        return;
    }
    for (int k = 0; k < sides->count; k++) {
        if (solution->sign[k] < 0) {
            first = first < 0 ? k : first;
            tact_proof_block(prover->proof, tact_task_owner(prover->task, sides->forms[k].owner));
        }
    }
    if (first >= 0) {
        int  state = sides->forms[first].owner, owner = tact_task_owner(prover->task, state);
        bool row = owner >= prover->laws.contacts;
        tact_proof_not(
            prover->proof, "none of %d active sets has a solution: in the last one %s %d%s %s%s",
            rounds, row ? "row" : "contact",
            tact_proof_number(prover->proof, prover->laws.contacts, owner),
            name_disc(prover, state), words[sides->forms[first].role % TACT_SIDE_CORNERS],
            solution->violated > 1 ? ", besides others" : "");
    }
}

/// Tries active sets from the present one on, each changed by what the exact solution of the last
/// one says. *done: a solution was found, near the answer or not.
static TactStatus try_states(TactPyramidProof *prover, int rounds, bool *done)
{
    TactProofReport *report = &prover->proof->report;
    TactStatus       status = TACT_OK;
    double           start = tact_time_now();
    for (int round = 0; round < rounds && !*done && status == TACT_OK; round++) {
        TactPieceSolution solution = {0};
        bool              late =
            prover->config.limit > 0 && tact_time_now() - start > prover->config.limit && round > 0;
        tact_pyramid_place(prover);
        status = tact_piece_solve(&prover->piece, &solution);
        if (status == TACT_OK && tact_room_is_over()) {
            status = tact_fail(TACT_NO_MEMORY, "no memory for a proof");
        }
        report->rounds++;
        report->equations = prover->piece.equations.count;
        report->rank = solution.rank;
        if (status == TACT_OK) {
            bool holds = solution.violated == 0 && solution.broken < 0;
            if (holds) {
                *done = true;
                status = conclude(prover, &solution);
            } else if (!late && round + 1 < rounds) {
                change_states(prover, &solution, round < rounds / 2);
            } else {
                give_up(prover, &solution);
                round = rounds;
            }
        }
        tact_piece_solution_destroy(&solution);
    }
    return status;
}

/// Contacts that touch or push may be loaded in the search.
static void find_near(TactPyramidProof *prover)
{
    double moving = tact_prove_largest_speed(prover->problem, prover->answer);
    for (int i = 0; i < prover->laws.contacts; i++) {
        prover->near[i] =
            prover->first[i].kind != TACT_PROVE_OPEN || prover->u[3 * i] < TOUCHING * moving;
    }
}

/// Back to the states of the answer, before a search.
static void start_again(TactPyramidProof *prover)
{
    for (int i = 0; i < prover->laws.contacts + prover->laws.rows + prover->discs.count; i++) {
        prover->states[i] = prover->first[i];
        prover->priority[i] = 0;
    }
    tact_proof_forget(prover->proof);
    prover->proof->report.blocked_count = 0;
    prover->guess_of = *prover->answer;
    prover->is_path = false;
}

static TactSearch make_search(TactPyramidProof *prover)
{
    return (TactSearch){.laws = &prover->laws,
                        .patches = prover->task->patches,
                        .cone = prover->cone,
                        .near = prover->near,
                        .states = prover->states,
                        .impulse = prover->impulse,
                        .row_impulse = prover->impulse + 3 * (size_t)prover->laws.contacts,
                        .rest = prover->impulse_rest,
                        .theta = prover->theta,
                        .basis = prover->basis,
                        .limit = prover->config.limit};
}

/// Along a path from the answer, which ends in the states of an exact solution. *done: there is
/// one, near the answer or not.
static TactStatus try_path(TactPyramidProof *prover, bool *done)
{
    TactSearch search = make_search(prover);
    bool       found = false;
    *done = false;
    start_again(prover);
    TACT_TRY(tact_search_path(&search, prover->answer, &found));
    if (!found) {
        return TACT_OK;
    }
    prover->guess_of.impulse = search.impulse;
    prover->guess_of.row_impulse = search.row_impulse;
    prover->is_path = true;
    return try_states(prover, ROUNDS_AFTER_PATH, done);
}

/// By Lemke's method, from no answer at all.
static TactStatus try_lemke(TactPyramidProof *prover)
{
    TactSearch search = make_search(prover);
    bool       found = false, done = false;
    start_again(prover);
    TACT_TRY(tact_search_states(&search, &found));
    if (!found) {
        return TACT_OK;
    }
    prover->guess_of.impulse = prover->impulse;
    prover->in_basis = true;
    TactStatus status = try_states(prover, 1, &done);
    prover->in_basis = false;
    if (status == TACT_OK && !done) {
        prover->proof->report.blocked_count = 0;
        status = try_states(prover, ROUNDS_AFTER_SEARCH, &done);
    }
    return status;
}

static TactStatus try_active_sets(TactPyramidProof *prover)
{
    bool       done = false;
    int        equations = prover->laws.dof + 3 * prover->laws.contacts + prover->laws.rows;
    int        rounds = prover->config.rounds;
    TactStatus status = try_states(prover, equations > MANY ? 1 : rounds, &done);
    find_near(prover);
    if (status == TACT_OK && !done) {
        status = try_path(prover, &done);
    }
    if (status == TACT_OK && !done && prover->discs.count == 0) { // Lemke's knows no discs
        status = try_lemke(prover);
    }
    if (status == TACT_UNSUPPORTED) {
        tact_proof_not(prover->proof, "%s", tact_status_message());
        status = TACT_OK;
    }
    return status;
}

static TactStatus read_answer(TactPyramidProof *prover)
{
    size_t lcp = (size_t)tact_search_size(prover->problem, prover->cone);
    size_t sources =
        (size_t)(prover->problem->contact_count + prover->problem->row_count + prover->discs.count);
    size_t unknowns = (size_t)tact_contact_get_dof(prover->problem) + 3 * sources + 1;
    size_t sizes[16] = {
        sizeof(TactState), sizeof(TactState), sizeof(int), sizeof(int), sizeof(double),
        sizeof(double),    sizeof(double),    sizeof(int), sizeof(int), sizeof(double),
        sizeof(bool),      sizeof(int),       1,           sizeof(int), sizeof(double),
        sizeof(double)};
    for (int k = 0; k < 16; k++) {
        void  *block = NULL;
        size_t count = k < 3 ? sources + 1 : unknowns + lcp + 3 * sources;
        count *= k < 14 ? 1 : 3;
        TactStatus status = tact_allocate(count, sizes[k], &block);
        switch (k) {
        case 0: prover->states = block; break;
        case 1: prover->first = block; break;
        case 2: prover->priority = block; break;
        case 3: prover->column = block; break;
        case 4: prover->guess = block; break;
        case 5: prover->slack = block; break;
        case 6: prover->u = block; break;
        case 7: prover->order = block; break;
        case 8: prover->row_order = block; break;
        case 9: prover->impulse = block; break;
        case 10: prover->near = block; break;
        case 11: prover->theta = block; break;
        case 12: prover->basis = block; break;
        case 13: prover->place = block; break;
        case 14: prover->rest = block; break;
        default: prover->impulse_rest = block; break;
        }
        TACT_TRY(status);
    }
    TACT_TRY(tact_laws_create(prover->problem, &prover->laws));
    tact_states_velocity(prover->problem, prover->answer, prover->u);
    tact_states_read(prover->problem, prover->task->patches, prover->cone, prover->answer,
                     prover->u, prover->states);
    for (size_t i = 0; i < sources; i++) {
        prover->first[i] = prover->states[i];
    }
    return TACT_OK;
}

TactStatus tact_prove_pyramid(const TactProveTask *task)
{
    TactPyramidProof prover = {.task = task,
                               .problem = task->problem,
                               .cone = task->cone,
                               .answer = task->answer,
                               .discs = tact_task_discs(task),
                               .guess_of = *task->answer,
                               .config = task->config,
                               .proof = task->proof};
    TactStatus       status = read_answer(&prover);
    if (status == TACT_OK) {
        status = try_active_sets(&prover);
    }
    tact_laws_destroy(&prover.laws);
    tact_exact_set_destroy(&prover.piece.equations);
    tact_exact_set_destroy(&prover.piece.inequalities);
    tact_release(prover.states);
    tact_release(prover.first);
    tact_release(prover.priority);
    tact_release(prover.column);
    tact_release(prover.guess);
    tact_release(prover.slack);
    tact_release(prover.u);
    tact_release(prover.order);
    tact_release(prover.row_order);
    tact_release(prover.impulse);
    tact_release(prover.near);
    tact_release(prover.theta);
    tact_release(prover.basis);
    tact_release(prover.place);
    tact_release(prover.rest);
    tact_release(prover.impulse_rest);
    return status;
}

#endif
