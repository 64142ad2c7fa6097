// Any bytes as a recording, as they are and with their checksums put right: an error with a
// message, or frames whose arrays can be read to their ends.
#include <stdint.h>
#include <stdlib.h>

#include "fuzz/record_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size + 1);
    if (!bytes || read_everything(data, size) == -2) {
        abort();
    }
    if (size > 0) {
        memcpy(bytes, data, size);
    }
    repair_recording(bytes, size);
    if (read_everything(bytes, size) == -2) {
        abort();
    }
    free(bytes);
    return 0;
}
