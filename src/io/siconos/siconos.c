// LCP and MLCP files of Siconos.
//
// LCP, w = M z + q:       n  MATRIX  q[n]
// MLCP:                   storage1 storage2 n m, then what the two flags announce
//   storage1  ends of blocks of rows (0 ... n+m), one flag a block (1: complementarity), MATRIX, q
//   storage2  A (n x n)  B (m x m)  C (n x m)  D (m x n)  a[n]  b[m], row by row:
//                 A u + C v + a = 0,    0 <= v  _|_  D u + B v + b >= 0.                       (1)
//
// An MLCP becomes (1) with z = (u, v). If both storages are there, storage2 is read, and storage1,
// put into the same order, must agree with it.
#include "io/siconos/siconos.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

static TactStatus create_vector(size_t count, double **vector)
{
    void *block;
    TACT_TRY(tact_allocate(count, sizeof(double), &block));
    *vector = block;
    return TACT_OK;
}

void tact_siconos_tell_the_rest(TactText *text)
{
    TactWord word;
    if (tact_text_word(text, "", &word)) {
        bool number = strchr("+-.0123456789", word.start[0]) != NULL;
        tact_log(number ? TACT_LOG_LEVEL_WARNING : TACT_LOG_LEVEL_INFO,
                 "%s:%d: what follows the problem is ignored, from '%.*s' on", text->name,
                 text->line, word.length < 20 ? (int)word.length : 20, word.start);
    }
}

// ---------------------------------------------------------------------------------------------
// LCP

TactStatus tact_siconos_lcp(TactText *text, TactLcpParts *parts)
{
    static const char *const format[] = {"Siconos LCP, dense", "Siconos LCP, sparse block",
                                         "Siconos LCP, sparse"};

    int n;
    int storage;
    TACT_TRY(tact_text_int(text, "the size of the problem", 0, INT_MAX - 1, &n));
    TACT_TRY(tact_siconos_matrix(text, &parts->M, &storage));
    if (parts->M.rows != n || parts->M.columns != n) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the matrix is %d x %d, but the LCP has n = %d",
                              parts->M.rows, parts->M.columns, n);
    }
    TACT_TRY(tact_text_holds(text, (size_t)n, "q"));
    TACT_TRY(create_vector((size_t)n, &parts->q));
    TACT_TRY(tact_text_reals(text, "q", (size_t)n, 1, parts->q));
    tact_siconos_tell_the_rest(text);
    parts->format = format[storage];
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// MLCP

typedef struct Mixed {
    int        storage1;
    int        storage2;
    int        equations;   // n in (1)
    int        complements; // m in (1)
    int       *order;       // row of storage1 that is a row of (1)           (n + m)
    TactMatrix M;           // storage1
    double    *q;           // storage1                                         (columns)
} Mixed;

static void destroy_mixed(Mixed *mixed)
{
    tact_matrix_destroy(&mixed->M);
    tact_release(mixed->q);
    tact_release(mixed->order);
}

/// 0 = end[0] < end[1] < ... < end[*blocks] = n + m.
static TactStatus read_ends(TactText *text, int total, int *end, int *blocks)
{
    TACT_TRY(tact_text_int(text, "the first row of the first block", 0, 0, &end[0]));
    for (*blocks = 0; end[*blocks] < total; ++*blocks) {
        TACT_TRY(tact_text_int(text, "the end of a block of rows", end[*blocks] + 1, total,
                               &end[*blocks + 1]));
    }
    return TACT_OK;
}

/// The flags of the blocks, and from them the order: equations first.
static TactStatus read_flags(TactText *text, const int *end, int blocks, Mixed *mixed)
{
    int equations = 0;
    int complements = 0;
    for (int k = 0; k < blocks; k++) {
        int flag;
        TACT_TRY(tact_text_int(text, "the flag of a block (0 equation, 1 complementarity)", 0, 1,
                               &flag));
        int rows = end[k + 1] - end[k];
        if (rows > (flag ? mixed->complements - complements : mixed->equations - equations)) {
            return tact_text_fail(text, TACT_BAD_INPUT,
                                  "the blocks have more than n = %d equations or m = %d "
                                  "complementarities",
                                  mixed->equations, mixed->complements);
        }
        int first = flag ? mixed->equations + complements : equations;
        for (int i = 0; i < rows; i++) {
            mixed->order[first + i] = end[k] + i;
        }
        *(flag ? &complements : &equations) += rows;
    }
    return TACT_OK;
}

