// Proofs as objects: what they hold and how it is read.
#include "prove/proof.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/room.h"

enum { COOKIE = 0x70726f76, DEFAULT_ROUNDS = 24, MOST_BLOCKED = 64 };

TactProofConfig tact_proof_config_default(void)
{
    return (TactProofConfig){
        .limit = 10, .rounds = DEFAULT_ROUNDS, .radius = 1e-6, .cookie = COOKIE};
}

TactStatus tact_proof_check_config(const TactProofConfig *config, TactProofConfig *copy)
{
    *copy = config ? *config : tact_proof_config_default();
    if (copy->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "TactProofConfig: was not made by tact_proof_config_default()");
    }
    if (!(copy->limit >= 0) || copy->rounds < 1 || !(copy->radius > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "TactProofConfig: limit >= 0, rounds >= 1 and radius > 0 are needed");
    }
    return TACT_OK;
}

TactStatus tact_proof_create(TactProofKind kind, TactProof **proof)
{
    void *block = NULL, *blocked = NULL;
    TACT_TRY(tact_allocate(1, sizeof(TactProof), &block));
    TactStatus status = tact_allocate(MOST_BLOCKED, sizeof(int), &blocked);
    if (status != TACT_OK) {
        tact_release(block);
        return status;
    }
    *proof = block;
    (*proof)->report.kind = kind;
    (*proof)->report.radius = INFINITY;
    (*proof)->blocked = blocked;
    (*proof)->room = MOST_BLOCKED;
    return TACT_OK;
}

static void forget_part(TactProof *proof, int part)
{
#ifdef TACT_HAVE_GMP
    for (int i = 0; i < proof->count[part] && proof->exact[part]; i++) {
        mpq_clear(proof->exact[part][i]);
    }
    tact_release(proof->exact[part]);
    proof->exact[part] = NULL;
#endif
    tact_release(proof->bounds[part]);
    proof->bounds[part] = NULL;
    proof->count[part] = 0;
}

void tact_proof_forget(TactProof *proof)
{
    for (int part = 0; part < TACT_PROOF_PART_COUNT; part++) {
        forget_part(proof, part);
    }
    proof->report.changed = proof->report.weak = 0;
    proof->report.found = false;
}

void tact_proof_forget_ranges(TactProof *proof)
{
    for (int part = TACT_PROOF_PART_LEAST; part < TACT_PROOF_PART_COUNT; part++) {
        if (part != TACT_PROOF_PART_MOMENT) {
            forget_part(proof, part);
        }
    }
}

void tact_proof_destroy(TactProof *proof)
{
    if (!proof) {
        return;
    }
    tact_proof_forget(proof);
    tact_release(proof->blocked);
    tact_release(proof);
}

TactStatus tact_proof_make_part(TactProof *proof, TactProofPart part, int count)
{
    void *bounds = NULL;
    TACT_TRY(tact_allocate(2 * (size_t)count + 1, sizeof(double), &bounds));
    proof->bounds[part] = bounds;
#ifdef TACT_HAVE_GMP
    if (proof->report.kind == TACT_PROOF_KIND_RATIONAL) {
        void *exact = NULL;
        TACT_TRY(tact_allocate((size_t)count + 1, sizeof(mpq_t), &exact));
        proof->exact[part] = exact;
        for (int i = 0; i < count; i++) {
            mpq_init(proof->exact[part][i]);
        }
    }
#endif
    proof->count[part] = count;
    return TACT_OK;
}

void tact_proof_block(TactProof *proof, int owner)
{
    for (int i = 0; i < proof->report.blocked_count; i++) {
        if (proof->blocked[i] == owner) {
            return;
        }
    }
    if (owner >= 0 && proof->report.blocked_count < proof->room) {
        proof->blocked[proof->report.blocked_count++] = owner;
    }
}

int tact_proof_number(const TactProof *proof, int contacts, int owner)
{
    int source = proof->source ? proof->source[owner] : owner;
    return owner < contacts ? source : source - (proof->source ? proof->whole : contacts);
}

