#include "io/problem/contact_file.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/problem/contact_blocks.h"

/// The file with the memory behind it; the public struct is the first member.
typedef struct File {
    TactContactFile   file;
    TactContactParts  parts;
    TactContactBlocks blocks; // of the parts
    char              name[];
} File;

void tact_contact_parts_destroy(TactContactParts *parts)
{
    void *const blocks[] = {
        parts->title, parts->bodies, parts->M,           parts->parent,       parts->v,
        parts->tau,   parts->W,      parts->u_free,      parts->contacts,     parts->J,
        parts->rows,  parts->row_J,  parts->block_start, parts->block_column, parts->block_value,
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        tact_release(blocks[i]);
    }
    *parts = (TactContactParts){0};
}

void tact_contact_file_destroy(TactContactFile *file)
{
    if (file) {
        File *whole = (File *)file;
        tact_contact_parts_destroy(&whole->parts);
        tact_release(whole);
    }
}

static void fill_problem(File *whole)
{
    const TactContactParts *parts = &whole->parts;
    whole->blocks =
        (TactContactBlocks){parts->block_start, parts->block_column, parts->block_value};
    whole->file = (TactContactFile){
        .name = whole->name,
        .format = parts->format,
        .title = parts->title ? parts->title : "",
        .dimension = parts->dimension,
        .problem =
            {
                .step = parts->step,
                .level = parts->level,
                .body_count = parts->body_count,
                .bodies = parts->bodies,
                .nv = parts->nv,
                .M = parts->M,
                .parent = parts->parent,
                .v = parts->v,
                .tau = parts->tau,
                .W = parts->W,
                .u_free = parts->u_free,
                .contact_count = parts->contact_count,
                .contacts = parts->contacts,
                .row_count = parts->row_count,
                .rows = parts->rows,
                .blocks = parts->block_start ? &whole->blocks : NULL,
            },
    };
}

TactStatus tact_contact_file_create(const char *name, TactContactParts *parts,
                                    TactContactFile **file)
{
    size_t     length = strlen(name);
    void      *block = NULL;
    TactStatus status = tact_contact_find_blocks(parts);
    if (status == TACT_OK) {
        status = tact_allocate(1, sizeof(File) + length + 1, &block);
    }
    if (status != TACT_OK) {
        tact_contact_parts_destroy(parts);
        return status;
    }
    File *whole = block;
    memcpy(whole->name, name, length + 1);
    whole->parts = *parts;
    *parts = (TactContactParts){0};
    fill_problem(whole);
    if (tact_contact_check(&whole->file.problem) != TACT_OK) {
        char reason[256];
        strncpy(reason, tact_status_message(), sizeof reason - 1);
        reason[sizeof reason - 1] = '\0';
        tact_contact_file_destroy(&whole->file);
        return tact_fail(TACT_BAD_INPUT, "%s: %s", name, reason);
    }
    *file = &whole->file;
    return TACT_OK;
}
