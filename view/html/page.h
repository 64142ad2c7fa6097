// The page, built into the program.
#ifndef TACT_VIEW_HTML_PAGE_H
#define TACT_VIEW_HTML_PAGE_H

#include <stddef.h>

/// One HTML file, and its size; NULL: the program was built without Node.
const char *tact_view_page(size_t *size);

#endif
