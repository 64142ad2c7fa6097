#include "io/urdf_text.h"

#include <string.h>

#include "io/scratch.h"

static TactModel      *model;
static TactModelNotes *notes;

void tact_urdf_text_forget(void)
{
    tact_model_destroy(model);
    tact_model_notes_destroy(notes);
    model = NULL;
    notes = NULL;
}

const TactModel *tact_urdf_text_load_as(const char *text, const TactModelLoadConfig *config)
{
    tact_urdf_text_forget();
    if (tact_model_load_memory("r.urdf", text, strlen(text), config, &model, &notes) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

const TactModel *tact_urdf_text_load(const char *text)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    return tact_urdf_text_load_as(text, &config);
}

const TactModelNotes *tact_urdf_text_notes(void)
{
    return notes;
}

void tact_urdf_text_refused(const char *text, TactStatus expected, const char *words)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    tact_urdf_text_forget();
    TactStatus status =
        tact_model_load_memory("r.urdf", text, strlen(text), &config, &model, &notes);
    if (status != expected) {
        fail_msg("status '%s' instead of '%s' for: %s", tact_status_name(status),
                 tact_status_name(expected), text);
    }
    assert_null(model);
    tact_scratch_said(words);
}

void tact_urdf_text_noted(const char *element, const char *attribute, TactVerdict verdict)
{
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        if (strcmp(note->element, element) == 0 && strcmp(note->attribute, attribute) == 0 &&
            note->verdict == verdict) {
            return;
        }
    }
    fail_msg("there is no such note of %s.%s", element, attribute);
}
