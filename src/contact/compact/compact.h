// Room "compact": the kernel of one free body, in whole vectors.
#ifndef TACT_CONTACT_COMPACT_COMPACT_H
#define TACT_CONTACT_COMPACT_COMPACT_H

#include "contact/compact/kernel_compact.h"

#endif
