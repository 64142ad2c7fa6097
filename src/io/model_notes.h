// Collecting what became of every element and attribute of a model file.
#ifndef TACT_IO_MODEL_NOTES_H
#define TACT_IO_MODEL_NOTES_H

#include <tact/load.h>

/// Notes in the making: the public list and the memory behind it.
typedef struct TactNoteList TactNoteList;

TactStatus      tact_note_list_create(TactNoteList **list);
TactModelNotes *tact_note_list_view(TactNoteList *list);

/// All strings are copied.
TactStatus tact_note_list_add(TactNoteList *list, const TactModelNote *note);

/// How many notes are of physics that is not honoured; the first of them is written to first (NULL
/// if there is none).
int tact_model_notes_unfaithful(const TactModelNotes *notes, const TactModelNote **first);

#endif
