// Pictures of the library as PNG files.
#ifndef TACT_BENCH_PICTURE_H
#define TACT_BENCH_PICTURE_H

#include <stddef.h>
#include <tact/picture.h>

/// Rows of r, g, b from the top as a PNG file in memory, to be freed. TACT_UNSUPPORTED in a build
/// without libpng.
TactStatus tact_picture_encode(const unsigned char *rgb, int width, int height,
                               unsigned char **bytes, size_t *size);

/// As a PNG file in memory, to be freed. TACT_UNSUPPORTED in a build without libpng.
TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size);

#endif
