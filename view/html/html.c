// A recording inside of the page: one file that plays from disk.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/html/pack.h"
#include "view/html/page.h"
#include "view/html/view_file.h"
#include "view/view.h"

static const char MARK[] = "id=\"recording\">";

static void write_base64(const unsigned char *bytes, size_t size, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;
        group |= i + 1 < size ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= i + 2 < size ? (unsigned)bytes[i + 2] : 0;
        fputc(digits[group >> 18 & 63], out);
        fputc(digits[group >> 12 & 63], out);
        fputc(i + 1 < size ? digits[group >> 6 & 63] : '=', out);
        fputc(i + 2 < size ? digits[group & 63] : '=', out);
    }
}

TactStatus tact_view_write_html(const char *recording, const char *path, const char **why)
{
    size_t      page_size, size = 0, packed_size = 0;
    const char *page = tact_view_page(&page_size);
    const char *mark = page ? strstr(page, MARK) : NULL;
    if (!mark) {
        *why = "this program was built without its page (Node was not there)";
        return TACT_UNSUPPORTED;
    }
    unsigned char *bytes = (unsigned char *)tact_view_file_read(recording, &size);
    unsigned char *packed = bytes ? tact_view_pack(bytes, size, &packed_size) : NULL;
    FILE          *out = packed ? fopen(path, "wb") : NULL;
    *why = strerror(errno);
    free(bytes);
    if (!out) {
        free(packed);
        return TACT_IO_ERROR;
    }
    size_t head = (size_t)(mark - page) + strlen(MARK);
    fwrite(page, 1, head, out);
    write_base64(packed, packed_size, out);
    fwrite(page + head, 1, page_size - head, out);
    bool failed = ferror(out) != 0;
    *why = strerror(errno);
    failed = fclose(out) != 0 || failed;
    free(packed);
    return failed ? TACT_IO_ERROR : TACT_OK;
}