bool tact_proof_not(TactProof *proof, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(proof->report.why, sizeof proof->report.why, format, arguments);
    va_end(arguments);
    proof->report.proved = false;
    return false;
}

const TactProofReport *tact_proof_view_report(const TactProof *proof)
{
    return &proof->report;
}

const int *tact_proof_view_blocking(const TactProof *proof)
{
    return proof->blocked;
}

int tact_proof_count(const TactProof *proof, TactProofPart part)
{
    return proof->report.found && (unsigned)part < TACT_PROOF_PART_COUNT ? proof->count[part] : 0;
}

bool tact_proof_get_bounds(const TactProof *proof, TactProofPart part, int i, double *lo,
                           double *hi)
{
    if (i < 0 || i >= tact_proof_count(proof, part)) {
        return false;
    }
    *lo = proof->bounds[part][2 * (size_t)i];
    *hi = proof->bounds[part][2 * (size_t)i + 1];
    return true;
}

#ifdef TACT_HAVE_GMP

/// mpq_get_d cuts off: the true value lies between it and its neighbour away from 0.
static void bound(TactProof *proof, TactProofPart part, int i)
{
    const __mpq_struct *x = proof->exact[part][i];
    double              value = mpq_get_d(x), *bounds = proof->bounds[part] + 2 * (size_t)i;
    mpq_t               back;
    mpq_init(back);
    mpq_set_d(back, value);
    bool exact = mpq_equal(back, x) != 0;
    mpq_clear(back);
    bounds[0] = exact || mpq_sgn(x) > 0 ? value : nextafter(value, -INFINITY);
    bounds[1] = exact || mpq_sgn(x) < 0 ? value : nextafter(value, INFINITY);
}

void tact_proof_set_exact(TactProof *proof, TactProofPart part, int i, const mpz_t numerator,
                          const mpz_t denominator)
{
    mpz_set(mpq_numref(proof->exact[part][i]), numerator);
    mpz_set(mpq_denref(proof->exact[part][i]), denominator);
    mpq_canonicalize(proof->exact[part][i]);
    bound(proof, part, i);
}

void tact_proof_set_infinite(TactProof *proof, TactProofPart part, int i, int sign)
{
    double *bounds = proof->bounds[part] + 2 * (size_t)i;
    mpq_set_ui(proof->exact[part][i], 0, 1);
    bounds[0] = bounds[1] = sign > 0 ? INFINITY : -INFINITY;
}

void tact_proof_set_double(TactProof *proof, TactProofPart part, int i, double value)
{
    mpq_set_d(proof->exact[part][i], value);
    bound(proof, part, i);
}

#endif

size_t tact_proof_get_exact(const TactProof *proof, TactProofPart part, int i, char *text,
                            size_t size)
{
    if (size > 0) {
        text[0] = '\0';
    }
#ifdef TACT_HAVE_GMP
    if (i >= 0 && i < tact_proof_count(proof, part) && proof->exact[part]) {
        const __mpq_struct *x = proof->exact[part][i];
        if (isinf(proof->bounds[part][2 * (size_t)i])) {
            const char *word = proof->bounds[part][2 * (size_t)i] > 0 ? "inf" : "-inf";
            return (size_t)snprintf(text, size, "%s", word);
        }
        size_t most = mpz_sizeinbase(mpq_numref(x), 10) + mpz_sizeinbase(mpq_denref(x), 10) + 3;
        void  *own = NULL;
        if (tact_allocate(most, 1, &own) != TACT_OK) {
            return 0;
        }
        if (tact_room_begin() != TACT_OK) {
            tact_release(own);
            return 0;
        }
        size_t length = strlen(mpq_get_str(own, 10, x));
        if (tact_room_end(TACT_OK) != TACT_OK) {
            tact_release(own);
            return 0;
        }
        if (size > 0) {
            size_t fits = length < size ? length : size - 1;
            memcpy(text, own, fits);
            text[fits] = '\0';
        }
        tact_release(own);
        return length;
    }
#else
    (void)proof, (void)part, (void)i;
#endif
    return 0;
}
