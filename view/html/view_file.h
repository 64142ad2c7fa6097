// A file as bytes.
#ifndef TACT_VIEW_HTML_VIEW_FILE_H
#define TACT_VIEW_HTML_VIEW_FILE_H

#include <stddef.h>

/// All of a file, to be freed; NULL, with errno, if it cannot be read.
char *tact_view_file_read(const char *path, size_t *size);

#endif
