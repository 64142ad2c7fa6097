#include <tact/base.h>

#include "prove/rational/piece.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/rational/dixon.h"

enum { KEPT_BITS = 60, KEPT_BITS_OF_FOUR = 220 }; // of a value that is kept, below the largest

typedef struct Work {
    TactModular modular;
    int        *place; // of a column in the block; -1: kept                     (n)
    mpz_t      *b;     // right side                                             (rank)
    mpz_t      *block; // numerators                                             (rank)
    mpz_t      *kept;  // value of a column outside, times 2^shift               (n)
    int         shift;
} Work;

static uint64_t residue(const mpz_t x)
{
    return mpz_fdiv_ui(x, TACT_MODULAR_PRIME);
}

static void fill(TactPiece *piece, TactModular *modular)
{
    size_t n = (size_t)piece->n;
    for (int i = 0; i < piece->equations.count; i++) {
        TactExactForm *form = &piece->equations.forms[i];
        tact_exact_form_clear_denominators(form);
        for (int k = 0; k < form->count; k++) {
            uint64_t *entry = modular->a + (size_t)i * n + (size_t)form->column[k];
            *entry = tact_modular_reduce((TactWord128)*entry + residue(mpq_numref(form->value[k])));
        }
    }
    for (int i = 0; i < piece->inequalities.count; i++) {
        tact_exact_form_clear_denominators(&piece->inequalities.forms[i]);
    }
}

/// Unknowns outside of the block keep what the answer says, on a grid that is fine enough.
static void keep(const TactPiece *piece, Work *work)
{
    double largest = 0;
    for (int j = 0; j < piece->n; j++) {
        largest = work->place[j] < 0 ? fmax(largest, fabs(piece->guess[j])) : largest;
    }
    int exponent = 0;
    frexp(largest, &exponent);
    int bits = piece->rest ? KEPT_BITS_OF_FOUR : KEPT_BITS;
    work->shift = largest > 0 && exponent < bits ? bits - exponent : 0;
    mpz_t rest;
    mpz_init(rest);
    for (int j = 0; j < piece->n; j++) {
        if (work->place[j] < 0) {
            mpz_set_d(work->kept[j], ldexp(piece->guess[j], work->shift));
            for (int k = 0; k < 3 && piece->rest; k++) {
                mpz_set_d(rest, ldexp(piece->rest[3 * j + k], work->shift));
                mpz_add(work->kept[j], work->kept[j], rest);
            }
        }
    }
    mpz_clear(rest);
}

/// constant + what is kept, times 2^shift.
static void known_part(const Work *work, const TactExactForm *form, mpz_t sum)
{
    mpz_mul_2exp(sum, mpq_numref(form->constant), (mp_bitcnt_t)work->shift);
    for (int k = 0; k < form->count; k++) {
        if (work->place[form->column[k]] < 0) {
            mpz_addmul(sum, mpq_numref(form->value[k]), work->kept[form->column[k]]);
        }
    }
}

void tact_piece_evaluate(const TactPieceSolution *solution, const TactExactForm *form, mpz_t value)
{
    mpz_mul(value, mpq_numref(form->constant), solution->denominator);
    for (int k = 0; k < form->count; k++) {
        mpz_addmul(value, mpq_numref(form->value[k]), solution->x[form->column[k]]);
    }
}

/// Signs of the inequalities, and the equations that were not solved.
static void judge(const TactPiece *piece, const Work *work, TactPieceSolution *solution)
{
    mpz_t value;
    mpz_init(value);
    solution->broken = -1;
    for (int i = work->modular.rank; i < piece->equations.count && solution->broken < 0; i++) {
        tact_piece_evaluate(solution, &piece->equations.forms[work->modular.row[i]], value);
        if (mpz_sgn(value) != 0) {
            solution->broken = work->modular.row[i];
            solution->broken_sign = mpz_sgn(value);
        }
    }
    for (int i = 0; i < piece->inequalities.count; i++) {
        tact_piece_evaluate(solution, &piece->inequalities.forms[i], value);
        solution->sign[i] = mpz_sgn(value);
        solution->violated += mpz_sgn(value) < 0;
        solution->weak += mpz_sgn(value) == 0;
    }
    mpz_clear(value);
}

