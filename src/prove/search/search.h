// Search for an active set that has an exact solution, where that of the answer has none.
#ifndef TACT_PROVE_SEARCH_SEARCH_H
#define TACT_PROVE_SEARCH_SEARCH_H

#include "prove/search/lemke.h"

#endif
