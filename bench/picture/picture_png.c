// Pictures as PNG, by libpng where it is there.
#include <stdlib.h>
#include <string.h>

#include "bench/picture/picture.h"

#ifdef TACT_HAVE_PNG
#include <png.h>

TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size)
{
    png_image        image = {.version = PNG_IMAGE_VERSION,
                              .width = (png_uint_32)picture->width,
                              .height = (png_uint_32)picture->height,
                              .format = PNG_FORMAT_RGB};
    unsigned char   *rgb = malloc(PNG_IMAGE_SIZE(image));
    TactStatus       status = rgb ? tact_picture_draw(picture, rgb) : TACT_NO_MEMORY;
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    *bytes = status == TACT_OK ? malloc(room) : NULL;
    if (status == TACT_OK &&
        !(*bytes && png_image_write_to_memory(&image, *bytes, &room, 0, rgb, 0, NULL))) {
        status = TACT_NO_MEMORY;
        free(*bytes);
        *bytes = NULL;
    }
    *size = room;
    free(rgb);
    return status;
}

#else

TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size)
{
    (void)picture;
    *bytes = NULL;
    *size = 0;
    return TACT_UNSUPPORTED;
}

#endif
