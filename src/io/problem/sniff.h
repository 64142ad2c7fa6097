// What is this file? Its first bytes and numbers say it.
#ifndef TACT_IO_PROBLEM_SNIFF_H
#define TACT_IO_PROBLEM_SNIFF_H

#include "io/text.h"

typedef enum TactContent {
    TACT_CONTENT_EMPTY,
    TACT_CONTENT_LCP,
    TACT_CONTENT_MLCP,
    TACT_CONTENT_FRICTION, // Siconos, local or global
    TACT_CONTENT_ROLLING,  // Siconos, with rolling friction
    TACT_CONTENT_MATRIX_MARKET,
    TACT_CONTENT_JSON,
    TACT_CONTENT_HDF5,
} TactContent;

/// Looks without reading on. What is nothing else is taken for an LCP, whose reader then says what
/// is wrong.
TactContent tact_sniff(const TactText *text);

#endif
