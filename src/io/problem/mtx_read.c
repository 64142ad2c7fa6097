// Reading Matrix Market:
//
//     %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
//     % comments
//     rows columns [entries]
//     row column value    (coordinate, from 1)   or   value    (array, column by column)
//
// A symmetric array has its lower triangle only, a skew-symmetric one that without the diagonal.
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/file.h"
#include "io/problem/mtx.h"

typedef enum Symmetry { GENERAL, SYMMETRIC, SKEW } Symmetry;

typedef struct Header {
    bool         coordinate;
    Symmetry     symmetry;
    TactInfinity infinity;
    int          rows;
    int          columns;
    int          entries; // coordinate
} Header;

// ---------------------------------------------------------------------------------------------
// Header

/// Which of the words (NULL: the end of them) it is, in capitals or not; -1: none.
static int find_word(TactWord word, const char *const *words)
{
    for (int i = 0; words[i]; i++) {
        if (word.length == strlen(words[i]) &&
            strncasecmp(word.start, words[i], word.length) == 0) {
            return i;
        }
    }
    return -1;
}

static TactStatus read_choice(TactText *text, const char *const *words, const char *what,
                              int *choice)
{
    TactWord word;
    int      line = text->line;
    bool     found = tact_text_word(text, "", &word);
    if (!found || text->line != line) { // the line has ended
        text->line = line;
        return tact_text_fail(text, TACT_BAD_INPUT, "the first line ends where %s was expected",
                              what);
    }
    *choice = find_word(word, words);
    return *choice >= 0 ? TACT_OK : tact_text_unexpected(text, what, word);
}

static TactStatus read_banner(TactText *text, Header *header)
{
    static const char *const banner[] = {"%%MatrixMarket", NULL};
    static const char *const object[] = {"matrix", NULL};
    static const char *const format[] = {"coordinate", "array", NULL};
    static const char *const field[] = {"real", "integer", "double", "complex", "pattern", NULL};
    static const char *const symmetry[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                           NULL};
    int                      choice;
    TACT_TRY(read_choice(text, banner, "'%%MatrixMarket'", &choice));
    TACT_TRY(read_choice(text, object, "'matrix'", &choice));
    TACT_TRY(read_choice(text, format, "'coordinate' or 'array'", &choice));
    header->coordinate = choice == 0;
    TACT_TRY(read_choice(text, field, "'real' or 'integer'", &choice));
    if (choice > 2) {
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a %s matrix: only real and integer ones are read", field[choice]);
    }
    TACT_TRY(read_choice(text, symmetry, "'general', 'symmetric' or 'skew-symmetric'", &choice));
    if (choice > SKEW) {
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a hermitian matrix: only real ones are read");
    }
    header->symmetry = (Symmetry)choice;
    tact_text_skip_line(text);
    return TACT_OK;
}

/// Past lines that are blank or begin with %.
static void skip_comments(TactText *text)
{
    for (;;) {
        TactText look = *text;
        TactWord word;
        if (!tact_text_word(&look, "", &word) || word.start[0] != '%') {
            return;
        }
        *text = look;
        tact_text_skip_line(text);
    }
}

