#include "io/model_notes.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/xml/xml.h"

struct TactNoteList {
    TactModelNotes notes; // first: the public list is the whole
    TactModelNote *items;
    int            room;
    TactXmlPool    pool;
};

TactStatus tact_note_list_create(TactNoteList **list)
{
    void *block;
    *list = NULL;
    TACT_TRY(tact_allocate(1, sizeof(TactNoteList), &block));
    *list = block;
    return TACT_OK;
}

TactModelNotes *tact_note_list_view(TactNoteList *list)
{
    return &list->notes;
}

void tact_model_notes_destroy(TactModelNotes *notes)
{
    if (notes) {
        TactNoteList *list = (TactNoteList *)notes;
        tact_xml_pool_destroy(&list->pool);
        tact_release(list->items);
        tact_release(list);
    }
}

static TactStatus grow_list(TactNoteList *list)
{
    if (list->room > INT_MAX / 2) {
        return tact_fail(TACT_NO_MEMORY, "too many notes");
    }
    int   room = list->room > 0 ? 2 * list->room : 64;
    void *block;
    TACT_TRY(tact_allocate((size_t)room, sizeof(TactModelNote), &block));
    if (list->notes.count > 0) {
        memcpy(block, list->items, (size_t)list->notes.count * sizeof(TactModelNote));
    }
    tact_release(list->items);
    list->items = block;
    list->notes.items = list->items;
    list->room = room;
    return TACT_OK;
}

/// The same string as in the note before, if it is one, else a copy.
static TactStatus keep_text(TactNoteList *list, const char *before, const char **text)
{
    const char *given = *text ? *text : "";
    *text = before && strcmp(before, given) == 0
                ? before
                : tact_xml_pool_copy(&list->pool, given, strlen(given));
    return *text ? TACT_OK : TACT_NO_MEMORY;
}

TactStatus tact_note_list_add(TactNoteList *list, const TactModelNote *note)
{
    int count = list->notes.count;
    if (count == list->room) {
        TACT_TRY(grow_list(list));
    }
    static const TactModelNote none;
    const TactModelNote       *before = count > 0 ? &list->items[count - 1] : &none;
    TactModelNote              own = *note;
    TACT_TRY(keep_text(list, before->file, &own.file));
    TACT_TRY(keep_text(list, before->element, &own.element));
    TACT_TRY(keep_text(list, before->attribute, &own.attribute));
    TACT_TRY(keep_text(list, before->text, &own.text));
    list->items[count] = own;
    list->notes.count++;
    return TACT_OK;
}

int tact_model_notes_unfaithful(const TactModelNotes *notes, const TactModelNote **first)
{
    int count = 0;
    *first = NULL;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        if (note->physics && note->verdict != TACT_VERDICT_HONOURED) {
            if (count++ == 0) {
                *first = note;
            }
        }
    }
    return count;
}
