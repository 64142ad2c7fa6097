// For tests of MJCF: models from text.
#ifndef TACT_TESTS_IO_MJCF_TEXT_H
#define TACT_TESTS_IO_MJCF_TEXT_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <tact/load.h>

/// The model of <mujoco>...</mujoco> with this inside; fails if it does not load.
TactModel *tact_mjcf_model(const char *inside);
/// The same with a body that has a geom, around the text that stands in it.
TactModel *tact_mjcf_body(const char *inside);
/// A model of tests/models/mjcf.
TactModel *tact_mjcf_file(const char *name);

/// Fails unless the text is refused with this status and these words; line 1 is that of <mujoco>.
void tact_mjcf_refuses(const char *inside, TactStatus status, const char *words);

/// How many notes a text has on element.attribute with this verdict.
int tact_mjcf_notes(const char *inside, const char *element, const char *attribute,
                    TactVerdict verdict);

/// Fails unless both are as near as rounding allows.
void tact_mjcf_near(double a, double b);
void tact_mjcf_near3(TactVec3 a, double x, double y, double z);
/// The same rotation.
void tact_mjcf_turned(TactQuat q, double w, double x, double y, double z);

#endif
