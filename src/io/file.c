#include "io/file.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

/// The file with the memory behind it; the public struct is the first member.
typedef struct File {
    TactLcpFile  file;
    TactLcpParts parts; // dense M, if there is one, in parts.M
    TactLcpCsr   csr;   // sparse M, if there is one
    char         name[];
} File;

void tact_lcp_parts_destroy(TactLcpParts *parts)
{
    tact_matrix_destroy(&parts->M);
    tact_release(parts->q);
    tact_release(parts->lo);
    tact_release(parts->hi);
    tact_release(parts->order);
    *parts = (TactLcpParts){0};
}

void tact_lcp_file_destroy(TactLcpFile *file)
{
    if (file) {
        File *whole = (File *)file;
        tact_lcp_parts_destroy(&whole->parts);
        tact_release((void *)whole->csr.row_start);
        tact_release((void *)whole->csr.column);
        tact_release((void *)whole->csr.value);
        tact_release(whole);
    }
}

static size_t count_nonzeros(const File *whole)
{
    int n = whole->file.problem.n;
    if (!whole->parts.M.dense) {
        return (size_t)whole->csr.row_start[n];
    }
    size_t count = 0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
        count += whole->parts.M.dense[k] != 0;
    }
    return count;
}

/// The list of entries becomes CSR; a dense matrix stays what it is.
static TactStatus store(File *whole)
{
    TactMatrix *M = &whole->parts.M;
    if (!M->dense) {
        size_t repeated;
        TACT_TRY(tact_matrix_to_csr(M, &whole->csr, &repeated));
        if (repeated > 0) {
            tact_log(TACT_LOG_LEVEL_WARNING,
                     "%s: %zu entries of the matrix are given more than once and were added up",
                     whole->name, repeated);
        }
        tact_release(M->entry);
        M->entry = NULL;
        M->count = 0;
    }
    return TACT_OK;
}

static bool has_free_variable(const TactLcpParts *parts)
{
    for (int i = 0; parts->lo && parts->hi && i < parts->M.rows; i++) {
        if (isinf(parts->lo[i]) && isinf(parts->hi[i])) {
            return true;
        }
    }
    return false;
}

static TactStatus fill_file(File *whole)
{
    TACT_TRY(store(whole));
    const TactLcpParts *parts = &whole->parts;
    whole->file.name = whole->name;
    whole->file.format = parts->format;
    whole->file.kind = has_free_variable(parts) ? TACT_LCP_KIND_MLCP : TACT_LCP_KIND_LCP;
    whole->file.order = parts->order;
    whole->file.problem = (TactLcpProblem){
        .n = parts->M.rows,
        .M = parts->M.dense,
        .M_csr = parts->M.dense ? NULL : &whole->csr,
        .q = parts->q,
        .lo = parts->lo,
        .hi = parts->hi,
    };
    whole->file.nonzeros = count_nonzeros(whole);
    return TACT_OK;
}

TactStatus tact_lcp_file_create(const char *name, TactLcpParts *parts, TactLcpFile **file)
{
    size_t     length = strlen(name);
    void      *block;
    TactStatus status = tact_allocate(1, sizeof(File) + length + 1, &block);
    if (status != TACT_OK) {
        tact_lcp_parts_destroy(parts);
        return status;
    }
    File *whole = block;
    memcpy(whole->name, name, length + 1);
    whole->parts = *parts;
    *parts = (TactLcpParts){0};
    status = fill_file(whole);
    if (status == TACT_OK && tact_lcp_check(&whole->file.problem) != TACT_OK) {
        char reason[256];
        strncpy(reason, tact_status_message(), sizeof reason - 1);
        reason[sizeof reason - 1] = '\0';
        status = tact_fail(TACT_BAD_INPUT, "%s: %s", name, reason);
    }
    if (status != TACT_OK) {
        tact_lcp_file_destroy(&whole->file);
        return status;
    }
    *file = &whole->file;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Dense or sparse

bool tact_lcp_file_is_sparse(const TactLcpFile *file)
{
    double n = file->problem.n;
    return n >= 200 && (double)file->nonzeros < 0.25 * n * n;
}

static TactStatus make_dense(File *whole)
{
    TactMatrix *M = &whole->parts.M;
    if (M->dense) {
        return TACT_OK;
    }
    int n = whole->file.problem.n;
    if (n > TACT_IO_MAX_DENSE) {
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: n = %d is too large for a dense matrix (at most %d)", whole->name, n,
                         TACT_IO_MAX_DENSE);
    }
    TACT_TRY(tact_matrix_create_dense(M, n, n));
    for (int i = 0; i < n; i++) {
        for (int k = whole->csr.row_start[i]; k < whole->csr.row_start[i + 1]; k++) {
            M->dense[(size_t)i * (size_t)n + (size_t)whole->csr.column[k]] = whole->csr.value[k];
        }
    }
    return TACT_OK;
}

static TactStatus make_sparse(File *whole)
{
    size_t repeated;
    return whole->csr.row_start ? TACT_OK
                                : tact_matrix_to_csr(&whole->parts.M, &whole->csr, &repeated);
}

TactStatus tact_lcp_file_get_problem(TactLcpFile *file, TactLcpStorage storage,
                                     TactLcpProblem *problem)
{
    if (!file || !problem) {
        return tact_fail(TACT_BAD_ARGUMENT, "file or problem is NULL");
    }
    File *whole = (File *)file;
    TACT_TRY(storage == TACT_LCP_STORAGE_SPARSE ? make_sparse(whole) : make_dense(whole));
    *problem = file->problem;
    problem->M = storage == TACT_LCP_STORAGE_SPARSE ? NULL : whole->parts.M.dense;
    problem->M_csr = storage == TACT_LCP_STORAGE_SPARSE ? &whole->csr : NULL;
    return TACT_OK;
}
