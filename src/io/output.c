#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

static TactStatus fail_output(const TactOutput *output, int error)
{
    return tact_fail(TACT_IO_ERROR, "%s: cannot be written: %s", output->path, strerror(error));
}

static void forget(TactOutput *output)
{
    free(output->target);
    tact_release(output->draft);
    output->target = NULL;
    output->draft = NULL;
}

/// A new file next to the target, with the rights that the target would have.
static TactStatus open_draft(TactOutput *output)
{
    static atomic_uint count;

    const char *target = output->target ? output->target : output->path;
    size_t      room = strlen(target) + 48;
    void       *block;
    TACT_TRY(tact_allocate(room, 1, &block));
    output->draft = block;
    snprintf(output->draft, room, "%s.%ld-%u.part", target, (long)getpid(),
             atomic_fetch_add(&count, 1));
    int descriptor = open(output->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail_output(output, errno);
    }
    output->stream = fdopen(descriptor, "w");
    if (!output->stream) {
        int error = errno;
        close(descriptor);
        unlink(output->draft);
        return fail_output(output, error);
    }
    return TACT_OK;
}

TactStatus tact_output_open(TactOutput *output, const char *path)
{
    *output = (TactOutput){.path = path};
    struct stat about;
    bool        there = stat(path, &about) == 0;
    TactStatus  status = TACT_OK;
    if (there && !S_ISREG(about.st_mode)) { // a pipe or a device is not replaced by a file
        output->stream = fopen(path, "w");
        status = output->stream ? TACT_OK : fail_output(output, errno);
    } else {
        output->target = there ? realpath(path, NULL) : NULL;
        status = open_draft(output);
    }
    if (status != TACT_OK) {
        forget(output);
        return status;
    }
    output->locale = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); // decimal points
    return TACT_OK;
}

TactStatus tact_output_close(TactOutput *output)
{
    int error = 0;
    freelocale(uselocale(output->locale));
    errno = 0;
    if (fflush(output->stream) != 0 || ferror(output->stream)) {
        error = errno ? errno : EIO;
    }
    if (fclose(output->stream) != 0 && !error) {
        error = errno;
    }
    const char *target = output->target ? output->target : output->path;
    if (!error && output->draft && rename(output->draft, target) != 0) {
        error = errno;
    }
    if (error && output->draft) {
        unlink(output->draft);
    }
    TactStatus status = error ? fail_output(output, error) : TACT_OK;
    forget(output);
    return status;
}

void tact_output_discard(TactOutput *output)
{
    freelocale(uselocale(output->locale));
    fclose(output->stream);
    if (output->draft) {
        unlink(output->draft);
    }
    forget(output);
}
