// Pictures as PNG, by libpng where it is there.
#include <stdlib.h>
#include <string.h>

#include "bench/picture/picture.h"

#ifdef TACT_HAVE_PNG
#include <png.h>

TactStatus tact_picture_encode(const unsigned char *rgb, int width, int height,
                               unsigned char **bytes, size_t *size)
{
    png_image        image = {.version = PNG_IMAGE_VERSION,
                              .width = (png_uint_32)width,
                              .height = (png_uint_32)height,
                              .format = PNG_FORMAT_RGB};
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    *bytes = malloc(room);
    if (!(*bytes && png_image_write_to_memory(&image, *bytes, &room, 0, rgb, 0, NULL))) {
        free(*bytes);
        *bytes = NULL;
        return TACT_NO_MEMORY;
    }
    *size = room;
    return TACT_OK;
}

#else

TactStatus tact_picture_encode(const unsigned char *rgb, int width, int height,
                               unsigned char **bytes, size_t *size)
{
    (void)rgb;
    (void)width;
    (void)height;
    *bytes = NULL;
    *size = 0;
    return TACT_UNSUPPORTED;
}

#endif

TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size)
{
    unsigned char *rgb = malloc(3 * (size_t)picture->width * (size_t)picture->height);
    TactStatus     status = rgb ? tact_picture_draw(picture, rgb) : TACT_NO_MEMORY;
    *bytes = NULL;
    *size = 0;
    if (status == TACT_OK) {
        status = tact_picture_encode(rgb, picture->width, picture->height, bytes, size);
    }
    free(rgb);
    return status;
}
