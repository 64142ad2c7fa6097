#include "io/model_saved.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/output.h"
#include "model/packed/packed.h"

TactStatus tact_model_save(const TactModel *model, const char *path)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    TactOutput     output;
    TACT_NEED(model && path, "tact_model_save");
    TACT_TRY(tact_model_pack(model, &bytes, &size));
    TactStatus status = tact_output_open(&output, path);
    if (status == TACT_OK) {
        (void)fwrite(bytes, 1, size, output.stream); // an error is told when it is closed
        status = tact_output_close(&output);
    }
    tact_release(bytes);
    return status;
}

bool tact_model_is_saved(const char *path)
{
    unsigned char begin[8];
    FILE         *file = fopen(path, "rb");
    size_t        read = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file) {
        fclose(file);
    }
    return tact_model_is_packed(begin, read);
}

static TactStatus cannot_read(const char *path)
{
    return tact_fail(TACT_IO_ERROR, "%s: cannot be read: %s", path, strerror(errno));
}

/// The whole file, to be released.
static TactStatus read_file(const char *path, FILE *file, unsigned char **bytes, size_t *size)
{
    void *block = NULL;
    long  end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end < 0 || fseek(file, 0, SEEK_SET) != 0) {
        return cannot_read(path);
    }
    TACT_TRY(tact_allocate((size_t)end + 1, 1, &block));
    if (fread(block, 1, (size_t)end, file) != (size_t)end) {
        tact_release(block);
        return cannot_read(path);
    }
    *bytes = block;
    *size = (size_t)end;
    return TACT_OK;
}

TactStatus tact_model_read_saved(const char *path, TactModel **model)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    FILE          *file = fopen(path, "rb");
    if (!file) {
        return cannot_read(path);
    }
    TactStatus status = read_file(path, file, &bytes, &size);
    fclose(file);
    if (status == TACT_OK) {
        status = tact_model_unpack(path, bytes, size, true, model);
    }
    tact_release(bytes);
    return status;
}
