// Problem files of all kinds: finds out what a file is and hands it to its reader.
#include "base/status.h"
#include "io/file.h"
#include "io/problem/contact_file.h"
#include "io/problem/contact_json.h"
#include "io/problem/sniff.h"
#include "io/siconos/siconos.h"
#include "io/text.h"

typedef TactStatus LcpReader(TactText *text, TactLcpParts *parts);
typedef TactStatus ContactReader(TactText *text, TactContactParts *parts);

static TactStatus refuse_content(const TactText *text, TactContent content)
{
    switch (content) {
    case TACT_CONTENT_EMPTY: return tact_text_fail(text, TACT_BAD_INPUT, "the file is empty");
    case TACT_CONTENT_MATRIX_MARKET:
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "this Matrix Market file is one array of a problem: give M and q "
                              "together, as M.mtx q.mtx [lo.mtx hi.mtx]");
    default: return tact_text_fail(text, TACT_BAD_INPUT, "a file of an unknown kind");
    }
}

static LcpReader *lcp_reader(TactContent content)
{
    return content == TACT_CONTENT_LCP    ? tact_siconos_lcp
           : content == TACT_CONTENT_MLCP ? tact_siconos_mlcp
                                          : NULL;
}

static ContactReader *contact_reader(TactContent content)
{
    return content == TACT_CONTENT_FRICTION  ? tact_siconos_friction
           : content == TACT_CONTENT_ROLLING ? tact_siconos_friction
           : content == TACT_CONTENT_JSON    ? tact_contact_json_read
           : content == TACT_CONTENT_HDF5    ? tact_fclib_read
                                             : NULL;
}

static TactStatus read_lcp(TactText *text, LcpReader *reader, TactLcpFile **file)
{
    TactLcpParts parts = {0};
    TactStatus   status = reader(text, &parts);
    if (status != TACT_OK) {
        tact_lcp_parts_destroy(&parts);
        return status;
    }
    return tact_lcp_file_create(text->name, &parts, file);
}

static TactStatus read_contact_text(TactText *text, ContactReader *reader, TactContactFile **file)
{
    TactContactParts parts = {.step = 1, .dimension = 3};
    TactStatus       status = reader(text, &parts);
    if (status != TACT_OK) {
        tact_contact_parts_destroy(&parts);
        return status;
    }
    return tact_contact_file_create(text->name, &parts, file);
}

/// Either pointer may be NULL: then a problem of that kind is refused.
static TactStatus read_text(TactText *text, TactLcpFile **lcp, TactContactFile **contact)
{
    TactContent    content = tact_sniff(text);
    LcpReader     *as_lcp = lcp_reader(content);
    ContactReader *as_contact = contact_reader(content);
    if (as_lcp && lcp) {
        return read_lcp(text, as_lcp, lcp);
    }
    if (as_contact && contact) {
        return read_contact_text(text, as_contact, contact);
    }
    if (as_contact) {
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "a contact problem (%s), not an LCP: tact_contact_read() reads it",
                              content == TACT_CONTENT_JSON   ? "JSON"
                              : content == TACT_CONTENT_HDF5 ? "HDF5"
                                                             : "Siconos friction problem");
    }
    if (as_lcp) {
        // What is nothing else is called an LCP: let its reader say whether it is one.
        TactLcpFile *other = NULL;
        TACT_TRY(read_lcp(text, as_lcp, &other));
        tact_lcp_file_destroy(other);
        return tact_text_fail(text, TACT_UNSUPPORTED,
                              "an LCP, not a contact problem: tact_lcp_read() reads it");
    }
    return refuse_content(text, content);
}

static TactStatus read_path(const char *path, TactLcpFile **lcp, TactContactFile **contact)
{
    TactText text;
    TACT_TRY(tact_text_load(&text, path));
    TactStatus status = read_text(&text, lcp, contact);
    tact_text_close(&text);
    return status;
}

static TactStatus read_memory(const char *name, const char *bytes, size_t size, TactLcpFile **lcp,
                              TactContactFile **contact)
{
    TactText text;
    TACT_TRY(tact_text_copy(&text, name, bytes, size));
    TactStatus status = read_text(&text, lcp, contact);
    tact_text_close(&text);
    return status;
}

TactStatus tact_lcp_read(const char *path, TactLcpFile **file)
{
    if (!path || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "path or file is NULL");
    }
    return read_path(path, file, NULL);
}

TactStatus tact_lcp_read_memory(const char *name, const char *text, size_t size, TactLcpFile **file)
{
    if (!name || (!text && size > 0) || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "name, text or file is NULL");
    }
    return read_memory(name, text, size, file, NULL);
}

TactStatus tact_contact_read(const char *path, TactContactFile **file)
{
    if (!path || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "path or file is NULL");
    }
    return read_path(path, NULL, file);
}

TactStatus tact_contact_read_memory(const char *name, const char *bytes, size_t size,
                                    TactContactFile **file)
{
    if (!name || (!bytes && size > 0) || !file) {
        return tact_fail(TACT_BAD_ARGUMENT, "name, bytes or file is NULL");
    }
    return read_memory(name, bytes, size, NULL, file);
}

TactStatus tact_problem_read(const char *path, TactLcpFile **lcp, TactContactFile **contact)
{
    if (!path || !lcp || !contact) {
        return tact_fail(TACT_BAD_ARGUMENT, "path, lcp or contact is NULL");
    }
    *lcp = NULL;
    *contact = NULL;
    return read_path(path, lcp, contact);
}
