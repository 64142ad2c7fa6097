#include <tact/base.h>

#include "prove/rational/dixon.h"

#ifdef TACT_HAVE_GMP

#include "base/memory.h"
#include "base/status.h"
#include "prove/room.h"

enum { CHUNK = 16 }; // digits that are gathered before they are added to x

typedef struct Lift {
    const TactDixon *dixon;
    int              n;
    mpz_t           *residual; // r_k                                             (n)
    mpz_t           *x;        // digits so far                                   (n)
    mpz_t           *chunk;    // the last of them                                (n)
    uint64_t        *y;        // (n)
    mpz_t            power;    // p^k of x
    mpz_t            inner;    // p^k of chunk
    int              digits;
} Lift;

static TactStatus make(size_t n, mpz_t **numbers)
{
    void *block = NULL;
    TACT_TRY(tact_allocate(n + 1, sizeof(mpz_t), &block));
    *numbers = block;
    for (size_t i = 0; i < n; i++) {
        mpz_init((*numbers)[i]);
    }
    return TACT_OK;
}

static void unmake(size_t n, mpz_t *numbers)
{
    for (size_t i = 0; i < n && numbers; i++) {
        mpz_clear(numbers[i]);
    }
    tact_release(numbers);
}

static const TactExactForm *row_of(const TactDixon *dixon, int i)
{
    return &dixon->set->forms[dixon->modular->row[i]];
}

/// One digit more of every unknown.
static void lift_digit(Lift *lift)
{
    for (int i = 0; i < lift->n; i++) {
        lift->y[i] = mpz_fdiv_ui(lift->residual[i], TACT_MODULAR_PRIME);
    }
    tact_modular_solve(lift->dixon->modular, lift->y);
    for (int i = 0; i < lift->n; i++) {
        const TactExactForm *row = row_of(lift->dixon, i);
        for (int k = 0; k < row->count; k++) {
            int j = lift->dixon->place[row->column[k]];
            if (j >= 0 && lift->y[j] != 0) {
                mpz_submul_ui(lift->residual[i], mpq_numref(row->value[k]), lift->y[j]);
            }
        }
        mpz_divexact_ui(lift->residual[i], lift->residual[i], TACT_MODULAR_PRIME);
        mpz_addmul_ui(lift->chunk[i], lift->inner, lift->y[i]);
    }
    mpz_mul_ui(lift->inner, lift->inner, TACT_MODULAR_PRIME);
    lift->digits++;
}

static void close_chunk(Lift *lift)
{
    for (int i = 0; i < lift->n; i++) {
        mpz_addmul(lift->x[i], lift->power, lift->chunk[i]);
        mpz_set_ui(lift->chunk[i], 0);
    }
    mpz_mul(lift->power, lift->power, lift->inner);
    mpz_set_ui(lift->inner, 1);
}

/// Numerator and denominator of x modulo m, if there are some whose product is well below m.
static bool reconstruct(const mpz_t x, const mpz_t m, mpz_t numerator, mpz_t denominator)
{
    mpz_t  r0, r1, t0, t1, q;
    size_t half = mpz_sizeinbase(m, 2) / 2;
    mpz_init_set(r0, m);
    mpz_init_set(r1, x);
    mpz_init_set_ui(t0, 0);
    mpz_init_set_ui(t1, 1);
    mpz_init(q);
    while (mpz_sizeinbase(r1, 2) > half) {
        mpz_tdiv_qr(q, r0, r0, r1);
        mpz_swap(r0, r1);
        mpz_submul(t0, q, t1);
        mpz_swap(t0, t1);
    }
    bool found = mpz_sizeinbase(r1, 2) + mpz_sizeinbase(t1, 2) + 60 < mpz_sizeinbase(m, 2);
    if (mpz_sgn(t1) < 0) {
        mpz_neg(r1, r1);
        mpz_neg(t1, t1);
    }
    mpz_set(numerator, r1);
    mpz_set(denominator, t1);
    mpz_clears(r0, r1, t0, t1, q, NULL);
    return found && mpz_sgn(denominator) > 0;
}

