// The print of a CSparse matrix inside Siconos's text files:
//
//     1                                                    origin: 1 triplet, 2 CSC, 3 CSR, 4 half
//     CSparse Version 3.2.0, ...                           triplet (one triangle of a symmetric
//     one) triplet: 3-by-3, nzmax: 9 nnz: 7                     or, for CSC and CSR,
//         0 0 : 4                                          3-by-3, nzmax: 7 nnz: 7, 1-norm: 6.12346
//         1 0 : 0.333333                                       col 0 : locations 0 to 1
//                                                                0 : 4
//
// CSR comes with the word "row" or, from older writers, with the word "col", and may begin with
// "csr:"; the origin decides. Values are printed with six digits, which is worth a warning.
#include <limits.h>
#include <stdio.h>

#include "base/status.h"
#include "io/siconos/siconos.h"

enum { TRIPLET = 1, CSC = 2, CSR = 3, HALF_TRIPLET = 4 };

#define SEPARATORS ":,"

typedef struct Print {
    int origin;
    int count;  // entries
    int digits; // most digits of a value
} Print;

static TactStatus expect(TactText *text, const char *what)
{
    TactWord word;
    tact_text_word(text, SEPARATORS, &word);
    if (!tact_word_is(word, what)) {
        char quoted[32];
        snprintf(quoted, sizeof quoted, "'%s'", what);
        return tact_text_unexpected(text, quoted, word);
    }
    return TACT_OK;
}

static TactStatus read_int(TactText *text, const char *what, int lo, int hi, int *value)
{
    TactWord word;
    tact_text_word(text, SEPARATORS, &word);
    return tact_word_int(text, word, what, lo, hi, value);
}

static int significant_digits(TactWord word)
{
    int digits = 0;
    for (size_t i = 0; i < word.length && word.start[i] != 'e' && word.start[i] != 'E'; i++) {
        char c = word.start[i];
        digits += (c >= '1' && c <= '9') || (c == '0' && digits > 0);
    }
    return digits;
}

static TactStatus read_value(TactText *text, Print *print, double *value)
{
    TactWord word;
    tact_text_word(text, SEPARATORS, &word);
    TACT_TRY(tact_word_real(text, word, "an entry of the sparse matrix", TACT_FINITE_ONLY, value));
    int digits = significant_digits(word);
    print->digits = digits > print->digits ? digits : print->digits;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Header

/// "3-by-3" against the sizes that the file gave before.
static TactStatus check_size(const TactText *text, TactWord word, const TactMatrix *matrix)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d-by-%d", matrix->rows, matrix->columns);
    return tact_word_is(word, expected) ? TACT_OK : tact_text_unexpected(text, expected, word);
}

static TactStatus read_header(TactText *text, const TactMatrix *matrix, Print *print)
{
    TactWord word;
    int      room;
    TACT_TRY(tact_text_int(text,
                           "the origin of the sparse matrix (1 triplet, 2 CSC, 3 CSR, 4 half "
                           "triplet)",
                           TRIPLET, HALF_TRIPLET, &print->origin));
    tact_text_word(text, "", &word);
    if (!tact_word_is(word, "CSparse") && !tact_word_is(word, "CXSparse")) {
        return tact_text_unexpected(text, "the line 'CSparse Version ...'", word);
    }
    tact_text_skip_line(text);

    bool triplet = print->origin == TRIPLET || print->origin == HALF_TRIPLET;
    tact_text_word(text, SEPARATORS, &word);
    if (tact_word_is(word, "triplet") != triplet ||
        (tact_word_is(word, "csr") && print->origin != CSR)) {
        return tact_text_unexpected(text, "a matrix of the origin given above", word);
    }
    if (triplet || tact_word_is(word, "csr") || tact_word_is(word, "csc")) {
        tact_text_word(text, SEPARATORS, &word);
    }
    TACT_TRY(check_size(text, word, matrix));
    TACT_TRY(expect(text, "nzmax"));
    TACT_TRY(read_int(text, "nzmax", 0, INT_MAX, &room));
    TACT_TRY(expect(text, "nnz"));
    TACT_TRY(read_int(text, "nnz", 0, INT_MAX, &print->count));
    tact_text_skip_line(text); // the norm
    return tact_text_holds(text, (triplet ? 3 : 2) * (size_t)print->count, "the sparse matrix");
}

