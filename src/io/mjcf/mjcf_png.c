// Height fields that are pictures: PNG files, of which the first channel is the height, 8 bits of
// it, and whose first row is the one of largest y. That is how MuJoCo reads them.
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mjcf/mjcf.h"

#ifdef TACT_HAVE_PNG

#include <png.h>
#include <setjmp.h>

/// libpng leaves by longjmp: what it needs lives here, and nothing of it changes in between.
typedef struct Picture {
    FILE       *stream;
    png_structp png;
    png_infop   info;
    char        why[120];
} Picture;

static void on_error(png_structp png, png_const_charp words)
{
    Picture *picture = png_get_error_ptr(png);
    snprintf(picture->why, sizeof picture->why, "%s", words);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp words)
{
    (void)png;
    (void)words;
}

/// Reads the head: rows and columns, and channels that a pixel of 8 bits each will have.
static bool read_head(Picture *picture, png_uint_32 *rows, png_uint_32 *columns, size_t *line)
{
    if (setjmp(png_jmpbuf(picture->png))) {
        return false;
    }
    png_set_user_limits(picture->png, 100000, 100000);
    png_init_io(picture->png, picture->stream);
    png_read_info(picture->png, picture->info);
    png_set_expand(picture->png);
    png_set_strip_16(picture->png);
    png_set_interlace_handling(picture->png);
    png_read_update_info(picture->png, picture->info);
    *rows = png_get_image_height(picture->png, picture->info);
    *columns = png_get_image_width(picture->png, picture->info);
    *line = png_get_rowbytes(picture->png, picture->info);
    return true;
}

static bool read_rows(Picture *picture, png_bytepp rows)
{
    if (setjmp(png_jmpbuf(picture->png))) {
        return false;
    }
    png_read_image(picture->png, rows);
    return true;
}

static TactStatus decode(TactMjcf *mjcf, const TactXmlNode *node, Picture *picture,
                         TactHeightField *field)
{
    enum { LARGEST = 1 << 26 };
    png_uint_32 rows, columns;
    size_t      line;
    if (!read_head(picture, &rows, &columns, &line)) {
        return tact_xml_fail(node, "file", TACT_BAD_INPUT, "is no PNG picture: %s", picture->why);
    }
    if (rows < 2 || columns < 2 || rows > LARGEST / columns) {
        return tact_xml_fail(node, "file", TACT_BAD_INPUT, "has %u rows and %u columns",
                             (unsigned)rows, (unsigned)columns);
    }
    png_bytepp starts = tact_xml_pool_take(&mjcf->xml->pool, rows, sizeof *starts);
    png_bytep  pixels = tact_xml_pool_take(&mjcf->xml->pool, rows, line);
    double *height = tact_xml_pool_take(&mjcf->xml->pool, (size_t)rows * columns, sizeof *height);
    if (!starts || !pixels || !height) {
        return TACT_NO_MEMORY;
    }
    for (size_t i = 0; i < rows; i++) {
        starts[i] = pixels + i * line;
    }
    if (!read_rows(picture, starts)) {
        return tact_xml_fail(node, "file", TACT_BAD_INPUT, "is a broken PNG picture: %s",
                             picture->why);
    }
    size_t channels = line / columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            height[(rows - 1 - i) * columns + j] = starts[i][j * channels];
        }
    }
    field->rows = (int)rows;
    field->columns = (int)columns;
    field->height = height;
    return TACT_OK;
}

TactStatus tact_mjcf_read_png(TactMjcf *mjcf, const TactXmlNode *node, const char *path,
                              TactHeightField *field)
{
    Picture picture = {.stream = fopen(path, "rb")};
    if (!picture.stream) {
        return tact_xml_fail(node, "file", TACT_IO_ERROR, "'%s' cannot be opened", path);
    }
    picture.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &picture, on_error, on_warning);
    picture.info = picture.png ? png_create_info_struct(picture.png) : NULL;
    TactStatus status = picture.info ? decode(mjcf, node, &picture, field)
                                     : tact_fail(TACT_NO_MEMORY, "%s: no memory", path);
    png_destroy_read_struct(&picture.png, &picture.info, NULL);
    fclose(picture.stream);
    return status;
}

#else

TactStatus tact_mjcf_read_png(TactMjcf *mjcf, const TactXmlNode *node, const char *path,
                              TactHeightField *field)
{
    (void)mjcf;
    (void)field;
    return tact_xml_fail(node, "file", TACT_UNSUPPORTED,
                         "'%.120s': this build reads no pictures (it has no libpng)", path);
}

#endif
