// A run in a thread of its own, in step with the clock on the wall.
#ifndef TACT_VIEW_LIVE_LIVE_H
#define TACT_VIEW_LIVE_LIVE_H

#include "view/protocol/protocol.h"
#include "view/view.h"

typedef struct TactViewLive TactViewLive;

/// What the thread calls when there is something new in the mailbox.
typedef void TactViewWake(void *context);

typedef struct TactViewLiveConfig {
    const char      *method, *cone; // NULL: the simulator's own
    TactContactShare share;         //
    double           sleep;         // s; as TactViewOptions has it
    bool             paused;
    TactViewExplain *explain;
    TactViewMailbox *mailbox;
    TactViewWake    *wake;
    void            *context;
} TactViewLiveConfig;

/// NULL: no memory or no thread.
TactViewLive *tact_view_live_create(const TactViewLiveConfig *config);
void          tact_view_live_destroy(TactViewLive *live);

/// Loads a model file in place of what runs; what is wrong with it becomes an error message.
void tact_view_live_open(TactViewLive *live, const char *file);

/// Hands a command over. Pulls replace each other, questions too; more than the thread can take are
/// dropped.
void tact_view_live_command(TactViewLive *live, const TactViewCommand *command);

#endif
