#include "prove/contact.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/patch.h"
#include "prove/law/law.h"
#include "prove/proof.h"
#include "prove/room.h"

#define NOTHING 1e-290     // impulse or speed of a problem in which nothing happens
#define SAME_MOTION 1e-3   // of the radius: velocities that are the same
#define WORTH_PROVING 1e-5 // largest certified error of an answer

double tact_prove_largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

double tact_prove_largest_speed(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    double most = tact_prove_largest(answer->velocity, tact_contact_get_dof(problem));
    if (problem->M) {
        most = fmax(most, tact_prove_largest(problem->v, problem->nv));
    }
    for (int k = 0; problem->bodies && k < problem->body_count; k++) {
        most = fmax(most, tact_prove_largest(problem->bodies[k].velocity, 3));
        most = fmax(most, tact_prove_largest(problem->bodies[k].omega, 3));
    }
    for (int i = 0; i < problem->contact_count + problem->row_count; i++) {
        int    r = i - problem->contact_count;
        double push = r < 0 ? tact_prove_largest(answer->impulse + 3 * (size_t)i, 3)
                            : fabs(answer->row_impulse[r]);
        most = fmax(most, push > 0 ? tact_states_weight(problem, i) * push : 0);
    }
    return most;
}

/// tact_prove_largest_speed() of a problem as it is given: with W, rows of moments among those of
/// contacts.
static double find_largest_speed(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    if (!problem->W || !tact_patch_in(problem)) {
        return tact_prove_largest_speed(problem, answer);
    }
    size_t n = tact_patch_delassus_rows(problem), row = 0;
    double most = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        bool turns = tact_contact_has_moments(&problem->contacts[i]);
        for (size_t k = 0; k < (turns ? 6u : 3u); k++, row++) {
            size_t at = 3 * (size_t)i + k % 3;
            double push = k < 3 ? answer->impulse[at] : answer->moment[at];
            most = fmax(most, fabs(problem->W[row * n + row] * push));
        }
    }
    return most;
}

/// Largest distance of the entries of a part from the answer, and where.
static double find_distance(const TactProof *proof, TactProofPart part, const double *answer,
                            const bool *skip, int *worst)
{
    double most = 0;
    int    group = part == TACT_PROOF_PART_IMPULSE ? 3 : 1;
    for (int i = 0; i < proof->count[part]; i++) {
        const double *bounds = proof->bounds[part] + 2 * (size_t)i;
        double        away = fmax(bounds[1] - answer[i], answer[i] - bounds[0]);
        away = away > 0 ? away * (1 + 0x1p-51) : 0;
        if (away > most && !(skip && skip[i / group])) {
            most = away;
            *worst = i / group;
        }
    }
    return most;
}

/// The same of u = W p + u_free, where there are no other velocities. Rows of W: three of a
/// contact, or six.
static double find_slip(const TactContactProblem *problem, const TactContactAnswer *answer,
                        const TactProof *proof, int *worst)
{
    double most = 0;
    size_t n = tact_patch_delassus_rows(problem);
    for (size_t i = 0; i < n; i++) {
        double sum = 0, width = 0;
        size_t j = 0;
        for (int c = 0; c < problem->contact_count; c++) {
            bool turns = tact_contact_has_moments(&problem->contacts[c]);
            for (size_t k = 0; k < (turns ? 6u : 3u); k++, j++) {
                TactProofPart part = k < 3 ? TACT_PROOF_PART_IMPULSE : TACT_PROOF_PART_MOMENT;
                size_t        at = 3 * (size_t)c + k % 3;
                const double *bounds = proof->bounds[part] + 2 * at;
                double        known = k < 3 ? answer->impulse[at] : answer->moment[at];
                double        change = 0.5 * bounds[0] + 0.5 * bounds[1] - known;
                double        rounding = (double)(n + 4) * 0x1p-52 * fabs(change);
                sum += problem->W[i * n + j] * change;
                width += fabs(problem->W[i * n + j]) * (bounds[1] - bounds[0] + rounding);
            }
        }
        if (fabs(sum) + width > most) {
            most = fabs(sum) + width;
            *worst = (int)i;
        }
    }
    return most;
}

/// Largest distance of moments from the answer as loads that would bear it: over their coefficient.
static double find_moment_distance(const TactContactProblem *problem,
                                   const TactContactAnswer *answer, const TactProof *proof,
                                   const bool *skip, int *worst)
{
    double most = 0;
    for (int i = 0; i < proof->count[TACT_PROOF_PART_MOMENT]; i++) {
        const TactContact *contact = &problem->contacts[i / 3];
        const double      *bounds = proof->bounds[TACT_PROOF_PART_MOMENT] + 2 * (size_t)i;
        double             mu = i % 3 == 0 ? contact->mu_spin : contact->mu_roll;
        double away = fmax(bounds[1] - answer->moment[i], answer->moment[i] - bounds[0]);
        away = away > 0 && mu > 0 ? away / mu * (1 + 0x1p-50) : 0;
        if (away > most && !(skip && skip[i / 3])) {
            most = away;
            *worst = i / 3;
        }
    }
    return most;
}

