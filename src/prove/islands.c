// Proofs island by island: a problem whose contacts share no body, no degree of freedom and no
// entry of W falls apart into problems of their own, and solutions of these, put together, are one
// of the whole.
#include <string.h>
#include <tact/base.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/patch.h"
#include "prove/contact.h"
#include "prove/proof.h"

/// Sources are contacts and rows, units what they act on: bodies, degrees of freedom of M; none
/// with W.
typedef struct Division {
    const TactContactProblem *problem;
    int                       contacts, rows, units;
    int                       width; // degrees of freedom of a unit
    int                      *root;  // a tree over sources, then units      (sources + units)
    int                      *name;  // island of a root; -1: none yet       (sources + units)
    int                       count; // islands
} Division;

/// One island as a problem.
typedef struct Island {
    TactContactProblem problem;
    TactContactAnswer  answer;
    int               *source;   // of the whole, contacts first              (contacts + rows)
    int               *unit;     // of the whole                              (units)
    int               *inside;   // number of a unit of the whole inside      (units of the whole)
    TactContact       *contacts; // (contact_count)
    TactContactRow    *rows;     // (row_count)
    TactContactBody   *bodies;   // (body_count)
    double            *numbers;  // J, M, W and so on, and the answer
    int                units;
} Island;

static int find_top(int *root, int k)
{
    while (root[k] != k) {
        root[k] = root[root[k]];
        k = root[k];
    }
    return k;
}

static void join_two(Division *division, int a, int b)
{
    int one = find_top(division->root, a), other = find_top(division->root, b);
    division->root[one > other ? one : other] = one > other ? other : one;
}

static bool has_entry(const double *x, int count)
{
    for (int k = 0; k < count; k++) {
        if (x[k] != 0) {
            return true;
        }
    }
    return false;
}

static void join_body(Division *division, int source, int body)
{
    if (body >= 0) {
        join_two(division, source, division->contacts + division->rows + body);
    }
}

static void join_bodies(Division *division)
{
    const TactContactProblem *problem = division->problem;
    for (int i = 0; i < division->contacts; i++) {
        join_body(division, i, problem->contacts[i].a);
        join_body(division, i, problem->contacts[i].b);
    }
    for (int r = 0; r < division->rows; r++) {
        join_body(division, division->contacts + r, problem->rows[r].a);
        join_body(division, division->contacts + r, problem->rows[r].b);
    }
}

/// Rows of J, or of W, of a contact.
static size_t rows_of(const TactContact *contact)
{
    return tact_contact_has_moments(contact) ? 6 : 3;
}

static void join_freedoms(Division *division)
{
    const TactContactProblem *problem = division->problem;
    int                       first = division->contacts + division->rows, nv = problem->nv;
    for (int d = 0; d < nv; d++) {
        for (int j = 0; j < nv; j++) {
            if (problem->M[(size_t)d * (size_t)nv + (size_t)j] != 0) {
                join_two(division, first + d, first + j);
            }
        }
        for (int i = 0; i < division->contacts; i++) {
            for (size_t k = 0; k < rows_of(&problem->contacts[i]); k++) {
                if (problem->contacts[i].J[k * (size_t)nv + (size_t)d] != 0) {
                    join_two(division, i, first + d);
                }
            }
        }
        for (int r = 0; r < division->rows; r++) {
            if (problem->rows[r].J[d] != 0) {
                join_two(division, division->contacts + r, first + d);
            }
        }
    }
}

static void join_W(Division *division)
{
    const TactContactProblem *problem = division->problem;
    size_t                    n = tact_patch_delassus_rows(problem), row = 0;
    for (int i = 0; i < division->contacts; i++) {
        for (size_t k = 0; k < rows_of(&problem->contacts[i]); k++, row++) {
            const double *entry = problem->W + row * n;
            for (int j = 0; j < division->contacts; j++) {
                size_t count = rows_of(&problem->contacts[j]);
                if (has_entry(entry, (int)count)) {
                    join_two(division, i, j);
                }
                entry += count;
            }
        }
    }
}

