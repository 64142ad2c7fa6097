// Any bytes as a Siconos friction file: an error with a message, or a problem that can be
// certified.
#include <stdint.h>
#include <stdlib.h>
#include <tact/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 200 }; // contacts, and degrees of freedom, of a problem that is looked at

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactContactFile       *file = NULL;
    TactContactCertificate certificate;
    double                 zero[3 * LARGEST] = {0};
    if (tact_contact_read_memory("fuzz", (const char *)data, size, &file) != TACT_OK) {
        require(file == NULL);
        require(tact_status_message()[0] != '\0');
        return 0;
    }
    const TactContactProblem *problem = &file->problem;
    require(tact_contact_check(problem) == TACT_OK);
    require(file->dimension == 2 || file->dimension == 3);
    if (problem->contact_count <= LARGEST && problem->nv <= LARGEST && problem->row_count == 0) {
        require(tact_contact_certify(problem, TACT_CONE_CIRCLE, zero, zero, zero, &certificate) ==
                TACT_OK);
        require(certificate.error >= 0);
    }
    tact_contact_file_destroy(file);
    return 0;
}
