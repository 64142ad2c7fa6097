// Small URDFs for tests: a robot of links a, b, c, ... of 1 kg, and loading from memory.
#ifndef TACT_TESTS_IO_URDF_TEXT_H
#define TACT_TESTS_IO_URDF_TEXT_H

#include <tact/load.h>

/// The inertial of a link: 1 kg, moments 1 kg m^2. On one line, so that lines can be counted.
#define URDF_MASS                                                                         \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'" \
    "/></inertial>"
#define URDF_LINK(name) "<link name='" name "'>" URDF_MASS "</link>\n"
#define URDF_JOINT(name, type, parent, child, rest)                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
    "'/>" rest "</joint>\n"
#define URDF_ROBOT(rest) "<robot name='r'>\n" rest "</robot>\n"

/// The model of a text, or a failed test. It and the notes of the last one are destroyed by the
/// next call and by tact_urdf_text_forget().
const TactModel      *tact_urdf_text_load(const char *text);
const TactModel      *tact_urdf_text_load_as(const char *text, const TactModelLoadConfig *config);
const TactModelNotes *tact_urdf_text_notes(void);
void                  tact_urdf_text_forget(void);

/// Fails unless the text is refused with this status and these words.
void tact_urdf_text_refused(const char *text, TactStatus status, const char *words);

/// Fails unless there is a note of this element and attribute with this verdict.
void tact_urdf_text_noted(const char *element, const char *attribute, TactVerdict verdict);

#endif
