// Room "html": the page that is built into the program, alone or with a recording inside.
#ifndef TACT_VIEW_HTML_HTML_H
#define TACT_VIEW_HTML_HTML_H

#include "view/html/page.h"
#include "view/html/view_file.h"

#endif
