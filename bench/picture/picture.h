// Pictures of the library as PNG files.
#ifndef TACT_BENCH_PICTURE_H
#define TACT_BENCH_PICTURE_H

#include <stddef.h>
#include <tact/picture.h>

/// As a PNG file in memory, to be freed. TACT_UNSUPPORTED in a build without libpng.
TactStatus tact_picture_png(const TactPicture *picture, unsigned char **bytes, size_t *size);

#endif
