// Compiled models as bytes: everything that a model holds, so that it can be read where there are
// no readers of model files and no qhull.
//
//     "TACTMODL"  version  order of bytes  bytes of all  the model's hash   (8 4 4 8 8 bytes)
//     counts, options, arrays field by field: integers of 4 bytes, doubles of 8, texts with their
//     length before them
//     a checksum of all before it                                           (8 bytes)
//
// Numbers are little-endian. A file that another version wrote is refused.
#ifndef TACT_MODEL_PACKED_PACKED_H
#define TACT_MODEL_PACKED_PACKED_H

#include <tact/model.h>

/// To be released by tact_release().
TactStatus tact_model_pack(const TactModel *model, unsigned char **bytes, size_t *size);

/// Do these bytes begin as a packed model does?
bool tact_model_is_packed(const unsigned char *bytes, size_t size);

/// name: of the file, for messages. TACT_BAD_INPUT if anything is damaged or does not fit together.
/// judged: checksum and hash are looked at; tests look behind them.
TactStatus tact_model_unpack(const char *name, const unsigned char *bytes, size_t size, bool judged,
                             TactModel **model);

#endif