/// Largest distance of the impulses and moments of contacts that are not skipped.
static double find_contact_distance(const TactContactProblem *problem,
                                    const TactContactAnswer *answer, const TactProof *proof,
                                    const bool *skip, int *worst)
{
    int    turning = 0;
    double impulses = find_distance(proof, TACT_PROOF_PART_IMPULSE, answer->impulse, skip, worst);
    double moments = find_moment_distance(problem, answer, proof, skip, &turning);
    *worst = moments > impulses ? turning : *worst;
    return fmax(impulses, moments);
}

/// Marks contacts whose impulse is not unique.
static TactStatus find_shared(const TactContactProblem *problem, const TactContactAnswer *answer,
                              bool *shared)
{
    void  *block = NULL;
    size_t count = (size_t)problem->contact_count;
    TACT_TRY(tact_allocate(count + 1, sizeof(TactContactDiagnosis), &block));
    TactContactDiagnosis *diagnosis = block;
    TactStatus            status = tact_contact_diagnose(problem, answer, diagnosis);
    for (size_t i = 0; i < count && status == TACT_OK; i++) {
        shared[i] = !diagnosis[i].unique;
    }
    tact_release(block);
    return status;
}

static TactStatus judge(const TactContactProblem *problem, const TactContactAnswer *answer,
                        const TactProofConfig *config, TactProof *proof, bool *shared)
{
    TactProofReport *report = &proof->report;
    int              worst = 0, row = 0, dof = 0;
    double           pushing = fmax(tact_prove_largest(answer->impulse, 3 * problem->contact_count),
                                    tact_prove_largest(answer->row_impulse, problem->row_count));
    double           moving = fmax(find_largest_speed(problem, answer), NOTHING);
    pushing = fmax(pushing, NOTHING);
    double rows =
        find_distance(proof, TACT_PROOF_PART_ROW_IMPULSE, answer->row_impulse, NULL, &row);
    double speeds = find_distance(proof, TACT_PROOF_PART_VELOCITY, answer->velocity, NULL, &dof);
    double impulses = find_contact_distance(problem, answer, proof, NULL, &worst);
    if (problem->W) {
        speeds = find_slip(problem, answer, proof, &dof);
    }
    if (fmax(impulses, rows) > config->radius * pushing) {
        double all = fmax(impulses, rows);
        bool   any = false;
        TACT_TRY(find_shared(problem, answer, shared));
        for (int i = 0; i < problem->contact_count; i++) {
            any = any || shared[i];
        }
        impulses = find_contact_distance(problem, answer, proof, shared, &worst);
        rows = any || !report->unique ? 0 : rows; // joints that share with them
        if (speeds <= SAME_MOTION * config->radius * moving) {
            // Both sets of forces have this motion: it does not tell them apart, whatever the rank
            // of the loaded contacts says. One that touches without load may have taken some.
            impulses = rows = 0;
        }
        report->redundant = fmax(impulses, rows) < all ? all : 0;
    }
    report->radius = fmax(fmax(impulses, rows), speeds);
    report->proved = report->found = true;
    if (impulses > config->radius * pushing || rows > config->radius * pushing) {
        bool contact = impulses > config->radius * pushing;
        tact_proof_block(proof, contact ? worst : problem->contact_count + row);
        tact_proof_not(proof,
                       "the nearest exact solution that was found is %.2g N s away from the answer "
                       "(%.1g of the largest impulse) at %s %d: it proves another answer than this",
                       contact ? impulses : rows, (contact ? impulses : rows) / pushing,
                       contact ? "contact" : "row", contact ? worst : row);
    } else if (speeds > config->radius * moving) {
        tact_proof_not(
            proof,
            "the nearest exact solution that was found is %.2g away from the answer (%.1g "
            "of the largest) in velocity %d: it proves another answer than this",
            speeds, speeds / moving, dof);
    }
    return TACT_OK;
}

TactStatus tact_prove_judge(const TactContactProblem *problem, const TactContactAnswer *answer,
                            const TactProofConfig *config, TactProof *proof)
{
    void *shared = NULL;
    TACT_TRY(tact_allocate((size_t)problem->contact_count + 1, sizeof(bool), &shared));
    TactStatus status = judge(problem, answer, config, proof, shared);
    tact_release(shared);
    return status;
}

