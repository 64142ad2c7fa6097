// A recording made small for the page, without losing a bit.
//
// Frames follow each other closely, so each is written as its difference to the one before: every
// 32-bit word minus that of the frame before, modulo 2^32, and then the lowest bytes of all words,
// the second ones, and so on. Everything else stays as it is in the file. The whole is deflated
// (RFC 1951). page/src/pack.ts undoes it.
#ifndef TACT_VIEW_HTML_PACK_H
#define TACT_VIEW_HTML_PACK_H

#include <stddef.h>

/// Bytes to be freed, and their size; NULL: no memory. What is no recording is deflated as it is.
unsigned char *tact_view_pack(const unsigned char *recording, size_t size, size_t *packed_size);

#endif