static TactStatus divide(const TactContactProblem *problem, Division *division)
{
    void *block = NULL;
    *division = (Division){.problem = problem,
                           .contacts = problem->contact_count,
                           .rows = problem->row_count,
                           .units = problem->bodies ? problem->body_count
                                    : problem->M    ? problem->nv
                                                    : 0,
                           .width = problem->bodies ? 6 : 1};
    int count = division->contacts + division->rows + division->units;
    TACT_TRY(tact_allocate(2 * (size_t)count + 1, sizeof(int), &block));
    division->root = block;
    division->name = division->root + count;
    for (int k = 0; k < count; k++) {
        division->root[k] = k;
        division->name[k] = -1;
    }
    if (problem->bodies) {
        join_bodies(division);
    } else if (problem->M) {
        join_freedoms(division);
    } else {
        join_W(division);
    }
    for (int k = 0; k < count; k++) {
        int root = find_top(division->root, k);
        if (division->name[root] < 0) {
            division->name[root] = division->count++;
        }
    }
    return TACT_OK;
}

static int island_of(Division *division, int k)
{
    return division->name[find_top(division->root, k)];
}

// ---------------------------------------------------------------------------------------------
// An island as a problem

/// Numbers of sources and units of an island.
static void take_members(Division *division, int which, Island *island)
{
    TactContactProblem *problem = &island->problem;
    int                 sources = division->contacts + division->rows;
    for (int k = 0; k < sources; k++) {
        if (island_of(division, k) == which) {
            island->source[problem->contact_count + problem->row_count] = k;
            problem->contact_count += k < division->contacts;
            problem->row_count += k >= division->contacts;
        }
    }
    for (int u = 0; u < division->units; u++) {
        island->inside[u] = -1;
        if (island_of(division, sources + u) == which) {
            island->inside[u] = island->units;
            island->unit[island->units++] = u;
        }
    }
}

static int number_inside(const Island *island, int body)
{
    return body >= 0 ? island->inside[body] : -1;
}

/// The next so many numbers of the island's.
static double *take_numbers(Island *island, size_t count)
{
    double *at = island->numbers;
    island->numbers += count;
    return at;
}

/// Entries of a vector over the degrees of freedom that belong to the island.
static double *take_freedoms(Island *island, const double *whole)
{
    double *part = take_numbers(island, (size_t)island->units);
    for (int u = 0; u < island->units; u++) {
        part[u] = whole[island->unit[u]];
    }
    return part;
}

static void take_mechanism(const Division *division, Island *island)
{
    const TactContactProblem *whole = division->problem;
    TactContactProblem       *problem = &island->problem;
    size_t                    nv = (size_t)whole->nv;
    problem->nv = island->units;
    problem->parent = NULL;
    problem->factor = NULL;
    problem->v = take_freedoms(island, whole->v);
    problem->tau = take_freedoms(island, whole->tau);
    problem->M = island->numbers;
    for (int u = 0; u < island->units; u++) {
        take_freedoms(island, whole->M + (size_t)island->unit[u] * nv);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const double *J = island->contacts[i].J;
        island->contacts[i].J = island->numbers;
        for (size_t k = 0; k < rows_of(&island->contacts[i]); k++) {
            take_freedoms(island, J + k * nv);
        }
    }
    for (int r = 0; r < problem->row_count; r++) {
        island->rows[r].J = take_freedoms(island, island->rows[r].J);
    }
}

/// First row of a contact in the W of the whole.
static size_t first_row(const TactContactProblem *whole, int contact)
{
    size_t row = 0;
    for (int i = 0; i < contact; i++) {
        row += rows_of(&whole->contacts[i]);
    }
    return row;
}

/// The contacts of the island are taken.
static void take_W(const Division *division, Island *island)
{
    const TactContactProblem *whole = division->problem;
    TactContactProblem       *problem = &island->problem;
    size_t                    all = tact_patch_delassus_rows(whole), row = 0;
    size_t                    n = tact_patch_delassus_rows(problem);
    double                   *u_free = take_numbers(island, n), *W = take_numbers(island, n * n);
    for (int i = 0; i < problem->contact_count; i++) {
        size_t from = first_row(whole, island->source[i]);
        for (size_t k = 0; k < rows_of(&problem->contacts[i]); k++, row++) {
            size_t column = 0;
            u_free[row] = whole->u_free[from + k];
            for (int j = 0; j < problem->contact_count; j++) {
                size_t at = first_row(whole, island->source[j]);
                for (size_t c = 0; c < rows_of(&problem->contacts[j]); c++) {
                    W[row * n + column++] = whole->W[(from + k) * all + at + c];
                }
            }
        }
    }
    problem->W = W;
    problem->u_free = u_free;
}

