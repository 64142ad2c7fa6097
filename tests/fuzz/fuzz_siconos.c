// Any bytes as a Siconos file: an error with a message, or a problem that is one in both storages.
#include <stdint.h>
#include <stdlib.h>
#include <tact/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 300 }; // unknowns for which both storages are compared

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void compare_storages(TactLcpFile *file)
{
    TactLcpProblem     dense;
    TactLcpProblem     sparse;
    TactLcpCertificate one;
    TactLcpCertificate two;
    double             z[LARGEST] = {0};
    require(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &dense) == TACT_OK);
    require(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_SPARSE, &sparse) == TACT_OK);
    require(tact_lcp_check(&dense) == TACT_OK);
    require(tact_lcp_check(&sparse) == TACT_OK);
    for (int i = 0; i < dense.n; i++) {
        z[i] = i % 3;
    }
    require(tact_lcp_certify(&dense, z, &one) == TACT_OK);
    require(tact_lcp_certify(&sparse, z, &two) == TACT_OK);
    require(one.residual == two.residual || one.residual != one.residual);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactLcpFile *file = NULL;
    if (tact_lcp_read_memory("fuzz", (const char *)data, size, &file) != TACT_OK) {
        require(file == NULL);
        require(tact_status_message()[0] != '\0');
        return 0;
    }
    if (file->problem.n <= LARGEST) {
        compare_storages(file);
    }
    tact_lcp_file_destroy(file);
    return 0;
}
