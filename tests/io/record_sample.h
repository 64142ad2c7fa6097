// For tests of recordings: a model with one of everything that is drawn, and frames of it.
#ifndef TACT_TESTS_IO_RECORD_SAMPLE_H
#define TACT_TESTS_IO_RECORD_SAMPLE_H

#include <tact/record.h>

/// A post on the world, a ball with a free joint called `a,"b"`, and an arm on a hinge called
/// `elbow`; a mesh, a height field, a site, an actuator, a sensor.
TactModel *tact_record_sample_model(void);

enum { TACT_RECORD_SAMPLE_CONTACTS = 3 };

/// Frame k, of arbitrary numbers that depend on k alone; lent until the next call.
TactRecordFrame tact_record_sample_frame(const TactModel *model, int k);

/// Fails unless b is what a recording of a must give: q, v, ctrl, sensors bit for bit.
void tact_record_sample_same(const TactModel *model, const TactRecordFrame *a,
                             const TactRecordFrame *b);

/// A recording of this model with this many frames; returns its path in the scratch folder.
const char *tact_record_sample_write(const TactModel *model, const char *name, int frames);

#endif
