// `tact run --html`: the page of the viewer with the recording inside.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress/progress.h"
#include "cli/run/run.h"

static const char PART[] = ".part"; // of a recording that is only made for its page

char *tact_run_html_recording(const char *html)
{
    size_t size = strlen(html) + sizeof PART;
    char  *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s", html, PART);
    }
    return path;
}

#ifdef TACT_HAVE_VIEW
#include "view/view.h"

bool tact_run_write_html(const char *recording, const char *html)
{
    const char *why = "";
    tact_progress_stage("writing %s", tact_cli_base_name(html));
    if (tact_view_write_html(recording, html, &why) != TACT_OK) {
        tact_cli_bad("%s: %s", html, why);
        return false;
    }
    return true;
}

bool tact_run_can_write_html(void)
{
    if (!tact_view_has_page()) {
        tact_cli_bad("--html: this program was built without the page of its viewer: install "
                     "Node.js and npm, and build it again");
    }
    return tact_view_has_page();
}

#else

bool tact_run_write_html(const char *recording, const char *html)
{
    (void)recording;
    (void)html;
    return false;
}

bool tact_run_can_write_html(void)
{
    tact_cli_bad("--html: this program was built without its viewer: install libwebsockets and "
                 "zlib (Debian: libwebsockets-dev zlib1g-dev) and build it again");
    return false;
}

#endif
