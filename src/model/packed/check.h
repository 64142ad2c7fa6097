// Does what was read fit together?
#ifndef TACT_MODEL_PACKED_CHECK_H
#define TACT_MODEL_PACKED_CHECK_H

#include <tact/model.h>

/// The first thing that cannot be; NULL: nothing. After it every index leads to something.
const char *tact_packed_find_fault(const TactModel *model);

#endif
