// What the readers of model files share: a tree in, a builder and notes out.
#ifndef TACT_IO_MODEL_READER_H
#define TACT_IO_MODEL_READER_H

#include <tact/load.h>

#include "io/model_notes.h"
#include "io/xml/xml.h"

typedef struct TactModelReader {
    const TactModelLoadConfig *config;
    TactXml                    xml;
    TactXmlNode               *root;   // of the file that was asked for
    const char                *folder; // where it lies
    TactModelBuilder          *builder;
    TactNoteList              *notes;
} TactModelReader;

/// Readers fill the builder; tact_model_load() compiles it.
TactStatus tact_mjcf_read(TactModelReader *reader);
TactStatus tact_urdf_read(TactModelReader *reader);

/// Notes an attribute of the node, or the node itself (attribute "").
TactStatus tact_model_reader_note(TactModelReader *reader, const TactXmlNode *node,
                                  const char *attribute, TactVerdict verdict, bool physics,
                                  const char *text);

static inline TactSource tact_xml_source(const TactXmlNode *node)
{
    TactSource source = {node->file, node->line};
    return source;
}

#endif
