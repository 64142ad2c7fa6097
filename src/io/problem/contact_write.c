// Writing a contact problem in the format that the end of the name asks for.
#include <string.h>
#include <tact/io.h>

#include "base/status.h"

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path);
    size_t size = strlen(end);
    return length > size && strcmp(path + length - size, end) == 0;
}

TactStatus tact_contact_write(const TactContactProblem *problem, const char *path)
{
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    if (ends_with(path, ".json")) {
        return tact_contact_write_json(problem, path);
    }
    if (ends_with(path, ".hdf5") || ends_with(path, ".h5")) {
        return tact_contact_write_fclib(problem, path);
    }
    if (ends_with(path, ".dat")) {
        return tact_contact_write_dat(problem, path);
    }
    return tact_fail(TACT_BAD_ARGUMENT,
                     "%s: the name must end with .json, .hdf5, .h5 or .dat, which says the format",
                     path);
}
