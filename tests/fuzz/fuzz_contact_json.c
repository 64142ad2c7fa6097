// Any bytes as a JSON file: an error with a message, or a problem that survives writing and
// reading.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/io.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

enum { ROOM = 1 << 18 };

/// The problem as a file has it; 0: too long to look at.
static size_t write_text(const TactContactProblem *problem, char text[ROOM])
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/tact-fuzz-%ld.json", (long)getpid());
    require(tact_contact_write_json(problem, path) == TACT_OK);
    FILE *stream = fopen(path, "rb");
    require(stream != NULL);
    size_t length = fread(text, 1, ROOM, stream);
    fclose(stream);
    unlink(path);
    return length < ROOM ? length : 0;
}

/// Written, read and written again: the second text is the first.
static void write_twice(const TactContactProblem *problem)
{
    static char      text[2][ROOM];
    TactContactFile *again = NULL;
    size_t           length = write_text(problem, text[0]);
    if (length == 0) {
        return;
    }
    require(tact_contact_read_memory("again", text[0], length, &again) == TACT_OK);
    require(write_text(&again->problem, text[1]) == length);
    require(memcmp(text[0], text[1], length) == 0);
    tact_contact_file_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactContactFile *file = NULL;
    if (tact_contact_read_memory("fuzz", (const char *)data, size, &file) != TACT_OK) {
        require(file == NULL);
        require(tact_status_message()[0] != '\0');
        return 0;
    }
    require(tact_contact_check(&file->problem) == TACT_OK);
    write_twice(&file->problem);
    tact_contact_file_destroy(file);
    return 0;
}
