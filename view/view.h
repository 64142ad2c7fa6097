// The viewer: a server that simulates, or replays, for a page in the browser.
#ifndef TACT_VIEW_H
#define TACT_VIEW_H

#include <stdbool.h>
#include <tact/sim.h>

enum { TACT_VIEW_WORDS = 1024 };

/// Says in words how near a patch of contacts is to slipping, or why it slips.  (TACT_VIEW_WORDS)
typedef void TactViewExplain(const TactModel *model, const TactSimPatch *patch, char *words);

typedef struct TactViewOptions {
    const char *file;   // a model or a recording (.tact); NULL: the gallery
    const char *scenes; // folder of the gallery
    const char *host;   // address to listen at; NULL: this machine alone
    int         port;   // 0: one that is free
    bool        open;   // a browser is asked to show the page
    bool        paused; // a run waits for Play
    const char *method; // NULL: as the simulator has it
    const char *cone;   // the same

    TactContactShare share; // of forces that are not unique
    double           sleep; // s of rest after which bodies sleep; 0: none does; < 0: the usual

    TactViewExplain *explain;

    void (*ready)(void); // called before the address is printed
} TactViewOptions;

/// Serves until a signal ends it (SIGINT, SIGTERM). Says on standard error what is wrong, and
/// returns the exit status of the program.
int tact_view_serve(const TactViewOptions *options);

/// The page with a recording inside, as one file that needs no server.
TactStatus tact_view_write_html(const char *recording, const char *path, const char **why);

/// Was the program built with the page? Without Node it is not.
bool tact_view_has_page(void);

#endif