static TactStatus read_blocks(TactText *text, Mixed *mixed)
{
    int   total = mixed->equations + mixed->complements;
    int   blocks;
    void *end;
    void *order;
    TACT_TRY(tact_text_holds(text, (size_t)total, "q"));
    TACT_TRY(tact_allocate((size_t)total, sizeof(int), &order));
    mixed->order = order;
    TACT_TRY(tact_allocate((size_t)total + 1, sizeof(int), &end));
    TactStatus status = read_ends(text, total, end, &blocks);
    if (status == TACT_OK) {
        status = read_flags(text, end, blocks, mixed);
    }
    tact_release(end);
    return status;
}

static TactStatus read_storage1(TactText *text, Mixed *mixed)
{
    int storage;
    int total = mixed->equations + mixed->complements;
    TACT_TRY(read_blocks(text, mixed));
    TACT_TRY(tact_siconos_matrix(text, &mixed->M, &storage));
    if (mixed->M.columns != total) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the matrix has %d columns, but n + m = %d",
                              mixed->M.columns, total);
    }
    if (mixed->M.rows != total && !mixed->storage2) {
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "the matrix has %d rows for %d unknowns, and the file keeps only %d "
                              "entries of q: there is no square problem in it",
                              mixed->M.rows, total, total);
    }
    TACT_TRY(tact_text_holds(text, (size_t)total, "q"));
    TACT_TRY(create_vector((size_t)total, &mixed->q));
    return tact_text_reals(text, "q", (size_t)total, 1, mixed->q);
}

/// Rows first ... first + rows - 1, columns likewise, of a dense matrix of n columns.
static TactStatus read_part(TactText *text, const char *what, TactMatrix *M, const int place[4])
{
    size_t n = (size_t)M->columns;
    for (int i = 0; i < place[1]; i++) {
        double *row = M->dense + (size_t)(place[0] + i) * n + place[2];
        TACT_TRY(tact_text_reals(text, what, (size_t)place[3], 1, row));
    }
    return TACT_OK;
}

static TactStatus read_storage2(TactText *text, const Mixed *mixed, TactLcpParts *parts)
{
    int    n = mixed->equations;
    int    m = mixed->complements;
    size_t total = (size_t)n + (size_t)m;
    TACT_TRY(tact_text_holds(text, total * total + total, "A, B, C, D, a, b"));
    TACT_TRY(tact_matrix_create_dense(&parts->M, n + m, n + m));
    TACT_TRY(create_vector(total, &parts->q));
    TACT_TRY(read_part(text, "A", &parts->M, (int[]){0, n, 0, n}));
    TACT_TRY(read_part(text, "B", &parts->M, (int[]){n, m, n, m}));
    TACT_TRY(read_part(text, "C", &parts->M, (int[]){0, n, n, m}));
    TACT_TRY(read_part(text, "D", &parts->M, (int[]){n, m, 0, n}));
    TACT_TRY(tact_text_reals(text, "a", (size_t)n, 1, parts->q));
    return tact_text_reals(text, "b", (size_t)m, 1, parts->q + n);
}