// ---------------------------------------------------------------------------------------------
// Entries

static TactStatus read_triplets(TactText *text, Print *print, TactMatrix *matrix)
{
    for (int k = 0; k < print->count; k++) {
        TactEntry entry;
        TACT_TRY(read_int(text, "the row of an entry", 0, matrix->rows - 1, &entry.row));
        TACT_TRY(read_int(text, "the column of an entry", 0, matrix->columns - 1, &entry.column));
        TACT_TRY(read_value(text, print, &entry.value));
        matrix->entry[matrix->count++] = entry;
    }
    if (print->origin == HALF_TRIPLET) {
        size_t fault = 0;
        if (matrix->rows != matrix->columns) {
            return tact_text_fail(text, TACT_BAD_INPUT, "half of a symmetric matrix is not square");
        }
        TactStatus status = tact_matrix_mirror(matrix, 1, &fault);
        if (status == TACT_BAD_INPUT) {
            return tact_text_fail(text, TACT_BAD_INPUT,
                                  "the half triplet has entries on both sides of the diagonal "
                                  "(number %zu)",
                                  fault + 1);
        }
        return status;
    }
    return TACT_OK;
}

/// "col 0 : locations 0 to 1": where its entries begin and end.
static TactStatus read_group(TactText *text, const Print *print, int major, int used, int *end)
{
    TactWord word;
    int      number;
    tact_text_word(text, SEPARATORS, &word);
    if (!tact_word_is(word, "col") && !(print->origin == CSR && tact_word_is(word, "row"))) {
        return tact_text_unexpected(text, print->origin == CSR ? "'row' or 'col'" : "'col'", word);
    }
    TACT_TRY(read_int(text, "the number of the row or column", major, major, &number));
    TACT_TRY(expect(text, "locations"));
    TACT_TRY(read_int(text, "the first location", used, used, &number));
    TACT_TRY(expect(text, "to"));
    TACT_TRY(read_int(text, "the last location", used - 1, print->count - 1, &number));
    *end = number + 1;
    return TACT_OK;
}

static TactStatus read_compressed(TactText *text, Print *print, TactMatrix *matrix)
{
    bool by_row = print->origin == CSR;
    int  used = 0;
    if (by_row && matrix->rows != matrix->columns) {
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a CSR matrix that is not square is printed with rows missing");
    }
    for (int major = 0; major < matrix->columns; major++) {
        int end = used;
        TACT_TRY(read_group(text, print, major, used, &end));
        for (; used < end; used++) {
            int    minor;
            double value;
            TACT_TRY(read_int(text, "the index of an entry", 0, matrix->rows - 1, &minor));
            TACT_TRY(read_value(text, print, &value));
            matrix->entry[matrix->count++] =
                (TactEntry){by_row ? major : minor, by_row ? minor : major, value};
        }
    }
    if (used != print->count) {
        return tact_text_fail(text, TACT_BAD_INPUT, "nnz is %d, but %d entries are there",
                              print->count, used);
    }
    return TACT_OK;
}

TactStatus tact_siconos_sparse(TactText *text, TactMatrix *matrix)
{
    Print print = {0};
    TACT_TRY(read_header(text, matrix, &print));
    TACT_TRY(tact_matrix_create_list(matrix, matrix->rows, matrix->columns, (size_t)print.count));
    bool triplet = print.origin == TRIPLET || print.origin == HALF_TRIPLET;
    TACT_TRY(triplet ? read_triplets(text, &print, matrix) : read_compressed(text, &print, matrix));
    if (print.digits == 6) {
        tact_text_warn(text, "the entries of the sparse matrix are printed with six digits: this "
                             "is not quite the problem that was written");
    }
    return TACT_OK;
}
