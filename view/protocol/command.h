// What a page may ask for.
#ifndef TACT_VIEW_PROTOCOL_COMMAND_H
#define TACT_VIEW_PROTOCOL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/math.h>

typedef enum TactViewVerb {
    TACT_VIEW_PLAY,
    TACT_VIEW_PAUSE,
    TACT_VIEW_STEP,
    TACT_VIEW_RESET,    // to the keyframe `text`, "": as the run began
    TACT_VIEW_REWIND,   // to the step `value` of its history
    TACT_VIEW_SPEED,    // `value` times real time
    TACT_VIEW_CONTROL,  // of actuator `index`
    TACT_VIEW_DRAG,     // body `index`, from `point` in its frame to `target` in the world
    TACT_VIEW_RELEASE,  //
    TACT_VIEW_METHOD,   // `text`
    TACT_VIEW_CONE,     // `text`
    TACT_VIEW_FRICTION, // all coefficients times `value`
    TACT_VIEW_EXPLAIN,  // the contacts of the last step, in words
    TACT_VIEW_OPEN,     // the scene `text` of the gallery
    TACT_VIEW_RELOAD,   // the file that was opened last
    TACT_VIEW_GALLERY,
} TactViewVerb;

enum { TACT_VIEW_MOST_TEXT = 256 };

typedef struct TactViewCommand {
    TactViewVerb verb;
    int          index;
    double       value;
    TactVec3     point, target;
    bool         turn; // DRAG: a torque instead of a pull
    char         text[TACT_VIEW_MOST_TEXT];
} TactViewCommand;

/// Reads a message of the page. false: it is none that we know, or a part of it is missing, not
/// finite or too long; nothing happens then.
bool tact_view_command_read(const char *bytes, size_t size, TactViewCommand *command);

#endif