/// Does block n = d b hold?
static bool holds(const TactDixon *dixon, mpz_t *b, mpz_t *numerator, const mpz_t denominator)
{
    mpz_t sum;
    bool  same = true;
    mpz_init(sum);
    for (int i = 0; i < dixon->modular->rank && same; i++) {
        const TactExactForm *row = row_of(dixon, i);
        mpz_mul(sum, b[i], denominator);
        for (int k = 0; k < row->count; k++) {
            int j = dixon->place[row->column[k]];
            if (j >= 0) {
                mpz_submul(sum, mpq_numref(row->value[k]), numerator[j]);
            }
        }
        same = mpz_sgn(sum) == 0;
    }
    mpz_clear(sum);
    return same;
}

/// Tries to read all unknowns from the digits, over one denominator.
static bool read(const Lift *lift, mpz_t *b, mpz_t *numerator, mpz_t denominator)
{
    mpz_t  n, d, half;
    bool   found = true;
    size_t bits = mpz_sizeinbase(lift->power, 2);
    mpz_inits(n, d, half, NULL);
    mpz_tdiv_q_2exp(half, lift->power, 1);
    mpz_set_ui(denominator, 1);
    for (int i = 0; i < lift->n && found; i++) {
        mpz_mul(n, lift->x[i], denominator);
        mpz_mod(n, n, lift->power);
        if (mpz_cmp(n, half) > 0) {
            mpz_sub(n, n, lift->power);
        }
        if (mpz_sizeinbase(n, 2) + mpz_sizeinbase(denominator, 2) + 60 < bits) {
            mpz_set(numerator[i], n);
            continue;
        }
        mpz_mod(n, n, lift->power);
        found = reconstruct(n, lift->power, n, d);
        for (int j = 0; j < i && found; j++) {
            mpz_mul(numerator[j], numerator[j], d);
        }
        mpz_set(numerator[i], n);
        mpz_mul(denominator, denominator, d);
    }
    found = found && holds(lift->dixon, b, numerator, denominator);
    mpz_clears(n, d, half, NULL);
    return found;
}

static TactStatus lift_digits(Lift *lift, mpz_t *b, mpz_t *numerator, mpz_t denominator)
{
    double start = tact_time_now();
    int    next = CHUNK;
    for (int i = 0; i < lift->n; i++) {
        mpz_set(lift->residual[i], b[i]);
    }
    mpz_set_ui(denominator, 1);
    while (lift->n > 0) {
        lift_digit(lift);
        if (lift->digits % CHUNK == 0) {
            close_chunk(lift);
            if (lift->digits >= next) {
                if (read(lift, b, numerator, denominator)) {
                    break;
                }
                next += (next / 4 / CHUNK + 1) * CHUNK;
            }
            if (tact_room_is_over()) {
                return tact_fail(TACT_NO_MEMORY, "no memory for a proof");
            }
            if (lift->dixon->limit > 0 && tact_time_now() - start > lift->dixon->limit) {
                return tact_fail(TACT_UNSUPPORTED, "exact solution of %d equations: out of time",
                                 lift->n);
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_dixon_solve(const TactDixon *dixon, mpz_t *b, mpz_t *numerator, mpz_t denominator)
{
    Lift       lift = {.dixon = dixon, .n = dixon->modular->rank};
    size_t     n = (size_t)lift.n;
    void      *y = NULL;
    TactStatus status = tact_allocate(n + 1, sizeof(uint64_t), &y);
    lift.y = y;
    status = status == TACT_OK ? make(n, &lift.residual) : status;
    status = status == TACT_OK ? make(n, &lift.x) : status;
    status = status == TACT_OK ? make(n, &lift.chunk) : status;
    mpz_init_set_ui(lift.power, 1);
    mpz_init_set_ui(lift.inner, 1);
    if (status == TACT_OK) {
        status = lift_digits(&lift, b, numerator, denominator);
    }
    mpz_clears(lift.power, lift.inner, NULL);
    unmake(n, lift.residual);
    unmake(n, lift.x);
    unmake(n, lift.chunk);
    tact_release(y);
    return status;
}

#endif
