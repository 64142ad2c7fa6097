// Any bytes as a Matrix Market file: an error with a message, or a matrix whose dense and sparse
// forms agree.
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "io/problem/mtx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 100000 }; // entries for which both forms are compared

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void compare_forms(TactMatrix *matrix)
{
    TactLcpCsr csr;
    size_t     repeated;
    require(tact_matrix_to_csr(matrix, &csr, &repeated) == TACT_OK);
    require(tact_matrix_to_dense(matrix) == TACT_OK);
    for (int i = 0; i < matrix->rows; i++) {
        for (int k = csr.row_start[i]; k < csr.row_start[i + 1]; k++) {
            size_t place = (size_t)i * (size_t)matrix->columns + (size_t)csr.column[k];
            double there = matrix->dense[place];
            require(repeated > 0 || there == csr.value[k]); // sums depend on their order
        }
    }
    tact_release((void *)csr.row_start);
    tact_release((void *)csr.column);
    tact_release((void *)csr.value);
}

static void read_as(const uint8_t *data, size_t size, TactInfinity infinity)
{
    TactText   text;
    TactMatrix matrix = {0};
    if (tact_text_copy(&text, "fuzz", (const char *)data, size) != TACT_OK) {
        return;
    }
    TactStatus status = tact_mtx_parse(&text, infinity, &matrix);
    tact_text_close(&text);
    require(status == TACT_OK || tact_status_message()[0] != '\0');
    if (status == TACT_OK && (long long)matrix.rows * matrix.columns <= LARGEST) {
        compare_forms(&matrix);
    }
    tact_matrix_destroy(&matrix);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as(data, size, TACT_FINITE_ONLY);
    read_as(data, size, TACT_INFINITY_TOO);
    return 0;
}
