// Any bytes as an MJCF file: an error with a message, or a model that is the same every time.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void check_notes(const TactModelNotes *notes)
{
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        require(note->line > 0 && note->file[0] != '\0' && note->element[0] != '\0');
        require((note->verdict == TACT_VERDICT_HONOURED) == (note->text[0] == '\0'));
    }
}

static void check_model(const TactModel *model)
{
    require(model->body_count >= 1);
    for (int i = 1; i < model->body_count; i++) {
        require(model->bodies[i].parent >= 0 && model->bodies[i].parent < i);
    }
    for (int i = 0; i < model->geom_count; i++) {
        require(model->geoms[i].body >= 0 && model->geoms[i].body < model->body_count);
    }
    for (int i = 0; i < model->nq; i++) {
        require(model->q_reference[i] - model->q_reference[i] == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    if (tact_model_load_memory("/nowhere/fuzz.xml", (const char *)data, size, &config, &model,
                               &notes) != TACT_OK) {
        require(model == NULL && notes != NULL);
        require(tact_status_message()[0] != '\0');
        check_notes(notes);
        tact_model_notes_destroy(notes);
        return 0;
    }
    check_notes(notes);
    check_model(model);
    TactModel *again = NULL;
    require(tact_model_load_memory("/nowhere/fuzz.xml", (const char *)data, size, &config, &again,
                                   NULL) == TACT_OK);
    require(again->hash == model->hash);
    tact_model_destroy(again);
    tact_model_destroy(model);
    tact_model_notes_destroy(notes);
    return 0;
}