static void take_problem(const Division *division, Island *island)
{
    const TactContactProblem *whole = division->problem;
    TactContactProblem       *problem = &island->problem;
    bool                      bodies = whole->bodies != NULL;
    for (int i = 0; i < problem->contact_count; i++) {
        TactContact *contact = &island->contacts[i];
        *contact = whole->contacts[island->source[i]];
        contact->a = bodies ? number_inside(island, contact->a) : contact->a;
        contact->b = bodies ? number_inside(island, contact->b) : contact->b;
    }
    for (int r = 0; r < problem->row_count; r++) {
        int             from = island->source[problem->contact_count + r] - division->contacts;
        TactContactRow *row = &island->rows[r];
        *row = whole->rows[from];
        row->a = bodies ? number_inside(island, row->a) : row->a;
        row->b = bodies ? number_inside(island, row->b) : row->b;
    }
    problem->contacts = island->contacts;
    problem->rows = island->rows;
    if (bodies) {
        for (int u = 0; u < island->units; u++) {
            island->bodies[u] = whole->bodies[island->unit[u]];
        }
        problem->bodies = island->bodies;
        problem->body_count = island->units;
    } else if (whole->M) {
        take_mechanism(division, island);
    } else {
        take_W(division, island);
    }
}

static void take_answer(const Division *division, const TactContactAnswer *whole, Island *island)
{
    const TactContactProblem *problem = &island->problem;
    TactContactAnswer        *answer = &island->answer;
    size_t                    width = (size_t)division->width;
    answer->impulse = take_numbers(island, 3 * (size_t)problem->contact_count);
    answer->row_impulse = take_numbers(island, (size_t)problem->row_count);
    answer->velocity = take_numbers(island, width * (size_t)island->units);
    answer->moment =
        whole->moment ? take_numbers(island, 3 * (size_t)problem->contact_count) : NULL;
    for (int i = 0; i < problem->contact_count; i++) {
        size_t to = 3 * (size_t)i, from = 3 * (size_t)island->source[i];
        memcpy(answer->impulse + to, whole->impulse + from, 3 * sizeof(double));
        if (answer->moment) {
            memcpy(answer->moment + to, whole->moment + from, 3 * sizeof(double));
        }
    }
    for (int r = 0; r < problem->row_count; r++) {
        int from = island->source[problem->contact_count + r] - division->contacts;
        answer->row_impulse[r] = whole->row_impulse[from];
    }
    for (int u = 0; u < island->units; u++) {
        memcpy(answer->velocity + width * (size_t)u,
               whole->velocity + width * (size_t)island->unit[u], width * sizeof(double));
    }
}

// ---------------------------------------------------------------------------------------------
// Putting together

static void put_entry(const TactProof *from, int i, TactProof *to, TactProofPart part, int k)
{
    to->bounds[part][2 * (size_t)k] = from->bounds[part][2 * (size_t)i];
    to->bounds[part][2 * (size_t)k + 1] = from->bounds[part][2 * (size_t)i + 1];
#ifdef TACT_HAVE_GMP
    if (from->exact[part] && to->exact[part]) {
        mpq_set(to->exact[part][k], from->exact[part][i]);
    }
#endif
}

static void put_solution(const Division *division, const Island *island, const TactProof *from,
                         TactProof *to)
{
    int contacts = island->problem.contact_count;
    for (int i = 0; i < 3 * contacts; i++) {
        put_entry(from, i, to, TACT_PROOF_PART_IMPULSE, 3 * island->source[i / 3] + i % 3);
    }
    for (int i = 0; i < from->count[TACT_PROOF_PART_MOMENT]; i++) {
        put_entry(from, i, to, TACT_PROOF_PART_MOMENT, 3 * island->source[i / 3] + i % 3);
    }
    for (int r = 0; r < island->problem.row_count; r++) {
        put_entry(from, r, to, TACT_PROOF_PART_ROW_IMPULSE,
                  island->source[contacts + r] - division->contacts);
    }
    for (int d = 0; d < division->width * island->units; d++) {
        int unit = island->unit[d / division->width];
        put_entry(from, d, to, TACT_PROOF_PART_VELOCITY,
                  division->width * unit + d % division->width);
    }
}

/// What the report of an island adds to that of the whole.
static void put_report(const Island *island, const TactProof *from, TactProof *to)
{
    const TactProofReport *part = &from->report;
    TactProofReport       *report = &to->report;
    report->unique = report->unique && part->unique;
    report->changed += part->changed;
    report->weak += part->weak;
    report->equations += part->equations;
    report->rank += part->rank;
    report->rounds = part->rounds > report->rounds ? part->rounds : report->rounds;
    if (!part->found) {
        for (int k = 0; k < part->blocked_count; k++) {
            tact_proof_block(to, island->source[from->blocked[k]]);
        }
        tact_proof_not(to, "%s", part->why);
    }
}

