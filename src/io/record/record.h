// Room "record": recordings: blocks of bytes with a checksum, frames, the model inside.
#ifndef TACT_IO_RECORD_RECORD_H
#define TACT_IO_RECORD_RECORD_H

#include "io/record/record_bytes.h"

#endif
