// Model files of any kind: told apart, read, compiled.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "base/log.h"
#include "base/status.h"
#include "io/model_reader.h"
#include "io/model_saved.h"
#include "model/packed/packed.h"

enum { COOKIE = 0x4c4f4144 };

TactModelLoadConfig tact_model_load_config_default(void)
{
    TactModelLoadConfig config = {.cookie = COOKIE};
    return config;
}

TactStatus tact_model_reader_note(TactModelReader *reader, const TactXmlNode *node,
                                  const char *attribute, TactVerdict verdict, bool physics,
                                  const char *text)
{
    const TactXmlAttribute *place = attribute[0] ? tact_xml_attribute(node, attribute) : NULL;
    TactModelNote           note = {
                  .verdict = verdict,
                  .physics = physics,
                  .file = node->file,
                  .line = place ? place->line : node->line,
                  .element = node->name,
                  .attribute = attribute,
                  .text = text,
    };
    return tact_note_list_add(reader->notes, &note);
}

/// Physics that is not honoured: an error if the caller is strict, else one warning.
static TactStatus judge_notes(const TactModelReader *reader)
{
    const TactModelNote *first;
    int count = tact_model_notes_unfaithful(tact_note_list_view(reader->notes), &first);
    if (count == 0) {
        return TACT_OK;
    }
    const char *verdict = first->verdict == TACT_VERDICT_IGNORED ? "ignored" : "approximated";
    const char *dot = first->attribute[0] ? "." : "";
    if (reader->config->strict) {
        return tact_fail(TACT_BAD_INPUT,
                         "%s:%d: %s%s%s is %s: %s (and %d more places; tact check lists them)",
                         first->file, first->line, first->element, dot, first->attribute, verdict,
                         first->text, count - 1);
    }
    tact_log(TACT_LOG_LEVEL_WARNING,
             "%s: %d places of the model that bear on the physics are approximated or ignored, the "
             "first at %s:%d (%s%s%s); tact check lists them",
             reader->root->file, count, first->file, first->line, first->element, dot,
             first->attribute);
    return TACT_OK;
}

/// Where elements that would have added to the model are ignored, an error may be no more than
/// their consequence: a body without mass, a name that is not there. The first of them is named
/// with it.
static TactStatus name_cause(const TactModelReader *reader, TactStatus status)
{
    static const char *const makers[] = {"flexcomp", "plugin"};
    char                     said[400];
    const TactXmlNode       *cause = NULL;
    for (const TactXmlNode *node = reader->root; node && !cause;
         node = tact_xml_following(reader->root, node)) {
        for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
            cause = tact_xml_is(node, makers[i]) ? node : cause;
        }
    }
    if (status != TACT_BAD_INPUT || !cause) {
        return status;
    }
    snprintf(said, sizeof said, "%s", tact_status_message());
    return tact_fail(status, "%s (<%s> on line %d of %s is ignored: what it would add is missing)",
                     said, cause->name, cause->line, cause->file);
}

static TactStatus read_tree(TactModelReader *reader, TactModel **model)
{
    reader->folder = tact_xml_folder(&reader->xml, reader->root->file);
    if (!reader->folder) {
        return TACT_NO_MEMORY;
    }
    TACT_TRY(tact_model_builder_create(&reader->builder));
    if (tact_xml_is(reader->root, "mujoco")) {
        TACT_TRY(tact_mjcf_read(reader));
    } else if (tact_xml_is(reader->root, "robot")) {
        TACT_TRY(tact_urdf_read(reader));
    } else {
        return tact_fail(TACT_BAD_INPUT,
                         "%s:%d: the root element is '%s', neither 'mujoco' (MJCF) nor 'robot' "
                         "(URDF)",
                         reader->root->file, reader->root->line, reader->root->name);
    }
    TACT_TRY(judge_notes(reader));
    return tact_model_builder_compile(reader->builder, model);
}

typedef struct Input {
    const char *name;
    const char *bytes; // NULL: the name is a path
    size_t      size;
} Input;

/// A compiled model: there is nothing to note of it.
static TactStatus load_saved(const Input *input, TactModel **model, TactModelNotes **notes)
{
    TactNoteList *none = NULL;
    TACT_TRY(tact_note_list_create(&none));
    TactStatus status = input->bytes
                            ? tact_model_unpack(input->name, (const unsigned char *)input->bytes,
                                                input->size, true, model)
                            : tact_model_read_saved(input->name, model);
    if (notes) {
        *notes = tact_note_list_view(none);
    } else {
        tact_model_notes_destroy(tact_note_list_view(none));
    }
    return status;
}

static bool is_saved(const Input *input)
{
    return input->bytes ? tact_model_is_packed((const unsigned char *)input->bytes, input->size)
                        : tact_model_is_saved(input->name);
}

static TactStatus load_input(const Input *input, const TactModelLoadConfig *config,
                             TactModel **model, TactModelNotes **notes)
{
    if (!input->name || !config || !model) {
        return tact_fail(TACT_BAD_ARGUMENT, "path, config or model is NULL");
    }
    if (config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config was not made by tact_model_load_config_default()");
    }
    if (is_saved(input)) {
        return load_saved(input, model, notes);
    }
    TactModelReader reader = {.config = config};
    TACT_TRY(tact_note_list_create(&reader.notes));
    TactStatus status = tact_xml_create(&reader.xml);
    if (status == TACT_OK) {
        status = input->bytes ? tact_xml_read_memory(&reader.xml, input->name, input->bytes,
                                                     input->size, &reader.root)
                              : tact_xml_read(&reader.xml, input->name, &reader.root);
    }
    if (status == TACT_OK) {
        status = read_tree(&reader, model);
        status = status == TACT_OK ? status : name_cause(&reader, status);
    }
    tact_model_builder_destroy(reader.builder);
    tact_xml_destroy(&reader.xml);
    if (notes) {
        *notes = tact_note_list_view(reader.notes);
    } else {
        tact_model_notes_destroy(tact_note_list_view(reader.notes));
    }
    return status;
}

TactStatus tact_model_load(const char *path, const TactModelLoadConfig *config, TactModel **model,
                           TactModelNotes **notes)
{
    Input input = {.name = path};
    if (model) {
        *model = NULL;
    }
    if (notes) {
        *notes = NULL;
    }
    return load_input(&input, config, model, notes);
}

TactStatus tact_model_load_memory(const char *name, const char *text, size_t size,
                                  const TactModelLoadConfig *config, TactModel **model,
                                  TactModelNotes **notes)
{
    Input input = {.name = name, .bytes = text ? text : "", .size = text ? size : 0};
    if (model) {
        *model = NULL;
    }
    if (notes) {
        *notes = NULL;
    }
    return load_input(&input, config, model, notes);
}
