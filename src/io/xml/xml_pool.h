// Memory that grows piece by piece and is given back all at once: trees and lists of readers.
#ifndef TACT_IO_XML_XML_POOL_H
#define TACT_IO_XML_XML_POOL_H

#include <stddef.h>
#include <tact/base.h>

typedef struct TactXmlPoolBlock TactXmlPoolBlock;

typedef struct TactXmlPool {
    TactXmlPoolBlock *block; // the one that is being filled; behind it the full ones
} TactXmlPool;

/// Zeroed and aligned for anything; NULL when there is no memory (and the message is set).
void *tact_xml_pool_take(TactXmlPool *pool, size_t count, size_t size);
/// A copy of length characters with a zero behind them; NULL when there is no memory.
char *tact_xml_pool_copy(TactXmlPool *pool, const char *text, size_t length);
void  tact_xml_pool_destroy(TactXmlPool *pool);

#endif