static TactStatus solve_block(const TactPiece *piece, Work *work, TactPieceSolution *solution)
{
    TactDixon dixon = {&work->modular, &piece->equations, work->place, piece->limit};
    keep(piece, work);
    for (int i = 0; i < work->modular.rank; i++) {
        known_part(work, &piece->equations.forms[work->modular.row[i]], work->b[i]);
        mpz_neg(work->b[i], work->b[i]);
    }
    TACT_TRY(tact_dixon_solve(&dixon, work->b, work->block, solution->denominator));
    for (int j = 0; j < piece->n; j++) {
        if (work->place[j] >= 0) {
            mpz_set(solution->x[j], work->block[work->place[j]]);
        } else {
            mpz_mul(solution->x[j], work->kept[j], solution->denominator);
        }
    }
    mpz_mul_2exp(solution->denominator, solution->denominator, (mp_bitcnt_t)work->shift);
    judge(piece, work, solution);
    return TACT_OK;
}

static TactStatus numbers_create(int count, mpz_t **numbers)
{
    void *block = NULL;
    TACT_TRY(tact_allocate((size_t)count + 1, sizeof(mpz_t), &block));
    *numbers = block;
    for (int i = 0; i < count; i++) {
        mpz_init((*numbers)[i]);
    }
    return TACT_OK;
}

static void numbers_destroy(int count, mpz_t *numbers)
{
    for (int i = 0; i < count && numbers; i++) {
        mpz_clear(numbers[i]);
    }
    tact_release(numbers);
}

static TactStatus choose_block(TactPiece *piece, Work *work, TactPieceSolution *solution)
{
    void *place = NULL, *sign = NULL;
    TACT_TRY(tact_modular_create(piece->equations.count, piece->n, &work->modular));
    TACT_TRY(tact_allocate((size_t)piece->n + 1, sizeof(int), &place));
    work->place = place;
    TACT_TRY(tact_allocate((size_t)piece->inequalities.count + 1, sizeof(int), &sign));
    solution->sign = sign;
    TACT_TRY(numbers_create(piece->n, &solution->x));
    TACT_TRY(numbers_create(piece->n, &work->b));
    TACT_TRY(numbers_create(piece->n, &work->block));
    TACT_TRY(numbers_create(piece->n, &work->kept));
    fill(piece, &work->modular);
    tact_modular_factor(&work->modular, piece->order, piece->row_order);
    memset(work->place, 0xff, (size_t)piece->n * sizeof(int));
    for (int k = 0; k < work->modular.rank; k++) {
        work->place[work->modular.column[k]] = k;
    }
    solution->rank = work->modular.rank;
    return TACT_OK;
}

TactStatus tact_piece_solve(TactPiece *piece, TactPieceSolution *solution)
{
    Work work = {0};
    *solution = (TactPieceSolution){.n = piece->n, .made = true};
    mpz_init_set_ui(solution->denominator, 1);
    TactStatus status = piece->equations.failed || piece->inequalities.failed
                            ? tact_fail(TACT_NO_MEMORY, "no memory for the exact equations")
                            : choose_block(piece, &work, solution);
    if (status == TACT_OK) {
        status = solve_block(piece, &work, solution);
    }
    numbers_destroy(piece->n, work.b);
    numbers_destroy(piece->n, work.block);
    numbers_destroy(piece->n, work.kept);
    tact_release(work.place);
    tact_modular_destroy(&work.modular);
    return status;
}

void tact_piece_solution_destroy(TactPieceSolution *solution)
{
    if (!solution->made) {
        return;
    }
    numbers_destroy(solution->n, solution->x);
    tact_release(solution->sign);
    mpz_clear(solution->denominator);
    *solution = (TactPieceSolution){0};
}

static double quotient(const mpz_t numerator, const mpz_t denominator)
{
    mpq_t x;
    mpq_init(x);
    mpz_set(mpq_numref(x), numerator);
    mpz_set(mpq_denref(x), denominator);
    mpq_canonicalize(x);
    double value = mpq_get_d(x);
    mpq_clear(x);
    return value;
}

double tact_piece_value(const TactPieceSolution *solution, int i)
{
    return quotient(solution->x[i], solution->denominator);
}

double tact_piece_distance(const TactPieceSolution *solution, int i, double guess)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpz_set(mpq_numref(x), solution->x[i]);
    mpz_set(mpq_denref(x), solution->denominator);
    mpq_canonicalize(x);
    mpq_set_d(y, guess);
    mpq_sub(x, x, y);
    mpq_abs(x, x);
    // mpq_get_d cuts off.
    double value = mpq_sgn(x) == 0 ? 0 : nextafter(mpq_get_d(x), INFINITY);
    mpq_clears(x, y, NULL);
    return value;
}

#endif
