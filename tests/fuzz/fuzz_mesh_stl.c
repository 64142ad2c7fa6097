// Any bytes as an STL file: an error with a message, or a mesh that keeps what its header promises.
#include "fuzz/mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file("fuzz.stl", data, size);
    return 0;
}