/// An answer that is far from any is not looked at.
static TactStatus is_worth_it(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, TactProof *proof, bool *worth)
{
    TactContactCertificate certificate;
    TACT_TRY(tact_contact_certify_answer(problem, cone, answer, &certificate));
    *worth = certificate.error <= WORTH_PROVING;
    if (!*worth) {
        int contacts = problem->contact_count;
        if (certificate.worst < contacts + problem->row_count) {
            tact_proof_block(proof, certificate.worst);
        }
        tact_proof_not(proof, "the answer is wrong: its certified error is %.2g, at %s %d",
                       certificate.error,
                       certificate.worst < contacts                        ? "contact"
                       : certificate.worst < contacts + problem->row_count ? "row"
                                                                           : "degree of freedom",
                       certificate.worst < contacts ? certificate.worst
                       : certificate.worst < contacts + problem->row_count
                           ? certificate.worst - contacts
                           : certificate.worst - contacts - problem->row_count);
    }
    return TACT_OK;
}

static TactStatus check_answer(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    int dof = tact_contact_get_dof(problem);
    TACT_NEED(answer->impulse || problem->contact_count == 0, "tact_prove_contact");
    TACT_NEED(answer->row_impulse || problem->row_count == 0, "tact_prove_contact");
    TACT_NEED(answer->velocity || dof == 0, "tact_prove_contact");
    int moments = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        moments =
            tact_contact_has_moments(&problem->contacts[i]) ? 3 * problem->contact_count : moments;
    }
    TACT_NEED(answer->moment || moments == 0, "tact_prove_contact");
    const double *parts[] = {answer->impulse, answer->row_impulse, answer->velocity,
                             answer->moment};
    const int     counts[] = {3 * problem->contact_count, problem->row_count, dof, moments};
    const char   *names[] = {"impulse", "row_impulse", "velocity", "moment"};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < counts[k]; i++) {
            if (!isfinite(parts[k][i])) {
                return tact_fail(TACT_BAD_INPUT, "tact_prove_contact: %s[%d] is not finite",
                                 names[k], i);
            }
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Tasks

TactStatus tact_task_expand(TactProveTask *task, TactProvePatches *memory)
{
    const TactContactAnswer *given = task->given_answer;
    *memory = (TactProvePatches){0};
    task->problem = task->given;
    task->answer = given;
    task->patches = NULL;
    if (!tact_patch_in(task->given)) {
        return TACT_OK;
    }
    TactContactCapacity capacity = tact_contact_get_capacity(task->given);
    tact_patch_layout(&memory->patches, &capacity, &memory->arena);
    TACT_TRY(tact_arena_create(&memory->arena));
    tact_patch_layout(&memory->patches, &capacity, &memory->arena);
    TactPatches *patches = &memory->patches;
    tact_patch_expand(patches, task->given);
    for (int d = 0; d < patches->disc_count && task->cone != TACT_CONE_CIRCLE; d++) {
        if (patches->discs[d].dim > 2 || task->cone == TACT_CONE_BOX) {
            return tact_fail(TACT_UNSUPPORTED, "contact %d: %s", patches->discs[d].contact,
                             task->cone == TACT_CONE_BOX
                                 ? "the friction box takes no mu_spin, mu_roll and mu2"
                                 : "the ellipsoid is round: it has a proof with --cone circle");
        }
    }
    if (given) {
        memory->answer = tact_patch_answer(patches, given, NULL);
        tact_patch_take(patches, given, &memory->answer);
    }
    task->problem = &patches->problem;
    task->answer = &memory->answer;
    task->patches = patches;
    return TACT_OK;
}

void tact_task_release(TactProvePatches *memory)
{
    tact_arena_destroy(&memory->arena);
}

int tact_task_owner(const TactProveTask *task, int state)
{
    int disc = state - task->problem->contact_count - task->problem->row_count;
    return disc >= 0 ? task->patches->discs[disc].contact : state;
}

int tact_task_place(const TactProveTask *task, TactProofPart part, int i)
{
    int contacts = 3 * task->problem->contact_count;
    if (part == TACT_PROOF_PART_MOMENT) {
        return task->patches->moment[i / 3][i % 3];
    }
    return part == TACT_PROOF_PART_ROW_IMPULSE ? contacts + i : i;
}

// ---------------------------------------------------------------------------------------------
// Proofs

static TactStatus prove_task(const TactProveTask *task)
{
    if (task->cone == TACT_CONE_CIRCLE) {
        return tact_prove_circle(task);
    }
#ifdef TACT_HAVE_GMP
    return tact_prove_pyramid(task);
#else
    return tact_fail(TACT_UNSUPPORTED,
                     "a rational proof needs GMP, and tact was built without: --cone circle has a "
                     "proof by intervals");
#endif
}

static TactStatus prove(const TactContactProblem *problem, TactContactCone cone,
                        const TactContactAnswer *answer, const TactProofConfig *config,
                        TactProof *proof)
{
    TactProveTask task = {
        .given = problem, .given_answer = answer, .cone = cone, .config = *config, .proof = proof};
    TactProvePatches memory;
    TactStatus       status = tact_task_expand(&task, &memory);
    if (status == TACT_OK) {
        status = prove_task(&task);
    }
    tact_task_release(&memory);
    return status;
}

/// Proofs are made of W as a dense matrix, which is to be that of the blocks.
static TactStatus check_matrix(const TactContactProblem *problem)
{
    const TactContactBlocks *blocks = problem->blocks;
    size_t                   contacts = (size_t)problem->contact_count, n = 3 * contacts;
    if (!blocks) {
        return TACT_OK;
    }
    if (!problem->W) {
        return tact_fail(TACT_UNSUPPORTED, "a proof needs W as a dense matrix, and only blocks are "
                                           "given");
    }
    for (size_t i = 0; i < n; i++) {
        size_t k = blocks->start[i / 3];
        for (size_t j = 0; j < n; j++) {
            while (k < blocks->start[i / 3 + 1] && (size_t)blocks->column[k] < j / 3) {
                k++;
            }
            bool   there = k < blocks->start[i / 3 + 1] && (size_t)blocks->column[k] == j / 3;
            double value = there ? blocks->value[9 * k + 3 * (i % 3) + j % 3] : 0;
            if (value != problem->W[i * n + j]) {
                return tact_fail(TACT_BAD_INPUT, "W[%zu,%zu] is %g as a matrix and %g in its block",
                                 i, j, problem->W[i * n + j], value);
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_prove_contact(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactProof **proof)
{
    TACT_NEED(problem && answer && proof, "tact_prove_contact");
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(check_matrix(problem));
    TACT_TRY(check_answer(problem, answer));
    TactProofConfig copy;
    TactProof      *made = NULL;
    double          start = tact_time_now();
    bool            circle = cone == TACT_CONE_CIRCLE;
    TACT_TRY(tact_proof_check_config(config, &copy));
    TACT_TRY(tact_room_begin());
    TactStatus status =
        tact_proof_create(circle ? TACT_PROOF_KIND_INTERVAL : TACT_PROOF_KIND_RATIONAL, &made);
    bool worth = false;
    if (status == TACT_OK) {
        status = is_worth_it(problem, cone, answer, made, &worth);
    }
    bool divided = false;
    if (status == TACT_OK && worth) {
        status = tact_prove_islands(problem, cone, answer, &copy, prove, made, &divided);
    }
    if (status == TACT_OK && worth && !divided) {
        status = prove(problem, cone, answer, &copy, made);
    }
    if (status != TACT_OK || tact_room_is_over()) {
        tact_proof_destroy(made); // before the reserve, in which parts of it may be
        return tact_room_end(status);
    }
    TACT_TRY(tact_room_end(TACT_OK));
    made->report.time = tact_time_now() - start;
    *proof = made;
    return TACT_OK;
}

TactStatus tact_prove_ranges(const TactContactProblem *problem, TactContactCone cone,
                             const TactProofConfig *config, TactProof *proof)
{
    TACT_NEED(problem && proof, "tact_prove_ranges");
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(check_matrix(problem));
    TactProofConfig copy;
    TACT_TRY(tact_proof_check_config(config, &copy));
    if (!proof->report.found || proof->report.kind != TACT_PROOF_KIND_RATIONAL ||
        cone == TACT_CONE_CIRCLE) {
        return tact_fail(TACT_UNSUPPORTED, "ranges need a rational proof that found a solution");
    }
    int moments = tact_patch_in(problem) ? 3 * problem->contact_count : 0;
    if (tact_proof_count(proof, TACT_PROOF_PART_IMPULSE) != 3 * problem->contact_count ||
        tact_proof_count(proof, TACT_PROOF_PART_MOMENT) != moments ||
        tact_proof_count(proof, TACT_PROOF_PART_ROW_IMPULSE) != problem->row_count ||
        tact_proof_count(proof, TACT_PROOF_PART_VELOCITY) != tact_contact_get_dof(problem)) {
        return tact_fail(TACT_BAD_ARGUMENT, "tact_prove_ranges: the proof is of another problem");
    }
#ifdef TACT_HAVE_GMP
    TACT_TRY(tact_room_begin());
    TactProveTask    task = {.given = problem, .cone = cone, .config = copy, .proof = proof};
    TactProvePatches memory;
    TactStatus       status = tact_task_expand(&task, &memory);
    if (status == TACT_OK) {
        status = tact_pyramid_find_ranges(&task);
    }
    tact_task_release(&memory);
    if (tact_room_is_over()) {
        tact_proof_forget_ranges(proof);
    }
    return tact_room_end(status);
#else
    return tact_fail(TACT_UNSUPPORTED, "exact ranges need GMP, and tact was built without");
#endif
}
