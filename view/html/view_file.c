#include "view/html/view_file.h"

#include <stdio.h>
#include <stdlib.h>

char *tact_view_file_read(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    long  length = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    char *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    *size = 0;
    if (bytes) {
        rewind(in);
        *size = (size_t)length;
        if (fread(bytes, 1, *size, in) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (in) {
        fclose(in);
    }
    return bytes;
}