/// Storage1, in the order of (1), against storage2.
static TactStatus compare_parts(const TactText *text, Mixed *mixed, const TactLcpParts *parts)
{
    size_t n = (size_t)parts->M.rows;
    if (mixed->M.rows != parts->M.rows) {
        tact_text_warn(text,
                       "storage1 has %d rows for %d unknowns: the square problem of storage2 "
                       "is read, without the equations that it leaves out",
                       mixed->M.rows, parts->M.rows);
        return TACT_OK;
    }
    TACT_TRY(tact_matrix_to_dense(&mixed->M));
    double largest = 0;
    double difference = 0;
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)mixed->order[i];
        for (size_t j = 0; j < n; j++) {
            double one = mixed->M.dense[row * n + (size_t)mixed->order[j]];
            double two = parts->M.dense[i * n + j];
            largest = fmax(largest, fabs(two));
            difference = fmax(difference, fabs(one - two));
        }
        largest = fmax(largest, fabs(parts->q[i]));
        difference = fmax(difference, fabs(mixed->q[row] - parts->q[i]));
    }
    if (!(difference <= 1e-5 * largest)) { // six printed digits agree within that
        tact_text_warn(text,
                       "storage1 and storage2 are two different problems (by %g): storage2 is "
                       "read",
                       difference);
    }
    return TACT_OK;
}

/// Storage1 alone, put into the order of (1).
static TactStatus take_storage1(Mixed *mixed, TactLcpParts *parts)
{
    size_t total = (size_t)mixed->M.rows;
    bool   moved = false;
    for (size_t i = 0; i < total; i++) {
        moved |= mixed->order[i] != (int)i;
    }
    if (moved) {
        TACT_TRY(tact_matrix_permute(&mixed->M, mixed->order));
    }
    TACT_TRY(create_vector(total, &parts->q));
    for (size_t i = 0; i < total; i++) {
        parts->q[i] = mixed->q[mixed->order[i]];
    }
    parts->M = mixed->M;
    mixed->M = (TactMatrix){0};
    if (moved) {
        parts->order = mixed->order;
        mixed->order = NULL;
    }
    return TACT_OK;
}

static TactStatus set_bounds(const Mixed *mixed, TactLcpParts *parts)
{
    size_t total = (size_t)mixed->equations + (size_t)mixed->complements;
    TACT_TRY(create_vector(total, &parts->lo));
    TACT_TRY(create_vector(total, &parts->hi));
    for (size_t i = 0; i < total; i++) {
        parts->lo[i] = i < (size_t)mixed->equations ? -HUGE_VAL : 0;
        parts->hi[i] = HUGE_VAL;
    }
    return TACT_OK;
}

static TactStatus read_mixed(TactText *text, Mixed *mixed, TactLcpParts *parts)
{
    TACT_TRY(tact_text_int(text, "the flag storage1", 0, 1, &mixed->storage1));
    TACT_TRY(tact_text_int(text, "the flag storage2", 0, 1, &mixed->storage2));
    TACT_TRY(tact_text_int(text, "the number of equations", 0, INT_MAX / 2, &mixed->equations));
    TACT_TRY(tact_text_int(text, "the number of complementarities", 0, INT_MAX / 2 - 1,
                           &mixed->complements));
    if (!mixed->storage1 && !mixed->storage2) {
        return tact_text_fail(text, TACT_BAD_INPUT, "neither storage1 nor storage2 is there");
    }
    if (mixed->storage1) {
        TACT_TRY(read_storage1(text, mixed));
    }
    if (mixed->storage2) {
        TACT_TRY(read_storage2(text, mixed, parts));
    }
    tact_siconos_tell_the_rest(text);
    if (mixed->storage1 && mixed->storage2) {
        TACT_TRY(compare_parts(text, mixed, parts));
    }
    parts->format = !mixed->storage2  ? "Siconos MLCP, M"
                    : mixed->storage1 ? "Siconos MLCP, M and A, B, C, D"
                                      : "Siconos MLCP, A, B, C, D";
    return mixed->storage2 ? TACT_OK : take_storage1(mixed, parts);
}

TactStatus tact_siconos_mlcp(TactText *text, TactLcpParts *parts)
{
    Mixed      mixed = {0};
    TactStatus status = read_mixed(text, &mixed, parts);
    if (status == TACT_OK) {
        status = set_bounds(&mixed, parts);
    }
    destroy_mixed(&mixed);
    return status;
}