static TactStatus read_size(TactText *text, Header *header)
{
    // Rows and columns without numbers do not show in the file's length: a limit for these.
    enum { FREE_ROWS = 1000000 };
    skip_comments(text);
    size_t left = (size_t)(text->end - text->next); // less than TACT_IO_MAX_BYTES
    int    most = left < FREE_ROWS ? FREE_ROWS : (int)left;
    TACT_TRY(tact_text_int(text, "the number of rows", 0, most, &header->rows));
    TACT_TRY(tact_text_int(text, "the number of columns", 0, most, &header->columns));
    if (header->coordinate) {
        TACT_TRY(tact_text_int(text, "the number of entries", 0, INT_MAX / 2, &header->entries));
    }
    if (header->symmetry != GENERAL && header->rows != header->columns) {
        return tact_text_fail(text, TACT_BAD_INPUT, "a symmetric matrix of %d x %d is not square",
                              header->rows, header->columns);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Numbers

static TactStatus read_entries(TactText *text, const Header *header, TactMatrix *matrix)
{
    TACT_TRY(tact_text_holds(text, 3 * (size_t)header->entries, "the list of entries"));
    TACT_TRY(
        tact_matrix_create_list(matrix, header->rows, header->columns, (size_t)header->entries));
    for (int k = 0; k < header->entries; k++) {
        TactEntry entry;
        TACT_TRY(tact_text_int(text, "the row of an entry", 1, header->rows, &entry.row));
        TACT_TRY(tact_text_int(text, "the column of an entry", 1, header->columns, &entry.column));
        TACT_TRY(tact_text_real(text, "the value of an entry", header->infinity, &entry.value));
        entry.row--;
        entry.column--;
        matrix->entry[matrix->count++] = entry;
    }
    if (header->symmetry != GENERAL) {
        size_t     fault = 0;
        double     sign = header->symmetry == SKEW ? -1 : 1;
        TactStatus status = tact_matrix_mirror(matrix, sign, &fault);
        if (status == TACT_BAD_INPUT) {
            return tact_text_fail(
                text, TACT_BAD_INPUT,
                header->symmetry == SKEW
                    ? "entry %zu of the skew-symmetric matrix is on the diagonal "
                      "or in the other triangle"
                    : "entry %zu of the symmetric matrix is in the other triangle "
                      "than those before it",
                fault + 1);
        }
        return status;
    }
    return TACT_OK;
}

static size_t array_count(const Header *header)
{
    size_t rows = (size_t)header->rows;
    switch (header->symmetry) {
    case SYMMETRIC: return rows * (rows + 1) / 2;
    case SKEW: return rows > 0 ? rows * (rows - 1) / 2 : 0;
    default: return rows * (size_t)header->columns;
    }
}

static TactStatus read_array(TactText *text, const Header *header, TactMatrix *matrix)
{
    int rows = header->rows;
    int columns = array_count(header) > 0 ? header->columns : 0;
    TACT_TRY(tact_text_holds(text, array_count(header), "the array"));
    TACT_TRY(tact_matrix_create_dense(matrix, header->rows, header->columns));
    for (int j = 0; j < columns; j++) {
        int first = header->symmetry == GENERAL ? 0 : header->symmetry == SYMMETRIC ? j : j + 1;
        for (int i = first; i < rows; i++) {
            double   value;
            TactWord word;
            tact_text_word(text, "", &word);
            if (tact_word_real(text, word, "a number", header->infinity, &value) != TACT_OK) {
                char what[64];
                snprintf(what, sizeof what, "entry (%d, %d)", i + 1, j + 1);
                return tact_word_real(text, word, what, header->infinity, &value);
            }
            matrix->dense[(size_t)i * (size_t)columns + (size_t)j] = value;
            if (header->symmetry != GENERAL && i != j) {
                matrix->dense[(size_t)j * (size_t)columns + (size_t)i] =
                    header->symmetry == SKEW ? -value : value;
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_mtx_parse(TactText *text, TactInfinity infinity, TactMatrix *matrix)
{
    Header header = {.infinity = infinity};
    TACT_TRY(read_banner(text, &header));
    TACT_TRY(read_size(text, &header));
    TACT_TRY(header.coordinate ? read_entries(text, &header, matrix)
                               : read_array(text, &header, matrix));
    TactWord word;
    if (tact_text_word(text, "", &word)) {
        return tact_text_unexpected(text, "the end of the file", word);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// A problem

static TactStatus read_path(const char *path, TactInfinity infinity, TactMatrix *matrix)
{
    TactText text;
    TACT_TRY(tact_text_load(&text, path));
    TactStatus status = tact_mtx_parse(&text, infinity, matrix);
    tact_text_close(&text);
    return status;
}

static TactStatus read_mtx_vector(const char *path, TactInfinity infinity, int n, double **vector)
{
    TactMatrix matrix = {0};
    TactStatus status = read_path(path, infinity, &matrix);
    if (status == TACT_OK &&
        !((matrix.rows == n && matrix.columns == 1) || (matrix.rows == 1 && matrix.columns == n))) {
        status = tact_fail(TACT_BAD_INPUT, "%s: is %d x %d, but M is %d x %d", path, matrix.rows,
                           matrix.columns, n, n);
    }
    if (status == TACT_OK) {
        status = tact_matrix_to_dense(&matrix);
    }
    if (status == TACT_OK) {
        *vector = matrix.dense;
        matrix.dense = NULL;
    }
    tact_matrix_destroy(&matrix);
    return status;
}

static TactStatus read_parts(const char *M, const char *q, const char *lo, const char *hi,
                             TactLcpParts *parts)
{
    TACT_TRY(read_path(M, TACT_FINITE_ONLY, &parts->M));
    int n = parts->M.rows;
    if (parts->M.columns != n) {
        return tact_fail(TACT_BAD_INPUT, "%s: M is %d x %d, not square", M, n, parts->M.columns);
    }
    parts->format = parts->M.dense ? "Matrix Market, array" : "Matrix Market, coordinate";
    TACT_TRY(read_mtx_vector(q, TACT_FINITE_ONLY, n, &parts->q));
    if (lo) {
        TACT_TRY(read_mtx_vector(lo, TACT_INFINITY_TOO, n, &parts->lo));
    }
    if (hi) {
        TACT_TRY(read_mtx_vector(hi, TACT_INFINITY_TOO, n, &parts->hi));
    }
    return TACT_OK;
}

TactStatus tact_lcp_read_mtx(const char *M, const char *q, const char *lo, const char *hi,
                             TactLcpFile **file)
{
    if (!M || !q || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "M, q or file is NULL");
    }
    TactLcpParts parts = {0};
    TactStatus   status = read_parts(M, q, lo, hi, &parts);
    if (status != TACT_OK) {
        tact_lcp_parts_destroy(&parts);
        return status;
    }
    return tact_lcp_file_create(M, &parts, file);
}