static TactStatus prove_island(Division *division, Island *island, TactContactCone cone,
                               const TactProofConfig *config, TactContactProver *prover,
                               TactProof *proof, bool *found)
{
    TactProof *part = NULL;
    TACT_TRY(tact_proof_create(proof->report.kind, &part));
    part->source = island->source;
    part->whole = division->contacts;
    TactStatus status = prover(&island->problem, cone, &island->answer, config, part);
    if (status == TACT_OK) {
        put_report(island, part, proof);
        *found = part->report.found;
        if (*found) {
            put_solution(division, island, part, proof);
        }
    }
    tact_proof_destroy(part);
    return status;
}

/// Numbers that the largest island may need: all of the problem, and of the answer.
static size_t count_numbers(const Division *division)
{
    size_t n = tact_patch_delassus_rows(division->problem), rows = (size_t)division->rows;
    size_t dof = (size_t)division->width * (size_t)division->units;
    size_t matrices = division->problem->W   ? n * n + n
                      : division->problem->M ? dof * (dof + n + rows + 2)
                                             : 0;
    return matrices + 6 * (size_t)division->contacts + rows + dof + 1;
}

static TactStatus create_island(const Division *division, Island *island)
{
    size_t sources = (size_t)division->contacts + (size_t)division->rows;
    void  *lists = NULL, *contacts = NULL, *rows = NULL, *bodies = NULL, *numbers = NULL;
    *island = (Island){0};
    TACT_TRY(tact_allocate(sources + 2 * (size_t)division->units + 1, sizeof(int), &lists));
    island->source = lists;
    island->unit = island->source + sources;
    island->inside = island->unit + division->units;
    TACT_TRY(tact_allocate((size_t)division->contacts + 1, sizeof(TactContact), &contacts));
    island->contacts = contacts;
    TACT_TRY(tact_allocate((size_t)division->rows + 1, sizeof(TactContactRow), &rows));
    island->rows = rows;
    TACT_TRY(tact_allocate((size_t)division->units + 1, sizeof(TactContactBody), &bodies));
    island->bodies = bodies;
    TACT_TRY(tact_allocate(count_numbers(division), sizeof(double), &numbers));
    island->numbers = numbers;
    return TACT_OK;
}

static void destroy_island(Island *island)
{
    tact_release(island->source);
    tact_release(island->contacts);
    tact_release(island->rows);
    tact_release(island->bodies);
    tact_release(island->numbers);
}

static TactStatus prove_all(Division *division, Island *island, TactContactCone cone,
                            const TactContactAnswer *answer, const TactProofConfig *config,
                            TactContactProver *prover, TactProof *proof)
{
    const TactContactProblem *whole = division->problem;
    bool                      found = true;
    int                       dof = division->width * division->units;
    TACT_TRY(tact_proof_make_part(proof, TACT_PROOF_PART_IMPULSE, 3 * division->contacts));
    TACT_TRY(tact_proof_make_part(proof, TACT_PROOF_PART_ROW_IMPULSE, division->rows));
    TACT_TRY(tact_proof_make_part(proof, TACT_PROOF_PART_VELOCITY, dof));
    if (tact_patch_in(whole)) {
        TACT_TRY(tact_proof_make_part(proof, TACT_PROOF_PART_MOMENT, 3 * division->contacts));
    }
    proof->report.unique = true;
    for (int k = 0; k < division->count && found; k++) {
        Island one = *island; // the memory is used again
        one.problem = (TactContactProblem){.step = whole->step, .level = whole->level};
        take_members(division, k, &one);
        take_problem(division, &one);
        take_answer(division, answer, &one);
        TACT_TRY(prove_island(division, &one, cone, config, prover, proof, &found));
    }
    if (!found) {
        int changed = proof->report.changed, weak = proof->report.weak;
        tact_proof_forget(proof);
        proof->report.changed = changed;
        proof->report.weak = weak;
        proof->report.unique = false;
        return TACT_OK;
    }
    return tact_prove_judge(whole, answer, config, proof);
}

TactStatus tact_prove_islands(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactContactProver *prover, TactProof *proof, bool *divided)
{
    Division   division = {0};
    Island     island = {0};
    TactStatus status = divide(problem, &division);
    *divided = status == TACT_OK && division.count > 1;
    if (*divided) {
        status = create_island(&division, &island);
        if (status == TACT_OK) {
            status = prove_all(&division, &island, cone, answer, config, prover, proof);
        }
        destroy_island(&island);
    }
    tact_release(division.root);
    return status;
}
